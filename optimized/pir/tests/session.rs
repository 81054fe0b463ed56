//! Through the public interface: what a session does, and what it refuses.
#![allow(clippy::cast_possible_truncation)] // positions in vectors

use std::sync::Arc;

use duoram_pir::{Backend, Refused, Spiral, Table, Workers};
use duoram_reference::two_party::{Pir, PlainPir};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// As the parties use it: word for word what the reference makes of the table.
#[test]
fn tables_are_those_of_the_reference() {
    fn read<P: Pir>(pir: &P, log_size: u32, index: u64, table: Table<'_>) -> u64 {
        let (client, setup) = pir.client(log_size, &[8; 32]);
        assert_eq!(setup.len(), pir.setup_length(log_size));
        let server = pir.server(log_size, &setup).map_err(|_| "refused").unwrap();
        let query = pir.query(&client, index, 0);
        pir.check_query(log_size, &query).unwrap();
        let answer = pir.answer(&server, &query, table);
        assert_eq!(answer.len(), pir.answer_length(log_size));
        pir.check_answer(log_size, &answer).unwrap();
        pir.decode(&client, index, &answer)
    }

    let log_size = 10;
    let mut stream = ChaCha20Rng::from_seed([8; 32]);
    let memory: Vec<u64> = (0..1 << log_size).map(|_| stream.next_u64()).collect();
    let keys: Vec<_> = (0..log_size).map(|_| [0; 2].map(|_: u64| stream.next_u64().into())).collect();
    let table = Table { memory: &memory, turn: 1000, blind: stream.next_u64(), keys: &keys };
    for backend in Backend::available() {
        let spiral = Spiral::new(backend, Arc::new(Workers::one()));
        assert!(spiral.words(table) == *table.words(), "{}", backend.name());
        for index in [0, 23, 24, 511, 1023] {
            assert_eq!(read(&spiral, log_size, index, table), read(&PlainPir, log_size, index, table));
        }
    }
}

/// The masks of word `index` by a client, which has one key a level: those of a table of zeros at one place.
fn mask(spiral: &Spiral, keys: &[[u128; 2]], index: usize) -> u64 {
    let zeros = vec![0; 1 << keys.len()];
    let table = Table { memory: &zeros, turn: 0, blind: 0, keys };
    spiral.words(table)[index]
}

#[test]
fn random_queries_of_small_tables_are_answered_by_every_backend() {
    let mut stream = ChaCha20Rng::from_seed([1; 32]);
    for backend in Backend::available() {
        let spiral = Spiral::new(backend, Arc::new(Workers::new(2).unwrap()));
        for log_size in [1, 4, 8, 11, 13] {
            let (client, setup) = spiral.client(log_size, &[2; 32]);
            assert_eq!(setup.len(), spiral.setup_length(log_size));
            let server = spiral.server(log_size, &setup).unwrap();
            for number in 0..4 {
                let n = 1 << log_size;
                let memory: Vec<u64> = (0..n).map(|_| stream.next_u64()).collect();
                let keys: Vec<_> = (0..log_size)
                    .map(|_| {
                        [0, 1].map(|_| u128::from(stream.next_u64()) << 64 | u128::from(stream.next_u64()))
                    })
                    .collect();
                let (turn, blind) = (stream.next_u64(), stream.next_u64());
                let table = Table { memory: &memory, turn, blind, keys: &keys };
                let index = stream.next_u64() % n;

                let query = spiral.query(&client, index, number);
                assert_eq!(query.len(), spiral.query_length(log_size));
                assert_eq!(spiral.check_query(&query), Ok(()));
                let answer = spiral.answer(&server, &query, table).unwrap();
                assert_eq!(answer.len(), spiral.answer_length(log_size));
                let masked = spiral.decode(&client, index, &answer);
                let word = masked.wrapping_sub(mask(&spiral, &keys, index as usize)).wrapping_sub(blind);
                assert_eq!(word, memory[((index.wrapping_add(turn)) % n) as usize]);
            }
        }
    }
}

#[test]
fn all_bytes_follow_from_the_seed_and_are_the_same_for_every_backend() {
    let log_size = 9;
    let memory: Vec<u64> = (0..1 << log_size).map(|x| u64::wrapping_mul(x, 0x0123_4567_89ab_cdef)).collect();
    let keys: Vec<_> = (0..log_size).map(|level| [level.into(), u128::MAX - u128::from(level)]).collect();
    let table = Table { memory: &memory, turn: 77, blind: 5, keys: &keys };
    let runs: Vec<_> = Backend::available()
        .into_iter()
        .map(|backend| {
            let spiral = Spiral::new(backend, Arc::new(Workers::one()));
            let (client, setup) = spiral.client(log_size, &[3; 32]);
            let query = spiral.query(&client, 300, 1);
            let answer = spiral.answer(&spiral.server(log_size, &setup).unwrap(), &query, table).unwrap();
            (setup, query, answer)
        })
        .collect();
    assert!(runs.windows(2).all(|pair| pair[0] == pair[1]));

    let spiral = Spiral::new(Backend::best(), Arc::new(Workers::one()));
    let (client, setup) = spiral.client(log_size, &[3; 32]);
    assert!(setup == runs[0].0, "the same seed, the same client");
    assert_ne!(spiral.query(&client, 300, 2), runs[0].1, "another number, other noise");
    assert_ne!(spiral.client(log_size, &[4; 32]).1, setup, "another seed, another client");
}

