"""Part 5. What the three parties hold between operations `[duoram, section 3, Notation]`. The book: chapter 8.

All vectors have n words; n is a power of two. `D = D_0 + D_1` is the memory, which nobody has.
"""

from typing import List, NamedTuple

from duoram_given.words import add


class PrimaryState(NamedTuple):
    """P_b's state."""

    memory_share: List[int]  # D_b
    blind: List[int]  # zeta_b, the blind of D_b
    blinded: List[int]  # D~_(1-b) = D_(1-b) + zeta_(1-b): the *other* primary's share, blinded


class HelperState(NamedTuple):
    """P2's state: both blinds, and nothing of the memory."""

    blind_0: List[int]  # zeta_0
    blind_1: List[int]  # zeta_1


class State(NamedTuple):
    """The states of all three parties, for tests: nobody sees all of them."""

    p0: PrimaryState
    p1: PrimaryState
    p2: HelperState


def blinded_share(memory_share: List[int], blind: List[int]) -> List[int]:
    """Exercise 5.1. `D~_b = D_b + zeta_b`: what P_b gives the other primary of its share."""
    return add(memory_share, blind)


def shared(
    memory_share_0: List[int], memory_share_1: List[int], blind_0: List[int], blind_1: List[int]
) -> State:
    """Exercise 5.2. The three states of a memory in shares D_0, D_1 with the blinds zeta_0, zeta_1. Who gets which copy?"""
    return State(
        PrimaryState(memory_share_0, blind_0, blinded_share(memory_share_1, blind_1)),
        PrimaryState(memory_share_1, blind_1, blinded_share(memory_share_0, blind_0)),
        HelperState(blind_0, blind_1),
    )
