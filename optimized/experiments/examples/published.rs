//! What is real in the systems' numbers, and what others published of those that are rebuilt here, beside what these do on the same.
//!
//! ```text
//! cargo run --release -p duoram-experiments --example published
//! ```

use duoram_experiments::{Error, systems};

fn main() -> Result<(), Error> {
    for system in systems::all() {
        for line in systems::said(&*system)? {
            println!("{line}");
        }
    }
    Ok(())
}
