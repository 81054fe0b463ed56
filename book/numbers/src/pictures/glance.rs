//! A DPF at a glance: what both parties get from their keys, as bars, and the difference.

use duoram_spec::core::block::high_half;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::eval_full;
use duoram_vectors::Random;

use super::canvas::{Anchor, Canvas};

const DEPTH: usize = 5;
const TARGET: u32 = 21;

const LEFT: f64 = 84.0;
const BAR: f64 = 14.0;
const TALLEST: f64 = 70.0;

/// The value words of both parties' leaves, and how far they are apart.
struct Rows {
    p0: Vec<u64>,
    p1: Vec<u64>,
    difference: Vec<u64>,
}

impl Rows {
    fn new(seed: u64) -> Self {
        let mut r = Random(seed);
        let prg = r.prg();
        let (key_0, key_1) = generate(&prg, u64::from(TARGET), DEPTH, r.block(), r.block());
        let words = |key| eval_full(&prg, key).into_iter().map(high_half).collect::<Vec<u64>>();
        let (p0, p1) = (words(&key_0), words(&key_1));
        let difference = p0.iter().zip(&p1).map(|(a, b)| a.wrapping_sub(*b)).collect();
        Self { p0, p1, difference }
    }

    /// Whether the eye sees the difference: both bars are neither low nor alike, and the spike is high.
    fn is_telling(&self) -> bool {
        let at = |row: &[u64]| height(row[TARGET as usize]);
        let (a, b, spike) = (at(&self.p0), at(&self.p1), at(&self.difference));
        a.min(b) > TALLEST / 5.0 && (a - b).abs() > TALLEST / 3.0 && spike > TALLEST / 2.0
    }
}

/// A word mod 2^64 as a share of the tallest bar.
fn height(word: u64) -> f64 {
    TALLEST * (word as f64 / 2_f64.powi(64))
}

/// The picture.
pub(super) fn picture() -> String {
    let rows = (1..1000).map(Rows::new).find(Rows::is_telling).expect("one in a few is");
    let leaves = 1 << DEPTH;
    let mut canvas = Canvas::new(
        LEFT + BAR * f64::from(leaves) + 14.0,
        "A distributed point function at a glance",
        &format!(
            "Three rows of {leaves} bars. P0's row and P1's row look like noise, and are equal but at leaf {TARGET}. In the third \
             row, their difference, all bars are zero but that one."
        ),
    );
    let target = LEFT + BAR * f64::from(TARGET);
    let heads = ["P0", "P1", "P0 − P1"];
    let floor = |row: usize| 108.0 + 92.0 * row as f64;
    canvas.rect("faint", [target - 3.0, 30.0, BAR + 6.0, floor(2) - 24.0], "rx=\"3\"");
    canvas.text(Anchor::Middle, "", [target + BAR / 2.0, 22.0], &format!("leaf {TARGET}: the target"));
    for (row, (words, head)) in [&rows.p0, &rows.p1, &rows.difference].into_iter().zip(heads).enumerate() {
        canvas.text(Anchor::End, "bold", [LEFT - 8.0, floor(row) - 6.0], head);
        for (leaf, word) in words.iter().enumerate() {
            let (x, tall) = (LEFT + BAR * leaf as f64 + 1.5, height(*word));
            let place = [x, floor(row) - tall, BAR - 3.0, tall];
            let data = format!("data-row=\"{head}\" data-leaf=\"{leaf}\" data-word=\"{word:016x}\"");
            match row {
                0 => canvas.rect("fill0", place, &data),
                1 => {
                    canvas.rect("tint1", place, "");
                    canvas.rect("hatch", place, "");
                    canvas.rect("thin", place, &data);
                }
                _ => canvas.rect("ink", place, &data),
            }
        }
        let end = LEFT + BAR * f64::from(leaves);
        canvas.line("thin", [LEFT, floor(row)], [end, floor(row)], "");
    }
    canvas.text(Anchor::Middle, "", [LEFT + BAR * 9.5, floor(2) - 10.0], "zero at every other leaf");
    canvas.text(Anchor::Start, "", [LEFT, floor(2) + 18.0], "leaf 0");
    canvas.text(
        Anchor::End,
        "",
        [LEFT + BAR * f64::from(leaves), floor(2) + 18.0],
        &format!("leaf {}", leaves - 1),
    );
    canvas.finish(floor(2) + 30.0)
}

#[cfg(test)]
mod tests {
    use super::super::canvas::drawn;
    use super::*;

    /// The bars of a row, as they are drawn: the word and the height.
    fn row(svg: &str, name: &str) -> Vec<(String, String)> {
        let bars =
            drawn(svg, "rect").into_iter().filter(|bar| bar.get("data-row").is_some_and(|row| row == name));
        bars.map(|bar| (bar["data-word"].clone(), bar["height"].clone())).collect()
    }

    #[test]
    fn the_two_rows_are_equal_but_at_the_target() {
        let svg = picture();
        let (p0, p1) = (row(&svg, "P0"), row(&svg, "P1"));
        assert_eq!((p0.len(), p1.len()), (32, 32));
        let differ: Vec<usize> = (0..32).filter(|leaf| p0[*leaf] != p1[*leaf]).collect();
        assert_eq!(differ, [21]);
    }

    #[test]
    fn the_difference_is_one_spike_where_the_rows_differ() {
        let svg = picture();
        let (p0, p1, difference) = (row(&svg, "P0"), row(&svg, "P1"), row(&svg, "P0 − P1"));
        let spikes: Vec<usize> = (0..32).filter(|leaf| difference[*leaf].1 != "0").collect();
        assert_eq!(spikes, [21]);
        let word = |(word, _): &(String, String)| u64::from_str_radix(word, 16).unwrap();
        for leaf in 0..32 {
            assert_eq!(word(&difference[leaf]), word(&p0[leaf]).wrapping_sub(word(&p1[leaf])), "leaf {leaf}");
        }
    }

    #[test]
    fn a_row_alone_is_noise_of_which_no_bar_stands_out() {
        // 32 uniform words: all of them different, and those below a half neither few nor many.
        let svg = picture();
        for name in ["P0", "P1"] {
            let words: std::collections::BTreeSet<String> =
                row(&svg, name).into_iter().map(|(word, _)| word).collect();
            assert_eq!(words.len(), 32);
            let low = words.iter().filter(|word| word.as_str() < "8").count();
            assert!((6..=26).contains(&low), "{name}: {low} of 32 are low");
        }
    }
}
