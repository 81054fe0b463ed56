//! `ci/coverage`: the summary of cargo-llvm-cov as a table of folders, and the files of which too little is run.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use crate::error::{Error, Result, found};
use crate::table;

/// The layers, in the order of the table.
const LAYERS: [&str; 3] = ["spec", "reference", "optimized"];

/// Reads the report from standard input.
pub(crate) fn run() -> Result<()> {
    let mut report = String::new();
    std::io::stdin().read_to_string(&mut report).map_err(Error::file(Path::new("-")))?;
    print!("{}", summary(&report)?);
    Ok(())
}

/// Lines, and those that no test runs.
#[derive(Clone, Copy, Default)]
struct Lines {
    all: usize,
    missed: usize,
}

impl Lines {
    fn run(self) -> usize {
        self.all.saturating_sub(self.missed)
    }
}

fn summary(report: &str) -> Result<String> {
    let mut layers: BTreeMap<&str, Lines> = BTreeMap::new();
    let mut below = Vec::new();
    for line in report.lines() {
        // Columns 8 to 10 are lines, lines missed, and the share of those run.
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [file, _, _, _, _, _, _, all, missed, ..] = columns[..] else { continue };
        if Path::new(file).extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let (Ok(all), Ok(missed)) = (all.parse(), missed.parse()) else { continue };
        let lines = Lines { all, missed };
        let layer = layers.entry(file.split('/').next().unwrap_or_default()).or_default();
        layer.all += all;
        layer.missed += missed;
        if 10 * missed > all {
            below.push(format!("  {file}: {} of {all} lines\n", lines.run()));
        }
    }
    let mut rows = Vec::new();
    for name in LAYERS {
        let Some(&lines) = layers.get(name).filter(|lines| lines.all > 0) else {
            return found(format!("the report has no lines of {name}"));
        };
        let tenths = 1000 * lines.run() / lines.all;
        let share = format!("{}.{} %", tenths / 10, tenths % 10);
        rows.push([name.to_string(), lines.all.to_string(), lines.run().to_string(), share]);
    }
    let below = if below.is_empty() { "  none\n".to_string() } else { below.concat() };
    Ok(format!("{}below 90 %:\n{below}", table::markdown(["crate", "lines", "run", ""], rows)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str =
        "Filename Regions Missed Cover Functions Missed Executed Lines Missed Cover Branches Missed Cover
spec/src/core/aes.rs 10 0 100.00% 3 0 100.00% 40 2 95.00% 0 0 -
spec/src/core/prg.rs 10 0 100.00% 3 0 100.00% 10 2 80.00% 0 0 -
reference/src/lib.rs 10 0 100.00% 3 0 100.00% 10 1 90.00% 0 0 -
optimized/kernel/src/lib.rs 10 0 100.00% 3 0 100.00% 3 0 100.00% 0 0 -
TOTAL 1 1 1 1 1 1 60 5 1
";

    #[test]
    fn lines_are_summed_by_folder_and_what_is_below_is_named() {
        let table = summary(REPORT).unwrap();
        assert!(table.contains(
            "| spec | 50 | 46 | 92.0 % |\n| reference | 10 | 9 | 90.0 % |\n| optimized | 3 | 3 | 100.0 % |\n"
        ));
        assert!(table.ends_with("below 90 %:\n  spec/src/core/prg.rs: 8 of 10 lines\n"), "{table}");
    }

    #[test]
    fn a_report_without_a_layer_is_refused() {
        let report = REPORT.replace("reference/", "other/");
        assert_eq!(summary(&report).unwrap_err().to_string(), "the report has no lines of reference");
        assert!(summary("").is_err());
    }
}
