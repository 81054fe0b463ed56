//! A local computation whose public inputs are declared so, and in which a leak may be planted.

use duoram_reference::{
    Block, ChildSums, Compute, Correction, HelperReadQuery, HelperUpdateQuery, LeafSums, ReadQuery, Role,
    SessionKey, UpdateQuery, Word,
};

use crate::leak::Leak;
use crate::marks::public;

/// Another computation, watched.
///
/// Declares the shifts `S` public, and nothing else: `S = i* - ri` is opened to all three parties in every READ and UPDATE
/// (Protocol 1, line 6; Protocol 2, line 7), and memory is gone through from there. Each party makes it from its own share,
/// which is marked, so it has to be declared here, where the opening ends and the computation begins. The session's key, the
/// corrections and the final corrections are known to their users too, but nobody needs to branch on them: they stay marked.
#[derive(Clone)]
pub(crate) struct Watched<C> {
    /// What computes.
    pub(crate) compute: C,
    /// What is wrong with it.
    pub(crate) leak: Option<Leak>,
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
        for query in queries {
            public(std::slice::from_ref(&query.shift));
            if let Some(leak) = self.leak {
                leak.in_read(&query.read.evaluate(key));
            }
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
        for query in queries {
            public(std::slice::from_ref(&query.shift));
        }
        self.compute.unblinding(key, memory, queries)
    }

    #[inline(never)]
    fn update(&self, key: &SessionKey, role: Role, memory: &mut C::PrimaryMemory, queries: &[UpdateQuery]) {
        for query in queries {
            public(std::slice::from_ref(&query.shift));
        }
        self.compute.update(key, role, memory, queries);
    }

    #[inline(never)]
    fn update_blinds(&self, key: &SessionKey, memory: &mut C::HelperMemory, queries: &[HelperUpdateQuery]) {
        for query in queries {
            public(std::slice::from_ref(&query.shift));
        }
        self.compute.update_blinds(key, memory, queries);
    }
}
