//! AES-128 on the published vectors and on a few more.

use duoram_spec::core::aes::{
    Aes128, add_round_key, cipher, expand_key, mix_columns, round_key, shift_rows, sub_bytes,
};
use duoram_spec::paper::payload::words_bytes;
use serde_json::{Value, json};

use crate::Random;
use crate::json::hex;
use crate::topic::{Fault, Topic};

struct Case {
    key: Vec<u8>,
    plain: Vec<u8>,
}

/// Key and plaintext; what they must encrypt to is in `spec/tests/aes.rs`.
const PUBLISHED: [(&str, u128, u128); 6] = [
    (
        "FIPS 197, appendix B",
        0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c,
        0x3243_f6a8_885a_308d_3131_98a2_e037_0734,
    ),
    (
        "FIPS 197 (2001), appendix C.1",
        0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f,
        0x0011_2233_4455_6677_8899_aabb_ccdd_eeff,
    ),
    (
        "SP 800-38A, F.1.1, block 1",
        0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c,
        0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a,
    ),
    (
        "SP 800-38A, F.1.1, block 2",
        0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c,
        0xae2d_8a57_1e03_ac9c_9eb7_6fac_45af_8e51,
    ),
    (
        "SP 800-38A, F.1.1, block 3",
        0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c,
        0x30c8_1c46_a35c_e411_e5fb_c119_1a0a_52ef,
    ),
    (
        "SP 800-38A, F.1.1, block 4",
        0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c,
        0xf69f_2445_df4f_9b17_ad2b_417b_e66c_3710,
    ),
];

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x0ae5);
    // The standards print the first byte first, so their hex is big-endian.
    let published = PUBLISHED.map(|(name, key, plain)| {
        (name.to_owned(), Case { key: key.to_be_bytes().to_vec(), plain: plain.to_be_bytes().to_vec() })
    });
    let zero = ("all zero".to_owned(), Case { key: vec![0; 16], plain: vec![0; 16] });
    let random = (1..=3).map(|i| {
        (format!("random {i}"), Case { key: words_bytes(&r.words(2)), plain: words_bytes(&r.words(2)) })
    });
    published.into_iter().chain([zero]).chain(random).collect()
}

fn output(case: &Case, cipher: fn(&Aes128, &[u8]) -> Vec<u8>) -> Value {
    let aes = expand_key(&case.key);
    json!({ "round_keys": hex(&aes.round_keys.concat()), "cipher": hex(&cipher(&aes, &case.plain)) })
}

/// Eleven times the same step: the last round is not made an exception.
fn last_round_mixes_columns(aes: &Aes128, input: &[u8]) -> Vec<u8> {
    (1..11).fold(add_round_key(input, &round_key(aes, 0)), |state, round| {
        add_round_key(&mix_columns(&shift_rows(&sub_bytes(&aes.s_box, &state))), &round_key(aes, round))
    })
}

/// Rows move to the right, as in decryption: three times to the left.
fn rows_shifted_right(aes: &Aes128, input: &[u8]) -> Vec<u8> {
    let right = |state: &[u8]| shift_rows(&shift_rows(&shift_rows(state)));
    let middle = (1..10).fold(add_round_key(input, &round_key(aes, 0)), |state, round| {
        add_round_key(&mix_columns(&right(&sub_bytes(&aes.s_box, &state))), &round_key(aes, round))
    });
    add_round_key(&right(&sub_bytes(&aes.s_box, &middle)), &round_key(aes, 10))
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "aes",
        about: "AES-128 of one block, with the key schedule.",
        paper: "FIPS 197; the pi of reference/PROTOCOL.md, PRG and tree",
        cases: cases(),
        input: |case| json!({ "key": hex(&case.key), "plain": hex(&case.plain) }),
        output: |case| output(case, cipher),
    }
    .files(&[
        Fault {
            name: "last_round_mixes_columns",
            about: "The last round has a MIXCOLUMNS like the others.",
            output: |case| output(case, last_round_mixes_columns),
        },
        Fault {
            name: "rows_shifted_right",
            about: "SHIFTROWS moves the rows to the right, as the inverse cipher does.",
            output: |case| output(case, rows_shifted_right),
        },
    ])
}
