//! One size, or all between two.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use duoram_reference::MAX_LOG_SIZE;

/// Values of h.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes(RangeInclusive<u32>);

impl Sizes {
    /// From the smallest on.
    pub fn all(&self) -> RangeInclusive<u32> {
        self.0.clone()
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.start(), self.0.end()) {
            (first, last) if first == last => write!(formatter, "{first}"),
            (first, last) => write!(formatter, "{first}..{last}"),
        }
    }
}

impl FromStr for Sizes {
    type Err = String;

    /// `16`, or `16..24`, which has both ends.
    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let size = |text: &str| text.parse().ok().filter(|size| (1..=MAX_LOG_SIZE).contains(size));
        match (size(first), size(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self(first..=last)),
            _ => Err(format!(
                "expected H or H..H from 1 to {MAX_LOG_SIZE}, the smaller first, got '{}'",
                text.escape_debug()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_a_range_with_both_ends() {
        let sizes = |text: &str| text.parse::<Sizes>().unwrap().all().collect::<Vec<_>>();
        assert_eq!(sizes("16"), [16]);
        assert_eq!(sizes("16..18"), [16, 17, 18]);
        assert_eq!(sizes("40..40"), [40]);
        for text in ["", "0", "41", "16..", "..16", "18..16", "16..41", "16...18", "a..b", "-1"] {
            assert!(text.parse::<Sizes>().is_err(), "{text}");
        }
    }
}
