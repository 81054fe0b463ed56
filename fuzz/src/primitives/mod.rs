//! AES, PRG, the growth and evaluation of DPFs, READ and UPDATE scans, on every backend of this CPU.
//!
//! The oracles are two: the reference's plain computation, at every leaf and every size; and under it the specification,
//! at every node of small trees, and at one leaf of large ones (its AES goes bit by bit).

pub mod lean;

use arbitrary::Arbitrary;
use duoram_conformance::paper::view::{Inspect as _, PrimaryView};
use duoram_reference::dpf::{conversion_word, flag, value_word};
use duoram_reference::{
    Block, Compute, Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, Plain, ReadQuery, Role,
    SessionKey, UpdateQuery, Word,
};
use duoram_runtime::fast::{Fast, unit_key};
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_spec::core::distributed_gen::child_sums;
use duoram_spec::core::dpf::{self, Key, eval, eval_full, next_level};
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{add, scale, shift};
use duoram_spec::paper::compressed::{compress, read_share, updated_p0, updated_p1};
use duoram_spec::paper::conversion::unit_share;
use duoram_spec::paper::memory::PrimaryState;

use crate::computations::{backends, single, threaded, vector_backends};
use crate::prg::specified;
use crate::words::Words;

/// Two blocks of leaves in every backend's walk need 2^12 leaves; 2^13 give several threads something to share.
const MAX_DEPTH: u32 = 13;

/// Up to here every node is compared with the specification.
const SPECIFIED_DEPTH: u32 = 3;

/// The correction of one level; the lowest bit of the word is cleared.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // as in `Correction`
pub struct Level {
    pub word: Block,
    pub left_flag: bool,
    pub right_flag: bool,
}

/// What is computed.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// App. C: the sums of the children of every level of a batch of trees, and those of the leaves.
    Grow {
        /// One to four.
        trees: u8,
        /// How much of the trees is stored: 0, 64, 256, ... bytes.
        stored: u8,
    },
    /// One evaluation, summed up.
    LeafSum,
    /// A primary's part of READs.
    Read,
    /// The helper's part of READs.
    Unblinding,
    /// A primary's part of UPDATEs.
    Update,
    /// The helper's part of UPDATEs.
    UpdateBlinds,
}

/// One batch.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// h, from 1.
    pub depth: u8,
    /// What is computed.
    pub operation: Operation,
    /// One to three, each with keys of its own.
    pub queries: u8,
    /// Whether P1 computes it.
    pub party: bool,
    /// Whether by several threads.
    pub threads: bool,
    /// Of the first query.
    pub shift: Word,
    /// Of the leaf that is compared with the specification.
    pub address: Word,
    /// Expands to all that is not given.
    pub seed: u64,
    /// K
    pub session_key: Block,
    /// Of the first key.
    pub root: Block,
    /// Of the first key; the others come from the seed.
    pub levels: Vec<Level>,
}

/// Keys themselves cannot be copied.
struct Parts {
    root: Block,
    corrections: Vec<Correction>,
    factor: Word,
}

impl Parts {
    fn random(words: &mut Words, depth: u32) -> Self {
        let corrections = (0..depth).map(|_| correction(level(words))).collect();
        Self { root: words.block(), corrections, factor: words.word() }
    }

    fn key(&self) -> DpfShare {
        DpfShare::for_test(self.root, self.corrections.clone(), self.factor)
    }

    fn specified(&self) -> Key {
        let correction = |c: &Correction| dpf::Correction {
            word: c.word,
            left_flag: c.left_flag,
            right_flag: c.right_flag,
        };
        Key { root: self.root, corrections: self.corrections.iter().map(correction).collect() }
    }

    /// The party's shifted shares of the unit vector, and its value words.
    fn vectors(&self, prg: &AesPrg, party: Primary, s: Word) -> (Vec<Word>, Vec<Word>) {
        let labels = eval_full(prg, &self.specified());
        let unit: Vec<Word> = unit_share(party, &labels, self.factor);
        (shift(&unit, s), shift(&dpf::value_words::<Word>(party, &labels), s))
    }
}

fn level(words: &mut Words) -> Level {
    let bits = words.word();
    Level { word: words.block(), left_flag: bits & 1 == 1, right_flag: bits & 2 == 2 }
}

fn correction(level: Level) -> Correction {
    Correction { word: level.word & !1, left_flag: level.left_flag, right_flag: level.right_flag }
}

/// What all operations work on.
struct Case {
    key: SessionKey,
    prg: AesPrg,
    depth: u32,
    role: Role,
    fast: Vec<Fast>,
    /// The shift of each query, and its three trees with their final corrections.
    queries: Vec<(Word, [(Parts, Word); 3])>,
    words: Words,
}

