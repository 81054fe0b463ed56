//! Memory files and scripts of operations: never a panic, and what is read is what is written.
//!
//! The oracle for scripts is a second reader of the grammar, below, which says of every line what it means or that it is
//! refused. Then what was parsed is printed and parsed again. The memory's oracle is the list of its bytes.

use duoram_reference::{Batch, Paper};
use duoram_runtime::input::memory_file::{MemoryFile, Rest};
use duoram_runtime::input::script::{MOST_ITEMS, Script};
use duoram_runtime::operation::Operation;

/// The data is a memory of words, and of rows; but for its first two bytes, which are the size for which the rest is parsed, it is a
/// script, for words and for rows.
pub fn check(data: &[u8]) {
    for row_words in ROW_WORDS {
        memory(data, row_words);
    }
    let [low, high, bytes @ ..] = data else { return };
    // 0 stands for a memory that all addresses fit.
    let size = u64::from(u16::from_le_bytes([*low, *high])).checked_sub(1).unwrap_or(u64::MAX);
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            for row_words in ROW_WORDS {
                script(text, size, row_words);
            }
        }
        Err(error) => not_text(bytes, error.valid_up_to(), size),
    }
}

/// The words at an address.
const ROW_WORDS: [usize; 3] = [1, 2, 5];

fn memory(bytes: &[u8], row_words: usize) {
    match MemoryFile::from_bytes("memory".to_owned(), (row_words, Rest::Zeros), bytes) {
        Ok(file) => {
            let written: Vec<u8> = file.words().iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(written, bytes);
            let (padded, n) = (file.memory(), file.memory_rows());
            assert_eq!((padded.len(), file.rows() * row_words), (n * row_words, file.words().len()));
            assert!(n >= 2 && n.is_power_of_two() && n >= file.rows(), "{n} rows");
            assert!(n == 2 || n / 2 < file.rows(), "{n} is too large");
            assert_eq!(&padded[..file.words().len()], file.words());
            assert!(padded[file.words().len()..].iter().all(|&word| word == 0), "padding");
            let bare = MemoryFile::from_bytes("memory".to_owned(), (row_words, Rest::Nothing), bytes);
            assert_eq!(bare.expect("the same file").memory(), file.words());
        }
        Err(error) => {
            assert!(bytes.is_empty() || !bytes.len().is_multiple_of(8 * row_words), "refused: {error}");
        }
    }
}

fn script(text: &str, size: u64, row_words: usize) {
    let parsed = Script::parse("script", text, size, row_words);
    let expected = operations(text, size, row_words);
    match (&parsed, &expected) {
        (Ok(script), Some(operations)) => assert_eq!(&script.operations, operations),
        (Err(error), None) => assert!(error.to_string().starts_with("script"), "{error}"),
        (Ok(script), None) => panic!("should have been refused: {:?}", script.operations),
        (Err(error), Some(_)) => panic!("should have been accepted: {error}"),
    }
    let Ok(script) = parsed else { return };
    let printed: Vec<String> = script.operations.iter().map(|(_, operation)| operation.to_string()).collect();
    let again =
        Script::parse("script", &printed.join("\n"), size, row_words).expect("what was printed parses");
    let bare = |script: &Script| {
        script.operations.iter().map(|(_, operation)| operation.clone()).collect::<Vec<_>>()
    };
    assert_eq!(bare(&again), bare(&script));
    assert_eq!(again.demand::<Paper>(), script.demand::<Paper>());
    let Batch { reads, updates } = script.demand::<Paper>();
    assert!(reads + updates <= MOST_ITEMS, "{reads} + {updates} items");
}

/// A script that is not text is refused, by its line. It must come from a file, for only files can be so.
fn not_text(bytes: &[u8], valid: usize, size: u64) {
    let path = std::env::temp_dir().join(format!("duoram-fuzz-{}.ops", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    let error = Script::open(&path, size, 1).expect_err("not UTF-8").to_string();
    std::fs::remove_file(&path).expect("a temporary file");
    let line = bytes[..valid].split(|&byte| byte == b'\n').count();
    assert!(error.ends_with(&format!("line {line}")), "{error}: expected line {line}");
}

/// The grammar of `script.rs`, read a second time: the operations with their lines, or that some line is refused.
fn operations(text: &str, size: u64, row_words: usize) -> Option<Vec<(usize, Operation)>> {
    let (mut operations, mut items) = (Vec::new(), 0_u128);
    for (index, line) in text.split('\n').enumerate() {
        let code = line.find('#').map_or(line, |comment| &line[..comment]);
        let mut fields = code.split_whitespace();
        let Some(keyword) = fields.next() else { continue };
        let address = natural(fields.next()?).filter(|&address| address < u128::from(size))?;
        let address = u64::try_from(address).ok()?;
        let rest: Vec<&str> = fields.collect();
        let row = || {
            let row = rest.iter().map(|text| integer(text)).collect::<Option<Vec<_>>>()?;
            Some(row).filter(|row| row.len() == row_words)
        };
        let operation = match (keyword, &rest[..]) {
            ("read", []) => Operation::Read { address },
            ("update", _) => Operation::Update { address, delta: row()? },
            ("write", _) => Operation::Write { address, value: row()? },
            ("swap", _) => Operation::Swap { address, value: row()? },
            ("chase", [steps]) => {
                let steps = usize::try_from(natural(steps)?).ok().filter(|&steps| steps > 0)?;
                Operation::Chase { address, steps }
            }
            _ => return None,
        };
        items += match operation {
            Operation::Read { .. } | Operation::Update { .. } => 1,
            Operation::Write { .. } | Operation::Swap { .. } => 2,
            Operation::Chase { steps, .. } => steps as u128,
        };
        if items > MOST_ITEMS as u128 {
            return None;
        }
        operations.push((index + 1, operation));
    }
    (!operations.is_empty()).then_some(operations)
}

/// Decimal or `0x` hexadecimal digits, below 2^64.
fn natural(text: &str) -> Option<u128> {
    let (digits, base) = match text.as_bytes() {
        [b'0', b'x', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u128, |number, &digit| {
        let value = char::from(digit).to_digit(base)?;
        Some(number * u128::from(base) + u128::from(value)).filter(|&number| number < 1 << 64)
    })
}

/// The same with a sign: from -2^63 to 2^64 - 1, in two's complement.
fn integer(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        None => natural(text).and_then(|number| u64::try_from(number).ok()),
        Some(magnitude) => {
            let magnitude = natural(magnitude).filter(|&magnitude| magnitude <= 1 << 63)?;
            u64::try_from(magnitude).ok().map(u64::wrapping_neg)
        }
    }
}
