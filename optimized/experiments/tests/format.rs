//! FORMAT.md: what it shows is read, and a line that does not fit is refused in the words that it shows.

use duoram_experiments::row::{COLUMNS, from_csv};

const FORMAT: &str = include_str!("../FORMAT.md");

/// The text between the first fence and the next, and so on.
fn blocks() -> Vec<&'static str> {
    FORMAT.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("text\n")).collect()
}

#[test]
fn the_example_is_read() {
    let rows = from_csv(blocks()[0]).unwrap();
    let [row] = &*rows else { panic!("one line: {rows:?}") };
    assert_eq!((&*row.system, row.log_size, row.operations), ("PRAC", 20, 128));
    assert_eq!((row.seconds, row.bytes_a_party, &*row.honesty), (41.3, 12_600_000.0, "quoted"));
    assert_eq!(row.cores, 1, "missing");
}

#[test]
fn a_line_that_does_not_fit_is_refused_in_the_words_that_are_shown() {
    let bad = blocks()[0].replace("41.3", "41s");
    assert_eq!(from_csv(&bad).unwrap_err().to_string(), blocks()[1].trim());
}

#[test]
fn every_column_is_in_the_table() {
    for column in COLUMNS {
        let cell = format!("`{column}`");
        let rows = FORMAT.lines().filter(|line| line.starts_with('|'));
        let named = rows.filter(|line| line.split('|').nth(1).is_some_and(|name| name.contains(&cell)));
        assert_eq!(named.count(), 1, "{column}");
    }
}
