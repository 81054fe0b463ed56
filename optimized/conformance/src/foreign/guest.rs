//! The process that has the kernel in it, from outside.

use std::env;
use std::fmt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use duoram_reference::Word;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Error;
use super::arrays::Placement;
use super::case::{Case, Operation};
use super::host::{Reply, Request};
use super::pipe::{Lost, Replies, Requests};

/// The hidden command that makes this program a host.
pub const HOST_COMMAND: &str = "kernel-host";

/// How long a process that has closed its pipe may take to end.
const LAST_SECOND: Duration = Duration::from_secs(1);

/// What a kernel makes of a case.
#[derive(Debug)]
pub enum Outcome {
    /// An answer, right or wrong, of as many words as the case asks for, and how long the call took.
    Answer(Vec<Word>, Duration),
    /// It does not have the operation at this size.
    Unsupported,
    /// No answer.
    Failure(Failure),
}

/// How a kernel can fail without giving an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It returned a code that is none of the header's.
    Code(i32),
    /// It wrote where it must not.
    Damage(String),
    /// An answer of another length, which it cannot have given by returning.
    Length {
        /// Words that the case asks for.
        expected: usize,
        /// Words that were announced.
        got: usize,
    },
    /// It did not return in time.
    TimeLimit(Duration),
    /// Its process is gone.
    Gone(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "expected the return code 0 or 1, got {code}"),
            Self::Damage(damage) => write!(formatter, "the kernel {damage}"),
            Self::Length { expected, got } => {
                write!(formatter, "expected an answer of {expected} words, got one of {got}")
            }
            Self::TimeLimit(limit) => {
                write!(formatter, "the kernel did not return within {} s", limit.as_secs_f64())
            }
            Self::Gone(how) => write!(formatter, "the kernel's process {how}"),
        }
    }
}

/// A kernel in its process, which leads a process group: whatever the kernel starts is ended with it.
pub struct Guest {
    process: Child,
    requests: Requests,
    replies: Replies,
    limit: Duration,
    file: PathBuf,
    missing: Vec<Operation>,
    /// It has ended, and its number may be another's.
    ended: bool,
}

