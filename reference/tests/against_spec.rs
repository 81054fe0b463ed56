//! The parties against the specification: on equal randomness every message, result and state is equal, over random
//! sequences of operations and all sizes up to 2^12.
#![allow(missing_docs)]

use crate::common::{Masks, place};
use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::{Batch, Header, Parameters, Plain, Role, SessionId, Word};
use duoram_spec::paper::lemmas::lemma_3;
use duoram_spec::paper::memory::{HelperState, PrimaryState, State};
use duoram_spec::paper::session::{self, Sent, Session, Step, UpdateQuery};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The parties and the specification, side by side.
struct Pair {
    parties: LocalSession,
    spec: Option<Session>,
    masks: Masks,
    n: u64,
    messages: usize,
}

/// A delivered frame in the specification's terms.
fn sent(delivery: &Delivery) -> Sent {
    let frame = &delivery.frame;
    let header = Header::decode(frame.from, &frame.bytes).unwrap();
    let number = |role: Role| u8::try_from(role.index()).unwrap();
    Sent {
        kind: header.kind,
        from: number(header.from),
        to: number(header.to),
        operation: header.operation,
        round: place(&header),
        payload: frame.bytes[duoram_reference::HEADER_LENGTH..].to_vec(),
    }
}

/// The messages of one link, in order.
fn link(messages: &[Sent], from: u8, to: u8) -> Vec<&Sent> {
    messages.iter().filter(|m| (m.from, m.to) == (from, to)).collect()
}

impl Pair {
    /// `room` bounds the random words that any party will draw.
    fn new(log_size: u32, seed: u64, room: usize) -> Self {
        let mut masks = Masks::new(seed);
        let seeds = [0, 1, 2].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        let tapes = seeds.map(|seed| {
            let mut rng = ChaCha20Rng::from_seed(seed);
            (0..room).map(|_| rng.next_u64()).collect::<Vec<_>>()
        });
        let parameters = Parameters::new(SessionId(*b"against the spec"), log_size).unwrap();
        let mut parties = LocalSession::new(parameters, seeds, Plain).unwrap();
        parties.record();
        parties.connect().unwrap();
        let step = session::connect(log_size as usize, &tapes[0], &tapes[1], &tapes[2]);
        let mut pair = Self { parties, spec: None, masks, n: parameters.size(), messages: 0 };
        pair.compare(step);
        pair
    }

    fn spec(&mut self) -> Session {
        self.spec.take().unwrap()
    }

    /// Compares the last step: all messages, link by link, and the three states.
    fn compare(&mut self, step: Step) -> Vec<(Word, Word)> {
        let got: Vec<Sent> = self.parties.take_log().iter().map(sent).collect();
        assert_eq!(got.len(), step.sent.len(), "number of messages");
        for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            for (got, expected) in link(&got, from, to).iter().zip(link(&step.sent, from, to)) {
                assert_eq!(*got, expected, "P{from} to P{to}");
            }
            assert_eq!(link(&got, from, to).len(), link(&step.sent, from, to).len());
        }
        self.messages += got.len();
        assert_eq!(self.state(), step.session.state);
        assert!(lemma_3(&step.session.state));
        self.spec = Some(step.session);
        step.results
    }

    fn state(&self) -> State<Word> {
        let [p0, p1] = self.parties.primaries().each_ref().map(|p| {
            let memory = p.memory();
            PrimaryState {
                memory_share: memory.memory_share.clone(),
                blind: memory.blind.clone(),
                blinded: memory.blinded.clone(),
            }
        });
        let memory = self.parties.helper().memory();
        let p2 = HelperState { blind_0: memory.blind_0.clone(), blind_1: memory.blind_1.clone() };
        State { p0, p1, p2 }
    }

    fn load(&mut self) {
        let words = |masks: &mut Masks, n: u64| (0..n).map(|_| masks.word()).collect::<Vec<_>>();
        let (d_0, d_1) = (words(&mut self.masks, self.n), words(&mut self.masks, self.n));
        let step = session::load(self.spec(), &d_0, &d_1);
        self.parties.load([d_0, d_1]).unwrap();
        self.compare(step);
    }

    fn preprocess(&mut self, reads: usize, updates: usize) {
        let step = session::preprocess(self.spec(), reads, updates);
        self.parties.preprocess(Batch { reads, updates }).unwrap();
        self.compare(step);
    }

    fn read(&mut self, addresses: &[(Word, Word)]) -> Vec<(Word, Word)> {
        let step = session::reads(self.spec(), addresses);
        let (i_0, i_1): (Vec<_>, Vec<_>) = addresses.iter().copied().unzip();
        let [read_0, read_1] = self.parties.read([&i_0, &i_1]).unwrap();
        let results = self.compare(step);
        assert_eq!(results, read_0.into_iter().zip(read_1).collect::<Vec<_>>());
        results
    }

    fn random_shares(&mut self) -> (Word, Word) {
        (self.masks.word(), self.masks.word())
    }

    /// One random operation that uses at most 2 READ and 2 UPDATE items.
    fn random_operation(&mut self) {
        let (address, value) = (self.random_shares(), self.random_shares());
        match self.masks.word() % 4 {
            0 => {
                let other = self.random_shares();
                self.read(&[address, other]);
            }
            1 => {
                let first = self.read(&[address]);
                self.read(&first);
            }
            2 => {
                let queries = [(address, value), (value, address)]
                    .map(|(address, value)| UpdateQuery { address, value });
                let step = session::updates(self.spec(), &queries);
                let of = |b: usize| {
                    queries.map(|q| [(q.address.0, q.value.0), (q.address.1, q.value.1)][b]).to_vec()
                };
                self.parties.update([&of(0), &of(1)]).unwrap();
                self.compare(step);
            }
            _ => {
                let step = session::write(self.spec(), UpdateQuery { address, value });
                self.parties.write([address.0, address.1], [value.0, value.1]).unwrap();
                self.compare(step);
            }
        }
    }
}

fn random_session(log_size: u32, seed: u64, load: bool, operations: usize) -> usize {
    let items = 4 * operations;
    let room = (1 << log_size) + 2 + 12 * items + items * 3 * (7 * log_size as usize + 5) + 100;
    let mut pair = Pair::new(log_size, seed, room);
    if load {
        pair.load();
    }
    pair.preprocess(2 * operations, 0);
    pair.preprocess(0, 2 * operations);
    for _ in 0..operations {
        pair.random_operation();
    }
    pair.messages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_message_result_and_state_equals_the_specification(seed: u64, log_size in 1u32..6, load: bool) {
        random_session(log_size, seed, load, 5);
    }
}

#[test]
fn every_size_up_to_2_to_the_12() {
    for log_size in 1..=12 {
        let messages = random_session(log_size, u64::from(log_size), true, 1);
        assert!(messages >= 6 + 4 + 2 * (4 * log_size as usize + 8) + 4);
    }
}

/// The comparison bites: one flipped bit of one random word of P2, and the transcripts part.
#[test]
#[should_panic(expected = "P0 to P1")]
fn other_randomness_is_told_apart() {
    let mut pair = Pair::new(2, 7, 1000);
    let mut spec = pair.spec();
    let position = spec.tape_2.position;
    spec.tape_2.words[position + 1] ^= 1 << 17;
    pair.spec = Some(spec);
    pair.preprocess(1, 0);
}
