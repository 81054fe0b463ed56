"""Part 7. The lean protocol's state: two sharings of one memory. Not in the paper; the book: chapter 13.

Words and addresses are shared by XOR: wherever the paper's protocol has plus or minus, there is `^`.

    alpha: D = A xor E, with A at P0 and, the same, at P2, and E at P1
    beta:  D = B xor H, with B at P2 and H at P0
"""

from typing import List, NamedTuple

from duoram_given.words import xor


class State0(NamedTuple):
    """P0's state."""

    alpha: List[int]  # A
    beta: List[int]  # H


class State1(NamedTuple):
    """P1's state."""

    alpha: List[int]  # E


class State2(NamedTuple):
    """P2's state."""

    alpha: List[int]  # A
    beta: List[int]  # B


class State(NamedTuple):
    """The states of all three parties, for tests: nobody sees all of them."""

    p0: State0
    p1: State1
    p2: State2


def masked_alpha(memory_share_0: List[int], x: List[int]) -> List[int]:
    """Exercise 7.1. Load, P0 to P2: `A = D_0 xor x`. P0 and P1 have x in common: without it P2 would hold P0's share."""
    return xor(memory_share_0, x)


def masked_beta(memory_share_1: List[int], b: List[int]) -> List[int]:
    """Exercise 7.2. Load, P1 to P0: `D_1 xor B`. P1 and P2 have B in common: without it P0 would hold both shares."""
    return xor(memory_share_1, b)


def shared(memory_share_0: List[int], memory_share_1: List[int], x: List[int], b: List[int]) -> State:
    """Exercise 7.3. The three states after a load: both sharings, of `D = D_0 xor D_1`.

    P1 keeps `E = D_1 xor x`, P0 keeps `H = D_0 xor (D_1 xor B)`.
    """
    a = masked_alpha(memory_share_0, x)
    h = xor(memory_share_0, masked_beta(memory_share_1, b))
    return State(State0(a, h), State1(xor(memory_share_1, x)), State2(a, b))
