//! Chapter 12: one READ of two parties mod 4.

use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::core::vector::mod_size;
use duoram_spec::two_party::lemmas::lemma_4;
use duoram_spec::two_party::read::{blinded_rotation, read};

use crate::files::Page;
use crate::material::{N, memory, small_shares};
use crate::notation::{vector, word};
use crate::table::Table;
use duoram_vectors::Random;

/// Few of the words that mask something are zero: a zero would hide what happens.
const SEED: u64 = 152;

/// The table of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![Page::new("two-party-example.md", example())]
}

fn example() -> String {
    let mut r = Random(SEED);
    let target = 2;
    let (d_0, d_1) = r.vector_shares(&memory());
    let address = small_shares(&mut r, target);
    let queries = (r.below(N as u64), r.below(N as u64));
    let blinds: (Z4, Z4) = (r.ring(), r.ring());
    assert!(lemma_4((&d_0, &d_1), address, queries, blinds));
    let (read_0, read_1) = read((&d_0, &d_1), address, queries, blinds);
    let shifts = [(address.0, queries.0), (address.1, queries.1)]
        .map(|(address, query)| mod_size(address.wrapping_sub(query), N));
    let rotated_0 = blinded_rotation(&d_0, address.0, shifts[1], blinds.0);
    let rotated_1 = blinded_rotation(&d_1, address.1, shifts[0], blinds.1);
    let mut table = Table::new(["what", "P0", "P1"]);
    table.row([&"$D_b$", &vector(&d_0), &vector(&d_1)]);
    table.row([&"$i^*_b$", &address.0, &address.1]);
    table.row([&"$ri_b$, asked for in the prepared query", &queries.0, &queries.1]);
    table.row([&"$r_b$", &word(blinds.0), &word(blinds.1)]);
    table.row([&"step 1: sends $i^*_b - ri_b$", &shifts[0], &shifts[1]]);
    table.row([&"step 2: $D_b'$", &vector(&rotated_0), &vector(&rotated_1)]);
    let answers = [read_0.plus(blinds.0), read_1.plus(blinds.1)].map(word);
    table.row([&"step 3: $c_b$, word $ri_b$ of the other's vector", &answers[0], &answers[1]]);
    table.row([&"step 4: $\\mathrm{read}_b = c_b - r_b$", &word(read_0), &word(read_1)]);
    let start = format!("The memory is $D =$ {}, the address $i^* = {target}$.", vector(&memory()));
    let end = format!(
        "$\\mathrm{{read}}_0 + \\mathrm{{read}}_1 = {} + {} = {} \\pmod 4$, and that is $D[{target}]$.",
        word(read_0),
        word(read_1),
        word(read_0.plus(read_1))
    );
    format!("{start}\n\n{}", table.above(end))
}
