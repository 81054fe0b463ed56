//! Rows of the lean protocol: what the parties do is what an array of rows does, and what is no row is refused.
#![allow(missing_docs)]

use crate::common::lean::{open, share};
use crate::common::{Masks, SESSION};
use duoram_reference::lean::Plain;
use duoram_reference::lean::local::LocalSession;
use duoram_reference::{
    Batch, Command, Error, HEADER_LENGTH, Parameters, Role, Word, key_labels, lean, local, paper, two_party,
};
use proptest::prelude::*;
use zeroize::Zeroizing;

/// The session, and the array of rows, one behind the other.
struct Rows {
    session: LocalSession,
    memory: Vec<Word>,
    row_words: usize,
    masks: Masks,
}

fn parameters(log_size: u32, row_words: usize) -> Parameters {
    Parameters::new(SESSION, log_size).unwrap().with_row_words(row_words).unwrap()
}

impl Rows {
    fn new(log_size: u32, row_words: usize, seed: u64, load: bool) -> Self {
        let mut masks = Masks::new(seed);
        let seeds = [0, 1, 2].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        let mut session = LocalSession::new(parameters(log_size, row_words), seeds, Plain);
        session.record();
        session.connect().unwrap();
        let memory: Vec<Word> =
            (0..row_words << log_size).map(|_| if load { masks.word() } else { 0 }).collect();
        if load {
            session.load(share(&mut masks, &memory)).unwrap();
        }
        Self { session, memory, row_words, masks }
    }

    fn row(&mut self, address: Word) -> &mut [Word] {
        let rows = self.memory.len() / self.row_words;
        let place = usize::try_from(address % rows as u64).unwrap() * self.row_words;
        &mut self.memory[place..][..self.row_words]
    }

    fn operands(&mut self, address: Word) -> (Vec<Word>, [Vec<Word>; 2]) {
        let row: Vec<Word> = (0..self.row_words).map(|_| self.masks.word()).collect();
        let operands = [&[address], &row[..]].concat();
        let shares = share(&mut self.masks, &operands);
        (row, shares)
    }

    fn read(&mut self, addresses: &[Word]) {
        self.session.preprocess(Batch { reads: addresses.len(), updates: 0 }).unwrap();
        let shares = share(&mut self.masks, addresses);
        let results = self.session.read([&shares[0], &shares[1]]).unwrap();
        let expected: Vec<Word> = addresses.iter().flat_map(|address| self.row(*address).to_vec()).collect();
        assert_eq!(open(&results), expected);
    }

    /// UPDATE, WRITE or SWAP.
    fn put(&mut self, address: Word, how: usize) {
        self.session.preprocess(Batch { reads: 0, updates: 1 }).unwrap();
        let (row, [of_0, of_1]) = self.operands(address);
        let (addresses, rows) = ([of_0[0], of_1[0]], [&of_0[1..], &of_1[1..]]);
        let place = self.row(address);
        let old = place.to_vec();
        place.copy_from_slice(&row);
        match how {
            0 => {
                place.iter_mut().zip(&old).for_each(|(word, old)| *word ^= old);
                self.session.update_rows(1, [&of_0, &of_1]).unwrap();
            }
            1 => self.session.write_row(addresses, rows).unwrap(),
            _ => assert_eq!(open(&self.session.swap_row(addresses, rows).unwrap()), old),
        }
    }

