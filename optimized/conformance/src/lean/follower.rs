//! The specification's lean session, taken through the same steps on the same random words: that of rows, of one word or of more.

use duoram_reference::{Batch, Parameters, SessionId, Word};
use duoram_runtime::local_computation::Extent;
use duoram_runtime::observer::Inputs;
use duoram_runtime::seed::Seeds;
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::layers::Purpose;
use duoram_spec::lean::memory::{State, State0, State1, State2};
use duoram_spec::lean::party::{HELLO_WORDS, hello, pair_seed};
use duoram_spec::lean::row_session::{self, RowQuery, RowSession, RowStep};
use duoram_spec::lean::rows::{ColumnPrg, common_words_0, rows_of};
use duoram_spec::lean::session::{self, Streams, state};
use duoram_spec::lean::tape::{PRIMARY_WORDS, PairStreams, seed_words_0, seed_words_1};
use duoram_vectors::randomness::{numbered_stream, stream};

use super::view::{View, open, ring};
use crate::audit::{self, Expected, Sent};

/// The rows of an item's stream that are drawn online, or that P0 and P1 have alone, at the most.
const ONLINE_ROWS: usize = 5;

/// A session under the PRG of each column.
type Session = RowSession<XorWord, ColumnPrg>;

/// What a step of it yields.
type Step = RowStep<XorWord, ColumnPrg>;

/// The specification's session.
pub struct Follower {
    id: SessionId,
    extent: Extent,
    /// The parties' own random words, and the pairs' streams, until they are handed to the session.
    drawn: Option<([Vec<Word>; 3], Streams)>,
    session: Option<Session>,
}

/// The words of the longest stream of an item.
fn item_words(Extent { log_size, row_words, .. }: Extent) -> usize {
    let (h, purpose) = (log_size as usize, Purpose::Update);
    let common = common_words_0(h, purpose);
    let rows = seed_words_0(h, purpose) - common;
    2 * (common.max(seed_words_1(h, purpose)) + rows * row_words) + ONLINE_ROWS * row_words
}

impl audit::Follower for Follower {
    type View = View;

    fn new(parameters: Parameters, seeds: &Seeds, loads: bool, demand: Batch) -> Self {
        let extent = Extent::from(&parameters);
        let items = demand.reads + demand.updates;
        // An UPDATE item has two rows of P2's.
        let count = HELLO_WORDS + items * PRIMARY_WORDS + 2 * demand.updates * extent.row_words;
        let own = seeds.parties.map(|seed| stream(seed, count));
        let of_load = if loads { parameters.words() } else { 0 };
        // What a party says to the later of the two others holds another seed than what it says to the earlier.
        let pair = |one: usize, other: usize| {
            let later = (other == 2, one == 1);
            let seed =
                pair_seed(&hello(&own[one], extent.rows, later.0), &hello(&own[other], extent.rows, later.1));
            let mut bytes = [0; 32];
            for (place, word) in bytes.chunks_exact_mut(8).zip(seed) {
                place.copy_from_slice(&word.to_le_bytes());
            }
            let words = |number| if number == 0 { of_load } else { item_words(extent) };
            PairStreams {
                streams: (0..=items)
                    .map(|number| numbered_stream(bytes, number as u64, words(number)))
                    .collect(),
            }
        };
        let streams = Streams { pair_01: pair(0, 1), pair_02: pair(0, 2), pair_12: pair(1, 2) };
        let drawn = Some((own, streams));
        Self { id: parameters.session(), extent, drawn, session: None }
    }

    /// Its words, and each column's part of them at each party that has it.
    fn bytes(extent: Extent, demand: Batch) -> u64 {
        let items = (demand.reads + demand.updates) as u64;
        let own = 3 * (PRIMARY_WORDS + 2 * extent.row_words) * extent.row_words;
        let words = items.saturating_mul((own + 3 * item_words(extent)) as u64);
        // What is not a row is in every column.
        let columns = (item_words(Extent::of_words(extent.log_size)) * extent.row_words) as u64;
        let words = words.saturating_add(items.saturating_mul(6 * columns));
        words.saturating_mul(3 * size_of::<Word>() as u64)
    }

    fn view(&self) -> Option<View> {
        let Session { rows: count, columns, .. } = self.session.as_ref()?;
        let columns: Vec<_> = columns.iter().map(state).collect();
        let rows = |of: fn(&State<XorWord>) -> &[XorWord]| {
            rows_of(&columns.iter().map(|column| of(column).to_vec()).collect::<Vec<_>>(), *count)
        };
        Some(View {
            p0: State0 { alpha: rows(|column| &column.p0.alpha), beta: rows(|column| &column.p0.beta) },
            p1: State1 { alpha: rows(|column| &column.p1.alpha) },
            p2: State2 { alpha: rows(|column| &column.p2.alpha), beta: rows(|column| &column.p2.beta) },
        })
    }

    fn connect(&mut self) -> Expected {
        let Some((own, streams)) = self.drawn.take() else { return self.nothing() };
        let Extent { log_size, rows, row_words } = self.extent;
        let tapes = (&own[0][..], &own[1][..], &own[2][..]);
        let step = row_session::connect(log_size as usize, rows, row_words, tapes, &streams);
        self.take(step, 0)
    }

    fn load(&mut self, share_0: &[Word], share_1: &[Word]) -> Expected {
        self.step(0, |session| row_session::load(session, &ring(share_0), &ring(share_1)))
    }

    fn preprocess(&mut self, batch: &Batch) -> Expected {
        let reads = u32::try_from(batch.reads).unwrap_or(u32::MAX);
        self.step(reads, |session| row_session::preprocess(session, batch.reads, batch.updates))
    }

    fn nothing(&self) -> Expected {
        Expected { session: self.id, sent: vec![], results: vec![] }
    }

    fn read(&mut self, address: [Word; 2]) -> Expected {
        self.step(0, |session| row_session::reads(session, &[address.into()]))
    }

    fn update(&mut self, inputs: &Inputs) -> Expected {
        self.step(0, |session| row_session::updates(session, &[queries(inputs)]))
    }

    fn write(&mut self, inputs: &Inputs) -> Expected {
        self.step(0, |session| row_session::put(session, &queries(inputs), false))
    }

    fn swap(&mut self, inputs: &Inputs) -> Expected {
        self.step(0, |session| row_session::put(session, &queries(inputs), true))
    }
}

/// What P0 gives, and what P1 gives.
fn queries(Inputs { address, value }: &Inputs) -> (RowQuery<XorWord>, RowQuery<XorWord>) {
    let query = |party: usize| RowQuery { address: address[party], row: ring(&value[party]) };
    (query(0), query(1))
}

impl Follower {
    fn step(&mut self, reads: u32, take: impl FnOnce(Session) -> Step) -> Expected {
        match self.session.take() {
            Some(session) => self.take(take(session), reads),
            None => audit::Follower::nothing(self),
        }
    }

    /// `reads` is the number of READ items, of a batch.
    fn take(&mut self, step: Step, reads: u32) -> Expected {
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
        let results = results.into_iter().map(|(read_0, read_1)| [open(&read_0), open(&read_1)]);
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
