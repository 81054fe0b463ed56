//! The layers' sums of trees that grow.

use crate::each;
use crate::naive::{Pi, Random};
use duoram_kernel::Correction;

const TREES: usize = 2;

/// Of one tree, at each depth from the root on: the sums of the next level's children, of the flag layer and of the value layer.
struct Expected {
    root: u128,
    corrections: Vec<Correction>,
    children: Vec<[u128; 2]>,
    flags: Vec<u128>,
    values: Vec<[u64; 8]>,
}

impl Expected {
    fn new(random: &mut Random, depth: usize) -> Self {
        let pi = Pi::new();
        let root = random.block();
        let corrections: Vec<_> = (0..depth).map(|_| random.correction()).collect();
        let (mut children, mut flags, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut nodes = vec![root];
        for level in 0..=depth {
            flags.push(nodes.iter().fold(0, |sum, s| sum ^ pi.t(2, *s)));
            values.push(
                nodes.iter().map(|s| pi.y(*s)).fold([0; 8], |a, b| std::array::from_fn(|j| a[j] ^ b[j])),
            );
            if let Some(correction) = corrections.get(level) {
                let sum = |c| nodes.iter().fold(0, |sum, s| sum ^ pi.t(c, *s));
                children.push([sum(0), sum(1)]);
                nodes = pi.level(&nodes, correction);
            }
        }
        Self { root, corrections, children, flags, values }
    }
}

/// Asking for a layer changes nothing: growth goes on as without.
#[test]
fn sums_of_layers_at_every_depth_whatever_is_stored() {
    let mut random = Random(5);
    let depth = if cfg!(miri) { 8 } else { 12 };
    let trees: Vec<_> = (0..TREES).map(|_| Expected::new(&mut random, depth)).collect();
    let roots: Vec<_> = trees.iter().map(|tree| tree.root).collect();
    each(|kernels, name| {
        let mut forest = kernels.plant(&[], 0);
        for stored in (0..=depth).filter(|stored| *stored == 0 || *stored >= 5) {
            // Layers at all depths, at one in three, at the last one only.
            for every in [1, 3, depth] {
                kernels.replant(&mut forest, &roots, stored);
                for level in 0..=depth {
                    let name = format!("depth {level}, {stored}, {every}, {name}");
                    if level % every == 0 {
                        let (flags, values) =
                            (kernels.flag_sums(&mut forest), kernels.value_sums(&mut forest));
                        for (tree, expected) in trees.iter().enumerate() {
                            assert_eq!(flags[tree], expected.flags[level], "flags, {name}");
                            assert_eq!(values[tree], expected.values[level], "values, {name}");
                        }
                    }
                    if level < depth {
                        let sums = kernels.grow(&mut forest);
                        for (tree, expected) in trees.iter().enumerate() {
                            assert_eq!(sums[tree], expected.children[level], "children, {name}");
                        }
                        let corrections: Vec<_> = trees.iter().map(|tree| tree.corrections[level]).collect();
                        kernels.correct(&mut forest, &corrections);
                    }
                }
                if every == depth {
                    // Alone, of a level as it was hashed.
                    kernels.replant(&mut forest, &roots, stored);
                    for level in 0..depth {
                        kernels.grow(&mut forest);
                        let corrections: Vec<_> = trees.iter().map(|tree| tree.corrections[level]).collect();
                        kernels.correct(&mut forest, &corrections);
                    }
                    let values = kernels.value_sums(&mut forest);
                    for (tree, expected) in trees.iter().enumerate() {
                        assert_eq!(values[tree], expected.values[depth], "values alone, {stored}, {name}");
                    }
                }
            }
        }
    });
}

/// As READ items' trees are, which have the flag layer only. In memory that was used before.
#[test]
fn the_first_trees_are_forgotten_and_the_others_go_on() {
    let mut random = Random(6);
    let depth = if cfg!(miri) { 8 } else { 10 };
    let trees: Vec<_> = (0..TREES).map(|_| Expected::new(&mut random, depth)).collect();
    let roots: Vec<_> = trees.iter().map(|tree| tree.root).collect();
    each(|kernels, name| {
        let mut forest = kernels.plant(&[], 0);
        for stored in [depth, 7, 0] {
            for forgotten_at in [0, 6, depth - 1] {
                kernels.replant(&mut forest, &roots, stored);
                let mut left = &trees[..];
                for level in 0..depth {
                    let name = format!("depth {level}, {stored}, from {forgotten_at} on, {name}");
                    if level == forgotten_at {
                        forest.forget(1);
                        left = &trees[1..];
                    }
                    let sums = kernels.grow(&mut forest);
                    let expected: Vec<_> = left.iter().map(|tree| tree.children[level]).collect();
                    assert_eq!(sums, expected, "children, {name}");
                    let corrections: Vec<_> = left.iter().map(|tree| tree.corrections[level]).collect();
                    kernels.correct(&mut forest, &corrections);
                }
                let values = kernels.value_sums(&mut forest);
                let expected: Vec<_> = left.iter().map(|tree| tree.values[depth]).collect();
                assert_eq!(values[..], expected[..], "values, {stored}, from {forgotten_at} on, {name}");
            }
        }
    });
}
