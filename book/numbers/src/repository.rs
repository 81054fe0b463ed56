//! Files of the repository from which tables are made.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::Error;

/// The repository's top.
pub(crate) struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The one that this program was compiled in.
    pub(crate) fn of_this_crate() -> Self {
        Self { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../..") }
    }

    /// A file's text.
    pub(crate) fn text(&self, path: &str) -> Result<String, Error> {
        fs::read_to_string(self.root.join(path)).map_err(|source| Error::File { path: path.into(), source })
    }

    /// A file that is JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        let text = self.text(path)?;
        serde_json::from_str(&text).map_err(|source| Error::Json { path: path.to_owned(), source })
    }

    /// The names of the files in a folder that have this extension, sorted.
    pub(crate) fn names(&self, folder: &str, extension: &str) -> Result<Vec<String>, Error> {
        let of_folder = |source| Error::File { path: folder.into(), source };
        let mut names = Vec::new();
        for entry in fs::read_dir(self.root.join(folder)).map_err(of_folder)? {
            let name = entry.map_err(of_folder)?.file_name();
            if Path::new(&name).extension().is_some_and(|found| found == extension) {
                names.push(name.to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The rows of a table in a file of columns separated by tabs: the columns named, in this order.
    pub(crate) fn columns<const N: usize>(
        &self,
        path: &str,
        names: [&str; N],
    ) -> Result<Vec<[String; N]>, Error> {
        let text = self.text(path)?;
        let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            let found = head.iter().position(|column| *column == name);
            *place = found.ok_or_else(|| form(path, format!("no column {name}")))?;
        }
        let mut rows = Vec::new();
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            if cells.len() != head.len() {
                return Err(form(path, format!("not {} columns: {line}", head.len())));
            }
            rows.push(places.map(|place| cells[place].to_owned()));
        }
        Ok(rows)
    }
}

/// A file that is not in the form that is read.
pub(crate) fn form(path: &str, what: impl Into<String>) -> Error {
    Error::Form { path: path.to_owned(), what: what.into() }
}

/// What is between two lines of a text.
pub(crate) fn between<'a>(path: &str, text: &'a str, begin: &str, end: &str) -> Result<&'a str, Error> {
    let missing = |line: &str| form(path, format!("no line {line:?}"));
    let (_, rest) = text.split_once(&format!("{begin}\n")).ok_or_else(|| missing(begin))?;
    let (inside, _) = rest.split_once(&format!("{end}\n")).ok_or_else(|| missing(end))?;
    Ok(inside.trim_matches('\n'))
}
