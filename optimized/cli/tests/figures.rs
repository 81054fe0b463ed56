//! The plots of `ci/bench` that are committed say what the data beside them say, and are what is drawn of them.

use std::fs;
use std::path::Path;

use duoram::figures::{ELSEWHERE, Elsewhere, Row, SUMMARY, Summary, plots};
use duoram_plots::read::{ColumnRead, Drawing, read};
use duoram_plots::{Place, Shows};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
const OF_THE_KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/README.md");

fn text(name: &str) -> String {
    fs::read_to_string(Path::new(DOCS).join(name)).unwrap()
}

fn data() -> (Summary, Vec<Elsewhere>) {
    (serde_json::from_str(&text(SUMMARY)).unwrap(), serde_json::from_str(&text(ELSEWHERE)).unwrap())
}

/// Whether a line of this name shows these points.
fn shows(column: &ColumnRead, name: &str, shows: Shows, points: &[(u32, f64)]) -> Result<(), String> {
    let line =
        column.lines.iter().find(|line| line.name == name).ok_or(format!("no line is named {name}"))?;
    let is_near = |place: &Place, (log_size, y): (u32, f64)| {
        (place.x - f64::from(log_size)).abs() < 0.05 && (place.y / y - 1.0).abs() < 0.005
    };
    let fits = line.places.iter().zip(points).all(|(place, point)| is_near(place, *point));
    if line.shows == shows && line.places.len() == points.len() && fits {
        Ok(())
    } else {
        Err(format!("{name}: expected {shows:?} at {points:?}, got {line:?}"))
    }
}

fn check_evaluation(drawing: &Drawing, summary: &Summary, elsewhere: &[Elsewhere]) -> Result<(), String> {
    let [here, there] = drawing.columns.as_slice() else { return Err("expected two CPUs".to_owned()) };
    if (here.heading.as_str(), there.heading.as_str()) != (summary.cpu.as_str(), elsewhere[0].cpu.as_str()) {
        return Err(format!("the CPUs are {} and {}", here.heading, there.heading));
    }
    let said = |ns: f64, log_size: u32| {
        let ns = if ns < 100.0 { format!("{ns:.1}") } else { format!("{ns:.0}") };
        let words = format!("{ns} ns at 2^{log_size}");
        if drawing.notes.contains(&words) { Ok(()) } else { Err(format!("not said: {words}")) }
    };
    for backend in &summary.backends {
        let name = backend.backend.as_str();
        let of = |value: fn(&Row) -> f64| -> Vec<(u32, f64)> {
            backend.rows.iter().map(|row| (row.log_size, value(row))).collect()
        };
        if name == "portable" {
            backend.rows.iter().try_for_each(|row| said(row.ns_per_leaf, row.log_size))?;
            continue;
        }
        shows(here, name, Shows::Whole, &of(|row| row.ns_per_leaf))?;
        let limit = of(|row| row.ns_per_leaf * row.aes_limit_fraction);
        shows(here, &format!("{name}: AES limit"), Shows::Limit, &limit)?;
    }
    for other in &elsewhere[0].evaluations {
        let limit = [(other.log_size, other.ns_per_leaf * other.aes_limit_fraction)];
        shows(there, &other.backend, Shows::Whole, &[(other.log_size, other.ns_per_leaf)])?;
        shows(there, &format!("{}: AES limit", other.backend), Shows::Limit, &limit)?;
    }
    summary.fss_rs.iter().try_for_each(|row| said(row.ns_per_leaf, row.log_size))?;
    said(elsewhere[0].fss_rs.1, elsewhere[0].fss_rs.0)
}

fn check_online(drawing: &Drawing, summary: &Summary) -> Result<(), String> {
    let [column] = drawing.columns.as_slice() else { return Err("expected one CPU".to_owned()) };
    if !drawing.notes.starts_with(&format!("on {} ", summary.cpu)) {
        return Err(format!("the CPU is not named: {}", drawing.notes));
    }
    let n = |row: &Row| f64::from(1_u32 << row.log_size);
    let of = |value: &dyn Fn(&Row) -> f64| -> Vec<(u32, f64)> {
        summary.backends[0].rows.iter().map(|row| (row.log_size, value(row))).collect()
    };
    shows(column, "READ", Shows::Whole, &of(&|row| 1e6 * row.read_ms / n(row)))?;
    shows(column, "UPDATE", Shows::Whole, &of(&|row| 1e6 * row.update_ms / n(row)))?;
    shows(column, "memory limit of READ", Shows::Limit, &of(&|row| 1e6 * row.memory_limit_ms / n(row)))?;
    // Two trees, each with an inner node less than leaves, and two calls a node.
    let calls = |row: &Row| 2.0 * 2.0 * (n(row) - 1.0) / n(row);
    shows(column, "AES limit of both", Shows::Limit, &of(&|row| calls(row) * row.aes_limit_ns_per_call))
}

