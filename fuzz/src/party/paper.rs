//! A party of the paper's protocol.

use duoram_conformance::paper::view::{Inspect, PrimaryView};
use duoram_reference::{Error, Frame, Helper, Parameters, Party, Primary, Role, Word};
use duoram_spec::paper::compressed::compress;
use duoram_spec::paper::memory::{HelperState, State};

use super::Player;

/// P0, P1 or P2.
pub enum AnyParty<C: Inspect> {
    /// P0 or P1.
    Primary(Box<Primary<C>>),
    /// P2.
    Helper(Box<Helper<C>>),
}

/// What a party holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    /// P0 or P1.
    Primary(PrimaryView),
    /// P2.
    Helper(HelperState<Word>),
}

impl View {
    /// What the specification says that a party holds.
    pub fn specified(role: Role, state: &State<Word>) -> Self {
        match role {
            Role::P0 => Self::Primary(PrimaryView::Paper(state.p0.clone())),
            Role::P1 => Self::Primary(PrimaryView::Paper(state.p1.clone())),
            Role::P2 => Self::Helper(state.p2.clone()),
        }
    }

    /// Whether this, the paper's state, is what a computation holds, in full or compressed.
    pub fn is(&self, got: &Self) -> bool {
        match (self, got) {
            (
                Self::Primary(PrimaryView::Paper(paper)),
                Self::Primary(PrimaryView::Compressed(compressed)),
            ) => compress(paper) == *compressed,
            _ => self == got,
        }
    }
}

impl<C: Inspect> AnyParty<C> {
    /// A party before the first step.
    pub fn new(role: Role, parameters: Parameters, seed: [u8; 32], computation: &C) -> Self {
        let computation = computation.clone();
        if role == Role::P2 {
            return Self::Helper(Box::new(Helper::new(parameters, seed, computation)));
        }
        let primary = Primary::new(role, parameters, seed, computation);
        Self::Primary(Box::new(primary.expect("the role of a primary")))
    }
}

impl<C: Inspect> Player for AnyParty<C> {
    type View = View;

    fn common(&mut self) -> &mut dyn Party {
        match self {
            Self::Primary(primary) => &mut **primary,
            Self::Helper(helper) => &mut **helper,
        }
    }

    fn load(&mut self, share: &[Word]) -> Result<Vec<Frame>, Error> {
        match self {
            Self::Primary(primary) => primary.load(share.to_vec()),
            Self::Helper(helper) => helper.load().map(|()| Vec::new()),
        }
    }

    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        match self {
            Self::Primary(primary) => primary.read(addresses),
            Self::Helper(helper) => helper.read(addresses.len()).map(|()| Vec::new()),
        }
    }

    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        match self {
            Self::Primary(primary) => primary.update(updates),
            Self::Helper(helper) => helper.update(updates.len()).map(|()| Vec::new()),
        }
    }

    fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        match self {
            Self::Primary(primary) => primary.write(address, value),
            Self::Helper(helper) => helper.write().map(|()| Vec::new()),
        }
    }

    /// The old word is the result of a WRITE's READ.
    fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.write(address, value)
    }

    fn take_results(&mut self) -> Vec<Word> {
        match self {
            Self::Primary(primary) => primary.take_results(),
            Self::Helper(_) => Vec::new(),
        }
    }

    fn view(&self) -> View {
        match self {
            Self::Primary(primary) => View::Primary(C::primary_view(primary.memory())),
            Self::Helper(helper) => View::Helper(C::helper_view(helper.memory())),
        }
    }
}
