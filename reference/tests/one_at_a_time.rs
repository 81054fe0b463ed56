//! Each party alone against the specification's functions of that party, told what the other two never said: messages that are
//! well-formed and otherwise drawn at random. What it sends, its state and its results are the specification's.
//!
//! `against_spec.rs` compares honest sessions; here a party that looked past its own things would be found out, since there is
//! no session in which what it is told makes sense.
#![allow(missing_docs)]

use crate::common::{Masks, place};
use duoram_reference::{
    Batch, Frame, HEADER_LENGTH, Header, Helper, Parameters, Party, Plain, Primary, Role, SessionId, Word,
};
use duoram_spec::core::block::{clear_flag, replicate, with_flag};
use duoram_spec::core::bytes::{blocks_bytes, blocks_of_bytes, words_bytes};
use duoram_spec::core::distributed_gen::Operands;
use duoram_spec::core::dpf::{Correction, Key};
use duoram_spec::core::du_atallah::{AndTriple, ProductTriple};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share;
use duoram_spec::paper::conversion;
use duoram_spec::paper::memory::{HelperState, PrimaryState};
use duoram_spec::paper::party::{HelperParty, PrimaryParty, connected_helper, connected_primary, say_hello};
use duoram_spec::paper::party_online::Query;
use duoram_spec::paper::party_turn::{HelperTask, PrimaryTask, helper_turn, primary_turn};
use duoram_spec::paper::payload;
use duoram_spec::paper::preprocessing::HelperKey;
use duoram_spec::paper::session::{Sent, chunks};
use duoram_spec::paper::update::UpdateMessage;
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const SESSION: SessionId = SessionId(*b"one at a time   ");

/// One party, twice.
enum Both {
    Primary(Box<Primary>, PrimaryParty<AesPrg>),
    Helper(Box<Helper>, HelperParty<AesPrg>),
}

/// What a step is.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load,
    Preprocess { reads: usize, updates: usize },
    Reads(usize),
    Updates(usize),
    Write,
}

/// A party, and where random values and messages come from.
struct Alone {
    both: Both,
    masks: Masks,
    role: Role,
    log_size: usize,
    operation: u64,
    /// Whether the reference is told one bit otherwise.
    lied_to: bool,
}

fn block(masks: &mut Masks) -> u128 {
    u128::from(masks.word()) << 64 | u128::from(masks.word())
}

fn bit(masks: &mut Masks) -> bool {
    masks.word() & 1 == 1
}

fn many<T>(masks: &mut Masks, count: usize, mut one: impl FnMut(&mut Masks) -> T) -> Vec<T> {
    (0..count).map(|_| one(masks)).collect()
}

fn primary(role: Role) -> share::Primary {
    if role == Role::P0 { share::Primary::P0 } else { share::Primary::P1 }
}

/// A message as a frame; `reads` is what the messages of a batch agree on.
fn frame(message: &Sent, reads: usize) -> Vec<u8> {
    let role = |number| Role::from_number(number).unwrap();
    let of_batch = [4, 7, 8, 9].contains(&message.kind);
    let header = Header {
        version: 1,
        kind: message.kind,
        from: role(message.from),
        to: role(message.to),
        round: if of_batch { u32::try_from(reads).unwrap() } else { message.round },
        length: u32::try_from(message.payload.len()).unwrap(),
        operation: message.operation,
        session: SESSION,
    };
    [&header.encode()[..], &message.payload].concat()
}

/// A frame as a message.
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

/// What the other two say, drawn at random: only lengths, and the bits that a receiver checks, are as they must be.
impl Alone {
    fn said(&self, kind: u8, from: Role, round: usize, payload: Vec<u8>) -> Sent {
        Sent {
            kind,
            from: from.number(),
            to: self.role.number(),
            operation: self.operation,
            round: u32::try_from(round).unwrap(),
            payload,
        }
    }

    fn other(&self) -> Role {
        if self.role == Role::P0 { Role::P1 } else { Role::P0 }
    }

    fn words(&mut self, count: usize) -> Vec<Word> {
        many(&mut self.masks, count, Masks::word)
    }

    fn triples(&mut self, dpfs: usize) -> Vec<u8> {
        let and = many(&mut self.masks, dpfs * self.log_size, |r| AndTriple {
            x: replicate(bit(r)),
            y: block(r),
            z: block(r),
        });
        let product =
            many(&mut self.masks, dpfs, |r| ProductTriple { x: r.word(), y: r.word(), z: r.word() });
        payload::triples(&and, &product)
    }

    fn operands(&mut self, dpfs: usize) -> Vec<u8> {
        payload::operands_bytes(&many(&mut self.masks, dpfs, |r| Operands {
            masked_bit: bit(r),
            masked_word: block(r),
            left_flag: bit(r),
            right_flag: bit(r),
        }))
    }

