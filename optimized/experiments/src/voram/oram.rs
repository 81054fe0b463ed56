//! vORAM `[voram-hirb, section III]`: a Path ORAM whose blocks have any length.
//!
//! A block is cut into pieces where buckets are full; its end lies deepest. The client has a stash of the pieces that found no
//! place, and the root's key. An access reads the path of a block, takes its pieces into the stash, and writes the path back,
//! each block as deep as it may go, under fresh keys.

use std::collections::BTreeMap;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;

use super::bucket::{Bucket, Enciphered, Id};
use super::parameters::BUCKET;
use crate::network::{Network, NothingSent};

/// Who asks.
pub(super) const CLIENT: usize = 0;

/// Who stores.
pub(super) const SERVER: usize = 1;

/// The client's state, and the server's buckets.
pub(super) struct Oram {
    levels: u32,
    /// The server: by number, from the root 1; the children of `i` are `2 i` and `2 i + 1`.
    store: Vec<Option<Enciphered>>,
    /// The erasable memory: the key of the root.
    root_key: Option<u128>,
    /// What of each block found no place in a bucket: its beginning.
    stash: BTreeMap<Id, Vec<u8>>,
    /// The path that is being accessed, from the root down.
    open: Option<(u64, Vec<Bucket>)>,
    most: usize,
    random: ChaCha20Rng,
}

impl Oram {
    /// Empty, of so many levels of buckets.
    pub(super) fn new(levels: u32, random: ChaCha20Rng) -> Self {
        Self {
            levels,
            store: (0..1_u64 << levels).map(|_| None).collect(),
            root_key: None,
            stash: BTreeMap::new(),
            open: None,
            most: 0,
            random,
        }
    }

    /// An identifier that no block has.
    pub(super) fn fresh(&mut self) -> Id {
        Id { leaf: self.leaf(), number: self.random.next_u64() }
    }

    fn leaf(&mut self) -> u64 {
        self.random.next_u64() % (1 << (self.levels - 1))
    }

    /// The bucket of a level on the path to a leaf.
    fn number(&self, leaf: u64, level: u32) -> usize {
        let bottom = self.levels - 1;
        usize::try_from((1 << level) | (leaf >> (bottom - level))).unwrap_or(usize::MAX)
    }

    /// Begins an access: reads the path of a block, or of nobody, and takes the block out.
    pub(super) fn open(
        &mut self,
        network: &mut Network,
        id: Option<Id>,
    ) -> Result<Option<Vec<u8>>, NothingSent> {
        let leaf = id.map_or_else(|| self.leaf(), |id| id.leaf);
        network.send(CLIENT, SERVER, 8);
        network.receive(SERVER, CLIENT)?;
        let numbers: Vec<usize> = (0..self.levels).map(|level| self.number(leaf, level)).collect();
        let path: Vec<_> =
            network.compute(SERVER, || numbers.iter().map(|number| self.store[*number].clone()).collect());
        network.send(SERVER, CLIENT, self.path_bytes());
        network.receive(CLIENT, SERVER)?;
        let path = network.compute(CLIENT, || self.decipher(leaf, path));
        for bucket in &path {
            for (id, piece) in &bucket.pieces {
                self.stash.entry(*id).or_default().extend(piece);
            }
        }
        self.open = Some((leaf, path));
        Ok(id.and_then(|id| self.stash.remove(&id)))
    }

