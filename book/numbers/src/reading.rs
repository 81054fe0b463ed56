//! Chapter 8: one READ mod 4.

use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::paper::conversion::random_index_share;
use duoram_spec::paper::lemmas::{lemma_1, lemma_3, units_point_at};
use duoram_spec::paper::read::{read, reconstruct_shift, shifted};

use crate::files::Page;
use crate::material::{N, memory, small_shares, state, state_rows, triple_rows};
use crate::notation::{vector, word};
use crate::table::Table;
use duoram_vectors::Random;

/// Few of the words that mask something are zero: a zero would hide what happens.
pub(crate) const SEED: u64 = 1058;

/// The table of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![Page::new("read-example.md", example())]
}

fn example() -> String {
    let mut r = Random(SEED);
    let (target, ri) = (3, 1);
    let state = state(&mut r);
    let units = r.units::<Z4>(N, ri);
    let index = (random_index_share(&units.p0.0), random_index_share(&units.p1.0));
    let address = small_shares(&mut r, target);
    let mask: Z4 = r.ring();
    assert!(lemma_3(&state) && units_point_at(&units, N, ri));
    let run = read(&state, &units, index, address, mask);
    assert!(lemma_1(&state, address, &run));
    let s = reconstruct_shift(run.shift_0, run.shift_1, N);
    let moved = shifted(&units, s);

    let mut table = Table::new(["what", "P0", "P1", "P2"]);
    state_rows(&mut table, &state, "");
    triple_rows(&mut table, "t", &units.p0, &units.p1);
    table.row([&"$ri_b = \\sum_i i\\,t_b^{(1)}[i]$", &index.0, &index.1, &""]);
    table.row([&"$i^*_b$", &address.0, &address.1, &""]);
    table.row([&"line 5: sends $i^*_b - ri_b$", &run.shift_0, &run.shift_1, &""]);
    table.row([&"line 6: $S$", &s, &s, &s]);
    // Only those that are used after this.
    let p2_second = format!("{} (P0's)", vector(&moved.p0.1));
    let p2_third = format!("{} (P1's)", vector(&moved.p1.2));
    let at = |k: u32| format!("line 7: $t_b^{{({k})}}$, moved by $S$");
    table.row([&at(1), &vector(&moved.p0.0), &vector(&moved.p1.0), &""]);
    table.row([&at(2), &"not used", &vector(&moved.p1.1), &p2_second]);
    table.row([&at(3), &vector(&moved.p0.2), &"not used", &p2_third]);
    table.row([&"line 8: $\\rho$", &"", &"", &word(mask)]);
    let receives = |gamma: Z4| format!("receives {}", word(gamma));
    table.row([&"line 8: $\\gamma_b$", &receives(run.gamma_0), &receives(run.gamma_1), &"sends both"]);
    table.row([&"lines 9, 10: $\\mathrm{read}_b$", &word(run.read_0), &word(run.read_1), &""]);
    let start = format!(
        "The memory is $D =$ {}. The address is $i^* = {target}$, and preprocessing has drawn $ri = {ri}$; nobody knows \
         either.",
        vector(&memory())
    );
    let end = format!(
        "$\\mathrm{{read}}_0 + \\mathrm{{read}}_1 = {} + {} = {} \\pmod 4$, and that is $D[{target}]$.",
        word(run.read_0),
        word(run.read_1),
        word(run.read_0.plus(run.read_1))
    );
    format!("{start}\n\n{}", table.above(end))
}
