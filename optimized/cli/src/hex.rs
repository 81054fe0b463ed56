//! Words in JSON.

use duoram_reference::Word;
use serde::{Serialize, Serializer};

/// A word as a string, `0x` and hexadecimal digits, as a script may have it: as a number it would lose its low bits above
/// 2^53 in JavaScript, jq and whatever else reads numbers as doubles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hex(pub Word);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_all_their_bits() {
        assert_eq!(serde_json::to_string(&Hex(u64::MAX)).unwrap(), "\"0xffffffffffffffff\"");
        assert_eq!(serde_json::to_string(&Hex(0)).unwrap(), "\"0x0\"");
    }
}
