"""Part 6, exercises 6.1 to 6.11: Protocol 2 with REFRESHBLINDS, and WRITE."""

from duoram_given.dealing import additive, update_item, write_item
from duoram_given.words import P0, P1, add, sub, unit_vector
from duoram_lab import memory, read, update
from judging import expect, expect_not, expect_that
from test_5_read import DIRECTION, expected_read, read_at, state_from, state_of, units_from
from toys import ToyPrg, seeded, words
from vectorfiles import faulty, good, pair, word, words as parsed

LEMMA_2 = "Lemma 2: UPDATE changes one word"
REFRESHED = "Lemma 3: the blinds are refreshed"


def opened(state):
    return add(state.p0.memory_share, state.p1.memory_share)


def changed(data, address, word):
    return data[:address] + [word] + data[address + 1 :]


def expect_blinds_fit(state, why):
    """Lemma 3, vector by vector."""
    expect(state.p2.blind_0, state.p0.blind, REFRESHED, f"P2's zeta_0 is P0's: both subtract w_0^(2) ({why})")
    expect(state.p2.blind_1, state.p1.blind, REFRESHED, f"P2's zeta_1 is P1's: both subtract w_1^(3) ({why})")
    expected = add(state.p0.memory_share, state.p0.blind)
    expect(state.p1.blinded, expected, REFRESHED, f"P1's copy is D_0 + zeta_0 of the new share and the new blind ({why})")
    expected = add(state.p1.memory_share, state.p1.blind)
    expect(state.p0.blinded, expected, REFRESHED, f"P0's copy is D_1 + zeta_1 of the new share and the new blind ({why})")


def test_shares_of_f_are_fresh_but_of_the_same_sum():
    shares_0, shares_1 = (100, 200, 300), (1, 2, 3)
    fresh_0 = update.rerandomized_share(P0, shares_0, 7, 9)
    fresh_1 = update.rerandomized_share(P1, shares_1, 7, 9)
    concept = "fresh shares of F, or P2 learns M"
    why = "P2 has P0's key of DPF 2 and computes F_0^(2) itself: delta must be added"
    expect_not(fresh_0[1:], shares_0[1:], concept, why)
    why = "P2 has P1's key of DPF 3 and computes F_1^(3) itself: delta must be subtracted"
    expect_not(fresh_1[1:], shares_1[1:], concept, why)
    expect(fresh_0, (100, 207, 309), concept, "P0 adds delta_2 and delta_3; F^(1) stays, for P2 has no key of DPF 1")
    expect(fresh_1, (1, 2**64 - 5, 2**64 - 6), concept, "P1 subtracts what P0 adds, mod 2^64")


def test_correction_shares_come_from_the_own_value_words():
    values = ([1, 2], [10, 20], [100, 200])
    why = "F_b^(k) is minus the sum of v_b^(k)"
    expect(update.correction_shares(P0, values, 0, 0), (2**64 - 3, 2**64 - 30, 2**64 - 300), "the deferred final correction", why)
    why = "the shares are rerandomized by the deltas"
    got = update.correction_shares(P1, values, 5, 6)
    expect(got, (2**64 - 3, 2**64 - 35, 2**64 - 306), "fresh shares of F, or P2 learns M", why)


def test_the_value_is_sent_under_masks():
    got = update.message(3, 2**64 - 1, (1, 20, 300))
    concept = "M is sent masked by F"
    expect(got, (3, 0, 19, 299), concept, "the shift share, and M_b + F_b^(1), M_b + F_b^(2), M_b + F_b^(3), mod 2^64")
    expect(update.helper_message(got), (3, 19, 299), concept, "P2 gets all but the part of DPF 1")
    expect(update.reconstruct_corrections(got, got), (0, 38, 598), concept, "F^(k) is the sum of what both primaries sent")


def test_p2_does_not_learn_m_from_its_keys_and_messages():
    random = seeded("m")
    _, state = state_of(random, 4)
    item = update_item(random, ToyPrg(), 2)
    value = tuple(words(random, 2))
    got = update.update(state, item, additive(random, 1), value)
    concept = "fresh shares of F, or P2 learns M"
    learnt = (got.message_0.masked_dpf_2 + sum(item.values.p0[1])) % 2**64
    expect_not(learnt, value[0], concept, "M_0 = (M_0 + F_0^(2)) + sum v_0^(2), and P2 has all of that")
    learnt = (got.message_1.masked_dpf_3 + sum(item.values.p1[2])) % 2**64
    expect_not(learnt, value[1], concept, "M_1 = (M_1 + F_1^(3)) + sum v_1^(3), and P2 has all of that")


def test_an_update_vector_is_shifted_to_the_address():
    got = update.update_words([5, 0, 0, 0], unit_vector(4, 0), 2**64 - 2, 3)
    expect(got, [0, 0, 0, 3], DIRECTION, "w[i] = v[i - S] + F t[i - S]: both vectors move by S = 3")


def test_p0_changes_three_vectors():
    state = memory.PrimaryState([1], [10], [100])
    got = update.updated_p0(state, [1000], [2], [5000])
    expect(got.memory_share, [1001], "line 8: P0's share of the memory", "D_0 += w^(1)")
    expect(got.blind, [8], REFRESHED, "zeta_0 -= w^(2)")
    expect(got.blinded, [4100], REFRESHED, "P0's copy of the blinded D_1: D~_1 += w^(3) - w^(1)")


