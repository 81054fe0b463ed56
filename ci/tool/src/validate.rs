//! `proofs/tla/validate`: are traces of `duoram run --trace` behaviours of the model?

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

use crate::answers::Question;
use crate::error::{Error, Result, found};
use crate::model_check::model::{self, INVARIANTS};
use crate::pairs::two_at_a_time;
use crate::tlc::{BRIEF, Tlc};
use crate::{files, process, tampered};

/// For each trace prints "accepted", or the line at which the model could not follow.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[arg(required = true)]
    traces: Vec<PathBuf>,
    /// Once it is tampered with in this way, each must be found out where `duoram-tamper` says. What it has become is left beside it.
    #[arg(long, value_name = "WAY", value_delimiter = ',')]
    tampered: Vec<String>,
}

const MODEL: &str = "proofs/tla";

/// One step at a time: what the reference does. The words are those of the tiny ring, whatever the memory was. What a disk
/// must have, and how many crashes there are, is in the trace.
fn configuration(fault: &str, specification: &str) -> String {
    format!(
        r#"CONSTANTS
  Modulus = 4  Size = 2  Salts = {{1}}  Window = 1  CrashesFrom = 0  Fault = "{fault}"
  Protocol <- TraceProtocol  Programs <- TracePrograms  Depth <- TraceDepth  Chunks <- TraceChunks
  MaxCrashes <- TraceCrashes  Unwritten <- TraceUnwritten  SpeaksAfter <- TraceSpeaksAfter  Lanes <- TraceLanes
SPECIFICATION {specification}
INVARIANTS {INVARIANTS}
"#
    )
}

/// The module and the specification for a trace, by its first line: of parties with disks or without.
fn module(trace: &str) -> (&'static str, &'static str) {
    let plan = trace.lines().next().unwrap_or_default();
    let plan: serde_json::Value = serde_json::from_str(plan).unwrap_or_default();
    if plan["speaks_after"] == "nothing" { ("Trace", "TraceSpec") } else { ("DiskTrace", "DiskSpec") }
}

/// TLC's exit code for a deadlock: the model cannot take the next line.
const DEADLOCK: i32 = 11;
/// And for an invariant that does not hold.
const VIOLATION: i32 = 12;

/// What the model says of a trace. Lines are those of the file, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A behaviour of the model, of so many lines.
    Accepted(usize),
    /// It cannot take this line.
    Rejected(usize, String),
    /// Once it has taken the lines before this one, an invariant does not hold.
    Violates(usize, String),
    /// It could go on after the last line.
    Incomplete(usize),
    /// No trace: `duoram-trace` has said why.
    Unreadable,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted(lines) => write!(f, "accepted, {lines} lines"),
            Self::Rejected(line, text) => write!(f, "rejected at line {line}: {text}"),
            Self::Violates(line, invariant) => write!(f, "{invariant} does not hold before line {line}"),
            Self::Incomplete(line) => write!(f, "incomplete after line {line}"),
            Self::Unreadable => write!(f, "not a trace"),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let tlc = Tlc::installed()?;
    let validator = Validator::new(&tlc)?;
    let mut agrees = validator.all(&arguments.traces)?;
    for whole in &arguments.traces {
        for way in &arguments.tampered {
            let trace = whole.with_extension(format!("{way}.ndjson"));
            let outcome = tampered::judge(&validator, way, whole, &trace)?;
            agrees &= outcome.agrees();
            println!("{}: {outcome}", trace.display());
        }
    }
    if agrees { Ok(()) } else { Err(Error::Shown) }
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}

/// Builds what reads traces, in `target()/debug`: as one of its tests needs it, which may be built already.
///
/// # Errors
/// If it does not compile.
fn build_readers() -> Result<()> {
    process::check(Command::new("ci/cargo-test").args(["--no-run", "--test", "real"])).map(drop)
}

/// The model, ready to be given traces, several at a time: what reads, crashes and tampers with them is built.
pub(crate) struct Validator<'a> {
    tlc: &'a Tlc,
}

impl<'a> Validator<'a> {
    /// Of the model in the repository.
    ///
    /// # Errors
    /// If what turns traces into constants of the model is not built.
    pub(crate) fn new(tlc: &'a Tlc) -> Result<Self> {
        build_readers()?;
        Ok(Self { tlc })
    }

    /// Prints what the model says of each trace; whether all are accepted.
    ///
    /// # Errors
    /// If the model checker fails.
    pub(crate) fn all(&self, traces: &[PathBuf]) -> Result<bool> {
        let verdicts = two_at_a_time(traces, |trace| self.judge(trace))?;
        let mut accepted = true;
        for (trace, verdict) in traces.iter().zip(verdicts) {
            accepted &= matches!(verdict, Verdict::Accepted(_));
            println!("{}: {verdict}", trace.display());
        }
        Ok(accepted)
    }

