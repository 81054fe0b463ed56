//! Faults that are planted on purpose: in FILE the text OLD, which must be there exactly once, becomes NEW.

use std::path::{Path, PathBuf};

use crate::error::{Result, found};
use crate::files;

/// What is planted, and where.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    file: PathBuf,
    old: String,
    new: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    into_file(&arguments.file, &arguments.old, &arguments.new)
}

/// Plants a fault in a file.
///
/// # Errors
/// If OLD is not there, or more than once: then it is not known what would be tested.
pub(crate) fn into_file(path: &Path, old: &str, new: &str) -> Result<()> {
    match into_text(&files::read(path)?, old, new) {
        Some(text) => files::write(path, text),
        None => found(format!("{} must have this exactly once: {old}", path.display())),
    }
}

fn into_text(text: &str, old: &str, new: &str) -> Option<String> {
    (!old.is_empty() && text.matches(old).count() == 1).then(|| text.replacen(old, new, 1))
}

/// Of a list's faults keeps those that one of these names calls, or all if there is none.
///
/// # Errors
/// If a name calls none, or the list is empty.
pub(crate) fn choose<T>(
    faults: &mut Vec<T>,
    names: &[String],
    calls: impl Fn(&str, &T) -> bool,
) -> Result<()> {
    if let Some(name) = names.iter().find(|name| !faults.iter().any(|fault| calls(name, fault))) {
        return found(format!("no fault is called {name}"));
    }
    faults.retain(|fault| names.is_empty() || names.iter().any(|name| calls(name, fault)));
    if faults.is_empty() { found("no fault in the list") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_exactly_once_is_replaced() {
        assert_eq!(into_text("a * b\n", "*", "+").as_deref(), Some("a + b\n"));
        assert_eq!(into_text("a * b", "-", "+"), None);
        assert_eq!(into_text("a * b * c", "*", "+"), None);
        assert_eq!(into_text("a", "", "+"), None);
    }

    #[test]
    fn a_refusal_names_file_and_text_and_leaves_the_file() {
        let scratch = files::scratch().unwrap();
        let path = scratch.path().join("a.rs");
        files::write(&path, "a * b * c").unwrap();
        let error = into_file(&path, "*", "+").unwrap_err().to_string();
        assert!(error.ends_with("a.rs must have this exactly once: *"), "{error}");
        assert_eq!(files::read(&path).unwrap(), "a * b * c");
    }
}
