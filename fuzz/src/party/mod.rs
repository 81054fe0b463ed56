//! One party, whatever its role, for the targets that play its peers.

pub mod lean;
pub mod paper;
pub mod two_party;

use duoram_reference::{Error, Frame, Party, Word};

/// A party of a protocol. Errors are those of the protocol's party.
#[allow(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait Player {
    /// What a party holds.
    type View;

    /// What all parties have in common.
    fn common(&mut self) -> &mut dyn Party;

    /// Starts a load; the helper has no share.
    fn load(&mut self, share: &[Word]) -> Result<Vec<Frame>, Error>;

    /// Starts READs; the helper is told their number.
    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error>;

    /// Starts UPDATEs; the helper is told their number.
    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error>;

    /// Starts a WRITE.
    fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error>;

    /// Starts a SWAP.
    fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error>;

    /// The results of the last READ step; a helper has none.
    fn take_results(&mut self) -> Vec<Word>;

    /// What it holds.
    fn view(&self) -> Self::View;
}
