//! A party's whole step in the lean protocol: in steps of sessions that are run here, so that what a party is sent makes sense.

use crate::random::{Random, Rng};
use crate::toy::Toy;
use crate::{Vectors, case, given};
use duoram_spec::lean::delivery::{inbox, others, received, received_chunks, say_hello, session_prg};
use duoram_spec::lean::online::{Query, read_shifts_0, write_shifts_0, write_shifts_1};
use duoram_spec::lean::party_turn::{self as turn, HelperTask, PrimaryTask};
use duoram_spec::lean::prepare_turn::{self as prepare, Growth};
use duoram_spec::lean::preprocessing::{batch_depth, begin_0, begin_1, moved_shares, purposes, with_offsets};
use duoram_spec::lean::session::{self, Session, Step, Streams, started};
use duoram_spec::lean::tape::PairStreams;

type Words = Vec<u64>;

/// A session of zeros, for one batch of one item of each kind.
fn begun(rng: &mut Rng, log_size: usize) -> Session<u64, Toy> {
    let mut words = |count: usize| -> Words { (0..count).map(|_| Random::random(rng)).collect() };
    let mut pair = || PairStreams { streams: vec![words(1 << log_size), words(80), words(80)] };
    let streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
    let tapes = [words(20), words(20), words(14)];
    started(log_size, 1 << log_size, &Toy, (&tapes[0], &tapes[1], &tapes[2]), &streams)
}

/// What each party does in a step that is taken.
fn in_step(
    v: &mut Vectors,
    before: &Session<u64, Toy>,
    step: &Step<u64, Toy>,
    tasks: (&PrimaryTask<u64>, &PrimaryTask<u64>, &HelperTask),
) {
    let inboxes = [0, 1, 2].map(|number| inbox(&step.sent, number));
    let operation = before.operation;
    let (p0, p1, p2) = (before.p0.clone(), before.p1.clone(), before.p2.clone());
    given!(v, "lean::party_turn::turn_0", "", turn::turn_0(p0.clone(), operation, tasks.0, &inboxes[0]);
        p0, operation, *tasks.0, inboxes[0]);
    given!(v, "lean::party_turn::turn_1", "", turn::turn_1(p1.clone(), operation, tasks.1, &inboxes[1]);
        p1, operation, *tasks.1, inboxes[1]);
    given!(v, "lean::party_turn::turn_2", "", turn::turn_2(p2.clone(), operation, tasks.2, &inboxes[2]);
        p2, operation, *tasks.2, inboxes[2]);
}

fn preparing(v: &mut Vectors, before: &Session<u64, Toy>) {
    let step = session::preprocess(before.clone(), 1, 1);
    let inboxes = [0, 1, 2].map(|number| inbox(&step.sent, number));
    let (p0, p1, p2) = (before.p0.clone(), before.p1.clone(), before.p2.clone());
    given!(v, "lean::prepare_turn::prepare_0", "", prepare::prepare_0(p0.clone(), 1, 1, 1, &inboxes[0]);
        p0, 1u64, 1usize, 1usize, inboxes[0]);
    given!(v, "lean::prepare_turn::prepare_1", "", prepare::prepare_1(p1.clone(), 1, 1, 1, &inboxes[1]);
        p1, 1u64, 1usize, 1usize, inboxes[1]);
    given!(v, "lean::prepare_turn::prepare_2", "", prepare::prepare_2(p2.clone(), 1, 1, 1, &inboxes[2]);
        p2, 1u64, 1usize, 1usize, inboxes[2]);
    let (begun_0, begun_1) = (begin_0(&p0, 1, 1), begin_1(&p1, 1, 1));
    let batch = with_offsets(&begun_0, &moved_shares(&begun_1));
    given!(v, "lean::prepare_turn::levels_due", "", prepare::levels_due(&batch); batch);
    for round in [0, 1] {
        given!(v, "lean::prepare_turn::received_round", "",
            prepare::received_round(&batch, round, 1, &inboxes[0]); batch, round, 1u8, inboxes[0]);
    }
    let growth = Growth { batch, sent: vec![] };
    given!(v, "lean::prepare_turn::round_turn", "",
        prepare::round_turn(0, &Toy, 1, growth.clone(), 0, &inboxes[0]); 0u8, Toy, 1u64, growth, 0usize, inboxes[0]);
    given!(v, "lean::prepare_turn::rounds_turn", "",
        prepare::rounds_turn(0, &Toy, 1, growth.clone(), 1, &inboxes[0]); 0u8, Toy, 1u64, growth, 1usize, inboxes[0]);
    let (height, all) = (p2.log_size, purposes(1, 1));
    let last = prepare::keys_time(batch_depth(height, 1));
    given!(v, "lean::prepare_turn::received_keys", " u64",
        prepare::received_keys::<u64>(height, &all, last, 1, &inboxes[2]); height, all, last, 1u8, inboxes[2]);
}

