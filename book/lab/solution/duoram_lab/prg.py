"""Part 2. The PRG of a tree: from a label to the labels of its two children `[duoram, section 2.1.1]`. The book: chapter 3.

A label is a block: an integer of 128 bits. Its lowest bit is the node's flag; the PRG must not look at it.
"""

from duoram_given.aes import Aes128


def flag(label: int) -> int:
    """Exercise 2.1. The flag of a label, 0 or 1: its lowest bit."""
    return label & 1


def clear_flag(label: int) -> int:
    """Exercise 2.2. The label with the flag 0, all other bits as they are."""
    return label & ~1


class Prg:
    """G: AES-128 under one key a session, so that no key schedule is needed at a node. `self.pi` is the AES."""

    def __init__(self, session_key: bytes):
        self.pi = Aes128(session_key)

    def left(self, label: int) -> int:
        """Exercise 2.3. `G_L(s) = pi(s') xor s'`, where s' is the label without its flag.

        Without the `xor s'` anybody who knows the session's key could go back from a child to its parent, since AES can be
        decrypted. `self.pi.encrypt(block)` is pi.
        """
        start = clear_flag(label)
        return self.pi.encrypt(start) ^ start

    def right(self, label: int) -> int:
        """Exercise 2.4. `G_R(s) = pi(s' xor 1) xor s' xor 1`: as `left`, with the lowest bit set instead of cleared."""
        start = clear_flag(label) ^ 1
        return self.pi.encrypt(start) ^ start
