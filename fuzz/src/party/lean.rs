//! A party of the lean protocol.

use duoram_conformance::lean::view::Inspect;
use duoram_reference::lean::{Helper, Primary, Primary0, Primary1};
use duoram_reference::{Error, Frame, Parameters, Party, Role, Word};

use super::Player;

/// P0, P1 or P2.
pub enum AnyParty<C: Inspect> {
    /// P0.
    P0(Box<Primary0<C>>),
    /// P1.
    P1(Box<Primary1<C>>),
    /// P2.
    P2(Box<Helper<C>>),
}

impl<C: Inspect> AnyParty<C> {
    /// A party before the first step.
    pub fn new(role: Role, parameters: Parameters, seed: [u8; 32], computation: &C) -> Self {
        let computation = computation.clone();
        match role {
            Role::P0 => Self::P0(Box::new(Primary0::new(parameters, seed, computation))),
            Role::P1 => Self::P1(Box::new(Primary1::new(parameters, seed, computation))),
            Role::P2 => Self::P2(Box::new(Helper::new(parameters, seed, computation))),
        }
    }

    /// The call at a primary, or the one at the helper, which sends nothing at once.
    fn either(
        &mut self,
        primary: impl FnOnce(&mut dyn Primary) -> Result<Vec<Frame>, Error>,
        helper: impl FnOnce(&mut Helper<C>) -> Result<(), Error>,
    ) -> Result<Vec<Frame>, Error> {
        match self {
            Self::P0(party) => primary(&mut **party),
            Self::P1(party) => primary(&mut **party),
            Self::P2(party) => helper(party).map(|()| Vec::new()),
        }
    }
}

impl<C: Inspect> Player for AnyParty<C> {
    /// The vectors of one or both sharings.
    type View = Vec<Vec<Word>>;

    fn common(&mut self) -> &mut dyn Party {
        match self {
            Self::P0(party) => &mut **party,
            Self::P1(party) => &mut **party,
            Self::P2(party) => &mut **party,
        }
    }

    fn load(&mut self, share: &[Word]) -> Result<Vec<Frame>, Error> {
        self.either(|primary| primary.load(share.to_vec()), Helper::load)
    }

    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.either(|primary| primary.read(addresses), |helper| helper.read(addresses.len()))
    }

    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        self.either(|primary| primary.update(updates), |helper| helper.update(updates.len()))
    }

    fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.either(|primary| primary.write(address, value), Helper::write)
    }

    fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.either(|primary| primary.swap(address, value), Helper::swap)
    }

    fn take_results(&mut self) -> Vec<Word> {
        match self {
            Self::P0(party) => party.take_results(),
            Self::P1(party) => party.take_results(),
            Self::P2(_) => Vec::new(),
        }
    }

    fn view(&self) -> Vec<Vec<Word>> {
        let both = |memory| C::both_view(memory).map(<[Word]>::to_vec).to_vec();
        match self {
            Self::P0(party) => both(party.memory()),
            Self::P1(party) => vec![C::alpha_view(party.memory()).to_vec()],
            Self::P2(party) => both(party.memory()),
        }
    }
}
