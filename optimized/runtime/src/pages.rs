//! Large pages for vectors that operations go through from end to end, and for the labels of trees that grow.
//!
//! A scan that comes to a new page of 4 KiB every few nanoseconds, in four places at once, waits for translations of addresses as much as for
//! words: on an AMD EPYC of family 26 (Zen 5) reading `2^22` words takes 0.27 ns a word in such pages, and 0.18 in pages of 2 MiB. Linux
//! gives those to whoever asks (`/sys/kernel/mm/transparent_hugepage/enabled` is `madvise` or `always`), for pages that are not there
//! yet; elsewhere, or if it says no, everything works as before.
// The one call below is all the unsafe code of this crate.
#![allow(unsafe_code)]

use std::hint::black_box;

use duoram_reference::Word;

/// Words in a page of memory.
const PAGE: usize = 512;

/// Bytes of a large page.
const LARGE: usize = 2 << 20;

/// `words` zeros whose pages are there, the first operation should not pay for them, and are large if they may be.
#[must_use]
pub fn resident_zeros(words: usize) -> Vec<Word> {
    let mut zeros = vec![0; words];
    ask_for_large(&zeros);
    for page in zeros.chunks_mut(PAGE) {
        page[0] = black_box(0);
    }
    zeros
}

/// Asks for large pages wherever a vector's pages are not there yet, if it is so long that it has one in any place.
#[cfg(target_os = "linux")]
pub fn ask_for_large<T>(values: &[T]) {
    use rustix::mm::{Advice, madvise};
    let Some(whole) = large_part(values) else { return };
    // SAFETY: the range is within one allocation, and the advice changes nothing that is stored there. That it was not taken is no error.
    let _ = unsafe { madvise(whole.as_ptr().cast_mut().cast(), size_of_val(whole), Advice::LinuxHugepage) };
}

/// The large pages that a vector has in whole: these are aligned to their size, and advice is given of whole pages.
#[cfg(target_os = "linux")]
fn large_part<T>(values: &[T]) -> Option<&[T]> {
    if size_of_val(values) < 2 * LARGE {
        return None;
    }
    let whole = values.get(values.as_ptr().align_offset(LARGE)..)?;
    Some(&whole[..size_of_val(whole) / LARGE * (LARGE / size_of::<T>())])
}

/// Other systems have no such advice.
#[cfg(not(target_os = "linux"))]
pub fn ask_for_large<T>(_values: &[T]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use duoram_kernel::{Backend, Features, Workers};
    use duoram_reference::SessionKey;

    use super::*;
    use crate::fast::Fast;

    /// Words in a large page.
    const LARGE: usize = super::LARGE / size_of::<Word>();

    /// Whether large pages were asked for around the middle of a vector, by what the kernel says of the mapping that it is in:
    /// `VmFlags` of `/proc/self/smaps`. Where Linux has none at all, it is true of every one.
    fn asked<T>(values: &[T]) -> bool {
        if !fs::exists("/sys/kernel/mm/transparent_hugepage/enabled").unwrap() {
            return true;
        }
        let place = (&raw const values[values.len() / 2]).addr();
        let smaps = fs::read_to_string("/proc/self/smaps").unwrap();
        let mut inside = false;
        for line in smaps.lines() {
            let range = line.split_whitespace().next().and_then(|range| range.split_once('-'));
            let number = |hex| usize::from_str_radix(hex, 16).ok();
            if let Some((Some(start), Some(end))) = range.map(|(start, end)| (number(start), number(end))) {
                inside = (start..end).contains(&place);
            } else if let (true, Some(flags)) = (inside, line.strip_prefix("VmFlags:")) {
                return flags.split(' ').any(|flag| flag == "hg");
            }
        }
        false
    }

    #[test]
    fn large_pages_are_asked_for_where_a_vector_has_room_for_them() {
        for words in [2 * LARGE, 2 * LARGE + 1, 8 * LARGE] {
            assert!(asked(&resident_zeros(words)), "{words} words");
            let loaded: Vec<Word> = vec![7; words];
            ask_for_large(&loaded);
            assert!(asked(&loaded) && loaded.iter().all(|word| *word == 7), "{words} words");
        }
    }

    #[test]
    fn large_pages_are_asked_for_where_labels_of_trees_will_be() {
        let backend = Backend::best(&Features::detect());
        let key = SessionKey::new(*b"a key for pages.");
        let forest = Fast::new(backend, Workers::one(), 0).planted(&key, vec![1; 8], 17);
        assert_eq!(size_of_val(forest.trees.memory()), 8 * super::LARGE);
        assert!(asked(forest.trees.memory()));
    }

    /// What a shorter vector's pages are, its neighbours decide: only that nothing is asked for is known.
    #[test]
    fn whole_aligned_pages_are_asked_for_and_nothing_of_a_vector_that_may_have_none() {
        let words: Vec<Word> = vec![0; 8 * LARGE + 3];
        assert!(large_part(&words[..2 * LARGE - 1]).is_none());
        for first in [0, 1, LARGE - 1, LARGE] {
            let part = large_part(&words[first..]).unwrap();
            assert!(part.as_ptr().addr().is_multiple_of(8 * LARGE) && part.len().is_multiple_of(LARGE));
            assert!(part.len() + 2 * LARGE > words.len() - first, "{first}");
            assert!(words[first..].as_ptr_range().end >= part.as_ptr_range().end);
        }
    }

    #[test]
    fn zeros_are_zeros() {
        for words in [0, 1, PAGE, PAGE + 1, 2 * LARGE + 3] {
            assert_eq!(resident_zeros(words), vec![0; words]);
        }
    }
}
