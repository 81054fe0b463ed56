//! Writes a trace as the TLA+ module `TraceData`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use duoram_trace::{Error, Trace, tla};

/// Turns a trace of `duoram run --trace` into the TLA+ module TraceData, for the model in proofs/tla.
#[derive(Parser)]
#[command(name = "duoram-trace", version)]
struct Arguments {
    /// The trace.
    file: PathBuf,
    /// Write DIR/TraceData.tla instead of standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let module = tla::module(&Trace::open(&arguments.file)?);
    match &arguments.out {
        Some(folder) => {
            let path = folder.join("TraceData.tla");
            std::fs::write(&path, module).map_err(|source| Error::File { path, source })
        }
        None => duoram_trace::print(&module),
    }
}

fn main() -> ExitCode {
    duoram_trace::report(run(&Arguments::parse()))
}
