//! AES without tables: the round functions on bit planes.
//!
//! Sixteen blocks at a time. Every group of four blocks (64 bytes) becomes eight 64-bit planes; plane `b` holds bit `b` of
//! every byte. The operations are AND, XOR and shifts by fixed distances, so neither time nor addresses depend on data.
//! Bit `8 p + 2 block + half` of a plane belongs to byte `8 half + p` of the block; see `docs/lanes.md`.

use core::ops::{BitAnd, BitXor};

/// Blocks that are ciphered together.
pub(crate) const BATCH: usize = 16;

/// One plane of each of the four groups. Element-wise loops, which the compiler turns into vectors where it can.
#[derive(Clone, Copy)]
struct Plane([u64; 4]);

impl BitXor for Plane {
    type Output = Self;

    #[inline(always)]
    fn bitxor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
        self
    }
}

impl BitAnd for Plane {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        self
    }
}

/// The eight planes of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Planes([Plane; 8]);

/// Exchanges the bits `mask << distance` of `low` with the bits `mask` of `high`.
#[inline(always)]
fn exchange(low: &mut u64, high: &mut u64, distance: u32, mask: u64) {
    let difference = ((*low >> distance) ^ *high) & mask;
    *low ^= difference << distance;
    *high ^= difference;
}

/// Transposes: afterwards, bit `k` of byte `p` of word `b` is what was bit `b` of byte `p` of word `k`. Its own inverse.
#[inline(always)]
fn transpose(words: &mut [u64; 8]) {
    for (distance, mask) in
        [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)]
    {
        for index in 0..8 {
            if index & distance == 0 {
                let (below, above) = words.split_at_mut(index + distance);
                exchange(&mut below[index], &mut above[0], distance as u32, mask);
            }
        }
    }
}

impl Planes {
    /// Blocks to planes.
    pub(crate) fn from_blocks(blocks: &[u128; BATCH]) -> Self {
        let mut planes = Self([Plane([0; 4]); 8]);
        for group in 0..4 {
            let mut words = [0u64; 8];
            for (index, word) in words.iter_mut().enumerate() {
                *word = (blocks[4 * group + index / 2] >> (64 * (index % 2))) as u64;
            }
            transpose(&mut words);
            for (plane, word) in planes.0.iter_mut().zip(words) {
                plane.0[group] = word;
            }
        }
        planes
    }

    /// Planes to blocks.
    pub(crate) fn to_blocks(self) -> [u128; BATCH] {
        let mut blocks = [0u128; BATCH];
        for group in 0..4 {
            let mut words = [0u64; 8];
            for (plane, word) in self.0.iter().zip(&mut words) {
                *word = plane.0[group];
            }
            transpose(&mut words);
            for (index, word) in words.into_iter().enumerate() {
                blocks[4 * group + index / 2] |= u128::from(word) << (64 * (index % 2));
            }
        }
        blocks
    }

    /// A full round: SubBytes, ShiftRows, MixColumns, AddRoundKey.
    #[inline]
    pub(crate) fn round(self, key: &Self) -> Self {
        self.sub_bytes().shift_rows().mix_columns().add(key)
    }

    /// The last round without its key, which the caller adds to the blocks.
    #[inline]
    pub(crate) fn last_round(self) -> Self {
        self.sub_bytes().shift_rows()
    }

    #[inline(always)]
    fn add(mut self, key: &Self) -> Self {
        for (plane, key) in self.0.iter_mut().zip(key.0) {
            *plane = *plane ^ key;
        }
        self
    }

    /// ShiftRows. A byte's row is `p mod 4`, its column `2 half + p div 4`: moving by one column exchanges the 32-bit
    /// halves of a plane and, where that wraps, the `half` bit as well.
    #[inline(always)]
    fn shift_rows(mut self) -> Self {
        const ODD_ROWS: u64 = 0xff00_ff00_ff00_ff00;
        // Row 2, row 1 of odd columns, row 3 of even columns; the lower bit of each pair of halves.
        const OTHER_HALF: u64 = 0x0055_5500_5555_0000;
        for plane in &mut self.0 {
            for word in &mut plane.0 {
                let moved = (*word & !ODD_ROWS) | (word.rotate_left(32) & ODD_ROWS);
                let difference = (moved ^ (moved >> 1)) & OTHER_HALF;
                *word = moved ^ difference ^ (difference << 1);
            }
        }
        self
    }

    /// MixColumns: `2 (a + b) + b + rot2 (a + b)`, where `b` is the byte one row below `a`.
    #[inline(always)]
    fn mix_columns(self) -> Self {
        let mut below = self;
        let mut sum = self;
        let mut opposite = self;
        for index in 0..8 {
            for lane in 0..4 {
                let word = self.0[index].0[lane];
                let rotated = rotate_bytes(word, 1);
                below.0[index].0[lane] = rotated;
                sum.0[index].0[lane] = word ^ rotated;
                opposite.0[index].0[lane] = rotate_bytes(word ^ rotated, 2);
            }
        }
        let top = sum.0[7];
        let mut mixed = below;
        for index in 0..8 {
            // Doubling moves every plane up by one; the top plane comes back at bits 0, 1, 3, 4 (0x1b).
            let doubled = match index {
                0 => top,
                1 | 3 | 4 => sum.0[index - 1] ^ top,
                _ => sum.0[index - 1],
            };
            mixed.0[index] = below.0[index] ^ opposite.0[index] ^ doubled;
        }
        mixed
    }

