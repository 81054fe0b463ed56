//! Registers of 512 bits: AVX-512F for the ring, VAES for the masks.

use core::arch::x86_64::*;
use std::sync::LazyLock;

use zeroize::Zeroizing;

use super::{ITEM_WORDS, Lanes, WIDEST, Work};
use crate::ring::Tables;

/// AVX-512F, VAES and AES-NI.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The backend, if the CPU has what it needs; or the name of what is missing.
    pub(crate) fn new() -> Result<Self, &'static str> {
        if !is_x86_feature_detected!("avx512f") {
            return Err("avx512f");
        }
        if !is_x86_feature_detected!("vaes") {
            return Err("vaes");
        }
        if !is_x86_feature_detected!("aes") {
            return Err("aes");
        }
        Ok(Self(()))
    }
}

const WIDTH: usize = 16;

/// Blocks of a register.
const BLOCKS: usize = 4;

/// Registers of blocks that are enciphered at the same time: they hide the latency of a round.
const AT_ONCE: usize = 8;

static TABLES: LazyLock<[Tables; 2]> = LazyLock::new(|| Tables::both(WIDTH));

/// The entry of every kernel: all below is inlined into this function, and so compiled with its features.
#[target_feature(enable = "avx512f,vaes,aes")]
fn run<W: Work>(lanes: Avx512, work: W) -> W::Output {
    work.run(lanes)
}

/// The round keys of AES-128, byte 0 of the key the lowest.
#[target_feature(enable = "aes,sse2")]
fn expand_key(key: u128) -> [u128; 11] {
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

/// The round keys of a level for bit 0 and bit 1, each four blocks wide: where the level's bit is one of the lowest two of x, the
/// blocks have the keys of four x that follow each other, so that both are the same.
pub(crate) struct LevelKeys {
    rounds: Zeroizing<Vec<[[u128; BLOCKS]; 11]>>,
    place: u32,
}

// Below, "witness" stands for: `self` was made by `new`, hence the CPU has every feature listed there.
impl Lanes for Avx512 {
    const WIDTH: usize = WIDTH;
    type Register = __m512i;
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
    fn load(self, from: &[u32], at: usize) -> __m512i {
        let row = &from[at..at + WIDTH];
        // SAFETY: witness; a row has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize, register: __m512i) {
        let row = &mut to[at..at + WIDTH];
        // SAFETY: witness; a row has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn load_bytes(self, from: &[u8], at: usize) -> __m512i {
        let row = &from[at..at + WIDTH];
        // SAFETY: witness; a row has 16 bytes, and the load needs no alignment.
        unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(row.as_ptr().cast())) }
    }

    #[inline(always)]
    fn load_wide(self, from: &[u64], at: usize) -> __m512i {
        let row = &from[at..at + WIDTH / 2];
        // SAFETY: witness; a row has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_wide(self, to: &mut [u64], at: usize, register: __m512i) {
        let row = &mut to[at..at + WIDTH / 2];
        // SAFETY: witness; a row has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn splat(self, lane: u32) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_set1_epi32(lane.cast_signed()) }
    }

    #[inline(always)]
    fn splat_wide(self, lane: u64) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_set1_epi64(lane.cast_signed()) }
    }

    #[inline(always)]
    fn pick(self, a: __m512i, b: __m512i, index: &[u32; WIDEST]) -> __m512i {
        let index = self.load(index, 0);
        // SAFETY: witness.
        unsafe { _mm512_permutex2var_epi32(a, index, b) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_sub_epi32(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_min_epu32(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn mul_low(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_mullo_epi32(a, b) }
    }

    #[inline(always)]
    fn mul_even(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_mul_epu32(a, b) }
    }

    #[inline(always)]
    fn add_wide(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn shift_right_wide(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_srl_epi64(a, _mm_cvtsi32_si128(bits.cast_signed())) }
    }

    #[inline(always)]
    fn shift_left_wide(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_sll_epi64(a, _mm_cvtsi32_si128(bits.cast_signed())) }
    }

    #[inline(always)]
    fn odd(self, a: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_srli_epi64::<32>(a) }
    }

    #[inline(always)]
    fn join_high(self, even: __m512i, odd: __m512i) -> __m512i {
        // SAFETY: witness.
        unsafe { _mm512_mask_shuffle_epi32::<_MM_PERM_DDBB>(odd, 0x5555, even) }
    }

    fn keys(self, pair: [u128; 2], place: u32) -> LevelKeys {
        // SAFETY: witness: it has AES-NI.
        let schedules = pair.map(|key| Zeroizing::new(unsafe { expand_key(key) }));
        let mut rounds = Zeroizing::new(vec![[[0; BLOCKS]; 11]; 2]);
        for (bit, wide) in rounds.iter_mut().enumerate() {
            for (round, blocks) in wide.iter_mut().enumerate() {
                for (lane, block) in blocks.iter_mut().enumerate() {
                    let bit = if place < BLOCKS.ilog2() { lane >> place & 1 } else { bit };
                    *block = schedules[bit][round];
                }
            }
        }
        LevelKeys { rounds, place }
    }

    fn mask(self, keys: &[LevelKeys], first: u64, words: &mut [u64; ITEM_WORDS]) {
        self.run(Mask { lanes: self, keys, first, words });
    }
}

