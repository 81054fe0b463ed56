//! Both trees, node by node: each label by EVAL with the first corrections of a key; and what P0 sees of them.

use std::collections::BTreeMap;

use duoram_spec::core::block::{Block, flag, high_half};
use duoram_spec::core::dealer::{ValueKey, eval_value, generate_value};
use duoram_spec::core::dpf::{Key, eval};
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::Primary;
use serde_json::Value;

use crate::cells::{Views, number};
use duoram_vectors::Random;

type Shown = BTreeMap<String, String>;

fn bit(bit: bool) -> &'static str {
    if bit { "1" } else { "0" }
}

fn hex(block: Block) -> String {
    format!("{block:032x}")
}

/// Both keys, and every label that they lead to, level by level.
struct Trees {
    prg: AesPrg,
    depth: usize,
    target: u64,
    value: u64,
    keys: [ValueKey<u64>; 2],
    labels: [Vec<Vec<Block>>; 2],
    random: Random,
}

/// The parties by their names on the page.
const PARTIES: [&str; 2] = ["P0", "P1"];

impl Trees {
    fn of(form: &Value) -> Trees {
        let depth = usize::try_from(number(form, "depth")).unwrap();
        let (target, value) = (number(form, "target"), number(form, "value"));
        let mut random = Random(number(form, "seed"));
        let prg = random.prg();
        let (root_0, root_1) = (random.block(), random.block());
        let (key_0, key_1) = generate_value(&prg, target, depth, value, root_0, root_1);
        let labels = [&key_0, &key_1].map(|key| {
            let first =
                |level: usize| Key { root: key.key.root, corrections: key.key.corrections[..level].to_vec() };
            (0..=depth)
                .map(|level| (0..1_u64 << level).map(|node| eval(&prg, &first(level), node)).collect())
                .collect()
        });
        Trees { prg, depth, target, value, keys: [key_0, key_1], labels, random }
    }

    /// The place on the path to a leaf.
    fn path(&self, leaf: u64, level: usize) -> usize {
        usize::try_from(leaf >> (self.depth - level)).unwrap()
    }

    /// A child before correction.
    fn raw(&self, party: usize, level: usize, node: usize) -> Block {
        let parent = self.labels[party][level - 1][node / 2];
        if node.is_multiple_of(2) { self.prg.left(parent) } else { self.prg.right(parent) }
    }

    /// The places of a level at which a party's flag is 1.
    fn flagged(&self, party: usize, level: usize) -> String {
        let labels = self.labels[party][level].iter().enumerate();
        let places: Vec<String> =
            labels.filter(|(_, label)| flag(**label)).map(|(node, _)| node.to_string()).collect();
        if places.is_empty() { "none".to_owned() } else { places.join(", ") }
    }

    fn correction(&self, cells: &mut Shown, level: usize) {
        let correction = self.keys[0].key.corrections[level - 1];
        cells.insert("cw".into(), hex(correction.word));
        cells.insert("cwt_L".into(), bit(correction.left_flag).into());
        cells.insert("cwt_R".into(), bit(correction.right_flag).into());
        cells.insert("P0.applies".into(), self.flagged(0, level - 1));
    }
}

/// A step: the last level that is there, and whether it is corrected yet; then the values.
#[derive(Clone, Copy)]
struct Step {
    level: usize,
    raw: bool,
    values: bool,
}

fn all_steps(depth: usize) -> Vec<Step> {
    let step = |level, raw| Step { level, raw, values: false };
    let levels = (1..=depth).flat_map(|level| [step(level, true), step(level, false)]);
    let values = Step { level: depth, raw: false, values: true };
    [step(0, false)].into_iter().chain(levels).chain([values]).collect()
}

