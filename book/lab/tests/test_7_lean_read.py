"""Part 7, exercises 7.1 to 7.10: the lean protocol's states, and its READ."""

from duoram_given.dealing import lean_item, xor_shared
from duoram_given.words import ALL_ONES, xor
from duoram_lab import lean_memory as memory
from duoram_lab import lean_read as read
from judging import expect, expect_not, expect_that
from toys import ToyPrg, seeded, words
from vectorfiles import faulty, good, pair, word, words as parsed

XORED = "lean words are XORed, not added"
BOTH = "both sharings, alpha and beta"


def state_of(random, n):
    """A memory, and the parties' states of it."""
    data, share_0 = words(random, n), words(random, n)
    return data, memory.shared(share_0, xor(data, share_0), words(random, n), words(random, n))


def opened_alpha(state):
    return xor(state.p0.alpha, state.p1.alpha)


def opened_beta(state):
    return xor(state.p2.beta, state.p0.beta)


def test_a_load_makes_both_sharings():
    d_0, d_1, x, b = [3, 1], [5, 1], [6, 7], [12, 9]
    expect(memory.masked_alpha(d_0, x), [5, 6], XORED, "A = D_0 xor x; 3 xor 6 is 5, 3 + 6 is 9")
    expect(memory.masked_beta(d_1, b), [9, 8], XORED, "D_1 xor B; 5 xor 12 is 9")
    state = memory.shared(d_0, d_1, x, b)
    expect(opened_alpha(state), [6, 0], BOTH, "alpha: A at P0 xor E at P1 is D = D_0 xor D_1")
    expect(opened_beta(state), [6, 0], BOTH, "beta: B at P2 xor H at P0 is D too")
    expect(state.p2.alpha, state.p0.alpha, "A is the same at P0 and P2", "P0 sends it")
    expect(state.p2.beta, b, BOTH, "P2's B is the mask that it has in common with P1")


def test_a_load_gives_nobody_a_share_of_the_input():
    random = seeded("load")
    d_0, d_1, x, b = (words(random, 4) for _ in range(4))
    concept = "what a load sends is masked"
    expect_not(memory.masked_alpha(d_0, x), d_0, concept, "without x P2 would hold P0's share of the memory")
    expect_not(memory.masked_beta(d_1, b), d_1, concept, "without B P0 would hold both shares of the memory")


def test_the_shift_is_an_xor_and_is_cut():
    concept = "the lean shift is an XOR"
    expect(read.shift_share(6, 3, 8), 5, concept, "s_b = i*_b xor ri_b: 6 xor 3 is 5; a difference would be 3")
    got = read.shift_share(2**64 - 1, 3, 8)
    expect(got, 4, "the shift is reduced mod n", "only the lowest h bits are sent: the upper ones would tell the address share")


def test_vectors_move_by_xor_and_not_in_a_circle():
    x = [10, 11, 12, 13, 14, 15, 16, 17]
    for s in range(8):
        got = read.xor_shift(x, s)
        expect(got, [x[i ^ s] for i in range(8)], "the lean shift is an XOR", f"the word at j moves to j xor {s}: no rotation")
        expect(read.xor_shift(got, s), x, "the lean shift is an XOR", "twice by one S changes nothing")


def test_flags_choose_words_by_and_and_xor():
    x = [5, 3, 6]
    expect(read.chosen(x, [ALL_ONES, 0, 0]), 5, XORED, "one flag chooses one word")
    expect(read.chosen(x, [ALL_ONES, ALL_ONES, 0]), 6, XORED, "5 xor 3 is 6; 5 + 3 is 8")
    expect(read.chosen(x, [0, 0, 0]), 0, XORED, "no flag, nothing")


def test_each_partys_part():
    on = ALL_ONES
    state = memory.State(memory.State0([1, 2], [16, 32]), memory.State1([64, 128]), memory.State2([1, 2], [256, 512]))
    concept = "who scans what"
    got = read.partial_0(state.p0, [on, 0], [0, on])
    expect(got, 1 ^ 2 ^ 16, concept, "P0: <A, b_0 xor a_0> xor <H, a_0>")
    expect(read.partial_1(state.p1, [0, on]), 128, concept, "P1: <E, a_1>")
    expect(read.partial_2(state.p2, [on, 0], [0, on]), 2 ^ 256, concept, "P2: <A, b_1> xor <B, a_0>")


