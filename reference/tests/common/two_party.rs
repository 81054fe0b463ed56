//! A session of the two-party protocol next to the plain array that it stands for.

use duoram_reference::two_party::local::LocalSession;
use duoram_reference::two_party::{Plain, PlainPir, TwoParty};
use duoram_reference::{Batch, Parameters, Protocol, Word};

use super::{Masks, SESSION, open};

/// Pairs, one list for each party.
pub(crate) fn zip(addresses: &[Vec<Word>; 2], values: &[Vec<Word>; 2]) -> [Vec<(Word, Word)>; 2] {
    [0, 1].map(|b: usize| addresses[b].iter().copied().zip(values[b].iter().copied()).collect())
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

/// Parties that have not connected.
pub(crate) fn parties(log_size: u32, seeds: [[u8; 32]; 2]) -> LocalSession {
    let parameters = Parameters::new(SESSION, log_size).unwrap();
    LocalSession::new(parameters, seeds, Plain, PlainPir).unwrap()
}

impl World {
    /// Connected, with a memory of zeros or a loaded one.
    pub(crate) fn new(log_size: u32, seed: u64, load: bool) -> Self {
        let mut masks = Masks::new(seed);
        let seeds = [0, 1].map(|_| std::array::from_fn(|_| masks.word().to_le_bytes()[0]));
        let mut session = parties(log_size, seeds);
        session.record();
        session.connect().unwrap();
        let memory: Vec<Word> = (0..1 << log_size).map(|_| if load { masks.word() } else { 0 }).collect();
        if load {
            session.load(masks.share(&memory)).unwrap();
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
        for &role in TwoParty::ROLES {
            assert_eq!(self.session.party(role).prepared(), Batch::default());
        }
    }

    /// The online part, on what was preprocessed.
    pub(crate) fn perform_online(&mut self, operation: &Operation) {
        match operation {
            Operation::Reads(addresses) => {
                let shares = self.masks.share(addresses);
                let results = self.session.read([&shares[0], &shares[1]]).unwrap();
                let expected: Vec<_> = addresses.iter().map(|&i| self.memory[self.index(i)]).collect();
                assert_eq!(open(&results), expected, "lemma 4");
            }
            Operation::Chase(start, steps) => {
                let mut shares = self.masks.share(&[*start]);
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
                let addresses = self.masks.share(&addresses);
                let [of_0, of_1] = zip(&addresses, &self.masks.share(&changes));
                self.session.update([&of_0, &of_1]).unwrap();
                for &(address, change) in updates {
                    let index = self.index(address);
                    self.memory[index] = self.memory[index].wrapping_add(change);
                }
            }
            Operation::Write(address, value) => {
                let [of_0, of_1] = self.masks.share(&[*address, *value]);
                self.session.write([of_0[0], of_1[0]], [of_0[1], of_1[1]]).unwrap();
                let index = self.index(*address);
                self.memory[index] = *value;
            }
            Operation::Swap(address, value) => {
                let [of_0, of_1] = self.masks.share(&[*address, *value]);
                let old = self.session.swap([of_0[0], of_1[0]], [of_0[1], of_1[1]]).unwrap();
                let index = self.index(*address);
                assert_eq!(open(&old), [self.memory[index]]);
                self.memory[index] = *value;
            }
        }
    }

    /// The shares are of the array.
    pub(crate) fn check_invariants(&self) {
        let shares = self.session.primaries().each_ref().map(|party| party.memory().memory_share.clone());
        assert_eq!(open(&shares), self.memory, "lemma 2");
    }
}

impl Operation {
    /// The items that the operation uses.
    pub(crate) fn batch(&self) -> Batch {
        match self {
            Self::Reads(addresses) => Batch { reads: addresses.len(), updates: 0 },
            Self::Chase(_, steps) => Batch { reads: *steps, updates: 0 },
            Self::Updates(updates) => Batch { reads: 0, updates: updates.len() },
            Self::Write(..) | Self::Swap(..) => Batch { reads: 1, updates: 1 },
        }
    }
}
