//! Chapter 3: a point function, the length of a key, the words of a leaf.

use duoram_spec::core::block::{block_of_halves, flag, high_half, low_half};
use duoram_spec::core::dealer::{eval_value, generate, generate_value};
use duoram_spec::core::dpf::{address_bits, eval};
use duoram_spec::core::share::{Primary, additive_open};
use duoram_spec::paper::payload::helper_keys;
use duoram_spec::paper::preprocessing::prepare_dpf;

use crate::files::Page;
use crate::notation::{bit, label};
use crate::table::Table;
use duoram_vectors::Random;

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::new("point-function.md", point_function()),
        Page::new("key-size.md", key_size()),
        Page::new("leaf-words.md", leaf_words()),
    ]
}

fn point_function() -> String {
    let mut r = Random(1);
    let (prg, log_size, target, m) = (r.prg(), 3, 5, 42_u64);
    let keys = generate_value(&prg, target, log_size, m, r.block(), r.block());
    let mut table = Table::new(["address", "$P_0$'s value", "$P_1$'s value", "their sum"]);
    for address in 0..1 << log_size {
        let value_0 = eval_value(&prg, Primary::P0, &keys.0, address);
        let value_1 = eval_value(&prg, Primary::P1, &keys.1, address);
        let sum = additive_open(value_0, value_1);
        assert_eq!(sum, if address == target { m } else { 0 });
        table.row([&address, &value_0, &value_1, &sum]);
    }
    table.under(format!("Eight addresses, target $i^* = {target}$, value $M = {m}$, words of 64 bits:"))
}

/// A root, a word a level, and two bits a level.
fn key_bytes(log_size: usize) -> usize {
    16 + 16 * log_size + (2 * log_size).div_ceil(8)
}

fn key_size() -> String {
    let mut r = Random(2);
    let prg = r.prg();
    for log_size in 1..=8 {
        let bits = address_bits(0, log_size);
        let (roots, blinds) = ((r.block(), r.block()), (r.word(), r.word()));
        let dpf = prepare_dpf(&prg, (&bits, &bits), roots, blinds, &r.dpf_triples(log_size));
        // On the wire a key is followed by its conversion factor, one word.
        assert_eq!(helper_keys(Primary::P0, &[dpf]).len(), key_bytes(log_size) + 8);
    }
    let mut table = Table::new(["depth h", "size n", "bytes of a vector of n words", "bytes of a key"]);
    for log_size in [10, 20, 30, 40] {
        table.row([&log_size, &(1_u64 << log_size), &(8_u64 << log_size), &key_bytes(log_size)]);
    }
    table.to_string()
}

fn leaf_words() -> String {
    let mut r = Random(3);
    let (prg, target) = (r.prg(), 5);
    let (key_0, key_1) = generate(&prg, target, 3, r.block(), r.block());
    let at_target = [eval(&prg, &key_0, target), eval(&prg, &key_1, target)];
    let leaf = if flag(at_target[0]) { at_target[0] } else { at_target[1] };
    assert!(flag(leaf), "of the two flags at the target one is set");
    assert_eq!(block_of_halves(low_half(leaf), high_half(leaf)), leaf);
    let mut table = Table::new(["what", "bits", "of this leaf"]);
    table.row([&"label", &"0 to 127", &label(leaf)]);
    table.row([&"value word $v$", &"64 to 127", &format!("`{:016x}`", high_half(leaf))]);
    table.row([&"conversion word $c$", &"0 to 63", &format!("`{:016x}`", low_half(leaf))]);
    table.row([&"flag $t$", &"0", &bit(flag(leaf))]);
    table.under("In hexadecimal digits, the highest first:")
}
