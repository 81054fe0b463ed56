//! Registers of 256 bits: AVX2 for the ring. The masks are the portable ones: the crate `aes` uses AES-NI where it is.

use core::arch::x86_64::*;
use std::sync::LazyLock;

use super::portable::{LevelKeys, Portable};
use super::{ITEM_WORDS, Lanes, WIDEST, Work};
use crate::ring::Tables;

/// AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The backend, if the CPU has what it needs; or the name of what is missing.
    pub(crate) fn new() -> Result<Self, &'static str> {
        if !is_x86_feature_detected!("avx2") {
            return Err("avx2");
        }
        Ok(Self(()))
    }
}

const WIDTH: usize = 8;

static TABLES: LazyLock<[Tables; 2]> = LazyLock::new(|| Tables::both(WIDTH));

/// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
#[target_feature(enable = "avx2")]
fn run<W: Work>(lanes: Avx2, work: W) -> W::Output {
    work.run(lanes)
}

// Below, "witness" stands for: `self` was made by `new`, hence the CPU has every feature listed there.
impl Lanes for Avx2 {
    const WIDTH: usize = WIDTH;
    type Register = __m256i;
    type Keys = LevelKeys;

    #[inline]
    fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: witness.
        unsafe { run(self, work) }
    }

    fn tables(self) -> &'static [Tables; 2] {
        &TABLES
    }

    #[inline(always)]
    fn load(self, from: &[u32], at: usize) -> __m256i {
        let row = &from[at..at + WIDTH];
        // SAFETY: witness; a row has 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize, register: __m256i) {
        let row = &mut to[at..at + WIDTH];
        // SAFETY: witness; a row has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn load_bytes(self, from: &[u8], at: usize) -> __m256i {
        let row = &from[at..at + WIDTH];
        // SAFETY: witness; a row has 8 bytes, and the load needs no alignment.
        unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(row.as_ptr().cast())) }
    }

    #[inline(always)]
    fn load_wide(self, from: &[u64], at: usize) -> __m256i {
        let row = &from[at..at + WIDTH / 2];
        // SAFETY: witness; a row has 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_wide(self, to: &mut [u64], at: usize, register: __m256i) {
        let row = &mut to[at..at + WIDTH / 2];
        // SAFETY: witness; a row has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn splat(self, lane: u32) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_set1_epi32(lane.cast_signed()) }
    }

    #[inline(always)]
    fn splat_wide(self, lane: u64) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_set1_epi64x(lane.cast_signed()) }
    }

    #[inline(always)]
    fn pick(self, a: __m256i, b: __m256i, index: &[u32; WIDEST]) -> __m256i {
        let index = self.load(index, 0);
        // SAFETY: witness. The permutations take the index mod 8.
        unsafe {
            let from_b = _mm256_cmpgt_epi32(index, _mm256_set1_epi32(7));
            let (a, b) = (_mm256_permutevar8x32_epi32(a, index), _mm256_permutevar8x32_epi32(b, index));
            _mm256_blendv_epi8(a, b, from_b)
        }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_sub_epi32(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_min_epu32(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn mul_low(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_mullo_epi32(a, b) }
    }

    #[inline(always)]
    fn mul_even(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_mul_epu32(a, b) }
    }

    #[inline(always)]
    fn add_wide(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_add_epi64(a, b) }
    }

    #[inline(always)]
    fn shift_right_wide(self, a: __m256i, bits: u32) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_srl_epi64(a, _mm_cvtsi32_si128(bits.cast_signed())) }
    }

    #[inline(always)]
    fn shift_left_wide(self, a: __m256i, bits: u32) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_sll_epi64(a, _mm_cvtsi32_si128(bits.cast_signed())) }
    }

    #[inline(always)]
    fn odd(self, a: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_srli_epi64::<32>(a) }
    }

    #[inline(always)]
    fn join_high(self, even: __m256i, odd: __m256i) -> __m256i {
        // SAFETY: witness.
        unsafe { _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd) }
    }

    fn keys(self, pair: [u128; 2], place: u32) -> LevelKeys {
        Portable.keys(pair, place)
    }

    fn mask(self, keys: &[LevelKeys], first: u64, words: &mut [u64; ITEM_WORDS]) {
        Portable.mask(keys, first, words);
    }
}
