//! vORAM with a HIRB tree in it `[voram-hirb]`: a map in the memory of one server that is not trusted, `voram-hirb`.
//!
//! It is no system of two or three parties: the client knows its addresses and words, and hides them from a server. It is here
//! because it is what DUORAM's memory would be if somebody had it alone, and because it gives what no other system here does:
//! blocks of any length, a shape that tells nothing of the past (history independence), and deletion for good.
//!
//! | module | what it is |
//! |---|---|
//! | [`parameters`] | sizes, as published |
//! | `bucket` | what the server stores, enciphered under keys that are used once |
//! | `oram` | accesses of blocks of any length |
//! | `node`, `hirb` | the map in the blocks |
//!
//! AES-128 where the authors have AES-256, and SHA-256 where they have SHA-1.

mod bucket;
mod hirb;
mod node;
mod oram;
pub mod parameters;

pub use self::hirb::Hirb;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::Error;
use crate::cost::check_memory;
use crate::cost::published::Published;
use crate::network::{Link, Network, NothingSent, Spent};
use crate::system::{Array, Growth, Honesty, Kind, Law, Phases, Step, System, Workload};

/// The name in tables.
const NAME: &str = "voram-hirb";

/// What an item takes while the map is filled: labels and nodes in the clear and enciphered.
const BYTES_PER_WORD: u64 = 640;

/// The map, from addresses to words: a write changes a word to another, an update XORs one to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct VoramHirb;

impl System for VoramHirb {
    fn name(&self) -> &'static str {
        NAME
    }

    fn honesty(&self) -> Honesty {
        Honesty {
            real: "everything: labels, nodes, paths, enciphering, messages; AES-128 and SHA-256",
            counted: "",
            quoted: "",
        }
    }

    fn published(&self) -> Result<Vec<Published>, Error> {
        let workload = Workload { log_size: 11, kind: Kind::Read, operations: 16, seed: [0; 32] };
        // An optimized access: a cloud some ten milliseconds away.
        let link = Link { delay: std::time::Duration::from_millis(10), ..Link::wide_area() };
        let spent = Self.run(&workload, link)?.online;
        Ok(vec![Published {
            system: NAME,
            what: "a read of 2^11 items, 10 ms from the server",
            place: "voram-hirb, section VI-B: 1.3 s, and 0.2 s optimized",
            unit: "s",
            published: 0.2,
            here: spent.seconds / 16.0,
            why: "Theirs goes to a cloud by sftp, and keeps the highest buckets; ours is over a network that is calculated.",
        }])
    }

    fn takes(&self, workload: &Workload) -> bool {
        (1..=20).contains(&workload.log_size)
    }

    fn is_of_parties(&self) -> bool {
        false
    }

    /// Two paths of buckets a level of the tree of nodes, whose levels come one by one: a step that two sizes may fall on
    /// either side of.
    fn growth(&self) -> Option<Growth> {
        Some(Growth {
            computing: Law::PowerOfLogarithm,
            bytes: Law::PowerOfLogarithm,
            messages: Law::Logarithm,
        })
    }

    fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error> {
        if !self.takes(workload) {
            return Err(Error::NotTaken { system: NAME, got: workload.to_string() });
        }
        check_memory(NAME, workload, BYTES_PER_WORD)?;
        let lost = |source: NothingSent| Error::Network { system: NAME, source };
        let log_size = workload.log_size;
        let mut random = ChaCha20Rng::from_seed(workload.seed);
        random.set_stream(2);
        let items: Vec<(u64, u64)> = (0..).zip(workload.memory()).collect();
        let seed = random.next_u64();
        let mut map =
            Hirb::new(parameters::levels(log_size), parameters::height(log_size), seed, &items, random);
        let mut array = Array::new(workload, |word, delta| word ^ delta);
        let mut network = Network::new(2, link);
        for (place, step) in workload.steps().enumerate() {
            let got = match step {
                Step::Read { address } => map.get(&mut network, address).map_err(lost)?,
                Step::Write { address, value } => {
                    map.set(&mut network, address, value).map_err(lost)?;
                    None
                }
                // Read and written: two operations.
                Step::Update { address, delta } => {
                    let old = map.get(&mut network, address).map_err(lost)?.unwrap_or_default();
                    map.set(&mut network, address, old ^ delta).map_err(lost)?;
                    None
                }
            };
            array.check(NAME, place, step, got)?;
        }
        Ok(Phases { preparing: Spent::nothing(2), online: network.mark() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_workload_is_answered_as_an_array_answers_it() {
        for (log_size, kind) in [1, 6, 9].into_iter().flat_map(|size| Kind::ALL.map(move |kind| (size, kind)))
        {
            let workload = Workload { log_size, kind, operations: 10, seed: [5; 32] };
            VoramHirb.run(&workload, Link::none()).unwrap();
        }
    }

    #[test]
    fn a_read_and_a_write_cost_the_same() {
        let bytes = |kind| {
            let workload = Workload { log_size: 8, kind, operations: 3, seed: [5; 32] };
            VoramHirb.run(&workload, Link::none()).unwrap().online.bytes
        };
        assert_eq!(bytes(Kind::Read), bytes(Kind::Write));
    }

    #[test]
    fn the_published_time_is_of_the_same_order() {
        for line in VoramHirb.published().unwrap() {
            assert!(line.deviation().abs() < 3.0, "{line}");
        }
    }
}
