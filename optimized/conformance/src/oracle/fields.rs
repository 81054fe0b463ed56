//! Reading a request: values written as in the test vectors (`spec/vectors/README.md`), and refusals that say what was
//! expected and what was there instead.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

pub(super) use crate::encoding::Refusal;
use crate::encoding::{bytes_of, shown as shortened};

/// A value as a refusal shows it: its beginning, if it is long.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(fields) => format!("an object with {} fields", fields.len()),
        simple => simple.to_string(),
    };
    shortened(&text)
}

/// A JSON object that has certain fields and no others.
pub(super) struct Fields<'a> {
    path: String,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The object at `path`, which may have the fields `known`.
    pub(super) fn new(path: &str, value: &'a Value, known: &[&str]) -> Result<Self, Refusal> {
        let refusal = |field: String, expected: String, got| Refusal { field, expected, got };
        let Value::Object(object) = value else {
            return Err(refusal(path.to_owned(), "an object".to_owned(), shown(value)));
        };
        match object.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                let expected = format!("one of the fields {}", known.join(", "));
                Err(refusal(path.to_owned(), expected, shown(&Value::from(name.as_str()))))
            }
            None => Ok(Self { path: path.to_owned(), object }),
        }
    }

    /// A refusal of one of the fields, as it is.
    pub(super) fn refuse(&self, name: &str, expected: impl Into<String>) -> Refusal {
        let got = self.object.get(name).map_or_else(|| "nothing".to_owned(), shown);
        Refusal { field: self.place(name), expected: expected.into(), got }
    }

    fn place(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }

    /// Whether a field is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    /// An object in the object.
    pub(super) fn object(&self, name: &str, known: &[&str]) -> Result<Self, Refusal> {
        let value = self.object.get(name).ok_or_else(|| self.refuse(name, "an object"))?;
        Self::new(&self.place(name), value, known)
    }

    /// Exactly `N` objects or strings in an array.
    pub(super) fn array<const N: usize>(&self, name: &str) -> Result<[&'a Value; N], Refusal> {
        let items = self.object.get(name).and_then(Value::as_array).map(|items| items.iter().collect());
        let items: Option<[&Value; N]> = items.and_then(|items: Vec<_>| items.try_into().ok());
        items.ok_or_else(|| self.refuse(name, format!("an array of {N}")))
    }

    /// A text.
    pub(super) fn text(&self, name: &str, expected: &str) -> Result<&'a str, Refusal> {
        self.object.get(name).and_then(Value::as_str).ok_or_else(|| self.refuse(name, expected))
    }

    /// A JSON number.
    pub(super) fn number(&self, name: &str, range: RangeInclusive<u64>) -> Result<u64, Refusal> {
        let number = self.object.get(name).and_then(Value::as_u64).filter(|number| range.contains(number));
        number.ok_or_else(|| self.refuse(name, format!("a number from {} to {}", range.start(), range.end())))
    }

    /// Hexadecimal digits of exactly so many bytes.
    fn bytes(&self, name: &str, count: usize, what: &str) -> Result<Vec<u8>, Refusal> {
        let value = self.object.get(name).and_then(Value::as_str);
        let expected = || format!("{} hexadecimal digits ({what})", 2 * count);
        value.filter(|text| text.len() == 2 * count).and_then(bytes_of).ok_or_else(|| {
            let length = value.filter(|text| text.len() != 2 * count);
            let refusal = self.refuse(name, expected());
            match length {
                Some(text) => Refusal { got: format!("{} digits: {}", text.len(), refusal.got), ..refusal },
                None => refusal,
            }
        })
    }

    /// 16 bytes: an AES key.
    pub(super) fn session_key(&self, name: &str) -> Result<[u8; 16], Refusal> {
        self.bytes(name, 16, "a key of 16 bytes").map(|bytes| bytes.as_chunks().0[0])
    }

    /// 32 bytes: a party's seed.
    pub(super) fn seed(&self, name: &str) -> Result<[u8; 32], Refusal> {
        self.bytes(name, 32, "a seed of 32 bytes").map(|bytes| bytes.as_chunks().0[0])
    }

    /// Words, as many as there are, at least one.
    pub(super) fn some_words(&self, name: &str) -> Result<Vec<u64>, Refusal> {
        let digits = self.text(name, "hexadecimal digits")?.len();
        self.words(name, digits.div_ceil(16).max(1))
    }

    /// The objects of an array, at most so many, each with its path.
    pub(super) fn objects(&self, name: &str, most: usize) -> Result<Vec<(String, &'a Value)>, Refusal> {
        let items = self.object.get(name).and_then(Value::as_array).filter(|items| items.len() <= most);
        let items = items.ok_or_else(|| self.refuse(name, format!("an array of at most {most}")))?;
        Ok(items.iter().enumerate().map(|(i, item)| (format!("{}[{i}]", self.place(name)), item)).collect())
    }

    /// A word.
    pub(super) fn word(&self, name: &str) -> Result<u64, Refusal> {
        self.bytes(name, 8, "a word").map(|bytes| words(&bytes)[0])
    }

    /// A word below `size`, such as a share of an index.
    pub(super) fn word_below(&self, name: &str, size: usize) -> Result<u64, Refusal> {
        let word = self.word(name)?;
        if word < size as u64 { Ok(word) } else { Err(self.refuse(name, format!("a word below {size}"))) }
    }

    /// So many words.
    pub(super) fn words(&self, name: &str, count: usize) -> Result<Vec<u64>, Refusal> {
        self.bytes(name, 8 * count, &format!("{count} words")).map(|bytes| words(&bytes))
    }

    /// A block.
    pub(super) fn block(&self, name: &str) -> Result<u128, Refusal> {
        self.bytes(name, 16, "a block").map(|bytes| blocks(&bytes)[0])
    }

    /// So many blocks.
    pub(super) fn blocks(&self, name: &str, count: usize) -> Result<Vec<u128>, Refusal> {
        self.bytes(name, 16 * count, &format!("{count} blocks")).map(|bytes| blocks(&bytes))
    }

    /// So many bits, as digits 0 and 1.
    pub(super) fn bits(&self, name: &str, count: usize) -> Result<Vec<bool>, Refusal> {
        let text = self.object.get(name).and_then(Value::as_str).filter(|text| text.len() == count);
        let bits = text.and_then(|text| {
            text.bytes().map(|digit| matches!(digit, b'0' | b'1').then_some(digit == b'1')).collect()
        });
        bits.ok_or_else(|| self.refuse(name, format!("{count} digits 0 or 1")))
    }

    /// lg of the number of items of `digits` hexadecimal digits in a string: 2^h items for an h in the range.
    pub(super) fn log_count(
        &self,
        name: &str,
        digits: usize,
        range: &RangeInclusive<u64>,
    ) -> Result<u32, Refusal> {
        let text = self.text(name, "hexadecimal digits")?;
        let count = text.len() / digits;
        let log_count = count
            .checked_ilog2()
            .filter(|log_count| digits << log_count == text.len() && range.contains(&u64::from(*log_count)));
        log_count.ok_or_else(|| {
            let Refusal { field, got, .. } = self.refuse(name, "");
            let expected = format!(
                "2^h times {digits} hexadecimal digits, for an h from {} to {}",
                range.start(),
                range.end()
            );
            Refusal { field, expected, got: format!("{} digits: {got}", text.len()) }
        })
    }
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

fn blocks(bytes: &[u8]) -> Vec<u128> {
    bytes.as_chunks().0.iter().map(|bytes| u128::from_le_bytes(*bytes)).collect()
}
