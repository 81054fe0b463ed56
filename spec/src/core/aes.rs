//! AES-128 encryption, after FIPS 197, from the definitions: the S-box is computed, not copied.
//!
//! The state is kept as the 16 input bytes: byte `r + 4c` of the input is row `r`, column `c` `[fips197, section 3.4]`.

use crate::core::block::Block;
use crate::core::vector::at;

/// An expanded key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aes128 {
    /// The S-box, all 256 entries of [`s_box`].
    pub s_box: Vec<u8>,
    /// 11 round keys of 16 bytes.
    pub round_keys: Vec<Vec<u8>>,
}

/// Multiplication by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 `[fips197, section 4.2.1, XTIMES]`.
pub fn xtime(a: u8) -> u8 {
    let reduction = if a & 0x80 == 0x80 { 0x1b } else { 0 };
    a.wrapping_shl(1) ^ reduction
}

/// Multiplication in GF(2^8) `[fips197, section 4.2]`: the sum of `a x^i` over the bits `i` of `b`.
pub fn gf_mul(a: u8, b: u8) -> u8 {
    let (product, _, _) = (0..8).fold((0u8, a, b), |(sum, power, bits), _| {
        let term = if bits & 1 == 1 { power } else { 0 };
        (sum ^ term, xtime(power), bits.wrapping_shr(1))
    });
    product
}

/// The inverse in GF(2^8), and 0 for 0 `[fips197, section 4.4]`: `a^254 = a^2 a^4 .. a^128`, since `a^255 = 1` for all `a` but 0.
pub fn gf_inverse(a: u8) -> u8 {
    let (product, _) = (0..7).fold((1u8, a), |(product, power), _| {
        let square = gf_mul(power, power);
        (gf_mul(product, square), square)
    });
    product
}

/// SBOX() of one byte `[fips197, section 5.1.1, equations 5.2 and 5.3]`: the inverse, then an affine map over bits.
pub fn s_box(a: u8) -> u8 {
    let b = gf_inverse(a);
    b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4) ^ 0x63
}

/// A byte through the tabulated S-box.
pub fn sub_byte(table: &[u8], a: u8) -> u8 {
    at(table, a as usize, 0)
}

/// Round constants x^(i-1), for i from 1 to 10 `[fips197, section 5.2, table 5]`.
pub fn round_constant(i: usize) -> u8 {
    (1..i).fold(1u8, |power, _| xtime(power))
}

/// The next round key `[fips197, section 5.2, algorithm 2]`: four words of four bytes, each the XOR of the word before it
/// and the word of the round key before; the first word is rotated, substituted and given the round constant.
pub fn next_round_key(table: &[u8], key: &[u8], constant: u8) -> Vec<u8> {
    let first: Vec<u8> = (0..4)
        .map(|r| {
            let rotated = if r == 3 { at(key, 12, 0) } else { at(key, 13usize.wrapping_add(r), 0) };
            let added = if r == 0 { constant } else { 0 };
            at(key, r, 0) ^ sub_byte(table, rotated) ^ added
        })
        .collect();
    (1..4).fold(first, |done, word: usize| {
        let next: Vec<u8> = (0..4)
            .map(|r: usize| {
                let here = word.wrapping_mul(4).wrapping_add(r);
                at(&done, here.wrapping_sub(4), 0) ^ at(key, here, 0)
            })
            .collect();
        [done, next].concat()
    })
}

/// [`s_box`] of all bytes.
pub fn s_box_table() -> Vec<u8> {
    (0..256).map(|a: usize| s_box((a & 0xff) as u8)).collect()
}

/// KEYEXPANSION() `[fips197, section 5.2]` for a key of 16 bytes, with the tabulated S-box.
pub fn expand_key_with(table: &[u8], key: &[u8]) -> Aes128 {
    let (round_keys, _) = (1..11).fold((vec![key.to_vec()], key.to_vec()), |(keys, last), i: usize| {
        let next = next_round_key(table, &last, round_constant(i));
        ([keys, vec![next.clone()]].concat(), next)
    });
    Aes128 { s_box: table.to_vec(), round_keys }
}

/// KEYEXPANSION() `[fips197, section 5.2]` for a key of 16 bytes.
pub fn expand_key(key: &[u8]) -> Aes128 {
    expand_key_with(&s_box_table(), key)
}

/// ADDROUNDKEY() `[fips197, section 5.1.4]`.
pub fn add_round_key(state: &[u8], round_key: &[u8]) -> Vec<u8> {
    state.iter().zip(round_key.iter()).map(|(a, k)| *a ^ *k).collect()
}

/// SUBBYTES() `[fips197, section 5.1.1]`.
pub fn sub_bytes(table: &[u8], state: &[u8]) -> Vec<u8> {
    state.iter().map(|a| sub_byte(table, *a)).collect()
}

/// SHIFTROWS() `[fips197, section 5.1.2]`: row r moves r columns to the left, so byte `r + 4c` comes from `r + 4(c + r)`.
pub fn shift_rows(state: &[u8]) -> Vec<u8> {
    (0..16).map(|i: usize| at(state, i.wrapping_add((i & 3).wrapping_mul(4)) & 15, 0)).collect()
}

/// MIXCOLUMNS() `[fips197, section 5.1.3, equation 5.8]`: each column times 2 + x + x^2 + 3 x^3.
pub fn mix_columns(state: &[u8]) -> Vec<u8> {
    (0..16)
        .map(|i: usize| {
            let column = i & 0b1100;
            let row = |r: usize| at(state, column ^ (i.wrapping_add(r) & 3), 0);
            xtime(row(0)) ^ xtime(row(1)) ^ row(1) ^ row(2) ^ row(3)
        })
        .collect()
}

/// CIPHER() `[fips197, section 5.1, algorithm 1]` on 16 bytes.
pub fn cipher(aes: &Aes128, input: &[u8]) -> Vec<u8> {
    let start = add_round_key(input, &round_key(aes, 0));
    let middle = (1..10).fold(start, |state, round: usize| {
        add_round_key(&mix_columns(&shift_rows(&sub_bytes(&aes.s_box, &state))), &round_key(aes, round))
    });
    add_round_key(&shift_rows(&sub_bytes(&aes.s_box, &middle)), &round_key(aes, 10))
}

/// Round key `i`, 0 to 10.
pub fn round_key(aes: &Aes128, i: usize) -> Vec<u8> {
    match aes.round_keys.get(i) {
        Some(key) => key.clone(),
        None => vec![],
    }
}

/// The 16 bytes of a block, lowest first.
pub fn bytes_of_block(block: Block) -> Vec<u8> {
    (0..16).map(|i: u32| (block.wrapping_shr(i.wrapping_mul(8)) & 0xff) as u8).collect()
}

/// The block with these bytes, lowest first.
pub fn block_of_bytes(bytes: &[u8]) -> Block {
    (0..16).fold(0, |block: Block, i: usize| {
        block ^ (at(bytes, i, 0) as u128).wrapping_shl((i as u32).wrapping_mul(8))
    })
}

/// AES-128 of a block.
pub fn encrypt(aes: &Aes128, block: Block) -> Block {
    block_of_bytes(&cipher(aes, &bytes_of_block(block)))
}
