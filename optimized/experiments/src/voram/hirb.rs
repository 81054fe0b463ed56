//! A HIRB tree in a vORAM `[voram-hirb, section IV]`: a map whose shape depends on what is in it alone.
//!
//! All leaves are equally deep. An item is in a node of the height that its label says; what is before it in order is left of it,
//! the rest right. So putting an item in cuts the nodes below it in two, and taking it out joins them again.
//!
//! Every operation does the same: one access for the root, and two for each level below, whether there are two nodes, or one, or
//! none any more. Nodes that are written have new identifiers, which their parents, written before them, must know: they are
//! chosen in advance.

use rand_chacha::ChaCha20Rng;

use super::bucket::Id;
use super::node::{Label, Node, height, label};
use super::oram::Oram;
use crate::network::{Network, NothingSent};

/// What is done at a key.
#[derive(Clone, Copy)]
enum Action {
    Get,
    Set(u64),
    Remove,
}

/// The nodes of a level that are read, and what their identifiers will be.
#[derive(Clone, Copy)]
enum Way {
    /// The one that has the label, or below which it is.
    One { from: Id, to: Id },
    /// The label is new above: this one is cut into two.
    Cut { from: Id, to: [Id; 2] },
    /// The label is gone above: these two become one.
    Join { from: [Id; 2], to: Id },
    /// All is done.
    Done,
}

impl Way {
    fn reads(self) -> [Option<Id>; 2] {
        match self {
            Self::One { from, .. } | Self::Cut { from, .. } => [Some(from), None],
            Self::Join { from: [left, right], .. } => [Some(left), Some(right)],
            Self::Done => [None, None],
        }
    }
}

/// A map from words to words, in the buckets of a server that learns nothing of it: party 0 of a network asks, party 1 stores.
pub struct Hirb {
    oram: Oram,
    /// The identifier of the root, with the client.
    root: Id,
    height: u32,
    /// Of the labels.
    seed: u64,
}

impl Hirb {
    /// A map of the items, of this height, in so many levels of buckets. How they come into the store costs nothing.
    pub fn new(levels: u32, height: u32, seed: u64, items: &[(u64, u64)], random: ChaCha20Rng) -> Self {
        let mut oram = Oram::new(levels, random);
        let mut items: Vec<_> = items.iter().map(|(key, word)| (label(seed, *key), *word)).collect();
        items.sort_unstable();
        let mut blocks = Vec::new();
        let root = build(&mut oram, &items, height, height, &mut blocks);
        oram.load(blocks);
        Self { oram, root, height, seed }
    }

    /// The word at a key.
    ///
    /// # Errors
    ///
    /// [`NothingSent`] never comes of these exchanges.
    pub fn get(&mut self, network: &mut Network, key: u64) -> Result<Option<u64>, NothingSent> {
        self.perform(network, key, Action::Get)
    }

    /// Puts a word at a key. The word that was there.
    ///
    /// # Errors
    ///
    /// See [`Self::get`].
    pub fn set(&mut self, network: &mut Network, key: u64, word: u64) -> Result<Option<u64>, NothingSent> {
        self.perform(network, key, Action::Set(word))
    }

    /// Takes the word at a key away, so that nobody can find it again. The word that was there.
    ///
    /// # Errors
    ///
    /// See [`Self::get`].
    pub fn remove(&mut self, network: &mut Network, key: u64) -> Result<Option<u64>, NothingSent> {
        self.perform(network, key, Action::Remove)
    }

    /// The most bytes that the vORAM's stash ever had after an access.
    pub fn most_stashed(&self) -> usize {
        self.oram.most_stashed()
    }

