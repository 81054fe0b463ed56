//! EVAL, EVALFULL, and a value at the target.

use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::dealer::{final_correction, generate_value, leaf_value};
use duoram_spec::core::dpf::{address_bits, child, eval, eval_full, next_level};
use duoram_spec::core::lemmas::leaves_point_at;
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::{Primary, additive_open};

use crate::by_hand::{DEPTH, TARGET, Walk};
use crate::files::Page;
use crate::notation::{agreement, bit, label};
use crate::table::Table;

pub(super) fn pages(walk: &Walk) -> Vec<Page> {
    vec![
        Page::new("tree-eval-off.md", off_the_target(walk)),
        Page::new("tree-levels.md", levels(walk)),
        Page::new("tree-value.md", value(walk)),
    ]
}

/// An address that follows the path for one level, and then not.
const OTHER: u64 = 7;

fn off_the_target(walk: &Walk) -> String {
    let path = address_bits(TARGET, DEPTH);
    let bits = address_bits(OTHER, DEPTH);
    assert!(bits[0] == path[0] && bits[1] != path[1]);
    let mut table = Table::new(["level", "turn", "party", "label", "labels of both"]);
    let mut rows = |level: usize, turn: &str, labels: [Block; 2]| {
        for (party, shown) in labels.into_iter().enumerate() {
            let agreement = agreement(labels[0], labels[1]);
            table.row([&level, &turn, &format!("$P_{party}$"), &label(shown), &agreement]);
        }
    };
    let mut labels = walk.keys.each_ref().map(|key| key.root);
    rows(0, "root", labels);
    for (level, taken) in bits.iter().enumerate() {
        let correction = &walk.keys[0].corrections[level];
        labels = labels.map(|parent| child(&walk.prg, parent, correction, *taken));
        assert_eq!(
            labels[0] == labels[1],
            bits[..=level] != path[..=level],
            "equal after the first wrong turn"
        );
        let wrong_turn = bits[..level] == path[..level] && *taken != path[level];
        let left_it = if wrong_turn { ", off the path" } else { "" };
        let direction = if *taken { "right" } else { "left" };
        rows(level + 1, &format!("{}: {direction}{left_it}", bit(*taken)), labels);
    }
    for (party, key) in walk.keys.iter().enumerate() {
        assert_eq!(labels[party], eval(&walk.prg, key, OTHER));
    }
    let address: String = bits.iter().map(|taken| bit(*taken).to_string()).collect();
    table.under(format!("The target is {TARGET}; both walk to {OTHER}, in bits {address}:"))
}

/// The last four digits.
fn shortened(label: Block) -> String {
    format!("`{:04x}`", label & 0xffff)
}

fn levels(walk: &Walk) -> Table<7> {
    let mut table =
        Table::new(["level", "node", "$P_0$'s last digits", "flag", "$P_1$'s last digits", "flag", "trees"]);
    let mut labels = walk.keys.each_ref().map(|key| vec![key.root]);
    for level in 0..=DEPTH {
        let on_the_path = TARGET >> (DEPTH - level);
        for node in 0..1_u64 << level {
            let at = |party: usize| labels[party][usize::try_from(node).expect("a small tree")];
            let (label_0, label_1) = (at(0), at(1));
            assert_eq!(label_0 != label_1, node == on_the_path);
            assert_eq!(flag(label_0) != flag(label_1), node == on_the_path);
            let name = match level {
                0 => "root".to_owned(),
                DEPTH => format!("leaf {node}"),
                _ => node.to_string(),
            };
            let path = match (node == on_the_path, level) {
                (false, _) => "equal",
                (true, DEPTH) => "differ: the target",
                (true, _) => "differ: on the path",
            };
            table.row([
                &level,
                &name,
                &shortened(label_0),
                &bit(flag(label_0)),
                &shortened(label_1),
                &bit(flag(label_1)),
                &path,
            ]);
        }
        if level < DEPTH {
            let correction = &walk.keys[0].corrections[level];
            labels = labels.map(|labels| next_level(&walk.prg, &labels, correction));
        }
    }
    for (party, key) in walk.keys.iter().enumerate() {
        assert_eq!(labels[party], eval_full(&walk.prg, key));
    }
    assert!(leaves_point_at(&labels[0], &labels[1], TARGET));
    table
}

fn value(walk: &Walk) -> String {
    let m = 42_u64;
    let leaf = |address| walk.keys.each_ref().map(|key| eval(&walk.prg, key, address));
    // A leaf at which both parties add F, so that it is seen to cancel.
    let elsewhere = (0..1 << DEPTH).find(|address| *address != TARGET && flag(leaf(*address)[0]));
    let elsewhere = elsewhere.expect("some flag off the target is set");
    let [leaf_0, leaf_1] = leaf(TARGET);
    let f: u64 = final_correction(leaf_0, leaf_1, m);
    let (value_key, _) = generate_value(&walk.prg, TARGET, DEPTH, m, walk.drawn[0], walk.drawn[1]);
    assert_eq!(value_key.final_correction, f);
    let mut table = Table::new(["what", "$P_0$", "$P_1$", "both together"]);
    for (address, name, sum) in [(TARGET, "the target", m), (elsewhere, "elsewhere", 0)] {
        let [label_0, label_1] = leaf(address);
        let value_0: u64 = leaf_value(Primary::P0, label_0, f);
        let value_1: u64 = leaf_value(Primary::P1, label_1, f);
        assert_eq!(additive_open(value_0, value_1), sum);
        let words = (u64::value_word(label_0), u64::value_word(label_1));
        let what = format!("leaf {address}, {name}: value word");
        table.row([&what, &words.0, &words.1, &agreement(words.0, words.1)]);
        let flags = agreement(flag(label_0), flag(label_1));
        table.row([&format!("leaf {address}: flag"), &bit(flag(label_0)), &bit(flag(label_1)), &flags]);
        let what = format!("leaf {address}: value with $F$, negated for $P_1$");
        table.row([&what, &value_0, &value_1, &format!("sum {sum}")]);
    }
    table.under(format!("$M = {m}$, and $F = {f}$:"))
}
