//! How values are read by tests: what [`crate::json`] has written. They panic at whatever is not written so.
#![allow(clippy::missing_panics_doc, reason = "said once, for all of them")]

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The vectors in a file of this folder.
pub fn vectors(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str::<Value>(&text).unwrap()["vectors"].as_array().unwrap().clone()
}

/// Bytes, in order.
pub fn bytes(hex: &Value) -> Vec<u8> {
    let digits = hex.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

/// So many bytes.
pub fn array<const N: usize>(hex: &Value) -> [u8; N] {
    bytes(hex).try_into().unwrap()
}

/// Words, one after another.
pub fn words(hex: &Value) -> Vec<u64> {
    bytes(hex).chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Blocks, one after another.
pub fn blocks(hex: &Value) -> Vec<u128> {
    bytes(hex).chunks_exact(16).map(|block| u128::from_le_bytes(block.try_into().unwrap())).collect()
}

/// Bits: `0` and `1`, in order.
pub fn bits(text: &Value) -> Vec<bool> {
    text.as_str().unwrap().chars().map(|bit| bit == '1').collect()
}

/// A number that fits T.
pub fn number<T: TryFrom<u64, Error: std::fmt::Debug>>(value: &Value) -> T {
    value.as_u64().unwrap().try_into().unwrap()
}
