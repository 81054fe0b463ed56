//! The lean parties against the specification: on equal randomness every message, result and state is equal, over random
//! sequences of operations and all sizes up to 2^12.
#![allow(missing_docs)]

use crate::common::Masks;
use crate::common::lean::{place_in_spec, zip};
use duoram_reference::lean::Plain;
use duoram_reference::lean::local::LocalSession;
use duoram_reference::local::Delivery;
use duoram_reference::{Batch, Header, Parameters, SessionId, Word};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::lemmas::states_agree;
use duoram_spec::lean::memory::{State, State0, State1, State2};
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::{hello, pair_seed};
use duoram_spec::lean::session::{self, Sent, Session, Step, Streams};
use duoram_spec::lean::tape::PairStreams;
use duoram_vectors::randomness::numbered_stream;
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The parties and the specification, side by side.
struct Pair {
    parties: LocalSession,
    spec: Option<Session<XorWord, AesPrg>>,
    masks: Masks,
    /// m
    words: u64,
    messages: usize,
}

/// A message of either side, with its place among those of its kind: a level, a chunk, or 0.
#[derive(PartialEq, Eq, Debug)]
struct Placed {
    kind: u8,
    from: u8,
    to: u8,
    operation: u64,
    place: u32,
    payload: Vec<u8>,
}

fn delivered(delivery: &Delivery) -> Placed {
    let frame = &delivery.frame;
    let header = Header::decode(frame.from, &frame.bytes).unwrap();
    Placed {
        kind: header.kind,
        from: header.from.number(),
        to: header.to.number(),
        operation: header.operation,
        place: crate::common::lean::place(&header),
        payload: frame.bytes[duoram_reference::HEADER_LENGTH..].to_vec(),
    }
}

fn specified(sent: Sent) -> Placed {
    let Sent { kind, from, to, operation, round, payload } = sent;
    Placed { kind, from, to, operation, place: place_in_spec(kind, round), payload }
}

/// The messages of one link, in order.
fn link(messages: &[Placed], from: u8, to: u8) -> Vec<&Placed> {
    messages.iter().filter(|m| (m.from, m.to) == (from, to)).collect()
}

fn ring(words: &[Word]) -> Vec<XorWord> {
    words.iter().map(|&bits| XorWord { bits }).collect()
}

fn queries(updates: &[Vec<(Word, Word)>; 2]) -> Vec<(Query<XorWord>, Query<XorWord>)> {
    let query = |&(address, value): &(Word, Word)| Query { address, value: XorWord { bits: value } };
    updates[0].iter().map(query).zip(updates[1].iter().map(query)).collect()
}

impl Pair {
    /// Of a memory with a word at each address, for so many items.
    fn new(log_size: u32, seed: u64, items: u64) -> Self {
        Self::of(log_size, 1 << log_size, seed, items)
    }

    /// Of a memory with so many words.
    fn of(log_size: u32, rows: usize, seed: u64, items: u64) -> Self {
        let mut masks = Masks::new(seed);
        let seeds = [0, 1, 2].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        let room = 20 + 10 * usize::try_from(items).unwrap();
        let tapes = seeds.map(|seed| {
            let mut rng = ChaCha20Rng::from_seed(seed);
            (0..room).map(|_| rng.next_u64()).collect::<Vec<_>>()
        });
        let parameters =
            Parameters::new(SessionId(*b"against the spec"), log_size).unwrap().with_rows(rows).unwrap();
        let mut parties = LocalSession::new(parameters, seeds, Plain);
        parties.record();
        parties.connect().unwrap();

        let height = log_size as usize;
        let streams = |one: usize, other: usize| {
            // `second`: whether the other party is the later one of the two that a party says hello to.
            let seconds = (other == 2, one == 1 && other == 2);
            let seed =
                pair_seed(&hello(&tapes[one], rows, seconds.0), &hello(&tapes[other], rows, seconds.1));
            let bytes: Vec<u8> = seed.into_iter().flat_map(Word::to_le_bytes).collect();
            let bytes: [u8; 32] = bytes.try_into().unwrap();
            let count = |number| if number == 0 { rows } else { 12 * height + 60 };
            PairStreams { streams: (0..=items).map(|j| numbered_stream(bytes, j, count(j))).collect() }
        };
        let streams = Streams { pair_01: streams(0, 1), pair_02: streams(0, 2), pair_12: streams(1, 2) };
        let step = session::connect(height, rows, (&tapes[0], &tapes[1], &tapes[2]), &streams);
        let mut pair = Self { parties, spec: None, masks, words: rows as u64, messages: 0 };
        pair.compare(step);
        pair
    }

    fn spec(&mut self) -> Session<XorWord, AesPrg> {
        self.spec.take().unwrap()
    }

