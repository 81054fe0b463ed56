//! Each party of the lean protocol alone against the specification's functions of that party, told what the other two never said: messages
//! that are well-formed and otherwise drawn at random. What it sends, its state and its results are the specification's.
//!
//! `lean_against_spec.rs` compares honest sessions; here a party that looked past its own things would be found out, since there is
//! no session in which what it is told makes sense. Of an honest session are only the kinds and the lengths.
#![allow(missing_docs)]

use crate::common::lean::{place, place_in_spec};
use crate::common::{Masks, SESSION};
use duoram_reference::lean::{Helper, Plain, Primary, Primary0, Primary1};
use duoram_reference::{Batch, Frame, HEADER_LENGTH, Header, Parameters, Party, Role, Word};
use duoram_spec::core::block::{clear_flag, flag, with_flag};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::delivery::{inbox, others, say_hello, session_prg};
use duoram_spec::lean::layers::flag_bits;
use duoram_spec::lean::online::{Query, UpdateMessage};
use duoram_spec::lean::party::{
    Hello, Party0, Party1, Party2, connected_0, connected_1, connected_2, hello, pair_seed,
};
use duoram_spec::lean::party_turn::{HelperTask, PrimaryTask, turn_0, turn_1, turn_2};
use duoram_spec::lean::payload;
use duoram_spec::lean::preprocessing::{HelperKey, purposes};
use duoram_spec::lean::session::{self, Sent, Session, Streams};
use duoram_spec::lean::tape::PairStreams;
use duoram_vectors::randomness::numbered_stream;
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One party, twice.
enum Both {
    P0(Box<Primary0<Plain>>, Party0<XorWord, AesPrg>),
    P1(Box<Primary1<Plain>>, Party1<XorWord, AesPrg>),
    P2(Box<Helper<Plain>>, Party2<XorWord, AesPrg>),
}

/// What a step is.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load,
    Preprocess { reads: usize, updates: usize },
    Reads(usize),
    Updates(usize),
    Put { swap: bool },
}

/// A party, and where random values and messages come from.
struct Alone {
    both: Both,
    masks: Masks,
    role: Role,
    log_size: usize,
    /// m
    rows: usize,
    operation: u64,
    /// An honest session that takes the same steps: what is sent in it is as long as what is due.
    honest: Option<Session<XorWord, AesPrg>>,
    /// Whether the reference is told one bit otherwise.
    lied_to: bool,
}

fn ring(words: &[Word]) -> Vec<XorWord> {
    words.iter().map(|&bits| XorWord { bits }).collect()
}

/// The streams of a pair whose hellos are these.
fn streams(own: &Hello, theirs: &Hello, (log_size, rows): (usize, usize), items: u64) -> PairStreams {
    let bytes: Vec<u8> = pair_seed(own, theirs).into_iter().flat_map(Word::to_le_bytes).collect();
    let seed: [u8; 32] = bytes.try_into().unwrap();
    let count = |number| if number == 0 { rows } else { 12 * log_size + 60 };
    PairStreams { streams: (0..=items).map(|j| numbered_stream(seed, j, count(j))).collect() }
}

/// A message as a frame; `reads` is what the messages of a batch agree on.
fn frame(message: &Sent, reads: usize) -> Vec<u8> {
    let role = |number| Role::from_number(number).unwrap();
    let of_batch = [4, 5, 8, 9, 10, 11].contains(&message.kind);
    let place = place_in_spec(message.kind, message.round);
    let header = Header {
        version: 2,
        kind: message.kind,
        from: role(message.from),
        to: role(message.to),
        round: if of_batch { u32::try_from(reads).unwrap() } else { place },
        length: u32::try_from(message.payload.len()).unwrap(),
        operation: message.operation,
        session: SESSION,
    };
    [&header.encode()[..], &message.payload].concat()
}

