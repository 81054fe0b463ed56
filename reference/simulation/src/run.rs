//! Runs: of a seed, and of one program with a crash everywhere.

use duoram_reference::Role;
use duoram_vectors::Random;

use crate::choice::one_of;
use crate::cluster::{Cluster, Crash, Outcome, Plan};
use crate::disk::{Carelessness, Disk, PlainStore};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::many::{Failed, Many, many};
use crate::medium::{Medium, Tear};
use crate::program::Program;
use crate::protocol::Protocol;
use crate::trace::{self, Parties};

/// The most crashes of a run.
const MOST_CRASHES: u64 = 6;

/// The protocol of a seed: every third is of two parties. Those between are of three, as they were before there was any other, so
/// that a seed that was noted down stays the run that it was.
pub const fn protocol_of(seed: u64) -> Protocol {
    if seed % 3 == 2 { Protocol::TwoParty } else { Protocol::OF_THREE[(seed % 2) as usize] }
}

/// A disk as the fault has it.
fn disk(fault: Option<Fault>) -> PlainStore {
    let medium = if fault == Some(Fault::LyingFsync) { Medium::lying() } else { Medium::default() };
    let careless = match fault {
        Some(Fault::NoChecksum) => Some(Carelessness::NoChecksum),
        Some(Fault::TornSnapshot) => Some(Carelessness::InPlace),
        _ => None,
    };
    PlainStore::new(medium, careless)
}

/// A run of a program, as planned.
///
/// # Errors
///
/// What went wrong.
pub fn run(program: &Program, plan: &Plan<'_>) -> Result<Outcome, Failure> {
    Cluster::new(program, plan, || disk(plan.fault)).run()
}

/// The run of a seed, over the plain store: see [`simulate_on`].
///
/// # Errors
///
/// What went wrong.
pub fn simulate(seed: u64, fault: Option<Fault>) -> Result<Outcome, Failure> {
    simulate_on(seed, fault, || disk(fault))
}

/// The run of a seed: a random program, first without a crash, to see how long it is, and then with some. The disks are empty
/// ones.
///
/// # Errors
///
/// What went wrong.
pub fn simulate_on<D: Disk>(
    seed: u64,
    fault: Option<Fault>,
    disk: impl Fn() -> D,
) -> Result<Outcome, Failure> {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed);
    let program = Program::random(protocol_of(seed), &mut random);
    let seed = random.word();
    let calm = Plan { seed, crashes: &[], fault: None, one_by_one: false };
    let points = Cluster::new(&program, &calm, &disk).run()?.points;
    let count = random.below(MOST_CRASHES + 1);
    let crashes = crashes(&mut random, count, points);
    Cluster::new(&program, &Plan { crashes: &crashes, fault, ..calm }, disk).run()
}

/// The run of a seed with at least one crash, of a program that makes nothing while it uses the memory; and what the parties have done,
/// as a trace.
///
/// # Errors
///
/// What went wrong.
pub fn trace(seed: u64) -> Result<(Outcome, String), Failure> {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x7ace);
    let program = Program::random_apart(protocol_of(seed), &mut random);
    let seed = random.word();
    let calm = Plan { seed, crashes: &[], fault: None, one_by_one: true };
    let points = run(&program, &calm)?.points;
    let count = 1 + random.below(MOST_CRASHES);
    let crashes = crashes(&mut random, count, points * 3 / 4);
    let outcome = run(&program, &Plan { crashes: &crashes, ..calm })?;
    let Program { protocol, .. } = program;
    let parties = Parties {
        protocol,
        parameters: program.parameters(),
        limits: outcome.limits,
        party: &|role| program.party(role),
    };
    // P2 is given no shares, even where it takes no part.
    let plan = (0..program.commands(Role::P2)).map(|number| program.command(Role::P2, number, None));
    let text = trace::text(&parties, &plan.collect::<Vec<_>>(), &outcome.journals);
    Ok((outcome, text))
}

/// Crashes spread over a run of so many places, and a little longer.
fn crashes(random: &mut Random, count: u64, points: u64) -> Vec<Crash> {
    let mut crashes: Vec<Crash> = (0..count)
        .map(|_| {
            let tear = one_of(random, &Tear::ALL);
            (random.below(points + points / 3), tear)
        })
        .collect();
    crashes.sort_by_key(|(point, _)| *point);
    crashes
}

/// A program of every kind of step, with a crash at every place at which a party does anything, with each tear; on so many threads.
///
/// # Errors
///
/// The first crash that something went wrong after, and what.
pub fn everywhere(protocol: Protocol, seed: u64, threads: usize) -> Result<Many, Failed<Crash>> {
    let program = Program::every_kind(protocol, &mut Random(seed));
    let calm = Plan { seed, crashes: &[], fault: None, one_by_one: false };
    let crash = |crash| run(&program, &Plan { crashes: &[crash], ..calm });
    let nowhere = (0, Tear::Lost);
    let points =
        run(&program, &calm).map_err(|failure| Failed { before: 0, which: nowhere, failure })?.points;
    let crashes = (0..points).flat_map(|point| Tear::ALL.map(|tear| (point, tear)));
    many(threads, crashes, crash, |_| ())
}
