//! Chapter 6: a product and an AND with a dealer's triple, and the triples as the paper prints them.

use duoram_spec::core::block::Block;
use duoram_spec::core::du_atallah::{
    AndTriple, DotTriple, and_message, and_share, and_triples, dot_message, dot_share, dot_triples,
    product_share, product_triples,
};
use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::core::vector::{add, dot, sub};

use crate::files::Page;
use crate::notation::word;
use crate::table::Table;
use duoram_vectors::Random;

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::new("product-example.md", product_example()),
        Page::new("and-example.md", and_example()),
        Page::new("errata-triples.md", errata()),
    ]
}

fn product_example() -> String {
    // No share or mask is zero: a zero would hide what happens.
    let mut r = Random(2213);
    let mut draw = || r.ring::<Z4>();
    let t = draw();
    let (triple_0, triple_1) = product_triples(draw(), draw(), draw(), draw(), t);
    let (x, y) = ([draw(), draw()], [draw(), draw()]);
    let triples = [triple_0, triple_1];
    let sent = [0, 1].map(|b: usize| (x[b].plus(triples[b].x), y[b].plus(triples[b].y)));
    let z = [0, 1].map(|b: usize| product_share(x[b], y[b], &triples[b], sent[1 - b].0, sent[1 - b].1));
    let (sum_x, sum_y, sum_z) = (x[0].plus(x[1]), y[0].plus(y[1]), z[0].plus(z[1]));
    assert_eq!(sum_z, sum_x.times(sum_y));
    let mut table = Table::new(["what", "$P_0$", "$P_1$"]);
    let mut row = |what: &str, of: [Z4; 2]| table.row([&what, &word(of[0]), &word(of[1])]);
    row("dealt: $X_b$", triples.map(|triple| triple.x));
    row("dealt: $Y_b$", triples.map(|triple| triple.y));
    row(&format!("dealt: $Z_b$, with $T = {}$", word(t)), triples.map(|triple| triple.z));
    row("holds $x_b$", x);
    row("holds $y_b$", y);
    row("sends $x_b + X_b$", sent.map(|sent| sent.0));
    row("sends $y_b + Y_b$", sent.map(|sent| sent.1));
    row("computes $z_b$", z);
    table.above(format!(
        "$z_0 + z_1 = {} + {} = {} \\pmod 4$, and $x y = {} \\cdot {} = {} \\pmod 4$.",
        word(z[0]),
        word(z[1]),
        word(sum_z),
        word(sum_x),
        word(sum_y),
        word(sum_z)
    ))
}

fn and_example() -> String {
    // No string is all zeros or all ones.
    let mut r = Random(449);
    let mut draw = || Block::from(r.below(16));
    let t = draw();
    let (triple_0, triple_1) = and_triples(draw(), draw(), draw(), draw(), t);
    let (x, y) = ([draw(), draw()], [draw(), draw()]);
    let triples = [triple_0, triple_1];
    let sent = [0, 1].map(|b: usize| and_message(x[b], y[b], &triples[b]));
    let z = [0, 1].map(|b: usize| and_share(x[b], y[b], &triples[b], sent[1 - b]));
    let (sum_x, sum_y, sum_z) = (x[0] ^ x[1], y[0] ^ y[1], z[0] ^ z[1]);
    assert_eq!(sum_z, sum_x & sum_y);
    let bits = |block: Block| format!("`{block:04b}`");
    let mut table = Table::new(["what", "$P_0$", "$P_1$"]);
    let mut row = |what: &str, of: [Block; 2]| table.row([&what, &bits(of[0]), &bits(of[1])]);
    row("dealt: $X_b$", triples.map(|triple| triple.x));
    row("dealt: $Y_b$", triples.map(|triple| triple.y));
    row(&format!("dealt: $Z_b$, with $T =$ {}", bits(t)), triples.map(|triple| triple.z));
    row("holds $x_b$", x);
    row("holds $y_b$", y);
    row("sends $x_b \\oplus X_b$", sent.map(|sent| sent.0));
    row("sends $y_b \\oplus Y_b$", sent.map(|sent| sent.1));
    row("computes $z_b$", z);
    table.above(format!(
        "$z_0 \\oplus z_1 =$ {}, and $x \\wedge y =$ {} $\\wedge$ {} $=$ {}.",
        bits(sum_z),
        bits(sum_x),
        bits(sum_y),
        bits(sum_z)
    ))
}

const CASES: u32 = 200;

