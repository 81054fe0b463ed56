//! Workers as the processes of an MPI job.
//!
//! MPI neither encrypts nor asks who is there: its processes must be on a network of the party's own.

use std::thread;
use std::time::Duration;

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Root, Source};
use zeroize::Zeroizing;

use crate::{By, Collective, Failure};

/// The longest request there is: lengths are checked before room is made.
const LONGEST: u64 = 1 << 30;

/// What goes out first: the length of a request, and as much of it as there is room for. Most requests go out at once so, for a query has
/// two keys of 17 bytes a level.
const HEAD: usize = 1 << 11;

/// Bytes that are broadcast at once after that: MPI counts them by 31 bits.
const PIECE: usize = 1 << 24;

/// How often a worker that waits looks for a request before it sleeps in between, and how long it sleeps then.
const LOOKS: u32 = 20_000;
const NAP: Duration = Duration::from_micros(200);

/// One of the processes of an MPI job. It belongs to the thread that started it: MPI is to be ended where it was begun.
pub struct Mpi {
    /// When it is dropped, MPI ends.
    universe: Universe,
    rank: usize,
    size: usize,
}

impl Mpi {
    /// Takes part in the job that this process was started in. Once in a process.
    ///
    /// # Errors
    ///
    /// [`Failure::Engine`].
    pub fn start() -> Result<Self, Failure> {
        let engine = |what: &str| Failure::Engine { what: what.to_owned() };
        // The parties of one process are threads that take turns.
        let started = mpi::initialize_with_threading(Threading::Serialized);
        let (universe, threading) = started.ok_or_else(|| engine("MPI has been started before"))?;
        if threading < Threading::Serialized {
            return Err(engine("this MPI cannot be called from several threads, not even in turn"));
        }
        let world = universe.world();
        let number = |number: i32| usize::try_from(number).map_err(|_| engine("MPI gives no rank"));
        let (rank, size) = (number(world.rank())?, number(world.size())?);
        Ok(Self { universe, rank, size })
    }

    /// Ends the whole job: this process cannot do its part.
    pub fn give_up(&mut self, why: &str) -> ! {
        eprintln!(
            "duoram: process {} of {}: {why}; the job ends, and a party goes on from its disk when it is started again",
            self.rank, self.size
        );
        self.world().abort(3)
    }

    /// All processes. It is not kept: with some MPIs it must stay in its thread.
    fn world(&self) -> SimpleCommunicator {
        self.universe.world()
    }

    fn other(&self, rank: usize) -> Result<i32, Failure> {
        let other = i32::try_from(rank).ok().filter(|_| rank < self.size && rank != self.rank);
        other.ok_or(Failure::Gone { rank, why: None })
    }
}

impl Collective for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure> {
        let world = self.world();
        let root = world.process_at_rank(0);
        let mut head = Zeroizing::new(vec![0; HEAD]);
        let (length, first) = head.split_at_mut(size_of::<u64>());
        if self.rank == 0 {
            length.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            let most = bytes.len().min(first.len());
            first[..most].copy_from_slice(&bytes[..most]);
        }
        // A worker may wait for hours: it must not keep a core busy.
        mpi::request::scope(|scope| {
            let mut request = root.immediate_broadcast_into(scope, &mut head[..]);
            let mut looks = 0;
            loop {
                match request.test() {
                    Ok(_) => break,
                    Err(again) => request = again,
                }
                looks += 1;
                if looks > LOOKS {
                    thread::sleep(NAP);
                } else {
                    thread::yield_now();
                }
            }
        });
        let (length, first) = head.split_at(size_of::<u64>());
        let length = length.iter().rev().fold(0, |length, byte| length << 8 | u64::from(*byte));
        if length > LONGEST {
            let expected = usize::try_from(LONGEST / 8).unwrap_or(usize::MAX);
            let got = usize::try_from(length / 8).unwrap_or(usize::MAX);
            return Err(Failure::Length { rank: 0, expected, got });
        }
        let length = usize::try_from(length).unwrap_or_default();
        if self.rank != 0 {
            *bytes = Zeroizing::new(vec![0; length]);
            let most = length.min(first.len());
            bytes[..most].copy_from_slice(&first[..most]);
        }
        for piece in bytes.get_mut(first.len()..).unwrap_or_default().chunks_mut(PIECE) {
            root.broadcast_into(piece);
        }
        Ok(())
    }

    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure> {
        let world = self.world();
        let root = world.process_at_rank(0);
        let operation = match by {
            By::Sum => SystemOperation::sum(),
            By::Xor => SystemOperation::bitwise_xor(),
        };
        for piece in words.chunks_mut(PIECE) {
            if self.rank == 0 {
                let own = Zeroizing::new(piece.to_vec());
                root.reduce_into_root(&own[..], piece, operation);
            } else {
                root.reduce_into(&*piece, operation);
            }
        }
        Ok(())
    }

    fn send(&mut self, to: usize, words: &[u64]) -> Result<(), Failure> {
        self.world().process_at_rank(self.other(to)?).send(words);
        Ok(())
    }

    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure> {
        let expected = words.len();
        let status = self.world().process_at_rank(self.other(from)?).receive_into(words);
        let got = usize::try_from(status.count(u64::equivalent_datatype())).unwrap_or_default();
        if got == expected { Ok(()) } else { Err(Failure::Length { rank: from, expected, got }) }
    }

    fn abort(&mut self, failure: &Failure) -> ! {
        self.give_up(&failure.to_string())
    }
}
