//! Items: what preprocessing yields, each good for one operation, numbered, and moved out of the store when it is used.

use std::collections::VecDeque;

use super::{Error, ItemKind};

/// The rule that all three parties make as many READ items in a batch: the number of all its items shows in the lengths of
/// messages, this one does not.
pub const READ_ITEMS: &str = "the number of READ items in the batch";

/// The round of every message of preprocessing that is not of one level: see [`READ_ITEMS`].
pub(crate) fn agreed(batch: Batch) -> u32 {
    // A batch fits a payload: far below 2^32.
    u32::try_from(batch.reads).unwrap_or(u32::MAX)
}

/// Numbers of preprocessed items: each is good for one operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Batch {
    /// Items for READs.
    pub reads: usize,
    /// Items for UPDATEs.
    pub updates: usize,
}

impl Batch {
    /// Of both kinds; saturating, so that a caller may ask for any numbers.
    pub(crate) fn items(self) -> usize {
        self.reads.saturating_add(self.updates)
    }
}

/// An item and its place among all items of the session, from 0: alike at all parties, no secret, and never on the wire.
pub(crate) struct Numbered<T> {
    pub(crate) number: u64,
    pub(crate) item: T,
}

/// An item in a place of its own on the heap: a queue that grows or is drained moves its elements, and leaves their bytes
/// behind.
pub(crate) type Kept<T> = Box<Numbered<T>>;

/// The numbers of items.
pub(crate) fn numbers<T>(items: &[Kept<T>]) -> Vec<u64> {
    items.iter().map(|kept| kept.number).collect()
}

/// The items that are left, used in the order in which they were made: all parties number them alike.
pub(crate) struct Store<R, U> {
    reads: VecDeque<Kept<R>>,
    updates: VecDeque<Kept<U>>,
    /// How many items have been put in.
    made: u64,
}

impl<R, U> Store<R, U> {
    pub(crate) fn new() -> Self {
        Self { reads: VecDeque::new(), updates: VecDeque::new(), made: 0 }
    }

    /// The numbers that the items of the batch will have that is about to be made: its READ items are put in first.
    pub(crate) fn coming(&self, batch: Batch) -> Vec<u64> {
        (self.made..).take(batch.items()).collect()
    }

    pub(crate) fn left(&self) -> Batch {
        Batch { reads: self.reads.len(), updates: self.updates.len() }
    }

    /// Whether there is enough left for a call, before it takes anything.
    pub(crate) fn require(&self, needed: Batch) -> Result<(), Error> {
        let left = self.left();
        let check = |kind, needed, left| {
            if needed > left { Err(Error::PreprocessingExhausted { kind, needed, left }) } else { Ok(()) }
        };
        check(ItemKind::Read, needed.reads, left.reads)?;
        check(ItemKind::Update, needed.updates, left.updates)
    }

    /// Takes the oldest READ items, as many as [`Store::require`] has granted.
    pub(crate) fn take_reads(&mut self, count: usize) -> Vec<Kept<R>> {
        self.reads.drain(..count.min(self.reads.len())).collect()
    }

    /// Takes the oldest UPDATE items, as many as [`Store::require`] has granted.
    pub(crate) fn take_updates(&mut self, count: usize) -> Vec<Kept<U>> {
        self.updates.drain(..count.min(self.updates.len())).collect()
    }

    /// Takes the oldest UPDATE item, if there is one.
    pub(crate) fn take_update(&mut self) -> Result<Kept<U>, Error> {
        let none = Error::PreprocessingExhausted { kind: ItemKind::Update, needed: 1, left: 0 };
        self.updates.pop_front().ok_or(none)
    }

    /// Puts in the next READ item.
    pub(crate) fn put_read(&mut self, item: R) {
        let number = self.next_number();
        self.reads.push_back(Box::new(Numbered { number, item }));
    }

    /// Puts in the next UPDATE item.
    pub(crate) fn put_update(&mut self, item: U) {
        let number = self.next_number();
        self.updates.push_back(Box::new(Numbered { number, item }));
    }

    /// How many items have been made, whatever has become of them.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Forgets the items that are left. Their numbers stay given.
    pub(crate) fn clear(&mut self) {
        self.reads.clear();
        self.updates.clear();
    }

    /// The items that are left, the oldest first.
    pub(crate) fn all(
        &self,
    ) -> (impl ExactSizeIterator<Item = &Numbered<R>>, impl ExactSizeIterator<Item = &Numbered<U>>) {
        (self.reads.iter().map(|kept| &**kept), self.updates.iter().map(|kept| &**kept))
    }

    /// Puts back what had been made, of which these are left.
    pub(crate) fn restore(&mut self, made: u64, reads: Vec<Kept<R>>, updates: Vec<Kept<U>>) {
        *self = Self { reads: reads.into(), updates: updates.into(), made };
    }

    /// Puts back how many have been made, as the lane that makes them knows it.
    pub(crate) fn restore_made(&mut self, made: u64) {
        self.made = made;
    }

    /// No number is given twice.
    fn next_number(&mut self) -> u64 {
        let number = self.made;
        self.made += 1;
        number
    }
}
