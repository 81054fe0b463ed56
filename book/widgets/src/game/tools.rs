//! What wins: for each fault a few lines of arithmetic on what its party sees, and nothing else.

use std::collections::BTreeSet;

use duoram_spec::core::block::flag;
use duoram_spec::core::bytes::words_of_bytes;
use duoram_spec::core::dealer::final_correction_share;
use duoram_spec::core::dpf::{address_bits, leaf_flags};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{add, dot, mod_size, shift};
use duoram_spec::paper::party::{HELPER, received};
use duoram_spec::paper::party_preprocessing::{batch_draws, batch_triples, begin, grown_batch};
use duoram_spec::paper::payload;
use duoram_spec::paper::read::{reconstruct_shift, shift_share};
use duoram_spec::paper::session::Sent;
use serde::Serialize;

use crate::game::faults::Fault;
use crate::game::lean_tools;
use crate::game::prg::GamePrg;
use crate::game::script::{Addend, LOG_SIZE, N, Operation, Script, Side, differing};
use crate::game::seen::{Asked, PaperHelper, PaperPrimary, Seen};

/// A name in the paper's symbols, and its words as they are shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
}

/// What a tool has computed, and which script that fits: neither, if it fits none or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) lines: Vec<Line>,
    pub(crate) verdict: Option<Side>,
}

pub(crate) fn line(name: &str, words: &[u64]) -> Line {
    Line { name: name.to_owned(), words: words.iter().map(|word| shown(*word)).collect() }
}

/// A small number in decimal, the negative of one too, and any other word in 16 hexadecimal digits.
pub(crate) fn shown(word: u64) -> String {
    match (word, word.wrapping_neg()) {
        (0..1000, _) => word.to_string(),
        (_, 0..1000) => format!("-{}", word.wrapping_neg()),
        _ => format!("{word:016x}"),
    }
}

/// The one script that fits.
pub(crate) fn only(fits_a: bool, fits_b: bool) -> Option<Side> {
    match (fits_a, fits_b) {
        (true, false) => Some(Side::A),
        (false, true) => Some(Side::B),
        _ => None,
    }
}

/// The tool that is shown with a fault, on a view of its party.
///
/// # Panics
///
/// If the view is of another party than the fault's: `see` makes no such view.
pub(crate) fn found<P: GamePrg>(fault: Fault, seen: &Seen<P>, scripts: &[Script; 2]) -> Found {
    match (fault, seen) {
        (Fault::RootsEqual, Seen::Helper(view)) => sum_of_units(view, scripts),
        (Fault::ItemTwice, Seen::Helper(view)) => difference_of_shifts(view, scripts),
        (Fault::DeltasZero | Fault::DeltasEqual, Seen::Helper(view)) => unmasked_value(view, scripts),
        (Fault::HeardByHelper, Seen::Helper(view)) => unmasked_index(view, scripts),
        (Fault::LowestBit, Seen::Helper(view)) => told_bits(view, scripts),
        (Fault::NoRho, Seen::Primary(view)) => blind_at_address(view, scripts),
        (Fault::TripleReused, Seen::Primary(view)) => equal_bits(view, scripts),
        (Fault::SignNotBlinded, Seen::Primary(view)) => own_flags(view, scripts),
        (Fault::LoadNotBlinded, Seen::Primary(view)) => opened_memory(view, scripts),
        (Fault::RhoTwice, Seen::Primary(view)) => difference_of_answers(view, scripts),
        (Fault::FlagInValue, Seen::Primary(view)) => parity(view, scripts),
        (Fault::LeanStaleRho, Seen::Lean0(view)) => lean_tools::difference_of_answers(view, scripts),
        (Fault::LeanNoX, Seen::Lean2(view)) => lean_tools::unmasked_share(view, scripts),
        (Fault::LeanNoG, Seen::Lean2(view)) => lean_tools::unmasked_value(view, scripts),
        _ => panic!("{fault:?}: a view of another party"),
    }
}