    fn perform(
        &mut self,
        network: &mut Network,
        key: u64,
        action: Action,
    ) -> Result<Option<u64>, NothingSent> {
        let label = label(self.seed, key);
        let at = height(&label, self.height);
        let new_root = self.oram.fresh();
        let mut way = Way::One { from: self.root, to: new_root };
        self.root = new_root;
        let mut found = None;
        for level in (0..=self.height).rev() {
            let [first, second] = way.reads();
            let node = read(self.oram.open(network, first)?);
            let mut other = Node::default();
            if level < self.height {
                self.oram.close(network, Vec::new())?;
                other = read(self.oram.open(network, second)?);
            }
            let (nodes, next) = match way {
                Way::One { to, .. } if level == at => {
                    let mut node = node;
                    let next = self.act(&mut node, &label, action, &mut found);
                    (vec![(to, node)], next)
                }
                Way::One { to, .. } => {
                    let mut node = node;
                    let next = self.pass(&mut node, &label);
                    (vec![(to, node)], next)
                }
                Way::Cut { to, .. } => self.cut(node, to, &label),
                Way::Join { to, .. } => self.join(node, other, to),
                Way::Done => (Vec::new(), Way::Done),
            };
            way = next;
            let blocks = nodes.into_iter().map(|(id, node)| (id, node.to_bytes())).collect();
            self.oram.close(network, blocks)?;
        }
        Ok(found)
    }

    /// Above the label's height: to the child where it is.
    fn pass(&mut self, node: &mut Node, label: &Label) -> Way {
        let place = node.place(label).unwrap_or_else(|place| place);
        let Some(child) = node.children.get_mut(place) else { return Way::Done };
        let to = self.oram.fresh();
        Way::One { from: std::mem::replace(child, to), to }
    }

    /// At the label's height.
    fn act(&mut self, node: &mut Node, label: &Label, action: Action, found: &mut Option<u64>) -> Way {
        let place = node.place(label);
        *found = place.ok().map(|place| node.items[place].1);
        match (place, action) {
            (Ok(place), Action::Set(word)) => node.items[place].1 = word,
            (Ok(place), Action::Remove) => {
                node.items.remove(place);
                if !node.children.is_empty() {
                    let to = self.oram.fresh();
                    let right = node.children.remove(place + 1);
                    let left = std::mem::replace(&mut node.children[place], to);
                    return Way::Join { from: [left, right], to };
                }
            }
            (Err(place), Action::Set(word)) => {
                node.items.insert(place, (*label, word));
                if !node.children.is_empty() {
                    let to = [self.oram.fresh(), self.oram.fresh()];
                    let from = std::mem::replace(&mut node.children[place], to[0]);
                    node.children.insert(place + 1, to[1]);
                    return Way::Cut { from, to };
                }
            }
            (Ok(_), Action::Get) | (Err(_), Action::Get | Action::Remove) => {}
        }
        Way::Done
    }

    /// Below a label that is new.
    fn cut(&mut self, node: Node, ids: [Id; 2], label: &Label) -> (Vec<(Id, Node)>, Way) {
        let place = node.place(label).unwrap_or_else(|place| place);
        let child = node.children.get(place).map(|from| (*from, [self.oram.fresh(), self.oram.fresh()]));
        let halves = node.split(label, child.map(|(_, to)| to));
        let next = child.map_or(Way::Done, |(from, to)| Way::Cut { from, to });
        (ids.into_iter().zip(halves).collect(), next)
    }

    /// Below a label that is gone.
    fn join(&mut self, left: Node, right: Node, id: Id) -> (Vec<(Id, Node)>, Way) {
        let ends = left.children.last().copied().zip(right.children.first().copied());
        let child = ends.map(|(left, right)| ([left, right], self.oram.fresh()));
        let node = left.merge(right, child.map(|(_, to)| to));
        (vec![(id, node)], child.map_or(Way::Done, |(from, to)| Way::Join { from, to }))
    }
}

/// A node that was written; what is none has nothing in it.
fn read(block: Option<Vec<u8>>) -> Node {
    block.and_then(|bytes| Node::from_bytes(&bytes)).unwrap_or_default()
}

