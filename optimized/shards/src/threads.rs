//! Workers as threads of one process, joined by channels.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use duoram_runtime::fast::Fast;
use duoram_runtime::store::RangeFolders;
use zeroize::Zeroizing;

use crate::{By, Collective, Failure, serve};

/// What goes from one to another.
enum Sent {
    Bytes(Zeroizing<Vec<u8>>),
    Words(Zeroizing<Vec<u64>>),
    /// The worker has to end.
    Failed(Failure),
}

/// Both directions between rank 0 and a worker.
struct Line {
    out: Sender<Sent>,
    input: Receiver<Sent>,
}

impl Line {
    fn pair() -> [Self; 2] {
        let ((there, at_worker), (back, at_party)) = (channel(), channel());
        [Self { out: there, input: at_party }, Self { out: back, input: at_worker }]
    }

    fn send(&self, rank: usize, sent: Sent) -> Result<(), Failure> {
        // Whoever does not listen any more has said why.
        self.out.send(sent).map_err(|_| match self.input.try_iter().last() {
            Some(Sent::Failed(why)) => Failure::Gone { rank, why: Some(why.to_string()) },
            _ => Failure::Gone { rank, why: None },
        })
    }

    fn receive(&self, rank: usize) -> Result<Sent, Failure> {
        match self.input.recv() {
            Ok(Sent::Failed(why)) => Err(Failure::Gone { rank, why: Some(why.to_string()) }),
            Ok(sent) => Ok(sent),
            Err(_) => Err(Failure::Gone { rank, why: None }),
        }
    }

    fn words(&self, rank: usize, expected: usize) -> Result<Zeroizing<Vec<u64>>, Failure> {
        let got = match self.receive(rank)? {
            Sent::Words(words) if words.len() == expected => return Ok(words),
            Sent::Words(words) => words.len(),
            _ => 0,
        };
        Err(Failure::Length { rank, expected, got })
    }
}

/// Rank 0 of workers that are threads. When it is dropped they end.
pub struct Threads {
    lines: Vec<Line>,
    threads: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts all workers but rank 0, so that there are `workers` of them, which may keep their ranges in these folders.
    ///
    /// # Errors
    ///
    /// [`Failure::Thread`].
    pub fn start(workers: usize, fast: &Fast, folders: Option<&RangeFolders>) -> Result<Self, Failure> {
        let mut party = Self { lines: Vec::new(), threads: Vec::new() };
        for rank in 1..workers {
            let [ours, theirs] = Line::pair();
            let (fast, folders) = (fast.clone(), folders.cloned());
            let mut worker = Worker { rank, size: workers, line: theirs };
            let work = move || {
                if let Err(failure) = serve(&mut worker, fast, folders) {
                    // If nobody hears it, the party has ended.
                    let _ = worker.line.out.send(Sent::Failed(failure));
                }
            };
            let thread = thread::Builder::new().name(format!("worker {rank}")).spawn(work);
            party.threads.push(thread.map_err(|error| Failure::Thread { what: error.to_string() })?);
            party.lines.push(ours);
        }
        Ok(party)
    }

    fn line(&self, rank: usize) -> Result<&Line, Failure> {
        rank.checked_sub(1).and_then(|place| self.lines.get(place)).ok_or(Failure::Gone { rank, why: None })
    }
}

impl Collective for Threads {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1 + self.lines.len()
    }

    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure> {
        (1..).zip(&self.lines).try_for_each(|(rank, line)| line.send(rank, Sent::Bytes(bytes.clone())))
    }

    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure> {
        for (rank, line) in (1..).zip(&self.lines) {
            by.combine(words, &line.words(rank, words.len())?);
        }
        Ok(())
    }

    fn send(&mut self, to: usize, words: &[u64]) -> Result<(), Failure> {
        self.line(to)?.send(to, Sent::Words(Zeroizing::new(words.to_vec())))
    }

    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure> {
        let sent = self.line(from)?.words(from, words.len())?;
        words.copy_from_slice(&sent);
        Ok(())
    }

    /// The thread of the party ends, and wipes what it has. Whoever waits for it sees that it has stopped.
    fn abort(&mut self, failure: &Failure) -> ! {
        panic!("the party cannot go on: {failure}")
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // They have been told to stop; if not, they miss what tells them.
        self.lines.clear();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Another worker.
struct Worker {
    rank: usize,
    size: usize,
    line: Line,
}

impl Collective for Worker {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure> {
        match self.line.receive(0)? {
            Sent::Bytes(sent) => *bytes = sent,
            Sent::Words(words) => return Err(Failure::Length { rank: 0, expected: 0, got: words.len() }),
            Sent::Failed(failure) => return Err(failure),
        }
        Ok(())
    }

    fn reduce(&mut self, _by: By, words: &mut [u64]) -> Result<(), Failure> {
        self.send(0, words)
    }

    fn send(&mut self, _to: usize, words: &[u64]) -> Result<(), Failure> {
        self.line.send(0, Sent::Words(Zeroizing::new(words.to_vec())))
    }

    fn receive(&mut self, _from: usize, words: &mut [u64]) -> Result<(), Failure> {
        let sent = self.line.words(0, words.len())?;
        words.copy_from_slice(&sent);
        Ok(())
    }

    fn abort(&mut self, failure: &Failure) -> ! {
        panic!("worker {} cannot go on: {failure}", self.rank)
    }
}
