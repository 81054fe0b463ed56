//! Parties of rows that are put away and brought back between their steps say what they would have said.
#![allow(missing_docs)]

use std::collections::VecDeque;

use crate::common::lean::share;
use crate::common::{Masks, SESSION};
use duoram_reference::lean::{self, Plain};
use duoram_reference::{Batch, Command, Error, Frame, Lane, Lasting, Parameters, Role, SavedError, Word};
use zeroize::Zeroizing;

const LOG_SIZE: u32 = 3;

fn parameters(row_words: usize) -> Parameters {
    Parameters::new(SESSION, LOG_SIZE).unwrap().with_row_words(row_words).unwrap()
}

fn party(role: Role, row_words: usize, seed: u8) -> Box<dyn Lasting> {
    lean::lasting(role, parameters(row_words), [seed + role.number(); 32], Plain)
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
fn session(row_words: usize, mut between: impl FnMut(&mut [Box<dyn Lasting>; 3])) -> Vec<Vec<u8>> {
    let mut masks = Masks::new(7);
    let mut parties = Role::ALL.map(|role| party(role, row_words, 1));
    let mut memory: Vec<Word> = (0..parameters(row_words).words()).map(|_| masks.word()).collect();
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
fn again(parties: &mut [Box<dyn Lasting>; 3], row_words: usize) {
    for party in parties {
        let saved = Lane::ALL.map(|lane| party.save(lane).unwrap());
        let mut other = self::party(party.role(), row_words, 101);
        for (lane, saved) in Lane::ALL.into_iter().zip(&saved) {
            other.restore(lane, saved).unwrap();
            assert!(other.save(lane).unwrap() == *saved, "w = {row_words}");
        }
        *party = other;
    }
}

#[test]
fn parties_of_rows_go_on_from_what_was_saved() {
    for row_words in [1, 2, 3, 40] {
        let expected = session(row_words, |_| ());
        assert!(session(row_words, |parties| again(parties, row_words)) == expected, "w = {row_words}");
    }
}

/// The length of a row is part of what a lane is.
#[test]
fn what_was_saved_with_other_rows_is_refused() {
    for (saved_with, restored_with) in [(1, 2), (2, 1), (2, 3)] {
        session(saved_with, |parties| {
            for party in parties {
                let saved = party.save(Lane::Memory).unwrap();
                let mut other = self::party(party.role(), restored_with, 101);
                let refused = other.restore(Lane::Memory, &saved);
                assert!(matches!(refused, Err(Error::Saved(SavedError::RowWords { .. }))), "{refused:?}");
            }
        });
    }
}
