//! The bundled sample: `samples/README.md` says what it holds.

use duoram_runtime::input::Error;
use duoram_runtime::input::memory_file::{MemoryFile, Rest};
use duoram_runtime::input::script::Script;

/// The memory.
///
/// # Errors
///
/// None, as long as the sample is well-formed.
pub fn memory(form: (usize, Rest)) -> Result<MemoryFile, Error> {
    let bytes = include_bytes!("../samples/ring.bin");
    MemoryFile::from_bytes("samples/ring.bin (bundled)".to_owned(), form, bytes)
}

/// The script, for a memory of `size` words.
///
/// # Errors
///
/// [`Error::AddressOutOfRange`], if the memory is smaller than the bundled one.
pub fn script(size: u64, row_words: usize) -> Result<Script, Error> {
    Script::parse("samples/sample.ops (bundled)", include_str!("../samples/sample.ops"), size, row_words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_what_its_readme_says() {
        let ring: Vec<u64> = (0..1000).map(|i| (421 * i + 337) % 1000).collect();
        assert_eq!(memory((1, Rest::Nothing)).unwrap().words(), ring);
        // One ring through all 1000 words: a chase of 1000 steps returns to where it started, and no sooner.
        let mut place = 0;
        for step in 1..=1000 {
            place = ring[usize::try_from(place).unwrap()];
            assert_eq!(place == 0, step == 1000);
        }
    }
}
