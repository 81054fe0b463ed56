//! Preparing a batch of items: what each party does, message by message.
//!
//! 1. The OTs, h for each item and direction: of a READ item the receiver's choices are the bits of q_b, of an UPDATE item its bits
//!    X_b. The READ items of a batch come first.
//! 2. Of the READ items the PIR queries, empty with the plain PIR.
//! 3. Of the UPDATE items, for each level, operands and then openings (App. C), and at the end the shares of the sum z.

use crate::core::block::Block;
use crate::core::bytes::parts;
use crate::core::dealer::final_correction_share;
use crate::core::distributed_gen::{Operands, child_sums, opening, operands, planted, reconstruct};
use crate::core::dpf::{address_bits, next_level, value_words};
use crate::core::du_atallah::AndTriple;
use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::at;
use crate::two_party::conversion::{random_index_share, sum_share, unit_share};
use crate::two_party::ot::and_triple_from_ots;
use crate::two_party::party::{Party, ReadItem, size};
use crate::two_party::tape::{READ_WORDS, UPDATE_WORDS, UpdateDraws, advance, query_index, update_draws};
use crate::two_party::update::UpdateItem;

// ---------------------------------------------------------------- what a party draws

/// The indices of a batch's queries.
pub fn drawn_indices<W, P, F>(party: &Party<W, P, F>, reads: usize) -> Vec<u64> {
    (0..reads)
        .map(|j: usize| query_index(&party.making, j.wrapping_mul(READ_WORDS), size(party.log_size)))
        .collect()
}

/// The draws for a batch's UPDATE items, which stand behind those for its READ items.
pub fn drawn_updates<W, P, F>(party: &Party<W, P, F>, reads: usize, updates: usize) -> Vec<UpdateDraws> {
    let start = reads.wrapping_mul(READ_WORDS);
    (0..updates)
        .map(|j: usize| {
            update_draws(&party.making, start.wrapping_add(j.wrapping_mul(UPDATE_WORDS)), party.log_size)
        })
        .collect()
}

/// What a party chooses in the OTs in which it is the receiver.
pub fn choices<W, P, F>(party: &Party<W, P, F>, reads: usize, updates: usize) -> Vec<bool> {
    let of_reads: Vec<bool> =
        drawn_indices(party, reads).iter().flat_map(|index| address_bits(*index, party.log_size)).collect();
    let of_updates: Vec<bool> =
        drawn_updates(party, reads, updates).iter().flat_map(|draws| draws.triple_bits.clone()).collect();
    [of_reads, of_updates].concat()
}

// ---------------------------------------------------------------- READ items

/// A batch's READ items, from the results of the OTs: the pairs that the party sent, the blocks that it received.
pub fn made_reads<W, P, F>(
    party: &Party<W, P, F>,
    reads: usize,
    pairs: &[(Block, Block)],
    received: &[Block],
) -> Vec<ReadItem> {
    drawn_indices(party, reads)
        .iter()
        .zip(parts(received, party.log_size, reads).iter())
        .zip(parts(pairs, party.log_size, reads).iter())
        .map(|((index, keys), pairs)| ReadItem {
            query_index: *index,
            keys: keys.clone(),
            pairs: pairs.clone(),
        })
        .collect()
}

// ---------------------------------------------------------------- App. C

/// The DPF of an UPDATE item under way, at one party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growing {
    /// Its XOR share of ri, a bit a level.
    pub target_bits: Vec<bool>,
    /// An AND triple a level.
    pub triples: Vec<AndTriple>,
    /// The corrected labels of the present level.
    pub labels: Vec<Block>,
}

/// The AND triples of a DPF, one a level.
pub fn level_triples(bits: &[bool], pairs: &[(Block, Block)], received: &[Block]) -> Vec<AndTriple> {
    bits.iter()
        .zip(pairs.iter())
        .zip(received.iter())
        .map(|((bit, pair), received)| and_triple_from_ots(*bit, pair, *received))
        .collect()
}

