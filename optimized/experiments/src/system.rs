//! What is measured: a workload, a system that answers it, and what is real in its numbers.

use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

use crate::Error;
use crate::cost::published::Published;
use crate::network::{Link, Spent};

/// What is real in a system's numbers; printed with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Honesty {
    /// What was done, and timed.
    pub real: &'static str,
    /// What was not done, but is counted exactly: bytes, messages, calls.
    pub counted: &'static str,
    /// What somebody else published.
    pub quoted: &'static str,
}

impl Honesty {
    /// What is real, what is counted and what is quoted, as far as there is any.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let parts = [("real", self.real), ("counted", self.counted), ("quoted", self.quoted)];
        parts.into_iter().filter(|(_, text)| !text.is_empty())
    }

    /// One word for a table: the weakest of what is in the numbers.
    pub const fn word(&self) -> &'static str {
        match (self.quoted.is_empty(), self.counted.is_empty()) {
            (false, _) => "quoted",
            (true, false) => "counted",
            (true, true) => "real",
        }
    }
}

/// What the operations of a workload are. They depend on one another: each is a step of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// READs.
    Read,
    /// WRITEs.
    Write,
    /// UPDATEs.
    Update,
    /// A READ and a WRITE in turn, so many of each: the paper's text.
    Interleaved,
    /// A READ and an UPDATE in turn, so many of each: what the paper's artifact sends for `readwrite`.
    ReadUpdate,
}

impl Kind {
    /// All, in order.
    pub const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Update, Self::Interleaved, Self::ReadUpdate];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Update => "update",
            Self::Interleaved => "interleaved",
            Self::ReadUpdate => "readwrite",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// What a system is given to do. Every system gets the same from the same seed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Workload {
    /// lg of the number of words.
    pub log_size: u32,
    /// What the operations are.
    pub kind: Kind,
    /// How many operations; of the kinds of two, how many of each.
    pub operations: usize,
    /// Where addresses, values and the words at the start come from.
    pub seed: [u8; 32],
}

/// A step of a workload: one operation, in the clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Answers the word at an address.
    Read {
        /// Below n.
        address: u64,
    },
    /// Sets the word at an address.
    Write {
        /// Below n.
        address: u64,
        /// The new word.
        value: u64,
    },
    /// Puts something into the word at an address: what that is, a sum or an XOR, is the system's choice.
    Update {
        /// Below n.
        address: u64,
        /// What is put in.
        delta: u64,
    },
}

impl Workload {
    /// n
    pub const fn size(&self) -> u64 {
        1 << self.log_size
    }

    /// The words before the first step, of which no two neighbours are alike.
    pub fn memory(&self) -> Vec<u64> {
        let start = ChaCha20Rng::from_seed(self.seed).next_u64();
        // An odd factor: all words differ.
        (0..self.size()).map(|index| start ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    }

    /// The steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let mut stream = ChaCha20Rng::from_seed(self.seed);
        stream.set_stream(1);
        let (size, kind) = (self.size(), self.kind);
        let steps = match kind {
            Kind::Interleaved | Kind::ReadUpdate => 2 * self.operations,
            Kind::Read | Kind::Write | Kind::Update => self.operations,
        };
        (0..steps).map(move |step| {
            let (address, value) = (stream.next_u64() % size, stream.next_u64());
            match (kind, step % 2) {
                (Kind::Read, _) | (Kind::Interleaved | Kind::ReadUpdate, 0) => Step::Read { address },
                (Kind::Write | Kind::Interleaved, _) => Step::Write { address, value },
                (Kind::Update | Kind::ReadUpdate, _) => Step::Update { address, delta: value },
            }
        })
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} of 2^{} words", self.operations, self.kind, self.log_size)
    }
}

/// An array that does what a system should have done.
pub struct Array {
    words: Vec<u64>,
    update: fn(u64, u64) -> u64,
}

impl Array {
    /// The workload's words; `update` is what an UPDATE does to a word.
    pub fn new(workload: &Workload, update: fn(u64, u64) -> u64) -> Self {
        Self { words: workload.memory(), update }
    }

    /// Does a step. What a READ answers.
    ///
    /// # Panics
    ///
    /// If the address is not below n.
    pub fn perform(&mut self, step: Step) -> Option<u64> {
        #[allow(clippy::cast_possible_truncation, reason = "addresses are below n, which is a length")]
        let at = |address: u64| address as usize;
        match step {
            Step::Read { address } => return Some(self.words[at(address)]),
            Step::Write { address, value } => self.words[at(address)] = value,
            Step::Update { address, delta } => {
                let word = &mut self.words[at(address)];
                *word = (self.update)(*word, delta);
            }
        }
        None
    }

    /// Does a step, and compares what the system answered it: nothing, unless it was a READ.
    ///
    /// # Errors
    ///
    /// [`Error::WrongAnswer`]; nothing where a word was due counts as 0.
    ///
    /// # Panics
    ///
    /// See [`Self::perform`].
    pub fn check(
        &mut self,
        system: &'static str,
        place: usize,
        step: Step,
        got: Option<u64>,
    ) -> Result<(), Error> {
        match self.perform(step) {
            Some(expected) if got != Some(expected) => {
                Err(Error::WrongAnswer { system, step: place, expected, got: got.unwrap_or_default() })
            }
            _ => Ok(()),
        }
    }
}

