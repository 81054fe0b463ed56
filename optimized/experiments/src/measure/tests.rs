use std::time::Duration;

use super::*;
use crate::catalogue::named;
use crate::network::Network;
use crate::system::{Growth, Honesty, Law};

/// Sends a message of n bytes an operation, and computes as many microseconds on each of its threads' share.
struct Simple {
    runs: u32,
    threads: usize,
    most: u32,
}

impl System for Simple {
    fn name(&self) -> &'static str {
        "3P-lean"
    }

    fn honesty(&self) -> Honesty {
        Honesty { real: "", counted: "all", quoted: "" }
    }

    fn takes(&self, workload: &Workload) -> bool {
        workload.kind != Kind::Interleaved
    }

    fn growth(&self) -> Option<Growth> {
        Some(Growth { computing: Law::Linear, bytes: Law::Linear, messages: Law::Logarithm })
    }

    fn set_threads(&mut self, threads: usize) -> bool {
        self.threads = threads;
        true
    }

    fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error> {
        if workload.log_size > self.most {
            let (log_size, needed, available) = (workload.log_size, 2, 1);
            return Err(Error::NotEnoughMemory { system: self.name(), log_size, needed, available });
        }
        self.runs += 1;
        let mut network = Network::new(2, link);
        for _ in 0..workload.operations {
            network.compute_for(
                0,
                Duration::from_micros(workload.size()) / u32::try_from(self.threads).unwrap_or(1),
            );
            network.send(0, 1, workload.size());
            let _ = network.receive(1, 0);
        }
        Ok(Phases { preparing: Spent::nothing(2), online: network.mark() })
    }
}

fn origin() -> Origin {
    Origin { backend: String::new(), cpu: String::new(), commit: String::new(), clock: "calculated" }
}

const QUICK: Plan = Plan { quick: true, operations: None, most_log_size: None, headers: false, real: false };

fn perform(most: u32, plan: Plan, names: &[&str]) -> Vec<Results> {
    let mut watch = |_: &str, _: f64| ();
    let system = Box::new(Simple { runs: 0, threads: 1, most });
    let mut bench = Bench::new(vec![system], plan, origin(), &mut watch);
    names.iter().map(|name| bench.perform(named(name).unwrap()).unwrap()).collect()
}

#[test]
fn a_run_serves_every_link_and_every_experiment() {
    let mut told = 0;
    let mut watch = |_: &str, done: f64| told += usize::from((0.0..=1.0).contains(&done));
    let system = Box::new(Simple { runs: 0, threads: 1, most: 20 });
    let mut bench = Bench::new(vec![system], QUICK, origin(), &mut watch);
    for name in ["E2", "E3", "E2"] {
        let rows = bench.perform(named(name).unwrap()).unwrap().rows;
        assert_eq!(rows.len() % 3, 0);
        assert!(rows.len() > 15, "each link is a point");
    }
    assert_eq!(told, 1, "of one size and one kind: the other is refused");
}

#[test]
fn what_is_left_out_is_said() {
    let skipped = &perform(20, QUICK, &["E1"])[0].skipped;
    assert!(skipped.iter().any(|line| line.contains("3P-DUORAM is not built in")), "{skipped:?}");
    assert!(skipped.iter().any(|line| line.contains("interleaved") && line.contains("no such operation")));
}

#[test]
fn sizes_that_do_not_fit_are_extrapolated_and_say_so() {
    let results = &perform(12, Plan { operations: Some(2), ..QUICK }, &["E8"])[0];
    let online = |log_size| {
        let of = |row: &&Row| row.log_size == log_size && row.phase == "online";
        results.rows.iter().find(of).unwrap()
    };
    assert_eq!((online(12).honesty.as_str(), online(32).honesty.as_str()), ("counted", "extrapolated"));
    let ratio = online(32).bytes / online(12).bytes;
    assert!((ratio - 20_f64.exp2()).abs() < 1.0, "{ratio}");
}

/// Which sizes it was run at for E8, whose own sizes are larger.
fn base_of(most: u32, plan: Plan) -> Vec<u32> {
    let mut sizes = Vec::new();
    let mut watch = |what: &str, _: f64| {
        sizes.extend(what.split("2^").nth(1).and_then(|size| size.split(' ').next()?.parse::<u32>().ok()));
    };
    let system = Box::new(Simple { runs: 0, threads: 1, most });
    let mut bench = Bench::new(vec![system], plan, origin(), &mut watch);
    bench.perform(named("E8").unwrap()).unwrap();
    drop(bench);
    sizes.sort_unstable();
    sizes
}

#[test]
fn extrapolation_begins_at_the_largest_sizes_that_are_allowed_and_fit() {
    let plan = Plan { quick: false, operations: Some(1), ..QUICK };
    assert_eq!(base_of(40, Plan { most_log_size: Some(24), ..plan }), [22, 24]);
    assert_eq!(base_of(40, Plan { most_log_size: Some(26), ..plan }), [24, 26]);
    assert_eq!(base_of(30, plan), [28, 30, 32], "32 is tried, and does not fit");
    // What is tried first does not fit.
    assert_eq!(base_of(21, Plan { most_log_size: Some(24), ..plan }), [18, 20, 22, 24]);
}

#[test]
fn cores_beyond_two_are_extrapolated() {
    let results = &perform(12, QUICK, &["E11"])[0];
    if thread::available_parallelism().map_or(1, usize::from) < 2 {
        assert!(results.skipped.iter().any(|line| line.contains("share one core")));
        return;
    }
    let online: Vec<_> = results.rows.iter().filter(|row| row.phase == "online").collect();
    let [one, four] = online.as_slice() else { panic!("expected two rows, got {}", online.len()) };
    assert_eq!((one.cores, four.cores, four.is_extrapolated()), (1, 4, true));
    // Latency and transmission stay: only what is computed is divided.
    let computing = |cores: f64| 2.0 * 4096e-6 / cores;
    assert!((one.seconds - four.seconds - (computing(1.0) - computing(4.0))).abs() < 1e-9);
}

#[test]
fn with_sleeps_only_what_can_sleep_is_run() {
    let results = &perform(12, Plan { real: true, ..QUICK }, &["E5"])[0];
    assert!(results.rows.is_empty());
    assert!(results.skipped.iter().any(|line| line.contains("cannot be run with sleeps")));
}
