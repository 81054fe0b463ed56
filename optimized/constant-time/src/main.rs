//! Side channels of the parties' computation: do branches or addresses depend on secrets?
//!
//!     duoram-constant-time session PROTOCOL COMPUTATION LOG_SIZE ROW_WORDS [LEAK]
//!     duoram-constant-time kernels PROGRAM
//!     duoram-constant-time statistics
//!
//! | module | what it is |
//! |---|---|
//! | [`memcheck`], [`kernels`], [`statistics`] | the three commands |
//! | [`marks`] | secrets marked for memcheck |
//! | [`session`] | the parties in one process, all of whose secrets are marked; what is declared public, and why |
//! | [`opened`] | what each protocol's frames open |
//! | [`watched`] | the local computation, between the parties and what they compute with |
//! | [`watched_two`] | that of two parties, and their PIR |
//! | [`leak`] | leaks that must be found |
//! | [`disassembly`] | the machine code of the VAES kernels, which valgrind cannot run |
//! | [`leaky_kernel`] | machine code that must be found out |
//! | [`random`] | words for masks and keys |
//! | [`welch`] | two classes of secrets, their times, and whether they differ |
//!
//! `ci/constant-time` runs it all; `SECURITY.md` says what that shows and what it does not.

mod disassembly;
mod kernels;
mod leak;
mod leaky_kernel;
mod marks;
mod memcheck;
mod opened;
mod session;
mod statistics;
mod watched;
mod watched_two;
mod welch;

use std::process::ExitCode;

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [command, rest @ ..] if command == "session" => memcheck::run(rest),
        [command, program] if command == "kernels" => kernels::run(program),
        [command] if command == "statistics" => statistics::run(),
        _ => Err(
            "expected session PROTOCOL COMPUTATION LOG_SIZE ROW_WORDS [LEAK], kernels PROGRAM, or statistics"
                .to_owned(),
        ),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("duoram-constant-time: {error}");
            ExitCode::FAILURE
        }
    }
}
