//! Packed flags: all bits of a key, kept as long as an operation needs them, and moved to the memory they meet.
//!
//! Flag `j` meets memory word `j xor S`. Whole words of flags are exchanged by address; the bits within each of them by one pattern,
//! a step for each of the six lower bits of S, which is public:
//!
//! ```text
//!    bits of a word    7 6 5 4 3 2 1 0
//!    S has bit 0       6 7 4 5 2 3 0 1      neighbours
//!    S has bit 1       4 5 6 7 0 1 2 3      neighbouring pairs, and so on
//! ```

use alloc::vec;
use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use crate::key::BIT_LEVELS;
use crate::lanes::{Lanes, Row, Work};
use crate::{BitKey, Kernels};

/// Flags in a word of them.
pub(crate) const WORD: usize = u64::BITS as usize;

/// The bits of all leaves of a [`BitKey`], an eighth of a byte each (16 bytes at least). They may be kept in its place: what is done
/// with them then takes no AES call. Wiped when dropped.
///
/// The default has no flags, and is a place for [`Kernels::flags_into`].
#[derive(Default)]
pub struct Flags {
    log_size: usize,
    /// In order; none is set behind the last leaf.
    pairs: Zeroizing<Vec<[u64; 2]>>,
}

impl Flags {
    /// h: there are `2^h` flags.
    pub fn log_size(&self) -> usize {
        self.log_size
    }

    /// Bit `j mod 64` of word `j div 64` is flag `j`.
    pub fn words(&self) -> &[u64] {
        self.pairs.as_flattened()
    }

    /// Sets all flags to 0, in a place that is kept for others.
    pub fn wipe(&mut self) {
        self.pairs.as_flattened_mut().zeroize();
    }
}

impl Kernels<'_> {
    /// A party's bits of all leaves, as [`Kernels::bits`] has them.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let [flags_0, flags_1] = kernels.deal_bits(77, 7, [1, 2]).unwrap().map(|key| kernels.flags(&key));
    /// let unit = [0, 1].map(|i| flags_0.words()[i] ^ flags_1.words()[i]);
    /// assert_eq!(unit, [0, 1 << (77 - 64)]);
    /// ```
    pub fn flags(&self, key: &BitKey) -> Flags {
        let mut flags = Flags::default();
        self.flags_into(key, &mut flags);
        flags
    }

    /// The same in the place of flags that are done with: memory that the system has yet to find costs as much as the evaluation.
    pub fn flags_into(&self, key: &BitKey, flags: &mut Flags) {
        let log_size = key.log_size();
        flags.log_size = log_size;
        let pairs = &mut flags.pairs;
        let len = 1 << log_size.saturating_sub(BIT_LEVELS);
        if pairs.len() != len {
            // A new place: one that grew would leave old flags behind.
            *pairs = Zeroizing::new(vec![[0; 2]; len]);
        }
        self.bit_pairs(key, pairs);
        if log_size < BIT_LEVELS {
            let mask = (1u128 << (1 << log_size)) - 1;
            pairs[0][0] &= mask as u64;
            pairs[0][1] &= (mask >> WORD) as u64;
        }
    }
}

/// The patterns: how far bits go, and which of them go up by so much. Not a constant, of which compilers put a copy on the stack, where the
/// analysis of machine code takes for secret what is loaded by an index.
static PATTERNS: [(usize, u64); 6] = [
    (1, 0x5555_5555_5555_5555),
    (2, 0x3333_3333_3333_3333),
    (4, 0x0f0f_0f0f_0f0f_0f0f),
    (8, 0x00ff_00ff_00ff_00ff),
    (16, 0x0000_ffff_0000_ffff),
    (32, 0x0000_0000_ffff_ffff),
];

/// Words in a cache line.
const CACHE_LINE: usize = 8;

/// Words that are moved at once: so many stay in registers.
pub(crate) const GROUP: usize = 32;

/// The XOR of some flags, moved by `shift`, for memory from word `WORD first` on, `len` words of them: they are written to the
/// beginning of `moved`. `len` is a power of two that divides `first`.
///
/// Flags of the memory behind are asked for: many streams of them are too many for the CPU to foresee.
pub(crate) fn move_flags<L: Lanes>(
    lanes: L,
    flags: &[&Flags],
    shift: usize,
    first: usize,
    len: usize,
    moved: &mut [u64],
) {
    let (moved, shift_words) = (&mut moved[..len], shift / WORD);
    let start = |first: usize| (first ^ shift_words) & !(len - 1);
    let (here, next) = (start(first), start(first + len));
    if flags.is_empty() {
        moved.fill(0);
    }
    for (number, flags) in flags.chunks(2).enumerate() {
        let (shift, more) = (shift, number > 0);
        // Moved together, two cost as much as one.
        let words = |i: usize| &flags[i].words()[here..here + len];
        let ahead = |i: usize| flags[i].words().get(next..).unwrap_or_default();
        if flags.len() == 1 {
            lanes.run(Move { words: [0].map(words), ahead: [0].map(ahead), shift, more, moved });
        } else {
            lanes.run(Move { words: [0, 1].map(words), ahead: [0, 1].map(ahead), shift, more, moved });
        }
    }
}

