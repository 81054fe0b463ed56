//! FLORAM `[floram]`, two parties: `floram-cost`.
//!
//! | part | how |
//! |---|---|
//! | shares that are written, masked memory that is read | really held |
//! | full evaluation, scans, the change of all blocks, masks | really computed, by our kernels |
//! | refresh, every `sqrt(n) / 8` writes | really computed, its bytes sent |
//! | garbled circuits: corrections, unmasking, the stash | messages at their exact lengths, AES calls of half gates computed |
//! | what they compute | taken from a trusted box |
//!
//! Keys of point functions come from the trusted box too, as the corrections do that the circuits would find; a tree's
//! evaluation is charged level by level, between the circuits. So times, messages and bytes are those of a FLORAM on our
//! kernels, and nothing is secure: hence the name.

mod circuits;
mod memory;
mod party;
mod theirs;

use duoram_kernel::Kernels;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;

use self::memory::Memory;
use crate::Error;
use crate::cost::check_memory;
use crate::cost::published::{Published, kibibytes};
use crate::network::{Link, Network, NothingSent};
use crate::system::{Array, Growth, Honesty, Kind, Law, Phases, Step, System, Workload};

/// The name in tables.
const NAME: &str = "floram-cost";

/// What a word takes: two shares, the masked memory, labels of one party and then of two, the array that checks.
const BYTES_PER_WORD: u64 = 64;

/// The AES key of the trees: public.
const TREE_KEY: u128 = 0x666c_6f72_616d;

/// FLORAM: a write changes a word to another, an update XORs one to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floram;

/// Sequential messages of a READ.
#[allow(clippy::cast_precision_loss, reason = "some tens")]
fn messages_of_a_read(log_size: u32) -> Result<f64, Error> {
    let workload = Workload { log_size, kind: Kind::Read, operations: 1, seed: [0; 32] };
    Ok(Floram.run(&workload, Link::none())?.online.sequential as f64)
}

