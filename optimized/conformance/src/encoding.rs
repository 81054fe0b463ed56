//! Values as the test vectors write them (`spec/vectors/README.md`), for serde: numbers as hex of their bytes, lowest first,
//! bits as a text of digits. Whoever reads something else is told what was expected and what was there.

use duoram_vectors::json::digits;
use serde::{Deserialize, Deserializer, Serializer, de};

/// What is written as hex of its bytes.
pub(crate) trait Hex: Sized {
    /// In words.
    const NAME: &'static str;
    /// Bytes, each of two digits.
    const BYTES: usize;
    /// Of exactly so many bytes.
    fn from_bytes(bytes: &[u8]) -> Self;
    /// The reverse: appends them.
    fn put(&self, bytes: &mut Vec<u8>);
}

impl Hex for u64 {
    const NAME: &'static str = "word";
    const BYTES: usize = 8;
    fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.as_chunks().0[0])
    }
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

impl Hex for u128 {
    const NAME: &'static str = "block";
    const BYTES: usize = 16;
    fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.as_chunks().0[0])
    }
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

/// How much of a value a refusal repeats.
const SHOWN: usize = 80;

/// A text as a refusal shows it: its beginning, if it is long.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}... ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// The error of a text of digits. [`Refusal::from_serde`] takes it apart again.
fn unexpected<E: de::Error>(expected: &str, text: &str) -> E {
    E::custom(format!("expected {expected}, got {} digits: \"{}\"", text.len(), shown(text)))
}

// Loops, and no chains of iterators: a case of depth 20 has megabytes of digits, and tests run with little optimization.

/// The bytes that a text of digits is, two a byte; nothing if it is no such text.
pub(crate) fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let mut bytes = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        bytes.push(digit(*high)? << 4 | digit(*low)?);
    }
    Some(bytes)
}

/// Appends the bytes of all of them.
pub(crate) fn put_all<T: Hex>(values: &[T], bytes: &mut Vec<u8>) {
    bytes.reserve(values.len() * T::BYTES);
    for value in values {
        value.put(bytes);
    }
}

fn hex<T: Hex>(values: &[T]) -> String {
    let mut bytes = Vec::new();
    put_all(values, &mut bytes);
    digits(&bytes)
}

/// One number: for `#[serde(with = "one")]`.
pub(crate) mod one {
    use super::{Deserialize, Deserializer, Hex, Serializer, bytes_of, hex, unexpected};

    pub(crate) fn serialize<T: Hex, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(std::slice::from_ref(value)))
    }

    pub(crate) fn deserialize<'de, T: Hex, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = bytes_of(&text).filter(|bytes| bytes.len() == T::BYTES);
        let expected = || format!("{} hexadecimal digits (a {})", 2 * T::BYTES, T::NAME);
        bytes.map(|bytes| T::from_bytes(&bytes)).ok_or_else(|| unexpected(&expected(), &text))
    }
}

/// Numbers, one after another in one text: for `#[serde(with = "many")]`.
pub(crate) mod many {
    use super::{Deserialize, Deserializer, Hex, Serializer, bytes_of, hex, unexpected};

    pub(crate) fn serialize<T: Hex, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(values))
    }

    pub(crate) fn deserialize<'de, T: Hex, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = bytes_of(&text).filter(|bytes| bytes.len() % T::BYTES == 0);
        let expected = || format!("{} hexadecimal digits for each {}", 2 * T::BYTES, T::NAME);
        let bytes = bytes.ok_or_else(|| unexpected(&expected(), &text))?;
        Ok(bytes.chunks(T::BYTES).map(T::from_bytes).collect())
    }
}

/// Bits: for `#[serde(with = "bits")]`.
pub(crate) mod bits {
    use super::{Deserialize, Deserializer, Serializer, unexpected};

    pub(crate) fn serialize<S: Serializer>(bits: &[bool], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect::<String>())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<bool>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bit = |digit: u8| matches!(digit, b'0' | b'1').then_some(digit == b'1');
        let bits: Option<_> = text.bytes().map(bit).collect();
        bits.ok_or_else(|| unexpected("digits 0 or 1", &text))
    }
}

/// Why something that was read is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub(crate) struct Refusal {
    /// Where, as `input.p0.root`.
    pub(crate) field: String,
    /// What would have been right.
    pub(crate) expected: String,
    /// What was there.
    pub(crate) got: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { field, expected, got } = self;
        write!(formatter, "{field}: expected {expected}, got {got}")
    }
}

impl Refusal {
    /// A refusal of the field at a path.
    pub(crate) fn new(field: &str, expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self { field: field.to_owned(), expected: expected.into(), got: got.into() }
    }

    /// serde's words, which are one of "expected X, got Y" ([`unexpected`]), "Y, expected X" and "missing field X".
    fn from_serde(root: &str, error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = error.path().to_string();
        let field = if path == "." { root.to_owned() } else { format!("{root}.{path}") };
        let text = error.inner().to_string();
        if let Some((expected, got)) =
            text.strip_prefix("expected ").and_then(|rest| rest.split_once(", got "))
        {
            return Self::new(&field, expected, got);
        }
        if let Some((got, expected)) = text.split_once(", expected ") {
            return Self::new(&field, expected, shown(got));
        }
        Self::new(&field, shown(&text), "nothing")
    }
}

/// A value that was read from JSON, as what it should be; `root` is what the refusal calls the whole.
pub(crate) fn read<T: de::DeserializeOwned>(root: &str, value: &serde_json::Value) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(value).map_err(|error| Refusal::from_serde(root, &error))
}
