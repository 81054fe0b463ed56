//! The specification's test vectors (`spec/vectors`, `README.md` there): the reference computes the good ones, and none of
//! the bad ones.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use crate::common::place;
use duoram_reference::local::LocalSession;
use duoram_reference::{
    Batch, Correction, DpfShare, HEADER_LENGTH, Header, Parameters, PartyStream, Plain, Role, SessionId,
    SessionKey, Word,
};
use duoram_vectors::values::{array, bits, blocks, bytes, number, vectors, words};
use serde_json::Value;

/// The names of the primaries in the vectors.
const PRIMARIES: [(&str, Role); 2] = [("p0", Role::P0), ("p1", Role::P1)];

fn key_share(key: &Value, conversion_factor: Word) -> DpfShare {
    let flags = bits(&key["left_flags"]).into_iter().zip(bits(&key["right_flags"]));
    let corrections = blocks(&key["words"])
        .into_iter()
        .zip(flags)
        .map(|(word, (left_flag, right_flag))| Correction { word, left_flag, right_flag })
        .collect();
    DpfShare::for_test(blocks(&key["root"])[0], corrections, conversion_factor)
}

#[test]
fn streams_are_those_of_the_vectors() {
    for (file, right) in [("randomness.json", true), ("randomness_bad_high_half_first.json", false)] {
        for vector in vectors(file) {
            let mut stream = PartyStream::new(array(&vector["input"]["seed"]));
            let drawn: Vec<Word> = (0..number(&vector["input"]["count"])).map(|_| stream.word()).collect();
            assert_eq!(drawn == words(&vector["output"]["words"]), right, "{file}, {}", vector["name"]);
        }
    }
}

#[test]
fn children_are_those_of_the_vectors() {
    for (file, right) in [
        ("prg.json", true),
        ("prg_bad_flag_not_cleared.json", false),
        ("prg_bad_no_feed_forward.json", false),
    ] {
        for vector in vectors(file) {
            let (input, output) = (&vector["input"], &vector["output"]);
            let key = SessionKey::new(array(&input["session_key"]));
            let expected = (blocks(&output["left"])[0], blocks(&output["right"])[0]);
            assert_eq!(
                key.children(blocks(&input["label"])[0]) == expected,
                right,
                "{file}, {}",
                vector["name"]
            );
        }
    }
}

#[test]
fn leaves_of_keys_are_those_of_the_vectors() {
    let good = vectors("dpf.json");
    for (file, right) in [
        ("dpf.json", true),
        ("dpf_bad_flag_corrections_swapped.json", false),
        ("dpf_bad_word_from_low_half.json", false),
    ] {
        for vector in vectors(file) {
            let name = &vector["name"];
            // The reference has no dealer: keys are those of the good vector.
            let keys = &good.iter().find(|v| v["name"] == *name).unwrap()["output"];
            let equal = PRIMARIES.map(|(party, role)| {
                let session_key = SessionKey::new(array(&vector["input"]["session_key"]));
                let labels = key_share(&keys[party]["key"], 0).evaluate(&session_key);
                let output = &vector["output"][party];
                *labels == blocks(&output["labels"])
                    && *DpfShare::values(role, &labels) == words(&output["values"])
            });
            assert_eq!(equal == [true, true], right, "{file}, {name}");
        }
    }
}

#[test]
fn unit_vectors_of_leaves_are_those_of_the_vectors() {
    let good = vectors("conversion.json");
    for (file, right) in [
        ("conversion.json", true),
        ("conversion_bad_sign_ignored.json", false),
        ("conversion_bad_factor_without_correction.json", false),
    ] {
        for vector in vectors(file) {
            let name = &vector["name"];
            let opened = &good.iter().find(|v| v["name"] == *name).unwrap()["output"];
            let factor = words(&opened["factor"])[0];
            let equal = PRIMARIES.map(|(party, role)| {
                let labels = blocks(&vector["input"][party]["labels"]);
                let share = DpfShare::for_test(0, vec![], factor);
                *share.unit_vector(role, &labels) == words(&vector["output"][party]["unit"])
            });
            assert_eq!(equal == [true, true], right, "{file}, {name}");
        }
    }
}

/// What is compared of a message.
#[derive(PartialEq, Eq, Debug)]
struct Sent {
    kind: u8,
    operation: u64,
    round: u32,
    payload: Vec<u8>,
}

