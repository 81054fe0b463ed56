//! Rejected cases in a file, to be run again.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;
use super::case::Case;
use super::judge::Finding;
use crate::encoding;

/// The format of [`Cases`].
const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_field_names, reason = "a file of cases has cases")]
struct Cases {
    schema: u32,
    /// For the reader.
    about: String,
    /// In the order in which they are run; the last one is the one that was rejected.
    cases: Vec<Value>,
}

/// The cases of a file, in the order in which they are to be run.
///
/// # Errors
///
/// [`Error::File`], and [`Error::Cases`] if it holds something else.
pub fn read(path: &Path) -> Result<Vec<Case>, Error> {
    let refused = |refusal: String| Error::Cases { path: path.to_owned(), refusal };
    let text = fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let value: Value = serde_json::from_slice(&text).map_err(|error| refused(error.to_string()))?;
    let written: Cases = encoding::read("file", &value).map_err(|refusal| refused(refusal.to_string()))?;
    if written.schema != SCHEMA || written.cases.is_empty() {
        return Err(refused(format!("expected at least one case of schema {SCHEMA}")));
    }
    let cases = written.cases.iter().map(Case::from_json);
    cases.collect::<Result<_, _>>().map_err(|refusal| refused(refusal.to_string()))
}

/// Puts what was found into a new file of a folder, named after kernel and operation; a file that has the same in it
/// already is taken as it is, and none is replaced.
///
/// # Errors
///
/// The file cannot be written.
pub fn write(folder: &Path, kernel: &Path, finding: &Finding) -> io::Result<PathBuf> {
    let about = format!("{}: {}, {}", kernel.display(), finding.operation, finding.about);
    let cases = finding.cases().into_iter().cloned().collect();
    let text = serde_json::to_vec_pretty(&Cases { schema: SCHEMA, about, cases })?;
    let stem = kernel.file_stem().unwrap_or_default().to_string_lossy();
    for number in 1_u32.. {
        let path = folder.join(format!("{stem}-{}-{number}.json", finding.operation));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => return file.write_all(&text).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if fs::read(&path).is_ok_and(|old| old == text) {
                    return Ok(path);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
