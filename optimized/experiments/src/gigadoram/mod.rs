//! GigaDORAM `[gigadoram]`, three parties: `gigadoram-cost`.
//!
//! | part | how |
//! |---|---|
//! | cache, tables, cuckoo hashing, stashes, the schedule of rebuilds | really done, on words in the clear; tags by AES |
//! | gates on replicated shares (LowMC, comparisons) | messages at the lengths and in the order of the authors' program |
//! | shuffles, garbled lookups | the same |
//! | as many AES calls as garbling and shares of zero take, as many XORs as the gates | really computed |
//! | what the parties compute on shares | not done: the words in the clear are the answers |
//!
//! The lengths are formulas, of which none is fitted: they give the bytes of the example in the authors' artifact to its last
//! digit.

mod cuckoo;
mod hierarchy;
mod schedule;
mod shape;
mod table;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;

use self::hierarchy::Hierarchy;
use self::schedule::Schedule;
pub use self::shape::Shape;
use crate::Error;
use crate::cost::check_memory;
use crate::cost::published::Published;
use crate::network::{Link, Network, NothingSent};
use crate::system::{Array, Growth, Honesty, Law, Phases, Step, System, Workload};

/// The name in tables.
const NAME: &str = "gigadoram-cost";

/// GigaDORAM: a write changes a word to another, an update XORs one to it, and all cost what a read costs. Preparing is
/// building the last table; everything else is online.
#[derive(Clone, Copy, Debug, Default)]
pub struct GigaDoram;

/// What a word takes while the last table is built: four places, what may lie at each, tags, elements.
const BYTES_PER_WORD: u64 = 320;

/// Of the artifact's example.
const QUERIES: u64 = 1000;

/// Where it is.
const PLACE: &str = "gigadoram's artifact appendix, A.4.2";

/// A query, and the rebuild before it if the cache is full. The word that was there.
fn query(
    memory: &mut Hierarchy,
    schedule: &mut Schedule<'_>,
    shape: &Shape,
    address: u64,
    change: impl FnOnce(u64) -> u64,
) -> Result<u64, Error> {
    let lost = |source: NothingSent| Error::Network { system: NAME, source };
    if let Some(rebuild) = memory.make_room() {
        let prepared = if rebuild.level == shape.last() {
            schedule.cleanse(rebuild.extracted)
        } else {
            schedule.relabel(rebuild.extracted)
        };
        prepared.map_err(lost)?;
        schedule.build(shape, rebuild.level, rebuild.built).map_err(lost)?;
    }
    schedule.query(shape, memory.cached(), memory.alive()).map_err(lost)?;
    Ok(memory.access(address, change))
}

impl System for GigaDoram {
    fn name(&self) -> &'static str {
        NAME
    }

    fn honesty(&self) -> Honesty {
        Honesty {
            real: "cache, tables, cuckoo hashing and rebuilds, on words in the clear; as many AES calls as garbling and shares \
                   of zero take, as many XORs as the gates",
            counted: "messages, at the lengths and in the order of the authors' program: formulas, none fitted; what the parties \
                      compute on shares otherwise is not done, so nothing is secure",
            quoted: "",
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "some millions")]
    fn published(&self) -> Result<Vec<Published>, Error> {
        let mut network = Network::new(3, Link::none());
        let shape = Shape::chosen(16);
        let mut memory = Hierarchy::new(shape, None, ChaCha20Rng::from_seed([0; 32]));
        let mut schedule = Schedule::new(&mut network);
        for address in 0..QUERIES {
            query(&mut memory, &mut schedule, &shape, address, |word| word)?;
        }
        let spent = schedule.mark();
        Ok(vec![
            Published {
                system: NAME,
                what: "bytes that the first party sends and receives, 1000 queries of 2^16 words without a last table",
                place: PLACE,
                unit: "bytes",
                published: 2.7828e7,
                here: (spent.bytes[0] + schedule.received(0)) as f64,
                why: "Formulas, none fitted; theirs has five digits.",
            },
            Published {
                system: NAME,
                what: "the same queries, one thread, no delay",
                place: PLACE,
                unit: "queries a second",
                published: 345.462,
                here: QUERIES as f64 / spent.seconds,
                why: "Ours computes the AES calls and XORs alone, over a network without a delay; theirs waits for sockets of \
                      one machine, transposes bits, and walks through a list of gates.",
            },
        ])
    }

    fn takes(&self, workload: &Workload) -> bool {
        (6..=22).contains(&workload.log_size)
    }

    /// The last table is built of all elements. A query meets more levels in larger memories, but the fewer elements in the
    /// cache; as long as no table is built anew, it costs nearly the same: a power of n, which may be the zeroth.
    fn growth(&self) -> Option<Growth> {
        Some(Growth { computing: Law::Power, bytes: Law::Power, messages: Law::Power })
    }

    fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error> {
        if !self.takes(workload) {
            return Err(Error::NotTaken { system: NAME, got: workload.to_string() });
        }
        check_memory(NAME, workload, BYTES_PER_WORD)?;
        let mut random = ChaCha20Rng::from_seed(workload.seed);
        random.set_stream(2);
        let shape = Shape::chosen(workload.log_size);
        let mut memory = Hierarchy::new(shape, Some(&workload.memory()), random);
        let mut array = Array::new(workload, |word, delta| word ^ delta);
        let mut network = Network::new(3, link);
        let mut schedule = Schedule::new(&mut network);
        let built = schedule.build(&shape, shape.last(), 1);
        built.map_err(|source| Error::Network { system: NAME, source })?;
        let preparing = schedule.mark();
        for (place, step) in workload.steps().enumerate() {
            let mut query = |address, change: &dyn Fn(u64) -> u64| {
                query(&mut memory, &mut schedule, &shape, address, change)
            };
            let got = match step {
                Step::Read { address } => Some(query(address, &|word| word)?),
                Step::Write { address, value } => {
                    query(address, &|_| value)?;
                    None
                }
                Step::Update { address, delta } => {
                    query(address, &|word| word ^ delta)?;
                    None
                }
            };
            array.check(NAME, place, step, got)?;
        }
        Ok(Phases { preparing, online: schedule.mark() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Kind;

    fn run(log_size: u32, kind: Kind, operations: usize) -> Phases {
        let workload = Workload { log_size, kind, operations, seed: [5; 32] };
        GigaDoram.run(&workload, Link::none()).unwrap()
    }

    #[test]
    fn every_kind_of_workload_is_answered_as_an_array_answers_it() {
        for log_size in [6, 9] {
            for kind in Kind::ALL {
                run(log_size, kind, 100);
            }
        }
    }

    #[test]
    fn a_query_costs_the_same_whatever_it_is() {
        let bytes = |kind| run(8, kind, 40).online.bytes;
        assert_eq!(bytes(Kind::Read), bytes(Kind::Write));
        assert_eq!(bytes(Kind::Read), bytes(Kind::Update));
    }

    /// `[gigadoram, artifact appendix A.4.2]`: 2.7828e+07 bytes.
    #[test]
    fn the_published_bytes_are_met_to_their_last_digit() {
        let lines = GigaDoram.published().unwrap();
        assert_eq!(format!("{:.4e}", lines[0].here), "2.7828e7");
    }
}
