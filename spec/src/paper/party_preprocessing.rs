//! Preparing a batch of items: what each party does, message by message.
//!
//! 1. P2 deals the triples.
//! 2. For each level, of all DPFs of the batch: operands, then openings (App. C).
//! 3. The conversion's operands and openings (App. D); with P0's operands go the deltas of the UPDATE items.
//! 4. P0 gives P2 its keys of DPF 2, P1 its keys of DPF 3, each with the factor; P2 evaluates them.
//!
//! The READ items of a batch come first; an item has DPF 1, 2 and 3.

use crate::core::block::Block;
use crate::core::bytes::{blocks_bytes, blocks_of_bytes, parts, words_bytes, words_of_bytes};
use crate::core::dealer::final_correction_share;
use crate::core::distributed_gen::{Operands, child_sums, opening, operands, planted, reconstruct};
use crate::core::dpf::{Key, address_bits, eval_full, next_level, value_words};
use crate::core::du_atallah::{AndTriple, ProductTriple};
use crate::core::prg::Prg;
use crate::core::share::Primary;
use crate::core::vector::at;
use crate::paper::conversion::{self, conversion_factor, random_index_share, unit_share};
use crate::paper::party::{
    HELPER, HelperParty, HelperRead, HelperUpdate, PrimaryParty, PrimaryRead, PrimaryUpdate, number, other,
    received,
};
use crate::paper::party_online::say;
use crate::paper::payload;
use crate::paper::preprocessing::{DpfTriples, HelperKey, PrimaryRandomness};
use crate::paper::session::{Sent, item_offset_0};
use crate::paper::tape::{PRIMARY_WORDS, advance, dpf_triples, peek, primary_randomness, triple_words};
use crate::paper::update::rerandomized_share;

// ---------------------------------------------------------------- triples

/// The triples of a batch, one entry a DPF.
pub fn batch_triples<P>(party: &HelperParty<P>, items: usize) -> Vec<DpfTriples<u64>> {
    (0..items)
        .flat_map(|j: usize| {
            let of_dpf = |k: usize| {
                let place = j.wrapping_mul(3).wrapping_add(k).wrapping_mul(triple_words(party.log_size));
                dpf_triples(&advance(&party.tape, place), party.log_size)
            };
            vec![of_dpf(0), of_dpf(1), of_dpf(2)]
        })
        .collect()
}

/// P2 to both primaries.
pub fn deal<P>(party: HelperParty<P>, items: usize) -> (HelperParty<P>, Vec<Sent>) {
    let triples = batch_triples(&party, items);
    let and_0: Vec<AndTriple> = triples.iter().flat_map(|t| t.and_0.clone()).collect();
    let and_1: Vec<AndTriple> = triples.iter().flat_map(|t| t.and_1.clone()).collect();
    let product_0: Vec<ProductTriple<u64>> = triples.iter().map(|t| t.product_0).collect();
    let product_1: Vec<ProductTriple<u64>> = triples.iter().map(|t| t.product_1).collect();
    let sent = vec![
        say(party.operation, 4, HELPER, 0, payload::triples(&and_0, &product_0)),
        say(party.operation, 4, HELPER, 1, payload::triples(&and_1, &product_1)),
    ];
    let tape = advance(&party.tape, items.wrapping_mul(3).wrapping_mul(triple_words(party.log_size)));
    (HelperParty { tape, ..party }, sent)
}

// ---------------------------------------------------------------- what a primary draws

/// Where the words of item `j` of a batch begin.
pub fn item_offset(role: Primary, j: usize, reads: usize) -> usize {
    match role {
        Primary::P0 => item_offset_0(j, reads),
        Primary::P1 => j.wrapping_mul(PRIMARY_WORDS),
    }
}

/// What P0 and P1 draw for one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draws {
    /// The XOR share of the target, a bit a level.
    pub target_bits: Vec<bool>,
    /// The root, with the party's flag.
    pub root: Block,
    /// `r_b` of App. D
    pub blind: u64,
}

