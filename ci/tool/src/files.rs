//! The files of the repository. Paths are relative to its top, where `ci/tool/run` starts the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};
use crate::process;

/// The text of a file.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub(crate) fn read(path: impl AsRef<Path>) -> Result<String> {
    fs::read_to_string(path.as_ref()).map_err(Error::file(path.as_ref()))
}

/// The text of what a program under test has printed, which need not be UTF-8.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn read_lossy(path: impl AsRef<Path>) -> Result<String> {
    let bytes = fs::read(path.as_ref()).map_err(Error::file(path.as_ref()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a file, and the folders that it is in.
///
/// # Errors
/// If one of them cannot be made.
pub(crate) fn write(path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> Result<()> {
    let path = path.as_ref();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    fs::write(path, text).map_err(Error::file(path))
}

/// Makes an empty folder, in the place of one that earlier runs have left.
///
/// # Errors
/// If that cannot be removed, or a new one not be made.
pub(crate) fn emptied(folder: impl AsRef<Path>) -> Result<()> {
    let folder = folder.as_ref();
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Error::file(folder))?;
    }
    fs::create_dir_all(folder).map_err(Error::file(folder))
}

/// The files below `folder` whose names end with `.extension`, relative to it, with `/` between folders, sorted by bytes.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn below(folder: impl AsRef<Path>, extension: &str) -> Result<Vec<String>> {
    let mut names = all_below(folder)?;
    names.retain(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == extension));
    Ok(names)
}

/// The same, of any extension or none.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn all_below(folder: impl AsRef<Path>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    collect(folder.as_ref(), "", &mut names)?;
    names.sort();
    Ok(names)
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::file(folder))? {
        let entry = entry.map_err(Error::file(folder))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if entry.file_type().map_err(Error::file(&path))?.is_dir() {
            collect(&path, &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

/// Lines, each with its end.
pub(crate) fn lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n"]).collect()
}

/// Copies a folder with all that is in it. Times of change are kept: `make` goes by them.
///
/// # Errors
/// If something cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    process::check(Command::new("cp").arg("-a").arg(from).arg(to)).map(drop)
}

/// The same, with files that are new: cargo tells by their times whether one has changed, also from that of an earlier copy.
///
/// # Errors
/// If it fails.
pub(crate) fn copy_anew(from: &Path, to: &Path) -> Result<()> {
    process::check(Command::new("cp").arg("-r").arg(from).arg(to)).map(drop)
}

/// A folder that goes when this value does.
///
/// # Errors
/// If none can be made.
pub(crate) fn scratch() -> Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(Error::file(&std::env::temp_dir()))
}

/// The files that git tracks or would, of these patterns.
///
/// # Errors
/// If git fails.
pub(crate) fn listed(patterns: &[&str]) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-co", "--exclude-standard", "--deduplicate", "--"]).args(patterns);
    let names = process::check(&mut git)?;
    // What was deleted and not committed is listed as well.
    Ok(names.lines().map(PathBuf::from).filter(|path| path.exists()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_looks_into_folders_and_sorts() {
        let scratch = scratch().unwrap();
        for name in ["b.v", "a/z.v", "a/b/c.v", "a/c.vo", "v"] {
            write(scratch.path().join(name), "").unwrap();
        }
        assert_eq!(below(scratch.path(), "v").unwrap(), ["a/b/c.v", "a/z.v", "b.v"]);
    }

    #[test]
    fn a_missing_file_is_named() {
        assert!(read("nowhere/at-all").unwrap_err().to_string().starts_with("nowhere/at-all: "));
    }
}
