//! Plots are read back, as a person reads them: what each dot says by the axes, and whose it is by its colour and the name in that
//! colour. What is read must be the rows. So a wrong axis, a line that is lost and two labels that are swapped are found, in what is
//! drawn now and in what is committed.

mod reader;

use std::fs;
use std::path::Path;

use duoram_experiments::catalogue::named;
use duoram_experiments::plot::plots;
use duoram_experiments::row::{Row, from_csv};
use reader::check;

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results");

/// Each committed plot: its name, its text, and the rows that it is of.
fn committed() -> Vec<(String, String, Vec<Row>)> {
    let mut plots = Vec::new();
    for entry in fs::read_dir(RESULTS).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "svg") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let experiment = name.split('-').next().unwrap();
        let csv = fs::read_to_string(Path::new(RESULTS).join(experiment).with_extension("csv")).unwrap();
        plots.push((name, fs::read_to_string(&path).unwrap(), from_csv(&csv).unwrap()));
    }
    assert!(plots.len() >= 20, "the paper's experiments have more plots than {}", plots.len());
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
    for (name, svg, rows) in committed() {
        let experiment = named(name.split('-').next().unwrap()).unwrap();
        let plots = plots(experiment, &rows, &rows[0].cpu);
        let plot =
            plots.iter().find(|plot| plot.name == name).unwrap_or_else(|| panic!("{name} is not drawn"));
        assert!(plot.svg().unwrap() == svg, "{name} is drawn otherwise: run the example `redraw`");
    }
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
    let line = |text: &str| format!("\n{text}\n");
    let svg = svg.replace(&line(one), "\n?\n").replace(&line(other), &line(one));
    svg.replace("\n?\n", &line(other))
}

#[test]
fn labels_that_are_swapped_are_found() {
    let wrong = tampered("E5-read", |svg| swapped(svg, "3P-DUORAM, total", "floram-cost, total"));
    assert!(wrong.contains("3P-DUORAM, total: no dot where 2^16"), "{wrong}");
    let wrong = tampered("E5-read", |svg| swapped(svg, "3P-DUORAM, total", "3P-DUORAM, online"));
    assert!(wrong.contains("its name is where another line ends"), "{wrong}");
}

#[test]
fn a_line_that_is_lost_is_found() {
    let wrong = tampered("E7-read", |svg| {
        let is_of = |line: &&str| !(line.starts_with("<circle") && line.contains("#D55E00"));
        svg.lines().filter(is_of).collect::<Vec<_>>().join("\n")
    });
    assert!(wrong.contains("3P-lean, ") && wrong.contains("no dot where"), "{wrong}");
    let wrong = tampered("E7-read", |svg| svg.replace("\n3P-lean, total\n", "\n\n"));
    assert!(wrong.contains("no line is named 3P-lean, total"), "{wrong}");
}

#[test]
fn a_line_too_many_is_found() {
    let wrong = tampered("E7-read", |svg| {
        svg.replace("</svg>", "<circle cx=\"200\" cy=\"200\" r=\"2\" opacity=\"1\" fill=\"#D55E00\" stroke=\"none\" stroke-width=\"2\"/>\n</svg>")
    });
    assert!(wrong.contains("3P-lean, total: a dot that no row has"), "{wrong}");
}

#[test]
fn an_axis_that_is_wrong_is_found() {
    let wrong = tampered("E3-readwrite", |svg| svg.replace("\nms one way\n", "\nMbit/s\n"));
    assert!(wrong.contains("across: expected ms one way, got Mbit/s"), "{wrong}");
    let wrong = tampered("E4-read", |svg| svg.replace("\nKiB a party\n", "\nseconds\n"));
    assert!(wrong.contains("upwards: expected KiB a party, got seconds"), "{wrong}");
    // Ticks that are not where their numbers are, and numbers that no tick is at.
    let wrong = tampered("E1-readwrite", |svg| swapped(svg, "18", "20"));
    assert!(wrong.contains("across: the tick 20 is at 186, expected at 296"), "{wrong}");
    let wrong = tampered("E4-read", |svg| swapped(svg, "100", "1000"));
    assert!(wrong.contains("upwards: the tick 1"), "{wrong}");
    let moved = |svg: &str| {
        [("16", "17"), ("18", "19"), ("20", "21"), ("22", "23"), ("24", "25"), ("26", "27")]
            .into_iter()
            .fold(svg.to_owned(), |svg, (old, new)| svg.replace(&format!("\n{old}\n"), &format!("\n{new}\n")))
    };
    let wrong = tampered("E1-readwrite", moved);
    assert!(wrong.contains("no dot where 2^16"), "all ticks by one: {wrong}");
}

#[test]
fn a_point_that_was_not_measured_and_looks_so_is_found() {
    let wrong = tampered("E5-read", |svg| {
        svg.replace(
            "fill=\"none\" stroke=\"#0072B2\" stroke-width=\"2\"/>",
            "fill=\"#0072B2\" stroke=\"none\" stroke-width=\"2\"/>",
        )
    });
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
    ] {
        let (_, svg, mut rows) = committed().into_iter().find(|(other, ..)| other == name).unwrap();
        rows.iter_mut().filter(|row| row.system == "3P-lean").for_each(change);
        let wrong = check(name, &svg, &rows).unwrap_err();
        assert!(wrong.starts_with("3P-lean, "), "{name}: {wrong}");
    }
}
