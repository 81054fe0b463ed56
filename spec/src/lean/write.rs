//! WRITE and SWAP, online: two messages, one UPDATE item. The first is READ's; in the second the parts of the old word travel
//! with the shares of M, under masks of the three pairs, and `F_a` is the sum of all three.

use crate::core::ring::Ring;
use crate::lean::memory::State;
use crate::lean::read::{
    moved, partial_0, partial_1, partial_2, read_share_0, read_share_1, reconstruct_shift, shift_share,
    unblinding,
};
use crate::lean::update::{Material, apply};

/// The words of the three pairs' streams: `y_01`, `y_02`, `y_12`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Masks<W> {
    /// P0's and P1's
    pub y_01: W,
    /// P0's and P2's
    pub y_02: W,
    /// P1's and P2's
    pub y_12: W,
}

/// P0 to P1 and P2: `M_0 - p_0 - f^a_0 + y_01 + y_02`.
pub fn masked_part_0<W: Ring>(m: W, partial: W, value_share: W, y_01: W, y_02: W) -> W {
    m.minus(partial).minus(value_share).plus(y_01).plus(y_02)
}

/// P1 to P0 and P2: `M_1 - p_1 - f^a_1 - y_01 + y_12`.
pub fn masked_part_1<W: Ring>(m: W, partial: W, value_share: W, y_01: W, y_12: W) -> W {
    m.minus(partial).minus(value_share).minus(y_01).plus(y_12)
}

/// P2 to P0 and P1: `- p_2 - y_02 - y_12`.
pub fn masked_part_2<W: Ring>(partial: W, y_02: W, y_12: W) -> W {
    partial.negated().minus(y_02).minus(y_12)
}

/// `F_a = M - D[i*] - R_a`: the sum of the three parts.
pub fn final_correction<W: Ring>(part_0: W, part_1: W, part_2: W) -> W {
    part_0.plus(part_1).plus(part_2)
}

/// A SWAP: every message, the shares of the word that was there, and the states after it. A WRITE is the same without
/// `unblinding`, `read_0` and `read_1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swap<W> {
    /// P0 to P1 and P2
    pub shift_0: u64,
    /// P1 to P0 and P2
    pub shift_1: u64,
    /// P0 to P1 and P2
    pub part_0: W,
    /// P1 to P0 and P2
    pub part_1: W,
    /// P2 to P0 and P1
    pub part_2: W,
    /// P2 to P0, in SWAP only: g
    pub unblinding: W,
    /// P0's share of the old word, in SWAP only
    pub read_0: W,
    /// P1's share
    pub read_1: W,
    /// Afterwards
    pub state: State<W>,
}

/// SWAP from material of n words that points at `ri_0 xor ri_1`: puts `M_0 + M_1` at `i*_0 xor i*_1`, if the memory has a word there,
/// and yields shares of the old word.
#[allow(clippy::too_many_arguments)] // shares and masks, each by its name
pub fn swap<W: Ring>(
    state: &State<W>,
    material: &Material<W>,
    n: usize,
    random_index: (u64, u64),
    address_shares: (u64, u64),
    value: (W, W),
    masks: Masks<W>,
    mask: W,
) -> Swap<W> {
    let (ri_0, ri_1) = random_index;
    let (i_0, i_1) = address_shares;
    let (m_0, m_1) = value;
    let (f_0, f_1) = material.value_shares;
    let shift_0 = shift_share(i_0, ri_0, n);
    let shift_1 = shift_share(i_1, ri_1, n);
    let s = reconstruct_shift(shift_0, shift_1);
    let at_target = moved(&material.flags, s);
    let p_0 = partial_0(&state.p0, &at_target.a_0, &at_target.b_0);
    let p_1 = partial_1(&state.p1, &at_target.a_1);
    let p_2 = partial_2(&state.p2, &at_target.a_0, &at_target.b_1);
    let part_0 = masked_part_0(m_0, p_0, f_0, masks.y_01, masks.y_02);
    let part_1 = masked_part_1(m_1, p_1, f_1, masks.y_01, masks.y_12);
    let part_2 = masked_part_2(p_2, masks.y_02, masks.y_12);
    let g = unblinding(p_2, mask);
    Swap {
        shift_0,
        shift_1,
        part_0,
        part_1,
        part_2,
        unblinding: g,
        read_0: read_share_0(p_0, g),
        read_1: read_share_1(p_1, mask),
        state: apply(state, material, s, final_correction(part_0, part_1, part_2)),
    }
}
