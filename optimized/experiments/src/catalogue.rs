//! The experiments as data: the axes, networks, operations and systems of the paper's figures 7 to 10.

use std::time::Duration;

use crate::network::Link;
use crate::system::Kind;

/// What varies along the x axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// lg n
    LogSize,
    /// What a party may send a second.
    Bandwidth,
    /// One way.
    Latency,
    /// Cores of each party.
    Cores,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// From the first message to the last.
    Seconds,
    /// Bytes a party, of whichever sends the most.
    Bytes,
    /// What all parties compute for an operation.
    Computing,
}

/// Over which links.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Networks {
    /// 30 ms and 100 Mbit/s.
    WideArea,
    /// 30 us and 100 Gbit/s.
    Colocated,
    /// 100 ms and 1 Mbit/s: the paper's extreme.
    Slow,
    /// No delay and no limit: what is left is computing.
    None,
    /// 30 ms, and so many Mbit/s.
    Bandwidths(&'static [u32]),
    /// 100 Mbit/s, and so many milliseconds.
    Latencies(&'static [u64]),
}

impl Networks {
    /// Each link.
    pub fn links(self) -> Vec<Link> {
        let wide = Link::wide_area();
        match self {
            Self::WideArea => vec![wide],
            Self::Colocated => vec![Link::colocated()],
            Self::None => vec![Link::none()],
            Self::Slow => vec![Link { delay: Duration::from_millis(100), bits_per_second: 1e6, ..wide }],
            Self::Bandwidths(megabits) => {
                megabits.iter().map(|&mega| Link { bits_per_second: 1e6 * f64::from(mega), ..wide }).collect()
            }
            Self::Latencies(milliseconds) => {
                let delay = |&milliseconds: &u64| Duration::from_millis(milliseconds);
                milliseconds.iter().map(|time| Link { delay: delay(time), ..wide }).collect()
            }
        }
    }
}

/// An axis at full length, and short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Values<T: 'static> {
    /// As in the paper.
    pub full: &'static [T],
    /// Seconds instead of hours.
    pub quick: &'static [T],
}

impl<T> Values<T> {
    /// The one or the other.
    pub const fn of(&self, quick: bool) -> &'static [T] {
        if quick { self.quick } else { self.full }
    }
}

/// An experiment of the artifact's appendix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Experiment {
    /// The appendix's name.
    pub name: &'static str,
    /// Where the paper shows it.
    pub figure: &'static str,
    /// What is looked at, in words.
    pub title: &'static str,
    /// What varies.
    pub axis: Axis,
    /// What is compared.
    pub quantity: Quantity,
    /// Each kind is a plot of its own. "Interleaved" is a READ and a WRITE in the paper's text, and a READ and an UPDATE in what the
    /// artifact sends (`spec/ERRATA.md`, 14): both are done.
    pub kinds: &'static [Kind],
    /// By name ([`crate::system::System::name`]).
    pub systems: &'static [&'static str],
    /// Of lg n.
    pub sizes: Values<u32>,
    /// Over which links.
    pub networks: Networks,
    /// Of cores; one if nothing is said.
    pub cores: Values<u32>,
}

/// Operations of an experiment, as in the paper.
pub const OPERATIONS: usize = 128;

/// Operations of an experiment that is to be quick.
pub const QUICK_OPERATIONS: usize = 2;

/// This project's protocols.
pub const OURS: [&str; 3] = ["3P-DUORAM", "3P-lean", "2P-DUORAM"];

/// FLORAM's data path, its garbled parts counted.
pub const FLORAM: &str = "floram-cost";

/// Jarecki and Wei's 3-party Circuit ORAM, its messages counted.
pub const CIRCUIT_ORAM: &str = "circuit-oram-cost";

const WITH_FLORAM: &[&str] = &["3P-DUORAM", "3P-lean", "2P-DUORAM", FLORAM];
const WITH_BOTH: &[&str] = &["3P-DUORAM", "3P-lean", FLORAM, CIRCUIT_ORAM];
const INTERLEAVED: &[Kind] = &[Kind::Interleaved, Kind::ReadUpdate];
const SMALL: Values<u32> = Values { full: &[16, 18, 20, 22, 24, 26], quick: &[8, 10, 12] };
const LARGE: Values<u32> = Values { full: &[28, 30, 32], quick: &[12, 32] };
const MIDDLE: Values<u32> = Values { full: &[20], quick: &[10] };
const ONE: Values<u32> = Values { full: &[1], quick: &[1] };

/// What all others are like.
const E1: Experiment = Experiment {
    name: "E1",
    figure: "figure 7(a)",
    title: "interleaved operations, by size",
    axis: Axis::LogSize,
    quantity: Quantity::Seconds,
    kinds: INTERLEAVED,
    systems: WITH_FLORAM,
    sizes: SMALL,
    networks: Networks::WideArea,
    cores: ONE,
};

const E5: Experiment = Experiment {
    name: "E5",
    figure: "figure 9(a)",
    title: "READs over the standard network, by size",
    kinds: &[Kind::Read],
    systems: WITH_BOTH,
    ..E1
};

