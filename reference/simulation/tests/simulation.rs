//! Runs of some seeds, and every planted fault. `ci/simulate` has many more.

use duoram_simulation::coverage::{Coverage, Place};
use duoram_simulation::protocol::Protocol;
use duoram_simulation::run::{protocol_of, simulate, trace};
use duoram_simulation::{Failure, Fault};

/// The seeds of one test.
const SEEDS: u64 = 300;

/// Those of a protocol.
fn seeds(protocol: Protocol) -> impl Iterator<Item = u64> {
    (0..).filter(move |seed| protocol_of(*seed) == protocol)
}

/// "Nothing is lost and nothing is used twice": of each protocol.
#[test]
fn no_seed_fails_and_the_crashes_are_everywhere() {
    let mut all = Coverage::default();
    for protocol in Protocol::ALL {
        let mut coverage = Coverage::default();
        for seed in seeds(protocol).take_while(|seed| *seed < SEEDS) {
            let outcome = simulate(seed, None).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
            coverage.add(&outcome.coverage);
        }
        all.add(&coverage);
        // In the paper's protocol a WRITE is a READ and an UPDATE.
        let whole = ["write", "swap"].into_iter().filter(|_| protocol != Protocol::Paper);
        for step in ["connect", "preprocess", "read", "update", "-"].into_iter().chain(whole) {
            let crashes: u64 = Place::ALL.into_iter().map(|place| coverage.at(place, step)).sum();
            assert!(crashes > 3, "{protocol:?}: {step}\n{coverage}");
        }
    }
    // All crashes of a first version fell into `connect`, and everything looked fine.
    for place in Place::ALL {
        assert!(all.steps().into_iter().any(|step| all.at(place, step) > 0), "{place:?}\n{all}");
    }
    // It is over soon, with two parties between any two messages.
    assert!(Place::ALL.into_iter().map(|place| all.at(place, "load")).sum::<u64>() > 3, "{all}");
}

/// A seed that somebody has noted down is the run that it was before there was a third protocol; and each has its seeds.
#[test]
fn every_third_seed_is_of_two_parties() {
    let names = |seeds: std::ops::Range<u64>| seeds.map(|seed| protocol_of(seed).name()).collect::<Vec<_>>();
    assert_eq!(names(0..6), ["paper", "lean", "two-party", "lean", "paper", "two-party"]);
    assert_eq!(names(600..606), names(0..6));
}

/// The same seed is the same run.
#[test]
fn a_seed_says_all() {
    for seed in 0..10 {
        let [first, second] = [(); 2].map(|()| simulate(seed, None).unwrap());
        assert_eq!(
            (first.points, first.crashes, first.frames),
            (second.points, second.crashes, second.frames)
        );
        assert_eq!(first.coverage, second.coverage);
        assert!(first.journals == second.journals);
    }
}

/// That a fault is found in each protocol within four hundred of its seeds, and of some protocol in such a way.
fn shows(fault: Fault, as_expected: impl Fn(&Failure) -> bool) {
    let mut so = false;
    for protocol in Protocol::ALL {
        let failures = seeds(protocol).take(400).filter_map(|seed| simulate(seed, Some(fault)).err());
        let mut failures = failures.peekable();
        assert!(failures.peek().is_some(), "{}: {fault:?} is not found", protocol.name());
        so = so || failures.any(|failure| as_expected(&failure));
    }
    assert!(so, "{fault:?} is not found so");
}

#[test]
fn a_party_that_speaks_first_says_something_else_with_an_item() {
    shows(Fault::SpeaksFirst, |failure| {
        matches!(
            failure,
            Failure::OtherWords { .. }
                | Failure::Contradiction { kind: "shift" | "shifts" | "update" | "updates", .. }
        )
    });
}

#[test]
fn a_party_that_acknowledges_early_is_found_to_have_forgotten() {
    shows(
        Fault::EarlyAcknowledgement,
        |failure| matches!(failure, Failure::Peer { reason, .. } if reason.contains("has forgotten")),
    );
}

#[test]
fn without_retransmission_nothing_goes_on() {
    shows(Fault::NoRetransmission, |failure| matches!(failure, Failure::Stuck { .. }));
}

#[test]
fn a_torn_journal_without_checksums_is_not_what_was_written() {
    shows(Fault::NoChecksum, |failure| matches!(failure, Failure::Start { .. }));
}

#[test]
fn a_disk_that_lies_is_found_to_have_forgotten() {
    shows(
        Fault::LyingFsync,
        |failure| matches!(failure, Failure::Peer { reason, .. } if reason.contains("has forgotten")),
    );
}

#[test]
fn items_of_an_older_snapshot_are_used_twice() {
    shows(Fault::ItemsRestored, |failure| matches!(failure, Failure::ItemTwice { .. }));
}

#[test]
fn a_snapshot_that_is_written_in_place_is_none() {
    shows(Fault::TornSnapshot, |failure| matches!(failure, Failure::Start { .. }));
}

#[test]
fn an_item_number_that_is_given_again_is_used_twice() {
    shows(Fault::ItemNumberReused, |failure| matches!(failure, Failure::ItemTwice { .. }));
}

#[test]
fn randomness_that_begins_anew_says_something_else() {
    shows(Fault::StreamsNotRestored, |failure| matches!(failure, Failure::Contradiction { .. }));
}

/// Each message is taken once, and may be sent again after a crash, of which each has its place.
#[test]
fn a_trace_tells_of_a_crashed_run_and_of_the_crashes() {
    let (mut crashes, mut again) = (0, 0);
    for seed in 0..20 {
        let (outcome, text) = trace(seed).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        assert!(outcome.crashes > 0);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("\"trace\":3"));
        let count = |event: &str| lines.iter().filter(|line| line.contains(event)).count();
        assert_eq!(count("\"receive\""), outcome.frames);
        // Those of a party that had not begun, or was about to begin again, are no crashes of a party.
        let of_parties: usize = outcome.journals.iter().map(|journal| journal.crashes.len()).sum();
        assert_eq!([count("\"crash\""), count("\"restart\"")], [of_parties; 2]);
        assert!(of_parties as u64 <= outcome.crashes);
        crashes += of_parties;
        again += count("\"send\"") - outcome.frames;
    }
    assert!(crashes > 20 && again > 0, "{crashes} crashes, {again} messages sent again");
}
