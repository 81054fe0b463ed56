//! A worker's part of the lean protocol's READ and UPDATE.
//!
//! Leaf `j` meets row `j xor S`, so that the rows of an aligned block meet the leaves of one subtree: block `m` of `2^k` rows meets
//! subtree `m xor (S >> k)`, moved by the lower bits of S. A range is a few such blocks, of which none is larger than
//! [`BLOCK_BITS`] says: the flags of all queries in it stay near. The flags of a subtree are evaluated when they are needed: which
//! subtree that is depends on S. It costs a fiftieth of the scan, and an item is as small as its key.

use std::ops::Range;

use duoram_kernel::{self as kernel, BitKey, Flags, Kernels, RowKey, RowUpdate, Selection};
use duoram_reference::lean::{LayeredKey, NODE_ROWS};
use duoram_runtime::fast::Fast;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::Failure;
use crate::bytes::{Reader, Request};
use crate::memory::{Memory, two_vectors};

/// The largest block: half a MiB of each vector for each word of a row, and 8 KiB of flags a key.
const BLOCK_BITS: u32 = 16;

/// Levels that a tree of flags ends early, and one of values.
const FLAG_LEVELS: u32 = 7;
const VALUE_LEVELS: u32 = 3;

/// Root, flag correction, whether there is a value correction and that, corrections.
pub(crate) fn write_key(request: &mut Request, key: &LayeredKey) {
    request.block(*key.root()).block(key.flag_correction());
    request.byte(u8::from(key.value_correction().is_some()));
    for word in key.value_correction().into_iter().flatten() {
        request.word(*word);
    }
    request.corrections(key.corrections());
}

/// What a key takes at the least.
const KEY_BYTES: usize = 16 + 16 + 1 + 8;

/// A key, as it came.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Layered {
    root: u128,
    corrections: Vec<kernel::Correction>,
    flag_correction: u128,
    value_correction: Option<Vec<u64>>,
}

fn read_key(
    reader: &mut Reader<'_>,
    (log_size, row_words): (u32, usize),
    values: bool,
) -> Result<Layered, Failure> {
    let (root, flag_correction) = (reader.block()?, reader.block()?);
    let mut key = Layered { root, flag_correction, value_correction: None, corrections: Vec::new() };
    if reader.byte()? == 1 {
        // Room at once, in its place: a vector that grows or is dropped by an error would leave words behind.
        let words = key.value_correction.insert(Vec::with_capacity(NODE_ROWS * row_words));
        for _ in 0..NODE_ROWS * row_words {
            words.push(reader.word()?);
        }
    }
    key.corrections = std::mem::take(&mut *reader.kernel_corrections()?);
    let levels = if key.value_correction.is_some() { VALUE_LEVELS } else { FLAG_LEVELS };
    let expected = log_size.saturating_sub(levels) as usize;
    if key.corrections.len() != expected || values && key.value_correction.is_none() {
        return Err(reader.nonsense(&format!("a key of {expected} levels"), key.corrections.len()));
    }
    Ok(key)
}

impl Layered {
    /// The labels of some nodes of a level.
    fn labels(&self, kernels: &Kernels<'_>, depth: usize, nodes: &[u64]) -> Zeroizing<Vec<u128>> {
        kernels.labels_at(&kernel::Key::new(self.root, self.corrections[..depth].to_vec()), nodes)
    }

    /// The subtree below a label of a level, down to the nodes of a layer of trees of `log_size`.
    fn nodes(&self, label: u128, depth: usize, log_size: u32, levels: u32) -> kernel::Key {
        let end = log_size.saturating_sub(levels) as usize;
        kernel::Key::new(label, self.corrections[depth..end].to_vec())
    }

    /// The flags of the `2^bits` leaves below a label.
    fn flags(&self, kernels: &Kernels<'_>, label: u128, bits: u32, log_size: u32) -> Flags {
        let nodes = self.nodes(label, (log_size - bits) as usize, log_size, FLAG_LEVELS);
        kernels.flags(&BitKey::new(bits as usize, nodes, self.flag_correction))
    }