#[test]
fn queries_have_no_byte_in_common_that_tells_the_index() {
    // Under one number, queries differ by the difference of what they ask for: the seed and the first halves agree. Under
    // two, nothing does.
    let spiral = Spiral::new(Backend::best(), Arc::new(Workers::one()));
    let (client, _) = spiral.client(12, &[5; 32]);
    let [a, b] = [0, 1].map(|number| spiral.query(&client, 9, number));
    let equal = a.iter().zip(&b).filter(|(a, b)| a == b).count();
    assert!(equal < a.len() / 256 * 2, "{equal} of {} bytes", a.len());
}

#[test]
fn messages_of_a_wrong_length_are_refused() {
    let spiral = Spiral::new(Backend::best(), Arc::new(Workers::one()));
    let (client, setup) = spiral.client(8, &[6; 32]);
    let query = spiral.query(&client, 0, 0);
    for (expected, got) in
        [(query.len(), 0), (query.len(), 31), (query.len(), query.len() - 1), (query.len(), query.len() + 7)]
    {
        assert_eq!(spiral.check_query(&vec![0; got]), Err(Refused::Length { expected, got }));
    }
    let refused = spiral.server(8, &setup[1..]).err();
    assert_eq!(refused, Some(Refused::Length { expected: setup.len(), got: setup.len() - 1 }));
    let answer = vec![0; spiral.answer_length(8) - 1];
    let refused = Refused::Length { expected: answer.len() + 1, got: answer.len() };
    assert_eq!(spiral.check_answer(&answer), Err(refused));
}

#[test]
fn numbers_that_are_not_below_their_modulus_are_refused() {
    let spiral = Spiral::new(Backend::best(), Arc::new(Workers::one()));
    let (client, mut setup) = spiral.client(8, &[6; 32]);
    let mut query = spiral.query(&client, 0, 0);
    // Pair 2 of the second half: its residues are numbers 4 and 5. First 268,369,921 in the low 28 bits, then 249,561,089 above.
    for (pair, index) in [(268_369_921_u64, 4), (249_561_089 << 28, 5), ((1 << 56) - 1, 4)] {
        query[32 + 14..32 + 21].copy_from_slice(&pair.to_le_bytes()[..7]);
        assert_eq!(spiral.check_query(&query), Err(Refused::NotReduced { index }));
    }
    query[32 + 14..32 + 21].copy_from_slice(&(268_369_920_u64 + (249_561_088 << 28)).to_le_bytes()[..7]);
    assert_eq!(spiral.check_query(&query), Ok(()));
    let end = setup.len();
    setup[end - 7..].fill(0xff);
    assert!(matches!(spiral.server(8, &setup).err(), Some(Refused::NotReduced { .. })));
    // 17 bits hold more than the first modulus of an answer.
    let answer = vec![0xff; spiral.answer_length(8)];
    assert_eq!(spiral.check_answer(&answer), Err(Refused::NotReduced { index: 0 }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever comes, nothing panics: a message of the right length whose numbers are reduced is answered, if not usefully.
    #[test]
    fn hostile_bytes_do_not_panic(seed: [u8; 32], length in 0_usize..40_000, spoil: bool) {
        let spiral = Spiral::new(Backend::best(), Arc::new(Workers::one()));
        let mut stream = ChaCha20Rng::from_seed(seed);
        let mut bytes = vec![0; length];
        stream.fill_bytes(&mut bytes);
        prop_assert!(spiral.check_query(&bytes).is_err());
        prop_assert!(spiral.server(1, &bytes).is_err());

        let mut query = vec![0; spiral.query_length(1)];
        stream.fill_bytes(&mut query);
        if !spoil {
            // Both residues below 2^27.
            for pair in query[32..].chunks_mut(7) {
                pair[3] &= 0xf7;
                pair[6] &= 0x7f;
            }
        }
        let (client, setup) = spiral.client(1, &[6; 32]);
        let server = spiral.server(1, &setup).unwrap();
        let table = Table { memory: &[1, 2], turn: 0, blind: 0, keys: &[[3, 4]] };
        let answer = spiral.answer(&server, &query, table);
        prop_assert_eq!(answer.is_ok(), spiral.check_query(&query).is_ok());
        prop_assert_eq!(answer.is_ok(), !spoil);
        if let Ok(mut answer) = answer {
            prop_assert_eq!(spiral.check_answer(&answer), Ok(()));
            stream.fill_bytes(&mut answer);
            spiral.decode(&client, 1, &answer);
            spiral.decode(&client, 1, &bytes);
        }
    }
}
