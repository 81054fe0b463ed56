//! A worker's part of trees that grow: the subtrees below some nodes of one level.
//!
//! Above that level rank 0 grows them alone: that is a handful of nodes. From there on each worker grows its own, and of every level
//! one sum comes back and one correction goes out.

use std::ops::Range;

use duoram_kernel as kernel;
use duoram_reference::{Block, Compute, lean};
use duoram_runtime::fast::{Fast, Forest};
use zeroize::{Zeroize, Zeroizing};

use crate::bytes::Reader;
use crate::{Cut, Failure};

/// Of which protocol trees are: they are stored in different ways.
pub(crate) const PAPER: u8 = 0;
pub(crate) const LEAN: u8 = 1;

/// The subtrees of all trees below the nodes of a range.
pub(crate) struct Trees {
    /// The nodes, of the level where trees are split.
    nodes: Range<usize>,
    /// How many trees.
    count: usize,
    /// How many levels there are below the nodes.
    height: u32,
    /// How many have grown, and whether the last of them has no correction yet.
    depth: u32,
    grown: bool,
    /// For each tree in turn those of all nodes; none if there are no nodes.
    forest: Option<Forest>,
}

impl Trees {
    /// What [`crate::operation::PLANT`] says, but for the number.
    pub(crate) fn plant(
        fast: &Fast,
        cut: &Cut,
        rank: usize,
        reader: &mut Reader<'_>,
    ) -> Result<Self, Failure> {
        let protocol = reader.byte()?;
        if protocol > LEAN {
            return Err(reader.nonsense("a protocol", protocol));
        }
        let key = reader.key()?;
        let height = u32::from(reader.byte()?);
        let depth = reader.byte()?;
        if u32::from(depth) > cut.split_depth(duoram_reference::MAX_LOG_SIZE) {
            return Err(reader.nonsense("a level where trees are split", depth));
        }
        if u32::from(depth) + height > duoram_reference::MAX_LOG_SIZE {
            return Err(reader.nonsense("a height that trees have", height));
        }
        let nodes = cut.range(rank, 1 << depth);
        let points: Vec<u64> = nodes.clone().map(|node| node as u64).collect();
        let trees = reader.count(16 + 8)?;
        let kernels = fast.kernels(&key);
        let mut roots = Zeroizing::new(Vec::with_capacity(trees * points.len()));
        for _ in 0..trees {
            let root = Zeroizing::new(reader.block()?);
            let mut corrections = reader.kernel_corrections()?;
            if corrections.len() != usize::from(depth) {
                return Err(reader.nonsense("a correction for each level", corrections.len()));
            }
            let top = kernel::Key::new(*root, std::mem::take(&mut *corrections));
            roots.extend_from_slice(&kernels.labels_at(&top, &points));
        }
        let roots = std::mem::take(&mut *roots);
        let forest = (!roots.is_empty()).then(|| match protocol {
            LEAN => lean::Compute::plant(fast, &key, roots, height),
            _ => Compute::plant(fast, &key, roots, height),
        });
        Ok(Self { nodes, count: trees, height, depth: 0, grown: false, forest })
    }

    /// The corrections of the last level, if it has had none yet: they go along with whatever comes after them.
    fn correct(&mut self, fast: &Fast, reader: &mut Reader<'_>) -> Result<(), Failure> {
        let corrections = reader.corrections()?;
        let expected = if self.grown { self.count } else { 0 };
        if corrections.len() != expected {
            return Err(reader.nonsense(&format!("{expected} corrections"), corrections.len()));
        }
        if !self.grown {
            return Ok(());
        }
        (self.depth, self.grown) = (self.depth + 1, false);
        if let Some(forest) = &mut self.forest {
            // Every subtree of a tree gets the tree's. By loops: whether an iterator has ended would be told by a flag of a correction,
            // and corrections are secret from the helper.
            let mut each = Zeroizing::new(Vec::with_capacity(corrections.len() * self.nodes.len()));
            for correction in corrections.iter() {
                for _ in self.nodes.clone() {
                    each.push(*correction);
                }
            }
            Compute::correct(fast, forest, &each);
        }
        Ok(())
    }

