"""Part 3, exercises 3.1 to 3.7: GEN, EVAL and EVALFULL."""

from duoram_lab import dpf
from duoram_lab.prg import Prg
from judging import expect, expect_not, expect_that
from toys import ToyPrg, seeded
from vectorfiles import bits, block, blocks, good, read

PATH = "trees agree everywhere but on the path to the target"


def keys(prg, target, log_size, name="dpf"):
    random = seeded(name)
    return dpf.generate(prg, target, log_size, random.getrandbits(128), random.getrandbits(128))


def test_the_address_bits_are_the_path_from_the_root():
    why = "the highest bit chooses at the root, the lowest at the leaf: 6 = 110 goes right, right, left"
    expect(dpf.address_bits(6, 3), [1, 1, 0], "bit order of an address: most significant first", why)
    expect(dpf.address_bits(1, 4), [0, 0, 0, 1], "bit order of an address: most significant first", "1 = 0001")
    expect(dpf.address_bits(0, 0), [], "depth", "a tree of depth 0 has one leaf, and no path")
    for address in range(16):
        value = sum(bit << (3 - i) for i, bit in enumerate(dpf.address_bits(address, 4)))
        expect(value, address, "bit order of an address: most significant first", "read from the left, the bits are the address")


def test_only_a_node_with_flag_1_is_corrected():
    prg = ToyPrg()
    correction = dpf.Correction(0xC0FFEE << 32, 1, 0)
    concept = "the flag says who corrects"
    for parent in (0, 0xABC << 40):
        for bit, made in ((0, prg.left(parent)), (1, prg.right(parent))):
            got = dpf.child(prg, parent, correction, bit)
            expect(got, made, concept, "at a node whose flag is 0 the child is what the PRG made: no correction is applied")
            got = dpf.child(prg, parent | 1, correction, bit)
            expect_not(got, made, concept, "the correction is not applied by the party whose flag is 1")
            why = "bits 1 to 127 are corrected by cw where the *parent's* flag is 1, in the left child as in the right"
            expect(got >> 1, (made ^ correction.word) >> 1, "the correction word cw", why)


def test_each_child_has_a_flag_correction_of_its_own():
    prg = ToyPrg()
    for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
        for bit, name, mine in ((0, "cwt_L", left), (1, "cwt_R", right)):
            made = prg.right(1) if bit else prg.left(1)
            got = dpf.child(prg, 1, dpf.Correction(0, left, right), bit) ^ made
            why = f"the flag of the {'right' if bit else 'left'} child is corrected by {name}, a bit at the place of the flag"
            expect(got, mine, "the flag corrections cwt_L and cwt_R", why)


def test_the_correction_of_a_level_repairs_the_child_off_the_path():
    prg = ToyPrg()
    for node_0, node_1 in ((0x1234 << 64, 0x9876 << 64 | 1), (0x5555 << 7 | 1, 0xFEDC << 99)):
        left, right = prg.left(node_0) ^ prg.left(node_1), prg.right(node_0) ^ prg.right(node_1)
        for bit in (0, 1):
            got = dpf.level_correction(prg, node_0, node_1, bit)
            why = "cw is the XOR of the two children off the path: the right ones if the path goes left"
            expect_not(got.word >> 1, (right if bit else left) >> 1, "the correction word cw repairs the child off the path", why)
            why = "the lowest bit of cw is 0: the flags have corrections of their own"
            expect(got.word & 1, 0, "the lowest bit of cw is 0", why)
            expect(got.word >> 1, (left if bit else right) >> 1, "the correction word cw repairs the child off the path", why)
            why = "cwt_L = lsb(left) xor bit xor 1: the left flags differ if the path goes left"
            expect(got.left_flag, left & 1 ^ bit ^ 1, "the flag corrections cwt_L and cwt_R", why)
            why = "cwt_R = lsb(right) xor bit: the right flags differ if the path goes right"
            expect(got.right_flag, right & 1 ^ bit, "the flag corrections cwt_L and cwt_R", why)


def test_the_roots_have_different_flags():
    for roots in ((0, 0), (1, 1), (1, 0), (2**128 - 1, 2**127)):
        key_0, key_1 = dpf.generate(ToyPrg(), 2, 2, *roots)
        why = "P0's root has flag 0, P1's flag 1, whatever the random roots have there: one of them must correct on level 1"
        expect((key_0.root & 1, key_1.root & 1), (0, 1), "the roots' flags", why)
        expect((key_0.root >> 1, key_1.root >> 1), (roots[0] >> 1, roots[1] >> 1), "the roots' flags", "all other bits stay")


