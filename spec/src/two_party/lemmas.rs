//! What two parties arrive at, as boolean functions: what the tests evaluate and what the proofs show to be true.

use crate::core::block::Block;
use crate::core::du_atallah::AndTriple;
use crate::core::lemmas::{same, same_vector};
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::{add, at, every, mod_size, unit_vector};
use crate::two_party::conversion::{inverse, random_index_share, sum_share, unit_share};
use crate::two_party::masks::{Prf, masked_table, unmasked, word_keys};
use crate::two_party::ot::{and_triple_from_ots, received};
use crate::two_party::read::{ideal_symmetric_pir, read};

/// Lemma 4: the 2-party READ opens to `D[i*]`.
pub fn lemma_4<W: Ring>(
    memory_shares: (&[W], &[W]),
    address_shares: (u64, u64),
    query_indices: (u64, u64),
    blinds: (W, W),
) -> bool {
    let (d_0, d_1) = memory_shares;
    let (i_0, i_1) = address_shares;
    let (read_0, read_1) = read(memory_shares, address_shares, query_indices, blinds);
    let memory = add(d_0, d_1);
    let target = mod_size(i_0.wrapping_add(i_1), memory.len());
    same(read_0.plus(read_1), at(&memory, target as usize, W::zero()))
}

/// The relation of App. A: there is one T with `Z_0 = X_0 Y_1 xor T` and `Z_1 = X_1 Y_0 xor T`.
pub fn is_triple(triple_0: &AndTriple, triple_1: &AndTriple) -> bool {
    triple_0.z ^ (triple_0.x & triple_1.y) == triple_1.z ^ (triple_1.x & triple_0.y)
}

/// Two OTs, one each way, make a triple.
pub fn ots_make_a_triple(bits: (bool, bool), pair_0: &(Block, Block), pair_1: &(Block, Block)) -> bool {
    let (bit_0, bit_1) = bits;
    is_triple(
        &and_triple_from_ots(bit_0, pair_0, received(pair_1, bit_0)),
        &and_triple_from_ots(bit_1, pair_1, received(pair_0, bit_1)),
    )
}

/// A PIR on the masked table, asked with the keys of an index below n, is the symmetric PIR on the table: there are h pairs.
pub fn unmasking_recovers<W: Ring, F: Prf>(
    prf: &F,
    pairs: &[(Block, Block)],
    table: &[W],
    index: u64,
) -> bool {
    let masked = ideal_symmetric_pir(&masked_table(prf, pairs, table), index);
    same(unmasked(prf, &word_keys(pairs, index), index, masked), ideal_symmetric_pir(table, index))
}

/// `a a^-1 = 1`, for an odd a.
pub fn inverse_inverts<W: Ring>(a: W) -> bool {
    same(a.times(inverse(a)), W::one())
}

/// From leaves that point at a target ([`crate::core::lemmas::leaves_point_at`]): the shares of the unit vector add up to it,
/// and the shares of ri to ri.
pub fn sum_converts<W: Ring>(labels_0: &[Block], labels_1: &[Block], target: u64) -> bool {
    let n = labels_0.len();
    let z: W = sum_share::<W>(Primary::P0, labels_0).plus(sum_share(Primary::P1, labels_1));
    let unit_0 = unit_share(Primary::P0, labels_0, z);
    let unit_1 = unit_share(Primary::P1, labels_1, z);
    let index = random_index_share(&unit_0).wrapping_add(random_index_share(&unit_1));
    same_vector(&add(&unit_0, &unit_1), &unit_vector(n, target as usize)) && mod_size(index, n) == target
}

/// UPDATE: the memory is as before, but for `m` added at the target.
pub fn adds<W: Ring>(before: &[W], after: &[W], target: u64, m: W) -> bool {
    puts(before, after, target, at(before, target as usize, W::zero()).plus(m))
}

/// WRITE and SWAP: the memory is as before, but for `m` at the target.
pub fn puts<W: Ring>(before: &[W], after: &[W], target: u64, m: W) -> bool {
    let holds: Vec<bool> = (0..before.len())
        .map(|i: usize| {
            let expected = if i as u64 == target { m } else { at(before, i, W::zero()) };
            same(at(after, i, W::zero()), expected)
        })
        .collect();
    before.len() == after.len() && every(&holds)
}
