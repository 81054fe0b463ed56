//! How values are written in the tables: those of chapter 4 say how they are read.

use duoram_spec::core::block::Block;
use duoram_spec::core::ring::Ring;

/// 128 bits as 32 hexadecimal digits, the highest first: the last digit holds the flag.
pub(crate) fn label(block: Block) -> String {
    format!("`{block:032x}`")
}

/// A bit as 0 or 1.
pub(crate) fn bit(bit: bool) -> u8 {
    u8::from(bit)
}

/// Whether two things are the same, in a word.
pub(crate) fn agreement<T: PartialEq + Copy>(a: T, b: T) -> &'static str {
    if a == b { "equal" } else { "differ" }
}

/// The representative of a word.
pub(crate) fn word<W: Ring>(x: W) -> u64 {
    x.to_u64()
}

/// A space at which a line is not broken, so that a vector stays one in a narrow cell.
pub(crate) const SPACE: &str = "\u{a0}";

/// A vector of small words.
pub(crate) fn vector<W: Ring>(x: &[W]) -> String {
    let words: Vec<String> = x.iter().map(|x| word(*x).to_string()).collect();
    format!("`({})`", words.join(SPACE))
}

/// A vector of bits.
pub(crate) fn bits(x: &[bool]) -> String {
    let bits: Vec<String> = x.iter().map(|x| bit(*x).to_string()).collect();
    format!("`({})`", bits.join(SPACE))
}
