//! What is known of mutants: a row for each file that was judged, and one for each mutant that survives, with the reason why it may.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

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

/// What of a file was judged, and when.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) subject: String,
    /// The file's SHA-256 on that day.
    pub(crate) text: String,
    pub(crate) day: String,
    /// Of its mutants one in so many.
    pub(crate) one_in: NonZero<u64>,
}

/// What was found in a file.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    judged: Judged,
    caught: usize,
    hung: usize,
    unviable: usize,
    survived: usize,
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
            let [file, subject, text, day, one_in, counts @ ..] = &row[..] else { return None };
            let [subject, text, day] = [subject, text, day].map(|column| (*column).to_string());
            let judged = Judged { subject, text, day, one_in: one_in.parse().ok()? };
            let counts: Vec<usize> = counts.iter().filter_map(|count| count.parse().ok()).collect();
            let [caught, hung, unviable, survived] = counts[..] else { return None };
            Some(((*file).to_string(), Row { judged, caught, hung, unviable, survived }))
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
        let mut scores =
            vec!["file\tcrate\tsha256\tday\tone in\tcaught\tnever end\tdo not compile\tsurvive".to_string()];
        scores.extend(self.scores.iter().map(|(file, row)| {
            let Row { judged, caught, hung, unviable, survived } = row;
            let Judged { subject, text, day, one_in } = judged;
            format!("{file}\t{subject}\t{text}\t{day}\t{one_in}\t{caught}\t{hung}\t{unviable}\t{survived}")
        }));
        let mut survivors = vec!["file\tmutant\twhy it cannot or need not be caught".to_string()];
        for (file, of_file) in &self.survivors {
            survivors.extend(of_file.iter().map(|(mutant, reason)| format!("{file}\t{mutant}\t{reason}")));
        }
        [scores, survivors].map(|lines| files::lines(lines.iter().map(String::as_str)))
    }

    /// Whether one in so many of a file's mutants, or more of them, were judged when its text was this.
    pub(crate) fn knows(&self, file: &str, text: &str, one_in: NonZero<u64>) -> bool {
        let row = self.scores.get(file);
        row.is_some_and(|Row { judged, .. }| judged.text == text && judged.one_in <= one_in)
    }

    /// The survivors of a file without a reason.
    pub(crate) fn open(&self, file: &str) -> Vec<String> {
        let of_file = self.survivors.get(file).into_iter().flatten();
        of_file.filter(|(_, reason)| reason.is_empty()).map(|(mutant, _)| mutant.clone()).collect()
    }

    /// Of a crate these files have mutants: of others that are gone, nothing is kept.
    pub(crate) fn keep(&mut self, subject: &str, files: &BTreeSet<&String>) {
        let Self { scores, survivors } = self;
        scores.retain(|file, row| {
            let there = row.judged.subject != subject || files.contains(file);
            if !there {
                survivors.remove(file);
            }
            there
        });
    }

    /// The mutants of a file that have these names were judged. A survivor that was one before keeps its reason, and so do those
    /// that were not judged now.
    pub(crate) fn put(&mut self, file: &str, judged: Judged, planted: &BTreeSet<String>, score: &Score) {
        let &Score { caught, hung, unviable, .. } = score;
        let survived = score.survivors.len();
        let whole = judged.one_in.get() == 1;
        self.scores.insert(file.to_string(), Row { judged, caught, hung, unviable, survived });
        let before = self.survivors.remove(file).unwrap_or_default();
        let (mut before, others): (Vec<_>, _) =
            before.into_iter().partition(|(mutant, _)| whole || planted.contains(mutant));
        if !others.is_empty() {
            self.survivors.insert(file.to_string(), others);
        }
        self.survive(file, score, &mut before);
    }

    /// Those without a reason were judged again.
    pub(crate) fn retried(&mut self, file: &str, score: &Score) {
        if let Some(row) = self.scores.get_mut(file) {
            row.caught += score.caught;
            row.hung += score.hung;
            row.survived -= row.survived.min(score.caught + score.hung);
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

    /// Of each crate: how many mutants are noticed of those that compile, in how many files, and in how many of these only a
    /// sample was planted.
    pub(crate) fn summary(&self) -> Vec<String> {
        let mut crates = BTreeMap::<&str, [usize; 4]>::new();
        for Row { judged, caught, hung, survived, .. } in self.scores.values() {
            let [noticed, viable, files, sampled] = crates.entry(&judged.subject).or_default();
            *noticed += caught + hung;
            *viable += caught + hung + survived;
            *files += 1;
            *sampled += usize::from(judged.one_in.get() > 1);
        }
        let text = |(name, [noticed, viable, files, sampled]): (&str, [usize; 4])| {
            let sampled = if sampled > 0 { format!(" ({sampled} sampled)") } else { String::new() };
            format!("{name} {noticed} of {viable} in {files} files{sampled}")
        };
        crates.into_iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: &str = "file\tcrate\tsha256\tday\tone in\tcaught\tnever end\tdo not compile\tsurvive\n\
                          a.rs\tspec\t00\tmonday\t1\t5\t1\t2\t3\nb.rs\tspec\t01\tmonday\t1\t3\t0\t0\t0\n";
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

    fn judged(text: &str, one_in: u64) -> Judged {
        let [subject, text, day] = ["spec", text, "tuesday"].map(String::from);
        Judged { subject, text, day, one_in: NonZero::new(one_in).unwrap() }
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_is_known_with_the_text_that_was_judged() {
        let knows = |file, text| record().knows(file, text, NonZero::<u64>::MIN);
        assert!(knows("a.rs", "00") && !knows("a.rs", "01") && !knows("c.rs", "00"));
    }

    #[test]
    fn all_mutants_or_a_finer_sample_are_more_than_a_sample() {
        let mut record = record();
        record.put("a.rs", judged("00", 8), &names(&["x"]), &score(1, &[]));
        let knows = |one_in| record.knows("a.rs", "00", NonZero::new(one_in).unwrap());
        assert!(knows(8) && knows(9) && !knows(7) && !knows(1));
    }

    #[test]
    fn a_survivor_keeps_its_reason_which_covers_one() {
        let mut record = record();
        record.put("a.rs", judged("02", 1), &names(&["x", "y", "z"]), &score(7, &["x", "x", "x", "z"]));
        assert!(record.knows("a.rs", "02", NonZero::<u64>::MIN));
        assert_eq!(record.open("a.rs"), ["x", "x", "z"]);
        assert_eq!(record.summary(), ["spec 10 of 14 in 2 files"], "the other x was told of, y is caught");
        record.put("a.rs", judged("02", 1), &names(&["x", "y", "z"]), &score(7, &[]));
        assert_eq!(record.open("a.rs"), [""; 0]);
    }

    #[test]
    fn a_sample_keeps_the_reasons_of_what_is_not_in_it() {
        let mut record = record();
        record.put("a.rs", judged("02", 8), &names(&["x", "z"]), &score(1, &["z"]));
        assert_eq!(record.open("a.rs"), ["z"]);
        assert_eq!(record.summary(), ["spec 4 of 5 in 2 files (1 sampled)"]);
        let [_, survivors] = record.tables();
        assert!(survivors.ends_with("\na.rs\ty\tequal\na.rs\tz\t\n"), "{survivors}");
    }

    #[test]
    fn a_file_that_is_gone_is_forgotten() {
        let mut record = record();
        record.keep("reference", &BTreeSet::new());
        assert_eq!(record, self::record());
        record.keep("spec", &BTreeSet::from([&"b.rs".to_string()]));
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
