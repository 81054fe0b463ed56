//! How values are written: hex of the bytes that are sent (`reference/PROTOCOL.md`, Conventions).

use duoram_spec::core::aes::bytes_of_block;
use duoram_spec::core::block::Block;
use duoram_spec::core::dpf::Key;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::paper::memory::{PrimaryState, State};
use duoram_spec::paper::payload::{blocks_bytes, word_bytes, words_bytes};
use duoram_spec::paper::read::UnitVectors;
use serde_json::{Value, json};

/// Two hexadecimal digits for each byte. A loop, and inline, so that it is as fast as its caller may be: this crate is not optimized.
#[inline]
pub fn digits(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Bytes, in order.
pub fn hex(bytes: &[u8]) -> Value {
    digits(bytes).into()
}

/// A word: its 8 bytes, lowest first.
pub fn word(word: u64) -> Value {
    hex(&word_bytes(word))
}

/// Words, one after another.
pub fn words(words: &[u64]) -> Value {
    hex(&words_bytes(words))
}

/// A block: its 16 bytes, lowest first.
pub fn block(block: Block) -> Value {
    hex(&bytes_of_block(block))
}

/// Blocks, one after another.
pub fn blocks(blocks: &[Block]) -> Value {
    hex(&blocks_bytes(blocks))
}

/// Bits: `0` and `1`, in order.
pub fn bits(bits: &[bool]) -> Value {
    bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect::<String>().into()
}

/// K, which is its own first round key.
pub fn session_key(prg: &AesPrg) -> Value {
    hex(&prg.aes.round_keys[0])
}

/// A DPF key: its root, and the corrections by levels.
pub fn key(key: &Key) -> Value {
    let corrections = || key.corrections.iter();
    json!({
        "root": block(key.root),
        "words": blocks(&corrections().map(|c| c.word).collect::<Vec<_>>()),
        "left_flags": bits(&corrections().map(|c| c.left_flag).collect::<Vec<_>>()),
        "right_flags": bits(&corrections().map(|c| c.right_flag).collect::<Vec<_>>()),
    })
}

/// The vectors of DPF 1, 2, 3, for P0 and for P1.
pub fn triple_vectors(p0: &(Vec<u64>, Vec<u64>, Vec<u64>), p1: &(Vec<u64>, Vec<u64>, Vec<u64>)) -> Value {
    let party =
        |(one, two, three): &(Vec<u64>, Vec<u64>, Vec<u64>)| json!([words(one), words(two), words(three)]);
    json!({ "p0": party(p0), "p1": party(p1) })
}

/// Both primaries' unit vectors.
pub fn units(units: &UnitVectors<u64>) -> Value {
    triple_vectors(&units.p0, &units.p1)
}

/// The three parties' states.
pub fn state(state: &State<u64>) -> Value {
    let primary = |p: &PrimaryState<u64>| {
        let (memory_share, blind, blinded) = (words(&p.memory_share), words(&p.blind), words(&p.blinded));
        json!({ "memory_share": memory_share, "blind": blind, "blinded": blinded })
    };
    json!({
        "p0": primary(&state.p0),
        "p1": primary(&state.p1),
        "p2": { "blind_0": words(&state.p2.blind_0), "blind_1": words(&state.p2.blind_1) },
    })
}