    /// Ends an access: puts blocks into the stash, and writes the path back.
    pub(super) fn close(
        &mut self,
        network: &mut Network,
        blocks: Vec<(Id, Vec<u8>)>,
    ) -> Result<(), NothingSent> {
        self.stash.extend(blocks);
        let Some((leaf, mut path)) = self.open.take() else { return Ok(()) };
        for bucket in &mut path {
            bucket.pieces.clear();
        }
        let bottom = self.levels - 1;
        for (level, bucket) in (0..self.levels).zip(&mut path).rev() {
            let here = |id: &Id| id.leaf >> (bottom - level) == leaf >> (bottom - level);
            fill(bucket, &mut self.stash, here);
        }
        let keys: Vec<u128> = path.iter().map(|_| self.key()).collect();
        let enciphered = network.compute(CLIENT, || {
            for (level, key) in keys.iter().enumerate().skip(1) {
                let bit = leaf >> (bottom as usize - level) & 1;
                path[level - 1].keys[usize::from(bit == 1)] = Some(*key);
            }
            path.iter().zip(&keys).map(|(bucket, key)| bucket.encipher(*key)).collect::<Vec<_>>()
        });
        // What was here is gone, and with it all that was ever enciphered under it.
        self.root_key = Some(keys[0]);
        network.send(CLIENT, SERVER, self.path_bytes());
        network.receive(SERVER, CLIENT)?;
        for (level, bucket) in (0..self.levels).zip(enciphered) {
            let number = self.number(leaf, level);
            self.store[number] = Some(bucket);
        }
        self.most = self.most.max(self.stash.values().map(Vec::len).sum());
        Ok(())
    }

    /// Fills an empty store at once, from the leaves up. It costs nothing: how the words came here is not measured.
    pub(super) fn load(&mut self, blocks: Vec<(Id, Vec<u8>)>) {
        let bottom = self.levels - 1;
        let mut buckets: Vec<Bucket> = self.store.iter().map(|_| Bucket::default()).collect();
        let mut waiting: BTreeMap<u64, BTreeMap<Id, Vec<u8>>> = BTreeMap::new();
        for (id, block) in blocks {
            waiting.entry(id.leaf).or_default().insert(id, block);
        }
        for level in (0..self.levels).rev() {
            let mut above: BTreeMap<u64, BTreeMap<Id, Vec<u8>>> = BTreeMap::new();
            for (place, mut blocks) in waiting {
                let number = self.number(place << (bottom - level), level);
                fill(&mut buckets[number], &mut blocks, |_| true);
                above.entry(place >> 1).or_default().extend(blocks);
            }
            waiting = above;
        }
        self.stash = waiting.into_values().flatten().collect();
        let mut keys = vec![None; buckets.len()];
        for number in (1..buckets.len()).rev() {
            if let Some(children) = keys.get(2 * number..2 * number + 2) {
                buckets[number].keys = [children[0], children[1]];
            }
            let key = self.key();
            keys[number] = Some(key);
            self.store[number] = Some(buckets[number].encipher(key));
        }
        self.root_key = keys[1];
    }

    /// Deciphers a path: the key of each bucket is in the one before.
    fn decipher(&self, leaf: u64, path: Vec<Option<Enciphered>>) -> Vec<Bucket> {
        let mut key = self.root_key;
        let mut buckets = Vec::with_capacity(path.len());
        for (level, enciphered) in (0..).zip(path) {
            let bucket = match (enciphered, key) {
                (Some(enciphered), Some(key)) => Bucket::decipher(enciphered, key),
                _ => Bucket::default(),
            };
            let below = self.levels.saturating_sub(level + 2);
            key = bucket.keys[usize::from(leaf >> below & 1 == 1)];
            buckets.push(bucket);
        }
        buckets
    }

    fn path_bytes(&self) -> u64 {
        u64::from(self.levels) * BUCKET as u64
    }

    fn key(&mut self) -> u128 {
        let key = u128::from(self.random.next_u64()) | u128::from(self.random.next_u64()) << 64;
        key.max(1)
    }

    /// The most bytes that the stash ever had after an access.
    pub(super) fn most_stashed(&self) -> usize {
        self.most
    }
}

