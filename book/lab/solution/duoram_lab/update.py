"""Part 6. UPDATE with REFRESHBLINDS, and WRITE, online `[duoram, section 3.1.2; Protocol 2]`. The book: chapter 9.

Protocol 2 is misprinted in lines 5, 7, 8 and 9 (`spec/ERRATA.md`, 8); the docstrings have what is meant.

DPF k has a target ri, and leaves additive shares of the unit vector there, `t^(k)`, and signed value words, `v^(k)`, which add
up to 0 off ri. P2 holds `t_0^(2)`, `v_0^(2)`, `t_1^(3)`, `v_1^(3)`. All of it is for one UPDATE.
"""

from typing import List, NamedTuple, Tuple

from duoram_given.words import P0, add, scale, sub, word

from .memory import HelperState, PrimaryState, State
from .read import Item, Read, UnitVectors, Vectors, read, reconstruct_shift, shift, shift_share
from .values import final_correction_share

Words = Tuple[int, int, int]  # of DPF 1, DPF 2, DPF 3


class ValueVectors(NamedTuple):
    """The signed value words of the leaves."""

    p0: Vectors  # v_0^(1), v_0^(2), v_0^(3)
    p1: Vectors  # v_1^(1), v_1^(2), v_1^(3)


class UpdateItem(NamedTuple):
    """What preprocessing leaves for one UPDATE."""

    units: UnitVectors
    values: ValueVectors
    corrections_0: Words  # P0's shares of F^(1), F^(2), F^(3), rerandomized
    corrections_1: Words  # P1's
    random_index_shares: Tuple[int, int]  # ri_0, ri_1


class UpdateMessage(NamedTuple):
    """A primary's message of line 5. The other primary gets all of it, P2 all but `masked_dpf_1`."""

    shift: int  # i*_b - ri_b mod n
    masked_dpf_1: int  # M_b + F_b^(1)
    masked_dpf_2: int  # M_b + F_b^(2)
    masked_dpf_3: int  # M_b + F_b^(3)


class HelperMessage(NamedTuple):
    """What P2 gets of it."""

    shift: int
    masked_dpf_2: int
    masked_dpf_3: int


class Update(NamedTuple):
    """The messages of an UPDATE, and the states after it."""

    message_0: UpdateMessage
    message_1: UpdateMessage
    state: State


class WriteItem(NamedTuple):
    """What preprocessing leaves for a WRITE: an item of each kind, with targets of their own."""

    read: Item
    update: UpdateItem


def rerandomized_share(party: int, shares: Words, delta_dpf_2: int, delta_dpf_3: int) -> Words:
    """Exercise 6.1. Fresh shares of F^(2) and F^(3): P0 adds the deltas, P1 subtracts them. The share of F^(1) stays.

    P0 and P1 have the deltas in common, and P2 does not know them. Not in the paper, and needed: P2 has P0's key of DPF 2, so
    it can compute `F_0^(2)` itself; line 5 sends it `M_0 + F_0^(2)`. The same with P1 and DPF 3. Without deltas it learns M.
    """
    f_dpf_1, f_dpf_2, f_dpf_3 = shares
    if party == P0:
        return f_dpf_1, word(f_dpf_2 + delta_dpf_2), word(f_dpf_3 + delta_dpf_3)
    return f_dpf_1, word(f_dpf_2 - delta_dpf_2), word(f_dpf_3 - delta_dpf_3)


def correction_shares(party: int, values: Vectors, delta_dpf_2: int, delta_dpf_3: int) -> Words:
    """Exercise 6.2. A primary's shares of F^(1), F^(2), F^(3), from its own value words (exercise 4.7), rerandomized."""
    v_dpf_1, v_dpf_2, v_dpf_3 = values
    shares = final_correction_share(v_dpf_1), final_correction_share(v_dpf_2), final_correction_share(v_dpf_3)
    return rerandomized_share(party, shares, delta_dpf_2, delta_dpf_3)


def message(shift_share: int, m: int, corrections: Words) -> UpdateMessage:
    """Exercise 6.3. Line 5: the shift share, and `m = M_b` masked by each of the party's shares of F."""
    f_dpf_1, f_dpf_2, f_dpf_3 = corrections
    return UpdateMessage(shift_share, word(m + f_dpf_1), word(m + f_dpf_2), word(m + f_dpf_3))


