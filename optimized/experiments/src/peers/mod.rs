//! Memories of others beside ours, in one run and in turn: whatever else this computer does meets both.
//!
//! A peer is a process (`process`) that says what it took, in lines of `FORMAT.md`: it links nothing of ours. Ours (`ours`) are the
//! parties one after another, without a network. What is compared is CPU time: of the peer's threads, and of all our parties.
//!
//! They solve different problems ([`WHAT_IS_COMPARED`]), so a ratio is a price, and no race.

mod ours;
mod process;
mod ratios;

pub use self::ours::Ours;
pub use self::process::Process;
pub use self::ratios::{medians, ratios, text};

use crate::Error;
use crate::row::Row;
use crate::system::Kind;

/// What a ratio means, for whoever reads one.
pub const WHAT_IS_COMPARED: [&str; 5] = [
    "These solve different problems. A peer keeps its memory on one machine, in the clear within an enclave that is trusted: it",
    "hides which addresses are used from whoever watches the enclave's memory. Ours hides addresses and words from each of three",
    "machines, of which no two may collude, and needs no enclave. So a ratio is what that costs in computing, and no race.",
    "Ours is the CPU time of all three parties together, a peer's that of all its threads. Neither has a network here: latency,",
    "which ours pays and a peer does not, is not in it. Operations come one after another, but in batches to a sharded map.",
];

/// What of ours stands beside what of a peer: a WRITE and an UPDATE beside what sets a word.
pub const BESIDE: [(Kind, &[Kind]); 2] =
    [(Kind::Read, &[Kind::Read]), (Kind::Write, &[Kind::Write, Kind::Update])];

/// Something that does operations when it is its turn.
pub trait Contender {
    /// Does some operations of this kind: a row for each phase. None, if it has no such operation.
    ///
    /// # Errors
    ///
    /// A wrong answer; whatever stopped it.
    fn perform(&mut self, kind: Kind) -> Result<Vec<Row>, Error>;
}

/// What a peer took, and ours right after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// The peer's.
    pub peer: Row,
    /// Of each of ours, each kind and each phase.
    pub ours: Vec<Row>,
}

impl Round {
    /// All of it, in the order in which it was measured.
    pub fn rows(&self) -> impl Iterator<Item = &Row> + Clone {
        std::iter::once(&self.peer).chain(&self.ours)
    }
}

/// A peer and ours, in turn, so many times for each kind. The first turns count for nothing: what they find in caches is chance.
/// `watch` is told what share is done.
///
/// # Errors
///
/// See [`Contender::perform`].
#[allow(clippy::cast_precision_loss, reason = "small counts")]
pub fn take_turns(
    peer: &mut dyn Contender,
    ours: &mut [Box<dyn Contender>],
    rounds: usize,
    watch: &mut dyn FnMut(f64),
) -> Result<Vec<Round>, Error> {
    let mut kept = Vec::new();
    let all = (BESIDE.len() * (rounds + 1)) as f64;
    for (place, (kind, beside)) in BESIDE.into_iter().enumerate() {
        for round in 0..=rounds {
            watch((place * (rounds + 1) + round) as f64 / all);
            let Some(row) = peer.perform(kind)?.into_iter().next() else { break };
            let mut rows = Vec::new();
            for contender in ours.iter_mut() {
                for &kind in beside {
                    rows.extend(contender.perform(kind)?);
                }
            }
            if round > 0 {
                kept.push(Round { peer: row, ours: rows });
            }
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::row::tests::a_row;

    /// Notes each of its turns, and takes so many seconds more each time.
    pub(super) struct Counting {
        pub(super) name: &'static str,
        pub(super) turns: Rc<RefCell<Vec<String>>>,
        pub(super) taken: f64,
        pub(super) only_reads: bool,
    }

    impl Contender for Counting {
        fn perform(&mut self, kind: Kind) -> Result<Vec<Row>, Error> {
            if self.only_reads && kind != Kind::Read {
                return Ok(Vec::new());
            }
            self.turns.borrow_mut().push(format!("{} {kind}", self.name));
            self.taken += 1.0;
            let row = Row { kind: kind.to_string(), ..a_row("computing", self.name, 10, 0.0, 0.0) };
            Ok(vec![Row { cpu_seconds: self.taken, operations: 1, ..row }])
        }
    }

    fn turns(rounds: usize, only_reads: bool) -> (Vec<String>, Vec<Round>) {
        let turns = Rc::new(RefCell::new(Vec::new()));
        let new = |name, only_reads| Counting { name, turns: Rc::clone(&turns), taken: 0.0, only_reads };
        let mut ours: Vec<Box<dyn Contender>> = vec![Box::new(new("a", false)), Box::new(new("b", false))];
        let rounds = take_turns(&mut new("peer", only_reads), &mut ours, rounds, &mut |_| ()).unwrap();
        (turns.take(), rounds)
    }

    #[test]
    fn a_peer_and_ours_take_turns_and_the_first_is_not_kept() {
        let (turns, rounds) = turns(2, false);
        let reads = ["peer read", "a read", "b read"].repeat(3);
        let writes = ["peer write", "a write", "a update", "b write", "b update"].repeat(3);
        assert_eq!(turns, [reads, writes].concat());
        let seconds: Vec<_> = rounds.iter().map(|round| round.peer.cpu_seconds).collect();
        assert_eq!(seconds, [2.0, 3.0, 5.0, 6.0], "1 and 4 were the first");
        assert_eq!(rounds.iter().map(|round| round.ours.len()).collect::<Vec<_>>(), [2, 2, 4, 4]);
    }

    #[test]
    fn a_peer_that_cannot_write_stands_beside_reads_alone() {
        let (turns, rounds) = turns(1, true);
        assert_eq!(turns, ["peer read", "a read", "b read"].repeat(2));
        assert_eq!(rounds.len(), 1);
    }
}
