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

/// Bytes that are broadcast at once: MPI counts them by 31 bits.
const PIECE: usize = 1 << 24;

/// How often a worker that waits looks for a request before it sleeps in between, and how long it sleeps then.
const LOOKS: u32 = 20_000;
const NAP: Duration = Duration::from_micros(200);

/// One of the processes of an MPI job.
pub struct Mpi {
    world: SimpleCommunicator,
    rank: usize,
    size: usize,
    /// When it is dropped, MPI ends.
    _universe: Universe,
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
        Ok(Self { world, rank, size, _universe: universe })
    }

    /// Ends the whole job: this process cannot do its part.
    pub fn give_up(&mut self, why: &str) -> ! {
        eprintln!(
            "duoram: process {} of {}: {why}; the job ends, and a party goes on from its disk when it is started again",
            self.rank, self.size
        );
        self.world.abort(3)
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
        let root = self.world.process_at_rank(0);
        let mut length = bytes.len() as u64;
        // A worker may wait for hours: it must not keep a core busy.
        mpi::request::scope(|scope| {
            let mut request = root.immediate_broadcast_into(scope, &mut length);
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
        if length > LONGEST {
            let expected = usize::try_from(LONGEST / 8).unwrap_or(usize::MAX);
            let got = usize::try_from(length / 8).unwrap_or(usize::MAX);
            return Err(Failure::Length { rank: 0, expected, got });
        }
        if self.rank != 0 {
            *bytes = Zeroizing::new(vec![0; usize::try_from(length).unwrap_or_default()]);
        }
        for piece in bytes.chunks_mut(PIECE) {
            root.broadcast_into(piece);
        }
        Ok(())
    }

    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure> {
        let root = self.world.process_at_rank(0);
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
        self.world.process_at_rank(self.other(to)?).send(words);
        Ok(())
    }

    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure> {
        let expected = words.len();
        let status = self.world.process_at_rank(self.other(from)?).receive_into(words);
        let got = usize::try_from(status.count(u64::equivalent_datatype())).unwrap_or_default();
        if got == expected { Ok(()) } else { Err(Failure::Length { rank: from, expected, got }) }
    }

    fn abort(&mut self, failure: &Failure) -> ! {
        self.give_up(&failure.to_string())
    }
}
