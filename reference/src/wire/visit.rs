//! For tests: something to do with a message, whichever it is, and what holds for those of every protocol.

use proptest::prelude::*;

use super::{Kind, Message, Misbehaviour, Role};
use crate::engine::Protocol;

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

/// The numbers that any shape is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) kind: u8,
    pub(crate) log_size: u32,
    pub(crate) count: usize,
    /// Of what a message has beside.
    pub(crate) more: usize,
}

/// A protocol whose messages can be told by numbers.
pub(crate) trait Shapes: Protocol {
    fn visit<V: Visit>(numbers: Numbers, visitor: V) -> V::Output;
}

fn numbers<P: Shapes>() -> impl Strategy<Value = Numbers> {
    let kinds = 1..=u8::try_from(P::KINDS.len()).unwrap();
    (kinds, 1..=40_u32, 0..20_usize, 0..20_usize).prop_map(|(kind, log_size, count, more)| Numbers {
        kind,
        log_size,
        count,
        more,
    })
}

/// A payload of the right length, and often a valid one: most bytes are zero, and a hello has the right h at its end.
fn payload<P: Shapes>(numbers: Numbers, noise: &[u8]) -> Vec<u8> {
    let length = P::visit(numbers, PayloadLength);
    let mut payload: Vec<u8> = noise.iter().copied().cycle().take(length).collect();
    if let (1, [.., l0, _, _, _, _, _, _, _]) = (numbers.kind, &mut payload[..]) {
        *l0 = u8::try_from(numbers.log_size).unwrap_or(0);
    }
    payload
}

pub(crate) fn whatever_decodes_encodes_to_the_same_bytes<P: Shapes>() {
    let noise = prop_oneof![
        Just(vec![0]),
        prop::collection::vec(any::<u8>(), 1..300),
        (1..300_usize, 0..300_usize, any::<u8>()).prop_map(|(length, at, byte)| {
            let mut bytes = vec![0; length];
            bytes[at % length] = byte;
            bytes
        }),
    ];
    proptest!(|(numbers in numbers::<P>(), role in 0..3_u8, noise in noise)| {
        let payload = payload::<P>(numbers, &noise);
        let (kind, decoded) = P::visit(numbers, DecodeAndEncode(Role::from_number(role).unwrap(), &payload));
        prop_assert_eq!(kind.number(), numbers.kind);
        if let Ok(encoded) = decoded {
            prop_assert_eq!(encoded, payload);
        }
    });
}

pub(crate) fn another_length_is_refused<P: Shapes>() {
    let payload = prop::collection::vec(any::<u8>(), 0..64);
    proptest!(|(numbers in numbers::<P>(), payload in payload)| {
        let expected = P::visit(numbers, PayloadLength);
        prop_assume!(payload.len() != expected);
        let (kind, refused) = P::visit(numbers, DecodeAndEncode(Role::P0, &payload));
        let error = Misbehaviour::WrongLength { from: Role::P0, kind, expected, got: payload.len() };
        prop_assert_eq!(refused, Err(error));
    });
}

pub(crate) fn lengths_never_overflow<P: Shapes>() {
    proptest!(|(numbers in numbers::<P>(), count: usize, more: usize)| {
        P::visit(Numbers { count, more, ..numbers }, PayloadLength);
    });
}