/// The address of an operation of each script.
pub(crate) fn addresses(scripts: &[Script; 2], operation: usize) -> [u64; 2] {
    [0, 1].map(|side| match scripts[side].operations[operation] {
        Operation::Read(address) | Operation::Update { address, .. } => address,
    })
}

/// The value that each script adds, or P1's share of it.
pub(crate) fn addends(scripts: &[Script; 2]) -> [u64; 2] {
    [0, 1].map(|side| match scripts[side].operations.first() {
        Some(Operation::Update { value: Addend::Value(word) | Addend::ShareOfP1(word), .. }) => *word,
        _ => 0,
    })
}

/// The words of the one message of a kind from a party.
pub(crate) fn words(inbox: &[Sent], kind: u8, from: u8) -> Vec<u64> {
    words_of_bytes(&received(inbox, kind, from, 0))
}

fn of_vector(vector: &[u64], place: u64) -> u64 {
    vector.get(usize::try_from(place).unwrap_or(usize::MAX)).copied().unwrap_or(0)
}

/// Strikes out the scripts whose address has an index that `fits` refuses; an index is of an operation.
fn struck(
    scripts: &[Script; 2],
    shifts: &[u64],
    fits: impl Fn(usize, u64) -> bool,
) -> (Vec<[u64; 2]>, Option<Side>) {
    let candidates: Vec<[u64; 2]> = shifts
        .iter()
        .enumerate()
        .map(|(operation, s)| {
            addresses(scripts, operation).map(|address| mod_size(address.wrapping_sub(*s), N))
        })
        .collect();
    let all_fit = |side: usize| {
        candidates.iter().enumerate().all(|(operation, indices)| fits(operation, indices[side]))
    };
    let verdict = only(all_fit(0), all_fit(1));
    (candidates, verdict)
}

// ---------------------------------------------------------------- P2

/// `S` of an operation, at P2: of a READ, or of an UPDATE.
fn helper_shift(asked: &Asked<Sent, ()>) -> u64 {
    let kind = if words(&asked.inbox, 10, 0).is_empty() { 13 } else { 10 };
    let share = |from| words(&asked.inbox, kind, from).first().copied().unwrap_or(0);
    reconstruct_shift(share(0), share(1), N)
}

fn sum_of_units<P>(view: &PaperHelper<P>, scripts: &[Script; 2]) -> Found {
    let item = &view.prepared.reads[0];
    let sum: Vec<u64> = add(&item.unit_0_dpf_2, &item.unit_1_dpf_3);
    let s = helper_shift(&view.operations[0]);
    let mut lines = vec![line("`t_0^(2) + t_1^(3)`", &sum), line("`S`", &[s])];
    let ones: Vec<u64> = (0..N as u64).filter(|place| of_vector(&sum, *place) == 1).collect();
    let [ri] = ones[..] else { return Found { lines, verdict: None } };
    let address = mod_size(ri.wrapping_add(s), N);
    lines.extend([line("`ri`", &[ri]), line("`ri + S`", &[address])]);
    let [a, b] = addresses(scripts, 0);
    Found { lines, verdict: only(a == address, b == address) }
}

fn difference_of_shifts<P>(view: &PaperHelper<P>, scripts: &[Script; 2]) -> Found {
    let [first, second] = [0, 1].map(|operation| helper_shift(&view.operations[operation]));
    let difference = mod_size(second.wrapping_sub(first), N);
    let [first_addresses, second_addresses] = [0, 1].map(|operation| addresses(scripts, operation));
    let fits =
        |side: usize| mod_size(second_addresses[side].wrapping_sub(first_addresses[side]), N) == difference;
    Found {
        lines: vec![
            line("`S`", &[first]),
            line("`S` of READ 2", &[second]),
            line("difference", &[difference]),
        ],
        verdict: only(fits(0), fits(1)),
    }
}

