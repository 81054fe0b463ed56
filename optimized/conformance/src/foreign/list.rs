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
use super::lean::{FlagKey, Selection, ValueUpdate, flag_mask, flag_words};
use super::twins::{likenesses, twins};
use duoram_runtime::seed::Seed;
use duoram_spec::lean::layers::{flag_depth, word_depth};

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

/// The depths at which numbers are changed one by one: within a register, and beyond. Trees of lean flags have levels from 8 on.
fn twin_depths(operation: Operation) -> [u32; 2] {
    if operation == Operation::LeanFlags { [2, 9] } else { [2, 5] }
}

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

    fn labels(&mut self, operation: Operation, trees: usize, depth: u32) -> Case {
        let parents = (0..trees << depth).map(|_| self.block()).collect();
        let session_key = self.block();
        if operation == Operation::LeanSums {
            return Case::LeanSums { session_key, trees, parents };
        }
        Case::Grow { session_key, trees, parents }
    }

    /// Flags of the roots in turn: both kinds of keys.
    fn keys(&mut self, operation: Operation, keys: usize, depth: u32, first_flag: bool) -> Case {
        let flag = |i: usize| first_flag ^ (i % 2 == 1);
        if operation == Operation::LeanFlags {
            let levels = height(flag_depth, depth);
            let keys =
                (0..keys).map(|i| FlagKey { key: self.key(levels, flag(i)), correction: self.block() });
            let keys = keys.collect();
            return Case::LeanFlags { session_key: self.block(), depth, keys };
        }
        let keys = (0..keys).map(|i| self.key(depth, flag(i))).collect();
        Case::Evaluate { session_key: self.block(), keys }
    }

    fn selection(&mut self, depth: u32, shift: u64) -> Selection {
        let flags = (0..flag_words(depth)).map(|_| self.word() & flag_mask(depth)).collect();
        Selection { flags, shift }
    }

    /// So many trees, keys or queries, of random shifts.
    fn batch(&mut self, operation: Operation, party: u8, depth: u32, count: usize) -> Case {
        match operation {
            Operation::Grow | Operation::LeanSums => self.labels(operation, count, depth),
            Operation::Evaluate | Operation::LeanFlags => self.keys(operation, count, depth, false),
            Operation::Read | Operation::Update | Operation::LeanRead | Operation::LeanUpdate => {
                let shifts: Vec<_> = (0..count).map(|_| self.stream.next_u64() % (1 << depth)).collect();
                self.scan(operation, party, depth, &shifts)
            }
        }
    }

    /// A READ or an UPDATE of each shift.
    fn scan(&mut self, operation: Operation, party: u8, depth: u32, shifts: &[u64]) -> Case {
        match operation {
            Operation::LeanRead => {
                let queries = shifts.iter().map(|shift| self.selection(depth, *shift)).collect();
                return Case::LeanRead { memory: self.words(1 << depth), queries };
            }
            Operation::LeanUpdate => {
                let levels = height(word_depth, depth);
                let queries = shifts.iter().enumerate().map(|(i, shift)| ValueUpdate {
                    key: self.key(levels, i % 2 == 1),
                    word_correction: [(); _].map(|()| self.word()),
                    final_correction: self.word(),
                    selection: self.selection(depth, *shift),
                });
                let queries = queries.collect();
                return Case::LeanUpdate {
                    session_key: self.block(),
                    memory: self.words(1 << depth),
                    queries,
                };
            }
            _ => {}
        }
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

/// The levels of a lean tree for `2^depth` leaves.
fn height(layer_depth: impl Fn(usize) -> usize, depth: u32) -> u32 {
    u32::try_from(layer_depth(depth as usize)).unwrap_or(depth)
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
    for depth in operation.least_depth()..=DEPTHS {
        for pattern in Pattern::ALL {
            edges(operation, depth, &mut Draw { stream: &mut stream, pattern }, &mut cases);
        }
    }
    let draw = &mut Draw { stream: &mut stream, pattern: Pattern::Random };
    cases.extend(MORE_COUNTS.map(|count| draw.batch(operation, 1, BATCHED, count)));
    for depth in twin_depths(operation) {
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
        cases.extend(DEEPEST.map(|depth| draw.keys(operation, 1, depth, depth % 2 == 1)));
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

/// Who has the operation: growing, evaluating and all of the lean protocol is the same for all.
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
        Operation::Grow | Operation::LeanSums => draw.labels(operation, 1, LARGE),
        Operation::Evaluate | Operation::LeanFlags => draw.keys(operation, 1, LARGE, false),
        Operation::Read | Operation::Update | Operation::LeanRead | Operation::LeanUpdate => {
            draw.scan(operation, 0, LARGE, &[12_345])
        }
    }
}

fn edges(operation: Operation, depth: u32, draw: &mut Draw<'_>, cases: &mut Vec<Case>) {
    match operation {
        Operation::Grow | Operation::LeanSums => {
            cases.extend(COUNTS.map(|trees| draw.labels(operation, trees, depth)));
        }
        Operation::Evaluate | Operation::LeanFlags => {
            cases.extend(COUNTS.map(|keys| draw.keys(operation, keys, depth, false)));
            cases.push(draw.keys(operation, 1, depth, true));
        }
        Operation::Read | Operation::Update | Operation::LeanRead | Operation::LeanUpdate => {
            for party in parties(operation) {
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
    if matches!(operation, Operation::Evaluate | Operation::LeanFlags) {
        return draw.keys(operation, count, depth, flag);
    }
    draw.batch(operation, party, depth, count)
}
