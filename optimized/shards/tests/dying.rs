//! A worker that is gone ends the party, with a message that says which; nothing goes on without it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use duoram_reference::{Compute, Paper, Parameters, SessionId};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::operation::{Operation, demand};
use duoram_runtime::seed::Seeds;
use duoram_runtime::transport::Transport;
use duoram_shards::{By, Collective, Cut, Failure, Sharded, Threads};
use zeroize::Zeroizing;

/// Threads of which one is gone after some calls.
struct Dying {
    threads: Threads,
    left: Arc<AtomicUsize>,
}

impl Dying {
    fn call(&self) -> Result<(), Failure> {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| Failure::Gone { rank: 2, why: None })
    }
}

impl Collective for Dying {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        self.threads.size()
    }

    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure> {
        self.call()?;
        self.threads.broadcast(bytes)
    }

    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure> {
        self.call()?;
        self.threads.reduce(by, words)
    }

    fn send(&mut self, to: usize, words: &[u64]) -> Result<(), Failure> {
        self.call()?;
        self.threads.send(to, words)
    }

    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure> {
        self.call()?;
        self.threads.receive(from, words)
    }

    fn abort(&mut self, failure: &Failure) -> ! {
        self.threads.abort(failure)
    }
}

fn dying(left: usize) -> (Sharded, Arc<AtomicUsize>) {
    let (fast, left) = (crate::fast(1), Arc::new(AtomicUsize::new(left)));
    let threads = Threads::start(3, &fast, None).unwrap();
    let dying = Dying { threads, left: Arc::clone(&left) };
    (Sharded::new(Box::new(dying), fast, &Cut::even(3), None).unwrap(), left)
}

#[test]
fn the_message_names_the_worker() {
    let (sharded, left) = dying(1000);
    let memory = sharded.zero_helper_memory(4);
    left.store(0, Ordering::SeqCst);
    let message = catch_unwind(AssertUnwindSafe(|| sharded.helper_words(&memory)[0].len())).unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert_eq!(message, "the party cannot go on: worker 2 is gone");
}

/// At whatever call it happens, the session ends by an error, and does not hang.
#[test]
fn a_session_stops() {
    let parameters = Parameters::new(SessionId(*b"a dying session."), 5).unwrap();
    let seeds =
        Seeds { client: [7; 32], parties: [[1; 32], [2; 32], [3; 32]], session: parameters.session() };
    let operations = [Operation::Read { address: 3 }, Operation::Update { address: 3, delta: vec![9] }];
    // All of it takes more calls than the last of these.
    for calls in (4..40).step_by(5) {
        let (sharded, _) = dying(calls);
        let run = || {
            let (budget, mut nobody) = (Budget { batch: 3, stock: 9, queries: 2 }, ());
            let computation = |_| sharded.clone();
            let mut client = Client::<Paper, _>::start(
                parameters,
                &seeds,
                computation,
                budget,
                Transport::Memory,
                &mut nobody,
            )?;
            client.load(&[1; 32])?;
            client.preprocess(demand::<Paper>(&operations), |_| ())?;
            operations.iter().try_for_each(|operation| client.perform(operation.clone()).map(drop))
        };
        assert!(run().is_err(), "after {calls} calls");
    }
}

#[test]
fn a_cut_of_another_number_of_workers_is_refused() {
    let fast = crate::fast(1);
    let threads = Threads::start(2, &fast, None).unwrap();
    let refused = Sharded::new(Box::new(threads), fast, &Cut::even(3), None).err();
    assert_eq!(refused, Some(Failure::Cut { workers: 2, got: 3 }));
}
