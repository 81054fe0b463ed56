"""Part 8, exercises 8.1 to 8.9: UPDATE and WRITE of the lean protocol."""

from duoram_given.dealing import lean_item, xor_shared
from duoram_given.words import ALL_ONES, xor
from duoram_lab import lean_memory as memory
from duoram_lab import lean_read as read
from duoram_lab import lean_update as update
from judging import expect, expect_not
from test_7_lean_read import BOTH, XORED, opened_alpha, opened_beta, sides_from, state_from, state_of
from toys import ToyPrg, seeded, words
from vectorfiles import faulty, good, pair, word

SAME_A = "A is the same at P0 and P2"


def changed(data, address, word):
    return data[:address] + [word] + data[address + 1 :]


def expect_memory(state, data, why):
    """Both sharings are of the same memory, and P0's A is P2's."""
    expect(state.p2.alpha, state.p0.alpha, SAME_A, f"both add the same vector, of side 0 of DPF a ({why})")
    expect(opened_alpha(state), data, BOTH, f"alpha, A xor E, is the memory ({why})")
    expect(opened_beta(state), data, BOTH, f"beta, B xor H, is the memory too: DPF b changes it, as DPF a does alpha ({why})")


def test_the_value_is_sent_under_masks():
    for x in (1, ALL_ONES):
        why = "without x P2, which dealt f_1, reads M_1 off m_1"
        expect_not(update.masked_value(6, 3, x), update.masked_value(6, 3, 0), "M is sent masked", why)
    expect(update.masked_value(6, 3, 12), 9, XORED, "m_b = M_b xor f_b xor x: 6 xor 3 xor 12 is 9")


def test_dpf_b_has_a_correction_of_its_own():
    why = "F_b = F_a xor delta = M xor R_b: the values of DPF b are others"
    expect(update.final_correction_b(6, 5), 3, "delta: DPF b has a correction of its own", why)


def test_an_update_vector_is_corrected_and_moved():
    values, flags = [5, 6, 7, 1], [ALL_ONES, 0, 0, ALL_ONES]
    expect(update.update_vector(values, flags, 3, 0), [6, 6, 7, 2], XORED, "v xor (F and t): 5 xor 3 is 6; 5 + 3 is 8")
    got = update.update_vector(values, flags, 3, 3)
    expect(got, [2, 7, 6, 6], "the lean shift is an XOR", "moved by S = 3: what is at j goes to j xor 3")


def test_each_party_changes_what_it_holds():
    got = update.updated_0(memory.State0([1], [2]), [4], [8])
    expect(got.alpha, [5], BOTH, "P0: A changes by DPF a")
    expect(got.beta, [10], BOTH, "P0: H, of the sharing beta, changes by DPF b")
    expect(update.updated_1(memory.State1([3]), [5]), ([6],), XORED, "P1: E changes by side 1 of DPF a; 3 xor 5 is 6")
    got = update.updated_2(memory.State2([1], [2]), [4], [8])
    expect(got.alpha, [5], SAME_A, "P2's A changes as P0's does, by the same vector")
    expect(got.beta, [10], BOTH, "P2: B, of the sharing beta, changes by side 1 of DPF b")


def test_apply_gives_each_sharing_its_dpf():
    random = seeded("apply")
    data, state = state_of(random, 4)
    material, (ri_0, ri_1) = lean_item(random, ToyPrg(), 2)
    target, m = ri_0 ^ ri_1, 0xABC
    f_a = m ^ material.value_shares[0] ^ material.value_shares[1]
    after = update.apply(state, material, 0, f_a)
    why = "alpha gets M at ri by DPF a and F_a"
    expect(opened_alpha(after), changed(data, target, data[target] ^ m), BOTH, why)
    why = "beta gets M at ri by DPF b and F_b = F_a xor delta"
    expect(opened_beta(after), changed(data, target, data[target] ^ m), "delta: DPF b has a correction of its own", why)
    expect_memory(after, changed(data, target, data[target] ^ m), "apply")


def test_lemma_an_update_changes_both_sharings_at_one_address():
    random = seeded("lean update")
    data, state = state_of(random, 8)
    for address in range(8):
        m = random.getrandbits(64)
        material, index = lean_item(random, ToyPrg(), 3)
        got = update.update(
            state, material, index, xor_shared(random, address), xor_shared(random, m), random.getrandbits(64)
        )
        state, data = got.state, changed(data, address, data[address] ^ m)
        expect_memory(state, data, f"M XORed at {address}")


def test_what_p2_sees_of_an_update_moves_with_x():
    random = seeded("x")
    _, state = state_of(random, 4)
    material, index = lean_item(random, ToyPrg(), 2)
    address, value = xor_shared(random, 1), xor_shared(random, 7)
    plain = update.update(state, material, index, address, value, 0)
    for x in (1, 2**63, ALL_ONES):
        got = update.update(state, material, index, address, value, x)
        why = "m_0 and m_1 move one to one with x; P2 dealt f_1, and without x reads M_1 off m_1"
        expect(got.message_0[1] ^ plain.message_0[1], x, "M is sent masked", why)
        expect(got.message_1[1] ^ plain.message_1[1], x, "M is sent masked", why)
        expect(got.state, plain.state, "the masks cancel", "F_a = m_0 xor m_1 does not depend on x")


