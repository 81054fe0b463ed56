//! A primary's own random choices for a batch.

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::{DPFS_PER_ITEM, TreeShape};
use crate::engine::{Batch, Parameters, PartyStream};
use crate::wire::Role;
use crate::{Block, Word};

/// Drawn when the step begins.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Drawn {
    #[zeroize(skip)]
    pub(super) batch: Batch,
    /// For each item, the XOR share of ri: the lowest h bits. Not the additive share `random_index` (erratum 10).
    pub(super) random_index_xor: Vec<Word>,
    /// For each DPF; the lowest bit is b (`[duoram, appendix C]`).
    pub(super) roots: Vec<Block>,
    /// For each DPF, `r_b` of App. D.
    pub(super) blinds: Vec<Word>,
    /// For each UPDATE item, `delta^(2)` and `delta^(3)`; at P0 only.
    pub(super) deltas: Vec<[Word; 2]>,
}

impl Drawn {
    /// Draws for each item in turn: `ri`, the roots, the blinds, and at P0 for UPDATE items the deltas.
    pub(super) fn draw(role: Role, batch: Batch, stream: &mut PartyStream) -> Self {
        let items = batch.items();
        let mut drawn = Self {
            batch,
            random_index_xor: Vec::with_capacity(items),
            roots: Vec::with_capacity(DPFS_PER_ITEM * items),
            blinds: Vec::with_capacity(DPFS_PER_ITEM * items),
            deltas: Vec::with_capacity(batch.updates),
        };
        for item in 0..items {
            drawn.random_index_xor.push(stream.word());
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
    pub(super) fn dpfs(&self) -> usize {
        self.roots.len()
    }

    /// What the messages on these DPFs are known by.
    pub(super) fn shape(&self, parameters: &Parameters) -> TreeShape {
        TreeShape { log_size: parameters.log_size(), dpfs: self.dpfs() }
    }

    /// The share `x_b` of the bit of ri that decides at a level, of the item that a DPF belongs to.
    pub(super) fn index_bit(&self, dpf: usize, level: u32, parameters: &Parameters) -> bool {
        self.random_index_xor[dpf / DPFS_PER_ITEM] >> (parameters.log_size() - 1 - level) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::SessionId;

    #[test]
    fn draws_are_in_the_order_that_the_protocol_fixes() {
        for role in [Role::P0, Role::P1] {
            let batch = Batch { reads: 1, updates: 1 };
            let drawn = Drawn::draw(role, batch, &mut PartyStream::new([3; 32]));
            let mut stream = PartyStream::new([3; 32]);
            for item in 0..2 {
                assert_eq!(drawn.random_index_xor[item], stream.word());
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
        let mut drawn = Drawn::draw(Role::P0, batch, &mut PartyStream::new([4; 32]));
        drawn.random_index_xor = vec![0b0110_0000_0110, 0b0110_0000_0001]; // the lowest four bits count
        let parameters = Parameters::new(SessionId([0; 16]), 4).unwrap();
        let bits = |dpf| [0, 1, 2, 3].map(|level| drawn.index_bit(dpf, level, &parameters));
        assert_eq!(bits(2), [false, true, true, false]);
        assert_eq!(bits(3), [false, false, false, true]);
    }
}
