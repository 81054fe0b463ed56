//! The two protocols: their parties, how they share words, what their operations use, and what must hold between their states.

use duoram_reference::lean::{self, Helper as LeanHelper, Lean, Primary0, Primary1};
use duoram_reference::{
    Batch, Helper, Kind, Lasting, Paper, Parameters, Plain, Primary, Protocol as _, Role, Word,
};

/// A party whose memory the simulation may look at.
pub trait Visible: Lasting {
    /// The vectors of n words that it holds, in the order in which its type names them.
    fn memory(&self) -> Vec<Vec<Word>>;
}

impl Visible for Primary {
    fn memory(&self) -> Vec<Vec<Word>> {
        let memory = Self::memory(self);
        [&memory.memory_share, &memory.blind, &memory.blinded].map(Clone::clone).to_vec()
    }
}

impl Visible for Helper {
    fn memory(&self) -> Vec<Vec<Word>> {
        let memory = Self::memory(self);
        [&memory.blind_0, &memory.blind_1].map(Clone::clone).to_vec()
    }
}

impl Visible for Primary0 {
    fn memory(&self) -> Vec<Vec<Word>> {
        let memory = Self::memory(self);
        [&memory.alpha, &memory.beta].map(Clone::clone).to_vec()
    }
}

impl Visible for Primary1 {
    fn memory(&self) -> Vec<Vec<Word>> {
        vec![Self::memory(self).alpha.clone()]
    }
}

impl Visible for LeanHelper {
    fn memory(&self) -> Vec<Vec<Word>> {
        let memory = Self::memory(self);
        [&memory.alpha, &memory.beta].map(Clone::clone).to_vec()
    }
}

/// What the parties speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Protocol {
    /// The paper's.
    Paper,
    /// The lean one.
    Lean,
}

impl Protocol {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Paper, Self::Lean];

    /// Its name on the command line and in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Lean => "lean",
        }
    }

    /// A kind of message, by its number.
    pub fn kind(self, number: u8) -> Option<Kind> {
        match self {
            Self::Paper => Paper::kind(number),
            Self::Lean => Lean::kind(number),
        }
    }

    /// A party that has done nothing yet.
    ///
    /// # Panics
    ///
    /// Never: P0 and P1 are primaries.
    pub fn party(self, role: Role, parameters: Parameters, seed: [u8; 32]) -> Box<dyn Visible> {
        match (self, role) {
            (Self::Paper, Role::P2) => Box::new(Helper::lasting(parameters, seed, Plain)),
            (Self::Paper, primary) => {
                Box::new(Primary::lasting(primary, parameters, seed, Plain).expect("a primary"))
            }
            (Self::Lean, Role::P0) => Box::new(Primary0::lasting(parameters, seed, lean::Plain)),
            (Self::Lean, Role::P1) => Box::new(Primary1::lasting(parameters, seed, lean::Plain)),
            (Self::Lean, Role::P2) => Box::new(LeanHelper::lasting(parameters, seed, lean::Plain)),
        }
    }

    /// What is added where words are shared: a word and a change, or two shares.
    pub const fn add(self, a: Word, b: Word) -> Word {
        match self {
            Self::Paper => a.wrapping_add(b),
            Self::Lean => a ^ b,
        }
    }

    /// The other share of a word.
    pub const fn rest(self, word: Word, share: Word) -> Word {
        match self {
            Self::Paper => word.wrapping_sub(share),
            Self::Lean => word ^ share,
        }
    }

    /// What a WRITE uses.
    pub const fn write_items(self) -> Batch {
        match self {
            Self::Paper => Batch { reads: 1, updates: 1 },
            Self::Lean => Batch { reads: 0, updates: 1 },
        }
    }

    /// The steps of a WRITE.
    pub const fn write_steps(self) -> usize {
        match self {
            Self::Paper => 2,
            Self::Lean => 1,
        }
    }

    /// What the states of the three say together: share by share as the lemmas have it, and the memory.
    ///
    /// # Errors
    ///
    /// What does not hold.
    pub fn check(self, states: &[Vec<Vec<Word>>; 3], memory: &[Word]) -> Result<(), &'static str> {
        let sum = |a: &[Word], b: &[Word]| -> Vec<Word> {
            a.iter().zip(b).map(|(a, b)| self.add(*a, *b)).collect()
        };
        let is = |held: bool, what| if held { Ok(()) } else { Err(what) };
        match (self, states.each_ref().map(Vec::as_slice)) {
            (Self::Paper, [[share_0, blind_0, blinded_1], [share_1, blind_1, blinded_0], [of_0, of_1]]) => {
                is(sum(share_0, share_1) == memory, "Lemma 2: the shares are of the memory")?;
                is(sum(share_0, blind_0) == *blinded_0, "Lemma 3, b = 0")?;
                is(sum(share_1, blind_1) == *blinded_1, "Lemma 3, b = 1")?;
                is([blind_0, blind_1] == [of_0, of_1], "the helper's blinds")
            }
            (Self::Lean, [[a, h], [e], [a_2, b]]) => {
                is(a == a_2, "A is the same at P0 and P2")?;
                is(sum(a, e) == memory, "alpha is a sharing of the memory")?;
                is(sum(b, h) == memory, "beta is a sharing of the memory")
            }
            _ => Err("a state has other vectors"),
        }
    }
}
