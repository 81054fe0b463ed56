//! A party that is checked: it computes like any other, and writes a copy of its memory where the checker finds it.
//!
//! Parties answer no request for their state. What is watched is the local computation that a party is given: whenever its
//! memory is made or updated, a copy goes to a slot that the checker shares. Between two steps the slots therefore hold what
//! the three parties hold.

use duoram_reference::{
    Block, ChildSums, Compute, Correction, HelperReadQuery, HelperUpdateQuery, LeafSums, Paper, ReadQuery,
    Role, SessionKey, UpdateQuery, Word,
};
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation};
use duoram_spec::paper::memory::HelperState;

use super::view::{Inspect, PrimaryView, View};
use crate::slots;

/// What the three parties hold, as far as they have written it down.
#[derive(Default)]
pub struct Copies {
    primaries: [Option<PrimaryView>; 2],
    helper: Option<HelperState<Word>>,
}

/// Where the copies are.
pub type Slots = slots::Slots<Copies>;

impl Slots {
    /// What all three parties hold; `None` before all of them have a memory. To be asked between two steps.
    pub fn view(&self) -> Option<View> {
        self.with(|copies| {
            let [p0, p1] = &copies.primaries;
            Some(View { p0: p0.clone()?, p1: p1.clone()?, p2: copies.helper.clone()? })
        })
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

    fn show_primary(&self, memory: C::PrimaryMemory) -> C::PrimaryMemory {
        self.copy_primary(&memory);
        memory
    }

    fn show_helper(&self, memory: C::HelperMemory) -> C::HelperMemory {
        self.copy_helper(&memory);
        memory
    }

    fn copy_primary(&self, memory: &C::PrimaryMemory) {
        let view = C::primary_view(memory);
        self.slots.with(|copies| {
            if let Some(slot) = copies.primaries.get_mut(self.role.index()) {
                *slot = Some(view);
            }
        });
    }

    fn copy_helper(&self, memory: &C::HelperMemory) {
        let view = C::helper_view(memory);
        self.slots.with(|copies| copies.helper = Some(view));
    }
}

impl<C: Inspect> Compute for Watched<C> {
    type PrimaryMemory = C::PrimaryMemory;
    type HelperMemory = C::HelperMemory;
    type Forest = C::Forest;

    fn zero_primary_memory(&self, log_size: u32) -> C::PrimaryMemory {
        self.show_primary(self.inner.zero_primary_memory(log_size))
    }

    fn zero_helper_memory(&self, log_size: u32) -> C::HelperMemory {
        self.show_helper(self.inner.zero_helper_memory(log_size))
    }

    fn primary_memory(
        &self,
        memory_share: Vec<Word>,
        blind: Vec<Word>,
        blinded: Vec<Word>,
    ) -> C::PrimaryMemory {
        self.show_primary(self.inner.primary_memory(memory_share, blind, blinded))
    }

    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> C::HelperMemory {
        self.show_helper(self.inner.helper_memory(blind_0, blind_1))
    }

    fn primary_words<'a>(&self, memory: &'a C::PrimaryMemory) -> Vec<&'a [Word]> {
        self.inner.primary_words(memory)
    }

    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> C::PrimaryMemory {
        self.show_primary(self.inner.primary_from_words(vectors))
    }

    fn helper_words<'a>(&self, memory: &'a C::HelperMemory) -> [&'a [Word]; 2] {
        self.inner.helper_words(memory)
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

    fn read(
        &self,
        key: &SessionKey,
        role: Role,
        memory: &C::PrimaryMemory,
        queries: &[ReadQuery],
    ) -> Vec<Word> {
        self.inner.read(key, role, memory, queries)
    }

    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &C::HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]> {
        self.inner.unblinding(key, memory, queries)
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut C::PrimaryMemory, queries: &[UpdateQuery]) {
        self.inner.update(key, role, memory, queries);
        self.copy_primary(memory);
    }

    fn update_blinds(&self, key: &SessionKey, memory: &mut C::HelperMemory, queries: &[HelperUpdateQuery]) {
        self.inner.update_blinds(key, memory, queries);
        self.copy_helper(memory);
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

impl<C: Inspect> Footprint<Paper> for Watched<C> {
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
