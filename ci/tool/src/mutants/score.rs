//! What cargo-mutants found in all stages, and the two tables that it is compared with and recorded in.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::{files, table};

/// Counts, and the mutants that no test notices.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    caught: usize,
    /// They do not compile.
    unviable: usize,
    /// The tests do not come to an end: noticed as well.
    hung: usize,
    /// Of the last stage: a file and the mutant, separated by a tab, so that the list outlives edits elsewhere in the file.
    survivors: Vec<String>,
}

impl Score {
    /// What a stage decided, as cargo-mutants lists it: a mutant a line. What hung or was missed goes to the next stage.
    pub(crate) fn add_stage(&mut self, caught: &str, unviable: &str, hung: &str, missed: &str) {
        self.caught += caught.lines().count();
        self.unviable += unviable.lines().count();
        self.hung = hung.lines().count();
        self.survivors = missed.lines().map(unplaced).collect();
        self.survivors.sort();
    }

    /// Whether there is nothing to do for a further stage.
    pub(crate) fn all_decided(&self) -> bool {
        self.hung == 0 && self.survivors.is_empty()
    }

    fn total(&self) -> usize {
        self.caught + self.unviable + self.hung + self.survivors.len()
    }

    /// Survivors that are not accepted, and accepted ones that do not survive.
    pub(crate) fn compare(&self, accepted: &[String]) -> (Vec<String>, Vec<String>) {
        (without(&self.survivors, accepted), without(accepted, &self.survivors))
    }

    /// The row of `ci/mutants-score.tsv`.
    pub(crate) fn row(&self, name: &str, day: &str, tool: &str) -> String {
        let (total, Self { caught, unviable, hung, survivors }) = (self.total(), self);
        format!("{name}\t{day}\t{tool}\t{total}\t{total}\t{unviable}\t{caught}\t{hung}\t{}", survivors.len())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, Self { caught, unviable, hung, survivors }) = (self.total(), self);
        let viable = total - unviable;
        // In tenths of a percent, rounded.
        let tenths = if viable == 0 { 1000 } else { (2000 * (caught + hung) + viable) / (2 * viable) };
        write!(
            f,
            "{total} mutants, of which {unviable} do not compile; {caught} caught, {hung} never end, {} survive: {}.{} %",
            survivors.len(),
            tenths / 10,
            tenths % 10
        )
    }
}

/// Each as often as it is in `all` and not in `others`: two mutants of a file may have one text.
fn without(all: &[String], others: &[String]) -> Vec<String> {
    let mut left = others.to_vec();
    let mut rest = all.to_vec();
    rest.retain(|one| match left.iter().position(|other| other == one) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    });
    rest
}

/// `file<TAB>text` for `file:line:column: text`.
fn unplaced(mutant: &str) -> String {
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^([^:]*):[0-9]+:[0-9]+: ").expect("a pattern"));
    PLACE.replace(mutant, "$1\t").into_owned()
}

/// The survivors that the list accepts in a crate.
pub(crate) fn accepted(list: &str, name: &str) -> Vec<String> {
    let rows = table::rows(list).into_iter().filter(|row| row[0] == name && row.len() > 2);
    rows.map(|row| format!("{}\t{}", row[1], row[2])).collect()
}

/// The table of scores with this row in place of the crate's, or at the end.
pub(crate) fn record(scores: &str, name: &str, row: &str) -> String {
    let mut lines: Vec<&str> = scores.lines().collect();
    match lines.iter_mut().find(|line| line.split('\t').next() == Some(name)) {
        Some(line) => *line = row,
        None => lines.push(row),
    }
    files::lines(lines)
}

/// Of each crate in the table of scores: its name, how many mutants are noticed of those that compile, and what was tried if not all.
pub(crate) fn summary(scores: &str) -> Vec<String> {
    let rows = table::rows(scores);
    let crates: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
    debug_assert_eq!(crates.len(), rows.len(), "a crate twice");
    let summary = |row: &Vec<&str>| {
        let number = |column: usize| row.get(column).and_then(|cell| cell.parse::<usize>().ok());
        let (all, tested, unviable, caught, hung) =
            (number(3)?, number(4)?, number(5)?, number(6)?, number(7)?);
        let viable = tested.checked_sub(unviable)?;
        let part = if tested == all { String::new() } else { format!(" ({tested} tried of {all})") };
        Some(format!("{} {} of {viable}{part}", row[0], caught + hung))
    };
    rows.iter().filter_map(summary).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score() -> Score {
        let mut score = Score::default();
        score.add_stage("a\nb\n", "c\n", "d\n", "src/x.rs:1:2: replace + with -\nsrc/y.rs:3:4: y\n");
        score.add_stage("d\n", "", "", "src/x.rs:1:2: replace + with -\n");
        score
    }

    #[test]
    fn stages_add_what_they_decide() {
        let score = score();
        assert!(!score.all_decided());
        assert_eq!(score.survivors, ["src/x.rs\treplace + with -"]);
        assert_eq!(
            score.to_string(),
            "5 mutants, of which 1 do not compile; 3 caught, 0 never end, 1 survive: 75.0 %"
        );
        assert_eq!(score.row("spec", "day", "tool 1"), "spec\tday\ttool 1\t5\t5\t1\t3\t0\t1");
        assert_eq!(Score::default().to_string().split(": ").last(), Some("100.0 %"));
    }

    #[test]
    fn survivors_and_accepted_must_be_the_same() {
        let list =
            "crate\tfile\tmutant\twhy\nspec\tsrc/x.rs\treplace + with -\tequal\nother\tsrc/y.rs\ty\tequal\n";
        assert_eq!(score().compare(&accepted(list, "spec")), (vec![], vec![]));
        let (new, gone) = score().compare(&accepted(list, "other"));
        assert_eq!(
            (new, gone),
            (vec!["src/x.rs\treplace + with -".to_string()], vec!["src/y.rs\ty".to_string()])
        );
        let twice = ["a", "a"].map(String::from);
        assert_eq!(without(&twice, &twice[..1]), ["a"], "one accepted does not cover two");
    }

    #[test]
    fn a_score_replaces_the_one_before_and_is_summed_up() {
        let scores = "crate\tdate\ttool\tmutants\ttested\tdo not compile\tcaught\tnever end\tsurvive\n\
                      spec\tday\ttool\t9\t9\t1\t5\t1\t2\nreference\tday\ttool\t8\t4\t1\t2\t1\t0\n";
        let changed = record(scores, "spec", &score().row("spec", "day", "tool"));
        assert_eq!(changed.lines().count(), 3);
        assert_eq!(summary(&changed), ["spec 3 of 4", "reference 3 of 3 (4 tried of 8)"]);
        assert_eq!(record(scores, "new", "new\t1").lines().last(), Some("new\t1"));
    }
}
