//! Many selections of words by products of bit matrices, on 256-bit registers: beside VAES-256 on CPUs that have GFNI and no AVX-512, or whose
//! system does not save its registers. The same as `vaes512` does, but for the permutation of bytes across lanes, which AVX2 has not: each
//! lane takes eight words of its own.
//!
//! ```text
//!                  lane 0                        lane 1
//!    words       | 0 1 | 2 3 | 4 5 | 6 7 |      | 8 9 | 10 11 | 12 13 | 14 15 |     four registers, two words a lane
//!    bytes       | 0 of 0 .. 7 | 1 of 0 .. 7 |  | 0 of 8 .. 15 | 1 of 8 .. 15 |     the first of four; bytes 2 and 3, 4 and 5, 6 and 7
//! ```

use core::arch::x86_64::*;

use crate::lanes::MANY;
use crate::scan::{MANY_AHEAD, SelectMany, Turn, rows};

/// Bytes of two words side by side: of each byte that of the first word and that of the second one.
static PAIRS: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];
/// The second one's first.
static PAIRS_BACK: [u8; 16] = [8, 0, 9, 1, 10, 2, 11, 3, 12, 4, 13, 5, 14, 6, 15, 7];

/// The same 128 bits in both lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn in_both_lanes<T: Copy>(sixteen_bytes: &[T]) -> __m256i {
    assert!(size_of_val(sixteen_bytes) == 16);
    // SAFETY: there are 16 bytes, and the load needs no alignment.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen_bytes.as_ptr().cast())) }
}

/// From two words of each lane a register to two bytes of all eight: register `r` has byte `2 r` of the words of registers 0 to 3, and byte
/// `2 r + 1`. `pairs` puts the bytes of two words side by side.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_of(words: [__m256i; 4], pairs: __m256i) -> [__m256i; 4] {
    let mut twos = words;
    for two in &mut twos {
        *two = _mm256_shuffle_epi8(*two, pairs);
    }
    let low = [_mm256_unpacklo_epi16(twos[0], twos[1]), _mm256_unpacklo_epi16(twos[2], twos[3])];
    let high = [_mm256_unpackhi_epi16(twos[0], twos[1]), _mm256_unpackhi_epi16(twos[2], twos[3])];
    [
        _mm256_unpacklo_epi32(low[0], low[1]),
        _mm256_unpackhi_epi32(low[0], low[1]),
        _mm256_unpacklo_epi32(high[0], high[1]),
        _mm256_unpackhi_epi32(high[0], high[1]),
    ]
}

/// [`SelectMany`], with flags as [`turn`] leaves them.
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn select_many(work: SelectMany<'_>) {
    let SelectMany { words, flags, sums } = work;
    let zero = _mm256_setzero_si256();
    let (identity, back) = (_mm256_set1_epi64x(0x0102_0408_1020_4080), in_both_lanes(&PAIRS_BACK));
    let mut totals = [[zero; 4]; MANY / 8];
    for (words, flags) in words.as_chunks::<64>().0.iter().zip(flags) {
        for (number, words) in words.as_chunks::<16>().0.iter().enumerate() {
            for line in 0..2 {
                _mm_prefetch::<_MM_HINT_T0>(words.as_ptr().wrapping_add(8 * line + MANY_AHEAD).cast());
            }
            let mut twos = [zero; 4];
            for (i, two) in twos.iter_mut().enumerate() {
                // The last ones first: byte 7 - i of a product's right side is word i's.
                let first = 6 - 2 * i;
                let [low, high] = [&words[first..first + 2], &words[first + 8..first + 10]];
                // SAFETY: two words have 16 bytes, and the loads need no alignment.
                *two = unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) };
            }
            // Byte k of a product, bit i: the XOR of the bits j where byte k of its left side and byte 7 - i of its right one have both bit j.
            // So bit i of byte k becomes that of word i in place 7 - k of each byte, and then that of sum k in place i.
            let mut bits = bytes_of(twos, back);
            for bits in &mut bits {
                *bits = _mm256_gf2p8affine_epi64_epi8::<0>(identity, *bits);
            }
            for (half, totals) in totals.iter_mut().enumerate() {
                // The flags of lane 0's words, and those of lane 1's.
                let first = 8 * half + 2 * number;
                let flags = _mm256_castsi256_pd(in_both_lanes(&flags[first..first + 2]));
                let flags = _mm256_castpd_si256(_mm256_permute_pd::<0b1100>(flags));
                for (total, bits) in totals.iter_mut().zip(bits) {
                    *total = _mm256_xor_si256(*total, _mm256_gf2p8affine_epi64_epi8::<0>(flags, bits));
                }
            }
        }
    }
    for (sums, totals) in sums.chunks_mut(8).zip(totals) {
        for (place, total) in totals.into_iter().enumerate() {
            // Bytes 2 place and 2 place + 1 of all sums, of either lane's words.
            let both = _mm_xor_si128(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
            for (byte, bytes) in
                [_mm_cvtsi128_si64(both), _mm_extract_epi64::<1>(both)].into_iter().enumerate()
            {
                for (sum, bytes) in sums.iter_mut().zip(bytes.to_le_bytes()) {
                    *sum ^= u64::from(bytes) << (8 * (2 * place + byte));
                }
            }
        }
    }
}

/// [`Turn`]: word `8 half + j` of `together[i]` is byte `j` of the flags `i` of all eight selections.
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn turn(work: Turn<'_>) {
    let Turn { moved, together, half } = work;
    let len = together.len();
    for (number, square) in together.as_chunks_mut().0.iter_mut().enumerate() {
        turn_square(rows(moved, len, number), square, half);
    }
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn turn_square(rows: [&[u64; 8]; 8], flags: &mut [[u64; MANY]; 8], half: usize) {
    let pairs = in_both_lanes(&PAIRS);
    for first in [0, 4] {
        // Columns first and first + 2, one a lane, and those behind them.
        let mut columns = [[_mm256_setzero_si256(); 4]; 2];
        for i in 0..4 {
            let [upper, lower] = [&rows[2 * i][first..first + 4], &rows[2 * i + 1][first..first + 4]];
            // SAFETY: four words have 32 bytes, and the loads need no alignment.
            let [upper, lower] = unsafe {
                [_mm256_loadu_si256(upper.as_ptr().cast()), _mm256_loadu_si256(lower.as_ptr().cast())]
            };
            columns[0][i] = _mm256_unpacklo_epi64(upper, lower);
            columns[1][i] = _mm256_unpackhi_epi64(upper, lower);
        }
        for (odd, columns) in columns.into_iter().enumerate() {
            for (place, bytes) in bytes_of(columns, pairs).into_iter().enumerate() {
                let lanes = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
                for (lane, bytes) in lanes.into_iter().enumerate() {
                    let word = 8 * half + 2 * place;
                    let to = &mut flags[first + 2 * lane + odd][word..word + 2];
                    // SAFETY: two words have 16 bytes, and the store needs no alignment.
                    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) };
                }
            }
        }
    }
}
