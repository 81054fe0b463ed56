//! A row of `proofs/tla/models.tsv`: as TLC takes it, and what TLC says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use crate::error::{Result, found};
use crate::table;
use crate::tlc::BRIEF;

/// All that hold in every state.
pub(crate) const INVARIANTS: &str =
    "NeverTwice CommonOrder KindsByRole StatesBelongTogether ReadsAnswerIdeal SequentialMessages";
/// The property of whole behaviours.
const LIVENESS: &str = "Completes";

/// A model, and what must come out of it.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) name: &'a str,
    /// `base`, `fault` or `deep`.
    pub(crate) set: &'a str,
    /// `paper`, `lean` or `two-party`.
    pub(crate) protocol: &'a str,
    pub(crate) programs: &'a str,
    pub(crate) depth: &'a str,
    chunks: &'a str,
    lanes: &'a str,
    pub(crate) window: &'a str,
    pub(crate) crashes: &'a str,
    crashes_from: &'a str,
    unwritten: &'a str,
    speaks: &'a str,
    salts: &'a str,
    pub(crate) fault: &'a str,
    /// `invariants` for all, `actions` for these and how often each action is taken, or one property.
    check: &'a str,
    /// `passes`, or the property that it must violate.
    pub(crate) expected: &'a str,
}

/// The models of the table.
///
/// # Errors
/// If a row has not all columns.
pub(crate) fn parse(text: &str) -> Result<Vec<Model<'_>>> {
    let mut models = Vec::new();
    for row in table::rows(text) {
        let [
            name,
            set,
            protocol,
            programs,
            depth,
            chunks,
            lanes,
            window,
            crashes,
            crashes_from,
            unwritten,
            speaks,
            salts,
            fault,
            check,
            expected,
        ] = row[..]
        else {
            return found(format!("models.tsv: {}: sixteen columns wanted", row[0]));
        };
        models.push(Model {
            name,
            set,
            protocol,
            programs,
            depth,
            chunks,
            lanes,
            window,
            crashes,
            crashes_from,
            unwritten,
            speaks,
            salts,
            fault,
            check,
            expected,
        });
    }
    Ok(models)
}

impl Model<'_> {
    /// TLC's file of constants and properties.
    pub(crate) fn configuration(&self) -> String {
        let Self {
            protocol,
            programs,
            depth,
            chunks,
            lanes,
            window,
            crashes,
            crashes_from,
            unwritten,
            speaks,
            ..
        } = self;
        let Self { fault, check, .. } = self;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "CONSTANTS Modulus = 4 Size = 2 Depth = {depth} Chunks = {chunks} Window = {window}"
        );
        let _ = writeln!(text, "MaxCrashes = {crashes} CrashesFrom = {crashes_from} Unwritten = {unwritten}");
        let _ = writeln!(text, "Lanes = {lanes} SpeaksAfter = \"{speaks}\"");
        let _ = writeln!(text, "Protocol = \"{protocol}\" Fault = \"{fault}\" Programs <- {programs}");
        let _ = writeln!(text, "Salts = {}", set(self.salts));
        text.push_str("SPECIFICATION Spec\n");
        let _ = match *check {
            "invariants" | "actions" => writeln!(text, "INVARIANTS {INVARIANTS}"),
            LIVENESS => writeln!(text, "PROPERTY {LIVENESS}"),
            property => writeln!(text, "INVARIANT {property}"),
        };
        text
    }

    /// Will it have few states, and be done as soon as where a fault is found?
    fn is_small(&self) -> bool {
        let in_step = self.window == "1" && self.crashes == "0" && self.lanes == "1";
        self.set == "base" && (in_step || self.protocol == "two-party")
    }

    /// What TLC and its Java are told besides.
    pub(crate) fn options(&self) -> (&'static [&'static str], &'static [&'static str]) {
        let java: &[&str] =
            if self.set == "fault" || self.is_small() { &BRIEF } else { &["-XX:+UseParallelGC"] };
        let tlc: &[&str] = match self.check {
            // A deadlock is a program that is not finished, which the property of whole behaviours says better.
            LIVENESS => &["-deadlock"],
            // Counting takes as long again as everything else, so a few models do it.
            "actions" => &["-coverage", "60"],
            _ => &[],
        };
        (java, tlc)
    }
}

/// `{1,2,3}` for `1..3`; a set is one already.
fn set(salts: &str) -> String {
    let bounds =
        salts.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match bounds {
        Some((first, last)) => {
            let all: Vec<String> = (first..=last).map(|salt: u32| salt.to_string()).collect();
            format!("{{{}}}", all.join(","))
        }
        None => salts.to_string(),
    }
}

/// What TLC found: `passes`, `deadlock`, or the property that is violated. None if it did not come to an end.
pub(crate) fn outcome(log: &str) -> Option<String> {
    static VIOLATED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^Error: Invariant ([A-Za-z]+) is violated").expect("a pattern"));
    log.lines().find_map(|line| {
        if let Some(invariant) = VIOLATED.captures(line) {
            return Some(invariant[1].to_string());
        }
        let outcomes = [
            ("Error: Temporal properties were violated", LIVENESS),
            ("Error: Deadlock reached", "deadlock"),
            ("Model checking completed. No error", "passes"),
        ];
        outcomes.iter().find(|(start, _)| line.starts_with(start)).map(|(_, outcome)| (*outcome).to_string())
    })
}

