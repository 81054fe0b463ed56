//! Registers of 256 bits: AVX2 for the ring, AES-NI for the masks.

use core::arch::x86_64::*;
use std::sync::LazyLock;

use zeroize::Zeroizing;

use super::{ITEM_WORDS, Lanes, WIDEST, Work};
use crate::ring::Tables;

/// AVX2 and AES-NI.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The backend, if the CPU has what it needs; or the name of what is missing.
    pub(crate) fn new() -> Result<Self, &'static str> {
        if !is_x86_feature_detected!("avx2") {
            return Err("avx2");
        }
        if !is_x86_feature_detected!("aes") {
            return Err("aes");
        }
        Ok(Self(()))
    }
}

const WIDTH: usize = 8;

/// Blocks that are enciphered at the same time: they hide the latency of a round.
const AT_ONCE: usize = 8;

static TABLES: LazyLock<[Tables; 2]> = LazyLock::new(|| Tables::both(WIDTH));

/// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
#[target_feature(enable = "avx2,aes")]
fn run<W: Work>(lanes: Avx2, work: W) -> W::Output {
    work.run(lanes)
}

/// The round keys of AES-128, byte 0 of the key the lowest.
#[target_feature(enable = "aes,sse2")]
pub(super) fn expand_key(key: u128) -> [u128; 11] {
    let mut keys = [key; 11];
    macro_rules! round {
        ($($index:literal $constant:literal),*) => {$(
            let before = keys[$index - 1];
            let register = _mm_set_epi64x(((before >> 64) as u64).cast_signed(), (before as u64).cast_signed());
            // The substituted and rotated last word, in the highest lane.
            let assist = _mm_aeskeygenassist_si128::<$constant>(register);
            let last = _mm_cvtsi128_si32(_mm_shuffle_epi32::<0xff>(assist)).cast_unsigned();
            let shifted = before ^ before << 32;
            let running = shifted ^ shifted << 64;
            keys[$index] = running ^ u128::from(last) * 0x0000_0001_0000_0001_0000_0001_0000_0001;
        )*};
    }
    round!(1 0x01, 2 0x02, 3 0x04, 4 0x08, 5 0x10, 6 0x20, 7 0x40, 8 0x80, 9 0x1b, 10 0x36);
    keys
}

/// The round keys of a level for bit 0 and bit 1.
pub(crate) struct LevelKeys {
    rounds: Zeroizing<Vec<[u128; 11]>>,
    place: u32,
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
        // SAFETY: witness: it has AES-NI.
        LevelKeys { rounds: Zeroizing::new(pair.map(|key| unsafe { expand_key(key) }).to_vec()), place }
    }

    fn mask(self, keys: &[LevelKeys], first: u64, words: &mut [u64; ITEM_WORDS]) {
        self.run(Mask { lanes: self, keys, first, words });
    }
}

struct Mask<'a> {
    /// The witness.
    lanes: Avx2,
    keys: &'a [LevelKeys],
    first: u64,
    words: &'a mut [u64; ITEM_WORDS],
}

impl Work for Mask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { lanes: Avx2(()), keys, first, words } = self;
        for (start, words) in (first..).step_by(AT_ONCE).zip(words.chunks_exact_mut(AT_ONCE)) {
            // SAFETY: witness.
            let mut sums = [unsafe { _mm_setzero_si128() }; AT_ONCE];
            for level in keys {
                let mut states = sums;
                for round in 0..11 {
                    for i in 0..AT_ONCE {
                        let x = start + i as u64;
                        let key = &level.rounds[(x >> level.place & 1) as usize][round];
                        // SAFETY: witness; a key has 16 bytes, and the load needs no alignment.
                        states[i] = unsafe {
                            let key = _mm_loadu_si128((&raw const *key).cast());
                            match round {
                                0 => _mm_xor_si128(_mm_set_epi64x(0, x.cast_signed()), key),
                                10 => _mm_aesenclast_si128(states[i], key),
                                _ => _mm_aesenc_si128(states[i], key),
                            }
                        };
                    }
                }
                for i in 0..AT_ONCE {
                    // SAFETY: witness.
                    sums[i] = unsafe { _mm_add_epi64(sums[i], states[i]) };
                }
            }
            for (word, sum) in words.iter_mut().zip(&sums) {
                // SAFETY: witness.
                let high = unsafe { _mm_cvtsi128_si64(_mm_unpackhi_epi64(*sum, *sum)) };
                *word = word.wrapping_add(high.cast_unsigned());
            }
        }
    }
}
