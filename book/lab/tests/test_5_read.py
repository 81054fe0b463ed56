"""Part 5, exercises 5.1 to 5.9: the states, and Protocol 1."""

from duoram_given.dealing import additive, read_item
from duoram_given.words import add, dot, sub, unit_vector
from duoram_lab import memory, read
from judging import expect, expect_not, expect_that
from toys import ToyPrg, seeded, words
from vectorfiles import faulty, good, pair, word, words as parsed

DIRECTION = "the direction of the shift"


def state_of(random, n):
    """A memory, and the parties' states of it."""
    data, share_0 = words(random, n), words(random, n)
    return data, memory.shared(share_0, sub(data, share_0), words(random, n), words(random, n))


def test_each_primary_holds_the_others_share_blinded():
    state = memory.shared([1, 2], [10, 20], [100, 200], [1000, 2000])
    expect(memory.blinded_share([1, 2**64 - 1], [100, 1]), [101, 0], "a blinded share", "D_b + zeta_b, word by word, mod 2^64")
    concept = "who holds which copy"
    expect(state.p0.blinded, [1010, 2020], concept, "P0 holds D~_1 = D_1 + zeta_1, the *other* primary's share")
    expect(state.p1.blinded, [101, 202], concept, "P1 holds D~_0 = D_0 + zeta_0")
    expect((state.p0.memory_share, state.p1.memory_share), ([1, 2], [10, 20]), concept, "each has its own share of the memory")
    expect((state.p0.blind, state.p1.blind), ([100, 200], [1000, 2000]), concept, "and its own blind")
    expect(state.p2, ([100, 200], [1000, 2000]), concept, "P2 has both blinds, and nothing of the memory")


def test_the_shift_share_is_the_address_minus_the_random_index():
    for address, index, n in ((5, 3, 8), (3, 5, 8), (2**64 - 1, 0, 8)):
        got = read.shift_share(address, index, n)
        expect_that(0 <= got < n, "the shift is reduced mod n", f"whole, it would tell the address share to within n; got {got}")
        expect(got, (address - index) % n, DIRECTION, "S_b = i*_b - ri_b: from where the vectors point to where they should")


def test_the_shift_is_for_all_places_at_once():
    t, why = [10, 11, 12, 13], "make a new list: in place, index by index, one word is copied along and others are lost"
    moved = read.shift(t, 1)
    expect(t, [10, 11, 12, 13], "the shift is simultaneous", why)
    expect(sorted(moved), [10, 11, 12, 13], "the shift is simultaneous", why)


def test_the_shift_moves_the_unit_vector_from_ri_to_the_address():
    n, random = 8, seeded("shift")
    for index in range(n):
        for address in range(n):
            i_0, i_1 = additive(random, address)
            ri_0, ri_1 = additive(random, index, n)
            s = read.reconstruct_shift(read.shift_share(i_0, ri_0, n), read.shift_share(i_1, ri_1, n), n)
            expect(s, (address - index) % n, DIRECTION, "S = i* - ri mod n, the sum of both shares")
            got = read.shift(unit_vector(n, index), s)
            why = f"t[i] <- t[i - S]: what was at ri = {index} is then at ri + S = {address}"
            expect(got, unit_vector(n, address), DIRECTION, why)


def test_lemma_p2s_words_are_the_products_that_the_primaries_lack():
    random, n = seeded("products"), 4
    blind_0, blind_1, t_3, t_2 = (words(random, n) for _ in range(4))
    products = -(dot(blind_0, t_3) + dot(blind_1, t_2)) % 2**64
    why = "gamma_0 + gamma_1 = - <zeta_0, t_1^(3)> - <zeta_1, t_0^(2)>: each blind with the vector of the *other* primary"
    expect(sum(read.unblinding(blind_0, blind_1, t_3, t_2, 0)) % 2**64, products, "the two products of P2", why)
    for mask in (1, 2**64 - 1):
        total = sum(read.unblinding(blind_0, blind_1, t_3, t_2, mask)) % 2**64
        expect(total, products, "the two masks cancel", "+rho in gamma_0, -rho in gamma_1: rho is not in their sum")


def test_what_p2_sends_is_masked_by_rho():
    """If the message moves one to one with a uniform rho, it is uniform."""
    random, n = seeded("masked"), 4
    vectors = [words(random, n) for _ in range(4)]
    gamma_0, gamma_1 = read.unblinding(*vectors, 0)
    for mask in (1, 2**63, 2**64 - 1):
        got = read.unblinding(*vectors, mask)
        why = "each message must move one to one with rho, or it tells the receiver a product of the blinds"
        expect(got, ((gamma_0 + mask) % 2**64, (gamma_1 - mask) % 2**64), "the mask rho hides what P2 sends", why)


def test_the_output_of_a_primary_is_lines_9_and_10():
    got = read.read_share([1, 2], [10, 20], [100, 200], [1, 0], [0, 1], 5000)
    why = "<D_b + D~, t^(1)> - <zeta_b, t^(k) - t^(1)> + gamma_b = 11 - (200 - 100) + 5000"
    expect(got, 4911, "the two scans of READ", why)


