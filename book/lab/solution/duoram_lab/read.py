"""Part 5. READ, online `[duoram, section 3.1.1; Protocol 1]`. The book: chapter 8.

Preprocessing has left additive shares of three unit vectors with one random target ri, t^(1), t^(2), t^(3), and shares
`ri_0 + ri_1 = ri` mod n. P2 holds `t_0^(2)` and `t_1^(3)` too. All are for one READ, and then never again.
"""

from typing import List, NamedTuple, Tuple

from duoram_given.words import add, dot, sub, word

from .memory import State

Vectors = Tuple[List[int], List[int], List[int]]  # of DPF 1, DPF 2, DPF 3


class UnitVectors(NamedTuple):
    """Additive shares of the unit vectors."""

    p0: Vectors  # t_0^(1), t_0^(2), t_0^(3)
    p1: Vectors  # t_1^(1), t_1^(2), t_1^(3)


class Item(NamedTuple):
    """What preprocessing leaves for one READ."""

    units: UnitVectors
    random_index_shares: Tuple[int, int]  # ri_0, ri_1


class Read(NamedTuple):
    """The messages of a READ, and its outcome."""

    shift_0: int  # P0 to P1 and P2
    shift_1: int  # P1 to P0 and P2
    gamma_0: int  # P2 to P0
    gamma_1: int  # P2 to P1
    read_0: int  # P0's output
    read_1: int  # P1's output


def shift_share(address_share: int, random_index_share: int, n: int) -> int:
    """Exercise 5.3. Line 5, P_b to both others: `i*_b - ri_b`, **mod n**.

    Address shares are words of 64 bits, ri_b is below n. Sent without reducing, the difference would tell the upper bits of
    the address share.
    """
    return (address_share - random_index_share) % n


def reconstruct_shift(shift_0: int, shift_1: int, n: int) -> int:
    """Exercise 5.4. Line 6: `S = i* - ri` mod n, from both shares. Public, and tells nothing: nobody knows ri."""
    return (shift_0 + shift_1) % n


def shift(t: List[int], s: int) -> List[int]:
    """Exercise 5.5. Line 7: `t[i] <- t[i - S]`, indices mod n. What was at ri is then at `ri + S = i*`.

    For all i at once: run in place, index by index, the assignment copies one word along. Return a new list.
    """
    n = len(t)
    return [t[(i - s) % n] for i in range(n)]


def unblinding(
    blind_0: List[int], blind_1: List[int], t_1_dpf_3: List[int], t_0_dpf_2: List[int], mask: int
) -> Tuple[int, int]:
    """Exercise 5.6. Line 8, P2's messages: `gamma_0 = -<zeta_0, t_1^(3)> + rho`, `gamma_1 = -<zeta_1, t_0^(2)> - rho`.

    The vectors are already shifted. `mask` is rho, a fresh random word: P0 and P1 see one word each, that looks random to
    them, and the two masks cancel in the result.
    """
    return word(-dot(blind_0, t_1_dpf_3) + mask), word(-dot(blind_1, t_0_dpf_2) - mask)


def read_share(
    memory_share: List[int], blinded: List[int], blind: List[int], t_read: List[int], t_refresh: List[int], gamma: int
) -> int:
    """Exercise 5.7. Lines 9 and 10: `read_b = <D_b + D~_(1-b), t_b^(1)> - <zeta_b, t_b^(k) - t_b^(1)> + gamma_b`.

    `t_read` is `t_b^(1)`; `t_refresh` is `t_b^(k)`, where k is 3 for P0 and 2 for P1: the DPF of which P2 has the other side.
    """
    return word(dot(add(memory_share, blinded), t_read) - dot(blind, sub(t_refresh, t_read)) + gamma)


def read(state: State, item: Item, address_shares: Tuple[int, int], mask: int) -> Read:
    """Exercise 5.8. Protocol 1, lines 5 to 10, all three parties: shares of `D[i*_0 + i*_1 mod n]`.

    Let each party use its own state, its own part of the item, and what it was sent.
    """
    n = len(state.p0.memory_share)
    ri_0, ri_1 = item.random_index_shares
    shift_0 = shift_share(address_shares[0], ri_0, n)
    shift_1 = shift_share(address_shares[1], ri_1, n)
    s = reconstruct_shift(shift_0, shift_1, n)
    t_0_dpf_1, t_0_dpf_2, t_0_dpf_3 = (shift(t, s) for t in item.units.p0)
    t_1_dpf_1, t_1_dpf_2, t_1_dpf_3 = (shift(t, s) for t in item.units.p1)
    gamma_0, gamma_1 = unblinding(state.p2.blind_0, state.p2.blind_1, t_1_dpf_3, t_0_dpf_2, mask)
    p0, p1 = state.p0, state.p1
    read_0 = read_share(p0.memory_share, p0.blinded, p0.blind, t_0_dpf_1, t_0_dpf_3, gamma_0)
    read_1 = read_share(p1.memory_share, p1.blinded, p1.blind, t_1_dpf_1, t_1_dpf_2, gamma_1)
    return Read(shift_0, shift_1, gamma_0, gamma_1, read_0, read_1)


def read_batch(
    state: State, items: List[Item], addresses: List[Tuple[int, int]], masks: List[int]
) -> Tuple[List[Read], List[Item]]:
    """Exercise 5.9. Several READs: query j uses item j and mask j. Returns the READs, and the items that are left.

    An item serves once, and so does a mask. Two shifts under one ri would tell everybody `i* - i'*`. Two gamma_0 under one rho
    would tell P0, which knows zeta_0 and `t_0^(3)`, the difference of `zeta_0[i*]` and `zeta_0[i'*]`, and so whether the
    addresses are equal. There are at least as many items and masks as queries.
    """
    reads = [read(state, items[j], addresses[j], masks[j]) for j in range(len(addresses))]
    return reads, items[len(addresses) :]
