//! The messages: what decodes encodes to the same bytes, and nothing panics.

use super::message::*;
use super::*;
use crate::Word;
use crate::engine::tree::Correction;
use crate::engine::{Batch, Error, Parameters};
use crate::wire::visit::{self, Numbers, Shapes, Visit};
use crate::wire::{Bound, MAX_PAYLOAD, Misbehaviour, Role, SessionId};

impl Shapes for Lean {
    fn visit<V: Visit>(Numbers { kind, log_size, count, more }: Numbers, visitor: V) -> V::Output {
        // Rows of three words, for all but the deal of words.
        let row_words = 3;
        let batch = BatchShape { log_size, row_words, batch: Batch { reads: count, updates: more } };
        let query = QueryShape { log_size, queries: count };
        match kind {
            1 => visitor.visit::<Hello>(HelloShape { rows: 1 << log_size, row_words }),
            2 => visitor.visit::<message::Alpha>(count),
            3 => visitor.visit::<Beta>(count),
            4 => visitor.visit::<Deal>(batch),
            5 => visitor.visit::<IndexOffset>(batch),
            6 => visitor.visit::<LevelOperands>(count),
            7 => visitor.visit::<LevelOpening>(count),
            8 => visitor.visit::<FlagLayer>(batch),
            9 => visitor.visit::<ValueLayer>(batch),
            10 => visitor.visit::<HelperKeys>(batch),
            11 => visitor.visit::<Difference>(batch),
            12 => visitor.visit::<Shift>(query),
            13 => visitor.visit::<Unblinding>(count),
            14 => visitor.visit::<Update>(UpdateShape { query, row_words }),
            _ => visitor.visit::<Write>(row_words),
        }
    }
}

#[test]
fn whatever_decodes_encodes_to_the_same_bytes() {
    visit::whatever_decodes_encodes_to_the_same_bytes::<Lean>();
}

#[test]
fn another_length_is_refused() {
    visit::another_length_is_refused::<Lean>();
}

#[test]
fn lengths_never_overflow() {
    visit::lengths_never_overflow::<Lean>();
}

#[test]
fn the_sections_of_a_message_are_where_the_table_says() {
    let blocks = |range: std::ops::RangeInclusive<u128>| range.flat_map(u128::to_le_bytes);
    let words = |range: std::ops::RangeInclusive<u64>| range.flat_map(u64::to_le_bytes);
    let deal = Deal {
        products: vec![vec![1], vec![2], vec![3, 4], vec![5, 6]],
        one_hots: vec![7, 8, 9, 10],
        value_one_hots: vec![(11..19).collect(), (20..28).collect()],
        value_shares: vec![vec![19], vec![28]],
    };
    assert_eq!(*deal.encode(), blocks(1..=10).chain(words(11..=28)).collect::<Vec<_>>());

    let opening = Update { log_size: 17, shares: vec![0x01_0203, 4], masked: vec![5, 6] };
    let addresses = [3, 2, 1, 4, 0, 0];
    assert_eq!(*opening.encode(), addresses.into_iter().chain(words(5..=6)).collect::<Vec<_>>());

    let last = Correction { word: 4, left_flag: false, right_flag: true };
    let shape = BatchShape { log_size: 4, row_words: 1, batch: Batch { reads: 1, updates: 1 } };
    let keys = vec![
        LayeredKey::for_test(0, vec![], 1, vec![]),
        LayeredKey::for_test(0, vec![last], 2, (3..=10).collect()),
    ];
    let expected: Vec<u8> = blocks(0..=1)
        .chain(blocks(0..=0))
        .chain(blocks(4..=4))
        .chain(blocks(2..=2))
        .chain(words(3..=10))
        .chain([0b10])
        .collect();
    assert_eq!(*HelperKeys { shape, keys }.encode(), expected);
}