/// Kernel: moves the XOR of `F` parties' flags that meet some memory to their places there. It is called with slices of words and
/// numbers only, so that an analysis of its machine code sees what is secret.
struct Move<'a, const F: usize> {
    words: [&'a [u64]; F],
    ahead: [&'a [u64]; F],
    shift: usize,
    /// XORs them to what is there.
    more: bool,
    moved: &'a mut [u64],
}

impl<L: Lanes, const F: usize> Work<L> for Move<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let Self { words, ahead, shift, more, moved } = self;
        let within = (shift / WORD) & (moved.len() - 1);
        let keep = if more { u64::MAX } else { 0 };
        let row = 2 * L::WIDTH;
        // Rows are exchanged by address, words within a row by a permutation.
        let (row_distance, distance) = (within / row, lanes.distance(within % row));
        let kept = lanes.splat_word(keep);
        let (groups, rest) = moved.as_chunks_mut::<GROUP>();
        for (number, group) in groups.iter_mut().enumerate() {
            let mut added = [0; GROUP];
            for side in 0..F {
                for line in 0..GROUP / CACHE_LINE {
                    lanes.prefetch(ahead[side], number * GROUP + line * CACHE_LINE);
                }
                let rows = L::WordRow::rows(words[side]);
                for (i, sum) in L::WordRow::rows_mut(&mut added).iter_mut().enumerate() {
                    let added = &rows[(number * (GROUP / row) + i) ^ row_distance];
                    lanes.store_words(sum, lanes.xor(lanes.load_words(sum), lanes.load_words(added)));
                }
            }
            let added = lanes.move_bits(added, shift);
            for (row, added) in L::WordRow::rows_mut(group).iter_mut().zip(L::WordRow::rows(&added)) {
                let added = lanes.exchange(lanes.load_words(added), distance);
                lanes.store_words(row, lanes.xor(lanes.and(lanes.load_words(row), kept), added));
            }
        }
        for (number, word) in rest.iter_mut().enumerate() {
            let mut added = [0];
            for side in 0..F {
                added[0] ^= words[side][number ^ within];
            }
            let [added] = pattern(added, shift);
            *word = (*word & keep) ^ added;
        }
    }
}

/// Moves the bits of each word.
#[inline(always)]
pub(crate) fn pattern<const N: usize>(mut words: [u64; N], shift: usize) -> [u64; N] {
    for &(distance, mask) in &PATTERNS {
        if shift & distance != 0 {
            for i in 0..N {
                words[i] = (words[i] & mask) << distance | (words[i] >> distance) & mask;
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::dispatch;
    use crate::portable::Portable;
    use crate::{Backend, BackendName, Features};

    fn flags(log_size: usize) -> Flags {
        let word = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let pairs =
            Zeroizing::new((0..1 << (log_size - 7)).map(|i| [word(2 * i), word(2 * i + 1)]).collect());
        Flags { log_size, pairs }
    }

    /// All patterns, some exchanges, from everywhere, in all lengths, on every backend.
    #[test]
    fn a_flag_moves_to_the_place_whose_number_is_its_own_xor_the_shift() {
        for backend in Backend::available(&Features::detect()) {
            dispatch!(backend, lanes => flags_move(lanes, backend.name()));
        }
    }

    fn flags_move<L: Lanes>(lanes: L, backend: BackendName) {
        let flags = flags(11);
        let bit = |words: &[u64], j: usize| words[j / WORD] >> (j % WORD) & 1;
        for shift in (0..64).chain([64, 127, 640, 1088, 2047]) {
            for len in [1, 2, 4, 8, 16, 32] {
                for first in (0..32).step_by(len) {
                    let mut words = vec![7; len];
                    move_flags(lanes, &[&flags], shift, first, len, &mut words);
                    for j in 0..len * WORD {
                        let expected = bit(flags.words(), (first * WORD + j) ^ shift);
                        let got = bit(&words, j);
                        assert_eq!(got, expected, "{backend}: {j} of {len} from {first} on, by {shift}");
                    }
                }
            }
        }
    }

    #[test]
    fn flags_of_several_sides_are_xored() {
        let flags = flags(11);
        let other = self::flags(12);
        let other = &Flags { log_size: 11, pairs: Zeroizing::new(other.pairs[16..].to_vec()) };
        for len in [8, 32] {
            let [mut one, mut two, mut three] = [[7; 32]; 3];
            move_flags(Portable, &[&flags], 77, 0, len, &mut one);
            move_flags(Portable, &[other], 77, 0, len, &mut two);
            for (one, two) in one.iter_mut().zip(&two).take(len) {
                *one ^= two;
            }
            move_flags(Portable, &[&flags, other], 77, 0, len, &mut two);
            assert_eq!(one, two, "the XOR of two sides' flags");
            move_flags(Portable, &[&flags, other, other], 77, 0, len, &mut two);
            move_flags(Portable, &[&flags], 77, 0, len, &mut three);
            assert_eq!(two, three, "the XOR of three, two of them equal");
        }
    }
}
