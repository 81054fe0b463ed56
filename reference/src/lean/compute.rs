//! The local computation of a party, as a few coarse operations.
//!
//! Message logic is written once, in this crate; a faster implementation replaces [`Compute`] only.

use super::LayeredKey;
use crate::engine::tree::{ChildSums, Correction};
use crate::engine::{Aside, NotAside, SessionKey, log_size_of};
use crate::{Block, Word};

/// What one READ is computed from: the N keys of one item that the party has, and where they are moved to.
pub struct ReadQuery<'a, K, const N: usize> {
    /// Of DPF a or, where N is 2, of a and b.
    pub keys: &'a [K; N],
    /// The shift `S`, below n.
    pub shift: u64,
}

/// What one UPDATE is applied from.
pub struct UpdateQuery<'a, K, const N: usize> {
    /// Of DPF a or, where N is 2, of a and b.
    pub keys: &'a [K; N],
    /// `F_a` or, where N is 2, `F_a` and `F_b`: w words each.
    pub final_corrections: [&'a [Word]; N],
    /// The shift `S`, below n.
    pub shift: u64,
}

/// `h`, of a vector.
pub(super) fn log_size(vector: &[Word], row_words: usize) -> u32 {
    log_size_of(vector.len() / row_words)
}

/// The local computation of the parties, in the notation of `PROTOCOL.md`, part two: `+` is XOR, and `<t, x>` is the XOR of the
/// words of x at which the flags t are set. With `row_words`, which is w, above 1, a word of the memory is a row of w words here, one
/// behind the other: vectors have `m w` words, and what is said of a word, or is one, is w words. There may be fewer rows than addresses:
/// `m <= n`, where n is the smallest power of two, from 2 on, of which that is so. Then flags and values are of all n addresses, and those
/// where there is no row are not used.
///
/// [`super::Plain`] is the plain one and the measure of any other. An implementation chooses how it represents memories, trees
/// and keys; it wipes them when they are dropped, and neither branches on a secret nor uses one as an address. Shifts, final
/// corrections and the session's key are not secret here.
pub trait Compute {
    /// A party's parts of both sharings: A and H of P0, A and B of P2. A party that owns them may be moved to another thread.
    type Both: Send + 'static;
    /// A party's part of alpha only: E of P1.
    type Alpha: Send + 'static;
    /// Trees in flight. A party that owns one may be moved to another thread.
    type Forest: Send + 'static;
    /// What an item keeps of a key until it is used: the key, or the flags that it evaluates to as well. Whatever is secret in
    /// it is in a place of its own, so that a move of the item leaves nothing behind.
    type Kept: Send + 'static;

    /// Both sharings of a memory of so many rows of zeros.
    fn zero_both(&self, rows: usize, row_words: usize) -> Self::Both;

    /// One sharing of a memory of so many rows of zeros.
    fn zero_alpha(&self, rows: usize, row_words: usize) -> Self::Alpha;

    /// Adds words to A and others to H or B, each from word `from` on; there may be none of one of them. So a memory comes from elsewhere:
    /// piece by piece, and nobody has to have room for all of it but who keeps it.
    fn add_both(&self, memory: &mut Self::Both, from: usize, words: [&[Word]; 2]);

    /// Adds words to E from word `from` on.
    fn add_alpha(&self, memory: &mut Self::Alpha, from: usize, words: &[Word]);

    /// Both sharings of a memory, of all words of A and of H or B at once.
    fn both(&self, alpha: &[Word], beta: &[Word], row_words: usize) -> Self::Both {
        let mut memory = self.zero_both(alpha.len() / row_words, row_words);
        self.add_both(&mut memory, 0, [alpha, beta]);
        memory
    }

    /// One sharing of a memory, of all words of E at once.
    fn alpha(&self, alpha: &[Word], row_words: usize) -> Self::Alpha {
        let mut memory = self.zero_alpha(alpha.len() / row_words, row_words);
        self.add_alpha(&mut memory, 0, alpha);
        memory
    }