/// The draws of a batch, one entry a DPF.
pub fn batch_draws<P>(party: &PrimaryParty<P>, reads: usize, updates: usize) -> Vec<Draws> {
    (0..reads.wrapping_add(updates))
        .flat_map(|j: usize| {
            let own: PrimaryRandomness<u64> =
                primary_randomness(&advance(&party.tape, item_offset(party.role, j, reads)));
            let (root_dpf_1, root_dpf_2, root_dpf_3) = own.roots;
            let (blind_dpf_1, blind_dpf_2, blind_dpf_3) = own.blinds;
            let of_dpf = |root: Block, blind: u64| Draws {
                target_bits: address_bits(own.random_index_xor, party.log_size),
                root: planted(party.role, root),
                blind,
            };
            vec![
                of_dpf(root_dpf_1, blind_dpf_1),
                of_dpf(root_dpf_2, blind_dpf_2),
                of_dpf(root_dpf_3, blind_dpf_3),
            ]
        })
        .collect()
}

/// `delta^(2)`, `delta^(3)` of each UPDATE item, one behind another: P0 draws them, P1 draws nothing.
pub fn drawn_deltas<P>(party: &PrimaryParty<P>, reads: usize, updates: usize) -> Vec<u64> {
    match party.role {
        Primary::P0 => (reads..reads.wrapping_add(updates))
            .flat_map(|j: usize| {
                let start = item_offset_0(j, reads).wrapping_add(PRIMARY_WORDS);
                vec![peek(&party.tape, start), peek(&party.tape, start.wrapping_add(1))]
            })
            .collect(),
        Primary::P1 => vec![],
    }
}

// ---------------------------------------------------------------- App. C

/// A DPF that is being made, at one primary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growing {
    /// What the party drew.
    pub draws: Draws,
    /// What P2 dealt: an AND triple a level.
    pub triples: Vec<AndTriple>,
    /// And a multiplication triple.
    pub product: ProductTriple<u64>,
    /// The key as far as it is made.
    pub key: Key,
    /// The corrected labels of the present level.
    pub labels: Vec<Block>,
}

/// A primary's DPFs before the first level, with the triples that it received.
pub fn begin<P>(party: &PrimaryParty<P>, reads: usize, updates: usize, inbox: &[Sent]) -> Vec<Growing> {
    let draws = batch_draws(party, reads, updates);
    let ands = draws.len().wrapping_mul(party.log_size);
    let (and, products) = payload::triples_of(&received(inbox, 4, HELPER, 0), ands, draws.len());
    let triples = parts(&and, party.log_size, draws.len());
    draws
        .iter()
        .zip(triples.iter().zip(products.iter()))
        .map(|(draws, (triples, product))| Growing {
            draws: draws.clone(),
            triples: triples.clone(),
            product: *product,
            key: Key { root: draws.root, corrections: vec![] },
            labels: vec![draws.root],
        })
        .collect()
}

/// This party's bit of the target at a level.
pub fn level_bit(growing: &Growing, level: usize) -> bool {
    at(&growing.draws.target_bits, level, false)
}

/// The triple of a level.
pub fn level_triple(growing: &Growing, level: usize) -> AndTriple {
    at(&growing.triples, level, AndTriple { x: 0, y: 0, z: 0 })
}

/// A level's first message, of one DPF.
pub fn level_operands<P: Prg>(prg: &P, growing: &Growing, level: usize) -> Operands {
    operands(level_bit(growing, level), &child_sums(prg, &growing.labels), &level_triple(growing, level))
}

/// A level's second message, of one DPF.
pub fn level_opening<P: Prg>(prg: &P, growing: &Growing, level: usize, received: &Operands) -> Block {
    let sums = child_sums(prg, &growing.labels);
    opening(level_bit(growing, level), &sums, &level_triple(growing, level), received)
}