/// A batch's DPFs before the first level, from the results of all OTs of the batch.
pub fn begun<W, P, F>(
    party: &Party<W, P, F>,
    reads: usize,
    updates: usize,
    pairs: &[(Block, Block)],
    received: &[Block],
) -> Vec<Growing> {
    let used = reads.wrapping_mul(party.log_size);
    let own: Vec<(Block, Block)> = pairs.iter().skip(used).copied().collect();
    let others: Vec<Block> = received.iter().skip(used).copied().collect();
    drawn_updates(party, reads, updates)
        .iter()
        .zip(parts(&own, party.log_size, updates).iter())
        .zip(parts(&others, party.log_size, updates).iter())
        .map(|((draws, pairs), received)| Growing {
            target_bits: draws.target_bits.clone(),
            triples: level_triples(&draws.triple_bits, pairs, received),
            labels: vec![planted(party.role, draws.root)],
        })
        .collect()
}

/// This party's bit of the target at a level.
pub fn level_bit(growing: &Growing, level: usize) -> bool {
    at(&growing.target_bits, level, false)
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

/// One level more, from the other's two messages.
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
    Growing {
        target_bits: growing.target_bits.clone(),
        triples: growing.triples.clone(),
        labels: next_level(prg, &growing.labels, &correction),
    }
}

/// A level's first message, of all DPFs.
pub fn batch_operands<P: Prg>(prg: &P, batch: &[Growing], level: usize) -> Vec<Operands> {
    batch.iter().map(|growing| level_operands(prg, growing, level)).collect()
}

/// A level's second message, of all DPFs.
pub fn batch_openings<P: Prg>(prg: &P, batch: &[Growing], level: usize, received: &[Operands]) -> Vec<Block> {
    batch
        .iter()
        .zip(received.iter())
        .map(|(growing, received)| level_opening(prg, growing, level, received))
        .collect()
}

/// All DPFs after a level.
pub fn grown_batch<P: Prg>(
    prg: &P,
    batch: &[Growing],
    level: usize,
    received: &[Operands],
    received_openings: &[Block],
) -> Vec<Growing> {
    batch
        .iter()
        .zip(received.iter())
        .zip(received_openings.iter())
        .map(|((growing, received), opening)| grown(prg, growing, level, received, *opening))
        .collect()
}

// ---------------------------------------------------------------- UPDATE items

/// The last message: a share of z of each DPF.
pub fn batch_sums<W: Ring>(role: Primary, batch: &[Growing]) -> Vec<W> {
    batch.iter().map(|growing| sum_share(role, &growing.labels)).collect()
}

/// An UPDATE item, from the leaves and the other's share of z.
pub fn made_update<W: Ring>(role: Primary, labels: &[Block], received_sum: W) -> UpdateItem<W> {
    let own_sum: W = sum_share(role, labels);
    let unit: Vec<W> = unit_share(role, labels, own_sum.plus(received_sum));
    let values: Vec<W> = value_words(role, labels);
    let correction: W = final_correction_share(&values);
    let random_index_share = random_index_share(&unit);
    UpdateItem { unit, values, correction, random_index_share }
}

/// The party with the items of a batch.
pub fn prepared<W: Ring, P, F>(
    party: Party<W, P, F>,
    made_reads: &[ReadItem],
    batch: &[Growing],
    received_sums: &[W],
) -> Party<W, P, F> {
    let made_updates: Vec<UpdateItem<W>> = batch
        .iter()
        .zip(received_sums.iter())
        .map(|(growing, sum)| made_update(party.role, &growing.labels, *sum))
        .collect();
    let read_words = made_reads.len().wrapping_mul(READ_WORDS);
    let words = read_words.wrapping_add(batch.len().wrapping_mul(UPDATE_WORDS));
    let making = advance(&party.making, words);
    Party {
        making,
        reads: [party.reads.clone(), made_reads.to_vec()].concat(),
        updates: [party.updates.clone(), made_updates].concat(),
        ..party
    }
}
