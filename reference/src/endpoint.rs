//! A party's end of its links: frames around messages, and the one check that a frame is the one that is due.

use zeroize::Zeroizing;

use crate::error::MessageId;
use crate::frame::{Frame, HEADER_LENGTH, Header};
use crate::message::{Message, Shape};
use crate::{Error, Parameters, Role};

/// The message that is due.
pub(crate) struct Expected {
    pub(crate) from: Role,
    pub(crate) round: u32,
    pub(crate) shape: Shape,
}

/// Who we are, and where in the session.
pub(crate) struct Endpoint {
    pub(crate) role: Role,
    pub(crate) parameters: Parameters,
    /// The number of the step under way or, between steps, of the next.
    pub(crate) operation: u64,
}

impl Endpoint {
    pub(crate) fn new(role: Role, parameters: Parameters) -> Self {
        Self { role, parameters, operation: 0 }
    }

    /// A frame around a message.
    pub(crate) fn seal(&self, to: Role, round: u32, message: &Message) -> Frame {
        let payload = message.encode();
        let header = Header {
            kind: message.kind(),
            from: self.role,
            to,
            round,
            // Every step is checked against MAX_PAYLOAD before it starts.
            length: u32::try_from(payload.len()).unwrap_or(u32::MAX),
            operation: self.operation,
            session: self.parameters.session(),
        };
        let bytes = Zeroizing::new([&header.encode()[..], &payload].concat());
        Frame { from: self.role, to, bytes }
    }

    /// The message in a frame, if it is the one that is due and valid.
    pub(crate) fn open(
        &self,
        expected: Option<&Expected>,
        from: Role,
        frame: &[u8],
    ) -> Result<Message, Error> {
        let header = Header::decode(from, frame)?;
        let payload = frame.get(HEADER_LENGTH..).unwrap_or_default();
        let length = usize::try_from(header.length).unwrap_or(usize::MAX);
        let whole = HEADER_LENGTH.saturating_add(length);
        if payload.len() < length {
            return Err(Error::Truncated { from, expected: whole, got: frame.len() });
        }
        if payload.len() > length {
            return Err(Error::Oversized { from, expected: whole, got: frame.len() });
        }
        let session = self.parameters.session();
        if header.session != session {
            return Err(Error::WrongSession { from, expected: session.0, got: header.session.0 });
        }
        if header.from != from {
            return Err(Error::WrongSender { expected: from, got: header.from });
        }
        if header.to != self.role {
            return Err(Error::WrongReceiver { from, expected: self.role, got: header.to });
        }
        let got = MessageId { from, kind: header.kind, operation: header.operation, round: header.round };
        match expected {
            Some(expected) if self.name(expected) == got => Message::decode(expected.shape, from, payload),
            _ => {
                Err(Error::UnexpectedMessage { expected: expected.map(|expected| self.name(expected)), got })
            }
        }
    }

    fn name(&self, expected: &Expected) -> MessageId {
        let Expected { from, round, shape } = expected;
        MessageId { from: *from, kind: shape.kind(), operation: self.operation, round: *round }
    }
}
