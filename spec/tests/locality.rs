//! Locality: the parties, each from its own things and from the messages that it was sent, are the session. The session's
//! functions see all three parties at once; the parties' functions do not. `proofs/rocq/paper/Locality.v` and `PartyTurns.v` prove
//! what is tested here.
#![allow(missing_docs)]

use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::Primary;
use duoram_spec::paper::parties::{self, Parties, PartiesStep};
use duoram_spec::paper::party::{
    HelperParty, HelperRead, HelperUpdate, PrimaryParty, PrimaryRead, PrimaryUpdate, inbox,
};
use duoram_spec::paper::party_online::Query;
use duoram_spec::paper::party_turn::{HelperTask, PrimaryTask, helper_turn, primary_turn};
use duoram_spec::paper::session::{self, CHUNK_WORDS, Sent, Session, Step, UpdateQuery};
use duoram_vectors::Random;
use proptest::prelude::*;

/// Of a pair of all three vectors, a primary's.
fn own<T: Clone>(role: Primary, pair: (&T, &T)) -> T {
    match role {
        Primary::P0 => pair.0.clone(),
        Primary::P1 => pair.1.clone(),
    }
}

/// A primary's part of a session.
fn primary_of(role: Primary, session: &Session) -> PrimaryParty<AesPrg> {
    PrimaryParty {
        role,
        log_size: session.log_size,
        prg: session.prg.clone(),
        tape: own(role, (&session.tape_0, &session.tape_1)),
        state: own(role, (&session.state.p0, &session.state.p1)),
        reads: session
            .reads
            .iter()
            .map(|item| PrimaryRead {
                units: own(role, (&item.units.p0, &item.units.p1)),
                random_index_share: own(role, (&item.random_index_shares.0, &item.random_index_shares.1)),
            })
            .collect(),
        updates: session
            .updates
            .iter()
            .map(|item| PrimaryUpdate {
                units: own(role, (&item.material.units.p0, &item.material.units.p1)),
                values: own(role, (&item.material.values.p0, &item.material.values.p1)),
                corrections: own(role, (&item.material.corrections.p0, &item.material.corrections.p1)),
                random_index_share: own(role, (&item.random_index_shares.0, &item.random_index_shares.1)),
            })
            .collect(),
        operation: session.operation,
    }
}

/// P2's part of a session.
fn helper_of(session: &Session) -> HelperParty<AesPrg> {
    HelperParty {
        log_size: session.log_size,
        prg: session.prg.clone(),
        tape: session.tape_2.clone(),
        state: session.state.p2.clone(),
        reads: session
            .reads
            .iter()
            .map(|item| HelperRead {
                unit_0_dpf_2: item.units.p0.1.clone(),
                unit_1_dpf_3: item.units.p1.2.clone(),
            })
            .collect(),
        updates: session
            .updates
            .iter()
            .map(|item| HelperUpdate {
                unit_0_dpf_2: item.material.units.p0.1.clone(),
                unit_1_dpf_3: item.material.units.p1.2.clone(),
                values_0_dpf_2: item.material.values.p0.1.clone(),
                values_1_dpf_3: item.material.values.p1.2.clone(),
            })
            .collect(),
        operation: session.operation,
    }
}

fn parties_of(session: &Session) -> Parties<AesPrg> {
    Parties {
        p0: primary_of(Primary::P0, session),
        p1: primary_of(Primary::P1, session),
        p2: helper_of(session),
    }
}

fn halves<T, U: Copy>(list: &[T], split: impl Fn(&T) -> (U, U)) -> (Vec<U>, Vec<U>) {
    list.iter().map(split).unzip()
}

/// Both have the same states, messages and results.
fn agree(step: &Step, apart: &PartiesStep<AesPrg>) {
    for (ours, theirs) in step.sent.iter().zip(apart.sent.iter()) {
        assert_eq!(ours, theirs, "kind {} from {} to {}", ours.kind, ours.from, ours.to);
    }
    assert_eq!(step.sent.len(), apart.sent.len());
    assert_eq!(halves(&step.results, |shares| *shares), (apart.results_0.clone(), apart.results_1.clone()));
    assert_eq!(parties_of(&step.session), apart.parties);
}

/// A step's inputs, of all three parties.
struct Tasks {
    p0: PrimaryTask,
    p1: PrimaryTask,
    p2: HelperTask,
}

/// Each party alone, with all that it was sent in the step, does and says what it does and says in the session.
fn alone(before: &Parties<AesPrg>, tasks: &Tasks, step: &Step) {
    let said_by = |from: u8| -> Vec<Sent> { step.sent.iter().filter(|m| m.from == from).cloned().collect() };
    let after = parties_of(&step.session);
    let (results_0, results_1) = halves(&step.results, |shares| *shares);
    let turn = primary_turn(before.p0.clone(), &tasks.p0, &inbox(&step.sent, 0));
    assert_eq!((turn.party, turn.sent, turn.results), (after.p0, said_by(0), results_0));
    let turn = primary_turn(before.p1.clone(), &tasks.p1, &inbox(&step.sent, 1));
    assert_eq!((turn.party, turn.sent, turn.results), (after.p1, said_by(1), results_1));
    let turn = helper_turn(before.p2.clone(), &tasks.p2, &inbox(&step.sent, 2));
    assert_eq!((turn.party, turn.sent), (after.p2, said_by(2)));
}

