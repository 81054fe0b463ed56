//! AES-NI on 128-bit registers: one label a register.

#[cfg(not(miri))]
use core::arch::asm;
use core::arch::x86_64::*;

use crate::backend::{Features, Unavailable};
use crate::lanes::{Lanes, Meanwhile, Work};
use crate::narrow::{PARENTS, narrow_lanes};
use crate::schedule::Schedule;
use crate::{vaes256::Vaes256, vaes512::Vaes512};

/// AES-NI with SSE2.
#[derive(Clone, Copy, Debug)]
pub struct AesNi(());

impl AesNi {
    /// The backend, if the CPU has what it needs.
    pub(crate) fn new(features: &Features) -> Result<Self, Unavailable> {
        features.require("aesni", &["aes"])?;
        Ok(Self(()))
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

/// For each register of 32 words, the bits of its words among 32, in both halves of each.
static BITS: [[u64; 2]; 16] = {
    let mut bits = [[0; 2]; 16];
    let mut word = 0;
    while word < 32 {
        bits[word / 2][word % 2] = (1 << 32 | 1) << word;
        word += 1;
    }
    bits
};

narrow_lanes! {
    AesNi, Self, width: 1, register: __m128i xmm_reg,
    features: "aes,sse2", bits: u64, distance: __m128i,
    load: _mm_loadu_si128, store: _mm_storeu_si128, broadcast: _mm_set1_epi64x,
    aesenc: _mm_aesenc_si128, aesenclast: _mm_aesenclast_si128,
    and: _mm_and_si128, andnot: _mm_andnot_si128, xor: _mm_xor_si128, shuffle: _mm_shuffle_epi32,
    add: _mm_add_epi64, sub: _mm_sub_epi64, sub32: _mm_sub_epi32, mul: _mm_mul_epu32,
    shift_left: _mm_slli_epi64, shift_right: _mm_srli_epi64,
    unpack_low: _mm_unpacklo_epi64, unpack_high: _mm_unpackhi_epi64,
    {
        fn single(self) -> Self {
            self
        }

        #[inline(always)]
        fn splat_block(self, block: u128) -> __m128i {
            let (high, low) = ((block >> 64) as i64, block as i64);
            // SAFETY: witness.
            unsafe { _mm_set_epi64x(high, low) }
        }

        #[inline(always)]
        fn load_everywhere(self, label: &u128) -> __m128i {
            self.load_blocks(&[*label])
        }

        #[inline(always)]
        fn distance(self, words: usize) -> __m128i {
            self.splat_word((words as u64).wrapping_neg())
        }

        #[inline(always)]
        fn exchange(self, words: __m128i, distance: __m128i) -> __m128i {
            let change = self.and(self.xor(words, self.swap_words(words)), distance);
            self.xor(words, change)
        }

        #[inline(always)]
        fn bits(self, bits: u64) -> u64 {
            bits
        }

        #[inline(always)]
        fn xor_where_bits(self, sum: __m128i, bits: u64, row: usize, words: __m128i) -> __m128i {
            // Halves of words are compared, for SSE2 has nothing for whole ones, with the bits of two words among 32: loaded from
            // memory, which is cheaper than to shift.
            let bit = self.load_words(&BITS[row % 16]);
            // SAFETY: witness.
            unsafe {
                let bits = _mm_and_si128(_mm_set1_epi32((bits >> (32 * (row / 16))) as i32), bit);
                _mm_xor_si128(sum, _mm_and_si128(_mm_cmpeq_epi32(bits, bit), words))
            }
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
        fn store_apart(self, labels: &mut [u128], first: usize, _stride: usize, blocks: __m128i) {
            // SAFETY: witness; a label has 16 bytes, and the store needs no alignment.
            unsafe { _mm_storeu_si128((&raw mut labels[first]).cast(), blocks) }
        }

        #[inline(always)]
        fn pack_flags(self, labels: __m128i) -> u8 {
            // SAFETY: witness.
            unsafe { _mm_cvtsi128_si32(labels).to_le_bytes()[0] & 1 }
        }

        #[inline(always)]
        fn xor_where(self, flags: u8, labels: __m128i, correction: __m128i) -> __m128i {
            let flags = self.splat_word(u64::from(flags).wrapping_neg());
            // SAFETY: witness.
            unsafe { _mm_xor_si128(labels, _mm_and_si128(flags, correction)) }
        }
    }
}
