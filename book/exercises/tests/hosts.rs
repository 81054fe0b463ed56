//! Exercises 18: two clients and one item; what a frame's checks find, and what they leave to the link.
#![allow(missing_docs)]

use duoram_book_exercises::session;
use duoram_reference::local::{LocalSession, share};
use duoram_reference::{Batch, Error, Frame, HEADER_LENGTH, Plain, Role};
use duoram_spec::core::vector::mod_size;
use duoram_spec::paper::memory::opened;
use duoram_spec::paper::read::{read, shift_share};
use duoram_vectors::Random;

/// Exercise 18.1.
#[test]
fn two_clients_and_one_item() {
    let mut r = Random(181);
    let n = 16;
    let (state, ri) = (r.state::<u64>(n), r.below(16));
    let (units, ri_shares) = (r.units(n, ri), r.shares(ri));
    // Client a reads at 3, client b at 12. P0 has heard a first, and P1 has heard b.
    let (a, b) = (r.shares(3), r.shares(12));
    let outcome = read(&state, &units, ri_shares, (a.0, b.1), r.word());
    let result = outcome.read_0.wrapping_add(outcome.read_1);
    let place = mod_size(a.0.wrapping_add(b.1), n);
    assert_eq!(result, opened(&state)[usize::try_from(place).unwrap_or(0)]);
    // P0 gives way and says its half of b's READ too, with the same item. P1 has its shares of both addresses.
    let (first, second) = (outcome.shift_0, shift_share(b.0, ri_shares.0, n));
    let apart = second.wrapping_sub(first).wrapping_add(b.1).wrapping_sub(a.1);
    assert_eq!(mod_size(apart, n), 12 - 3);
}

/// Three parties of which P0's and P1's shift shares of one READ at 5 are under way.
fn begun() -> Result<(LocalSession, Vec<Frame>), Error> {
    let mut session = session(4, 182, Plain)?;
    session.preprocess(Batch { reads: 1, updates: 0 })?;
    let [address_0, address_1] = share(5, 1000);
    let [p0, p1] = session.primaries_mut();
    let frames = [p0.read(&[address_0])?, p1.read(&[address_1])?].concat();
    session.helper_mut().read(1)?;
    Ok((session, frames))
}

/// Exercise 18.2.
#[test]
fn bits_that_only_the_link_protects() -> Result<(), Error> {
    let (mut session, frames) = begun()?;
    let [frame] = frames.iter().filter(|f| (f.from, f.to) == (Role::P0, Role::P1)).collect::<Vec<_>>()[..]
    else {
        panic!("one frame from P0 to P1");
    };
    assert_eq!(frame.bytes.len(), HEADER_LENGTH + 8);
    // Each bit of the frame flipped: P1 refuses it and is as it was, or takes it.
    let mut takes = vec![];
    for bit in 0..8 * frame.bytes.len() {
        let mut bytes = frame.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if session.party_mut(Role::P1).receive(Role::P0, &bytes).is_ok() {
            takes.push(bit - 8 * HEADER_LENGTH);
            session = begun()?.0;
        }
    }
    // In 384 bits four, the lowest of a shift share below 16.
    assert_eq!(takes, [0, 1, 2, 3]);
    Ok(())
}
