//! The specification's lean session, taken through the same steps on the same random words.

use duoram_reference::{Batch, Parameters, SessionId, Word};
use duoram_runtime::observer::Inputs;
use duoram_runtime::seed::Seeds;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::layers::Purpose;
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::{HELLO_WORDS, hello, pair_seed};
use duoram_spec::lean::session::{self, Session, Step, Streams};
use duoram_spec::lean::tape::{PRIMARY_WORDS, PairStreams, seed_words_0, seed_words_1};
use duoram_vectors::randomness::{numbered_stream, stream};

use super::view::{View, ring};
use crate::audit::{self, Expected, Sent};

/// What the words of an item's stream that are drawn online take, and those that P0 and P1 have alone.
const ONLINE_WORDS: usize = 8;

/// The specification's session.
pub struct Follower {
    id: SessionId,
    log_size: usize,
    /// The parties' own random words, and the pairs' streams, until they are handed to the session.
    drawn: Option<([Vec<Word>; 3], Streams)>,
    session: Option<Session<XorWord, AesPrg>>,
}

/// The words of the longest stream of an item.
fn item_words(log_size: usize) -> usize {
    2 * seed_words_0(log_size, Purpose::Update).max(seed_words_1(log_size, Purpose::Update)) + ONLINE_WORDS
}

impl audit::Follower for Follower {
    type View = View;

    fn new(parameters: Parameters, seeds: &Seeds, loads: bool, demand: Batch) -> Self {
        let log_size = parameters.log_size() as usize;
        let items = demand.reads + demand.updates;
        // An UPDATE item has two words of P2's.
        let count = HELLO_WORDS + items * PRIMARY_WORDS + 2 * demand.updates;
        let own = seeds.parties.map(|seed| stream(seed, count));
        let of_load = if loads { 1 << log_size } else { 0 };
        // What a party says to the later of the two others holds another seed than what it says to the earlier.
        let pair = |one: usize, other: usize| {
            let later = (other == 2, one == 1);
            let seed =
                pair_seed(&hello(&own[one], log_size, later.0), &hello(&own[other], log_size, later.1));
            let mut bytes = [0; 32];
            for (place, word) in bytes.chunks_exact_mut(8).zip(seed) {
                place.copy_from_slice(&word.to_le_bytes());
            }
            let words = |number| if number == 0 { of_load } else { item_words(log_size) };
            PairStreams {
                streams: (0..=items)
                    .map(|number| numbered_stream(bytes, number as u64, words(number)))
                    .collect(),
            }
        };
        let streams = Streams { pair_01: pair(0, 1), pair_02: pair(0, 2), pair_12: pair(1, 2) };
        let drawn = Some((own, streams));
        Self { id: parameters.session(), log_size, drawn, session: None }
    }

    /// Its words, and a copy at each party that has them.
    fn bytes(log_size: usize, demand: Batch) -> u64 {
        let items = (demand.reads + demand.updates) as u64;
        let words = items.saturating_mul((3 * (PRIMARY_WORDS + 2) + 3 * item_words(log_size)) as u64);
        words.saturating_mul(3 * size_of::<Word>() as u64)
    }

    fn view(&self) -> Option<View> {
        self.session.as_ref().map(session::state)
    }

    fn connect(&mut self) -> Expected {
        let Some((own, streams)) = self.drawn.take() else { return self.nothing() };
        let step = session::connect(self.log_size, (&own[0], &own[1], &own[2]), &streams);
        self.take(step, 0)
    }

    fn load(&mut self, share_0: &[Word], share_1: &[Word]) -> Expected {
        self.step(0, |session| session::load(session, &ring(share_0), &ring(share_1)))
    }

    fn preprocess(&mut self, batch: &Batch) -> Expected {
        let reads = u32::try_from(batch.reads).unwrap_or(u32::MAX);
        self.step(reads, |session| session::preprocess(session, batch.reads, batch.updates))
    }

    fn nothing(&self) -> Expected {
        Expected { session: self.id, sent: vec![], results: vec![] }
    }

    fn read(&mut self, address: [Word; 2]) -> Expected {
        self.step(0, |session| session::reads(session, &[address.into()]))
    }

    fn update(&mut self, inputs: &Inputs) -> Expected {
        self.step(0, |session| session::updates(session, &[queries(inputs)]))
    }

    fn write(&mut self, inputs: &Inputs) -> Expected {
        self.step(0, |session| session::write(session, queries(inputs)))
    }

    fn swap(&mut self, inputs: &Inputs) -> Expected {
        self.step(0, |session| session::swap(session, queries(inputs)))
    }
}

/// What P0 gives, and what P1 gives.
fn queries(&Inputs { address, value }: &Inputs) -> (Query<XorWord>, Query<XorWord>) {
    let query = |party: usize| Query { address: address[party], value: XorWord { bits: value[party] } };
    (query(0), query(1))
}

impl Follower {
    fn step(
        &mut self,
        reads: u32,
        take: impl FnOnce(Session<XorWord, AesPrg>) -> Step<XorWord, AesPrg>,
    ) -> Expected {
        match self.session.take() {
            Some(session) => self.take(take(session), reads),
            None => audit::Follower::nothing(self),
        }
    }

    /// `reads` is the number of READ items, of a batch.
    fn take(&mut self, step: Step<XorWord, AesPrg>, reads: u32) -> Expected {
        let Step { session, sent, results } = step;
        self.session = Some(session);
        let sent = sent.into_iter().map(|session::Sent { kind, from, to, operation, round, payload }| Sent {
            kind,
            from,
            to,
            operation,
            round: header_round(kind, round, reads),
            payload,
        });
        let results = results.into_iter().map(|(read_0, read_1)| [read_0.bits, read_1.bits]);
        Expected { session: self.id, sent: sent.collect(), results: results.collect() }
    }
}

/// The round of a header (`reference/PROTOCOL.md`, part two, "Frames and messages"). The specification's counts time: a level takes
/// two messages, after the first of the step.
fn header_round(kind: u8, time: u32, reads: u32) -> u32 {
    match kind {
        2 | 3 => time,
        4 | 5 | 8..=11 => reads,
        6 | 7 => time.saturating_sub(1) / 2,
        _ => 0,
    }
}
