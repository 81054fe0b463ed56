//! A worker: what it holds, and what it does with a request.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_runtime::resources::thread_cpu_time;
use duoram_runtime::store::{Folder, RangeFolders, Ranges};
use zeroize::Zeroizing;

use crate::bytes::Reader;
use crate::memory::Memory;
use crate::operation as op;
use crate::trees::Trees;
use crate::{By, Collective, Cut, Failure, layered, summed};

/// What is to be done with what a worker has computed.
pub(crate) enum Reply {
    Nothing,
    /// It is put together with that of all others.
    Reduce(By, Zeroizing<Vec<u64>>),
    /// Words are added to this memory, which rank 0 sends: of each vector, which ones.
    Add(u64, Vec<Range<usize>>),
    /// The words of this memory are sent to rank 0.
    Gather(u64),
    /// Rank 0 is told who could not, and why.
    Tell(Result<(), String>),
    Stop,
}

/// What rank 0 has beside a request.
pub(crate) enum With<'a> {
    Nothing,
    /// What is added to each vector of a memory.
    Words(&'a [&'a [u64]]),
    /// Where those go that are gathered.
    Gathered(&'a mut [Zeroizing<Vec<u64>>]),
    /// Where it goes who could not, and why.
    Told(&'a mut Vec<(usize, String)>),
}

/// One of the workers of a party: its part of every memory and of all trees that the party has.
pub(crate) struct Worker {
    pub(crate) rank: usize,
    fast: Fast,
    pub(crate) cut: Cut,
    pub(crate) memories: HashMap<u64, Memory>,
    pub(crate) trees: HashMap<u64, Trees>,
    usage: WorkerUsage,
    /// Where it may keep ranges, and its own folder there once it is open.
    pub(crate) folders: Option<RangeFolders>,
    pub(crate) ranges: Option<Ranges<Folder>>,
}

/// What a worker has computed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkerUsage {
    /// From the moment that it knew a request until it had done its part, all together.
    pub computing: Duration,
    /// The CPU time of that; not known of a worker with several threads, or if the system does not tell.
    pub cpu: Option<Duration>,
}

impl Worker {
    pub(crate) fn new(rank: usize, size: usize, fast: Fast, folders: Option<RangeFolders>) -> Self {
        let usage = WorkerUsage {
            computing: Duration::ZERO,
            cpu: thread_cpu_time().filter(|_| fast.threads() == 1).map(|_| Duration::ZERO),
        };
        Self {
            rank,
            fast,
            cut: Cut::even(size),
            memories: HashMap::new(),
            trees: HashMap::new(),
            usage,
            folders,
            ranges: None,
        }
    }

    pub(crate) fn cut(&self) -> &Cut {
        &self.cut
    }

    /// The memory that a request names first.
    pub(crate) fn memory(&self, reader: &mut Reader<'_>) -> Result<&Memory, Failure> {
        let number = reader.word()?;
        self.memories.get(&number).ok_or_else(|| reader.nonsense("a memory that is there", number))
    }

    /// The same, to be changed, and the kernels' owner beside it.
    pub(crate) fn memory_mut(&mut self, reader: &mut Reader<'_>) -> Result<(&mut Memory, &Fast), Failure> {
        let number = reader.word()?;
        let memory = self.memories.get_mut(&number);
        Ok((memory.ok_or_else(|| reader.nonsense("a memory that is there", number))?, &self.fast))
    }

    /// The trees that a request names first.
    pub(crate) fn grown(&mut self, reader: &mut Reader<'_>) -> Result<(&mut Trees, &Fast), Failure> {
        let number = reader.word()?;
        let trees = self.trees.get_mut(&number);
        Ok((trees.ok_or_else(|| reader.nonsense("trees that are there", number))?, &self.fast))
    }