    /// Asks the model.
    ///
    /// # Errors
    /// If the model checker fails.
    pub(crate) fn judge(&self, trace: &Path) -> Result<Verdict> {
        self.judge_with("none", trace)
    }

    /// Asks a model with a fault.
    ///
    /// # Errors
    /// If the model checker fails.
    pub(crate) fn judge_with(&self, fault: &str, trace: &Path) -> Result<Verdict> {
        let scratch = modules()?;
        let work = scratch.path();
        let mut constants = Command::new(target().join("debug/duoram-trace"));
        let ran = process::run(constants.arg("--out").arg(work).arg(trace))?;
        if !ran.success {
            eprint!("{}", ran.errors);
            return Ok(Verdict::Unreadable);
        }
        let text = files::read(trace)?;
        let (module, specification) = module(&text);
        let configuration = configuration(fault, specification);
        files::write(work.join("Trace.cfg"), &configuration)?;
        // With what the trace was made into, which is a module, too.
        let question = Question::new("trace")?.with_files(work, "tla")?.with(self.tlc.jar.as_bytes());
        let question = question.with(configuration.as_bytes()).with(module.as_bytes());
        let printed = match question.answered()? {
            Some(before) => before,
            None => self.ask(work, module, trace, &question)?,
        };
        Ok(match model::outcome(&printed).as_deref() {
            Some("passes") => Verdict::Accepted(text.lines().count()),
            Some("deadlock") => stopped(&printed, &text),
            Some(invariant) => Verdict::Violates(due(&printed), invariant.to_string()),
            None => return found(format!("{printed}{}: the model checker came to no end", trace.display())),
        })
    }

    /// What TLC prints of the module and `Trace.cfg` in `work`, which is then the question's answer.
    fn ask(&self, work: &Path, module: &str, trace: &Path, question: &Question) -> Result<String> {
        // The model folds over lists as long as a session, and each element is some calls of TLC.
        let mut tlc = self.tlc.command(&[&BRIEF[..], &["-Xss64m"]].concat())?;
        tlc.args(["-workers", "1", "-difftrace", "-metadir", "states"]);
        let ran = process::run(tlc.args(["-config", "Trace.cfg", module]).current_dir(work))?;
        if matches!(ran.code, Some(0 | DEADLOCK | VIOLATION)) {
            question.remember(&ran.output)?;
            Ok(ran.output)
        } else {
            let (said, at, code) = (ran.all(), trace.display(), ran.code);
            found(format!("{said}{at}: the model checker failed with {code:?}"))
        }
    }
}

/// A folder with the modules of the model in the repository.
fn modules() -> Result<tempfile::TempDir> {
    let folder = files::scratch()?;
    for name in files::below(MODEL, "tla")? {
        fs::copy(Path::new(MODEL).join(&name), folder.path().join(&name))
            .map_err(Error::file(Path::new(MODEL)))?;
    }
    Ok(folder)
}

/// The line that was due last. The plan is line 1 of the file, so the model's line n is line n + 1.
fn due(printed: &str) -> usize {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^(?:/\\ )?line = ([0-9]+)").expect("a pattern"));
    let last = LINE.captures_iter(printed).last().and_then(|line| line[1].parse::<usize>().ok());
    last.unwrap_or(0) + 1
}

/// Where the model stopped.
fn stopped(printed: &str, trace: &str) -> Verdict {
    let line = due(printed);
    let count = trace.lines().count();
    match trace.lines().nth(line - 1) {
        Some(text) if line <= count => Verdict::Rejected(line, text.chars().take(200).collect()),
        _ => Verdict::Incomplete(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_of_parties_with_disks_has_a_module_of_its_own() {
        assert_eq!(module("{\"speaks_after\":\"nothing\"}\n{}\n").0, "Trace");
        assert_eq!(module("{\"speaks_after\":\"commands\"}\n").0, "DiskTrace");
        assert!(configuration("none", "DiskSpec").contains("SPECIFICATION DiskSpec\nINVARIANTS NeverTwice "));
    }

    #[test]
    fn the_last_state_says_where_it_stopped() {
        let trace = "plan\nfirst\nsecond\n";
        let printed = "State 1:\n/\\ line = 1\n/\\ x = 2\nState 2:\nline = 2\n";
        assert_eq!(stopped(printed, trace), Verdict::Rejected(3, "second".to_string()));
        assert_eq!(stopped("/\\ line = 1\n", trace).to_string(), "rejected at line 2: first");
        assert_eq!(stopped("/\\ line = 3\n", trace), Verdict::Incomplete(3));
        let long = format!("plan\n{}\n", "x".repeat(300));
        assert_eq!(stopped("line = 1", &long), Verdict::Rejected(2, "x".repeat(200)));
    }
}