def helper_message(sent: UpdateMessage) -> HelperMessage:
    """Exercise 6.4. Line 5, to P2, which has no key of DPF 1 and gets nothing that is masked by it."""
    return HelperMessage(sent.shift, sent.masked_dpf_2, sent.masked_dpf_3)


def reconstruct_corrections(message_0: UpdateMessage, message_1: UpdateMessage) -> Words:
    """Exercise 6.5. Line 6: F^(1), F^(2), F^(3), the sums of what both primaries sent."""
    return (
        word(message_0.masked_dpf_1 + message_1.masked_dpf_1),
        word(message_0.masked_dpf_2 + message_1.masked_dpf_2),
        word(message_0.masked_dpf_3 + message_1.masked_dpf_3),
    )


def update_words(values: List[int], units: List[int], final_correction: int, s: int) -> List[int]:
    """Exercise 6.6. Lines 8 and 9: `w[i] = v[i - S] + F t[i - S]`. The vectors w of both primaries add up to `M e_i*`."""
    return add(shift(values, s), scale(final_correction, shift(units, s)))


def updated_p0(p0: PrimaryState, w_dpf_1: List[int], w_dpf_2: List[int], w_dpf_3: List[int]) -> PrimaryState:
    """Exercise 6.7. Line 8, P0's new state; `w_dpf_k` is its update vector of DPF k.

    `D_0 += w^(1)`, `zeta_0 -= w^(2)`, and the copy of P1's share `D~_1 += w^(3) - w^(1)`.
    """
    return PrimaryState(
        memory_share=add(p0.memory_share, w_dpf_1),
        blind=sub(p0.blind, w_dpf_2),
        blinded=sub(add(p0.blinded, w_dpf_3), w_dpf_1),
    )


def updated_p1(p1: PrimaryState, w_dpf_1: List[int], w_dpf_2: List[int], w_dpf_3: List[int]) -> PrimaryState:
    """Exercise 6.8. Line 9, P1's new state: as P0's, with DPF 2 and DPF 3 exchanged.

    `D_1 += w^(1)`, `zeta_1 -= w^(3)`, `D~_0 += w^(2) - w^(1)`.
    """
    return PrimaryState(
        memory_share=add(p1.memory_share, w_dpf_1),
        blind=sub(p1.blind, w_dpf_3),
        blinded=sub(add(p1.blinded, w_dpf_2), w_dpf_1),
    )


def updated_p2(p2: HelperState, w_0_dpf_2: List[int], w_1_dpf_3: List[int]) -> HelperState:
    """Exercise 6.9. Line 10, REFRESHBLINDS at P2: its blinds change as the primaries' do, from the two vectors that it has."""
    return HelperState(sub(p2.blind_0, w_0_dpf_2), sub(p2.blind_1, w_1_dpf_3))


def update(
    state: State, item: UpdateItem, address_shares: Tuple[int, int], value_shares: Tuple[int, int]
) -> Update:
    """Exercise 6.10. Protocol 2, lines 5 to 10, all three parties: adds `M_0 + M_1` at `i*_0 + i*_1 mod n`."""
    n = len(state.p0.memory_share)
    ri_0, ri_1 = item.random_index_shares
    message_0 = message(shift_share(address_shares[0], ri_0, n), value_shares[0], item.corrections_0)
    message_1 = message(shift_share(address_shares[1], ri_1, n), value_shares[1], item.corrections_1)
    s = reconstruct_shift(message_0.shift, message_1.shift, n)
    f = reconstruct_corrections(message_0, message_1)
    w_0 = [update_words(*of_dpf, s) for of_dpf in zip(item.values.p0, item.units.p0, f)]
    w_1 = [update_words(*of_dpf, s) for of_dpf in zip(item.values.p1, item.units.p1, f)]
    after = State(updated_p0(state.p0, *w_0), updated_p1(state.p1, *w_1), updated_p2(state.p2, w_0[1], w_1[2]))
    return Update(message_0, message_1, after)


def write(
    state: State, item: WriteItem, address_shares: Tuple[int, int], value_shares: Tuple[int, int], mask: int
) -> Tuple[Read, Update]:
    """Exercise 6.11. WRITE: puts `M_0 + M_1` at the address. A READ, then an UPDATE by `M_b - read_b`.

    The old word is never opened: each primary subtracts its own share of it.
    """
    old = read(state, item.read, address_shares, mask)
    differences = word(value_shares[0] - old.read_0), word(value_shares[1] - old.read_1)
    return old, update(state, item.update, address_shares, differences)
