//! Tampers with a trace, and says where that must be found out.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use duoram_trace::{Error, Tampering, Trace, tamper};

/// Writes a trace that no correct parties could have left on standard output, and on standard error the line at which the
/// model in proofs/tla must reject it.
#[derive(Parser)]
#[command(name = "duoram-tamper", version)]
struct Arguments {
    /// What to do with it.
    #[arg(value_name = "NAME")]
    how: Tampering,
    /// A trace of `duoram run --trace`.
    file: PathBuf,
    /// Chooses among the places where that can be done.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let (tampered, verdict) = tamper(&Trace::open(&arguments.file)?, arguments.how, arguments.seed)?;
    let how = arguments.how.to_possible_value();
    eprintln!("{}: {verdict}", how.as_ref().map_or("", |how| how.get_name()));
    duoram_trace::print(&tampered.to_text()?)
}

fn main() -> ExitCode {
    duoram_trace::report(run(&Arguments::parse()))
}