impl Guest {
    /// Starts the process and has it load the library. `limit` is for that, and for each call.
    ///
    /// # Errors
    ///
    /// [`Error::Kernel`] if it cannot be loaded, whatever it does instead.
    pub fn start(file: &Path, limit: Duration) -> Result<Self, Error> {
        let path = file.to_owned();
        let failed = |reason: String| Error::Kernel { path: path.clone(), reason };
        let program = env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command.arg(HOST_COMMAND).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut process = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(failed("its process has no pipes".to_owned()));
        };
        let requests = Requests::new(input).map_err(|error| failed(error.to_string()))?;
        let (replies, file) = (Replies::new(output), file.to_owned());
        let mut guest = Self { process, requests, replies, limit, file, missing: Vec::new(), ended: false };
        match guest.reply(Instant::now() + limit) {
            Ok(Reply::Loaded { missing }) => {
                guest.missing = missing;
                Ok(guest)
            }
            Ok(Reply::NotLoaded(reason)) => Err(failed(reason)),
            Ok(other) => Err(failed(format!("expected to hear that it is loaded, got {other:?}"))),
            Err(failure) => Err(failed(format!("while it was loaded: {failure}"))),
        }
    }

    /// The operations that cannot be checked: the library has no function for them.
    pub fn missing(&self) -> &[Operation] {
        &self.missing
    }

    fn reply(&mut self, deadline: Instant) -> Result<Reply, Failure> {
        let line = self.replies.line(deadline).map_err(|lost| self.failure(&lost))?;
        serde_json::from_slice(&line).map_err(|_| self.failure(&Lost::TooLong))
    }

    fn failure(&mut self, lost: &Lost) -> Failure {
        match lost {
            Lost::Late => Failure::TimeLimit(self.limit),
            Lost::Closed => Failure::Gone(self.end()),
            Lost::TooLong => Failure::Gone("no longer answers what it was asked".to_owned()),
        }
    }

    fn group(&self) -> Option<Pid> {
        Pid::from_raw(self.process.id().cast_signed())
    }

    /// How the process ended, whose pipe is closed.
    fn end(&mut self) -> String {
        let deadline = Instant::now() + LAST_SECOND;
        while Instant::now() < deadline {
            // Not taken from the system yet: as long as it is there, its number is that of its group.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            if self.group().is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None))) {
                self.end_group();
                self.ended = true;
                return self.process.wait().map_or_else(|error| error.to_string(), described);
            }
            thread::sleep(Duration::from_millis(5));
        }
        "closed its output".to_owned()
    }

    /// Ends the process and all that it started and that did not leave its group. Not to be called after the process was
    /// waited for: its number could be another's by then.
    fn end_group(&self) {
        if let Some(group) = self.group() {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Puts the kernel to a case, with its arrays at both ends of their pages: two outcomes, or one if it failed at once.
    /// After a failure a new process takes the place of the old one.
    ///
    /// # Errors
    ///
    /// The library cannot be loaded again.
    pub fn call(&mut self, case: &Case) -> Result<Vec<Outcome>, Error> {
        self.call_at(case, &[Placement::Begin, Placement::End])
    }

    /// Calls the kernel once, to measure it.
    ///
    /// # Errors
    ///
    /// The library cannot be loaded again.
    pub fn time(&mut self, case: &Case) -> Result<Option<Duration>, Error> {
        Ok(self.call_at(case, &[Placement::Begin])?.into_iter().find_map(|outcome| match outcome {
            Outcome::Answer(_, time) => Some(time),
            Outcome::Unsupported | Outcome::Failure(_) => None,
        }))
    }

    fn call_at(&mut self, case: &Case, placements: &[Placement]) -> Result<Vec<Outcome>, Error> {
        let request = Request { placements: placements.to_vec(), case: case.json() };
        let mut line = serde_json::to_vec(&request).map_err(|error| Error::Pipe(error.into()))?;
        line.push(b'\n');
        // If the process is gone, the reply says how.
        let _ = self.requests.send(&line, Instant::now() + self.limit);
        let mut outcomes = Vec::new();
        for placement in placements {
            let outcome = self.outcome(case.answer_words(), *placement);
            let failed = matches!(outcome, Outcome::Failure(_));
            outcomes.push(outcome);
            if failed {
                *self = self.afresh()?;
                break;
            }
        }
        Ok(outcomes)
    }

    /// The same library in a new process.
    ///
    /// # Errors
    ///
    /// The library cannot be loaded again.
    pub fn afresh(&self) -> Result<Self, Error> {
        Self::start(&self.file, self.limit)
    }

    /// What comes of one call, whose answer has so many words.
    fn outcome(&mut self, expected: usize, placement: Placement) -> Outcome {
        let deadline = Instant::now() + self.limit;
        let failure = match self.reply(deadline) {
            Ok(Reply::Done { words, nanoseconds }) if words == expected => {
                match self.replies.words(words, deadline) {
                    Ok(words) => return Outcome::Answer(words, Duration::from_nanos(nanoseconds)),
                    Err(lost) => self.failure(&lost),
                }
            }
            Ok(Reply::Done { words: got, .. }) => Failure::Length { expected, got },
            Ok(Reply::Unsupported) => return Outcome::Unsupported,
            Ok(Reply::Code(code)) => Failure::Code(code),
            Ok(Reply::Damage(damage)) => Failure::Damage(damage),
            Ok(Reply::Loaded { .. } | Reply::NotLoaded(_)) => Failure::Gone("answers out of turn".to_owned()),
            Err(failure) => failure,
        };
        Outcome::Failure(match failure {
            Failure::Gone(how) if how.ends_with("(SIGSEGV)") => Failure::Gone(format!(
                "{how}, where nothing can be touched {}",
                match placement {
                    Placement::Begin => "before the beginning of any array",
                    Placement::End => "after the end of any array, and inputs cannot be written",
                }
            )),
            failure => failure,
        })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        if !self.ended {
            self.end_group();
            let _ = self.process.wait();
        }
    }
}

fn described(status: ExitStatus) -> String {
    let Some(signal) = status.signal() else {
        return format!("ended with exit code {}", status.code().unwrap_or_default());
    };
    let name = match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        11 => " (SIGSEGV)",
        _ => "",
    };
    format!("was ended by signal {signal}{name}")
}
