//! Trees in flight, as rank 0 has them: alone down to the level where they are split, and from there on with all workers.

use duoram_reference::lean::{self, NODE_ROWS};
use duoram_reference::{Block, ChildSums, Compute, Correction, LeafSums, SessionKey};
use duoram_runtime::fast;
use zeroize::{Zeroize, Zeroizing};

use crate::bytes::Request;
use crate::operation as op;
use crate::sharded::Sharded;
use crate::trees::{LEAN, PAPER, block};

/// Trees of one batch.
pub struct Forest {
    sharded: Sharded,
    key: SessionKey,
    protocol: u8,
    height: u32,
    /// Where they are split.
    split: u32,
    roots: Zeroizing<Vec<Block>>,
    /// Of each tree, as far as it has grown; down to the split.
    corrections: Vec<Zeroizing<Vec<Correction>>>,
    at: At,
}

/// How far they are.
enum At {
    /// Above the split. In a place of its own: there it is wiped.
    Top(Box<fast::Forest>),
    /// Below: the workers' number for them, and the corrections that they do not have yet.
    Below { number: u64, pending: Zeroizing<Vec<Correction>> },
}

impl Forest {
    /// Trees of one node each.
    pub(crate) fn plant(
        sharded: &Sharded,
        key: &SessionKey,
        roots: Vec<Block>,
        height: u32,
        protocol: u8,
    ) -> Self {
        // The paper's leaves are sums of a level below the split.
        let most = if protocol == PAPER { height.saturating_sub(1) } else { height };
        let split = sharded.split_depth(most);
        let roots = Zeroizing::new(roots);
        let top = match protocol {
            LEAN => lean::Compute::plant(sharded.fast(), key, roots.to_vec(), height),
            _ => Compute::plant(sharded.fast(), key, roots.to_vec(), height),
        };
        let mut forest = Self {
            sharded: sharded.clone(),
            key: SessionKey::new(*key.bytes()),
            protocol,
            height,
            split,
            corrections: roots.iter().map(|_| Zeroizing::new(Vec::with_capacity(split as usize))).collect(),
            roots,
            at: At::Top(Box::new(top)),
        };
        if split == 0 {
            forest.descend();
        }
        forest
    }

    /// Hands the trees to the workers.
    fn descend(&mut self) {
        let number = self.sharded.number();
        let byte = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        let mut request = Request::new(op::PLANT);
        request.word(number).byte(self.protocol).key(&self.key);
        request.byte(byte(self.height - self.split)).byte(byte(self.split)).count(self.roots.len());
        for (root, corrections) in self.roots.iter().zip(&self.corrections) {
            request.block(*root).corrections(corrections);
        }
        self.sharded.ask(request);
        self.roots.zeroize();
        self.corrections.clear();
        self.at = At::Below { number, pending: Zeroizing::default() };
    }

    /// A request about trees below the split, along with the corrections that are due.
    fn request(&mut self, operation: u8) -> Request {
        let mut request = Request::new(operation);
        if let At::Below { number, pending } = &mut self.at {
            request.word(*number).corrections(pending);
            *pending = Zeroizing::default();
        }
        request
    }

    pub(crate) fn grow(&mut self) -> Vec<ChildSums> {
        if let At::Top(top) = &mut self.at {
            return Compute::grow(self.sharded.fast(), top);
        }
        let request = self.request(op::GROW);
        let words = self.sharded.ask(request);
        let of_tree =
            |&[l0, l1, r0, r1]: &[u64; 4]| ChildSums { left: block([l0, l1]), right: block([r0, r1]) };
        words.as_chunks().0.iter().map(of_tree).collect()
    }

    pub(crate) fn correct(&mut self, corrections: &[Correction]) {
        match &mut self.at {
            At::Below { pending, .. } => *pending = Zeroizing::new(corrections.to_vec()),
            At::Top(top) => {
                Compute::correct(self.sharded.fast(), top, corrections);
                for (known, correction) in self.corrections.iter_mut().zip(corrections) {
                    known.push(*correction);
                }
                if self.corrections.first().is_none_or(|known| known.len() == self.split as usize) {
                    self.descend();
                }
            }
        }
    }

    /// Of trees that have all levels: all of them are below the split.
    pub(crate) fn leaf_sums(mut self) -> Vec<LeafSums> {
        let request = self.request(op::LEAF_SUMS);
        let words = self.sharded.ask(request);
        let of_tree =
            |&[flag_count, conversion_sum, value_sum, index_flag_sum, index_conversion_sum]: &[u64; 5]| {
                LeafSums { flag_count, conversion_sum, value_sum, index_flag_sum, index_conversion_sum }
            };
        words.as_chunks().0.iter().map(of_tree).collect()
    }

    pub(crate) fn flag_sums(&mut self, complete: usize) -> Vec<Block> {
        let complete = complete.min(match &self.at {
            At::Top(_) => self.roots.len(),
            At::Below { .. } => usize::MAX,
        });
        if let At::Top(top) = &mut self.at {
            let sums = lean::Compute::flag_sums(self.sharded.fast(), top, complete);
            self.roots.drain(..complete);
            self.corrections.drain(..complete);
            return sums;
        }
        let mut request = self.request(op::FLAG_SUMS);
        request.count(complete);
        let words = self.sharded.ask(request);
        words.as_chunks().0.iter().map(|words| block(*words)).collect()
    }

    pub(crate) fn value_sums(&mut self, row_words: usize) -> Vec<Vec<u64>> {
        if let At::Top(top) = &mut self.at {
            return lean::Compute::value_sums(self.sharded.fast(), top, row_words);
        }
        let mut request = self.request(op::VALUE_SUMS);
        request.count(row_words);
        self.sharded.ask(request).chunks(NODE_ROWS * row_words).map(<[u64]>::to_vec).collect()
    }
}

impl Drop for Forest {
    fn drop(&mut self) {
        if let At::Below { number, .. } = self.at {
            self.sharded.forget(op::FELL, number);
        }
    }
}