/// A frame as a message, its round being its place.
fn message(frame: &Frame) -> Sent {
    let header = Header::decode(frame.from, &frame.bytes).unwrap();
    Sent {
        kind: header.kind,
        from: header.from.number(),
        to: header.to.number(),
        operation: header.operation,
        round: place(&header),
        payload: frame.bytes[HEADER_LENGTH..].to_vec(),
    }
}

/// How many DPFs a payload of operands is of.
fn dpfs_of(length: usize) -> usize {
    (0..=length / 16).find(|dpfs| 16 * dpfs + (3 * dpfs).div_ceil(8) == length).unwrap()
}

impl Alone {
    /// A payload like an honest one of this step: only its length, and the bits that a receiver checks, are as they must be.
    fn instead_of(&mut self, honest: &Sent, step: Step) -> Vec<u8> {
        let n = 1 << self.log_size;
        let bytes: Vec<u8> = honest.payload.iter().map(|_| self.masks.word().to_le_bytes()[0]).collect();
        match (honest.kind, step) {
            (5, _) => bytes.iter().map(|byte| byte & ((1u8 << flag_bits(self.log_size)) - 1)).collect(),
            (6, _) => payload::operands_bytes(&payload::operands_of_bytes(&bytes, dpfs_of(bytes.len()))),
            (10, Step::Preprocess { reads, updates }) => {
                let purposes = purposes(reads, updates);
                let keys = payload::keys_of::<XorWord>(&bytes, self.log_size, &purposes);
                let of_item = |(purpose, mut key): (_, duoram_spec::lean::layers::LayeredKey<XorWord>)| {
                    key.tree.root = with_flag(key.tree.root, honest.from == 1);
                    for correction in &mut key.tree.corrections {
                        correction.word = clear_flag(correction.word);
                    }
                    HelperKey { purpose, key, delta_share: XorWord::zero() }
                };
                payload::keys(&purposes.into_iter().zip(keys).map(of_item).collect::<Vec<_>>())
            }
            (12, Step::Reads(queries)) => self.shifts(&bytes, queries, n),
            (12, _) => self.shifts(&bytes, 1, n),
            (14, Step::Updates(queries)) => {
                let mut messages: Vec<UpdateMessage<XorWord>> =
                    payload::updates_of(&bytes, self.log_size, queries);
                for message in &mut messages {
                    message.shift %= n;
                }
                payload::updates(self.log_size, &messages)
            }
            _ => bytes,
        }
    }

    fn shifts(&self, bytes: &[u8], queries: usize, n: u64) -> Vec<u8> {
        let shifts: Vec<u64> =
            payload::addresses_of(bytes, self.log_size, queries).iter().map(|shift| shift % n).collect();
        payload::addresses_bytes(self.log_size, &shifts)
    }

    fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.masks.word()).collect()
    }

    /// The honest session's step, of zeros, for its messages to this party.
    fn honest_inbox(&mut self, step: Step) -> Vec<Sent> {
        let session = self.honest.take().unwrap();
        let none = Query { address: 0, value: XorWord::zero() };
        let zeros = vec![XorWord::zero(); self.rows];
        let done = match step {
            Step::Load => session::load(session, &zeros, &zeros),
            Step::Preprocess { reads, updates } => session::preprocess(session, reads, updates),
            Step::Reads(queries) => session::reads(session, &vec![(0, 0); queries]),
            Step::Updates(queries) => session::updates(session, &vec![(none, none); queries]),
            Step::Put { swap } => session::put(session, (none, none), swap),
        };
        self.honest = Some(done.session);
        inbox(&done.sent, self.role.number())
    }

    /// The lowest bit of an opened correction word is 0, or it is refused: the other's share has the bit of this party's.
    fn opened_bits_cleared(&self, task: &PrimaryTask<XorWord>, told: &mut [Sent]) {
        for number in 0..told.len() {
            if told[number].kind != 7 {
                continue;
            }
            let round = told[number].round;
            let sent = match &self.both {
                Both::P0(_, party) => turn_0(party.clone(), self.operation, task, told).sent,
                Both::P1(_, party) => turn_1(party.clone(), self.operation, task, told).sent,
                Both::P2(..) => return,
            };
            let own = sent.iter().find(|said| said.kind == 7 && said.round == round).unwrap();
            let own = payload::blocks_of_bytes(&own.payload);
            let theirs: Vec<u128> = payload::blocks_of_bytes(&told[number].payload)
                .iter()
                .zip(&own)
                .map(|(theirs, own)| with_flag(*theirs, flag(*own)))
                .collect();
            told[number].payload = payload::blocks_bytes(&theirs);
        }
    }

    /// The party after a connect in which the others said what they liked.
    fn connected(role: Role, log_size: usize, seed: u64, items: u64) -> Self {
        // A word at each address, or at more than half of them.
        let fewer = usize::try_from(seed >> 32).unwrap() % (1 << (log_size - 1));
        let rows = (1 << log_size) - if seed.is_multiple_of(2) { 0 } else { fewer };
        let mut masks = Masks::new(seed);
        let seed: [u8; 32] = std::array::from_fn(|_| masks.word().to_le_bytes()[0]);
        let mut rng = ChaCha20Rng::from_seed(seed);
        let tape: Vec<Word> = (0..20 + 10 * items).map(|_| rng.next_u64()).collect();
        let number = role.number();
        let mut random_hello = || Hello {
            contribution: u128::from(masks.word()) << 64 | u128::from(masks.word()),
            words: rows as u64,
            seed: (0..4).map(|_| masks.word()).collect(),
        };
        let hellos: Vec<(u8, Hello)> =
            others(number).into_iter().map(|from| (from, random_hello())).collect();
        let told: Vec<Sent> = hellos
            .iter()
            .map(|(from, said)| Sent {
                kind: 1,
                from: *from,
                to: number,
                operation: 0,
                round: 0,
                payload: payload::hello(said),
            })
            .collect();
        let shared =
            [0, 1].map(|i| streams(&hello(&tape, rows, i == 1), &hellos[i].1, (log_size, rows), items));
        let [first, second] = shared;
        let prg = session_prg(number, rows, &tape, &told);
        let parameters =
            Parameters::new(SESSION, u32::try_from(log_size).unwrap()).unwrap().with_rows(rows).unwrap();
        let both = match role {
            Role::P0 => {
                let party = connected_0(log_size, rows, prg, &tape, first, second);
                Both::P0(Box::new(Primary0::new(parameters, seed, Plain)), party)
            }
            Role::P1 => {
                let party = connected_1(log_size, rows, prg, &tape, first, second);
                Both::P1(Box::new(Primary1::new(parameters, seed, Plain)), party)
            }
            Role::P2 => {
                let party = connected_2(log_size, rows, prg, &tape, first, second);
                Both::P2(Box::new(Helper::new(parameters, seed, Plain)), party)
            }
        };
        let nothing = || PairStreams { streams: vec![] };
        let honest = session::connect(
            log_size,
            rows,
            (&tape, &tape, &tape),
            &Streams { pair_01: nothing(), pair_02: nothing(), pair_12: nothing() },
        );
        let honest = Some(honest.session);
        let mut alone = Self { both, masks, role, log_size, rows, operation: 1, honest, lied_to: false };
        let begun = alone.party().connect().unwrap();
        let got = alone.told(&begun, &told, 0);
        alone.compare(&got, &say_hello(number, rows, &tape));
        alone
    }

    fn party(&mut self) -> &mut dyn Party {
        match &mut self.both {
            Both::P0(party, _) => party.as_mut(),
            Both::P1(party, _) => party.as_mut(),
            Both::P2(party, _) => party.as_mut(),
        }
    }

    /// Gives the party its inbox, in the order that it asks for; yields all that it says.
    fn told(&mut self, begun: &[Frame], inbox: &[Sent], reads: usize) -> Vec<Sent> {
        let mut left = inbox.to_vec();
        let mut got: Vec<Sent> = begun.iter().map(message).collect();
        while let Some(from) = self.party().awaits() {
            let next = left.iter().position(|m| m.from == from.number()).unwrap();
            let mut due = left.remove(next);
            if self.lied_to && due.kind == 4 {
                due.payload[0] ^= 1 << 1;
                self.lied_to = false;
            }
            let said = self.party().receive(from, &frame(&due, reads)).unwrap();
            got.extend(said.iter().map(message));
        }
        assert!(left.is_empty(), "not asked for: {left:?}");
        got
    }

    /// Link by link, in order.
    fn compare(&self, got: &[Sent], expected: &[Sent]) {
        for to in self.role.peers() {
            let link =
                |all: &[Sent]| -> Vec<Sent> { all.iter().filter(|m| m.to == to.number()).cloned().collect() };
            let mut expected = link(expected);
            for message in &mut expected {
                message.round = place_in_spec(message.kind, message.round);
            }
            assert_eq!(link(got), expected, "{} to {to}", self.role);
        }
        assert_eq!(got.len(), expected.len());
    }

    /// One step, with inputs and an inbox drawn at random.
    fn step(&mut self, step: Step) {
        let honest = self.honest_inbox(step);
        let mut told: Vec<Sent> = honest
            .iter()
            .map(|message| Sent { payload: self.instead_of(message, step), ..message.clone() })
            .collect();
        let reads = if let Step::Preprocess { reads, .. } = step { reads } else { 0 };
        let queries = if let Step::Reads(queries) | Step::Updates(queries) = step { queries } else { 1 };
        let inputs: Vec<(Word, Word)> =
            (0..queries).map(|_| (self.masks.word(), self.masks.word())).collect();
        let memory = self.words(self.rows);
        let task = primary_task(step, &inputs, &memory);
        self.opened_bits_cleared(&task, &mut told);
        let operation = self.operation;
        let (said, results) = match &mut self.both {
            Both::P0(_, party) => {
                let turn = turn_0(party.clone(), operation, &task, &told);
                *party = turn.party;
                (turn.sent, turn.results)
            }
            Both::P1(_, party) => {
                let turn = turn_1(party.clone(), operation, &task, &told);
                *party = turn.party;
                (turn.sent, turn.results)
            }
            Both::P2(_, party) => {
                let turn = turn_2(party.clone(), operation, &helper_task(step), &told);
                *party = turn.party;
                (turn.sent, turn.results)
            }
        };
        let begun = match &mut self.both {
            Both::P0(party, _) => begin_primary(party.as_mut(), step, &inputs, memory),
            Both::P1(party, _) => begin_primary(party.as_mut(), step, &inputs, memory),
            Both::P2(party, _) => begin_helper(party, step),
        };
        let got = self.told(&begun, &told, reads);
        self.compare(&got, &said);
        self.compare_states(&results);
        self.operation += 1;
    }

    fn compare_states(&mut self, results: &[XorWord]) {
        match &mut self.both {
            Both::P0(party, expected) => {
                let memory = party.memory();
                assert_eq!((ring(&memory.alpha), ring(&memory.beta)), {
                    let state = &expected.state;
                    (state.alpha.clone(), state.beta.clone())
                });
                assert_eq!(ring(&party.take_results()), results);
            }
            Both::P1(party, expected) => {
                assert_eq!(ring(&party.memory().alpha), expected.state.alpha);
                assert_eq!(ring(&party.take_results()), results);
            }
            Both::P2(party, expected) => {
                let memory = party.memory();
                assert_eq!(ring(&memory.alpha), expected.state.alpha);
                assert_eq!(ring(&memory.beta), expected.state.beta);
            }
        }
    }
}