/// One level more, from the other primary's two messages.
pub fn grown<P: Prg>(
    prg: &P,
    growing: &Growing,
    level: usize,
    received: &Operands,
    received_opening: Block,
) -> Growing {
    let own = level_operands(prg, growing, level);
    let own_opening = level_opening(prg, growing, level, received);
    let correction = reconstruct(&own, received, own_opening, received_opening);
    let corrections = [growing.key.corrections.clone(), vec![correction]].concat();
    Growing {
        draws: growing.draws.clone(),
        triples: growing.triples.clone(),
        product: growing.product,
        key: Key { root: growing.key.root, corrections },
        labels: next_level(prg, &growing.labels, &correction),
    }
}

/// A message of one level, to the other primary.
pub fn say_at_level<P>(party: &PrimaryParty<P>, kind: u8, level: usize, payload: Vec<u8>) -> Sent {
    Sent {
        kind,
        from: number(party.role),
        to: other(party.role),
        operation: party.operation,
        round: level as u32,
        payload,
    }
}

/// Kind 5, of all DPFs.
pub fn say_operands<P: Prg>(party: &PrimaryParty<P>, batch: &[Growing], level: usize) -> Vec<Sent> {
    let own: Vec<Operands> = batch.iter().map(|growing| level_operands(&party.prg, growing, level)).collect();
    vec![say_at_level(party, 5, level, payload::operands_bytes(&own))]
}

/// The operands of a level that a primary received, one entry a DPF.
pub fn received_operands<P>(
    party: &PrimaryParty<P>,
    batch: &[Growing],
    level: usize,
    inbox: &[Sent],
) -> Vec<Operands> {
    payload::operands_of_bytes(&received(inbox, 5, other(party.role), level), batch.len())
}

/// Kind 6, of all DPFs.
pub fn say_openings<P: Prg>(
    party: &PrimaryParty<P>,
    batch: &[Growing],
    level: usize,
    inbox: &[Sent],
) -> Vec<Sent> {
    let own: Vec<Block> = batch
        .iter()
        .zip(received_operands(party, batch, level, inbox).iter())
        .map(|(growing, received)| level_opening(&party.prg, growing, level, received))
        .collect();
    vec![say_at_level(party, 6, level, blocks_bytes(&own))]
}

/// All DPFs after a level.
pub fn grown_batch<P: Prg>(
    party: &PrimaryParty<P>,
    batch: &[Growing],
    level: usize,
    inbox: &[Sent],
) -> Vec<Growing> {
    let openings = blocks_of_bytes(&received(inbox, 6, other(party.role), level));
    batch
        .iter()
        .zip(received_operands(party, batch, level, inbox).iter())
        .zip(openings.iter())
        .map(|((growing, operands), opening)| grown(&party.prg, growing, level, operands, *opening))
        .collect()
}

// ---------------------------------------------------------------- App. D

/// What a primary brings to the conversion of one DPF.
pub fn conversion_input(growing: &Growing) -> conversion::Input<u64> {
    conversion::Input { labels: growing.labels.clone(), blind: growing.draws.blind, triple: growing.product }
}

/// A primary's own operands of the conversion.
pub fn conversion_operands(role: Primary, batch: &[Growing]) -> Vec<conversion::Operands<u64>> {
    batch.iter().map(|growing| conversion::operands(role, &conversion_input(growing))).collect()
}

/// Kind 7, of all DPFs.
pub fn say_conversion<P>(
    party: &PrimaryParty<P>,
    batch: &[Growing],
    reads: usize,
    updates: usize,
) -> Vec<Sent> {
    let own = conversion_operands(party.role, batch);
    let payload = payload::conversions(&own, &drawn_deltas(party, reads, updates));
    vec![say(party.operation, 7, number(party.role), other(party.role), payload)]
}

/// The operands, one entry a DPF, and the deltas that a primary received.
pub fn received_conversion<P>(
    party: &PrimaryParty<P>,
    batch: &[Growing],
    inbox: &[Sent],
) -> (Vec<conversion::Operands<u64>>, Vec<u64>) {
    payload::conversions_of(&received(inbox, 7, other(party.role), 0), batch.len())
}