/// The nodes of some parties, what is chosen, and the step's name: the same in both views.
fn nodes(trees: &Trees, at: usize, parties: &[usize], leaf: u64) -> Shown {
    let steps = all_steps(trees.depth);
    let step = steps[at];
    let mut cells = Shown::new();
    let name = match step {
        Step { values: true, .. } => "Values".to_owned(),
        Step { level: 0, .. } => "Roots".to_owned(),
        Step { level, raw, .. } => {
            format!("Level {level} of {}: {}", trees.depth, if raw { "double" } else { "correct" })
        }
    };
    cells.insert("step.name".into(), name);
    cells.insert("step.number".into(), format!("{} of {}", at + 1, steps.len()));
    cells.insert("leaf".into(), leaf.to_string());
    let label = |party: usize, level: usize, node: usize| {
        if step.raw && level == step.level {
            trees.raw(party, level, node)
        } else {
            trees.labels[party][level][node]
        }
    };
    for (party, level) in parties.iter().flat_map(|party| (0..=step.level).map(move |level| (*party, level)))
    {
        for node in 0..1 << level {
            let name = format!("{}.level{level}.node{node}", PARTIES[party]);
            cells.insert(format!("{name}.label"), hex(label(party, level, node)));
            let raw = step.raw && level == step.level;
            if !raw {
                cells.insert(format!("{name}.flag"), bit(flag(label(party, level, node))).into());
            }
            if parties.len() == 2 {
                let same = label(0, level, node) == label(1, level, node);
                cells.insert(format!("{name}.compare"), if same { "=" } else { "≠" }.into());
            }
            if !step.raw && !step.values && level == step.level && level > 0 {
                let applied = flag(trees.labels[party][level - 1][node / 2]);
                cells.insert(format!("{name}.applied"), if applied { "⊕" } else { "" }.into());
            }
        }
    }
    let node = trees.path(leaf, step.level);
    cells.insert("selected.place".into(), format!("level {}, node {node}", step.level));
    for party in parties {
        cells.insert(format!("selected.{}", PARTIES[*party]), hex(label(*party, step.level, node)));
    }
    cells
}

fn both(trees: &Trees, at: usize) -> Shown {
    let Step { level, raw, values } = all_steps(trees.depth)[at];
    let mut cells = nodes(trees, at, &[0, 1], trees.target);
    let mut set = |name: &str, value: String| drop(cells.insert(name.to_owned(), value));
    let path = trees.path(trees.target, level);
    if values {
        set("F", trees.keys[1].final_correction.to_string());
        for leaf in 0..1_u64 << trees.depth {
            set(
                &format!("leaf{leaf}.P0"),
                eval_value(&trees.prg, Primary::P0, &trees.keys[0], leaf).to_string(),
            );
            set(
                &format!("leaf{leaf}.P1"),
                eval_value(&trees.prg, Primary::P1, &trees.keys[1], leaf).to_string(),
            );
            // Definition 1: the value at the target, zero elsewhere.
            set(&format!("leaf{leaf}.sum"), if leaf == trees.target { trees.value } else { 0 }.to_string());
        }
    } else if raw {
        let off = path ^ 1;
        let labels = [trees.raw(0, level, off), trees.raw(1, level, off)];
        set("bit", (path & 1).to_string());
        set("off.place", format!("level {level}, node {off}"));
        set("off.P0", hex(labels[0]));
        set("off.P1", hex(labels[1]));
        set("off.xor", hex(labels[0] ^ labels[1]));
    } else if level > 0 {
        set("on_path", if flag(trees.labels[0][level - 1][path >> 1]) { "P0" } else { "P1" }.to_owned());
        set("P1.applies", trees.flagged(1, level - 1));
        trees.correction(&mut cells, level);
    }
    cells
}

/// P1's labels on the path to the supposed target, and both children of each before correction.
struct OtherPath {
    labels: Vec<Block>,
    children: Vec<[Block; 2]>,
}

impl OtherPath {
    /// As GEN made it.
    fn real(trees: &Trees) -> OtherPath {
        let labels =
            (0..=trees.depth).map(|level| trees.labels[1][level][trees.path(trees.target, level)]).collect();
        let children = (1..=trees.depth).map(|level| {
            let left = trees.path(trees.target, level) & !1;
            [trees.raw(1, level, left), trees.raw(1, level, left + 1)]
        });
        OtherPath { children: children.collect(), labels }
    }

