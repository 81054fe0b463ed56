//! The messages: what decodes encodes to the same bytes, and nothing panics.

use super::message::*;
use super::*;
use crate::Block;
use crate::wire::visit::{self, Numbers, Shapes, Visit};
use crate::wire::{Bound, Misbehaviour};

impl Shapes for TwoParty {
    fn visit<V: Visit>(Numbers { kind, log_size, count, more }: Numbers, visitor: V) -> V::Output {
        let (query, strings) = (QueryShape { log_size, queries: count }, StringsShape { count, bytes: more });
        match kind {
            1 => visitor.visit::<Hello>(log_size),
            2 => visitor.visit::<BaseChoices>(()),
            3 => visitor.visit::<PirKeys>(count),
            4 => visitor.visit::<OtColumns>(count),
            5 => visitor.visit::<Queries>(strings),
            6 => visitor.visit::<LevelOperands>(count),
            7 => visitor.visit::<LevelOpening>(count),
            8 => visitor.visit::<Sums>(count),
            9 => visitor.visit::<Shifts>(query),
            10 => visitor.visit::<Answers>(strings),
            _ => visitor.visit::<Updates>(query),
        }
    }
}

#[test]
fn whatever_decodes_encodes_to_the_same_bytes() {
    visit::whatever_decodes_encodes_to_the_same_bytes::<TwoParty>();
}

#[test]
fn another_length_is_refused() {
    visit::another_length_is_refused::<TwoParty>();
}

#[test]
fn lengths_never_overflow() {
    visit::lengths_never_overflow::<TwoParty>();
}

#[test]
fn kinds_are_numbered_from_1_to_11() {
    for number in 0..=u8::MAX {
        let kind = TwoParty::kind(number);
        assert_eq!(kind.is_some(), (1..=11).contains(&number));
        assert_eq!(kind.map_or(number, Kind::number), number);
    }
    assert_eq!(TwoParty::KINDS.len(), 11);
}

/// The base point, in ristretto255's encoding (`[rfc9496, appendix A.1]`).
const BASE_POINT: [u8; 32] = [
    0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f, 0x58,
    0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
];

/// In a hello: contribution, h, point. Points are what RFC 9496 decodes, and not the identity.
#[test]
fn a_hello_has_a_contribution_h_and_a_point() {
    let decode = |log_size: u64, point: [u8; 32]| {
        let payload = [&Block::to_le_bytes(7)[..], &log_size.to_le_bytes(), &point].concat();
        Hello::decode(5, Role::P1, &payload)
    };
    let hello = decode(5, BASE_POINT).unwrap();
    assert_eq!((hello.contribution, hello.log_size, hello.point.encoding()), (7, 5, &BASE_POINT));
    let kind = Hello::KIND;
    let at = Vec::new();
    let size =
        Misbehaviour::Content { from: Role::P1, kind, rule: LOG_SIZE, at, expected: Bound::Is(5), got: 6 };
    assert_eq!(decode(6, BASE_POINT), Err(size));
    let point = Misbehaviour::Invalid { from: Role::P1, kind, rule: POINT, at: Vec::new() };
    for bad in [[0; 32], [0xff; 32], BASE_POINT.map(|byte| byte ^ 0x80)] {
        assert_eq!(decode(5, bad), Err(point.clone()));
    }
    assert_eq!(point.to_string(), format!("'hello' from P1: {POINT}"));
}

#[test]
fn each_of_the_base_choices_is_checked() {
    let mut payload = BASE_POINT.repeat(128);
    assert!(BaseChoices::decode((), Role::P0, &payload).is_ok());
    payload[32 * 77..][..32].fill(0);
    let refused = BaseChoices::decode((), Role::P0, &payload).map(|_| ());
    let error = refused.unwrap_err();
    assert_eq!(error.to_string(), format!("'base choices' from P0: {POINT} (point 77)"));
}

#[test]
fn unused_bits_of_every_column_are_checked() {
    let mut payload = vec![0; 128 * 2];
    assert!(OtColumns::decode(11, Role::P0, &payload).is_ok());
    payload[2 * 99 + 1] = 0b0000_1000;
    let refused = OtColumns::decode(11, Role::P0, &payload).map(|_| ());
    assert_eq!(refused, Err(Misbehaviour::Padding { from: Role::P0, kind: OtColumns::KIND, got: 8 }));
}
