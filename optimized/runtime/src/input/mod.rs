//! What a person gives: a memory as a file, and a script of operations on it.

pub mod memory_file;
pub mod script;

use std::io;
use std::path::PathBuf;

/// What is wrong with it: expected, and got.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A memory without a word.
    #[error("{name}: the file is empty, expected at least one 64-bit word (8 bytes)")]
    EmptyMemory {
        /// The file.
        name: String,
    },
    /// A file that does not consist of rows.
    #[error("{name}: expected a multiple of {} bytes ({}64-bit little-endian words), got {got} bytes", 8 * row_words, rows_of(*row_words))]
    PartialRow {
        /// The file.
        name: String,
        /// The words of a row.
        row_words: usize,
        /// Its length.
        got: u64,
    },
    /// Memory that the operating system refuses.
    #[error("{name}: there is no room for {words} words of 8 bytes")]
    NoRoom {
        /// The file.
        name: String,
        /// Its words, with padding.
        words: u64,
    },
    /// A script that is not text.
    #[error("{name}: expected UTF-8 text, got other bytes in line {line}")]
    ScriptNotText {
        /// The file.
        name: String,
        /// The first line that is not.
        line: usize,
    },
    /// A script that never ends.
    #[error("{name}: expected a script of at most {most} bytes")]
    ScriptTooLong {
        /// The script.
        name: String,
        /// The limit.
        most: u64,
    },
    /// A line that is no operation.
    #[error("{name}, line {line}: expected {expected}, got {got}")]
    ScriptLine {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What would have been right.
        expected: String,
        /// What was there.
        got: String,
    },
    /// An address outside the file. The padding to a power of two is not to be addressed.
    #[error("{name}, line {line}: expected an address below {size} (the {unit} of the memory), got {got}")]
    AddressOutOfRange {
        /// The script.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The number of addresses.
        size: u64,
        /// What they are of: words or rows.
        unit: &'static str,
        /// The address.
        got: u64,
    },
    /// A script without an operation.
    #[error("{name}: expected at least one operation (read, update, write, swap, chase), got none")]
    EmptyScript {
        /// The script.
        name: String,
    },
    /// More operations than one run prepares.
    #[error("{name}, line {line}: the script needs more than {most} preprocessed items up to here")]
    TooManyItems {
        /// The script.
        name: String,
        /// The line at which it became too many, from 1.
        line: usize,
        /// The limit.
        most: usize,
    },
}

/// What the words of a memory file make up, if it is more than one each.
fn rows_of(row_words: usize) -> String {
    if row_words == 1 { String::new() } else { format!("rows of {row_words} ") }
}
