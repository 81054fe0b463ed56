//! One level of chapter 4's tree, before and after its correction, both parties' labels in one node.

use duoram_spec::core::block::Block;
use duoram_spec::core::dpf::next_level;
use duoram_spec::core::prg::Prg;

use super::canvas::{Anchor, Canvas};
use crate::by_hand::Walk;

const NODE: f64 = 86.0;
const GAP: f64 = 8.0;
const ROW: f64 = 84.0;
const PANEL: f64 = 4.0 * (NODE + GAP) + 14.0;

/// What is equal in both trees, and what differs: the colours of the widget (`book/widgets/web/widgets.css`), which are none of a
/// party's. A browser that cannot mix them shows the classes' own.
const EQUAL: &str = "color-mix(in srgb,#f0e442 20%,var(--ground))";
const DIFFERENT: &str = "color-mix(in srgb,#cc79a7 40%,var(--ground))";

/// The labels of a node, P0's and P1's.
type Pair = [Block; 2];

/// Roots, level 1 corrected, and level 2 twice: as the PRG makes it, and corrected.
struct Levels {
    above: [Vec<Pair>; 2],
    before: Vec<Pair>,
    after: Vec<Pair>,
}

impl Levels {
    fn of(walk: &Walk) -> Self {
        let roots = [walk.keys[0].root, walk.keys[1].root];
        let pairs = |levels: [Vec<Block>; 2]| {
            let [of_p0, of_p1] = levels;
            of_p0.into_iter().zip(of_p1).map(|(p0, p1)| [p0, p1]).collect::<Vec<Pair>>()
        };
        let first = roots.map(|root| next_level(&walk.prg, &[root], &walk.keys[0].corrections[0]));
        let second = |level: &[Block]| next_level(&walk.prg, level, &walk.keys[0].corrections[1]);
        let uncorrected = |level: &[Block]| -> Vec<Block> {
            level.iter().flat_map(|label| [walk.prg.left(*label), walk.prg.right(*label)]).collect()
        };
        Self {
            above: [vec![roots], pairs(first.clone())],
            before: pairs([uncorrected(&first[0]), uncorrected(&first[1])]),
            after: pairs([second(&first[0]), second(&first[1])]),
        }
    }
}

/// The picture.
pub(super) fn picture() -> String {
    let levels = Levels::of(&crate::by_hand::walk());
    let mut canvas = Canvas::new(
        2.0 * PANEL + 4.0,
        "A level of a DPF tree before and after its correction",
        "Two trees of depth 2, with P0's and P1's label in each node. Before the correction both children of the node on the path \
         differ between the parties; after it only the one on the path does. Nodes that differ have a heavy frame and a sign of inequality.",
    );
    for (panel, (name, last)) in
        [("before", &levels.before), ("after", &levels.after)].into_iter().enumerate()
    {
        let left = 10.0 + PANEL * panel as f64;
        let middle = |level: usize, node: usize| {
            let width = PANEL - 14.0;
            left + width * (node as f64 + 0.5) / f64::from(1 << level)
        };
        let top = |level: usize| 40.0 + ROW * level as f64;
        let differ = last.iter().filter(|[p0, p1]| p0 != p1).count();
        let nodes = if differ == 1 { "node differs" } else { "nodes differ" };
        canvas.text(Anchor::Start, "bold", [left, 22.0], &format!("{name}: {differ} {nodes} on level 2"));
        let all = [&levels.above[0], &levels.above[1], last];
        for (level, pairs) in all.into_iter().enumerate() {
            for (node, [p0, p1]) in pairs.iter().enumerate() {
                let (x, y) = (middle(level, node), top(level));
                if level > 0 {
                    canvas.line("thin", [middle(level - 1, node / 2), top(level - 1) + 50.0], [x, y], "");
                }
                let same = p0 == p1;
                assert_eq!(same, p0 & 0xfff == p1 & 0xfff, "what is shown tells whether they differ");
                let data = format!(
                    "data-panel=\"{name}\" data-level=\"{level}\" data-p0=\"{p0:032x}\" data-p1=\"{p1:032x}\""
                );
                let (class, sign, corner, tint) =
                    if same { ("open thin", "=", 9, EQUAL) } else { ("faint heavy", "≠", 0, DIFFERENT) };
                let more = format!("rx=\"{corner}\" style=\"fill:{tint}\" {data}");
                canvas.rect(class, [x - NODE / 2.0, y, NODE, 50.0], &more);
                for (line, (party, label)) in [("P0", p0), ("P1", p1)].into_iter().enumerate() {
                    let digits = format!("{party} …{:03x}", label & 0xfff);
                    canvas.text(
                        Anchor::Start,
                        "mono",
                        [x - NODE / 2.0 + 5.0, y + 20.0 + 20.0 * line as f64],
                        &digits,
                    );
                }
                canvas.text(Anchor::End, "bold", [x + NODE / 2.0 - 3.0, y + 30.0], sign);
            }
        }
    }
    canvas.finish(40.0 + 2.0 * ROW + 62.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::canvas::drawn;
    use super::*;

    /// Which nodes of a level are drawn as different; each must be drawn so if its labels are, and only then.
    fn different(panel: &str, level: usize) -> Vec<usize> {
        let of_level = |node: &BTreeMap<String, String>| {
            node.get("data-panel").is_some_and(|p| p == panel) && node["data-level"] == level.to_string()
        };
        let nodes: Vec<_> = drawn(&picture(), "rect").into_iter().filter(of_level).collect();
        assert_eq!(nodes.len(), 1 << level);
        let heavy = |node: &BTreeMap<String, String>| node["class"].contains("heavy");
        for node in &nodes {
            assert_eq!(heavy(node), node["data-p0"] != node["data-p1"]);
        }
        (0..nodes.len()).filter(|node| heavy(&nodes[*node])).collect()
    }

    #[test]
    fn one_correction_makes_two_nodes_that_differ_one() {
        // The target is 5, in bits 101: the path goes right, then left.
        for panel in ["before", "after"] {
            assert_eq!((different(panel, 0), different(panel, 1)), (vec![0], vec![1]));
        }
        assert_eq!(different("before", 2), [2, 3]);
        assert_eq!(different("after", 2), [2]);
    }

    #[test]
    fn on_the_path_the_last_digits_differ_by_the_flag() {
        let node = drawn(&picture(), "rect").into_iter().rfind(|node| {
            node.get("data-panel").is_some_and(|p| p == "after") && node["data-p0"] != node["data-p1"]
        });
        let odd = |digits: &str| u128::from_str_radix(digits, 16).unwrap() & 1;
        let node = node.unwrap();
        assert_ne!(odd(&node["data-p0"]), odd(&node["data-p1"]));
    }
}