fn query(r: &mut Random) -> UpdateQuery {
    UpdateQuery { address: (r.word(), r.word()), value: (r.word(), r.word()) }
}

fn split(query: &UpdateQuery) -> (Query, Query) {
    (
        Query { address: query.address.0, value: query.value.0 },
        Query { address: query.address.1, value: query.value.1 },
    )
}

fn preprocessing(reads: usize, updates: usize) -> Tasks {
    let task = PrimaryTask::Preprocess { reads, updates };
    Tasks { p0: task.clone(), p1: task, p2: HelperTask::Preprocess { reads, updates } }
}

/// One random step, taken by the session, by the parties put together, and by each party alone.
fn random_step(r: &mut Random, session: Session, apart: Parties<AesPrg>) -> (Step, PartiesStep<AesPrg>) {
    let n = 1usize << session.log_size;
    let most = |items: usize| items.min(3) as u64;
    let before = apart.clone();
    let (step, apart, tasks) = match r.below(5) {
        0 => {
            let (d_0, d_1) = (r.words(n), r.words(n));
            let taken = (session::load(session, &d_0, &d_1), parties::load(apart, &d_0, &d_1));
            let tasks = Tasks {
                p0: PrimaryTask::Load { memory_share: d_0 },
                p1: PrimaryTask::Load { memory_share: d_1 },
                p2: HelperTask::Load,
            };
            (taken.0, taken.1, tasks)
        }
        1 => {
            let [reads, updates] = [r.below(3), r.below(3)].map(|count| usize::try_from(count).unwrap());
            (
                session::preprocess(session, reads, updates),
                parties::preprocess(apart, reads, updates),
                preprocessing(reads, updates),
            )
        }
        2 => {
            let count = r.below(most(session.reads.len()) + 1);
            let addresses: Vec<(u64, u64)> = (0..count).map(|_| (r.word(), r.word())).collect();
            let (to_0, to_1) = halves(&addresses, |shares| *shares);
            let taken = (session::reads(session, &addresses), parties::reads(apart, &to_0, &to_1));
            let tasks = Tasks {
                p0: PrimaryTask::Reads { addresses: to_0 },
                p1: PrimaryTask::Reads { addresses: to_1 },
                p2: HelperTask::Reads { queries: addresses.len() },
            };
            (taken.0, taken.1, tasks)
        }
        3 => {
            let count = r.below(most(session.updates.len()) + 1);
            let queries: Vec<UpdateQuery> = (0..count).map(|_| query(r)).collect();
            let (to_0, to_1) = halves(&queries, split);
            let taken = (session::updates(session, &queries), parties::updates(apart, &to_0, &to_1));
            let tasks = Tasks {
                p0: PrimaryTask::Updates { queries: to_0 },
                p1: PrimaryTask::Updates { queries: to_1 },
                p2: HelperTask::Updates { queries: queries.len() },
            };
            (taken.0, taken.1, tasks)
        }
        _ if !session.reads.is_empty() && !session.updates.is_empty() => {
            let query = query(r);
            let (to_0, to_1) = split(&query);
            (
                session::write(session, query),
                parties::write(apart, &to_0, &to_1),
                Tasks {
                    p0: PrimaryTask::Write { query: to_0 },
                    p1: PrimaryTask::Write { query: to_1 },
                    p2: HelperTask::Write,
                },
            )
        }
        _ => (session::preprocess(session, 1, 1), parties::preprocess(apart, 1, 1), preprocessing(1, 1)),
    };
    alone(&before, &tasks, &step);
    (step, apart)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_parties_put_together_are_the_session(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let tapes = [r.words(1000), r.words(1000), r.words(4000)];
        let mut step = session::connect(log_size, &tapes[0], &tapes[1], &tapes[2]);
        let mut apart = parties::connect(log_size, &tapes[0], &tapes[1], &tapes[2]);
        agree(&step, &apart);
        for _ in 0..12 {
            (step, apart) = random_step(&mut r, step.session, apart.parties);
            agree(&step, &apart);
        }
    }
}

/// A vector of more than one chunk is put together again.
#[test]
fn a_load_of_many_chunks_arrives() {
    let mut r = Random(17);
    let log_size = 17;
    let tape = r.words(2 + (1 << log_size));
    let (d_0, d_1) = (r.words(1 << log_size), r.words(1 << log_size));
    let step = session::connect(log_size, &tape, &tape, &tape);
    let apart = parties::connect(log_size, &tape, &tape, &tape);
    let loaded = session::load(step.session, &d_0, &d_1);
    assert_eq!(loaded.sent.len(), 4 * (1 << log_size) / CHUNK_WORDS);
    agree(&loaded, &parties::load(apart.parties, &d_0, &d_1));
}
