//! Chapter 0: the output of the first command, as the README has it.

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, between};

/// `run.md`. Times are in that output, so it is not made anew: `ci/readme` does that, and book and README show the same.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    let readme = repository.text("README.md")?;
    let run = between("README.md", &readme, "<!-- begin: run -->", "<!-- end: run -->")?;
    assert!(
        run.contains("\nchecked: ") && run.contains("; 0 mismatches\n"),
        "the run in README.md is not checked"
    );
    Ok(vec![Page::new("run.md", run)])
}
