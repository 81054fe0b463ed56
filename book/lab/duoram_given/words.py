"""Words of 64 bits, and vectors of them as lists. Given complete.

The paper's protocol adds words mod 2^64; the lean protocol XORs them, for which Python's `^` does. A vector's place i is the
memory's address i.
"""

from typing import List

P0 = 0
P1 = 1

ALL_ONES = 2**64 - 1


def word(x: int) -> int:
    """`x` mod 2^64. Python's integers have no end, so reduce after each addition, subtraction and product."""
    return x & ALL_ONES


def add(a: List[int], b: List[int]) -> List[int]:
    """`a + b`, word by word."""
    return [word(x + y) for x, y in zip(a, b)]


def sub(a: List[int], b: List[int]) -> List[int]:
    """`a - b`, word by word."""
    return [word(x - y) for x, y in zip(a, b)]


def scale(k: int, a: List[int]) -> List[int]:
    """`k a`, word by word."""
    return [word(k * x) for x in a]


def dot(a: List[int], b: List[int]) -> int:
    """`<a, b>`, the sum of `a[i] b[i]`."""
    return word(sum(x * y for x, y in zip(a, b)))


def xor(a: List[int], b: List[int]) -> List[int]:
    """`a xor b`, word by word: what `+` and `-` are in the lean protocol."""
    return [x ^ y for x, y in zip(a, b)]


def zeros(n: int) -> List[int]:
    """n zeros."""
    return [0] * n


def unit_vector(n: int, i: int) -> List[int]:
    """`e_i`: 1 at place i, 0 at the n - 1 others."""
    return [1 if j == i else 0 for j in range(n)]
