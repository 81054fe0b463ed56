//! VAES on 256-bit registers: two labels a register.

#[cfg(not(miri))]
use core::arch::asm;
use core::arch::x86_64::*;

use crate::aesni::AesNi;
use crate::backend::{Features, Unavailable};
use crate::flags::{GROUP, WORD};
use crate::gfni;
use crate::lanes::{Lanes, MANY, Meanwhile, Work};
use crate::narrow::{PARENTS, narrow_lanes};
use crate::scan::{SelectMany, Turn};
use crate::schedule::Schedule;

/// VAES with AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Vaes256 {
    /// Whether the CPU has GFNI, too: then many selections are made by it (`gfni`).
    gfni: bool,
    /// [`Lanes::foresees`]
    foresees: bool,
}

impl Vaes256 {
    /// The backend, if the CPU has what it needs.
    pub(crate) fn new(features: &Features) -> Result<Self, Unavailable> {
        features.require("vaes256", &["aes", "vaes", "avx2"])?;
        Ok(Self { gfni: features.require("vaes256", &["gfni"]).is_ok(), foresees: features.foresees })
    }
}

/// For each register of 64 words, the bits of its words among 64: loaded from memory, which is cheaper than to shift.
static BITS: [[u64; 4]; 16] = {
    let mut bits = [[0; 4]; 16];
    let mut word = 0;
    while word < 64 {
        bits[word / 4][word % 4] = 1 << word;
        word += 1;
    }
    bits
};

/// For each distance below 8, and for the lower and the upper half of a byte, the byte that it becomes when its bits `j` go to the places
/// `j xor distance`.
static BITS_MOVED: [[u128; 2]; 8] = {
    let mut tables = [[0; 2]; 8];
    let mut entry = 0;
    while entry < 8 * 2 * 16 {
        let (distance, half, value) = (entry / 32, entry / 16 % 2, entry % 16);
        let mut bit = 0;
        while bit < 4 {
            if value >> bit & 1 == 1 {
                tables[distance][half] |= 1 << (8 * value + ((4 * half + bit) ^ distance));
            }
            bit += 1;
        }
        entry += 1;
    }
    tables
};

/// The numbers of a lane's bytes.
static BYTES: u128 = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100;

/// Of which eight flags words a register of halves of them holds which, after `shuffle_ps`.
const ORDER: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];

/// Adds to halves of sums what the indices select of three words, and goes on to the next indices. Word i of a table is the XOR of
/// those halves whose bit of i is set.
#[inline(always)]
fn look_up(lanes: Vaes256, words: &[u64; 3], indices: &mut [__m256i; 2], totals: &mut [[__m256i; 2]; 2]) {
    let halves: *const f32 = words.as_ptr().cast();
    for half in 0..2 {
        // SAFETY: witness; halves 0 to 5 are those of the words. Loads broadcast for nothing, which moves from other registers do
        // not: hence the detour by floating point. Of an index, three bits count.
        unsafe {
            let zero = _mm256_setzero_ps();
            let a = _mm256_broadcast_ss(&*halves.add(half));
            let b = _mm256_broadcast_ss(&*halves.add(half + 2));
            let c = _mm256_broadcast_ss(&*halves.add(half + 4));
            let (a, b, c) = (
                _mm256_blend_ps::<0b1010_1010>(zero, a),
                _mm256_blend_ps::<0b1100_1100>(zero, b),
                _mm256_blend_ps::<0b1111_0000>(zero, c),
            );
            let table = _mm256_castps_si256(_mm256_xor_ps(_mm256_xor_ps(a, b), c));
            for set in 0..2 {
                let selected = _mm256_permutevar8x32_epi32(table, indices[set]);
                totals[set][half] = lanes.xor(totals[set][half], selected);
            }
        }
    }
    for indices in indices {
        // SAFETY: witness.
        *indices = unsafe { _mm256_srli_epi32::<3>(*indices) };
    }
}

