//! VAES on 512-bit registers: four labels a register.

use core::arch::asm;
use core::arch::x86_64::*;

use crate::aesni::AesNi;
use crate::backend::{Features, Unavailable};
use crate::flags::{GROUP, WORD};
use crate::lanes::{Lanes, MANY, Meanwhile, Work, each_round};
use crate::scan::MANY_AHEAD;
use crate::schedule::Schedule;

/// VAES with AVX-512F, DQ and VBMI, and GFNI: whatever has VAES and AVX-512 has all of these.
#[derive(Clone, Copy, Debug)]
pub struct Vaes512 {
    /// [`Lanes::foresees`]
    foresees: bool,
}

impl Vaes512 {
    /// The backend, if the CPU has what it needs.
    pub(crate) fn new(features: &Features) -> Result<Self, Unavailable> {
        features.require("vaes512", &["aes", "vaes", "avx2", "avx512f", "avx512dq", "avx512vbmi", "gfni"])?;
        Ok(Self { foresees: features.foresees })
    }
}

/// Registers of parents in flight. Loops of four states are short enough for the CPU to overlap as many of them as it takes. On an AMD EPYC of
/// family 26, model 2 (Zen 5), loops of two take three to five hundredths longer to make labels and words.
const PARENTS: usize = 2;

/// A permutation of the bytes of eight words: word `i` becomes the bytes `i` of all of them, in their order, or in the opposite one.
const fn turned(back: bool) -> [u64; 8] {
    let mut words = [0; 8];
    let mut place = 0;
    while place < 64 {
        let (byte, word) = (place / 8, if back { 7 - place % 8 } else { place % 8 });
        words[place / 8] |= (8 * word as u64 + byte as u64) << (8 * (place % 8));
        place += 1;
    }
    words
}

/// For each distance below 8 the matrix whose product with a byte has bit `j` in the place `j xor distance`: row `i`, byte `7 - i`, has the
/// bit that comes to place `i`.
static BITS_MOVED: [u64; 8] = {
    let mut matrices = [0; 8];
    let mut place = 0;
    while place < 64 {
        let (distance, i) = (place / 8, place % 8);
        matrices[distance] |= 1 << (8 * (7 - i) + (i ^ distance));
        place += 1;
    }
    matrices
};

/// The numbers of a register's bytes.
static BYTES: [u64; 8] = {
    let mut words = [0x0706_0504_0302_0100; 8];
    let mut next = 1;
    while next < 8 {
        words[next] = words[next - 1] + 0x0808_0808_0808_0808;
        next += 1;
    }
    words
};

static TURNED: [u64; 8] = turned(false);
static TURNED_BACK: [u64; 8] = turned(true);

/// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
#[target_feature(enable = "aes,vaes,avx2,avx512f,avx512dq,avx512vbmi,gfni")]
fn run<W: Work<Vaes512>>(lanes: Vaes512, work: W) -> W::Output {
    work.run::<PARENTS>(lanes)
}

