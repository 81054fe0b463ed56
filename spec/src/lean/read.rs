//! READ, online: two messages. P_b sends `s_b` to the other two; P2 sends g to P0.

use crate::core::ring::Ring;
use crate::core::vector::{add, dot, mod_size, sub, xor_shift};
use crate::lean::memory::{State, State0, State1, State2};

/// `s_b = i*_b xor ri_b`, cut to the h bits of an address: whatever a share has above them stays with its owner, so that the
/// shares of a word that was read are the shares of the next address, as they are.
pub fn shift_share(address_share: u64, random_index: u64, n: usize) -> u64 {
    mod_size(address_share ^ random_index, n)
}

/// `S = s_0 xor s_1 = i* xor ri`
pub fn reconstruct_shift(shift_0: u64, shift_1: u64) -> u64 {
    shift_0 ^ shift_1
}

/// The flags of a READ as words, each vector where it is held: `t^d_0 + t^d_1` is a unit vector. Nobody holds both sides of a
/// DPF, and side 1 of DPF b is at P2 only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flags<W> {
    /// `t^a_0`, at P0 and P2
    pub a_0: Vec<W>,
    /// `t^a_1`, at P1
    pub a_1: Vec<W>,
    /// `t^b_0`, at P0
    pub b_0: Vec<W>,
    /// `t^b_1`, at P2
    pub b_1: Vec<W>,
}

/// All vectors moved from ri to i*: `x<S>`.
pub fn moved<W: Ring>(flags: &Flags<W>, s: u64) -> Flags<W> {
    Flags {
        a_0: xor_shift(&flags.a_0, s),
        a_1: xor_shift(&flags.a_1, s),
        b_0: xor_shift(&flags.b_0, s),
        b_1: xor_shift(&flags.b_1, s),
    }
}

/// P0's part of the word: `<A, t^b_0 - t^a_0> + <H, t^a_0>`.
pub fn partial_0<W: Ring>(state: &State0<W>, a_0: &[W], b_0: &[W]) -> W {
    dot(&state.alpha, &sub(b_0, a_0)).plus(dot(&state.beta, a_0))
}

/// P1's part: `<E, t^a_1>`.
pub fn partial_1<W: Ring>(state: &State1<W>, a_1: &[W]) -> W {
    dot(&state.alpha, a_1)
}

/// P2's part: `<A, t^b_1> + <B, t^a_0>`.
pub fn partial_2<W: Ring>(state: &State2<W>, a_0: &[W], b_1: &[W]) -> W {
    dot(&state.alpha, b_1).plus(dot(&state.beta, a_0))
}

/// P2 to P0: `g`, P2's part with a mask rho that P1 knows. A fresh one each time: P0 has `t^a_0`, and the difference of two g
/// under one rho would speak of A and B.
pub fn unblinding<W: Ring>(partial: W, mask: W) -> W {
    partial.plus(mask)
}

/// P0's share of the word: its part and g.
pub fn read_share_0<W: Ring>(partial: W, unblinding: W) -> W {
    partial.plus(unblinding)
}

/// P1's share: its part without rho.
pub fn read_share_1<W: Ring>(partial: W, mask: W) -> W {
    partial.minus(mask)
}

/// A READ: every message, and the shares of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read<W> {
    /// P0 to P1 and P2
    pub shift_0: u64,
    /// P1 to P0 and P2
    pub shift_1: u64,
    /// P2 to P0: g
    pub unblinding: W,
    /// P0's share of `D[i*]`
    pub read_0: W,
    /// P1's share
    pub read_1: W,
}

/// READ from n flags that point at `ri_0 xor ri_1`. The memory may have fewer than n words: all that are not there are 0.
pub fn read<W: Ring>(
    state: &State<W>,
    flags: &Flags<W>,
    n: usize,
    random_index: (u64, u64),
    address_shares: (u64, u64),
    mask: W,
) -> Read<W> {
    let (ri_0, ri_1) = random_index;
    let (i_0, i_1) = address_shares;
    let shift_0 = shift_share(i_0, ri_0, n);
    let shift_1 = shift_share(i_1, ri_1, n);
    let at_target = moved(flags, reconstruct_shift(shift_0, shift_1));
    let g = unblinding(partial_2(&state.p2, &at_target.a_0, &at_target.b_1), mask);
    Read {
        shift_0,
        shift_1,
        unblinding: g,
        read_0: read_share_0(partial_0(&state.p0, &at_target.a_0, &at_target.b_0), g),
        read_1: read_share_1(partial_1(&state.p1, &at_target.a_1), mask),
    }
}

/// What the three parts and both sides of the flags are of: `t_0 + t_1`, for DPF a and for DPF b.
pub fn opened_flags<W: Ring>(flags: &Flags<W>) -> (Vec<W>, Vec<W>) {
    (add(&flags.a_0, &flags.a_1), add(&flags.b_0, &flags.b_1))
}
