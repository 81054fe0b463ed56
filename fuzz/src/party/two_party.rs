//! A party of the two-party protocol.

use duoram_reference::two_party::{self, Compute, Pir, Primary};
use duoram_reference::{Error, Frame, Parameters, Party, Role, Word};
use duoram_runtime::two_party::Share;

use super::Player;

/// `D_b`, as a computation keeps it.
pub trait Held {
    /// n words.
    fn held(&self) -> &[Word];
}

impl Held for two_party::Memory {
    fn held(&self) -> &[Word] {
        &self.memory_share
    }
}

impl Held for Share {
    fn held(&self) -> &[Word] {
        self.words()
    }
}

/// P0 or P1. There is no P2: whoever asks for it gets P1.
pub struct AnyParty<C: Compute, P: Pir>(Primary<C, P>);

impl<C: Compute + Clone, P: Pir> AnyParty<C, P> {
    /// A party before the first step.
    pub fn new(role: Role, parameters: Parameters, seed: [u8; 32], computation: &C, pir: P) -> Self {
        let primary = Primary::new(seat(role), parameters, seed, computation.clone(), pir);
        Self(primary.expect("a primary, and answers that fit"))
    }
}

/// The role that is played for a role of three.
pub fn seat(role: Role) -> Role {
    if role == Role::P0 { Role::P0 } else { Role::P1 }
}

impl<C: Compute, P: Pir> Player for AnyParty<C, P>
where
    C::Memory: Held,
{
    /// `D_b`.
    type View = Vec<Word>;

    fn common(&mut self) -> &mut dyn Party {
        &mut self.0
    }

    fn load(&mut self, share: &[Word]) -> Result<Vec<Frame>, Error> {
        self.0.load(share.to_vec())
    }

    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.0.read(addresses)
    }

    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        self.0.update(updates)
    }

    fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.0.write(address, value)
    }

    fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.0.swap(address, value)
    }

    fn take_results(&mut self) -> Vec<Word> {
        self.0.take_results()
    }

    fn view(&self) -> Vec<Word> {
        self.0.memory().held().to_vec()
    }
}
