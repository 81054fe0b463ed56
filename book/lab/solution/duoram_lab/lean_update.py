"""Part 8. UPDATE and WRITE of the lean protocol. Not in the paper; the book: chapter 13, `spec/src/lean/update.rs`, `write.rs`.

An item has values beside its flags: the two sides of DPF d XOR to R_d at ri and to 0 elsewhere. Nobody knows R_a or R_b; P0 and
P1 have shares `f_0 xor f_1 = R_a`, and P0 and P2 know `delta = R_a xor R_b`.
"""

from typing import List, NamedTuple, Tuple

from duoram_given.words import xor

from .lean_memory import State, State0, State1, State2
from .lean_read import Sides, partial_0, partial_1, partial_2, shift_share, xor_shift


class Material(NamedTuple):
    """What preparing leaves for one UPDATE or WRITE."""

    flags: Sides
    values: Sides
    value_shares: Tuple[int, int]  # f_0, f_1
    delta: int


class Masks(NamedTuple):
    """A word that two parties have in common, for each pair of them."""

    y_01: int
    y_02: int
    y_12: int


class Update(NamedTuple):
    """The messages of an UPDATE, `(s_b, m_b)`, each to both other parties, and the states after it."""

    message_0: Tuple[int, int]
    message_1: Tuple[int, int]
    state: State


class Write(NamedTuple):
    """The messages of a WRITE, each to both other parties, and the states after it."""

    shift_0: int
    shift_1: int
    part_0: int
    part_1: int
    part_2: int
    state: State


def masked_value(m: int, value_share: int, x: int) -> int:
    """Exercise 8.1. What P_b sends of its share of M: `m_b = M_b xor f_b xor x`.

    P0 and P1 have x in common. P2 dealt `f_1`, and without x it would read `M_1` off P1's message. `m_0 xor m_1` is
    `F_a = M xor R_a`.
    """
    return m ^ value_share ^ x


def final_correction_b(final_correction_a: int, delta: int) -> int:
    """Exercise 8.2. `F_b = F_a xor delta = M xor R_b`: DPF b has values of its own, so it needs a correction of its own."""
    return final_correction_a ^ delta


def update_vector(values: List[int], flags: List[int], final_correction: int, s: int) -> List[int]:
    """Exercise 8.3. `W = (v xor (F and t))<S>`, word by word. The two sides of a DPF XOR to M at i*, and to 0 elsewhere."""
    return xor_shift([v ^ (final_correction & t) for v, t in zip(values, flags)], s)


def updated_0(state: State0, w_a_0: List[int], w_b_0: List[int]) -> State0:
    """Exercise 8.4. P0's new state: DPF a changes alpha, DPF b changes beta."""
    return State0(alpha=xor(state.alpha, w_a_0), beta=xor(state.beta, w_b_0))


def updated_1(state: State1, w_a_1: List[int]) -> State1:
    """Exercise 8.5. P1's new state."""
    return State1(alpha=xor(state.alpha, w_a_1))


def updated_2(state: State2, w_a_0: List[int], w_b_1: List[int]) -> State2:
    """Exercise 8.6. P2's new state. Its A must stay the same as P0's, though the two never compare."""
    return State2(alpha=xor(state.alpha, w_a_0), beta=xor(state.beta, w_b_1))


def apply(state: State, material: Material, s: int, final_correction_a: int) -> State:
    """Exercise 8.7. All three states, from S and F_a: each sharing gets M more at i*, by one DPF."""
    f_b = final_correction_b(final_correction_a, material.delta)
    flags, values = material.flags, material.values
    w_a_0 = update_vector(values.a_0, flags.a_0, final_correction_a, s)
    w_a_1 = update_vector(values.a_1, flags.a_1, final_correction_a, s)
    w_b_0 = update_vector(values.b_0, flags.b_0, f_b, s)
    w_b_1 = update_vector(values.b_1, flags.b_1, f_b, s)
    return State(updated_0(state.p0, w_a_0, w_b_0), updated_1(state.p1, w_a_1), updated_2(state.p2, w_a_0, w_b_1))


def update(
    state: State,
    material: Material,
    random_index: Tuple[int, int],
    address_shares: Tuple[int, int],
    value_shares: Tuple[int, int],
    x: int,
) -> Update:
    """Exercise 8.8. UPDATE, all three parties: `D[i*]` becomes `D[i*] xor M`. One message from each primary."""
    n = len(state.p1.alpha)
    shift_0 = shift_share(address_shares[0], random_index[0], n)
    shift_1 = shift_share(address_shares[1], random_index[1], n)
    masked_0 = masked_value(value_shares[0], material.value_shares[0], x)
    masked_1 = masked_value(value_shares[1], material.value_shares[1], x)
    after = apply(state, material, shift_0 ^ shift_1, masked_0 ^ masked_1)
    return Update((shift_0, masked_0), (shift_1, masked_1), after)


def write(
    state: State,
    material: Material,
    random_index: Tuple[int, int],
    address_shares: Tuple[int, int],
    value_shares: Tuple[int, int],
    masks: Masks,
) -> Write:
    """Exercise 8.9. WRITE, all three parties: `D[i*]` becomes M, with one item and without opening the old word.

    After the shifts each sends its part `p` of the old word (exercises 7.7 to 7.9), masked by the words of its two pairs:

        P0: M_0 xor p_0 xor f_0 xor y_01 xor y_02
        P1: M_1 xor p_1 xor f_1 xor y_01 xor y_12
        P2:       p_2           xor y_02 xor y_12

    The XOR of the three is `F_a = M xor D[i*] xor R_a`; all go on as in UPDATE.
    """
    n = len(state.p1.alpha)
    shift_0 = shift_share(address_shares[0], random_index[0], n)
    shift_1 = shift_share(address_shares[1], random_index[1], n)
    s = shift_0 ^ shift_1
    moved = Sides(*(xor_shift(side, s) for side in material.flags))
    p_0 = partial_0(state.p0, moved.a_0, moved.b_0)
    p_1 = partial_1(state.p1, moved.a_1)
    p_2 = partial_2(state.p2, moved.a_0, moved.b_1)
    part_0 = value_shares[0] ^ p_0 ^ material.value_shares[0] ^ masks.y_01 ^ masks.y_02
    part_1 = value_shares[1] ^ p_1 ^ material.value_shares[1] ^ masks.y_01 ^ masks.y_12
    part_2 = p_2 ^ masks.y_02 ^ masks.y_12
    after = apply(state, material, s, part_0 ^ part_1 ^ part_2)
    return Write(shift_0, shift_1, part_0, part_1, part_2, after)
