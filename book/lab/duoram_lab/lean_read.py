"""Part 7. READ of the lean protocol. Not in the paper; the book: chapter 13, `spec/src/lean/read.rs`.

An item has two DPFs, a and b, with one target `ri = ri_0 xor ri_1`. A flag is a word here, all zeros or all ones, and the two
sides of a DPF XOR to the vector that is all ones at ri and zero elsewhere. Nobody holds both sides of a DPF:

    P0: side 0 of a, side 0 of b        P1: side 1 of a        P2: side 0 of a, side 1 of b
"""

from typing import List, NamedTuple, Tuple

from duoram_given.words import xor

from .lean_memory import State, State0, State1, State2


class Sides(NamedTuple):
    """A vector of each side of both DPFs: flags here, values in UPDATE."""

    a_0: List[int]  # at P0 and P2
    a_1: List[int]  # at P1
    b_0: List[int]  # at P0
    b_1: List[int]  # at P2


class Read(NamedTuple):
    """The messages of a READ, and its outcome."""

    shift_0: int  # P0 to P1 and P2
    shift_1: int  # P1 to P0 and P2
    unblinding: int  # P2 to P0: g
    read_0: int  # P0's output
    read_1: int  # P1's output


def shift_share(address_share: int, random_index: int, n: int) -> int:
    """Exercise 7.4. `s_b = i*_b xor ri_b`, cut to the lowest h bits, where n = 2^h: what is above stays with its owner."""
    raise NotImplementedError("Exercise 7.4: write shift_share")


def xor_shift(x: List[int], s: int) -> List[int]:
    """Exercise 7.5. `x<S>`: the word at j moves to `j xor S`. Not a rotation, and the same twice changes nothing."""
    raise NotImplementedError("Exercise 7.5: write xor_shift")


def chosen(x: List[int], flags: List[int]) -> int:
    """Exercise 7.6. `<x, t>`: the XOR of all `x[i] and t[i]`, that is, of the words that the flags choose."""
    raise NotImplementedError("Exercise 7.6: write chosen")


def partial_0(state: State0, a_0: List[int], b_0: List[int]) -> int:
    """Exercise 7.7. P0's part of the word: `<A, b_0 xor a_0> xor <H, a_0>`, with flags that are moved already."""
    raise NotImplementedError("Exercise 7.7: write partial_0")


def partial_1(state: State1, a_1: List[int]) -> int:
    """Exercise 7.8. P1's part: `<E, a_1>`."""
    raise NotImplementedError("Exercise 7.8: write partial_1")


def partial_2(state: State2, a_0: List[int], b_1: List[int]) -> int:
    """Exercise 7.9. P2's part: `<A, b_1> xor <B, a_0>`. The three parts XOR to `D[i*]`: why? (chapter 13, "READ is one scan")"""
    raise NotImplementedError("Exercise 7.9: write partial_2")


def read(
    state: State, flags: Sides, random_index: Tuple[int, int], address_shares: Tuple[int, int], mask: int
) -> Read:
    """Exercise 7.10. READ, all three parties: XOR shares of `D[i*_0 xor i*_1]`.

    P2 sends its part to P0 as `g = p_2 xor rho`; P1, which knows rho as well, takes it off: `read_0 = p_0 xor g`,
    `read_1 = p_1 xor rho`. `mask` is rho, a fresh one for each READ: P0 has `t^a_0`, and two g under one rho would speak of B.
    """
    raise NotImplementedError("Exercise 7.10: write read")
