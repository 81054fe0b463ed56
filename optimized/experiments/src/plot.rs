//! Which lines an experiment's plots have: one for both phases of each system, and one for the second alone.

use duoram_plots::{Across, Column, Line, Place, Plot, Shows};

use crate::catalogue::{Axis, CIRCUIT_ORAM, Experiment, FLORAM, OURS, Quantity};
use crate::row::Row;

/// A system has one look in all plots; what others bring takes those that are left, as it comes.
const LOOKS: [&str; 5] = [OURS[0], OURS[1], OURS[2], FLORAM, CIRCUIT_ORAM];

impl Axis {
    fn of(self, row: &Row) -> f64 {
        match self {
            Self::LogSize => f64::from(row.log_size),
            Self::Bandwidth => row.mbit_per_s,
            Self::Latency => row.delay_ms,
            Self::Cores => f64::from(row.cores),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::LogSize => "h = lg n",
            Self::Bandwidth => "Mbit/s",
            Self::Latency => "ms one way",
            Self::Cores => "cores a party",
        }
    }
}

impl Quantity {
    /// In seconds, in KiB, or in microseconds.
    fn of(self, row: &Row) -> f64 {
        match self {
            Self::Seconds => row.seconds,
            Self::Bytes => row.bytes_a_party / 1024.0,
            Self::Computing => 1e6 * row.computing(),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Bytes => "KiB a party",
            Self::Computing => "us of CPU time an operation",
        }
    }
}

/// The plots of an experiment: one for each kind of operation, and where cores vary for each size. What has one place only on the
/// axis below is left to the tables.
///
/// Rows that name no CPU are of `cpu`; those of each other CPU stand beside them, in a column of their own.
pub fn plots(experiment: &Experiment, rows: &[Row], cpu: &str) -> Vec<Plot> {
    let mut plots: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in rows.iter().filter(|row| row.phase != "preparing") {
        let size =
            if experiment.axis == Axis::Cores { format!("-2-{}", row.log_size) } else { String::new() };
        let name = format!("{}-{}{size}", experiment.name, row.kind);
        match plots.iter_mut().find(|(other, _)| *other == name) {
            Some((_, rows)) => rows.push(row),
            None => plots.push((name, vec![row])),
        }
    }
    let plots = plots.into_iter().map(|(name, rows)| plot(experiment, name, &rows, cpu));
    plots.filter(Plot::is_worth_drawing).collect()
}

fn plot(experiment: &Experiment, name: String, rows: &[&Row], cpu: &str) -> Plot {
    let first = rows.first();
    let size = if experiment.axis == Axis::LogSize {
        String::new()
    } else {
        first.map_or_else(String::new, |row| format!(", 2^{} words", row.log_size))
    };
    let work = first.map_or_else(String::new, |row| match experiment.quantity {
        // Whoever measured may have done another number of them.
        Quantity::Computing => in_words(&row.kind, 1),
        Quantity::Seconds | Quantity::Bytes => in_words(&row.kind, row.operations),
    });
    let cpu_of = |row: &Row| if row.cpu.is_empty() { cpu.to_owned() } else { row.cpu.clone() };
    let mut cpus: Vec<String> = Vec::new();
    for row in rows {
        let cpu = cpu_of(row);
        if !cpus.contains(&cpu) {
            cpus.push(cpu);
        }
    }
    let systems = systems(rows);
    let column = |cpu: &String| {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| cpu_of(row) == *cpu).collect();
        Column { heading: cpu.clone(), lines: lines(experiment, &systems, &rows) }
    };
    Plot {
        name,
        title: format!("{} ({}): {work}{size}", experiment.name, experiment.figure),
        notes: vec![
            format!("computed on {}", cpus.join(" and ")),
            "Solid: measured or counted. Dashed and hollow: extrapolated or quoted.".to_owned(),
        ],
        x: experiment.axis.title(),
        across: if experiment.axis == Axis::Cores { Across::Logarithmic } else { Across::Linear },
        y: experiment.quantity.title(),
        columns: cpus.iter().map(column).collect(),
    }
}