/// How many different states TLC has seen, as it prints the number.
pub(crate) fn states(log: &str) -> Option<String> {
    static STATES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(" generated, ([0-9,]+) distinct states found, ").expect("a pattern"));
    STATES.captures_iter(log).last().map(|states| states[1].to_string())
}

/// How many of the states that TLC has seen it has not gone on from, as it prints the number: of a model that was stopped.
pub(crate) fn left(log: &str) -> Option<String> {
    static LEFT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(" distinct states found, ([0-9,]+) (states )?left").expect("a pattern"));
    LEFT.captures_iter(log).last().map(|left| left[1].to_string())
}

/// How many states each action led to. TLC reports again and again, for each place of an action: the last report counts.
pub(crate) fn coverage(log: &str) -> BTreeMap<String, u64> {
    static TAKEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("(?m)^<(([A-Za-z]+) line [^>]*)>: [0-9]+:([0-9]+)$").expect("a pattern"));
    let places: BTreeMap<&str, (&str, u64)> = TAKEN
        .captures_iter(log)
        .filter_map(|place| Some((place.get(1)?.as_str(), (place.get(2)?.as_str(), place[3].parse().ok()?))))
        .collect();
    let mut actions = BTreeMap::new();
    for (action, count) in places.into_values() {
        *actions.entry(action.to_string()).or_default() += count;
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str =
        "crash\tbase\tlean\tReadUpdate\t3\t2\t1\t1\t1\t0\t1\tinputs\t1..4\tnone\tinvariants\tpasses";

    fn model(row: &str) -> String {
        parse(&format!("model\tset\n{row}\n")).unwrap()[0].configuration()
    }

    #[test]
    fn a_row_becomes_constants_and_properties() {
        let expected = "CONSTANTS Modulus = 4 Size = 2 Depth = 3 Chunks = 2 Window = 1\nMaxCrashes = 1 CrashesFrom = 0 Unwritten = 1\n\
                        Lanes = 1 SpeaksAfter = \"inputs\"\n\
                        Protocol = \"lean\" Fault = \"none\" Programs <- ReadUpdate\nSalts = {1,2,3,4}\nSPECIFICATION Spec\n";
        assert_eq!(model(ROW), format!("{expected}INVARIANTS {INVARIANTS}\n"));
        assert!(model(&ROW.replace("invariants", "Completes")).ends_with("PROPERTY Completes\n"));
        assert_eq!(model(&ROW.replace("invariants", "actions")), model(ROW));
        assert!(model(&ROW.replace("invariants", "NeverTwice")).ends_with("INVARIANT NeverTwice\n"));
        assert!(model(&ROW.replace("1..4", "{3}")).contains("Salts = {3}\n"));
    }

    #[test]
    fn what_is_done_soon_is_not_compiled_twice() {
        let brief = |row: &str| parse(&format!("model\tset\n{row}\n")).unwrap()[0].options().0 == BRIEF;
        assert!(
            !brief(ROW) && brief(&ROW.replace("base", "fault")) && brief(&ROW.replace("lean", "two-party"))
        );
        let in_step = ROW.replace("\t1\t1\t1\t0", "\t1\t1\t0\t0");
        assert!(brief(&in_step) && !brief(&in_step.replace("base", "deep")));
        assert!(!brief(&in_step.replace("\t1\t1\t0\t0", "\t1\t3\t0\t0")), "a window");
        assert!(!brief(&in_step.replace("\t1\t1\t0\t0", "\t2\t1\t0\t0")), "lanes");
    }

    #[test]
    fn a_row_that_is_too_short_is_named() {
        let error = parse("model\tset\ncrash\tbase\n").unwrap_err().to_string();
        assert_eq!(error, "models.tsv: crash: sixteen columns wanted");
    }

    #[test]
    fn outcomes_are_read_from_what_tlc_prints() {
        let said = |text: &str| outcome(&format!("TLC2 Version\n{text}\nThe end."));
        assert_eq!(said("Model checking completed. No error has been found.").as_deref(), Some("passes"));
        assert_eq!(said("Error: Invariant NeverTwice is violated.").as_deref(), Some("NeverTwice"));
        assert_eq!(said("Error: Temporal properties were violated.").as_deref(), Some("Completes"));
        assert_eq!(said("Error: Deadlock reached.").as_deref(), Some("deadlock"));
        assert_eq!(said("Error: Parsing failed"), None);
        let log = "Progress(4): 9 states generated, 7 distinct states found, 1 left.\n\
                   1,200 states generated, 1,034 distinct states found, 0 left.\n";
        assert_eq!((states(log).as_deref(), left(log).as_deref()), (Some("1,034"), Some("0")));
        // One that was stopped says as well that it is completed.
        let stopped = log.replace("0 left.", "1,155 states left on queue.");
        assert_eq!((states(&stopped).as_deref(), left(&stopped).as_deref()), (Some("1,034"), Some("1,155")));
    }

    #[test]
    fn the_last_report_of_each_place_counts() {
        let log = "<Start line 1, col 1 to line 2, col 3 of module D>: 1:2\n<Crash line 9, col 1 to line 9, col 3 of module D>: 0:0\n\
                   <Start line 1, col 1 to line 2, col 3 of module D>: 3:5\n<Start line 7, col 1 to line 8, col 3 of module D>: 1:4\n";
        let coverage = coverage(log);
        assert_eq!(coverage["Start"], 9);
        assert_eq!(coverage["Crash"], 0);
    }
}
