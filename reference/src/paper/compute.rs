//! The local computation of a party, as a few coarse operations.
//!
//! Message logic is written once, in this crate; a faster implementation replaces [`Compute`] only.

use super::{ChildSums, Correction, DpfShare, LeafSums};
use crate::engine::{Aside, NotAside, SessionKey};
use crate::wire::Role;
use crate::{Block, Word};

/// What a primary computes one READ from. Owns the keys: a query is answered once.
pub struct ReadQuery {
    /// Its key of DPF 1.
    pub read: DpfShare,
    /// Its key of the DPF whose other key the helper has: DPF 3 for P0, DPF 2 for P1.
    pub refresh: DpfShare,
    /// The shift `S`, below n.
    pub shift: u64,
}

/// What the helper computes one READ from.
pub struct HelperReadQuery {
    /// P0's key of DPF 2.
    pub dpf_2: DpfShare,
    /// P1's key of DPF 3.
    pub dpf_3: DpfShare,
    /// The shift `S`, below n.
    pub shift: u64,
}

/// What a primary applies one UPDATE from.
pub struct UpdateQuery {
    /// Its keys of DPF 1, 2, 3.
    pub dpfs: [DpfShare; 3],
    /// The reconstructed final correction words `F^(1)`, `F^(2)`, `F^(3)`.
    pub final_corrections: [Word; 3],
    /// The shift `S`, below n.
    pub shift: u64,
}

/// What the helper applies one UPDATE from.
pub struct HelperUpdateQuery {
    /// P0's key of DPF 2.
    pub dpf_2: DpfShare,
    /// P1's key of DPF 3.
    pub dpf_3: DpfShare,
    /// The reconstructed `F^(2)`.
    pub final_correction_2: Word,
    /// The reconstructed `F^(3)`.
    pub final_correction_3: Word,
    /// The shift `S`, below n.
    pub shift: u64,
}

/// The local computation of the parties.
///
/// [`super::Plain`] is the plain one, over the paper's own state, and the measure of any other. An implementation chooses
/// how it represents memories and trees; it wipes them when they are dropped, and neither branches on a secret nor uses
/// one as an address. Roles, shifts, the final correction words and the session's key are not secret here.
pub trait Compute {
    /// `D_b`, `zeta_b`, `D~_(1-b)` of a primary, or something equivalent.
    type PrimaryMemory;
    /// `zeta_0`, `zeta_1` of the helper.
    type HelperMemory;
    /// DPF trees in flight. A party that owns one may be moved to another thread.
    type Forest: Send + 'static;

    /// A primary's memory of `2^log_size` zeros, with zero blinds (`[duoram, section 3, Notation]`).
    fn zero_primary_memory(&self, log_size: u32) -> Self::PrimaryMemory;

    /// The helper's blinds of a memory of `2^log_size` zeros.
    fn zero_helper_memory(&self, log_size: u32) -> Self::HelperMemory;

    /// A primary's memory from `D_b`, `zeta_b` and `D~_(1-b)`, n words each.
    fn primary_memory(
        &self,
        memory_share: Vec<Word>,
        blind: Vec<Word>,
        blinded: Vec<Word>,
    ) -> Self::PrimaryMemory;

    /// The helper's blinds, n words each.
    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> Self::HelperMemory;

    /// What a primary's memory consists of, to be saved: vectors of n words, as many as this implementation has.
    fn primary_words<'a>(&self, memory: &'a Self::PrimaryMemory) -> Vec<&'a [Word]>;

    /// How many vectors that are.
    fn primary_vectors(&self, memory: &Self::PrimaryMemory) -> usize {
        self.primary_words(memory).len()
    }

    /// Puts a primary's memory aside, where this computation keeps memories by itself: when this returns, all of it is there for good under a
    /// name that is new. `None`, as it is with most: what [`Compute::primary_words`] gives is saved with the party.
    fn put_aside_primary(&self, _memory: &Self::PrimaryMemory) -> Option<Aside> {
        None
    }

    /// A primary's memory that was put aside under this name.
    ///
    /// # Errors
    ///
    /// [`NotAside`]: it is not there, or not as it was.
    fn take_aside_primary(&self, _aside: Aside, _log_size: u32) -> Result<Self::PrimaryMemory, NotAside> {
        Err(NotAside::never())
    }

    /// A primary's memory from what [`Compute::primary_words`] has given.
    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> Self::PrimaryMemory;

    /// The helper's blinds, to be saved: what [`Compute::helper_memory`] makes the memory from.
    fn helper_words<'a>(&self, memory: &'a Self::HelperMemory) -> [&'a [Word]; 2];

    /// Puts the helper's blinds aside, where this computation keeps memories by itself: when this returns, all of it is there for good under a
    /// name that is new. `None`, as it is with most: what [`Compute::helper_words`] gives is saved with the party.
    fn put_aside_helper(&self, _memory: &Self::HelperMemory) -> Option<Aside> {
        None
    }

    /// The helper's blinds that were put aside under this name.
    ///
    /// # Errors
    ///
    /// [`NotAside`]: it is not there, or not as it was.
    fn take_aside_helper(&self, _aside: Aside, _log_size: u32) -> Result<Self::HelperMemory, NotAside> {
        Err(NotAside::never())
    }

    /// Trees of height `log_size`, one a root, of which only the roots have grown (`[duoram, appendix C]`).
    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Self::Forest;

    /// Grows every tree by one level, and returns the XOR of the uncorrected left and right children of each
    /// (`[duoram, appendix C, steps 1 and 2]`).
    fn grow(&self, forest: &mut Self::Forest) -> Vec<ChildSums>;

    /// Corrects the level just grown, one correction a tree (`[duoram, appendix C, steps 5 and 6]`).
    fn correct(&self, forest: &mut Self::Forest, corrections: &[Correction]);

    /// The sums over the leaves of every tree, all of whose levels have been grown and corrected.
    fn leaf_sums(&self, forest: Self::Forest) -> Vec<LeafSums>;

    /// The part of `read_b` that does not need gamma, for each query (`[duoram, Protocol 1, lines 9 and 10]`).
    fn read(
        &self,
        key: &SessionKey,
        role: Role,
        memory: &Self::PrimaryMemory,
        queries: &[ReadQuery],
    ) -> Vec<Word>;

    /// `(<zeta_0, t_1^(3)>, <zeta_1, t_0^(2)>)` for each query (`[duoram, Protocol 1, line 8]`).
    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &Self::HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]>;

    /// Applies each query to the memory share, the blind and the blinded share
    /// (`[duoram, Protocol 2, lines 8 and 9]`).
    fn update(&self, key: &SessionKey, role: Role, memory: &mut Self::PrimaryMemory, queries: &[UpdateQuery]);

    /// Applies each query to the helper's blinds (`[duoram, Protocol 2, line 10]`).
    fn update_blinds(&self, key: &SessionKey, memory: &mut Self::HelperMemory, queries: &[HelperUpdateQuery]);
}
