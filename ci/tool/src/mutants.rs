//! `ci/mutants`: do the tests bite? cargo-mutants plants one small fault at a time, and the tests must notice each.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::error::{Error, Result, found};
use crate::{files, process};

pub(crate) mod score;

use score::Score;

/// Plants faults in the crates named, or in all.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Every twentieth mutant only; nothing is recorded.
    #[arg(long)]
    fast: bool,
    crates: Vec<Subject>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    Spec,
    Reference,
    Kernels,
}

/// What is mutated, and by which tests it is judged.
struct Plan {
    /// Packages, and of them the files (all, if none is named).
    packages: &'static [&'static str],
    files: &'static [&'static str],
    /// The packages whose tests judge.
    judges: &'static [&'static str],
    /// Compiled with this level in all stages but the last.
    optimization: u8,
    /// Each stage tests what the ones before did not catch. These are quick and nearly unoptimized, since for most mutants
    /// building takes longer than testing; after them come all tests, which decide.
    stages: &'static [&'static [&'static str]],
}

impl Subject {
    fn plan(self) -> Plan {
        match self {
            Self::Spec => Plan {
                packages: &["duoram-spec"],
                files: &[],
                // The committed vectors judge too: they must be what the specification computes.
                judges: &["duoram-spec", "duoram-vectors"],
                // AES bit by bit needs some.
                optimization: 1,
                stages: &[&["--test=files"]],
            },
            Self::Reference => Plan {
                packages: &["duoram-reference"],
                files: &[],
                judges: &["duoram-reference"],
                optimization: 0,
                stages: &[&["--lib"], &["--test=all"]],
            },
            Self::Kernels => Plan {
                packages: &["duoram-kernel", "duoram-runtime"],
                files: &[
                    "optimized/kernel/src/**",
                    "optimized/runtime/src/budget.rs",
                    "optimized/runtime/src/chains.rs",
                    "optimized/runtime/src/client.rs",
                    "optimized/runtime/src/fast.rs",
                    "optimized/runtime/src/lean.rs",
                    "optimized/runtime/src/sharing.rs",
                    "optimized/runtime/src/wire.rs",
                ],
                judges: &["duoram-kernel", "duoram-runtime", "duoram-conformance", "duoram"],
                optimization: 0,
                // Unoptimized, cli takes as long as all tests do optimized, and wiped fails by itself: the stack has more copies.
                stages: &[
                    &["--lib"],
                    &[
                        "--test=all",
                        "--",
                        "kernels::",
                        "sizes::",
                        "client::",
                        "broken_reference::",
                        "oracle::",
                        "trace::",
                        "vectors::",
                    ],
                ],
            },
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}

const ACCEPTED: &str = "ci/mutants-accepted.tsv";
const SCORES: &str = "ci/mutants-score.tsv";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let crates = if arguments.crates.is_empty() { Subject::value_variants() } else { &arguments.crates };
    let tool = process::check(Command::new("cargo").args(["mutants", "--version"]))?.trim().to_string();
    let today = process::check(Command::new("date").args(["-u", "+%F"]))?.trim().to_string();
    let mut failed = false;
    for &subject in crates {
        let name = subject.name();
        let score = judge(subject, arguments.fast)?;
        println!("{name}: {score}");
        let accepted = files::read(ACCEPTED)?;
        let (new, gone) = score.compare(&score::accepted(&accepted, &name));
        if !new.is_empty() {
            eprintln!("ci/mutants: {name}: survives and is not in {ACCEPTED}:\n{}", new.join("\n"));
            failed = true;
        }
        if arguments.fast {
            continue;
        }
        if !gone.is_empty() {
            eprintln!("ci/mutants: {name}: is in {ACCEPTED} and does not survive:\n{}", gone.join("\n"));
            failed = true;
        }
        files::write(SCORES, score::record(&files::read(SCORES)?, &name, &score.row(&name, &today, &tool)))?;
    }
    if failed { Err(Error::Shown) } else { Ok(()) }
}

/// Runs all stages.
fn judge(subject: Subject, fast: bool) -> Result<Score> {
    let plan = subject.plan();
    let out = PathBuf::from(format!("target/mutants-{}", subject.name()));
    files::emptied(&out)?;
    let mut mutated: Vec<String> =
        plan.packages.iter().map(|package| format!("--package={package}")).collect();
    mutated.extend(plan.files.iter().map(|file| format!("--file={file}")));
    if fast {
        // By name: a shard would be another one in each stage.
        let names = process::check(cargo_mutants()?.arg("--list").args(&mutated))?;
        mutated.extend(names.lines().step_by(20).map(|name| format!("--re=^{}$", regex::escape(name))));
    }
    mutated.extend(plan.judges.iter().map(|package| format!("--test-package={package}")));
    let quick = plan
        .packages
        .iter()
        .map(|package| format!("-C=--config=profile.dev.package.{package}.opt-level={}", plan.optimization));
    let quick: Vec<String> = quick.collect();

    let mut score = Score::default();
    for stage in plan.stages.iter().map(Some).chain([None]) {
        let mut mutants = cargo_mutants()?;
        mutants
            .args(["--iterate", "--colors", "never", "--build-timeout", "600", "-o"])
            .arg(&out)
            .args(&mutated);
        match stage {
            Some(tests) => {
                // FEW_SIZES: optimized/runtime/tests/kernels.rs leaves some out.
                mutants.env("FEW_SIZES", "1").args(["--timeout", "60"]).args(&quick);
                mutants.arg("--").args(*tests);
            }
            None => {
                mutants.args(["--timeout", "600"]);
            }
        }
        let status = mutants
            .status()
            .map_err(|source| Error::Start { program: "cargo mutants".to_string(), source })?;
        // 2 and 3 say that mutants survived or did not end.
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return found(format!("cargo mutants failed: {status}"));
        }
        let list = |name: &str| files::read(out.join("mutants.out").join(name));
        score.add_stage(
            &list("caught.txt")?,
            &list("unviable.txt")?,
            &list("timeout.txt")?,
            &list("missed.txt")?,
        );
        if score.all_decided() {
            break;
        }
    }
    Ok(score)
}

/// In a folder of its own, and small.
fn cargo_mutants() -> Result<Command> {
    let here = std::env::current_dir().map_err(Error::file(Path::new(".")))?;
    let mut cargo = Command::new("cargo");
    cargo.arg("mutants").env("CARGO_TARGET_DIR", here.join("target/mutants"));
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("PROPTEST_MAX_SHRINK_ITERS", "0").env_remove("FEW_SIZES");
    Ok(cargo)
}
