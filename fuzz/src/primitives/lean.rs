//! The same of the lean protocol: trees that end early, their output layers, scans and updates, on every backend of this CPU.
//!
//! The oracles: the reference's plain computation at every size, and under it the specification, whose layers and scans are
//! computed for memories of few nodes (its AES goes bit by bit).

use arbitrary::Arbitrary;
use duoram_conformance::lean::view::Inspect;
use duoram_reference::lean::{Compute, LayeredKey, NODE_ROWS, Plain, ReadQuery, UpdateQuery};
use duoram_reference::{Block, Correction, Role, SessionKey, Word};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_spec::core::dpf::Key;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::XorWord;
use duoram_spec::core::vector::{add, xor_shift};
use duoram_spec::lean::layers::{self, flag_sum, labels_at, unit_flags, values, word_sum};
use duoram_spec::lean::memory::{State0, State1, State2};
use duoram_spec::lean::read::{partial_0, partial_1, partial_2};
use duoram_spec::lean::update::update_vector;

use super::{Level, correction, level};
use crate::computations::{backends, single, threaded, vector_backends};
use crate::prg::specified;
use crate::wire::Role3;
use crate::words::Words;

/// Scans have chunks of 2^12 words: here there are two, for several threads to share.
const MAX_LOG_SIZE: u8 = 13;

/// Up to here the specification computes too: eight nodes of flags, four of values.
const SPECIFIED: [u32; 2] = [8, 5];

/// What is computed.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The sums of every level and of both layers of a batch of trees.
    Grow {
        /// Of READ items, up to three; their trees end at the flag layer.
        reads: u8,
        /// How much of the trees is stored: 0, 64, 256, ... bytes.
        stored: u8,
    },
    /// A party's part of READs.
    Read,
    /// A party's part of UPDATEs.
    Update,
}

/// One batch.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// h, from 1.
    pub log_size: u8,
    /// What is computed.
    pub operation: Operation,
    /// Up to twenty, each with keys of its own: more than eight are scanned together.
    pub queries: u8,
    /// Who computes it.
    pub role: Role3,
    /// Whether by several threads.
    pub threads: bool,
    /// Of the first query.
    pub shift: Word,
    /// Expands to all that is not given.
    pub seed: u64,
    /// K
    pub session_key: Block,
    /// Of the first key.
    pub root: Block,
    /// CWf of the first key.
    pub flag_correction: Block,
    /// Of the first key; the others come from the seed.
    pub levels: Vec<Level>,
}

/// Keys themselves cannot be copied.
struct Parts {
    root: Block,
    corrections: Vec<Correction>,
    flag_correction: Block,
    value_correction: [Word; NODE_ROWS],
}

impl Parts {
    fn random(words: &mut Words, levels: u32) -> Self {
        Self {
            root: words.block(),
            corrections: (0..levels).map(|_| correction(level(words))).collect(),
            flag_correction: words.block(),
            value_correction: [(); NODE_ROWS].map(|()| words.word()),
        }
    }

    /// Of an UPDATE item, which a READ takes as well.
    fn key(&self) -> LayeredKey {
        let corrections = self.corrections.clone();
        LayeredKey::for_test(self.root, corrections, self.flag_correction, self.value_correction.to_vec())
    }

    fn specified(&self) -> layers::LayeredKey<XorWord> {
        let correction = |c: &Correction| duoram_spec::core::dpf::Correction {
            word: c.word,
            left_flag: c.left_flag,
            right_flag: c.right_flag,
        };
        let corrections = self.corrections.iter().map(correction).collect();
        layers::LayeredKey {
            tree: Key { root: self.root, corrections },
            flag_correction: self.flag_correction,
            word_correction: ring(&self.value_correction),
        }
    }
}

fn ring(words: &[Word]) -> Vec<XorWord> {
    words.iter().map(|&bits| XorWord { bits }).collect()
}

fn bits(words: &[XorWord]) -> Vec<Word> {
    words.iter().map(|word| word.bits).collect()
}

/// A query: the keys of a and b, `F_a` and `F_b`, and S.
struct Query {
    keys: [Parts; 2],
    final_corrections: [Word; 2],
    shift: u64,
}

struct Case {
    key: SessionKey,
    prg: AesPrg,
    log_size: u32,
    role: Role,
    fast: Vec<Fast>,
    queries: Vec<Query>,
    words: Words,
}