def test_each_pair_masks_the_parts_of_a_write():
    random = seeded("pairs")
    _, state = state_of(random, 4)
    material, index = lean_item(random, ToyPrg(), 2)
    address, value = xor_shared(random, 1), xor_shared(random, 7)
    plain = update.write(state, material, index, address, value, update.Masks(0, 0, 0))
    for masks, touched in (
        (update.Masks(5, 0, 0), (5, 5, 0)),
        (update.Masks(0, 6, 0), (6, 0, 6)),
        (update.Masks(0, 0, 9), (0, 9, 9)),
    ):
        got = update.write(state, material, index, address, value, masks)
        moved = got.part_0 ^ plain.part_0, got.part_1 ^ plain.part_1, got.part_2 ^ plain.part_2
        why = f"the mask of a pair is in the parts of both its parties, and cancels: {masks}"
        expect(moved, touched, "each pair masks its parts", why)
        expect(got.state, plain.state, "the masks cancel", "F_a does not depend on them")


def test_lemma_write_puts_the_value():
    random = seeded("lean write")
    data, state = state_of(random, 8)
    for address in range(8):
        m = random.getrandbits(64)
        material, index = lean_item(random, ToyPrg(), 3)
        masks = update.Masks(*words(random, 3))
        got = update.write(state, material, index, xor_shared(random, address), xor_shared(random, m), masks)
        state, data = got.state, changed(data, address, m)
        why = f"at {address} is M: F_a = M xor D[i*] xor R_a takes the old word away"
        expect(opened_alpha(state), data, "WRITE subtracts the old value", why)
        expect_memory(state, data, f"M written at {address}")


def material_from(given):
    return update.Material(
        sides_from(given["flag_sides"]),
        sides_from(given["value_sides"]),
        pair(given, "value_share"),
        word(given["delta"]),
    )


def common(given):
    """The first arguments of UPDATE and WRITE."""
    return (
        state_from(given["state"]),
        material_from(given),
        pair(given, "index"),
        pair(given, "address"),
        pair(given, "value"),
    )


def computed(vector):
    return update.update(*common(vector["input"]), word(vector["input"]["x"]))


def expected_update(vector):
    output = vector["output"]
    messages = [(word(of["shift"]), word(of["masked"])) for of in (output["message_0"], output["message_1"])]
    return update.Update(*messages, state_from(output["state"]))


@faulty("lean_update")
def test_a_lean_update_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(computed(vector), expected_update(vector), "UPDATE of the lean protocol", fault["about"])


@good("lean_update")
def test_vectors_of_a_lean_update(vector):
    expect(computed(vector), expected_update(vector), "UPDATE of the lean protocol", "messages and states of the vector")


def written(vector):
    given = vector["input"]
    return update.write(*common(given), update.Masks(*(word(given[name]) for name in update.Masks._fields)))


def expected_write(vector):
    output = vector["output"]
    parts = [word(output[name]) for name in ("part_0", "part_1", "part_2")]
    return update.Write(*pair(output, "shift"), *parts, state_from(output["state"]))


@faulty("lean_write")
def test_a_lean_write_has_none_of_the_known_faults(fault):
    for vector in fault["vectors"]:
        expect_not(written(vector), expected_write(vector), "WRITE of the lean protocol", fault["about"])


@good("lean_write")
def test_vectors_of_a_lean_write(vector):
    expect(written(vector), expected_write(vector), "WRITE of the lean protocol", "messages and states of the vector")


def test_a_lean_session_behaves_like_an_array():
    random = seeded("lean session")
    data, state = state_of(random, 8)
    for _ in range(9):
        address, m, kind = random.randrange(8), random.getrandbits(64), random.randrange(3)
        material, index = lean_item(random, ToyPrg(), 3)
        shares = xor_shared(random, address)
        if kind == 0:
            got = read.read(state, material.flags, index, shares, random.getrandbits(64))
            expect(got.read_0 ^ got.read_1, data[address], "the parties together are an array", "a READ in a session")
        elif kind == 1:
            state = update.update(state, material, index, shares, xor_shared(random, m), random.getrandbits(64)).state
            data = changed(data, address, data[address] ^ m)
        else:
            masks = update.Masks(*words(random, 3))
            state = update.write(state, material, index, shares, xor_shared(random, m), masks).state
            data = changed(data, address, m)
        expect_memory(state, data, "in a session")
    expect(xor(opened_alpha(state), opened_beta(state)), [0] * 8, "the parties together are an array", "at the end")
