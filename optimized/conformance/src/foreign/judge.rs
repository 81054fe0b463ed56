//! A kernel on trial: every case of every operation, and what was found.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::Error;
use super::case::{Case, Operation};
use super::expected::expected;
use super::guest::{Guest, Outcome};
use super::{list, shrink};
use duoram_runtime::seed::Seed;

/// How one operation did.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Tested {
    /// Which one.
    pub operation: Operation,
    /// Cases answered rightly.
    pub right: u64,
    /// Cases that the kernel does not support.
    pub unsupported: u64,
    /// All cases there are; those after a failure are not tried.
    pub cases: u64,
}

/// What is wrong with an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Problem {
    /// A word of it is.
    Mismatch {
        /// Which one.
        place: String,
        /// In the encoding of the vectors.
        expected: Value,
        /// The same.
        got: Value,
    },
    /// There was none: what happened instead.
    Failure(String),
}

/// A case that does not hold.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Of which operation.
    pub operation: Operation,
    /// The case in short.
    pub about: String,
    /// The case in full.
    pub case: Value,
    /// How often it was made smaller.
    pub steps: usize,
    /// What is wrong.
    pub problem: Problem,
}

impl Finding {
    fn new(case: &Case, problem: Problem, steps: usize) -> Self {
        Self { operation: case.operation(), about: case.to_string(), case: case.json(), steps, problem }
    }
}

/// All cases of a trial.
pub struct Trial(Vec<(Operation, Vec<Case>)>);

impl Trial {
    /// The fixed cases, and so many random ones in all, from a seed.
    pub fn new(seed: Seed, random: u64) -> Self {
        let each = random.div_ceil(Operation::ALL.len() as u64);
        Self(Operation::ALL.map(|operation| (operation, list::cases(operation, seed, each))).into())
    }

    /// How many they are.
    pub fn length(&self) -> u64 {
        self.0.iter().map(|(_, cases)| cases.len() as u64).sum()
    }

    /// Puts the kernel to all of them. The first failure of an operation is made as small as it gets, and ends the
    /// operation; the others go on.
    ///
    /// # Errors
    ///
    /// The library cannot be loaded (again).
    pub fn run(
        &self,
        guest: &mut Guest,
        mut progress: impl FnMut(u64),
    ) -> Result<(Vec<Tested>, Vec<Finding>), Error> {
        let (mut tested, mut findings, mut done) = (Vec::new(), Vec::new(), 0);
        for (operation, cases) in &self.0 {
            let operation = *operation;
            let mut counts = Tested { operation, right: 0, unsupported: 0, cases: cases.len() as u64 };
            for (number, case) in (1..).zip(cases) {
                match put(guest, case)? {
                    Verdict::Right => counts.right += 1,
                    Verdict::Unsupported => counts.unsupported += 1,
                    Verdict::Wrong(problem) => {
                        findings.push(smallest(guest, case, problem)?);
                        break;
                    }
                }
                progress(done + number);
            }
            done += counts.cases;
            progress(done);
            tested.push(counts);
        }
        Ok((tested, findings))
    }
}

/// Starts a kernel; `limit` is for loading it and for each case.
///
/// # Errors
///
/// [`Error::File`] if there is no such file, [`Error::Kernel`] if it cannot be loaded.
pub fn start(file: &Path, limit: Duration) -> Result<Guest, Error> {
    std::fs::File::open(file).map_err(|source| Error::File { path: file.to_owned(), source })?;
    Guest::start(file, limit)
}

enum Verdict {
    Right,
    Unsupported,
    Wrong(Problem),
}

fn put(guest: &mut Guest, case: &Case) -> Result<Verdict, Error> {
    let Ok(expected) = expected(case) else {
        let failure = "specification and reference differ on this case: the fault is not the kernel's";
        return Ok(Verdict::Wrong(Problem::Failure(failure.to_owned())));
    };
    Ok(match guest.call(case)? {
        Outcome::Unsupported => Verdict::Unsupported,
        Outcome::Failure(failure) => Verdict::Wrong(Problem::Failure(failure.to_string())),
        Outcome::Answer(got, _) => {
            match expected.iter().zip(&got).position(|(expected, got)| expected != got) {
                None => Verdict::Right,
                Some(place) => {
                    let word = duoram_vectors::json::word;
                    let (expected, got) = (word(expected[place]), word(got[place]));
                    Verdict::Wrong(Problem::Mismatch { place: case.place(place), expected, got })
                }
            }
        }
    })
}

/// A mismatch is made smaller as long as it is one. What crashes or hangs is reported as it came: trying again costs a
/// process, or the time limit.
fn smallest(guest: &mut Guest, case: &Case, problem: Problem) -> Result<Finding, Error> {
    if matches!(problem, Problem::Failure(_)) {
        return Ok(Finding::new(case, problem, 0));
    }
    let (case, problem, steps) = shrink::shrink(case.clone(), problem, |case| {
        Ok::<_, Error>(match put(guest, case)? {
            Verdict::Wrong(problem @ Problem::Mismatch { .. }) => Some(problem),
            _ => None,
        })
    })?;
    Ok(Finding::new(&case, problem, steps))
}
