//! Puts crashes into the trace of a run.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use duoram_trace::{Error, SpeaksAfter, Trace, crashed};

/// Writes, on standard output, the trace of the same parties with disks, of which some crash and go on from what they have
/// written.
#[derive(Parser)]
#[command(name = "duoram-crash", version)]
struct Arguments {
    /// A trace of `duoram run --trace`.
    file: PathBuf,
    /// Chooses who does what when.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// At most so many crashes.
    #[arg(long, default_value_t = 5)]
    crashes: usize,
    /// A message leaves when the disk has the commands before it, and not all inputs.
    #[arg(long)]
    after_commands: bool,
    /// Items are made in a lane of their own.
    #[arg(long)]
    lanes: bool,
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { file, seed, crashes, after_commands, lanes } = arguments;
    let speaks_after = if *after_commands { SpeaksAfter::Commands } else { SpeaksAfter::Inputs };
    let crashed = crashed(&Trace::open(file)?, speaks_after, 1 + u32::from(*lanes), *crashes, *seed)?;
    duoram_trace::print(&crashed.to_text()?)
}

fn main() -> ExitCode {
    duoram_trace::report(run(&Arguments::parse()))
}
