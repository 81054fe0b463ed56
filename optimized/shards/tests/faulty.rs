//! A collective of which one thing goes wrong, without a word; and answers that show it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duoram_reference::lean::{self, LayeredKey};
use duoram_reference::{Compute, HelperReadQuery, HelperUpdateQuery, Plain, Word};
use duoram_shards::{By, Collective, Failure};
use zeroize::Zeroizing;

use crate::states::{Numbers, key};

/// What goes wrong at rank 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    None,
    /// All others are told that the party's share is twice what it is, so that their ranges begin too late.
    Offset,
    /// The party's own words are not added to the others'.
    Lost,
    /// The others are not told of UPDATEs, which nobody answers.
    Unsaid,
}

impl Fault {
    pub(crate) const ALL: [Self; 3] = [Self::Offset, Self::Lost, Self::Unsaid];
}

/// How often something has been said to all, and by all.
#[derive(Default)]
pub(crate) struct Calls {
    pub(crate) broadcasts: AtomicUsize,
    pub(crate) reduces: AtomicUsize,
}

/// Any collective, with a fault. It is lent, so that a job goes on after the party that had it.
pub(crate) struct Faulty<C> {
    collective: Arc<Mutex<C>>,
    fault: Fault,
    pub(crate) calls: Arc<Calls>,
}

impl<C: Collective> Faulty<C> {
    pub(crate) fn new(collective: &Arc<Mutex<C>>, fault: Fault) -> Self {
        Self { collective: Arc::clone(collective), fault, calls: Arc::default() }
    }

    fn inner(&self) -> MutexGuard<'_, C> {
        self.collective.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Collective> Collective for Faulty<C> {
    fn rank(&self) -> usize {
        self.inner().rank()
    }

    fn size(&self) -> usize {
        self.inner().size()
    }

    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure> {
        const HELLO: u8 = 1;
        const UPDATES: [u8; 3] = [15, 16, 18];
        let mut sent = bytes.clone();
        self.calls.broadcasts.fetch_add(1, Ordering::SeqCst);
        match (self.fault, sent.first()) {
            (Fault::Offset, Some(&HELLO)) => {
                // The shares are its last words.
                let start = sent.len() - 8 * self.size();
                sent[start..start + 8].copy_from_slice(&2_u64.to_le_bytes());
                let end = sent.len() - 8;
                sent[end..].copy_from_slice(&1_u64.to_le_bytes());
            }
            (Fault::Unsaid, Some(operation)) if UPDATES.contains(operation) => return Ok(()),
            _ => {}
        }
        self.inner().broadcast(&mut sent)
    }

    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure> {
        self.calls.reduces.fetch_add(1, Ordering::SeqCst);
        if self.fault == Fault::Lost {
            words.fill(0);
        }
        self.inner().reduce(by, words)
    }

    fn send(&mut self, to: usize, words: &[u64]) -> Result<(), Failure> {
        self.inner().send(to, words)
    }

    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure> {
        self.inner().receive(from, words)
    }

    fn abort(&mut self, failure: &Failure) -> ! {
        self.inner().abort(failure)
    }
}

/// What is answered to a READ after an UPDATE of a memory of zeros: by the paper's helper, and by the lean protocol's P1, of words and of rows.
pub(crate) fn answers<C: Compute + lean::Compute<Kept = LayeredKey>>(paper: &C) -> [Vec<Word>; 3] {
    answers_of(paper, paper)
}

fn answers_of<C: Compute, L: lean::Compute<Kept = LayeredKey>>(paper: &C, lean: &L) -> [Vec<Word>; 3] {
    const LOG_SIZE: u32 = 11;
    let mut numbers = Numbers(4);
    let [dpf_2, dpf_3] = [(); 2].map(|()| numbers.key(LOG_SIZE));
    let mut memory = paper.zero_helper_memory(LOG_SIZE);
    let update = HelperUpdateQuery { dpf_2, dpf_3, final_correction_2: 2, final_correction_3: 3, shift: 77 };
    paper.update_blinds(&key(), &mut memory, &[update]);
    let [dpf_2, dpf_3] = [(); 2].map(|()| numbers.key(LOG_SIZE));
    let read = HelperReadQuery { dpf_2, dpf_3, shift: 5 };
    let of_helper = paper.unblinding(&key(), &memory, &[read]);

    let mut of_rows = |row_words| {
        let [updates, reads] = [Some(row_words), None].map(|values| [numbers.layered(LOG_SIZE, values)]);
        let mut memory = lean.zero_alpha(1 << LOG_SIZE, row_words);
        let correction = numbers.words(row_words);
        let update = lean::UpdateQuery { keys: &updates, final_corrections: [&correction], shift: 77 };
        lean.update_alpha(&key(), &mut memory, &[update]);
        lean.read_1(&key(), &memory, &[lean::ReadQuery { keys: &reads, shift: 5 }])
    };
    [of_helper.concat(), of_rows(1), of_rows(3)]
}

/// The same, by those that are right.
fn expected() -> [Vec<Word>; 3] {
    answers_of(&Plain, &lean::Plain)
}

/// That a fault changes all answers, and none changes none.
pub(crate) fn seen(fault: Fault, answers: &[Vec<Word>; 3]) {
    for ((got, expected), what) in answers.iter().zip(expected()).zip(["paper", "lean", "lean, rows of 3"]) {
        assert_eq!(*got == expected, fault == Fault::None, "{fault:?}, {what}");
    }
}
