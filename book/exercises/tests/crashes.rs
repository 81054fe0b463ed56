//! Exercises 16: orders of messages, an answer that comes late, a client that forgets.
#![allow(missing_docs)]

use duoram_book_exercises::{said, session};
use duoram_reference::local::share;
use duoram_reference::{Batch, Error, Plain, Primary, Role};
use duoram_spec::core::vector::dot;
use duoram_spec::paper::memory::{State, opened};
use duoram_spec::paper::read::{answer, shifted};
use duoram_spec::paper::update::apply;
use duoram_vectors::Random;

/// The links on which the six frames of a READ go.
const LINKS: [(Role, Role); 6] = [
    (Role::P0, Role::P1),
    (Role::P0, Role::P2),
    (Role::P1, Role::P0),
    (Role::P1, Role::P2),
    (Role::P2, Role::P0),
    (Role::P2, Role::P1),
];

/// All orders of six numbers.
fn orders() -> Vec<Vec<usize>> {
    (0..6).fold(vec![vec![]], |orders, _| {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let left = (0..6).filter(|number| !order.contains(number));
            left.map(|number| [order.clone(), vec![number]].concat()).collect()
        };
        orders.iter().flat_map(longer).collect()
    })
}

/// Whether three real parties do a READ if its frames arrive in this order, and whether it is right then.
fn taken(order: &[usize]) -> Result<bool, Error> {
    let mut session = session(1, 61, Plain)?;
    session.preprocess(Batch { reads: 1, updates: 0 })?;
    let [p0, p1] = session.primaries_mut();
    let mut under_way = [p0.read(&[1])?, p1.read(&[0])?].concat();
    session.helper_mut().read(1)?;
    for link in order {
        let (from, to) = LINKS[*link];
        // A frame that nobody has sent yet cannot arrive, and a party takes only what it awaits.
        let Some(sent) = under_way.iter().position(|frame| (frame.from, frame.to) == (from, to)) else {
            return Ok(false);
        };
        let frame = under_way.remove(sent);
        let Ok(frames) = session.party_mut(to).receive(from, &frame.bytes) else { return Ok(false) };
        under_way.extend(frames);
    }
    let results = session.primaries_mut().each_mut().map(Primary::take_results);
    assert_eq!(results[0][0].wrapping_add(results[1][0]), 0, "the memory is zero");
    Ok(true)
}

/// Exercise 16.1.
#[test]
fn the_orders_of_one_read() -> Result<(), Error> {
    let orders = orders();
    assert_eq!(orders.len(), 720);
    // P2 speaks when it has heard both, P0 first; a primary hears the other before P2.
    let allowed = |order: &Vec<usize>| {
        let time = |from, to| order.iter().position(|link| LINKS[*link] == (from, to));
        let heard = time(Role::P1, Role::P2);
        time(Role::P0, Role::P2) < heard
            && [(Role::P0, Role::P1), (Role::P1, Role::P0)].iter().all(|(other, primary)| {
                let unblinding = time(Role::P2, *primary);
                heard < unblinding && time(*other, *primary) < unblinding
            })
    };
    for order in &orders {
        assert_eq!(taken(order)?, allowed(order), "{order:?}");
    }
    assert_eq!(orders.iter().filter(|order| allowed(order)).count(), 30);
    Ok(())
}

/// Exercise 16.2.
#[test]
fn an_answer_from_newer_blinds() {
    let mut r = Random(162);
    let n = 8;
    let mut right = [0, 0];
    for (i, j) in (0..64).map(|case| (case & 7, case >> 3)) {
        let before = r.state::<u64>(n);
        let vectors = r.update_vectors(n, j, 1000);
        let after = apply(&before, &vectors);
        let ri = r.below(8);
        let units = shifted(&r.units(n, ri), i.wrapping_sub(ri));
        // The primaries have done the READ before the UPDATE. P2 has not.
        let mixed = State { p2: after.p2.clone(), ..before.clone() };
        let (_, _, read_0, read_1) = answer(&mixed, &units, r.word());
        let result = read_0.wrapping_add(read_1);
        let error = dot(&vectors.p0.1, &units.p1.2).wrapping_add(dot(&vectors.p1.2, &units.p0.1));
        let word = opened(&before)[usize::try_from(i).unwrap_or(0)];
        assert_eq!(result, word.wrapping_add(error));
        right[0] += usize::from(result == word);
        right[1] += usize::from(result == opened(&after)[usize::try_from(i).unwrap_or(0)]);
    }
    assert_eq!(right, [0, 0], "neither the old word nor the new one, at any address");
}

/// Exercise 16.3: a restart replays the same randomness. If the client does not repeat its shares, the item serves twice.
#[test]
fn a_client_that_forgets_gives_away_a_difference() -> Result<(), Error> {
    // What everybody hears of a READ: S, from a session that always starts from the same seeds.
    let heard = |address: u64, mask: u64| -> Result<[u64; 2], Error> {
        let mut session = session(4, 15, Plain)?;
        session.preprocess(Batch { reads: 1, updates: 0 })?;
        session.take_log();
        let [address_0, address_1] = share(address, mask);
        session.read([&[address_0], &[address_1]])?;
        let log = session.take_log();
        Ok([said(&log, Role::P0, Role::P2)[0], said(&log, Role::P1, Role::P2)[0]])
    };
    let (before, repeated, other) = (heard(3, 1000)?, heard(3, 1000)?, heard(11, 2000)?);
    assert_eq!(before, repeated, "the same inputs: the same words");
    let s = |shares: [u64; 2]| shares[0].wrapping_add(shares[1]) & 15;
    assert_eq!(s(other).wrapping_sub(s(before)) & 15, 11 - 3);
    Ok(())
}
