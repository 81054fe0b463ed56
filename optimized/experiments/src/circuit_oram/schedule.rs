//! The messages of an access of the three-party protocol `[jarecki-wei]`, one after the other, at the lengths that the authors'
//! program gives them: numbers of places before arrays, everything enciphered with padding.
//!
//! The parties are called as there: Eddie garbles, Debbie evaluates, Charlie has the third share. Of a tree's access there are
//! the search for the block (a keyed comparison, and private retrievals among three), new labels in it, and two evictions, each
//! with a garbled circuit for the root, one for the path, and an oblivious permutation of the path's blocks.

use super::circuits;
use super::shape::{Parameters, Tree};
use crate::cost::aes::Cipher;
use crate::network::{Network, NothingSent};

/// Garbles.
const EDDIE: usize = 0;
/// Evaluates.
const DEBBIE: usize = 1;
/// Has the third share.
const CHARLIE: usize = 2;

/// Bytes of a wire's label, and of a keyed comparison's image.
const LABEL: u64 = 10;

/// Bytes of an image of SHA-1, which hides a label.
const HASH: u64 = 20;

/// Bytes of an AND gate: three rows.
const GATE: u64 = 3 * LABEL;

/// Gates in a message.
const GATES: u64 = 100;

/// AES calls of who garbles a gate, and of who evaluates it.
const CALLS: [u64; 2] = [4, 1];

/// The AES calls of a message, and its bytes: a block at least is padding.
const fn enciphered(bytes: u64) -> u64 {
    (bytes / 16 + 1) * 16
}

/// An array of so many items: `dimensions` lengths of four bytes before them.
const fn array(dimensions: u64, items: u64, bytes: u64) -> u64 {
    4 * dimensions + items * bytes
}

/// Blocks of a tree: how many, and the lengths of their four parts.
const fn blocks(tree: &Tree, count: u64) -> u64 {
    array(5, count, tree.block_bytes())
}

/// A tree's numbers, as messages have them.
#[derive(Clone, Copy)]
struct Numbers {
    levels: u64,
    width: u64,
    /// Places in a bucket, one that is none included, as a power of two.
    padded: u64,
    /// Bits of a place in a bucket, and in the root.
    place_bits: u64,
    root_bits: u64,
    root: u64,
    leaf_bits: u64,
    path: u64,
    root_gates: u64,
    path_gates: u64,
}

impl Numbers {
    fn new(tree: &Tree) -> Self {
        let place_bits = circuits::bits(tree.width + 1);
        let first = tree.is_first();
        Self {
            levels: tree.levels() as u64,
            width: tree.width as u64,
            padded: 1 << place_bits,
            place_bits: place_bits as u64,
            root_bits: circuits::bits(tree.root) as u64,
            root: tree.root as u64,
            leaf_bits: u64::from(tree.leaf_bits),
            path: tree.path() as u64,
            root_gates: if first { 0 } else { circuits::root(tree.levels(), tree.root) },
            path_gates: if first { 0 } else { circuits::route(tree.levels(), tree.width) },
        }
    }
}

/// What an access sends, in both phases; the same for every access.
pub(super) struct Schedule {
    trees: Vec<(Tree, Numbers)>,
    cipher: Cipher,
}

/// A step of a phase: the network, and who computes what.
struct Exchange<'a> {
    network: &'a mut Network,
    cipher: &'a Cipher,
}

impl Exchange<'_> {
    /// Enciphers a message and sends it.
    fn send(&mut self, from: usize, to: usize, bytes: u64) {
        let bytes = enciphered(bytes);
        self.network.compute(from, || self.cipher.spend(bytes / 16));
        self.network.send(from, to, bytes);
    }

    /// Receives messages of a link, and deciphers them.
    fn receive(&mut self, to: usize, from: usize, bytes: &[u64]) -> Result<(), NothingSent> {
        for bytes in bytes {
            self.network.receive(to, from)?;
            self.network.compute(to, || self.cipher.spend(enciphered(*bytes) / 16));
        }
        Ok(())
    }

    fn pass(&mut self, from: usize, to: usize, bytes: u64) -> Result<(), NothingSent> {
        self.send(from, to, bytes);
        self.receive(to, from, &[bytes])
    }

    /// Both send at once.
    fn swap(&mut self, one: usize, other: usize, bytes: u64) -> Result<(), NothingSent> {
        self.send(one, other, bytes);
        self.send(other, one, bytes);
        self.receive(other, one, &[bytes])?;
        self.receive(one, other, &[bytes])
    }

    fn compute(&mut self, party: usize, calls: u64) {
        self.network.compute(party, || self.cipher.spend(calls));
    }
}

