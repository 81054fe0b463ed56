//! A party's functions of READ, UPDATE, WRITE and SWAP.
//!
//! An item is good for one query. The items of a kind are used in the order in which they were made, and the functions that end
//! a step return the party without those that it used.

use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::two_party::masks::{Prf, masked_table, unmasked};
use crate::two_party::party::{Party, ReadItem, size};
use crate::two_party::read::{blinded_rotation, ideal_symmetric_pir};
use crate::two_party::tape::{advance, peek};
use crate::two_party::update::{UpdateItem, UpdateMessage, message, shift_share, updated};
use crate::two_party::write::difference;

// ---------------------------------------------------------------- READ

/// What a party sends first, a word a query: `s_b = i*_b - q_b` mod n.
pub fn read_shifts<W, P, F>(party: &Party<W, P, F>, addresses: &[u64]) -> Vec<u64> {
    addresses
        .iter()
        .zip(party.reads.iter())
        .map(|(address, item)| shift_share(*address, item.query_index, size(party.log_size)))
        .collect()
}

/// r_b of a query, which hides the word from the other.
pub fn read_blind<W: Ring, P, F>(party: &Party<W, P, F>, query: usize) -> W {
    W::from_u64(peek(&party.blinds, query))
}

/// What a party answers: of each query its memory, turned to the other's index, blinded, and masked. With the plain PIR that
/// whole table is the answer.
pub fn read_answers<W: Ring, P, F: Prf>(
    party: &Party<W, P, F>,
    addresses: &[u64],
    received_shifts: &[u64],
) -> Vec<Vec<W>> {
    addresses
        .iter()
        .zip(received_shifts.iter())
        .zip(party.reads.iter())
        .enumerate()
        .map(|(query, ((address, shift), item)): (usize, ((&u64, &u64), &ReadItem))| {
            let blind: W = read_blind(party, query);
            let table = blinded_rotation(&party.memory_share, *address, *shift, blind);
            masked_table(&party.prf, &item.pairs, &table)
        })
        .collect()
}

/// A party's shares of the words, from the answers.
pub fn read_results<W: Ring, P, F: Prf>(party: &Party<W, P, F>, answers: &[Vec<W>]) -> Vec<W> {
    answers
        .iter()
        .zip(party.reads.iter())
        .enumerate()
        .map(|(query, (answer, item)): (usize, (&Vec<W>, &ReadItem))| {
            let masked = ideal_symmetric_pir(answer, item.query_index);
            let blind: W = read_blind(party, query);
            unmasked(&party.prf, &item.keys, item.query_index, masked).minus(blind)
        })
        .collect()
}

/// The party behind `queries` READs: their items are gone, and their blinds.
pub fn after_reads<W, P, F>(party: Party<W, P, F>, queries: usize) -> Party<W, P, F> {
    let blinds = advance(&party.blinds, queries);
    let reads: Vec<ReadItem> = party.reads.iter().skip(queries).cloned().collect();
    Party { blinds, reads, ..party }
}

// ---------------------------------------------------------------- UPDATE

/// A party's shares of one query: of the address, and of M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query<W> {
    /// `i*_b`
    pub address: u64,
    /// `M_b`
    pub value: W,
}

/// What a party sends, a message a query.
pub fn update_messages<W: Ring, P, F>(party: &Party<W, P, F>, queries: &[Query<W>]) -> Vec<UpdateMessage<W>> {
    queries
        .iter()
        .zip(party.updates.iter())
        .map(|(query, item)| message(item, query.address, query.value))
        .collect()
}

/// The party after the UPDATEs, one after another, from its own messages and the other's.
pub fn updates<W: Ring, P, F>(
    party: Party<W, P, F>,
    own: &[UpdateMessage<W>],
    received: &[UpdateMessage<W>],
) -> Party<W, P, F> {
    let memory_share = own
        .iter()
        .zip(received.iter())
        .zip(party.updates.iter())
        .fold(party.memory_share.clone(), |memory_share, ((own, received), item)| {
            updated(&memory_share, item, own, received)
        });
    let updates: Vec<UpdateItem<W>> = party.updates.iter().skip(own.len()).cloned().collect();
    Party { memory_share, updates, ..party }
}

// ---------------------------------------------------------------- WRITE and SWAP

/// The UPDATE of a WRITE or SWAP, from the READ's result.
pub fn write_query<W: Ring>(query: &Query<W>, results: &[W]) -> Query<W> {
    Query { address: query.address, value: difference(query.value, at(results, 0, W::zero())) }
}
