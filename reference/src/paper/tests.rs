//! The messages: what decodes encodes to the same bytes, and nothing panics.

use super::message::*;
use super::*;
use crate::engine::Error;
use crate::engine::queries::check_queries;
use crate::wire::visit::{self, Numbers, Shapes, Visit};
use crate::wire::{Bound, Misbehaviour, Role};

impl Shapes for Paper {
    fn visit<V: Visit>(Numbers { kind, log_size, count, more }: Numbers, visitor: V) -> V::Output {
        let (tree, query) = (TreeShape { log_size, dpfs: count }, QueryShape { log_size, queries: count });
        match kind {
            1 => visitor.visit::<Hello>(log_size),
            2 => visitor.visit::<Blinded>(count),
            3 => visitor.visit::<Blind>(count),
            4 => visitor.visit::<Triples>(tree),
            5 => visitor.visit::<LevelOperands>(count),
            6 => visitor.visit::<LevelOpening>(count),
            7 => visitor.visit::<ConversionOperands>(ConversionShape { dpfs: count, deltas: more }),
            8 => visitor.visit::<ConversionOpening>(count),
            9 => visitor.visit::<HelperKeys>(tree),
            10 => visitor.visit::<Shift>(query),
            11 => visitor.visit::<Unblinding>(count),
            12 => visitor.visit::<Update>(query),
            _ => visitor.visit::<HelperUpdate>(query),
        }
    }
}

#[test]
fn whatever_decodes_encodes_to_the_same_bytes() {
    visit::whatever_decodes_encodes_to_the_same_bytes::<Paper>();
}

#[test]
fn another_length_is_refused() {
    visit::another_length_is_refused::<Paper>();
}

#[test]
fn lengths_never_overflow() {
    visit::lengths_never_overflow::<Paper>();
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