fn unmasked_value<P>(view: &PaperHelper<P>, scripts: &[Script; 2]) -> Found {
    let item = &view.prepared.updates[0];
    let f_0 = final_correction_share(&item.values_0_dpf_2);
    let f_1 = final_correction_share(&item.values_1_dpf_3);
    let inbox = &view.operations[0].inbox;
    // The shift, then what is masked by DPF 2, then by DPF 3.
    let sent_0 = of_vector(&words(inbox, 13, 0), 1);
    let sent_1 = of_vector(&words(inbox, 13, 1), 2);
    let rests = [sent_0.wrapping_sub(f_0), sent_1.wrapping_sub(f_1)];
    let value = rests[0].wrapping_add(rests[1]);
    let [a, b] = addends(scripts);
    Found {
        lines: vec![
            line("`F_0^(2)`", &[f_0]),
            line("`F_1^(3)`", &[f_1]),
            line("what is left of P0’s word", &rests[..1]),
            line("what is left of P1’s word", &rests[1..]),
            line("sum", &[value]),
        ],
        verdict: only(a == value, b == value),
    }
}

fn unmasked_index<P>(view: &PaperHelper<P>, scripts: &[Script; 2]) -> Found {
    let triples = batch_triples(&view.loaded, 1);
    let preparing = &view.told[2];
    let heard = |from: u8, level: usize| {
        let payload = received(preparing, 5, from, level);
        payload::operands_of_bytes(&payload, 3).first().is_some_and(|operands| operands.masked_bit)
    };
    let bits: Vec<u64> = (0..LOG_SIZE)
        .map(|level| {
            let dealt = triples[0].and_0[level].x ^ triples[0].and_1[level].x;
            u64::from(heard(0, level) ^ heard(1, level) ^ flag(dealt))
        })
        .collect();
    let ri = bits.iter().fold(0, |index, bit| 2 * index + bit);
    let s = helper_shift(&view.operations[0]);
    let address = mod_size(ri.wrapping_add(s), N);
    let [a, b] = addresses(scripts, 0);
    Found {
        lines: vec![
            line("bits of `ri`", &bits),
            line("`ri`", &[ri]),
            line("`S`", &[s]),
            line("`ri + S`", &[address]),
        ],
        verdict: only(a == address, b == address),
    }
}

/// The bits of `ri` that the correction words tell, one list an item; nothing where both flag corrections are equal.
fn told_bits<P>(view: &PaperHelper<P>, scripts: &[Script; 2]) -> Found {
    let items = view.operations.len();
    let keys = [0, 1].map(|from| payload::keys_of(&received(&view.told[2], 9, from, 0), LOG_SIZE, items));
    let told: Vec<Vec<(usize, bool)>> = (0..items)
        .map(|item| {
            let corrections = keys.iter().flat_map(|keys| keys[item].key.corrections.iter().enumerate());
            corrections
                .filter(|(_, correction)| correction.left_flag != correction.right_flag)
                .map(|(level, correction)| (level, flag(correction.word) == correction.left_flag))
                .collect()
        })
        .collect();
    let shifts: Vec<u64> = view.operations.iter().map(helper_shift).collect();
    let (candidates, verdict) = struck(scripts, &shifts, |item, index| {
        let bits = address_bits(index, LOG_SIZE);
        told[item].iter().all(|(level, bit)| bits[*level] == *bit)
    });
    let lines = (0..items)
        .flat_map(|item| {
            let bit = |level: usize| {
                let told = told[item].iter().filter(|(place, _)| *place == level);
                let bits: BTreeSet<u8> = told.map(|(_, bit)| u8::from(*bit)).collect();
                match bits.iter().collect::<Vec<_>>()[..] {
                    [bit] => bit.to_string(),
                    [] => "?".to_owned(),
                    _ => "0, 1".to_owned(),
                }
            };
            let name = format!("READ {}: bits of `ri` told", item + 1);
            [
                Line { name, words: (0..LOG_SIZE).map(bit).collect() },
                line(&format!("READ {}: `ri`, if it was A", item + 1), &binary(candidates[item][0])),
                line(&format!("READ {}: `ri`, if it was B", item + 1), &binary(candidates[item][1])),
            ]
        })
        .collect();
    Found { lines, verdict }
}

fn binary(index: u64) -> Vec<u64> {
    address_bits(index, LOG_SIZE).into_iter().map(u64::from).collect()
}

// ---------------------------------------------------------------- P0 and P1

