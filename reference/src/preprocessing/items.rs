//! What preprocessing yields: items, each good for one operation, moved out of the store when they are used.

use std::collections::VecDeque;
use std::ops::Range;

use zeroize::Zeroizing;

use crate::dpf::DpfShare;
use crate::error::ItemKind;
use crate::party::Batch;
use crate::{Error, Word};

/// A primary's item for one READ: no value words and no final correction (`[duoram, section 4.1.1]`).
pub(crate) struct ReadItem {
    /// See [`Store::number`].
    pub(crate) number: u64,
    pub(crate) dpf_1: DpfShare,
    /// DPF 3 of P0, DPF 2 of P1; the other one is the helper's.
    pub(crate) dpf_refresh: DpfShare,
    /// `ri_b`, the additive share mod n.
    pub(crate) random_index: Zeroizing<Word>,
}

/// A primary's item for one UPDATE.
pub(crate) struct UpdateItem {
    /// See [`Store::number`].
    pub(crate) number: u64,
    pub(crate) dpfs: [DpfShare; 3],
    /// `ri_b`, the additive share mod n.
    pub(crate) random_index: Zeroizing<Word>,
    /// `F_b^(k)`: the shares for the value zero.
    pub(crate) final_corrections: Zeroizing<[Word; 3]>,
}

/// The helper's item for one READ or UPDATE.
pub(crate) struct HelperItem {
    /// See [`Store::number`].
    pub(crate) number: u64,
    /// P0's key of DPF 2.
    pub(crate) dpf_2: DpfShare,
    /// P1's key of DPF 3.
    pub(crate) dpf_3: DpfShare,
}

/// An item in a place of its own on the heap: a queue that grows or is drained moves its elements, and leaves their bytes
/// behind.
pub(crate) type Kept<T> = Box<T>;

/// The items that are left, used in the order in which they were made: all parties number them alike. A number is no
/// secret, and never on the wire.
pub(crate) struct Store<R, U> {
    reads: VecDeque<Kept<R>>,
    updates: VecDeque<Kept<U>>,
    /// How many items have been given a number.
    numbered: u64,
}

impl<R, U> Store<R, U> {
    pub(crate) fn new() -> Self {
        Self { reads: VecDeque::new(), updates: VecDeque::new(), numbered: 0 }
    }

    /// The numbers of the items of the batch that is about to be made, READ items first: an item's number is its place
    /// among all items of the session, from 0. No number is given twice.
    pub(crate) fn number(&mut self, batch: Batch) -> Range<u64> {
        let first = self.numbered;
        self.numbered += (batch.reads + batch.updates) as u64;
        first..self.numbered
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

    pub(crate) fn extend(&mut self, made: Self) {
        self.reads.extend(made.reads);
        self.updates.extend(made.updates);
    }

    pub(crate) fn push_read(&mut self, item: R) {
        self.reads.push_back(Box::new(item));
    }

    pub(crate) fn push_update(&mut self, item: U) {
        self.updates.push_back(Box::new(item));
    }
}
