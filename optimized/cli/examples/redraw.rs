//! Draws the plots of `optimized/cli/docs` anew from the data beside them. Nothing is measured: `ci/bench --redraw`.

use std::fs;
use std::path::Path;

use duoram::figures::{ELSEWHERE, SUMMARY, write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs"));
    let text = |name: &str| fs::read_to_string(docs.join(name));
    write(
        &serde_json::from_str(&text(SUMMARY)?)?,
        &serde_json::from_str::<Vec<_>>(&text(ELSEWHERE)?)?,
        docs,
    )?;
    Ok(())
}
