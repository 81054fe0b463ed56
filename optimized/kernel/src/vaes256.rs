//! VAES on 256-bit registers: two labels a register.

#[cfg(not(miri))]
use core::arch::asm;
use core::arch::x86_64::*;

use crate::aesni::AesNi;
use crate::backend::{Features, Unavailable};
use crate::lanes::{Lanes, Meanwhile, Work};
use crate::schedule::Schedule;

/// VAES with AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Vaes256(());

impl Vaes256 {
    /// The backend, if the CPU has what it needs.
    pub fn new(features: &Features) -> Result<Self, Unavailable> {
        features.require("vaes256", &["aes", "vaes", "avx2"])?;
        Ok(Self(()))
    }
}

/// Registers of parents in flight: eight states hide the latency of a round.
const PARENTS: usize = 4;

/// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
#[target_feature(enable = "aes,vaes,avx2")]
fn run<W: Work<Vaes256>>(lanes: Vaes256, work: W) -> W::Output {
    work.run::<PARENTS>(lanes)
}

/// One round of all states.
#[target_feature(enable = "aes,vaes,avx2")]
#[inline]
fn round<const N: usize>(mut states: [[__m256i; N]; 2], key: __m256i) -> [[__m256i; N]; 2] {
    for side in 0..2 {
        for i in 0..N {
            states[side][i] = _mm256_aesenc_epi128(states[side][i], key);
        }
    }
    // With sixteen registers the compiler likes to cipher one state after the other, which leaves the pipelined AES units
    // idle for most of the time. A barrier without instructions makes it finish the round first.
    #[cfg(not(miri))]
    if N == PARENTS {
        let [l, r] = &mut states;
        // SAFETY: there are no instructions, only a comment.
        unsafe {
            asm!(
                "/* {0} {1} {2} {3} {4} {5} {6} {7} */",
                inlateout(ymm_reg) l[0], inlateout(ymm_reg) l[1], inlateout(ymm_reg) l[2], inlateout(ymm_reg) l[3],
                inlateout(ymm_reg) r[0], inlateout(ymm_reg) r[1], inlateout(ymm_reg) r[2], inlateout(ymm_reg) r[3],
                options(pure, nomem, nostack, preserves_flags),
            );
        }
    }
    states
}

// Below, "witness" stands for: `self` was made by `new`, hence the CPU has every feature listed there.
impl Lanes for Vaes256 {
    const WIDTH: usize = 2;
    type Blocks = __m256i;
    type Flags = __m256i;
    type Words = __m256i;
    type Keys = [__m256i; 9];
    /// Low by low, and the cross products, which count 2^32 times; added up separately.
    type Product = [__m256i; 2];
    type BlockRow = [u128; 2];
    type WordRow = [u64; 4];
    type Single = AesNi;

    fn single(self) -> AesNi {
        self.into()
    }

