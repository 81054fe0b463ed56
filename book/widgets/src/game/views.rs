//! Tests: what the player is shown is what the specification's sessions send, and a fault that is put back leaves the answers
//! right, so that nobody would notice it by them.

use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::Ring;
use duoram_spec::lean::memory::opened_alpha;
use duoram_spec::lean::session::state;
use duoram_spec::paper::lemmas::lemma_3;
use duoram_spec::paper::memory::{State, opened};
use duoram_spec::paper::parties::Parties;
use duoram_spec::paper::party::inbox;
use duoram_spec::paper::session::{Step, UpdateQuery, connect, load, preprocess, reads, updates};
use duoram_vectors::Random;

use super::faults::{ALL, Protocol};
use super::prg::CheapPrg;
use super::script::{Addend, LOG_SIZE, Operation, Scenario, Script};
use super::{lean, paper};

fn states<P>(parties: &Parties<P>) -> State<u64> {
    let Parties { p0, p1, p2 } = parties;
    State { p0: p0.state.clone(), p1: p1.state.clone(), p2: p2.state.clone() }
}

/// Without a fault, a run of the game is the session of `spec/src/paper/session.rs` on the same words, message by message.
#[test]
fn each_party_is_sent_what_the_specifications_session_sends() {
    for (scenario, seed) in
        [(Scenario::Read, 1), (Scenario::Repeat, 2), (Scenario::Value, 3), (Scenario::Memory, 4)]
    {
        let script = &scenario.draw(&mut Random(seed))[1];
        let run = paper::run::<AesPrg>(script, None, &mut Random(seed));
        let Parties { p0, p1, p2 } = &run.loaded;
        let connected = connect(LOG_SIZE, &p0.tape.words, &p1.tape.words, &p2.tape.words);
        let same = |what: &str, step: &Step, inboxes: &[Vec<_>; 3]| {
            for (party, seen) in (0..3).zip(inboxes) {
                assert_eq!(&inbox(&step.sent, party), seen, "{scenario:?}: {what}, to P{party}");
            }
        };
        same("connect", &connected, &run.told[0]);
        let loaded = load(connected.session, &p0.state.memory_share, &p1.state.memory_share);
        same("load", &loaded, &run.told[1]);
        let prepared = preprocess(loaded.session, script.reads(), script.updates());
        same("prepare", &prepared, &run.told[2]);
        let mut session = prepared.session;
        for (operation, turn) in script.operations.iter().zip(&run.turns) {
            let [own_0, own_1] = &turn.queries;
            let address = (own_0.address, own_1.address);
            let step = match operation {
                Operation::Read(_) => reads(session, &[address]),
                Operation::Update { .. } => {
                    updates(session, &[UpdateQuery { address, value: (own_0.value, own_1.value) }])
                }
            };
            same("operation", &step, &turn.inboxes);
            assert_eq!(step.results.first().map(|(share, _)| *share), turn.results[0]);
            session = step.session;
        }
        assert_eq!(session.state, states(&run.ended));
    }
}

/// What a script leaves of a memory, and what it reads, if the value of an UPDATE is given.
fn expected(script: &Script) -> (Vec<u64>, Vec<Option<u64>>) {
    let mut memory = script.memory.clone();
    let results = script
        .operations
        .iter()
        .map(|operation| match operation {
            Operation::Read(address) => Some(memory[usize::try_from(*address).unwrap()]),
            Operation::Update { address, value: Addend::Value(value) } => {
                memory[usize::try_from(*address).unwrap()] += value;
                None
            }
            Operation::Update { .. } => None,
        })
        .collect();
    (memory, results)
}

#[test]
fn a_fault_of_the_paper_leaves_the_answers_right() {
    for about in ALL.iter().filter(|about| about.protocol == Protocol::Paper) {
        let fault = about.fault;
        for seed in 0..20 {
            let script = &about.scenario.draw(&mut Random(seed))[0];
            let run = paper::run::<CheapPrg>(script, Some(fault), &mut Random(seed));
            let (memory, results) = expected(script);
            assert_eq!(opened(&states(&run.ended)), memory, "{fault:?}");
            assert!(lemma_3(&states(&run.ended)), "{fault:?}: the blinds must still fit");
            for (turn, result) in run.turns.iter().zip(results) {
                let opened = turn.results[0].zip(turn.results[1]).map(|(a, b)| a.wrapping_add(b));
                assert_eq!(opened, result, "{fault:?}");
            }
        }
    }
}

#[test]
fn a_fault_of_the_lean_protocol_leaves_the_answers_right() {
    for about in ALL.iter().filter(|about| about.protocol == Protocol::Lean) {
        let fault = about.fault;
        for seed in 0..20 {
            let script = &about.scenario.draw(&mut Random(seed))[0];
            let run = lean::run::<CheapPrg>(script, Some(fault), &mut Random(seed));
            let (_, results) = expected(script);
            for (turn, result) in run.turns.iter().zip(results) {
                assert_eq!(turn.results[0].zip(turn.results[1]).map(|(a, b)| a ^ b), result, "{fault:?}");
            }
            let opened = opened_alpha(&state(&run.ended));
            let (place, value) = match script.operations[0] {
                Operation::Read(address) => (address, 0),
                // Under XOR, and of a value that need not be given.
                Operation::Update { address, .. } => {
                    let [own_0, own_1] = &run.turns[0].queries;
                    (address, own_0.value.plus(own_1.value).to_u64())
                }
            };
            for (at, word) in opened.iter().enumerate() {
                let change = if at == usize::try_from(place).unwrap() { value } else { 0 };
                assert_eq!(word.to_u64(), script.memory[at] ^ change, "{fault:?}");
            }
        }
    }
}