/// What a workload took.
#[derive(Clone, PartialEq, Debug)]
pub struct Phases {
    /// Before the addresses are known. Nothing, of a system that does not prepare.
    pub preparing: Spent,
    /// From the first operation to the last.
    pub online: Spent,
}

impl Phases {
    /// Both, one after the other.
    pub fn total(&self) -> Spent {
        self.preparing.then(&self.online)
    }
}

/// How a quantity grows with n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// As `a + b lg n`.
    Logarithm,
    /// As a power of `lg n`.
    PowerOfLogarithm,
    /// As n, from the largest size that was measured.
    Linear,
    /// As a power of n.
    Power,
}

/// How what a system takes grows with n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The time that computing takes.
    pub computing: Law,
    /// What is sent.
    pub bytes: Law,
    /// The messages, and those that have to wait for one another.
    pub messages: Law,
}

/// Something that holds words and answers a workload.
pub trait System {
    /// The name in tables: what it is, and if it is not secure, that.
    fn name(&self) -> &'static str;

    /// What is real in its numbers.
    fn honesty(&self) -> Honesty;

    /// Whether it has such operations, and can be run at this size here.
    fn takes(&self, workload: &Workload) -> bool;

    /// Has each party compute with so many threads from now on; whether it can.
    fn set_threads(&mut self, threads: usize) -> bool {
        threads == 1
    }

    /// How what it takes grows with n, where that is known: then sizes that fit no memory here are extrapolated, and called so.
    fn growth(&self) -> Option<Growth> {
        None
    }

    /// Whether it hides addresses and words from each of several parties, as DUORAM does. Else it is shown beside the others, and
    /// never said to be better or worse than they are.
    fn is_of_parties(&self) -> bool {
        true
    }

    /// What its authors, or others, published of the system that it stands for, beside what it does on the same here. Nothing, of
    /// a system that stands for no other.
    ///
    /// # Errors
    ///
    /// See [`Self::run`].
    fn published(&self) -> Result<Vec<Published>, Error> {
        Ok(Vec::new())
    }

    /// The same as [`Self::run`] by the clock on the wall, over links that sleep, where it can be so run.
    fn run_with_sleeps(&mut self, _workload: &Workload, _link: Link) -> Option<Result<Phases, Error>> {
        None
    }

    /// What preparing takes, and then answering. Loading the words at the start counts for neither. Answers are checked against
    /// an [`Array`].
    ///
    /// # Errors
    ///
    /// [`Error::WrongAnswer`]; whatever stopped the system.
    fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload(kind: Kind) -> Workload {
        Workload { log_size: 4, kind, operations: 3, seed: [7; 32] }
    }

    #[test]
    fn a_workload_is_the_same_whenever_it_is_asked_for() {
        for kind in Kind::ALL {
            let workload = workload(kind);
            assert!(workload.steps().eq(workload.steps()));
            assert_eq!(workload.memory(), workload.memory());
            let other = Workload { seed: [8; 32], ..workload };
            assert!(!workload.steps().eq(other.steps()) && workload.memory() != other.memory());
        }
    }

    #[test]
    fn kinds_of_two_are_so_many_of_each_in_turn() {
        let letters = |kind| {
            let letter = |step| match step {
                Step::Read { address } => (address < 16).then_some('r'),
                Step::Write { address, .. } => (address < 16).then_some('w'),
                Step::Update { address, .. } => (address < 16).then_some('u'),
            };
            workload(kind).steps().map(letter).collect::<Option<String>>().unwrap()
        };
        assert_eq!(Kind::ALL.map(letters), ["rrr", "www", "uuu", "rwrwrw", "rururu"]);
    }

    #[test]
    fn an_array_finds_a_wrong_answer() {
        let workload = workload(Kind::Read);
        let mut array = Array::new(&workload, u64::wrapping_add);
        let word = workload.memory()[2];
        let read = Step::Read { address: 2 };
        array.check("s", 0, read, Some(word)).unwrap();
        for (step, expected) in [
            (Step::Update { address: 2, delta: 5 }, word.wrapping_add(5)),
            (Step::Write { address: 2, value: 9 }, 9),
        ] {
            array.check("s", 1, step, None).unwrap();
            array.check("s", 2, read, Some(expected)).unwrap();
            let wrong = array.check("s", 3, read, Some(!expected)).unwrap_err();
            assert!(matches!(wrong, Error::WrongAnswer { step: 3, .. }), "{wrong}");
            assert!(array.check("s", 4, read, None).is_err());
        }
    }

    #[test]
    fn one_word_says_how_honest_a_number_is() {
        let word = |real, counted, quoted| Honesty { real, counted, quoted }.word();
        assert_eq!(
            [word("all", "", ""), word("some", "rest", ""), word("", "x", "y")],
            ["real", "counted", "quoted"]
        );
    }
}
