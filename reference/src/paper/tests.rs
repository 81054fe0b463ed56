//! The messages: what decodes encodes to the same bytes, and nothing panics.

use proptest::prelude::*;

use super::message::*;
use super::*;
use crate::engine::Error;
use crate::engine::queries::check_queries;
use crate::wire::visit::{DecodeAndEncode, PayloadLength, Visit};
use crate::wire::{Bound, Misbehaviour, Role};

/// The numbers that any shape is made of.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    kind: u8,
    log_size: u32,
    count: usize,
    deltas: usize,
}

impl Numbers {
    fn visit<V: Visit>(self, visitor: V) -> V::Output {
        let Self { kind, log_size, count, deltas } = self;
        let (tree, query) = (TreeShape { log_size, dpfs: count }, QueryShape { log_size, queries: count });
        match kind {
            1 => visitor.visit::<Hello>(log_size),
            2 => visitor.visit::<Blinded>(count),
            3 => visitor.visit::<Blind>(count),
            4 => visitor.visit::<Triples>(tree),
            5 => visitor.visit::<LevelOperands>(count),
            6 => visitor.visit::<LevelOpening>(count),
            7 => visitor.visit::<ConversionOperands>(ConversionShape { dpfs: count, deltas }),
            8 => visitor.visit::<ConversionOpening>(count),
            9 => visitor.visit::<HelperKeys>(tree),
            10 => visitor.visit::<Shift>(query),
            11 => visitor.visit::<Unblinding>(count),
            12 => visitor.visit::<Update>(query),
            _ => visitor.visit::<HelperUpdate>(query),
        }
    }
}

fn numbers() -> impl Strategy<Value = Numbers> {
    (1..=13_u8, 1..=40_u32, 0..20_usize, 0..20_usize).prop_map(|(kind, log_size, count, deltas)| Numbers {
        kind,
        log_size,
        count,
        deltas,
    })
}

/// A payload of the right length, and often a valid one: most bytes are zero.
fn payload(numbers: Numbers, noise: &[u8]) -> Vec<u8> {
    let length = numbers.visit(PayloadLength);
    let mut payload: Vec<u8> = noise.iter().copied().cycle().take(length).collect();
    if let (1, [.., l0, _, _, _, _, _, _, _]) = (numbers.kind, &mut payload[..]) {
        *l0 = u8::try_from(numbers.log_size).unwrap_or(0);
    }
    payload
}

proptest! {
    #[test]
    fn whatever_decodes_encodes_to_the_same_bytes(
        numbers in numbers(), role in 0..3_u8, noise in prop_oneof![
            Just(vec![0]),
            prop::collection::vec(any::<u8>(), 1..300),
            (1..300_usize, 0..300_usize, any::<u8>()).prop_map(|(length, at, byte)| {
                let mut bytes = vec![0; length];
                bytes[at % length] = byte;
                bytes
            }),
        ],
    ) {
        let from = Role::from_number(role).unwrap();
        let payload = payload(numbers, &noise);
        let (kind, decoded) = numbers.visit(DecodeAndEncode(from, &payload));
        prop_assert_eq!(kind.number(), numbers.kind);
        if let Ok(encoded) = decoded {
            prop_assert_eq!(encoded, payload);
        }
    }

    #[test]
    fn another_length_is_refused(numbers in numbers(), payload in prop::collection::vec(any::<u8>(), 0..64)) {
        let expected = numbers.visit(PayloadLength);
        prop_assume!(payload.len() != expected);
        let (kind, refused) = numbers.visit(DecodeAndEncode(Role::P0, &payload));
        let error = Misbehaviour::WrongLength { from: Role::P0, kind, expected, got: payload.len() };
        prop_assert_eq!(refused, Err(error));
    }

    #[test]
    fn lengths_never_overflow(numbers in numbers(), count: usize, deltas: usize) {
        Numbers { count, deltas, ..numbers }.visit(PayloadLength);
    }
}

#[test]
fn the_sections_of_a_message_are_where_the_table_says() {
    let and = |x, y, z| AndTriple { x, y, z };
    let triples = Triples {
        and: vec![and(true, 1, 2), and(false, 3, 4), and(true, 5, 6)],
        products: vec![ProductTriple { x: 7, y: 8, z: 9 }],
    };
    let bytes = triples.encode();
    let blocks: Vec<u8> = (1..=6_u128).flat_map(u128::to_le_bytes).collect();
    let words: Vec<u8> = (7..=9_u64).flat_map(u64::to_le_bytes).collect();
    assert_eq!(*bytes, [blocks, vec![0b101], words].concat());

    let operand = LevelOperand { masked_bit: true, masked_word: 1, left_flag: false, right_flag: true };
    let bytes = LevelOperands(vec![operand, LevelOperand { masked_word: 2, ..operand }]).encode();
    let blocks: Vec<u8> = (1..=2_u128).flat_map(u128::to_le_bytes).collect();
    assert_eq!(*bytes, [blocks, vec![0b10_1101]].concat());
}

#[test]
fn lowest_bits_of_helper_keys_are_checked() {
    let shape = TreeShape { log_size: 1, dpfs: 1 };
    let decode = |from, root: u8, word: u8| {
        let mut payload = vec![0; HelperKeys::length(shape).bytes()];
        payload[0] = root;
        payload[16] = word;
        HelperKeys::decode(shape, from, &payload).err()
    };
    let kind = HelperKeys::KIND;
    let content = |rule, at: &[_], expected, got| {
        let (at, expected) = (at.to_vec(), Bound::Is(expected));
        Some(Misbehaviour::Content { from: Role::P1, kind, rule, at, expected, got })
    };
    assert_eq!(decode(Role::P1, 1, 2), None);
    assert_eq!(decode(Role::P1, 0, 2), content(ROOT_BIT, &[("key", 0)], 1, 0));
    assert_eq!(decode(Role::P1, 1, 1), content(CORRECTION_BIT, &[("key", 0), ("level", 0)], 0, 1));
    assert_eq!(decode(Role::P0, 0, 0), None);
}

#[test]
fn kinds_are_numbered_from_1_to_13() {
    for number in 0..=u8::MAX {
        let kind = Paper::kind(number);
        assert_eq!(kind.is_some(), (1..=13).contains(&number));
        assert_eq!(kind.map_or(number, Kind::number), number);
    }
    assert_eq!(Paper::KINDS.len(), 13);
}

#[test]
fn steps_fit_a_payload() {
    assert_eq!(check_queries::<Shift>(5, 0), Err(Error::EmptyStep));
    assert_eq!(check_queries::<Shift>(5, 1 << 23), Ok(()));
    let error = Error::BatchTooLarge { max: 1 << 23, got: (1 << 23) + 1 };
    assert_eq!(check_queries::<Shift>(5, (1 << 23) + 1), Err(error));
    assert_eq!(check_queries::<Update>(5, 1 << 21), Ok(()));
    assert!(check_queries::<Update>(5, usize::MAX).is_err());
}