impl Schedule {
    pub(super) fn new(log_size: u32, parameters: &Parameters) -> Self {
        let trees = super::shape::trees(log_size, parameters);
        let trees = trees.into_iter().map(|tree| (tree, Numbers::new(&tree))).collect();
        Self { trees, cipher: Cipher::new(0) }
    }

    /// What can be done before the address is known: circuits garbled, permutations and masks agreed.
    pub(super) fn prepare(&self, network: &mut Network) -> Result<(), NothingSent> {
        let mut exchange = Exchange { network, cipher: &self.cipher };
        for (tree, numbers) in &self.trees {
            if !tree.is_last() {
                exchange.prepare_labels(tree)?;
            }
            if !tree.is_first() {
                for _ in 0..2 {
                    exchange.prepare_root(numbers)?;
                    exchange.prepare_path(numbers)?;
                }
            }
        }
        Ok(())
    }

    /// An access.
    pub(super) fn access(&self, network: &mut Network) -> Result<(), NothingSent> {
        let mut exchange = Exchange { network, cipher: &self.cipher };
        for (tree, numbers) in &self.trees {
            if !tree.is_first() {
                exchange.search(numbers)?;
                exchange.retrieve(numbers.path, tree.content_bytes)?;
            }
            if !tree.is_last() {
                exchange.retrieve_label(numbers.path * tree.labels, tree.label_bytes())?;
                exchange.new_labels(tree)?;
            }
            if !tree.is_first() {
                exchange.flip_flag(numbers.path)?;
            }
            for _ in 0..2 {
                if !tree.is_first() {
                    exchange.root(tree, numbers)?;
                    exchange.path(tree, numbers)?;
                }
                exchange.swap(EDDIE, CHARLIE, blocks(tree, numbers.path))?;
            }
        }
        Ok(())
    }
}

/// Before the address is known.
impl Exchange<'_> {
    /// Masks of the labels that will be put in.
    fn prepare_labels(&mut self, tree: &Tree) -> Result<(), NothingSent> {
        for (first, other) in [(EDDIE, CHARLIE), (CHARLIE, EDDIE)] {
            self.send(first, other, 1);
            self.send(first, other, tree.labels * tree.label_bytes());
            self.receive(other, first, &[1, tree.labels * tree.label_bytes()])?;
            self.pass(DEBBIE, other, 1)?;
        }
        Ok(())
    }

    /// A circuit, from Eddie to Debbie.
    fn garble(&mut self, gates: u64) -> Result<(), NothingSent> {
        self.compute(EDDIE, CALLS[0] * gates);
        let mut left = gates;
        while left > 0 {
            let batch = left.min(GATES);
            self.pass(EDDIE, DEBBIE, array(2, batch, GATE))?;
            left -= batch;
        }
        Ok(())
    }

    fn prepare_root(&mut self, numbers: &Numbers) -> Result<(), NothingSent> {
        self.garble(numbers.root_gates)?;
        // Both labels of Charlie's bits: whether a place has a block, and the blocks' leaves.
        self.pass(EDDIE, CHARLIE, array(2, 2 * numbers.root, LABEL))?;
        self.pass(EDDIE, CHARLIE, array(3, 2 * numbers.root * numbers.leaf_bits, LABEL))?;
        self.pass(EDDIE, DEBBIE, array(3, 2 * numbers.root_bits, HASH))
    }

    fn prepare_path(&mut self, numbers: &Numbers) -> Result<(), NothingSent> {
        let Numbers { levels, width, leaf_bits, place_bits, .. } = *numbers;
        self.garble(numbers.path_gates)?;
        self.pass(EDDIE, CHARLIE, array(3, 2 * levels * width, LABEL))?;
        self.pass(EDDIE, CHARLIE, array(4, 2 * levels * width * leaf_bits, LABEL))?;
        self.pass(EDDIE, DEBBIE, array(3, levels * place_bits, HASH))?;
        // Which level goes to which: a table a level, under the labels of its outcome, and its masks.
        self.pass(EDDIE, DEBBIE, array(3, levels * levels, HASH))?;
        self.pass(EDDIE, DEBBIE, array(3, levels * levels, 1))?;
        self.pass(EDDIE, CHARLIE, array(3, levels * levels, 1))?;
        for _ in 0..2 {
            self.pass(EDDIE, DEBBIE, array(2, levels, 1))?;
        }
        Ok(())
    }
}

