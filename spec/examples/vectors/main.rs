//! Writes the test vectors of the specification: `cargo run -p duoram-spec --example vectors`.
//!
//! With `--check` nothing is written: the files in `spec/vectors` are compared, and the exit code is 1 if one differs.

mod cases;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => write(&directory),
        ["--check"] => check(&directory),
        _ => {
            eprintln!("usage: vectors [--check]");
            return ExitCode::from(2);
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("{}: {error}", directory.display());
        ExitCode::FAILURE
    })
}

fn write(directory: &Path) -> io::Result<ExitCode> {
    let files = cases::files();
    for (name, value) in &files {
        fs::write(directory.join(name), cases::text(value))?;
    }
    println!("{} files written to {}", files.len(), directory.display());
    Ok(ExitCode::SUCCESS)
}

fn check(directory: &Path) -> io::Result<ExitCode> {
    let stale = cases::stale(directory)?;
    for name in &stale {
        eprintln!("{name} is not what the specification computes");
    }
    Ok(if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