/// What goes from one party to another, in order.
type Links = BTreeMap<(u8, u8), Vec<Sent>>;

/// What a step yields: its messages, and the results of P0 and P1.
type Outcome = (Links, [Vec<Word>; 2]);

fn expected(step: &Value) -> Outcome {
    let mut links = Links::new();
    for message in step["sent"].as_array().unwrap() {
        links.entry((number(&message["from"]), number(&message["to"]))).or_default().push(Sent {
            kind: number(&message["kind"]),
            operation: number(&message["operation"]),
            round: number(&message["round"]),
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
            round: place(&header),
            payload: frame.bytes[HEADER_LENGTH..].to_vec(),
        });
    }
    (links, results)
}

/// Takes one step with all three parties.
fn take(session: &mut LocalSession, step: &Value) -> Outcome {
    let pair = |name: &str| [0, 1].map(|b| words(&step[format!("{name}_{b}")]));
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
        "update" => {
            let ([addresses_0, addresses_1], [values_0, values_1]) = (pair("addresses"), pair("values"));
            let zip = |addresses: Vec<Word>, values| addresses.into_iter().zip(values).collect::<Vec<_>>();
            session.update([&zip(addresses_0, values_0), &zip(addresses_1, values_1)]).unwrap();
        }
        "write" => {
            session.write(pair("addresses").map(|a| a[0]), pair("values").map(|v: Vec<Word>| v[0])).unwrap();
            results = session.primaries_mut().each_mut().map(duoram_reference::Primary::take_results);
        }
        other => panic!("unknown step {other}"),
    }
    took(session, results)
}

/// The reference on a vector's input: the session after its steps, and what each step yielded.
fn run(input: &Value) -> (LocalSession, Vec<Outcome>) {
    let parameters = Parameters::new(SessionId([7; 16]), number(&input["log_size"])).unwrap();
    let seeds = [0, 1, 2].map(|party| array(&input[format!("seed_{party}")]));
    let mut session = LocalSession::new(parameters, seeds, Plain).unwrap();
    session.record();
    let outcomes = input["steps"].as_array().unwrap().iter().map(|step| take(&mut session, step)).collect();
    (session, outcomes)
}

fn assert_state(session: &LocalSession, state: &Value) {
    for (primary, (party, _)) in session.primaries().iter().zip(PRIMARIES) {
        let memory = primary.memory();
        assert_eq!(memory.memory_share, words(&state[party]["memory_share"]));
        assert_eq!(memory.blind, words(&state[party]["blind"]));
        assert_eq!(memory.blinded, words(&state[party]["blinded"]));
    }
    assert_eq!(session.helper().memory().blind_0, words(&state["p2"]["blind_0"]));
    assert_eq!(session.helper().memory().blind_1, words(&state["p2"]["blind_1"]));
}

#[test]
fn sessions_are_those_of_the_vectors_message_by_message() {
    for vector in vectors("session.json") {
        let (session, outcomes) = run(&vector["input"]);
        let steps = vector["output"]["steps"].as_array().unwrap();
        assert_eq!(outcomes.len(), steps.len());
        for (number, (outcome, step)) in outcomes.iter().zip(steps).enumerate() {
            let (links, results) = expected(step);
            assert_eq!(outcome.0, links, "{}, step {number}", vector["name"]);
            assert_eq!(outcome.1, results, "{}, step {number}", vector["name"]);
        }
        assert_state(&session, &vector["output"]["state"]);
    }
}

#[test]
fn bad_sessions_are_told_apart() {
    for file in ["session_bad_index_from_dpf_2.json", "session_bad_material_used_twice.json"] {
        for vector in vectors(file) {
            let (session, outcomes) = run(&vector["input"]);
            let steps: Vec<Outcome> =
                vector["output"]["steps"].as_array().unwrap().iter().map(expected).collect();
            assert_ne!(outcomes, steps, "{file}, {}", vector["name"]);
            // All memories are right: the messages have to tell.
            let [p0, p1] = session.primaries().each_ref().map(duoram_reference::Primary::memory);
            let opened =
                p0.memory_share.iter().zip(&p1.memory_share).map(|(d_0, d_1)| d_0.wrapping_add(*d_1));
            assert_eq!(opened.collect::<Vec<_>>(), words(&vector["output"]["memory"]));
        }
    }
}
