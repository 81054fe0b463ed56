//! `duoram run --state DIR`: parties that survive, each with its disk. No costs are counted then, and no party's state is
//! shown to anybody.

use std::path::{Path, PathBuf};

use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::operation::Row;
use duoram_runtime::owner::{self, State};
use duoram_runtime::protocol::Runs;
use duoram_runtime::resources;
use duoram_runtime::store::StoreKey;

use super::Job;
use super::report::{Report, StateReport, described};
use crate::output::Output;
use crate::progress::Progress;
use crate::{Error, Verdict};

/// Where the parties keep what they need to go on, and its key.
#[derive(Debug, clap::Args)]
#[group(id = "on_disk")]
pub(super) struct Options {
    /// Keep the parties' state in this folder, sealed: killed at any moment and started again with the same memory, script and
    /// options, the run goes on where it was, and prints all results.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["check", "trace", "transport", "seed"])]
    state: Option<PathBuf>,
    /// The key of the folder, 64 hexadecimal digits in a file outside of it; drawn if there is no such file yet. Without this,
    /// the file beside the folder whose name ends in .key.
    #[arg(long, value_name = "FILE", requires = "state")]
    state_key: Option<PathBuf>,
}

impl Options {
    /// The folder, if there is to be one.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    fn key(&self, folder: &Path) -> Result<StoreKey, Error> {
        let beside = || {
            let mut name = folder.as_os_str().to_owned();
            name.push(".key");
            name.into()
        };
        let path = self.state_key.clone().unwrap_or_else(beside);
        let key = if path.exists() { StoreKey::read(&path) } else { StoreKey::create(&path) };
        key.map_err(|source| Error::File { path, source })
    }
}

/// Runs what is left of the operations.
pub(super) fn run<P: Runs<C>, C: LocalComputation>(
    backend: &C,
    options: &super::Options,
    folder: &Path,
    job: &Job,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let mut report = Report::new::<P>(options, job, backend);
    if !options.json {
        output.line(&report.heading())?;
    }
    let (progress, script) =
        (Progress::new("operations", job.script.operations.len() as u64), &job.script.operations);
    // What printing fails with goes past the parties.
    let mut failed = None;
    let mut answer = |place: usize, result: Option<Row>| {
        let (line, operation) = &script[place];
        progress.reach(place as u64 + 1);
        if options.json {
            report.add(*line, operation, result);
        } else {
            failed = progress.suspend(|| output.line(&described(*line, operation, result.as_deref()))).err();
        }
        failed.is_none()
    };
    let operations: Vec<_> = script.iter().map(|(_, operation)| operation.clone()).collect();
    let done = owner::run::<P, C>(
        Extent::from(&job.parameters),
        backend,
        &State { folder, key: &options.on_disk.key(folder)? },
        &job.budget,
        (job.memory.memory(), &operations),
        &mut answer,
    )?;
    drop(progress);
    failed.map_or(Ok(()), Err)?;
    let folder = folder.to_owned();
    if options.json {
        report.state = Some(StateReport::new(&folder, done));
        report.peak_rss_bytes = resources::peak_resident_bytes();
        output.json(&report)?;
    } else {
        output.line(&format!(
            "\nstate:     {}: {} steps found done, {} done now",
            folder.display(),
            done.found,
            done.done
        ))?;
    }
    Ok(Verdict::Held)
}
