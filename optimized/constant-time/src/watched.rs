//! A local computation whose public inputs are declared so, and in which a leak may be planted.

use duoram_reference::lean::{self, LayeredKey};
use duoram_reference::{
    Block, ChildSums, Compute, Correction, HelperReadQuery, HelperUpdateQuery, LeafSums, ReadQuery, Role,
    SessionKey, UpdateQuery, Word,
};
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation};

use crate::leak::Leak;
use crate::marks::public;

/// Another computation, watched.
///
/// Declares the shifts `S` public, and nothing else: `S = i* - ri`, or `i* xor ri`, is opened to all three parties in every READ
/// and UPDATE (`[duoram, protocol 1, line 6; protocol 2, line 7]`), and memory is gone through from there. Each party makes it from its own share,
/// which is marked, so it has to be declared here, where the opening ends and the computation begins. The session's key, the
/// corrections and the final corrections are known to their users too, but nobody needs to branch on them: they stay marked.
#[derive(Clone)]
pub(crate) struct Watched<C> {
    /// What computes.
    pub(crate) compute: C,
    /// What is wrong with it.
    pub(crate) leak: Option<Leak>,
}

/// Declares the shifts of queries.
pub(crate) fn declare<'a>(shifts: impl IntoIterator<Item = &'a u64>) {
    shifts.into_iter().for_each(|shift| public(std::slice::from_ref(shift)));
}

// Not inlined: shifts have to be read from memory after they are declared public.
impl<C: Compute> Compute for Watched<C> {
    type PrimaryMemory = C::PrimaryMemory;
    type HelperMemory = C::HelperMemory;
    type Forest = C::Forest;

    fn zero_primary_memory(&self, log_size: u32) -> C::PrimaryMemory {
        self.compute.zero_primary_memory(log_size)
    }

    fn zero_helper_memory(&self, log_size: u32) -> C::HelperMemory {
        self.compute.zero_helper_memory(log_size)
    }

    fn primary_memory(&self, share: Vec<Word>, blind: Vec<Word>, blinded: Vec<Word>) -> C::PrimaryMemory {
        self.compute.primary_memory(share, blind, blinded)
    }

    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> C::HelperMemory {
        self.compute.helper_memory(blind_0, blind_1)
    }

    fn primary_words<'a>(&self, memory: &'a C::PrimaryMemory) -> Vec<&'a [Word]> {
        self.compute.primary_words(memory)
    }

    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> C::PrimaryMemory {
        self.compute.primary_from_words(vectors)
    }

    fn helper_words<'a>(&self, memory: &'a C::HelperMemory) -> [&'a [Word]; 2] {
        self.compute.helper_words(memory)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> C::Forest {
        self.compute.plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut C::Forest) -> Vec<ChildSums> {
        let sums = self.compute.grow(forest);
        if let Some(leak) = self.leak {
            leak.in_growth(&sums);
        }
        sums
    }

    fn correct(&self, forest: &mut C::Forest, corrections: &[Correction]) {
        self.compute.correct(forest, corrections);
    }

    fn leaf_sums(&self, forest: C::Forest) -> Vec<LeafSums> {
        self.compute.leaf_sums(forest)
    }

    #[inline(never)]
    fn read(
        &self,
        key: &SessionKey,
        role: Role,
        memory: &C::PrimaryMemory,
        queries: &[ReadQuery],
    ) -> Vec<Word> {
        declare(queries.iter().map(|query| &query.shift));
        if let Some(leak) = self.leak {
            queries.iter().for_each(|query| leak.in_flags(&query.read.evaluate(key)));
        }
        self.compute.read(key, role, memory, queries)
    }

    #[inline(never)]
    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &C::HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]> {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.unblinding(key, memory, queries)
    }

    #[inline(never)]
    fn update(&self, key: &SessionKey, role: Role, memory: &mut C::PrimaryMemory, queries: &[UpdateQuery]) {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.update(key, role, memory, queries);
    }

    #[inline(never)]
    fn update_blinds(&self, key: &SessionKey, memory: &mut C::HelperMemory, queries: &[HelperUpdateQuery]) {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.update_blinds(key, memory, queries);
    }
}

