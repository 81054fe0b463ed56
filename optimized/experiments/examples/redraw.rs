//! Draws the plots of a folder anew, from the CSV files that `duoram experiment --out` wrote there. Nothing is run.
//!
//! ```text
//! cargo run --release -p duoram-experiments --example redraw -- optimized/experiments/results
//! ```

use std::path::PathBuf;
use std::{env, fs};

use duoram_experiments::catalogue::EXPERIMENTS;
use duoram_experiments::plot::plots;
use duoram_experiments::row::from_csv;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("expected a folder, got nothing")?);
    for experiment in &EXPERIMENTS {
        let file = folder.join(experiment.name).with_extension("csv");
        if !file.exists() {
            continue;
        }
        let rows = from_csv(&fs::read_to_string(&file)?)?;
        let cpu = rows.first().map_or("an unknown CPU", |row| &row.cpu);
        for plot in plots(experiment, &rows, cpu) {
            fs::write(folder.join(&plot.name).with_extension("svg"), plot.svg()?)?;
            println!("{}", plot.name);
        }
    }
    Ok(())
}
