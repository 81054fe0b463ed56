//! For any CPU: registers are arrays of four lanes, AES is the `aes` crate's, in constant time.

use std::sync::LazyLock;

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

use super::{ITEM_WORDS, Lanes, WIDEST, Work};
use crate::ring::Tables;

/// No requirements.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

const WIDTH: usize = 4;

static TABLES: LazyLock<[Tables; 2]> = LazyLock::new(|| Tables::both(WIDTH));

/// The wide lanes.
#[inline(always)]
fn wide(a: [u32; WIDTH]) -> [u64; WIDTH / 2] {
    [u64::from(a[0]) | u64::from(a[1]) << 32, u64::from(a[2]) | u64::from(a[3]) << 32]
}

/// The register of wide lanes.
#[inline(always)]
fn narrow(a: [u64; WIDTH / 2]) -> [u32; WIDTH] {
    [a[0] as u32, (a[0] >> 32) as u32, a[1] as u32, (a[1] >> 32) as u32]
}

impl Lanes for Portable {
    const WIDTH: usize = WIDTH;
    type Register = [u32; WIDTH];
    type Keys = LevelKeys;

    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    fn tables(self) -> &'static [Tables; 2] {
        &TABLES
    }

    #[inline(always)]
    fn load(self, from: &[u32], at: usize) -> [u32; WIDTH] {
        let row = &from[at..at + WIDTH];
        [row[0], row[1], row[2], row[3]]
    }

    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize, register: [u32; WIDTH]) {
        to[at..at + WIDTH].copy_from_slice(&register);
    }

    #[inline(always)]
    fn load_bytes(self, from: &[u8], at: usize) -> [u32; WIDTH] {
        let row = &from[at..at + WIDTH];
        [row[0].into(), row[1].into(), row[2].into(), row[3].into()]
    }

    #[inline(always)]
    fn load_wide(self, from: &[u64], at: usize) -> [u32; WIDTH] {
        let row = &from[at..at + WIDTH / 2];
        narrow([row[0], row[1]])
    }

    #[inline(always)]
    fn store_wide(self, to: &mut [u64], at: usize, register: [u32; WIDTH]) {
        to[at..at + WIDTH / 2].copy_from_slice(&wide(register));
    }

    #[inline(always)]
    fn splat(self, lane: u32) -> [u32; WIDTH] {
        [lane; WIDTH]
    }

    #[inline(always)]
    fn splat_wide(self, lane: u64) -> [u32; WIDTH] {
        narrow([lane; WIDTH / 2])
    }

    #[inline(always)]
    fn pick(self, a: [u32; WIDTH], b: [u32; WIDTH], index: &[u32; WIDEST]) -> [u32; WIDTH] {
        let both = [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]];
        let mut picked = [0; WIDTH];
        for i in 0..WIDTH {
            picked[i] = both[index[i] as usize];
        }
        picked
    }

    #[inline(always)]
    fn add(self, mut a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        for i in 0..WIDTH {
            a[i] = a[i].wrapping_add(b[i]);
        }
        a
    }

    #[inline(always)]
    fn sub(self, mut a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        for i in 0..WIDTH {
            a[i] = a[i].wrapping_sub(b[i]);
        }
        a
    }

    #[inline(always)]
    fn min(self, mut a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        for i in 0..WIDTH {
            // The compiler likes a branch where it sees a minimum of single numbers; lanes are secret.
            let take = 0_u32.wrapping_sub(u32::from(b[i] < a[i]));
            a[i] ^= (a[i] ^ b[i]) & take;
        }
        a
    }

    #[inline(always)]
    fn and(self, mut a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        for i in 0..WIDTH {
            a[i] &= b[i];
        }
        a
    }

    #[inline(always)]
    fn or(self, mut a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        for i in 0..WIDTH {
            a[i] |= b[i];
        }
        a
    }

    #[inline(always)]
    fn mul_low(self, mut a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        for i in 0..WIDTH {
            a[i] = a[i].wrapping_mul(b[i]);
        }
        a
    }

    #[inline(always)]
    fn mul_even(self, a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        narrow([u64::from(a[0]) * u64::from(b[0]), u64::from(a[2]) * u64::from(b[2])])
    }

    #[inline(always)]
    fn add_wide(self, a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        let (a, b) = (wide(a), wide(b));
        narrow([a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])])
    }

    #[inline(always)]
    fn shift_right_wide(self, a: [u32; WIDTH], bits: u32) -> [u32; WIDTH] {
        narrow(wide(a).map(|lane| lane >> bits))
    }

    #[inline(always)]
    fn shift_left_wide(self, a: [u32; WIDTH], bits: u32) -> [u32; WIDTH] {
        narrow(wide(a).map(|lane| lane << bits))
    }

    #[inline(always)]
    fn join_high(self, even: [u32; WIDTH], odd: [u32; WIDTH]) -> [u32; WIDTH] {
        [even[1], odd[1], even[3], odd[3]]
    }

    fn keys(self, pair: [u128; 2], place: u32) -> LevelKeys {
        LevelKeys { ciphers: pair.map(|key| Aes128::new(&Array(key.to_le_bytes()))), place }
    }

    fn mask(self, keys: &[LevelKeys], first: u64, words: &mut [u64; ITEM_WORDS]) {
        for LevelKeys { ciphers, place } in keys {
            // Where the bit changes, so does the key.
            let run = ITEM_WORDS.min(1_usize.checked_shl(*place).unwrap_or(ITEM_WORDS));
            let mut blocks = [Array([0; 16]); ITEM_WORDS];
            for (x, block) in (first..).zip(&mut blocks) {
                *block = Array(u128::from(x).to_le_bytes());
            }
            for (start, blocks) in (first..).step_by(run).zip(blocks.chunks_mut(run)) {
                ciphers[(start >> place & 1) as usize].encrypt_blocks(blocks);
            }
            for (word, block) in words.iter_mut().zip(&blocks) {
                *word = word.wrapping_add((u128::from_le_bytes(block.0) >> 64) as u64);
            }
        }
    }
}

/// The ciphers of a level, and the place of its bit.
pub(crate) struct LevelKeys {
    ciphers: [Aes128; 2],
    place: u32,
}
