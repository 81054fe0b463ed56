//! What a party did, as it wrote it down itself.

use std::sync::Arc;

use duoram_reference::{Header, Kind, Role};

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A message left for the peer.
    Send,
    /// A message of the peer was accepted.
    Receive,
    /// A step is done: the party's state is the one after it.
    Apply,
}

/// An entry of a party's log. Holds no secrets, unless frames are recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Place among the events of all parties. A message is received after it is sent.
    pub order: u64,
    /// Who.
    pub party: Role,
    /// What.
    pub action: Action,
    /// With whom; nobody for [`Action::Apply`].
    pub peer: Option<Role>,
    /// The message's kind or, for [`Action::Apply`], the step.
    pub kind: String,
    /// The number of the step.
    pub operation: u64,
    /// The level or the chunk, else 0.
    pub round: u32,
    /// The numbers of the items that the step makes or uses ([`duoram_reference::Party::items`]).
    pub items: Arc<[u64]>,
    /// Bytes after the header.
    pub payload_bytes: u64,
    /// The whole frame, if frames are recorded: [`Action::Send`] only.
    pub frame: Option<Vec<u8>>,
}

impl Event {
    /// A message sent or received, of a kind of the protocol's.
    pub(crate) fn of_message(
        order: u64,
        party: Role,
        action: Action,
        peer: Role,
        header: &Header,
        kind: Option<Kind>,
        items: Arc<[u64]>,
    ) -> Self {
        Self {
            order,
            party,
            action,
            peer: Some(peer),
            kind: kind.map_or_else(|| header.kind.to_string(), |kind| kind.to_string()),
            operation: header.operation,
            round: kind.map_or(header.round, |kind| kind.place(header.round)),
            items,
            payload_bytes: header.length.into(),
            frame: None,
        }
    }
}
