//! TLC, the model checker, which `ci/setup tla` installs.

use std::path::PathBuf;
use std::process::Command;

use crate::error::{Error, Result};
use crate::{files, process};

/// Where TLC is, and what makes it start sooner.
pub(crate) struct Tlc {
    /// Its file, whose name has its version.
    pub(crate) jar: String,
    /// Its classes, as Java lays them out in memory: loading them anew is a third of what a short check takes.
    classes: Option<PathBuf>,
    /// Where that file is, and what TLC unpacks, as long as this lives.
    folder: tempfile::TempDir,
}

/// For what takes seconds: code that is compiled once and quickly takes half of the work.
pub(crate) const BRIEF: [&str; 2] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

/// The smallest module, for a run that loads what every run loads.
const MODULE: &str = "---- MODULE Start ----\nEXTENDS Naturals, Sequences, FiniteSets, TLC\nVARIABLE x\nInit == x = 0\n\
                      Next == x < 2 /\\ x' = x + 1\nSpec == Init /\\ [][Next]_x\nSmall == x < 3\n====\n";

impl Tlc {
    /// Installs it if need be.
    ///
    /// # Errors
    /// If it cannot be.
    pub(crate) fn installed() -> Result<Self> {
        process::pass(Command::new("ci/setup").arg("tla"))?;
        let jar = process::check(Command::new("ci/setup").args(["--path", "tlc_jar"]))?.trim().to_string();
        let folder = files::scratch()?;
        files::write(folder.path().join("Start.tla"), MODULE)?;
        files::write(folder.path().join("Start.cfg"), "SPECIFICATION Spec\nINVARIANT Small\n")?;
        let classes = folder.path().join("classes.jsa");
        let mut tlc = Self { jar, classes: None, folder };
        let archive = format!("-XX:ArchiveClassesAtExit={}", classes.display());
        let mut first = tlc.command(&["-XX:+UseSerialGC", &archive])?;
        // Some Java may not know how. Then all is as before, and takes longer.
        process::run(first.args(["-deadlock", "Start"]).current_dir(tlc.folder.path()))?;
        tlc.classes = classes.is_file().then_some(classes);
        Ok(tlc)
    }

    /// TLC, with these options of Java's; its own are to be added.
    ///
    /// # Errors
    /// If there is no place for what it unpacks.
    pub(crate) fn command(&self, java: &[&str]) -> Result<Command> {
        let mut command = Command::new("java");
        if let Some(classes) = &self.classes {
            command.arg(format!("-XX:SharedArchiveFile={}", classes.display()));
        }
        // TLC unpacks the standard modules that it reads into Java's folder for what is temporary, /tmp whatever TMPDIR says, by their
        // names, and deletes them when it ends. So each run has a folder of its own, or it would now and then read one that another deletes.
        let folder = self.folder.path();
        let unpacked = tempfile::tempdir_in(folder).map_err(Error::file(folder))?.keep();
        command.arg(format!("-Djava.io.tmpdir={}", unpacked.display()));
        command.args(java).args(["-cp", &self.jar, "tlc2.TLC"]);
        Ok(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_runs_unpack_modules_into_the_same_folder() {
        let folder = files::scratch().unwrap();
        let tlc = Tlc { jar: "tlc.jar".to_string(), classes: None, folder };
        let unpacks_into = |command: &Command| {
            let folders = command
                .get_args()
                .filter_map(|argument| argument.to_str()?.strip_prefix("-Djava.io.tmpdir="));
            folders.map(PathBuf::from).collect::<Vec<_>>()
        };
        let (one, other) = (tlc.command(&[]).unwrap(), tlc.command(&BRIEF).unwrap());
        let [one] = &unpacks_into(&one)[..] else { panic!("expected one folder") };
        let [other] = &unpacks_into(&other)[..] else { panic!("expected one folder") };
        assert_ne!(one, other);
        assert!(one.is_dir() && other.is_dir());
        assert!(one.starts_with(tlc.folder.path()) && other.starts_with(tlc.folder.path()));
    }
}