/// So many operations of a kind, as rows name it.
fn in_words(kind: &str, operations: usize) -> String {
    let of = |name: &str| format!("{operations} {name}{}", if operations == 1 { "" } else { "s" });
    match kind {
        "read" => of("READ"),
        "write" => of("WRITE"),
        "update" => of("UPDATE"),
        "interleaved" => format!("{} and {} in turn", of("READ"), of("WRITE")),
        "readwrite" => format!("{} and {} in turn", of("READ"), of("UPDATE")),
        other => format!("{operations} {other}"),
    }
}

/// Each once, in the order of the rows.
fn systems<'a>(rows: &[&'a Row]) -> Vec<&'a str> {
    let mut systems: Vec<&str> = Vec::new();
    for row in rows {
        if !systems.contains(&row.system.as_str()) {
            systems.push(&row.system);
        }
    }
    systems
}

/// A line for both phases of each system, and one for the second if there is a first.
fn lines(experiment: &Experiment, systems: &[&str], rows: &[&Row]) -> Vec<Line> {
    let line = |look: usize, system: &str, phase: &str| {
        let mut places: Vec<_> = rows
            .iter()
            .filter(|row| row.system == system && row.phase == phase)
            .map(|row| Place {
                x: experiment.axis.of(row),
                y: experiment.quantity.of(row),
                done: !["quoted", "extrapolated"].contains(&row.honesty.as_str()),
            })
            // Nothing has a logarithm.
            .filter(|place| place.y > 0.0 && place.x.is_finite())
            .collect();
        places.sort_by(|one, other| one.x.total_cmp(&other.x));
        let shows = if phase == "total" { Shows::Whole } else { Shows::Part };
        Line { name: format!("{system}, {phase}"), look, shows, places }
    };
    let others: Vec<&str> = systems.iter().copied().filter(|system| !LOOKS.contains(system)).collect();
    let of_system = |system: &&str| {
        let look = LOOKS.iter().chain(&others).position(|other| other == system).unwrap_or_default();
        let (total, online) = (line(look, system, "total"), line(look, system, "online"));
        if total.places == online.places { vec![total] } else { vec![total, online] }
    };
    systems.iter().flat_map(of_system).filter(|line| !line.places.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use duoram_plots::read::{LineRead, read};

    use super::*;
    use crate::catalogue::named;
    use crate::row::tests::a_row;

    fn phase(row: Row, phase: &str, honesty: &str) -> Row {
        Row { phase: phase.to_owned(), honesty: honesty.to_owned(), ..row }
    }

    #[test]
    fn a_plot_names_lines_axes_and_the_cpu() {
        let rows = [
            a_row("E5", "3P-DUORAM", 16, 8.0, 100.0),
            a_row("E5", "3P-DUORAM", 20, 9.0, 100.0),
            phase(a_row("E5", "3P-DUORAM", 16, 7.5, 10.0), "online", "real"),
            phase(a_row("E5", "3P-DUORAM", 20, 7.6, 10.0), "online", "real"),
            a_row("E5", "other", 16, 80.0, 100.0),
            phase(a_row("E5", "other", 20, 90.0, 100.0), "total", "extrapolated"),
            phase(a_row("E5", "3P-DUORAM", 16, 0.5, 90.0), "preparing", "real"),
        ]
        .map(|row| Row { cpu: String::new(), ..row });
        let plots = plots(named("E5").unwrap(), &rows, "A CPU");
        let [plot] = plots.as_slice() else { panic!("expected one plot, got {}", plots.len()) };
        assert_eq!(plot.name, "E5-read");
        let drawing = read(&plot.svg()).unwrap();
        assert_eq!(drawing.title, "E5 (figure 9(a)): 128 READs");
        assert!(drawing.notes.starts_with("computed on A CPU "), "{}", drawing.notes);
        let column = &drawing.columns[0];
        assert_eq!((column.x.as_str(), drawing.y.as_str()), ("h = lg n", "seconds"));
        let lines: Vec<_> = column.lines.iter().map(|line| (line.name.as_str(), line.places.len())).collect();
        assert_eq!(lines, [("other, total", 2), ("3P-DUORAM, total", 2), ("3P-DUORAM, online", 2)]);
        let dashed = |line: &LineRead| line.places.iter().any(|place| !place.done);
        assert_eq!(column.lines.iter().map(dashed).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn operations_are_named_as_in_the_text() {
        assert_eq!(in_words("read", 1), "1 READ");
        assert_eq!(in_words("interleaved", 128), "128 READs and 128 WRITEs in turn");
        assert_eq!(in_words("readwrite", 2), "2 READs and 2 UPDATEs in turn");
    }

    #[test]
    fn another_cpu_stands_beside_this_one() {
        let on = |cpu: &str, log_size, seconds| Row {
            cpu: cpu.to_owned(),
            ..a_row("E5", OURS[0], log_size, seconds, 1.0)
        };
        let rows = [on("", 16, 1.0), on("", 20, 2.0), on("Another", 16, 1.5), on("This", 22, 3.0)];
        let plots = plots(named("E5").unwrap(), &rows, "This");
        let columns: Vec<_> = plots[0]
            .columns
            .iter()
            .map(|column| (column.heading.as_str(), column.lines[0].places.len(), column.lines[0].look))
            .collect();
        assert_eq!(columns, [("This", 3, 0), ("Another", 1, 0)]);
        assert!(plots[0].svg().contains("computed on This and Another"));
    }

    #[test]
    fn a_system_has_the_same_look_whatever_is_beside_it() {
        let look = |systems: &[&str], of: &str| {
            let of_size = |size| systems.iter().map(move |system| a_row("E5", system, size, 1.0, 1.0));
            let rows: Vec<_> = of_size(16).chain(of_size(18)).collect();
            let plots = plots(named("E5").unwrap(), &rows, "A CPU");
            plots[0].columns[0].lines.iter().find(|line| line.name.starts_with(of)).unwrap().look
        };
        assert_eq!(look(&[FLORAM], FLORAM), look(&[OURS[0], FLORAM], FLORAM));
        let all = [OURS[0], FLORAM, "theirs", "mine"];
        let mut looks = all.map(|system| look(&all, system));
        looks.sort_unstable();
        assert!(looks.windows(2).all(|two| two[0] != two[1]), "{looks:?}");
    }

    #[test]
    fn one_place_is_left_to_the_tables_and_no_time_at_all_is_not_drawn() {
        let one = [a_row("E5", "a", 16, 1.0, 1.0), a_row("E5", "b", 16, 3.0, 1.0)];
        assert!(plots(named("E5").unwrap(), &one, "A CPU").is_empty());
        let rows =
            [a_row("E5", "a", 16, 1.0, 1.0), a_row("E5", "a", 18, 1.0, 1.0), a_row("E5", "b", 16, 0.0, 1.0)];
        let plots = plots(named("E5").unwrap(), &rows, "A CPU");
        assert_eq!(plots[0].columns[0].lines.len(), 1);
    }

    #[test]
    fn cores_are_a_plot_a_size() {
        let row = |log_size, cores| Row { cores, ..a_row("E11", "a", log_size, 1.0, 1.0) };
        let rows = [row(16, 1), row(20, 1), row(16, 4), row(20, 4), row(26, 1)];
        let names: Vec<_> =
            plots(named("E11").unwrap(), &rows, "A CPU").into_iter().map(|plot| plot.name).collect();
        assert_eq!(names, ["E11-read-2-16", "E11-read-2-20"]);
    }
}
