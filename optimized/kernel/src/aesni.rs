//! AES-NI on 128-bit registers: one label a register.

#[cfg(not(miri))]
use core::arch::asm;
use core::arch::x86_64::*;

use crate::backend::{Features, Unavailable};
use crate::lanes::{Lanes, Meanwhile, Work};
use crate::schedule::Schedule;
use crate::{vaes256::Vaes256, vaes512::Vaes512};

/// AES-NI with SSE2.
#[derive(Clone, Copy, Debug)]
pub struct AesNi(());

impl AesNi {
    /// The backend, if the CPU has what it needs.
    pub fn new(features: &Features) -> Result<Self, Unavailable> {
        features.require("aesni", &["aes"])?;
        Ok(Self(()))
    }
}

/// Registers of parents in flight: eight states hide the latency of a round.
const PARENTS: usize = 4;

/// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
#[target_feature(enable = "aes,sse2")]
fn run<W: Work<AesNi>>(lanes: AesNi, work: W) -> W::Output {
    work.run::<PARENTS>(lanes)
}

/// One round of all states.
#[target_feature(enable = "aes,sse2")]
#[inline]
fn round<const N: usize>(mut states: [[__m128i; N]; 2], key: __m128i) -> [[__m128i; N]; 2] {
    for side in 0..2 {
        for i in 0..N {
            states[side][i] = _mm_aesenc_si128(states[side][i], key);
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
                inlateout(xmm_reg) l[0], inlateout(xmm_reg) l[1], inlateout(xmm_reg) l[2], inlateout(xmm_reg) l[3],
                inlateout(xmm_reg) r[0], inlateout(xmm_reg) r[1], inlateout(xmm_reg) r[2], inlateout(xmm_reg) r[3],
                options(pure, nomem, nostack, preserves_flags),
            );
        }
    }
    states
}

// Below, "witness" stands for: `self` was made by `new`, hence the CPU has every feature listed there.
impl Lanes for AesNi {
    const WIDTH: usize = 1;
    type Blocks = __m128i;
    type Flags = __m128i;
    type Words = __m128i;
    type Keys = [__m128i; 9];
    /// Low by low, and the cross products, which count 2^32 times; added up separately.
    type Product = [__m128i; 2];
    type BlockRow = [u128; 1];
    type WordRow = [u64; 2];
    type Single = Self;

    fn single(self) -> Self {
        self
    }

