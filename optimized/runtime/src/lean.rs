//! The local computation of the lean protocol by the kernels.

use std::sync::Arc;

use duoram_kernel::{self as kernel, BitKey, Flags, RowKey, RowUpdate, Selection};
use duoram_reference::lean::{Compute, LayeredKey, Lean, NODE_ROWS, ReadQuery, UpdateQuery};
use duoram_reference::{Block, ChildSums, Correction, SessionKey, Word};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::fast::{Fast, Forest, Spare, correction, index};
use crate::local_computation::{Extent, Footprint, masks_bytes, values_bytes};
use crate::pages::resident_zeros;

/// Parts of both sharings, m rows each: A and H of P0, A and B of P2. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Both {
    alpha: Vec<Word>,
    beta: Vec<Word>,
    row_words: usize,
}

impl Both {
    /// A
    pub fn alpha(&self) -> &[Word] {
        &self.alpha
    }

    /// H of P0, B of P2
    pub fn beta(&self) -> &[Word] {
        &self.beta
    }
}

/// A part of one sharing, m rows: E. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Alpha {
    alpha: Vec<Word>,
    row_words: usize,
}

impl Alpha {
    /// E
    pub fn alpha(&self) -> &[Word] {
        &self.alpha
    }
}

/// What an item keeps of a key: its flags, evaluated, so that READ makes no AES call; of an UPDATE item the key of its
/// values, eight times as large as the flags if they were kept; and the key itself, small beside the flags, for a party that is
/// saved. The place of the flags is kept for others.
pub struct Kept {
    key: LayeredKey,
    flags: Flags,
    values: Option<Box<RowKey>>,
    spare: Arc<Spare>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.spare.keep_flags(std::mem::take(&mut self.flags));
    }
}

/// The depth of the nodes that yield `2^bits` leaves each.
const fn depth(log_size: u32, bits: u32) -> usize {
    log_size.saturating_sub(bits) as usize
}

/// The first levels of a key, down to the nodes of a layer.
fn nodes(key: &LayeredKey, levels: usize) -> kernel::Key {
    kernel::Key::new(*key.root(), key.corrections().iter().take(levels).map(correction).collect())
}

fn flags(key: &LayeredKey, log_size: u32) -> BitKey {
    BitKey::new(log_size as usize, nodes(key, depth(log_size, 7)), key.flag_correction())
}

fn values(key: &LayeredKey, log_size: u32) -> Option<Box<RowKey>> {
    let correction = key.value_correction()?.to_vec();
    Some(Box::new(RowKey::new(log_size as usize, nodes(key, depth(log_size, 3)), correction)))
}

