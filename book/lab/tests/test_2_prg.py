"""Part 2, exercises 2.1 to 2.4: labels, flags and the PRG."""

from duoram_lab import prg
from judging import expect, expect_not
from vectorfiles import block, faulty, good

KEY = bytes(range(16))


def test_the_flag_is_the_lowest_bit():
    for label, expected in ((0, 0), (1, 1), (2**128 - 1, 1), (2**128 - 2, 0), (2**127, 0)):
        expect(prg.flag(label), expected, "the flag is the lowest bit of a label", f"label {label:#x}")


def test_clearing_the_flag_leaves_all_other_bits():
    for label, expected in ((0, 0), (1, 0), (6, 6), (7, 6), (2**128 - 1, 2**128 - 2)):
        expect(prg.clear_flag(label), expected, "the flag is the lowest bit of a label", f"label {label:#x} without its flag")


def test_the_prg_does_not_look_at_the_flag():
    g, why = prg.Prg(KEY), "two labels that differ in the flag only must have the same children: clear the flag first"
    for label in (0, 2**128 - 2, 0x1234567890 << 64):
        expect(g.left(label ^ 1), g.left(label), "the flag is cleared before the PRG", why)
        expect(g.right(label ^ 1), g.right(label), "the flag is cleared before the PRG", why)


def test_the_children_of_a_label_are_unrelated():
    g = prg.Prg(KEY)
    for label in (0, 2**128 - 2):
        why = "G_L and G_R differ in the lowest bit of the input"
        expect_not(g.left(label), g.right(label), "left and right are two functions", why)


def test_a_child_does_not_lead_back_to_its_parent():
    g = prg.Prg(KEY)
    for label in (0x42 << 100, 2**127):
        why = "the input of pi is XORed to its output, or whoever can decrypt AES goes from child to parent"
        expect_not(g.left(label), g.pi.encrypt(label), "feed-forward", why)
        expect_not(g.right(label), g.pi.encrypt(label ^ 1), "feed-forward", why)


def children(vector):
    g = prg.Prg(bytes.fromhex(vector["input"]["session_key"]))
    label = block(vector["input"]["label"])
    return g.left(label), g.right(label)


def expected_children(vector):
    return block(vector["output"]["left"]), block(vector["output"]["right"])


@faulty("prg")
def test_the_prg_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(children(vector), expected_children(vector), "the PRG G", fault["about"])


@good("prg")
def test_vectors_of_the_prg(vector):
    expect(children(vector), expected_children(vector), "the PRG G", "G_L and G_R of the vector's label")