def test_both_keys_have_the_same_corrections_one_a_level():
    for log_size in (1, 2, 5):
        key_0, key_1 = keys(ToyPrg(), 1, log_size)
        expect(len(key_0.corrections), log_size, "a key is as long as the tree is deep", "one correction a level")
        expect(key_0.corrections, key_1.corrections, "both keys have the same corrections", "only the roots differ")


def test_lemma_the_keys_differ_at_the_target_only():
    prg = ToyPrg()
    for log_size in (1, 2, 3, 4):
        for target in range(2**log_size):
            key_0, key_1 = keys(prg, target, log_size, f"lemma {log_size}")
            for address in range(2**log_size):
                label_0, label_1 = dpf.eval_leaf(prg, key_0, address), dpf.eval_leaf(prg, key_1, address)
                where = f"depth {log_size}, target {target}, leaf {address}"
                if address == target:
                    expect((label_0 ^ label_1) & 1, 1, PATH, f"at the target the flags differ ({where})")
                else:
                    expect(label_0, label_1, PATH, f"off the target both labels are equal, flags too ({where})")


def test_evalfull_has_all_leaves_from_left_to_right():
    prg = ToyPrg()
    for key in keys(prg, 11, 4):
        each = [dpf.eval_leaf(prg, key, address) for address in range(16)]
        expect(dpf.eval_full(prg, key), each, "EVALFULL is EVAL at all addresses", "leaf i is the one that the bits of i lead to")


def test_evalfull_makes_each_node_once():
    prg = ToyPrg()
    key, _ = keys(prg, 11, 5)
    prg.calls = 0
    dpf.eval_full(prg, key)
    why = f"a tree with 32 leaves has 62 nodes below its root, each one call of the PRG; there were {prg.calls} calls"
    expect_that(prg.calls <= 62, "EVALFULL keeps a level", why)


def test_lemma_the_flags_are_shares_of_the_unit_vector():
    prg = ToyPrg()
    for target in range(8):
        flags_0, flags_1 = (dpf.leaf_flags(dpf.eval_full(prg, key)) for key in keys(prg, target, 3))
        got = [a ^ b for a, b in zip(flags_0, flags_1)]
        expect(got, [int(i == target) for i in range(8)], "the flags XOR to the unit vector", f"target {target} of 8")


def test_one_tree_alone_has_no_leaf_that_stands_out():
    key_0, _ = keys(ToyPrg(), 5, 3)
    concept = "one key alone says nothing"
    why = "a key is a root and the corrections, of three fields each: the target is not in it"
    expect([len(key_0)] + [len(correction) for correction in key_0.corrections], [2, 3, 3, 3], concept, why)
    leaves = dpf.eval_full(ToyPrg(), key_0)
    expect(len(set(leaves)), 8, concept, "in one tree all labels differ, at the target and elsewhere")


def computed(vector):
    given = vector["input"]
    prg = Prg(bytes.fromhex(given["session_key"]))
    roots = block(given["root_0"]), block(given["root_1"])
    both = dpf.generate(prg, given["target"], given["log_size"], *roots)
    labels = [dpf.eval_full(prg, key) for key in both]
    targets = [dpf.eval_leaf(prg, key, given["target"]) for key in both]
    return [of for of in zip(both, targets, labels, map(dpf.leaf_flags, labels))]


def expected(vector):
    def of(output):
        key = output["key"]
        levels = zip(blocks(key["words"]), bits(key["left_flags"]), bits(key["right_flags"]))
        corrections = [dpf.Correction(*level) for level in levels]
        labels = blocks(output["labels"])
        return dpf.Key(block(key["root"]), corrections), block(output["target_label"]), labels, bits(output["flags"])

    return [of(vector["output"]["p0"]), of(vector["output"]["p1"])]


def test_the_dpf_has_not_the_known_fault_of_exchanged_flag_corrections():
    fault = read("dpf_bad_flag_corrections_swapped")
    for vector in fault["vectors"]:
        expect_not(computed(vector), expected(vector), "the flag corrections cwt_L and cwt_R", fault["about"])


@good("dpf")
def test_vectors_of_the_dpf(vector):
    why = "for P0 and P1: key, label at the target, all labels, flags of the vector"
    expect(computed(vector), expected(vector), "GEN, EVAL and EVALFULL", why)
