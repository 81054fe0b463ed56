//! What goes wrong on a link.

use std::io;
use std::time::Duration;

use rustls::{AlertDescription, CertificateError, Error as TlsError};
use thiserror::Error;

use crate::pinned::NotPinned;
use crate::{Pin, WireError};

/// Why there is no link, or no longer. Nothing about it is fatal to the process.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LinkError {
    /// Nobody answers there.
    #[error("{address}: {reason}")]
    Connect {
        /// Where.
        address: String,
        /// Why.
        reason: String,
    },
    /// It took too long.
    #[error("{what} has taken longer than {} ms", after.as_millis())]
    Timeout {
        /// What.
        what: &'static str,
        /// How long it may take.
        after: Duration,
    },
    /// The other end has a key that is not pinned here.
    #[error("the other end has the key {got}, which is none of those that are pinned for it")]
    WrongKey {
        /// The pin of its key.
        got: Pin,
    },
    /// This end's key is not pinned at the other.
    #[error("the other end does not know this end's key: is its pin in the configuration there?")]
    KeyNotKnown,
    /// The ends do not speak of the same thing: a peer called where only clients are answered, or the reverse, or somebody else's service.
    #[error("the other end is no host of this kind: no common ALPN")]
    WrongChannel,
    /// What came is no TLS 1.3 handshake, or a broken one.
    #[error("TLS: {0}")]
    Tls(String),
    /// What came is no message.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The other end has closed the link.
    #[error("closed by the other end")]
    Closed,
    /// The other end has closed the link, and has said why.
    #[error("the other end hangs up: {0}")]
    Goodbye(String),
    /// The network.
    #[error("{0}")]
    Io(String),
}

impl From<io::Error> for LinkError {
    fn from(error: io::Error) -> Self {
        if let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<TlsError>()) {
            return tls.into();
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::NotConnected => Self::Closed,
            _ => Self::Io(error.to_string()),
        }
    }
}

impl From<&TlsError> for LinkError {
    fn from(error: &TlsError) -> Self {
        match error {
            TlsError::InvalidCertificate(CertificateError::Other(other)) => {
                match other.0.downcast_ref::<NotPinned>() {
                    Some(NotPinned { got }) => Self::WrongKey { got: *got },
                    None => Self::Tls(error.to_string()),
                }
            }
            // What rustls says for a key that the verifier does not take.
            TlsError::AlertReceived(AlertDescription::CertificateUnknown) => Self::KeyNotKnown,
            TlsError::NoApplicationProtocol
            | TlsError::AlertReceived(AlertDescription::NoApplicationProtocol) => Self::WrongChannel,
            _ => Self::Tls(error.to_string()),
        }
    }
}
