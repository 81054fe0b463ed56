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
        "What is real in these numbers, and how far they are from what was published",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    assert!(!text.contains("E1:"), "{text}");
}

/// "Each says in its output what is real, what is counted and what is quoted, with the deviation from the published line."
#[test]
fn a_comparator_says_what_is_real_and_how_far_it_is_from_what_was_published() {
    let text = succeed(&["E5", "--quick", "--operations", "1"]);
    let after = |start: &str, next: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(start) && line.contains(next));
        line.unwrap_or_else(|| panic!("no line {start} .. {next}:\n{text}")).to_owned()
    };
    for name in ["floram-cost", "circuit-oram-cost"] {
        let line = after(&format!("{name}: real: "), "; counted: ");
        assert!(line.contains("nothing is secure"), "{line}");
    }
    assert!(after("floram-cost, bytes", "3837.724609375 KiB published").contains("A.3.2): -44.5 %"));
    assert!(
        after("circuit-oram-cost, online bytes", "710.625 KiB here, 710.625 KiB published")
            .contains("): +0.0 %")
    );
    assert!(after("circuit-oram-cost, bytes", "4957 KiB here, 4957 KiB published").contains("): +0.0 %"));
    after("3P-DUORAM: real: ", "every frame");
    assert!(!text.contains("voram-hirb:"), "it is not in this experiment");
}

#[test]
#[cfg(unix)]
fn programs_of_others_take_turns_with_ours() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("theirs");
    let script = "echo experiment,system,kind,log_size,operations,cpu_seconds,honesty\n\
        while read kind; do echo computing,theirs,$kind,$2,$4,0.001,real; done\n";
    fs::write(&program, script).unwrap();
    let program = format!("sh {}", program.display());
    let out = folder.path().join("out");
    let asked = ["peers", "--program", &program, "--log-size", "4,5", "--rounds", "2"];
    let text = succeed(
        &[&asked[..], &["--operations", "10", "--own-operations", "1", "--out", show(&out)]].concat(),
    );
    for line in [
        "These solve different problems.",
        "2^4 words: CPU time an operation",
        "2^5 words: how many times the CPU time of a peer's read ours takes, median (least..most) of rounds",
        "theirs, write, total",
        "3P-DUORAM, update, online",
        "3P-lean, write, total",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    let theirs = text.lines().find(|line| line.contains("theirs, read, total")).unwrap();
    let words = theirs.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.ends_with("100.0 us 100.0 us..100.0 us 2"), "{words}");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("peers.csv").lines().count(), 1 + 2 * 2, "a size and a kind each");
    // Beside a read two rows of each of ours, beside a write four.
    assert_eq!(read("rounds.csv").lines().count(), 1 + 2 * 2 * ((1 + 4) + (1 + 8)));
    assert!(
        read("peers.md").contains("computing-read.svg")
            && read("computing-write.svg").contains("theirs, total")
    );
    // And beside what the experiment measures by itself.
    let medians = out.join("peers.csv");
    let with = ["computing", "--quick", "--operations", "1", "--with", show(&medians), "--out", show(&out)];
    let text = succeed(&with);
    assert!(text.lines().any(|line| line.contains("theirs, 10 read") && line.contains("100.0 us")), "{text}");
    let svg = read("computing-read.svg");
    for name in ["theirs, total", "3P-DUORAM, online", "us of CPU time an operation"] {
        assert!(svg.contains(name), "{name}");
    }
    // One that ends before its turns are over is left out, with the reason; if nothing is left, that is an error.
    let ending = folder.path().join("ending");
    fs::write(&ending, script.replace("while", "[ $2 != 5 ] || exit\nwhile")).unwrap();
    let ending = format!("sh {}", ending.display());
    let asked = ["peers", "--program", &ending, "--rounds", "1", "--own-operations", "1"];
    let text = succeed(&[&asked[..], &["--log-size", "4,5"]].concat());
    let reason = format!("left out at 2^5 words: {ending}: expected what a read took, got its end");
    assert!(
        text.contains(&reason) && text.contains("2^4 words") && !text.contains("2^5 words: CPU"),
        "{text}"
    );
    let wrong = fail(&[&asked[..], &["--log-size", "5"]].concat());
    assert!(wrong.contains("expected what a read took, got its end"), "{wrong}");
    let wrong = fail(&["peers", "--program", "/nowhere/theirs", "--log-size", "4"]);
    assert!(wrong.contains("/nowhere/theirs: expected a program that can be started"), "{wrong}");
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

/// The repository's own results are what the program writes of the rows in them: their page and their plots follow it.
#[test]
fn committed_results_are_those_of_the_committed_rows() {
    let committed = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments/results"));
    let folder = tempfile::tempdir().unwrap();
    let [from, out] = [committed, folder.path()].map(show);
    succeed(&["all", "--from", from, "--out", out]);
    let mut files = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name();
        let [ours, theirs] = [folder.path(), committed].map(|folder| {
            let file = folder.join(&name);
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        });
        let other = ours.lines().zip(theirs.lines()).find(|(one, other)| one != other);
        assert!(
            ours == theirs,
            "{name:?} is written otherwise, {other:?}: duoram experiment all --from optimized/experiments/results --out \
             optimized/experiments/results"
        );
        files += 1;
    }
    assert!(files > 30, "{files} files");
    let page = fs::read_to_string(folder.path().join("results.md")).unwrap();
    assert!(page.contains("left out: E11: 3P-lean, 128 read of 2^26 words: larger than 2^20"), "{page}");
    // One that has no rows there; and nothing is measured that could be measured otherwise.
    fs::remove_file(folder.path().join("E4.csv")).unwrap();
    assert!(fail(&["E4", "--from", out]).contains("E4.csv"));
    fail(&["all", "--from", from, "--quick"]);
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
    assert!(fail(&["E12"]).contains("expected basic, E1 to E11, slow, computing or all, got 'E12'"));
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
