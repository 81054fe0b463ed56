//! For tests: something to do with a message, whichever it is.

use super::{Kind, Message, Misbehaviour, Role};

/// Something to do with a message, whichever it is.
pub(crate) trait Visit {
    type Output;
    fn visit<M: Message>(self, shape: M::Shape) -> Self::Output;
}

/// How long its payload is.
pub(crate) struct PayloadLength;

impl Visit for PayloadLength {
    type Output = usize;
    fn visit<M: Message>(self, shape: M::Shape) -> usize {
        M::length(shape).bytes()
    }
}

/// The kind, and what the payload decodes to, encoded again.
pub(crate) struct DecodeAndEncode<'a>(pub(crate) Role, pub(crate) &'a [u8]);

impl Visit for DecodeAndEncode<'_> {
    type Output = (Kind, Result<Vec<u8>, Misbehaviour>);
    fn visit<M: Message>(self, shape: M::Shape) -> Self::Output {
        (M::KIND, M::decode(shape, self.0, self.1).map(|message| message.encode().to_vec()))
    }
}
