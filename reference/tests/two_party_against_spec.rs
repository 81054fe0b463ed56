//! The two parties against the specification: on equal randomness, with the OTs that the parties made, every message, result and state
//! is equal, over random sequences of operations and sizes up to 2^9.

use crate::common::Masks;
use crate::common::two_party::{parties, zip};
use duoram_reference::local::Delivery;
use duoram_reference::two_party::TwoParty;
use duoram_reference::two_party::local::LocalSession;
use duoram_reference::two_party::message::{BaseChoices, Hello, OtColumns};
use duoram_reference::two_party::ot::extension::Extent;
use duoram_reference::{Batch, Block, HEADER_LENGTH, Header, Message, PartyStream, Protocol, Role, Word};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::two_party::masks::AesPrf;
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::session::{self, Ots, Sent, Words};
use proptest::prelude::*;

type Session = session::Session<Word, AesPrg, AesPrf>;
type Step = session::Step<Word, AesPrg, AesPrf>;

/// The parties and the specification, side by side.
struct Pair {
    parties: LocalSession,
    spec: Option<Session>,
    /// The words of P0's and P1's streams that have been drawn.
    drawn: [usize; 2],
    masks: Masks,
    log_size: u32,
    /// The items made so far.
    made: u64,
}

/// A delivered frame in the specification's terms. What base OTs put behind a hello is none of its concern.
fn sent(delivery: &Delivery) -> Sent {
    let frame = &delivery.frame;
    let header = Header::decode(frame.from, &frame.bytes).unwrap();
    let kind = TwoParty::kind(header.kind).unwrap();
    let payload = &frame.bytes[HEADER_LENGTH..];
    Sent {
        kind: header.kind,
        from: header.from.number(),
        to: header.to.number(),
        operation: header.operation,
        round: kind.place(header.round),
        payload: payload[..if kind == Hello::KIND { 24 } else { payload.len() }].to_vec(),
    }
}

/// The messages in one direction that are not of OTs, in order.
fn said(messages: &[Sent], from: u8) -> Vec<&Sent> {
    let of_transfers = [BaseChoices::KIND.number(), OtColumns::KIND.number()];
    messages.iter().filter(|sent| sent.from == from && !of_transfers.contains(&sent.kind)).collect()
}

impl Pair {
    /// `room` bounds the random words that either party will draw.
    fn new(log_size: u32, seed: u64, room: usize) -> Self {
        let mut masks = Masks::new(seed);
        let seeds = [0, 1].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        // A party of one lane draws all from one stream.
        let [words_0, words_1] = seeds.map(|seed| {
            let mut stream = PartyStream::new(seed);
            let words: Vec<Word> = (0..room).map(|_| stream.word()).collect();
            Words { making: words.clone(), blinds: words }
        });
        let mut parties = parties(log_size, seeds);
        parties.record();
        parties.connect().unwrap();
        let mut pair = Self { parties, spec: None, drawn: [0; 2], masks, log_size, made: 0 };
        let log = pair.parties.take_log();
        pair.compare(&log, session::connect(log_size as usize, &words_0, &words_1));
        pair
    }

    /// The specification's session, of which both streams are where the party's one is.
    fn spec(&mut self) -> Session {
        let mut spec = self.spec.take().unwrap();
        for (party, drawn) in [&mut spec.p0, &mut spec.p1].into_iter().zip(self.drawn) {
            (party.making.position, party.blinds.position) = (drawn, drawn);
        }
        spec
    }

    /// Compares the last step: all messages, direction by direction, and both shares of the memory.
    fn compare(&mut self, log: &[Delivery], step: Step) -> Vec<(Word, Word)> {
        let got: Vec<Sent> = log.iter().map(sent).collect();
        for from in [0, 1] {
            assert_eq!(said(&got, from), said(&step.sent, from), "of P{from}");
        }
        let shares = self.parties.primaries().each_ref().map(|party| party.memory().memory_share.clone());
        assert_eq!(shares, [step.session.p0.memory_share.clone(), step.session.p1.memory_share.clone()]);
        self.drawn = [&step.session.p0, &step.session.p1]
            .map(|party| party.making.position.max(party.blinds.position));
        self.spec = Some(step.session);
        step.results
    }

    fn load(&mut self) {
        let memory: Vec<Word> = (0..1 << self.log_size).map(|_| self.masks.word()).collect();
        let shares = self.masks.share(&memory);
        self.parties.load(shares.clone()).unwrap();
        let step = session::load(self.spec(), &shares[0], &shares[1]);
        self.compare(&[], step);
    }

    /// What the ideal OT would have given the senders: what the parties' own OTs did.
    fn ots(&self, log: &[Delivery], count: usize) -> Ots {
        let extent = Extent { stream: self.made, first: self.made * u64::from(self.log_size) };
        let of = |receiver: Role, sender: usize| -> Vec<(Block, Block)> {
            let is_it = |sent: &&Delivery| {
                let header = Header::decode(sent.frame.from, &sent.frame.bytes).unwrap();
                (header.from, header.kind) == (receiver, OtColumns::KIND.number())
            };
            let columns = &log.iter().find(is_it).unwrap().frame.bytes[HEADER_LENGTH..];
            let (_, sender) = self.parties.primaries()[sender].transfers().unwrap();
            sender.extend(extent, columns, count).iter().map(|&[zero, one]| (zero, one)).collect()
        };
        Ots { from_0: of(Role::P1, 0), from_1: of(Role::P0, 1) }
    }

