//! Exercises 17: what is on a disk, old disks, and who finds out.
#![allow(missing_docs)]

use duoram_book_exercises::seen;
use duoram_book_exercises::trio::{Event, Image, Trio, kind};
use duoram_reference::durable::{Effect, Error};
use duoram_reference::local::share;
use duoram_reference::{Batch, Command, HEADER_LENGTH, Parameters, Role, SessionId};

/// A memory of 16 words.
const LOG_SIZE: u32 = 4;

fn parameters() -> Parameters {
    Parameters::new(SessionId([17; 16]), LOG_SIZE).expect("a size that a memory can have")
}

/// The three have a key and one item.
fn prepared() -> Result<Trio, Error> {
    let mut trio = Trio::new(parameters())?;
    for party in Role::ALL {
        trio.command(party, Command::Connect);
        trio.command(party, Command::Preprocess(Batch { reads: 1, updates: 0 }));
    }
    trio.finish()?;
    Ok(trio)
}

/// A READ, and the S that everybody hears.
fn read(trio: &mut Trio, address: u64, mask: u64) -> Result<u64, Error> {
    let [address_0, address_1] = share(address, mask);
    for (party, shares) in Role::ALL.into_iter().zip([vec![address_0], vec![address_1], vec![]]) {
        trio.command(party, Command::Read { count: 1, addresses: shares.into() });
    }
    let shift_share = |Event { party, effects, .. }: &Event| {
        effects.iter().find_map(|effect| match effect {
            Effect::Send { peer: Role::P2, frame, .. } if kind(*party, frame) == "shift" => {
                frame[HEADER_LENGTH..].first_chunk().map(|word| u64::from_le_bytes(*word))
            }
            _ => None,
        })
    };
    let shares: Vec<u64> = trio.finish()?.iter().filter_map(shift_share).collect();
    assert_eq!(shares.len(), 2);
    Ok(shares[0].wrapping_add(shares[1]) % (1 << LOG_SIZE))
}

/// How many records of each kind a disk has from here on: commands, frames, acknowledgements, answers that the client has.
fn kinds(records: &[Vec<u8>]) -> [usize; 4] {
    [0, 1, 2, 3].map(|kind| records.iter().filter(|record| record.first() == Some(&kind)).count())
}

/// Exercise 17.1.
#[test]
fn records_of_one_read() -> Result<(), Error> {
    let mut trio = prepared()?;
    let before = trio.disks();
    read(&mut trio, 3, 1000)?;
    for (before, after) in before.iter().zip(&trio.disks()) {
        assert!(after.starts_with(before), "a journal only grows");
        // The command; a frame of each of the others; that each of them has this party's frame; that the client has the answer.
        assert_eq!(kinds(&after[before.len()..]), [1, 2, 2, 1]);
    }
    Ok(())
}

/// Exercise 17.2.
#[test]
fn an_old_disk_is_found_out_and_three_old_disks_are_not() -> Result<(), Error> {
    let mut trio = prepared()?;
    let old = trio.disks();
    let before = read(&mut trio, 3, 1000)?;
    let new = trio.disks();
    // One party is put back: each of the three is found out by its peers, or finds itself out.
    for party in 0..3 {
        let mut disks: [Image; 3] = new.clone();
        disks[party].clone_from(&old[party]);
        let found = Trio::restored(parameters(), disks).err();
        assert!(matches!(found, Some(Error::PeerForgot { .. } | Error::SelfForgot { .. })), "{found:?}");
    }
    // The newest disks: the item is gone, and a READ waits for another.
    let (mut trio, _) = Trio::restored(parameters(), new)?;
    trio.command(Role::P0, Command::Read { count: 1, addresses: vec![5].into() });
    let says = |event: &Event| event.effects.iter().any(|effect| matches!(effect, Effect::Send { .. }));
    assert!(!trio.finish()?.iter().any(says));
    // All three are put back: nobody can know, and the item serves again. The two S tell how far apart the addresses are.
    let (mut trio, _) = Trio::restored(parameters(), old)?;
    let again = read(&mut trio, 11, 2000)?;
    assert_eq!(again.wrapping_sub(before) % (1 << LOG_SIZE), 11 - 3);
    Ok(())
}

/// Exercise 17.3.
#[test]
fn a_lost_tail_is_found_out_or_comes_again() -> Result<(), Error> {
    let mut trio = prepared()?;
    let old = trio.disks();
    read(&mut trio, 3, 1000)?;
    let new = trio.disks();
    for party in 0..3 {
        for kept in 0..=6 {
            let mut disks = new.clone();
            disks[party].truncate(old[party].len() + kept);
            let restored = Trio::restored(parameters(), disks);
            // Without the command and both frames: they were acknowledged, and somebody knows it.
            if kept < 3 {
                let found = restored.err();
                assert!(
                    matches!(found, Some(Error::PeerForgot { .. } | Error::SelfForgot { .. })),
                    "{found:?}"
                );
                continue;
            }
            // What else is lost is said again, and the disk has the same records as before, if in another order.
            let (mut trio, _) = restored?;
            trio.finish()?;
            assert_eq!(trio.disks().map(seen), new.clone().map(seen));
        }
    }
    Ok(())
}
