//! What a name in the text of the book stands for in the repository: a file, an item, a theorem, a test.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::item;

/// A place in the repository; without lines the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) lines: Option<Range<usize>>,
}

/// Where a `file: name` may begin. The first is the top, for a path that is written in full.
const FOLDERS: [&str; 5] =
    ["", "reference/src/", "optimized/runtime/src/", "optimized/kernel/src/", "proofs/rocq/"];

/// Folders of which every path that the book names must exist.
const TOP: [&str; 8] = ["spec/", "reference/", "optimized/", "proofs/", "fuzz/", "book/", "ci/", ".ci/"];

/// Where the module of a `module::name` may begin: the book leaves out the folder that all protocols share, and the protocol
/// that it is about. Another protocol's is written in full, `two_party::read::read`.
const SPECIFICATION: [&str; 3] = ["spec/src/", "spec/src/core/", "spec/src/paper/"];

/// What a column of a table speaks of, where its head says so: its names need no folder.
const COLUMNS: [(&str, &str); 2] =
    [("reference", "reference/src/paper/"), ("kernel", "optimized/kernel/src/")];

/// Faults planted in the specification, a line each, that break a theorem.
const FAULTS: &str = "proofs/mutants.tsv";

/// The working tree, and the names of its theorems and tests.
pub(crate) struct Repository {
    root: PathBuf,
    texts: RefCell<HashMap<String, Rc<str>>>,
    /// Names that say where they are by themselves: theorems of `proofs/rocq`, faults planted for them, and tests.
    named: BTreeMap<String, Vec<Place>>,
}

impl Repository {
    /// Reads the names of theorems, faults and tests below `root`.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let root = &root.canonicalize()?;
        let mut named: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for folder in [
            "proofs/rocq",
            "spec/tests",
            "reference/tests",
            "reference/simulation/tests",
            "optimized/runtime/tests",
            "optimized/cli/tests",
            "reference/src",
        ] {
            for file in files_below(&root.join(folder))? {
                let text = fs::read_to_string(&file)?;
                let is_rocq = folder == "proofs/rocq";
                let file = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
                for (line, name) in sentences_and_tests(is_rocq, &text) {
                    let place = Place { file: file.clone(), lines: Some(line..line + 1) };
                    named.entry(name.to_owned()).or_default().push(place);
                }
            }
        }
        for (line, row) in fs::read_to_string(root.join(FAULTS))?.lines().enumerate().skip(1) {
            let place = Place { file: FAULTS.to_owned(), lines: Some(line..line + 1) };
            named.entry(row.split('\t').next().unwrap_or_default().to_owned()).or_default().push(place);
        }
        Ok(Self { root: root.to_owned(), texts: RefCell::default(), named })
    }

    /// The path from the top of an absolute one, which may climb out of folders: `TOP/book/src/../../spec/ERRATA.md` is `spec/ERRATA.md`.
    /// Errors: it leads out of the repository.
    pub(crate) fn path_below(&self, path: &Path) -> Result<String, String> {
        let outside = || format!("{}: expected a path inside the repository", path.display());
        let mut parts = Vec::new();
        for part in path.strip_prefix(&self.root).map_err(|_| outside())?.components() {
            match part {
                Component::Normal(name) => parts.push(name.to_string_lossy()),
                Component::ParentDir => drop(parts.pop().ok_or_else(outside)?),
                _ => {}
            }
        }
        Ok(parts.join("/"))
    }

    /// The text of a file, by its path from the top.
    pub(crate) fn text(&self, file: &str) -> Result<Rc<str>, String> {
        if let Some(text) = self.texts.borrow().get(file) {
            return Ok(Rc::clone(text));
        }
        let text: Rc<str> = fs::read_to_string(self.root.join(file))
            .map_err(|error| format!("cannot read {file}: {error}"))?
            .into();
        self.texts.borrow_mut().insert(file.to_owned(), Rc::clone(&text));
        Ok(text)
    }

    /// The lines of an item or anchor of a file.
    pub(crate) fn item(&self, file: &str, name: &str) -> Result<Place, String> {
        let lines = item::find(Path::new(file), &self.text(file)?, name)?;
        Ok(Place { file: file.to_owned(), lines: Some(lines) })
    }

    /// What the words of a code span stand for; `None` if they are no name of this repository. `column` is the head of the
    /// column that they stand in. Errors: they are like a name of the repository, and nothing has it.
    pub(crate) fn resolve(&self, words: &str, column: Option<&str>) -> Result<Option<Place>, String> {
        if let Some((file, name)) =
            words.split_once(": ").filter(|(file, _)| file.contains('.') && !file.contains(' '))
        {
            return self.item_of_file(file, name, column).map(Some);
        }
        if TOP.iter().any(|top| words.starts_with(top)) && !words.contains(' ') {
            return self.path(words);
        }
        if words.contains('/') || words.contains(' ') {
            return Ok(None);
        }
        if words.contains("::") {
            return self.item_of_module(words);
        }
        let vector = format!("spec/vectors/{words}");
        if self.root.join(&vector).is_file() {
            return Ok(Some(Place { file: vector, lines: None }));
        }
        match self.named.get(words).map(Vec::as_slice) {
            Some([place]) => Ok(Some(place.clone())),
            // nobody names a value in as many words
            None if words.matches('_').count() >= 4
                && words.chars().all(|c| c == '_' || c.is_alphanumeric()) =>
            {
                Err(format!("`{words}` is no theorem and no test"))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// An item of the specification, by its module's path; `None` if there is no such module.
    fn item_of_module(&self, words: &str) -> Result<Option<Place>, String> {
        for (end, colons) in words.match_indices("::") {
            let (module, name) = (words[..end].replace("::", "/"), &words[end + colons.len()..]);
            let mut files = SPECIFICATION.iter().map(|folder| format!("{folder}{module}.rs"));
            if let Some(file) = files.find(|file| self.root.join(file).is_file()) {
                return self.item(&file, name).map(Some);
            }
        }
        Ok(None)
    }

    fn item_of_file(&self, file: &str, name: &str, column: Option<&str>) -> Result<Place, String> {
        let of_column = COLUMNS.iter().find(|(head, _)| Some(*head) == column).map(|(_, folder)| *folder);
        let candidate = of_column
            .into_iter()
            .chain(FOLDERS)
            .map(|folder| format!("{folder}{file}"))
            .find(|candidate| self.root.join(candidate).is_file())
            .ok_or_else(|| format!("`{file}: {name}`: there is no such file"))?;
        self.item(&candidate, name)
    }

    fn path(&self, path: &str) -> Result<Option<Place>, String> {
        let missing = || format!("`{path}` does not exist");
        if path.contains('*') {
            let (folder, pattern) = path.rsplit_once('/').ok_or_else(missing)?;
            let parts: Vec<&str> = pattern.split('*').collect();
            let fits = |name: &str| {
                let in_order =
                    parts.iter().try_fold(name, |rest, part| rest.split_once(part).map(|(_, rest)| rest));
                in_order.is_some() && name.starts_with(parts[0]) && name.ends_with(parts[parts.len() - 1])
            };
            let entries = fs::read_dir(self.root.join(folder)).map_err(|_| missing())?;
            let some = entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(fits));
            return if some { Ok(None) } else { Err(missing()) };
        }
        let full = self.root.join(path);
        match () {
            () if full.is_file() => Ok(Some(Place { file: path.to_owned(), lines: None })),
            () if full.exists() => Ok(None),
            () => Err(missing()),
        }
    }
}

fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "v") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The theorems of a Rocq file or the tests of a Rust file, with their lines from 0.
fn sentences_and_tests(is_rocq: bool, text: &str) -> Vec<(usize, &str)> {
    let mut after_test = false;
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if is_rocq {
            let name = ["Theorem ", "Lemma ", "Corollary "].iter().find_map(|kind| line.strip_prefix(kind));
            found.extend(name.map(|name| (i, identifier(name))));
        } else if line == "#[test]" {
            after_test = true;
        } else if let Some(name) = line.strip_prefix("fn ").filter(|_| after_test) {
            found.push((i, identifier(name)));
            after_test = false;
        }
    }
    found
}

fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'').unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> Repository {
        Repository::open(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))).unwrap()
    }

    #[test]
    fn names_lead_to_their_lines() {
        let repository = repository();
        let file = |words: &str, column| repository.resolve(words, column).unwrap().unwrap().file;
        assert_eq!(file("spec/src/paper/read.rs", None), "spec/src/paper/read.rs");
        assert_eq!(file("read::read_share", None), "spec/src/paper/read.rs");
        assert_eq!(file("two_party::read::read", None), "spec/src/two_party/read.rs");
        assert_eq!(file("ring::Ring::plus", None), "spec/src/core/ring.rs");
        assert_eq!(file("lemma_1_holds", None), "proofs/rocq/paper/ReadReconstructs.v");
        assert_eq!(file("reusing_a_dpf_reveals_differences", None), "spec/tests/security.rs");
        assert_eq!(file("read.rs: begin", Some("reference")), "reference/src/paper/read.rs");
        assert_eq!(file("engine/items.rs: take_reads", Some("reference")), "reference/src/engine/items.rs");
        assert_eq!(file("update.rs: row", Some("kernel")), "optimized/kernel/src/update.rs");
        let place = repository.resolve("read::read_share", None).unwrap().unwrap();
        let text = repository.text(&place.file).unwrap();
        assert!(
            text.lines().skip(place.lines.unwrap().start).any(|line| line.starts_with("pub fn read_share"))
        );
    }

    #[test]
    fn what_only_looks_like_a_name_is_left_alone_or_refused() {
        let repository = repository();
        for words in ["x_0", "cargo test", "n", "u64::MAX", "spec/vectors/read_bad_*.json", "spec/src/"] {
            assert_eq!(repository.resolve(words, None), Ok(None), "{words}");
        }
        for words in [
            "spec/src/reed.rs",
            "spec/vectors/reed_bad_*.json",
            "read::read_shore",
            "plain.rs: reed",
            "nowhere.rs: read",
            "a_name_of_many_words",
        ] {
            assert!(repository.resolve(words, None).is_err(), "{words}");
        }
    }
}