    /// A and H, or A and B, to be saved: what [`Compute::both`] makes the memory from.
    fn both_words<'a>(&self, memory: &'a Self::Both) -> [&'a [Word]; 2];

    /// Puts both sharings aside, where this computation keeps memories by itself: when this returns, all of it is there for good under a
    /// name that is new. `None`, as it is with most: what [`Compute::both_words`] gives is saved with the party.
    fn put_aside_both(&self, _memory: &Self::Both) -> Option<Aside> {
        None
    }

    /// What was put aside under this name.
    ///
    /// # Errors
    ///
    /// [`NotAside`]: it is not there, or not as it was.
    fn take_aside_both(
        &self,
        _aside: Aside,
        _rows: usize,
        _row_words: usize,
    ) -> Result<Self::Both, NotAside> {
        Err(NotAside::never())
    }

    /// E, to be saved: what [`Compute::alpha`] makes the memory from.
    fn alpha_words<'a>(&self, memory: &'a Self::Alpha) -> &'a [Word];

    /// Puts one sharing aside, where this computation keeps memories by itself: when this returns, all of it is there for good under a
    /// name that is new. `None`, as it is with most: what [`Compute::alpha_words`] gives is saved with the party.
    fn put_aside_alpha(&self, _memory: &Self::Alpha) -> Option<Aside> {
        None
    }

    /// What was put aside under this name.
    ///
    /// # Errors
    ///
    /// [`NotAside`]: it is not there, or not as it was.
    fn take_aside_alpha(
        &self,
        _aside: Aside,
        _rows: usize,
        _row_words: usize,
    ) -> Result<Self::Alpha, NotAside> {
        Err(NotAside::never())
    }

    /// Trees, one a root, of which only the roots have grown. They will grow to this height.
    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> Self::Forest;

    /// Grows every tree by one level, and returns the XOR of the uncorrected left and right children of each.
    fn grow(&self, forest: &mut Self::Forest) -> Vec<ChildSums>;

    /// Corrects the level just grown, one correction a tree.
    fn correct(&self, forest: &mut Self::Forest, corrections: &[Correction]);

    /// The flag layer: of each tree, all of which have grown to depth `log_size - kf`, the XOR of X(s) over its nodes. The first
    /// `complete` trees are of READ items: they grow no further and are forgotten.
    fn flag_sums(&self, forest: &mut Self::Forest, complete: usize) -> Vec<Block>;

    /// The value layer: of each tree, all of which have grown to depth `log_size - kw`, the XOR of Y(s) over its nodes: `8 w` words.
    fn value_sums(&self, forest: &mut Self::Forest, row_words: usize) -> Vec<Vec<Word>>;

    /// What is kept of each of the keys that a step of preprocessing has made. Flags may be evaluated here and stored, so that
    /// READ needs no AES: `2^log_size` bits a key.
    fn keep(&self, key: &SessionKey, log_size: u32, keys: Vec<LayeredKey>) -> Vec<Self::Kept>;

    /// The key that something is kept of, to be saved.
    fn kept_key<'a>(&self, kept: &'a Self::Kept) -> &'a LayeredKey;

    /// P0's part of each READ, in one pass over the memory: `<(t^a + t^b)<S>, A> + <t^a<S>, H>`. Of each query w words.
    fn read_0(
        &self,
        key: &SessionKey,
        memory: &Self::Both,
        queries: &[ReadQuery<'_, Self::Kept, 2>],
    ) -> Vec<Word>;

    /// P1's: `<t^a<S>, E>`.
    fn read_1(
        &self,
        key: &SessionKey,
        memory: &Self::Alpha,
        queries: &[ReadQuery<'_, Self::Kept, 1>],
    ) -> Vec<Word>;

    /// P2's: `<t^b<S>, A> + <t^a<S>, B>`.
    fn read_2(
        &self,
        key: &SessionKey,
        memory: &Self::Both,
        queries: &[ReadQuery<'_, Self::Kept, 2>],
    ) -> Vec<Word>;

    /// Applies each UPDATE at P0 and P2: `(v^a + F_a t^a)<S>` is added to A, `(v^b + F_b t^b)<S>` to H or B.
    fn update_both(
        &self,
        key: &SessionKey,
        memory: &mut Self::Both,
        queries: &[UpdateQuery<'_, Self::Kept, 2>],
    );

    /// Applies each UPDATE at P1: `(v^a + F_a t^a)<S>` is added to E.
    fn update_alpha(
        &self,
        key: &SessionKey,
        memory: &mut Self::Alpha,
        queries: &[UpdateQuery<'_, Self::Kept, 1>],
    );
}
