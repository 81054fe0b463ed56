//! The cases that a kernel is put to.
//!
//! First every edge: all depths, small and odd batches, each pattern of flag corrections, values at both ends of their
//! range, shifts of zero, of one, by half and by all but one, keys and calls that differ in a single number or have a
//! single one in common (`twins`), sums on both sides of 2^32. Then random ones. Small ones come first, so that
//! the first to fail is small already; a few of them come again at the end, for what large ones leave behind.

use std::ops::RangeInclusive;

use duoram_reference::{Block, Word};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use super::case::{Case, Key, Level, Operation, Query, Scan};
use super::expected::over_reference_prg;
use super::twins::{likenesses, twins};
use duoram_runtime::seed::Seed;

/// The largest depth of the edge cases that have every pattern.
const DEPTHS: u32 = 10;

/// The largest depth that every operation is put to. [`DEEPEST`] are for evaluation; the other operations, whose cases are
/// large, are put to one of those.
const DEEP: u32 = 17;

/// An index times a flag, summed up, needs more than 32 bits from here on, and at 20 also if 16 lanes share the leaves.
const DEEPEST: RangeInclusive<u32> = DEEP + 1..=20;

/// The depth at which kernels are measured.
pub const LARGE: u32 = 16;

/// Batches at every depth: one, and numbers that fill no register.
const COUNTS: [usize; 4] = [1, 2, 3, 5];

/// Batches at one depth: what registers and blocks hold, and one more.
const MORE_COUNTS: [usize; 6] = [4, 8, 9, 16, 17, 33];

/// The depth of [`MORE_COUNTS`].
const BATCHED: u32 = 3;

/// The depths at which numbers are changed one by one: within a register, and beyond.
const TWINS: [u32; 2] = [2, 5];

/// How values are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pattern {
    /// All zeros; no flag is corrected.
    Zeros,
    /// All bits set, as far as they may be; both flags are corrected.
    Ones,
    /// Random values; `cwt_L` set, `cwt_R` not.
    Left,
    /// Random values; the other way round.
    Right,
    /// Random values and flags.
    Random,
}

impl Pattern {
    const ALL: [Self; 5] = [Self::Zeros, Self::Ones, Self::Left, Self::Right, Self::Random];
}

/// Draws the values of one case.
struct Draw<'r> {
    stream: &'r mut ChaCha20Rng,
    pattern: Pattern,
}

impl Draw<'_> {
    fn word(&mut self) -> Word {
        match self.pattern {
            Pattern::Zeros => 0,
            Pattern::Ones => Word::MAX,
            _ => self.stream.next_u64(),
        }
    }

    fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.word()).collect()
    }

    fn block(&mut self) -> Block {
        Block::from(self.word()) << 64 | Block::from(self.word())
    }

    /// A key with the root's flag given.
    fn key(&mut self, depth: u32, flag: bool) -> Key {
        let root = (self.block() & !1) | Block::from(flag);
        let levels = (0..depth).map(|_| self.level()).collect();
        Key { root, levels, conversion_factor: self.word() }
    }

    fn level(&mut self) -> Level {
        let (left_flag, right_flag) = match self.pattern {
            Pattern::Zeros => (false, false),
            Pattern::Ones => (true, true),
            Pattern::Left => (true, false),
            Pattern::Right => (false, true),
            Pattern::Random => {
                let bits = self.stream.next_u32();
                (bits & 1 == 1, bits & 2 == 2)
            }
        };
        Level { word: self.block() & !1, left_flag, right_flag }
    }

    fn grow(&mut self, trees: usize, depth: u32) -> Case {
        let parents = (0..trees << depth).map(|_| self.block()).collect();
        Case::Grow { session_key: self.block(), trees, parents }
    }

    /// Flags of the roots in turn: both kinds of keys.
    fn evaluate(&mut self, keys: usize, depth: u32, first_flag: bool) -> Case {
        let keys = (0..keys).map(|i| self.key(depth, first_flag ^ (i % 2 == 1))).collect();
        Case::Evaluate { session_key: self.block(), keys }
    }

    /// So many trees, keys or queries, of random shifts.
    fn batch(&mut self, operation: Operation, party: u8, depth: u32, count: usize) -> Case {
        match operation {
            Operation::Grow => self.grow(count, depth),
            Operation::Evaluate => self.evaluate(count, depth, false),
            Operation::Read | Operation::Update => {
                let shifts: Vec<_> = (0..count).map(|_| self.stream.next_u64() % (1 << depth)).collect();
                self.scan(operation, party, depth, &shifts)
            }
        }
    }

    /// A READ or an UPDATE of each shift.
    fn scan(&mut self, operation: Operation, party: u8, depth: u32, shifts: &[u64]) -> Case {
        let update = operation == Operation::Update;
        // P2 has a key of P0 and one of P1.
        let flags = if party == 2 { [false, true] } else { [party == 1; 2] };
        let queries = shifts.iter().map(|shift| Query {
            keys: flags.map(|flag| self.key(depth, flag)),
            final_corrections: if update { [self.word(), self.word()] } else { [0; 2] },
            shift: *shift,
        });
        let queries = queries.collect();
        let memory = [self.words(1 << depth), self.words(1 << depth)];
        let scan = Scan { session_key: self.block(), party, memory, queries };
        if update { Case::Update(scan) } else { Case::Read(scan) }
    }
}