    /// Compares the last step: all messages, link by link, and the three states.
    fn compare(&mut self, step: Step<XorWord, AesPrg>) -> Vec<(Word, Word)> {
        let got: Vec<Placed> = self.parties.take_log().iter().map(delivered).collect();
        let expected: Vec<Placed> = step.sent.into_iter().map(specified).collect();
        for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let (got, expected) = (link(&got, from, to), link(&expected, from, to));
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got, expected, "P{from} to P{to}");
            }
            assert_eq!(got.len(), expected.len(), "number of messages from P{from} to P{to}");
        }
        self.messages += got.len();
        let state = session::state(&step.session);
        assert_eq!(self.state(), state);
        assert!(states_agree(&state));
        self.spec = Some(step.session);
        step.results.into_iter().map(|(of_0, of_1)| (of_0.bits, of_1.bits)).collect()
    }

    fn state(&self) -> State<XorWord> {
        let (p0, p1, p2) = self.parties.parties();
        let (p0, p1, p2) = (p0.memory(), p1.memory(), p2.memory());
        State {
            p0: State0 { alpha: ring(&p0.alpha), beta: ring(&p0.beta) },
            p1: State1 { alpha: ring(&p1.alpha) },
            p2: State2 { alpha: ring(&p2.alpha), beta: ring(&p2.beta) },
        }
    }

    fn draw(&mut self, count: u64) -> Vec<Word> {
        (0..count).map(|_| self.masks.word()).collect()
    }

    fn load(&mut self) {
        let (d_0, d_1) = (self.draw(self.words), self.draw(self.words));
        let step = session::load(self.spec(), &ring(&d_0), &ring(&d_1));
        self.parties.load([d_0, d_1]).unwrap();
        self.compare(step);
    }

    fn preprocess(&mut self, reads: usize, updates: usize) {
        let step = session::preprocess(self.spec(), reads, updates);
        self.parties.preprocess(Batch { reads, updates }).unwrap();
        self.compare(step);
    }

    fn read(&mut self, addresses: &[Vec<Word>; 2]) -> [Vec<Word>; 2] {
        let shares: Vec<_> = addresses[0].iter().copied().zip(addresses[1].iter().copied()).collect();
        let step = session::reads(self.spec(), &shares);
        let results = self.parties.read([&addresses[0], &addresses[1]]).unwrap();
        let expected: (Vec<_>, Vec<_>) = self.compare(step).into_iter().unzip();
        assert_eq!(results, <[_; 2]>::from(expected));
        results
    }

    /// One random operation that uses at most 2 READ and 2 UPDATE items.
    fn random_operation(&mut self) {
        let (addresses, values) = ([self.draw(2), self.draw(2)], [self.draw(2), self.draw(2)]);
        let updates = zip(&addresses, &values);
        match self.masks.word() % 5 {
            0 => _ = self.read(&addresses),
            1 => {
                let first = self.read(&addresses.map(|shares| shares[..1].to_vec()));
                self.read(&first);
            }
            2 => {
                let step = session::updates(self.spec(), &queries(&updates));
                self.parties.update([&updates[0], &updates[1]]).unwrap();
                self.compare(step);
            }
            one => {
                let query = queries(&updates)[0];
                let (address, value) = (addresses.map(|a| a[0]), values.map(|m| m[0]));
                let step = if one == 3 {
                    let step = session::write(self.spec(), query);
                    self.parties.write(address, value).unwrap();
                    step
                } else {
                    let step = session::swap(self.spec(), query);
                    let old = self.parties.swap(address, value).unwrap();
                    let expected = step.results.iter().map(|(of_0, of_1)| [of_0.bits, of_1.bits]);
                    assert!(expected.eq([old.map(|shares| shares[0])]));
                    step
                };
                self.compare(step);
            }
        }
    }
}

fn random_session(log_size: u32, rows: usize, seed: u64, load: bool, operations: usize) -> usize {
    let mut pair = Pair::of(log_size, rows, seed, 5 * operations as u64 + 2);
    if load {
        pair.load();
    }
    pair.preprocess(2 * operations, 0);
    pair.preprocess(0, operations);
    pair.preprocess(1, operations + 1);
    for _ in 0..operations {
        pair.random_operation();
    }
    pair.messages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_message_result_and_state_equals_the_specification(seed: u64, log_size in 1u32..6, fewer: usize, load: bool) {
        random_session(log_size, (1 << log_size) - fewer % (1 << (log_size - 1)), seed, load, 5);
    }
}

#[test]
fn every_size_up_to_2_to_the_12() {
    for log_size in 1..=12 {
        for seed in 0..4 {
            // All words, and a word more than half of them.
            let rows = if seed < 2 { 1 << log_size } else { (1 << (log_size - 1)) + 1 };
            let messages = random_session(log_size, rows, 10 * seed + u64::from(log_size), true, 1);
            assert!(messages >= 6 + 2 + 3 * 7);
        }
    }
}

/// The comparison bites: one flipped bit of one random word of P2, and the transcripts part.
#[test]
#[should_panic(expected = "P1 to P0")]
fn other_randomness_is_told_apart() {
    let mut pair = Pair::new(2, 7, 3);
    let mut spec = pair.spec();
    let position = spec.p2.drawn;
    spec.p2.tape[position] ^= 1 << 17;
    pair.spec = Some(spec);
    pair.preprocess(0, 1);
}