    /// From the trees as they must end up: off the path P1 has P0's corrected label, on it the other flag, and at the leaf the
    /// word that makes the sum right. What was before correction is that, and the correction where P1's flag is 1.
    fn hybrid(trees: &Trees, leaf: u64) -> OtherPath {
        let Trees { depth, labels: [own, _], keys: [key, _], .. } = trees;
        let mut random = Random(trees.random.0);
        let mut labels = vec![random.block() | 1];
        let mut children = vec![];
        for level in 1..=*depth {
            let path = trees.path(leaf, level);
            let correction = key.key.corrections[level - 1];
            let corrected = flag(labels[level - 1]);
            let of = |node: usize| {
                let bit = if node & 1 == 0 { correction.left_flag } else { correction.right_flag };
                if corrected { correction.word | Block::from(bit) } else { 0 }
            };
            // The free bits are drawn before correction.
            let mut label = random.block() ^ of(path);
            label = label & !1 | Block::from(!flag(own[level][path]));
            if level == *depth {
                let own_share = eval_value(&trees.prg, Primary::P0, key, leaf);
                let needed = own_share.wrapping_sub(trees.value);
                let word = if flag(label) { needed.wrapping_sub(key.final_correction) } else { needed };
                label = Block::from(word) << 64 | label & Block::from(u64::MAX);
            }
            let mut both = [0; 2];
            both[path & 1] = label ^ of(path);
            both[path & 1 ^ 1] = own[level][path ^ 1] ^ of(path ^ 1);
            labels.push(label);
            children.push(both);
        }
        OtherPath { labels, children }
    }
}

fn p0(trees: &Trees, at: usize, leaf: u64) -> Shown {
    let Step { level, raw, values } = all_steps(trees.depth)[at];
    let real = leaf == trees.target;
    let other = if real { OtherPath::real(trees) } else { OtherPath::hybrid(trees, leaf) };
    let mut cells = nodes(trees, at, &[0], leaf);
    if level > 0 && !raw && !values {
        trees.correction(&mut cells, level);
    }
    let mut set = |name: &str, value: String| drop(cells.insert(name.to_owned(), value));
    let key = &trees.keys[0];
    for column in ["key", "gen"] {
        set(&format!("{column}.root"), hex(key.key.root));
        for (level, c) in key.key.corrections.iter().enumerate() {
            let digits = format!("{} {} {}", hex(c.word), bit(c.left_flag), bit(c.right_flag));
            set(&format!("{column}.level{}", level + 1), digits);
        }
        set(&format!("{column}.F"), key.final_correction.to_string());
    }
    set("key.same", "yes".to_owned());
    set("other.how", if real { "as it was made" } else { "in the hybrid" }.to_owned());
    set("other.ways", (127 + 127 * trees.depth - 64).to_string());
    if values {
        set("F", key.final_correction.to_string());
        for leaf in 0..1_u64 << trees.depth {
            set(&format!("leaf{leaf}.P0"), eval_value(&trees.prg, Primary::P0, key, leaf).to_string());
        }
        let (label, share) = (other.labels[trees.depth], eval_value(&trees.prg, Primary::P0, key, leaf));
        set("other.leaf", hex(label));
        let word =
            if flag(label) { high_half(label).wrapping_add(key.final_correction) } else { high_half(label) };
        set("other.P0", share.to_string());
        set("other.P1", word.wrapping_neg().to_string());
        set("other.sum", trees.value.to_string());
    } else if level == 0 {
        set("other.root", hex(other.labels[0]));
    } else {
        set("other.label", hex(other.labels[level - 1]));
        set("other.left", hex(other.children[level - 1][0]));
        set("other.right", hex(other.children[level - 1][1]));
        set("other.free", if level == trees.depth { "63" } else { "127" }.to_owned());
    }
    cells
}

pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let trees = Trees::of(form);
    let supposed = number(form, "supposed");
    let count = all_steps(trees.depth).len();
    (0..count).map(|at| [("all", both(&trees, at)), ("P0", p0(&trees, at, supposed))].into()).collect()
}