    fn preprocess(&mut self, reads: usize, updates: usize) {
        self.parties.preprocess(Batch { reads, updates }).unwrap();
        let log = self.parties.take_log();
        let ots = self.ots(&log, (reads + updates) * self.log_size as usize);
        self.made += (reads + updates) as u64;
        let step = session::preprocess(self.spec(), reads, updates, &ots);
        self.compare(&log, step);
    }

    fn read(&mut self, addresses: &[Word]) -> Vec<(Word, Word)> {
        let shares = self.masks.share(addresses);
        let [of_0, of_1] = self.parties.read([&shares[0], &shares[1]]).unwrap();
        let pairs: Vec<_> = shares[0].iter().copied().zip(shares[1].iter().copied()).collect();
        let (log, step) = (self.parties.take_log(), session::reads(self.spec(), &pairs));
        let results = self.compare(&log, step);
        assert_eq!(results, of_0.into_iter().zip(of_1).collect::<Vec<_>>());
        results
    }

    fn follow(&mut self, results: &[(Word, Word)]) {
        let (i_0, i_1): (Vec<_>, Vec<_>) = results.iter().copied().unzip();
        let [of_0, of_1] = self.parties.read([&i_0, &i_1]).unwrap();
        let (log, step) = (self.parties.take_log(), session::follow(self.spec(), results));
        let results = self.compare(&log, step);
        assert_eq!(results, of_0.into_iter().zip(of_1).collect::<Vec<_>>());
    }

    fn update(&mut self, addresses: &[Word], changes: &[Word]) {
        let (addresses, changes) = (self.masks.share(addresses), self.masks.share(changes));
        let [of_0, of_1] = zip(&addresses, &changes);
        self.parties.update([&of_0, &of_1]).unwrap();
        let query = |&(address, value): &(Word, Word)| Query { address, value };
        let queries: Vec<_> = of_0.iter().map(query).zip(of_1.iter().map(query)).collect();
        let (log, step) = (self.parties.take_log(), session::updates(self.spec(), &queries));
        self.compare(&log, step);
    }

    fn overwrite(&mut self, address: Word, value: Word, swap: bool) {
        let [of_0, of_1] = self.masks.share(&[address, value]);
        let (addresses, values) = ([of_0[0], of_1[0]], [of_0[1], of_1[1]]);
        let [query_0, query_1] = [&of_0, &of_1].map(|of| Query { address: of[0], value: of[1] });
        if swap {
            let [old_0, old_1] = self.parties.swap(addresses, values).unwrap();
            let (log, step) = (self.parties.take_log(), session::swap(self.spec(), (query_0, query_1)));
            assert_eq!(self.compare(&log, step), [(old_0[0], old_1[0])]);
        } else {
            self.parties.write(addresses, values).unwrap();
            let (log, step) = (self.parties.take_log(), session::write(self.spec(), (query_0, query_1)));
            assert!(self.compare(&log, step).is_empty(), "a WRITE has no results");
        }
    }

    /// One random operation that uses at most 2 READ and 2 UPDATE items.
    fn random_operation(&mut self) {
        let [i, j, m] = [self.masks.word(), self.masks.word(), self.masks.word()];
        match self.masks.word() % 5 {
            0 => _ = self.read(&[i, j]),
            1 => {
                let first = self.read(&[i]);
                self.follow(&first);
            }
            2 => self.update(&[i, j], &[m, i]),
            3 => self.overwrite(i, m, false),
            _ => self.overwrite(i, m, true),
        }
    }
}

fn random_session(log_size: u32, seed: u64, load: bool, operations: usize) {
    let mut pair = Pair::new(log_size, seed, 100 + 30 * operations);
    if load {
        pair.load();
    }
    pair.preprocess(2 * operations, 0);
    pair.preprocess(0, operations);
    pair.preprocess(1, operations);
    for _ in 0..operations {
        pair.random_operation();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_message_result_and_state_equals_the_specification(seed: u64, log_size in 1u32..6, load: bool) {
        random_session(log_size, seed, load, 5);
    }
}

#[test]
fn every_size_up_to_2_to_the_9() {
    for log_size in 1..=9 {
        random_session(log_size, u64::from(log_size), true, 2);
    }
}

/// The comparison bites: one other random word of P0, and the transcripts part.
#[test]
#[should_panic(expected = "of P0")]
fn other_randomness_is_told_apart() {
    let mut pair = Pair::new(2, 7, 1000);
    let mut spec = pair.spec();
    spec.p0.making.words[2] ^= 1;
    pair.spec = Some(spec);
    pair.preprocess(0, 1);
}

/// So does an OT that gives the receiver another key than the sender has.
#[test]
#[should_panic(expected = "of P")]
fn another_ot_is_told_apart() {
    let mut pair = Pair::new(2, 7, 1000);
    pair.parties.preprocess(Batch { reads: 0, updates: 1 }).unwrap();
    let log = pair.parties.take_log();
    let mut ots = pair.ots(&log, 2);
    ots.from_0[0].0 ^= 1 << 70;
    let step = session::preprocess(pair.spec(), 0, 1, &ots);
    pair.compare(&log, step);
}