impl Case {
    fn new(input: &Input) -> Self {
        let mut words = Words::new(input.seed);
        let depth = 1 + u32::from(input.depth) % MAX_DEPTH;
        let levels = (0..depth as usize).map(|i| match input.levels.get(i) {
            Some(given) => correction(*given),
            None => correction(level(&mut words)),
        });
        let corrections = levels.collect();
        let mut first = Some(Parts { root: input.root, corrections, factor: words.word() });
        let mut shift = input.shift;
        let mut queries = Vec::new();
        for _ in 0..=input.queries % 3 {
            let mut tree = || {
                let parts = first.take().unwrap_or_else(|| Parts::random(&mut words, depth));
                (parts, words.word())
            };
            let trees = [tree(), tree(), tree()];
            queries.push((shift % (1 << depth), trees));
            shift = words.word();
        }
        // Above this, threads have something to share.
        let fast = if input.threads && depth > 11 {
            threaded().to_vec()
        } else {
            let stored = match input.operation {
                Operation::Grow { stored, .. } => 1 << (2 * (stored % 12)),
                _ => 0,
            };
            let backends = if depth > 8 { vector_backends() } else { backends() };
            backends.iter().map(|&backend| single(backend, stored)).collect()
        };
        let role = if input.party { Role::P1 } else { Role::P0 };
        let key = SessionKey::new(input.session_key.to_le_bytes());
        Self { key, prg: specified(input.session_key), depth, role, fast, queries, words }
    }

    fn memory(&mut self) -> PrimaryState<Word> {
        let n = 1 << self.depth;
        PrimaryState {
            memory_share: self.words.words(n),
            blind: self.words.words(n),
            blinded: self.words.words(n),
        }
    }

    fn specified_party(&self) -> Option<Primary> {
        let party = if self.role == Role::P0 { Primary::P0 } else { Primary::P1 };
        (self.depth <= SPECIFIED_DEPTH).then_some(party)
    }
}

/// Compares one input on all backends.
pub fn check(input: &Input) {
    let mut case = Case::new(input);
    specification_and_reference(&case, input.address);
    match input.operation {
        Operation::Grow { trees, .. } => grow(&mut case, 1 + usize::from(trees % 4)),
        Operation::LeafSum => leaf_sum(&case),
        Operation::Read => read(&mut case),
        Operation::Unblinding => unblinding(&mut case),
        Operation::Update => update(&mut case),
        Operation::UpdateBlinds => update_blinds(&mut case),
    }
}

/// The reference's PRG and its evaluation of the first key.
fn specification_and_reference(case: &Case, address: Word) {
    let parts = &case.queries[0].1[0].0;
    let children = (case.prg.left(parts.root), case.prg.right(parts.root));
    assert_eq!(case.key.children(parts.root), children, "G");
    let labels = parts.key().evaluate(&case.key);
    if case.depth <= SPECIFIED_DEPTH {
        assert_eq!(*labels, eval_full(&case.prg, &parts.specified()), "EVALFULL");
    } else {
        let address = address % (1 << case.depth);
        let index = usize::try_from(address).expect("below 2^13");
        assert_eq!(labels[index], eval(&case.prg, &parts.specified(), address), "EVAL at {address}");
    }
}

fn grow(case: &mut Case, trees: usize) {
    let mut parts: Vec<Parts> = Vec::new();
    for (_, [(first, _), (second, _), _]) in case.queries.drain(..) {
        parts.extend([first, second]);
    }
    parts.truncate(trees);
    let roots: Vec<Block> = parts.iter().map(|parts| parts.root).collect();
    let mut plain = Plain.plant(&case.key, roots.clone(), case.depth);
    let mut forests: Vec<_> =
        case.fast.iter().map(|fast| fast.plant(&case.key, roots.clone(), case.depth)).collect();
    let mut specified = vec![parts[0].root];
    for level in 0..case.depth as usize {
        let corrections: Vec<Correction> = parts.iter().map(|parts| parts.corrections[level]).collect();
        let sums = Plain.grow(&mut plain);
        if case.depth <= SPECIFIED_DEPTH {
            let expected = child_sums(&case.prg, &specified);
            assert_eq!((sums[0].left, sums[0].right), (expected.left, expected.right), "level {level}");
            let correction = &parts[0].specified().corrections[level];
            specified = next_level(&case.prg, &specified, correction);
        }
        Plain.correct(&mut plain, &corrections);
        for (fast, forest) in case.fast.iter().zip(&mut forests) {
            assert_eq!(fast.grow(forest), sums, "{}, level {level}", fast.name());
            fast.correct(forest, &corrections);
        }
    }
    let sums = Plain.leaf_sums(plain);
    for (fast, forest) in case.fast.iter().zip(forests) {
        assert_eq!(fast.leaf_sums(forest), sums, "{}, leaves", fast.name());
    }
}

