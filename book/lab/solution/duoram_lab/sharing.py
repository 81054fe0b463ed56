"""Part 1. Sharing between two parties `[duoram, section 3, Notation]`. The book: chapter 2.

A word is an integer from 0 to 2^64 - 1, a block one from 0 to 2^128 - 1. The randomness is an argument: who calls draws it.
"""

from typing import Tuple

from duoram_given.words import P0, word


def additive_shares(secret: int, random: int) -> Tuple[int, int]:
    """Exercise 1.1. Additive shares of a word: `(random, secret - random)`, mod 2^64.

    P0 gets the random word itself. A uniform `random` makes each share uniform, but not both.
    """
    return random, word(secret - random)


def additive_open(share_0: int, share_1: int) -> int:
    """Exercise 1.2. The word that two additive shares are of: their sum, mod 2^64."""
    return word(share_0 + share_1)


def xor_shares(secret: int, random: int) -> Tuple[int, int]:
    """Exercise 1.3. XOR shares of a block: `(random, secret xor random)`."""
    return random, secret ^ random


def xor_open(share_0: int, share_1: int) -> int:
    """Exercise 1.4. The block that two XOR shares are of."""
    return share_0 ^ share_1


def signed(party: int, x: int) -> int:
    """Exercise 1.5. `x` for P0 and `-x` for P1, mod 2^64 `[duoram, section 4.1.1]`.

    So two parties that hold the *same* word hold additive shares of 0. The leaves of a DPF will be such words.
    """
    return x if party == P0 else word(-x)
