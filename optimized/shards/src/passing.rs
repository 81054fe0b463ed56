//! Words of a memory that pass through rank 0: those of a load, and of a memory that nobody puts aside.

use crate::memory::{Memory, two_vectors};
use crate::worker::{With, Worker};
use crate::{Collective, Failure};

/// Words that are sent at once.
const PIECE: usize = 1 << 20;

impl Worker {
    fn numbered(&mut self, number: u64) -> Result<&mut Memory, Failure> {
        let missing = || Failure::Engine { what: format!("expected a memory that is there, got {number}") };
        self.memories.get_mut(&number).ok_or_else(missing)
    }

    /// Takes the words that rank 0 has of each vector, which sends every other worker its range.
    pub(crate) fn fill<C: Collective + ?Sized>(
        &mut self,
        collective: &mut C,
        number: u64,
        with: &With<'_>,
    ) -> Result<(), Failure> {
        let cut = self.cut.clone();
        let memory = self.numbered(number)?;
        let size = 1_usize << memory.log_size;
        for vector in 0..memory.vectors() {
            match with {
                With::Vectors(words) => {
                    let words = words.get(vector).filter(|words| words.len() == size);
                    let words = words.ok_or_else(|| two_vectors(vector))?;
                    for rank in 1..collective.size() {
                        for piece in words[cut.range(rank, size)].chunks(PIECE) {
                            collective.send(rank, piece)?;
                        }
                    }
                    memory.part_mut(vector).copy_from_slice(&words[cut.range(0, size)]);
                }
                _ => {
                    for piece in memory.part_mut(vector).chunks_mut(PIECE) {
                        collective.receive(0, piece)?;
                    }
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
        let size = 1_usize << memory.log_size;
        if let With::Gathered(vectors) = with {
            for (vector, words) in vectors.iter_mut().enumerate() {
                words[cut.range(0, size)].copy_from_slice(memory.part(vector));
                for rank in 1..collective.size() {
                    for piece in words[cut.range(rank, size)].chunks_mut(PIECE) {
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
