//! What lies on the table at each step of an operation: who holds what, who sent what, and who knows it.

use std::fmt::Display;

use duoram_spec::core::ring::Ring;
use serde::Serialize;

/// Whose card an entry is on. `Reader` stands for values that no party has, which are shown to the reader alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) enum Holder {
    P0,
    P1,
    P2,
    Reader,
}

use Holder::{P0, P1, P2};

/// Nobody: only the reader sees it.
pub(crate) const NOBODY: &[Holder] = &[];
/// All three parties.
pub(crate) const ALL: &[Holder] = &[P0, P1, P2];
/// Both primaries.
pub(crate) const PRIMARIES: &[Holder] = &[P0, P1];

/// A value with its name in the paper, and who knows it: who holds it, was sent it, or can add it up from what it holds.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) holder: Holder,
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
    pub(crate) known: Vec<Holder>,
    /// A single word, not a vector of length one.
    pub(crate) scalar: bool,
    /// It appeared, or changed, in this step.
    pub(crate) new: bool,
    /// How its words came to their places in this step, if they were moved.
    pub(crate) moved: Option<Moved>,
}

/// How the words of a vector move, all at once. Every party knows how far.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Moved {
    /// What was at j is at j + S mod n.
    Turned(u64),
    /// What was at j is at j XOR S.
    Xored(u64),
}

/// One value on its way from one party to one or two others.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Message {
    pub(crate) from: Holder,
    pub(crate) to: Vec<Holder>,
    pub(crate) what: String,
    pub(crate) value: String,
    pub(crate) known: Vec<Holder>,
    pub(crate) new: bool,
}

/// The table after one step. In `text`, symbols stand between backticks.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) line: &'static str,
    pub(crate) text: &'static str,
    pub(crate) entries: Vec<Entry>,
    pub(crate) messages: Vec<Message>,
    /// The place of all vectors that a scan has come to.
    pub(crate) at: Option<usize>,
}

/// The table, and its past.
#[derive(Default)]
pub(crate) struct Board {
    entries: Vec<Entry>,
    messages: Vec<Message>,
    at: Option<usize>,
    steps: Vec<Step>,
}

impl Board {
    /// A vector comes to lie on a card, in the place of the one that had its name.
    pub(crate) fn vector<W: Ring>(&mut self, holder: Holder, name: &str, words: &[W], known: &[Holder]) {
        self.moved_vector(holder, name, words, known, None);
    }

    /// The same, of a vector whose words have been moved.
    pub(crate) fn moved_vector<W: Ring>(
        &mut self,
        holder: Holder,
        name: &str,
        words: &[W],
        known: &[Holder],
        moved: Option<Moved>,
    ) {
        let words = words.iter().map(|word| word.to_u64().to_string()).collect();
        let (name, known) = (name.to_owned(), known.to_vec());
        self.put(Entry { holder, name, words, known, scalar: false, new: true, moved });
    }

    /// What was on a card is used up, and gone.
    pub(crate) fn remove(&mut self, holder: Holder, name: &str) {
        self.entries.retain(|entry| entry.holder != holder || entry.name != name);
    }

    /// A single value comes to lie on a card.
    pub(crate) fn scalar(
        &mut self,
        holder: Holder,
        name: &str,
        value: impl Display + Copy,
        known: &[Holder],
    ) {
        self.put(Entry {
            holder,
            name: name.to_owned(),
            words: vec![value.to_string()],
            known: known.to_vec(),
            scalar: true,
            new: true,
            moved: None,
        });
    }

    fn put(&mut self, entry: Entry) {
        match self.entries.iter_mut().find(|old| old.holder == entry.holder && old.name == entry.name) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    /// A value is sent.
    pub(crate) fn send(
        &mut self,
        (from, to): (Holder, &[Holder]),
        what: &str,
        value: impl Display + Copy,
        known: &[Holder],
    ) {
        self.messages.push(Message {
            from,
            to: to.to_vec(),
            what: what.to_owned(),
            value: value.to_string(),
            known: known.to_vec(),
            new: true,
        });
    }

    /// All who scan are at this place.
    pub(crate) fn at(&mut self, place: usize) {
        self.at = Some(place);
    }

    /// Ends a step: from now on all that lies there is old.
    pub(crate) fn step(&mut self, line: &'static str, text: &'static str) {
        let (entries, messages) = (self.entries.clone(), self.messages.clone());
        self.steps.push(Step { line, text, entries, messages, at: self.at.take() });
        for entry in &mut self.entries {
            (entry.new, entry.moved) = (false, None);
        }
        self.messages.iter_mut().for_each(|message| message.new = false);
    }

    /// All steps.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }
}