/// No shift, one, around the middle, and one that wraps all but the last.
fn shifts(depth: u32) -> Vec<u64> {
    let n = 1_u64 << depth;
    let mut shifts = vec![0, 1, n / 2 - 1, n / 2, (n / 2 + 1) % n, n - 1];
    shifts.sort_unstable();
    shifts.dedup();
    shifts
}

/// The cases of an operation, and so many random ones: all of it follows from the seed.
pub fn cases(operation: Operation, seed: Seed, random: u64) -> Vec<Case> {
    let mut stream = seed.stream();
    stream.set_stream(operation as u64);
    let mut cases = Vec::new();
    let least = u32::from(operation != Operation::Grow);
    for depth in least..=DEPTHS {
        for pattern in Pattern::ALL {
            edges(operation, depth, &mut Draw { stream: &mut stream, pattern }, &mut cases);
        }
    }
    let draw = &mut Draw { stream: &mut stream, pattern: Pattern::Random };
    cases.extend(MORE_COUNTS.map(|count| draw.batch(operation, 1, BATCHED, count)));
    for depth in TWINS {
        for party in parties(operation) {
            cases.extend(twins(&draw.batch(operation, party, depth, 2)));
            cases.extend(likenesses(|| draw.batch(operation, party, depth, 2)));
        }
    }
    for depth in DEPTHS + 1..=DEEP {
        cases.extend(parties(operation).map(|party| draw.batch(operation, party, depth, 2)));
    }
    if operation == Operation::Evaluate {
        cases.push(both_sides_of_32_bits(draw));
        cases.extend(DEEPEST.map(|depth| draw.evaluate(1, depth, depth % 2 == 1)));
    } else {
        let depth = DEEPEST.start() + draw.stream.next_u32() % 3;
        let party = [0, 1, 2][draw.stream.next_u32() as usize % 3];
        cases.push(draw.batch(operation, party, depth, 1));
    }
    cases.extend((0..random).map(|_| any(operation, draw)));
    cases.sort_by_key(|case| (case.depth(), case.count()));
    let again: Vec<_> = cases.iter().filter(|case| case.depth() == BATCHED).step_by(2).cloned().collect();
    cases.extend(again);
    cases
}

/// Who has the operation: growing and evaluating is the same for all.
fn parties(operation: Operation) -> RangeInclusive<u8> {
    if matches!(operation, Operation::Read | Operation::Update) { 0..=2 } else { 0..=0 }
}

/// A key whose sum of indices times flags is just below 2^32, and one where it is just above: half of all at this depth.
fn both_sides_of_32_bits(draw: &mut Draw<'_>) -> Case {
    const INDEX_FLAG_SUM: usize = 3;
    let mut sides = [None, None];
    let session_key = draw.block();
    while sides.contains(&None) {
        let keys = vec![draw.key(DEEP, false)];
        let sums = over_reference_prg(&Case::Evaluate { session_key, keys: keys.clone() });
        sides[usize::from(sums[INDEX_FLAG_SUM] > u64::from(u32::MAX))] = keys.into_iter().next();
    }
    Case::Evaluate { session_key, keys: sides.into_iter().flatten().collect() }
}

/// One large case of random values, for measuring.
pub fn large(operation: Operation, seed: Seed) -> Case {
    let mut stream = seed.stream();
    stream.set_stream(Operation::ALL.len() as u64);
    let mut draw = Draw { stream: &mut stream, pattern: Pattern::Random };
    match operation {
        Operation::Grow => draw.grow(1, LARGE),
        Operation::Evaluate => draw.evaluate(1, LARGE, false),
        Operation::Read | Operation::Update => draw.scan(operation, 0, LARGE, &[12_345]),
    }
}

fn edges(operation: Operation, depth: u32, draw: &mut Draw<'_>, cases: &mut Vec<Case>) {
    match operation {
        Operation::Grow => cases.extend(COUNTS.map(|trees| draw.grow(trees, depth))),
        Operation::Evaluate => {
            cases.extend(COUNTS.map(|keys| draw.evaluate(keys, depth, false)));
            cases.push(draw.evaluate(1, depth, true));
        }
        Operation::Read | Operation::Update => {
            for party in 0..=2 {
                let shifts = shifts(depth);
                // Each alone, and batches of them: with the same shift twice, and all.
                cases.extend(shifts.iter().map(|shift| draw.scan(operation, party, depth, &[*shift])));
                cases.push(draw.scan(operation, party, depth, &[shifts[1], shifts[1], shifts[0]]));
                cases.push(draw.scan(operation, party, depth, &shifts));
            }
        }
    }
}

fn any(operation: Operation, draw: &mut Draw<'_>) -> Case {
    let mut below = |limit: u32| draw.stream.next_u32() % limit;
    // The lesser of two: small ones mostly.
    let depth = 1 + below(DEPTHS).min(below(DEPTHS));
    let count = 1 + below(7) as usize;
    let (party, flag) = ([0, 1, 2][below(3) as usize], below(2) == 1);
    if operation == Operation::Evaluate {
        return draw.evaluate(count, depth, flag);
    }
    draw.batch(operation, party, depth, count)
}