    /// Does its part of what a request asks for, and counts what that takes.
    fn perform_counted(&mut self, bytes: &[u8]) -> Result<Reply, Failure> {
        let (start, cpu) = (Instant::now(), thread_cpu_time());
        let reply = self.perform(bytes);
        self.usage.computing += start.elapsed();
        let used = || Some(thread_cpu_time()?.saturating_sub(cpu?));
        self.usage.cpu = self.usage.cpu.and_then(|sum| Some(sum + used()?));
        reply
    }

    /// Does its part.
    pub(crate) fn perform(&mut self, bytes: &[u8]) -> Result<Reply, Failure> {
        let mut reader = Reader::new(bytes)?;
        let reply = self.reply(&mut reader)?;
        reader.end()?;
        Ok(reply)
    }

    fn reply(&mut self, reader: &mut Reader<'_>) -> Result<Reply, Failure> {
        match reader.operation() {
            op::HELLO => self.hello(reader),
            op::STOP => Ok(Reply::Stop),
            op::ECHO => {
                let back = reader.below(op::LONGEST_ECHO + 1, "the words that come back")?;
                let mut sum = 0_u64;
                for _ in 0..reader.count(8)? {
                    sum = sum.wrapping_add(reader.word()?);
                }
                let back = usize::try_from(back).unwrap_or_default();
                Ok(Reply::Reduce(By::Sum, Zeroizing::new(vec![sum; back])))
            }
            op::USAGE => Ok(Reply::Reduce(By::Sum, self.used())),
            op::ZERO => {
                let number = reader.word()?;
                let rows = reader.rows()?;
                let vectors = usize::from(reader.byte()?);
                if !(1..=2).contains(&vectors) {
                    return Err(reader.nonsense("one vector or two", vectors));
                }
                let row_words = reader.row_words()?;
                let memory = Memory::zero(&self.cut, self.rank, (rows, row_words), vectors);
                self.memories.insert(number, memory);
                Ok(Reply::Nothing)
            }
            op::FREE => {
                self.memories.remove(&reader.word()?);
                Ok(Reply::Nothing)
            }
            op::ADD => {
                let number = reader.word()?;
                let memory = self.memories.get(&number);
                let memory = memory.ok_or_else(|| reader.nonsense("a memory that is there", number))?;
                let size = (memory.rows * memory.row_words) as u64;
                let from = reader.below(size + 1, "the first word")?;
                let added = |_| {
                    let count = reader.below(size - from + 1, "how many words")?;
                    Ok([from, from + count].map(|word| usize::try_from(word).unwrap_or(usize::MAX)))
                };
                let added = (0..memory.vectors()).map(added).collect::<Result<Vec<_>, Failure>>()?;
                Ok(Reply::Add(number, added.into_iter().map(|[from, to]| from..to).collect()))
            }
            op::GATHER => Ok(Reply::Gather(reader.word()?)),
            op::PLANT => {
                let number = reader.word()?;
                let trees = Trees::plant(&self.fast, &self.cut, self.rank, reader)?;
                self.trees.insert(number, trees);
                Ok(Reply::Nothing)
            }
            op::FELL => {
                self.trees.remove(&reader.word()?);
                Ok(Reply::Nothing)
            }
            op::LEAF_SUMS => {
                let number = reader.word()?;
                let Some(trees) = self.trees.remove(&number) else {
                    return Err(reader.nonsense("trees that are there", number));
                };
                Ok(Reply::Reduce(By::Sum, trees.leaf_sums(&self.fast, reader)?))
            }
            op::GROW | op::FLAG_SUMS | op::VALUE_SUMS => {
                let operation = reader.operation();
                let (trees, fast) = self.grown(reader)?;
                let sums = match operation {
                    op::GROW => trees.grow(fast, reader)?,
                    op::FLAG_SUMS => trees.flag_sums(fast, reader)?,
                    _ => trees.value_sums(fast, reader)?,
                };
                Ok(Reply::Reduce(By::Xor, sums))
            }
            op::READ => {
                let memory = self.memory(reader)?;
                Ok(Reply::Reduce(By::Sum, summed::read(&self.fast, memory, reader)?))
            }
            op::UNBLINDING => {
                let memory = self.memory(reader)?;
                Ok(Reply::Reduce(By::Sum, summed::unblinding(&self.fast, memory, reader)?))
            }
            op::UPDATE => {
                let (memory, fast) = self.memory_mut(reader)?;
                summed::update(fast, memory, reader).map(|()| Reply::Nothing)
            }
            op::UPDATE_BLINDS => {
                let (memory, fast) = self.memory_mut(reader)?;
                summed::update_blinds(fast, memory, reader).map(|()| Reply::Nothing)
            }
            op::LEAN_READ => {
                let memory = self.memory(reader)?;
                Ok(Reply::Reduce(By::Xor, layered::read(&self.fast, memory, reader)?))
            }
            op::LEAN_UPDATE => {
                let (memory, fast) = self.memory_mut(reader)?;
                layered::update(fast, memory, reader).map(|()| Reply::Nothing)
            }
            op::OPEN | op::PUT | op::TAKE | op::KEEP => self.with_files(reader).map(Reply::Tell),
            operation => Err(reader.nonsense("an operation", operation)),
        }
    }

