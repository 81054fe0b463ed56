//! What a kernel must answer: by the specification, and by any computation, the reference's above all.

use std::time::{Duration, Instant};

use duoram_reference::{
    Block, HelperReadQuery, HelperUpdateQuery, Plain, ReadQuery, Role, SessionKey, UpdateQuery, Word,
};
use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::distributed_gen::child_sums;
use duoram_spec::core::dpf::{conversion_words, eval_full, signed_flags, value_words};
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{dot, indices, shift, sum};
use duoram_spec::paper::compressed::{self, CompressedState, compress};
use duoram_spec::paper::conversion::unit_share;
use duoram_spec::paper::memory::HelperState;
use duoram_spec::paper::read::unblinding;
use duoram_spec::paper::update::{update_words, updated_p2};

use super::case::{Case, Query, Scan, block_words};
use crate::view::{Inspect, PrimaryView};

/// The depth up to which the specification answers too. Beyond, it is too slow, and the reference answers alone.
pub const SPECIFIED_DEPTH: u32 = 7;

/// The answer of the reference, and up to [`SPECIFIED_DEPTH`] of the specification too.
///
/// # Errors
///
/// [`Disagreement`] of the two.
pub fn expected(case: &Case) -> Result<Vec<Word>, Disagreement> {
    let (reference, _) = computed(&Plain, case);
    if case.depth() <= SPECIFIED_DEPTH && specified(case) != reference {
        return Err(Disagreement);
    }
    Ok(reference)
}

/// Specification and reference differ: the fault is not the kernel's.
#[derive(Debug)]
pub struct Disagreement;

fn words(blocks: impl IntoIterator<Item = Block>) -> Vec<Word> {
    blocks.into_iter().flat_map(block_words).collect()
}

/// The answer of the specification.
pub fn specified(case: &Case) -> Vec<Word> {
    let prg = AesPrg { aes: expand_key(&bytes_of_block(case.session_key())) };
    match case {
        Case::Grow { trees, parents, .. } => {
            let children = parents.iter().flat_map(|parent| [prg.left(*parent), prg.right(*parent)]);
            let trees = parents.chunks(parents.len() / trees).map(|level| child_sums(&prg, level));
            words(children.chain(trees.flat_map(|sums| [sums.left, sums.right])))
        }
        Case::Evaluate { keys, .. } => {
            let sums = keys.iter().flat_map(|key| {
                let labels = eval_full(&prg, &key.specified());
                // P0's sign is +1.
                let flags: Vec<Word> = signed_flags(Primary::P0, &labels);
                let conversions: Vec<Word> = conversion_words(Primary::P0, &labels);
                let values: Vec<Word> = value_words(Primary::P0, &labels);
                let at = indices(labels.len());
                [sum(&flags), sum(&conversions), sum(&values), dot(&at, &flags), dot(&at, &conversions)]
            });
            sums.collect()
        }
        Case::Read(scan) => scan.queries.iter().flat_map(|query| specified_read(&prg, scan, query)).collect(),
        Case::Update(scan) => {
            let memory = scan.memory.clone();
            scan.queries
                .iter()
                .fold(memory, |memory, query| specified_update(&prg, scan.party, memory, query))
                .concat()
        }
    }
}

/// Who owns key one and key two.
fn owners(party: u8) -> [Primary; 2] {
    match party {
        0 => [Primary::P0; 2],
        1 => [Primary::P1; 2],
        _ => [Primary::P0, Primary::P1],
    }
}

fn specified_read(prg: &AesPrg, scan: &Scan, query: &Query) -> Vec<Word> {
    let owners = owners(scan.party);
    let unit = |k: usize| {
        let key = &query.keys[k];
        let unit: Vec<Word> = unit_share(owners[k], &eval_full(prg, &key.specified()), key.conversion_factor);
        shift(&unit, query.shift)
    };
    let [first, second] = &scan.memory;
    if scan.party == 2 {
        let (gamma_0, gamma_1) = unblinding(first, second, &unit(1), &unit(0), 0);
        return vec![gamma_0.wrapping_neg(), gamma_1.wrapping_neg()];
    }
    let state = CompressedState { combined: first.clone(), blind: second.clone() };
    vec![compressed::read_share(&state, &unit(0), &unit(1), 0)]
}

fn specified_update(prg: &AesPrg, party: u8, memory: [Vec<Word>; 2], query: &Query) -> [Vec<Word>; 2] {
    let owners = owners(party);
    let [w_one, w_two] = [0, 1].map(|k: usize| {
        let key = &query.keys[k];
        let labels = eval_full(prg, &key.specified());
        let unit: Vec<Word> = unit_share(owners[k], &labels, key.conversion_factor);
        update_words(&value_words(owners[k], &labels), &unit, query.final_corrections[k], query.shift)
    });
    let [first, second] = memory;
    if party == 2 {
        let HelperState { blind_0, blind_1 } =
            updated_p2(&HelperState { blind_0: first, blind_1: second }, &w_one, &w_two);
        return [blind_0, blind_1];
    }
    let state = CompressedState { combined: first, blind: second };
    // Keys one and two are those of DPF 2 and DPF 3.
    let updated = if party == 0 { compressed::updated_p0 } else { compressed::updated_p1 };
    let CompressedState { combined, blind } = updated(&state, &w_one, &w_two);
    [combined, blind]
}