/// The sums of a vector's rows that queries select, each by the flags of some of its keys.
fn scan<const N: usize, const M: usize>(
    kernels: &kernel::Kernels<'_>,
    (vector, row_words): (&[Word], usize),
    queries: &[ReadQuery<'_, Kept, N>],
    sides: [usize; M],
) -> Zeroizing<Vec<Word>> {
    let flags: Vec<[&Flags; M]> =
        queries.iter().map(|query| sides.map(|side| &query.keys[side].flags)).collect();
    let selections: Vec<_> = flags
        .iter()
        .zip(queries)
        .map(|(flags, query)| Selection { flags, shift: index(query.shift) })
        .collect();
    kernels.scan_rows(vector, row_words, &selections)
}

/// Adds `(v + F t)<S>` of one side's keys to a vector.
fn update<const N: usize>(
    kernels: &kernel::Kernels<'_>,
    vector: &mut [Word],
    queries: &[UpdateQuery<'_, Kept, N>],
    side: usize,
) {
    let mut updates = Vec::with_capacity(queries.len());
    for UpdateQuery { keys, final_corrections, shift } in queries {
        let Kept { flags, values, .. } = &keys[side];
        // Only UPDATE items are used up by UPDATEs, and these have values.
        let Some(key) = values.as_deref() else { continue };
        let (correction, shift) = (final_corrections[side], index(*shift));
        updates.push(RowUpdate { key, flags, correction, shift });
    }
    kernels.update_rows(vector, &updates);
}

fn sum(first: &[Word], second: &[Word]) -> Vec<Word> {
    first.iter().zip(second).map(|(first, second)| first ^ second).collect()
}

fn add(words: &mut [Word], change: &[Word]) {
    words.iter_mut().zip(change).for_each(|(word, change)| *word ^= change);
}

const A: usize = 0;
const B: usize = 1;

impl Compute for Fast {
    type Both = Both;
    type Alpha = Alpha;
    type Forest = Forest;
    type Kept = Kept;

    fn zero_both(&self, rows: usize, row_words: usize) -> Both {
        let zeros = || resident_zeros(rows * row_words);
        Both { alpha: zeros(), beta: zeros(), row_words }
    }

    fn zero_alpha(&self, rows: usize, row_words: usize) -> Alpha {
        Alpha { alpha: resident_zeros(rows * row_words), row_words }
    }

    fn add_both(&self, memory: &mut Both, from: usize, [alpha, beta]: [&[Word]; 2]) {
        add(&mut memory.alpha[from..], alpha);
        add(&mut memory.beta[from..], beta);
    }

    fn add_alpha(&self, memory: &mut Alpha, from: usize, words: &[Word]) {
        add(&mut memory.alpha[from..], words);
    }

    fn both_words<'a>(&self, memory: &'a Both) -> [&'a [Word]; 2] {
        [&memory.alpha, &memory.beta]
    }

    fn alpha_words<'a>(&self, memory: &'a Alpha) -> &'a [Word] {
        &memory.alpha
    }

    /// A tree of an eighth of the leaves is small enough to be stored whole, if the budget has room for it.
    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> Forest {
        let stored_depth = self.whole_depth(height, roots.len());
        self.planted(key, roots, stored_depth)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        self.grown(forest)
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        self.corrected(forest, corrections);
    }

    fn flag_sums(&self, forest: &mut Forest, complete: usize) -> Vec<Block> {
        let sums = self.kernels(&forest.key).flag_sums(&mut forest.trees);
        if complete > 0 {
            forest.trees.forget(complete);
        }
        sums.to_vec()
    }

    fn value_sums(&self, forest: &mut Forest, row_words: usize) -> Vec<Vec<Word>> {
        let sums = self.kernels(&forest.key).row_sums(&mut forest.trees, row_words);
        sums.chunks(NODE_ROWS * row_words).map(<[Word]>::to_vec).collect()
    }

    fn keep(&self, key: &SessionKey, log_size: u32, keys: Vec<LayeredKey>) -> Vec<Kept> {
        let kernels = self.kernels(key);
        keys.into_iter()
            .map(|key| {
                let mut places = self.spare.flags();
                kernels.flags_into(&flags(&key, log_size), &mut places);
                let (values, spare) = (values(&key, log_size), Arc::clone(&self.spare));
                Kept { key, flags: places, values, spare }
            })
            .collect()
    }

    fn kept_key<'a>(&self, kept: &'a Kept) -> &'a LayeredKey {
        &kept.key
    }

    fn read_0(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, Kept, 2>]) -> Vec<Word> {
        let kernels = self.kernels(key);
        let alpha = scan(&kernels, (&memory.alpha, memory.row_words), queries, [A, B]);
        sum(&alpha, &scan(&kernels, (&memory.beta, memory.row_words), queries, [A]))
    }

    fn read_1(&self, key: &SessionKey, memory: &Alpha, queries: &[ReadQuery<'_, Kept, 1>]) -> Vec<Word> {
        scan(&self.kernels(key), (&memory.alpha, memory.row_words), queries, [A]).to_vec()
    }

    fn read_2(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, Kept, 2>]) -> Vec<Word> {
        let kernels = self.kernels(key);
        let alpha = scan(&kernels, (&memory.alpha, memory.row_words), queries, [B]);
        sum(&alpha, &scan(&kernels, (&memory.beta, memory.row_words), queries, [A]))
    }

    fn update_both(&self, key: &SessionKey, memory: &mut Both, queries: &[UpdateQuery<'_, Kept, 2>]) {
        let kernels = self.kernels(key);
        update(&kernels, &mut memory.alpha, queries, A);
        update(&kernels, &mut memory.beta, queries, B);
    }

    fn update_alpha(&self, key: &SessionKey, memory: &mut Alpha, queries: &[UpdateQuery<'_, Kept, 1>]) {
        update(&self.kernels(key), &mut memory.alpha, queries, A);
    }
}

impl Footprint<Lean> for Fast {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        [2, 1, 2].map(|vectors| extent.vector_bytes(vectors))
    }

    /// Whatever does not fit is computed again, so a batch is never cut for the sake of its labels.
    fn item_bytes(&self, _extent: Extent) -> u64 {
        0
    }

    /// The flags of two keys; with rows their values too, of which there are two copies: in the key, and as the kernels take them.
    fn kept_bytes(&self, extent: Extent) -> u64 {
        let flags = (2 << extent.log_size >> 3).max(2 * size_of::<Block>() as u64);
        flags + 2 * 2 * values_bytes(extent) + masks_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        let trees = usize::try_from(items.saturating_mul(2)).unwrap_or(usize::MAX);
        let depth = self.whole_depth(extent.log_size.saturating_sub(3), trees);
        let stored = kernel::Forest::bytes_per_tree(depth).saturating_mul(trees) as u64;
        extent.vector_bytes(5).saturating_add(2 * stored)
    }
}
