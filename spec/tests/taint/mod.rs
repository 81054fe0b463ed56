//! What depends on what: a session is run twice, the second time with one thing changed, and all that is sent, held or
//! answered in the two runs is compared, piece by piece.
//!
//! A test says in words what a change *must* reach, what it *may* reach, and that it reaches nothing else. Whatever may
//! change must be seen to change at least once, so that what the words allow is no wider than what happens.
#![allow(missing_docs, dead_code, clippy::needless_for_each)]

pub(crate) mod lean;
pub(crate) mod paper;

use std::collections::{BTreeMap, BTreeSet};

use duoram_vectors::Random;

/// A piece of a message, or of what a party holds or answers. What does not apply to it is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Thing {
    /// Number of the step.
    pub(crate) step: u64,
    pub(crate) name: &'static str,
    /// Who sends it; the party itself for what it holds.
    pub(crate) from: u8,
    /// Who gets it; the party itself for what it holds.
    pub(crate) to: u8,
    /// Number of the item among all items of the session.
    pub(crate) item: usize,
    /// From 1, in the order of the protocol.
    pub(crate) dpf: usize,
    /// Level, or place in a vector.
    pub(crate) level: usize,
}

/// A run, piece by piece.
pub(crate) type Seen = BTreeMap<Thing, Vec<u8>>;

/// What a change does to a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// It stays as it is.
    Never,
    /// It changes in some cases.
    May,
    /// It changes in every case.
    Must,
}

/// `Must` or `Never`.
pub(crate) fn must(condition: bool) -> Effect {
    if condition { Effect::Must } else { Effect::Never }
}

/// `May` or `Never`.
pub(crate) fn may(condition: bool) -> Effect {
    if condition { Effect::May } else { Effect::Never }
}

/// Which permissions were made use of, by the names of what was changed and of what changed with it.
#[derive(Default)]
pub(crate) struct Permissions(BTreeMap<(String, &'static str), bool>);

impl Permissions {
    /// Compares two runs, which differ in what is called `cause`, of the sort `sort`.
    ///
    /// # Panics
    ///
    /// If something changed that must not, or did not change and must.
    pub(crate) fn compare(
        &mut self,
        (sort, cause): (&str, &str),
        before: &Seen,
        after: &Seen,
        effect: impl Fn(&Thing) -> Effect,
    ) {
        assert!(before.keys().eq(after.keys()), "{cause}: who is sent what, and how long it is, is public");
        for (thing, value) in before {
            let changed = after[thing] != *value;
            match effect(thing) {
                Effect::Never => assert!(!changed, "{cause} reaches {thing:?}"),
                Effect::Must => assert!(changed, "{cause} does not reach {thing:?}"),
                Effect::May => *self.0.entry((sort.to_string(), thing.name)).or_default() |= changed,
            }
        }
    }

    /// Every permission was made use of.
    pub(crate) fn all_used(&self) {
        let unused: BTreeSet<_> = self.0.iter().filter(|(_, used)| !**used).map(|(key, _)| key).collect();
        assert!(unused.is_empty(), "allowed, and never seen: {unused:?}");
    }
}

/// How the bits of a part of a word are changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flips {
    /// Each bit by itself.
    EveryBit,
    /// All at once, and some of them.
    Whole,
}

/// The changes of the bits of `part`.
pub(crate) fn flips(r: &mut Random, part: u64, how: Flips) -> Vec<u64> {
    match how {
        Flips::EveryBit => (0..64).map(|bit| 1 << bit).filter(|bit| bit & part != 0).collect(),
        Flips::Whole => {
            let some = part & r.word();
            vec![part, if some == 0 { part } else { some }]
        }
    }
}

/// Takes a payload apart. It must be used up: a message has nothing in it but what is named.
pub(crate) struct Payload<'a> {
    bytes: &'a [u8],
    bits: usize,
}

impl<'a> Payload<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Payload { bytes, bits: 0 }
    }

    pub(crate) fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken.to_vec()
    }

    pub(crate) fn word(&mut self) -> Vec<u8> {
        self.take(8)
    }

    pub(crate) fn block(&mut self) -> Vec<u8> {
        self.take(16)
    }

    /// The next of the bits that are packed at the end.
    pub(crate) fn bit(&mut self) -> Vec<u8> {
        let bit = self.bytes[self.bits / 8] >> (self.bits % 8) & 1;
        self.bits += 1;
        vec![bit]
    }

    /// Nothing is left but what fills the last byte, and that is zero.
    pub(crate) fn end(self) {
        assert_eq!(self.bytes.len(), self.bits.div_ceil(8), "a message is longer than what it is to say");
        if !self.bits.is_multiple_of(8) {
            assert_eq!(self.bytes[self.bits / 8] >> (self.bits % 8), 0, "what fills the last byte is zero");
        }
    }
}