/// A primary's shares of the opened corrections, one entry a DPF.
pub fn conversion_openings<P>(party: &PrimaryParty<P>, batch: &[Growing], inbox: &[Sent]) -> Vec<u64> {
    let (received, _) = received_conversion(party, batch, inbox);
    batch
        .iter()
        .zip(received.iter())
        .map(|(growing, received)| conversion::opening(party.role, &conversion_input(growing), received))
        .collect()
}

/// Kind 8, of all DPFs.
pub fn say_conversion_openings<P>(party: &PrimaryParty<P>, batch: &[Growing], inbox: &[Sent]) -> Vec<Sent> {
    let own = conversion_openings(party, batch, inbox);
    vec![say(party.operation, 8, number(party.role), other(party.role), words_bytes(&own))]
}

/// A made DPF, at one primary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The key.
    pub key: Key,
    /// The labels of its leaves.
    pub labels: Vec<Block>,
    /// The conversion factor A.
    pub factor: u64,
}

/// All DPFs after the conversion.
pub fn made<P>(party: &PrimaryParty<P>, batch: &[Growing], inbox: &[Sent]) -> Vec<Made> {
    let (received_operands, _) = received_conversion(party, batch, inbox);
    let received_openings = words_of_bytes(&received(inbox, 8, other(party.role), 0));
    let own = conversion_operands(party.role, batch);
    let own_openings = conversion_openings(party, batch, inbox);
    batch
        .iter()
        .zip(own.iter().zip(received_operands.iter()))
        .zip(own_openings.iter().zip(received_openings.iter()))
        .map(|((growing, (own, received)), (own_opening, received_opening))| Made {
            key: growing.key.clone(),
            labels: growing.labels.clone(),
            factor: conversion_factor(
                own.blinded_sign.wrapping_add(received.blinded_sign),
                own_opening.wrapping_add(*received_opening),
            ),
        })
        .collect()
}

// ---------------------------------------------------------------- what is left of it

/// The three DPFs of each item.
pub fn by_item(made: &[Made], items: usize) -> Vec<(Made, Made, Made)> {
    parts(made, 3, items)
        .iter()
        .flat_map(|item| match (item.first(), item.get(1), item.get(2)) {
            (Some(dpf_1), Some(dpf_2), Some(dpf_3)) => vec![(dpf_1.clone(), dpf_2.clone(), dpf_3.clone())],
            _ => vec![],
        })
        .collect()
}

/// Kind 9: from P0 its keys of DPF 2, from P1 its keys of DPF 3.
pub fn say_keys<P>(party: &PrimaryParty<P>, items: &[(Made, Made, Made)]) -> Vec<Sent> {
    let keys: Vec<HelperKey<u64>> = items
        .iter()
        .map(|(_, dpf_2, dpf_3)| {
            let dpf = match party.role {
                Primary::P0 => dpf_2,
                Primary::P1 => dpf_3,
            };
            HelperKey { key: dpf.key.clone(), factor: dpf.factor }
        })
        .collect();
    vec![say(party.operation, 9, number(party.role), HELPER, payload::keys(&keys))]
}

/// The deltas of a batch at a primary, two an item: drawn by P0, received by P1.
pub fn batch_deltas<P>(
    party: &PrimaryParty<P>,
    batch: &[Growing],
    reads: usize,
    updates: usize,
    inbox: &[Sent],
) -> Vec<u64> {
    match party.role {
        Primary::P0 => drawn_deltas(party, reads, updates),
        Primary::P1 => {
            let (_, received) = received_conversion(party, batch, inbox);
            received
        }
    }
}

/// A primary's part of a READ item.
pub fn prepared_read(role: Primary, item: &(Made, Made, Made)) -> PrimaryRead {
    let (dpf_1, dpf_2, dpf_3) = item;
    let unit = |dpf: &Made| {
        let share: Vec<u64> = unit_share(role, &dpf.labels, dpf.factor);
        share
    };
    PrimaryRead {
        units: (unit(dpf_1), unit(dpf_2), unit(dpf_3)),
        random_index_share: random_index_share(&unit(dpf_1)),
    }
}

