//! A kernel on trial: every case of every operation, and what was found.

use std::path::Path;
use std::time::Duration;

use duoram_reference::Word;
use serde::Serialize;
use serde_json::Value;

use super::Error;
use super::case::{Case, Operation};
use super::expected::expected;
use super::guest::{Failure, Guest, Outcome};
use super::{list, shrink};
use duoram_runtime::seed::Seed;

/// How one operation did.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Tested {
    /// Which one.
    pub operation: Operation,
    /// Cases answered rightly.
    pub right: u64,
    /// Cases that the kernel does not support; all of them, untried, if it has no function for the operation.
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
    /// The case that came before it, if the kernel fails only then: something is kept from call to call.
    pub before: Option<Value>,
    /// Whether these, in a new process, fail again. If not, it takes all cases before them.
    pub repeats: bool,
    /// How often it was made smaller.
    pub steps: usize,
    /// What is wrong.
    pub problem: Problem,
}

impl Finding {
    fn new(case: &Case, problem: Problem, steps: usize) -> Self {
        let (operation, about, case) = (case.operation(), case.to_string(), case.json());
        Self { operation, about, case, before: None, repeats: true, steps, problem }
    }

    /// The cases in the order in which they are to be run.
    pub fn cases(&self) -> Vec<&Value> {
        self.before.iter().chain([&self.case]).collect()
    }
}

/// All cases of a trial.
pub struct Trial(Vec<(Operation, Vec<Case>)>);

impl Trial {
    /// The fixed cases of some operations, and so many random ones for each, from a seed.
    pub fn new(operations: &[Operation], seed: Seed, random: u64) -> Self {
        let cases = |operation: &Operation| (*operation, list::cases(*operation, seed, random));
        Self(operations.iter().map(cases).collect())
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
            let mut tried = &cases[..];
            if guest.missing().contains(&operation) {
                counts.unsupported = counts.cases;
                tried = &[];
            }
            for (number, case) in tried.iter().enumerate() {
                match put(guest, case)? {
                    Verdict::Right => counts.right += 1,
                    Verdict::Unsupported => counts.unsupported += 1,
                    Verdict::Wrong(problem) => {
                        let before = number.checked_sub(1).map(|last| &cases[last]);
                        findings.push(repeated(guest, case, before, problem)?);
                        break;
                    }
                }
                progress(done + number as u64 + 1);
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

/// Puts a kernel to cases that were once rejected, in order. What is wrong with the first that is wrong, if any is.
///
/// # Errors
///
/// The library cannot be loaded again.
pub fn run_again(guest: &mut Guest, cases: &[Case]) -> Result<Option<Finding>, Error> {
    for case in cases {
        if let Verdict::Wrong(problem) = put(guest, case)? {
            return Ok(Some(Finding::new(case, problem, 0)));
        }
    }
    Ok(None)
}

enum Verdict {
    Right,
    Unsupported,
    Wrong(Problem),
}

/// Two calls, with the arrays at either end of their pages, must both give the answer of the specification.
fn put(guest: &mut Guest, case: &Case) -> Result<Verdict, Error> {
    let Ok(expected) = expected(case) else {
        let failure =
            "the PRGs of specification and reference differ on this case: the fault is not the kernel's";
        return Ok(Verdict::Wrong(Problem::Failure(failure.to_owned())));
    };
    let mut verdict = Verdict::Unsupported;
    for outcome in guest.call(case)? {
        match outcome {
            Outcome::Unsupported => {}
            Outcome::Failure(failure) => return Ok(Verdict::Wrong(Problem::Failure(failure.to_string()))),
            Outcome::Answer(got, _) => match difference(case, &expected, &got) {
                None => verdict = Verdict::Right,
                Some(problem) => return Ok(Verdict::Wrong(problem)),
            },
        }
    }
    Ok(verdict)
}

/// The first word that differs. An answer of another length holds nothing to compare.
fn difference(case: &Case, expected: &[Word], got: &[Word]) -> Option<Problem> {
    if expected.len() != got.len() {
        let failure = Failure::Length { expected: expected.len(), got: got.len() };
        return Some(Problem::Failure(failure.to_string()));
    }
    let place = expected.iter().zip(got).position(|(expected, got)| expected != got)?;
    let word = duoram_vectors::json::word;
    let (expected, got) = (word(expected[place]), word(got[place]));
    Some(Problem::Mismatch { place: case.place(place), expected, got })
}

/// Whether the case fails again in a new process, by itself or after the one before it: then it is made smaller.
fn repeated(
    guest: &mut Guest,
    case: &Case,
    before: Option<&Case>,
    problem: Problem,
) -> Result<Finding, Error> {
    *guest = guest.afresh()?;
    if let Verdict::Wrong(_) = put(guest, case)? {
        return smallest(guest, case, problem);
    }
    let mut finding = Finding::new(case, problem, 0);
    finding.before = before.map(Case::json);
    finding.repeats = false;
    if let Some(before) = before {
        *guest = guest.afresh()?;
        put(guest, before)?;
        finding.repeats = matches!(put(guest, case)?, Verdict::Wrong(_));
    }
    Ok(finding)
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
