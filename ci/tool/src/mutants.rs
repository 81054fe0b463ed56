//! `ci/mutants`: do the tests bite? cargo-mutants plants one small fault at a time, and the tests must notice each. File by
//! file, and what is known of one is kept as it ends: all of them take days.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::error::{Error, Result, found};
use crate::{files, hashes, process};

pub(crate) mod record;
mod score;

use record::{Judged, Record};
use score::{Score, unplaced};

/// Plants faults in each file of a crate that the record does not know as it now is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    subject: Subject,
    /// Only in files whose path has this in it.
    #[arg(default_value = "")]
    path: String,
    /// Of the mutants of each file one in so many, chosen by their names: the same ones each time.
    #[arg(long, value_name = "N", default_value = "1")]
    one_in: NonZero<u64>,
    /// Instead plants those again that survive, and no reason is told, in files that the record knows.
    #[arg(long, conflicts_with = "one_in")]
    survivors: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    Spec,
    Reference,
    Kernels,
    Runtime,
}

/// What is mutated, and by which tests it is judged.
struct Plan {
    packages: &'static [&'static str],
    /// The packages whose tests judge.
    judges: &'static [&'static str],
    /// The mutated packages are compiled with this level in all stages but the last.
    optimization: u8,
    /// Each stage tests what the ones before did not catch. These are quick, for most mutants are caught by the first; after them
    /// come all tests, which decide.
    stages: &'static [&'static [&'static str]],
}

impl Subject {
    fn plan(self) -> Plan {
        match self {
            Self::Spec => Plan {
                packages: &["duoram-spec"],
                // What tests say in words. The committed vectors, which the specification itself has written, are no judges.
                judges: &["duoram-spec"],
                // AES bit by bit needs some.
                optimization: 1,
                // First what ends within a second or two; then without those that count, over many sessions, what a party sees.
                stages: &[
                    &[
                        "--test=all",
                        "--",
                        "aes::",
                        "lemmas::",
                        "session::",
                        "locality::",
                        "reuse::",
                        "sizes::",
                        "errata::",
                        "tape::",
                    ],
                    &[
                        "--test=all",
                        "--",
                        "--skip=privacy::",
                        "--skip=lean_views::",
                        "--skip=lean_freshness::each_word",
                        "--skip=lean_freshness::no_bit",
                        "--skip=lean_rows::hellos_name",
                    ],
                ],
            },
            Self::Reference => Plan {
                packages: &["duoram-reference"],
                judges: &["duoram-reference"],
                optimization: 0,
                stages: &[&["--lib"], &["--test=all"]],
            },
            Self::Kernels => Plan {
                packages: &["duoram-kernel"],
                judges: &["duoram-kernel", "duoram-runtime", "duoram-conformance", "duoram"],
                optimization: 0,
                // Unoptimized, cli takes as long as all tests do optimized, and wiped fails by itself: the stack has more copies.
                stages: &[
                    &["--lib"],
                    &["--test=all", "--", "kernels::", "broken_reference::", "oracle::", "vectors::"],
                ],
            },
            Self::Runtime => Plan {
                packages: &["duoram-runtime"],
                judges: &["duoram-runtime", "duoram-conformance", "duoram"],
                optimization: 0,
                stages: &[
                    &["--lib"],
                    &["--test=all", "--", "sizes::", "client::", "oracle::", "trace::", "vectors::"],
                ],
            },
        }
    }
}

/// Of the names of a file's mutants one in so many, by their hashes.
fn sample(file: &str, mutants: &BTreeSet<String>, one_in: NonZero<u64>) -> BTreeSet<String> {
    let number = |mutant: &String| {
        let hash = hashes::sha256(format!("{file}: {mutant}").as_bytes());
        u64::from_str_radix(&hash[..16], 16).unwrap_or_default()
    };
    mutants.iter().filter(|mutant| number(mutant).is_multiple_of(one_in.get())).cloned().collect()
}

/// Where a subject's mutants are planted, and what is compiled of them, one after another.
struct Bench {
    plan: Plan,
    /// A copy of the tree. Always the same place, so that what was compiled of the mutant before serves the next one.
    tree: PathBuf,
    /// The stages that were seen to pass without any mutant.
    passed: BTreeSet<usize>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let subject = arguments.subject;
    let name = subject.to_possible_value().expect("none is hidden").get_name().to_string();
    let mut bench = Bench::new(subject.plan(), &name)?;
    let mutants = bench.mutants()?;
    let files: BTreeSet<&String> = mutants.keys().collect();
    let mut record = Record::read()?;
    record.keep(&name, &files);
    record.write()?;
    let chosen: Vec<&String> = files.iter().copied().filter(|file| file.contains(&arguments.path)).collect();
    if chosen.is_empty() {
        return found(format!("no file of {name} has mutants and {:?} in its path", arguments.path));
    }
    for file in chosen {
        let text = hashes::sha256(files::read(bench.tree.join(file))?.as_bytes());
        // Anew each time: another run may look at another subject.
        let record = Record::read()?;
        let (known, open) = (record.knows(file, &text, arguments.one_in), record.open(file));
        let planted: BTreeSet<String> = match (arguments.survivors, known) {
            (true, true) if !open.is_empty() => open.into_iter().collect(),
            (false, false) => sample(file, &mutants[file], arguments.one_in),
            _ => continue,
        };
        let score = bench.judge(file, &planted)?;
        println!("{file}: {score}");
        let mut record = Record::read()?;
        if arguments.survivors {
            record.retried(file, &score);
        } else {
            let judged =
                Judged { subject: name.clone(), text, day: process::today()?, one_in: arguments.one_in };
            record.put(file, judged, &planted, &score);
        }
        record.write()?;
    }
    let record = Record::read()?;
    let open: Vec<String> = files
        .iter()
        .flat_map(|file| record.open(file).into_iter().map(move |mutant| format!("{file}: {mutant}")))
        .collect();
    if open.is_empty() {
        Ok(())
    } else {
        found(format!("survive, and {} has no reason why they may:\n{}", record::SURVIVORS, open.join("\n")))
    }
}

