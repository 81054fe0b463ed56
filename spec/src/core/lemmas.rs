//! What the lemmas of all protocols are stated with: equality of words and vectors, leaves that point at a target, and value
//! words that a final correction fits.

use crate::core::block::{Block, flag};
use crate::core::ring::Ring;
use crate::core::vector::{add, at, every, scale, unit_vector, zeros};

/// `a = b`, as words.
pub fn same<W: Ring>(a: W, b: W) -> bool {
    a.to_u64() == b.to_u64()
}

/// `a = b`, as vectors of words.
pub fn same_vector<W: Ring>(a: &[W], b: &[W]) -> bool {
    let equal: Vec<bool> = a.iter().zip(b.iter()).map(|(x, y)| same(*x, *y)).collect();
    a.len() == b.len() && every(&equal)
}

/// What App. C guarantees of the leaves: flags that XOR to `e_ri`, labels that agree off ri.
pub fn leaves_point_at(labels_0: &[Block], labels_1: &[Block], target: u64) -> bool {
    let holds: Vec<bool> = (0..labels_0.len())
        .map(|i: usize| {
            let difference = at(labels_0, i, 0) ^ at(labels_1, i, 0);
            if i as u64 == target { flag(difference) } else { difference == 0 }
        })
        .collect();
    labels_0.len() == labels_1.len() && every(&holds)
}

/// `v_0 + v_1 + f e_target = 0`
pub fn sums_to_zero<W: Ring>(v_0: &[W], v_1: &[W], f: W, target: u64) -> bool {
    let point = scale(f, &unit_vector(v_0.len(), target as usize));
    same_vector(&add(&add(v_0, v_1), &point), &zeros(v_0.len()))
}
