//! What operations cost to rent: the paper's Table 3, with prices as parameters.

use crate::row::Row;
use crate::table::aligned;

/// Prices in US dollars.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prices {
    /// A core for an hour.
    pub cpu_hour: f64,
    /// 10^9 bytes that leave a party.
    pub gigabyte: f64,
}

/// The paper's [duoram, section 6.2.3]: "$0.0195/CPU-hour and $0.09/GB of outbound traffic".
impl Default for Prices {
    fn default() -> Self {
        Self { cpu_hour: 0.0195, gigabyte: 0.09 }
    }
}

impl Prices {
    /// What computing and sending cost, in millionths of a dollar.
    pub fn of(&self, cpu_seconds: f64, bytes: f64) -> [f64; 2] {
        [1e6 * self.cpu_hour * cpu_seconds / 3600.0, 1e6 * self.gigabyte * bytes / 1e9]
    }
}

/// The table's size and network.
fn is_of_table_3(row: &Row) -> bool {
    row.phase == "total"
        && row.log_size == 20
        && row.operations == 128
        && (row.delay_ms, row.mbit_per_s, row.cores) == (30.0, 100.0, 1)
}

/// Table 3 of what was found at 2^20 with 128 operations: preparing included, both over all parties. What a party computes is its
/// CPU time, and not its cores times the time on the wall.
pub fn table_3<'a>(rows: impl IntoIterator<Item = &'a Row>, prices: &Prices) -> Vec<String> {
    let mut lines = vec![["operation, system", "CPU", "bandwidth", "numbers"].map(str::to_owned).to_vec()];
    let mut seen = Vec::new();
    for row in rows.into_iter().filter(|row| is_of_table_3(row)) {
        let name = format!("{} {}, {}", row.operations, row.kind, row.system);
        // The same point is in several experiments.
        if !seen.contains(&name) {
            let [cpu, bandwidth] = prices.of(row.cpu_seconds, row.bytes);
            lines.push(vec![
                name.clone(),
                format!("{cpu:.1} u$"),
                format!("{bandwidth:.1} u$"),
                row.honesty.clone(),
            ]);
            seen.push(name);
        }
    }
    if seen.is_empty() {
        return Vec::new();
    }
    aligned(&lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::tests::a_row;

    #[test]
    fn an_hour_and_a_gigabyte_cost_what_they_cost() {
        let [cpu, bandwidth] = Prices::default().of(3600.0, 1e9);
        assert!((cpu - 19_500.0).abs() < 1e-6 && (bandwidth - 90_000.0).abs() < 1e-6);
    }

    #[test]
    fn the_table_is_of_its_size_and_network_alone_and_says_each_once() {
        let rows = [
            a_row("E5", "a", 20, 1.0, 5e5),
            a_row("E7", "a", 20, 1.0, 5e5),
            a_row("E5", "a", 22, 1.0, 5e5),
            Row { delay_ms: 0.03, ..a_row("E6", "b", 20, 1.0, 5e5) },
        ];
        let lines = table_3(&rows, &Prices::default());
        assert_eq!(lines.len(), 2, "{}", lines.join("\n"));
        assert!(lines[1].starts_with("128 read, a") && lines[1].contains("90.0 u$"), "{}", lines[1]);
        assert!(table_3(&rows[2..], &Prices::default()).is_empty());
    }
}
