//! A lean session in threads, by every backend, over words and over rows: against an ideal memory, and by all of them the same frames.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::lean::{self, Lean};
use duoram_reference::{Batch, SessionId, Word};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::observer::{Observer, Stop};
use duoram_runtime::operation::{Operation, Row, demand};
use duoram_runtime::protocol::Runs;
use duoram_runtime::schedule::Piece;
use duoram_runtime::seed::Seeds;
use duoram_runtime::session::Outcome;
use duoram_runtime::transport::Transport;

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

    fn loaded(
        &mut self,
        _memory: &[Word],
        _shares: Option<&[Vec<Word>; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }

    fn preprocessed(&mut self, _batch: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }

    fn performed(
        &mut self,
        _piece: &Piece,
        _inputs: Option<&duoram_runtime::observer::Inputs>,
        _result: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }
}

/// Some of every kind, anywhere; every word of a row is another.
fn operations(n: u64, row_words: usize) -> Vec<Operation> {
    let row = |first: Word| {
        (0..row_words as u64).map(|c| first ^ c.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect::<Row>()
    };
    (0..8)
        .flat_map(|i: u64| {
            let (address, other) = (i.wrapping_mul(0x9e37_79b9) % n, i.wrapping_mul(0x85eb_ca6b) % n);
            [
                Operation::Update { address, delta: row(!i) },
                Operation::Write { address: other, value: row(i % n) },
                Operation::Swap { address: other, value: row(!i % n) },
                Operation::Read { address: other },
                Operation::Read { address },
                Operation::Chase { address: other, steps: 3 },
            ]
        })
        .collect()
}

/// What an array of rows returns.
fn ideal(memory: &mut [Row], operation: &Operation) -> Option<Row> {
    let n = memory.len() as u64;
    let place = |address: Word| usize::try_from(address % n).unwrap();
    let row = &mut memory[place(operation.address())];
    match operation {
        Operation::Read { .. } => Some(row.clone()),
        Operation::Update { delta, .. } => {
            row.iter_mut().zip(delta).for_each(|(word, delta)| *word ^= delta);
            None
        }
        Operation::Write { value, .. } => {
            row.clone_from(value);
            None
        }
        Operation::Swap { value, .. } => Some(std::mem::replace(row, value.clone())),
        Operation::Chase { address, steps } => {
            let follow = |row: Row, _| memory[place(row[0])].clone();
            Some((0..*steps).fold(vec![*address], follow))
        }
    }
}

/// Runs them, and compares each result with an array of rows; the frames.
fn session<C: LocalComputation>(computation: &C, log_size: u32, row_words: usize) -> Frames
where
    Lean: Runs<C>,
{
    let extent = Extent::of(log_size, row_words);
    let parameters = extent.parameters(SessionId(*b"a lean session..")).unwrap();
    let seeds =
        Seeds { client: [7; 32], parties: [[1; 32], [2; 32], [3; 32]], session: parameters.session() };
    // The same batches whatever computes.
    let budget = Budget { batch: 20, stock: 100, queries: 2 };
    let mut frames = Frames::default();
    let mut client = Client::<Lean, _>::start(
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
    let operations = operations(parameters.size(), row_words);
    client.preprocess(demand::<Lean>(&operations), |_| ()).unwrap();
    for operation in operations {
        let expected = ideal(&mut memory, &operation);
        assert_eq!(client.perform(operation.clone()).unwrap(), expected, "{extent}: {operation}");
    }
    drop(client);
    frames
}

#[test]
fn every_backend_answers_as_an_array_and_sends_what_the_reference_sends() {
    let words = (1..=12).map(|log_size| (log_size, 1));
    let rows = [2, 3, 8].into_iter().flat_map(|row_words| [1, 3, 7, 9].map(|log_size| (log_size, row_words)));
    for (log_size, row_words) in words.chain(rows).chain([(2, 512)]) {
        let expected = session(&lean::Plain, log_size, row_words);
        assert!(expected.0.len() > 100);
        for backend in Backend::available(&Features::detect()) {
            for threads in [1, 2] {
                let fast = Fast::new(backend, Workers::new(threads).unwrap(), 1 << 20);
                let got = session(&fast, log_size, row_words);
                let name = backend.name();
                assert!(got.0 == expected.0, "{name}, {threads} threads, h = {log_size}, w = {row_words}");
            }
        }
    }
}

/// Operands of another length are refused by the parties, and the session ends in words.
#[test]
fn a_row_of_another_length_ends_the_session() {
    let parameters = Extent::of(3, 3).parameters(SessionId(*b"a lean session..")).unwrap();
    let seeds =
        Seeds { client: [7; 32], parties: [[1; 32], [2; 32], [3; 32]], session: parameters.session() };
    for operation in [
        Operation::Update { address: 1, delta: vec![1; 2] },
        Operation::Write { address: 1, value: vec![1; 4] },
        Operation::Swap { address: 1, value: vec![] },
    ] {
        let budget = Budget { batch: 20, stock: 100, queries: 2 };
        let start =
            Client::<Lean, _>::start(parameters, &seeds, |_| lean::Plain, budget, Transport::Memory, ());
        let mut client = start.unwrap();
        client.preprocess(Batch { reads: 0, updates: 1 }, |_| ()).unwrap();
        let error = client.perform(operation.clone()).unwrap_err().to_string();
        assert!(error.starts_with("P0 refused: ") && error.contains('4'), "{operation}: {error}");
    }
}