/// What an AND of random operands opens to, XOR what it should.
fn and_error(r: &mut Random, triples: &(AndTriple, AndTriple)) -> Block {
    let (x_0, x_1, y_0, y_1) = (r.block(), r.block(), r.block(), r.block());
    let z_0 = and_share(x_0, y_0, &triples.0, and_message(x_1, y_1, &triples.1));
    let z_1 = and_share(x_1, y_1, &triples.1, and_message(x_0, y_0, &triples.0));
    z_0 ^ z_1 ^ ((x_0 ^ x_1) & (y_0 ^ y_1))
}

/// What a dot product of random vectors opens to, minus what it should.
fn dot_error(r: &mut Random, triples: &(DotTriple<u64>, DotTriple<u64>)) -> u64 {
    let n = triples.0.x.len();
    let (x_0, x_1, y_0, y_1) = (r.words(n), r.words(n), r.words(n), r.words(n));
    let (mx_0, my_0) = dot_message(&x_0, &y_0, &triples.0);
    let (mx_1, my_1) = dot_message(&x_1, &y_1, &triples.1);
    let z_0 = dot_share(&x_0, &y_0, &triples.0, &mx_1, &my_1);
    let z_1 = dot_share(&x_1, &y_1, &triples.1, &mx_0, &my_0);
    z_0.plus(z_1).minus(dot(&add(&x_0, &x_1), &add(&y_0, &y_1)))
}

/// How often a result was right, and how often it was off by what the text says.
#[derive(Clone, Copy, Default)]
struct Count {
    right: u32,
    off_as_said: u32,
}

impl Count {
    fn add<T: PartialEq + Default + Copy>(&mut self, error: T, said: T) {
        self.right += u32::from(error == T::default());
        self.off_as_said += u32::from(error == said);
    }
}

fn errata() -> String {
    let mut r = Random(6);
    let [mut printed_and, mut and, mut transfer] = [Count::default(); 3];
    let [mut printed_dot, mut dot_product] = [Count::default(); 2];
    for _ in 0..CASES {
        let (x_0, x_1, y_0, y_1, t) = (r.block(), r.block(), r.block(), r.block(), r.block());
        let triple = |x, y, z| AndTriple { x, y, z };
        let as_printed = (triple(x_0, y_0, (x_0 & y_0) ^ t), triple(x_1, y_1, (x_1 & y_1) ^ t));
        printed_and.add(and_error(&mut r, &as_printed), (x_0 ^ x_1) & (y_0 ^ y_1));
        let dealt = and_triples(x_0, x_1, y_0, y_1, t);
        and.add(and_error(&mut r, &dealt), 0);
        let exchanged = (triple(x_0, y_0, dealt.1.z), triple(x_1, y_1, dealt.0.z));
        transfer.add(and_error(&mut r, &exchanged), 0);
    }
    for _ in 0..CASES {
        let n = 5;
        let (x_0, x_1, y_0, y_1, t) = (r.words(n), r.words(n), r.words(n), r.words(n), r.word());
        let triple = |x: &[u64], y: &[u64], z| DotTriple { x: x.to_vec(), y: y.to_vec(), z };
        let as_printed =
            (triple(&x_0, &y_0, dot(&x_0, &y_0).plus(t)), triple(&x_1, &y_1, dot(&x_1, &y_0).minus(t)));
        printed_dot.add(dot_error(&mut r, &as_printed), dot(&x_0, &sub(&y_0, &y_1)));
        dot_product.add(dot_error(&mut r, &dot_triples(&x_0, &x_1, &y_0, &y_1, t)), 0);
    }
    assert_eq!([printed_and.right, printed_dot.right], [0, 0]);
    assert_eq!([and.right, dot_product.right, transfer.right], [CASES; 3]);
    assert_eq!([printed_and.off_as_said, printed_dot.off_as_said], [CASES; 2]);
    let mut table = Table::new(["triples", "cases", "opens right", "off by"]);
    let and_off =
        format!("$(X_0 \\oplus X_1) \\wedge (Y_0 \\oplus Y_1)$ in {} cases", printed_and.off_as_said);
    table.row([&"AND, Definition 4 as printed", &CASES, &printed_and.right, &and_off]);
    table.row([&"AND, as corrected", &CASES, &and.right, &"nothing"]);
    let dot_off = format!("$\\langle X_0, Y_0 - Y_1 \\rangle$ in {} cases", printed_dot.off_as_said);
    table.row([&"dot product of 5 words, Definition 5 as printed", &CASES, &printed_dot.right, &dot_off]);
    table.row([&"dot product of 5 words, as corrected", &CASES, &dot_product.right, &"nothing"]);
    table.row([&"AND, the two $Z$ exchanged, as by oblivious transfer", &CASES, &transfer.right, &"nothing"]);
    table.to_string()
}
