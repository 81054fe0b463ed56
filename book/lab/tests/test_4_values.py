"""Part 4, exercises 4.1 to 4.7: the value layer."""

from duoram_given.words import P0, P1
from duoram_lab import dpf, values
from duoram_lab.prg import Prg
from judging import expect, expect_not, expect_that
from toys import ToyPrg, seeded, words
from vectorfiles import block, faulty, good, read, word, words as parsed

TOP = 2**64 - 1


def labels_at(target, log_size, name):
    prg, random = ToyPrg(), seeded(name)
    keys = dpf.generate(prg, target, log_size, random.getrandbits(128), random.getrandbits(128))
    return [dpf.eval_full(prg, key) for key in keys]


def test_the_value_word_has_no_flag_in_it():
    label = 0xAAAA_BBBB_CCCC_DDDD_1111_2222_3333_4445
    why = "v is bits 64 to 127: the low half holds the flag, which would tell the lowest bit of M"
    expect(values.value_word(label), 0xAAAA_BBBB_CCCC_DDDD, "the value word is the high half of the label", why)
    expect(values.value_word(2**128 - 1), TOP, "the value word is the high half of the label", why)


def test_signed_value_words_cancel_off_the_target():
    for target in (0, 5, 7):
        labels_0, labels_1 = labels_at(target, 3, "cancel")
        v_0, v_1 = values.value_words(P0, labels_0), values.value_words(P1, labels_1)
        sums = [(a + b) % 2**64 for a, b in zip(v_0, v_1)]
        why = "equal words of P0 and P1 must add up to 0: P1's have the sign -1"
        expect([s for i, s in enumerate(sums) if i != target], [0] * 7, "the sign of P1", why)
        expect_not(sums[target], 0, "the words at the target are unrelated", "nothing cancels there")


def test_the_sign_of_the_final_correction_follows_the_flag():
    high_0, high_1 = 1000, 400
    for m in (0, 1, 77, TOP):
        by_p0 = values.final_correction(high_0 << 64 | 1, high_1 << 64, m)
        why = "if P0 has the flag, v_0 - v_1 + F = M, so F = M - v_0 + v_1"
        expect(by_p0, (m - 600) % 2**64, "the sign of the final correction", why)
        by_p1 = values.final_correction(high_0 << 64, high_1 << 64 | 1, m)
        why = "if P1 has the flag, it is subtracted: v_0 - v_1 - F = M, so the sign of F is the other one"
        expect(by_p1, (600 - m) % 2**64, "the sign of the final correction", why)


def test_a_leaf_is_corrected_by_whose_flag_is_1():
    label, f = 12 << 64, 30
    expect(values.leaf_value(P0, label, f), 12, "F is applied by whose flag is 1", "flag 0: the value word as it is")
    expect(values.leaf_value(P0, label | 1, f), 42, "F is applied by whose flag is 1", "flag 1: the value word and F")
    expect(values.leaf_value(P1, label | 1, f), -42 % 2**64, "the sign of P1", "P1's share is negated, with F in it")
    expect(values.leaf_value(P1, label, f), -12 % 2**64, "the sign of P1", "P1's share is negated")


def test_lemma_the_keys_are_shares_of_the_point_function():
    """Definition 2. Both signs occur among these targets: where the flag is P0's and where it is P1's."""
    prg, random, sides = ToyPrg(), seeded("point"), set()
    for target in range(8):
        m = random.getrandbits(64)
        key_0, key_1 = values.generate_value(prg, target, 3, m, random.getrandbits(128), random.getrandbits(128))
        sides.add(dpf.eval_leaf(prg, key_0.key, target) & 1)
        shares_0, shares_1 = values.eval_full_value(prg, P0, key_0), values.eval_full_value(prg, P1, key_1)
        sums = [(a + b) % 2**64 for a, b in zip(shares_0, shares_1)]
        expect(sums, [m if i == target else 0 for i in range(8)], "a point function in two keys", f"M at {target}, 0 elsewhere")
        expect(key_0.final_correction, key_1.final_correction, "F is the same in both keys", "it is public")
    expect(sides, {0, 1}, "the roots' flags", "the flag at the target is now P0's and now P1's")


def test_shares_of_a_point_function_look_random():
    """One key alone: no leaf of P0's shares stands out, at the target neither."""
    random, prg = seeded("alone"), ToyPrg()
    key, _ = values.generate_value(prg, 3, 3, 1, *words(random, 2))
    shares = values.eval_full_value(prg, P0, key)
    expect_that(len(set(shares)) == 8 and 1 not in shares, "one key alone says nothing", "the value is in no share by itself")


def test_the_deferred_correction_is_for_the_value_0():
    for target in (0, 3, 6):
        labels_0, labels_1 = labels_at(target, 3, f"deferred {target}")
        v_0, v_1 = values.value_words(P0, labels_0), values.value_words(P1, labels_1)
        f = values.final_correction_share(v_0) + values.final_correction_share(v_1)
        why = "minus the sum of a party's signed words: all but those at the target cancel, and F_0 + F_1 cancels these"
        expect((f + v_0[target] + v_1[target]) % 2**64, 0, "the deferred final correction", why)
    expect(values.final_correction_share([TOP, 5]), -4 % 2**64, "words mod 2^64", "a share is reduced")


def computed(vector):
    given = vector["input"]
    prg = Prg(bytes.fromhex(given["session_key"]))
    key_0, key_1 = values.generate_value(
        prg, given["target"], given["log_size"], word(given["value"]), block(given["root_0"]), block(given["root_1"])
    )
    v_0 = values.value_words(P0, dpf.eval_full(prg, key_0.key))
    v_1 = values.value_words(P1, dpf.eval_full(prg, key_1.key))
    return (
        key_0.final_correction,
        values.eval_full_value(prg, P0, key_0),
        values.eval_full_value(prg, P1, key_1),
        values.final_correction_share(v_0),
        values.final_correction_share(v_1),
    )


def expected(vector):
    output = vector["output"]
    p0, p1 = output["p0"], output["p1"]
    return (
        word(output["final_correction"]),
        parsed(p0["values"]),
        parsed(p1["values"]),
        word(p0["deferred_share"]),
        word(p1["deferred_share"]),
    )


def test_the_value_word_has_not_the_known_fault_of_the_low_half():
    fault = read("dpf_bad_word_from_low_half")
    for vector in fault["vectors"]:
        for party, name in ((P0, "p0"), (P1, "p1")):
            output = vector["output"][name]
            labels = [a | b << 64 for a, b in zip(parsed(output["labels"])[::2], parsed(output["labels"])[1::2])]
            got = values.value_words(party, labels)
            expect_not(got, parsed(output["values"]), "the value word is the high half of the label", fault["about"])


@good("dpf")
def test_vectors_of_value_words(vector):
    for party, name in ((P0, "p0"), (P1, "p1")):
        output = vector["output"][name]
        halves = parsed(output["labels"])
        labels = [low | high << 64 for low, high in zip(halves[::2], halves[1::2])]
        expect(values.value_words(party, labels), parsed(output["values"]), "value words", f"signed words of {name}")


@faulty("final_correction")
def test_the_final_correction_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(computed(vector)[:3], expected(vector)[:3], "the sign of the final correction", fault["about"])


@good("final_correction")
def test_vectors_of_the_final_correction(vector):
    why = "F, the shares of the point function of P0 and P1, and the deferred shares F_0 and F_1 of the vector"
    expect(computed(vector), expected(vector), "the final correction", why)
