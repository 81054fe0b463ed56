//! What the lean protocol sends, in payload bytes over all links, and how many messages one after another.
#![allow(missing_docs)]

use crate::lean::{Party3, connected, query};
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::{Purpose, tree_depth};
use duoram_spec::lean::online::UpdateMessage;
use duoram_spec::lean::payload::{addresses_bytes, updates as update_bytes};
use duoram_spec::lean::session::{Sent, preprocess, reads, swap, updates, write};
use duoram_vectors::Random;

/// Payload bytes over all links.
fn bytes(sent: &[Sent]) -> usize {
    sent.iter().map(|m| m.payload.len()).sum()
}

/// Messages one after another.
fn sequential(sent: &[Sent]) -> u32 {
    sent.iter().map(|m| m.round + 1).max().unwrap_or(0)
}

/// A session that can prepare items of any size: its memory is of two words, which preparing never touches.
fn preparing(seed: u64, log_size: usize, items: usize) -> Party3 {
    let mut session = connected(&mut Random(seed), log_size, 1, items);
    (session.p0.log_size, session.p1.log_size, session.p2.log_size) = (log_size, log_size, log_size);
    session
}

/// What a batch of items sends, and in how many messages one after another.
fn prepared(log_size: usize, purpose: Purpose, items: usize) -> (usize, u32) {
    let (reads, updates) = match purpose {
        Purpose::Read => (items, 0),
        Purpose::Update => (0, items),
    };
    let sent = preprocess(preparing(9, log_size, items), reads, updates).sent;
    (bytes(&sent), sequential(&sent))
}

/// Everything of an item that is not bits, and the bits of its two DPFs: three a level both ways, two a level in a key.
fn blocks_and_bits(log_size: usize, purpose: Purpose) -> (usize, usize, usize) {
    let d = tree_depth(log_size, purpose);
    let dealt = 16 * d + 16;
    let levels = 64 * d;
    let moved = 2;
    let keys = 16 * d + 32;
    let values = match purpose {
        Purpose::Read => 0,
        // U_1, R'_1; both shares of CWw; CWw in the key; of the item's 24 bytes of delta the half
        Purpose::Update => 72 + 128 + 64 + 12,
    };
    (2 * (dealt + levels + moved + 32 + keys + values), 3 * d, 2 * d)
}

/// An item's bytes if each DPF's bits are rounded up to bytes once: the table's way of counting.
fn table(log_size: usize, purpose: Purpose) -> usize {
    let (blocks, level_bits, key_bits) = blocks_and_bits(log_size, purpose);
    blocks + 2 * (2 * level_bits.div_ceil(8) + key_bits.div_ceil(8))
}

/// A batch's bytes as they are sent: bits are packed a message at a time, since a level's must be there before the next begins.
fn packed(log_size: usize, purpose: Purpose, items: usize) -> usize {
    let (blocks, level_bits, key_bits) = blocks_and_bits(log_size, purpose);
    let levels = 2 * (level_bits / 3) * (6 * items).div_ceil(8);
    let keys = 2 * (key_bits * items).div_ceil(8);
    blocks * items + levels + keys
}

/// The tables round the bits up once a DPF. As they are sent, an item alone takes 2 to 10 bytes more, and of eight each 2 to 4
/// less.
#[test]
fn read_items_are_of_1914_2688_and_3466_bytes_but_for_the_packing_of_bits() {
    for (log_size, expected, one, of_eight) in
        [(16, 1914, 1916, 1910), (20, 2688, 2694, 2686), (24, 3466, 3472, 3462)]
    {
        assert_eq!(table(log_size, Purpose::Read), expected);
        assert_eq!(packed(log_size, Purpose::Read, 1), one);
        assert_eq!(packed(log_size, Purpose::Read, 8), 8 * of_eight);
        assert_eq!(prepared(log_size, Purpose::Read, 1).0, one, "sent");
    }
    assert_eq!(prepared(16, Purpose::Read, 8).0, 8 * 1910);
}

#[test]
fn update_items_are_of_3240_4018_and_4792_bytes_but_for_the_packing_of_bits() {
    for (log_size, expected, one, of_eight) in
        [(16, 3240, 3246, 3238), (20, 4018, 4024, 4014), (24, 4792, 4802, 4790)]
    {
        assert_eq!(table(log_size, Purpose::Update), expected);
        assert_eq!(packed(log_size, Purpose::Update, 1), one);
        assert_eq!(packed(log_size, Purpose::Update, 8), 8 * of_eight);
    }
    assert_eq!(prepared(16, Purpose::Update, 1).0, 3246, "sent");
    assert_eq!(prepared(12, Purpose::Update, 8).0, packed(12, Purpose::Update, 8));
}

/// What is sent at every small size is what the formulas say.
#[test]
fn items_of_all_sizes_are_as_long_as_the_formulas() {
    for log_size in 1..=12 {
        for purpose in [Purpose::Read, Purpose::Update] {
            for items in [1, 3] {
                let (bytes, sequential) = prepared(log_size, purpose, items);
                assert_eq!(bytes, packed(log_size, purpose, items), "h = {log_size}, {purpose:?}");
                let depth = u32::try_from(tree_depth(log_size, purpose)).unwrap();
                assert_eq!(sequential, 1 + 2 * depth + 2);
            }
        }
    }
}

#[test]
fn items_take_21_and_29_sequential_messages_at_16() {
    assert_eq!(prepared(16, Purpose::Read, 1).1, 21);
    assert_eq!(prepared(16, Purpose::Update, 1).1, 29);
}

/// What READ, UPDATE and WRITE send at a size, and SWAP.
fn online(log_size: usize) -> [usize; 4] {
    let shifts = 4 * addresses_bytes(log_size, &[0]).len();
    let message = UpdateMessage { shift: 0, masked: XorWord::zero() };
    let update = 4 * update_bytes(log_size, &[message]).len();
    [shifts + 8, update, shifts + 48, shifts + 56]
}

/// READ `4a + 8`, UPDATE `4a + 32`, WRITE `4a + 48`, SWAP 8 more.
#[test]
fn operations_are_of_16_40_56_and_of_20_44_60_bytes() {
    assert_eq!(online(16), [16, 40, 56, 64]);
    assert_eq!(online(20), [20, 44, 60, 68]);
    assert_eq!(online(24), [20, 44, 60, 68]);
}

#[test]
fn operations_send_so_many_bytes_in_2_1_and_2_sequential_messages() {
    let mut r = Random(10);
    for log_size in [1, 7, 8, 9, 12] {
        let session = preprocess(connected(&mut r, log_size, log_size, 4), 1, 3).session;
        let (shares, _) = query(&mut r, 1);
        let read = reads(session, &[(shares.0.address, shares.1.address)]);
        let updated = updates(read.session, &[shares]);
        let written = write(updated.session, shares);
        let swapped = swap(written.session, shares);
        let sent = [&read.sent, &updated.sent, &written.sent, &swapped.sent];
        assert_eq!(sent.map(|sent| bytes(sent)), online(log_size), "h = {log_size}");
        assert_eq!(sent.map(|sent| sequential(sent)), [2, 1, 2, 2]);
    }
}
