//! The command line tool `duoram`; `duoram --help` says what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    duoram::main()
}
