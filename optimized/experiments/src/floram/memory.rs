//! A FLORAM of two parties: reads, writes and refreshes over the network.

use std::time::Duration;

use duoram_kernel::Kernels;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;

use super::circuits;
use super::party::{self, Lanes, Party};
use crate::cost::aes::Cipher;
use crate::network::{Link, Network, NothingSent};

/// Who garbles and who evaluates.
const ROLES: [usize; 2] = [0, 1];

/// Levels that the tree of a READ ends early: a leaf is the bits of 128 blocks.
const BIT_LEVELS: u32 = 7;

/// The two parties, and what the garbled circuits between them hold.
pub(super) struct Memory<'k> {
    kernels: Kernels<'k>,
    log_blocks: u32,
    parties: [Party; 2],
    /// The memory that is read (OROM), masked by both parties. Both hold it; it is kept once.
    masked: Lanes,
    /// Inside the garbled circuits: the blocks written since the last refresh.
    stash: Vec<(usize, u128)>,
    /// Writes from one refresh to the next.
    period: usize,
    written: usize,
    /// For what garbling computes.
    garbling: Cipher,
    random: ChaCha20Rng,
}

/// What a WRITE does to a word.
pub(super) type Change = fn(u64, u64) -> u64;

impl<'k> Memory<'k> {
    /// Shares the words, `2^log_size` of them. Nothing can be read before the first [`Self::refresh`].
    pub(super) fn new(kernels: Kernels<'k>, words: &[u64], log_size: u32, mut random: ChaCha20Rng) -> Self {
        let lane = |odd: usize| words.iter().skip(odd).step_by(2).copied().collect::<Vec<u64>>();
        let share = [(); 2].map(|()| (0..words.len() / 2).map(|_| random.next_u64()).collect::<Vec<u64>>());
        let mut rest = [lane(0), lane(1)];
        for (rest, share) in rest.iter_mut().flatten().zip(share.iter().flatten()) {
            *rest ^= share;
        }
        let log_blocks = log_size - 1;
        Self {
            kernels,
            log_blocks,
            parties: [Party::new(share), Party::new(rest)],
            masked: [Vec::new(), Vec::new()],
            stash: Vec::new(),
            period: period(log_blocks),
            written: 0,
            garbling: Cipher::new(0),
            random,
        }
    }

    /// Makes the memory that is read anew from the shares, under fresh keys: all of it goes over the network, both ways.
    pub(super) fn refresh(&mut self, network: &mut Network) -> Result<(), NothingSent> {
        circuits::KEYS.play(network, ROLES, &self.garbling)?;
        let keys = [(); 2].map(|()| self.block());
        let mut masked = Vec::new();
        for (number, party) in self.parties.iter_mut().enumerate() {
            masked.push(network.compute(number, || party.masked_share(keys[number])));
            network.send(number, 1 - number, 8 << (self.log_blocks + 1));
        }
        for party in ROLES {
            network.receive(party, 1 - party)?;
        }
        let (lanes, time) = timed(|| {
            let sums = || masked[0].iter().zip(&masked[1]).map(|(one, other)| party::words(one ^ other));
            [sums().map(|words| words[0]).collect(), sums().map(|words| words[1]).collect()]
        });
        self.masked = lanes;
        for party in ROLES {
            network.compute_for(party, time);
        }
        self.stash.clear();
        self.written = 0;
        Ok(())
    }

    /// READ: a tree whose leaves are bits of 128 blocks, a scan of the masked memory, and the unmasking circuit.
    pub(super) fn read(&mut self, network: &mut Network, address: u64) -> Result<u64, NothingSent> {
        let (place, odd) = split(address);
        let roots = [self.block(), self.block()];
        let keys = self.kernels.deal_bits(place as u64, self.log_blocks as usize, roots);
        let keys = keys.expect("an address is below the size of the memory");
        circuits::address(self.log_blocks + 1).play(network, ROLES, &self.garbling)?;
        // The tree grows a level at a time; the scan follows when the last correction is known.
        let trees = [0, 1].map(|party: usize| timed(|| drop(self.kernels.flags(&keys[party]))).1);
        self.grow(network, self.log_blocks.saturating_sub(BIT_LEVELS), trees)?;
        circuits::UNIT.play(network, ROLES, &self.garbling)?;
        let mut sums = [0; 2];
        for party in ROLES {
            let (sum, time) = timed(|| party::sum_by_bits(&self.kernels, &self.masked, &keys[party]));
            sums[party] = sum;
            // The tree was charged as it grew.
            network.compute_for(party, time.saturating_sub(trees[party]));
        }
        circuits::read(self.log_blocks, self.written as u64).play(network, ROLES, &self.garbling)?;
        Ok(party::words(self.unmask(place, sums))[odd])
    }

    /// WRITE: a tree of a label a block, a scan of the masked memory, the circuit that finds what changes, and both shares
    /// changed everywhere.
    pub(super) fn write(
        &mut self,
        network: &mut Network,
        address: u64,
        word: u64,
        change: Change,
    ) -> Result<(), NothingSent> {
        let (place, odd) = split(address);
        let roots = [self.block(), self.block()];
        let keys = self.kernels.deal(place as u64, self.log_blocks as usize, roots);
        let keys = keys.expect("an address is below the size of the memory");
        circuits::address(self.log_blocks + 1).play(network, ROLES, &self.garbling)?;
        let [(labels_0, time_0), (labels_1, time_1)] =
            [0, 1].map(|party: usize| timed(|| party::labels(&self.kernels, &keys[party])));
        let labels = [labels_0, labels_1];
        self.grow(network, self.log_blocks, [time_0, time_1])?;
        circuits::LABELS.play(network, ROLES, &self.garbling)?;
        let sums =
            ROLES.map(|party| network.compute(party, || party::sum_by_labels(&self.masked, &labels[party])));
        let circuit = circuits::write(self.log_blocks, self.written as u64);
        circuit.play(network, ROLES, &self.garbling)?;
        let old = self.unmask(place, sums);
        let mut new = party::words(old);
        new[odd] = change(new[odd], word);
        let new = u128::from(new[0]) | u128::from(new[1]) << 64;
        let correction = old ^ new ^ labels[0][place] ^ labels[1][place];
        for party in ROLES {
            let own = &mut self.parties[party];
            network.compute(party, || own.add(&labels[party], correction));
        }
        self.stash.retain(|(stashed, _)| *stashed != place);
        self.stash.push((place, new));
        self.written += 1;
        if self.written == self.period { self.refresh(network) } else { Ok(()) }
    }