    /// The key of their values.
    fn values(&self, label: u128, bits: u32, log_size: u32) -> Option<RowKey> {
        let nodes = self.nodes(label, (log_size - bits) as usize, log_size, VALUE_LEVELS);
        Some(RowKey::new(bits as usize, nodes, self.value_correction.clone()?))
    }
}

/// A query: its keys, a row for each of them if it is an UPDATE, and the shift.
struct Query {
    keys: Vec<Layered>,
    final_corrections: Vec<Vec<u64>>,
    shift: u64,
}

fn read_queries(
    reader: &mut Reader<'_>,
    (log_size, row_words): (u32, usize),
    keys: usize,
    update: bool,
) -> Result<Vec<Query>, Failure> {
    let count = reader.count(keys * KEY_BYTES + 8)?;
    let mut queries = Vec::with_capacity(count);
    for _ in 0..count {
        let mut query = Query { keys: Vec::with_capacity(keys), final_corrections: Vec::new(), shift: 0 };
        for _ in 0..keys {
            query.keys.push(read_key(reader, (log_size, row_words), update)?);
        }
        for _ in 0..if update { keys } else { 0 } {
            let row = (0..row_words).map(|_| reader.word()).collect::<Result<_, _>>()?;
            query.final_corrections.push(row);
        }
        query.shift = reader.below(1 << log_size, "a shift")?;
        queries.push(query);
    }
    Ok(queries)
}

/// The aligned blocks of a range of whole units, by size: bits, and the numbers of the blocks of so many rows.
fn blocks(range: Range<usize>) -> Vec<(u32, Vec<usize>)> {
    let mut sizes: Vec<(u32, Vec<usize>)> = (0..=BLOCK_BITS).map(|bits| (bits, Vec::new())).collect();
    let mut start = range.start;
    while start < range.end {
        let aligned = start.trailing_zeros().min(BLOCK_BITS);
        let bits = aligned.min((range.end - start).ilog2());
        sizes[bits as usize].1.push(start >> bits);
        start += 1 << bits;
    }
    sizes.retain(|(_, blocks)| !blocks.is_empty());
    sizes
}

/// For each query and each of its keys the labels of the subtrees that the blocks meet.
fn labels(
    kernels: &Kernels<'_>,
    queries: &[Query],
    bits: u32,
    log_size: u32,
    blocks: &[usize],
) -> Vec<Vec<Zeroizing<Vec<u128>>>> {
    let depth = (log_size - bits) as usize;
    let of_query = |query: &Query| {
        let nodes: Vec<u64> = blocks.iter().map(|block| *block as u64 ^ query.shift >> bits).collect();
        query.keys.iter().map(|key| key.labels(kernels, depth, &nodes)).collect()
    };
    queries.iter().map(of_query).collect()
}

/// Which rows of a block of `2^bits` a shift moves where.
fn within(shift: u64, bits: u32) -> usize {
    usize::try_from(shift & ((1 << bits) - 1)).unwrap_or_default()
}

/// The flags of all keys of a query in one block.
fn flags(
    kernels: &Kernels<'_>,
    query: &Query,
    labels: &[Zeroizing<Vec<u128>>],
    block: usize,
    (bits, log_size): (u32, u32),
) -> Vec<Flags> {
    query
        .keys
        .iter()
        .zip(labels)
        .map(|(key, labels)| key.flags(kernels, labels[block], bits, log_size))
        .collect()
}

