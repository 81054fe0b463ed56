//! What cargo-mutants found in all stages.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

/// Counts of a file's mutants, and those that no test notices.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) caught: usize,
    /// They do not compile.
    pub(crate) unviable: usize,
    /// The tests do not come to an end: noticed as well.
    pub(crate) hung: usize,
    /// Without line and column, so that the names outlive edits elsewhere in the file; two may have one name.
    pub(crate) survivors: Vec<String>,
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
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { caught, unviable, hung, survivors } = self;
        write!(
            f,
            "{caught} caught, {hung} never end, {unviable} do not compile, {} survive",
            survivors.len()
        )?;
        survivors.iter().try_for_each(|survivor| write!(f, "\n  {survivor}"))
    }
}

/// `text` for `file:line:column: text`.
pub(crate) fn unplaced(mutant: &str) -> String {
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^[^:]*:[0-9]+:[0-9]+: ").expect("a pattern"));
    PLACE.replace(mutant, "").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_add_what_they_decide() {
        let mut score = Score::default();
        assert!(score.all_decided());
        score.add_stage("a\nb\n", "c\n", "d\n", "src/x.rs:1:2: replace + with -\nsrc/x.rs:3:4: y\n");
        assert!(!score.all_decided());
        score.add_stage("d\n", "", "", "src/x.rs:1:2: replace + with -\n");
        assert!(!score.all_decided());
        assert_eq!(
            score.to_string(),
            "3 caught, 0 never end, 1 do not compile, 1 survive\n  replace + with -"
        );
    }
}
