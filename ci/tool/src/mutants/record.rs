//! What is known of mutants: a row for each file that was judged, and one for each mutant that survives, with the reason why it may.

use std::collections::{BTreeMap, BTreeSet};

use super::score::Score;
use crate::error::Result;
use crate::{files, table};

const SCORES: &str = "ci/mutants.tsv";
pub(crate) const SURVIVORS: &str = "ci/mutants-survivors.tsv";

/// Both tables.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// By file.
    scores: BTreeMap<String, Row>,
    /// By file: mutants and reasons. No reason: one that is still to be told, or a test to be written.
    survivors: BTreeMap<String, Vec<(String, String)>>,
}

/// What was found in a file.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    subject: String,
    /// Its SHA-256 on that day.
    text: String,
    day: String,
    caught: usize,
    hung: usize,
    unviable: usize,
}

impl Record {
    /// As it is kept.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub(crate) fn read() -> Result<Self> {
        Ok(Self::of(&files::read(SCORES)?, &files::read(SURVIVORS)?))
    }

    fn of(scores: &str, survivors: &str) -> Self {
        let row = |row: Vec<&str>| {
            let [file, subject, text, day, caught, hung, unviable] = row[..] else { return None };
            let [caught, hung, unviable] = [caught, hung, unviable].map(str::parse);
            let [subject, text, day] = [subject, text, day].map(String::from);
            let row =
                Row { subject, text, day, caught: caught.ok()?, hung: hung.ok()?, unviable: unviable.ok()? };
            Some((file.to_string(), row))
        };
        let scores = table::rows(scores).into_iter().filter_map(row).collect();
        let mut by_file = BTreeMap::<_, Vec<_>>::new();
        for row in table::rows(survivors) {
            let reason = row.get(2).copied().unwrap_or_default();
            by_file.entry(row[0].to_string()).or_default().push((row[1].to_string(), reason.to_string()));
        }
        Self { scores, survivors: by_file }
    }

    /// Keeps both tables.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn write(&self) -> Result<()> {
        let [scores, survivors] = self.tables();
        files::write(SCORES, scores)?;
        files::write(SURVIVORS, survivors)
    }

    fn tables(&self) -> [String; 2] {
        let mut scores = vec!["file\tcrate\tsha256\tday\tcaught\tnever end\tdo not compile".to_string()];
        scores.extend(self.scores.iter().map(|(file, row)| {
            let Row { subject, text, day, caught, hung, unviable } = row;
            format!("{file}\t{subject}\t{text}\t{day}\t{caught}\t{hung}\t{unviable}")
        }));
        let mut survivors = vec!["file\tmutant\twhy it cannot or need not be caught".to_string()];
        for (file, of_file) in &self.survivors {
            survivors.extend(of_file.iter().map(|(mutant, reason)| format!("{file}\t{mutant}\t{reason}")));
        }
        [scores, survivors].map(|lines| files::lines(lines.iter().map(String::as_str)))
    }

    /// Whether a file was judged when its text was this.
    pub(crate) fn knows(&self, file: &str, text: &str) -> bool {
        self.scores.get(file).is_some_and(|row| row.text == text)
    }

    /// The survivors of a file without a reason.
    pub(crate) fn open(&self, file: &str) -> Vec<String> {
        let of_file = self.survivors.get(file).into_iter().flatten();
        of_file.filter(|(_, reason)| reason.is_empty()).map(|(mutant, _)| mutant.clone()).collect()
    }

    /// Of a crate these files have mutants: of others that are gone, nothing is kept.
    pub(crate) fn keep(&mut self, subject: &str, files: &BTreeSet<String>) {
        let Self { scores, survivors } = self;
        scores.retain(|file, row| {
            let there = row.subject != subject || files.contains(file);
            if !there {
                survivors.remove(file);
            }
            there
        });
    }

    /// All mutants of a file were judged. A survivor that was one before keeps its reason.
    pub(crate) fn put(&mut self, subject: &str, file: &str, text: &str, day: &str, score: &Score) {
        let [subject, text, day] = [subject, text, day].map(String::from);
        let &Score { caught, hung, unviable, .. } = score;
        self.scores.insert(file.to_string(), Row { subject, text, day, caught, hung, unviable });
        let mut before = self.survivors.remove(file).unwrap_or_default();
        self.survive(file, score, &mut before);
    }

    /// Those without a reason were judged again.
    pub(crate) fn retried(&mut self, file: &str, score: &Score) {
        if let Some(row) = self.scores.get_mut(file) {
            row.caught += score.caught;
            row.hung += score.hung;
        }
        if let Some(of_file) = self.survivors.get_mut(file) {
            of_file.retain(|(_, reason)| !reason.is_empty());
        }
        self.survive(file, score, &mut Vec::new());
    }

    /// Adds survivors, each with a reason of `before`, which covers one mutant.
    fn survive(&mut self, file: &str, score: &Score, before: &mut Vec<(String, String)>) {
        for mutant in &score.survivors {
            let known = before.iter().position(|(other, _)| other == mutant).map(|at| before.swap_remove(at));
            let row = known.unwrap_or_else(|| (mutant.clone(), String::new()));
            self.survivors.entry(file.to_string()).or_default().push(row);
        }
        if let Some(of_file) = self.survivors.get_mut(file) {
            of_file.sort();
        }
    }

    /// Of each crate: how many mutants are noticed of those that compile, and in how many files.
    pub(crate) fn summary(&self) -> Vec<String> {
        let mut crates = BTreeMap::<&str, [usize; 3]>::new();
        for (file, row) in &self.scores {
            let [noticed, viable, judged] = crates.entry(&row.subject).or_default();
            *noticed += row.caught + row.hung;
            *viable += row.caught + row.hung + self.survivors.get(file).map_or(0, Vec::len);
            *judged += 1;
        }
        let text = |(name, [noticed, viable, judged]): (&str, [usize; 3])| {
            format!("{name} {noticed} of {viable} in {judged} files")
        };
        crates.into_iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: &str = "file\tcrate\tsha256\tday\tcaught\tnever end\tdo not compile\n\
                          a.rs\tspec\t00\tmonday\t5\t1\t2\nb.rs\tspec\t01\tmonday\t3\t0\t0\n";
    const SURVIVORS: &str =
        "file\tmutant\twhy it cannot or need not be caught\na.rs\tx\t\na.rs\tx\tequal\na.rs\ty\tequal\n";

    fn record() -> Record {
        Record::of(SCORES, SURVIVORS)
    }

    fn score(caught: usize, survivors: &[&str]) -> Score {
        Score { caught, survivors: survivors.iter().map(ToString::to_string).collect(), ..Score::default() }
    }

    #[test]
    fn tables_are_read_as_they_were_written() {
        assert_eq!(record().tables(), [SCORES, SURVIVORS]);
        assert_eq!(record().summary(), ["spec 9 of 12 in 2 files"]);
    }

    #[test]
    fn a_file_is_known_with_the_text_that_was_judged() {
        assert!(
            record().knows("a.rs", "00") && !record().knows("a.rs", "01") && !record().knows("c.rs", "00")
        );
    }

    #[test]
    fn a_survivor_keeps_its_reason_which_covers_one() {
        let mut record = record();
        record.put("spec", "a.rs", "02", "tuesday", &score(7, &["x", "x", "x", "z"]));
        assert!(record.knows("a.rs", "02"));
        assert_eq!(record.open("a.rs"), ["x", "x", "z"]);
        assert_eq!(record.summary(), ["spec 10 of 14 in 2 files"], "the other x was told of, y is caught");
        record.put("spec", "a.rs", "02", "tuesday", &score(7, &[]));
        assert_eq!(record.open("a.rs"), [""; 0]);
    }

    #[test]
    fn a_file_that_is_gone_is_forgotten() {
        let mut record = record();
        record.keep("reference", &BTreeSet::new());
        assert_eq!(record, self::record());
        record.keep("spec", &BTreeSet::from(["b.rs".to_string()]));
        assert_eq!(
            (record.summary(), record.open("a.rs")),
            (vec!["spec 3 of 3 in 1 files".to_string()], vec![])
        );
    }

    #[test]
    fn of_those_judged_again_the_caught_ones_leave_the_list() {
        let mut record = record();
        assert_eq!(record.open("a.rs"), ["x"]);
        record.retried("a.rs", &score(0, &["x"]));
        assert_eq!(record, self::record());
        record.retried("a.rs", &score(1, &[]));
        assert_eq!(
            (record.open("a.rs"), record.summary()),
            (vec![], vec!["spec 10 of 12 in 2 files".to_string()])
        );
    }
}