    /// Of each tree, four words: the XOR of its left and of its right children here.
    pub(crate) fn grow(
        &mut self,
        fast: &Fast,
        reader: &mut Reader<'_>,
    ) -> Result<Zeroizing<Vec<u64>>, Failure> {
        self.correct(fast, reader)?;
        if self.depth >= self.height {
            return Err(reader.nonsense("trees that are not as high as they become", self.depth));
        }
        self.grown = true;
        let mut words = Zeroizing::new(vec![0; 4 * self.count]);
        if let Some(forest) = &mut self.forest {
            let sums = Zeroizing::new(Compute::grow(fast, forest));
            for (words, sums) in words.as_chunks_mut::<4>().0.iter_mut().zip(sums.chunks(self.nodes.len())) {
                for sums in sums {
                    add_block(&mut words[..2], sums.left);
                    add_block(&mut words[2..], sums.right);
                }
            }
        }
        Ok(words)
    }

    /// Of each tree, five words: the sums over its leaves here.
    pub(crate) fn leaf_sums(
        mut self,
        fast: &Fast,
        reader: &mut Reader<'_>,
    ) -> Result<Zeroizing<Vec<u64>>, Failure> {
        self.correct(fast, reader)?;
        if self.depth == 0 || self.depth < self.height {
            return Err(reader.nonsense("trees that have leaves", self.depth));
        }
        let mut words = Zeroizing::new(vec![0_u64; 5 * self.count]);
        if let Some(forest) = self.forest {
            let sums = Zeroizing::new(Compute::leaf_sums(fast, forest));
            for (words, sums) in words.as_chunks_mut::<5>().0.iter_mut().zip(sums.chunks(self.nodes.len())) {
                for (node, sums) in self.nodes.clone().zip(sums) {
                    // A leaf's index in its tree is that in its subtree, and those of all subtrees before.
                    let first = (node as u64) << self.height;
                    let index_flags = sums.index_flag_sum.wrapping_add(first.wrapping_mul(sums.flag_count));
                    let index_conversions =
                        sums.index_conversion_sum.wrapping_add(first.wrapping_mul(sums.conversion_sum));
                    let parts = [
                        sums.flag_count,
                        sums.conversion_sum,
                        sums.value_sum,
                        index_flags,
                        index_conversions,
                    ];
                    for (word, part) in words.iter_mut().zip(parts) {
                        *word = word.wrapping_add(part);
                    }
                }
            }
        }
        Ok(words)
    }

    /// Of each tree, two words: the XOR of the flag layer. The first trees are complete then.
    pub(crate) fn flag_sums(
        &mut self,
        fast: &Fast,
        reader: &mut Reader<'_>,
    ) -> Result<Zeroizing<Vec<u64>>, Failure> {
        self.correct(fast, reader)?;
        let complete = reader.below(self.count as u64 + 1, "the number of complete trees")?;
        let complete = usize::try_from(complete).unwrap_or_default();
        let mut words = Zeroizing::new(vec![0; 2 * self.count]);
        if let Some(forest) = &mut self.forest {
            let sums = Zeroizing::new(lean::Compute::flag_sums(fast, forest, complete * self.nodes.len()));
            for (words, sums) in words.as_chunks_mut::<2>().0.iter_mut().zip(sums.chunks(self.nodes.len())) {
                for sum in sums {
                    add_block(words, *sum);
                }
            }
        }
        self.count -= complete;
        Ok(words)
    }

    /// Of each tree, the words of eight rows: the XOR of the value layer.
    pub(crate) fn value_sums(
        &mut self,
        fast: &Fast,
        reader: &mut Reader<'_>,
    ) -> Result<Zeroizing<Vec<u64>>, Failure> {
        self.correct(fast, reader)?;
        let row_words = reader.row_words()?;
        let node_words = lean::NODE_ROWS * row_words;
        let mut words = Zeroizing::new(vec![0; node_words * self.count]);
        if let Some(forest) = &mut self.forest {
            let mut sums = lean::Compute::value_sums(fast, forest, row_words);
            let of_trees = words.chunks_mut(node_words);
            for (words, sums) in of_trees.zip(sums.chunks(self.nodes.len())) {
                for sums in sums {
                    words.iter_mut().zip(sums).for_each(|(word, sum)| *word ^= sum);
                }
            }
            sums.zeroize();
        }
        Ok(words)
    }
}

/// Puts a block to two words, of which the first is its low half.
fn add_block(words: &mut [u64], block: Block) {
    for (word, half) in words.iter_mut().zip(halves(block)) {
        *word ^= half;
    }
}

#[allow(clippy::cast_possible_truncation)] // halves are what is asked for
fn halves(block: Block) -> [u64; 2] {
    [block as u64, (block >> 64) as u64]
}

/// The block of two words.
pub(crate) fn block([low, high]: [u64; 2]) -> Block {
    Block::from(high) << 64 | Block::from(low)
}
