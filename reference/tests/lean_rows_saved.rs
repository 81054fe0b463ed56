//! Parties of rows that are put away and brought back between their steps say what they would have said.
#![allow(missing_docs)]

use std::collections::VecDeque;

use crate::common::lean::share;
use crate::common::{Masks, SESSION};
use duoram_reference::lean::{self, Plain};
use duoram_reference::{Batch, Command, Error, Frame, Lane, Lasting, Parameters, Role, SavedError, Word};
use zeroize::Zeroizing;

const LOG_SIZE: u32 = 3;

/// m and w.
type Size = (usize, usize);

fn parameters((rows, row_words): Size) -> Parameters {
    let all = Parameters::new(SESSION, LOG_SIZE).unwrap();
    all.with_rows(rows).unwrap().with_row_words(row_words).unwrap()
}

fn party(role: Role, size: Size, seed: u8) -> Box<dyn Lasting> {
    lean::lasting(role, parameters(size), [seed + role.number(); 32], Plain)
}

/// All parties begin a command, with these operands, and hear each other until nobody has anything to say; all frames.
fn step(
    parties: &mut [Box<dyn Lasting>; 3],
    masks: &mut Masks,
    operands: &[Word],
    command: impl Fn(Zeroizing<Vec<Word>>) -> Command,
) -> Vec<Vec<u8>> {
    let [of_0, of_1] = share(masks, operands);
    let mut frames: VecDeque<Frame> = VecDeque::new();
    for (party, operands) in parties.iter_mut().zip([of_0, of_1, Vec::new()]) {
        frames.extend(party.begin(&command(Zeroizing::new(operands))).unwrap());
    }
    let mut said = Vec::new();
    while !frames.is_empty() {
        let due = |frame: &Frame| {
            let party = &parties[frame.to.index()];
            party.lane(&frame.bytes).is_some_and(|lane| party.awaits_in(lane) == Some(frame.from))
        };
        let place = frames.iter().position(due).expect("nobody is stuck");
        let frame = frames.remove(place).unwrap();
        frames.extend(parties[frame.to.index()].receive(frame.from, &frame.bytes).unwrap());
        said.push(frame.bytes.to_vec());
    }
    said
}

/// Operations of every kind, each result compared with an array of rows; all frames. After each step `between` may do what it likes.
fn session(size: Size, mut between: impl FnMut(&mut [Box<dyn Lasting>; 3])) -> Vec<Vec<u8>> {
    let (mut masks, (_, row_words)) = (Masks::new(7), size);
    let mut parties = Role::ALL.map(|role| party(role, size, 1));
    let mut memory: Vec<Word> = (0..parameters(size).words()).map(|_| masks.word()).collect();
    let mut said = step(&mut parties, &mut masks, &[], |_| Command::Connect);
    between(&mut parties);
    said.extend(step(&mut parties, &mut masks, &memory, Command::Load));
    between(&mut parties);
    let batch = Batch { reads: 3, updates: 3 };
    said.extend(step(&mut parties, &mut masks, &[], |_| Command::Preprocess(batch)));
    between(&mut parties);
    for address in [5, 2, 5] {
        let place = usize::try_from(address).unwrap() * row_words
            ..(usize::try_from(address).unwrap() + 1) * row_words;
        let row: Vec<Word> = (0..row_words).map(|_| masks.word()).collect();
        let operands = [&[address], &row[..]].concat();
        if address == 2 {
            said.extend(step(&mut parties, &mut masks, &operands, Command::Write));
            memory[place.clone()].copy_from_slice(&row);
        } else {
            said.extend(step(&mut parties, &mut masks, &operands, |pairs| Command::Update {
                count: 1,
                pairs,
            }));
            memory[place.clone()].iter_mut().zip(&row).for_each(|(word, more)| *word ^= more);
        }
        between(&mut parties);
        said.extend(step(&mut parties, &mut masks, &[address], |addresses| Command::Read {
            count: 1,
            addresses,
        }));
        between(&mut parties);
        let results: Vec<Word> =
            parties[0].results().iter().zip(parties[1].results()).map(|(a, b)| a ^ b).collect();
        assert_eq!(results, memory[place]);
    }
    said
}

/// Saves and restores every party, in one that was made with another seed.
fn again(parties: &mut [Box<dyn Lasting>; 3], size: Size) {
    for party in parties {
        let saved = Lane::ALL.map(|lane| party.save(lane).unwrap());
        let mut other = self::party(party.role(), size, 101);
        for (lane, saved) in Lane::ALL.into_iter().zip(&saved) {
            other.restore(lane, saved).unwrap();
            assert!(other.save(lane).unwrap() == *saved, "m, w = {size:?}");
        }
        *party = other;
    }
}

#[test]
fn parties_of_rows_go_on_from_what_was_saved() {
    for size in [(8, 1), (8, 2), (8, 3), (8, 40), (6, 1), (7, 3)] {
        let expected = session(size, |_| ());
        assert!(session(size, |parties| again(parties, size)) == expected, "m, w = {size:?}");
    }
}

/// How many rows there are, and how long they are, is part of what a lane is.
#[test]
fn what_was_saved_with_other_rows_is_refused() {
    let lengths = [((8, 1), (8, 2)), ((8, 2), (8, 1)), ((8, 2), (8, 3)), ((7, 2), (7, 1))];
    let numbers = [((8, 1), (7, 1)), ((7, 1), (8, 1)), ((7, 1), (6, 1)), ((7, 2), (8, 2))];
    for (saved_with, restored_with) in lengths.into_iter().chain(numbers) {
        session(saved_with, |parties| {
            for party in parties {
                let saved = party.save(Lane::Memory).unwrap();
                let mut other = self::party(party.role(), restored_with, 101);
                let refused = other.restore(Lane::Memory, &saved);
                let (expected, got) = (restored_with, saved_with);
                let error = if expected.1 == got.1 {
                    SavedError::Rows { expected: expected.0, got: got.0 as u64 }
                } else {
                    SavedError::RowWords { expected: expected.1, got: got.1 as u64 }
                };
                assert_eq!(refused, Err(Error::Saved(error)));
            }
        });
    }
}