impl Case {
    fn new(input: &Input) -> Self {
        let mut words = Words::new(input.seed);
        let log_size = 1 + u32::from(input.log_size % MAX_LOG_SIZE);
        let levels = log_size.saturating_sub(3);
        let mut queries = Vec::new();
        for number in 0..=input.queries % 20 {
            let mut keys = [(); 2].map(|()| Parts::random(&mut words, levels));
            let mut shift = words.word();
            if number == 0 {
                keys[0].root = input.root;
                keys[0].flag_correction = input.flag_correction;
                for (made, given) in keys[0].corrections.iter_mut().zip(&input.levels) {
                    *made = correction(*given);
                }
                shift = input.shift;
            }
            let final_corrections = [words.word(), words.word()];
            queries.push(Query { keys, final_corrections, shift: shift % (1 << log_size) });
        }
        let fast = if input.threads && log_size > 11 {
            threaded().to_vec()
        } else {
            let stored = match input.operation {
                Operation::Grow { stored, .. } => 1 << (2 * (stored % 12)),
                _ => 0,
            };
            let backends = if log_size > 8 { vector_backends() } else { backends() };
            backends.iter().map(|&backend| single(backend, stored)).collect()
        };
        let key = SessionKey::new(input.session_key.to_le_bytes());
        let prg = specified(input.session_key);
        Self { key, prg, log_size, role: input.role.into(), fast, queries, words }
    }

    fn vector(&mut self) -> Vec<Word> {
        self.words.words(1 << self.log_size)
    }

    /// The specification's flags of a key, where it computes them.
    fn flags(&self, parts: &Parts) -> Option<Vec<XorWord>> {
        (self.log_size <= SPECIFIED[0])
            .then(|| unit_flags(&self.prg, &parts.specified(), self.log_size as usize))
    }

    /// The keys as a computation keeps them: of a, and of b unless it is P1's.
    fn kept<C: Compute>(&self, compute: &C) -> Vec<[C::Kept; 2]> {
        let keys = self.queries.iter().flat_map(|query| query.keys.each_ref().map(Parts::key)).collect();
        let mut kept = compute.keep(&self.key, self.log_size, keys).into_iter();
        std::iter::from_fn(|| Some([kept.next()?, kept.next()?])).collect()
    }
}

/// Compares one input on all backends.
pub fn check(input: &Input) {
    let mut case = Case::new(input);
    match input.operation {
        Operation::Grow { reads, .. } => grow(&case, usize::from(reads % 4)),
        Operation::Read => read(&mut case),
        Operation::Update => update(&mut case),
    }
}

/// What growing trees yields: the sums of each level, of the flags, of the values.
type Sums = (Vec<Vec<(Block, Block)>>, Vec<Block>, Vec<Vec<Word>>);

fn grown<C: Compute>(compute: &C, case: &Case, parts: &[&Parts], reads: usize) -> Sums {
    let [flag_depth, value_depth] = [7, 3].map(|bits| case.log_size.saturating_sub(bits));
    let roots = parts.iter().map(|parts| parts.root).collect();
    let mut forest = compute.plant(&case.key, roots, value_depth);
    let (mut levels, mut flags) = (Vec::new(), Vec::new());
    for level in 0..=value_depth {
        let complete = if level < flag_depth { 0 } else { reads };
        if level == flag_depth {
            flags = compute.flag_sums(&mut forest, reads);
        }
        if level < value_depth {
            let sums = compute.grow(&mut forest);
            levels.push(sums.iter().map(|sums| (sums.left, sums.right)).collect());
            let corrections: Vec<_> =
                parts[complete..].iter().map(|parts| parts.corrections[level as usize]).collect();
            compute.correct(&mut forest, &corrections);
        }
    }
    (levels, flags, compute.value_sums(&mut forest, 1))
}

/// Of the first keys, those of READ items before those of UPDATE items, of which there is at least one.
fn grow(case: &Case, reads: usize) {
    let parts: Vec<_> = case.queries.iter().flat_map(|query| &query.keys).take(4).collect();
    let reads = reads.min(parts.len() - 1);
    let expected = grown(&Plain, case, &parts, reads);
    for fast in &case.fast {
        assert!(grown(fast, case, &parts, reads) == expected, "{}: other sums", fast.name());
    }
    let (_, flags, values) = expected;
    let labels = |parts: &Parts, below: u32| {
        labels_at(&case.prg, &parts.specified().tree, case.log_size.saturating_sub(below) as usize)
    };
    if case.log_size <= SPECIFIED[0] {
        assert_eq!(flags[0], flag_sum(&case.prg, &labels(parts[0], 7)), "X");
    }
    if case.log_size <= SPECIFIED[1] {
        let specified: Vec<XorWord> = word_sum(&case.prg, &labels(parts[reads], 3));
        assert_eq!(values[0][..], bits(&specified), "Y");
    }
}

