//! Numbers of bytes, as people write them.

use std::fmt;
use std::str::FromStr;

/// A number of bytes: `0`, `4096`, `1.5G`, `512MiB`, `5GB`. K, M, G, T and KiB, MiB, GiB, TiB are powers of 1024, KB, MB,
/// GB, TB of 1000, in either case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteCount(pub u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl FromStr for ByteCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a number of bytes such as 4096, 512M, 1.5G, 2GiB or 5GB";
        parse(text).map(Self).ok_or_else(|| format!("{expected}, got '{}'", text.escape_debug()))
    }
}

fn parse(text: &str) -> Option<u64> {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = factor(unit)?;
    // A part of a byte is none.
    let (whole, part) = number.split_once('.').filter(|_| factor > 1).unwrap_or((number, "0"));
    let scale = 10_u128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let part = digits(part)?.checked_mul(factor)? / scale;
    u64::try_from(digits(whole)?.checked_mul(factor)?.checked_add(part)?).ok()
}

/// Digits only: `str::parse` takes a sign as well.
fn digits(text: &str) -> Option<u128> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn factor(unit: &str) -> Option<u128> {
    let unit = unit.to_ascii_lowercase();
    if matches!(unit.as_str(), "" | "b") {
        return Some(1);
    }
    let power = 1 + "kmgt".find(unit.chars().next()?)?;
    let base: u128 = match &unit[1..] {
        "" | "ib" => 1024,
        "b" => 1000,
        _ => return None,
    };
    base.checked_pow(u32::try_from(power).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_both_kinds_and_fractions() {
        for (text, bytes) in [
            ("0", 0),
            ("17", 17),
            ("17B", 17),
            ("3K", 3 << 10),
            ("3kib", 3 << 10),
            ("3KB", 3000),
            ("512m", 512 << 20),
            ("1.5G", 3 << 29),
            ("0.25KiB", 256),
            ("5GB", 5_000_000_000),
            ("2.5tb", 2_500_000_000_000),
            ("1T", 1 << 40),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(text.parse(), Ok(ByteCount(bytes)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let nonsense = [
            "",
            "G",
            ".5G",
            "1.G",
            "1.5",
            "1.5B",
            "-1",
            "+1",
            "1 G",
            "1e9",
            "1GG",
            "1iB",
            "1XB",
            "1.2.3G",
            "99999999999G",
            "18446744073709551616",
            "\u{e9}",
            "1\u{e9}",
            "\u{661}K",
        ];
        for text in nonsense {
            assert!(text.parse::<ByteCount>().is_err(), "{text}");
        }
    }
}
