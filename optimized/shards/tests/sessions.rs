//! Whole sessions: the answers are those of an array, and the messages those of a party of one process, byte by byte.

use duoram_reference::{Batch, SessionId, Word};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::observer::{Inputs, Observer, Stop};
use duoram_runtime::operation::{Operation, Row, demand};
use duoram_runtime::protocol::{Rules, Runs};
use duoram_runtime::schedule::Piece;
use duoram_runtime::seed::Seeds;
use duoram_runtime::session::Outcome;
use duoram_runtime::transport::Transport;
use duoram_shards::Sharded;

/// All frames of a session, link by link in the order of their sending.
#[derive(Default)]
struct Frames(Vec<(u8, u8, Vec<u8>)>);

impl Frames {
    fn take(&mut self, outcome: &Outcome) {
        for event in &outcome.events {
            if let (Some(peer), Some(frame)) = (event.peer, &event.frame) {
                self.0.push((event.party.number(), peer.number(), frame.clone()));
            }
        }
        self.0.sort_by_key(|(from, to, _)| (*from, *to));
    }
}

impl Observer for Frames {
    fn wants_contents(&self) -> bool {
        true
    }

    fn connected(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }

    fn loaded(&mut self, _: &[Word], _: Option<&[Vec<Word>; 2]>, outcome: &Outcome) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }

    fn preprocessed(&mut self, _: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }

    fn performed(
        &mut self,
        _: &Piece,
        _: Option<&Inputs>,
        _: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }
}

/// Some of every kind, anywhere.
fn operations(n: u64, row_words: usize) -> Vec<Operation> {
    (0..4)
        .flat_map(|i: u64| {
            let (address, other) = (i.wrapping_mul(0x9e37_79b9) % n, i.wrapping_mul(0x85eb_ca6b) % n);
            let row = |first: u64| (0..row_words as u64).map(|word| first ^ word << 40).collect();
            [
                Operation::Update { address, delta: row(!i) },
                Operation::Write { address: other, value: row(i % n) },
                Operation::Swap { address: other, value: row(!i % n) },
                Operation::Read { address: other },
                Operation::Read { address },
                Operation::Chase { address: other, steps: 2 },
            ]
        })
        .collect()
}

/// Runs them, and compares each result with a plain array; the frames.
fn session<P: Runs<C>, C: LocalComputation>(
    computation: &C,
    (rows, row_words): (usize, usize),
    name: &str,
) -> Frames {
    let session = SessionId(*b"sharded session.");
    let parameters = Extent::of_rows(rows, row_words).parameters(session).unwrap();
    let seeds =
        Seeds { client: [7; 32], parties: [[1; 32], [2; 32], [3; 32]], session: parameters.session() };
    let budget = Budget { batch: 7, stock: 100, queries: 2 };
    let mut frames = Frames::default();
    let mut client = Client::<P, _>::start(
        parameters,
        &seeds,
        |_| computation.clone(),
        budget,
        Transport::Memory,
        &mut frames,
    )
    .unwrap();
    let words: Vec<Word> = (0..parameters.words() as u64).map(|i| i.wrapping_mul(0xc2b2_ae35)).collect();
    client.load(&words).unwrap();
    let mut memory: Vec<Row> = words.chunks(row_words).map(<[Word]>::to_vec).collect();
    // Addresses that have no rows are read as zeros, and what is put there is gone.
    let nothing = vec![0; row_words];
    let operations = operations(parameters.size(), row_words);
    client.preprocess(demand::<P>(&operations), |_| ()).unwrap();
    let place = |address: Word| usize::try_from(address % parameters.size()).unwrap();
    for operation in operations {
        let expected = match &operation {
            Operation::Read { address } => Some(memory.get(place(*address)).unwrap_or(&nothing).clone()),
            Operation::Update { address, delta } => {
                for (word, delta) in memory.get_mut(place(*address)).into_iter().flatten().zip(delta) {
                    *word = P::open([*word, *delta]);
                }
                None
            }
            Operation::Write { address, value } => {
                memory.get_mut(place(*address)).into_iter().for_each(|row| row.clone_from(value));
                None
            }
            Operation::Swap { address, value } => {
                let row = memory.get_mut(place(*address));
                Some(row.map_or_else(|| nothing.clone(), |row| std::mem::replace(row, value.clone())))
            }
            Operation::Chase { address, steps } => {
                let row = |address: Word| memory.get(place(address)).unwrap_or(&nothing);
                let last = (1..*steps).fold(*address, |address, _| row(address)[0]);
                Some(row(last).clone())
            }
        };
        let got = client.perform(operation.clone()).unwrap();
        assert_eq!(got, expected, "{name}, {rows} rows of {row_words}: {operation}");
    }
    drop(client);
    frames
}

/// Sizes are the rows, and the words of each.
pub(crate) fn all_say_the_same<P>(
    workers: &[(String, Sharded)],
    plain_up_to: u32,
    sizes: impl IntoIterator<Item = (usize, usize)>,
) where
    P: Rules + Runs<Sharded> + Runs<Fast> + Runs<<P as Rules>::Plain>,
{
    let fast = crate::fast(1);
    for size in sizes {
        let expected = if size.0 <= 1 << plain_up_to {
            session::<P, _>(&<P as Rules>::Plain::default(), size, "plain")
        } else {
            session::<P, _>(&fast, size, "one process")
        };
        assert!(expected.0.len() > 100);
        for (name, sharded) in workers {
            let got = session::<P, _>(sharded, size, name);
            assert!(got.0 == expected.0, "{name}, m and w {size:?}: other messages");
        }
    }
}

/// Sizes without rows.
pub(crate) fn words(sizes: impl IntoIterator<Item = u32>) -> impl Iterator<Item = (usize, usize)> {
    sizes.into_iter().map(|log_size| (1 << log_size, 1))
}

#[test]
fn of_the_paper() {
    all_say_the_same::<duoram_reference::Paper>(&crate::sharded(), 8, words((1..=9).chain([12])));
}

#[test]
fn of_the_lean_protocol() {
    all_say_the_same::<duoram_reference::lean::Lean>(&crate::sharded(), 8, words((1..=11).chain([13])));
}

#[test]
fn of_the_lean_protocol_with_rows() {
    let sizes = [1, 2, 4, 7, 8, 10].map(|log_size| [(1 << log_size, 2), (1 << log_size, 3)]).concat();
    all_say_the_same::<duoram_reference::lean::Lean>(&crate::sharded(), 7, sizes);
    all_say_the_same::<duoram_reference::lean::Lean>(&crate::sharded(), 3, [(2, 64), (8, 64), (512, 64)]);
}

/// Numbers of rows that end within the flags of a node, at their end, and a row behind it, so that units are of two workers or of none.
#[test]
fn of_the_lean_protocol_with_fewer_rows_than_addresses() {
    let sizes =
        [(1, 1), (3, 1), (5, 2), (65, 1), (127, 3), (129, 1), (384, 1), (385, 2), (1000, 1), (5000, 1)];
    all_say_the_same::<duoram_reference::lean::Lean>(&crate::sharded(), 9, sizes);
}
