//! FLORAM's garbled circuits, as the authors' program has them, but with shifts where it divides.
//!
//! Their program is `floram` with the level-by-level key generation (`fssl_cprg`): it is the one with a logarithm of rounds,
//! which DUORAM's paper measured (`[duoram, section 6.2.1]`).

use crate::cost::garbled::Garbled;

/// Bits of a block: two words.
pub(super) const BLOCK: u64 = 128;

/// Bits of a word.
pub(super) const WORD: u64 = 64;

/// AND gates of AES' S-box, by Boyar and Peralta.
const S_BOX: u64 = 32;

/// An S-box for each of 16 bytes in each of 10 rounds: the round keys are inputs.
pub(super) const AES: u64 = 10 * 16 * S_BOX;

/// Of the key schedule: four S-boxes for each of 10 round keys.
pub(super) const KEY_SCHEDULE: u64 = 10 * 4 * S_BOX;

/// The address, fed by both.
pub(super) const fn address(log_size: u32) -> Garbled {
    let bits = log_size as u64;
    Garbled { ands: 0, of_garbler: bits, of_evaluator: bits, to_garbler: 0, to_evaluator: 0 }
}

/// A level of the tree, first message pair: the XOR of all left children goes in.
pub(super) const LEFT: Garbled =
    Garbled { ands: 0, of_garbler: BLOCK, of_evaluator: BLOCK, to_garbler: 0, to_evaluator: 0 };

/// Second pair: that of all right ones goes in; the correction, which is the sum on the side that the path leaves, and two bits
/// of advice come out to both.
pub(super) const RIGHT: Garbled = Garbled {
    ands: BLOCK,
    of_garbler: BLOCK,
    of_evaluator: BLOCK,
    to_garbler: BLOCK + 2,
    to_evaluator: BLOCK + 2,
};

/// READ: the bits of both parties at the target's leaf go in, and out comes what makes a unit vector of them. Seven address bits
/// become 128: every further bit doubles them, with an AND for each that there was.
pub(super) const UNIT: Garbled = Garbled {
    ands: BLOCK - 2,
    of_garbler: BLOCK,
    of_evaluator: BLOCK,
    to_garbler: BLOCK,
    to_evaluator: BLOCK,
};

/// WRITE: the labels of both at the target, which differ there.
pub(super) const LABELS: Garbled =
    Garbled { ands: 0, of_garbler: BLOCK, of_evaluator: BLOCK, to_garbler: 0, to_evaluator: 0 };

/// Fresh keys of the masks, whose schedules are garbled once.
pub(super) const KEYS: Garbled = Garbled {
    ands: 2 * KEY_SCHEDULE,
    of_garbler: BLOCK,
    of_evaluator: BLOCK,
    to_garbler: 0,
    to_evaluator: 0,
};

/// An access after its scan: both parties' sums go in; the masks come off (two AES); the stash is searched; the word is chosen
/// and comes out shared, by a random word of who garbles.
const fn fetch(log_blocks: u32, stashed: u64, an_entry: u64) -> Garbled {
    let index = log_blocks as u64;
    // An entry is compared (an AND a bit but one), and its block chosen; then the stash's or the memory's block, and a word of
    // it.
    let search = stashed * (index - 1 + BLOCK + an_entry);
    Garbled {
        ands: 2 * AES + search + BLOCK + WORD,
        of_garbler: BLOCK + WORD,
        of_evaluator: BLOCK,
        to_garbler: 0,
        to_evaluator: WORD,
    }
}

/// The end of a READ, with so many blocks in the stash.
pub(super) const fn read(log_blocks: u32, stashed: u64) -> Garbled {
    fetch(log_blocks, stashed, 0)
}

/// The end of a WRITE: the new word is fed by both and put into the block; an entry that is found is marked as gone; what is to
/// be added to the memory comes out to both, hidden by the labels at the target.
pub(super) const fn write(log_blocks: u32, stashed: u64) -> Garbled {
    let fetch = fetch(log_blocks, stashed, log_blocks as u64 + 1);
    Garbled {
        ands: fetch.ands + 2 * WORD,
        of_garbler: fetch.of_garbler + WORD,
        of_evaluator: fetch.of_evaluator + WORD,
        to_garbler: BLOCK,
        to_evaluator: BLOCK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_without_a_stash_is_two_aes_a_choice_of_blocks_and_one_of_words() {
        assert_eq!(read(15, 0).ands, 2 * 5120 + 128 + 64);
        assert_eq!(read(15, 3).ands - read(15, 2).ands, 14 + 128);
        assert_eq!(write(15, 3).ands - write(15, 2).ands, 14 + 128 + 16);
        assert_eq!(KEYS.ands, 2 * 1280);
    }
}
