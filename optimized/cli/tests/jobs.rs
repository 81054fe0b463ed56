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
use std::sync::Arc;
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

/// The same seed: the same results, and the same steps and messages. Parties are threads, so in what order is chance.
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
        let [one, four] = [one, four].map(|trace| {
            let trace = fs::read_to_string(trace).unwrap();
            let mut lines: Vec<_> = trace.lines().map(ToOwned::to_owned).collect();
            lines.sort_unstable();
            lines
        });
        assert!(one.len() > 500 && one == four, "{protocol}: other traces");
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
    let mut lines = logged.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let process = lines.rfind(|line| line["rank"] == rank).unwrap()["process"].as_u64();
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

/// How many UPDATEs were begun, and how many answered, of those that are wanted.
#[derive(Default)]
struct Progress {
    begun: AtomicUsize,
    answered: AtomicUsize,
    wanted: AtomicUsize,
}

/// Who asks for them, one after the other, and what must come out.
struct Customer {
    memory: Memory,
    array: Vec<u64>,
    lean: bool,
}

impl Customer {
    fn work(mut self, progress: &Progress) -> Self {
        while progress.answered.load(Ordering::SeqCst) < progress.wanted.load(Ordering::SeqCst) {
            let number = progress.begun.fetch_add(1, Ordering::SeqCst);
            let (address, delta) = (number * 7 % self.array.len(), number as u64 + 1);
            self.memory.update(address as u64, delta).unwrap();
            let word = &mut self.array[address];
            *word = if self.lean { *word ^ delta } else { word.wrapping_add(delta) };
            progress.answered.fetch_add(1, Ordering::SeqCst);
        }
        self
    }

    fn holds(&mut self, what: &str) {
        let addresses: Vec<u64> = (0..self.array.len() as u64).collect();
        assert!(self.memory.read_all(&addresses).unwrap() == self.array, "{what}: other words");
    }
}

impl Progress {
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
        let array = load(&hosts, log_size);
        hosts.wait_until_ready();
        let mut customer = Customer { memory: hosts.memory("a"), array, lean: protocol == "lean" };
        let (progress, mut undone) = (Arc::new(Progress::default()), 0);
        for (place, rank) in [(1, 1), (2, 1), (0, 1), (0, 0)] {
            let answered = || progress.answered.load(Ordering::SeqCst);
            let (before, goes_on) = (answered(), Arc::clone(&progress));
            progress.wanted.store(usize::MAX, Ordering::SeqCst);
            // Not in a scope, which would wait for it if something fails here.
            let work = thread::spawn(move || customer.work(&goes_on));
            let what = format!("{protocol}, P{place}, rank {rank}");
            assert!(Progress::reaches(&progress.answered, before + 5, PATIENCE), "{what}: no UPDATEs");
            let (process, logged) = (process_of(&hosts, place, rank), hosts.logged(place).len());
            if rank > 0 {
                signal("-STOP", &process);
                // One that is begun from now on cannot be done. If none is, the party waits for the worker already.
                let begun = progress.begun.load(Ordering::SeqCst);
                undone += usize::from(Progress::reaches(&progress.begun, begun + 1, Duration::from_secs(1)));
            }
            signal("-KILL", &process);
            assert_ne!(hosts.ended(place), Some(0), "{what}");
            let log = hosts.logged(place);
            let told = log[logged..].lines().any(|line| {
                line.contains(&format!("process rank {rank} "))
                    && line.contains("exited on signal 9 (Killed)")
            });
            assert!(told, "{what}: {log}");
            run(&mut hosts, place);
            assert!(
                Progress::reaches(&progress.answered, answered() + 2, PATIENCE),
                "{what}: no UPDATEs any more"
            );
            progress.wanted.store(0, Ordering::SeqCst);
            customer = work.join().unwrap();
            println!("{what}: killed and started again; {} UPDATEs answered", answered());
        }
        assert!(undone > 0, "{protocol}: no UPDATE met a worker that was stopped");
        customer.holds(protocol);

        // In good order, with a snapshot of all ranges, and again.
        for place in hosts.places() {
            signal("-TERM", &process_of(&hosts, place, 0));
        }
        for place in hosts.places() {
            let status = hosts.parties[place].take().unwrap().wait().unwrap();
            assert_eq!((status.code(), status.signal()), (Some(0), None), "{}", hosts.logged(place));
        }
        for place in hosts.places() {
            for worker in [0, 1] {
                let folder = hosts.path(&format!("p{place}.state/workers/{worker}"));
                let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
                let name = format!("range.{worker}.");
                let ranges = files.filter(|file| file.file_name().to_string_lossy().starts_with(&name));
                let lengths: Vec<_> = ranges.map(|file| file.metadata().unwrap().len()).collect();
                assert!(lengths.len() == 1 && lengths[0] > 4 << log_size, "P{place}: {lengths:?}");
            }
        }
        hosts.places().for_each(|place| run(&mut hosts, place));
        customer.holds("after a snapshot");

        // mpirun itself: nobody is left who would keep the next job from the disk.
        for place in hosts.places() {
            hosts.kill(place);
            run(&mut hosts, place);
        }
        customer.holds("after mpirun was killed");
    }
}
