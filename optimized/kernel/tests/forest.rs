//! Growing trees against the specification, whatever is stored and however many threads there are.
#![allow(missing_docs)]
#![allow(clippy::cast_possible_truncation)] // words are taken from blocks by casts

use duoram_kernel::{Backend, BackendName, Correction, Features, Kernels, LeafSum, LeafSums, Workers};
use duoram_spec::core::aes::expand_key;
use duoram_spec::core::distributed_gen::child_sums;
use duoram_spec::core::dpf;
use duoram_spec::core::prg::AesPrg;

const PRG_KEY: u128 = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
const TREES: usize = 3;

fn block(index: u128) -> u128 {
    (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).rotate_left(29) ^ index
}

/// The correction of a level of a tree.
fn correction(tree: usize, level: usize) -> Correction {
    let random = block((100 * tree + level) as u128);
    Correction { word: random & !1, left_flag: random >> 7 & 1 == 1, right_flag: random >> 8 & 1 == 1 }
}

/// The sums of each level and of the leaves, by the specification.
fn specified(tree: usize, log_size: usize) -> (Vec<[u128; 2]>, LeafSums) {
    let prg = AesPrg { aes: expand_key(&PRG_KEY.to_le_bytes()) };
    let mut labels = vec![block(tree as u128)];
    let mut sums = Vec::new();
    for level in 0..log_size {
        let spec = child_sums(&prg, &labels);
        sums.push([spec.left, spec.right]);
        let Correction { word, left_flag, right_flag } = correction(tree, level);
        labels = dpf::next_level(&prg, &labels, &dpf::Correction { word, left_flag, right_flag });
    }
    let mut leaves = LeafSums::default();
    for (index, label) in (0..).zip(&labels) {
        let (flag, conversion, value) = (*label as u64 & 1, *label as u64, (label >> 64) as u64);
        let LeafSum { flag_count, conversion_sum, value_sum } = leaves.leaves;
        leaves = LeafSums {
            leaves: LeafSum {
                flag_count: flag_count + flag,
                conversion_sum: conversion_sum.wrapping_add(conversion),
                value_sum: value_sum.wrapping_add(value),
            },
            index_flag_sum: leaves.index_flag_sum + index * flag,
            index_conversion_sum: leaves.index_conversion_sum.wrapping_add(index.wrapping_mul(conversion)),
        };
    }
    (sums, leaves)
}

fn all_workers() -> Vec<Workers> {
    #[cfg(feature = "threads")]
    return (1..=3).map(|threads| Workers::new(threads).unwrap()).collect();
    #[cfg(not(feature = "threads"))]
    return vec![Workers::one()];
}

#[test]
fn growth_is_the_specifications_whatever_is_stored() {
    for log_size in (1..=14).filter(|h| !cfg!(miri) || [3, 9].contains(h)) {
        let expected: Vec<_> = (0..TREES).map(|tree| specified(tree, log_size)).collect();
        let roots: Vec<_> = (0..TREES as u128).map(block).collect();
        for workers in all_workers() {
            for backend in Backend::available(&Features::detect()) {
                if cfg!(miri) && backend.name() == BackendName::Portable {
                    continue;
                }
                let kernels = Kernels::new(backend, PRG_KEY, &workers);
                let mut forest = kernels.plant(&[], 0);
                // Nothing, the first level that is worth while, and all from there to the leaves. The deepest first: from then on memory is
                // enough, and holds what is done with.
                for stored in (0..=log_size).rev().filter(|depth| *depth == 0 || *depth >= 5) {
                    let name = format!("{}, {} threads", backend.name(), workers.threads());
                    kernels.replant(&mut forest, &roots, stored);
                    for level in 0..log_size {
                        let sums = kernels.grow(&mut forest);
                        for tree in 0..TREES {
                            assert_eq!(
                                sums[tree], expected[tree].0[level],
                                "level {level}, {stored}, {name}"
                            );
                        }
                        let corrections: Vec<_> = (0..TREES).map(|tree| correction(tree, level)).collect();
                        kernels.correct(&mut forest, &corrections);
                    }
                    let sums = kernels.leaf_sums(&forest);
                    for tree in 0..TREES {
                        assert_eq!(sums[tree], expected[tree].1, "leaves of {log_size}, {stored}, {name}");
                    }
                }
            }
        }
    }
}