/// The answer of a backend or of the reference, and how long it took.
pub fn computed<C: Inspect>(compute: &C, case: &Case) -> (Vec<Word>, Duration) {
    let key = SessionKey::new(case.session_key().to_le_bytes());
    match case {
        Case::Grow { trees, parents, .. } => {
            // Each parent as a tree of its own: the sums over one node are its children.
            let start = Instant::now();
            let mut forest = compute.plant(&key, parents.clone(), 1);
            let children = compute.grow(&mut forest);
            let elapsed = start.elapsed();
            let sums = children.chunks(children.len() / trees).flat_map(|tree| {
                tree.iter().fold([0; 2], |[left, right], child| [left ^ child.left, right ^ child.right])
            });
            let blocks = children.iter().flat_map(|child| [child.left, child.right]).chain(sums);
            (words(blocks), elapsed)
        }
        Case::Evaluate { keys, .. } => {
            let levels: Vec<Vec<_>> = keys.iter().map(|key| key.corrections().collect()).collect();
            let start = Instant::now();
            let mut forest = compute.plant(&key, keys.iter().map(|key| key.root).collect(), case.depth());
            for level in 0..case.depth() as usize {
                compute.grow(&mut forest);
                let corrections: Vec<_> = levels.iter().map(|levels| levels[level]).collect();
                compute.correct(&mut forest, &corrections);
            }
            let sums = compute.leaf_sums(forest);
            let elapsed = start.elapsed();
            let sums = sums.iter().flat_map(|s| {
                [s.flag_count, s.conversion_sum, s.value_sum, s.index_flag_sum, s.index_conversion_sum]
            });
            (sums.collect(), elapsed)
        }
        Case::Read(scan) => read(compute, &key, scan),
        Case::Update(scan) => update(compute, &key, scan),
    }
}

fn role(party: u8) -> Role {
    Role::from_number(party).unwrap_or(Role::P2)
}

/// A primary's memory of this C and zeta, whatever a backend keeps.
fn primary<C: Inspect>(compute: &C, [combined, blind]: &[Vec<Word>; 2]) -> C::PrimaryMemory {
    let memory_share = combined.iter().zip(blind).map(|(c, zeta)| c.wrapping_sub(*zeta)).collect();
    compute.primary_memory(memory_share, blind.clone(), vec![0; blind.len()])
}

fn read<C: Inspect>(compute: &C, key: &SessionKey, scan: &Scan) -> (Vec<Word>, Duration) {
    if scan.party == 2 {
        let [blind_0, blind_1] = scan.memory.clone();
        let memory = compute.helper_memory(blind_0, blind_1);
        let query = |Query { keys: [one, two], shift, .. }: &Query| HelperReadQuery {
            dpf_2: one.share(),
            dpf_3: two.share(),
            shift: *shift,
        };
        let queries: Vec<_> = scan.queries.iter().map(query).collect();
        let start = Instant::now();
        let results = compute.unblinding(key, &memory, &queries);
        return (results.concat(), start.elapsed());
    }
    let memory = primary(compute, &scan.memory);
    let query = |Query { keys: [one, two], shift, .. }: &Query| ReadQuery {
        read: one.share(),
        refresh: two.share(),
        shift: *shift,
    };
    let queries: Vec<_> = scan.queries.iter().map(query).collect();
    let start = Instant::now();
    let results = compute.read(key, role(scan.party), &memory, &queries);
    (results, start.elapsed())
}

fn update<C: Inspect>(compute: &C, key: &SessionKey, scan: &Scan) -> (Vec<Word>, Duration) {
    if scan.party == 2 {
        let [blind_0, blind_1] = scan.memory.clone();
        let mut memory = compute.helper_memory(blind_0, blind_1);
        let query = |query: &Query| HelperUpdateQuery {
            dpf_2: query.keys[0].share(),
            dpf_3: query.keys[1].share(),
            final_correction_2: query.final_corrections[0],
            final_correction_3: query.final_corrections[1],
            shift: query.shift,
        };
        let queries: Vec<_> = scan.queries.iter().map(query).collect();
        let start = Instant::now();
        compute.update_blinds(key, &mut memory, &queries);
        let elapsed = start.elapsed();
        let HelperState { blind_0, blind_1 } = C::helper_view(&memory);
        return ([blind_0, blind_1].concat(), elapsed);
    }
    let mut memory = primary(compute, &scan.memory);
    let query = |Query { keys: [one, two], final_corrections: [f_one, f_two], shift }: &Query| UpdateQuery {
        // DPF 1 cancels in C: any will do.
        dpfs: [one.share(), one.share(), two.share()],
        final_corrections: [0, *f_one, *f_two],
        shift: *shift,
    };
    let queries: Vec<_> = scan.queries.iter().map(query).collect();
    let start = Instant::now();
    compute.update(key, role(scan.party), &mut memory, &queries);
    let elapsed = start.elapsed();
    let CompressedState { combined, blind } = match C::primary_view(&memory) {
        PrimaryView::Paper(state) => compress(&state),
        PrimaryView::Compressed(state) => state,
    };
    ([combined, blind].concat(), elapsed)
}