/// The nodes of a tree of sorted items, from this height down. The identifier of the highest.
fn build(
    oram: &mut Oram,
    items: &[(Label, u64)],
    level: u32,
    root: u32,
    blocks: &mut Vec<(Id, Vec<u8>)>,
) -> Id {
    let mut node = Node::default();
    let mut rest = items;
    loop {
        let next = rest.iter().position(|(label, _)| height(label, root) == level);
        let (before, after) = rest.split_at(next.unwrap_or(rest.len()));
        if level > 0 {
            node.children.push(build(oram, before, level - 1, root, blocks));
        }
        let Some((item, after)) = after.split_first() else { break };
        node.items.push(*item);
        rest = after;
    }
    let id = oram.fresh();
    blocks.push((id, node.to_bytes()));
    id
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

    use super::*;
    use crate::network::Link;

    fn map(items: &[(u64, u64)], random: u8) -> (Hirb, Network) {
        (Hirb::new(5, 2, 99, items, ChaCha20Rng::from_seed([random; 32])), Network::new(2, Link::none()))
    }

    /// Labels and words of each node, in order, with its level. Nodes are read and put back.
    fn shape(hirb: &mut Hirb, network: &mut Network) -> Vec<(u32, Vec<(Label, u64)>)> {
        fn walk(
            oram: &mut Oram,
            network: &mut Network,
            id: Id,
            level: u32,
            nodes: &mut Vec<(u32, Vec<(Label, u64)>)>,
        ) {
            let block = oram.open(network, Some(id)).unwrap().unwrap();
            oram.close(network, vec![(id, block.clone())]).unwrap();
            let node = Node::from_bytes(&block).unwrap();
            nodes.push((level, node.items));
            for child in node.children {
                walk(oram, network, child, level - 1, nodes);
            }
        }
        let mut nodes = Vec::new();
        walk(&mut hirb.oram, network, hirb.root, hirb.height, &mut nodes);
        nodes
    }

    #[test]
    fn operations_are_answered_as_a_map_answers_them() {
        let (mut hirb, mut network) = map(&[], 1);
        let (mut model, mut random) = (BTreeMap::new(), ChaCha20Rng::from_seed([2; 32]));
        for _ in 0..3000 {
            let (key, word) = (random.next_u64() % 300, random.next_u64());
            match word % 3 {
                0 => assert_eq!(hirb.get(&mut network, key).unwrap(), model.get(&key).copied()),
                1 => assert_eq!(hirb.set(&mut network, key, word).unwrap(), model.insert(key, word)),
                _ => assert_eq!(hirb.remove(&mut network, key).unwrap(), model.remove(&key)),
            }
        }
        assert!(hirb.most_stashed() < 10_000, "{}", hirb.most_stashed());
    }

    /// `[voram-hirb, section IV]`: history independence. The same items, however they came here, are the same nodes.
    #[test]
    fn the_shape_tells_nothing_of_the_order_of_insertions_or_of_what_was_deleted() {
        let items: Vec<(u64, u64)> = (0..200).map(|key| (key, key * key)).collect();
        let (mut loaded, mut network) = map(&items, 1);
        let expected = shape(&mut loaded, &mut network);
        let (mut forwards, mut network) = map(&[], 2);
        for (key, word) in &items {
            forwards.set(&mut network, *key, *word).unwrap();
        }
        assert_eq!(shape(&mut forwards, &mut network), expected);
        let (mut backwards, mut network) = map(&[], 3);
        for (key, word) in items.iter().rev() {
            backwards.set(&mut network, 1000 + *key, 1).unwrap();
            backwards.set(&mut network, *key, 5).unwrap();
            backwards.set(&mut network, *key, *word).unwrap();
        }
        for (key, _) in &items {
            backwards.remove(&mut network, 1000 + *key).unwrap();
        }
        assert_eq!(shape(&mut backwards, &mut network), expected);
        let one_less = &items[1..];
        let (mut other, mut network) = map(one_less, 4);
        assert_ne!(shape(&mut other, &mut network), expected);
    }

    #[test]
    fn every_operation_makes_the_same_accesses() {
        let (mut hirb, mut network) = map(&[(1, 1), (2, 2)], 5);
        network.mark();
        let mut costs = Vec::new();
        for key in [1, 3] {
            hirb.get(&mut network, key).unwrap();
            costs.push(network.mark());
            hirb.set(&mut network, key, 9).unwrap();
            costs.push(network.mark());
            hirb.remove(&mut network, key).unwrap();
            costs.push(network.mark());
        }
        for cost in &costs {
            // 2 h + 1 accesses, of a path there and one back; each waits for the path, and the last one is written.
            assert_eq!(cost.bytes, [5 * (8 + 5 * 4096), 5 * 5 * 4096]);
            assert_eq!((cost.sequential, &cost.messages), (11, &vec![10, 5]));
        }
    }
}
