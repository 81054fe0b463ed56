//! The owner's side, without the program around it and without a checker.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::{Batch, Paper, Parameters, Plain, SessionId};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::Extent;
use duoram_runtime::operation::Operation;
use duoram_runtime::seed::Seeds;
use duoram_runtime::transport::Transport;

const SESSION: SessionId = SessionId(*b"without a check.");

#[test]
fn items_are_prepared_in_batches_of_the_size_asked_for_and_results_are_opened() {
    let parameters = Parameters::new(SESSION, 3).unwrap();
    let seeds = Seeds { client: [1; 32], parties: [[2; 32], [3; 32], [4; 32]], session: SESSION };
    let compute = Fast::new(Backend::best(&Features::detect()), Workers::new(1).unwrap(), 0);
    let budget = Budget { batch: 2, ..Budget::new::<Paper, _>(&compute, 0, Extent::from(&parameters)) };
    let start =
        Client::<Paper, _>::start(parameters, &seeds, |_| compute.clone(), budget, Transport::Memory, ());
    let mut client = start.unwrap();
    let memory = [5, 6, 7, 1, 3, 2, 4, 0];
    client.load(&memory).unwrap();

    let mut reached: Vec<f64> = Vec::new();
    client.preprocess(Batch { reads: 6, updates: 3 }, |items| reached.push(items)).unwrap();
    // In between only if it took long.
    assert!(reached.is_sorted());
    reached.retain(|items| items.fract() == 0.0);
    assert_eq!(reached, [2.0, 4.0, 6.0, 8.0, 9.0]);

    let mut perform = |operation| client.perform(operation).unwrap();
    assert_eq!(perform(Operation::Read { address: 4 }), Some(vec![3]));
    assert_eq!(perform(Operation::Update { address: 4, delta: vec![2] }), None);
    assert_eq!(perform(Operation::Write { address: 0, value: vec![4] }), None);
    assert_eq!(perform(Operation::Swap { address: 4, value: vec![5] }), Some(vec![5]));
    // 0 -> 4 -> 5 -> 2, of which only the last is opened.
    assert_eq!(perform(Operation::Chase { address: 0, steps: 3 }), Some(vec![2]));
    assert!(client.perform(Operation::Read { address: 1 }).is_err(), "no item is left");
}

/// Half of the work is in the last level, so that whole batches, of which there may be one, say nothing.
#[test]
fn progress_of_a_batch_is_reported_level_by_level() {
    let parameters = Parameters::new(SESSION, 18).unwrap();
    let budget = Budget::new::<Paper, _>(&Plain, 1 << 30, Extent::from(&parameters));
    let seeds = Seeds { client: [1; 32], parties: [[2; 32], [3; 32], [4; 32]], session: SESSION };
    let mut client =
        Client::<Paper, _>::start(parameters, &seeds, |_| Plain, budget, Transport::Memory, ()).unwrap();
    let mut reached: Vec<f64> = Vec::new();
    client.preprocess(Batch { reads: 2, updates: 1 }, |items| reached.push(items)).unwrap();
    assert!(reached.is_sorted(), "{reached:?}");
    assert!(reached.iter().any(|&items| items > 0.1 && items < 2.9), "{reached:?}");
    assert_eq!(reached.last(), Some(&3.0));
}