    #[inline]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        // SAFETY: witness.
        unsafe { run(self, work) }
    }

    #[inline(always)]
    fn load_blocks(self, row: &[u128; 1]) -> __m128i {
        // SAFETY: witness; a row has 16 bytes, and the load needs no alignment.
        unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_blocks(self, row: &mut [u128; 1], blocks: __m128i) {
        // SAFETY: witness; a row has 16 bytes, and the store needs no alignment.
        unsafe { _mm_storeu_si128(row.as_mut_ptr().cast(), blocks) }
    }

    #[inline(always)]
    fn load_words(self, row: &[u64; 2]) -> __m128i {
        // SAFETY: witness; a row has 16 bytes, and the load needs no alignment.
        unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_pairs(self, pairs: &[[u64; 2]], row: usize, _stride: usize) -> __m128i {
        self.load_words(&pairs[row])
    }

    #[inline(always)]
    fn store_pairs(self, pairs: &mut [[u64; 2]], row: usize, _stride: usize, words: __m128i) {
        // SAFETY: witness; a pair has 16 bytes, and the store needs no alignment.
        unsafe { _mm_storeu_si128(pairs[row].as_mut_ptr().cast(), words) }
    }

    #[inline(always)]
    fn prefetch(self, pairs: &[[u64; 2]], index: usize) {
        if let Some(pair) = pairs.get(index) {
            // SAFETY: the address is one of a slice; besides, a prefetch of any address is harmless.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(pair.as_ptr().cast()) }
        }
    }

    #[inline(always)]
    fn to_word_row(self, words: __m128i) -> [u64; 2] {
        let mut rows = [[0; 2]];
        self.store_pairs(&mut rows, 0, 0, words);
        rows[0]
    }

    #[inline(always)]
    fn to_block_row(self, blocks: __m128i) -> [u128; 1] {
        let mut row = [0; 1];
        self.store_blocks(&mut row, blocks);
        row
    }

    #[inline(always)]
    fn splat_block(self, block: u128) -> __m128i {
        let (high, low) = ((block >> 64) as i64, block as i64);
        // SAFETY: witness.
        unsafe { _mm_set_epi64x(high, low) }
    }

    #[inline(always)]
    fn splat_word(self, word: u64) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_set1_epi64x(word as i64) }
    }

    #[inline(always)]
    fn keys(self, schedule: &Schedule) -> [__m128i; 9] {
        let mut keys = [self.splat_block(schedule.round_key(1)); 9];
        for round in 1..9 {
            keys[round] = self.splat_block(schedule.round_key(round + 1));
        }
        keys
    }

    #[inline(always)]
    fn rounds<const N: usize, M: Meanwhile<Self>>(
        self,
        keys: &[__m128i; 9],
        mut states: [[__m128i; N]; 2],
        last: [[__m128i; N]; 2],
        meanwhile: &mut M,
    ) -> [[__m128i; N]; 2] {
        for number in 0..9 {
            // SAFETY: witness.
            states = unsafe { round(states, keys[number]) };
            meanwhile.after_round(self, number);
        }
        for side in 0..2 {
            for i in 0..N {
                // SAFETY: witness.
                states[side][i] = unsafe { _mm_aesenclast_si128(states[side][i], last[side][i]) };
            }
        }
        states
    }

    #[inline(always)]
    fn xor_blocks(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_xor_si128(a, b) }
    }

    #[inline(always)]
    fn cleared_xor(self, labels: __m128i, key: __m128i) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_xor_si128(_mm_andnot_si128(self.splat_block(1), labels), key) }
    }

    #[inline(always)]
    fn flags<const N: usize>(self, labels: [__m128i; N]) -> [__m128i; N] {
        let mut flags = labels;
        if N == PARENTS {
            // SAFETY: witness. The lowest quarters of four labels are packed, their lowest bits copied to all bits, and the
            // quarters unpacked again.
            unsafe {
                let low = _mm_unpacklo_epi32(labels[0], labels[1]);
                let high = _mm_unpacklo_epi32(labels[2], labels[3]);
                let all = _mm_srai_epi32::<31>(_mm_slli_epi32::<31>(_mm_unpacklo_epi64(low, high)));
                flags[0] = _mm_shuffle_epi32::<0x00>(all);
                flags[1] = _mm_shuffle_epi32::<0x55>(all);
                flags[2] = _mm_shuffle_epi32::<0xaa>(all);
                flags[3] = _mm_shuffle_epi32::<0xff>(all);
            }
            return flags;
        }
        for flag in &mut flags {
            // SAFETY: witness. The lowest quarter of each label is copied to all four, and its lowest bit to all bits.
            *flag = unsafe { _mm_srai_epi32::<31>(_mm_slli_epi32::<31>(_mm_shuffle_epi32::<0>(*flag))) };
        }
        flags
    }

    #[inline(always)]
    fn xor_unless(self, flags: __m128i, base: __m128i, correction: __m128i) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_xor_si128(base, _mm_andnot_si128(flags, correction)) }
    }

    #[inline(always)]
    fn words(self, labels: __m128i) -> __m128i {
        labels
    }

    #[inline(always)]
    fn unzip(self, left: __m128i, right: __m128i) -> [__m128i; 2] {
        // SAFETY: witness.
        unsafe { [_mm_unpacklo_epi64(left, right), _mm_unpackhi_epi64(left, right)] }
    }

    #[inline(always)]
    fn add(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: witness.
        unsafe { _mm_and_si128(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m128i, b: __m128i) -> __m128i {
        self.xor_blocks(a, b)
    }

    #[inline(always)]
    fn add_where_odd(self, sum: __m128i, flags: __m128i, addend: __m128i) -> __m128i {
        let zero = self.splat_word(0);
        let odd = self.sub(zero, self.and(flags, self.splat_word(1)));
        self.add(sum, self.and(odd, addend))
    }

    #[inline(always)]
    fn mul(self, a: __m128i, b: __m128i) -> __m128i {
        let [low, cross] = self.add_product(self.product(), a, b);
        // SAFETY: witness.
        unsafe { _mm_add_epi64(low, _mm_slli_epi64::<32>(cross)) }
    }

    #[inline(always)]
    fn product(self) -> [__m128i; 2] {
        [self.splat_word(0); 2]
    }

    #[inline(always)]
    fn add_product(self, sum: [__m128i; 2], a: __m128i, b: __m128i) -> [__m128i; 2] {
        // SAFETY: witness. SSE2 multiplies 32 by 32 bits: a b = a0 b0 + 2^32 (a0 b1 + a1 b0) mod 2^64.
        unsafe {
            let low = _mm_mul_epu32(a, b);
            let upper = _mm_mul_epu32(_mm_srli_epi64::<32>(a), b);
            let lower = _mm_mul_epu32(a, _mm_srli_epi64::<32>(b));
            [_mm_add_epi64(sum[0], low), _mm_add_epi64(sum[1], _mm_add_epi64(upper, lower))]
        }
    }

    #[inline(always)]
    fn product_sum(self, sum: [__m128i; 2]) -> u64 {
        self.word_sum(sum[0]).wrapping_add(self.word_sum(sum[1]) << 32)
    }
}

// Both need AES-NI themselves, so they are witnesses of it.
impl From<Vaes256> for AesNi {
    fn from(_: Vaes256) -> Self {
        Self(())
    }
}

impl From<Vaes512> for AesNi {
    fn from(_: Vaes512) -> Self {
        Self(())
    }
}