    fn conversions(&mut self, dpfs: usize, updates: usize) -> Vec<u8> {
        let operands = many(&mut self.masks, dpfs, |r| conversion::Operands {
            blinded_sign: r.word(),
            masked_correction: r.word(),
            masked_sign: r.word(),
        });
        let deltas = if self.role == Role::P1 { self.words(2 * updates) } else { vec![] };
        payload::conversions(&operands, &deltas)
    }

    fn keys(&mut self, from: Role, items: usize) -> Vec<u8> {
        let log_size = self.log_size;
        payload::keys(&many(&mut self.masks, items, |r| HelperKey {
            key: Key {
                root: with_flag(block(r), from == Role::P1),
                corrections: many(r, log_size, |r| Correction {
                    word: clear_flag(block(r)),
                    left_flag: bit(r),
                    right_flag: bit(r),
                }),
            },
            factor: r.word(),
        }))
    }

    fn shifts(&mut self, queries: usize) -> Vec<u8> {
        let n = 1 << self.log_size;
        words_bytes(&many(&mut self.masks, queries, |r| r.word() % n))
    }

    fn update_messages(&mut self, queries: usize) -> Vec<UpdateMessage<Word>> {
        let n = 1 << self.log_size;
        many(&mut self.masks, queries, |r| UpdateMessage {
            shift: r.word() % n,
            masked_dpf_1: r.word(),
            masked_dpf_2: r.word(),
            masked_dpf_3: r.word(),
        })
    }

    fn inbox_of_batch(&mut self, reads: usize, updates: usize) -> Vec<Sent> {
        let (items, dpfs) = (reads + updates, 3 * (reads + updates));
        if self.role == Role::P2 {
            return [Role::P0, Role::P1]
                .map(|from| {
                    let keys = self.keys(from, items);
                    self.said(9, from, 0, keys)
                })
                .to_vec();
        }
        let other = self.other();
        let triples = self.triples(dpfs);
        let mut inbox = vec![self.said(4, Role::P2, 0, triples)];
        for level in 0..self.log_size {
            let operands = self.operands(dpfs);
            let openings = many(&mut self.masks, dpfs, block);
            inbox.push(self.said(5, other, level, operands));
            inbox.push(self.said(6, other, level, blocks_bytes(&openings)));
        }
        let (operands, openings) = (self.conversions(dpfs, updates), self.words(dpfs));
        inbox.push(self.said(7, other, 0, operands));
        inbox.push(self.said(8, other, 0, words_bytes(&openings)));
        self.opened_bits_cleared(reads, updates, &mut inbox);
        inbox
    }

    /// The lowest bit of an opened correction word is 0, or it is refused: the other's share has the bit of this party's.
    fn opened_bits_cleared(&self, reads: usize, updates: usize, inbox: &mut [Sent]) {
        let Both::Primary(_, party) = &self.both else { return };
        for level in 0..u32::try_from(self.log_size).unwrap() {
            let is_opening = |m: &&mut Sent| m.kind == 6 && m.round == level;
            let task = PrimaryTask::Preprocess { reads, updates };
            let mut sent = primary_turn(party.clone(), &task, inbox).sent;
            let own = blocks_of_bytes(&sent.iter_mut().find(is_opening).unwrap().payload);
            let received = inbox.iter_mut().find(is_opening).unwrap();
            let theirs: Vec<u128> = blocks_of_bytes(&received.payload)
                .iter()
                .zip(&own)
                .map(|(theirs, own)| with_flag(*theirs, own & 1 == 1))
                .collect();
            received.payload = blocks_bytes(&theirs);
        }
    }

    fn inbox_of_reads(&mut self, queries: usize) -> Vec<Sent> {
        if self.role == Role::P2 {
            return [Role::P0, Role::P1]
                .map(|from| {
                    let shifts = self.shifts(queries);
                    self.said(10, from, 0, shifts)
                })
                .to_vec();
        }
        let (shifts, gammas) = (self.shifts(queries), self.words(queries));
        vec![self.said(10, self.other(), 0, shifts), self.said(11, Role::P2, 0, words_bytes(&gammas))]
    }

    fn inbox_of_updates(&mut self, queries: usize) -> Vec<Sent> {
        if self.role == Role::P2 {
            return [Role::P0, Role::P1]
                .map(|from| {
                    let messages = self.update_messages(queries);
                    self.said(13, from, 0, payload::helper_update(&messages))
                })
                .to_vec();
        }
        let messages = self.update_messages(queries);
        vec![self.said(12, self.other(), 0, payload::update(&messages))]
    }