    #[inline]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        // SAFETY: witness.
        unsafe { run(self, work) }
    }

    #[inline(always)]
    fn load_blocks(self, row: &[u128; 2]) -> __m256i {
        // SAFETY: witness; a row has 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_blocks(self, row: &mut [u128; 2], blocks: __m256i) {
        // SAFETY: witness; a row has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), blocks) }
    }

    #[inline(always)]
    fn load_words(self, row: &[u64; 4]) -> __m256i {
        // SAFETY: witness; a row has 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_pairs(self, pairs: &[[u64; 2]], row: usize, stride: usize) -> __m256i {
        let [low, high] = [&pairs[row], &pairs[row + stride]];
        // SAFETY: witness; a pair has 16 bytes, and the loads need no alignment.
        unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_pairs(self, pairs: &mut [[u64; 2]], row: usize, stride: usize, words: __m256i) {
        // SAFETY: witness; a pair has 16 bytes, and the stores need no alignment.
        unsafe {
            _mm_storeu_si128(pairs[row].as_mut_ptr().cast(), _mm256_castsi256_si128(words));
            _mm_storeu_si128(pairs[row + stride].as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(words));
        }
    }

    #[inline(always)]
    fn prefetch(self, pairs: &[[u64; 2]], index: usize) {
        if let Some(pair) = pairs.get(index) {
            // SAFETY: the address is one of a slice; besides, a prefetch of any address is harmless.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(pair.as_ptr().cast()) }
        }
    }

    #[inline(always)]
    fn to_word_row(self, words: __m256i) -> [u64; 4] {
        let mut row = [0; 4];
        // SAFETY: witness; a row has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), words) };
        row
    }

    #[inline(always)]
    fn to_block_row(self, blocks: __m256i) -> [u128; 2] {
        let mut row = [0; 2];
        self.store_blocks(&mut row, blocks);
        row
    }

    #[inline(always)]
    fn splat_block(self, block: u128) -> __m256i {
        let (high, low) = ((block >> 64) as i64, block as i64);
        // SAFETY: witness.
        unsafe { _mm256_set_epi64x(high, low, high, low) }
    }

    #[inline(always)]
    fn splat_word(self, word: u64) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_set1_epi64x(word as i64) }
    }

    #[inline(always)]
    fn keys(self, schedule: &Schedule) -> [__m256i; 9] {
        let mut keys = [self.splat_block(schedule.round_key(1)); 9];
        for round in 1..9 {
            keys[round] = self.splat_block(schedule.round_key(round + 1));
        }
        keys
    }

    #[inline(always)]
    fn rounds<const N: usize, M: Meanwhile<Self>>(
        self,
        keys: &[__m256i; 9],
        mut states: [[__m256i; N]; 2],
        last: [[__m256i; N]; 2],
        meanwhile: &mut M,
    ) -> [[__m256i; N]; 2] {
        for number in 0..9 {
            // SAFETY: witness.
            states = unsafe { round(states, keys[number]) };
            meanwhile.after_round(self, number);
        }
        for side in 0..2 {
            for i in 0..N {
                // SAFETY: witness.
                states[side][i] = unsafe { _mm256_aesenclast_epi128(states[side][i], last[side][i]) };
            }
        }
        states
    }

    #[inline(always)]
    fn xor_blocks(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn cleared_xor(self, labels: __m256i, key: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_xor_si256(_mm256_andnot_si256(self.splat_block(1), labels), key) }
    }

    #[inline(always)]
    fn flags<const N: usize>(self, labels: [__m256i; N]) -> [__m256i; N] {
        let mut flags = labels;
        for flag in &mut flags {
            // SAFETY: witness. The lowest quarter of each label is copied to all four, as a shift distance: 0 or 2^31.
            *flag = unsafe { _mm256_slli_epi32::<31>(_mm256_shuffle_epi32::<0>(*flag)) };
        }
        flags
    }

    #[inline(always)]
    fn xor_unless(self, flags: __m256i, base: __m256i, correction: __m256i) -> __m256i {
        // SAFETY: witness. Shifting by 2^31 clears the correction.
        unsafe { _mm256_xor_si256(base, _mm256_sllv_epi32(correction, flags)) }
    }

    #[inline(always)]
    fn words(self, labels: __m256i) -> __m256i {
        labels
    }

    #[inline(always)]
    fn unzip(self, left: __m256i, right: __m256i) -> [__m256i; 2] {
        // SAFETY: witness.
        unsafe { [_mm256_unpacklo_epi64(left, right), _mm256_unpackhi_epi64(left, right)] }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        self.xor_blocks(a, b)
    }

    #[inline(always)]
    fn add_where_odd(self, sum: __m256i, flags: __m256i, addend: __m256i) -> __m256i {
        let zero = self.splat_word(0);
        let odd = self.sub(zero, self.and(flags, self.splat_word(1)));
        self.add(sum, self.and(odd, addend))
    }

    #[inline(always)]
    fn mul(self, a: __m256i, b: __m256i) -> __m256i {
        let [low, cross] = self.add_product(self.product(), a, b);
        // SAFETY: witness.
        unsafe { _mm256_add_epi64(low, _mm256_slli_epi64::<32>(cross)) }
    }

    #[inline(always)]
    fn product(self) -> [__m256i; 2] {
        [self.splat_word(0); 2]
    }

    #[inline(always)]
    fn add_product(self, sum: [__m256i; 2], a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: witness. AVX2 multiplies 32 by 32 bits: a b = a0 b0 + 2^32 (a0 b1 + a1 b0) mod 2^64.
        unsafe {
            let low = _mm256_mul_epu32(a, b);
            let upper = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), b);
            let lower = _mm256_mul_epu32(a, _mm256_srli_epi64::<32>(b));
            [_mm256_add_epi64(sum[0], low), _mm256_add_epi64(sum[1], _mm256_add_epi64(upper, lower))]
        }
    }

    #[inline(always)]
    fn product_sum(self, sum: [__m256i; 2]) -> u64 {
        self.word_sum(sum[0]).wrapping_add(self.word_sum(sum[1]) << 32)
    }
}
