//! Shares of a one-hot vector at ri, dealt at a random place and moved (`PROTOCOL.md`, part two, "Preprocessing"): P2 deals at
//! r, P0 and P1 tell each other `e = ri xor r` and move. P2, which knows r, must not learn e.
//!
//! Neither r nor e is an address or a shift's distance here: both decide, bit by bit, between two fixed patterns.

use zeroize::Zeroizing;

use super::NODE_ROWS;
use crate::engine::tree::mask;
use crate::{Block, Word};

/// Bit k of a word, as a mask for words.
fn word_mask(word: Word, k: usize) -> Word {
    crate::engine::tree::low_half(mask(word >> k & 1 == 1))
}

/// For each k, the places of a block whose numbers have a clear bit k.
const LOW_PLACES: [Block; 7] = [
    0x5555_5555_5555_5555_5555_5555_5555_5555,
    0x3333_3333_3333_3333_3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff_0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff_0000_0000_ffff_ffff,
    0x0000_0000_0000_0000_ffff_ffff_ffff_ffff,
];

/// `j -> block[j xor distance]`, of the lowest seven bits of the distance.
pub(crate) fn moved(block: Block, distance: Word) -> Block {
    let mut block = block;
    for (k, low) in LOW_PLACES.into_iter().enumerate() {
        let swapped = (block & low) << (1 << k) | block >> (1 << k) & low;
        block ^= (block ^ swapped) & mask(distance >> k & 1 == 1);
    }
    block
}

/// `onehot_128(index)`.
pub(crate) fn one_hot(index: Word) -> Block {
    moved(1, index)
}

/// `j -> rows[j xor distance]` of eight rows, of the lowest three bits of the distance.
pub(crate) fn move_rows(rows: &mut [Word], distance: Word) {
    let row_words = rows.len() / NODE_ROWS;
    for k in 0..3 {
        let swap = word_mask(distance, k);
        for j in (0..NODE_ROWS).filter(|j| j >> k & 1 == 0) {
            let (from, to) = (j * row_words, (j | 1 << k) * row_words);
            for c in 0..row_words {
                let difference = (rows[from + c] ^ rows[to + c]) & swap;
                rows[from + c] ^= difference;
                rows[to + c] ^= difference;
            }
        }
    }
}

/// For each of eight rows, the row where the bit is set, else zeros: `row * folded`, where bit j of `folded` is the XOR of
/// the bits i of the block with `i mod 8 = j`.
pub(crate) fn scaled_folded(block: Block, row: &[Word]) -> Zeroizing<Vec<Word>> {
    let folded = [64, 32, 16, 8].into_iter().fold(block, |bits, half| bits ^ bits >> half);
    let bits = crate::engine::tree::low_half(folded);
    let mut rows = Zeroizing::new(Vec::with_capacity(NODE_ROWS * row.len()));
    for j in 0..NODE_ROWS {
        let selected = word_mask(bits, j);
        rows.extend(row.iter().map(|word| word & selected));
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_and_rows_move_as_their_indices_do(
            block: u128,
            words in prop::collection::vec(any::<u64>(), 24),
            row_words in 1..=3_usize,
            distance in 0..128_u64,
        ) {
            let after = moved(block, distance);
            for j in 0..128 {
                prop_assert_eq!(after >> j & 1, block >> (j ^ distance) & 1);
            }
            let mut after = words[..8 * row_words].to_vec();
            move_rows(&mut after, distance);
            for (j, row) in after.chunks(row_words).enumerate() {
                let from = j ^ (usize::try_from(distance).unwrap() & 7);
                prop_assert_eq!(row, &words[from * row_words..][..row_words]);
            }
        }

        #[test]
        fn a_one_hot_vector_is_one_hot_and_stays_it_when_folded(index in 0..128_u64, row: [u64; 2]) {
            prop_assert_eq!(one_hot(index), 1 << index);
            let folded = scaled_folded(one_hot(index), &row);
            for (j, words) in (0..).zip(folded.chunks(2)) {
                prop_assert_eq!(words, if j == index % 8 { row } else { [0; 2] });
            }
        }

        #[test]
        fn folding_is_linear(one: u128, other: u128, row: [u64; 3]) {
            let of_other = scaled_folded(other, &row);
            let sum: Vec<u64> = scaled_folded(one, &row).iter().zip(&*of_other).map(|(x, y)| x ^ y).collect();
            prop_assert_eq!(&scaled_folded(one ^ other, &row)[..], sum);
        }
    }
}