struct Mask<'a> {
    lanes: Avx512,
    keys: &'a [LevelKeys],
    first: u64,
    words: &'a mut [u64; ITEM_WORDS],
}

impl Mask<'_> {
    #[inline(always)]
    fn blocks(row: &[u128; BLOCKS]) -> __m512i {
        // SAFETY: only called by `Work::run` of this type, which only `Avx512::mask` builds: witness. A row has 64 bytes, and
        // the load needs no alignment.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn round(state: __m512i, key: __m512i, round: usize) -> __m512i {
        // SAFETY: witness, as above.
        unsafe {
            match round {
                0 => _mm512_xor_si512(state, key),
                10 => _mm512_aesenclast_epi128(state, key),
                _ => _mm512_aesenc_epi128(state, key),
            }
        }
    }
}

impl Work for Mask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { lanes, keys, first, words } = self;
        let stride = (BLOCKS * AT_ONCE) as u64;
        for (start, words) in
            (first..).step_by(BLOCKS * AT_ONCE).zip(words.chunks_exact_mut(BLOCKS * AT_ONCE))
        {
            let mut inputs = [lanes.splat(0); AT_ONCE];
            for (i, input) in inputs.iter_mut().enumerate() {
                let x = start + (BLOCKS * i) as u64;
                // SAFETY: witness.
                *input = unsafe {
                    _mm512_add_epi64(
                        _mm512_set1_epi64(x.cast_signed()),
                        _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0),
                    )
                };
                // SAFETY: witness. The high half of each block is 0.
                *input = unsafe { _mm512_maskz_mov_epi64(0b0101_0101, *input) };
            }
            let mut sums = [lanes.splat(0); AT_ONCE];
            for level in keys {
                let mut states = inputs;
                let changes = level.place >= BLOCKS.ilog2() && 1 << level.place < stride;
                if changes {
                    for round in 0..11 {
                        for i in 0..AT_ONCE {
                            let x = start + (BLOCKS * i) as u64;
                            let keys = &level.rounds[(x >> level.place & 1) as usize];
                            states[i] = Self::round(states[i], Self::blocks(&keys[round]), round);
                        }
                    }
                } else {
                    let keys = &level.rounds[(start >> level.place & 1) as usize];
                    for round in 0..11 {
                        let key = Self::blocks(&keys[round]);
                        for i in 0..AT_ONCE {
                            states[i] = Self::round(states[i], key, round);
                        }
                    }
                }
                for i in 0..AT_ONCE {
                    sums[i] = lanes.add_wide(sums[i], states[i]);
                }
            }
            for i in 0..AT_ONCE / 2 {
                // SAFETY: witness.
                let high = unsafe {
                    let odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
                    _mm512_permutex2var_epi64(sums[2 * i], odd, sums[2 * i + 1])
                };
                let masked = lanes.add_wide(lanes.load_wide(words, 2 * BLOCKS * i), high);
                lanes.store_wide(words, 2 * BLOCKS * i, masked);
            }
        }
    }
}