/// Moves blocks into a bucket that may lie there, ends first, until it is full.
fn fill(bucket: &mut Bucket, blocks: &mut BTreeMap<Id, Vec<u8>>, here: impl Fn(&Id) -> bool) {
    for (id, block) in blocks.iter_mut().filter(|(id, _)| here(id)) {
        let room = bucket.room();
        if room == 0 {
            break;
        }
        let piece = block.split_off(block.len().saturating_sub(room));
        bucket.pieces.push((*id, piece));
    }
    blocks.retain(|_, block| !block.is_empty());
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::network::Link;

    fn empty(levels: u32) -> (Oram, Network) {
        (Oram::new(levels, ChaCha20Rng::from_seed([1; 32])), Network::new(2, Link::none()))
    }

    fn insert(oram: &mut Oram, network: &mut Network, block: Vec<u8>) -> Id {
        let id = oram.fresh();
        oram.open(network, None).unwrap();
        oram.close(network, vec![(id, block)]).unwrap();
        id
    }

    #[test]
    fn blocks_of_all_lengths_come_back_and_are_then_gone() {
        let (mut oram, mut network) = empty(4);
        let mut random = ChaCha20Rng::from_seed([2; 32]);
        let mut kept: Vec<(Id, Vec<u8>)> = Vec::new();
        for round in 0..400_u64 {
            // Some are longer than a bucket.
            let length = 1 + random.next_u64() % if round % 10 == 0 { 9000 } else { 900 };
            let block: Vec<u8> = (0..length).map(|place| (place + round).to_le_bytes()[0]).collect();
            kept.push((insert(&mut oram, &mut network, block.clone()), block));
            if kept.len() > 12 {
                let place = usize::try_from(random.next_u64()).unwrap_or(7) % kept.len();
                let (id, block) = kept.swap_remove(place);
                assert_eq!(oram.open(&mut network, Some(id)).unwrap(), Some(block));
                oram.close(&mut network, Vec::new()).unwrap();
                assert_eq!(oram.open(&mut network, Some(id)).unwrap(), None);
                oram.close(&mut network, Vec::new()).unwrap();
            }
        }
    }

    #[test]
    fn what_is_loaded_at_once_is_there() {
        let (mut oram, mut network) = empty(6);
        let blocks: Vec<_> = (0..150_usize).map(|size| (oram.fresh(), vec![1; 400 + 5 * size])).collect();
        oram.load(blocks.clone());
        for (id, block) in blocks {
            assert_eq!(oram.open(&mut network, Some(id)).unwrap(), Some(block));
            oram.close(&mut network, Vec::new()).unwrap();
        }
    }

    #[test]
    fn an_access_reads_and_writes_a_path_whatever_it_is() {
        let (mut oram, mut network) = empty(5);
        let id = insert(&mut oram, &mut network, vec![1; 5000]);
        let inserting = network.mark();
        oram.open(&mut network, Some(id)).unwrap();
        oram.close(&mut network, Vec::new()).unwrap();
        let removing = network.mark();
        assert_eq!(inserting.bytes, [8 + 5 * 4096, 5 * 4096]);
        assert_eq!((&inserting.bytes, inserting.sequential), (&removing.bytes, removing.sequential));
    }

    /// `[voram-hirb, section III]`: secure deletion. Whoever kept all buckets and then gets all of the client learns nothing of
    /// what was deleted before.
    #[test]
    fn what_is_deleted_cannot_be_read_from_old_buckets_with_the_keys_of_now() {
        let (mut oram, mut network) = empty(4);
        let secret = vec![0xa5; 600];
        let id = insert(&mut oram, &mut network, secret.clone());
        let old = oram.store.clone();
        let read = |oram: &Oram, store: &[Option<Enciphered>]| {
            let path = (0..oram.levels).map(|level| store[oram.number(id.leaf, level)].clone()).collect();
            let pieces = oram.decipher(id.leaf, path).into_iter().flat_map(|bucket| bucket.pieces);
            pieces.filter(|(_, piece)| piece.contains(&0xa5) && piece.len() == 600).count()
        };
        assert_eq!(read(&oram, &old), 1, "until it is deleted, it is there");
        oram.open(&mut network, Some(id)).unwrap();
        oram.close(&mut network, Vec::new()).unwrap();
        assert_eq!(read(&oram, &old), 0, "the old buckets' root has no key any more");
        assert_eq!(read(&oram, &oram.store.clone()), 0);
        assert!(oram.stash.is_empty());
        // Every bucket of the path is under another key.
        for level in 0..oram.levels {
            let number = oram.number(id.leaf, level);
            assert_ne!(oram.store[number], old[number]);
        }
    }
}
