"""A dealer who knows everything, in place of preprocessing. Given complete; it uses your DPFs.

DUORAM has no such dealer: chapters 5 to 7 of the book replace him. What he deals has the same form and the same sums, so that
the online protocols need not know. `random` is a `random.Random` with a seed: for tests, not for secrets.
"""

from duoram_given.words import ALL_ONES, P0, P1
from duoram_lab.dpf import eval_full, generate, leaf_flags
from duoram_lab.lean_read import Sides
from duoram_lab.lean_update import Material
from duoram_lab.read import Item, UnitVectors
from duoram_lab.update import UpdateItem, ValueVectors, WriteItem, correction_shares
from duoram_lab.values import eval_full_value, generate_value, value_word, value_words


def additive(random, x, modulus=2**64):
    """Additive shares of x."""
    share = random.randrange(modulus)
    return share, (x - share) % modulus


def xor_shared(random, x, bits=64):
    """XOR shares of x."""
    share = random.getrandbits(bits)
    return share, x ^ share


def roots(random):
    """Two labels."""
    return random.getrandbits(128), random.getrandbits(128)


def unit_shares(random, prg, target, log_size):
    """Additive shares of the unit vector at the target: those of the point function that is 1 there."""
    key_0, key_1 = generate_value(prg, target, log_size, 1, *roots(random))
    return eval_full_value(prg, P0, key_0), eval_full_value(prg, P1, key_1)


def units_at(random, prg, target, log_size):
    """Three unit vectors in shares."""
    pairs = [unit_shares(random, prg, target, log_size) for _ in range(3)]
    return UnitVectors(tuple(p0 for p0, _ in pairs), tuple(p1 for _, p1 in pairs))


def read_item(random, prg, log_size):
    """For one READ."""
    target = random.randrange(2**log_size)
    units = units_at(random, prg, target, log_size)
    return Item(units, additive(random, target, 2**log_size))


def update_item(random, prg, log_size):
    """For one UPDATE."""
    target = random.randrange(2**log_size)
    labels = []
    for _ in range(3):
        key_0, key_1 = generate(prg, target, log_size, *roots(random))
        labels.append((eval_full(prg, key_0), eval_full(prg, key_1)))
    values = ValueVectors(
        tuple(value_words(P0, of_p0) for of_p0, _ in labels), tuple(value_words(P1, of_p1) for _, of_p1 in labels)
    )
    deltas = random.getrandbits(64), random.getrandbits(64)
    return UpdateItem(
        units_at(random, prg, target, log_size),
        values,
        correction_shares(P0, values.p0, *deltas),
        correction_shares(P1, values.p1, *deltas),
        additive(random, target, 2**log_size),
    )


def write_item(random, prg, log_size):
    """For one WRITE."""
    return WriteItem(read_item(random, prg, log_size), update_item(random, prg, log_size))


def lean_sides(random, prg, target, log_size):
    """Flags of both sides as words, values of both sides, and R, which the values XOR to at the target."""
    key_0, key_1 = generate(prg, target, log_size, *roots(random))
    labels_0, labels_1 = eval_full(prg, key_0), eval_full(prg, key_1)
    flags_0 = [ALL_ONES if t else 0 for t in leaf_flags(labels_0)]
    flags_1 = [ALL_ONES if t else 0 for t in leaf_flags(labels_1)]
    values_0 = [value_word(label) for label in labels_0]
    values_1 = [value_word(label) for label in labels_1]
    return flags_0, flags_1, values_0, values_1, values_0[target] ^ values_1[target]


def lean_item(random, prg, log_size):
    """For one lean READ, UPDATE or WRITE (a READ needs its flags only), and the XOR shares of its target."""
    target = random.randrange(2**log_size)
    a_0, a_1, values_a_0, values_a_1, r_a = lean_sides(random, prg, target, log_size)
    b_0, b_1, values_b_0, values_b_1, r_b = lean_sides(random, prg, target, log_size)
    material = Material(
        Sides(a_0, a_1, b_0, b_1),
        Sides(values_a_0, values_a_1, values_b_0, values_b_1),
        xor_shared(random, r_a),
        r_a ^ r_b,
    )
    return material, xor_shared(random, target, log_size)
