//! Operations on a memory, one a line.
//!
//! ```text
//! read I              opens D[I]
//! update I DELTA      D[I] <- D[I] + DELTA, or D[I] xor DELTA in the lean protocol
//! write I VALUE       D[I] <- VALUE
//! swap I VALUE        the same, and opens what D[I] was
//! chase I STEPS       a <- I; STEPS times: a <- D[a mod n]; opens the last a, and nothing in between
//! # a comment, up to the end of the line
//! ```
//!
//! Numbers are decimal or `0x` hexadecimal; DELTA and VALUE may be negative (two's complement). Where an address holds a row of
//! words, DELTA and VALUE are as many numbers, and a chase goes on with the first word of each row.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use duoram_reference::{Batch, Word};

use super::Error;
use crate::operation::{Operation, Row, demand};
use crate::protocol::Rules;

/// The most preprocessed items that one script may need.
pub const MOST_ITEMS: usize = 1 << 20;

/// The longest script, in bytes: lines of all items with room for comments.
const MOST_BYTES: u64 = 64 << 20;

/// All there is to read, up to one byte more than a script may have: some files never end.
fn read(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A checked list of operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The script's name, for messages.
    pub name: String,
    /// Each operation with its line, from 1.
    pub operations: Vec<(usize, Operation)>,
}

impl Script {
    /// Reads a script for a memory of `size` rows of so many words; `-` is standard input.
    ///
    /// # Errors
    ///
    /// [`Error::File`], [`Error::ScriptTooLong`], [`Error::ScriptNotText`], and those of [`Self::parse`].
    pub fn open(path: &Path, size: u64, row_words: usize) -> Result<Self, Error> {
        let (name, bytes) = if path == Path::new("-") {
            let name = "standard input".to_owned();
            let bytes = read(io::stdin().lock());
            (name.clone(), bytes.map_err(|source| Error::File { path: name.into(), source })?)
        } else {
            let bytes = File::open(path).and_then(read);
            let failed = |source| Error::File { path: path.to_owned(), source };
            (path.display().to_string(), bytes.map_err(failed)?)
        };
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Error::ScriptTooLong { name, most: MOST_BYTES });
        }
        match std::str::from_utf8(&bytes) {
            // Some editors begin a text with a mark of its encoding.
            Ok(text) => Self::parse(&name, text.strip_prefix('\u{feff}').unwrap_or(text), size, row_words),
            Err(error) => {
                let line = bytes[..=error.valid_up_to()].split(|&byte| byte == b'\n').count();
                Err(Error::ScriptNotText { name, line })
            }
        }
    }

    /// Parses a script for a memory of `size` rows of so many words.
    ///
    /// # Errors
    ///
    /// [`Error::ScriptLine`], [`Error::AddressOutOfRange`], [`Error::TooManyItems`], [`Error::EmptyScript`].
    pub fn parse(name: &str, text: &str, size: u64, row_words: usize) -> Result<Self, Error> {
        let mut operations = Vec::new();
        let mut items = 0_usize;
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or_default();
            let fields: Vec<&str> = text.split_whitespace().collect();
            let refuse = |expected: &str, got: String| Error::ScriptLine {
                name: name.to_owned(),
                line,
                expected: expected.to_owned(),
                got,
            };
            let operation = match fields.as_slice() {
                [] => continue,
                ["read", address] => Operation::Read { address: address_of(address, &refuse)? },
                ["update", address, delta @ ..] if delta.len() == row_words => Operation::Update {
                    address: address_of(address, &refuse)?,
                    delta: row_of(delta, "DELTA", &refuse)?,
                },
                ["write", address, value @ ..] if value.len() == row_words => Operation::Write {
                    address: address_of(address, &refuse)?,
                    value: row_of(value, "VALUE", &refuse)?,
                },
                ["swap", address, value @ ..] if value.len() == row_words => Operation::Swap {
                    address: address_of(address, &refuse)?,
                    value: row_of(value, "VALUE", &refuse)?,
                },
                ["chase", address, steps] => Operation::Chase {
                    address: address_of(address, &refuse)?,
                    steps: steps_of(steps, &refuse)?,
                },
                [keyword, arguments @ ..] => {
                    let form = match *keyword {
                        "read" => "'read I'",
                        "update" => "'update I DELTA'",
                        "write" => "'write I VALUE'",
                        "swap" => "'swap I VALUE'",
                        "chase" => "'chase I STEPS'",
                        _ => {
                            let expected = "one of 'read', 'update', 'write', 'swap', 'chase'";
                            return Err(refuse(expected, format!("'{}'", keyword.escape_debug())));
                        }
                    };
                    let row = match *keyword {
                        "update" | "write" | "swap" if row_words > 1 => {
                            format!(" with {row_words} numbers after I, the words of a row")
                        }
                        _ => String::new(),
                    };
                    let got = format!("'{keyword}' with {} numbers", arguments.len());
                    return Err(refuse(&format!("{form}{row}"), got));
                }
            };
            let got = operation.address();
            if got >= size {
                let unit = if row_words == 1 { "words" } else { "rows" };
                return Err(Error::AddressOutOfRange { name: name.to_owned(), line, size, unit, got });
            }
            items = items.saturating_add(operation.most_items());
            if items > MOST_ITEMS {
                return Err(Error::TooManyItems { name: name.to_owned(), line, most: MOST_ITEMS });
            }
            operations.push((line, operation));
        }
        if operations.is_empty() {
            return Err(Error::EmptyScript { name: name.to_owned() });
        }
        Ok(Self { name: name.to_owned(), operations })
    }

    /// The items that the whole script uses up.
    pub fn demand<P: Rules>(&self) -> Batch {
        demand::<P>(self.operations.iter().map(|(_, operation)| operation))
    }
}