/// All of them [duoram-artifact, A.4.2]; before them the test of A.3.2, after them what section 6.2.1 says in words, and what the
/// measurements of [`crate::peers`] are shown in.
pub const EXPERIMENTS: [Experiment; 14] = [
    Experiment {
        name: "basic",
        figure: "appendix A.3.2",
        title: "the artifact's basic test",
        kinds: &[Kind::ReadUpdate, Kind::Read],
        systems: &["3P-DUORAM", "3P-lean", "2P-DUORAM", FLORAM, CIRCUIT_ORAM],
        sizes: Values { full: &[16], quick: &[16] },
        networks: Networks::Colocated,
        ..E1
    },
    E1,
    Experiment {
        name: "E2",
        figure: "figure 7(b)",
        title: "interleaved operations, by bandwidth",
        axis: Axis::Bandwidth,
        sizes: MIDDLE,
        networks: Networks::Bandwidths(&[10, 30, 50, 70, 90, 110]),
        ..E1
    },
    Experiment {
        name: "E3",
        figure: "figure 7(c)",
        title: "interleaved operations, by latency",
        axis: Axis::Latency,
        sizes: MIDDLE,
        networks: Networks::Latencies(&[10, 20, 30, 40, 50, 60, 70]),
        ..E1
    },
    Experiment {
        name: "E4",
        figure: "figure 8(a) to 8(c)",
        title: "bytes, by size",
        quantity: Quantity::Bytes,
        kinds: &[Kind::Read, Kind::Write, Kind::Interleaved, Kind::ReadUpdate],
        ..E1
    },
    E5,
    Experiment {
        name: "E6",
        figure: "figure 9(b)",
        title: "READs in one data centre, by size",
        networks: Networks::Colocated,
        ..E5
    },
    Experiment {
        name: "E7",
        figure: "figure 9(c)",
        title: "bytes of READs, by size",
        quantity: Quantity::Bytes,
        ..E5
    },
    Experiment {
        name: "E8",
        figure: "figure 9(a), right",
        title: "READs of large memories over the standard network",
        sizes: LARGE,
        ..E5
    },
    Experiment {
        name: "E9",
        figure: "figure 9(b), right",
        title: "READs of large memories in one data centre",
        sizes: LARGE,
        networks: Networks::Colocated,
        ..E5
    },
    Experiment {
        name: "E10",
        figure: "figure 9(c), right",
        title: "bytes of READs of large memories",
        quantity: Quantity::Bytes,
        sizes: LARGE,
        ..E5
    },
    Experiment {
        name: "E11",
        figure: "figure 10",
        title: "READs, by cores",
        axis: Axis::Cores,
        kinds: &[Kind::Read],
        sizes: Values { full: &[16, 20, 26], quick: &[12] },
        // The paper begins with 4; up to two are measured here.
        cores: Values { full: &[1, 2, 4, 8, 16, 32], quick: &[1, 4] },
        ..E1
    },
    Experiment {
        name: "slow",
        figure: "section 6.2.1",
        title: "one READ over 100 ms and 1 Mbit/s",
        kinds: &[Kind::Read],
        sizes: Values { full: &[20, 25], quick: &[10] },
        networks: Networks::Slow,
        ..E1
    },
    Experiment {
        name: COMPUTING,
        figure: "not in the paper",
        title: "what all parties compute for an operation, without a network",
        quantity: Quantity::Computing,
        kinds: &[Kind::Read, Kind::Write, Kind::Update],
        systems: &["3P-DUORAM", "3P-lean", "2P-DUORAM", FLORAM, CIRCUIT_ORAM],
        sizes: Values { full: &[10, 12, 14, 16, 18, 20], quick: &[8, 10] },
        networks: Networks::None,
        ..E1
    },
];

/// The experiment in which memories of one machine stand beside ours.
pub const COMPUTING: &str = "computing";

/// The experiment of this name, in capitals or not.
pub fn named(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name.eq_ignore_ascii_case(name))
}

impl Experiment {
    /// How many operations.
    pub fn operations(&self, quick: bool) -> usize {
        match self.name {
            // As many as the published numbers are of.
            "basic" => 2,
            "slow" => 1,
            _ if quick => QUICK_OPERATIONS,
            _ => OPERATIONS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_appendix_has_eleven_and_a_test_the_text_one_more_and_peers_another() {
        let names: Vec<_> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
        let numbered = (1..=11).map(|number| format!("E{number}"));
        let expected: Vec<_> = ["basic".to_owned()]
            .into_iter()
            .chain(numbered)
            .chain(["slow", COMPUTING].map(str::to_owned))
            .collect();
        assert_eq!(names, expected);
        assert_eq!(named("e10").map(|experiment| experiment.figure), Some("figure 9(c), right"));
        assert!(named("E12").is_none());
    }

    /// The appendix, A.4.2, in its own words: the sizes, and which network.
    #[test]
    fn axes_are_the_appendixs() {
        let of = |name: &str| named(name).unwrap();
        for name in ["E1", "E4", "E5", "E6", "E7"] {
            let sizes = of(name).sizes.full;
            assert_eq!((sizes[0], sizes[sizes.len() - 1]), (16, 26), "{name}: 2^16 to 2^26");
        }
        for name in ["E8", "E9", "E10"] {
            assert_eq!(of(name).sizes.full, [28, 30, 32], "{name}: the rightmost three data points");
        }
        let rates: Vec<f64> = of("E2").networks.links().iter().map(|link| link.bits_per_second).collect();
        assert_eq!((rates[0], rates[rates.len() - 1]), (10e6, 110e6));
        let delays: Vec<u128> = of("E3").networks.links().iter().map(|link| link.delay.as_millis()).collect();
        assert_eq!((delays[0], delays[delays.len() - 1]), (10, 70));
        assert_eq!(of("E6").networks.links(), [Link::colocated()]);
        assert!(of("E11").cores.full.ends_with(&[4, 8, 16, 32]), "from 4 to 32");
    }
}