fn leaf_sum(case: &Case) {
    let key = case.queries[0].1[0].0.key();
    let labels = key.evaluate(&case.key);
    let sum = |of: fn(Block) -> Word| labels.iter().fold(0, |sum: Word, &label| sum.wrapping_add(of(label)));
    let expected = duoram_kernel::LeafSum {
        flag_count: sum(flag),
        conversion_sum: sum(conversion_word),
        value_sum: sum(value_word),
    };
    for fast in &case.fast {
        assert_eq!(fast.kernels(&case.key).leaf_sum(unit_key(&key).key()), expected, "{}", fast.name());
    }
}

fn load<C: Compute>(compute: &C, state: &PrimaryState<Word>) -> C::PrimaryMemory {
    compute.primary_memory(state.memory_share.clone(), state.blind.clone(), state.blinded.clone())
}

fn read(case: &mut Case) {
    let state = case.memory();
    let queries = || -> Vec<ReadQuery> {
        let query = |(shift, [(first, _), (second, _), _]): &(Word, [(Parts, Word); 3])| ReadQuery {
            read: first.key(),
            refresh: second.key(),
            shift: *shift,
        };
        case.queries.iter().map(query).collect()
    };
    let expected = Plain.read(&case.key, case.role, &load(&Plain, &state), &queries());
    if let Some(party) = case.specified_party() {
        let (shift, [(first, _), (second, _), _]) = &case.queries[0];
        let (unit_1, _) = first.vectors(&case.prg, party, *shift);
        let (unit_k, _) = second.vectors(&case.prg, party, *shift);
        assert_eq!(expected[0], read_share(&compress(&state), &unit_1, &unit_k, 0), "READ");
    }
    for fast in &case.fast {
        let got = fast.read(&case.key, case.role, &load(fast, &state), &queries());
        assert_eq!(got, expected, "{}", fast.name());
    }
}

fn unblinding(case: &mut Case) {
    let state = case.memory();
    let queries =
        || -> Vec<HelperReadQuery> {
            let query = |(shift, [(first, _), (second, _), _]): &(Word, [(Parts, Word); 3])| {
                HelperReadQuery { dpf_2: first.key(), dpf_3: second.key(), shift: *shift }
            };
            case.queries.iter().map(query).collect()
        };
    let blinds = || (state.memory_share.clone(), state.blind.clone());
    let (blind_0, blind_1) = blinds();
    let expected = Plain.unblinding(&case.key, &Plain.helper_memory(blind_0, blind_1), &queries());
    for fast in &case.fast {
        let (blind_0, blind_1) = blinds();
        let got = fast.unblinding(&case.key, &fast.helper_memory(blind_0, blind_1), &queries());
        assert_eq!(got, expected, "{}", fast.name());
    }
}

fn update(case: &mut Case) {
    let state = case.memory();
    let queries = || -> Vec<UpdateQuery> {
        let query = |(shift, trees): &(Word, [(Parts, Word); 3])| UpdateQuery {
            dpfs: trees.each_ref().map(|(parts, _)| parts.key()),
            final_corrections: trees.each_ref().map(|(_, correction)| *correction),
            shift: *shift,
        };
        case.queries.iter().map(query).collect()
    };
    let mut plain = load(&Plain, &state);
    Plain.update(&case.key, case.role, &mut plain, &queries());
    let PrimaryView::Paper(after) = Plain::primary_view(&plain) else { unreachable!("the paper's state") };
    let expected = compress(&after);
    if let (Some(party), [(shift, [_, second, third])]) = (case.specified_party(), &case.queries[..]) {
        // w = v + F t
        let words = |(parts, correction): &(Parts, Word)| {
            let (unit, values) = parts.vectors(&case.prg, party, *shift);
            add(&values, &scale(*correction, &unit))
        };
        let updated = if party == Primary::P0 { updated_p0 } else { updated_p1 };
        assert_eq!(expected, updated(&compress(&state), &words(second), &words(third)), "UPDATE");
    }
    for fast in &case.fast {
        let mut memory = load(fast, &state);
        fast.update(&case.key, case.role, &mut memory, &queries());
        assert!(
            Fast::primary_view(&memory) == PrimaryView::Compressed(expected.clone()),
            "{}: another state",
            fast.name()
        );
    }
}

fn update_blinds(case: &mut Case) {
    let state = case.memory();
    let queries = || -> Vec<HelperUpdateQuery> {
        let query = |(shift, [first, second, _]): &(Word, [(Parts, Word); 3])| HelperUpdateQuery {
            dpf_2: first.0.key(),
            dpf_3: second.0.key(),
            final_correction_2: first.1,
            final_correction_3: second.1,
            shift: *shift,
        };
        case.queries.iter().map(query).collect()
    };
    let mut plain = Plain.helper_memory(state.memory_share.clone(), state.blind.clone());
    Plain.update_blinds(&case.key, &mut plain, &queries());
    let expected = Plain::helper_view(&plain);
    for fast in &case.fast {
        let mut memory = fast.helper_memory(state.memory_share.clone(), state.blind.clone());
        fast.update_blinds(&case.key, &mut memory, &queries());
        assert!(Fast::helper_view(&memory) == expected, "{}: another state", fast.name());
    }
}
