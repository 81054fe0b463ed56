//! TLC, the model checker, which `ci/setup tla` installs.

use std::path::PathBuf;
use std::process::Command;

use crate::error::Result;
use crate::{files, process};

/// Where TLC is, and what makes it start sooner.
pub(crate) struct Tlc {
    /// Its file, whose name has its version.
    pub(crate) jar: String,
    /// Its classes, as Java lays them out in memory: loading them anew is a third of what a short check takes.
    classes: Option<PathBuf>,
    /// Where that file is, as long as this lives.
    _folder: tempfile::TempDir,
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
        let mut first = Command::new("java");
        first.arg(format!("-XX:ArchiveClassesAtExit={}", classes.display()));
        first.args(["-XX:+UseSerialGC", "-cp", &jar, "tlc2.TLC", "-deadlock", "Start"]);
        // Some Java may not know how. Then all is as before, and takes longer.
        process::run(first.current_dir(folder.path()))?;
        let classes = classes.is_file().then_some(classes);
        Ok(Self { jar, classes, _folder: folder })
    }

    /// TLC, with these options of Java's; its own are to be added.
    pub(crate) fn command(&self, java: &[&str]) -> Command {
        let mut command = Command::new("java");
        if let Some(classes) = &self.classes {
            command.arg(format!("-XX:SharedArchiveFile={}", classes.display()));
        }
        command.args(java).args(["-cp", &self.jar, "tlc2.TLC"]);
        command
    }
}
