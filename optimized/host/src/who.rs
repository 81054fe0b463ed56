//! Who is at the other end of a connection.

use std::fmt;

use duoram_link::ClientName;
use duoram_reference::Role;

/// Somebody who is known: by its key, or by the socket that it calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    Peer(Role),
    Client(ClientName),
}

impl fmt::Display for Who {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Peer(role) => write!(formatter, "{role}"),
            Self::Client(name) => write!(formatter, "client {name}"),
        }
    }
}
