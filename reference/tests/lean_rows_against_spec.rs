//! The lean parties over rows against the specification's: on equal randomness every message, result and state is equal, for
//! rows of one word and of many.
#![allow(missing_docs)]

use crate::common::Masks;
use crate::common::lean::{place_in_spec, row_operands};
use duoram_reference::lean::Plain;
use duoram_reference::lean::local::LocalSession;
use duoram_reference::{Batch, HEADER_LENGTH, Header, Parameters, SessionId, Word};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::lemmas::states_agree;
use duoram_spec::lean::memory::State;
use duoram_spec::lean::party::{hello, pair_seed};
use duoram_spec::lean::row_session::{
    RowQuery, RowSession, RowStep, connect, load, preprocess, put, reads, updates,
};
use duoram_spec::lean::rows::{ColumnPrg, rows_of};
use duoram_spec::lean::session::{Sent, Streams, state};
use duoram_spec::lean::tape::PairStreams;
use duoram_vectors::randomness::numbered_stream;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

type Spec = RowSession<XorWord, ColumnPrg>;

/// Items of a session.
const BATCH: Batch = Batch { reads: 4, updates: 4 };

/// P0's share of a query, and P1's.
type Queries = (RowQuery<XorWord>, RowQuery<XorWord>);

/// The parties and the specification, side by side.
struct Pair {
    parties: LocalSession,
    spec: Option<Spec>,
    masks: Masks,
    row_words: usize,
    words: usize,
    messages: usize,
}

/// A message: kind, from, to, operation, place among those of its kind, payload.
type Placed = (u8, u8, u8, u64, u32, Vec<u8>);

fn specified(Sent { kind, from, to, operation, round, payload }: Sent) -> Placed {
    (kind, from, to, operation, place_in_spec(kind, round), payload)
}

fn ring(words: &[Word]) -> Vec<XorWord> {
    words.iter().map(|&bits| XorWord { bits }).collect()
}

impl Pair {
    fn new(log_size: u32, (rows, row_words): (usize, usize), seed: u64) -> Self {
        let mut masks = Masks::new(seed);
        let seeds = [0, 1, 2].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        let items = BATCH.reads + BATCH.updates;
        let room = 20 + items * (5 + 2 * row_words);
        let tapes = seeds.map(|seed| {
            let mut rng = ChaCha20Rng::from_seed(seed);
            (0..room).map(|_| rng.next_u64()).collect::<Vec<_>>()
        });
        let parameters = Parameters::new(SessionId(*b"against the spec"), log_size).unwrap();
        let parameters = parameters.with_rows(rows).unwrap().with_row_words(row_words).unwrap();
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
            let of_item = 2 * (5 * height + 3 + 9 * row_words) + 5 * row_words;
            let count = |number| if number == 0 { row_words * rows } else { of_item };
            PairStreams { streams: (0..=items as u64).map(|j| numbered_stream(bytes, j, count(j))).collect() }
        };
        let streams = Streams { pair_01: streams(0, 1), pair_02: streams(0, 2), pair_12: streams(1, 2) };
        let step = connect(height, rows, row_words, (&tapes[0], &tapes[1], &tapes[2]), &streams);
        let words = row_words * rows;
        let mut pair = Self { parties, spec: None, masks, row_words, words, messages: 0 };
        pair.compare(step);
        pair
    }

    fn spec(&mut self) -> Spec {
        self.spec.take().unwrap()
    }

    fn draw(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.masks.word()).collect()
    }

    /// Compares the last step: all messages, link by link, and the three states; what the results are to be.
    fn compare(&mut self, step: RowStep<XorWord, ColumnPrg>) -> [Vec<Word>; 2] {
        let delivered = |delivery: duoram_reference::local::Delivery| {
            let frame = delivery.frame;
            let header = Header::decode(frame.from, &frame.bytes).unwrap();
            let [from, to] = [header.from, header.to].map(duoram_reference::Role::number);
            let place = crate::common::lean::place(&header);
            (header.kind, from, to, header.operation, place, frame.bytes[HEADER_LENGTH..].to_vec())
        };
        let by_link = |mut messages: Vec<Placed>| {
            // Links keep their order: the sort is stable.
            messages.sort_by_key(|message| (message.1, message.2));
            messages
        };
        let got = by_link(self.parties.take_log().into_iter().map(delivered).collect());
        let expected = by_link(step.sent.into_iter().map(specified).collect());
        for (got, expected) in got.iter().zip(&expected) {
            assert_eq!(got, expected);
        }
        assert_eq!(got.len(), expected.len());
        self.messages += got.len();
        self.compare_states(&step.session);
        self.spec = Some(step.session);
        let words = |rows: Vec<Vec<XorWord>>| rows.concat().iter().map(|word| word.bits).collect();
        let (of_0, of_1): (Vec<_>, Vec<_>) = step.results.into_iter().unzip();
        [words(of_0), words(of_1)]
    }

    fn compare_states(&self, spec: &Spec) {
        let columns: Vec<State<XorWord>> = spec.columns.iter().map(state).collect();
        assert!(columns.iter().all(states_agree));
        let rows = |of: &dyn Fn(&State<XorWord>) -> Vec<XorWord>| {
            rows_of(&columns.iter().map(of).collect::<Vec<_>>(), spec.rows)
        };
        let (p0, p1, p2) = self.parties.parties();
        assert_eq!(ring(&p0.memory().alpha), rows(&|c| c.p0.alpha.clone()));
        assert_eq!(ring(&p0.memory().beta), rows(&|c| c.p0.beta.clone()));
        assert_eq!(ring(&p1.memory().alpha), rows(&|c| c.p1.alpha.clone()));
        assert_eq!(ring(&p2.memory().alpha), rows(&|c| c.p2.alpha.clone()));
        assert_eq!(ring(&p2.memory().beta), rows(&|c| c.p2.beta.clone()));
    }

    fn load(&mut self) {
        let (d_0, d_1) = (self.draw(self.words), self.draw(self.words));
        let step = load(self.spec(), &ring(&d_0), &ring(&d_1));
        self.parties.load([d_0, d_1]).unwrap();
        self.compare(step);
    }

    fn preprocess(&mut self, batch: Batch) {
        let step = preprocess(self.spec(), batch.reads, batch.updates);
        self.parties.preprocess(batch).unwrap();
        self.compare(step);
    }

    fn read(&mut self, count: usize) {
        let addresses = [self.draw(count), self.draw(count)];
        let shares: Vec<_> = addresses[0].iter().copied().zip(addresses[1].iter().copied()).collect();
        let step = reads(self.spec(), &shares);
        let results = self.parties.read([&addresses[0], &addresses[1]]).unwrap();
        assert_eq!(results, self.compare(step));
    }

    /// Shares of addresses and of rows, as the parties and as the specification have them.
    fn queries(&mut self, count: usize) -> ([Vec<Word>; 2], Vec<Queries>) {
        let addresses = [self.draw(count), self.draw(count)];
        let rows = [self.draw(count * self.row_words), self.draw(count * self.row_words)];
        let query = |b: usize, number: usize| RowQuery {
            address: addresses[b][number],
            row: ring(&rows[b][number * self.row_words..][..self.row_words]),
        };
        let queries = (0..count).map(|number| (query(0, number), query(1, number))).collect();
        (row_operands(&addresses, &rows), queries)
    }

    fn update(&mut self, count: usize) {
        let ([of_0, of_1], queries) = self.queries(count);
        let step = updates(self.spec(), &queries);
        self.parties.update_rows(count, [&of_0, &of_1]).unwrap();
        self.compare(step);
    }

    fn put(&mut self, swap: bool) {
        let ([of_0, of_1], queries) = self.queries(1);
        let step = put(self.spec(), &queries[0], swap);
        let (addresses, rows) = ([of_0[0], of_1[0]], [&of_0[1..], &of_1[1..]]);
        let results = if swap {
            self.parties.swap_row(addresses, rows).unwrap()
        } else {
            self.parties.write_row(addresses, rows).map(|()| [vec![], vec![]]).unwrap()
        };
        assert_eq!(results, self.compare(step));
    }
}