fn primary_task(step: Step, inputs: &[(Word, Word)], memory: &[Word]) -> PrimaryTask<XorWord> {
    let query =
        |(address, value): &(Word, Word)| Query { address: *address, value: XorWord { bits: *value } };
    match step {
        Step::Load => PrimaryTask::Load { memory_share: ring(memory) },
        Step::Preprocess { reads, updates } => PrimaryTask::Preprocess { reads, updates },
        Step::Reads(_) => PrimaryTask::Reads { addresses: inputs.iter().map(|(a, _)| *a).collect() },
        Step::Updates(_) => PrimaryTask::Updates { queries: inputs.iter().map(query).collect() },
        Step::Put { swap } => PrimaryTask::Put { query: query(&inputs[0]), swap },
    }
}

fn helper_task(step: Step) -> HelperTask {
    match step {
        Step::Load => HelperTask::Load,
        Step::Preprocess { reads, updates } => HelperTask::Preprocess { reads, updates },
        Step::Reads(queries) => HelperTask::Reads { queries },
        Step::Updates(queries) => HelperTask::Updates { queries },
        Step::Put { swap } => HelperTask::Put { swap },
    }
}

fn begin_primary<T: Primary + ?Sized>(
    party: &mut T,
    step: Step,
    inputs: &[(Word, Word)],
    memory: Vec<Word>,
) -> Vec<Frame> {
    let begun = match step {
        Step::Load => party.load(memory),
        Step::Preprocess { reads, updates } => party.preprocess(Batch { reads, updates }),
        Step::Reads(_) => party.read(&inputs.iter().map(|(a, _)| *a).collect::<Vec<_>>()),
        Step::Updates(_) => party.update(inputs),
        Step::Put { swap: false } => party.write_row(inputs[0].0, &[inputs[0].1]),
        Step::Put { swap: true } => party.swap_row(inputs[0].0, &[inputs[0].1]),
    };
    begun.unwrap()
}