    /// A tree's levels: what both compute of each, and the circuit that finds its correction. A level has twice the nodes of
    /// the one before, so `times`, of the whole tree, are shared out.
    fn grow(&self, network: &mut Network, depth: u32, times: [Duration; 2]) -> Result<(), NothingSent> {
        let mut left = times;
        for level in (0..depth).rev() {
            for party in ROLES {
                let part = times[party].mul_f64(0.5_f64.powi(level.try_into().unwrap_or(i32::MAX) + 1));
                network.compute_for(party, part);
                left[party] = left[party].saturating_sub(part);
            }
            circuits::LEFT.play(network, ROLES, &self.garbling)?;
            circuits::RIGHT.play(network, ROLES, &self.garbling)?;
        }
        for party in ROLES {
            network.compute_for(party, left[party]);
        }
        Ok(())
    }

    /// Inside the garbled circuits: a block, of the stash if it is there, else of both parties' sums.
    fn unmask(&self, place: usize, sums: [u128; 2]) -> u128 {
        let stashed = self.stash.iter().find(|(stashed, _)| *stashed == place);
        stashed.map_or_else(
            || sums[0] ^ sums[1] ^ self.parties[0].mask(place) ^ self.parties[1].mask(place),
            |(_, block)| *block,
        )
    }

    fn block(&mut self) -> u128 {
        u128::from(self.random.next_u64()) | u128::from(self.random.next_u64()) << 64
    }
}

/// `sqrt(n) / 8` writes, n in blocks, as the authors' program has it: there a refresh costs as much as the stash's growth.
fn period(log_blocks: u32) -> usize {
    let blocks = 1_u64 << log_blocks;
    let root = blocks.isqrt() + u64::from(blocks.isqrt().pow(2) < blocks);
    usize::try_from(root.div_ceil(8)).unwrap_or(usize::MAX)
}

/// The block of an address, and which of its words.
#[allow(clippy::cast_possible_truncation, reason = "addresses are below n, which is a length")]
fn split(address: u64) -> (usize, usize) {
    ((address / 2) as usize, (address % 2) as usize)
}

/// Work, and the time that it took by the network's clock.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let mut alone = Network::new(1, Link::none());
    let result = alone.compute(0, work);
    (result, alone.clock(0))
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    fn memory(words: &[u64]) -> (Memory<'static>, Network) {
        let log_size = words.len().ilog2();
        let random = ChaCha20Rng::from_seed([1; 32]);
        let mut memory = Memory::new(Kernels::detect(17), words, log_size, random);
        let mut network = Network::new(2, Link::none());
        memory.refresh(&mut network).unwrap();
        (memory, network)
    }

    /// The block of both shares.
    fn written(memory: &Memory<'_>, place: usize) -> u128 {
        memory.parties.iter().fold(0, |sum, party| sum ^ party.share(place))
    }

    #[test]
    fn a_refresh_sends_the_whole_memory_both_ways() {
        let words: Vec<u64> = (0..256).collect();
        let (_, mut network) = memory(&words);
        let spent = network.mark();
        let keys = [circuits::KEYS.bytes_of_garbler(), circuits::KEYS.bytes_of_evaluator()];
        assert_eq!(spent.bytes, keys.map(|keys| keys + 8 * 256));
    }

    #[test]
    fn what_is_written_is_in_the_shares_and_in_the_stash_until_the_next_refresh() {
        let words: Vec<u64> = (1000..2024).collect();
        let (mut memory, mut network) = memory(&words);
        assert_eq!(memory.period, 3);
        for (count, place) in [(1, 7), (2, 400), (0, 9)] {
            memory.write(&mut network, 2 * place + 1, 5, |_, new| new).unwrap();
            assert_eq!(memory.stash.len(), count);
            let place = usize::try_from(place).unwrap();
            assert_eq!(party::words(written(&memory, place)), [words[2 * place], 5]);
        }
        for address in [14, 15, 800, 801, 18, 19] {
            let expected = if address % 2 == 1 { 5 } else { 1000 + address };
            assert_eq!(memory.read(&mut network, address).unwrap(), expected);
        }
    }

    /// A block that is written twice is once in the stash.
    #[test]
    fn the_stash_has_the_last_word() {
        let (mut memory, mut network) = memory(&vec![3; 1024]);
        for word in [8, 9] {
            memory.write(&mut network, 100, word, |old, new| old ^ new).unwrap();
        }
        assert_eq!(memory.stash.len(), 1);
        assert_eq!(memory.read(&mut network, 100).unwrap(), 3 ^ 8 ^ 9);
        assert_eq!(memory.read(&mut network, 101).unwrap(), 3);
    }

    #[test]
    fn a_refresh_is_due_after_an_eighth_of_the_root_of_the_blocks() {
        assert_eq!([3, 4, 6, 8, 15, 20].map(period), [1, 1, 1, 2, 23, 128]);
    }
}
