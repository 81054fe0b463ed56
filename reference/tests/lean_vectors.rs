//! The specification's lean test vectors (`spec/vectors`, `README.md` there): the reference computes the good ones, and none of
//! the bad ones.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use crate::common::lean::{open, place, place_in_spec, row_operands, zip};
use duoram_reference::lean::Plain;
use duoram_reference::lean::layers::{corrected_flags, corrected_values, node_flags, node_values};
use duoram_reference::lean::local::LocalSession;
use duoram_reference::{Batch, HEADER_LENGTH, Header, Parameters, SessionId, SessionKey, Word};
use duoram_vectors::values::{array, blocks, bytes, number, vectors, words};
use serde_json::Value;

#[test]
fn output_layers_are_those_of_the_vectors() {
    for (file, right) in [
        ("lean_layers.json", true),
        ("lean_layers_bad_tweaks_overlap.json", false),
        ("lean_layers_bad_flag_not_cleared.json", false),
    ] {
        for vector in vectors(file) {
            let (input, output) = (&vector["input"], &vector["output"]);
            let key = SessionKey::new(array(&input["session_key"]));
            let label = blocks(&input["label"])[0];
            let log_size: u32 = number(&input["log_size"]);
            let correction = words(&input["word_correction"]).try_into().unwrap();
            let flags = corrected_flags(&key, label, blocks(&input["flag_correction"])[0]);
            let flags: String =
                (0..1 << log_size.min(7)).map(|i| if flags >> i & 1 == 1 { '1' } else { '0' }).collect();
            let values = corrected_values(&key, label, 0, &correction);
            let equal = node_flags(&key, label) == blocks(&output["flag_block"])[0]
                && *words(&output["node_words"]) == node_values(&key, label, 0)
                && flags == output["flags"].as_str().unwrap()
                && words(&output["values"]) == values[..1 << log_size.min(3)];
            assert_eq!(equal, right, "{file}, {}", vector["name"]);
        }
    }
}

/// What is compared of a message.
#[derive(PartialEq, Eq, Debug)]
struct Sent {
    kind: u8,
    operation: u64,
    place: u32,
    payload: Vec<u8>,
}

/// What goes from one party to another, in order.
type Links = BTreeMap<(u8, u8), Vec<Sent>>;

/// What a step yields: its messages, and the results of P0 and P1.
type Outcome = (Links, [Vec<Word>; 2]);

fn expected(step: &Value) -> Outcome {
    let mut links = Links::new();
    for message in step["sent"].as_array().unwrap() {
        let kind = number(&message["kind"]);
        links.entry((number(&message["from"]), number(&message["to"]))).or_default().push(Sent {
            kind,
            operation: number(&message["operation"]),
            place: place_in_spec(kind, number(&message["round"])),
            payload: bytes(&message["payload"]),
        });
    }
    (links, [words(&step["results_0"]), words(&step["results_1"])])
}

fn took(session: &mut LocalSession, results: [Vec<Word>; 2]) -> Outcome {
    let mut links = Links::new();
    for delivery in session.take_log() {
        let frame = delivery.frame;
        let header = Header::decode(frame.from, &frame.bytes).unwrap();
        links.entry((header.from.number(), header.to.number())).or_default().push(Sent {
            kind: header.kind,
            operation: header.operation,
            place: place(&header),
            payload: frame.bytes[HEADER_LENGTH..].to_vec(),
        });
    }
    (links, results)
}

