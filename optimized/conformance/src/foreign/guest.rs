//! The process that has the kernel in it, from outside.

use std::env;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use duoram_reference::Word;

use super::Error;
use super::case::Case;
use super::host::Reply;

/// The hidden command that makes this program a host.
pub const HOST_COMMAND: &str = "kernel-host";

/// What a kernel makes of a case.
#[derive(Debug)]
pub enum Outcome {
    /// An answer, right or wrong, and how long the call took.
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
            Self::TimeLimit(limit) => {
                write!(formatter, "the kernel did not return within {} s", limit.as_secs_f64())
            }
            Self::Gone(how) => write!(formatter, "the kernel's process {how}"),
        }
    }
}

/// A kernel in its process.
pub struct Guest {
    process: Child,
    cases: ChildStdin,
    replies: Receiver<io::Result<String>>,
    limit: Duration,
    file: PathBuf,
}

impl Guest {
    /// Starts the process and has it load the library. `limit` is for that, and for each call.
    ///
    /// # Errors
    ///
    /// [`Error::Kernel`] if it cannot be loaded, whatever it does instead.
    pub fn start(file: &Path, limit: Duration) -> Result<Self, Error> {
        let failed = |reason: String| Error::Kernel { path: file.to_owned(), reason };
        let program = env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command.arg(HOST_COMMAND).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(cases), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(failed("its process has no pipes".to_owned()));
        };
        let (sender, replies) = mpsc::channel();
        // Ends when the process does, or when nobody listens any more.
        let forward = move || BufReader::new(output).lines().try_for_each(|line| sender.send(line));
        thread::Builder::new().spawn(forward).map_err(Error::Thread)?;
        let mut guest = Self { process, cases, replies, limit, file: file.to_owned() };
        match guest.reply() {
            Ok(Reply::Loaded) => Ok(guest),
            Ok(Reply::NotLoaded(reason)) => Err(failed(reason)),
            Ok(other) => Err(failed(format!("expected to hear that it is loaded, got {other:?}"))),
            Err(failure) => Err(failed(format!("while it was loaded: {failure}"))),
        }
    }

    fn reply(&mut self) -> Result<Reply, Failure> {
        match self.replies.recv_timeout(self.limit) {
            Ok(Ok(line)) => serde_json::from_str(&line)
                .map_err(|_| Failure::Gone("no longer answers what it was asked".to_owned())),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(Failure::Gone(self.end())),
            Err(RecvTimeoutError::Timeout) => Err(Failure::TimeLimit(self.limit)),
        }
    }

    /// How the process ended, whose pipe is closed.
    fn end(&mut self) -> String {
        for _ in 0..100 {
            match self.process.try_wait() {
                Ok(Some(status)) => return described(status),
                Ok(None) => thread::sleep(Duration::from_millis(10)),
                Err(error) => return error.to_string(),
            }
        }
        "closed its output".to_owned()
    }

    /// Puts the kernel to a case. After a failure a new process takes the place of the old one.
    ///
    /// # Errors
    ///
    /// The library cannot be loaded again.
    pub fn call(&mut self, case: &Case) -> Result<Outcome, Error> {
        let mut line = serde_json::to_vec(case).map_err(|error| Error::Pipe(error.into()))?;
        line.push(b'\n');
        // If the process is gone, the reply says how.
        let _ = self.cases.write_all(&line);
        let failure = match self.reply() {
            Ok(Reply::Done { words, nanoseconds }) => {
                return Ok(Outcome::Answer(words, Duration::from_nanos(nanoseconds)));
            }
            Ok(Reply::Unsupported) => return Ok(Outcome::Unsupported),
            Ok(Reply::Code(code)) => return Ok(Outcome::Failure(Failure::Code(code))),
            Ok(Reply::Damage(damage)) => Failure::Damage(damage),
            Ok(Reply::Loaded | Reply::NotLoaded(_)) => Failure::Gone("answers out of turn".to_owned()),
            Err(failure) => failure,
        };
        let fresh = Self::start(&self.file, self.limit)?;
        *self = fresh;
        Ok(Outcome::Failure(failure))
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn described(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                4 => " (SIGILL)",
                6 => " (SIGABRT)",
                7 => " (SIGBUS)",
                8 => " (SIGFPE)",
                11 => " (SIGSEGV)",
                _ => "",
            };
            return format!("was ended by signal {signal}{name}");
        }
    }
    format!("ended with exit code {}", status.code().unwrap_or_default())
}
