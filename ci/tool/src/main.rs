//! The program behind the scripts of `ci/` and `proofs/`. Scripts call; what parses and what prints tables is here, one module a
//! subcommand, each with its planted faults as tests beside it. It runs at the top of the repository: see `run`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod citations;
mod error;
mod files;
mod process;

/// The program behind the scripts of ci/ and proofs/.
#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every citation has its key in BIBLIOGRAPHY.md.
    Citations(citations::Arguments),
}

fn main() -> ExitCode {
    // The name is that of the script, which is what was called.
    let (name, result) = match CommandLine::parse().command {
        Command::Citations(arguments) => ("ci/citations", citations::run(&arguments)),
    };
    result.map_or_else(|error| error.report(name), |()| ExitCode::SUCCESS)
}