impl System for Floram {
    fn name(&self) -> &'static str {
        NAME
    }

    fn honesty(&self) -> Honesty {
        Honesty {
            real: "full evaluations, scans, writes and refreshes on our kernels; masks; all messages at their lengths; the AES \
                   calls of half gates",
            counted: "garbled circuits: 32 bytes and 4 + 2 AES calls an AND; the values come from a trusted box, so nothing is \
                      secure. The XOR of the children of a level is not charged; oblivious transfers are extended from ones made \
                      before",
            quoted: "",
        }
    }

    fn published(&self) -> Result<Vec<Published>, Error> {
        let workload = Workload { log_size: 16, kind: Kind::Read, operations: 2, seed: [0; 32] };
        let spent = Self.run(&workload, Link::none())?.total();
        Ok(vec![
            Published {
                system: NAME,
                what: "bytes of both parties, 2 reads of 2^16 words",
                place: "duoram's artifact appendix, A.3.2",
                unit: "KiB",
                published: 3_837.724_609_375,
                here: kibibytes(spent.all_bytes()),
                why: "Theirs divides and compares numbers of 64 bits where ours shift and compare as many bits as an address \
                      has: the next line has those gates.",
            },
            Published {
                system: NAME,
                what: "the same, counted gate by gate as the authors' program has it",
                place: "duoram's artifact appendix, A.3.2",
                unit: "KiB",
                published: 3_837.724_609_375,
                here: kibibytes(theirs::setup(16) + 2 * theirs::read(16)),
                why: "So the line is the sum of both parties, and words have 8 bytes. Without the setup of oblivious transfers; \
                      what the rest is, only running their program would tell.",
            },
            Published {
                system: NAME,
                what: "sequential messages a read of 2^20 words",
                place: "duoram, 6.2.1: 4 lg n - 25",
                unit: "messages",
                published: 55.0,
                here: messages_of_a_read(20)?,
                why: "Four a level of the tree, of which lg n - 8 are not in a leaf; two for the address, two for the leaf, \
                      two for the block. Theirs is read off measurements.",
            },
        ])
    }

    fn takes(&self, workload: &Workload) -> bool {
        (3..=40).contains(&workload.log_size)
    }

    /// A scan of n words; a memory sent whole before the first read and every so many writes; messages a level of a tree.
    fn growth(&self) -> Option<Growth> {
        Some(Growth { computing: Law::Linear, bytes: Law::Power, messages: Law::Logarithm })
    }

    fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error> {
        if !self.takes(workload) {
            return Err(Error::NotTaken { system: NAME, got: workload.to_string() });
        }
        check_memory(NAME, workload, BYTES_PER_WORD)?;
        let mut random = ChaCha20Rng::from_seed(workload.seed);
        random.set_stream(2);
        let mut memory =
            Memory::new(Kernels::detect(TREE_KEY), &workload.memory(), workload.log_size, random);
        let mut array = Array::new(workload, |word, delta| word ^ delta);
        let mut network = Network::new(2, link);
        let lost = |source: NothingSent| Error::Network { system: NAME, source };
        memory.refresh(&mut network).map_err(lost)?;
        let preparing = network.mark();
        for (place, step) in workload.steps().enumerate() {
            let got = match step {
                Step::Read { address } => Some(memory.read(&mut network, address).map_err(lost)?),
                Step::Write { address, value } => {
                    memory.write(&mut network, address, value, |_, new| new).map_err(lost)?;
                    None
                }
                Step::Update { address, delta } => {
                    memory.write(&mut network, address, delta, |old, delta| old ^ delta).map_err(lost)?;
                    None
                }
            };
            array.check(NAME, place, step, got)?;
        }
        Ok(Phases { preparing, online: network.mark() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(log_size: u32, kind: Kind, operations: usize) -> Phases {
        let workload = Workload { log_size, kind, operations, seed: [5; 32] };
        Floram.run(&workload, Link::none()).unwrap()
    }

    #[test]
    fn every_kind_of_workload_is_answered_as_an_array_answers_it() {
        for log_size in [3, 4, 8, 9, 11] {
            for kind in Kind::ALL {
                run(log_size, kind, 20);
            }
        }
    }

    /// `[duoram, section 6.2.1]`: about 4 lg n - 25.
    #[test]
    fn a_read_takes_four_messages_a_level_one_after_the_other() {
        for log_size in [10, 12, 16] {
            let sequential = run(log_size, Kind::Read, 1).online.sequential;
            assert_eq!(sequential, 4 * u64::from(log_size) - 26);
        }
        assert_eq!(run(12, Kind::Read, 2).online.sequential, 2 * run(12, Kind::Read, 1).online.sequential);
    }

    #[test]
    fn bytes_are_those_of_the_circuits_and_of_refreshes() {
        // 2^8 blocks: a refresh every second write, of 8 bytes a word from each party.
        let one = run(9, Kind::Write, 1).online.all_bytes();
        let two = run(9, Kind::Write, 2).online.all_bytes();
        let keys = circuits::KEYS.bytes_of_garbler() + circuits::KEYS.bytes_of_evaluator();
        let second = circuits::write(8, 1).ands - circuits::write(8, 0).ands;
        assert_eq!(two, 2 * one + 32 * second + keys + 2 * 8 * 512);
        let level = circuits::LEFT.bytes_of_garbler() + circuits::RIGHT.bytes_of_garbler();
        let more = run(13, Kind::Read, 1).online.bytes[0] - run(12, Kind::Read, 1).online.bytes[0];
        // One address bit more; the word itself is in the leaf.
        assert_eq!(more, level + 16 + 32);
    }

    #[test]
    fn the_published_lines_are_of_the_same_order() {
        let lines = Floram.published().unwrap();
        for line in &lines {
            assert!(line.deviation().abs() < 0.5, "{line}");
        }
        // Gate by gate as their program has it, and as the sum of both parties.
        assert!(lines[1].deviation().abs() < 0.02, "{}", lines[1]);
    }
}
