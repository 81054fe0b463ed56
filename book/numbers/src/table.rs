//! Tables in Markdown.

use std::fmt::{self, Display};

/// A table of N columns, row by row.
pub(crate) struct Table<const N: usize>(String);

impl<const N: usize> Table<N> {
    /// With these names of columns.
    pub(crate) fn new(head: [&str; N]) -> Self {
        let mut table = Self(String::new());
        table.row(head.each_ref().map(|name| name as &dyn Display));
        table.row([&"---"; N]);
        table
    }

    /// Adds a row. A cell is one line of Markdown; a `|` in it stays one.
    pub(crate) fn row(&mut self, cells: [&dyn Display; N]) {
        for cell in cells {
            let cell = cell.to_string();
            assert!(!cell.contains('\n'), "a cell is one line: {cell}");
            self.0 += "| ";
            self.0 += &cell.replace('|', "\\|");
            self.0 += " ";
        }
        self.0 += "|\n";
    }

    /// The table below a line that says what is in it.
    pub(crate) fn under(&self, caption: impl Display) -> String {
        format!("{caption}\n\n{self}")
    }

    /// The table above what follows from it.
    pub(crate) fn above(&self, conclusion: impl Display) -> String {
        format!("{self}\n{conclusion}\n")
    }

    /// The table, to be unfolded by the reader.
    pub(crate) fn folded(&self, summary: impl Display) -> String {
        // Blank lines, or what is inside would not be read as Markdown.
        format!("<details><summary>{summary}</summary>\n\n{self}\n</details>\n")
    }
}

impl<const N: usize> Display for Table<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table<2> {
        let mut table = Table::new(["what", "how many"]);
        table.row([&"`a | b`", &7]);
        table
    }

    #[test]
    fn a_row_is_a_line_and_bars_in_cells_are_escaped() {
        assert_eq!(table().to_string(), "| what | how many |\n| --- | --- |\n| `a \\| b` | 7 |\n");
    }

    #[test]
    fn a_folded_table_has_blank_lines_around_it() {
        let folded = table().folded("All");
        assert!(folded.starts_with("<details><summary>All</summary>\n\n| what"));
        assert!(folded.ends_with(" 7 |\n\n</details>\n"));
    }

    #[test]
    #[should_panic(expected = "a cell is one line")]
    fn a_cell_of_two_lines_is_refused() {
        table().row([&"one\ntwo", &""]);
    }
}