    /// Both sharings are of the array, and P0 and P2 have the same A.
    fn check(&self) {
        let (p0, p1, p2) = self.session.parties();
        let (both, alpha, helpers) = (p0.memory(), p1.memory(), p2.memory());
        assert_eq!(both.alpha, helpers.alpha);
        assert_eq!(open(&[both.alpha.clone(), alpha.alpha.clone()]), self.memory);
        assert_eq!(open(&[both.beta.clone(), helpers.beta.clone()]), self.memory);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_are_those_of_an_array(
        seed: u64,
        log_size in 1u32..9,
        row_words in prop_oneof![1usize..6, Just(8), Just(64)],
        load: bool,
        operations in prop::collection::vec((0usize..4, any::<Word>()), 1..6),
    ) {
        let mut rows = Rows::new(log_size, row_words, seed, load);
        for (operation, address) in operations {
            if operation == 3 {
                rows.read(&[address, address ^ 1]);
            } else {
                rows.put(address, operation);
                rows.read(&[address]);
            }
            rows.check();
        }
    }
}

/// The formulas of `PROTOCOL.md`, part two, "Rows": `4 a + 8 w`, `4 a + 32 w`, `4 a + 48 w`, `4 a + 56 w`.
#[test]
fn payloads_of_operations_are_as_long_as_the_page_says() {
    for (log_size, a) in [(2, 1), (9, 2)] {
        for w in [1, 2, 5, 512] {
            let mut rows = Rows::new(log_size, w, 1, false);
            let mut bytes = |operation: &dyn Fn(&mut Rows)| {
                rows.session.preprocess(Batch { reads: 1, updates: 1 }).unwrap();
                rows.session.take_log();
                operation(&mut rows);
                let log = rows.session.take_log();
                log.iter().map(|delivery| delivery.frame.bytes.len() - HEADER_LENGTH).sum::<usize>()
            };
            let row = vec![7; w];
            let update = [vec![3], row.clone()].concat();
            assert_eq!(bytes(&|rows| _ = rows.session.read([&[1], &[2]]).unwrap()), 4 * a + 8 * w);
            assert_eq!(
                bytes(&|rows| rows.session.update_rows(1, [&update, &update]).unwrap()),
                4 * a + 32 * w
            );
            assert_eq!(bytes(&|rows| rows.session.write_row([1, 2], [&row, &row]).unwrap()), 4 * a + 48 * w);
            assert_eq!(
                bytes(&|rows| _ = rows.session.swap_row([1, 2], [&row, &row]).unwrap()),
                4 * a + 56 * w
            );
        }
    }
}

/// Whoever gives words where rows are due, or rows of another length, is told, and nothing has changed.
#[test]
fn operands_that_are_no_rows_are_refused() {
    let mut rows = Rows::new(3, 2, 3, true);
    rows.session.preprocess(Batch { reads: 1, updates: 2 }).unwrap();
    let operands = |expected, got| Error::Operands { expected, got };
    for primary in rows.session.primaries_mut() {
        // Three pairs are as many words as two rows with their addresses.
        assert_eq!(primary.update(&[(0, 0); 3]), Err(operands(9, 6)));
        assert_eq!(primary.update_rows(&[0; 4]), Err(operands(6, 4)));
        assert_eq!(primary.update_rows(&[]), Err(Error::EmptyStep));
        assert_eq!(primary.write(0, 0), Err(operands(3, 2)));
        assert_eq!(primary.write_row(0, &[0; 3]), Err(operands(3, 4)));
        assert_eq!(primary.swap(0, 0), Err(operands(3, 2)));
        assert_eq!(primary.swap_row(0, &[]), Err(operands(3, 1)));
        assert_eq!(primary.prepared(), Batch { reads: 1, updates: 2 });
    }
    rows.put(5, 1);
    rows.read(&[5]);
    rows.check();

    let short = Rows::new(3, 2, 4, false).session.load([vec![0; 15], vec![0; 16]]);
    assert_eq!(short, Err(Error::MemoryLength { expected: 16, got: 15 }));

    let mut party = lean::lasting(Role::P0, parameters(3, 2), [1; 32], Plain);
    for (command, expected, got) in [
        (Command::Write(Zeroizing::new(vec![0; 2])), 3, 2),
        (Command::Swap(Zeroizing::new(vec![0; 4])), 3, 4),
        (Command::Update { count: 2, pairs: Zeroizing::new(vec![0; 4]) }, 6, 4),
    ] {
        assert_eq!(party.begin(&command), Err(operands(expected, got)));
    }
}

/// The protocols that have no rows say so before anything is sent.
#[test]
fn other_protocols_refuse_rows() {
    let refused = Err(Error::NoRows { got: 2 });
    assert_eq!(
        Error::NoRows { got: 2 }.to_string(),
        "rows are of the lean protocol: this one has 1 word at an address, got 2"
    );
    let parameters = parameters(3, 2);
    for role in Role::ALL {
        let mut party = paper::lasting(role, parameters, [1; 32], duoram_reference::Plain);
        assert_eq!(party.begin(&Command::Connect), refused);
        assert_eq!(party.connect(), refused);
    }
    let mut session =
        local::LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], duoram_reference::Plain).unwrap();
    for role in Role::ALL {
        assert_eq!(session.party_mut(role).connect(), refused);
    }
    let (plain, pir) = (two_party::Plain, two_party::PlainPir);
    let mut party = two_party::Primary::new(Role::P1, parameters, [1; 32], plain, pir).unwrap();
    assert_eq!(duoram_reference::Party::connect(&mut party), refused);
}

