//! Parties that are divided among workers, as real processes: each worker keeps its range, and what it does not find there as it was is an
//! error that says which file.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::hosts::{Hosts, load, set};
use crate::three_hosts::{both, customers, hold, one_is_killed};

const SHARES: &[&str] = &["--shares", "5,0,2"];

/// The ranges of a worker.
fn ranges(hosts: &Hosts, folder: &str, worker: usize) -> Vec<PathBuf> {
    let inside = fs::read_dir(hosts.path(folder).join(worker.to_string())).unwrap();
    let mut files: Vec<_> = inside.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.file_name().unwrap().to_string_lossy().starts_with("range."));
    files
}

/// Killed and stopped, started with others, with a file that is gone and with one that is damaged.
#[test]
fn each_worker_keeps_its_range() {
    for (protocol, log_size) in [("lean", 11), ("paper", 9)] {
        let mut hosts = Hosts::deployed(log_size, protocol, "info");
        hosts.more = SHARES;
        // P1's are elsewhere.
        set(&hosts, "p1", "[state]", "[state]\nworkers = \"elsewhere\"");
        hosts.places().for_each(|place| hosts.run(place));
        let array = load(&hosts, log_size);
        let mut two = customers(&hosts, &array, protocol == "lean");
        both(&mut two, 20);
        for place in hosts.places() {
            hosts.kill(place);
            hosts.run(place);
        }
        hold(&mut two, "killed");
        hosts.stop();

        let folders = ["p0.state/workers", "elsewhere", "p2.state/workers"];
        for (place, folder) in folders.into_iter().enumerate() {
            let whole = 8 << log_size;
            let length = |worker| {
                let files = ranges(&hosts, folder, worker);
                assert_eq!(files.len(), 1, "{files:?}");
                fs::metadata(&files[0]).unwrap().len()
            };
            let lengths = [0, 1, 2].map(length);
            assert!(lengths[0] > whole * 5 / 7 && lengths[2] > whole * 2 / 7, "{lengths:?}");
            assert!(lengths[1] < 1000, "{lengths:?}");
            let files = fs::read_dir(hosts.path(&format!("p{place}.state"))).unwrap();
            let is_snapshot = |file: &PathBuf| file.to_string_lossy().contains("snapshot.");
            let snapshots: Vec<_> = files.map(|file| file.unwrap().path()).filter(is_snapshot).collect();
            assert_eq!(snapshots.len(), 1, "{snapshots:?}");
        }
        assert!(!hosts.path("p1.state/workers").exists());

        hosts.places().for_each(|place| hosts.run(place));
        hold(&mut two, "stopped");
        hosts.stop();
        for place in [0, 2] {
            hosts.run(place);
        }
        let file = ranges(&hosts, "elsewhere", 2).remove(0);
        let (name, bytes) =
            (file.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&file).unwrap());
        let refused = |hosts: &mut Hosts, more: &'static [&'static str], words: &[&str]| {
            let before = hosts.logged(1).len();
            hosts.more = more;
            hosts.run(1);
            assert_eq!(hosts.ended(1), Some(3), "{}", hosts.logged(1));
            hosts.wait_until_logged(1, before, words);
            hosts.more = SHARES;
        };
        refused(
            &mut hosts,
            &["--workers", "2"],
            &["whose range it is: expected words 0..", "of worker 0 of 2, got"],
        );
        fs::remove_file(&file).unwrap();
        refused(
            &mut hosts,
            SHARES,
            &["worker 2: ", &name, "the file of a range: expected words", "got no such file"],
        );
        fs::write(&file, &bytes[1..]).unwrap();
        refused(&mut hosts, SHARES, &["worker 2: ", &name, "its beginning: expected"]);
        fs::write(&file, bytes).unwrap();
        let [there, away] = ["elsewhere/2", "away"].map(|name| hosts.path(name));
        fs::rename(&there, &away).unwrap();
        fs::write(&there, "no folder").unwrap();
        refused(&mut hosts, SHARES, &["worker 2: ", "elsewhere/2: File exists"]);
        fs::remove_file(&there).unwrap();
        fs::rename(&away, &there).unwrap();
        hosts.run(1);
        hold(&mut two, "after what was refused");
        hosts.stop();
    }
}

/// kill -9 of any party, with a snapshot after every few inputs: some of the moments are between what workers write and what the party does.
#[test]
fn whoever_is_killed_amid_snapshots_goes_on_where_it_was() {
    for (protocol, log_size) in [("lean", 10), ("paper", 8)] {
        let mut hosts = Hosts::deployed(log_size, protocol, "info");
        hosts.more = SHARES;
        for place in hosts.places() {
            set(&hosts, &format!("p{place}"), "[state]", "[state]\njournal_bytes = 20000");
            hosts.run(place);
        }
        let array = load(&hosts, log_size);
        let mut two = customers(&hosts, &array, protocol == "lean");
        let (mut random, mut seen) = (ChaCha20Rng::from_seed([4; 32]), HashSet::new());
        // How many inputs there are depends on how many requests become one step: it goes on until there were snapshots enough.
        for round in 0..20 {
            if round >= 3 && seen.len() > 6 {
                break;
            }
            one_is_killed(
                &mut hosts,
                &mut two,
                (round, 30),
                &mut random,
                &format!("{protocol}, round {round}"),
            );
            for place in hosts.places() {
                seen.extend(ranges(&hosts, &format!("p{place}.state/workers"), 2));
            }
        }
        hosts.wait_until_ready();
        hold(&mut two, protocol);
        hosts.stop();
        for place in hosts.places() {
            assert_eq!(
                ranges(&hosts, &format!("p{place}.state/workers"), 2).len(),
                1,
                "{protocol}, P{place}"
            );
        }
        assert!(seen.len() > 6, "{protocol}: there were no snapshots: {seen:?}");
    }
}