/// A number of digits only, decimal or after `0x`; `None` of any other text, and from 2^64.
pub fn unsigned(text: &str) -> Option<Word> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    // from_str_radix takes a sign, which a script does not.
    digits.chars().all(|c| c.is_digit(radix)).then(|| Word::from_str_radix(digits, radix).ok()).flatten()
}

/// The same with a sign before it, in two's complement: from -2^63 to 2^64 - 1.
pub fn signed(text: &str) -> Option<Word> {
    match text.strip_prefix('-') {
        Some(magnitude) => {
            unsigned(magnitude).filter(|&magnitude| magnitude <= 1 << 63).map(Word::wrapping_neg)
        }
        None => unsigned(text),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.escape_debug())
}

fn address_of(text: &str, refuse: &dyn Fn(&str, String) -> Error) -> Result<Word, Error> {
    unsigned(text).ok_or_else(|| refuse("an address I, decimal or 0x hexadecimal", quoted(text)))
}

fn signed_of(text: &str, what: &str, refuse: &dyn Fn(&str, String) -> Error) -> Result<Word, Error> {
    signed(text).ok_or_else(|| {
        refuse(&format!("{what}, a 64-bit number, decimal or 0x hexadecimal, perhaps negative"), quoted(text))
    })
}

fn row_of(texts: &[&str], what: &str, refuse: &dyn Fn(&str, String) -> Error) -> Result<Row, Error> {
    texts.iter().map(|text| signed_of(text, what, refuse)).collect()
}

fn steps_of(text: &str, refuse: &dyn Fn(&str, String) -> Error) -> Result<usize, Error> {
    unsigned(text)
        .and_then(|steps| usize::try_from(steps).ok())
        .filter(|&steps| steps > 0)
        .ok_or_else(|| refuse("STEPS, a number from 1", quoted(text)))
}

#[cfg(test)]
mod tests {
    use duoram_reference::Paper;
    use duoram_reference::lean::Lean;

    use super::*;

    #[test]
    fn all_operations_comments_and_both_bases() {
        let text = "# all\nread 0x10 # sixteen\n\nupdate 1 -1\r\n  write 2\t0xff\nchase 3 4\nswap 4 -2";
        let script = Script::parse("test", text, 17, 1).unwrap();
        assert_eq!(
            script.operations,
            [
                (2, Operation::Read { address: 16 }),
                (4, Operation::Update { address: 1, delta: vec![Word::MAX] }),
                (5, Operation::Write { address: 2, value: vec![255] }),
                (6, Operation::Chase { address: 3, steps: 4 }),
                (7, Operation::Swap { address: 4, value: vec![Word::MAX - 1] }),
            ]
        );
        assert_eq!(script.demand::<Paper>(), Batch { reads: 7, updates: 3 });
        assert_eq!(script.demand::<Lean>(), Batch { reads: 5, updates: 3 });
    }

    #[test]
    fn rows_are_as_many_numbers_as_they_have_words() {
        let text = "read 4\nupdate 1 -1 0x10\nwrite 2 3 4\nswap 3 5 -6\nchase 0 7";
        let operations: Vec<_> = Script::parse("test", text, 5, 2)
            .unwrap()
            .operations
            .into_iter()
            .map(|(_, operation)| operation)
            .collect();
        assert_eq!(
            operations,
            [
                Operation::Read { address: 4 },
                Operation::Update { address: 1, delta: vec![Word::MAX, 16] },
                Operation::Write { address: 2, value: vec![3, 4] },
                Operation::Swap { address: 3, value: vec![5, Word::MAX - 5] },
                Operation::Chase { address: 0, steps: 7 },
            ]
        );
        let printed: Vec<_> = operations.iter().map(Operation::to_string).collect();
        assert_eq!(printed.join("\n"), text.replace("0x10", "16"));
        for text in ["update 1 2", "write 1 2 3 4", "swap 1", "chase 1 2 3", "read 5"] {
            assert!(Script::parse("test", text, 5, 2).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_up_to_the_edges() {
        assert_eq!(signed("-9223372036854775808"), Some(1 << 63));
        assert_eq!(signed("-9223372036854775809"), None);
        assert_eq!(signed("18446744073709551615"), Some(Word::MAX));
        assert_eq!(signed("18446744073709551616"), None);
        for text in ["", "-", "+1", "0x", "0x+1", "--1", "1_000", "1.0", "0X1", "\u{661}"] {
            assert_eq!(signed(text), None, "{text}");
        }
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let refuse = |text: &str| Script::parse("s", text, 8, 1).unwrap_err().to_string();
        assert_eq!(
            refuse("\nread 8"),
            "s, line 2: expected an address below 8 (the words of the memory), got 8"
        );
        assert_eq!(refuse("read"), "s, line 1: expected 'read I', got 'read' with 0 numbers");
        assert_eq!(
            refuse("peek 1"),
            "s, line 1: expected one of 'read', 'update', 'write', 'swap', 'chase', got 'peek'"
        );
        assert_eq!(refuse("read 1\nread -1").split(", got").last(), Some(" '-1'"));
        assert_eq!(refuse("chase 1 0"), "s, line 1: expected STEPS, a number from 1, got '0'");
        assert!(refuse("chase 1 1048576\nread 0").contains("line 2: the script needs more than"));
        assert!(refuse("# nothing").contains("at least one operation"));
    }
}
