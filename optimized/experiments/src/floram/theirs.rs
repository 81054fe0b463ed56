//! The bytes of reads in the authors' program, gate by gate as its sources have them: what the published line is of.
//!
//! `circuits` has shifts where the program divides, and compares as many bits as an address has. The program divides numbers of
//! 64 bits, and the circuits come of a compiler (Obliv-C) that folds constants and nothing else. It also transfers obliviously with
//! 80 columns, and a share of who garbles costs nothing, for it is a choice of labels. What is counted here is nowhere done.

use super::circuits::{AES, BLOCK, KEY_SCHEDULE, WORD};
use crate::cost::circuit::{Counter, Number, Wire, not, public, resized, secret};

/// Bytes of a half gate's AND, and of both labels of a transfer.
const GATE: u64 = 32;

/// Bytes of a transferred bit: ten of who chooses, and two labels.
const TRANSFER: u64 = 10 + GATE;

/// Bits of a number in the program.
const BITS: usize = 64;

/// Bits of an address as it is fed.
const ADDRESS: usize = 32;

/// Blocks of a leaf: a bit each.
const LEAF: u64 = BLOCK;

/// Bytes of the memory's first masked copy, both ways, and of the keys of the masks.
pub(super) fn setup(log_size: u32) -> u64 {
    let memory = 2 * (8 << log_size);
    let keys = BLOCK * 16 + BLOCK * TRANSFER + GATE * 2 * KEY_SCHEDULE;
    memory + keys
}

/// Bytes of a READ, of both parties together, before anything was written.
pub(super) fn read(log_size: u32) -> u64 {
    let levels = u64::from(log_size.saturating_sub(1 + LEAF.ilog2()));
    // Of a level two sums of children and two bits of advice, then the leaf, then the sum of the scan.
    let transfers = ADDRESS as u64 + 2 * BLOCK * levels + BLOCK + BLOCK;
    // What both learn of it: correction and advice, then the unit vector.
    let opened = 2 * (levels * (BLOCK / 8 + 2) + BLOCK / 8);
    GATE * gates(log_size, levels) + TRANSFER * transfers + opened
}

fn gates(log_size: u32, levels: u64) -> u64 {
    let mut counter = Counter::default();
    let size = public(1 << log_size, BITS);
    let fed = resized(&secret(ADDRESS), BITS);
    // `if (index < size)`, which all that follows depends on; `index % size`, `/ 2`, `% 2`.
    counter.subtract(&fed, &size);
    let (_, address) = counter.divide(&fed, &size);
    let (block, _) = counter.divide(&address, &public(2, BITS));
    let (_, word) = counter.divide(&address, &public(2, BITS));
    // The leaf of the block, and twice which bit of it.
    counter.divide(&block, &public(LEAF, BITS));
    counter.divide(&block, &public(LEAF, BITS));
    let (_, bit) = counter.divide(&block, &public(LEAF, BITS));
    let (byte, bit): (Number, Number) = (resized(&bit[3..], BITS), resized(&bit[..3], BITS));
    for place in 0..LEAF {
        let is_byte = differs(&mut counter, &public(place / 8, BITS), &byte);
        let is_bit = differs(&mut counter, &public(place % 8, BITS), &bit);
        let is_both = counter.and(not(is_byte), not(is_bit));
        // It is flipped if so.
        counter.and(is_both, Wire::Secret);
    }
    // The block is taken if the address is below the size; of its two words that which is asked for.
    counter.choose(&secret(128), &secret(128), Wire::Secret);
    for place in 0..2 {
        let differs = differs(&mut counter, &word, &public(place, BITS));
        let is_asked_for = counter.and(not(differs), Wire::Secret);
        counter.choose(&secret(64), &secret(64), is_asked_for);
    }
    debug_assert_eq!(WORD, 64);
    // A level's correction is chosen from the left if .., and from the right else: two choices. The masks are two AES.
    counter.ands() + 2 * BLOCK * levels + 2 * AES
}

/// Whether two numbers differ: an OR for each bit but those that are known to be equal.
fn differs(counter: &mut Counter, one: &[Wire], other: &[Wire]) -> Wire {
    let bits = one.iter().zip(other);
    bits.fold(Wire::Public(false), |differs, (one, other)| {
        counter.or(differs, crate::cost::circuit::xor(*one, *other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A remainder is 64 secret bits, though but a few of them can be other than 0.
    #[test]
    fn divisions_are_most_of_the_gates_that_are_not_of_aes() {
        let mut counter = Counter::default();
        let (_, address) = counter.divide(&resized(&secret(ADDRESS), BITS), &public(1 << 16, BITS));
        assert_eq!(counter.ands(), 1504);
        counter.divide(&address, &public(2, BITS));
        assert_eq!(counter.ands(), 1504 + 63 * 64, "a subtraction and a choice of each length below 64");
        assert_eq!(gates(16, 8), 40_340 + 1024);
    }

    /// What there is of it at 2^16, by hand: 1 MiB of memory and 89 344 bytes of keys once, and for each read 41 364 gates, 2336
    /// transfers, and 320 bytes that are opened.
    #[test]
    fn the_artifacts_two_reads_are_added_up_by_hand() {
        assert_eq!(setup(16), (1 << 20) + 128 * 16 + 128 * 42 + 32 * 2560);
        assert_eq!(read(16), 32 * 41_364 + 42 * 2336 + 2 * (8 * 18 + 16));
        assert_eq!(setup(16) + 2 * read(16), 3_982_080);
    }
}
