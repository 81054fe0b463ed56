//! AES-128 and the PRG against published vectors.
#![allow(missing_docs)]

use duoram_spec::core::aes::{
    block_of_bytes, bytes_of_block, cipher, encrypt, expand_key, gf_inverse, gf_mul, s_box,
};
use duoram_spec::core::prg::{AesPrg, Prg};

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

#[test]
fn s_box_entries_of_fips_197_table_4() {
    for (input, output) in [(0x00, 0x63), (0x01, 0x7c), (0x53, 0xed), (0x9a, 0xb8), (0xff, 0x16)] {
        assert_eq!(s_box(input), output);
    }
}

#[test]
fn s_box_is_a_permutation_and_inverses_are_inverses() {
    let mut seen = [false; 256];
    for a in 0..=255u8 {
        seen[usize::from(s_box(a))] = true;
        assert_eq!(gf_mul(a, gf_inverse(a)), u8::from(a != 0));
    }
    assert!(seen.iter().all(|s| *s));
}

#[test]
fn gf_mul_of_fips_197_section_4_2() {
    assert_eq!(gf_mul(0x57, 0x83), 0xc1);
    assert_eq!(gf_mul(0x57, 0x13), 0xfe);
}

#[test]
fn key_expansion_of_fips_197_appendix_a_1() {
    let aes = expand_key(&bytes("2b7e151628aed2a6abf7158809cf4f3c"));
    assert_eq!(aes.round_keys.len(), 11);
    assert_eq!(aes.round_keys[1], bytes("a0fafe1788542cb123a339392a6c7605"));
    assert_eq!(aes.round_keys[10], bytes("d014f9a8c9ee2589e13f0cc8b6630ca6"));
}

#[test]
fn cipher_gives_the_known_answers_of_nist() {
    for answer in duoram_vectors::aes_answers() {
        assert_eq!(cipher(&expand_key(&answer.key), &answer.plain), answer.cipher, "{answer:02x?}");
    }
}

#[test]
fn blocks_are_little_endian() {
    let input: Vec<u8> = (0..16).collect();
    let block = block_of_bytes(&input);
    assert_eq!(block, 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);
    assert_eq!(bytes_of_block(block), input);
}

#[test]
fn prg_ignores_the_flag_and_differs_left_from_right() {
    let prg = AesPrg { aes: expand_key(&bytes("000102030405060708090a0b0c0d0e0f")) };
    let label = 0x0123_4567_89ab_cdef_0011_2233_4455_6676;
    assert_eq!(prg.left(label), prg.left(label | 1));
    assert_eq!(prg.right(label), prg.right(label | 1));
    assert_eq!(prg.left(label), encrypt(&prg.aes, label) ^ label);
    assert_eq!(prg.right(label), encrypt(&prg.aes, label | 1) ^ label ^ 1);
    assert_ne!(prg.left(label), prg.right(label));
}