fn begin_helper(party: &mut Helper<Plain>, step: Step) -> Vec<Frame> {
    let silent = |begun: Result<(), _>| begun.map(|()| vec![]);
    let begun = match step {
        Step::Load => silent(party.load()),
        Step::Preprocess { reads, updates } => party.preprocess(Batch { reads, updates }),
        Step::Reads(queries) => silent(party.read(queries)),
        Step::Updates(queries) => silent(party.update(queries)),
        Step::Put { swap: false } => silent(party.write()),
        Step::Put { swap: true } => silent(party.swap()),
    };
    begun.unwrap()
}

fn all_steps(role: Role, log_size: usize, seed: u64, load: bool) {
    let mut alone = Alone::connected(role, log_size, seed, 8);
    if load {
        alone.step(Step::Load);
    }
    alone.step(Step::Preprocess { reads: 2, updates: 1 });
    alone.step(Step::Reads(2));
    alone.step(Step::Updates(1));
    alone.step(Step::Preprocess { reads: 1, updates: 4 });
    alone.step(Step::Updates(2));
    alone.step(Step::Put { swap: false });
    alone.step(Step::Reads(1));
    alone.step(Step::Put { swap: true });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn lean_p0_alone_does_what_the_specification_of_p0_does(seed: u64, log_size in 1usize..10, load: bool) {
        all_steps(Role::P0, log_size, seed, load);
    }

    #[test]
    fn lean_p1_alone_does_what_the_specification_of_p1_does(seed: u64, log_size in 1usize..10, load: bool) {
        all_steps(Role::P1, log_size, seed, load);
    }

    #[test]
    fn lean_p2_alone_does_what_the_specification_of_p2_does(seed: u64, log_size in 1usize..10, load: bool) {
        all_steps(Role::P2, log_size, seed, load);
    }
}

/// The comparison bites: the reference is told one bit of what P2 deals otherwise.
#[test]
#[should_panic(expected = "P1 to P0")]
fn a_lean_party_that_is_told_something_else_says_something_else() {
    let mut alone = Alone::connected(Role::P1, 9, 5, 1);
    alone.lied_to = true;
    alone.step(Step::Preprocess { reads: 0, updates: 1 });
}
