//! Chapter 19: what the experiments said of the claims, and two of their plots, as `ci/deep experiments` left them.

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, between, form};
use crate::table::Table;

const RESULTS: &str = "optimized/experiments/results";

/// `claims.md`, and the plots.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    let path = format!("{RESULTS}/results.md");
    let mut pages = vec![Page::new("claims.md", claims(&path, &repository.text(&path)?)?)];
    for plot in ["E1-interleaved.svg", "E6-read.svg"] {
        pages.push(Page::new(plot, repository.text(&format!("{RESULTS}/{plot}"))?));
    }
    Ok(pages)
}

/// The claims as a table; in the results, they are lines of columns.
fn claims(path: &str, results: &str) -> Result<Table<4>, Error> {
    let section = between(
        path,
        results,
        "## Claims of the artifact's appendix",
        "## What is real in these numbers, and how far they are from what was published",
    )?;
    let mut table = Table::new(["claim", "of", "verdict", "that it is, or does"]);
    for line in between(path, &format!("{section}\n"), "```text", "```")?.lines() {
        // Claim, system, verdict, and the rest, as `Finding` is displayed.
        let columns = [(0, 4), (4, 16), (16, 32), (32, line.len())].map(|(from, to)| line.get(from..to));
        let [Some(claim), Some(system), Some(verdict), Some(says)] = columns.map(|cell| cell.map(str::trim))
        else {
            return Err(form(path, format!("no claim: {line}")));
        };
        table.row([&claim, &system, &verdict, &says]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: &str = "## Claims of the artifact's appendix\n\n```text\n\
        C1  floram-cost holds           faster: at all sizes\n\
        C4  3P-lean     other crossover in one data centre: up to 2^12\n\
        ```\n\n## What is real in these numbers, and how far they are from what was published\n";

    #[test]
    fn claims_are_taken_by_their_columns() {
        let table = claims("r", RESULTS).unwrap().to_string();
        assert!(table.contains("| C1 | floram-cost | holds | faster: at all sizes |"), "{table}");
        assert!(
            table.contains("| C4 | 3P-lean | other crossover | in one data centre: up to 2^12 |"),
            "{table}"
        );
        assert!(
            claims(
                "r",
                &RESULTS.replace("C4  3P-lean     other crossover in one data centre: up to 2^12", "C4")
            )
            .is_err()
        );
    }
}
