//! Decoding of arbitrary bytes: never a panic; refused exactly when invalid; what is accepted encodes to the same bytes,
//! by the reference's code and by the specification's.

mod lean;
mod paper;
mod two_party;

use arbitrary::Arbitrary;
use duoram_reference::message::LevelOperand;
use duoram_reference::{Block, HEADER_LENGTH, Header, MAX_PAYLOAD, Message, Misbehaviour, Protocol, Role};
use duoram_spec::paper::payload;

use crate::payloads::{Shape, header, length, valid};

/// A protocol whose messages are decoded.
pub trait Wired: Protocol {
    /// What its messages look like.
    type Shape: Shape;

    /// What is due.
    fn shape(due: Due) -> Self::Shape;

    /// The length of a payload, by the reference.
    fn payload_length(shape: Self::Shape) -> usize;

    /// Decodes as what is due.
    fn decode(payload: &Payload<'_, Self::Shape>);
}

/// Bytes from a peer.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// The first bytes of a frame.
    Header(Role3, Vec<u8>),
    /// A header whose fields are all there.
    Fields {
        /// The link it comes from.
        link: Role3,
        /// The kind, sender, receiver and reserved byte.
        bytes: [u8; 4],
        /// Level or chunk.
        round: u32,
        /// Of the payload.
        length: u32,
        /// Step.
        operation: u64,
        /// Session.
        session: u128,
    },
    /// A payload that should have a shape.
    Payload {
        /// The sender.
        from: Role3,
        /// What is due.
        due: Due,
        /// How many bytes are missing (negative) or too many.
        misfit: i8,
        /// The payload, over and over.
        bytes: Vec<u8>,
    },
}

/// A party.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Role3 {
    P0,
    P1,
    P2,
}

impl From<Role3> for Role {
    fn from(role: Role3) -> Self {
        Role::ALL[role as usize]
    }
}

/// A kind of message and the numbers of its shape.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// From 1, by the remainder.
    pub kind: u8,
    /// Up to 40.
    pub log_size: u8,
    /// Words, DPFs, items (of READs, in the lean protocol), OTs or queries, up to 20.
    pub count: u8,
    /// Pairs of deltas, UPDATE items of the lean protocol, or bytes of what two parties' PIR makes, up to 4.
    pub deltas: u8,
}

impl Due {
    /// h.
    fn log_size(self) -> u32 {
        1 + u32::from(self.log_size % 40)
    }
}

/// Decodes one input as a protocol's.
pub fn check<P: Wired>(input: &Input) {
    match input {
        Input::Header(link, bytes) => decode_header::<P>((*link).into(), bytes),
        Input::Fields { link, bytes, round, length, operation, session } => {
            let [kind, from, to, reserved] = *bytes;
            let bytes = [
                &[0x44, 0x55, 0x4f, P::VERSION, kind, from, to, reserved][..],
                &round.to_le_bytes(),
                &length.to_le_bytes(),
                &operation.to_le_bytes(),
                &session.to_le_bytes(),
            ]
            .concat();
            decode_header::<P>((*link).into(), &bytes);
        }
        Input::Payload { from, due, misfit, bytes } => {
            let (from, shape) = ((*from).into(), P::shape(*due));
            let fitting = length(shape, from);
            assert_eq!(P::payload_length(shape), fitting, "{shape:?}");
            let zeros: &[u8] = &[0];
            let repeated = if bytes.is_empty() { zeros } else { bytes }.iter().copied().cycle();
            let payload: Vec<u8> =
                repeated.take(fitting.saturating_add_signed(isize::from(*misfit))).collect();
            P::decode(&Payload { shape, from, bytes: &payload });
        }
    }
}

fn decode_header<P: Wired>(link: Role, bytes: &[u8]) {
    let decoded = Header::decode(link, bytes);
    let Some((first, _)) = bytes.split_first_chunk::<HEADER_LENGTH>() else {
        let expected = Misbehaviour::Truncated { from: link, expected: HEADER_LENGTH, got: bytes.len() };
        assert_eq!(decoded, Err(expected));
        return;
    };
    let number = |at: usize| u32::from_le_bytes(first[at..at + 4].try_into().expect("four bytes"));
    // The version and the kind are the protocol's, which the header's reader does not know: a party refuses others.
    let known = first[..3] == *b"DUO"
        && first[5] < 3
        && first[6] < 3
        && first[7] == 0
        && number(12) as usize <= MAX_PAYLOAD;
    match decoded {
        Ok(decoded) => {
            assert!(known, "should have been refused: {decoded:?}");
            assert_eq!(decoded.encode(), *first);
            let session = decoded.session.0;
            let links = [decoded.from, decoded.to];
            let length = decoded.length as usize;
            let written =
                header::<P::Shape>(decoded.kind, links, decoded.round, length, decoded.operation, session);
            assert_eq!(written[4..], first[4..]);
            assert_eq!(decoded.version, first[3]);
            let ours = (written[..4] == first[..4], (1..=P::Shape::KINDS).contains(&first[4]));
            let kind = P::kind(decoded.kind);
            assert_eq!((decoded.version == P::VERSION, kind.is_some()), ours, "{decoded:?}");
            assert!(kind.is_none_or(|kind| kind.number() == first[4]), "{kind:?}");
        }
        Err(error) => assert!(!known && !error.to_string().is_empty(), "{error}"),
    }
}

/// A payload, and what it should be.
pub struct Payload<'a, S> {
    shape: S,
    from: Role,
    bytes: &'a [u8],
}

impl<S: Shape> Payload<'_, S> {
    /// Decodes it as a message; `specified` is its payload by the specification's code where that has some for the content.
    fn decode<M: Message>(&self, numbers: M::Shape, specified: impl FnOnce(&M) -> Vec<u8>) {
        let Self { shape, from, bytes: payload } = *self;
        let valid = valid(shape, from, payload);
        match M::decode(numbers, from, payload) {
            Ok(message) => {
                assert!(valid, "should have been refused: {shape:?}");
                assert_eq!(M::KIND.number(), shape.kind());
                assert_eq!(*message.encode(), payload, "the reference encodes it otherwise");
                assert_eq!(specified(&message), payload, "the specification encodes it otherwise");
            }
            Err(error) => {
                assert!(
                    !valid && !error.to_string().is_empty(),
                    "{shape:?} should have been accepted: {error}"
                );
            }
        }
    }
}

fn specified_operands(operands: &[LevelOperand]) -> Vec<u8> {
    let blocks: Vec<Block> = operands.iter().map(|operand| operand.masked_word).collect();
    let bits: Vec<bool> = operands
        .iter()
        .flat_map(|operand| [operand.masked_bit, operand.left_flag, operand.right_flag])
        .collect();
    [payload::blocks_bytes(&blocks), payload::packed_bits(&bits)].concat()
}