/// Takes one step with all three parties.
fn take(session: &mut LocalSession, step: &Value) -> Outcome {
    let pair = |name: &str| [0, 1].map(|b| words(&step[format!("{name}_{b}")]));
    let first = |name: &str| pair(name).map(|shares| shares[0]);
    let rows = !step["rows_0"].is_null();
    let mut results = [vec![], vec![]];
    match step["step"].as_str().unwrap() {
        "connect" => session.connect().unwrap(),
        "load" => session.load(pair("memory_share")).unwrap(),
        "preprocess" => {
            let batch = Batch { reads: number(&step["reads"]), updates: number(&step["updates"]) };
            session.preprocess(batch).unwrap();
        }
        "read" => {
            let [addresses_0, addresses_1] = pair("addresses");
            results = session.read([&addresses_0, &addresses_1]).unwrap();
        }
        "update" if rows => {
            let [of_0, of_1] = row_operands(&pair("addresses"), &pair("rows"));
            session.update_rows(pair("addresses")[0].len(), [&of_0, &of_1]).unwrap();
        }
        "write" if rows => {
            let [row_0, row_1] = pair("rows");
            session.write_row(first("addresses"), [&row_0, &row_1]).unwrap();
        }
        "swap" if rows => {
            let [row_0, row_1] = pair("rows");
            results = session.swap_row(first("addresses"), [&row_0, &row_1]).unwrap();
        }
        "update" => {
            let [of_0, of_1] = zip(&pair("addresses"), &pair("values"));
            session.update([&of_0, &of_1]).unwrap();
        }
        "write" => session.write(first("addresses"), first("values")).unwrap(),
        "swap" => results = session.swap(first("addresses"), first("values")).unwrap(),
        other => panic!("unknown step {other}"),
    }
    took(session, results)
}

/// The reference on a vector's input: the session after its steps, and what each step yielded.
fn run(input: &Value) -> (LocalSession, Vec<Outcome>) {
    let parameters = Parameters::new(SessionId([7; 16]), number(&input["log_size"])).unwrap();
    let mut parameters = parameters.with_rows(number(&input["rows"])).unwrap();
    if !input["row_words"].is_null() {
        parameters = parameters.with_row_words(number(&input["row_words"])).unwrap();
    }
    let seeds = [0, 1, 2].map(|party| array(&input[format!("seed_{party}")]));
    let mut session = LocalSession::new(parameters, seeds, Plain);
    session.record();
    let outcomes = input["steps"].as_array().unwrap().iter().map(|step| take(&mut session, step)).collect();
    (session, outcomes)
}

#[test]
fn sessions_are_those_of_the_vectors_message_by_message() {
    for vector in ["lean_session.json", "lean_rows.json"].into_iter().flat_map(vectors) {
        let (session, outcomes) = run(&vector["input"]);
        let steps = vector["output"]["steps"].as_array().unwrap();
        assert_eq!(outcomes.len(), steps.len());
        for (number, (outcome, step)) in outcomes.iter().zip(steps).enumerate() {
            assert_eq!(outcome, &expected(step), "{}, step {number}", vector["name"]);
        }
        let (state, (p0, p1, p2)) = (&vector["output"]["state"], session.parties());
        assert_eq!(p0.memory().alpha, words(&state["p0"]["alpha"]));
        assert_eq!(p0.memory().beta, words(&state["p0"]["beta"]));
        assert_eq!(p1.memory().alpha, words(&state["p1"]["alpha"]));
        assert_eq!(p2.memory().alpha, words(&state["p2"]["alpha"]));
        assert_eq!(p2.memory().beta, words(&state["p2"]["beta"]));
    }
}

#[test]
fn bad_sessions_are_told_apart() {
    for file in [
        "lean_session_bad_item_used_twice.json",
        "lean_session_bad_mask_stale.json",
        "lean_rows_bad_one_mask_a_row.json",
    ] {
        for vector in vectors(file) {
            let (session, outcomes) = run(&vector["input"]);
            let steps: Vec<Outcome> =
                vector["output"]["steps"].as_array().unwrap().iter().map(expected).collect();
            assert_ne!(outcomes, steps, "{file}, {}", vector["name"]);
            // All memories are right: the messages have to tell.
            let (p0, p1, _) = session.parties();
            let opened = open(&[p0.memory().alpha.clone(), p1.memory().alpha.clone()]);
            assert_eq!(opened, words(&vector["output"]["memory"]));
        }
    }
}