def read_at(state, address, name):
    random = seeded(name)
    n = len(state.p0.memory_share)
    item = read_item(random, ToyPrg(), n.bit_length() - 1)
    return read.read(state, item, additive(random, address), random.getrandbits(64))


def test_all_three_parties_move_their_vectors():
    random, n = seeded("moved"), 4
    _, state = state_of(random, n)
    item = read_item(random, ToyPrg(), 2)
    ri_0, ri_1 = item.random_index_shares
    address, mask = additive(random, ri_0 + ri_1 + 1), random.getrandbits(64)  # S = 1
    got = read.read(state, item, address, mask)
    p0, p1 = ([read.shift(t, 1) for t in vectors] for vectors in item.units)
    concept = "all three parties move their vectors"
    why = "P2 moves t_1^(3) and t_0^(2) by S, as their owners do, before it computes gamma"
    expect((got.gamma_0, got.gamma_1), read.unblinding(*state.p2, p1[2], p0[1], mask), concept, why)
    why = "P0 takes DPF 1, and DPF 3 for t_refresh, both moved by S"
    expected = read.read_share(state.p0.memory_share, state.p0.blinded, state.p0.blind, p0[0], p0[2], got.gamma_0)
    expect(got.read_0, expected, concept, why)
    why = "P1 takes DPF 1, and DPF 2 for t_refresh, both moved by S"
    expected = read.read_share(state.p1.memory_share, state.p1.blinded, state.p1.blind, p1[0], p1[1], got.gamma_1)
    expect(got.read_1, expected, concept, why)


def test_lemma_1_read_reconstructs_at_every_address():
    for n in (2, 8):
        data, state = state_of(seeded(f"lemma 1 {n}"), n)
        for address in range(n):
            got = read_at(state, address, f"{n} {address}")
            why = f"read_0 + read_1 = D[i*] (Lemma 1): n = {n}, address {address}"
            expect((got.read_0 + got.read_1) % 2**64, data[address], "Lemma 1: READ reconstructs", why)


def test_a_read_does_not_open_the_word():
    data, state = state_of(seeded("closed"), 8)
    got = read_at(state, 3, "closed")
    expect_that(data[3] not in got, "the result is shared", "no message and neither output is the word itself")


def test_each_query_of_a_batch_has_an_item_of_its_own():
    n, random = 8, seeded("batch")
    data, state = state_of(random, n)
    items = [read_item(random, ToyPrg(), 3) for _ in range(4)]
    addresses = [additive(random, 5) for _ in range(3)]
    masks = words(random, 4)
    reads, left = read.read_batch(state, items, addresses, masks)
    for j in range(3):
        ri_0, ri_1 = items[j].random_index_shares
        expected = (addresses[j][0] - ri_0) % n, (addresses[j][1] - ri_1) % n
        why = f"query {j} must use item {j}: two shifts under one ri tell the difference of the addresses"
        expect((reads[j].shift_0, reads[j].shift_1), expected, "an item serves once", why)
        s = sum(expected) % n
        t_1_dpf_3 = [items[j].units.p1[2][(i - s) % n] for i in range(n)]
        rho = (reads[j].gamma_0 + dot(state.p2.blind_0, t_1_dpf_3)) % 2**64
        why = f"query {j} must use mask {j}: two gamma under one rho tell P0 whether the addresses are equal"
        expect(rho, masks[j], "a mask is used once", why)
        got = (reads[j].read_0 + reads[j].read_1) % 2**64
        expect(got, data[5], "Lemma 1: READ reconstructs", f"query {j} of the batch")
    expect(len(left), 1, "an item serves once", "the items that were used are gone: what is returned are the others")
    expect(left, items[3:], "an item serves once", "the oldest items are used, the others stay in order")


def state_from(given):
    def primary(of):
        return memory.PrimaryState(parsed(of["memory_share"]), parsed(of["blind"]), parsed(of["blinded"]))

    p2 = given["p2"]
    return memory.State(
        primary(given["p0"]), primary(given["p1"]), memory.HelperState(parsed(p2["blind_0"]), parsed(p2["blind_1"]))
    )


def units_from(given):
    return read.UnitVectors(tuple(map(parsed, given["p0"])), tuple(map(parsed, given["p1"])))


def computed(vector):
    given = vector["input"]
    item = read.Item(units_from(given["units"]), pair(given, "index"))
    return read.read(state_from(given["state"]), item, pair(given, "address"), word(given["mask"]))


def expected_read(output):
    return read.Read(*pair(output, "shift"), *pair(output, "gamma"), *pair(output, "read"))


@faulty("read")
def test_read_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(computed(vector), expected_read(vector["output"]), "READ", fault["about"])


@good("read")
def test_vectors_of_read(vector):
    got = computed(vector)
    expect(got, expected_read(vector["output"]), "READ", "messages and outputs of the vector")
    expect((got.read_0 + got.read_1) % 2**64, word(vector["output"]["opened"]), "READ", "the word")


def test_the_states_fit_together():
    _, state = state_of(seeded("fit"), 4)
    for share, blind, copy in (
        (state.p0.memory_share, state.p2.blind_0, state.p1.blinded),
        (state.p1.memory_share, state.p2.blind_1, state.p0.blinded),
    ):
        expect(copy, add(share, blind), "who holds which copy", "D~_b = D_b + zeta_b")
