//! What pairs of parties draw alike for a batch, from a stream an item.

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::{BatchShape, DPFS_PER_ITEM};
use crate::engine::level::AndTriple;
use crate::engine::{ItemKind, PartyStream};
use crate::lean::layers::flag_bits;
use crate::lean::pairs::Pairs;
use crate::wire::Role;
use crate::{Block, Word};

fn bit(stream: &mut PartyStream) -> bool {
    stream.word() & 1 == 1
}

/// kf bits of a word.
fn flag_index(stream: &mut PartyStream, log_size: u32) -> Word {
    stream.word() & ((1 << flag_bits(log_size)) - 1)
}

/// A row, or several.
pub(super) fn words(stream: &mut PartyStream, count: usize) -> Vec<Word> {
    (0..count).map(|_| stream.word()).collect()
}

/// What P0 and P1 have in common, for each UPDATE item: rows of w words.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
pub(super) struct Seeds01 {
    /// `G_a`, `G_b`.
    pub(super) values: Vec<[Vec<Word>; DPFS_PER_ITEM]>,
    /// `x'`, the mask of the difference.
    pub(super) difference_masks: Vec<Vec<Word>>,
    /// x, the mask of an UPDATE.
    pub(super) update_masks: Vec<Vec<Word>>,
    /// `y_01`.
    pub(super) write_masks: Vec<Vec<Word>>,
}

impl Seeds01 {
    pub(super) fn draw(pairs: &Pairs, peer: Role, shape: BatchShape, numbers: &[u64]) -> Self {
        let room = || Vec::with_capacity(shape.batch.updates);
        let mut drawn = Self {
            values: Vec::with_capacity(shape.batch.updates),
            difference_masks: room(),
            update_masks: room(),
            write_masks: room(),
        };
        for &number in numbers.iter().skip(shape.batch.reads) {
            let mut stream = pairs.item(peer, number);
            let mut row = || words(&mut stream, shape.row_words);
            drawn.values.push([row(), row()]);
            drawn.difference_masks.push(row());
            drawn.update_masks.push(row());
            drawn.write_masks.push(row());
        }
        drawn
    }
}

/// What P0 and P2 have in common.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Seeds02 {
    /// For each DPF, for each level, `X_0`, `Y_0`, `Z_0`.
    pub(super) triples: Vec<Vec<AndTriple>>,
    /// For each DPF, `u_0`.
    pub(super) one_hots: Vec<Block>,
    /// For each DPF, `r_0`.
    pub(super) indices: Vec<Word>,
    /// For each DPF of UPDATE items, `U_0`: eight rows.
    pub(super) value_one_hots: Vec<Vec<Word>>,
    /// For each DPF of UPDATE items, `R'_0`: a row.
    pub(super) value_shares: Vec<Vec<Word>>,
    /// For each UPDATE item, `y_02`.
    pub(super) write_masks: Vec<Vec<Word>>,
}

impl Seeds02 {
    pub(super) fn draw(pairs: &Pairs, peer: Role, shape: BatchShape, numbers: &[u64]) -> Self {
        let mut drawn = Self {
            triples: Vec::with_capacity(shape.dpfs()),
            one_hots: Vec::with_capacity(shape.dpfs()),
            indices: Vec::with_capacity(shape.dpfs()),
            value_one_hots: Vec::with_capacity(shape.update_dpfs()),
            value_shares: Vec::with_capacity(shape.update_dpfs()),
            write_masks: Vec::with_capacity(shape.batch.updates),
        };
        for (item, &number) in numbers.iter().enumerate() {
            let kind = shape.kind(item);
            let mut stream = pairs.item(peer, number);
            for _ in 0..DPFS_PER_ITEM {
                let mut triple = || AndTriple { x: bit(&mut stream), y: stream.block(), z: stream.block() };
                drawn.triples.push((0..shape.levels(kind)).map(|_| triple()).collect());
                drawn.one_hots.push(stream.block());
                drawn.indices.push(flag_index(&mut stream, shape.log_size));
                if kind == ItemKind::Update {
                    drawn.value_one_hots.push(words(&mut stream, shape.node_words()));
                    drawn.value_shares.push(words(&mut stream, shape.row_words));
                }
            }
            if kind == ItemKind::Update {
                drawn.write_masks.push(words(&mut stream, shape.row_words));
            }
        }
        drawn
    }
}

/// What P1 and P2 have in common.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Seeds12 {
    /// For each DPF, for each level, `X_1`, `Y_1`; `Z_1` is not drawn but dealt, and zero until then.
    pub(super) triples: Vec<Vec<AndTriple>>,
    /// For each DPF, `r_1`.
    pub(super) indices: Vec<Word>,
    /// For each item, rho.
    pub(super) rhos: Vec<Vec<Word>>,
    /// For each UPDATE item, `y_12`.
    pub(super) write_masks: Vec<Vec<Word>>,
}

impl Seeds12 {
    pub(super) fn draw(pairs: &Pairs, peer: Role, shape: BatchShape, numbers: &[u64]) -> Self {
        let mut drawn = Self {
            triples: Vec::with_capacity(shape.dpfs()),
            indices: Vec::with_capacity(shape.dpfs()),
            rhos: Vec::with_capacity(numbers.len()),
            write_masks: Vec::with_capacity(shape.batch.updates),
        };
        for (item, &number) in numbers.iter().enumerate() {
            let kind = shape.kind(item);
            let mut stream = pairs.item(peer, number);
            for _ in 0..DPFS_PER_ITEM {
                let mut triple = || AndTriple { x: bit(&mut stream), y: stream.block(), z: 0 };
                drawn.triples.push((0..shape.levels(kind)).map(|_| triple()).collect());
                drawn.indices.push(flag_index(&mut stream, shape.log_size));
            }
            drawn.rhos.push(words(&mut stream, shape.row_words));
            if kind == ItemKind::Update {
                drawn.write_masks.push(words(&mut stream, shape.row_words));
            }
        }
        drawn
    }
}
