//! Whether a plot says what rows say, by the appendix's names and in words of this file.

use duoram_experiments::row::Row;
use duoram_plots::Shows;
use duoram_plots::read::{LineRead, read};

/// What reading a place off the axes may be wrong by, as a part of it.
const READING: f64 = 0.005;

/// What the axes of an experiment must be called, and what of a row is on them.
struct Axes {
    across: &'static str,
    x: fn(&Row) -> f64,
    upwards: &'static str,
    y: fn(&Row) -> f64,
}

#[allow(clippy::cast_precision_loss)] // of small counts
fn axes(experiment: &str) -> Axes {
    let (across, x): (_, fn(&Row) -> f64) = match experiment {
        "E2" => ("Mbit/s", |row| row.mbit_per_s),
        "E3" => ("ms one way", |row| row.delay_ms),
        "E11" => ("cores a party", |row| f64::from(row.cores)),
        _ => ("h = lg n", |row| f64::from(row.log_size)),
    };
    let (upwards, y): (_, fn(&Row) -> f64) = match experiment {
        "E4" | "E7" | "E10" => ("KiB a party", |row| row.bytes_a_party / 1024.0),
        "computing" => ("us of CPU time an operation", |row| 1e6 * row.cpu_seconds / row.operations as f64),
        _ => ("seconds", |row| row.seconds),
    };
    Axes { across, x, upwards, y }
}

fn is_near(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() <= READING
}

/// Whether the plot of this name says what the rows of its experiment say, or else what is wrong.
pub(crate) fn check(name: &str, svg: &str, rows: &[Row]) -> Result<(), String> {
    let parts: Vec<&str> = name.split('-').collect();
    let (experiment, kind) = (parts[0], parts[1]);
    let size: Option<u32> = parts.get(3).and_then(|size| size.parse().ok());
    let axes = axes(experiment);
    let drawing = read(svg)?;
    let [column] = drawing.columns.as_slice() else {
        return Err(format!("expected one column, got {}", drawing.columns.len()));
    };
    for (what, expected, got) in [("across", axes.across, &column.x), ("upwards", axes.upwards, &drawing.y)] {
        if got != expected {
            return Err(format!("{what}: expected {expected}, got {got}"));
        }
    }
    let of_plot: Vec<&Row> = rows
        .iter()
        .filter(|row| row.kind == kind && size.is_none_or(|size| row.log_size == size))
        .filter(|row| row.phase != "preparing" && (axes.y)(row) > 0.0)
        .collect();
    if let Some(row) = of_plot.iter().find(|row| !drawing.notes.contains(&row.cpu)) {
        return Err(format!("the CPU is not named: {}", row.cpu));
    }
    let mut shown = 0;
    let mut named = Vec::new();
    for (system, phase) in of_plot.iter().map(|row| (row.system.as_str(), row.phase.as_str())) {
        let of = |phase: &str| -> Vec<&Row> {
            let is_of = |row: &&Row| row.system == system && row.phase == phase;
            of_plot.iter().copied().filter(is_of).collect()
        };
        let values =
            |rows: Vec<&Row>| rows.iter().map(|row| ((axes.x)(row), (axes.y)(row))).collect::<Vec<_>>();
        let line = format!("{system}, {phase}");
        if named.contains(&line) || (phase == "online" && values(of("online")) == values(of("total"))) {
            continue;
        }
        shown += shows(&line, phase, &of(phase), &column.lines, &axes)?;
        named.push(line);
    }
    let places: usize = column.lines.iter().map(|line| line.places.len()).sum();
    if shown == places { Ok(()) } else { Err(format!("{places} places, of which {shown} are of rows")) }
}

/// How many rows the line of this name shows, which must be all of these.
fn shows(name: &str, phase: &str, rows: &[&Row], lines: &[LineRead], axes: &Axes) -> Result<usize, String> {
    let lines: Vec<_> = lines.iter().filter(|line| line.name == name).collect();
    let [line] = &*lines else { return Err(format!("no line is named {name}, or {} are", lines.len())) };
    let weight = if phase == "total" { Shows::Whole } else { Shows::Part };
    if line.shows != weight {
        return Err(format!("{name}: expected {weight:?}, got {:?}", line.shows));
    }
    for row in rows {
        let (x, y) = ((axes.x)(row), (axes.y)(row));
        let Some(place) = line.places.iter().find(|place| is_near(place.x, x) && is_near(place.y, y)) else {
            return Err(format!("{name}: no place at {x}, {y}"));
        };
        if place.done != ["real", "counted"].contains(&row.honesty.as_str()) {
            let looks = if place.done { "measured" } else { "not measured" };
            return Err(format!("{name}: 2^{} looks {looks}, and is {}", row.log_size, row.honesty));
        }
    }
    if rows.len() == line.places.len() {
        Ok(rows.len())
    } else {
        Err(format!("{name}: {} places of {} rows", line.places.len(), rows.len()))
    }
}
