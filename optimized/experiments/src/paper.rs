//! What the paper and its artifact's appendix give as numbers, each with its place and words (`paper.csv`), beside what was found. The
//! paper's figures are images: no number is read off them.

use crate::prices::Prices;
use crate::row::{Row, split};
use crate::table::aligned;

/// The file, as it is in the repository.
const FILE: &str = include_str!("../paper.csv");

/// A published number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// How many parties the system has.
    pub parties: u32,
    /// As [`crate::system::System::name`] has it.
    pub system: String,
    /// `preparing`, `online` or `total`.
    pub phase: String,
    /// What the operations are.
    pub kind: String,
    /// lg n; a range of a crossover; nothing, of a formula.
    pub log_size: String,
    /// How many operations.
    pub operations: String,
    /// One way; nothing, where it does not matter.
    pub delay_ms: String,
    /// As above.
    pub mbit_per_s: String,
    /// `seconds`, `mean_bytes` a party, `sum_bytes` of all parties, `sequential` messages an operation, `cpu_cost`, `bandwidth_cost`, or `crossover`.
    pub quantity: String,
    /// A number, or `a lg n + b`; of a crossover the other system.
    pub value: String,
    /// Of the value.
    pub unit: String,
    /// The paper, or the artifact's appendix.
    pub source: String,
    /// Where in it.
    pub place: String,
    /// In its words.
    pub quote: String,
}

/// All published numbers.
pub fn published() -> Vec<Published> {
    FILE.lines()
        .skip(1)
        .filter_map(|line| <[String; 14]>::try_from(split(line)).ok())
        .map(from_fields)
        .collect()
}

fn from_fields(fields: [String; 14]) -> Published {
    let [
        parties,
        system,
        phase,
        kind,
        log_size,
        operations,
        delay_ms,
        mbit_per_s,
        quantity,
        value,
        unit,
        source,
        place,
        quote,
    ] = fields;
    let parties = parties.parse().unwrap_or_default();
    Published {
        parties,
        system,
        phase,
        kind,
        log_size,
        operations,
        delay_ms,
        mbit_per_s,
        quantity,
        value,
        unit,
        source,
        place,
        quote,
    }
}

/// A number, or `a lg n + b`.
fn value_at(value: &str, log_size: u32) -> Option<f64> {
    let Some((factor, rest)) = value.split_once(" lg n ") else { return value.parse().ok() };
    let (sign, rest) = rest.split_once(' ')?;
    let rest: f64 = rest.parse().ok()?;
    let product = factor.parse::<f64>().ok()? * f64::from(log_size);
    Some(if sign == "-" { product - rest } else { product + rest })
}

impl Published {
    /// Whether a row is of what this number is of.
    fn is_of(&self, row: &Row) -> bool {
        let is = |text: &str, value: f64| {
            text.is_empty() || text.parse().is_ok_and(|number: f64| (number - value).abs() < 1e-9)
        };
        row.system == self.system
            && row.phase == self.phase
            && row.kind == self.kind
            && row.cores == 1
            && !row.is_extrapolated()
            && is(&self.log_size, f64::from(row.log_size))
            && is(&self.delay_ms, row.delay_ms)
            && is(&self.mbit_per_s, row.mbit_per_s)
            // Messages an operation are the same of any number.
            && (self.quantity == "sequential" || self.operations == row.operations.to_string())
    }

    /// What the row has of this quantity, in this unit.
    #[allow(clippy::cast_precision_loss, reason = "a small count")]
    fn found(&self, row: &Row, prices: &Prices) -> Option<f64> {
        let [cpu, bandwidth] = prices.of(row.cpu_seconds, row.bytes);
        Some(match self.quantity.as_str() {
            "seconds" => row.seconds,
            "mean_bytes" => row.bytes / f64::from(self.parties) / 1024.0,
            // The appendix calls it a mean: COMPARATORS.md has why it is not one.
            "sum_bytes" => row.bytes / 1024.0,
            "sequential" => row.sequential / row.operations as f64,
            "cpu_cost" => cpu,
            "bandwidth_cost" => bandwidth,
            _ => return None,
        })
    }
}