    /// SubBytes. Inversion in GF(2^8) is done in GF(16)[y] / (y^2 + y + 8), with GF(16) = GF(2)[x] / (x^4 + x + 1): for
    /// `a = h y + l` the norm is `8 h^2 + h l + l^2`, and the inverse `(h y + h + l) / norm`. The two matrices change the
    /// basis; the second includes AES's affine map.
    #[inline(always)]
    fn sub_bytes(self) -> Self {
        const TO_TOWER: [u8; 8] = [0xa1, 0x04, 0xfc, 0x18, 0x70, 0xd2, 0xac, 0xa0];
        const FROM_TOWER: [u8; 8] = [0x45, 0x3f, 0x69, 0x25, 0x3b, 0xee, 0xd0, 0x06];
        let [l0, l1, l2, l3, h0, h1, h2, h3] = linear(&TO_TOWER, &self.0);
        let (low, high) = ([l0, l1, l2, l3], [h0, h1, h2, h3]);
        let product = multiply(&high, &low);
        let norm = [
            product[0] ^ h2 ^ l0 ^ l2,
            product[1] ^ h1 ^ h2 ^ h3 ^ l2,
            product[2] ^ h1 ^ l1 ^ l3,
            product[3] ^ h0 ^ h2 ^ h3 ^ l3,
        ];
        let inverse = invert(&norm);
        let new_high = multiply(&high, &inverse);
        let new_low = multiply(&[h0 ^ l0, h1 ^ l1, h2 ^ l2, h3 ^ l3], &inverse);
        let [a, b, c, d] = new_low;
        let [e, f, g, h] = new_high;
        let mut planes = linear(&FROM_TOWER, &[a, b, c, d, e, f, g, h]);
        // The affine map's constant, 0x63.
        for index in [0, 1, 5, 6] {
            planes[index] = planes[index] ^ Plane([u64::MAX; 4]);
        }
        Self(planes)
    }
}

/// Rotates each 32-bit half to the right by `bytes`: row `r` receives row `r + bytes`.
#[inline(always)]
fn rotate_bytes(word: u64, bytes: u32) -> u64 {
    let keep = (u64::from(u32::MAX >> (8 * bytes)) << 32) | u64::from(u32::MAX >> (8 * bytes));
    ((word >> (8 * bytes)) & keep) | ((word << (32 - 8 * bytes)) & !keep)
}

/// A matrix over GF(2), one byte a row, times the planes. The matrix is a constant: no operation depends on data.
#[inline(always)]
fn linear(matrix: &[u8; 8], planes: &[Plane; 8]) -> [Plane; 8] {
    let mut result = [Plane([0; 4]); 8];
    for (row, sum) in matrix.iter().zip(&mut result) {
        for (column, plane) in planes.iter().enumerate() {
            if (row >> column) & 1 == 1 {
                *sum = *sum ^ *plane;
            }
        }
    }
    result
}

/// Multiplication in GF(16), modulo x^4 + x + 1.
#[inline(always)]
fn multiply(a: &[Plane; 4], b: &[Plane; 4]) -> [Plane; 4] {
    let x4 = (a[1] & b[3]) ^ (a[2] & b[2]) ^ (a[3] & b[1]);
    let x5 = (a[2] & b[3]) ^ (a[3] & b[2]);
    let x6 = a[3] & b[3];
    [
        (a[0] & b[0]) ^ x4,
        (a[0] & b[1]) ^ (a[1] & b[0]) ^ x4 ^ x5,
        (a[0] & b[2]) ^ (a[1] & b[1]) ^ (a[2] & b[0]) ^ x5 ^ x6,
        (a[0] & b[3]) ^ (a[1] & b[2]) ^ (a[2] & b[1]) ^ (a[3] & b[0]) ^ x6,
    ]
}

/// Inversion in GF(16), 0 to 0: the algebraic normal form of each bit of x^14.
#[inline(always)]
fn invert(a: &[Plane; 4]) -> [Plane; 4] {
    let [a0, a1, a2, a3] = *a;
    let (a01, a02, a03) = (a0 & a1, a0 & a2, a0 & a3);
    let (a12, a13, a23) = (a1 & a2, a1 & a3, a2 & a3);
    let a123 = a12 & a3;
    [
        a0 ^ a1 ^ a2 ^ a02 ^ a12 ^ (a01 & a2) ^ a3 ^ a123,
        a01 ^ a02 ^ a12 ^ a3 ^ a13 ^ (a01 & a3),
        a01 ^ a2 ^ a02 ^ a3 ^ a03 ^ (a02 & a3),
        a1 ^ a2 ^ a3 ^ a03 ^ a13 ^ a23 ^ a123,
    ]
}

/// SubWord of the key expansion.
pub(crate) fn sub_word(word: u32) -> u32 {
    let mut blocks = [0u128; BATCH];
    blocks[0] = u128::from(word);
    Planes::from_blocks(&blocks).sub_bytes().to_blocks()[0] as u32
}
