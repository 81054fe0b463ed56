//! The tool `duoram`.
//!
//! Exit codes: 0 if all held, 1 if something differs from the specification or the session broke, 2 for bad input.

pub mod bench;
pub mod check;
pub mod computation;
mod output;
pub mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cli::output::Output;

/// 3-party DUORAM: an oblivious memory that three parties hold in shares, and none of them can read.
#[derive(Debug, Parser)]
#[command(name = "duoram", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the three parties on a file and performs operations on it.
    Run(run::Options),
    /// Compares all layers with the specification on random sessions.
    Check(check::Options),
    /// Measures operations on a memory of zeros.
    Bench(bench::Options),
}

/// Whether everything was as the specification says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was, or nothing was to be compared.
    Held,
    /// Something was not.
    Mismatch,
}

/// Parses the arguments, does what they say, and reports errors on standard error.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = Output::new();
    let verdict = match arguments.command {
        Command::Run(options) => run::run(&options, &mut output),
        Command::Check(options) => check::check(&options, &mut output),
        Command::Bench(options) => bench::bench(&options, &mut output),
    };
    match verdict.and_then(|verdict| output.flush().map(|()| verdict)) {
        Ok(Verdict::Held) => ExitCode::SUCCESS,
        Ok(Verdict::Mismatch) => ExitCode::from(1),
        Err(error) => {
            output::complain(&format!("error: {error}"));
            ExitCode::from(if error.is_bad_input() { 2 } else { 1 })
        }
    }
}