/// Published numbers beside what was found, and how many times as large that is. Times and CPU costs are of other computers.
pub fn beside(rows: &[Row], prices: &Prices) -> Vec<String> {
    let mut lines = vec![
        ["system, operations", "", "published", "here", "here / published", "where"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for number in published() {
        let Some(row) = rows.iter().find(|row| number.is_of(row)) else { continue };
        let (Some(expected), Some(found)) =
            (value_at(&number.value, row.log_size), number.found(row, prices))
        else {
            continue;
        };
        lines.push(vec![
            format!("{}, {} {} of 2^{}", number.system, row.operations, number.kind, row.log_size),
            format!("{} {}", number.phase, number.quantity.replace('_', " ")),
            format!("{expected:.4} {}", number.unit),
            format!("{found:.4}"),
            format!("{:.3}", found / expected),
            format!("{}, {}", number.source, number.place),
        ]);
    }
    if lines.len() == 1 { Vec::new() } else { aligned(&lines) }
}

/// Between which lg n `other` was published to overtake a system; the phase and the delay in milliseconds tell which experiment.
pub fn published_crossover(system: &str, other: &str, phase: &str, delay_ms: f64) -> Option<(u32, u32)> {
    let is = |number: &&Published| {
        number.quantity == "crossover"
            && number.system == system
            && number.value == other
            && number.phase == phase
            && number.delay_ms.parse() == Ok(delay_ms)
    };
    let number = published().into_iter().find(|number| is(&number))?;
    let (low, high) = number.log_size.split_once("..").unwrap_or((&number.log_size, &number.log_size));
    Some((low.parse().ok()?, high.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{CIRCUIT_ORAM, FLORAM};
    use crate::row::tests::a_row;

    #[test]
    fn every_line_of_the_file_is_a_number_with_a_place() {
        let numbers = published();
        assert_eq!(numbers.len(), FILE.lines().count() - 1, "a line has another number of fields");
        for number in numbers {
            assert!(
                [2, 3].contains(&number.parties) && !number.place.is_empty() && !number.quote.is_empty(),
                "{number:?}"
            );
            if number.quantity == "crossover" {
                assert!([FLORAM, CIRCUIT_ORAM].contains(&number.value.as_str()), "{number:?}");
            } else {
                assert!(value_at(&number.value, 20).is_some_and(|value| value > 0.0), "{number:?}");
            }
        }
    }

    #[test]
    fn formulas_are_of_the_size() {
        assert_eq!(value_at("4 lg n - 25", 20), Some(55.0));
        assert_eq!(value_at("10 lg n + 42", 16), Some(202.0));
        assert_eq!(value_at("2", 16), Some(2.0));
        assert_eq!(value_at("many", 16), None);
    }

    #[test]
    fn numbers_stand_beside_rows_of_the_same_point_alone() {
        let online = Row { phase: "online".to_owned(), ..a_row("E5", "3P-DUORAM", 16, 1.0, 1.0) };
        let basic = Row {
            kind: "readwrite".to_owned(),
            operations: 2,
            delay_ms: 0.03,
            mbit_per_s: 100_000.0,
            bytes: 320.0,
            ..online.clone()
        };
        let lines = beside(std::slice::from_ref(&basic), &Prices::default());
        assert_eq!(lines.len(), 3, "{}", lines.join("\n"));
        assert!(lines[2].contains("0.1042 KiB") && lines[2].contains("1.000"), "{}", lines[2]);
        let other = Row { log_size: 18, ..basic };
        assert!(beside(&[other], &Prices::default()).is_empty());
        let lines = beside(&[online], &Prices::default());
        assert!(lines[1].contains("sequential"), "{}", lines.join("\n"));
    }

    #[test]
    fn crossovers_are_found_by_phase_and_network() {
        assert_eq!(published_crossover("2P-DUORAM", FLORAM, "total", 30.0), Some((22, 24)));
        assert_eq!(published_crossover("3P-DUORAM", FLORAM, "total", 0.03), Some((20, 20)));
        assert_eq!(published_crossover("3P-DUORAM", FLORAM, "online", 0.03), Some((26, 26)));
        assert_eq!(published_crossover("3P-DUORAM", CIRCUIT_ORAM, "online", 30.0), Some((30, 32)));
        assert_eq!(published_crossover("3P-lean", FLORAM, "total", 0.03), None);
    }
}
