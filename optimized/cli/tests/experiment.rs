//! `duoram experiment`: what is printed and written, and what is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn experiment(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duoram")).arg("experiment").args(arguments).output().unwrap()
}

fn succeed(arguments: &[&str]) -> String {
    let output = experiment(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn fail(arguments: &[&str]) -> String {
    let output = experiment(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

fn show(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn an_experiment_prints_tables_and_verdicts() {
    let text = succeed(&["e5", "--quick", "--operations", "1"]);
    for line in [
        "E5: READs over the standard network",
        "3P-lean, 1 read",
        "2^12",
        "Claims of the artifact's appendix",
        "C3  3P-lean",
        "What is real",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    assert!(!text.contains("E1:"), "{text}");
}

#[test]
fn csv_is_one_table_of_all_experiments() {
    let text = succeed(&["E5", "E2", "--quick", "--operations", "1", "--csv"]);
    let mut lines = text.lines();
    let names = lines.next().unwrap();
    assert!(names.starts_with("experiment,system,phase,kind,log_size"), "{names}");
    let rows: Vec<_> = lines.collect();
    assert!(rows.iter().all(|row| row.starts_with("E2,") || row.starts_with("E5,")), "{text}");
    assert!(rows[0].starts_with("E2,"), "in the catalogue's order");
}

#[test]
fn a_folder_gets_rows_plots_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    succeed(&["E3", "--quick", "--operations", "1", "--out", show(folder.path())]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    // 3 protocols and 2 kinds, each at 7 latencies, with 3 phases.
    let ours = read("E3.csv").lines().filter(|line| line.contains("P-")).count();
    assert_eq!(ours, 3 * 2 * 7 * 3);
    for name in ["E3-interleaved.svg", "E3-readwrite.svg"] {
        assert!(read(name).contains("ms one way"), "{name}");
        assert!(read("results.md").contains(name), "{name}");
    }
}

#[test]
fn rows_of_others_stand_beside_ours() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("theirs.csv");
    fs::write(&file, "experiment,system,kind,log_size,operations,seconds\nE5,PRAC,read,12,1,0.5\n").unwrap();
    let arguments =
        ["E5", "--quick", "--operations", "1", "--with", show(&file), "--out", show(folder.path())];
    let text = succeed(&arguments);
    assert!(
        text.lines().any(|line| line.contains("PRAC, 1 read")
            && line.contains("500.00 ms")
            && line.contains("quoted")),
        "{text}"
    );
    assert!(fs::read_to_string(folder.path().join("E5-read.svg")).unwrap().contains("PRAC"));
    fs::write(&file, "experiment,system,kind,log_size\nE5,PRAC,read\n").unwrap();
    assert!(fail(&arguments).contains("theirs.csv, line 2: expected 4 fields, got 3"));
    fs::write(&file, "experiment,system,kind,log_size\nE99,PRAC,read,3\n").unwrap();
    assert!(fail(&arguments).contains("got 'E99'"));
    fs::remove_file(&file).unwrap();
    assert!(fail(&arguments).contains("theirs.csv"));
}

#[test]
fn what_there_is_not_is_refused_and_named() {
    assert!(fail(&["E12"]).contains("expected basic, E1 to E11, slow or all, got 'E12'"));
    assert!(fail(&["E1", "--quick", "e0"]).contains("got 'e0'"));
    for arguments in [
        &[][..],
        &["E1", "--operations", "0"],
        &["E1", "--most-log-size", "41"],
        &["E1", "--gigabyte", "-1"],
        &["E1", "--real", "--headers"],
        &["advise"],
        &["advise", "--log-size", "20", "--latency", "30"],
        &["advise", "--log-size", "20", "--bandwidth", "0mbit"],
        &["advise", "--log-size", "20", "--reads", "2"],
    ] {
        assert!(fail(arguments).contains("error:"), "{arguments:?}");
    }
    assert!(fail(&["E5", "--quick", "--out", "/dev/null/nowhere"]).contains("/dev/null/nowhere"));
}

#[test]
fn advice_names_a_system_and_the_sizes_at_which_others_are_better() {
    let asked =
        ["advise", "--log-size", "22", "--latency", "30ms", "--bandwidth", "100mbit", "--reads", "0.9"];
    let text = succeed(&[&asked[..], &["--operations", "2", "--most-log-size", "10"]].concat());
    for line in
        ["3P-lean", "2P-DUORAM", "fastest at 2^22 with 90 % READs:", "fastest by size, by the model: 2^8"]
    {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    let online =
        |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().contains("extrapolated");
    assert!(online("3P-DUORAM") && online("3P-lean"), "2^22 was not run:\n{text}");
}
