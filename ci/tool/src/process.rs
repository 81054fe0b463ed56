//! Programs that the checks call.

use std::process::{Command, Output};

use crate::error::{Error, Result};

/// What a program printed, and whether it succeeded.
pub(crate) struct Ran {
    /// Exit code 0.
    pub(crate) success: bool,
    /// The exit code, unless a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) errors: String,
}

impl Ran {
    /// All that it printed.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.output, self.errors)
    }
}

/// Runs a program to its end, whatever it says.
///
/// # Errors
/// If it does not start.
pub(crate) fn run(command: &mut Command) -> Result<Ran> {
    let output = command.output().map_err(|source| Error::Start { program: name(command), source })?;
    let Output { status, stdout, stderr } = output;
    Ok(Ran {
        success: status.success(),
        code: status.code(),
        output: String::from_utf8_lossy(&stdout).into_owned(),
        errors: String::from_utf8_lossy(&stderr).into_owned(),
    })
}

/// The standard output of a program that must succeed.
///
/// # Errors
/// If it does not start, or fails.
pub(crate) fn check(command: &mut Command) -> Result<String> {
    let ran = run(command)?;
    if ran.success {
        Ok(ran.output)
    } else {
        Err(Error::Failed { program: name(command), output: ran.all() })
    }
}

/// Runs a program that speaks for itself: what it prints goes where ours does.
///
/// # Errors
/// If it does not start, or fails.
pub(crate) fn pass(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|source| Error::Start { program: name(command), source })?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::Failed { program: name(command), output: String::new() })
    }
}

/// The day, as records have it.
///
/// # Errors
/// If there is no `date`.
pub(crate) fn today() -> Result<String> {
    Ok(check(Command::new("date").args(["-u", "+%F"]))?.trim().to_string())
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_was_printed() {
        let error = check(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "out\nerr\nsh failed");
        assert!(
            check(&mut Command::new("no-such-program")).unwrap_err().to_string().contains("does not start")
        );
    }
}
