//! A lean session in threads, by every backend: against an ideal memory, and by all of them the same frames.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::lean::{self, Lean};
use duoram_reference::{Batch, Parameters, SessionId, Word};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::observer::{Observer, Stop};
use duoram_runtime::operation::{Operation, demand};
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
        _result: Option<[Word; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.take(outcome);
        Ok(())
    }
}

/// Some of every kind, anywhere.
fn operations(n: u64) -> Vec<Operation> {
    (0..8)
        .flat_map(|i: u64| {
            let (address, other) = (i.wrapping_mul(0x9e37_79b9) % n, i.wrapping_mul(0x85eb_ca6b) % n);
            [
                Operation::Update { address, delta: !i },
                Operation::Write { address: other, value: i % n },
                Operation::Swap { address: other, value: !i % n },
                Operation::Read { address: other },
                Operation::Read { address },
                Operation::Chase { address: other, steps: 3 },
            ]
        })
        .collect()
}

/// Runs them, and compares each result with a plain array; the frames.
fn session<C: LocalComputation>(computation: &C, log_size: u32) -> Frames
where
    Lean: Runs<C>,
{
    let parameters = Parameters::new(SessionId(*b"a lean session.."), log_size).unwrap();
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
    let mut memory: Vec<Word> = (0..parameters.size()).map(|i| i.wrapping_mul(0xc2b2_ae35)).collect();
    client.load(&memory).unwrap();
    let operations = operations(parameters.size());
    client.preprocess(demand::<Lean>(&operations), |_| ()).unwrap();
    let place = |address: Word| usize::try_from(address % parameters.size()).unwrap();
    for operation in operations {
        let expected = match operation {
            Operation::Read { address } => Some(memory[place(address)]),
            Operation::Update { address, delta } => {
                memory[place(address)] ^= delta;
                None
            }
            Operation::Write { address, value } => {
                memory[place(address)] = value;
                None
            }
            Operation::Swap { address, value } => Some(std::mem::replace(&mut memory[place(address)], value)),
            Operation::Chase { address, steps } => {
                Some((0..steps).fold(address, |address, _| memory[place(address)]))
            }
        };
        assert_eq!(client.perform(operation).unwrap(), expected, "h = {log_size}: {operation}");
    }
    drop(client);
    frames
}

#[test]
fn every_backend_answers_as_an_array_and_sends_what_the_reference_sends() {
    for log_size in 1..=12 {
        let expected = session(&lean::Plain, log_size);
        assert!(expected.0.len() > 100);
        for backend in Backend::available(&Features::detect()) {
            for threads in [1, 2] {
                let fast = Fast::new(backend, Workers::new(threads).unwrap(), 1 << 20);
                let got = session(&fast, log_size);
                assert!(got.0 == expected.0, "{}, {threads} threads, h = {log_size}", backend.name());
            }
        }
    }
}
