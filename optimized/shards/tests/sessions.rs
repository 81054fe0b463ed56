//! Whole sessions: the answers are those of an array, and the messages those of a party of one process, byte by byte.

use duoram_reference::lean::Lean;
use duoram_reference::{Batch, Parameters, Role, SessionId, Word};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation;
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
fn operations(n: u64) -> Vec<Operation> {
    (0..4)
        .flat_map(|i: u64| {
            let (address, other) = (i.wrapping_mul(0x9e37_79b9) % n, i.wrapping_mul(0x85eb_ca6b) % n);
            [
                Operation::Update { address, delta: vec![!i] },
                Operation::Write { address: other, value: vec![i % n] },
                Operation::Swap { address: other, value: vec![!i % n] },
                Operation::Read { address: other },
                Operation::Read { address },
                Operation::Chase { address: other, steps: 2 },
            ]
        })
        .collect()
}

/// Runs them, and compares each result with a plain array; the frames.
fn session<P: Runs<C>, C: LocalComputation>(computation: &C, log_size: u32, name: &str) -> Frames {
    let parameters = Parameters::new(SessionId(*b"sharded session."), log_size).unwrap();
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
    let mut memory: Vec<Word> = (0..parameters.size()).map(|i| i.wrapping_mul(0xc2b2_ae35)).collect();
    client.load(&memory).unwrap();
    let operations = operations(parameters.size());
    client.preprocess(demand::<P>(&operations), |_| ()).unwrap();
    let place = |address: Word| usize::try_from(address % parameters.size()).unwrap();
    for operation in operations {
        let expected = match &operation {
            Operation::Read { address } => Some(memory[place(*address)]),
            Operation::Update { address, delta } => {
                let word = &mut memory[place(*address)];
                *word = P::open([*word, delta[0]]);
                None
            }
            Operation::Write { address, value } => {
                memory[place(*address)] = value[0];
                None
            }
            Operation::Swap { address, value } => {
                Some(std::mem::replace(&mut memory[place(*address)], value[0]))
            }
            Operation::Chase { address, steps } => {
                Some((0..*steps).fold(*address, |address, _| memory[place(address)]))
            }
        };
        let got = client.perform(operation.clone()).unwrap();
        assert_eq!(got, expected.map(|word| vec![word]), "{name}, h = {log_size}: {operation}");
    }
    drop(client);
    frames
}

pub(crate) fn all_say_the_same<P>(
    workers: &[(String, Sharded)],
    plain_up_to: u32,
    sizes: impl IntoIterator<Item = u32>,
) where
    P: Rules + Runs<Sharded> + Runs<Fast> + Runs<<P as Rules>::Plain>,
{
    let fast = crate::fast(1);
    for log_size in sizes {
        let expected = if log_size <= plain_up_to {
            session::<P, _>(&<P as Rules>::Plain::default(), log_size, "plain")
        } else {
            session::<P, _>(&fast, log_size, "one process")
        };
        assert!(expected.0.len() > 100);
        for (name, sharded) in workers {
            let got = session::<P, _>(sharded, log_size, name);
            assert!(got.0 == expected.0, "{name}, h = {log_size}: other messages");
        }
    }
}

#[test]
fn of_the_paper() {
    all_say_the_same::<duoram_reference::Paper>(&crate::sharded(), 8, (1..=9).chain([12]));
}

#[test]
fn of_the_lean_protocol() {
    all_say_the_same::<duoram_reference::lean::Lean>(&crate::sharded(), 8, (1..=11).chain([13]));
}

/// A worker has words only, and says so before anything is allocated.
#[test]
fn rows_are_refused() {
    let parameters = Parameters::new(SessionId(*b"sharded session."), 3).unwrap().with_row_words(2).unwrap();
    let refused = Some(duoram_reference::Error::RowWordsOutOfRange { max: 1, got: 2 });
    for (name, sharded) in crate::sharded() {
        for role in [Role::P0, Role::P1] {
            let primary = <Lean as Runs<Sharded>>::primary(role, parameters, [1; 32], sharded.clone());
            assert_eq!(primary.err(), refused, "{name}");
        }
        assert!(<Lean as Runs<Sharded>>::helper(parameters, [1; 32], sharded.clone()).is_none(), "{name}");
        let lasting = <Lean as Runs<Sharded>>::lasting(Role::P2, parameters, [1; 32], sharded.clone());
        assert_eq!(lasting.err(), refused, "{name}");
    }
}
