//! The client of a Circuit ORAM: words in the last tree, and in each tree before it where the blocks of the next one are.
//!
//! A block comes into its tree when it is first touched; until then its word is what the memory began with. So a memory takes as
//! much as is touched of it. What an access costs does not depend on it.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;

use super::shape;
use super::tree::{Block, Tree};

/// Leaves of the next tree's blocks, by the address bits that it adds; `None` where a block has never been touched.
type Labels = Vec<Option<u64>>;

/// The trees and their stashes.
pub(super) struct Client {
    shapes: Vec<shape::Tree>,
    /// The content of the first tree, which is one block.
    first: Labels,
    /// Those between the first and the last.
    positions: Vec<Tree<Labels>>,
    words: Tree<u64>,
    random: ChaCha20Rng,
}

impl Client {
    pub(super) fn new(shapes: Vec<shape::Tree>, random: ChaCha20Rng) -> Self {
        let inner = &shapes[1..shapes.len() - 1];
        Self {
            first: unknown(&shapes[0]),
            positions: inner.iter().map(Tree::new).collect(),
            words: Tree::new(&shapes[shapes.len() - 1]),
            random,
            shapes,
        }
    }

    /// The most blocks that any stash ever had after an access.
    pub(super) fn most_stashed(&self) -> usize {
        self.positions.iter().map(Tree::most_stashed).fold(self.words.most_stashed(), usize::max)
    }

    /// Replaces the word at an address by what `change` makes of it, and answers the old one. `initial` is the word that the
    /// memory began with.
    pub(super) fn access(&mut self, address: u64, initial: u64, change: impl FnOnce(u64) -> u64) -> u64 {
        let leaves: Vec<u64> =
            self.shapes.iter().map(|shape| self.random.next_u64() % (1 << shape.leaf_bits)).collect();
        let last = self.shapes.len() - 1;
        let child = |tree: usize| child(&self.shapes, tree, address);
        let mut leaf = self.first[child(0)].replace(leaves[1]);
        for (tree, blocks) in self.positions.iter_mut().enumerate() {
            let number = tree + 1;
            let prefix = address >> (self.shapes[last].address_bits - self.shapes[number].address_bits);
            // A path is fetched in any case; who has never been touched has none of its own.
            let taken = leaf.and_then(|leaf| blocks.take(prefix, leaf));
            let mut content = taken.map_or_else(|| unknown(&self.shapes[number]), |block| block.content);
            leaf = content[child(number)].replace(leaves[number + 1]);
            blocks.put(Block { address: prefix, leaf: leaves[number], content });
        }
        let taken = leaf.and_then(|leaf| self.words.take(address, leaf));
        let old = taken.map_or(initial, |block| block.content);
        self.words.put(Block { address, leaf: leaves[last], content: change(old) });
        old
    }
}

fn unknown(shape: &shape::Tree) -> Labels {
    (0..shape.labels).map(|_| None).collect()
}

/// Which label of a block of a tree leads to an address.
fn child(shapes: &[shape::Tree], tree: usize, address: u64) -> usize {
    let last = shapes[shapes.len() - 1].address_bits;
    let next = shapes[tree + 1].address_bits;
    let added = next - shapes[tree].address_bits;
    usize::try_from((address >> (last - next)) % (1 << added)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::circuit_oram::shape::{Parameters, trees};

    #[test]
    fn accesses_are_answered_as_an_array_answers_them() {
        for log_size in [1, 2, 3, 4, 7, 10] {
            let mut client =
                Client::new(trees(log_size, &Parameters::WORDS), ChaCha20Rng::from_seed([1; 32]));
            let mut random = ChaCha20Rng::from_seed([2; 32]);
            let initial = |address: u64| 1000 + address;
            let mut array: Vec<u64> = (0..1 << log_size).map(initial).collect();
            for _ in 0..5000 {
                let (address, word) = (random.next_u64() % (1 << log_size), random.next_u64());
                let place = usize::try_from(address).unwrap();
                let writes = word % 2 == 1;
                let old = client.access(address, initial(address), |old| if writes { word } else { old });
                assert_eq!(old, array[place]);
                if writes {
                    array[place] = word;
                }
            }
            assert!(client.most_stashed() <= Parameters::WORDS.stash);
        }
    }

    #[test]
    fn a_label_is_chosen_by_the_bits_that_the_next_tree_adds() {
        let shapes = trees(16, &Parameters::WORDS);
        let address = 0b0010_1001_1100_1011;
        let children: Vec<_> = (0..shapes.len() - 1).map(|tree| child(&shapes, tree, address)).collect();
        assert_eq!(children, [1, 2, 3, 4, 5, 1]);
    }
}
