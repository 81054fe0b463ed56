//! Pages of source files with a number at every line: what the links of the book lead to. They are part of the book, so that
//! it can be read, and checked, without a network and without knowing where the repository is kept.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::repository::{Place, Repository};

/// The folder of these pages below that of the book.
const FOLDER: &str = "source";

/// The address of a place, from any page of the book.
pub(crate) fn address(place: &Place) -> String {
    let line = place.lines.as_ref().map(|lines| format!("#L{}", lines.start + 1)).unwrap_or_default();
    format!("{FOLDER}/{}{line}", page_of(&place.file))
}

/// mdBook takes `.md` anywhere in a link for a chapter, so that no dot is left but that of `.html`.
fn page_of(file: &str) -> String {
    format!("{}.html", file.replace('.', "_"))
}

/// Writes the pages of these files into the folder that becomes the book's `source`.
pub(crate) fn write_all(
    pages: &Path,
    repository: &Repository,
    files: &BTreeSet<String>,
) -> Result<(), String> {
    for file in files {
        let path = pages.join(page_of(file));
        let folder = path.parent().unwrap_or(pages);
        let written = fs::create_dir_all(folder).and_then(|()| {
            let text = repository.text(file).map_err(std::io::Error::other)?;
            fs::write(&path, page(file, &text))
        });
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// The lines as a list of anchors `L1`, `L2`, ...; a line that is linked to is marked. The theme is the one that the reader
/// chose for the book.
fn page(file: &str, text: &str) -> String {
    let up = "../".repeat(file.matches('/').count() + 1);
    let mut lines = String::new();
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let _ = writeln!(
            lines,
            "<span class=\"line\" id=\"L{number}\"><a href=\"#L{number}\">{number}</a>{}</span>",
            escaped(line)
        );
    }
    let name = escaped(file);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{name}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"{up}theme/source.css\">\n<script src=\"{up}theme/source.js\"></script>\n</head>\n\
         <body>\n<header><a href=\"{up}index.html\">The book</a></header>\n<main>\n<h1>{name}</h1>\n\
         <pre tabindex=\"0\" aria-label=\"{name}\"><code>{lines}</code></pre>\n</main>\n</body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_lines_and_nothing_that_a_browser_would_run() {
        let page = page("a/b.rs", "let x = \"<script>\";\nx & 1");
        assert!(page.contains("id=\"L2\"") && !page.contains("id=\"L3\""));
        assert!(page.contains("&lt;script&gt;") && page.contains("x &amp; 1"));
        assert!(page.contains("href=\"../../theme/source.css\""));
    }

    #[test]
    fn addresses_have_no_dot_before_html() {
        let place = Place { file: "reference/PROTOCOL.md".to_owned(), lines: Some(3..9) };
        assert_eq!(address(&place), "source/reference/PROTOCOL_md.html#L4");
    }
}
