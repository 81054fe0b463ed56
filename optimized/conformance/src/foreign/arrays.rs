//! Arrays as the header promises them: aligned, apart from each other, and watched for writes where none may be.

use duoram_reference::Word;

/// What stands around an array, and in an output before it is written.
const UNTOUCHED: Word = 0xa5a5_5a5a_c3c3_3c3c;

/// Words in a line of 64 bytes.
const LINE: usize = 8;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([Word; LINE]);

/// Words that a kernel is given, with a line of its own before and after.
pub(super) struct Array {
    name: &'static str,
    lines: Vec<Line>,
    length: usize,
    /// What the kernel may not change: an input in whole, of an output what is around it.
    before: Option<Vec<Word>>,
}

impl Array {
    fn new(name: &'static str, words: &[Word], length: usize, input: bool) -> Self {
        let mut lines = vec![Line([UNTOUCHED; LINE]); length.div_ceil(LINE) + 2];
        for (line, words) in lines[1..].iter_mut().zip(words.chunks(LINE)) {
            line.0[..words.len()].copy_from_slice(words);
        }
        Self { name, lines, length, before: input.then(|| words.to_vec()) }
    }

    /// An array that must not be written to.
    pub(super) fn input(name: &'static str, words: &[Word]) -> Self {
        Self::new(name, words, words.len(), true)
    }

    /// An array that is changed.
    pub(super) fn in_out(name: &'static str, words: &[Word]) -> Self {
        Self::new(name, words, words.len(), false)
    }

    /// An array that is to be filled.
    pub(super) fn output(name: &'static str, length: usize) -> Self {
        Self::new(name, &[], length, false)
    }

    /// Where its first word is; valid for as many words as it has, until it is dropped.
    pub(super) fn pointer(&mut self) -> *mut Word {
        self.lines.as_mut_ptr().wrapping_add(1).cast()
    }

    /// [`Array::pointer`] as a word, for arrays that point to others. A key is read by the kernel only, from memory whose
    /// address was given away with the call.
    pub(super) fn address(&mut self) -> Word {
        self.pointer().expose_provenance() as Word
    }

    /// What is in it now.
    pub(super) fn words(&self) -> Vec<Word> {
        self.all().skip(LINE).take(self.length).collect()
    }

    fn all(&self) -> impl Iterator<Item = Word> {
        self.lines.iter().flat_map(|line| line.0)
    }

    /// What the kernel did to it that it must not do.
    pub(super) fn damage(&self) -> Option<String> {
        let name = self.name;
        if let Some(place) = self
            .before
            .as_ref()
            .and_then(|before| before.iter().zip(self.words()).position(|(before, after)| *before != after))
        {
            return Some(format!("wrote to {name}, an input, at byte {}", 8 * place));
        }
        let outside = |place: &usize| !(LINE..LINE + self.length).contains(place);
        let (place, _) = self
            .all()
            .enumerate()
            .filter(|(place, _)| outside(place))
            .find(|(_, word)| *word != UNTOUCHED)?;
        Some(if place < LINE {
            format!("wrote {} bytes before the beginning of {name}", 8 * (LINE - place))
        } else {
            format!("wrote past the end of {name}, which has {} bytes", 8 * self.length)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_outside_and_to_inputs_are_found() {
        assert!(Array::input("a", &[1, 2, 3]).damage().is_none());
        let mut input = Array::input("a", &[1, 2, 3]);
        input.lines[1].0[2] = 4;
        assert_eq!(input.damage().unwrap(), "wrote to a, an input, at byte 16");
        let mut output = Array::output("b", 8);
        output.lines[1].0 = [0; LINE];
        assert!(output.damage().is_none());
        assert_eq!(output.words(), [0; 8]);
        output.lines[2].0[0] = 0;
        assert_eq!(output.damage().unwrap(), "wrote past the end of b, which has 64 bytes");
        let mut changed = Array::in_out("c", &[5]);
        changed.lines[1].0[0] = 6;
        assert!(changed.damage().is_none());
        changed.lines[0].0[7] = 0;
        assert_eq!(changed.damage().unwrap(), "wrote 8 bytes before the beginning of c");
        assert_eq!(changed.pointer() as usize % 64, 0);
    }
}