/// A primary's part of an UPDATE item.
pub fn prepared_update(role: Primary, item: &(Made, Made, Made), deltas: &[u64]) -> PrimaryUpdate {
    let (dpf_1, dpf_2, dpf_3) = item;
    let read = prepared_read(role, item);
    let values = |dpf: &Made| {
        let words: Vec<u64> = value_words(role, &dpf.labels);
        words
    };
    let (v_dpf_1, v_dpf_2, v_dpf_3) = (values(dpf_1), values(dpf_2), values(dpf_3));
    let shares = (
        final_correction_share(&v_dpf_1),
        final_correction_share(&v_dpf_2),
        final_correction_share(&v_dpf_3),
    );
    PrimaryUpdate {
        units: read.units,
        values: (v_dpf_1, v_dpf_2, v_dpf_3),
        corrections: rerandomized_share(role, shares, at(deltas, 0, 0), at(deltas, 1, 0)),
        random_index_share: read.random_index_share,
    }
}

/// A primary with the items of a batch, `reads` of them for READs.
pub fn prepared_primary<P>(
    party: PrimaryParty<P>,
    items: &[(Made, Made, Made)],
    deltas: &[u64],
    reads: usize,
) -> PrimaryParty<P> {
    let new_reads: Vec<PrimaryRead> =
        items.iter().take(reads).map(|item| prepared_read(party.role, item)).collect();
    let new_updates: Vec<PrimaryUpdate> = items
        .iter()
        .skip(reads)
        .zip(parts(deltas, 2, deltas.len().wrapping_shr(1)).iter())
        .map(|(item, deltas)| prepared_update(party.role, item, deltas))
        .collect();
    PrimaryParty {
        tape: advance(&party.tape, item_offset(party.role, items.len(), reads)),
        reads: [party.reads.clone(), new_reads].concat(),
        updates: [party.updates.clone(), new_updates].concat(),
        operation: party.operation.wrapping_add(1),
        ..party
    }
}

/// P2 with its part of the items, from the keys that it received.
pub fn prepared_helper<P: Prg>(
    party: HelperParty<P>,
    reads: usize,
    updates: usize,
    inbox: &[Sent],
) -> HelperParty<P> {
    let items = reads.wrapping_add(updates);
    let keys_0 = payload::keys_of(&received(inbox, 9, 0, 0), party.log_size, items);
    let keys_1 = payload::keys_of(&received(inbox, 9, 1, 0), party.log_size, items);
    let new: Vec<HelperUpdate> = keys_0
        .iter()
        .zip(keys_1.iter())
        .map(|(key_0, key_1)| {
            let labels_0 = eval_full(&party.prg, &key_0.key);
            let labels_1 = eval_full(&party.prg, &key_1.key);
            HelperUpdate {
                unit_0_dpf_2: unit_share(Primary::P0, &labels_0, key_0.factor),
                unit_1_dpf_3: unit_share(Primary::P1, &labels_1, key_1.factor),
                values_0_dpf_2: value_words(Primary::P0, &labels_0),
                values_1_dpf_3: value_words(Primary::P1, &labels_1),
            }
        })
        .collect();
    let new_reads: Vec<HelperRead> = new
        .iter()
        .take(reads)
        .map(|item| HelperRead {
            unit_0_dpf_2: item.unit_0_dpf_2.clone(),
            unit_1_dpf_3: item.unit_1_dpf_3.clone(),
        })
        .collect();
    let new_updates: Vec<HelperUpdate> = new.iter().skip(reads).cloned().collect();
    HelperParty {
        reads: [party.reads.clone(), new_reads].concat(),
        updates: [party.updates.clone(), new_updates].concat(),
        operation: party.operation.wrapping_add(1),
        ..party
    }
}
