//! A line of the tables and of the CSV files: one system, one phase, one point.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::model::Cost;
use crate::network::Link;
use crate::system::Workload;

/// The phases that rows have.
pub const PHASES: [&str; 3] = ["preparing", "online", "total"];

/// One system, one phase, one point.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Which experiment.
    pub experiment: String,
    /// Which system.
    pub system: String,
    /// `preparing`, `online`, or `total`: both.
    pub phase: String,
    /// What the operations are.
    pub kind: String,
    /// lg n
    pub log_size: u32,
    /// One way.
    pub delay_ms: f64,
    /// Infinite for no limit.
    pub mbit_per_s: f64,
    /// Of each party.
    pub cores: u32,
    /// How many; of the kinds of two, how many of each.
    pub operations: usize,
    /// From the first message to the last.
    pub seconds: f64,
    /// What all parties computed.
    pub cpu_seconds: f64,
    /// Of whichever party sent the most.
    pub bytes_a_party: f64,
    /// Of all parties.
    pub bytes: f64,
    /// Of all parties.
    pub messages: f64,
    /// Those that had to wait for one another.
    pub sequential: f64,
    /// What computed: the kernels' backend.
    pub backend: String,
    /// On what.
    pub cpu: String,
    /// Of which commit.
    pub commit: String,
    /// `calculated`, or `wall`: with sleeps.
    pub clock: String,
    /// `real`, `counted`, `quoted`, or `extrapolated`.
    pub honesty: String,
}

/// A place in the experiments' space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// What was done.
    pub workload: Workload,
    /// Over which link.
    pub link: Link,
    /// With how many cores a party.
    pub cores: u32,
}

/// What is the same in all rows of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// What computes: the kernels' backend.
    pub backend: String,
    /// On what.
    pub cpu: String,
    /// Of which commit.
    pub commit: String,
    /// `calculated` or `wall`.
    pub clock: &'static str,
}

/// A line of a CSV file that is no row.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: expected {expected}, got {got}")]
pub struct BadLine {
    /// From 1.
    pub line: usize,
    /// What would have been right.
    pub expected: String,
    /// What was there.
    pub got: String,
}

/// The columns, in order.
pub const COLUMNS: [&str; 20] = [
    "experiment",
    "system",
    "phase",
    "kind",
    "log_size",
    "delay_ms",
    "mbit_per_s",
    "cores",
    "operations",
    "seconds",
    "cpu_seconds",
    "bytes_a_party",
    "bytes",
    "messages",
    "sequential",
    "backend",
    "cpu",
    "commit",
    "clock",
    "honesty",
];

impl Row {
    /// The row of what a phase cost at a point.
    pub fn new(
        experiment: &str,
        [system, phase, honesty]: [&str; 3],
        point: &Point,
        cost: &Cost,
        origin: &Origin,
    ) -> Self {
        let Point { workload, link, cores } = point;
        Self {
            experiment: experiment.to_owned(),
            system: system.to_owned(),
            phase: phase.to_owned(),
            kind: workload.kind.to_string(),
            log_size: workload.log_size,
            delay_ms: 1e3 * link.delay.as_secs_f64(),
            mbit_per_s: link.bits_per_second / 1e6,
            cores: *cores,
            operations: workload.operations,
            seconds: cost.seconds,
            cpu_seconds: cost.cpu,
            bytes_a_party: cost.most_bytes,
            bytes: cost.all_bytes,
            messages: cost.messages,
            sequential: cost.sequential,
            backend: origin.backend.clone(),
            cpu: origin.cpu.clone(),
            commit: origin.commit.clone(),
            clock: origin.clock.to_owned(),
            honesty: honesty.to_owned(),
        }
    }

    /// Whether nobody measured or counted it.
    pub fn is_extrapolated(&self) -> bool {
        self.honesty == "extrapolated"
    }

    /// What an operation computes, in seconds: of all parties, or of all threads. Where that was not measured, how long it took.
    #[allow(clippy::cast_precision_loss, reason = "a small count")]
    pub fn computing(&self) -> f64 {
        let seconds = if self.cpu_seconds > 0.0 { self.cpu_seconds } else { self.seconds };
        seconds / self.operations.max(1) as f64
    }

    /// Its fields, in the order of [`COLUMNS`].
    fn fields(&self) -> [String; 20] {
        let number =
            |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.6}") };
        [
            self.experiment.clone(),
            self.system.clone(),
            self.phase.clone(),
            self.kind.clone(),
            self.log_size.to_string(),
            number(self.delay_ms),
            number(self.mbit_per_s),
            self.cores.to_string(),
            self.operations.to_string(),
            format!("{:.9}", self.seconds),
            format!("{:.9}", self.cpu_seconds),
            number(self.bytes_a_party.round()),
            number(self.bytes.round()),
            number(self.messages.round()),
            number(self.sequential.round()),
            self.backend.clone(),
            self.cpu.clone(),
            self.commit.clone(),
            self.clock.clone(),
            self.honesty.clone(),
        ]
    }
}

/// Rows as comma-separated values, with a line of names before them.
pub fn to_csv<'a>(rows: impl IntoIterator<Item = &'a Row>) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for row in rows {
        let fields = row.fields().map(|field| quoted(&field));
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", fields.join(","));
    }
    text
}

/// A field as CSV has it (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// The fields of a line of CSV; a quote within quotes is written twice.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut within, mut letters) = (false, line.chars().peekable());
    while let Some(letter) = letters.next() {
        let field = fields.last_mut();
        match (letter, within, field) {
            ('"', true, Some(field)) if letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            ('"', ..) => within = !within,
            (',', false, _) => fields.push(String::new()),
            (letter, _, Some(field)) => field.push(letter),
            (_, _, None) => {}
        }
    }
    fields
}

