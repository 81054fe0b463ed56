//! Writes the test vectors of the specification: `cargo run -p duoram-vectors`.
//!
//! With `--check` nothing is written: the files in `spec/vectors` are compared, and the exit code is 1 if one differs.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use duoram_vectors::{files, stale, text};

fn main() -> ExitCode {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => write(directory),
        ["--check"] => check(directory),
        _ => {
            eprintln!("usage: duoram-vectors [--check]");
            return ExitCode::from(2);
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("{}: {error}", directory.display());
        ExitCode::FAILURE
    })
}

fn write(directory: &Path) -> io::Result<ExitCode> {
    let files = files();
    for (name, value) in &files {
        fs::write(directory.join(name), text(value))?;
    }
    println!("{} files written to {}", files.len(), directory.display());
    Ok(ExitCode::SUCCESS)
}

fn check(directory: &Path) -> io::Result<ExitCode> {
    let different = stale(directory)?;
    for name in &different {
        eprintln!("{name} is not what the specification computes");
    }
    Ok(if different.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
