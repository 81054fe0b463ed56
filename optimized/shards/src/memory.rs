//! A worker's part of a memory.

use std::ops::Range;

use duoram_reference::log_size_of;
use zeroize::Zeroizing;

use crate::{Cut, Failure};

/// Rows that the flags of one node belong to: the lean protocol takes whole ones only.
const UNIT: usize = 128;

/// The parts of all vectors of one memory that lie in a range of rows, and what is around it up to whole units, which is zero. Without rows a
/// word is one. Ranges are of rows wherever nothing else is said; no row is divided among workers.
pub(crate) struct Memory {
    /// h: trees have `2^h` leaves, at least one for each row.
    pub(crate) log_size: u32,
    /// m: so many rows are those of all workers.
    pub(crate) rows: usize,
    pub(crate) row_words: usize,
    range: Range<usize>,
    /// Of the first row that is there.
    start: usize,
    vectors: Vec<Zeroizing<Vec<u64>>>,
}

impl Memory {
    /// Zeros: the part of worker `rank` of so many vectors of so many rows of `row_words` words.
    pub(crate) fn zero(cut: &Cut, rank: usize, (rows, row_words): (usize, usize), vectors: usize) -> Self {
        let log_size = log_size_of(rows);
        let unit = UNIT.min(1 << log_size);
        let range = cut.range(rank, rows);
        let (start, end) = if range.is_empty() {
            (range.start, range.start)
        } else {
            (range.start / unit * unit, range.end.next_multiple_of(unit))
        };
        let zeros = || Zeroizing::new(vec![0; (end - start) * row_words]);
        Self { log_size, rows, row_words, range, start, vectors: (0..vectors).map(|_| zeros()).collect() }
    }

    /// The words of some rows.
    pub(crate) const fn words(&self, rows: &Range<usize>) -> Range<usize> {
        rows.start * self.row_words..rows.end * self.row_words
    }

    /// Which rows it is of.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The words of the range, by their places here.
    fn inside(&self) -> Range<usize> {
        self.here(&self.range)
    }

    /// The words of rows that are here, by their places here.
    const fn here(&self, rows: &Range<usize>) -> Range<usize> {
        self.words(&(rows.start - self.start..rows.end - self.start))
    }

    pub(crate) fn vectors(&self) -> usize {
        self.vectors.len()
    }

    /// The words of the range.
    pub(crate) fn part(&self, vector: usize) -> &[u64] {
        &self.vectors[vector][self.inside()]
    }

    /// The words of the range, to be changed.
    pub(crate) fn part_mut(&mut self, vector: usize) -> &mut [u64] {
        let inside = self.inside();
        &mut self.vectors[vector][inside]
    }

    /// The words of the range in each vector.
    pub(crate) fn parts(&self) -> Vec<&[u64]> {
        let inside = self.inside();
        self.vectors.iter().map(|vector| &vector[inside.clone()]).collect()
    }

    /// The same, to be changed.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut [u64]> {
        let inside = self.inside();
        self.vectors.iter_mut().map(|vector| &mut vector[inside.clone()]).collect()
    }

    /// The words of the range in both vectors of a memory that has two.
    pub(crate) fn both_mut(&mut self) -> Result<[&mut [u64]; 2], Failure> {
        let (inside, got) = (self.inside(), self.vectors.len());
        let [first, second] = &mut self.vectors[..] else { return Err(two_vectors(got)) };
        Ok([&mut first[inside.clone()], &mut second[inside]])
    }

    /// The range in whole units.
    pub(crate) fn units(&self) -> Range<usize> {
        self.start..self.start + self.vectors.first().map_or(0, |vector| vector.len() / self.row_words)
    }

    /// The words of rows of whole units, by their numbers in the memory.
    pub(crate) fn unit(&self, vector: usize, rows: &Range<usize>) -> &[u64] {
        &self.vectors[vector][self.here(rows)]
    }

    /// The same, to be changed. What is changed outside of the range must be cleared in the end.
    pub(crate) fn unit_mut(&mut self, vector: usize, rows: &Range<usize>) -> &mut [u64] {
        let here = self.here(rows);
        &mut self.vectors[vector][here]
    }

    /// Makes what is around the range zero again.
    pub(crate) fn clear_around(&mut self) {
        let inside = self.inside();
        for vector in &mut self.vectors {
            vector[..inside.start].fill(0);
            vector[inside.end..].fill(0);
        }
    }
}

/// What a request for two vectors meets in a memory that has not two.
pub(crate) fn two_vectors(got: usize) -> Failure {
    Failure::Engine { what: format!("a memory of a party: expected 2 vectors, got {got}") }
}
