//! The plain computation of two parties with a memory for base OTs, which took nine tenths of the time of all simulations.
//!
//! The parties of all runs have the same seeds ([`crate::program::Program::party`]), so that all connect with the same base OTs, and
//! once more after a crash. What they compute is a function of arguments, and is taken from memory only if all of these are the same: a run
//! is the one that it would be without.

use std::cell::RefCell;
use std::thread::LocalKey;

use duoram_reference::two_party::ot::Seed;
use duoram_reference::two_party::ot::base::{BaseSender, Chosen, Point, Scalars, choose};
use duoram_reference::two_party::{
    ChildSums, Compute, Correction, LeafSums, Memory, Plain, UpdateQuery, dpf,
};
use duoram_reference::{Block, Role, SessionId, SessionKey, Word};
use zeroize::Zeroizing;

type Seeds = Zeroizing<Vec<[Seed; 2]>>;

/// What was computed, and of which arguments.
type Results<A, R> = RefCell<Vec<(A, R)>>;

thread_local! {
    static CHOSEN: Results<(Scalars, SessionId, Role, Point, Block), Chosen> = const { RefCell::new(Vec::new()) };
    /// The sender's point stands for its scalar.
    static SEEDS: Results<(Point, SessionId, Role, Vec<Point>), Seeds> = const { RefCell::new(Vec::new()) };
}

/// More than two parties need; faults may have others.
const MOST: usize = 16;

/// The result of these arguments: that of before, or a new one.
fn remember<A: PartialEq, R: Clone>(
    results: &'static LocalKey<Results<A, R>>,
    arguments: A,
    compute: impl FnOnce() -> R,
) -> R {
    results.with_borrow_mut(|results| {
        if let Some((_, result)) = results.iter().find(|(of, _)| *of == arguments) {
            return result.clone();
        }
        results.truncate(MOST - 1);
        let result = compute();
        results.push((arguments, result.clone()));
        result
    })
}

/// [`Plain`], which remembers base OTs.
#[derive(Clone, Copy, Debug)]
pub struct Remembering;

impl Compute for Remembering {
    type Memory = Memory;
    type Forest = dpf::Forest;

    fn memory(&self, memory_share: Vec<Word>) -> Memory {
        Plain.memory(memory_share)
    }

    fn words<'a>(&self, memory: &'a Memory) -> &'a [Word] {
        Plain.words(memory)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> dpf::Forest {
        Plain.plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut dpf::Forest) -> Vec<ChildSums> {
        Plain.grow(forest)
    }

    fn correct(&self, forest: &mut dpf::Forest, corrections: &[Correction]) {
        Plain.correct(forest, corrections);
    }

    fn leaf_sums(&self, forest: dpf::Forest) -> Vec<LeafSums> {
        Plain.leaf_sums(forest)
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut Memory, queries: &[UpdateQuery]) {
        Plain.update(key, role, memory, queries);
    }

    fn choose(
        &self,
        scalars: &Scalars,
        session: SessionId,
        receiver: Role,
        sender_point: &Point,
        bits: Block,
    ) -> Chosen {
        remember(&CHOSEN, (scalars.clone(), session, receiver, *sender_point, bits), || {
            choose(scalars, session, receiver, sender_point, bits)
        })
    }

    fn seeds(&self, sender: &BaseSender, session: SessionId, receiver: Role, choices: &[Point]) -> Seeds {
        remember(&SEEDS, (*sender.point(), session, receiver, choices.to_vec()), || {
            sender.seeds(session, receiver, choices)
        })
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::two_party::{PlainPir, Primary};
    use duoram_reference::{Command, Lane, Lasting, Parameters, Party};

    use super::*;

    /// All that two parties say when they connect, and what they then save.
    fn connected<C: Compute + Copy>(compute: C, session: SessionId, seeds: [u8; 2]) -> Vec<Vec<u8>> {
        let parameters = Parameters::new(session, 2).unwrap();
        let party = |(role, seed)| Primary::lasting(role, parameters, [seed; 32], compute, PlainPir).unwrap();
        let mut parties = [(Role::P0, seeds[0]), (Role::P1, seeds[1])].map(party);
        let mut waiting: Vec<_> =
            parties.iter_mut().flat_map(|p| p.begin(&Command::Connect).unwrap()).collect();
        let mut all = Vec::new();
        while !waiting.is_empty() {
            let frame = waiting.remove(0);
            waiting.extend(parties[frame.to.index()].receive(frame.from, &frame.bytes).unwrap());
            all.push(frame.bytes.to_vec());
        }
        all.extend(parties.iter().map(|party| party.save(Lane::Making).unwrap().to_vec()));
        all
    }

    /// What is remembered is what is computed, whatever else was remembered before, and for any argument that is another one.
    #[test]
    fn what_is_remembered_is_what_is_computed() {
        let sessions =
            [(SessionId([1; 16]), [1, 2]), (SessionId([2; 16]), [1, 2]), (SessionId([1; 16]), [1, 3])];
        let computed = sessions.map(|(session, seeds)| connected(Plain, session, seeds));
        for _ in 0..2 {
            for ((session, seeds), computed) in sessions.iter().zip(&computed) {
                assert!(connected(Remembering, *session, *seeds) == *computed);
            }
        }
        assert_eq!(CHOSEN.with_borrow(Vec::len), 6, "one for each party of each session");
        assert_eq!(SEEDS.with_borrow(Vec::len), 6);
    }
}
