//! `duoram party`: one of the parties, as a process of its own.

use std::io::{self, IsTerminal, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use duoram_host::config::Config;
use duoram_host::process;
use tracing::level_filters::LevelFilter;

use super::Error;
use crate::Verdict;
use crate::job::Job;
use crate::output::Output;
use crate::workers::{Crew, Workers};

/// How long a party that is asked whether it is ready may think.
const PATIENCE: Duration = Duration::from_secs(3);

/// Which.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The party's settings, as `duoram deploy` writes them.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Keep the state in this folder, and not in that of the settings.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Say whether the settings and the files that they name can be used, and start nothing.
    #[arg(long, conflicts_with = "ready")]
    check_config: bool,
    /// Say whether the party that runs with these settings is ready, and start nothing.
    #[arg(long)]
    ready: bool,
    /// How much to say on standard error: as text on a terminal, else as one JSON object a line. Never a secret.
    #[arg(long, value_enum, default_value_t)]
    log: Level,
    #[command(flatten)]
    workers: Workers,
}

/// What is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Level {
    /// What ends the party.
    Error,
    /// What an operator may want to look into.
    Warn,
    /// Who comes and goes.
    #[default]
    Info,
    /// What is done.
    Debug,
    /// Everything.
    Trace,
}

impl std::fmt::Display for Level {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| formatter.write_str(value.get_name()))
    }
}

impl From<Level> for LevelFilter {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::ERROR,
            Level::Warn => Self::WARN,
            Level::Info => Self::INFO,
            Level::Debug => Self::DEBUG,
            Level::Trace => Self::TRACE,
        }
    }
}

/// Runs a party until it is told to stop.
///
/// # Errors
///
/// [`Error::Settings`], [`Error::Party`]; with `--ready`, [`Error::NotReady`].
pub fn party(options: &Options, output: &mut Output) -> Result<Verdict, crate::Error> {
    let mut config = Config::open(&options.config).map_err(Error::Settings)?;
    if let Some(folder) = &options.state {
        config.state.folder.clone_from(folder);
    }
    if options.ready {
        ready(config.http.listen)?;
        output.line(&format!("{}: ready", config.role))?;
    } else if options.check_config {
        process::check(&config).map_err(Error::Party)?;
        output.line(&format!("{}: {} can be used", options.config.display(), config.role))?;
    } else {
        log(options.log);
        if let Some(Job { rank, size, .. }) = Job::this() {
            // Whoever looks for a process that is gone, or has to stop one, finds it by this.
            tracing::info!(rank, size, process = std::process::id(), "a process of an MPI job");
            process::end_with_parent().map_err(Error::Party)?;
        }
        let fast = || process::computation(&config).map_err(|error| Error::Party(error).into());
        // Before there are workers: those of an MPI job stop when the party tells them to.
        let following = if Job::is_worker() { Some(process::follow().map_err(Error::Party)?) } else { None };
        let folders = || Ok(Some(process::range_folders(&config).map_err(Error::Party)?));
        match options.workers.crew_of(fast, folders)? {
            Crew::Alone => process::run(&config).map_err(Error::Party)?,
            Crew::Worker => {}
            // One of it stays here, so that workers end where they were started.
            Crew::Party(sharded) => process::run_divided(&config, sharded.clone()).map_err(Error::Party)?,
        }
        drop(following);
    }
    Ok(Verdict::Held)
}

fn log(level: Level) {
    let subscriber =
        tracing_subscriber::fmt().with_max_level(LevelFilter::from(level)).with_writer(io::stderr);
    if io::stderr().is_terminal() {
        subscriber.with_target(false).init();
    } else {
        subscriber.json().flatten_event(true).init();
    }
}

/// Asks a party whether it is ready.
fn ready(listen: SocketAddr) -> Result<(), Error> {
    let not = |got: String| Error::NotReady { listen, got };
    let ask = || {
        let mut stream = TcpStream::connect_timeout(&listen, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "GET /readyz HTTP/1.1\r\nHost: {listen}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.take(1 << 12).read_to_string(&mut answer)?;
        Ok::<_, io::Error>(answer)
    };
    let answer = ask().map_err(|error| not(error.to_string()))?;
    if answer.starts_with("HTTP/1.1 200 ") {
        return Ok(());
    }
    let text = answer.split_once("\r\n\r\n").map_or(answer.as_str(), |(_, body)| body);
    Err(not(text.trim().escape_debug().take(400).collect()))
}
