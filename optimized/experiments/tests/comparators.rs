//! COMPARATORS.md: its numbers are those that the systems have.

use duoram_experiments::systems;

const PAGE: &str = include_str!("../COMPARATORS.md");

#[test]
fn the_page_has_what_is_counted_here_and_how_far_it_is_from_what_was_published() {
    for line in systems::published().unwrap() {
        let cell = match line.unit {
            "KiB" => format!("{} KiB", line.here),
            "bytes" | "messages" => line.here.to_string(),
            // Times are not the same twice.
            _ => continue,
        };
        let percent = format!("{:+.1} %", 100.0 * line.deviation());
        let deviation = if &percent[1..] == "0.0 %" { "0" } else { &percent };
        let row = format!("| {cell} | {deviation} |");
        assert!(PAGE.contains(&row), "expected a row that ends in {row}");
    }
}