narrow_lanes! {
    Vaes256, AesNi, width: 2, register: __m256i ymm_reg,
    features: "aes,vaes,avx2", bits: __m256i, distance: __m256i,
    load: _mm256_loadu_si256, store: _mm256_storeu_si256, broadcast: _mm256_set1_epi64x,
    aesenc: _mm256_aesenc_epi128, aesenclast: _mm256_aesenclast_epi128,
    and: _mm256_and_si256, andnot: _mm256_andnot_si256, xor: _mm256_xor_si256, shuffle: _mm256_shuffle_epi32,
    add: _mm256_add_epi64, sub: _mm256_sub_epi64, sub32: _mm256_sub_epi32, mul: _mm256_mul_epu32,
    shift_left: _mm256_slli_epi64, shift_right: _mm256_srli_epi64,
    unpack_low: _mm256_unpacklo_epi64, unpack_high: _mm256_unpackhi_epi64,
    {
        fn single(self) -> AesNi {
            self.into()
        }

        fn foresees(self) -> bool {
            self.foresees
        }

        #[inline(always)]
        fn splat_block(self, block: u128) -> __m256i {
            let (high, low) = ((block >> 64) as i64, block as i64);
            // SAFETY: witness.
            unsafe { _mm256_set_epi64x(high, low, high, low) }
        }

        #[inline(always)]
        fn load_everywhere(self, label: &u128) -> __m256i {
            // SAFETY: witness; a label has 16 bytes, and the load needs no alignment.
            unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128((&raw const *label).cast())) }
        }

        /// The numbers of the halves of words that come to each place.
        #[inline(always)]
        fn distance(self, words: usize) -> __m256i {
            // SAFETY: witness.
            unsafe {
                let halves = _mm256_set1_epi32(2 * words as i32);
                _mm256_xor_si256(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), halves)
            }
        }

        #[inline(always)]
        fn exchange(self, words: __m256i, distance: __m256i) -> __m256i {
            // SAFETY: witness.
            unsafe { _mm256_permutevar8x32_epi32(words, distance) }
        }

        /// Bytes by a permutation within each lane, bits by a table for either half of a byte.
        #[inline(always)]
        fn move_bits(self, mut words: [u64; GROUP], shift: usize) -> [u64; GROUP] {
            let [low, high] = &BITS_MOVED[shift % 8];
            let (low, high) = (self.load_everywhere(low), self.load_everywhere(high));
            let distance = self.splat_word((shift % WORD / 8) as u64 * 0x0101_0101_0101_0101);
            let bytes = self.xor(self.load_everywhere(&BYTES), distance);
            let halves = self.splat_word(0x0f0f_0f0f_0f0f_0f0f);
            for row in words.as_chunks_mut().0 {
                // SAFETY: witness.
                let moved = unsafe {
                    let moved = _mm256_shuffle_epi8(self.load_words(row), bytes);
                    let upper = self.and(_mm256_srli_epi64::<4>(moved), halves);
                    let lower = self.and(moved, halves);
                    self.xor(_mm256_shuffle_epi8(low, lower), _mm256_shuffle_epi8(high, upper))
                };
                self.store_words(row, moved);
            }
            words
        }

        #[inline(always)]
        fn bits(self, bits: u64) -> __m256i {
            self.splat_word(bits)
        }

        #[inline(always)]
        fn xor_where_bits(self, sum: __m256i, bits: __m256i, row: usize, words: __m256i) -> __m256i {
            // SAFETY: witness.
            unsafe {
                let bits = _mm256_and_si256(bits, self.load_words(&BITS[row]));
                let unset = _mm256_cmpeq_epi64(bits, _mm256_setzero_si256());
                _mm256_xor_si256(sum, _mm256_andnot_si256(unset, words))
            }
        }

        fn run_turn(self, work: Turn<'_>) {
            if self.gfni {
                // SAFETY: witness, and the CPU has GFNI.
                unsafe { gfni::turn(work) }
            } else {
                self.run(work);
            }
        }

        fn run_select_many(self, work: SelectMany<'_>) {
            if self.gfni {
                // SAFETY: witness, and the CPU has GFNI.
                unsafe { gfni::select_many(work) }
            } else {
                self.run(work);
            }
        }

        /// Of three words, each half has eight sums, one register; what eight flags words select of them is one permutation of
        /// either, whose indices are the next three flags of each.
        #[inline(always)]
        fn select_many(self, words: &[u64], flags: &[[u64; MANY]], sums: &mut [u64]) {
            let mut totals = [[self.splat_word(0); 2]; MANY / 8];
            for (words, flags) in words.as_chunks::<64>().0.iter().zip(flags) {
                let rows = flags.as_chunks().0;
                for (half, words) in words.as_chunks::<32>().0.iter().enumerate() {
                    let mut indices = [self.splat_word(0); MANY / 8];
                    for (set, indices) in indices.iter_mut().enumerate() {
                        let (a, b) = (self.load_words(&rows[2 * set]), self.load_words(&rows[2 * set + 1]));
                        // SAFETY: witness. The lower halves of both, or the upper ones.
                        *indices = unsafe {
                            let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
                            _mm256_castps_si256(if half == 0 {
                                _mm256_shuffle_ps::<0x88>(a, b)
                            } else {
                                _mm256_shuffle_ps::<0xdd>(a, b)
                            })
                        };
                    }
                    let (threes, two) = words.as_chunks::<3>();
                    for three in threes {
                        look_up(self, three, &mut indices, &mut totals);
                    }
                    look_up(self, &[two[0], two[1], 0], &mut indices, &mut totals);
                }
            }
            for (sums, totals) in sums.chunks_mut(8).zip(totals) {
                let [low, high] = [self.to_word_row(totals[0]), self.to_word_row(totals[1])];
                for (place, number) in ORDER.into_iter().enumerate() {
                    if let Some(sum) = sums.get_mut(number) {
                        let shift = 32 * (place % 2);
                        let (low, high) = (low[place / 2] >> shift, high[place / 2] >> shift);
                        *sum ^= low & 0xffff_ffff | high << 32;
                    }
                }
            }
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
        fn store_apart(self, labels: &mut [u128], first: usize, stride: usize, blocks: __m256i) {
            // SAFETY: witness; a label has 16 bytes, and the stores need no alignment.
            unsafe {
                _mm_storeu_si128((&raw mut labels[first]).cast(), _mm256_castsi256_si128(blocks));
                _mm_storeu_si128((&raw mut labels[first + stride]).cast(), _mm256_extracti128_si256::<1>(blocks));
            }
        }

        #[inline(always)]
        fn pack_flags(self, labels: __m256i) -> u8 {
            // SAFETY: witness. The flags become signs of the lower words, bits 0 and 2 of the mask.
            unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64::<63>(labels))).to_le_bytes()[0] & 0b101 }
        }

        #[inline(always)]
        fn xor_where(self, flags: u8, labels: __m256i, correction: __m256i) -> __m256i {
            let flags = self.splat_word(u64::from(flags));
            // SAFETY: witness.
            unsafe {
                let bits = _mm256_set_epi64x(0b100, 0b100, 0b001, 0b001);
                let flags = _mm256_cmpeq_epi64(_mm256_and_si256(flags, bits), bits);
                _mm256_xor_si256(labels, _mm256_and_si256(flags, correction))
            }
        }
    }
}
