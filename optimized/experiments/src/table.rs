//! Tables of text: what a person reads while the CSV files are for programs.

use crate::catalogue::{Axis, Experiment, Quantity};
use crate::row::Row;

/// Columns as wide as their widest field; the first is at the left, all others are at the right.
pub fn aligned(lines: &[Vec<String>]) -> Vec<String> {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        lines
            .iter()
            .filter_map(|line| line.get(column))
            .map(|field| field.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let line = |fields: &Vec<String>| {
        let fields = fields.iter().zip(&widths).enumerate().map(|(column, (field, &width))| match column {
            0 => format!("{field:<width$}"),
            _ => format!("{field:>width$}"),
        });
        fields.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}

/// Seconds with as many digits as say something.
pub fn seconds(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0} s"),
        value if value >= 1.0 => format!("{value:.2} s"),
        value if value >= 1e-3 => format!("{:.2} ms", 1e3 * value),
        value if value > 0.0 => format!("{:.1} us", 1e6 * value),
        _ => "-".to_owned(),
    }
}

/// Bytes in units of 1024.
pub fn bytes(value: f64) -> String {
    let units = [("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let fits = |(_, power): &&(&str, i32)| value >= f64::from(*power).exp2();
    let (unit, power) = units.iter().rev().find(fits).copied().unwrap_or(units[0]);
    match power {
        0 => format!("{value:.0} B"),
        _ => format!("{:.1} {unit}", value / f64::from(power).exp2()),
    }
}

/// Where on the x axis a row is.
fn place(axis: Axis, row: &Row) -> String {
    match axis {
        Axis::LogSize => format!("2^{}", row.log_size),
        Axis::Bandwidth => format!("{:.0} Mbit/s", row.mbit_per_s),
        Axis::Latency => format!("{:.0} ms", row.delay_ms),
        Axis::Cores => format!("2^{}, {} cores", row.log_size, row.cores),
    }
}

/// An experiment's rows, three phases side by side: times of all operations together, or what one computes.
pub fn table(experiment: &Experiment, rows: &[Row]) -> Vec<String> {
    let mut lines = vec![
        [
            "system, operations",
            "at",
            "preparing",
            "online",
            "total",
            "a party sends",
            "one after another",
            "numbers",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    let is_same = |one: &Row, other: &Row| {
        (&one.system, &one.kind, one.operations) == (&other.system, &other.kind, other.operations)
            && place(experiment.axis, one) == place(experiment.axis, other)
    };
    let mut left: Vec<&Row> = rows.iter().collect();
    while let Some(&first) = left.first() {
        let (same, others): (Vec<&Row>, Vec<&Row>) = left.into_iter().partition(|row| is_same(row, first));
        left = others;
        let of = |phase: &str| same.iter().find(|row| row.phase == phase);
        let time = |phase| {
            of(phase).map_or_else(
                || "-".to_owned(),
                |row| match experiment.quantity {
                    Quantity::Computing => seconds(row.computing()),
                    Quantity::Seconds | Quantity::Bytes => seconds(row.seconds),
                },
            )
        };
        let messages =
            |phase| of(phase).map_or_else(|| "-".to_owned(), |row| format!("{:.0}", row.sequential));
        let total = of("total").copied().unwrap_or(first);
        lines.push(vec![
            format!("{}, {} {}", first.system, first.operations, first.kind),
            place(experiment.axis, first),
            time("preparing"),
            time("online"),
            time("total"),
            bytes(total.bytes_a_party),
            format!("{} + {}", messages("preparing"), messages("online")),
            total.honesty.clone(),
        ]);
    }
    aligned(&lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::named;
    use crate::row::tests::a_row;

    #[test]
    fn numbers_have_units_and_few_digits() {
        assert_eq!(
            [1234.5, 1.234, 0.0123, 4.56e-5, 0.0].map(seconds),
            ["1234 s", "1.23 s", "12.30 ms", "45.6 us", "-"]
        );
        assert_eq!(
            [0.0, 1023.0, 1024.0, 1.5 * 1_048_576.0].map(bytes),
            ["0 B", "1023 B", "1.0 KiB", "1.5 MiB"]
        );
    }

    #[test]
    fn three_phases_are_a_line() {
        let phases = ["preparing", "online", "total"].into_iter().zip([1.0, 2.0, 3.0]);
        let row = |(phase, seconds): (&str, f64)| Row {
            phase: phase.to_owned(),
            ..a_row("E5", "a", 16, seconds, 2048.0)
        };
        let rows: Vec<_> = phases.map(row).collect();
        let lines = table(named("E5").unwrap(), &rows);
        assert_eq!(lines.len(), 2);
        for text in ["a, 128 read", "2^16", "1.00 s", "2.00 s", "3.00 s", "2.0 KiB", "2 + 2", "real"] {
            assert!(lines[1].contains(text), "{}", lines[1]);
        }
        let ends = |line: &str, text: &str| line.find(text).map(|at| at + text.len());
        assert_eq!(
            ends(&lines[0], "  at"),
            ends(&lines[1], "2^16"),
            "columns are aligned:\n{}",
            lines.join("\n")
        );
    }

    #[test]
    fn what_others_measured_may_be_a_total_alone() {
        let rows =
            [(20, 3.0), (22, 4.0)].map(|(log_size, seconds)| a_row("E5", "PRAC", log_size, seconds, 0.0));
        let lines = table(named("E5").unwrap(), &rows);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].contains("4.00 s") && lines[2].contains("- + -"), "{}", lines[2]);
    }
}
