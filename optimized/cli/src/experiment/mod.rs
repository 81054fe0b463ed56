//! `duoram experiment`: the paper's experiments over a calculated network, and advice.

mod advise;
mod peers;
mod report;
mod units;

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use duoram_experiments::catalogue::{EXPERIMENTS, Experiment, named};
use duoram_experiments::duoram::backend;
use duoram_experiments::measure::{Bench, Plan, Results};
use duoram_experiments::prices::Prices;
use duoram_experiments::row::{Origin, Row, from_csv};
use duoram_experiments::systems;

use self::report::{LEFT_OUT, Report};
use crate::machine::{self, COMMIT};
use crate::progress::Progress;
use crate::{Error, Output, Verdict};

/// What to do.
#[allow(clippy::struct_excessive_bools, reason = "options of a command line")]
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Options {
    #[command(subcommand)]
    command: Option<Beside>,
    /// E1 to E11 of the artifact's appendix, basic (its test), slow (the paper's slowest network), computing (no network), or all.
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// Short axes and two operations: seconds instead of hours.
    #[arg(long)]
    quick: bool,
    /// Write a CSV file an experiment, plots as SVG, and results.md into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print comma-separated values instead of tables.
    #[arg(long)]
    csv: bool,
    /// How many operations; 128 as in the paper, or 2 with --quick.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 16))]
    operations: Option<usize>,
    /// Extrapolate sizes above 2^H instead of running them, from the two largest that were run.
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(4..=40))]
    most_log_size: Option<u32>,
    /// Count headers too: 40 bytes a frame, and 66 a packet.
    #[arg(long)]
    headers: bool,
    /// Sleep instead of calculating: by the clock on the wall, this project's protocols only, and for hours.
    #[arg(long, conflicts_with = "headers")]
    real: bool,
    /// Show the rows of this CSV file too, in the tables and plots of the experiments that they name.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Measure nothing: tables, plots and verdicts of the CSV files that --out wrote into this folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["quick", "operations", "most_log_size", "headers", "real"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    prices: PriceOptions,
}

/// The commands beside the experiments.
#[derive(Debug, clap::Subcommand)]
enum Beside {
    /// Measures shortly, and says what each system would cost.
    Advise(advise::Options),
    /// Measures programs of others, in turn with ours, and prints ratios: `ci/peers` gives it those that it knows.
    Peers(peers::Options),
}

/// Prices in US dollars.
#[derive(Clone, Copy, Debug, clap::Args)]
struct PriceOptions {
    /// What a core costs for an hour, in dollars.
    #[arg(long, value_name = "DOLLARS", default_value_t = Prices::default().cpu_hour, value_parser = units::price)]
    cpu_hour: f64,
    /// What 10^9 bytes cost that leave a party, in dollars.
    #[arg(long, value_name = "DOLLARS", default_value_t = Prices::default().gigabyte, value_parser = units::price)]
    gigabyte: f64,
}

impl From<PriceOptions> for Prices {
    fn from(PriceOptions { cpu_hour, gigabyte }: PriceOptions) -> Self {
        Self { cpu_hour, gigabyte }
    }
}

/// What all rows of this program have in common.
fn origin(real: bool) -> Origin {
    let clock = if real { "wall" } else { "calculated" };
    Origin { backend: backend().to_owned(), cpu: machine::cpu(), commit: COMMIT.to_owned(), clock }
}

fn is_all(name: &str) -> bool {
    name.eq_ignore_ascii_case("all")
}

/// Each once, in the catalogue's order.
fn chosen(names: &[String]) -> Result<Vec<&'static Experiment>, Error> {
    if let Some(got) = names.iter().find(|name| !is_all(name) && named(name).is_none()) {
        return Err(Error::NoSuchExperiment { got: got.clone() });
    }
    let is_chosen = |experiment: &&Experiment| {
        names.iter().any(|name| is_all(name) || experiment.name.eq_ignore_ascii_case(name))
    };
    Ok(EXPERIMENTS.iter().filter(is_chosen).collect())
}

fn text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::File { path: path.to_path_buf(), source })
}

fn rows(path: &Path) -> Result<Vec<Row>, Error> {
    from_csv(&text(path)?).map_err(|source| Error::Rows { path: path.to_path_buf(), source })
}

/// Rows of the files that somebody brought along.
fn brought(files: &[PathBuf]) -> Result<Vec<Row>, Error> {
    let mut all = Vec::new();
    for path in files {
        let more = rows(path)?;
        if let Some(row) = more.iter().find(|row| named(&row.experiment).is_none()) {
            return Err(Error::NoSuchExperiment { got: row.experiment.clone() });
        }
        all.extend(more);
    }
    Ok(all)
}

/// What a run left of these experiments in a folder. Of all, those that it has.
fn left(folder: &Path, names: &[String]) -> Result<Vec<(&'static Experiment, Results)>, Error> {
    let page = folder.join("results.md");
    let page = if page.exists() { text(&page)? } else { String::new() };
    let mut found = Vec::new();
    for experiment in chosen(names)? {
        let path = folder.join(format!("{}.csv", experiment.name));
        if names.iter().any(|name| is_all(name)) && !path.exists() {
            continue;
        }
        // What was not run has no rows; the page says why.
        let of_this = format!("{}: ", experiment.name);
        let skipped = page.lines().filter_map(|line| line.strip_prefix(LEFT_OUT));
        let skipped = skipped.filter(|line| line.starts_with(&of_this)).map(str::to_owned).collect();
        found.push((experiment, Results { rows: rows(&path)?, skipped }));
    }
    Ok(found)
}

/// Writes a file into a folder.
fn write(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(|source| Error::File { path, source })
}

/// Does it.
///
/// # Errors
///
/// An experiment that there is not; a system that answered wrongly; files that cannot be read or written.
#[allow(clippy::cast_precision_loss, reason = "small counts, for a bar")]
pub fn experiment(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    match &options.command {
        Some(Beside::Advise(options)) => return advise::advise(options, output),
        Some(Beside::Peers(options)) => return peers::peers(options, output),
        None => {}
    }
    let experiments = chosen(&options.names)?;
    let brought = brought(&options.with)?;
    if let Some(folder) = &options.out {
        fs::create_dir_all(folder).map_err(|source| Error::File { path: folder.clone(), source })?;
    }
    let mut report = Report::new(output, options);
    if let Some(folder) = &options.from {
        for (experiment, results) in left(folder, &options.names)? {
            let cpu = results.rows.first().map_or_else(|| "an unknown CPU".to_owned(), |row| row.cpu.clone());
            report.experiment(experiment, results, &brought, &cpu)?;
        }
        let systems = systems::all();
        report.finish(systems.iter().map(|system| &**system))?;
        return Ok(Verdict::Held);
    }
    let plan = Plan {
        quick: options.quick,
        operations: options.operations,
        most_log_size: options.most_log_size,
        headers: options.headers,
        real: options.real,
    };
    let origin = origin(options.real);
    let cpu = origin.cpu.clone();
    let progress = Progress::new("experiments", experiments.len() as u64);
    let done = std::cell::Cell::new(0.0);
    let mut watch = |what: &str, share: f64| {
        progress.say(what);
        progress.reach_part(done.get() + share);
    };
    let mut bench = Bench::new(systems::all(), plan, origin, &mut watch);
    for (place, experiment) in experiments.into_iter().enumerate() {
        done.set(place as f64);
        let results = bench.perform(experiment)?;
        progress.suspend(|| report.experiment(experiment, results, &brought, &cpu))?;
    }
    report.finish(bench.systems())?;
    Ok(Verdict::Held)
}
