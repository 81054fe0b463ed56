//! The specification's test vectors as the reference reads them.

use std::fs;
use std::path::Path;

use duoram_reference::{Block, Word};
use serde_json::Value;

pub(crate) fn vectors(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/vectors").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str::<Value>(&text).unwrap()["vectors"].as_array().unwrap().clone()
}

pub(crate) fn bytes(hex: &Value) -> Vec<u8> {
    let digits = hex.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

pub(crate) fn array<const N: usize>(hex: &Value) -> [u8; N] {
    bytes(hex).try_into().unwrap()
}

pub(crate) fn words(hex: &Value) -> Vec<Word> {
    bytes(hex).chunks_exact(8).map(|word| Word::from_le_bytes(word.try_into().unwrap())).collect()
}

pub(crate) fn blocks(hex: &Value) -> Vec<Block> {
    bytes(hex).chunks_exact(16).map(|block| Block::from_le_bytes(block.try_into().unwrap())).collect()
}

pub(crate) fn bits(text: &Value) -> Vec<bool> {
    text.as_str().unwrap().chars().map(|bit| bit == '1').collect()
}

pub(crate) fn number<T: TryFrom<u64, Error: std::fmt::Debug>>(value: &Value) -> T {
    value.as_u64().unwrap().try_into().unwrap()
}