/// Once it is known.
impl Exchange<'_> {
    /// Finds the place of the block on the path: Eddie and Debbie send the places under a common key, Charlie sees which two are
    /// equal.
    fn search(&mut self, numbers: &Numbers) -> Result<(), NothingSent> {
        let images = array(2, numbers.path, LABEL);
        for party in [EDDIE, DEBBIE] {
            self.compute(party, numbers.path);
            self.send(party, CHARLIE, images);
        }
        for party in [EDDIE, DEBBIE] {
            self.receive(CHARLIE, party, &[images])?;
        }
        for party in [DEBBIE, EDDIE] {
            self.pass(CHARLIE, party, 1)?;
        }
        Ok(())
    }

    /// Each party sends a bit a place to the next one, who answers to what was sent to it before it sends.
    fn select(&mut self, places: u64) -> Result<(), NothingSent> {
        self.pass(CHARLIE, DEBBIE, places)?;
        self.pass(DEBBIE, EDDIE, places)?;
        self.pass(EDDIE, CHARLIE, places)
    }

    /// One of so many items, into shares of which each party has two.
    fn retrieve(&mut self, places: u64, bytes: u64) -> Result<(), NothingSent> {
        self.select(places)?;
        let ring = [(EDDIE, DEBBIE), (DEBBIE, CHARLIE), (CHARLIE, EDDIE)];
        for (from, to) in ring {
            self.send(from, to, bytes);
        }
        for (from, to) in ring {
            self.receive(to, from, &[bytes])?;
        }
        Ok(())
    }

    /// The label of the next tree's block, which all learn.
    fn retrieve_label(&mut self, places: u64, bytes: u64) -> Result<(), NothingSent> {
        self.select(places)?;
        for (one, other) in [(EDDIE, DEBBIE), (EDDIE, CHARLIE), (DEBBIE, CHARLIE)] {
            self.send(one, other, bytes);
            self.send(other, one, bytes);
        }
        for (one, other) in [(EDDIE, DEBBIE), (EDDIE, CHARLIE), (DEBBIE, CHARLIE)] {
            self.receive(other, one, &[bytes])?;
            self.receive(one, other, &[bytes])?;
        }
        Ok(())
    }

    /// Puts the label of the next tree's block into the block, at a place nobody knows.
    fn new_labels(&mut self, tree: &Tree) -> Result<(), NothingSent> {
        let labels = tree.labels * tree.label_bytes();
        for (first, other) in [(EDDIE, CHARLIE), (CHARLIE, EDDIE)] {
            self.swap(first, DEBBIE, 1)?;
            self.send(first, other, labels);
            self.send(DEBBIE, other, labels);
            self.receive(other, first, &[labels])?;
            self.receive(other, DEBBIE, &[labels])?;
        }
        self.pass(DEBBIE, EDDIE, labels)?;
        self.pass(DEBBIE, CHARLIE, labels)
    }

    /// Marks the block's old place as empty.
    fn flip_flag(&mut self, path: u64) -> Result<(), NothingSent> {
        let flags = array(2, path, 1);
        self.send(DEBBIE, CHARLIE, flags);
        self.send(CHARLIE, EDDIE, flags);
        self.receive(EDDIE, CHARLIE, &[flags])?;
        self.receive(CHARLIE, DEBBIE, &[flags])?;
        self.swap(EDDIE, CHARLIE, flags)
    }

    /// Input labels of Eddie, the leaf's among them, and of Charlie, to Debbie, who evaluates.
    fn evaluate(&mut self, of_eddie: &[u64], of_charlie: &[u64], gates: u64) -> Result<(), NothingSent> {
        for (from, messages) in [(EDDIE, of_eddie), (CHARLIE, of_charlie)] {
            for bytes in messages {
                self.send(from, DEBBIE, *bytes);
            }
        }
        self.receive(DEBBIE, EDDIE, of_eddie)?;
        self.receive(DEBBIE, CHARLIE, of_charlie)?;
        self.compute(DEBBIE, CALLS[1] * gates);
        Ok(())
    }

    /// Permutes shared blocks as Debbie knows and nobody else: `from` of them go in, and `to` come out.
    fn permute(&mut self, tree: &Tree, from: u64, to: u64) -> Result<(), NothingSent> {
        self.swap(EDDIE, CHARLIE, blocks(tree, from))?;
        for party in [EDDIE, CHARLIE] {
            let messages = [array(1, to, 4), blocks(tree, to)];
            for bytes in messages {
                self.send(DEBBIE, party, bytes);
            }
            self.receive(party, DEBBIE, &messages)?;
        }
        Ok(())
    }

    /// An eviction's first half: the accessed block goes into the root.
    fn root(&mut self, tree: &Tree, numbers: &Numbers) -> Result<(), NothingSent> {
        let Numbers { root, leaf_bits, .. } = *numbers;
        let blocks = [array(1, root, LABEL), array(2, root * leaf_bits, LABEL)];
        let of_eddie = [array(1, numbers.root_bits, LABEL), array(1, leaf_bits, LABEL), blocks[0], blocks[1]];
        self.evaluate(&of_eddie, &blocks, numbers.root_gates)?;
        self.permute(tree, root + 1, root)
    }

    /// Its second half: a block of each level goes down the path.
    fn path(&mut self, tree: &Tree, numbers: &Numbers) -> Result<(), NothingSent> {
        let Numbers { levels, width, leaf_bits, .. } = *numbers;
        let places = [array(2, levels * width, LABEL), array(3, levels * width * leaf_bits, LABEL)];
        let of_eddie =
            [array(1, leaf_bits, LABEL), places[0], places[1], array(2, levels * numbers.place_bits, LABEL)];
        self.evaluate(&of_eddie, &places, numbers.path_gates)?;
        // Which level goes to which, and which place in it: under permutations that Debbie does not know.
        let row = array(2, levels, 1);
        let outcome = [row, array(1, levels, 4)];
        for bytes in outcome {
            self.send(DEBBIE, CHARLIE, bytes);
        }
        self.receive(CHARLIE, DEBBIE, &outcome)?;
        self.pass(CHARLIE, DEBBIE, row)?;
        self.pass(DEBBIE, CHARLIE, row)?;
        self.pass(CHARLIE, DEBBIE, row)?;
        let moved = levels * numbers.padded;
        self.permute(tree, moved, moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Link;

    fn bytes(log_size: u32, parameters: &Parameters) -> [u64; 2] {
        let schedule = Schedule::new(log_size, parameters);
        let mut network = Network::new(3, Link::none());
        schedule.prepare(&mut network).unwrap();
        let preparing = network.mark();
        schedule.access(&mut network).unwrap();
        [preparing.all_bytes(), network.mark().all_bytes()]
    }

    /// `[duoram, artifact appendix A.3.2]`: 710.625 KiB online and 4957 KiB in all, for two accesses.
    #[test]
    fn an_access_sends_exactly_the_bytes_of_the_artifact() {
        let [preparing, online] = bytes(16, &Parameters::ARTIFACT);
        assert_eq!(2 * online, 1024 * 710 + 640);
        assert_eq!(2 * (preparing + online), 1024 * 4957);
    }

    #[test]
    fn words_of_eight_bytes_cost_more_than_words_of_four() {
        let [_, four] = bytes(16, &Parameters::ARTIFACT);
        let [_, eight] = bytes(16, &Parameters::WORDS);
        assert!((four..four + four / 20).contains(&eight), "{four} {eight}");
    }

    #[test]
    fn a_message_is_padded_by_a_block_at_most() {
        assert_eq!([0, 1, 15, 16, 17].map(enciphered), [16, 16, 16, 32, 32]);
    }
}
