//! `duoram keygen`: a key for a party or a client.

use std::path::PathBuf;

use duoram_link::Identity;

use super::Error;
use crate::Verdict;
use crate::output::Output;

/// Where.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The new file. One that is there is not overwritten.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Draws a key, and prints what others know it by.
///
/// # Errors
///
/// [`Error::Identity`], [`crate::Error::Output`].
pub fn keygen(options: &Options, output: &mut Output) -> Result<Verdict, crate::Error> {
    let identity = Identity::create(&options.out).map_err(Error::Identity)?;
    output.line(&identity.pin().to_string())?;
    Ok(Verdict::Held)
}