def reads(name, log_size):
    random = seeded(name)
    data, state = state_of(random, 2**log_size)
    for address in range(2**log_size):
        material, index = lean_item(random, ToyPrg(), log_size)
        yield data, state, address, material, index, xor_shared(random, address), random.getrandbits(64)


def test_lemma_the_three_parts_make_the_word():
    for data, state, address, material, (ri_0, ri_1), _, _ in reads("parts", 3):
        moved = read.Sides(*(read.xor_shift(side, address ^ ri_0 ^ ri_1) for side in material.flags))
        parts = read.partial_0(state.p0, moved.a_0, moved.b_0), read.partial_1(state.p1, moved.a_1)
        got = parts[0] ^ parts[1] ^ read.partial_2(state.p2, moved.a_0, moved.b_1)
        why = f"address {address}: H xor B xor A = E is where both sharings meet"
        expect(got, data[address], "p_0 xor p_1 xor p_2 = D[i*]", why)


def test_lemma_a_lean_read_reconstructs_at_every_address():
    for data, state, address, material, index, shares, mask in reads("lean read", 3):
        got = read.read(state, material.flags, index, shares, mask)
        why = f"read_0 xor read_1 = D[i*], address {address}"
        expect(got.read_0 ^ got.read_1, data[address], "a lean READ reconstructs", why)
        expect_that(data[address] not in got, "the result is shared", "no message and neither output is the word itself")


def test_g_is_masked_by_rho():
    """If g moves one to one with a uniform rho, it is uniform."""
    _, state, _, material, index, shares, _ = next(reads("rho", 2))
    plain = read.read(state, material.flags, index, shares, 0)
    for mask in (1, 2**63, ALL_ONES):
        got = read.read(state, material.flags, index, shares, mask)
        why = "g = p_2 xor rho: without rho, or with an old one, P0 learns sums of words of B"
        expect(got.unblinding, plain.unblinding ^ mask, "the mask rho hides what P2 sends", why)
        expect(got.read_0 ^ got.read_1, plain.read_0 ^ plain.read_1, "P1 takes rho off", "read_1 = p_1 xor rho")


def state_from(given):
    def of(party, shape):
        return shape(*(parsed(given[party][name]) for name in shape._fields))

    return memory.State(of("p0", memory.State0), of("p1", memory.State1), of("p2", memory.State2))


def sides_from(given):
    return read.Sides(*(parsed(given[name]) for name in read.Sides._fields))


def loaded(vector):
    given = vector["input"]
    shares = parsed(given["memory_share_0"]), parsed(given["memory_share_1"])
    x, b = parsed(given["x"]), parsed(given["beta"])
    return memory.masked_alpha(shares[0], x), memory.masked_beta(shares[1], b), memory.shared(*shares, x, b)


def expected_load(vector):
    output = vector["output"]
    return parsed(output["sent_0"]), parsed(output["sent_1"]), state_from(output["state"])


@faulty("lean_load")
def test_a_load_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(loaded(vector), expected_load(vector), "what a load sends is masked", fault["about"])


@good("lean_load")
def test_vectors_of_a_load(vector):
    expect(loaded(vector), expected_load(vector), BOTH, "what P0 and P1 send, and the states of the vector")


def computed(vector):
    given = vector["input"]
    return read.read(
        state_from(given["state"]),
        sides_from(given["flag_sides"]),
        pair(given, "index"),
        pair(given, "address"),
        word(given["mask"]),
    )


def expected(vector):
    output = vector["output"]
    return read.Read(*pair(output, "shift"), word(output["unblinding"]), *pair(output, "read"))


@faulty("lean_read")
def test_a_lean_read_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(computed(vector), expected(vector), "READ of the lean protocol", fault["about"])


@good("lean_read")
def test_vectors_of_a_lean_read(vector):
    expect(computed(vector), expected(vector), "READ of the lean protocol", "messages and outputs of the vector")
