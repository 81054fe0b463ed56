//! The protocols: their parties, how they share words, what their operations use, and what must hold between their states.

use duoram_reference::lean::{self, Helper as LeanHelper, Lean, Primary0, Primary1};
use duoram_reference::two_party::{PlainPir, Primary as OneOfTwo, TwoParty};
use duoram_reference::{
    Batch, Helper, Kind, Lasting, Paper, Parameters, Plain, Primary, Protocol as _, Role, Word,
};

use crate::remembered::Remembering;

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

impl Visible for OneOfTwo<Remembering> {
    fn memory(&self) -> Vec<Vec<Word>> {
        vec![Self::memory(self).memory_share.clone()]
    }
}

/// What the parties speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Protocol {
    /// The paper's.
    Paper,
    /// The lean one.
    Lean,
    /// That of two parties, with the PIR that sends the whole masked table.
    TwoParty,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Paper, Self::Lean, Self::TwoParty];

    /// Those of three parties.
    pub const OF_THREE: [Self; 2] = [Self::Paper, Self::Lean];

    /// Its name on the command line and in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Lean => "lean",
            Self::TwoParty => "two-party",
        }
    }

    /// The parties that take part, in order: the first of [`Role::ALL`].
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::Paper => Paper::ROLES,
            Self::Lean => Lean::ROLES,
            Self::TwoParty => TwoParty::ROLES,
        }
    }

    /// The others, of a party that takes part, in order.
    pub fn peers(self, role: Role) -> impl Iterator<Item = Role> {
        self.roles().iter().copied().filter(move |peer| *peer != role)
    }

    /// The links, each by its ends.
    pub fn links(self) -> Vec<[Role; 2]> {
        let all = Role::ALL.map(Role::peers);
        all.into_iter().filter(|ends| ends.iter().all(|end| self.roles().contains(end))).collect()
    }

    /// A kind of message, by its number.
    pub fn kind(self, number: u8) -> Option<Kind> {
        match self {
            Self::Paper => Paper::kind(number),
            Self::Lean => Lean::kind(number),
            Self::TwoParty => TwoParty::kind(number),
        }
    }

    /// A party that has done nothing yet.
    ///
    /// # Panics
    ///
    /// If it takes no part: P0 and P1 always do.
    pub fn party(self, role: Role, parameters: Parameters, seed: [u8; 32]) -> Box<dyn Visible> {
        match (self, role) {
            (Self::Paper, Role::P2) => Box::new(Helper::lasting(parameters, seed, Plain)),
            (Self::Paper, primary) => {
                Box::new(Primary::lasting(primary, parameters, seed, Plain).expect("a primary"))
            }
            (Self::Lean, Role::P0) => Box::new(Primary0::lasting(parameters, seed, lean::Plain)),
            (Self::Lean, Role::P1) => Box::new(Primary1::lasting(parameters, seed, lean::Plain)),
            (Self::Lean, Role::P2) => Box::new(LeanHelper::lasting(parameters, seed, lean::Plain)),
            (Self::TwoParty, one) => {
                Box::new(OneOfTwo::lasting(one, parameters, seed, Remembering, PlainPir).expect("one of two"))
            }
        }
    }

    /// What is added where words are shared: a word and a change, or two shares.
    pub const fn add(self, a: Word, b: Word) -> Word {
        match self {
            Self::Paper | Self::TwoParty => a.wrapping_add(b),
            Self::Lean => a ^ b,
        }
    }

    /// The other share of a word.
    pub const fn rest(self, word: Word, share: Word) -> Word {
        match self {
            Self::Paper | Self::TwoParty => word.wrapping_sub(share),
            Self::Lean => word ^ share,
        }
    }

    /// What a WRITE uses.
    pub const fn write_items(self) -> Batch {
        match self {
            Self::Paper | Self::TwoParty => Batch { reads: 1, updates: 1 },
            Self::Lean => Batch { reads: 0, updates: 1 },
        }
    }

    /// The steps of a WRITE.
    pub const fn write_steps(self) -> usize {
        match self {
            Self::Paper => 2,
            Self::Lean | Self::TwoParty => 1,
        }
    }

    /// What the states of all say together: share by share as the lemmas have it, and the memory.
    ///
    /// # Errors
    ///
    /// What does not hold.
    pub fn check(self, states: &[Vec<Vec<Word>>], memory: &[Word]) -> Result<(), &'static str> {
        let sum = |a: &[Word], b: &[Word]| -> Vec<Word> {
            a.iter().zip(b).map(|(a, b)| self.add(*a, *b)).collect()
        };
        let is = |held: bool, what| if held { Ok(()) } else { Err(what) };
        let states: Vec<&[Vec<Word>]> = states.iter().map(Vec::as_slice).collect();
        match (self, &states[..]) {
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
            (Self::TwoParty, [[share_0], [share_1]]) => {
                is(sum(share_0, share_1) == memory, "the shares are of the memory")
            }
            _ => Err("a state has other vectors"),
        }
    }
}
