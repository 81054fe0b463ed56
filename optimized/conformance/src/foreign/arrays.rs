//! Arrays as the header promises them: aligned, apart from each other, and watched: whatever a kernel reads or writes
//! outside of them, by one byte, on either side, is seen in one of two calls.

use std::io;

use duoram_reference::Word;
use serde::{Deserialize, Serialize};

use super::pages::Pages;

/// What stands around an array, and in an output before it is written.
const UNTOUCHED: Word = 0xa5a5_5a5a_c3c3_3c3c;

/// Where the arrays of a call lie in their pages. What is left of the page is watched for writes; beyond the page, reading
/// ends the process too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Placement {
    /// At the beginning of a page, before which nothing may be touched.
    Begin,
    /// At the end of a page, after which nothing may be touched. Inputs cannot be written, not even for a while.
    End,
}

/// Words that a kernel is given, in pages of their own.
pub(super) struct Array {
    name: &'static str,
    pages: Pages,
    offset: usize,
    length: usize,
    /// What the kernel may not change.
    before: Option<Vec<Word>>,
}

impl Array {
    fn new(placement: Placement, name: &'static str, words: &[Word], length: usize) -> io::Result<Self> {
        let mut pages = Pages::holding(length)?;
        let all = pages.words_mut();
        all.fill(UNTOUCHED);
        let offset = match placement {
            Placement::Begin => 0,
            Placement::End => all.len() - length,
        };
        all[offset..offset + words.len()].copy_from_slice(words);
        Ok(Self { name, pages, offset, length, before: None })
    }

    /// An array that must not be written to.
    pub(super) fn input(placement: Placement, name: &'static str, words: &[Word]) -> io::Result<Self> {
        let mut array = Self::new(placement, name, words, words.len())?;
        // At the beginning they may be written, so that whoever does so can be told where.
        if placement == Placement::End {
            array.pages.make_read_only()?;
        }
        array.before = Some(words.to_vec());
        Ok(array)
    }

    /// An array that is changed.
    pub(super) fn in_out(placement: Placement, name: &'static str, words: &[Word]) -> io::Result<Self> {
        Self::new(placement, name, words, words.len())
    }

    /// An array that is to be filled.
    pub(super) fn output(placement: Placement, name: &'static str, length: usize) -> io::Result<Self> {
        Self::new(placement, name, &[], length)
    }

    /// Where its first word is; valid for as many words as it has, until it is dropped.
    pub(super) fn pointer(&mut self) -> *mut Word {
        self.pages.pointer(self.offset)
    }

    /// [`Array::pointer`] as a word, for arrays that point to others. A key is read by the kernel only, from memory whose
    /// address was given away with the call.
    pub(super) fn address(&mut self) -> Word {
        self.pointer().expose_provenance() as Word
    }

    /// What is in it now.
    pub(super) fn words(&self) -> &[Word] {
        &self.pages.words()[self.offset..self.offset + self.length]
    }

    /// What the kernel did to it that it must not do.
    pub(super) fn damage(&self) -> Option<String> {
        let name = self.name;
        let changed = |before: &Vec<Word>| before.iter().zip(self.words()).position(|(old, new)| old != new);
        if let Some(place) = self.before.as_ref().and_then(changed) {
            return Some(format!("wrote to {name}, an input, at byte {}", 8 * place));
        }
        let (before, rest) = self.pages.words().split_at(self.offset);
        let touched = |word: &Word| *word != UNTOUCHED;
        if let Some(place) = before.iter().rposition(touched) {
            let distance = 8 * (before.len() - place);
            return Some(format!("wrote {distance} bytes before the beginning of {name}"));
        }
        rest[self.length..]
            .iter()
            .any(touched)
            .then(|| format!("wrote past the end of {name}, which has {} bytes", 8 * self.length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_outside_and_to_inputs_are_found() {
        for placement in [Placement::Begin, Placement::End] {
            let fresh = Array::input(placement, "a", &[1, 2, 3]).unwrap();
            assert!(fresh.damage().is_none() && fresh.words() == [1, 2, 3]);
            let mut output = Array::output(placement, "b", 8).unwrap();
            let offset = output.offset;
            output.pages.words_mut()[offset..offset + 8].fill(0);
            assert!(output.damage().is_none() && output.words() == [0; 8]);
        }
        let mut input = Array::input(Placement::Begin, "a", &[1, 2, 3]).unwrap();
        input.pages.words_mut()[2] = 4;
        assert_eq!(input.damage().unwrap(), "wrote to a, an input, at byte 16");
        let mut output = Array::output(Placement::Begin, "b", 8).unwrap();
        output.pages.words_mut()[8] = 0;
        assert_eq!(output.damage().unwrap(), "wrote past the end of b, which has 64 bytes");
        let mut changed = Array::in_out(Placement::End, "c", &[5]).unwrap();
        let offset = changed.offset;
        changed.pages.words_mut()[offset] = 6;
        assert!(changed.damage().is_none() && changed.words() == [6]);
        changed.pages.words_mut()[offset - 1] = 0;
        assert_eq!(changed.damage().unwrap(), "wrote 8 bytes before the beginning of c");
    }

    /// `duoram_kernel.h`, Arrays: the largest power of two that divides the size, up to 64.
    #[test]
    fn arrays_are_aligned_as_the_header_says() {
        for placement in [Placement::Begin, Placement::End] {
            for words in 1..40_usize {
                let mut array = Array::output(placement, "a", words).unwrap();
                let alignment = 1 << (8 * words).trailing_zeros().min(6);
                assert_eq!(array.pointer().addr() % alignment, 0, "{words} words, {placement:?}");
            }
        }
    }
}