/// `S` of a READ, at a primary.
fn primary_shift<P>(view: &PaperPrimary<P>, operation: usize) -> u64 {
    let asked = &view.operations[operation];
    let own = shift_share(asked.query.address, view.prepared.reads[asked.item].random_index_share, N);
    reconstruct_shift(own, of_vector(&words(&asked.inbox, 10, other(view)), 0), N)
}

fn other<P>(view: &PaperPrimary<P>) -> u8 {
    duoram_spec::paper::party::other(view.loaded.role)
}

/// `<zeta_b, t_b>` for this party's share of the vector that P2 has the other share of, without gamma.
fn answer_unmasked<P>(view: &PaperPrimary<P>, operation: usize) -> u64 {
    let asked = &view.operations[operation];
    let units = &view.prepared.reads[asked.item].units;
    let own = if view.loaded.role == Primary::P0 { &units.2 } else { &units.1 };
    let gamma = of_vector(&words(&asked.inbox, 11, HELPER), 0);
    dot(&view.prepared.state.blind, &shift(own, primary_shift(view, operation))).wrapping_sub(gamma)
}

fn blind_at_address<P>(view: &PaperPrimary<P>, scripts: &[Script; 2]) -> Found {
    let blind = &view.prepared.state.blind;
    let word = answer_unmasked(view, 0);
    let [a, b] = addresses(scripts, 0).map(|address| of_vector(blind, address));
    let own = dot(blind, &shift(&view.prepared.reads[0].units.2, primary_shift(view, 0)));
    Found {
        lines: vec![
            line("`S`", &[primary_shift(view, 0)]),
            line("product", &[own]),
            line("product - `gamma_0`", &[word]),
            line("`zeta_0[i*]`, if it was A", &[a]),
            line("`zeta_0[i*]`, if it was B", &[b]),
        ],
        verdict: only(a == word, b == word),
    }
}

fn difference_of_answers<P>(view: &PaperPrimary<P>, scripts: &[Script; 2]) -> Found {
    let [first, second] = [0, 1].map(|operation| answer_unmasked(view, operation));
    let difference = second.wrapping_sub(first);
    let blind = &view.prepared.state.blind;
    let [first_addresses, second_addresses] = [0, 1].map(|operation| addresses(scripts, operation));
    let expected = [0, 1].map(|side: usize| {
        of_vector(blind, second_addresses[side]).wrapping_sub(of_vector(blind, first_addresses[side]))
    });
    Found {
        lines: vec![
            line("product - `gamma_1`", &[first]),
            line("the same of READ 2", &[second]),
            line("difference", &[difference]),
            line("difference, if it was A", &expected[..1]),
            line("difference, if it was B", &expected[1..]),
        ],
        verdict: only(expected[0] == difference, expected[1] == difference),
    }
}

fn equal_bits<P>(view: &PaperPrimary<P>, scripts: &[Script; 2]) -> Found {
    let preparing = &view.told[2];
    let own = &batch_draws(&view.loaded, 1, 0)[0].target_bits;
    let masked: Vec<bool> = (0..LOG_SIZE)
        .map(|level| {
            let payload = received(preparing, 5, other(view), level);
            payload::operands_of_bytes(&payload, 3).first().is_some_and(|operands| operands.masked_bit)
        })
        .collect();
    let under_one_mask: Vec<bool> = own.iter().zip(&masked).map(|(own, masked)| own ^ masked).collect();
    let neighbours = |bits: &[bool]| bits.windows(2).map(|pair| pair[0] ^ pair[1]).collect::<Vec<bool>>();
    let told = neighbours(&under_one_mask);
    let (candidates, verdict) = struck(scripts, &[primary_shift(view, 0)], |_, index| {
        neighbours(&address_bits(index, LOG_SIZE)) == told
    });
    let bits = |bits: &[bool]| bits.iter().map(|bit| u64::from(*bit)).collect::<Vec<u64>>();
    Found {
        lines: vec![
            line("P1’s masked bits", &bits(&masked)),
            line("own bits", &bits(own)),
            line("neighbours of `ri` differ", &bits(&told)),
            line("`ri`, if it was A", &binary(candidates[0][0])),
            line("`ri`, if it was B", &binary(candidates[0][1])),
        ],
        verdict,
    }
}

