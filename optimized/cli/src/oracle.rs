//! `duoram oracle`: the specification answers questions.

use std::io::{self, BufWriter};

use super::Verdict;
use crate::Error;
use duoram_conformance::oracle;

/// Answers questions about every step with the specification, as JSON lines
///
/// One request a line on standard input, one answer a line on standard output:
///
/// {"id": 1, "request": "prg", "input": {"session_key": "...", "label": "..."}}
/// {"id": 1, "output": {"left": "...", "right": "..."}}
///
/// Requests: prg, gen, eval, evalfull, distributed_generation, conversion, read, update, write, randomness, session; of the
/// lean protocol lean_layers, lean_one_hot, lean_delta, lean_load, lean_read, lean_update, lean_write, lean_session; of two
/// parties two_party_read, two_party_triple, two_party_masks, two_party_update, two_party_write, two_party_session. Fields
/// and encodings are those of the test vectors (`duoram vectors`); optimized/conformance/README.md lists them. A line that
/// is no request, or does not fit, gets {"id": ..., "error": {"field": ..., "expected": ..., "got": ...}}, and the next one is served. The exit code
/// is 0 at the end of the input, whatever was asked.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Options {}

/// Runs it until the input ends.
///
/// # Errors
///
/// Standard input or output broke.
pub fn oracle(_: &Options) -> Result<Verdict, Error> {
    oracle::serve(io::stdin().lock(), BufWriter::new(io::stdout().lock()))?;
    Ok(Verdict::Held)
}
