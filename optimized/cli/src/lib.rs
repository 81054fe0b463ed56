//! The tool `duoram`.
//!
//! It parses, chooses protocol and backend once, and prints; what it prints is done in `duoram-runtime` and
//! `duoram-conformance`.
//!
//! Exit codes: 0 if all held, 1 if something differs from the specification (a kernel of others that cannot be loaded does),
//! 2 for whatever kept it from being found out, 3 for a party that has to be started again.
#![forbid(unsafe_code)]

pub mod bench;
pub mod byte_count;
pub mod ceiling;
pub mod check;
pub mod computation;
pub mod error;
pub mod experiment;
pub mod figures;
pub mod hex;
#[cfg(feature = "hosts")]
pub mod hosts;
pub mod job;
#[cfg(unix)]
mod kernel;
pub mod machine;
pub mod manual;
pub mod oracle;
mod output;
mod progress;
pub mod protocol;
pub mod report;
pub mod rows;
pub mod run;
pub mod sample;
pub mod vectors;
pub mod workers;

pub use duoram_experiments::spread;
pub use error::Error;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(unix)]
use duoram_conformance::foreign;

use crate::output::Output;

/// What scripts need to know of every command.
const EXIT_CODES: &str = "\
Exit codes:
  0  all held
  1  something differs from the specification, or is no kernel that can be loaded
  2  it was not found out: bad input, too little memory, a session that broke, an output that is closed or full
  3  a party: its disk or its engine failed; started again it goes on from what is on disk";

/// DUORAM: an oblivious memory that two or three parties hold in shares, and none of them can read.
///
/// With an implementation of your own, cross-check it in three ways: `vectors` writes test vectors, `oracle` answers
/// questions about every step, and `check --kernel` puts a shared library to thousands of cases. See
/// optimized/conformance/README.md.
#[derive(Debug, Parser)]
#[command(name = "duoram", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the parties on a file and performs operations on it.
    Run(run::Options),
    /// Compares all layers with the specification on random sessions, or a kernel of others on its own.
    Check(check::Options),
    /// Measures operations on a memory of zeros.
    Bench(bench::Options),
    /// Does the paper's experiments over a calculated network, beside what others built; or gives advice.
    Experiment(experiment::Options),
    #[cfg(feature = "hosts")]
    #[command(flatten)]
    Hosts(hosts::Command),
    Oracle(oracle::Options),
    Vectors(vectors::Options),
    /// Prints completions for a shell; `duoram completions bash >FILE` where the shell looks for them.
    Completions(manual::CompletionsOptions),
    /// Prints the manual page of the program or of a command; `duoram man run | man -l -` shows one.
    Man(manual::ManOptions),
    /// The process that a foreign kernel runs in; started by `check --kernel`.
    #[cfg(unix)]
    #[command(name = duoram_conformance::foreign::guest::HOST_COMMAND, hide = true)]
    KernelHost {
        /// The library.
        file: PathBuf,
    },
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
    let program = Arguments::command().long_version(machine::version());
    let arguments = match Arguments::from_arg_matches(&program.clone().get_matches()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    let mut output = Output::new();
    let verdict = match arguments.command {
        Command::Run(options) => run::run(&options, &mut output),
        Command::Check(options) => check::check(&options, &mut output),
        Command::Bench(options) => bench::bench(&options, &mut output),
        Command::Experiment(options) => experiment::experiment(&options, &mut output),
        #[cfg(feature = "hosts")]
        Command::Hosts(command) => hosts::perform(&command, &mut output),
        Command::Oracle(options) => oracle::oracle(&options),
        Command::Vectors(options) => vectors::vectors(&options, &mut output),
        Command::Completions(options) => manual::completions(&options, program, &mut output),
        Command::Man(options) => manual::man(&options, program, &mut output),
        #[cfg(unix)]
        Command::KernelHost { file } => {
            foreign::host::serve(&file).map(|()| Verdict::Held).map_err(Error::Kernel)
        }
    };
    match verdict.and_then(|verdict| output.flush().map(|()| verdict)) {
        Ok(Verdict::Held) => ExitCode::SUCCESS,
        Ok(Verdict::Mismatch) => ExitCode::from(1),
        Err(error) => {
            // Whoever closed the output, as `head -1` does, has seen what was wanted.
            if !error.is_closed_output() {
                output::complain(&format!("error: {error}"));
            }
            ExitCode::from(error.exit_code())
        }
    }
}
