//! The masks of a table, by AES itself. One step: all is shown at once.

use duoram_spec::core::aes::{bytes_of_block, encrypt, expand_key};
use duoram_spec::core::block::high_half;
use serde_json::Value;

use crate::cells::{Cells, Views, number};
use duoram_vectors::Random;

pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let (n, index) = (number(form, "memory"), number(form, "index"));
    let levels = if n == 4 { 2 } else { 3 };
    let mut random = Random(number(form, "seed"));
    let pairs: Vec<[u128; 2]> = (0..levels).map(|_| [random.block(), random.block()]).collect();
    // Level 0 is of the highest bit.
    let bit = |x: u64, level: usize| usize::from(x >> (levels - 1 - level) & 1 == 1);

    let mut cells = Cells::default();
    cells.set("q", index, "P0");
    for (level, pair) in pairs.iter().enumerate() {
        cells.set(format!("{level}.bit"), bit(index, level), "P0");
        for (which, key) in pair.iter().enumerate() {
            let known = if which == bit(index, level) { "P0 P1" } else { "P1" };
            cells.set(format!("{level}.key_{which}"), format!("{key:032x}"), known);
        }
    }
    for x in 0..n {
        let word = random.word() & 15;
        let part = |level: usize| {
            high_half(encrypt(&expand_key(&bytes_of_block(pairs[level][bit(x, level)])), x.into()))
        };
        let mask = (0..levels).map(part).fold(0, u64::wrapping_add) & 15;
        let known = if x == index { "P0 P1" } else { "P1" };
        cells.set(format!("word {x}.word"), word, known);
        cells.set(format!("word {x}.mask"), mask, known);
        cells.set(format!("word {x}.masked"), (word + mask) & 15, "P0 P1");
        cells.set(format!("word {x}.lacking"), (x ^ index).count_ones(), "P0");
    }
    let mut views = cells.views();
    views.remove("P2");
    vec![views]
}
