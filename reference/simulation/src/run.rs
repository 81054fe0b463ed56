//! Runs: of a seed, and of one program with a crash everywhere.

use duoram_vectors::Random;

use crate::cluster::{Cluster, Crash, Outcome};
use crate::coverage::Coverage;
use crate::disk::{Carelessness, PlainStore};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::medium::{Medium, Tear};
use crate::program::Program;
use crate::protocol::Protocol;

/// The most crashes of a run.
const MOST_CRASHES: u64 = 6;

/// The protocol of a seed: they alternate.
pub const fn protocol_of(seed: u64) -> Protocol {
    Protocol::ALL[(seed % 2) as usize]
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

/// A run of a program, with these crashes.
///
/// # Errors
///
/// What went wrong.
pub fn run(program: &Program, seed: u64, crashes: &[Crash], fault: Option<Fault>) -> Result<Outcome, Failure> {
    Cluster::new(program, seed, crashes, fault, || disk(fault)).run()
}

/// The run of a seed: a random program, first without a crash, to see how long it is, and then with some.
///
/// # Errors
///
/// What went wrong.
pub fn simulate(seed: u64, fault: Option<Fault>) -> Result<Outcome, Failure> {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed);
    let program = Program::random(protocol_of(seed), &mut random, false);
    let schedule = random.word();
    let calm = run(&program, schedule, &[], None)?;
    run(&program, schedule, &crashes(&mut random, calm.points), fault)
}

/// Crashes spread over a run of so many places, and a little longer.
fn crashes(random: &mut Random, points: u64) -> Vec<Crash> {
    let count = random.below(MOST_CRASHES + 1);
    let mut crashes: Vec<Crash> = (0..count)
        .map(|_| {
            let tear = Tear::ALL[usize::from(random.below(4).to_le_bytes()[0])];
            (random.below(points + points / 3), tear)
        })
        .collect();
    crashes.sort_by_key(|(point, _)| *point);
    crashes
}

/// What an exhaustive run was like.
#[derive(Default)]
pub struct Everywhere {
    /// The runs.
    pub runs: u64,
    /// Where parties have crashed.
    pub coverage: Coverage,
}

/// A program of every kind of step, with a crash at every place at which a party does anything, with each tear.
///
/// # Errors
///
/// The first crash that something went wrong after, and what.
pub fn everywhere(protocol: Protocol, seed: u64) -> Result<Everywhere, (Crash, Failure)> {
    let program = Program::every_kind(protocol, &mut Random(seed));
    let calm = run(&program, seed, &[], None).map_err(|failure| ((0, Tear::Lost), failure))?;
    let mut all = Everywhere::default();
    for point in 0..calm.points {
        for tear in Tear::ALL {
            let crash = (point, tear);
            let outcome = run(&program, seed, &[crash], None).map_err(|failure| (crash, failure))?;
            all.coverage.add(&outcome.coverage);
            all.runs += 1;
        }
    }
    Ok(all)
}