#[test]
fn committed_plots_say_what_the_data_beside_them_say() {
    let (summary, elsewhere) = data();
    check_evaluation(&read(&text("full_evaluation.svg")).unwrap(), &summary, &elsewhere).unwrap();
    check_online(&read(&text("online.svg")).unwrap(), &summary).unwrap();
}

#[test]
fn committed_plots_are_what_is_drawn() {
    let (summary, elsewhere) = data();
    for plot in plots(&summary, &elsewhere) {
        assert!(plot.svg() == text(&format!("{}.svg", plot.name)), "{}: ci/bench --redraw", plot.name);
    }
}

#[test]
fn a_limit_is_below_what_it_bounds() {
    for name in ["full_evaluation.svg", "online.svg"] {
        for column in read(&text(name)).unwrap().columns {
            for limit in column.lines.iter().filter(|line| line.shows == Shows::Limit) {
                let bounded = limit.name.strip_suffix(": AES limit").unwrap_or("READ");
                let bounded = column.lines.iter().find(|line| line.name == bounded).unwrap();
                let pairs = limit.places.iter().zip(&bounded.places);
                assert!(pairs.clone().all(|(limit, done)| limit.y < done.y), "{name}: {}", limit.name);
            }
        }
    }
}

#[test]
fn data_that_are_changed_are_not_those_of_the_plots() {
    let (summary, elsewhere) = data();
    let evaluation = read(&text("full_evaluation.svg")).unwrap();
    let online = read(&text("online.svg")).unwrap();
    let wrong = |change: fn(&mut Summary, &mut Vec<Elsewhere>)| {
        let (mut summary, mut elsewhere) = (summary.clone(), elsewhere.clone());
        change(&mut summary, &mut elsewhere);
        check_evaluation(&evaluation, &summary, &elsewhere)
            .and_then(|()| check_online(&online, &summary))
            .unwrap_err()
    };
    assert!(wrong(|summary, _| summary.backends[1].rows[3].ns_per_leaf *= 1.1).starts_with("vaes256: "));
    assert!(wrong(|summary, _| summary.backends.swap(0, 1)).starts_with("READ: "));
    assert!(wrong(|summary, _| summary.backends[3].rows[0].ns_per_leaf = 171.0).contains("not said: 171 ns"));
    assert!(wrong(|summary, _| summary.fss_rs[0].ns_per_leaf = 22.0).contains("not said: 22.0 ns"));
    assert!(
        wrong(|summary, _| summary.backends[0].rows[7].memory_limit_ms *= 2.0).starts_with("memory limit")
    );
    assert!(wrong(|summary, _| summary.backends[0].rows[2].aes_limit_fraction = 1.0).contains("AES limit"));
    assert!(wrong(|_, elsewhere| elsewhere[0].evaluations[2].ns_per_leaf = 3.0).starts_with("aesni: "));
    assert!(wrong(|summary, _| summary.cpu = "Another".to_owned()).contains("the CPUs are"));
}

/// What was measured elsewhere is in the table of the kernels' README, and there with what was measured.
#[test]
fn what_was_measured_elsewhere_is_what_the_kernels_say() {
    let readme = fs::read_to_string(OF_THE_KERNELS).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, elsewhere) = data();
    let [intel] = elsewhere.as_slice() else { panic!("expected one CPU, got {}", elsewhere.len()) };
    assert!(intel.source.starts_with("optimized/kernel/README.md"));
    let (_, theirs) = readme
        .split_once(&format!("one thread, 2^20 leaves, on an {}", intel.cpu))
        .unwrap_or_else(|| panic!("expected a table of an {}", intel.cpu));
    // The first table behind these words.
    let row = |backend: &str| -> Vec<&str> {
        let (_, row) = theirs.split_once(&format!("| `{backend}` | ")).unwrap();
        row.split(" | ").collect()
    };
    for there in &intel.evaluations {
        let sums = row(&there.backend)[1].replace(" a leaf", "");
        let expected = format!("{:.2} ns, {:.2}", there.ns_per_leaf, there.aes_limit_fraction);
        assert_eq!((sums, there.log_size), (expected, 20), "{}", there.backend);
    }
    assert!(theirs.contains(&format!("fss-rs 0.6 took {:.1} ns a leaf for 128-bit values", intel.fss_rs.1)));
}
