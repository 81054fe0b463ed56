//! A lean party that is checked: see [`crate::paper::Watched`], of which this is the lean one.

use duoram_reference::lean::{Compute, LayeredKey, Lean, ReadQuery, UpdateQuery};
use duoram_reference::{Block, ChildSums, Correction, Role, SessionKey, Word};
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation};
use duoram_spec::lean::memory::{State0, State1, State2};

use super::view::{Inspect, View, ring};
use crate::slots;

/// What the three parties hold, as far as they have written it down.
#[derive(Default)]
pub struct Copies {
    /// Of P0 and P2.
    both: [Option<[Vec<Word>; 2]>; 2],
    alpha: Option<Vec<Word>>,
}

/// Where the copies are.
pub type Slots = slots::Slots<Copies>;

impl Slots {
    /// What all three parties hold; `None` before all of them have a memory. To be asked between two steps.
    pub fn view(&self) -> Option<View> {
        self.with(|Copies { both: [p0, p2], alpha }| {
            let ([a_0, h], e, [a_2, b]) = (p0.as_ref()?, alpha.as_ref()?, p2.as_ref()?);
            Some(View {
                p0: State0 { alpha: ring(a_0), beta: ring(h) },
                p1: State1 { alpha: ring(e) },
                p2: State2 { alpha: ring(a_2), beta: ring(b) },
            })
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

    fn copy_both(&self, memory: &C::Both) {
        let copy = C::both_view(memory).map(<[Word]>::to_vec);
        let place = usize::from(self.role == Role::P2);
        self.slots.with(|copies| copies.both[place] = Some(copy));
    }

    fn copy_alpha(&self, memory: &C::Alpha) {
        let copy = C::alpha_view(memory).to_vec();
        self.slots.with(|copies| copies.alpha = Some(copy));
    }

    fn show_both(&self, memory: C::Both) -> C::Both {
        self.copy_both(&memory);
        memory
    }

    fn show_alpha(&self, memory: C::Alpha) -> C::Alpha {
        self.copy_alpha(&memory);
        memory
    }
}

impl<C: Inspect> Compute for Watched<C> {
    type Both = C::Both;
    type Alpha = C::Alpha;
    type Forest = C::Forest;
    type Kept = C::Kept;

    fn zero_both(&self, rows: usize, row_words: usize) -> C::Both {
        self.show_both(self.inner.zero_both(rows, row_words))
    }

    fn zero_alpha(&self, rows: usize, row_words: usize) -> C::Alpha {
        self.show_alpha(self.inner.zero_alpha(rows, row_words))
    }

    fn add_both(&self, memory: &mut C::Both, from: usize, words: [&[Word]; 2]) {
        self.inner.add_both(memory, from, words);
        self.copy_both(memory);
    }

    fn add_alpha(&self, memory: &mut C::Alpha, from: usize, words: &[Word]) {
        self.inner.add_alpha(memory, from, words);
        self.copy_alpha(memory);
    }

    fn both_words<'a>(&self, memory: &'a C::Both) -> [&'a [Word]; 2] {
        self.inner.both_words(memory)
    }

    fn alpha_words<'a>(&self, memory: &'a C::Alpha) -> &'a [Word] {
        self.inner.alpha_words(memory)
    }

    fn kept_key<'a>(&self, kept: &'a C::Kept) -> &'a LayeredKey {
        self.inner.kept_key(kept)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> C::Forest {
        self.inner.plant(key, roots, height)
    }

    fn grow(&self, forest: &mut C::Forest) -> Vec<ChildSums> {
        self.inner.grow(forest)
    }

    fn correct(&self, forest: &mut C::Forest, corrections: &[Correction]) {
        self.inner.correct(forest, corrections);
    }

    fn flag_sums(&self, forest: &mut C::Forest, complete: usize) -> Vec<Block> {
        self.inner.flag_sums(forest, complete)
    }

    fn value_sums(&self, forest: &mut C::Forest, row_words: usize) -> Vec<Vec<Word>> {
        self.inner.value_sums(forest, row_words)
    }

    fn keep(&self, key: &SessionKey, log_size: u32, keys: Vec<LayeredKey>) -> Vec<C::Kept> {
        self.inner.keep(key, log_size, keys)
    }

    fn read_0(&self, key: &SessionKey, memory: &C::Both, queries: &[ReadQuery<'_, C::Kept, 2>]) -> Vec<Word> {
        self.inner.read_0(key, memory, queries)
    }

    fn read_1(
        &self,
        key: &SessionKey,
        memory: &C::Alpha,
        queries: &[ReadQuery<'_, C::Kept, 1>],
    ) -> Vec<Word> {
        self.inner.read_1(key, memory, queries)
    }

    fn read_2(&self, key: &SessionKey, memory: &C::Both, queries: &[ReadQuery<'_, C::Kept, 2>]) -> Vec<Word> {
        self.inner.read_2(key, memory, queries)
    }

    fn update_both(&self, key: &SessionKey, memory: &mut C::Both, queries: &[UpdateQuery<'_, C::Kept, 2>]) {
        self.inner.update_both(key, memory, queries);
        self.copy_both(memory);
    }

    fn update_alpha(&self, key: &SessionKey, memory: &mut C::Alpha, queries: &[UpdateQuery<'_, C::Kept, 1>]) {
        self.inner.update_alpha(key, memory, queries);
        self.copy_alpha(memory);
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

impl<C: Inspect> Footprint<Lean> for Watched<C> {
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
