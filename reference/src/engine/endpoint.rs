//! A party's end of its links: frames around messages, and the one check that a frame is the one that is due.

use zeroize::Zeroizing;

use super::lanes::Lanes;
use super::protocol::{kind_of, lane_of};
use super::{Lane, Parameters, Protocol};
use crate::wire::{Bound, Frame, HEADER_LENGTH, Header, Kind, Message, MessageId, Misbehaviour, Role};

/// The message that is due: who sends it, and what it must look like.
pub(crate) struct Due<M: Message> {
    pub(crate) from: Role,
    /// What the header's field of this name says: see [`Header::round`].
    pub(crate) round: u32,
    pub(crate) shape: M::Shape,
}

/// Who we are, what we speak, and where in the session.
pub(crate) struct Endpoint {
    pub(crate) role: Role,
    pub(crate) parameters: Parameters,
    /// The protocol's.
    pub(crate) version: u8,
    /// The protocol's.
    pub(crate) roles: &'static [Role],
    kinds: &'static [Kind],
    /// Whether the protocol has rows of more than one word.
    pub(crate) rows: bool,
    /// The lane that is at work.
    pub(crate) lane: Lane,
    /// The number of the step under way or, between steps, of the next.
    pub(crate) operations: Lanes<u64>,
}

impl Endpoint {
    pub(crate) fn new<P: Protocol>(role: Role, parameters: Parameters, operations: Lanes<u64>) -> Self {
        let (version, roles, kinds, rows) = (P::VERSION, P::ROLES, P::KINDS, P::ROWS);
        Self { role, parameters, version, roles, kinds, rows, lane: Lane::Making, operations }
    }

    /// The number of the step under way in the lane at work.
    fn operation(&self) -> u64 {
        *self.operations.of(self.lane)
    }

    /// The lane that a frame belongs to, by its kind, if that is one of the protocol.
    pub(crate) fn lane_of(&self, frame: &[u8]) -> Option<Lane> {
        let header = Header::decode(self.role, frame).ok()?;
        kind_of(self.kinds, header.kind).map(lane_of)
    }

    /// A frame around a message.
    pub(crate) fn seal<M: Message>(&self, to: Role, round: u32, message: &M) -> Frame {
        let payload = message.encode();
        let header = Header {
            version: self.version,
            kind: M::KIND.number(),
            from: self.role,
            to,
            round,
            // Every step is checked against MAX_PAYLOAD before it starts.
            length: u32::try_from(payload.len()).unwrap_or(u32::MAX),
            operation: self.operation(),
            session: self.parameters.session(),
        };
        let bytes = Zeroizing::new([&header.encode()[..], &payload].concat());
        Frame { from: self.role, to, bytes }
    }

    /// The message in a frame, if it is the one that is due and valid.
    pub(crate) fn open<M: Message>(&self, due: &Due<M>, from: Role, frame: &[u8]) -> Result<M, Misbehaviour> {
        let (got, payload) = self.unwrap(from, frame)?;
        let Due { from: peer, round, shape } = *due;
        let expected = MessageId { from: peer, kind: M::KIND, operation: self.operation(), round };
        match M::KIND.agreed() {
            _ if got == expected => M::decode(shape, from, payload),
            Some(rule) if (MessageId { round, ..got }) == expected => {
                let (expected, got) = (Bound::Is(round.into()), got.round.into());
                Err(Misbehaviour::Content { from, kind: M::KIND, rule, at: Vec::new(), expected, got })
            }
            _ => Err(Misbehaviour::UnexpectedMessage { expected: Some(expected), got }),
        }
    }

    /// What is wrong with a frame that comes when none is due.
    pub(crate) fn refuse(&self, from: Role, frame: &[u8]) -> Misbehaviour {
        match self.unwrap(from, frame) {
            Ok((got, _)) => Misbehaviour::UnexpectedMessage { expected: None, got },
            Err(error) => error,
        }
    }

    /// What a frame for this party says that it is, and its payload.
    fn unwrap<'a>(&self, from: Role, frame: &'a [u8]) -> Result<(MessageId, &'a [u8]), Misbehaviour> {
        let header = Header::decode(from, frame)?;
        if header.version != self.version {
            let expected = self.version;
            return Err(Misbehaviour::WrongVersion { from, expected, got: header.version });
        }
        let unknown = Misbehaviour::UnknownKind { from, got: header.kind };
        let kind = kind_of(self.kinds, header.kind).ok_or(unknown)?;
        let payload = frame.get(HEADER_LENGTH..).unwrap_or_default();
        let length = usize::try_from(header.length).unwrap_or(usize::MAX);
        let whole = HEADER_LENGTH.saturating_add(length);
        if payload.len() < length {
            return Err(Misbehaviour::Truncated { from, expected: whole, got: frame.len() });
        }
        if payload.len() > length {
            return Err(Misbehaviour::Oversized { from, expected: whole, got: frame.len() });
        }
        let session = self.parameters.session();
        if header.session != session {
            return Err(Misbehaviour::WrongSession { from, expected: session.0, got: header.session.0 });
        }
        if header.from != from {
            return Err(Misbehaviour::WrongSender { expected: from, got: header.from });
        }
        if header.to != self.role {
            return Err(Misbehaviour::WrongReceiver { from, expected: self.role, got: header.to });
        }
        Ok((MessageId { from, kind, operation: header.operation, round: header.round }, payload))
    }
}
