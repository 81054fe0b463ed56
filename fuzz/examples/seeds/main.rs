//! Writes seed corpora, from the specification's test vectors and the bundled samples, to `corpus/TARGET/`; and with
//! `--by-hand` the inputs of `by_hand.rs` to `regressions/TARGET/`.
//!
//! Usage: `cargo run --example seeds [-- --by-hand]`, in `fuzz/`.

mod by_hand;
mod encode;
mod vectors;

use std::error::Error;
use std::fs;
use std::path::Path;

/// An input of a target: target, name, bytes.
pub(crate) type Seed = (&'static str, String, Vec<u8>);

fn main() -> Result<(), Box<dyn Error>> {
    let by_hand = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [option] if option == "--by-hand" => true,
        other => return Err(format!("expected nothing or --by-hand, got {other:?}").into()),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (folder, seeds) = if by_hand {
        ("regressions", by_hand::all())
    } else {
        ("corpus", vectors::all(&root.join("../spec/vectors"), &root.join("../optimized/cli/samples"))?)
    };
    for (target, name, bytes) in &seeds {
        let folder = root.join(folder).join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)?;
    }
    println!("{} inputs in fuzz/{folder}", seeds.len());
    Ok(())
}
