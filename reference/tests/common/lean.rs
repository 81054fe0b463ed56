//! A session of the lean protocol next to the plain array that it stands for.

use duoram_reference::lean::local::LocalSession;
use duoram_reference::lean::{Lean, Plain};
use duoram_reference::{Batch, Header, Parameters, Protocol, Role, Word};

use super::{Masks, SESSION};

/// The round as the specification has it, where the messages that carry the number of READ items have 0.
pub(crate) fn place(header: &Header) -> u32 {
    Lean::kind(header.kind).unwrap().place(header.round)
}

/// The same of a message of the specification, which counts time: a level takes two messages, after the first of the step.
pub(crate) fn place_in_spec(kind: u8, round: u32) -> u32 {
    match kind {
        2 | 3 => round,
        6 | 7 => (round - 1) / 2,
        _ => 0,
    }
}

/// Adds shares.
pub(crate) fn open(shares: &[Vec<Word>; 2]) -> Vec<Word> {
    shares[0].iter().zip(&shares[1]).map(|(a, b)| a ^ b).collect()
}

/// Both parties' shares of a list of words.
pub(crate) fn share(masks: &mut Masks, words: &[Word]) -> [Vec<Word>; 2] {
    let own: Vec<Word> = words.iter().map(|_| masks.word()).collect();
    [words.iter().zip(&own).map(|(word, mask)| word ^ mask).collect(), own]
}

/// Pairs, one list for each party.
pub(crate) fn zip(addresses: &[Vec<Word>; 2], values: &[Vec<Word>; 2]) -> [Vec<(Word, Word)>; 2] {
    [0, 1].map(|b: usize| addresses[b].iter().copied().zip(values[b].iter().copied()).collect())
}

/// Addresses with a row each behind them, a list for each party.
pub(crate) fn row_operands(addresses: &[Vec<Word>; 2], rows: &[Vec<Word>; 2]) -> [Vec<Word>; 2] {
    [0, 1].map(|b: usize| {
        let row_words = rows[b].len() / addresses[b].len();
        let operands = addresses[b].iter().zip(rows[b].chunks(row_words));
        operands.flat_map(|(address, row)| [&[*address], row].concat()).collect()
    })
}

/// What is done to the memory.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Reads(Vec<Word>),
    /// A first address, and how often the word read is the next address.
    Chase(Word, usize),
    Updates(Vec<(Word, Word)>),
    Write(Word, Word),
    Swap(Word, Word),
}

/// The session, and the array.
pub(crate) struct World {
    pub(crate) session: LocalSession,
    pub(crate) memory: Vec<Word>,
    pub(crate) masks: Masks,
}

impl World {
    /// Connected, with a memory of zeros or a loaded one.
    pub(crate) fn new(log_size: u32, seed: u64, load: bool) -> Self {
        let parameters = Parameters::new(SESSION, log_size).unwrap();
        let mut masks = Masks::new(seed);
        let seeds = [0, 1, 2].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        let mut session = LocalSession::new(parameters, seeds, Plain);
        session.record();
        session.connect().unwrap();
        let memory: Vec<Word> = (0..parameters.size()).map(|_| if load { masks.word() } else { 0 }).collect();
        if load {
            session.load(share(&mut masks, &memory)).unwrap();
        }
        Self { session, memory, masks }
    }

    pub(crate) fn index(&self, address: Word) -> usize {
        usize::try_from(address % self.memory.len() as u64).unwrap()
    }

    /// Preprocesses what the operation needs, performs it on both, and compares all results.
    pub(crate) fn perform(&mut self, operation: &Operation) {
        self.session.preprocess(operation.batch()).unwrap();
        self.session.take_log();
        self.perform_online(operation);
        self.check_invariants();
        for role in Role::ALL {
            assert_eq!(self.session.party(role).prepared(), Batch::default());
        }
    }

    /// The online part, on what was preprocessed.
    pub(crate) fn perform_online(&mut self, operation: &Operation) {
        match operation {
            Operation::Reads(addresses) => {
                let shares = share(&mut self.masks, addresses);
                let results = self.session.read([&shares[0], &shares[1]]).unwrap();
                let expected: Vec<_> = addresses.iter().map(|&i| self.memory[self.index(i)]).collect();
                assert_eq!(open(&results), expected);
            }
            Operation::Chase(start, steps) => {
                let mut shares = share(&mut self.masks, &[*start]);
                let mut address = *start;
                for _ in 0..*steps {
                    // Straight from result to address: nothing is opened in between.
                    shares = self.session.read([&shares[0], &shares[1]]).unwrap();
                    address = self.memory[self.index(address)];
                }
                assert_eq!(open(&shares), [address]);
            }
            Operation::Updates(updates) => {
                let (addresses, changes): (Vec<_>, Vec<_>) = updates.iter().copied().unzip();
                let addresses = share(&mut self.masks, &addresses);
                let [of_0, of_1] = zip(&addresses, &share(&mut self.masks, &changes));
                self.session.update([&of_0, &of_1]).unwrap();
                for &(address, change) in updates {
                    let index = self.index(address);
                    self.memory[index] ^= change;
                }
            }
            Operation::Write(address, value) => {
                let shares = share(&mut self.masks, &[*address, *value]);
                self.session.write([shares[0][0], shares[1][0]], [shares[0][1], shares[1][1]]).unwrap();
                let index = self.index(*address);
                self.memory[index] = *value;
            }
            Operation::Swap(address, value) => {
                let shares = share(&mut self.masks, &[*address, *value]);
                let addresses = [shares[0][0], shares[1][0]];
                let old = self.session.swap(addresses, [shares[0][1], shares[1][1]]).unwrap();
                let index = self.index(*address);
                assert_eq!(open(&old), [self.memory[index]]);
                self.memory[index] = *value;
            }
        }
    }

    /// Both sharings are of the array, and P0 and P2 have the same A, which no single party sees.
    pub(crate) fn check_invariants(&self) {
        let (p0, p1, p2) = self.session.parties();
        let ([a, h], e, [a_2, b]) = (
            [&p0.memory().alpha, &p0.memory().beta],
            &p1.memory().alpha,
            [&p2.memory().alpha, &p2.memory().beta],
        );
        assert_eq!(a, a_2);
        assert_eq!(open(&[a.clone(), e.clone()]), self.memory, "alpha");
        assert_eq!(open(&[b.clone(), h.clone()]), self.memory, "beta");
    }
}

impl Operation {
    /// The items that the operation uses.
    pub(crate) fn batch(&self) -> Batch {
        match self {
            Self::Reads(addresses) => Batch { reads: addresses.len(), updates: 0 },
            Self::Chase(_, steps) => Batch { reads: *steps, updates: 0 },
            Self::Updates(updates) => Batch { reads: 0, updates: updates.len() },
            Self::Write(..) | Self::Swap(..) => Batch { reads: 0, updates: 1 },
        }
    }
}