/// `words` XORed to those words of `sum` that `mask` chooses: of two registers and never of one and memory. Compilers would make the load of
/// `words` part of the instruction, which then loads what the mask chooses, so that which words are accessed would depend on flags.
#[inline]
#[target_feature(enable = "avx512f")]
fn xor_chosen(mut sum: __m512i, mask: u8, words: __m512i) -> __m512i {
    // SAFETY: the instruction is of AVX-512F, which the caller has, and touches nothing but these registers.
    unsafe {
        asm!(
            "vpxorq {sum}{{{mask}}}, {sum}, {words}",
            sum = inout(zmm_reg) sum,
            mask = in(kreg) mask,
            words = in(zmm_reg) words,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

// Below, "witness" stands for: `self` was made by `new`, hence the CPU has every feature listed there.
impl Lanes for Vaes512 {
    const WIDTH: usize = 4;
    type Blocks = __m512i;
    type Flags = __m512i;
    type Words = __m512i;
    type Bits = u64;
    /// The number of the word that comes to each place.
    type Distance = __m512i;
    type Keys = [__m512i; 9];
    type Product = __m512i;
    type BlockRow = [u128; 4];
    type WordRow = [u64; 8];
    type Single = AesNi;

    fn single(self) -> AesNi {
        self.into()
    }

    fn foresees(self) -> bool {
        self.foresees
    }

    #[inline]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        // SAFETY: witness.
        unsafe { run(self, work) }
    }

    #[inline(always)]
    fn load_blocks(self, row: &[u128; 4]) -> __m512i {
        // SAFETY: witness; a row has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_blocks(self, row: &mut [u128; 4], blocks: __m512i) {
        // SAFETY: witness; a row has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), blocks) }
    }

    #[inline(always)]
    fn load_words(self, row: &[u64; 8]) -> __m512i {
        // SAFETY: witness; a row has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_words(self, row: &mut [u64; 8], words: __m512i) {
        // SAFETY: witness; a row has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), words) }
    }

    #[inline(always)]
    fn load_everywhere(self, label: &u128) -> __m512i {
        // SAFETY: witness; a label has 16 bytes, and the load needs no alignment.
        unsafe { _mm512_broadcast_i64x2(_mm_loadu_si128((&raw const *label).cast())) }
    }

    #[inline(always)]
    fn load_pairs(self, pairs: &[[u64; 2]], row: usize, stride: usize) -> __m512i {
        // One load for each lane, broadcast to all and kept where it belongs: unlike inserts, these do not compete with
        // the cipher for its execution units.
        let [a, b] = [pairs[row].as_ptr().cast(), pairs[row + stride].as_ptr().cast()];
        let [c, d] = [pairs[row + 2 * stride].as_ptr().cast(), pairs[row + 3 * stride].as_ptr().cast()];
        // SAFETY: witness; a pair has 16 bytes, and the loads need no alignment.
        unsafe {
            let words = _mm512_broadcast_i64x2(_mm_loadu_si128(a));
            let words = _mm512_mask_broadcast_i64x2(words, 0b0000_1100, _mm_loadu_si128(b));
            let words = _mm512_mask_broadcast_i64x2(words, 0b0011_0000, _mm_loadu_si128(c));
            _mm512_mask_broadcast_i64x2(words, 0b1100_0000, _mm_loadu_si128(d))
        }
    }

    #[inline(always)]
    fn store_pairs(self, pairs: &mut [[u64; 2]], row: usize, stride: usize, words: __m512i) {
        // SAFETY: witness; a pair has 16 bytes, and the stores need no alignment.
        unsafe {
            _mm_storeu_si128(pairs[row].as_mut_ptr().cast(), _mm512_castsi512_si128(words));
            _mm_storeu_si128(pairs[row + stride].as_mut_ptr().cast(), _mm512_extracti64x2_epi64::<1>(words));
            _mm_storeu_si128(
                pairs[row + 2 * stride].as_mut_ptr().cast(),
                _mm512_extracti64x2_epi64::<2>(words),
            );
            _mm_storeu_si128(
                pairs[row + 3 * stride].as_mut_ptr().cast(),
                _mm512_extracti64x2_epi64::<3>(words),
            );
        }
    }

    #[inline(always)]
    fn store_apart(self, labels: &mut [u128], first: usize, stride: usize, blocks: __m512i) {
        // SAFETY: witness; a label has 16 bytes, and the stores need no alignment.
        unsafe {
            _mm_storeu_si128((&raw mut labels[first]).cast(), _mm512_castsi512_si128(blocks));
            _mm_storeu_si128(
                (&raw mut labels[first + stride]).cast(),
                _mm512_extracti64x2_epi64::<1>(blocks),
            );
            _mm_storeu_si128(
                (&raw mut labels[first + 2 * stride]).cast(),
                _mm512_extracti64x2_epi64::<2>(blocks),
            );
            _mm_storeu_si128(
                (&raw mut labels[first + 3 * stride]).cast(),
                _mm512_extracti64x2_epi64::<3>(blocks),
            );
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, items: &[T], index: usize) {
        // SAFETY: nothing is read; a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast()) }
    }

    #[inline(always)]
    fn to_word_row(self, words: __m512i) -> [u64; 8] {
        let mut row = [0; 8];
        self.store_words(&mut row, words);
        row
    }

    #[inline(always)]
    fn to_block_row(self, blocks: __m512i) -> [u128; 4] {
        let mut row = [0; 4];
        self.store_blocks(&mut row, blocks);
        row
    }

    #[inline(always)]
    fn splat_block(self, block: u128) -> __m512i {
        let (high, low) = ((block >> 64) as i64, block as i64);
        // SAFETY: witness.
        unsafe { _mm512_set_epi64(high, low, high, low, high, low, high, low) }
    }

    #[inline(always)]
    fn splat_word(self, word: u64) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_set1_epi64(word as i64) }
    }

    #[inline(always)]
    fn keys(self, schedule: &Schedule) -> [__m512i; 9] {
        let mut keys = [self.splat_block(schedule.round_key(1)); 9];
        for round in 1..9 {
            keys[round] = self.splat_block(schedule.round_key(round + 1));
        }
        keys
    }

    #[inline(always)]
    fn rounds<const N: usize, M: Meanwhile<Self>>(
        self,
        keys: &[__m512i; 9],
        mut states: [[__m512i; N]; 2],
        meanwhile: &mut M,
    ) -> [[__m512i; N]; 2] {
        each_round!(round, {
            for side in 0..2 {
                for i in 0..N {
                    // SAFETY: witness.
                    states[side][i] = unsafe { _mm512_aesenc_epi128(states[side][i], keys[round]) };
                }
            }
            meanwhile.after_round(self, round);
        });
        states
    }

    #[inline(always)]
    fn last_round<const N: usize>(
        self,
        mut states: [[__m512i; N]; 2],
        last: [[__m512i; N]; 2],
    ) -> [[__m512i; N]; 2] {
        for side in 0..2 {
            for i in 0..N {
                // SAFETY: witness.
                states[side][i] = unsafe { _mm512_aesenclast_epi128(states[side][i], last[side][i]) };
            }
        }
        states
    }

    #[inline(always)]
    fn xor_blocks(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn cleared_xor(self, labels: __m512i, key: __m512i) -> __m512i {
        let flag = self.splat_block(1);
        // SAFETY: witness. The table is (labels & !flag) ^ key, for inputs 0xf0, 0xcc, 0xaa.
        unsafe { _mm512_ternarylogic_epi64::<{ (0xf0 & !0xcc & 0xff) ^ 0xaa }>(labels, flag, key) }
    }

    #[inline(always)]
    fn flags<const N: usize>(self, labels: [__m512i; N]) -> [__m512i; N] {
        let mut flags = labels;
        for flag in &mut flags {
            // SAFETY: witness. The lowest quarter of each label is copied to all four; 0 or 1 is subtracted from 0. Shifts, or a
            // test into a mask register, would be shorter, but compete with the cipher, the ones here, the other there.
            *flag = unsafe {
                let bit = _mm512_and_si512(_mm512_shuffle_epi32::<0>(*flag), _mm512_set1_epi32(1));
                _mm512_sub_epi32(_mm512_setzero_si512(), bit)
            };
        }
        flags
    }

    #[inline(always)]
    fn pack_flags(self, labels: __m512i) -> u8 {
        // SAFETY: witness. Both words of a label get its flag; `flags` computes the same, so that a test is all it takes.
        unsafe { _mm512_test_epi64_mask(_mm512_shuffle_epi32::<0>(labels), _mm512_set1_epi32(1)) }
    }

    #[inline(always)]
    fn xor_where(self, flags: u8, labels: __m512i, correction: __m512i) -> __m512i {
        // SAFETY: witness. Making a register of the mask first is to be avoided: compilers do it by an instruction that waits for
        // what was in the register before, the end of another row's cipher.
        unsafe { xor_chosen(labels, flags, correction) }
    }

    #[inline(always)]
    fn xor_unless(self, flags: __m512i, base: __m512i, correction: __m512i) -> __m512i {
        // SAFETY: witness. The table is base ^ (!flags & correction), for inputs 0xf0, 0xcc, 0xaa.
        unsafe { _mm512_ternarylogic_epi64::<{ 0xf0 ^ (!0xcc & 0xaa) }>(base, flags, correction) }
    }

    #[inline(always)]
    fn words(self, labels: __m512i) -> __m512i {
        labels
    }

    #[inline(always)]
    fn labels(self, words: __m512i) -> __m512i {
        words
    }

    #[inline(always)]
    fn unzip(self, left: __m512i, right: __m512i) -> [__m512i; 2] {
        // SAFETY: witness.
        unsafe { [_mm512_unpacklo_epi64(left, right), _mm512_unpackhi_epi64(left, right)] }
    }

    #[inline(always)]
    fn swap_words(self, words: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_shuffle_epi32::<0x4e>(words) }
    }

    #[inline(always)]
    fn distance(self, words: usize) -> __m512i {
        // SAFETY: witness.
        let numbers = unsafe { _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0) };
        self.xor(numbers, self.splat_word(words as u64))
    }

    #[inline(always)]
    fn exchange(self, words: __m512i, distance: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_permutexvar_epi64(distance, words) }
    }

    /// Bytes by a permutation, bits within each of them by a product.
    #[inline(always)]
    fn move_bits(self, mut words: [u64; GROUP], shift: usize) -> [u64; GROUP] {
        let bits = self.splat_word(BITS_MOVED[shift % 8]);
        let distance = self.splat_word((shift % WORD / 8) as u64 * 0x0101_0101_0101_0101);
        let bytes = self.xor(self.load_words(&BYTES), distance);
        for row in words.as_chunks_mut().0 {
            // SAFETY: witness.
            let moved = unsafe {
                let moved = _mm512_permutexvar_epi8(bytes, self.load_words(row));
                _mm512_gf2p8affine_epi64_epi8::<0>(moved, bits)
            };
            self.store_words(row, moved);
        }
        words
    }

    #[inline(always)]
    fn bits(self, bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn xor_where_bits(self, sum: __m512i, bits: u64, row: usize, words: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { xor_chosen(sum, (bits >> (8 * row)) as u8, words) }
    }

    /// Bits are what matrices of 8 by 8 are made of: of eight words and eight sums, those of a byte's place are products of one
    /// instruction, for all eight places. The words come into the form of matrices by a permutation and one such product.
    #[inline(always)]
    fn select_many(self, words: &[u64], flags: &[[u64; MANY]], sums: &mut [u64]) {
        let mut totals = [self.splat_word(0); MANY / 8];
        let (identity, turned_back) = (self.splat_word(0x0102_0408_1020_4080), self.load_words(&TURNED_BACK));
        for (words, flags) in words.as_chunks::<64>().0.iter().zip(flags) {
            for (number, line) in words.as_chunks().0.iter().enumerate() {
                self.prefetch(line, MANY_AHEAD);
                // SAFETY: witness. Byte k of a product, bit i: the XOR of the bits j where byte k of its left side and byte 7 - i of its
                // right one have both bit j. So bit i of byte k becomes that of word i in place 7 - k of each byte, and then
                // that of sum k in place i.
                unsafe {
                    let bytes = _mm512_permutexvar_epi8(turned_back, self.load_words(line));
                    let bits = _mm512_gf2p8affine_epi64_epi8::<0>(identity, bytes);
                    for (half, total) in totals.iter_mut().enumerate() {
                        let flags = self.splat_word(flags[8 * half + number]);
                        *total = self.xor(*total, _mm512_gf2p8affine_epi64_epi8::<0>(flags, bits));
                    }
                }
            }
        }
        for (sums, total) in sums.chunks_mut(8).zip(totals) {
            // SAFETY: witness.
            let total = unsafe { _mm512_permutexvar_epi8(self.load_words(&TURNED), total) };
            for (sum, word) in sums.iter_mut().zip(self.to_word_row(total)) {
                *sum ^= word;
            }
        }
    }

    /// Word `8 half + j` of `flags[i]` is byte `j` of the flags `i` of all eight sums.
    #[inline(always)]
    fn turn(self, rows: [&[u64; 8]; 8], flags: &mut [[u64; MANY]; 8], half: usize) {
        let (mut columns, turned) = ([self.splat_word(0); 8], self.load_words(&TURNED));
        // SAFETY: witness. Pairs of rows become rows of pairs, and these, four lanes by four, columns, whose bytes are turned.
        unsafe {
            let mut pairs = [[columns[0]; 4]; 2];
            for i in 0..4 {
                let (upper, lower) = (self.load_words(rows[2 * i]), self.load_words(rows[2 * i + 1]));
                pairs[0][i] = _mm512_unpacklo_epi64(upper, lower);
                pairs[1][i] = _mm512_unpackhi_epi64(upper, lower);
            }
            for (odd, [a, b, c, d]) in pairs.into_iter().enumerate() {
                let left = [_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0x44>(c, d)];
                let right = [_mm512_shuffle_i64x2::<0xee>(a, b), _mm512_shuffle_i64x2::<0xee>(c, d)];
                columns[odd] = _mm512_shuffle_i64x2::<0x88>(left[0], left[1]);
                columns[2 + odd] = _mm512_shuffle_i64x2::<0xdd>(left[0], left[1]);
                columns[4 + odd] = _mm512_shuffle_i64x2::<0x88>(right[0], right[1]);
                columns[6 + odd] = _mm512_shuffle_i64x2::<0xdd>(right[0], right[1]);
            }
            for i in 0..8 {
                let bytes = _mm512_permutexvar_epi8(turned, columns[i]);
                self.store_words(&mut flags[i].as_chunks_mut().0[half], bytes);
            }
        }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        self.xor_blocks(a, b)
    }

    #[inline(always)]
    fn add_where_odd(self, sum: __m512i, flags: __m512i, addend: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe {
            let odd = _mm512_test_epi64_mask(flags, _mm512_set1_epi64(1));
            _mm512_mask_add_epi64(sum, odd, sum, addend)
        }
    }

    #[inline(always)]
    fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_mullo_epi64(a, b) }
    }

    #[inline(always)]
    fn product(self) -> __m512i {
        self.splat_word(0)
    }

    #[inline(always)]
    fn add_product(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.add(sum, self.mul(a, b))
    }

    #[inline(always)]
    fn product_sum(self, sum: __m512i) -> u64 {
        self.word_sum(sum)
    }
}
