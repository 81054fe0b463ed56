//! Where the crashes fell: a simulation whose crashes all fall into one place looks as fine as one that tests something.

use std::collections::BTreeMap;
use std::fmt;

/// A place at which a party may crash, of what is done with one input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Before an input: all that came from the last is done, as far as the disk allows.
    Input,
    /// An input was taken, and its record not appended.
    Append,
    /// The record was appended, and not synced.
    Appended,
    /// In the middle of a sync.
    Sync,
    /// All is synced, and nothing that waited for it was done.
    Synced,
    /// Before a snapshot.
    Snapshot,
    /// In the middle of one.
    Snapshotting,
    /// The snapshot is down, and nothing that waited for it was done.
    Snapshotted,
    /// Before a frame leaves; others may have left.
    Send,
    /// Before an acknowledgement leaves.
    Acknowledge,
    /// Before the client is told that a command was accepted.
    Accept,
    /// Before the client is given an answer.
    Answer,
    /// In the middle of a start.
    Start,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Input,
        Self::Append,
        Self::Appended,
        Self::Sync,
        Self::Synced,
        Self::Snapshot,
        Self::Snapshotting,
        Self::Snapshotted,
        Self::Send,
        Self::Acknowledge,
        Self::Accept,
        Self::Answer,
        Self::Start,
    ];
}

/// How many crashes there were, by place and by the step that was under way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    crashes: BTreeMap<(Place, &'static str), u64>,
}

impl Coverage {
    /// A crash; of a party that has something under way in both lanes, one in each.
    pub(crate) fn count(&mut self, place: Place, steps: &[&'static str]) {
        let nothing = ["-"];
        for step in if steps.is_empty() { &nothing } else { steps } {
            *self.crashes.entry((place, step)).or_default() += 1;
        }
    }

    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        for (place, count) in &other.crashes {
            *self.crashes.entry(*place).or_default() += count;
        }
    }

    /// The steps that a crash fell into, `-` for none.
    pub fn steps(&self) -> Vec<&'static str> {
        let mut steps: Vec<_> = self.crashes.keys().map(|(_, step)| *step).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// The crashes at a place in a step.
    pub fn at(&self, place: Place, step: &'static str) -> u64 {
        self.crashes.get(&(place, step)).copied().unwrap_or(0)
    }
}

/// A table, a line a place.
impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps();
        write!(formatter, "{:12}", "crashes")?;
        for step in &steps {
            write!(formatter, " {step:>10}")?;
        }
        for place in Place::ALL {
            write!(formatter, "\n{:12}", format!("{place:?}").to_lowercase())?;
            for step in &steps {
                write!(formatter, " {:>10}", self.at(place, step))?;
            }
        }
        Ok(())
    }
}
