//! What is real in the systems' numbers, and what others published of those that are rebuilt here, beside what these do on the same.
//!
//! ```text
//! cargo run --release -p duoram-experiments --example published
//! ```

use duoram_experiments::{Error, systems};

fn main() -> Result<(), Error> {
    for system in systems::all() {
        let honesty = system.honesty();
        println!("{}: {}", system.name(), honesty.word());
        for (what, said) in [("real", honesty.real), ("counted", honesty.counted), ("quoted", honesty.quoted)]
        {
            if !said.is_empty() {
                println!("    {what}: {said}");
            }
        }
    }
    for line in systems::published()? {
        println!("{line}");
    }
    Ok(())
}
