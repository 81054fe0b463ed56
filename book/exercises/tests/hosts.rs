//! Exercises 18: clients that ask at once; what a frame's checks find, and what they leave to the link.
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

/// All orders in which the requests of two clients reach P0 and P1: a client and a party each.
fn arrivals() -> Vec<[(usize, usize); 4]> {
    let all = (0..256).map(|case: usize| [case & 3, case >> 2 & 3, case >> 4 & 3, case >> 6]);
    let orders = all.filter(|order| (0..4).all(|event| order.contains(&event)));
    orders.map(|order| order.map(|event| (event >> 1, event & 1))).collect()
}

/// The clients in the order in which a party hears them.
fn heard(arrivals: &[(usize, usize)], party: usize) -> Vec<usize> {
    arrivals.iter().filter(|(_, to)| *to == party).map(|(client, _)| *client).collect()
}

/// The clients in the order in which both parties have come to hold their requests.
fn held_by_both(arrivals: &[(usize, usize)]) -> Vec<usize> {
    let before = |event: usize| arrivals[..event].iter().any(|(client, _)| *client == arrivals[event].0);
    (0..arrivals.len()).filter(|event| before(*event)).map(|event| arrivals[event].0).collect()
}

/// Whether both clients get their words, of addresses 3 and 12, if P0 and P1 serve them in these orders, an item each.
fn served(r: &mut Random, order_0: &[usize], order_1: &[usize]) -> bool {
    let (state, addresses) = (r.state::<u64>(16), [r.shares(3), r.shares(12)]);
    let mut item = |client_0: usize, client_1: usize| {
        let ri = r.below(16);
        let address = (addresses[client_0].0, addresses[client_1].1);
        read(&state, &r.units(16, ri), r.shares(ri), address, r.word())
    };
    let outcomes: Vec<_> = order_0.iter().zip(order_1).map(|(c_0, c_1)| item(*c_0, *c_1)).collect();
    let share = |order: &[usize], client: usize| order.iter().position(|served| *served == client);
    [3, 12].iter().enumerate().all(|(client, address)| {
        let (Some(at_0), Some(at_1)) = (share(order_0, client), share(order_1, client)) else { return false };
        outcomes[at_0].read_0.wrapping_add(outcomes[at_1].read_1) == opened(&state)[*address]
    })
}

/// Exercise 18.3.
#[test]
fn an_order_of_what_both_hold() {
    let mut r = Random(183);
    assert_eq!(arrivals().len(), 24);
    // Each party as it hears them: wrong whenever they hear in different orders.
    let naive = arrivals().into_iter().filter(|a| served(&mut r, &heard(a, 0), &heard(a, 1))).count();
    assert_eq!(naive, 12);
    // P0's order, or that of what both hold: right always, as both follow one.
    for order in arrivals() {
        let (of_0, of_both) = (heard(&order, 0), held_by_both(&order));
        assert!(served(&mut r, &of_0, &of_0) && served(&mut r, &of_both, &of_both));
    }
    // Client 0 dies when it has told P0 only. P0's order has it all the same, and P1 has no share of it to go on with.
    for order in arrivals() {
        let alive: Vec<_> = order.into_iter().filter(|event| *event != (0, 1)).collect();
        assert_eq!((heard(&alive, 0).len(), held_by_both(&alive)), (2, vec![1]));
    }
}
