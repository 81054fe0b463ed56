//! What is wrong with bytes that came.

use thiserror::Error;

/// Why bytes are no envelope of the kind that is expected. Holds no contents, which may be secret.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WireError {
    /// An envelope has at least its type.
    #[error("an envelope without a type: length 0")]
    Empty,
    /// No message of this direction has this type.
    #[error("no message of type {got} is expected here")]
    UnknownType {
        /// The type that came.
        got: u8,
    },
    /// Longer than a message of its type can be; refused by its length, before its body is read.
    #[error("{message}: at most {max} bytes expected, got {got}")]
    TooLong {
        /// The message.
        message: &'static str,
        /// The longest body of its type, in bytes.
        max: usize,
        /// The length that it says.
        got: usize,
    },
    /// Over before the message was.
    #[error("{message}: at least {expected} bytes expected, got {got}")]
    Truncated {
        /// The message.
        message: &'static str,
        /// The bytes that it needs, as far as that is known.
        expected: usize,
        /// The bytes that there are.
        got: usize,
    },
    /// Goes on after the message.
    #[error("{message}: {expected} bytes expected, got {got}")]
    Trailing {
        /// The message.
        message: &'static str,
        /// The length of the message.
        expected: usize,
        /// The bytes that there are.
        got: usize,
    },
    /// Not what a hello or a welcome starts with: this is no host of ours.
    #[error("{message}: the bytes {expected:02x?} expected first, got {got:02x?}")]
    Magic {
        /// The message.
        message: &'static str,
        /// The four bytes.
        expected: [u8; 4],
        /// What came.
        got: [u8; 4],
    },
    /// A number that its field cannot have.
    #[error("{message}, {field}: {expected} expected, got {got}")]
    Field {
        /// The message.
        message: &'static str,
        /// Which field.
        field: &'static str,
        /// What it can be.
        expected: &'static str,
        /// What came.
        got: u64,
    },
    /// A text that is not printable UTF-8, or a name with other characters than names have.
    #[error("{message}, {field}: {expected} expected")]
    Characters {
        /// The message.
        message: &'static str,
        /// Which field.
        field: &'static str,
        /// What it can be.
        expected: &'static str,
    },
    /// A request has as many shares as its kind and count say.
    #[error("a request of this kind, count and piece has {expected} words, got {got}")]
    Shares {
        /// The words that it must have.
        expected: u64,
        /// The words that it has.
        got: u64,
    },
}