fn read_by<C: Compute>(compute: &C, case: &Case, alpha: &[Word], beta: &[Word]) -> Vec<Word> {
    let kept = case.kept(compute);
    let shifts = || case.queries.iter().map(|query| query.shift);
    if case.role == Role::P1 {
        let memory = compute.alpha(alpha, 1);
        let keys: Vec<[C::Kept; 1]> = kept.into_iter().map(|[a, _]| [a]).collect();
        let queries: Vec<_> =
            keys.iter().zip(shifts()).map(|(keys, shift)| ReadQuery { keys, shift }).collect();
        return compute.read_1(&case.key, &memory, &queries);
    }
    let memory = compute.both(alpha, beta, 1);
    let queries: Vec<_> = kept.iter().zip(shifts()).map(|(keys, shift)| ReadQuery { keys, shift }).collect();
    match case.role {
        Role::P0 => compute.read_0(&case.key, &memory, &queries),
        _ => compute.read_2(&case.key, &memory, &queries),
    }
}

fn read(case: &mut Case) {
    let (alpha, beta) = (case.vector(), case.vector());
    let expected = read_by(&Plain, case, &alpha, &beta);
    for fast in &case.fast {
        assert_eq!(read_by(fast, case, &alpha, &beta), expected, "{}", fast.name());
    }
    let Query { keys: [a, b], shift, .. } = &case.queries[0];
    let (Some(a), Some(b)) = (case.flags(a), case.flags(b)) else { return };
    let (a, b) = (xor_shift(&a, *shift), xor_shift(&b, *shift));
    let (alpha, beta) = (ring(&alpha), ring(&beta));
    let specified = match case.role {
        Role::P0 => partial_0(&State0 { alpha, beta }, &a, &b),
        Role::P1 => partial_1(&State1 { alpha }, &a),
        Role::P2 => partial_2(&State2 { alpha, beta }, &a, &b),
    };
    assert_eq!(expected[0], specified.bits, "the specification");
}

/// The first queries, one after another; what becomes of both vectors. P1 has no beta.
fn updated<C: Inspect>(compute: &C, case: &Case, alpha: &[Word], beta: &[Word]) -> [Vec<Word>; 2] {
    if case.role == Role::P1 {
        let mut memory = compute.alpha(alpha, 1);
        update_alpha(compute, case, &mut memory);
        return [C::alpha_view(&memory).to_vec(), beta.to_vec()];
    }
    let mut memory = compute.both(alpha, beta, 1);
    update_both(compute, case, &mut memory);
    C::both_view(&memory).map(<[Word]>::to_vec)
}

fn update_alpha<C: Compute>(compute: &C, case: &Case, memory: &mut C::Alpha) {
    let keys: Vec<[C::Kept; 1]> = case.kept(compute).into_iter().map(|[a, _]| [a]).collect();
    let queries: Vec<_> = (keys.iter().zip(&case.queries))
        .map(|(keys, query)| UpdateQuery {
            keys,
            final_corrections: [&query.final_corrections[..1]],
            shift: query.shift,
        })
        .collect();
    compute.update_alpha(&case.key, memory, &queries);
}

fn update_both<C: Compute>(compute: &C, case: &Case, memory: &mut C::Both) {
    let keys = case.kept(compute);
    let queries: Vec<_> = (keys.iter().zip(&case.queries))
        .map(|(keys, query)| UpdateQuery {
            keys,
            final_corrections: query.final_corrections.each_ref().map(std::slice::from_ref),
            shift: query.shift,
        })
        .collect();
    compute.update_both(&case.key, memory, &queries);
}

fn update(case: &mut Case) {
    let (alpha, beta) = (case.vector(), case.vector());
    case.queries.truncate(3);
    let expected = updated(&Plain, case, &alpha, &beta);
    for fast in &case.fast {
        assert!(updated(fast, case, &alpha, &beta) == expected, "{}: another memory", fast.name());
    }
    if case.log_size > SPECIFIED[1] {
        return;
    }
    let sides = if case.role == Role::P1 { 1 } else { 2 };
    for (side, (before, got)) in [alpha, beta].iter().zip(&expected).enumerate().take(sides) {
        let specified = case.queries.iter().fold(ring(before), |memory, query| {
            let key = query.keys[side].specified();
            let (h, f) = (case.log_size as usize, XorWord { bits: query.final_corrections[side] });
            let (v, t): (Vec<XorWord>, Vec<XorWord>) =
                (values(&case.prg, &key, h), unit_flags(&case.prg, &key, h));
            add(&memory, &update_vector(&v, &t, f, query.shift))
        });
        assert_eq!(*got, bits(&specified), "the specification, side {side}");
    }
}
