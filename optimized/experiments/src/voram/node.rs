//! A node of a HIRB tree, and what decides where an item is: its label.

use sha2::{Digest, Sha256};

use super::bucket::Id;
use super::parameters::BRANCHING;

/// Of a key: items are in the order of their labels, which tell nothing of the order of the keys.
pub(super) type Label = [u8; 32];

/// The label of a key, in a tree with this seed.
pub(super) fn label(seed: u64, key: u64) -> Label {
    hash(b"label", &[seed.to_le_bytes(), key.to_le_bytes()].concat())
}

/// How high in the tree an item is, from the label alone: one level up for each time that a number drawn below beta is 0. So
/// the shape of a tree depends on what is in it, and not on how it came there.
pub(super) fn height(label: &Label, root: u32) -> u32 {
    let drawn = hash(b"height", label);
    let mut number = u128::from_le_bytes(*drawn.first_chunk().unwrap_or(&[0; 16]));
    let mut height = 0;
    while height < root && number.is_multiple_of(u128::from(BRANCHING)) {
        number /= u128::from(BRANCHING);
        height += 1;
    }
    height
}

fn hash(purpose: &[u8], bytes: &[u8]) -> Label {
    Sha256::new().chain_update(purpose).chain_update(bytes).finalize().into()
}

/// A node: items in order, and between them, above the leaves, the children.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Node {
    pub(super) items: Vec<(Label, u64)>,
    /// One more than items; none in a leaf.
    pub(super) children: Vec<Id>,
}

impl Node {
    /// The place of a label: that of its item, or where it would be.
    pub(super) fn place(&self, label: &Label) -> Result<usize, usize> {
        self.items.binary_search_by(|(other, _)| other.cmp(label))
    }

    /// Cuts it where a label would be. Above the leaves, the child there is cut too: its parts are the last child of the first
    /// half and the first of the second.
    pub(super) fn split(mut self, label: &Label, children: Option<[Id; 2]>) -> [Self; 2] {
        let place = self.place(label).unwrap_or_else(|place| place);
        let mut second = Self { items: self.items.split_off(place), children: Vec::new() };
        if let Some([left, right]) = children {
            second.children = self.children.split_off(place);
            second.children[0] = right;
            self.children.push(left);
        }
        [self, second]
    }

    /// The other way round: `child` is what the last and the first child become.
    pub(super) fn merge(mut self, mut second: Self, child: Option<Id>) -> Self {
        self.items.append(&mut second.items);
        if let Some(child) = child {
            self.children.pop();
            second.children[0] = child;
            self.children.append(&mut second.children);
        }
        self
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(u32::try_from(self.items.len()).unwrap_or(u32::MAX).to_le_bytes());
        for (label, word) in &self.items {
            bytes.extend(label);
            bytes.extend(word.to_le_bytes());
        }
        for child in &self.children {
            bytes.extend(child.to_bytes());
        }
        bytes
    }

    /// What was written; nothing of bytes that are no node.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk()?;
        let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
        let (items, children) = rest.split_at_checked(count.checked_mul(40)?)?;
        let item = |bytes: &[u8]| {
            let (label, word) = bytes.split_first_chunk()?;
            Some((*label, u64::from_le_bytes(word.try_into().ok()?)))
        };
        let items = items.chunks(40).map(item).collect::<Option<_>>()?;
        let (children, []) = children.as_chunks::<{ Id::BYTES }>() else { return None };
        Some(Self { items, children: children.iter().map(|bytes| Id::from_bytes(*bytes)).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> Id {
        Id { leaf: number, number }
    }

    fn node(labels: &[u8], children: &[u64]) -> Node {
        Node {
            items: labels.iter().map(|first| ([*first; 32], u64::from(*first))).collect(),
            children: children.iter().copied().map(id).collect(),
        }
    }

    #[test]
    fn a_node_is_what_was_written() {
        for node in [node(&[], &[]), node(&[1, 2], &[]), node(&[1, 2], &[7, 8, 9])] {
            let bytes = node.to_bytes();
            assert_eq!(Node::from_bytes(&bytes), Some(node));
            assert_eq!(Node::from_bytes(&bytes[..bytes.len() - 1]), None);
        }
    }

    #[test]
    fn what_is_split_is_the_same_merged() {
        let inner = node(&[10, 20, 30], &[1, 2, 3, 4]);
        let [first, second] = inner.clone().split(&[25; 32], Some([id(8), id(9)]));
        assert_eq!(first, node(&[10, 20], &[1, 2, 8]));
        assert_eq!(second, node(&[30], &[9, 4]));
        assert_eq!(first.merge(second, Some(id(3))), inner);
        let [first, second] = node(&[10, 20], &[]).split(&[5; 32], None);
        assert_eq!((first.items.len(), second.items.len()), (0, 2));
        assert_eq!(first.merge(second, None), node(&[10, 20], &[]));
    }

    /// `[voram-hirb, section IV]`: an item is one level higher with probability 1 / beta.
    #[test]
    fn one_in_beta_is_a_level_higher() {
        let mut levels = [0_u32; 4];
        for key in 0..20_000 {
            levels[height(&label(1, key), 3) as usize] += 1;
        }
        for (level, expected) in [(0, 18_333), (1, 1528), (2, 127)] {
            assert!(levels[level].abs_diff(expected) < expected / 3, "{levels:?}");
        }
        assert!((1..40).contains(&levels[3]));
    }
}
