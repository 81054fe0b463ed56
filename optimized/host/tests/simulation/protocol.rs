//! The protocols, as hosts know them: their parties with the reference's own computation, how they share words, and what the engine is told.

use duoram_host::engine::ProtocolFacts;
use duoram_host::serve::facts;
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Error, Lasting, Paper, Parameters, Role, Word};
use duoram_runtime::protocol::{Rules, Runs};

/// A party, if there is one of the role.
type Made = Result<Box<dyn Lasting>, Error>;

/// A protocol, chosen once.
#[derive(Clone, Copy)]
pub(crate) struct Protocol {
    pub(crate) facts: ProtocolFacts,
    /// A party that has done nothing yet.
    pub(crate) party: fn(Role, Parameters, [u8; 32]) -> Made,
    /// Two shares of a word, of which the first is the second argument.
    pub(crate) share: fn(Word, Word) -> [Word; 2],
    /// The word of two shares; what becomes of a word by an UPDATE.
    pub(crate) open: fn([Word; 2]) -> Word,
}

impl Protocol {
    /// All of them.
    pub(crate) fn all() -> [Self; 3] {
        [Self::of::<Paper>(), Self::of::<Lean>(), Self::of::<TwoParty>()]
    }

    fn of<P: Runs<<P as Rules>::Plain>>() -> Self {
        Self {
            facts: facts::<P>(),
            party: |role, parameters, seed| P::lasting(role, parameters, seed, P::Plain::default()),
            share: P::share,
            open: P::open,
        }
    }

    /// The parties that take part.
    pub(crate) const fn roles(&self) -> &'static [Role] {
        self.facts.roles
    }
}
