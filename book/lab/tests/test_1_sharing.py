"""Part 1, exercises 1.1 to 1.5: sharing."""

from duoram_given.words import P0, P1
from duoram_lab import sharing
from judging import expect, expect_not, expect_that
from toys import seeded, words
from vectorfiles import block, faulty, good, words as parsed

TOP = 2**64 - 1


def test_additive_shares_add_up_mod_2_to_the_64():
    random = seeded("additive")
    for secret, drawn in [(7, 3), (3, 7), (0, TOP), (TOP, 0), tuple(words(random, 2))]:
        share_0, share_1 = sharing.additive_shares(secret, drawn)
        expect(share_0, drawn, "additive sharing", "P0's share is the random word itself")
        expect((share_0 + share_1) % 2**64, secret, "additive sharing", "the shares add up to the secret mod 2^64")
        expect_that(0 <= share_1 <= TOP, "words mod 2^64", "a share is reduced: 0 <= share < 2^64")


def test_opening_additive_shares_is_a_sum_that_wraps_around():
    expect(sharing.additive_open(3, 4), 7, "additive sharing", "opening adds the shares: 3 + 4; XOR shares are another thing")
    expect(sharing.additive_open(3, 3), 6, "additive sharing", "opening adds the shares: 3 + 3; XOR shares are another thing")
    expect(sharing.additive_open(TOP, 8), 7, "words mod 2^64", "opening adds the shares mod 2^64")


def test_xor_shares():
    secret, drawn = 0b1100 << 120, 0b1010 << 120
    expect(sharing.xor_shares(secret, drawn), (drawn, 0b0110 << 120), "XOR sharing", "the shares are random, secret xor random")
    expect(sharing.xor_open(0b1100, 0b1010), 0b0110, "XOR sharing", "opening XORs the shares")


def test_one_share_alone_says_nothing():
    for share in (0, 5, TOP):
        for secret in (0, 1, TOP):
            drawn = (secret - share) % 2**64
            share_1 = sharing.additive_shares(secret, drawn)[1]
            why = "for each secret there is one random word that makes P1's share this one"
            expect(share_1, share, "a share is uniform", why)


def test_signs_make_equal_words_shares_of_zero():
    for x in (0, 1, 12345, TOP):
        expect(sharing.signed(P0, x), x, "the sign of a party", "P0's sign is +1")
        expect(sharing.signed(P1, x), -x % 2**64, "the sign of a party", "P1's sign is -1, mod 2^64")


@faulty("sharing_additive")
def test_additive_sharing_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        forbidden = parsed(vector["output"]["share_1"])
        expect_not(additive(vector)[1], forbidden, "additive sharing", fault["about"])


def additive(vector):
    given = vector["input"]
    shares = [sharing.additive_shares(s, r) for s, r in zip(parsed(given["secret"]), parsed(given["random"]))]
    share_0, share_1 = [one for one, _ in shares], [other for _, other in shares]
    return share_0, share_1, [sharing.additive_open(one, other) for one, other in shares]


@good("sharing_additive")
def test_vectors_of_additive_sharing(vector):
    expected = tuple(parsed(vector["output"][name]) for name in ("share_0", "share_1", "opened"))
    expect(additive(vector), expected, "additive sharing", "share_0, share_1, opened of the vector")


@good("sharing_xor")
def test_vectors_of_xor_sharing(vector):
    share_0, share_1 = sharing.xor_shares(block(vector["input"]["secret"]), block(vector["input"]["random"]))
    expected = tuple(block(vector["output"][name]) for name in ("share_0", "share_1", "opened"))
    got = share_0, share_1, sharing.xor_open(share_0, share_1)
    expect(got, expected, "XOR sharing", "share_0, share_1, opened of the vector")
