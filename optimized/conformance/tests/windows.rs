//! A session in many windows, with a chase in pieces, is the session of the specification all the same, and its trace's plan
//! is what it does.

use std::collections::BTreeMap;

use duoram_conformance::check::Checker;
use duoram_conformance::trace::{Plan, Trace};
use duoram_reference::{Paper, Parameters, Plain};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::operation::{Operation, Row, demand};
use duoram_runtime::schedule::windows;
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::transport::Transport;

fn operations() -> [Operation; 5] {
    [
        Operation::Read { address: 1 },
        Operation::Chase { address: 0, steps: 7 },
        Operation::Write { address: 3, value: vec![9] },
        Operation::Update { address: 2, delta: vec![5] },
        Operation::Chase { address: 5, steps: 1 },
    ]
}
const MEMORY: [u64; 8] = [5, 6, 7, 1, 3, 2, 4, 0];

/// The results, what the checker counted, and the number of steps that the plan has and that the parties applied.
fn session(budget: Budget) -> (Vec<Row>, Checker<Paper>, usize, usize) {
    let operations = operations();
    let seeds = Seeds::derive(&mut Seed([9; 32]).stream());
    let parameters = Parameters::new(seeds.session, 3).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let mut trace = Trace::create(&path, &Plan::new::<Paper>(parameters, &budget, &operations)).unwrap();
    let mut checker = Checker::<Paper>::new(parameters, &seeds, true, demand::<Paper>(&operations));
    let (watched, observer) = (checker.watch(&Plain), (&mut trace, &mut checker));
    let mut client =
        Client::<Paper, _>::start(parameters, &seeds, watched, budget, Transport::Memory, observer).unwrap();
    client.load(&MEMORY).unwrap();
    let mut results = Vec::new();
    for window in windows::<Paper>(&budget, &operations) {
        client.preprocess(window.demand, |_| ()).unwrap();
        for piece in window.pieces {
            results.extend(client.perform(piece).unwrap());
        }
    }
    drop(client);
    trace.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines().map(serde_json::from_str::<BTreeMap<String, serde_json::Value>>);
    let planned = lines.next().unwrap().unwrap()["steps"].as_array().unwrap().len();
    let applied = lines.filter(|line| line.as_ref().unwrap()["event"] == "apply").count();
    (results, checker, planned, applied)
}

#[test]
fn windows_and_pieces_change_no_result_and_no_message() {
    for (batch, stock, queries) in [(1, 2, 1), (2, 4, 3), (3, 5, 2), (100, 100, 100)] {
        let (results, checker, planned, applied) = session(Budget { batch, stock, queries });
        assert_eq!(
            results,
            [[6], [7], [2]],
            "0 -> 5 -> 2 -> 7 -> 0 -> 5 -> 2 -> 7, and after the WRITE and the UPDATE 5 -> 2"
        );
        assert!(checker.described().is_empty(), "{batch}, {stock}, {queries}: {:?}", checker.described());
        // Ten READs of six messages each, and more.
        assert!(checker.tally().messages > 60, "{:?}", checker.tally());
        assert_eq!(checker.tally().results, 3);
        assert_eq!(applied, 3 * planned, "each party applies what is planned");
    }
}