def test_p1_changes_three_vectors():
    state = memory.PrimaryState([1], [10], [100])
    got = update.updated_p1(state, [1000], [5000], [2])
    expect(got.memory_share, [1001], "line 9: P1's share of the memory", "D_1 += w^(1)")
    expect(got.blind, [8], REFRESHED, "zeta_1 -= w^(3): DPF 2 and DPF 3 are exchanged at P1")
    expect(got.blinded, [4100], REFRESHED, "P1's copy of the blinded D_0: D~_0 += w^(2) - w^(1)")


def test_p2_refreshes_both_blinds():
    got = update.updated_p2(memory.HelperState([10, 1], [100, 2]), [1, 1], [2, 2])
    expect(got, ([9, 0], [98, 0]), REFRESHED, "line 10: zeta_0 -= w_0^(2), zeta_1 -= w_1^(3)")


def test_lemma_2_update_adds_at_one_address():
    random = seeded("lemma 2")
    for address in range(4):
        data, state = state_of(random, 4)
        m = random.getrandbits(64)
        after = update.update(state, update_item(random, ToyPrg(), 2), additive(random, address), additive(random, m)).state
        expected = changed(data, address, (data[address] + m) % 2**64)
        expect(opened(after), expected, LEMMA_2, f"D_0 + D_1 has M more at {address}, and is the same elsewhere")


def test_lemma_3_the_blinds_fit_after_each_update():
    random = seeded("lemma 3")
    data, state = state_of(random, 4)
    before = state
    for j in range(3):
        address, m = random.randrange(4), random.getrandbits(64)
        state = update.update(state, update_item(random, ToyPrg(), 2), additive(random, address), additive(random, m)).state
        data = changed(data, address, (data[address] + m) % 2**64)
        expect_blinds_fit(state, f"after UPDATE {j + 1}")
    for name in ("memory_share", "blind", "blinded"):
        for old, new in ((before.p0, state.p0), (before.p1, state.p1)):
            same = [a == b for a, b in zip(getattr(old, name), getattr(new, name))]
            why = f"every word of {name} changes: one that stays would show where M was not added"
            expect(same, [False] * 4, "an UPDATE touches every word", why)
    for address in range(4):
        got = read_at(state, address, f"after updates {address}")
        expect((got.read_0 + got.read_1) % 2**64, data[address], REFRESHED, "a READ after UPDATEs finds the new words")


def test_write_puts_the_value_without_opening_the_old_one():
    random = seeded("write")
    for address in range(4):
        data, state = state_of(random, 4)
        m = random.getrandbits(64)
        value = additive(random, m)
        item = write_item(random, ToyPrg(), 2)
        old, new = update.write(state, item, additive(random, address), value, random.getrandbits(64))
        expect((old.read_0 + old.read_1) % 2**64, data[address], "a WRITE begins with a READ", "of the old word")
        concept = "WRITE subtracts the old value"
        expect(opened(new.state), changed(data, address, m), concept, f"at {address} is M, not the old word and M")
        expect_that(data[address] not in old, concept, "the old word stays shared")


def values_from(given):
    return update.ValueVectors(tuple(map(parsed, given["p0"])), tuple(map(parsed, given["p1"])))


def item_from(given):
    values = values_from(given["values"])
    deltas = word(given["delta_2"]), word(given["delta_3"])
    return update.UpdateItem(
        units_from(given["units"]),
        values,
        update.correction_shares(P0, values.p0, *deltas),
        update.correction_shares(P1, values.p1, *deltas),
        pair(given, "index"),
    )


def computed(vector):
    given = vector["input"]
    return update.update(state_from(given["state"]), item_from(given), pair(given, "address"), pair(given, "value"))


def expected_update(output):
    def message(of):
        return update.UpdateMessage(word(of["shift"]), word(of["m_1"]), word(of["m_2"]), word(of["m_3"]))

    return update.Update(message(output["message_0"]), message(output["message_1"]), state_from(output["state"]))


@faulty("update")
def test_update_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(computed(vector), expected_update(vector["output"]), "UPDATE", fault["about"])


@good("update")
def test_vectors_of_update(vector):
    expect(computed(vector), expected_update(vector["output"]), "UPDATE", "messages and states of the vector")


def written(vector):
    given = vector["input"]
    item = update.WriteItem(read.Item(units_from(given["read_units"]), pair(given, "read_index")), item_from(given))
    return update.write(state_from(given["state"]), item, pair(given, "address"), pair(given, "value"), word(given["mask"]))


def expected_write(vector):
    return expected_read(vector["output"]["read"]), expected_update(vector["output"]["update"])


@faulty("write")
def test_write_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(written(vector), expected_write(vector), "WRITE subtracts the old value", fault["about"])


@good("write")
def test_vectors_of_write(vector):
    expect(written(vector), expected_write(vector), "WRITE", "the READ and the UPDATE of the vector")


def test_a_session_behaves_like_an_array():
    random = seeded("session")
    data, state = state_of(random, 8)
    for _ in range(8):
        address, m, kind = random.randrange(8), random.getrandbits(64), random.randrange(2)
        if kind == 0:
            item = update_item(random, ToyPrg(), 3)
            state = update.update(state, item, additive(random, address), additive(random, m)).state
            data = changed(data, address, (data[address] + m) % 2**64)
        else:
            item = write_item(random, ToyPrg(), 3)
            _, done = update.write(state, item, additive(random, address), additive(random, m), random.getrandbits(64))
            state, data = done.state, changed(data, address, m)
        expect(opened(state), data, "the parties together are an array", "after UPDATEs and WRITEs at random")
        expect_blinds_fit(state, "in a session")
    expect(sub(opened(state), data), [0] * 8, "the parties together are an array", "at the end")