    fn inbox(&mut self, step: Step) -> Vec<Sent> {
        match step {
            Step::Load => {
                let words = self.words(1 << self.log_size);
                let (operation, to) = (self.operation, self.role.number());
                if self.role == Role::P2 {
                    let others = self.words(1 << self.log_size);
                    return [chunks(operation, 3, 0, to, &words), chunks(operation, 3, 1, to, &others)]
                        .concat();
                }
                chunks(operation, 2, self.other().number(), to, &words)
            }
            Step::Preprocess { reads, updates } => self.inbox_of_batch(reads, updates),
            Step::Reads(queries) => self.inbox_of_reads(queries),
            Step::Updates(queries) => self.inbox_of_updates(queries),
            Step::Write => {
                let first = self.inbox_of_reads(1);
                self.operation += 1;
                let second = self.inbox_of_updates(1);
                self.operation -= 1;
                [first, second].concat()
            }
        }
    }
}

impl Alone {
    /// The party after a connect in which the others said what they liked.
    fn connected(role: Role, log_size: usize, seed: u64) -> Self {
        let mut masks = Masks::new(seed);
        let own: [u8; 32] = std::array::from_fn(|_| masks.word().to_le_bytes()[0]);
        let mut rng = ChaCha20Rng::from_seed(own);
        let tape: Vec<Word> = (0..4000).map(|_| rng.next_u64()).collect();
        let others: Vec<u8> = (0..3).filter(|from| *from != role.number()).collect();
        let inbox: Vec<Sent> = others
            .iter()
            .map(|from| Sent {
                kind: 1,
                from: *from,
                to: role.number(),
                operation: 0,
                round: 0,
                payload: payload::hello(block(&mut masks), log_size),
            })
            .collect();
        let parameters = Parameters::new(SESSION, u32::try_from(log_size).unwrap()).unwrap();
        let both = if role == Role::P2 {
            let party = connected_helper(log_size, &tape, &inbox);
            Both::Helper(Box::new(Helper::new(parameters, own, Plain)), party)
        } else {
            let party = connected_primary(primary(role), log_size, &tape, &inbox);
            Both::Primary(Box::new(Primary::new(role, parameters, own, Plain).unwrap()), party)
        };
        let mut alone = Self { both, masks, role, log_size, operation: 1, lied_to: false };
        let begun = match &mut alone.both {
            Both::Primary(party, _) => party.connect(),
            Both::Helper(party, _) => party.connect(),
        };
        let got = alone.told(&begun.unwrap(), &inbox, 0);
        alone.compare(&got, &say_hello(role.number(), log_size, &tape));
        alone
    }

    /// Gives the party its inbox, in the order that it asks for; yields all that it says.
    fn told(&mut self, begun: &[Frame], inbox: &[Sent], reads: usize) -> Vec<Sent> {
        let mut left = inbox.to_vec();
        let mut got: Vec<Sent> = begun.iter().map(message).collect();
        let party: &mut dyn Party = match &mut self.both {
            Both::Primary(party, _) => party.as_mut(),
            Both::Helper(party, _) => party.as_mut(),
        };
        while let Some(from) = party.awaits() {
            let next = left.iter().position(|m| m.from == from.number()).unwrap();
            let mut due = left.remove(next);
            if self.lied_to && due.kind != 1 {
                due.payload[0] ^= 1 << 1;
                self.lied_to = false;
            }
            got.extend(party.receive(from, &frame(&due, reads)).unwrap().iter().map(message));
        }
        assert!(left.is_empty(), "not asked for: {left:?}");
        got
    }

    /// Link by link, in order.
    fn compare(&self, got: &[Sent], expected: &[Sent]) {
        for to in self.role.peers() {
            let link =
                |all: &[Sent]| -> Vec<Sent> { all.iter().filter(|m| m.to == to.number()).cloned().collect() };
            assert_eq!(link(got), link(expected), "{} to {to}", self.role);
        }
        assert_eq!(got.len(), expected.len());
    }

    /// One step, with inputs and an inbox drawn at random.
    fn step(&mut self, step: Step) {
        let inbox = self.inbox(step);
        let reads = if let Step::Preprocess { reads, .. } = step { reads } else { 0 };
        let inputs: Vec<(Word, Word)> = match step {
            Step::Reads(queries) | Step::Updates(queries) => {
                many(&mut self.masks, queries, |r| (r.word(), r.word()))
            }
            _ => vec![(self.masks.word(), self.masks.word())],
        };
        let memory = self.words(1 << self.log_size);
        let expected = match &mut self.both {
            Both::Primary(_, party) => {
                let turn = primary_turn(party.clone(), &primary_task(step, &inputs, &memory), &inbox);
                *party = turn.party;
                (turn.sent, turn.results)
            }
            Both::Helper(_, party) => {
                let turn = helper_turn(party.clone(), &helper_task(step), &inbox);
                *party = turn.party;
                (turn.sent, vec![])
            }
        };
        let begun = match &mut self.both {
            Both::Primary(party, _) => begin_primary(party, step, &inputs, memory),
            Both::Helper(party, _) => begin_helper(party, step),
        };
        let got = self.told(&begun, &inbox, reads);
        self.compare(&got, &expected.0);
        self.compare_states(&expected.1);
        self.operation += if matches!(step, Step::Write) { 2 } else { 1 };
    }

