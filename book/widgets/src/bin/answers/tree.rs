//! Both trees, node by node: each label by EVAL with the first corrections of a key.

use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::dealer::{eval_value, generate_value};
use duoram_spec::core::dpf::{Key, eval};
use duoram_spec::core::share::Primary;
use serde_json::Value;

use crate::cells::{Cells, PUBLIC, Views, number};
use duoram_vectors::Random;

fn bit(bit: bool) -> &'static str {
    if bit { "1" } else { "0" }
}

pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let depth = usize::try_from(number(form, "depth")).unwrap();
    let (target, value) = (number(form, "target"), number(form, "value"));
    let mut random = Random(number(form, "seed"));
    let prg = random.prg();
    let (root_0, root_1) = (random.block(), random.block());
    let (key_0, key_1) = generate_value(&prg, target, depth, value, root_0, root_1);
    let label = |key: &Key, level: usize, node: u64| -> Block {
        eval(&prg, &Key { root: key.root, corrections: key.corrections[..level].to_vec() }, node)
    };
    // The places of a level at which a party's flag is 1.
    let flagged = |key: &Key, level: usize| {
        let places: Vec<String> = (0..1_u64 << level)
            .filter(|node| flag(label(key, level, *node)))
            .map(|node| node.to_string())
            .collect();
        if places.is_empty() { "none".to_owned() } else { places.join(", ") }
    };

    let mut nodes = Cells::default();
    let mut steps = vec![];
    for level in 0..=depth {
        let path = target >> (depth - level);
        for node in 0..1_u64 << level {
            let (label_0, label_1) = (label(&key_0.key, level, node), label(&key_1.key, level, node));
            for (party, label) in [("P0", label_0), ("P1", label_1)] {
                let name = format!("{party}.level{level}.node{node}");
                nodes.set(format!("{name}.label"), format!("{label:032x}"), PUBLIC);
                nodes.set(format!("{name}.flag"), bit(flag(label)), PUBLIC);
                nodes.set(format!("{name}.compare"), if node == path { "≠" } else { "=" }, PUBLIC);
            }
        }
        let mut cells = nodes.clone();
        let step = if level == 0 { "Roots".to_owned() } else { format!("Level {level} of {depth}") };
        cells.set("step.name", step, PUBLIC);
        cells.set("step.number", format!("{} of {}", level + 1, depth + 2), PUBLIC);
        select(&mut cells, level, path, (label(&key_0.key, level, path), label(&key_1.key, level, path)));
        if level > 0 {
            let correction = key_0.key.corrections[level - 1];
            let parent = label(&key_0.key, level - 1, path >> 1);
            cells.set("cw", format!("{:032x}", correction.word), PUBLIC);
            cells.set("cwt_L", bit(correction.left_flag), PUBLIC);
            cells.set("cwt_R", bit(correction.right_flag), PUBLIC);
            cells.set("bit", bit(path & 1 == 1), PUBLIC);
            cells.set("on_path", if flag(parent) { "P0" } else { "P1" }, PUBLIC);
            cells.set("P0.applies", flagged(&key_0.key, level - 1), PUBLIC);
            cells.set("P1.applies", flagged(&key_1.key, level - 1), PUBLIC);
        }
        steps.push(cells);
    }

    let mut cells = nodes;
    cells.set("step.name", "Values", PUBLIC);
    cells.set("step.number", format!("{0} of {0}", depth + 2), PUBLIC);
    select(&mut cells, depth, target, (label(&key_0.key, depth, target), label(&key_1.key, depth, target)));
    cells.set("F", key_1.final_correction, PUBLIC);
    for leaf in 0..1_u64 << depth {
        cells.set(format!("leaf{leaf}.P0"), eval_value(&prg, Primary::P0, &key_0, leaf), PUBLIC);
        cells.set(format!("leaf{leaf}.P1"), eval_value(&prg, Primary::P1, &key_1, leaf), PUBLIC);
        // Definition 1: the value at the target, zero elsewhere.
        cells.set(format!("leaf{leaf}.sum"), if leaf == target { value } else { 0 }, PUBLIC);
    }
    steps.push(cells);
    steps.iter().map(|cells| [("all", cells.views().remove("all").unwrap())].into()).collect()
}

/// The node that is shown whole: at first the one on the path.
fn select(cells: &mut Cells, level: usize, node: u64, labels: (Block, Block)) {
    cells.set("selected.place", format!("level {level}, node {node}"), PUBLIC);
    cells.set("selected.P0", format!("{:032x}", labels.0), PUBLIC);
    cells.set("selected.P1", format!("{:032x}", labels.1), PUBLIC);
}