/// The flags of a primary's leaves, of each DPF of a batch, grown from what it drew and what it was sent.
pub(crate) fn own_leaf_flags<P: GamePrg>(view: &PaperPrimary<P>) -> Vec<Vec<bool>> {
    let (reads, updates) = (view.prepared.reads.len(), view.prepared.updates.len());
    let preparing = &view.told[2];
    let begun = begin(&view.loaded, reads, updates, preparing);
    let grown = (0..LOG_SIZE).fold(begun, |batch, level| grown_batch(&view.loaded, &batch, level, preparing));
    grown.iter().map(|growing| leaf_flags(&growing.labels)).collect()
}

fn own_flags<P: GamePrg>(view: &PaperPrimary<P>, scripts: &[Script; 2]) -> Found {
    let items = view.operations.len();
    let (operands, _) = payload::conversions_of(&received(&view.told[2], 7, other(view), 0), items * 3);
    // Of each DPF where the own flag is 1, and the sign: whether it is 1 at ri.
    let of_dpfs: Vec<(Vec<bool>, u64)> = own_leaf_flags(view)
        .into_iter()
        .zip(&operands)
        .map(|(flags, sent)| {
            let ones = flags.iter().filter(|flag| **flag).count() as u64;
            (flags, ones.wrapping_add(sent.blinded_sign))
        })
        .collect();
    let told: Vec<&[(Vec<bool>, u64)]> = of_dpfs.chunks(3).collect();
    let shifts: Vec<u64> = (0..items).map(|operation| primary_shift(view, operation)).collect();
    let (candidates, verdict) = struck(scripts, &shifts, |item, index| {
        let place = usize::try_from(index).unwrap_or(0);
        told[item].iter().all(|(flags, sign)| *sign == if flags[place] { 1 } else { u64::MAX })
    });
    let lines = (0..items)
        .flat_map(|item| {
            let dpfs = told[item].iter().enumerate().flat_map(|(dpf, (flags, sign))| {
                let bits: Vec<u64> = flags.iter().map(|flag| u64::from(*flag)).collect();
                let (read, dpf) = (item + 1, dpf + 1);
                [
                    line(&format!("READ {read}, DPF {dpf}: own flags"), &bits),
                    line(&format!("READ {read}, DPF {dpf}: `pm`"), &[*sign]),
                ]
            });
            let [a, b] = candidates[item];
            let indices = [("A", a), ("B", b)]
                .map(|(side, index)| line(&format!("READ {}: `ri`, if it was {side}", item + 1), &[index]));
            dpfs.chain(indices).collect::<Vec<Line>>()
        })
        .collect();
    Found { lines, verdict }
}

fn opened_memory<P>(view: &PaperPrimary<P>, scripts: &[Script; 2]) -> Found {
    let state = &view.loaded.state;
    let sum: Vec<u64> = add(&state.blinded, &state.memory_share);
    let place = differing(scripts).unwrap_or(0);
    let fits = |side: usize| scripts[side].memory[place] == sum[place];
    Found { lines: vec![line("`D~_0 + D_1`", &sum)], verdict: only(fits(0), fits(1)) }
}

fn parity<P>(view: &PaperPrimary<P>, scripts: &[Script; 2]) -> Found {
    let asked = &view.operations[0];
    let own = asked.query.value.wrapping_add(view.prepared.updates[asked.item].corrections.0);
    let sent = of_vector(&words(&asked.inbox, 12, other(view)), 1);
    let opened = own.wrapping_add(sent);
    let [a, b] = addends(scripts);
    let fits = |value: u64| opened & 1 != value & 1;
    Found {
        lines: vec![
            line("`M_1 + F_1^(1)`", &[own]),
            line("`M_0 + F_0^(1)`", &[sent]),
            line("sum", &[opened]),
            line("its lowest bit", &[opened & 1]),
        ],
        verdict: only(fits(a), fits(b)),
    }
}
