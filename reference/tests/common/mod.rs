//! A session next to the plain array that it stands for.

#![allow(dead_code)] // each test file uses a part

pub(crate) mod hostile;
pub(crate) mod lasting;
pub(crate) mod lean;
pub(crate) mod saved;
pub(crate) mod two_party;

use duoram_reference::local::{LocalSession, share};
use duoram_reference::message::{ConversionOpening, ConversionOperands, HelperKeys, Triples};
use duoram_reference::{Batch, Header, Message, Paper, Parameters, Plain, Protocol, Role, SessionId, Word};
use duoram_vectors::Random;

pub(crate) const SESSION: SessionId = SessionId(*b"session of tests");

/// Masks for shares, and random choices.
pub(crate) struct Masks(Random);

impl Masks {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Random(seed))
    }

    pub(crate) fn word(&mut self) -> Word {
        self.0.word()
    }

    /// Both parties' shares of a list of words.
    pub(crate) fn share(&mut self, words: &[Word]) -> [Vec<Word>; 2] {
        let pairs: Vec<[Word; 2]> = words.iter().map(|word| share(*word, self.word())).collect();
        [0, 1].map(|b| pairs.iter().map(|pair| pair[b]).collect())
    }
}

/// The round as the specification has it, where the messages that carry the number of READ items have 0.
pub(crate) fn place(header: &Header) -> u32 {
    let agreed = [Triples::KIND, ConversionOperands::KIND, ConversionOpening::KIND, HelperKeys::KIND];
    for kind in Paper::KINDS {
        assert_eq!(kind.place(7), if agreed.contains(kind) { 0 } else { 7 }, "{kind}");
    }
    Paper::kind(header.kind).unwrap().place(header.round)
}

/// Adds shares.
pub(crate) fn open(shares: &[Vec<Word>; 2]) -> Vec<Word> {
    shares[0].iter().zip(&shares[1]).map(|(a, b)| a.wrapping_add(*b)).collect()
}

/// What is done to the memory.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Reads(Vec<Word>),
    /// A first address, and how often the word read is the next address.
    Chase(Word, usize),
    Updates(Vec<(Word, Word)>),
    Write(Word, Word),
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
        let mut session = LocalSession::new(parameters, seeds, Plain).unwrap();
        session.record();
        session.connect().unwrap();
        let memory: Vec<Word> = (0..parameters.size()).map(|_| if load { masks.word() } else { 0 }).collect();
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
        assert_eq!(self.session.party(Role::P2).prepared(), Batch::default());
    }

    /// The online part, on what was preprocessed.
    pub(crate) fn perform_online(&mut self, operation: &Operation) {
        match operation {
            Operation::Reads(addresses) => {
                let shares = self.masks.share(addresses);
                let results = self.session.read([&shares[0], &shares[1]]).unwrap();
                let expected: Vec<_> = addresses.iter().map(|&i| self.memory[self.index(i)]).collect();
                assert_eq!(open(&results), expected, "lemma 1");
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
                let (addresses, changes) = (self.masks.share(&addresses), self.masks.share(&changes));
                let zip = |b: usize| -> Vec<_> {
                    addresses[b].iter().copied().zip(changes[b].iter().copied()).collect()
                };
                self.session.update([&zip(0), &zip(1)]).unwrap();
                for &(address, change) in updates {
                    let index = self.index(address);
                    self.memory[index] = self.memory[index].wrapping_add(change);
                }
            }
            Operation::Write(address, value) => {
                let shares = self.masks.share(&[*address, *value]);
                self.session.write([shares[0][0], shares[1][0]], [shares[0][1], shares[1][1]]).unwrap();
                let index = self.index(*address);
                self.memory[index] = *value;
            }
        }
    }

    /// Lemma 2 (the shares are of the array), Lemma 3 (the blinded shares are blinded), and the helper's blinds.
    pub(crate) fn check_invariants(&self) {
        let [p0, p1] = self.session.primaries().each_ref().map(duoram_reference::Primary::memory);
        let p2 = self.session.helper().memory();
        let sum = |a: &Vec<Word>, b: &Vec<Word>| open(&[a.clone(), b.clone()]);
        assert_eq!(sum(&p0.memory_share, &p1.memory_share), self.memory, "lemma 2");
        assert_eq!(sum(&p0.memory_share, &p0.blind), p1.blinded, "lemma 3, b = 0");
        assert_eq!(sum(&p1.memory_share, &p1.blind), p0.blinded, "lemma 3, b = 1");
        assert_eq!((&p0.blind, &p1.blind), (&p2.blind_0, &p2.blind_1), "the helper's blinds");
    }
}

impl Operation {
    /// The items that the operation uses.
    pub(crate) fn batch(&self) -> Batch {
        match self {
            Self::Reads(addresses) => Batch { reads: addresses.len(), updates: 0 },
            Self::Chase(_, steps) => Batch { reads: *steps, updates: 0 },
            Self::Updates(updates) => Batch { reads: 0, updates: updates.len() },
            Self::Write(..) => Batch { reads: 1, updates: 1 },
        }
    }
}