    fn compare_states(&mut self, results: &[Word]) {
        match &mut self.both {
            Both::Primary(party, expected) => {
                let memory = party.memory();
                let state = PrimaryState {
                    memory_share: memory.memory_share.clone(),
                    blind: memory.blind.clone(),
                    blinded: memory.blinded.clone(),
                };
                assert_eq!(state, expected.state);
                assert_eq!(party.take_results(), results);
            }
            Both::Helper(party, expected) => {
                let memory = party.memory();
                let state = HelperState { blind_0: memory.blind_0.clone(), blind_1: memory.blind_1.clone() };
                assert_eq!(state, expected.state);
            }
        }
    }
}

fn primary_task(step: Step, inputs: &[(Word, Word)], memory: &[Word]) -> PrimaryTask {
    let query = |(address, value): &(Word, Word)| Query { address: *address, value: *value };
    match step {
        Step::Load => PrimaryTask::Load { memory_share: memory.to_vec() },
        Step::Preprocess { reads, updates } => PrimaryTask::Preprocess { reads, updates },
        Step::Reads(_) => PrimaryTask::Reads { addresses: inputs.iter().map(|(a, _)| *a).collect() },
        Step::Updates(_) => PrimaryTask::Updates { queries: inputs.iter().map(query).collect() },
        Step::Write => PrimaryTask::Write { query: query(&inputs[0]) },
    }
}

fn helper_task(step: Step) -> HelperTask {
    match step {
        Step::Load => HelperTask::Load,
        Step::Preprocess { reads, updates } => HelperTask::Preprocess { reads, updates },
        Step::Reads(queries) => HelperTask::Reads { queries },
        Step::Updates(queries) => HelperTask::Updates { queries },
        Step::Write => HelperTask::Write,
    }
}

fn begin_primary(party: &mut Primary, step: Step, inputs: &[(Word, Word)], memory: Vec<Word>) -> Vec<Frame> {
    let begun = match step {
        Step::Load => party.load(memory),
        Step::Preprocess { reads, updates } => party.preprocess(Batch { reads, updates }),
        Step::Reads(_) => party.read(&inputs.iter().map(|(a, _)| *a).collect::<Vec<_>>()),
        Step::Updates(_) => party.update(inputs),
        Step::Write => party.write(inputs[0].0, inputs[0].1),
    };
    begun.unwrap()
}

fn begin_helper(party: &mut Helper, step: Step) -> Vec<Frame> {
    let silent = |begun: Result<(), _>| begun.map(|()| vec![]);
    let begun = match step {
        Step::Load => silent(party.load()),
        Step::Preprocess { reads, updates } => party.preprocess(Batch { reads, updates }),
        Step::Reads(queries) => silent(party.read(queries)),
        Step::Updates(queries) => silent(party.update(queries)),
        Step::Write => silent(party.write()),
    };
    begun.unwrap()
}

fn all_steps(role: Role, log_size: usize, seed: u64, load: bool) {
    let mut alone = Alone::connected(role, log_size, seed);
    if load {
        alone.step(Step::Load);
    }
    alone.step(Step::Preprocess { reads: 2, updates: 1 });
    alone.step(Step::Reads(2));
    alone.step(Step::Updates(1));
    alone.step(Step::Preprocess { reads: 1, updates: 3 });
    alone.step(Step::Updates(2));
    alone.step(Step::Write);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn p0_alone_does_what_the_specification_of_p0_does(seed: u64, log_size in 1usize..6, load: bool) {
        all_steps(Role::P0, log_size, seed, load);
    }

    #[test]
    fn p1_alone_does_what_the_specification_of_p1_does(seed: u64, log_size in 1usize..6, load: bool) {
        all_steps(Role::P1, log_size, seed, load);
    }

    #[test]
    fn p2_alone_does_what_the_specification_of_p2_does(seed: u64, log_size in 1usize..6, load: bool) {
        all_steps(Role::P2, log_size, seed, load);
    }
}

/// The comparison bites: the reference is told one bit of one triple otherwise.
#[test]
#[should_panic(expected = "P0 to P1")]
fn a_party_that_is_told_something_else_says_something_else() {
    let mut alone = Alone::connected(Role::P0, 3, 5);
    alone.lied_to = true;
    alone.step(Step::Preprocess { reads: 1, updates: 0 });
}
