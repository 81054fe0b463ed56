//! A party of two that is checked: see [`crate::paper::Watched`].

use duoram_reference::two_party::{self, ChildSums, Compute, Correction, LeafSums, TwoParty, UpdateQuery};
use duoram_reference::{Block, Role, SessionKey, Word};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation};
use duoram_runtime::two_party::Retrieving;

use super::View;
use crate::slots;

/// A local computation that can be run and watched. What it holds is what it would save.
pub trait Inspect: LocalComputation + Compute + Retrieving + Footprint<TwoParty> {}

impl Inspect for two_party::Plain {}

impl Inspect for Fast {}

/// Where the copies of both parties' shares are.
pub type Slots = slots::Slots<[Option<Vec<Word>>; 2]>;

impl Slots {
    /// What both hold; `None` before both have a memory. To be asked between two steps.
    pub fn view(&self) -> Option<View> {
        self.with(|[share_0, share_1]| Some([share_0.clone()?, share_1.clone()?]))
    }
}

/// The local computation of one party, which is watched.
#[derive(Clone)]
pub struct Watched<C> {
    inner: C,
    role: Role,
    slots: Slots,
}

impl<C: Inspect> Watched<C> {
    /// The computation of the party with this role, which writes its copies to `slots`.
    pub fn new(inner: C, role: Role, slots: Slots) -> Self {
        Self { inner, role, slots }
    }

    fn copy(&self, memory: &C::Memory) {
        let copy = self.inner.words(memory).to_vec();
        self.slots.with(|shares| {
            if let Some(share) = shares.get_mut(self.role.index()) {
                *share = Some(copy);
            }
        });
    }
}

impl<C: Inspect> Compute for Watched<C> {
    type Memory = C::Memory;
    type Forest = C::Forest;

    fn memory(&self, memory_share: Vec<Word>) -> C::Memory {
        let memory = self.inner.memory(memory_share);
        self.copy(&memory);
        memory
    }

    fn words<'a>(&self, memory: &'a C::Memory) -> &'a [Word] {
        self.inner.words(memory)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> C::Forest {
        self.inner.plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut C::Forest) -> Vec<ChildSums> {
        self.inner.grow(forest)
    }

    fn correct(&self, forest: &mut C::Forest, corrections: &[Correction]) {
        self.inner.correct(forest, corrections);
    }

    fn leaf_sums(&self, forest: C::Forest) -> Vec<LeafSums> {
        self.inner.leaf_sums(forest)
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut C::Memory, queries: &[UpdateQuery]) {
        self.inner.update(key, role, memory, queries);
        self.copy(memory);
    }
}

impl<C: Inspect> Retrieving for Watched<C> {
    type Pir = C::Pir;

    fn pir(&self) -> C::Pir {
        self.inner.pir()
    }
}

impl<C: Inspect> LocalComputation for Watched<C> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn threads(&self) -> usize {
        self.inner.threads()
    }
}

impl<C: Inspect> Footprint<TwoParty> for Watched<C> {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        self.inner.state_bytes(extent)
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        self.inner.item_bytes(extent)
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        self.inner.kept_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        self.inner.session_bytes(extent, items)
    }
}
