//! What was asked before, of the very same things, need not be asked again: as with `make`, but by contents. For what always
//! answers the same, and takes long: the model checker, Rocq's kernel, valgrind, pages in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};
use crate::{files, hashes, process, validate};

/// All that an answer depends on, in order. This program, which asks and understands it, is part of every question.
#[derive(Clone)]
pub(crate) struct Question {
    parts: String,
    /// Where answers are.
    folder: PathBuf,
}

impl Question {
    /// Of a kind.
    ///
    /// # Errors
    /// If this program's own file cannot be read.
    pub(crate) fn new(kind: &str) -> Result<Self> {
        let program = std::env::current_exe().map_err(Error::file(Path::new("ci/tool")))?;
        let program = fs::read(&program).map_err(Error::file(&program))?;
        let question = Self { parts: String::new(), folder: validate::target().join("answers") };
        Ok(question.with(&program).with(kind.as_bytes()))
    }

    /// To Rocq, of this version.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn to_rocq(kind: &str) -> Result<Self> {
        Ok(Self::new(kind)?.with(process::check(Command::new("coqc").arg("--version"))?.as_bytes()))
    }

    /// And of this.
    #[must_use]
    pub(crate) fn with(mut self, part: &[u8]) -> Self {
        // Hashes have one length, so that parts cannot run into each other.
        self.parts.push_str(&hashes::sha256(part));
        self
    }

    /// And of all files of this extension below `folder`, by name and contents.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(crate) fn with_files(self, folder: &Path, extension: &str) -> Result<Self> {
        Ok(self.with(hashes::listing(folder, "", extension)?.as_bytes()))
    }

    /// And of all files below `folder`, by name and contents.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(crate) fn with_folder(self, folder: &Path) -> Result<Self> {
        Ok(self.with(hashes::listing_of(folder, "", &files::all_below(folder)?)?.as_bytes()))
    }

    /// The file that has the answer, if it was had.
    fn file(&self) -> PathBuf {
        self.folder.join(hashes::sha256(self.parts.as_bytes()))
    }

    /// A file beside the answer, for what belongs to it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.file().with_extension(name)
    }

    /// The answer that was had before.
    ///
    /// # Errors
    /// If there is one that cannot be read.
    pub(crate) fn answered(&self) -> Result<Option<String>> {
        let file = self.file();
        if file.exists() { files::read(file).map(Some) } else { Ok(None) }
    }

    /// Remembers an answer, which must not be that something went wrong.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn remember(&self, answer: &str) -> Result<()> {
        // Whole or not at all, should somebody else write the same, or this end now.
        let file = self.file();
        let part = file.with_extension(std::process::id().to_string());
        files::write(&part, answer)?;
        fs::rename(&part, &file).map_err(Error::file(&file))
    }
}

#[cfg(test)]
impl Question {
    /// With its answer elsewhere.
    pub(crate) fn kept_in(self, folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_question_has_another_answer() {
        let scratch = files::scratch().unwrap();
        let question = |parts: &[&str]| {
            let question = Question::new("test of answers").unwrap().kept_in(scratch.path());
            parts.iter().fold(question, |question, part| question.with(part.as_bytes()))
        };
        let first = question(&["a", "b"]);
        first.remember("yes").unwrap();
        assert_eq!(first.answered().unwrap().as_deref(), Some("yes"));
        assert_eq!(question(&["a", "b"]).answered().unwrap().as_deref(), Some("yes"));
        for other in [&["a"][..], &["ab"], &["b", "a"], &["a", "b", ""]] {
            assert_eq!(question(other).answered().unwrap(), None, "{other:?}");
        }
        fs::remove_file(first.file()).unwrap();
        assert_eq!(first.answered().unwrap(), None);
    }

    #[test]
    fn a_changed_file_is_another_question() {
        let scratch = files::scratch().unwrap();
        let ask = || Question::new("files").unwrap().with_files(scratch.path(), "v").unwrap().file();
        files::write(scratch.path().join("a.v"), "one").unwrap();
        let one = ask();
        assert_eq!(ask(), one);
        files::write(scratch.path().join("a.v"), "two").unwrap();
        assert_ne!(ask(), one);
        files::write(scratch.path().join("a.v"), "one").unwrap();
        files::write(scratch.path().join("b.v"), "").unwrap();
        assert_ne!(ask(), one);
    }
}
