//! A flag for each row becomes a bit for each word of it.
//!
//! The rows that 64 flags are of have 64 w words, and so many bits. Of each 64 of these bits some rows begin in there, and one may go on from
//! the 64 before. The flags of the former go where their rows begin, by halves: those whose number has bit `i` set go `(w - 1) 2^i` places up.
//! Times `2^w - 1`, each becomes w bits; what is too much of the last one falls off at the top:
//!
//! ```text
//!    w = 3, four rows        dcba
//!    bit 1, by 2 * 2         dc....ba
//!    bit 0, by 2 * 1         d..c..b..a
//!    times 111               dddcccbbbaaa
//! ```
//!
//! Everything here is public but the flags, and of these nothing is made but by shifts, masks and products.

use alloc::vec::Vec;

use crate::flags::WORD;

/// How the flags of 64 rows become bits.
pub(crate) struct Spread {
    steps: Vec<Step>,
    places: Vec<Place>,
    /// As many bits as a row has words, at most 64.
    row: u64,
}

/// Some flags go up.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// By so many places.
    distance: u32,
    /// Where these flags are.
    which: u64,
}

/// What 64 of the bits are of.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The first row that begins here; if none does, the next one.
    first: u32,
    /// The flags of the rows that begin here, once the first one's is at the bottom.
    begin: u64,
    /// Where the first one begins.
    at: u32,
    /// The bits of a row that has begun before.
    over: u64,
}

/// That many bits from the bottom on, at most 64.
const fn low(bits: usize) -> u64 {
    if bits < WORD { (1 << bits) - 1 } else { u64::MAX }
}

impl Spread {
    /// Of rows of so many words.
    pub(crate) fn new(row_words: usize) -> Self {
        // At most so many rows begin in 64 words.
        let most = WORD.div_ceil(row_words);
        let mut steps = Vec::new();
        for bit in (0..most.next_power_of_two().trailing_zeros()).rev() {
            let mut which = 0;
            for number in 0..most {
                if number >> bit & 1 == 1 {
                    let group = number >> (bit + 1) << (bit + 1);
                    which |= 1 << (group * row_words + number - group);
                }
            }
            steps.push(Step { distance: ((row_words - 1) << bit) as u32, which });
        }
        let mut places = Vec::with_capacity(row_words);
        // Where the next row begins, seen from the place that it is looked at.
        let (mut first, mut next) = (0, 0);
        for _ in 0..row_words {
            let rows = WORD.saturating_sub(next).div_ceil(row_words);
            let at = if rows > 0 { next } else { 0 };
            places.push(Place { first, begin: low(rows), at: at as u32, over: low(next) });
            (first, next) = (first + rows as u32, next + rows * row_words - WORD);
        }
        Self { steps, places, row: low(row_words) }
    }

    /// For [`bits`].
    pub(crate) fn parts(&self) -> (&[Step], &[Place], u64) {
        (&self.steps, &self.places, self.row)
    }
}

/// The 64 bits at a place, of the flags of 64 rows.
#[inline(always)]
pub(crate) fn bits(flags: u64, steps: &[Step], place: Place, row: u64) -> u64 {
    let Place { first, begin, at, over } = place;
    // Where a number is too large, nothing is left of the flags: `begin` or `over` is 0.
    let mut begun = flags.wrapping_shr(first) & begin;
    for &Step { distance, which } in steps {
        begun = (begun & !which) | (begun & which) << distance;
    }
    let before = flags.wrapping_shr(first.wrapping_sub(1)) & 1;
    (begun << at).wrapping_mul(row) | 0u64.wrapping_sub(before) & over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_there_for_each_word_of_its_row() {
        for row_words in 1..=512 {
            let spread = Spread::new(row_words);
            let (steps, places, row) = spread.parts();
            assert_eq!(places.len(), row_words);
            for flags in [0x9e37_79b9_7f4a_7c15, !0x9e37_79b9_7f4a_7c15, 1, 1 << 63, u64::MAX] {
                for (number, place) in places.iter().enumerate() {
                    let bits = bits(flags, steps, *place, row);
                    for i in 0..WORD {
                        let word = number * WORD + i;
                        let flag = flags >> (word / row_words) & 1;
                        assert_eq!(bits >> i & 1, flag, "word {word} of rows of {row_words}");
                    }
                }
            }
        }
    }
}
