//! The local computation that the parties use, and what can be observed of it.

use duoram_reference::{Compute, HelperMemory, Plain, PrimaryMemory, Word};
use duoram_spec::paper::memory::{HelperState, PrimaryState};

use crate::check::state::PrimaryView;
use crate::fast::Fast;

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

    /// How many bytes of labels the trees of one item take, at the least, in each primary.
    fn item_bytes(&self, log_size: u32) -> u64;

    /// How many bytes the three parties take in all while they prepare `items` items.
    fn session_bytes(&self, log_size: u32, items: u64) -> u64;

    /// How many threads each operation uses.
    fn threads(&self) -> usize;

    /// The kernels, if it is they: what is measured against the machine's limits.
    fn fast(&self) -> Option<&Fast> {
        None
    }
}

/// The bytes of some vectors of words.
fn bytes(vectors: &[&[Word]]) -> u64 {
    vectors.iter().map(|vector| size_of_val(*vector) as u64).sum()
}

impl Backend for Plain {
    fn name(&self) -> &'static str {
        "reference"
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

    fn item_bytes(&self, log_size: u32) -> u64 {
        // 16 bytes a label, of n leaves and of the n/2 nodes above them, in three trees.
        (3 * 24) << log_size
    }

    fn session_bytes(&self, log_size: u32, items: u64) -> u64 {
        // Each primary: 24 bytes a word of state, its trees, and at most 48 bytes a word while a key is evaluated. P2: 16
        // of state, 48 while it evaluates.
        ((2 * (24 + 48) + 16 + 48) << log_size) + 2 * items * self.item_bytes(log_size)
    }

    fn threads(&self) -> usize {
        1
    }
}
