//! What a worker does with its files, and how rank 0 hears of what it could not do.

use duoram_reference::Aside;
use duoram_runtime::store::{self, RangeOf};
use zeroize::Zeroizing;

use crate::bytes::Reader;
use crate::operation as op;
use crate::worker::{With, Worker};
use crate::{By, Collective, Failure};

const NOT_OPEN: &str = "its folder is not open";

impl Worker {
    /// Does what a request asks for that is about its files: why it could not, if it could not.
    pub(crate) fn with_files(&mut self, reader: &mut Reader<'_>) -> Result<Result<(), String>, Failure> {
        match reader.operation() {
            op::OPEN => Ok(self.open(reader.bytes()?)),
            op::KEEP => {
                let count = reader.count(16)?;
                let kept = (0..count).map(|_| reader.aside()).collect::<Result<Vec<_>, _>>()?;
                Ok(self.keep_only(&kept))
            }
            operation => {
                let (number, aside) = (reader.word()?, reader.aside()?);
                if !self.memories.contains_key(&number) {
                    return Err(reader.nonsense("a memory that is there", number));
                }
                Ok(self.put_or_take(operation == op::PUT, number, aside))
            }
        }
    }

    /// Opens its folder, if it has the same key as whoever has made this proof.
    fn open(&mut self, proof: &[u8]) -> Result<(), String> {
        let Some(folders) = &self.folders else { return Err("it has no folder for its range".to_owned()) };
        let open = || {
            let ranges = folders.open(self.rank)?;
            ranges.check(proof)?;
            Ok(ranges)
        };
        self.ranges = Some(open().map_err(|error: store::Error| error.to_string())?);
        Ok(())
    }

    /// Removes the files of all memories but these.
    fn keep_only(&self, kept: &[Aside]) -> Result<(), String> {
        let Some(ranges) = &self.ranges else { return Err(NOT_OPEN.to_owned()) };
        ranges.keep_only(self.rank, kept).map_err(|error| error.to_string())
    }

    /// Puts its range of a memory into a file of this name, or makes it of what is there.
    fn put_or_take(&mut self, put: bool, number: u64, aside: Aside) -> Result<(), String> {
        let Self { rank, cut, memories, ranges: Some(ranges), .. } = self else {
            return Err(NOT_OPEN.to_owned());
        };
        let Some(memory) = memories.get_mut(&number) else { return Ok(()) };
        let (worker, workers) = (*rank, cut.shares().len());
        let (all_rows, row_words) = (memory.rows, memory.row_words);
        let of = RangeOf { aside, worker, workers, all_rows, row_words, rows: memory.range() };
        let done =
            if put { ranges.put(&of, &memory.parts()) } else { ranges.get(&of, &mut memory.parts_mut()) };
        done.map_err(|error| error.to_string())
    }

    /// Tells rank 0 what could not be done: first who has how much to say, then each what it is.
    pub(crate) fn tell<C: Collective + ?Sized>(
        &self,
        collective: &mut C,
        told: Result<(), String>,
        with: With<'_>,
    ) -> Result<(), Failure> {
        let reason = told.err().map(|why| {
            let mut reason = why.into_bytes();
            reason.truncate(op::LONGEST_REASON);
            reason
        });
        let mut lengths = Zeroizing::new(vec![0; collective.size()]);
        // One more than it has, for a reason may be empty.
        lengths[self.rank] = reason.as_ref().map_or(0, |reason| 1 + reason.len() as u64);
        collective.reduce(By::Sum, &mut lengths)?;
        let With::Told(all) = with else {
            let Some(reason) = reason else { return Ok(()) };
            return collective.send(0, &words_of(&reason));
        };
        for (rank, length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            let got = usize::try_from(length - 1).unwrap_or(usize::MAX);
            if got > op::LONGEST_REASON {
                return Err(Failure::Length { rank, expected: op::LONGEST_REASON / 8, got: got / 8 });
            }
            let mut bytes = reason.clone().unwrap_or_default();
            if rank > 0 {
                let mut words = vec![0; got.div_ceil(8)];
                collective.receive(rank, &mut words)?;
                bytes = words.into_iter().flat_map(u64::to_le_bytes).take(got).collect();
            }
            all.push((rank, String::from_utf8_lossy(&bytes).into_owned()));
        }
        Ok(())
    }
}

/// Bytes in words, filled up with zeros.
fn words_of(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).collect()
}
