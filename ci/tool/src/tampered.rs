//! Traces that were tampered with: the model must find them out where `duoram-tamper` says.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Result, found};
use crate::validate::{self, Validator, Verdict};
use crate::{files, process};

/// Where the model finds a trace out, and where it must.
#[derive(Debug)]
pub(crate) struct Outcome {
    got: String,
    expected: String,
}

impl Outcome {
    pub(crate) fn agrees(&self) -> bool {
        self.got == self.expected
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.got)?;
        if self.agrees() { Ok(()) } else { write!(f, "  <-- expected: {}", self.expected) }
    }
}

/// A program beside those that read traces, and built with them ([`Validator::new`]).
fn program() -> PathBuf {
    validate::target().join("debug/duoram-tamper")
}

/// The ways to tamper.
///
/// # Errors
/// If there are none.
pub(crate) fn ways() -> Result<Vec<String>> {
    let ways = listed(&process::check(Command::new(program()).arg("--help"))?);
    if ways.is_empty() { found("duoram-tamper knows no way") } else { Ok(ways) }
}

/// Tampers with a whole trace in one of the ways, and asks the model about what it has become, which is left in `trace`.
///
/// # Errors
/// If the trace has no place for that, or the model checker fails.
pub(crate) fn judge(validator: &Validator<'_>, way: &str, whole: &Path, trace: &Path) -> Result<Outcome> {
    let ran = process::run(Command::new(program()).arg(way).arg(whole))?;
    if !ran.success {
        return found(format!("{}duoram-tamper {way} failed", ran.errors));
    }
    files::write(trace, ran.output)?;
    let expected = ran.errors.trim().trim_start_matches(way).trim_start_matches(": ").to_string();
    Ok(Outcome { got: place(&validator.judge(trace)?), expected })
}

/// As `duoram-tamper --help` lists them.
fn listed(help: &str) -> Vec<String> {
    let item = |line: &str| Some(line.trim_start().strip_prefix("- ")?.split_once(':')?.0.to_string());
    help.lines().filter_map(item).collect()
}

/// As `duoram-tamper` says where a trace must be found out.
fn place(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Accepted(_) => "accepted".to_string(),
        Verdict::Rejected(line, _) => format!("rejected at line {line}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_tamper_are_those_of_the_help() {
        let help = "Arguments:\n  <NAME>\n          Possible values:\n          - swap-lines:   A party: sends\n          - drop-send: Never\n";
        assert_eq!(listed(help), ["swap-lines", "drop-send"]);
    }

    #[test]
    fn places_are_as_tampering_names_them() {
        assert_eq!(place(&Verdict::Rejected(4, "x".to_string())), "rejected at line 4");
        assert_eq!(place(&Verdict::Incomplete(9)), "incomplete after line 9");
        assert_eq!(place(&Verdict::Accepted(9)), "accepted");
    }

    #[test]
    fn another_place_than_expected_is_told() {
        let outcome =
            |got: &str| Outcome { got: got.to_string(), expected: "rejected at line 4".to_string() };
        assert!(outcome("rejected at line 4").agrees());
        assert_eq!(outcome("rejected at line 4").to_string(), "rejected at line 4");
        assert!(!outcome("accepted").agrees());
        assert_eq!(outcome("accepted").to_string(), "accepted  <-- expected: rejected at line 4");
    }
}
