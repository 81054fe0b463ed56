//! The wire format: what decodes encodes to the same bytes, and nothing panics.

use proptest::prelude::*;

use super::*;

fn shapes() -> impl Strategy<Value = Shape> {
    let (log_size, count) = (1..=40_u32, 0..20_usize);
    (1..=13_u8, log_size, count.clone(), count).prop_map(|(kind, log_size, count, deltas)| match kind {
        1 => Shape::Hello { log_size },
        2 => Shape::Blinded { words: count },
        3 => Shape::Blind { words: count },
        4 => Shape::Triples { log_size, dpfs: count },
        5 => Shape::LevelOperands { dpfs: count },
        6 => Shape::LevelOpening { dpfs: count },
        7 => Shape::ConversionOperands { dpfs: count, deltas },
        8 => Shape::ConversionOpening { dpfs: count },
        9 => Shape::HelperKeys { log_size, items: count },
        10 => Shape::Shift { log_size, queries: count },
        11 => Shape::Unblinding { queries: count },
        12 => Shape::Update { log_size, queries: count },
        _ => Shape::HelperUpdate { log_size, queries: count },
    })
}

/// A payload of the right length, and often a valid one: most bytes are zero.
fn payload(shape: Shape, noise: &[u8]) -> Vec<u8> {
    let mut payload: Vec<u8> = noise.iter().copied().cycle().take(shape.payload_length()).collect();
    if let (Shape::Hello { log_size }, [.., l0, _, _, _, _, _, _, _]) = (shape, &mut payload[..]) {
        *l0 = u8::try_from(log_size).unwrap_or(0);
    }
    payload
}

proptest! {
    #[test]
    fn whatever_decodes_encodes_to_the_same_bytes(
        shape in shapes(), role in 0..3_u8, noise in prop_oneof![
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
        let payload = payload(shape, &noise);
        if let Ok(message) = Message::decode(shape, from, &payload) {
            prop_assert_eq!(message.kind(), shape.kind());
            prop_assert_eq!(&*message.encode(), &payload);
        }
    }

    #[test]
    fn another_length_is_refused(shape in shapes(), payload in prop::collection::vec(any::<u8>(), 0..64)) {
        let (kind, expected) = (shape.kind(), shape.payload_length());
        prop_assume!(payload.len() != expected);
        let refused = Message::decode(shape, Role::P0, &payload).err();
        prop_assert_eq!(refused, Some(Error::WrongLength { from: Role::P0, kind, expected, got: payload.len() }));
    }

    #[test]
    fn lengths_never_overflow(shape in shapes(), count: usize) {
        let shape = match shape {
            Shape::Triples { log_size, .. } => Shape::Triples { log_size, dpfs: count },
            Shape::HelperKeys { log_size, .. } => Shape::HelperKeys { log_size, items: count },
            Shape::ConversionOperands { deltas, .. } => Shape::ConversionOperands { dpfs: count, deltas },
            shape => shape,
        };
        let _ = shape.payload_length();
    }
}

#[test]
fn the_sections_of_a_message_are_where_the_table_says() {
    let and = |x, y, z| AndTriple { x, y, z };
    let triples = Triples {
        and: vec![and(true, 1, 2), and(false, 3, 4), and(true, 5, 6)],
        products: vec![ProductTriple { x: 7, y: 8, z: 9 }],
    };
    let bytes = Message::Triples(triples).encode();
    let blocks: Vec<u8> = (1..=6_u128).flat_map(u128::to_le_bytes).collect();
    let words: Vec<u8> = (7..=9_u64).flat_map(u64::to_le_bytes).collect();
    assert_eq!(*bytes, [blocks, vec![0b101], words].concat());

    let operand = LevelOperand { x: true, y: 1, left_flag: false, right_flag: true };
    let bytes = Message::LevelOperands(vec![operand, LevelOperand { y: 2, ..operand }]).encode();
    let blocks: Vec<u8> = (1..=2_u128).flat_map(u128::to_le_bytes).collect();
    assert_eq!(*bytes, [blocks, vec![0b10_1101]].concat());
}

#[test]
fn lowest_bits_of_helper_keys_are_checked() {
    let shape = Shape::HelperKeys { log_size: 1, items: 1 };
    let decode = |from, root: u8, word: u8| {
        let mut payload = vec![0; shape.payload_length()];
        payload[0] = root;
        payload[16] = word;
        Message::decode(shape, from, &payload).err()
    };
    let from = Role::P1;
    assert_eq!(decode(from, 1, 2), None);
    assert_eq!(decode(from, 0, 2), Some(Error::InconsistentRoot { from, item: 0, expected: 1, got: 0 }));
    assert_eq!(decode(from, 1, 1), Some(Error::InconsistentCorrection { from, dpf: 0, level: 0 }));
    assert_eq!(decode(Role::P0, 0, 0), None);
}
