//! `duoram experiment advise`: which system, for a memory, a network and a mix of operations.

use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use duoram_experiments::advise::{Question, advise as ask};
use duoram_experiments::measure::{Bench, Plan};
use duoram_experiments::network::Link;
use duoram_experiments::systems;

use super::{PriceOptions, origin, units};
use crate::progress::Progress;
use crate::{Error, Output, Verdict};

/// What is wanted.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// h: the memory has 2^H words.
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(1..=40))]
    log_size: u32,
    /// One way between two parties, such as 30ms or 30us.
    #[arg(long, value_name = "TIME", default_value = "30ms", value_parser = units::latency)]
    latency: Duration,
    /// What a party may send a second, such as 100mbit or 10gbit.
    #[arg(long, value_name = "RATE", default_value = "100mbit", value_parser = units::bandwidth)]
    bandwidth: f64,
    /// What share of operations are READs, from 0 to 1; the others are WRITEs.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = units::share)]
    reads: f64,
    /// How many operations are prepared at once.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    operations: usize,
    /// Measure at 2^H words at the most, and extrapolate from there.
    #[arg(long, value_name = "H", default_value_t = 14, value_parser = clap::value_parser!(u32).range(4..=40))]
    most_log_size: u32,
    #[command(flatten)]
    prices: PriceOptions,
}

pub(super) fn advise(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    let plan = Plan {
        quick: false,
        operations: None,
        most_log_size: Some(options.most_log_size),
        headers: false,
        real: false,
    };
    let progress = Progress::new("measuring", 1);
    let mut watch = |what: &str, share: f64| {
        progress.say(what);
        progress.reach_part(share);
    };
    let mut bench = Bench::new(systems::all(), plan, origin(false), &mut watch);
    let question = Question {
        log_size: options.log_size,
        link: Link { delay: options.latency, bits_per_second: options.bandwidth, headers: false },
        reads: options.reads,
        operations: options.operations,
    };
    let advice = ask(&mut bench, &question)?;
    let mut said = Vec::new();
    for system in bench.systems() {
        if advice.estimates.iter().any(|estimate| estimate.system == system.name()) {
            said.extend(systems::said(system)?);
        }
    }
    drop(progress);
    for line in advice.text(&question, &options.prices.into()) {
        output.line(&line)?;
    }
    for line in [&String::new()].into_iter().chain(&said) {
        output.line(line)?;
    }
    for line in &advice.skipped {
        output.line(&format!("left out: {line}"))?;
    }
    Ok(Verdict::Held)
}