fn session(log_size: u32, rows: usize, row_words: usize, load: bool) -> usize {
    let mut pair = Pair::new(log_size, (rows, row_words), u64::from(log_size) << 16 | row_words as u64);
    if load {
        pair.load();
    }
    pair.preprocess(Batch { reads: 1, updates: 0 });
    pair.preprocess(Batch { reads: 0, updates: 1 });
    pair.preprocess(Batch { reads: BATCH.reads - 1, updates: BATCH.updates - 1 });
    pair.read(2);
    pair.update(2);
    pair.put(false);
    pair.read(1);
    pair.put(true);
    pair.read(1);
    pair.messages
}

/// READ items without a level and with levels, rows that end within chunks and at their ends.
#[test]
fn every_message_result_and_state_over_rows_equals_the_specification() {
    for row_words in [1, 2, 3, 8] {
        for log_size in [1, 2, 3, 4, 7, 8, 9] {
            assert!(session(log_size, 1 << log_size, row_words, log_size % 2 == 0) > 60);
        }
    }
    // Of the most words, and of more than one chunk of a load: each takes as long as all above.
    std::thread::scope(|scope| {
        for (log_size, row_words) in [(1, 512), (3, 512), (8, 300)] {
            scope.spawn(move || session(log_size, 1 << log_size, row_words, true));
        }
    });
    // Fewer rows than addresses.
    for (log_size, rows, row_words, load) in
        [(1, 1, 2, true), (2, 3, 3, true), (7, 65, 2, false), (8, 200, 3, true)]
    {
        session(log_size, rows, row_words, load);
    }
}

/// The comparison bites: a word of a row's mask that is the row's first one, and the messages part.
#[test]
#[should_panic(expected = "assertion `left == right` failed")]
fn a_mask_of_another_column_is_told_apart() {
    let mut pair = Pair::new(3, (8, 2), 7);
    let mut spec = pair.spec();
    // Behind the words r_1 of both DPFs is rho.
    for words in &mut spec.streams.pair_12.streams[1..] {
        words.swap(2, 3);
    }
    pair.spec = Some(spec);
    for words in [1, 2] {
        pair.preprocess(Batch { reads: words, updates: words });
    }
    pair.read(2);
    pair.put(true);
}