    /// Takes the shares of all workers, if they speak the same version.
    fn hello(&mut self, reader: &mut Reader<'_>) -> Result<Reply, Failure> {
        let version = reader.word()?;
        if version != op::VERSION {
            return Err(reader.nonsense(&format!("version {}", op::VERSION), version));
        }
        let workers = reader.count(8)?;
        let share = |_| Ok(u32::try_from(reader.below(1 << 32, "a share")?).unwrap_or(u32::MAX));
        let shares = (0..workers).map(share).collect::<Result<_, Failure>>()?;
        self.cut = Cut::new(shares, self.cut.shares().len())?;
        Ok(Reply::Nothing)
    }

    /// What was used, in nanoseconds: each worker has places of its own, where the others have zeros.
    fn used(&self) -> Zeroizing<Vec<u64>> {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(op::UNKNOWN);
        let mut words = Zeroizing::new(vec![0; 2 * self.cut.shares().len()]);
        words.as_chunks_mut::<2>().0[self.rank] =
            [nanoseconds(self.usage.computing), self.usage.cpu.map_or(op::UNKNOWN, nanoseconds)];
        words
    }

    /// Does what a request asks for with all others: what comes back at rank 0, and whether more may follow.
    pub(crate) fn together<C: Collective + ?Sized>(
        &mut self,
        collective: &mut C,
        request: &[u8],
        with: With<'_>,
    ) -> Result<Option<Zeroizing<Vec<u64>>>, Failure> {
        match self.perform_counted(request)? {
            Reply::Nothing => {}
            Reply::Reduce(by, mut words) => {
                collective.reduce(by, &mut words)?;
                return Ok(Some(words));
            }
            Reply::Add(number, added) => self.add(collective, number, &added, &with)?,
            Reply::Gather(number) => self.gather(collective, number, with)?,
            Reply::Tell(told) => self.tell(collective, told, with)?,
            Reply::Stop => return Ok(None),
        }
        Ok(Some(Zeroizing::default()))
    }
}

