//! The local computation that the parties use, and what can be observed of it.

use duoram_reference::{Compute, HelperMemory, Plain, PrimaryMemory, Word};
use duoram_spec::memory::{HelperState, PrimaryState};

use crate::check::state::PrimaryView;

/// A [`Compute`] that has a name and whose memory can be looked at in the specification's terms.
///
/// Everything in this crate is generic over it, so that a kernel needs no more than this to be run, measured and checked.
pub trait Backend: Compute + Clone + Send + 'static {
    /// The name that `run` and `bench` print: which computation is in use is never left to guess.
    fn name(&self) -> &'static str;

    /// A primary's memory in the specification's terms.
    fn primary_state(memory: &Self::PrimaryMemory) -> PrimaryView;

    /// The helper's blinds as the paper has them.
    fn helper_state(memory: &Self::HelperMemory) -> HelperState<Word>;

    /// How many bytes a primary keeps between operations.
    fn primary_bytes(memory: &Self::PrimaryMemory) -> u64;

    /// How many bytes the helper keeps between operations.
    fn helper_bytes(memory: &Self::HelperMemory) -> u64;
}

/// The bytes of some vectors of words.
fn bytes(vectors: &[&[Word]]) -> u64 {
    vectors.iter().map(|vector| size_of_val(*vector) as u64).sum()
}

impl Backend for Plain {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn primary_state(memory: &PrimaryMemory) -> PrimaryView {
        PrimaryView::Paper(PrimaryState {
            memory_share: memory.memory_share.clone(),
            blind: memory.blind.clone(),
            blinded: memory.blinded.clone(),
        })
    }

    fn helper_state(memory: &HelperMemory) -> HelperState<Word> {
        HelperState { blind_0: memory.blind_0.clone(), blind_1: memory.blind_1.clone() }
    }

    fn primary_bytes(memory: &PrimaryMemory) -> u64 {
        bytes(&[&memory.memory_share, &memory.blind, &memory.blinded])
    }

    fn helper_bytes(memory: &HelperMemory) -> u64 {
        bytes(&[&memory.blind_0, &memory.blind_1])
    }
}
