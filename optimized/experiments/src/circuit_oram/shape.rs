//! The trees of a Circuit ORAM whose positions are in further trees, as the three-party program has them.

/// Parameters of the authors' program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Address bits that a tree's position adds to the one before: a block of it has `2^tau` labels.
    pub tau: u32,
    /// Places in a bucket, but the root's.
    pub width: usize,
    /// Places in the root, which is the stash.
    pub stash: usize,
    /// Bytes of a word.
    pub word_bytes: u64,
}

impl Parameters {
    /// The program's own configuration, with the words of DUORAM.
    pub const WORDS: Self = Self { tau: 3, width: 3, stash: 32, word_bytes: 8 };

    /// The program's own configuration as it is: words of 4 bytes. What DUORAM's artifact ran.
    pub const ARTIFACT: Self = Self { word_bytes: 4, ..Self::WORDS };
}

/// One of the trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tree {
    /// Address bits: none of the first, all of the last.
    pub address_bits: u32,
    /// Bits of a leaf's label: there are twice as many leaves as addresses.
    pub leaf_bits: u32,
    /// Bits of the labels in its blocks: none in the last tree, whose blocks are words.
    pub label_bits: u32,
    /// Bytes of a block's content.
    pub content_bytes: u64,
    /// Places in the root.
    pub root: usize,
    /// Labels in a block.
    pub labels: u64,
    /// Places in a bucket, but the root's.
    pub width: usize,
}

impl Tree {
    /// Whether it is the first, which is one block.
    pub const fn is_first(&self) -> bool {
        self.address_bits == 0
    }

    /// Whether it is the last, which has the words.
    pub const fn is_last(&self) -> bool {
        self.label_bits == 0
    }

    /// Levels of a path, the root's counted.
    pub const fn levels(&self) -> usize {
        self.leaf_bits as usize + 1
    }

    /// Places on a path.
    pub const fn path(&self) -> usize {
        self.root + self.leaf_bits as usize * self.width
    }

    /// Bytes of a block: whether it is one, its address, its leaf, its content. The first tree's is its content alone.
    pub const fn block_bytes(&self) -> u64 {
        if self.is_first() {
            self.content_bytes
        } else {
            1 + bytes(self.address_bits) + bytes(self.leaf_bits) + self.content_bytes
        }
    }

    /// Bytes of a label in a block.
    pub const fn label_bytes(&self) -> u64 {
        bytes(self.label_bits)
    }
}

/// Bytes that so many bits take.
const fn bytes(bits: u32) -> u64 {
    bits.div_ceil(8) as u64
}

/// The trees of a memory of `2^log_size` words, at least two.
pub fn trees(log_size: u32, parameters: &Parameters) -> Vec<Tree> {
    let count = (log_size - 1) / parameters.tau + 2;
    let address_bits = |tree: u32| if tree + 1 == count { log_size } else { tree * parameters.tau };
    let leaf_bits = |tree: u32| if tree == 0 { 0 } else { address_bits(tree) + 1 };
    let shape = |tree: u32| {
        let label_bits = if tree + 1 == count { 0 } else { leaf_bits(tree + 1) };
        let labels = 1 << parameters.tau;
        Tree {
            address_bits: address_bits(tree),
            leaf_bits: leaf_bits(tree),
            label_bits,
            content_bytes: if label_bits == 0 { parameters.word_bytes } else { bytes(label_bits) * labels },
            root: if tree == 0 { 1 } else { parameters.stash },
            labels,
            width: parameters.width,
        }
    };
    (0..count).map(shape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tree_is_a_block_and_the_last_has_the_words() {
        let trees = trees(16, &Parameters::ARTIFACT);
        let bits: Vec<_> = trees.iter().map(|tree| (tree.address_bits, tree.leaf_bits)).collect();
        assert_eq!(bits, [(0, 0), (3, 4), (6, 7), (9, 10), (12, 13), (15, 16), (16, 17)]);
        assert_eq!(trees.iter().map(Tree::block_bytes).collect::<Vec<_>>(), [8, 11, 19, 21, 21, 29, 10]);
        assert!(trees[0].is_first() && trees[6].is_last());
        assert_eq!((trees[0].path(), trees[6].path()), (1, 32 + 17 * 3));
    }

    #[test]
    fn every_size_has_trees() {
        for log_size in 1..=32 {
            let trees = trees(log_size, &Parameters::WORDS);
            assert!(trees[0].is_first() && trees.last().is_some_and(Tree::is_last));
            assert!(trees.windows(2).all(|pair| pair[1].address_bits - pair[0].address_bits <= 3));
        }
    }
}
