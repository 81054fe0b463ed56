//! What a kernel must answer, by the specification's formulas.
//!
//! They are generic over the PRG. The specification's own computes AES bit by bit, too slowly for large trees, so the
//! formulas run over the reference's; small cases over both. That the reference's parties and our backends give the same
//! answers is tested (`tests/foreign_cases.rs`).

use duoram_reference::{Block, SessionKey, Word};
use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::distributed_gen::child_sums;
use duoram_spec::core::dpf::{conversion_words, eval_full, signed_flags, value_words};
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::ring::XorWord;
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{dot, indices, shift, sum, xor_shift};
use duoram_spec::lean::layers::{Layers, flag_sum, unit_flags, values, word_sum};
use duoram_spec::lean::memory::State1;
use duoram_spec::lean::read::partial_1;
use duoram_spec::lean::update::{update_vector, updated_1};
use duoram_spec::paper::compressed::{self, CompressedState};
use duoram_spec::paper::conversion::unit_share;
use duoram_spec::paper::memory::HelperState;
use duoram_spec::paper::read::unblinding;
use duoram_spec::paper::update::{update_words, updated_p2};

use super::case::{Case, Query, Scan, block_words};
use super::lean::{FlagKey, Selection, ValueUpdate, packed};

/// The depth up to which the specification's own PRG answers too.
pub const SPECIFIED_DEPTH: u32 = 3;

/// The reference's PRG, for the formulas of the specification.
struct ReferencePrg(SessionKey);

impl Prg for ReferencePrg {
    fn left(&self, label: Block) -> Block {
        self.0.children(label).0
    }

    fn right(&self, label: Block) -> Block {
        self.0.children(label).1
    }
}

impl Layers for ReferencePrg {
    fn output(&self, label: Block, tweak: Block) -> Block {
        self.0.outputs(label, [tweak])[0]
    }
}

/// The answer over the reference's PRG, and up to [`SPECIFIED_DEPTH`] over that of the specification too.
///
/// # Errors
///
/// [`Disagreement`] of the two.
pub fn expected(case: &Case) -> Result<Vec<Word>, Disagreement> {
    let answer = over_reference_prg(case);
    if case.depth() <= SPECIFIED_DEPTH && specified(case) != answer {
        return Err(Disagreement);
    }
    Ok(answer)
}

/// The PRGs of specification and reference differ: the fault is not the kernel's.
#[derive(Debug)]
pub struct Disagreement;

fn words(blocks: impl IntoIterator<Item = Block>) -> Vec<Word> {
    blocks.into_iter().flat_map(block_words).collect()
}

pub(super) fn over_reference_prg(case: &Case) -> Vec<Word> {
    answer(&ReferencePrg(SessionKey::new(case.session_key().to_le_bytes())), case)
}

/// The answer over the specification's own PRG: slow.
pub fn specified(case: &Case) -> Vec<Word> {
    answer(&AesPrg { aes: expand_key(&bytes_of_block(case.session_key())) }, case)
}

fn answer<P: Prg + Layers>(prg: &P, case: &Case) -> Vec<Word> {
    match case {
        Case::Grow { trees, parents, .. } => {
            let children = parents.iter().flat_map(|parent| [prg.left(*parent), prg.right(*parent)]);
            let trees = parents.chunks(parents.len() / trees).map(|level| child_sums(prg, level));
            words(children.chain(trees.flat_map(|sums| [sums.left, sums.right])))
        }
        Case::Evaluate { keys, .. } => {
            let sums = keys.iter().flat_map(|key| {
                let labels = eval_full(prg, &key.specified());
                // P0's sign is +1.
                let flags: Vec<Word> = signed_flags(Primary::P0, &labels);
                let conversions: Vec<Word> = conversion_words(Primary::P0, &labels);
                let values: Vec<Word> = value_words(Primary::P0, &labels);
                let at = indices(labels.len());
                [sum(&flags), sum(&conversions), sum(&values), dot(&at, &flags), dot(&at, &conversions)]
            });
            sums.collect()
        }
        Case::Read(scan) => scan.queries.iter().flat_map(|query| answer_to_read(prg, scan, query)).collect(),
        Case::Update(scan) => {
            let memory = scan.memory.clone();
            scan.queries
                .iter()
                .fold(memory, |memory, query| answer_to_update(prg, scan.party, memory, query))
                .concat()
        }
        Case::LeanSums { trees, parents, .. } => {
            let levels = || parents.chunks(parents.len() / trees);
            let flag_sums = words(levels().map(|level| flag_sum(prg, level)));
            flag_sums.into_iter().chain(levels().flat_map(|level| bits(&word_sum(prg, level)))).collect()
        }
        Case::LeanFlags { depth, keys, .. } => {
            let flags = |key: &FlagKey| packed(&unit_flags(prg, &key.specified(), *depth as usize));
            keys.iter().flat_map(flags).collect()
        }
        Case::LeanRead { memory, queries } => {
            let state = vector(memory);
            let read = |query: &Selection| {
                partial_1(&state, &xor_shift(&query.unpacked(memory.len()), query.shift)).bits
            };
            queries.iter().map(read).collect()
        }
        Case::LeanUpdate { memory, queries, .. } => {
            let updated = queries.iter().fold(vector(memory), |state, query| {
                let ValueUpdate { final_correction, selection, .. } = query;
                let v = values(prg, &query.specified(), case.depth() as usize);
                let t = selection.unpacked(memory.len());
                let correction = XorWord { bits: *final_correction };
                updated_1(&state, &update_vector(&v, &t, correction, selection.shift))
            });
            bits(&updated.alpha)
        }
    }
}

/// A vector of the lean protocol, as its only owner has it: P1, whose formulas for E are those of all vectors.
fn vector(memory: &[Word]) -> State1<XorWord> {
    State1 { alpha: memory.iter().map(|bits| XorWord { bits: *bits }).collect() }
}

fn bits(words: &[XorWord]) -> Vec<Word> {
    words.iter().map(|word| word.bits).collect()
}

/// Who owns key one and key two.
fn owners(party: u8) -> [Primary; 2] {
    match party {
        0 => [Primary::P0; 2],
        1 => [Primary::P1; 2],
        _ => [Primary::P0, Primary::P1],
    }
}

fn answer_to_read<P: Prg>(prg: &P, scan: &Scan, query: &Query) -> Vec<Word> {
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

fn answer_to_update<P: Prg>(prg: &P, party: u8, memory: [Vec<Word>; 2], query: &Query) -> [Vec<Word>; 2] {
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
