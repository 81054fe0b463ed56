"""What is given is right: it passes before you have written a line."""

from duoram_given import words as given
from duoram_given.aes import Aes128, s_box
from judging import expect, expect_not
from vectorfiles import faulty, good


def cipher(vector):
    aes = Aes128(bytes.fromhex(vector["input"]["key"]))
    return b"".join(aes.round_keys).hex(), aes.cipher(bytes.fromhex(vector["input"]["plain"])).hex()


@good("aes")
def test_aes_is_that_of_fips_197_and_of_nists_known_answers(vector):
    expected = vector["output"]["round_keys"], vector["output"]["cipher"]
    expect(cipher(vector), expected, "AES-128", "round keys and cipher of the standard")


@faulty("aes")
def test_aes_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(cipher(vector)[1], vector["output"]["cipher"], "AES-128", fault["about"])


def test_the_s_box_is_a_permutation_without_fixed_points():
    images = [s_box(a) for a in range(256)]
    expect(sorted(images), list(range(256)), "AES-128", "the S-box takes each value once")
    expect([a for a in range(256) if images[a] == a], [], "AES-128", "no byte is its own image")


def test_a_block_is_its_bytes_lowest_first():
    aes = Aes128(bytes(16))
    expect(aes.encrypt(1).to_bytes(16, "little"), aes.cipher(bytes([1] + [0] * 15)), "blocks", "1 is the byte 01, then zeros")


def test_words_wrap_around_at_2_to_the_64():
    top = 2**64 - 1
    expect(given.add([top, 1], [1, 2]), [0, 3], "words mod 2^64", "add")
    expect(given.sub([0, 3], [1, 2]), [top, 1], "words mod 2^64", "sub")
    expect(given.scale(2, [2**63, 3]), [0, 6], "words mod 2^64", "scale")
    expect(given.dot([2**63, 5], [2, 7]), 35, "words mod 2^64", "dot")
    expect(given.dot([4, 5, 6], given.unit_vector(3, 1)), 5, "a word is a dot product", "<D, e_i> = D[i]")
    expect(given.xor([6, 5], [5, 5]), [3, 0], "words as strings of bits", "xor")
