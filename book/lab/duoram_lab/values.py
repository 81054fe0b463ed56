"""Part 4. The value layer: from labels to additive shares of a point function `[duoram, sections 2.1.1 and 4.1.1]`.
The book: chapter 3, from "The three words of a leaf".
"""

from typing import List, NamedTuple, Tuple

from duoram_given.words import word

from .dpf import Key, eval_full, eval_leaf, generate
from .prg import flag
from .sharing import signed


class ValueKey(NamedTuple):
    """A key with its final correction word."""

    key: Key
    final_correction: int  # F, the same in both keys


def value_word(label: int) -> int:
    """Exercise 4.1. The value word v of a leaf: bits 64 to 127 of its label.

    Not bits 0 to 63: the lowest bit is the flag, and at the target the two flags differ. A word with this bit in it would tell
    the lowest bit of the value once F is opened.
    """
    raise NotImplementedError("Exercise 4.1: write value_word")


def value_words(party: int, labels: List[int]) -> List[int]:
    """Exercise 4.2. The value words of a party's leaves, negated for P1: off the target, both parties' add up to 0."""
    raise NotImplementedError("Exercise 4.2: write value_words")


def final_correction(label_0: int, label_1: int, m: int) -> int:
    """Exercise 4.3. F for the value m, from both parties' labels at the target `[duoram, Definition 2]`.

    Wanted: `v_0 - v_1 + F (t_0 - t_1) = m` mod 2^64, where `v_b` and `t_b` are value word and flag without signs. One of the
    two flags is 1: which, decides the sign of F.
    """
    raise NotImplementedError("Exercise 4.3: write final_correction")


def leaf_value(party: int, label: int, final_correction: int) -> int:
    """Exercise 4.4. A party's additive share of the point function at one leaf: `v_b + F t_b`, negated for P1."""
    raise NotImplementedError("Exercise 4.4: write leaf_value")


def generate_value(
    prg, target: int, log_size: int, m: int, root_0: int, root_1: int
) -> Tuple[ValueKey, ValueKey]:
    """Exercise 4.5. GEN with a value: keys for the point function that is m at `target` and 0 elsewhere."""
    raise NotImplementedError("Exercise 4.5: write generate_value")


def eval_full_value(prg, party: int, key: ValueKey) -> List[int]:
    """Exercise 4.6. A party's additive shares of the point function, at all addresses."""
    raise NotImplementedError("Exercise 4.6: write eval_full_value")


def final_correction_share(words: List[int]) -> int:
    """Exercise 4.7. A party's share of the *deferred* final correction word: minus the sum of its signed value words.

    DUORAM makes the DPF before it knows m. All words but those at the target cancel between the parties, so `F_0 + F_1` is
    minus what is left there: the word for the value 0. UPDATE adds m to it (part 6) `[duoram, sections 4 and 4.1.1]`.
    """
    raise NotImplementedError("Exercise 4.7: write final_correction_share")