fn using(v: &mut Vectors, before: &Session<u64, Toy>, query: (Query<u64>, Query<u64>)) {
    let (q_0, q_1) = query;
    let step = session::reads(before.clone(), &[(q_0.address, q_1.address)]);
    let inboxes = [0, 1, 2].map(|number| inbox(&step.sent, number));
    let (p0, p1, p2) = (before.p0.clone(), before.p1.clone(), before.p2.clone());
    let (a_0, a_1) = (vec![q_0.address], vec![q_1.address]);
    given!(v, "lean::party_turn::reads_turn_0", "", turn::reads_turn_0(p0.clone(), 2, &a_0, &inboxes[0]); p0, 2u64, a_0, inboxes[0]);
    given!(v, "lean::party_turn::reads_turn_1", "", turn::reads_turn_1(p1.clone(), 2, &a_1, &inboxes[1]); p1, 2u64, a_1, inboxes[1]);
    given!(v, "lean::party_turn::reads_turn_2", "", turn::reads_turn_2(p2.clone(), 2, 1, &inboxes[2]); p2, 2u64, 1usize, inboxes[2]);
    let height = p0.log_size;
    given!(v, "lean::party_turn::received_shifts", "", turn::received_shifts(&inboxes[2], 1, height, 1);
        inboxes[2], 1u8, height, 1usize);
    given!(v, "lean::delivery::received", "", received(&inboxes[2], 12, 1, 0); inboxes[2], 12u8, 1u8, 0usize);
    given!(v, "lean::delivery::received", "", received(&inboxes[0], 13, 2, 0); inboxes[0], 13u8, 2u8, 0usize);
    given!(v, "lean::party_turn::received_word", " u64", turn::received_word::<u64>(&inboxes[0], 13, 2); inboxes[0], 13u8, 2u8);
    let shifts = read_shifts_0(&p0, &a_0);
    given!(v, "lean::party_turn::put_shift", "", turn::put_shift(&shifts, &a_1); shifts, a_1);

    let step = session::updates(before.clone(), &[query]);
    let inboxes = [0, 1, 2].map(|number| inbox(&step.sent, number));
    let (u_0, u_1) = (vec![q_0], vec![q_1]);
    given!(v, "lean::party_turn::updates_turn_0", "", turn::updates_turn_0(p0.clone(), 2, &u_0, &inboxes[0]); p0, 2u64, u_0, inboxes[0]);
    given!(v, "lean::party_turn::updates_turn_1", "", turn::updates_turn_1(p1.clone(), 2, &u_1, &inboxes[1]); p1, 2u64, u_1, inboxes[1]);
    given!(v, "lean::party_turn::updates_turn_2", "", turn::updates_turn_2(p2.clone(), 1, &inboxes[2]); p2, 1usize, inboxes[2]);

    for swap in [false, true] {
        let step = session::put(before.clone(), query, swap);
        let inboxes = [0, 1, 2].map(|number| inbox(&step.sent, number));
        given!(v, "lean::party_turn::put_turn_0", "", turn::put_turn_0(p0.clone(), 2, &q_0, swap, &inboxes[0]);
            p0, 2u64, q_0, swap, inboxes[0]);
        given!(v, "lean::party_turn::put_turn_1", "", turn::put_turn_1(p1.clone(), 2, &q_1, swap, &inboxes[1]);
            p1, 2u64, q_1, swap, inboxes[1]);
        given!(v, "lean::party_turn::put_turn_2", "", turn::put_turn_2(p2.clone(), 2, swap, &inboxes[2]); p2, 2u64, swap, inboxes[2]);
    }
    let (own, theirs) = (write_shifts_0(&p0, &q_0), write_shifts_1(&p1, &q_1));
    given!(v, "lean::party_turn::put_shift", "", turn::put_shift(&own, &theirs); own, theirs);
}

