//! `ci/fuzz` and `fuzz/planted/run`: what libFuzzer's logs say. A log is that of the last run of a target.

use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Regex;

use crate::error::{Error, Result, found};
use crate::{files, table};

/// A log, and the program that wrote it.
#[derive(clap::Args)]
pub(crate) struct Explain {
    log: PathBuf,
    program: PathBuf,
}

/// The targets that were run: rows of target, inputs replayed, findings, separated by tabs. Their logs lie beside the file.
#[derive(clap::Args)]
pub(crate) struct Summary {
    rows: PathBuf,
}

/// Prints what was found, and how to see it again.
pub(crate) fn explain(Explain { log, program }: &Explain) -> Result<()> {
    let log = files::read_lossy(log)?;
    print!("{}", files::lines(finding(&log)));
    let input = input(&log).unwrap_or("none");
    println!("input: {input}\nto reproduce: {} -malloc_limit_mb=32 {input}", program.display());
    Ok(())
}

/// Prints the closing table, and fails if there is a finding.
pub(crate) fn summary(Summary { rows: path }: &Summary) -> Result<()> {
    let ran = files::read(path)?;
    let (mut rows, mut findings) = (Vec::new(), 0);
    for line in ran.lines() {
        let [target, replayed, found_by_it] = line.split('\t').collect::<Vec<_>>()[..] else {
            return found(format!("{}: three columns wanted: {line}", path.display()));
        };
        findings += usize::from(found_by_it != "0");
        let log = files::read_lossy(path.with_file_name(format!("{target}.log")))?;
        let [edges, features, corpus] = progress(&log);
        let stat = |name| stat(&log, name).unwrap_or("-").to_string();
        let (executed, a_second) = (stat("number_of_executed_units"), stat("average_exec_per_sec"));
        let [target, replayed, found_by_it] = [target, replayed, found_by_it].map(String::from);
        rows.push([target, replayed, executed, a_second, edges, features, corpus, found_by_it]);
    }
    let count = rows.len();
    let heading = ["target", "replayed", "executions", "a second", "cov", "ft", "corpus", "findings"];
    print!("\n{}", table::markdown(heading, rows));
    println!(
        "cov and ft: edges, and edges with counts, that libFuzzer has seen; corpus: inputs that it keeps."
    );
    println!("ci/fuzz: {count} targets, {findings} findings");
    if findings == 0 { Ok(()) } else { Err(Error::Shown) }
}

/// The last report of a number that libFuzzer prints at its end.
fn stat<'a>(log: &'a str, name: &str) -> Option<&'a str> {
    let value = |line: &'a str| line.strip_prefix("stat::")?.strip_prefix(name)?.strip_prefix(':');
    log.lines().rev().find_map(value).map(str::trim)
}

/// Edges, features and the number of inputs that are kept.
fn progress(log: &str) -> [String; 3] {
    static PROGRESS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+)").expect("a pattern"));
    match PROGRESS.captures_iter(log).last() {
        Some(progress) => [1, 2, 3].map(|number| progress[number].to_string()),
        None => ["-"; 3].map(String::from),
    }
}

/// Where libFuzzer has put the input that it found.
fn input(log: &str) -> Option<&str> {
    log.lines().rev().find_map(|line| Some(line.split_once("Test unit written to ")?.1))
}

/// Each line that names a fault and the line after it, eight at most.
fn finding(log: &str) -> Vec<&str> {
    static FAULT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("panicked at|^==[0-9]+==ERROR|libFuzzer: (out-of-memory|timeout)|LeakSanitizer")
            .expect("a pattern")
    });
    let lines: Vec<&str> = log.lines().collect();
    let near = |at: usize| FAULT.is_match(lines[at]) || (at > 0 && FAULT.is_match(lines[at - 1]));
    let said = (0..lines.len()).filter(|&at| near(at)).map(|at| lines[at]);
    said.filter(|line| !line.contains("deadly signal")).take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "INFO: seed corpus: files: 3\n#2\tINITED cov: 7 ft: 8 corp: 2/9b\n#9\tNEW cov: 10 ft: 20 corp: 3/30b\n";
    const END: &str = "stat::number_of_executed_units: 1234\nstat::average_exec_per_sec:     56\n";
    const FOUND: &str = "thread panicked at src/a.rs:1:2:\nwords differ\nnote: more\n==7== ERROR: libFuzzer: deadly signal\n\
                         ==7==ERROR: libFuzzer: deadly signal\n    #0 0x1\nTest unit written to fuzz/artifacts/wire/crash-1\n";

    #[test]
    fn numbers_are_those_of_the_last_report() {
        let log = format!("{LOG}{END}");
        assert_eq!(progress(&log), ["10", "20", "3"]);
        assert_eq!(stat(&log, "number_of_executed_units"), Some("1234"));
        assert_eq!(stat(&log, "average_exec_per_sec"), Some("56"));
        assert_eq!((progress(""), stat("", "x")), (["-"; 3].map(String::from), None));
    }

    #[test]
    fn a_finding_is_quoted_with_its_input() {
        assert_eq!(finding(FOUND), ["thread panicked at src/a.rs:1:2:", "words differ", "    #0 0x1"]);
        assert_eq!(input(FOUND), Some("fuzz/artifacts/wire/crash-1"));
        assert!(finding(LOG).is_empty() && input(LOG).is_none());
    }

    #[test]
    fn a_finding_fails_and_none_passes() {
        let scratch = files::scratch().unwrap();
        let rows = scratch.path().join("rows.tsv");
        files::write(scratch.path().join("wire.log"), format!("{LOG}{END}")).unwrap();
        let on = |text: &str| {
            files::write(&rows, text).unwrap();
            summary(&Summary { rows: rows.clone() }).map_err(|error| error.to_string())
        };
        assert_eq!(on("wire\t3\t0\n"), Ok(()));
        assert_eq!(on("wire\t3\t1\n"), Err(String::new()));
        assert!(on("wire\t3\n").unwrap_err().contains("three columns wanted"));
    }
}
