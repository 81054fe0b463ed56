//! A primary's own random choices for a batch.

use std::ops::Range;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::DPFS_PER_ITEM;
use crate::message::Shape;
use crate::party::Batch;
use crate::random::PartyStream;
use crate::{Block, Compute, Parameters, Role, SessionKey, Word};

/// What a primary's preprocessing runs with.
pub(crate) struct Context<'a, C: Compute> {
    pub(crate) compute: &'a C,
    pub(crate) key: &'a SessionKey,
    pub(crate) parameters: Parameters,
}

/// Drawn when the step starts; then the triples are due.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Drawn {
    #[zeroize(skip)]
    pub(crate) batch: Batch,
    /// The numbers of the items.
    #[zeroize(skip)]
    pub(crate) numbers: Range<u64>,
    /// For each item, the XOR share of ri: the lowest h bits (erratum 10).
    pub(crate) index_shares: Vec<Word>,
    /// For each DPF; the lowest bit is b (`[duoram, appendix C]`).
    pub(crate) roots: Vec<Block>,
    /// For each DPF, `r_b` of App. D.
    pub(crate) blinds: Vec<Word>,
    /// For each UPDATE item, `delta^(2)` and `delta^(3)`; at P0 only.
    pub(crate) deltas: Vec<[Word; 2]>,
}

impl Drawn {
    /// Draws for each item in turn: `ri`, the roots, the blinds, and at P0 for UPDATE items the deltas.
    pub(crate) fn start(role: Role, batch: Batch, numbers: Range<u64>, stream: &mut PartyStream) -> Self {
        let items = batch.reads + batch.updates;
        let mut drawn = Self {
            batch,
            numbers,
            index_shares: Vec::with_capacity(items),
            roots: Vec::with_capacity(DPFS_PER_ITEM * items),
            blinds: Vec::with_capacity(DPFS_PER_ITEM * items),
            deltas: Vec::with_capacity(batch.updates),
        };
        for item in 0..items {
            drawn.index_shares.push(stream.word());
            for _ in 0..DPFS_PER_ITEM {
                drawn.roots.push(stream.block() & !1 | Block::from(role.number()));
            }
            for _ in 0..DPFS_PER_ITEM {
                drawn.blinds.push(stream.word());
            }
            if role == Role::P0 && item >= batch.reads {
                drawn.deltas.push([stream.word(), stream.word()]);
            }
        }
        drawn
    }

    /// The number of DPFs.
    pub(crate) fn dpfs(&self) -> usize {
        self.roots.len()
    }

    /// The triples that are due from the helper.
    pub(crate) fn shape(&self, parameters: &Parameters) -> Shape {
        Shape::Triples { log_size: parameters.log_size(), dpfs: self.dpfs() }
    }

    /// The share `x_b` of the bit of ri that decides at a level, of the item that a DPF belongs to.
    pub(crate) fn index_bit(&self, dpf: usize, level: u32, parameters: &Parameters) -> bool {
        self.index_shares[dpf / DPFS_PER_ITEM] >> (parameters.log_size() - 1 - level) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionId;

    #[test]
    fn draws_are_in_the_order_that_the_protocol_fixes() {
        for role in [Role::P0, Role::P1] {
            let batch = Batch { reads: 1, updates: 1 };
            let drawn = Drawn::start(role, batch, 0..2, &mut PartyStream::new([3; 32]));
            let mut stream = PartyStream::new([3; 32]);
            for item in 0..2 {
                assert_eq!(drawn.index_shares[item], stream.word());
                for dpf in 3 * item..3 * item + 3 {
                    assert_eq!(drawn.roots[dpf] >> 1, stream.block() >> 1);
                    assert_eq!(drawn.roots[dpf] & 1, Block::from(role.number()));
                }
                for dpf in 3 * item..3 * item + 3 {
                    assert_eq!(drawn.blinds[dpf], stream.word());
                }
            }
            if role == Role::P0 {
                assert_eq!(drawn.deltas, [[stream.word(), stream.word()]]);
            } else {
                assert!(drawn.deltas.is_empty());
            }
        }
    }

    #[test]
    fn erratum_10_index_bits_are_taken_most_significant_first() {
        let batch = Batch { reads: 2, updates: 0 };
        let mut drawn = Drawn::start(Role::P0, batch, 0..2, &mut PartyStream::new([4; 32]));
        drawn.index_shares = vec![0b0110_0000_0110, 0b0110_0000_0001]; // the lowest four bits count
        let parameters = Parameters::new(SessionId([0; 16]), 4).unwrap();
        let bits = |dpf| [0, 1, 2, 3].map(|level| drawn.index_bit(dpf, level, &parameters));
        assert_eq!(bits(2), [false, true, true, false]);
        assert_eq!(bits(3), [false, false, false, true]);
    }
}
