//! SHA-256 of files, as `sha256sum` prints it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::files;

/// In hex.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A line `hash  prefix/name` for each file of this extension below `folder`, sorted by name.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn listing(folder: &Path, prefix: &str, extension: &str) -> Result<String> {
    listing_of(folder, prefix, &files::below(folder, extension)?)
}

/// The same of files of these names.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn listing_of(folder: &Path, prefix: &str, names: &[String]) -> Result<String> {
    let mut text = String::new();
    for name in names {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(Error::file(&path))?;
        let _ = writeln!(text, "{}  {prefix}/{name}", sha256(&bytes));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_the_standard_example() {
        // FIPS 180-4's "abc".
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_listing_is_what_sha256sum_prints() {
        let scratch = files::scratch().unwrap();
        files::write(scratch.path().join("core/a.rs"), "abc").unwrap();
        let listing = listing(scratch.path(), "src", "rs").unwrap();
        assert_eq!(listing, format!("{}  src/core/a.rs\n", sha256(b"abc")));
    }
}
