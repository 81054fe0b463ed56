//! Tables as they are kept in the repository (columns separated by tabs, `#` for comments, a heading first), and as they are
//! printed in Markdown.

/// The rows of a table, without comments and heading.
pub(crate) fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect()).collect()
}

/// A table in Markdown, a row a line.
pub(crate) fn markdown<const N: usize>(
    heading: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    // An empty cell is one space wide.
    let line = |cells: &[String]| {
        format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |")
    };
    let mut text = line(&heading.map(String::from));
    text.push_str(&"|---".repeat(N));
    text.push_str("|\n");
    for row in rows {
        text.push_str(&line(&row));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_heading_are_no_rows() {
        assert_eq!(rows("# about\nname\tfile\na\tb\n\n# more\nc\t\n"), [["a", "b"], ["c", ""]]);
        assert!(rows("").is_empty());
    }

    #[test]
    fn markdown_has_a_row_a_line() {
        let table = markdown(["a", ""], [["1".to_string(), "2".to_string()]]);
        assert_eq!(table, "| a | |\n|---|---|\n| 1 | 2 |\n");
    }
}
