//! GEN: level by level, and the keys.

use duoram_spec::core::block::{clear_flag, flag};

use crate::by_hand::{DEPTH, Level, TARGET, Walk};
use crate::files::Page;
use crate::notation::{agreement, bit, label};
use crate::table::Table;

pub(super) fn pages(walk: &Walk) -> Vec<Page> {
    let mut pages = vec![Page::new("tree-setup.md", setup(walk))];
    for (level, number) in walk.levels.iter().zip(1..) {
        pages.push(Page::new(format!("tree-level-{number}-children.md"), children(level)));
        pages.push(Page::new(format!("tree-level-{number}-correction.md"), correction(level)));
        pages.push(Page::new(format!("tree-level-{number}-corrected.md"), corrected(level)));
    }
    // "On this level that is P1, and P0 leaves its children as they are."
    assert!(!flag(walk.levels[0].node[0]) && flag(walk.levels[0].node[1]));
    pages.push(Page::new("tree-keys.md", keys(walk)));
    pages
}

fn setup(walk: &Walk) -> Table<2> {
    let path: String = walk.levels.iter().map(|level| bit(level.bit).to_string()).collect();
    let mut table = Table::new(["what", "value"]);
    table.row([&"session key", &label(walk.session_key)]);
    table.row([&"depth $h$", &DEPTH]);
    table.row([&"target $i^*$", &format!("{TARGET}, in bits {path}")]);
    for party in 0..2 {
        table.row([&format!("root of $P_{party}$, as drawn"), &label(walk.drawn[party])]);
        let planted = walk.levels[0].node[party];
        let what = format!("root of $P_{party}$, with its flag, {}", bit(flag(planted)));
        table.row([&what, &label(planted)]);
    }
    table
}

fn children(level: &Level) -> Table<3> {
    let mut table = Table::new(["what", "label", "lowest bit"]);
    for party in 0..2 {
        let what = format!("$P_{party}$'s node on the path");
        table.row([&what, &label(level.node[party]), &bit(flag(level.node[party]))]);
    }
    for (side, [child_0, child_1]) in ["L", "R"].iter().zip(level.children) {
        let name = if *side == "L" { "left" } else { "right" };
        for (party, child) in [child_0, child_1].into_iter().enumerate() {
            let what = format!("$P_{party}$'s {name} child, $G_{side}$ of its node");
            table.row([&what, &label(child), &bit(flag(child))]);
        }
        let sum = child_0 ^ child_1;
        table.row([&format!("${side}$, the XOR of both {name} children"), &label(sum), &bit(flag(sum))]);
    }
    table
}

fn correction(level: &Level) -> Table<2> {
    let [left, right] = level.children.map(|[child_0, child_1]| child_0 ^ child_1);
    let (lost, from) = if level.bit { (left, "L") } else { (right, "R") };
    let direction = if level.bit { "right" } else { "left" };
    let (b, l, r) = (bit(level.bit), bit(flag(left)), bit(flag(right)));
    let (cwt_l, cwt_r) = (l ^ b ^ 1, r ^ b);
    assert_eq!(level.correction.word, clear_flag(lost));
    assert_eq!((bit(level.correction.left_flag), bit(level.correction.right_flag)), (cwt_l, cwt_r));
    let mut table = Table::new(["what", "value"]);
    table.row([&"bit of the target", &format!("{b}: the {direction} child is on the path")]);
    let cw = format!("$\\text{{cw}}$, ${from}$ without its lowest bit");
    table.row([&cw, &label(level.correction.word)]);
    table.row([&"$\\text{cwt}_L$", &format!("${l} \\oplus {b} \\oplus 1 = {cwt_l}$")]);
    table.row([&"$\\text{cwt}_R$", &format!("${r} \\oplus {b} = {cwt_r}$")]);
    table
}

fn corrected(level: &Level) -> Table<5> {
    let mut table = Table::new(["child", "party", "label", "flag", "labels of both"]);
    for (side, pair) in [false, true].into_iter().zip(level.corrected) {
        let on_the_path = side == level.bit;
        // The three things that the text asks to check.
        assert_eq!(pair[0] == pair[1], !on_the_path);
        assert_eq!(flag(pair[0]) != flag(pair[1]), on_the_path);
        let direction = if side { "right" } else { "left" };
        let child = format!("{direction}, {} the path", if on_the_path { "on" } else { "off" });
        for (party, corrected) in pair.into_iter().enumerate() {
            let what = if flag(level.node[party]) { "corrects" } else { "does not" };
            table.row([
                &child,
                &format!("$P_{party}$, {what}"),
                &label(corrected),
                &bit(flag(corrected)),
                &agreement(pair[0], pair[1]),
            ]);
        }
    }
    table
}

fn keys(walk: &Walk) -> Table<4> {
    let mut table = Table::new(["part", "label or cw", "$\\text{cwt}_L$", "$\\text{cwt}_R$"]);
    for (party, key) in walk.keys.iter().enumerate() {
        table.row([&format!("root of $k_{party}$"), &label(key.root), &"", &""]);
    }
    for (correction, number) in walk.keys[0].corrections.iter().zip(1..) {
        table.row([
            &format!("level {number}, in both keys"),
            &label(correction.word),
            &bit(correction.left_flag),
            &bit(correction.right_flag),
        ]);
    }
    table
}
