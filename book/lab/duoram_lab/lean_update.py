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
    raise NotImplementedError("Exercise 8.1: write masked_value")


def final_correction_b(final_correction_a: int, delta: int) -> int:
    """Exercise 8.2. `F_b = F_a xor delta = M xor R_b`: DPF b has values of its own, so it needs a correction of its own."""
    raise NotImplementedError("Exercise 8.2: write final_correction_b")


def update_vector(values: List[int], flags: List[int], final_correction: int, s: int) -> List[int]:
    """Exercise 8.3. `W = (v xor (F and t))<S>`, word by word. The two sides of a DPF XOR to M at i*, and to 0 elsewhere."""
    raise NotImplementedError("Exercise 8.3: write update_vector")


def updated_0(state: State0, w_a_0: List[int], w_b_0: List[int]) -> State0:
    """Exercise 8.4. P0's new state: DPF a changes alpha, DPF b changes beta."""
    raise NotImplementedError("Exercise 8.4: write updated_0")


def updated_1(state: State1, w_a_1: List[int]) -> State1:
    """Exercise 8.5. P1's new state."""
    raise NotImplementedError("Exercise 8.5: write updated_1")


def updated_2(state: State2, w_a_0: List[int], w_b_1: List[int]) -> State2:
    """Exercise 8.6. P2's new state. Its A must stay the same as P0's, though the two never compare."""
    raise NotImplementedError("Exercise 8.6: write updated_2")


def apply(state: State, material: Material, s: int, final_correction_a: int) -> State:
    """Exercise 8.7. All three states, from S and F_a: each sharing gets M more at i*, by one DPF."""
    raise NotImplementedError("Exercise 8.7: write apply")


def update(
    state: State,
    material: Material,
    random_index: Tuple[int, int],
    address_shares: Tuple[int, int],
    value_shares: Tuple[int, int],
    x: int,
) -> Update:
    """Exercise 8.8. UPDATE, all three parties: `D[i*]` becomes `D[i*] xor M`. One message from each primary."""
    raise NotImplementedError("Exercise 8.8: write update")


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
    raise NotImplementedError("Exercise 8.9: write write")
