//! Plots are read back, as a person reads them (`duoram_plots::read`), and what is read must be the rows: a wrong axis, a line that is
//! lost and two names that are swapped are found, in what is drawn now and in what is committed.

mod reader;

use std::fs;
use std::path::Path;

use duoram_experiments::catalogue::EXPERIMENTS;
use duoram_experiments::plot::plots;
use duoram_experiments::row::{Row, from_csv};
use reader::check;

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results");

/// What writes them anew.
const REDRAW: &str =
    "duoram experiment all --from optimized/experiments/results --out optimized/experiments/results";

fn rows(experiment: &str) -> Vec<Row> {
    let csv = fs::read_to_string(Path::new(RESULTS).join(experiment).with_extension("csv")).unwrap();
    from_csv(&csv).unwrap()
}

/// Each committed plot: its name, its text, and the rows that it is of.
fn committed() -> Vec<(String, String, Vec<Row>)> {
    let mut plots = Vec::new();
    for entry in fs::read_dir(RESULTS).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "svg") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let rows = rows(name.split('-').next().unwrap());
        plots.push((name, fs::read_to_string(&path).unwrap(), rows));
    }
    assert!(plots.len() >= 19, "the paper's experiments have more plots than {}", plots.len());
    plots
}

#[test]
fn committed_plots_say_what_the_rows_beside_them_say() {
    for (name, svg, rows) in committed() {
        check(&name, &svg, &rows).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    }
}

#[test]
fn committed_plots_are_what_is_drawn_of_the_rows_beside_them() {
    let mut committed = committed();
    for experiment in &EXPERIMENTS {
        let csv = Path::new(RESULTS).join(experiment.name).with_extension("csv");
        if !csv.exists() {
            continue;
        }
        let rows = rows(experiment.name);
        for plot in plots(experiment, &rows, &rows[0].cpu) {
            let place = committed.iter().position(|(name, ..)| *name == plot.name);
            let (name, svg, _) =
                committed.swap_remove(place.unwrap_or_else(|| panic!("{} is missing", plot.name)));
            assert!(plot.svg() == svg, "{name} is drawn otherwise: {REDRAW}");
        }
    }
    let left: Vec<_> = committed.iter().map(|(name, ..)| name).collect();
    assert!(left.is_empty(), "no rows are drawn as {left:?}");
}

/// A plot that has been tampered with, and what the reader says of it.
fn tampered(name: &str, tamper: impl FnOnce(&str) -> String) -> String {
    let (_, svg, rows) = committed().into_iter().find(|(other, ..)| other == name).unwrap();
    let tampered = tamper(&svg);
    assert!(tampered != svg, "{name}: nothing was changed");
    check(name, &tampered, &rows).unwrap_err()
}

/// Two texts of a plot, each where the other was.
fn swapped(svg: &str, one: &str, other: &str) -> String {
    let words = |text: &str| format!(">{text}</text>");
    let svg = svg.replace(&words(one), ">?<").replace(&words(other), &words(one));
    svg.replace(">?<", &words(other))
}

#[test]
fn names_that_are_swapped_are_found() {
    let wrong = tampered("E5-read", |svg| swapped(svg, "3P-DUORAM, total", "floram-cost, total"));
    assert!(wrong.contains("3P-DUORAM, total: no place at 16, "), "{wrong}");
    let wrong = tampered("E5-read", |svg| swapped(svg, "3P-DUORAM, total", "3P-DUORAM, online"));
    assert!(wrong.contains("3P-DUORAM, online: expected Part, got Whole"), "{wrong}");
}

#[test]
fn a_line_that_is_lost_is_found() {
    let without = |svg: &str, part: &str| {
        svg.lines().filter(|line| !line.contains(part)).collect::<Vec<_>>().join("\n")
    };
    let wrong = tampered("E7-read", |svg| without(svg, "<path class=\"filled c1\""));
    assert!(wrong.contains("3P-lean, ") && wrong.contains("no mark is before its name"), "{wrong}");
    let wrong = tampered("E7-read", |svg| without(svg, ">3P-lean, total<"));
    assert!(wrong.contains("marks, of which"), "{wrong}");
    // A whole system, and all that is drawn of it.
    let wrong = tampered("E7-read", |svg| {
        let svg = without(&without(svg, ">3P-lean, "), "filled c1\"");
        without(&without(&svg, "open c1\""), "to c1\"")
    });
    assert!(wrong.contains("no line is named 3P-lean, online"), "{wrong}");
}

#[test]
fn an_axis_that_is_wrong_is_found() {
    let wrong = tampered("E3-readwrite", |svg| svg.replace(">ms one way, ", ">Mbit/s, "));
    assert!(wrong.contains("across: expected ms one way, got Mbit/s"), "{wrong}");
    let wrong = tampered("E4-read", |svg| svg.replace(">KiB a party, ", ">seconds, "));
    assert!(wrong.contains("upwards: expected KiB a party, got seconds"), "{wrong}");
    let wrong = tampered("E1-readwrite", |svg| swapped(svg, "18", "22"));
    assert!(wrong.contains("across: the number 22 is at "), "{wrong}");
    let wrong = tampered("E1-readwrite", |svg| swapped(svg, "100", "200"));
    assert!(wrong.contains("upwards: the number "), "{wrong}");
    let wrong = tampered("E11-read-2-16", |svg| svg.replace("party, logarithmic axis", "party, axis"));
    assert!(wrong.contains("across: the number 2 is at "), "{wrong}");
    let wrong = tampered("E11-read-2-16", |svg| svg.replace(", model ", ", "));
    assert!(wrong.contains("the CPU is not named"), "{wrong}");
}

#[test]
fn a_point_that_was_not_measured_and_looks_so_is_found() {
    let wrong =
        tampered("E5-read", |svg| svg.replace("\"open c0\"", "\"filled c0\"").replace("c0 dashed\"", "c0\""));
    assert!(wrong.contains("looks measured, and is extrapolated"), "{wrong}");
}

/// The same row is looked for by the words of an experiment of each axis and each quantity.
#[test]
fn rows_that_are_changed_are_not_those_of_the_plot() {
    for (name, change) in [
        ("E1-interleaved", (|row| row.seconds *= 2.0) as fn(&mut Row)),
        ("E2-interleaved", |row| row.mbit_per_s += 5.0),
        ("E3-interleaved", |row| row.delay_ms += 5.0),
        ("E7-read", |row| row.bytes_a_party *= 2.0),
        ("E11-read-2-20", |row| row.cores += 1),
        ("computing-write", |row| row.cpu_seconds *= 2.0),
    ] {
        let (_, svg, mut rows) = committed().into_iter().find(|(other, ..)| other == name).unwrap();
        rows.iter_mut().filter(|row| row.system == "3P-lean").for_each(change);
        let wrong = check(name, &svg, &rows).unwrap_err();
        assert!(wrong.starts_with("3P-lean, "), "{name}: {wrong}");
    }
}