pub fn turns(v: &mut Vectors) {
    case!(v, 2, "lean::prepare_turn::count", "", |due: Vec<bool>| prepare::count(&due));
    case!(v, 2, "lean::prepare_turn::round_time", "", |round: usize| prepare::round_time(round));
    case!(v, 2, "lean::prepare_turn::keys_time", "", |levels: usize| prepare::keys_time(levels));
    case!(v, 2, "lean::party_turn::say", "", |o: u64, k: u8, f: u8, t: u8, r: u32, b: Vec<u8>| {
        turn::say(o, k, f, t, r, &b)
    });
    case!(v, 2, "lean::party_turn::say_to_both", "", |o: u64, k: u8, f: u8, r: u32, b: Vec<u8>| {
        turn::say_to_both(o, k, f, r, &b)
    });
    for number in [0u8, 1, 2] {
        let words: Words = (0..10).map(|_| Random::random(&mut v.rng)).collect();
        given!(v, "lean::delivery::others", "", others(number); number);
        given!(v, "lean::delivery::say_hello", "", say_hello(number, 3, &words); number, 3usize, words);
    }
    let words: Words = (0..10).map(|_| Random::random(&mut v.rng)).collect();
    let sent: Vec<_> = [say_hello(1, 3, &words[2..]), say_hello(2, 3, &words[1..])].concat();
    let told = inbox(&sent, 0);
    given!(v, "lean::delivery::inbox", "", told.clone(); sent, 0u8);
    given!(v, "lean::delivery::session_prg", "", session_prg(0, 3, &words, &told); 0u8, 3usize, words, told);

    // Of height 1 all steps; of height 4 preparing, which has a level then.
    let before = begun(&mut v.rng, 1);
    let shares: [Words; 2] = [0, 1].map(|_| (0..2).map(|_| Random::random(&mut v.rng)).collect());
    let step = session::load(before.clone(), &shares[0], &shares[1]);
    let load = |share: &Words| PrimaryTask::Load { memory_share: share.clone() };
    in_step(v, &before, &step, (&load(&shares[0]), &load(&shares[1]), &HelperTask::Load));
    let told = inbox(&step.sent, 2);
    given!(v, "lean::delivery::received_chunks", "", received_chunks(&told, 2, 0); told, 2u8, 0u8);
    let step = session::preprocess(before.clone(), 1, 1);
    let (q_0, q_1) = (Random::random(&mut v.rng), Random::random(&mut v.rng));
    using(v, &step.session, (q_0, q_1));
    let step_of_swap = session::swap(step.session.clone(), (q_0, q_1));
    let swap = |query: Query<u64>| PrimaryTask::Put { query, swap: true };
    in_step(v, &step.session, &step_of_swap, (&swap(q_0), &swap(q_1), &HelperTask::Put { swap: true }));
    let before = begun(&mut v.rng, 4);
    preparing(v, &before);
}
