"""AES-128 encryption of a block, from its definition `[fips197]`. Given complete.

Why it is given: a DPF needs a pseudorandom function and nothing of what is inside of it. Python has no AES without a package
from elsewhere, and to write one teaches block ciphers, not point functions. It is short enough to be read. It is not for real
secrets: its table look-ups take a time that depends on the key.

The state is the 16 input bytes: byte `r + 4 c` is row r, column c `[fips197, section 3.4]`.
"""

from typing import List


def xtime(a: int) -> int:
    """Multiplication by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 `[fips197, section 4.2.1]`."""
    return ((a << 1) ^ (0x11B if a & 0x80 else 0)) & 0xFF


def gf_mul(a: int, b: int) -> int:
    """Multiplication in GF(2^8): the sum of `a x^i` over the bits i of b `[fips197, section 4.2]`."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a, b = xtime(a), b >> 1
    return product


def s_box(a: int) -> int:
    """The S-box at one byte: the inverse in GF(2^8), then an affine map over its bits `[fips197, section 5.1.1]`."""
    inverse, power = 1, a
    for _ in range(7):  # a^2 a^4 ... a^128 = a^254 is the inverse, since a^255 = 1 for all a but 0
        power = gf_mul(power, power)
        inverse = gf_mul(inverse, power)
    rotations = [(inverse << i | inverse >> (8 - i)) & 0xFF for i in range(5)]
    return rotations[0] ^ rotations[1] ^ rotations[2] ^ rotations[3] ^ rotations[4] ^ 0x63


S_BOX = [s_box(a) for a in range(256)]
DOUBLED = [xtime(a) for a in range(256)]


def expand_key(key: bytes) -> List[bytes]:
    """The 11 round keys of a key of 16 bytes `[fips197, section 5.2]`."""
    words = [key[4 * i : 4 * i + 4] for i in range(4)]
    constant = 1
    for i in range(4, 44):
        last = words[i - 1]
        if i % 4 == 0:
            last = bytes(S_BOX[b] for b in last[1:] + last[:1])
            last = bytes([last[0] ^ constant]) + last[1:]
            constant = xtime(constant)
        words.append(bytes(a ^ b for a, b in zip(words[i - 4], last)))
    return [b"".join(words[4 * i : 4 * i + 4]) for i in range(11)]


def add_round_key(state: List[int], round_key: bytes) -> List[int]:
    """ADDROUNDKEY `[fips197, section 5.1.4]`."""
    return [a ^ k for a, k in zip(state, round_key)]


def sub_bytes(state: List[int]) -> List[int]:
    """SUBBYTES `[fips197, section 5.1.1]`."""
    return [S_BOX[a] for a in state]


def shift_rows(state: List[int]) -> List[int]:
    """SHIFTROWS: row r moves r columns to the left `[fips197, section 5.1.2]`."""
    return [state[(i + 4 * (i % 4)) % 16] for i in range(16)]


def mix_columns(state: List[int]) -> List[int]:
    """MIXCOLUMNS: each column times 2 + x + x^2 + 3 x^3 `[fips197, section 5.1.3]`."""
    mixed = []
    for c in range(0, 16, 4):
        column = state[c : c + 4]
        for r in range(4):
            a, b = column[r], column[(r + 1) % 4]
            mixed.append(DOUBLED[a] ^ DOUBLED[b] ^ b ^ column[(r + 2) % 4] ^ column[(r + 3) % 4])
    return mixed


class Aes128:
    """AES-128 under one key."""

    def __init__(self, key: bytes):
        if len(key) != 16:
            raise ValueError(f"expected a key of 16 bytes, got {len(key)}")
        self.round_keys = expand_key(key)

    def cipher(self, plain: bytes) -> bytes:
        """CIPHER of 16 bytes `[fips197, section 5.1]`."""
        state = add_round_key(list(plain), self.round_keys[0])
        for round_key in self.round_keys[1:10]:
            state = add_round_key(mix_columns(shift_rows(sub_bytes(state))), round_key)
        return bytes(add_round_key(shift_rows(sub_bytes(state)), self.round_keys[10]))

    def encrypt(self, block: int) -> int:
        """CIPHER of a block: 128 bits as an integer, whose lowest 8 bits are the first byte."""
        return int.from_bytes(self.cipher(block.to_bytes(16, "little")), "little")
