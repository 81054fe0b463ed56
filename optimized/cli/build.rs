//! Tells the program which commit it was built from, if it was built in the repository.

use std::path::Path;
use std::process::Command;

/// What git prints, asked in the folder of this crate.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).ok())
        .flatten()
        .map(|text| text.trim().to_owned())
}

/// The commit, if the repository is this project's: a copy of the sources may lie in another one.
fn commit() -> Option<String> {
    let here = git(&["rev-parse", "--show-prefix"])?;
    let tracked = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    (here == "optimized/cli/" && tracked).then(|| git(&["rev-parse", "--short=12", "HEAD"])).flatten()
}

fn main() {
    let commit = commit();
    println!("cargo::rustc-env=DUORAM_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rerun-if-changed=build.rs");
    // The log of HEAD grows with each commit and checkout; a path that does not exist would build anew every time.
    if commit.is_some()
        && let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo::rerun-if-changed={log}");
    }
}