/// Rows of a CSV file, its columns in any order. Columns that it does not have are empty or zero, but for those that place a row:
/// experiment, system, kind, `log_size`.
///
/// # Errors
///
/// [`BadLine`].
pub fn from_csv(text: &str) -> Result<Vec<Row>, BadLine> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let (_, names) = lines.next().unwrap_or((1, ""));
    let names = split(names);
    if let Some(name) = names.iter().find(|name| !COLUMNS.contains(&name.trim())) {
        let expected = format!("columns of {}", COLUMNS.join(","));
        return Err(BadLine { line: 1, expected, got: name.clone() });
    }
    for needed in ["experiment", "system", "kind", "log_size"] {
        if !names.iter().any(|name| name.trim() == needed) {
            return Err(BadLine { line: 1, expected: format!("a column {needed}"), got: names.join(",") });
        }
    }
    lines
        .map(|(line, text)| {
            let fields = split(text);
            if fields.len() != names.len() {
                let expected = format!("{} fields", names.len());
                return Err(BadLine { line, expected, got: fields.len().to_string() });
            }
            let fields: HashMap<&str, &str> =
                names.iter().zip(&fields).map(|(name, field)| (name.trim(), field.trim())).collect();
            row(line, &fields)
        })
        .collect()
}

fn row(line: usize, fields: &HashMap<&str, &str>) -> Result<Row, BadLine> {
    let text = |name: &str| fields.get(name).copied().unwrap_or_default().to_owned();
    let number = |name: &str| match fields.get(name).copied().unwrap_or_default() {
        "" => Ok(0.0),
        field => field.parse::<f64>().ok().filter(|value| *value >= 0.0).ok_or_else(|| BadLine {
            line,
            expected: format!("a number of 0 or more as {name}"),
            got: field.to_owned(),
        }),
    };
    let count = |name: &str| {
        let field = fields.get(name).copied().unwrap_or_default();
        let bad = || BadLine { line, expected: format!("a whole number as {name}"), got: field.to_owned() };
        if field.is_empty() { Ok(0) } else { field.parse::<u32>().map_err(|_| bad()) }
    };
    let or = |field: String, default: &str| if field.is_empty() { default.to_owned() } else { field };
    Ok(Row {
        experiment: text("experiment"),
        system: text("system"),
        phase: or(text("phase"), "total"),
        kind: text("kind"),
        log_size: count("log_size")?,
        delay_ms: number("delay_ms")?,
        mbit_per_s: number("mbit_per_s")?,
        cores: count("cores")?.max(1),
        operations: count("operations")? as usize,
        seconds: number("seconds")?,
        cpu_seconds: number("cpu_seconds")?,
        bytes_a_party: number("bytes_a_party")?,
        bytes: number("bytes")?,
        messages: number("messages")?,
        sequential: number("sequential")?,
        backend: text("backend"),
        cpu: text("cpu"),
        commit: text("commit"),
        clock: text("clock"),
        // Whoever brings numbers along says what they are, or else they are somebody's word.
        honesty: or(text("honesty"), "quoted"),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::system::Kind;

    /// A row of a total, over the standard network.
    pub(crate) fn a_row(experiment: &str, system: &str, log_size: u32, seconds: f64, bytes: f64) -> Row {
        let workload = Workload { log_size, kind: Kind::Read, operations: 128, seed: [0; 32] };
        let point = Point { workload, link: Link::wide_area(), cores: 1 };
        let cost = Cost {
            seconds,
            cpu: 1.5,
            most_bytes: bytes,
            all_bytes: 2.0 * bytes,
            messages: 4.0,
            sequential: 2.0,
        };
        let origin = Origin {
            backend: "vaes512".to_owned(),
            cpu: "A CPU, \"fast\"".to_owned(),
            commit: "abc".to_owned(),
            clock: "calculated",
        };
        Row::new(experiment, [system, "total", "real"], &point, &cost, &origin)
    }

    #[test]
    fn rows_read_back() {
        let rows = [a_row("E1", "s", 16, 0.25, 12.0), a_row("E5", "t", 26, 3.0, 1e12)];
        let text = to_csv(&rows);
        assert_eq!(text.lines().next(), Some(&*COLUMNS.join(",")));
        assert_eq!(from_csv(&text), Ok(rows.to_vec()));
    }

    #[test]
    fn a_file_of_others_needs_few_columns_and_is_quoted() {
        let rows = from_csv("experiment,system, kind,log_size,seconds\nE5,PRAC,read,20,1.5\n\n").unwrap();
        assert_eq!(
            (rows[0].system.as_str(), rows[0].seconds, rows[0].phase.as_str()),
            ("PRAC", 1.5, "total")
        );
        assert_eq!((rows[0].honesty.as_str(), rows[0].cores), ("quoted", 1));
    }

    #[test]
    fn a_file_that_is_wrong_says_where() {
        for (text, message) in [
            ("", "line 1: expected columns of experiment"),
            ("system,kind,log_size,colour", "line 1: expected columns of experiment"),
            ("experiment,system,kind\n", "line 1: expected a column log_size, got experiment,system,kind"),
            ("experiment,system,kind,log_size\na,read\n", "line 2: expected 4 fields, got 2"),
            (
                "experiment,system,kind,log_size\nE1,a,read,x\n",
                "line 2: expected a whole number as log_size, got x",
            ),
            (
                "experiment,system,kind,log_size,seconds\nE1,a,read,3,-1\n",
                "line 2: expected a number of 0 or more as seconds, got -1",
            ),
            (
                "experiment,system,kind,log_size,seconds\nE1,a,read,3,NaN\n",
                "line 2: expected a number of 0 or more as seconds, got NaN",
            ),
        ] {
            let error = from_csv(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
