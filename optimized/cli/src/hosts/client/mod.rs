//! `duoram client`: an owner of words on two or three hosts.

mod report;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use duoram_client::Config;
use duoram_client::blocking::{self, Memory};
use duoram_reference::Word;
use duoram_runtime::input::memory_file::{MemoryFile, Rest};
use duoram_runtime::input::script::{Script, signed, unsigned};
use duoram_runtime::operation::Operation;

use self::report::{Report, StatusReport};
use super::Error;
use crate::Verdict;
use crate::output::Output;
use crate::progress::Progress;

/// Whose memory, and what.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The client's settings, as `duoram deploy` writes them.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Print one JSON object; words are strings of hexadecimal digits.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

/// Numbers are decimal or 0x hexadecimal; DELTA and VALUE may be negative (two's complement). Where an address holds a row of words, they are
/// as many numbers.
#[derive(Debug, Subcommand)]
enum Command {
    /// Loads a memory: 64-bit little-endian words, rows one behind the other; what is missing is 0.
    Load {
        /// The words.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Opens D[I].
    Read {
        #[arg(value_name = "I", value_parser = number)]
        address: Word,
    },
    /// D[I] <- D[I] + DELTA, or D[I] xor DELTA in the lean protocol.
    Update {
        #[arg(value_name = "I", value_parser = number)]
        address: Word,
        #[arg(value_name = "DELTA", value_parser = signed_number, allow_negative_numbers = true, required = true)]
        delta: Vec<Word>,
    },
    /// D[I] <- VALUE.
    Write {
        #[arg(value_name = "I", value_parser = number)]
        address: Word,
        #[arg(value_name = "VALUE", value_parser = signed_number, allow_negative_numbers = true, required = true)]
        value: Vec<Word>,
    },
    /// D[I] <- VALUE, and opens what D[I] was.
    Swap {
        #[arg(value_name = "I", value_parser = number)]
        address: Word,
        #[arg(value_name = "VALUE", value_parser = signed_number, allow_negative_numbers = true, required = true)]
        value: Vec<Word>,
    },
    /// a <- I; STEPS times: a <- D[a mod n]; opens the last a, and nothing in between. Of a row, a is the first word, and all of the last are
    /// opened.
    Chase {
        #[arg(value_name = "I", value_parser = number)]
        address: Word,
        #[arg(value_name = "STEPS", value_parser = clap::value_parser!(u32).range(1..=4096))]
        steps: u32,
    },
    /// Performs the operations of a script, as `duoram run --ops` does.
    Run {
        /// The script; from standard input if it is -.
        #[arg(value_name = "OPS")]
        script: PathBuf,
    },
    /// Asks all parties how they are.
    Status,
}

fn number(text: &str) -> Result<Word, String> {
    unsigned(text).ok_or_else(|| "expected a number, decimal or 0x hexadecimal".to_owned())
}

fn signed_number(text: &str) -> Result<Word, String> {
    signed(text)
        .ok_or_else(|| "expected a 64-bit number, decimal or 0x hexadecimal, perhaps negative".to_owned())
}

/// Does it.
///
/// # Errors
///
/// [`Error::Settings`], [`Error::Client`], those of a memory's file or a script, [`crate::Error::Output`].
pub fn client(options: &Options, output: &mut Output) -> Result<Verdict, crate::Error> {
    let config = Config::open(&options.config).map_err(Error::Settings)?;
    let size = config.addresses();
    let operation = match &options.command {
        Command::Load { file } => return load(options, &config, file, output),
        Command::Status => return status(options, &config, output),
        Command::Run { script } => {
            let script = Script::open(script, size, config.row_words)?;
            return perform(options, &config, &script.operations, output);
        }
        &Command::Read { address } => Operation::Read { address },
        Command::Update { address, delta } => Operation::Update { address: *address, delta: delta.clone() },
        Command::Write { address, value } => Operation::Write { address: *address, value: value.clone() },
        Command::Swap { address, value } => Operation::Swap { address: *address, value: value.clone() },
        &Command::Chase { address, steps } => Operation::Chase { address, steps: steps as usize },
    };
    // Before anybody is called.
    match operation.row().map(<[Word]>::len) {
        Some(got) if got != config.row_words => {
            let expected = config.row_words;
            Err(Error::Client(duoram_client::Error::Row { expected, got }).into())
        }
        _ => perform(options, &config, &[(1, operation)], output),
    }
}

/// Performs operations in turn.
fn perform(
    options: &Options,
    config: &Config,
    operations: &[(usize, Operation)],
    output: &mut Output,
) -> Result<Verdict, crate::Error> {
    let memory = Memory::open(config).map_err(Error::Client)?;
    let mut report = Report::new(config);
    let progress = Progress::new("operations", operations.len() as u64);
    for (done, (line, operation)) in (1..).zip(operations) {
        let address = operation.address();
        let result = match operation {
            Operation::Read { .. } => memory.read_rows(&[address]).map(|mut rows| rows.pop()),
            Operation::Update { delta, .. } => memory.update_rows(&[(address, delta)]).map(|()| None),
            Operation::Write { value, .. } => memory.write_row(address, value).map(|()| None),
            Operation::Swap { value, .. } => memory.swap_row(address, value).map(Some),
            Operation::Chase { steps, .. } => memory.chase_row(address, *steps as u64).map(Some),
        };
        let result = result.map_err(Error::Client)?;
        progress.reach(done);
        if options.json {
            report.add(*line, operation, result);
        } else {
            progress.suspend(|| output.line(&crate::run::described(*line, operation, result.as_deref())))?;
        }
    }
    drop(progress);
    if options.json {
        output.json(&report)?;
    }
    Ok(Verdict::Held)
}

fn load(
    options: &Options,
    config: &Config,
    file: &Path,
    output: &mut Output,
) -> Result<Verdict, crate::Error> {
    let (most, row_words) = (config.addresses(), config.row_words);
    let file = MemoryFile::open(file, (row_words, Rest::Nothing), |rows| {
        if rows <= most {
            return Ok::<(), crate::Error>(());
        }
        let size = row_words as u64 * most;
        Err(Error::Client(duoram_client::Error::Words { size }).into())
    })?;
    let memory = Memory::open(config).map_err(Error::Client)?;
    memory.load(file.words().iter().copied()).map_err(Error::Client)?;
    if options.json {
        output.json(&Report::loaded(config, file.words().len()))?;
    } else {
        output.line(&format!(
            "load {}  ->  {} words, {} in all",
            file.name,
            file.words().len(),
            memory.len() * row_words as u64
        ))?;
    }
    Ok(Verdict::Held)
}

/// A party that is not there is said to be so, and is no error: the question was how it is.
fn status(options: &Options, config: &Config, output: &mut Output) -> Result<Verdict, crate::Error> {
    let statuses = blocking::status(config).map_err(Error::Client)?;
    let reports: Vec<_> =
        statuses.into_iter().map(|(role, status)| StatusReport::new(role, status)).collect();
    if options.json {
        output.json(&reports)?;
    } else {
        for report in reports {
            output.line(&report.to_string())?;
        }
    }
    Ok(Verdict::Held)
}