/// Neither have they addresses without words.
#[test]
fn other_protocols_refuse_fewer_words_than_addresses() {
    let parameters = parameters(3, 1).with_rows(7).unwrap();
    let refused = Err(Error::AllRows { expected: 8, got: 7 });
    assert_eq!(
        Error::AllRows { expected: 8, got: 7 }.to_string(),
        "addresses without words are of the lean protocol: this one has 8 words, got 7"
    );
    for role in Role::ALL {
        let mut party = paper::lasting(role, parameters, [1; 32], duoram_reference::Plain);
        assert_eq!(party.begin(&Command::Connect), refused);
    }
    let (plain, pir) = (two_party::Plain, two_party::PlainPir);
    let mut party = two_party::Primary::new(Role::P1, parameters, [1; 32], plain, pir).unwrap();
    assert_eq!(duoram_reference::Party::connect(&mut party), refused);
}

/// A load has the words that there are, and where there is none, nothing is put and zeros are read.
#[test]
fn a_memory_may_have_fewer_words_than_addresses() {
    let parameters = parameters(3, 1).with_rows(5).unwrap();
    let mut session = lean::local::LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain);
    session.connect().unwrap();
    for got in [4, 8] {
        let refused = session.load([vec![1; got], vec![1; got]]).unwrap_err();
        assert_eq!(refused, Error::MemoryLength { expected: 5, got: got as u64 });
    }
    let mut session = lean::local::LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain);
    session.connect().unwrap();
    session.load([vec![0; 5], vec![10, 11, 12, 13, 14]]).unwrap();
    session.preprocess(Batch { reads: 8, updates: 2 }).unwrap();
    session.update([&[(4, 1), (5, 1)], &[(0, 0), (0, 0)]]).unwrap();
    let [share_0, share_1] = session.read([&[0, 1, 2, 3, 4, 5, 6, 7], &[0; 8]]).unwrap();
    let words: Vec<Word> = share_0.iter().zip(&share_1).map(|(a, b)| a ^ b).collect();
    assert_eq!(words, [10, 11, 12, 13, 15, 0, 0, 0]);
    let (p0, p1, helper) = session.parties();
    let lengths = [p0.memory().beta.len(), p1.memory().alpha.len(), helper.memory().beta.len()];
    assert_eq!(lengths, [5; 3], "nobody stores what is not there");
}

/// `SECURITY.md`, "How long a session key may serve": 4 w hashes at a label of each DPF count as 4 w labels more.
#[test]
fn rows_wear_a_key_more() {
    assert_eq!(key_labels(20, 1, 10), 600);
    assert_eq!(key_labels(20, 2, 10), 600 + 10 * 2 * 4 * 2);
    assert_eq!(key_labels(20, 512, 1), 60 + 4096);
    assert_eq!(key_labels(40, 512, u64::MAX), u64::MAX);
}

/// The longest rows, in the smallest memory.
#[test]
fn the_longest_rows() {
    let mut rows = Rows::new(1, 512, 5, true);
    rows.read(&[1, 0, 1]);
    for how in 0..3 {
        rows.put(1, how);
        rows.read(&[0, 1]);
    }
    rows.check();
}
