//! Parties of which each is an MPI job, by `mpirun`: what `ci/mpi` runs, which says what `mpirun` needs to know.
//! A program of its own, so that the others need not be compiled with MPI too.
#![allow(missing_docs)]
#![cfg(unix)]

#[allow(dead_code, reason = "some of it is for the tests of one process")]
mod hosts;
#[allow(dead_code, reason = "as above")]
mod program;

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use duoram_client::blocking::Memory;
use serde_json::Value;

use crate::hosts::{Hosts, PATIENCE, load};
use crate::program::text;

/// The program as so many processes.
fn job(processes: usize) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["-n", &processes.to_string(), "--oversubscribe", env!("CARGO_BIN_EXE_duoram")]);
    command
}

fn output(processes: usize, arguments: &[&str]) -> Output {
    job(processes).args(arguments).output().unwrap()
}

fn succeed(processes: usize, arguments: &[&str]) -> String {
    let output = output(processes, arguments);
    assert!(output.status.success(), "{processes}: {arguments:?}: {}", text(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(processes: usize, arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(processes, arguments)).unwrap()
}

#[test]
fn check_finds_four_processes_as_it_finds_one() {
    for protocol in ["paper", "lean"] {
        for more in [&["--cases", "12"][..], &["--cases", "4", "--shares", "5,0,2,1"]] {
            let report =
                json(4, &[&["check", "--protocol", protocol, "--seed", "beef", "--json"], more].concat());
            assert_eq!(report["mismatches"], 0, "{protocol}, {more:?}");
            assert_eq!(report["backends"].as_array().unwrap().len(), 1, "{report}");
            for what in ["messages", "shares"] {
                assert!(report["comparisons"][what].as_u64().unwrap() > 10, "{protocol}, {more:?}");
            }
        }
    }
}

/// The same seed: the same results, and the same steps and messages in the same order.
#[test]
fn a_run_is_that_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    for protocol in ["paper", "lean"] {
        let [one, four] = ["one", "four"].map(|name| folder.path().join(format!("{protocol}-{name}")));
        let run =
            |trace| ["run", "--check", "--seed", "7", "--json", "--protocol", protocol, "--trace", trace];
        let alone = crate::program::json(&run(one.to_str().unwrap()));
        let together = json(4, &run(four.to_str().unwrap()));
        assert_eq!(together["check"]["mismatches"], 0, "{protocol}");
        assert_eq!(together["operations"], alone["operations"], "{protocol}");
        assert!(fs::read(one).unwrap() == fs::read(four).unwrap(), "{protocol}: other traces");
    }
}

#[test]
fn bench_says_what_each_worker_computes() {
    let output = succeed(2, &["bench", "--log-size", "8", "--ops", "1"]);
    for words in
        ["workers:   2", "for a broadcast of 1 KiB and a reduce of a word", "worker 0: ", "worker 1: "]
    {
        assert_eq!(output.matches(words).count(), 1, "{words} in {output}");
    }
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let refused = [
        (&["check", "--shares", "1,2,3"][..], "expected 2 workers, the processes of the MPI job, got 3"),
        (&["bench", "--workers", "4"], "expected 2 workers, the processes of the MPI job, got 4"),
        (&["run", "--protocol", "two-party"], "expected paper or lean with more than one worker"),
        (&["run", "--backend", "reference"], "expected a backend of kernels with more than one worker"),
    ];
    for (arguments, words) in refused {
        let output = output(2, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// The process of a rank, as the party said when it was started last.
fn process_of(hosts: &Hosts, place: usize, rank: usize) -> String {
    let logged = hosts.logged(place);
    let lines = logged.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let process = lines.filter(|line| line["rank"] == rank).last().unwrap()["process"].as_u64();
    process.unwrap().to_string()
}

fn signal(name: &str, process: &str) {
    assert!(Command::new("kill").args([name, process]).status().unwrap().success(), "{name} {process}");
}

fn run(hosts: &mut Hosts, place: usize) {
    let before = hosts.path(&format!("p{place}.log")).exists().then(|| hosts.logged(place).len());
    hosts.run_by(place, job(2));
    hosts.wait_until_logged(place, before.unwrap_or_default(), &["the state is open"]);
}

/// UPDATEs one after the other until it is told to stop; how many were begun, and how many answered.
#[derive(Default)]
struct Progress {
    begun: AtomicUsize,
    answered: AtomicUsize,
    wanted: AtomicUsize,
}

impl Progress {
    fn work(&self, memory: &mut Memory, array: &mut [u64], lean: bool) {
        while self.answered.load(Ordering::SeqCst) < self.wanted.load(Ordering::SeqCst) {
            let number = self.begun.fetch_add(1, Ordering::SeqCst);
            let (address, delta) = (number * 7 % array.len(), number as u64 + 1);
            memory.update(address as u64, delta).unwrap();
            let word = &mut array[address];
            *word = if lean { *word ^ delta } else { word.wrapping_add(delta) };
            self.answered.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Whether a counter gets there in time.
    fn reaches(counter: &AtomicUsize, count: usize, patience: Duration) -> bool {
        let since = Instant::now();
        while counter.load(Ordering::SeqCst) < count {
            if since.elapsed() > patience {
                return false;
            }
            thread::yield_now();
        }
        true
    }
}

/// Three parties of two processes each. A worker is stopped while there are UPDATEs, so that its range lacks what its party has told it, and
/// killed; then a party itself. Each time the job ends with a message that says who is gone, and started again it has lost nothing.
#[test]
fn a_process_killed_in_an_update_loses_nothing() {
    for (protocol, log_size) in [("paper", 10), ("lean", 12)] {
        let mut hosts = Hosts::deployed(log_size, protocol, "info");
        hosts.places().for_each(|place| run(&mut hosts, place));
        let mut array = load(&hosts, log_size);
        hosts.wait_until_ready();
        let (mut memory, progress) = (hosts.memory("a"), Progress::default());
        let mut undone = 0;
        for (place, rank) in [(1, 1), (2, 1), (0, 1), (0, 0)] {
            let answered = progress.answered.load(Ordering::SeqCst);
            progress.wanted.store(usize::MAX, Ordering::SeqCst);
            thread::scope(|scope| {
                let work = scope.spawn(|| progress.work(&mut memory, &mut array, protocol == "lean"));
                assert!(Progress::reaches(&progress.answered, answered + 5, PATIENCE), "{protocol}");
                let (process, before) = (process_of(&hosts, place, rank), hosts.logged(place).len());
                if rank > 0 {
                    signal("-STOP", &process);
                    // One that is begun from now on cannot be done. If none is, the party waits for the worker already.
                    let begun = progress.begun.load(Ordering::SeqCst);
                    undone +=
                        usize::from(Progress::reaches(&progress.begun, begun + 1, Duration::from_secs(1)));
                }
                signal("-KILL", &process);
                let code = hosts.ended(place);
                assert_ne!(code, Some(0), "{protocol}, P{place}");
                let told = hosts.logged(place)[before..].contains(&format!("rank {rank} with PID {process}"));
                assert!(told, "{protocol}, P{place}: {}", hosts.logged(place));
                run(&mut hosts, place);
                let answered = progress.answered.load(Ordering::SeqCst);
                assert!(Progress::reaches(&progress.answered, answered + 2, PATIENCE), "{protocol}");
                progress.wanted.store(0, Ordering::SeqCst);
                work.join().unwrap();
            });
        }
        assert!(undone > 0, "{protocol}: no UPDATE met a worker that was stopped");
        let addresses: Vec<u64> = (0..array.len() as u64).collect();
        assert!(memory.read_all(&addresses).unwrap() == array, "{protocol}: other words");

        // In good order, with a snapshot of all ranges, and again.
        for place in hosts.places() {
            signal("-TERM", &process_of(&hosts, place, 0));
        }
        for place in hosts.places() {
            let status = hosts.parties[place].take().unwrap().wait().unwrap();
            assert_eq!((status.code(), status.signal()), (Some(0), None), "{}", hosts.logged(place));
        }
        hosts.places().for_each(|place| run(&mut hosts, place));
        assert!(memory.read_all(&addresses).unwrap() == array, "{protocol}: other words after a snapshot");
    }
}