/// Which keys select in which vector, at P0, P1, P2: `reference/src/lean/compute.rs` says it in formulas.
fn sides(reader: &mut Reader<'_>) -> Result<&'static [&'static [usize]], Failure> {
    match reader.byte()? {
        0 => Ok(&[&[0, 1], &[0]]),
        1 => Ok(&[&[0]]),
        2 => Ok(&[&[1], &[0]]),
        other => Err(reader.nonsense("a role", other)),
    }
}

/// A party's part of the sums of READs.
pub(crate) fn read(
    fast: &Fast,
    memory: &Memory,
    reader: &mut Reader<'_>,
) -> Result<Zeroizing<Vec<u64>>, Failure> {
    let key = reader.key()?;
    let sides = sides(reader)?;
    if memory.vectors() != sides.len() {
        return Err(two_vectors(memory.vectors()));
    }
    let (log_size, row_words) = (memory.log_size, memory.row_words);
    let queries = read_queries(reader, (log_size, row_words), sides.len(), false)?;
    let kernels = fast.kernels(&key);
    let mut sums = Zeroizing::new(vec![0; queries.len() * row_words]);
    for (bits, blocks) in blocks(memory.units()) {
        let labels = labels(&kernels, &queries, bits, log_size, &blocks);
        for (number, block) in blocks.iter().enumerate() {
            let rows = block << bits..(block + 1) << bits;
            let of_query =
                |(query, labels): (&Query, &Vec<_>)| flags(&kernels, query, labels, number, (bits, log_size));
            let flags: Vec<Vec<Flags>> = queries.iter().zip(&labels).map(of_query).collect();
            for (vector, sides) in sides.iter().enumerate() {
                let mut selected: Vec<Vec<&Flags>> = Vec::with_capacity(flags.len());
                for flags in &flags {
                    selected.push(sides.iter().map(|side| &flags[*side]).collect());
                }
                let selections: Vec<_> = selected
                    .iter()
                    .zip(&queries)
                    .map(|(flags, query)| Selection { flags, shift: within(query.shift, bits) })
                    .collect();
                let found = kernels.scan_rows(memory.unit(vector, &rows), row_words, &selections);
                sums.iter_mut().zip(found.iter()).for_each(|(sum, found)| *sum ^= found);
            }
        }
    }
    Ok(sums)
}

/// A party's UPDATEs: of each vector by a key of its own.
pub(crate) fn update(fast: &Fast, memory: &mut Memory, reader: &mut Reader<'_>) -> Result<(), Failure> {
    let key = reader.key()?;
    let log_size = memory.log_size;
    let queries = read_queries(reader, (log_size, memory.row_words), memory.vectors(), true)?;
    let kernels = fast.kernels(&key);
    for (bits, blocks) in blocks(memory.units()) {
        let labels = labels(&kernels, &queries, bits, log_size, &blocks);
        for (number, block) in blocks.iter().enumerate() {
            let rows = block << bits..(block + 1) << bits;
            for vector in 0..memory.vectors() {
                let mut keys = Vec::with_capacity(queries.len());
                for (query, labels) in queries.iter().zip(&labels) {
                    let (key, label) = (&query.keys[vector], labels[vector][number]);
                    let Some(values) = key.values(label, bits, log_size) else { continue };
                    keys.push((key.flags(&kernels, label, bits, log_size), Box::new(values), query));
                }
                let mut updates = Vec::with_capacity(keys.len());
                for (flags, key, query) in &keys {
                    let (correction, shift) = (&*query.final_corrections[vector], within(query.shift, bits));
                    updates.push(RowUpdate { key, flags, correction, shift });
                }
                kernels.update_rows(memory.unit_mut(vector, &rows), &updates);
            }
        }
    }
    memory.clear_around();
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_are_aligned_and_cover_a_range_once(start in 0..1_usize << 12, len in 0..1_usize << 12) {
            let range = 128 * start..128 * (start + len);
            let mut words = Vec::new();
            for (bits, blocks) in blocks(range.clone()) {
                prop_assert!((7..=BLOCK_BITS).contains(&bits));
                words.extend(blocks.iter().map(|block| block << bits..(block + 1) << bits));
            }
            words.sort_unstable_by_key(|words| words.start);
            let mut end = range.start;
            for words in words {
                prop_assert_eq!(words.start, end);
                end = words.end;
            }
            prop_assert_eq!(end, range.end);
        }
    }
}
