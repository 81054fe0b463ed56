//! A party's own random choices for a batch.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::engine::{Batch, Parameters, PartyStream};
use crate::wire::Role;
use crate::{Block, Word};

/// Drawn when the step begins.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Drawn {
    #[zeroize(skip)]
    pub(super) batch: Batch,
    #[zeroize(skip)]
    pub(super) log_size: u32,
    /// For each READ item `q_b`, below n.
    pub(super) indices: Vec<Word>,
    /// For each UPDATE item the XOR share of ri: the lowest h bits. Not the additive share `random_index` (erratum 10).
    random_index_xor: Vec<Word>,
    /// For each UPDATE item; the lowest bit is b (`[duoram, appendix C]`).
    pub(super) roots: Vec<Block>,
    /// For each UPDATE item `X_b` of its triples: the lowest h bits, the highest of them for the first level.
    triple_bits: Vec<Word>,
}

impl Drawn {
    /// Draws the indices of the READ items, and then for each UPDATE item ri, root and triple bits.
    pub(super) fn draw(role: Role, batch: Batch, parameters: &Parameters, stream: &mut PartyStream) -> Self {
        let mut drawn = Self {
            batch,
            log_size: parameters.log_size(),
            indices: Vec::with_capacity(batch.reads),
            random_index_xor: Vec::with_capacity(batch.updates),
            roots: Vec::with_capacity(batch.updates),
            triple_bits: Vec::with_capacity(batch.updates),
        };
        drawn.indices.extend((0..batch.reads).map(|_| parameters.reduce(stream.word())));
        for _ in 0..batch.updates {
            drawn.random_index_xor.push(stream.word());
            drawn.roots.push(stream.block() & !1 | Block::from(role.number()));
            drawn.triple_bits.push(stream.word());
        }
        drawn
    }

    /// h choices an item, READ items' first: the bits of `q_b`, and the triples' of each level.
    pub(super) fn choices(&self) -> Zeroizing<Vec<bool>> {
        let words = self.indices.iter().chain(&self.triple_bits);
        let mut choices = Zeroizing::new(Vec::with_capacity(self.batch.items() * self.log_size as usize));
        for &word in words {
            choices.extend((0..self.log_size).map(|level| self.bit(word, level)));
        }
        choices
    }

    /// The share `x_b` of the bit of ri that decides at a level.
    pub(super) fn index_bit(&self, dpf: usize, level: u32) -> bool {
        self.bit(self.random_index_xor[dpf], level)
    }

    /// `X_b` of a level's triple.
    pub(super) fn triple_bit(&self, dpf: usize, level: u32) -> bool {
        self.bit(self.triple_bits[dpf], level)
    }

    fn bit(&self, word: Word, level: u32) -> bool {
        word >> (self.log_size - 1 - level) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::SessionId;

    #[test]
    fn draws_are_in_the_order_that_the_protocol_fixes() {
        let parameters = Parameters::new(SessionId([0; 16]), 4).unwrap();
        for role in [Role::P0, Role::P1] {
            let batch = Batch { reads: 2, updates: 2 };
            let drawn = Drawn::draw(role, batch, &parameters, &mut PartyStream::new([3; 32]));
            let mut stream = PartyStream::new([3; 32]);
            assert_eq!(drawn.indices, [stream.word() % 16, stream.word() % 16]);
            for dpf in 0..2 {
                assert_eq!(drawn.random_index_xor[dpf], stream.word());
                assert_eq!(drawn.roots[dpf], stream.block() & !1 | Block::from(role.number()));
                assert_eq!(drawn.triple_bits[dpf], stream.word());
            }
        }
    }

    #[test]
    fn bits_are_taken_most_significant_first() {
        let parameters = Parameters::new(SessionId([0; 16]), 3).unwrap();
        let batch = Batch { reads: 1, updates: 1 };
        let mut drawn = Drawn::draw(Role::P0, batch, &parameters, &mut PartyStream::new([4; 32]));
        drawn.indices = vec![0b110];
        drawn.triple_bits = vec![0b1111_1001]; // the lowest three bits count
        drawn.random_index_xor = vec![0b1000_1011];
        assert_eq!(*drawn.choices(), [true, true, false, false, false, true]);
        assert_eq!([0, 1, 2].map(|level| drawn.index_bit(0, level)), [false, true, true]);
        assert_eq!([0, 1, 2].map(|level| drawn.triple_bit(0, level)), [false, false, true]);
    }
}