#[test]
fn an_address_takes_as_many_bytes_as_it_has_bits_for() {
    for (log_size, bytes) in [(1, 1), (8, 1), (9, 2), (16, 2), (17, 3), (24, 3), (25, 4), (40, 5)] {
        assert_eq!(address_bytes(log_size), bytes);
    }
}

#[test]
fn an_address_is_below_n() {
    for log_size in [1, 7, 8, 9, 40] {
        let (shape, size) = (QueryShape { log_size, queries: 1 }, 1 << log_size);
        let decode = |share: Word| {
            let bytes = &share.to_le_bytes()[..address_bytes(log_size)];
            Shift::decode(shape, Role::P0, bytes).map(|shift| shift.shares)
        };
        assert_eq!(decode(size - 1), Ok(vec![size - 1]));
        if log_size % 8 != 0 {
            let (kind, at, expected) = (Shift::KIND, vec![("query", 0)], Bound::Below(size));
            let error = Misbehaviour::Content { from: Role::P0, kind, rule: SHIFT, at, expected, got: size };
            assert_eq!(decode(size), Err(error));
        }
    }
}

#[test]
fn kinds_are_numbered_from_1_to_15() {
    for number in 0..=u8::MAX {
        let kind = Lean::kind(number);
        assert_eq!(kind.is_some(), (1..=15).contains(&number));
        assert_eq!(kind.map_or(number, Kind::number), number);
    }
    assert_eq!(Lean::KINDS.len(), 15);
}

#[test]
fn steps_fit_a_payload() {
    let of = |row_words| {
        Parameters::new(SessionId([0; 16]), 9).and_then(|words| words.with_row_words(row_words)).unwrap()
    };
    assert_eq!(read::check_count(&of(1), 0), Err(Error::EmptyStep));
    // The unblinding is what is longest: a word or row for each query.
    for row_words in [1, 3, 512] {
        let max = MAX_PAYLOAD / (8 * row_words);
        assert_eq!(read::check_count(&of(row_words), max), Ok(()));
        let error = Error::BatchTooLarge { max, got: max + 1 };
        assert_eq!(read::check_count(&of(row_words), max + 1), Err(error));
        let max = MAX_PAYLOAD / (2 + 8 * row_words);
        assert_eq!(update::check_count(&of(row_words), max), Ok(()));
        let error = Error::BatchTooLarge { max, got: max + 1 };
        assert_eq!(update::check_count(&of(row_words), max + 1), Err(error));
        assert!(update::check_count(&of(row_words), usize::MAX).is_err());
    }
}

/// The longest message of a batch is the deal; what is refused says how many items of the same mixture would fit.
#[test]
fn the_largest_batch_is_the_largest_that_fits() {
    for (log_size, row_words) in (1..=40).flat_map(|h| [(h, 1), (h, 3), (h, 256)]) {
        let parameters = Parameters::new(SessionId([0; 16]), log_size).unwrap();
        let parameters = parameters.with_row_words(row_words).unwrap();
        let check = |reads, updates| preprocessing::check_batch(Batch { reads, updates }, &parameters);
        let longest = |batch| {
            let shape = BatchShape { log_size, row_words, batch };
            let deal = Deal::length(shape).bytes();
            let others = [HelperKeys::length(shape), FlagLayer::length(shape), ValueLayer::length(shape)];
            assert!(others.into_iter().all(|other| other.bytes() <= deal));
            deal
        };
        assert_eq!(check(0, 0), Err(Error::EmptyStep));
        for (reads, updates) in [(1, 0), (0, 1)] {
            let max = MAX_PAYLOAD / longest(Batch { reads, updates });
            assert_eq!(check(max * reads, max * updates), Ok(()));
            let error = Error::BatchTooLarge { max, got: max + 1 };
            assert_eq!(check((max + 1) * reads, (max + 1) * updates), Err(error));
        }
        assert!(matches!(check(usize::MAX, usize::MAX), Err(Error::BatchTooLarge { .. })));
    }
}