/// What every worker does but rank 0: takes requests until it is told to stop. If the party asks it to keep its range, it does so in its
/// folder of these.
///
/// # Errors
///
/// [`Failure`]: the worker has to end, and with it all others.
pub fn serve<C: Collective + ?Sized>(
    collective: &mut C,
    fast: Fast,
    folders: Option<RangeFolders>,
) -> Result<(), Failure> {
    let mut worker = Worker::new(collective.rank(), collective.size(), fast, folders);
    loop {
        let mut request = Zeroizing::default();
        collective.broadcast(&mut request)?;
        if worker.together(collective, &request, With::Nothing)?.is_none() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use duoram_kernel::{Backend, Features, Workers};
    use duoram_reference::Correction;
    use proptest::prelude::*;

    use super::*;
    use crate::bytes::Request;

    fn worker() -> Worker {
        let fast = Fast::new(Backend::best(&Features::detect()), Workers::one(), 1 << 16);
        let mut worker = Worker::new(1, 3, fast, None);
        let mut zero = Request::new(op::ZERO);
        zero.word(7).count(16).byte(2).count(1);
        worker.perform(&zero.finish()).unwrap();
        let mut plant = Request::new(op::PLANT);
        plant.word(8).byte(0).bytes(&[1; 16]).byte(2).byte(2).count(1);
        plant.block(5).corrections(&[Correction::default(); 2]);
        worker.perform(&plant.finish()).unwrap();
        worker
    }

    fn refused(worker: &mut Worker, operation: u8, write: impl FnOnce(&mut Request)) -> String {
        let mut request = Request::new(operation);
        write(&mut request);
        worker.perform(&request.finish()).err().unwrap().to_string()
    }

    #[test]
    fn nonsense_is_told() {
        let mut worker = worker();
        let cases = [
            (refused(&mut worker, 99, |_| ()), "request 99: expected an operation, got 99"),
            (refused(&mut worker, op::FREE, |_| ()), "request 4: expected 8 more bytes, got 0"),
            (
                refused(&mut worker, op::FREE, |request| _ = request.word(70).byte(1)),
                "request 4: expected the end, got 1",
            ),
            (
                refused(&mut worker, op::HELLO, |request| _ = request.word(2).count(0)),
                "request 1: expected version 5, got 2",
            ),
            (
                refused(&mut worker, op::ZERO, |request| _ = request.word(9).count((1 << 40) + 1).byte(2)),
                "request 3: expected 1 to 2^40 rows, got 1099511627777",
            ),
            (
                refused(&mut worker, op::ZERO, |request| _ = request.word(9).count(16).byte(3)),
                "request 3: expected one vector or two, got 3",
            ),
            (
                refused(&mut worker, op::ZERO, |request| _ = request.word(9).count(16).byte(2).count(513)),
                "request 3: expected 1 to 512 words of a row, got 513",
            ),
            (
                refused(&mut worker, op::ZERO, |request| _ = request.word(9).count(16).byte(2).count(0)),
                "request 3: expected 1 to 512 words of a row, got 0",
            ),
            (
                refused(&mut worker, op::READ, |request| _ = request.word(6)),
                "request 13: expected a memory that is there, got 6",
            ),
            (
                refused(&mut worker, op::LEAN_READ, |request| {
                    _ = request.word(7).bytes(&[0; 16]).byte(0).count(1 << 40);
                }),
                "request 17: expected a count below 1, got 1099511627776",
            ),
            (
                refused(&mut worker, op::GROW, |request| {
                    _ = request.word(8).corrections(&[Correction::default()]);
                }),
                "request 9: expected 0 corrections, got 1",
            ),
        ];
        for (got, expected) in cases {
            assert_eq!(got, expected);
        }
    }

    #[test]
    fn trees_grow_in_order() {
        let mut worker = worker();
        let mut grow = |corrections: &[Correction]| {
            let mut request = Request::new(op::GROW);
            request.word(8).corrections(corrections);
            worker.perform(&request.finish()).map(drop)
        };
        assert!(grow(&[]).is_ok());
        assert!(grow(&[]).is_err(), "the level has no correction");
        assert!(grow(&[Correction::default()]).is_ok());
        assert!(grow(&[Correction::default()]).is_err(), "they are as high as they become");
    }

    proptest! {
        /// Of all operations but those that make room for as much as they say.
        #[test]
        fn no_bytes_make_a_worker_panic(operation in 4..30_u8, number in 6..10_u64, rest: Vec<u8>) {
            let mut request = Request::new(operation);
            request.word(number).bytes(&rest);
            let _ = worker().perform(&request.finish());
        }
    }
}
