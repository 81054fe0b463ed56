//! `duoram vectors`: the test vectors, as files.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Output, Verdict};
use crate::Error;

/// What is written beside the vectors: what they mean, in words and for machines.
const DESCRIPTIONS: [(&str, &str); 2] = [
    ("README.md", include_str!("../../../spec/vectors/README.md")),
    ("vectors.schema.json", include_str!("../../../spec/vectors.schema.json")),
];

/// Writes the test vectors of every primitive and protocol, and of known faults, as JSON files.
///
/// They are those of spec/vectors, computed by the specification on the spot. README.md says what the fields mean,
/// vectors.schema.json is a JSON Schema of the files.
///
/// Files that are there already with the same contents are left alone. If one has other contents, nothing is written, the
/// files that differ are named, and the exit code is 2: so the command also checks a copy of the vectors. Other files in the
/// folder are not looked at.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The folder; it is made if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that have other contents.
    #[arg(long)]
    force: bool,
}

/// Writes them.
///
/// # Errors
///
/// [`Error::OtherContents`], and [`Error::File`] if the folder or a file cannot be read or written.
pub fn vectors(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    let folder = &options.out;
    let failed = |path: &Path, source| Error::File { path: path.to_owned(), source };
    let files = duoram_vectors::files().into_iter().map(|(name, value)| (name, duoram_vectors::text(&value)));
    let descriptions = DESCRIPTIONS.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let files: Vec<_> = files.chain(descriptions).collect();
    let (mut missing, mut different) = (Vec::new(), Vec::new());
    for (name, text) in &files {
        match fs::read(folder.join(name)) {
            Ok(there) if there == text.as_bytes() => {}
            Ok(_) => different.push((name, text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push((name, text)),
            Err(error) => return Err(failed(&folder.join(name), error)),
        }
    }
    if !different.is_empty() && !options.force {
        let names = different.into_iter().map(|(name, _)| name.clone()).collect();
        return Err(Error::OtherContents { folder: folder.clone(), names });
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, text) in missing.iter().chain(&different) {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    let (new, replaced) = (missing.len(), different.len());
    output.line(&format!(
        "{}: {} files: {new} new, {replaced} replaced, {} as they were",
        folder.display(),
        files.len(),
        files.len() - new - replaced
    ))?;
    Ok(Verdict::Held)
}