impl Bench {
    fn new(plan: Plan, name: &str) -> Result<Self> {
        let here = std::env::current_dir().map_err(Error::file(Path::new(".")))?;
        let tree = here.join("target/mutants").join(name);
        files::emptied(&tree)?;
        for file in files::listed(&[])? {
            let to = tree.join(&file);
            let folder = to.parent().unwrap_or(&tree);
            fs::create_dir_all(folder).map_err(Error::file(folder))?;
            fs::copy(&file, &to).map_err(Error::file(&to))?;
        }
        Ok(Self { plan, tree, passed: BTreeSet::new() })
    }

    /// The mutants of each file that has any, by their names without a place.
    fn mutants(&self) -> Result<BTreeMap<String, BTreeSet<String>>> {
        let mut list = self.cargo_mutants();
        list.arg("--list").args(self.plan.packages.iter().map(|package| format!("--package={package}")));
        let list = process::check(&mut list)?;
        let mut mutants = BTreeMap::<_, BTreeSet<_>>::new();
        for line in list.lines() {
            let file = line.split(':').next().unwrap_or_default();
            mutants.entry(file.to_string()).or_default().insert(unplaced(line));
        }
        Ok(mutants)
    }

    /// Runs all stages on the mutants of a file that have these names.
    fn judge(&mut self, file: &str, planted: &BTreeSet<String>) -> Result<Score> {
        let mut score = Score::default();
        if planted.is_empty() {
            return Ok(score);
        }
        let out = self.tree.with_extension("out");
        files::emptied(&out)?;
        for stage in 0..=self.plan.stages.len() {
            let mut mutants = self.cargo_mutants();
            mutants
                .args(["--in-place", "--iterate", "--colors=never", "--build-timeout=600", "-o"])
                .arg(&out);
            mutants.args(self.plan.packages.iter().map(|package| format!("--package={package}")));
            mutants.arg(format!("--file={file}"));
            mutants.args(planted.iter().map(|mutant| format!("--re=:[0-9]+: {}$", regex::escape(mutant))));
            mutants.args(self.plan.judges.iter().map(|package| format!("--test-package={package}")));
            if !self.passed.insert(stage) {
                mutants.arg("--baseline=skip");
            }
            if let Some(tests) = self.plan.stages.get(stage) {
                // FEW_SIZES: optimized/runtime/tests/kernels.rs leaves some out.
                mutants.env("FEW_SIZES", "1").arg("--timeout=120");
                let level = self.plan.optimization;
                mutants.args(
                    self.plan.packages.iter().map(|package| {
                        format!("-C=--config=profile.dev.package.{package}.opt-level={level}")
                    }),
                );
                mutants.arg("--").args(*tests);
            } else {
                mutants.arg("--timeout=600");
            }
            let ran = process::run(&mut mutants)?;
            // 2 and 3 say that mutants survived or did not end.
            if !matches!(ran.code, Some(0 | 2 | 3)) {
                return found(format!("{}cargo mutants failed", ran.all()));
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

    /// Incremental: of what is compiled for a mutant, nearly all was compiled for the one before.
    fn cargo_mutants(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.arg("mutants").current_dir(&self.tree);
        cargo.env("CARGO_TARGET_DIR", self.tree.with_extension("target")).env("CARGO_INCREMENTAL", "1");
        cargo.env("PROPTEST_MAX_SHRINK_ITERS", "0").env_remove("FEW_SIZES");
        cargo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_one_in_so_many_and_the_same_each_time() {
        let mutants: BTreeSet<String> = (0..3200).map(|number| format!("replace {number} with 0")).collect();
        let of = |file, one_in| sample(file, &mutants, NonZero::new(one_in).unwrap());
        assert_eq!(of("a.rs", 1), mutants);
        let few = of("a.rs", 32);
        assert!((50..150).contains(&few.len()), "{} of 3200", few.len());
        assert_eq!(few, of("a.rs", 32));
        assert!(few.is_subset(&of("a.rs", 16)), "a finer sample goes on from a coarser one");
        assert_ne!(few, of("b.rs", 32), "not of every file those of the same name");
    }
}
