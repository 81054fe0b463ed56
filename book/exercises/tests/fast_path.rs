//! Exercises 19: what a word costs, sums taken apart, and what a stored level saves.
#![allow(missing_docs)]

use duoram_book_exercises::counting::Counting;
use duoram_spec::core::block::flag;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::{conversion_words, eval_full};
use duoram_spec::core::ring::XorWord;
use duoram_spec::core::share::{Primary, signed};
use duoram_spec::core::vector::dot;
use duoram_spec::lean::layers::{LayeredKey, flag_depth, unit_flags};
use duoram_spec::paper::conversion::unit_share;
use duoram_vectors::Random;

/// Exercise 19.1.
#[test]
fn what_bounds_a_read() {
    let mut r = Random(191);
    let prg = Counting::new(r.prg());
    let h = 8;
    let keys = [r.below(256), r.below(256)].map(|target| generate(&prg, target, h, r.block(), r.block()).0);
    prg.calls();
    let leaves: usize = keys.iter().map(|key| eval_full(&prg, key).len()).sum();
    let calls = prg.calls();
    assert_eq!(leaves, 2 * 256);
    assert_eq!(calls, 2 * 2 * 255);
    // In hundredths of a nanosecond a word, by the chapter's table: 33 a call, and 18 to load 16 bytes.
    let loading = 18;
    assert!(calls * 33 / 256 > 7 * loading, "the cipher bounds the paper's READ");
    // Lean, P0: the flags of two sides, of trees that end seven levels early.
    let h = 14;
    let (tree, _) = generate(&prg, 1, flag_depth(h), r.block(), r.block());
    let side = LayeredKey::<XorWord> { tree, flag_correction: r.block(), word_correction: vec![] };
    prg.calls();
    let flags = unit_flags(&prg, &side, h).len() + unit_flags(&prg, &side, h).len();
    let calls = prg.calls();
    assert_eq!((flags, calls), (2 << h, 2 * (2 * 127 + 128)));
    assert!(10 * calls * 33 / (1 << h) < loading, "memory does lean's");
}

/// Each word's sum with all before it: the words' sum, and the sum of these sums.
fn running(words: &[u64]) -> (u64, u64) {
    words.iter().fold((0, 0), |(sum, sums), word| (sum + word, sums + sum + word))
}

/// `sum_j j t[j]`, without a product a word: in `lanes` parts, each of which adds up its own.
fn weighted(t: &[u64], lanes: usize) -> u64 {
    let length = t.len() / lanes;
    let of_lane = |(lane, words): (usize, &[u64])| {
        let (sum, sums) = running(words);
        // Of what is before this part, and of the places in it: a word at k is in length - k of the sums.
        (lane * length) as u64 * sum + length as u64 * sum - sums
    };
    t.chunks(length).enumerate().map(of_lane).sum()
}

/// Exercise 19.2.
#[test]
fn places_are_weighed_without_a_product() {
    for case in 0..256 {
        let t: Vec<u64> = (0..8).map(|j| case >> j & 1).collect();
        let expected: u64 = (0..).zip(&t).map(|(j, word): (u64, _)| j * word).sum();
        for lanes in [1, 2, 4, 8] {
            assert_eq!(weighted(&t, lanes), expected, "{t:?} in {lanes} parts");
        }
    }
}

/// Exercise 19.3.
#[test]
fn a_product_with_a_unit_vector_in_one_pass() {
    let mut r = Random(193);
    let (prg, h) = (r.prg(), 5);
    let (item, _) = r.item::<u64>(&prg, h);
    let (made, factor) = (&item.dpf_1.generation, item.dpf_1.conversion.factor);
    let memory = r.words(1 << h);
    for (party, labels) in [(Primary::P0, &made.labels_0), (Primary::P1, &made.labels_1)] {
        // One addition under a mask and one product a leaf; the factor and the sign come once.
        let (mut chosen, mut weighed) = (0u64, 0u64);
        for (word, label) in memory.iter().zip(labels) {
            let mask = u64::from(flag(*label)).wrapping_neg();
            chosen = chosen.wrapping_add(word & mask);
            // P0's conversion words have no sign.
            let [conversion] = conversion_words::<u64>(Primary::P0, &[*label])[..] else {
                panic!("one label")
            };
            weighed = weighed.wrapping_add(word.wrapping_mul(conversion));
        }
        let fused = signed(party, factor.wrapping_mul(chosen).wrapping_sub(weighed));
        assert_eq!(fused, dot(&memory, &unit_share(party, labels, factor)));
    }
}

/// AES calls of growing a tree of height `h` level by level, with level `stored` kept (0: the root alone): each level is
/// made again from the kept one, and at the end all leaves once more.
fn calls_of_growth(h: u32, stored: u32) -> u64 {
    let from = |kept: u32, level: u32| 2 * ((1 << level) - (1 << kept));
    let kept_at = |level: u32| if level >= stored { stored } else { 0 };
    let write_down = if stored == 0 { 0 } else { from(0, stored) };
    (0..h).map(|level| from(kept_at(level), level + 1)).sum::<u64>() + write_down + from(stored, h)
}

/// Exercise 19.4.
#[test]
fn aes_calls_are_counted() {
    let mut r = Random(16);
    let h = 6;
    let prg = Counting::new(r.prg());
    let (key, _) = generate(&prg, 13, h, r.block(), r.block());
    prg.calls();
    assert_eq!(eval_full(&prg, &key).len(), 1 << h);
    assert_eq!(prg.calls(), 2 * ((1 << h) - 1));
    // Growth, in tenths of a call a leaf: 6 with the root alone, less with a level stored, never below 4.
    let tenths = |h: u32, stored: u32| (calls_of_growth(h, stored) * 10) >> h;
    assert_eq!(tenths(24, 0), 59);
    assert_eq!(tenths(24, 18), 58);
    assert!((1..24).all(|stored| calls_of_growth(24, stored) <= calls_of_growth(24, 0)));
}
