//! The parties of a protocol as hosts run them, their disks and links, and clients that ask for anything, in one thread under one seed: links
//! go down, disks are torn, parties and clients crash at any moment, and every result is that of an array.

mod cluster;
mod customer;
mod ideal;
mod protocol;

use std::collections::BTreeMap;

use duoram_host::orders::Fault;

use self::cluster::{Cluster, Coverage};

/// The seeds that every change is tested with; `SEEDS=10000` for more.
const SEEDS: u64 = 100;

fn seeds() -> u64 {
    std::env::var("SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS)
}

/// A run of one seed; why it fails.
fn run(seed: u64, fault: Option<Fault>) -> Result<Coverage, String> {
    // A fault may have any consequence.
    let run = || Cluster::new(seed, fault).run();
    std::panic::catch_unwind(run).unwrap_or_else(|_| Err("panicked".to_owned()))
}

/// Nothing is lost, nothing is done twice, nobody blocks the others, and all end idle.
#[test]
fn no_seed_fails() {
    let mut coverage = Coverage::default();
    for seed in 0..seeds() {
        coverage.add(&run(seed, None).unwrap_or_else(|failure| panic!("seed {seed}: {failure}")));
    }
    println!("{coverage:#?}");
    let Coverage { crashes, torn, links_lost, clients_crashed, joined, answers, ref refusals, .. } = coverage;
    for (what, count, least) in [
        ("crashes of parties", crashes, 2 * SEEDS),
        ("crashes in the middle of a write", torn, SEEDS),
        ("links lost", links_lost, 3 * SEEDS),
        ("crashes of clients", clients_crashed, SEEDS),
        ("steps of several requests", joined, SEEDS),
        ("answers", answers, 10 * SEEDS),
    ] {
        assert!(count >= least, "{what}: only {count}");
    }
    for reason in ["expired", "stock-empty", "withdrawn", "different", "not-allowed", "not-loaded", "busy"] {
        assert!(
            refusals.get(reason).is_some_and(|count| *count > 0),
            "nobody was refused with: {reason}: {refusals:?}"
        );
    }
}

/// The same test finds each of the faults.
#[test]
fn every_fault_is_found() {
    let found: BTreeMap<_, _> = Fault::ALL
        .map(|fault| (format!("{fault:?}"), (0..SEEDS).find(|seed| run(*seed, Some(fault)).is_err())))
        .into();
    println!("{found:?}");
    for (fault, seed) in found {
        assert!(seed.is_some(), "{fault} is not found");
    }
}

/// One seed, to look at: `SEED=7 FAULT=ToldFirst cargo test -p duoram-host --test simulation one_seed`.
#[test]
fn one_seed() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let named = std::env::var("FAULT").unwrap_or_default();
    let fault = Fault::ALL.into_iter().find(|fault| format!("{fault:?}") == named);
    let outcome = Cluster::new(seed, fault).run();
    println!("{outcome:?}");
    assert!(fault.is_some() || outcome.is_ok(), "seed {seed}: {outcome:?}");
}
