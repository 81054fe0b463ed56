//! A peer as a process: it is told `read` or `write` on its standard input, does it, and prints what it took.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::Contender;
use crate::Error;
use crate::row::{Row, from_csv};
use crate::system::Kind;

/// What it says of an operation that it does not have.
const NO_SUCH_OPERATION: &str = "no such operation";

/// The most bytes of a line: whoever prints more prints no measurement.
const LONGEST: u64 = 1 << 16;

/// A program at work, with its memory filled.
pub struct Process {
    program: String,
    log_size: u32,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The line of names that it began with.
    names: String,
}

impl Process {
    /// Starts a program, given as its path and arguments with blanks between them, and waits until its memory is filled. It is
    /// given `--log-size H --operations N --wait` besides.
    ///
    /// # Errors
    ///
    /// [`Error::Peer`].
    pub fn start(program: &str, log_size: u32, operations: usize) -> Result<Self, Error> {
        let wrong = |expected: &str, got: String| Error::Peer {
            program: program.to_owned(),
            expected: expected.to_owned(),
            got,
        };
        let mut words = program.split_whitespace();
        let path = words.next().ok_or_else(|| wrong("a program", "nothing".to_owned()))?;
        let mut command = Command::new(path);
        command.args(words);
        command.args([
            "--log-size",
            &log_size.to_string(),
            "--operations",
            &operations.to_string(),
            "--wait",
        ]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| wrong("a program that can be started", error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(wrong("standard input and output", "none".to_owned()));
        };
        let program = program.to_owned();
        let output = BufReader::new(output);
        let mut process = Self { program, log_size, child, input, output, names: String::new() };
        process.names = process.line("the names of columns")?;
        Ok(process)
    }

    fn wrong(&self, expected: impl Into<String>, got: impl Into<String>) -> Error {
        Error::Peer { program: self.program.clone(), expected: expected.into(), got: got.into() }
    }

    /// Its next line.
    fn line(&mut self, expected: &str) -> Result<String, Error> {
        let mut bytes = Vec::new();
        let read = self.output.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        if let Err(error) = read {
            return Err(self.wrong(expected, error.to_string()));
        }
        let Some(line) = bytes.strip_suffix(b"\n") else {
            let got = if bytes.is_empty() { "its end" } else { "a line without an end" };
            return Err(self.wrong(expected, got));
        };
        String::from_utf8(line.to_vec()).map_err(|_| self.wrong(expected, "what is no text"))
    }
}

impl Contender for Process {
    fn perform(&mut self, kind: Kind) -> Result<Vec<Row>, Error> {
        let asked = writeln!(self.input, "{kind}").and_then(|()| self.input.flush());
        let line = self.line(&format!("what a {kind} took"))?;
        asked.map_err(|error| self.wrong("a program that listens", error.to_string()))?;
        if line == NO_SUCH_OPERATION {
            return Ok(Vec::new());
        }
        let rows = from_csv(&format!("{}\n{line}\n", self.names));
        let rows = rows.map_err(|bad| self.wrong(bad.expected, bad.got))?;
        let expected = format!("a time of some operations, {kind} of 2^{}", self.log_size);
        match &*rows {
            [row]
                if (&*row.kind, row.log_size) == (kind.name(), self.log_size)
                    && row.operations > 0
                    && row.computing() > 0.0 =>
            {
                Ok(rows)
            }
            _ => Err(self.wrong(expected, line)),
        }
    }
}

impl Drop for Process {
    /// Whatever it is doing, nobody waits for it any more.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const NAMES: &str = "system,experiment,kind,log_size,operations,cpu_seconds";

    /// A program of the shell: the line of names, and for each line that comes in one that goes out.
    fn answering(folder: &tempfile::TempDir, answer: &str) -> Result<Process, Error> {
        let script = format!("echo {NAMES}\nwhile read kind; do {answer}; done\n");
        let path = folder.path().join("peer");
        std::fs::write(&path, script).unwrap();
        Process::start(&format!("sh {}", path.display()), 10, 7)
    }

    fn refused(answer: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        answering(&folder, answer).unwrap().perform(Kind::Read).unwrap_err().to_string()
    }

    #[test]
    fn a_program_is_told_what_to_do_and_says_what_it_took() {
        let folder = tempfile::tempdir().unwrap();
        // The third argument is after --operations.
        let mut process = answering(&folder, r#"echo "theirs,computing,$kind,$2,$4,0.5""#).unwrap();
        for kind in [Kind::Read, Kind::Write] {
            let rows = process.perform(kind).unwrap();
            assert_eq!((&*rows[0].system, &*rows[0].kind), ("theirs", kind.name()));
            assert_eq!((rows[0].log_size, rows[0].operations), (10, 7));
            assert!((rows[0].computing() - 0.5 / 7.0).abs() < 1e-12);
        }
        let mut fixed = answering(&folder, "echo no such operation").unwrap();
        assert_eq!(fixed.perform(Kind::Write).unwrap(), []);
    }

    #[test]
    fn what_is_no_measurement_of_what_was_asked_for_is_refused() {
        for (answer, message) in [
            ("echo theirs,computing,write,10,7,0.5", "expected a time of some operations, read of 2^10"),
            ("echo theirs,computing,read,11,7,0.5", "expected a time of some operations, read of 2^10"),
            ("echo theirs,computing,read,10,0,0.5", "expected a time of some operations, read of 2^10"),
            ("echo theirs,computing,read,10,7,0", "expected a time of some operations, read of 2^10"),
            (
                "echo theirs,computing,read,10,7,soon",
                "expected a number of 0 or more as cpu_seconds, got soon",
            ),
            ("echo theirs", "expected 6 fields, got 1"),
            ("exit 1", "expected what a read took, got its end"),
            ("printf unfinished; exit", "expected what a read took, got a line without an end"),
            (r"printf '\377\n'", "expected what a read took, got what is no text"),
        ] {
            let got = refused(answer);
            assert!(got.contains(message), "{answer}: {got}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_or_says_nothing_is_refused() {
        let start = |program: &str| Process::start(program, 10, 1).err().unwrap().to_string();
        assert!(start("").contains("expected a program, got nothing"));
        assert!(start("/nowhere/peer").contains("/nowhere/peer: expected a program that can be started"));
        assert!(start("true").contains("expected the names of columns, got its end"));
    }
}
