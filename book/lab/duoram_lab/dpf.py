"""Part 3. Distributed point functions: GEN by a dealer, EVAL, EVALFULL `[duoram, section 2.1.1]`, `[bgi16]`.
The book: chapters 3 and 4.

`prg` has the methods `left(label)` and `right(label)`. Nothing here needs more of it: the tests also use one that is no good.
"""

from typing import List, NamedTuple, Tuple

from .prg import clear_flag, flag


class Correction(NamedTuple):
    """The corrections of one level, the same in both keys."""

    word: int  # cw: a block whose lowest bit is 0
    left_flag: int  # cwt_L: 0 or 1
    right_flag: int  # cwt_R: 0 or 1


class Key(NamedTuple):
    """One party's key. Its depth h is the number of corrections; the domain is 0 to 2^h - 1."""

    root: int  # the root's label; its flag is 0 for P0 and 1 for P1
    corrections: List[Correction]  # from the root's level down


def address_bits(address: int, log_size: int) -> List[int]:
    """Exercise 3.1. The `log_size` bits of an address, **most significant first**: the path from the root, where 0 is left."""
    raise NotImplementedError("Exercise 3.1: write address_bits")


def child(prg, parent: int, correction: Correction, bit: int) -> int:
    """Exercise 3.2. The corrected label of a node's left (bit 0) or right (bit 1) child.

    `G_L(s) xor t (cw xor cwt_L)`, and `G_R(s) xor t (cw xor cwt_R)` `[duoram, App. C, steps 5 and 6]`. t is the flag of the
    *parent*: who has flag 1 corrects, who has flag 0 leaves the child as the PRG made it. A flag correction is a bit, at the
    place of the flag.
    """
    raise NotImplementedError("Exercise 3.2: write child")


def level_correction(prg, node_0: int, node_1: int, bit: int) -> Correction:
    """Exercise 3.3. The correction of a level, from both parties' labels of the node on the path, and the address bit there.

    `left` is the XOR of both left children, `right` of both right children, not corrected. Wanted: the children *off* the
    path become equal in label and flag, and the flags of the children *on* the path become different. So cw is the XOR of
    the children off the path, without its lowest bit; `cwt_L = lsb(left) xor bit xor 1`, `cwt_R = lsb(right) xor bit`.
    """
    raise NotImplementedError("Exercise 3.3: write level_correction")


def generate(prg, target: int, log_size: int, root_0: int, root_1: int) -> Tuple[Key, Key]:
    """Exercise 3.4. GEN: the keys of P0 and P1 for a target.

    Set the roots' flags: 0 for P0, 1 for P1, whatever the arguments have there. Then, for each bit of the target: the
    correction of the level, and one step down the path in both trees.
    """
    raise NotImplementedError("Exercise 3.4: write generate")


def eval_leaf(prg, key: Key, address: int) -> int:
    """Exercise 3.5. EVAL: the label of the leaf at an address: one walk down, with the key's corrections."""
    raise NotImplementedError("Exercise 3.5: write eval_leaf")


def eval_full(prg, key: Key) -> List[int]:
    """Exercise 3.6. EVALFULL: the labels of all 2^h leaves, from left to right.

    Keep a whole level and make the next one from it: to walk to each leaf by itself would compute the upper nodes again and
    again. The tests count the PRG's calls.
    """
    raise NotImplementedError("Exercise 3.6: write eval_full")


def leaf_flags(labels: List[int]) -> List[int]:
    """Exercise 3.7. The flags t of the leaves. Those of P0 XOR those of P1 are the unit vector of the target."""
    raise NotImplementedError("Exercise 3.7: write leaf_flags")
