//! The three-party Circuit ORAM of Jarecki and Wei `[jarecki-wei]`, on Wang, Chan and Shi's `[circuit-oram]`:
//! `circuit-oram-cost`.
//!
//! | part | how |
//! |---|---|
//! | the ORAM: trees, stashes, evictions, positions in further trees | really done, by a client on words in the clear |
//! | messages of an access, both phases | at the lengths of the authors' program, in its order, through the network |
//! | AES: garbling, evaluating, comparing, enciphering | as many calls really computed; their garbling hashes with SHA-1 |
//! | what the protocol computes on shares | not done: the client's words are the answers |
//!
//! The lengths are formulas, of which none is fitted: with the program's own parameters they give the lines of DUORAM's artifact
//! appendix to the byte. Which shows two things about those lines. They are sums of all three parties, where DUORAM's own are
//! means of a party; and their words have 4 bytes, where DUORAM's have 8.

mod circuits;
mod client;
mod schedule;
pub mod shape;
mod tree;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;

use self::client::Client;
use self::schedule::Schedule;
use self::shape::Parameters;
use crate::Error;
use crate::cost::check_memory;
use crate::cost::published::{Published, kibibytes};
use crate::network::{Link, Network, NothingSent};
use crate::system::{Array, Growth, Honesty, Kind, Law, Phases, Step, System, Workload};

/// The name in tables.
const NAME: &str = "circuit-oram-cost";

/// Where the published lines are.
const PLACE: &str = "duoram's artifact appendix, A.3.2";

/// The Circuit ORAM: a write changes a word to another, an update XORs one to it, and all cost what a read costs.
#[derive(Clone, Copy, Debug)]
pub struct CircuitOram {
    /// Of the trees.
    pub parameters: Parameters,
}

impl Default for CircuitOram {
    fn default() -> Self {
        Self { parameters: Parameters::WORDS }
    }
}

impl System for CircuitOram {
    fn name(&self) -> &'static str {
        NAME
    }

    fn honesty(&self) -> Honesty {
        Honesty {
            real: "the ORAM itself, by a client on words in the clear; as many AES calls as garbling, evaluating, comparing and \
                   enciphering take",
            counted: "messages, at the lengths and in the order of the authors' program: formulas, none fitted; what the parties \
                      compute on shares besides AES is not done, so nothing is secure",
            quoted: "",
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "some hundreds")]
    fn published(&self) -> Result<Vec<Published>, Error> {
        let mut artifact = Self { parameters: Parameters::ARTIFACT };
        let reads = |operations, log_size| Workload { log_size, kind: Kind::Read, operations, seed: [0; 32] };
        let two = artifact.run(&reads(2, 16), Link::none())?;
        let one = artifact.run(&reads(1, 20), Link::none())?;
        let why = "Formulas, none fitted; theirs is the sum of the parties, and of words of 4 bytes.";
        Ok(vec![
            Published {
                system: NAME,
                what: "online bytes of all parties, 2 reads of 2^16 words",
                place: PLACE,
                unit: "KiB",
                published: 710.625,
                here: kibibytes(two.online.all_bytes()),
                why,
            },
            Published {
                system: NAME,
                what: "bytes of all parties in both phases, 2 reads of 2^16 words",
                place: PLACE,
                unit: "KiB",
                published: 4957.0,
                here: kibibytes(two.total().all_bytes()),
                why,
            },
            Published {
                system: NAME,
                what: "sequential messages of a read of 2^20 words",
                place: "duoram, 6.2.2: about 10 lg n + 42",
                unit: "messages",
                published: 242.0,
                here: one.online.sequential as f64,
                why: "Ours is the longest chain of the program's messages; theirs is read off measurements.",
            },
        ])
    }

    fn takes(&self, workload: &Workload) -> bool {
        (2..=40).contains(&workload.log_size)
    }

    /// Paths of trees, and trees: messages a tree.
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
        // The words at the start, and the array that checks.
        check_memory(NAME, workload, 16)?;
        let lost = |source: NothingSent| Error::Network { system: NAME, source };
        let mut random = ChaCha20Rng::from_seed(workload.seed);
        random.set_stream(2);
        let schedule = Schedule::new(workload.log_size, &self.parameters);
        let mut client = Client::new(shape::trees(workload.log_size, &self.parameters), random);
        let initial = workload.memory();
        let mut array = Array::new(workload, |word, delta| word ^ delta);
        let mut network = Network::new(3, link);
        for _ in workload.steps() {
            schedule.prepare(&mut network).map_err(lost)?;
        }
        let preparing = network.mark();
        for (place, step) in workload.steps().enumerate() {
            schedule.access(&mut network).map_err(lost)?;
            let begin = |address: u64| initial[usize::try_from(address).unwrap_or(usize::MAX)];
            let got = match step {
                Step::Read { address } => Some(client.access(address, begin(address), |word| word)),
                Step::Write { address, value } => {
                    client.access(address, begin(address), |_| value);
                    None
                }
                Step::Update { address, delta } => {
                    client.access(address, begin(address), |word| word ^ delta);
                    None
                }
            };
            array.check(NAME, place, step, got)?;
        }
        if client.most_stashed() > self.parameters.stash {
            let got = format!("{workload}, a stash of {} blocks", client.most_stashed());
            return Err(Error::NotTaken { system: NAME, got });
        }
        Ok(Phases { preparing, online: network.mark() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(log_size: u32, kind: Kind, operations: usize) -> Phases {
        let workload = Workload { log_size, kind, operations, seed: [5; 32] };
        CircuitOram::default().run(&workload, Link::none()).unwrap()
    }

    #[test]
    fn every_kind_of_workload_is_answered_as_an_array_answers_it() {
        for log_size in [2, 3, 5, 9] {
            for kind in Kind::ALL {
                run(log_size, kind, 30);
            }
        }
    }

    #[test]
    fn an_access_costs_the_same_whatever_it_is() {
        let online = |kind| run(8, kind, 4).online;
        let read = online(Kind::Read);
        for kind in [Kind::Write, Kind::Update] {
            assert_eq!(
                (online(kind).bytes, online(kind).messages),
                (read.bytes.clone(), read.messages.clone())
            );
        }
        assert_eq!(run(8, Kind::Read, 8).online.all_bytes(), 2 * read.all_bytes());
    }

    #[test]
    fn the_published_bytes_are_met_exactly() {
        let lines = CircuitOram::default().published().unwrap();
        for line in &lines[..2] {
            assert!(line.deviation().abs() < f64::EPSILON, "{line}");
        }
        assert!(lines[2].deviation().abs() < 0.3, "{}", lines[2]);
    }
}
