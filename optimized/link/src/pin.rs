//! Pins: who a peer is.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

/// The SHA-256 of a public key, as its `SubjectPublicKeyInfo` in DER. Whoever has the private key to it *is* the peer; there are no
/// host names, no dates and no authorities. Written as 64 hexadecimal digits. Not a secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pin([u8; 32]);

impl Pin {
    /// Of a `SubjectPublicKeyInfo`, all of it.
    pub fn of(subject_public_key_info: &[u8]) -> Self {
        Self(Sha256::digest(subject_public_key_info).into())
    }
}

/// A text is not a pin.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("a pin is 64 hexadecimal digits, got {got} characters, of which {digits} are digits")]
pub struct BadPin {
    /// The characters that there are.
    pub got: usize,
    /// The hexadecimal digits among them.
    pub digits: usize,
}

impl FromStr for Pin {
    type Err = BadPin;

    fn from_str(text: &str) -> Result<Self, BadPin> {
        let value = |char: char| char.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digits: Vec<u8> = text.chars().filter_map(value).collect();
        let bad = BadPin { got: text.chars().count(), digits: digits.len() };
        let (pairs, []) = digits.as_chunks::<2>() else { return Err(bad) };
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        bytes.try_into().ok().filter(|_| bad.got == bad.digits).map(Self).ok_or(bad)
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_reads_back() {
        // FIPS 180-4's example: SHA-256("abc").
        let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let pin = Pin::of(b"abc");
        assert_eq!(pin.to_string(), digits);
        assert_eq!(digits.parse(), Ok(pin));
        assert_eq!(digits.to_uppercase().parse(), Ok(pin));
    }

    #[test]
    fn what_is_not_64_digits_is_refused() {
        let digits = "0".repeat(64);
        let with = |text: &str| format!("{digits}{text}").parse::<Pin>();
        assert_eq!(with("0"), Err(BadPin { got: 65, digits: 65 }));
        assert_eq!(with("00"), Err(BadPin { got: 66, digits: 66 }));
        assert_eq!(with(" "), Err(BadPin { got: 65, digits: 64 }));
        assert_eq!(digits[1..].parse::<Pin>(), Err(BadPin { got: 63, digits: 63 }));
        assert_eq!(digits.replacen("00", "+f", 1).parse::<Pin>(), Err(BadPin { got: 64, digits: 63 }));
    }
}
