//! Words of a memory that pass through rank 0: those of a load, and of a memory that nobody puts aside.

use std::ops::Range;

use zeroize::Zeroizing;

use crate::memory::{Memory, two_vectors};
use crate::worker::{With, Worker};
use crate::{By, Collective, Failure};

/// Words that are sent at once.
const PIECE: usize = 1 << 20;

/// The words of a range that are also in another; if there are none, an empty range within the first.
fn common(range: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    let start = other.start.clamp(range.start, range.end);
    start..other.end.clamp(start, range.end)
}

impl Worker {
    fn numbered(&mut self, number: u64) -> Result<&mut Memory, Failure> {
        let missing = || Failure::Engine { what: format!("expected a memory that is there, got {number}") };
        self.memories.get_mut(&number).ok_or_else(missing)
    }

    /// Adds the words that rank 0 has for each vector, which sends every other worker those of its range.
    pub(crate) fn add<C: Collective + ?Sized>(
        &mut self,
        collective: &mut C,
        number: u64,
        added: &[Range<usize>],
        with: &With<'_>,
    ) -> Result<(), Failure> {
        let (cut, rank) = (self.cut.clone(), self.rank);
        let memory = self.numbered(number)?;
        let size = memory.rows;
        let ranges: Vec<_> =
            (0..collective.size()).map(|rank| memory.words(&cut.range(rank, size))).collect();
        for (vector, added) in added.iter().enumerate() {
            // They may begin and end within a row.
            let of = |rank: usize| common(&ranges[rank], added);
            let (own, first) = (of(rank), ranges[rank].start);
            let part = &mut memory.part_mut(vector)[own.start - first..own.end - first];
            if let With::Words(words) = with {
                let words = words.get(vector).filter(|words| words.len() == added.len());
                let words = words.ok_or_else(|| two_vectors(vector))?;
                let inside = |range: Range<usize>| {
                    if range.is_empty() {
                        &[]
                    } else {
                        &words[range.start - added.start..range.end - added.start]
                    }
                };
                for rank in 1..collective.size() {
                    for piece in inside(of(rank)).chunks(PIECE) {
                        collective.send(rank, piece)?;
                    }
                }
                By::Xor.combine(part, inside(own));
            } else {
                let mut room = Zeroizing::new(vec![0; part.len().min(PIECE)]);
                for part in part.chunks_mut(PIECE) {
                    let piece = &mut room[..part.len()];
                    collective.receive(0, piece)?;
                    By::Xor.combine(part, piece);
                }
            }
        }
        Ok(())
    }

    /// Gives rank 0 its words of each vector.
    pub(crate) fn gather<C: Collective + ?Sized>(
        &mut self,
        collective: &mut C,
        number: u64,
        with: With<'_>,
    ) -> Result<(), Failure> {
        let cut = self.cut.clone();
        let memory = self.numbered(number)?;
        let size = memory.rows;
        if let With::Gathered(vectors) = with {
            let range = |rank| memory.words(&cut.range(rank, size));
            for (vector, words) in vectors.iter_mut().enumerate() {
                words[range(0)].copy_from_slice(memory.part(vector));
                for rank in 1..collective.size() {
                    for piece in words[range(rank)].chunks_mut(PIECE) {
                        collective.receive(rank, piece)?;
                    }
                }
            }
        } else {
            for vector in 0..memory.vectors() {
                for piece in memory.part(vector).chunks(PIECE) {
                    collective.send(0, piece)?;
                }
            }
        }
        Ok(())
    }
}