impl<C: lean::Compute> lean::Compute for Watched<C> {
    type Both = C::Both;
    type Alpha = C::Alpha;
    type Forest = C::Forest;
    type Kept = C::Kept;

    fn zero_both(&self, rows: usize, row_words: usize) -> C::Both {
        self.compute.zero_both(rows, row_words)
    }

    fn zero_alpha(&self, rows: usize, row_words: usize) -> C::Alpha {
        self.compute.zero_alpha(rows, row_words)
    }

    fn add_both(&self, memory: &mut C::Both, from: usize, words: [&[Word]; 2]) {
        self.compute.add_both(memory, from, words);
    }

    fn add_alpha(&self, memory: &mut C::Alpha, from: usize, words: &[Word]) {
        self.compute.add_alpha(memory, from, words);
    }

    fn both_words<'a>(&self, memory: &'a C::Both) -> [&'a [Word]; 2] {
        self.compute.both_words(memory)
    }

    fn alpha_words<'a>(&self, memory: &'a C::Alpha) -> &'a [Word] {
        self.compute.alpha_words(memory)
    }

    fn kept_key<'a>(&self, kept: &'a C::Kept) -> &'a lean::LayeredKey {
        self.compute.kept_key(kept)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> C::Forest {
        self.compute.plant(key, roots, height)
    }

    fn grow(&self, forest: &mut C::Forest) -> Vec<ChildSums> {
        let sums = self.compute.grow(forest);
        if let Some(leak) = self.leak {
            leak.in_growth(&sums);
        }
        sums
    }

    fn correct(&self, forest: &mut C::Forest, corrections: &[Correction]) {
        self.compute.correct(forest, corrections);
    }

    fn flag_sums(&self, forest: &mut C::Forest, complete: usize) -> Vec<Block> {
        self.compute.flag_sums(forest, complete)
    }

    fn value_sums(&self, forest: &mut C::Forest, row_words: usize) -> Vec<Vec<Word>> {
        self.compute.value_sums(forest, row_words)
    }

    /// A key may be evaluated here: flags leak here too.
    fn keep(&self, key: &SessionKey, log_size: u32, keys: Vec<LayeredKey>) -> Vec<C::Kept> {
        if let Some(leak) = self.leak {
            keys.iter().for_each(|dpf| leak.in_flags(&dpf.flags(key, log_size)));
        }
        self.compute.keep(key, log_size, keys)
    }

    #[inline(never)]
    fn read_0(
        &self,
        key: &SessionKey,
        memory: &C::Both,
        queries: &[lean::ReadQuery<'_, C::Kept, 2>],
    ) -> Vec<Word> {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.read_0(key, memory, queries)
    }

    #[inline(never)]
    fn read_1(
        &self,
        key: &SessionKey,
        memory: &C::Alpha,
        queries: &[lean::ReadQuery<'_, C::Kept, 1>],
    ) -> Vec<Word> {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.read_1(key, memory, queries)
    }

    #[inline(never)]
    fn read_2(
        &self,
        key: &SessionKey,
        memory: &C::Both,
        queries: &[lean::ReadQuery<'_, C::Kept, 2>],
    ) -> Vec<Word> {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.read_2(key, memory, queries)
    }

    #[inline(never)]
    fn update_both(
        &self,
        key: &SessionKey,
        memory: &mut C::Both,
        queries: &[lean::UpdateQuery<'_, C::Kept, 2>],
    ) {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.update_both(key, memory, queries);
    }

    #[inline(never)]
    fn update_alpha(
        &self,
        key: &SessionKey,
        memory: &mut C::Alpha,
        queries: &[lean::UpdateQuery<'_, C::Kept, 1>],
    ) {
        declare(queries.iter().map(|query| &query.shift));
        self.compute.update_alpha(key, memory, queries);
    }
}

impl<C: LocalComputation> LocalComputation for Watched<C> {
    fn name(&self) -> &'static str {
        self.compute.name()
    }

    fn threads(&self) -> usize {
        self.compute.threads()
    }
}

impl<P, C: Footprint<P>> Footprint<P> for Watched<C> {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        self.compute.state_bytes(extent)
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        self.compute.item_bytes(extent)
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        self.compute.kept_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        self.compute.session_bytes(extent, items)
    }
}
