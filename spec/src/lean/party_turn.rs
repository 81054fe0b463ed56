//! A whole step of one party as one function: from its own state, its own inputs, the step's number and all that it was sent in the step to
//! its new state, all that it sends, and its results.
//!
//! The step's messages are not there all at once: what a party says first goes into what it is told next. But each message is made of
//! those that came before it, so that with the whole inbox at hand a party says the same. That this is what each party of a
//! [session](crate::lean::session) does is proved (`proofs/rocq/lean/Locality.v`) and tested (`spec/tests/lean_locality.rs`).

use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::lean::delivery::{received, received_chunks};
use crate::lean::layers::Layers;
use crate::lean::online::{
    Query, read_shifts_0, read_shifts_1, reads_0, reads_1, reads_2, swap_result_0, swap_result_1,
    swap_unblinding, update_messages_0, update_messages_1, updates_0, updates_1, updates_2, used_0, used_1,
    used_2, write_part_0, write_part_1, write_part_2, write_shifts_0, write_shifts_1,
};
use crate::lean::party::{Party0, Party1, Party2, load_0, load_1, loaded_0, loaded_2};
use crate::lean::payload;
use crate::lean::prepare_turn::{Turn, prepare_0, prepare_1, prepare_2};
use crate::lean::read::reconstruct_shift;
use crate::lean::session::{Sent, chunks};
use crate::lean::write::final_correction;

/// What a primary is to do in a step, with its own shares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrimaryTask<W> {
    /// Its share of a memory.
    Load {
        /// `D_b`
        memory_share: Vec<W>,
    },
    /// A batch of items.
    Preprocess {
        /// READ items
        reads: usize,
        /// UPDATE items
        updates: usize,
    },
    /// Its shares of addresses.
    Reads {
        /// `i*_b` of each query
        addresses: Vec<u64>,
    },
    /// UPDATEs.
    Updates {
        /// Its shares of each query
        queries: Vec<Query<W>>,
    },
    /// A WRITE or a SWAP.
    Put {
        /// Its shares of it
        query: Query<W>,
        /// Whether the word that was there is a result.
        swap: bool,
    },
}

/// What P2 is to do in a step: it has no inputs, and knows how many queries there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelperTask {
    /// A load.
    Load,
    /// A batch of items.
    Preprocess {
        /// READ items
        reads: usize,
        /// UPDATE items
        updates: usize,
    },
    /// READs.
    Reads {
        /// How many
        queries: usize,
    },
    /// UPDATEs.
    Updates {
        /// How many
        queries: usize,
    },
    /// A WRITE or a SWAP.
    Put {
        /// Whether the word that was there is a result.
        swap: bool,
    },
}

/// A message of the step to one party.
pub fn say(operation: u64, kind: u8, from: u8, to: u8, round: u32, payload: &[u8]) -> Sent {
    Sent { kind, from, to, operation, round, payload: payload.to_vec() }
}

/// The same from a primary to the other two.
pub fn say_to_both(operation: u64, kind: u8, from: u8, round: u32, payload: &[u8]) -> Vec<Sent> {
    vec![say(operation, kind, from, 1 ^ from, round, payload), say(operation, kind, from, 2, round, payload)]
}

/// The shares of shifts that a primary sent.
pub fn received_shifts(inbox: &[Sent], from: u8, log_size: usize, queries: usize) -> Vec<u64> {
    payload::addresses_of(&received(inbox, 12, from, 0), log_size, queries)
}

/// The word that is the payload of a message of round 1.
pub fn received_word<W: Ring>(inbox: &[Sent], kind: u8, from: u8) -> W {
    let words: Vec<W> = payload::ring_of_bytes(&received(inbox, kind, from, 1));
    at(&words, 0, W::zero())
}

/// S of a WRITE or SWAP, from a primary's own share and the other's.
pub fn put_shift(own: &[u64], other: &[u64]) -> u64 {
    reconstruct_shift(at(own, 0, 0), at(other, 0, 0))
}

// ---------------------------------------------------------------- P0

/// READs at P0.
pub fn reads_turn_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    operation: u64,
    addresses: &[u64],
    inbox: &[Sent],
) -> Turn<Party0<W, P>, W> {
    let log_size = p0.log_size;
    let shifts = read_shifts_0(&p0, addresses);
    let from_1 = received_shifts(inbox, 1, log_size, addresses.len());
    let unblindings: Vec<W> = payload::ring_of_bytes(&received(inbox, 13, 2, 1));
    let (party, results) = reads_0(p0, addresses, &from_1, &unblindings);
    let sent = say_to_both(operation, 12, 0, 0, &payload::addresses_bytes(log_size, &shifts));
    Turn { party, sent, results }
}

/// UPDATEs at P0.
pub fn updates_turn_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    operation: u64,
    queries: &[Query<W>],
    inbox: &[Sent],
) -> Turn<Party0<W, P>, W> {
    let log_size = p0.log_size;
    let own = update_messages_0(&p0, queries);
    let from_1 = payload::updates_of(&received(inbox, 14, 1, 0), log_size, queries.len());
    let sent = say_to_both(operation, 14, 0, 0, &payload::updates(log_size, &own));
    Turn { party: updates_0(p0, &own, &from_1), sent, results: vec![] }
}

/// A WRITE or SWAP at P0; without an item nothing happens.
pub fn put_turn_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    operation: u64,
    query: &Query<W>,
    swap: bool,
    inbox: &[Sent],
) -> Turn<Party0<W, P>, W> {
    let log_size = p0.log_size;
    let shifts = write_shifts_0(&p0, query);
    let s = put_shift(&shifts, &received_shifts(inbox, 1, log_size, 1));
    match p0.updates.first() {
        Some(item) => {
            let part = write_part_0(&p0, item, s, query);
            let correction = final_correction(part, received_word(inbox, 15, 1), received_word(inbox, 15, 2));
            let result = swap_result_0(&p0, item, s, received_word(inbox, 13, 2));
            let sent = [
                say_to_both(operation, 12, 0, 0, &payload::addresses_bytes(log_size, &shifts)),
                say_to_both(operation, 15, 0, 1, &payload::ring_bytes(&[part])),
            ]
            .concat();
            Turn { party: used_0(p0, s, correction), sent, results: if swap { vec![result] } else { vec![] } }
        }
        None => Turn { party: p0, sent: vec![], results: vec![] },
    }
}

/// A step of P0.
pub fn turn_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    operation: u64,
    task: &PrimaryTask<W>,
    inbox: &[Sent],
) -> Turn<Party0<W, P>, W> {
    match task {
        PrimaryTask::Load { memory_share } => {
            let (p0, to_2) = load_0(p0, memory_share);
            let from_1: Vec<W> = payload::ring_of_bytes(&received_chunks(inbox, 3, 1));
            Turn {
                party: loaded_0(p0, memory_share, &from_1),
                sent: chunks(operation, 2, 0, 2, &to_2),
                results: vec![],
            }
        }
        PrimaryTask::Preprocess { reads, updates } => prepare_0(p0, operation, *reads, *updates, inbox),
        PrimaryTask::Reads { addresses } => reads_turn_0(p0, operation, addresses, inbox),
        PrimaryTask::Updates { queries } => updates_turn_0(p0, operation, queries, inbox),
        PrimaryTask::Put { query, swap } => put_turn_0(p0, operation, query, *swap, inbox),
    }
}

// ---------------------------------------------------------------- P1

/// READs at P1.
pub fn reads_turn_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    operation: u64,
    addresses: &[u64],
    inbox: &[Sent],
) -> Turn<Party1<W, P>, W> {
    let log_size = p1.log_size;
    let shifts = read_shifts_1(&p1, addresses);
    let from_0 = received_shifts(inbox, 0, log_size, addresses.len());
    let (party, results) = reads_1(p1, addresses, &from_0);
    let sent = say_to_both(operation, 12, 1, 0, &payload::addresses_bytes(log_size, &shifts));
    Turn { party, sent, results }
}

/// UPDATEs at P1.
pub fn updates_turn_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    operation: u64,
    queries: &[Query<W>],
    inbox: &[Sent],
) -> Turn<Party1<W, P>, W> {
    let log_size = p1.log_size;
    let own = update_messages_1(&p1, queries);
    let from_0 = payload::updates_of(&received(inbox, 14, 0, 0), log_size, queries.len());
    let sent = say_to_both(operation, 14, 1, 0, &payload::updates(log_size, &own));
    Turn { party: updates_1(p1, &own, &from_0), sent, results: vec![] }
}

/// A WRITE or SWAP at P1; without an item nothing happens.
pub fn put_turn_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    operation: u64,
    query: &Query<W>,
    swap: bool,
    inbox: &[Sent],
) -> Turn<Party1<W, P>, W> {
    let log_size = p1.log_size;
    let shifts = write_shifts_1(&p1, query);
    let s = put_shift(&received_shifts(inbox, 0, log_size, 1), &shifts);
    match p1.updates.first() {
        Some(item) => {
            let part = write_part_1(&p1, item, s, query);
            let correction = final_correction(received_word(inbox, 15, 0), part, received_word(inbox, 15, 2));
            let result = swap_result_1(&p1, item, s);
            let sent = [
                say_to_both(operation, 12, 1, 0, &payload::addresses_bytes(log_size, &shifts)),
                say_to_both(operation, 15, 1, 1, &payload::ring_bytes(&[part])),
            ]
            .concat();
            Turn { party: used_1(p1, s, correction), sent, results: if swap { vec![result] } else { vec![] } }
        }
        None => Turn { party: p1, sent: vec![], results: vec![] },
    }
}

/// A step of P1.
pub fn turn_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    operation: u64,
    task: &PrimaryTask<W>,
    inbox: &[Sent],
) -> Turn<Party1<W, P>, W> {
    match task {
        PrimaryTask::Load { memory_share } => {
            let (party, to_0) = load_1(p1, memory_share);
            Turn { party, sent: chunks(operation, 3, 1, 0, &to_0), results: vec![] }
        }
        PrimaryTask::Preprocess { reads, updates } => prepare_1(p1, operation, *reads, *updates, inbox),
        PrimaryTask::Reads { addresses } => reads_turn_1(p1, operation, addresses, inbox),
        PrimaryTask::Updates { queries } => updates_turn_1(p1, operation, queries, inbox),
        PrimaryTask::Put { query, swap } => put_turn_1(p1, operation, query, *swap, inbox),
    }
}

// ---------------------------------------------------------------- P2

/// READs at P2.
pub fn reads_turn_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    operation: u64,
    queries: usize,
    inbox: &[Sent],
) -> Turn<Party2<W, P>, W> {
    let log_size = p2.log_size;
    let from_0 = received_shifts(inbox, 0, log_size, queries);
    let from_1 = received_shifts(inbox, 1, log_size, queries);
    let (party, unblindings) = reads_2(p2, &from_0, &from_1);
    let sent = vec![say(operation, 13, 2, 0, 1, &payload::ring_bytes(&unblindings))];
    Turn { party, sent, results: vec![] }
}

/// UPDATEs at P2, which says nothing.
pub fn updates_turn_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    queries: usize,
    inbox: &[Sent],
) -> Turn<Party2<W, P>, W> {
    let from_0 = payload::updates_of(&received(inbox, 14, 0, 0), p2.log_size, queries);
    let from_1 = payload::updates_of(&received(inbox, 14, 1, 0), p2.log_size, queries);
    Turn { party: updates_2(p2, &from_0, &from_1), sent: vec![], results: vec![] }
}

/// A WRITE or SWAP at P2; without an item nothing happens.
pub fn put_turn_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    operation: u64,
    swap: bool,
    inbox: &[Sent],
) -> Turn<Party2<W, P>, W> {
    let log_size = p2.log_size;
    let s = put_shift(&received_shifts(inbox, 0, log_size, 1), &received_shifts(inbox, 1, log_size, 1));
    match p2.updates.first() {
        Some(item) => {
            let part = write_part_2(&p2, item, s);
            let correction = final_correction(received_word(inbox, 15, 0), received_word(inbox, 15, 1), part);
            let g = payload::ring_bytes(&[swap_unblinding(&p2, item, s)]);
            let bytes = payload::ring_bytes(&[part]);
            let parts = vec![say(operation, 15, 2, 0, 1, &bytes), say(operation, 15, 2, 1, 1, &bytes)];
            let unblinding = if swap { vec![say(operation, 13, 2, 0, 1, &g)] } else { vec![] };
            Turn { party: used_2(p2, s, correction), sent: [parts, unblinding].concat(), results: vec![] }
        }
        None => Turn { party: p2, sent: vec![], results: vec![] },
    }
}

/// A step of P2.
pub fn turn_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    operation: u64,
    task: &HelperTask,
    inbox: &[Sent],
) -> Turn<Party2<W, P>, W> {
    match task {
        HelperTask::Load => {
            let from_0: Vec<W> = payload::ring_of_bytes(&received_chunks(inbox, 2, 0));
            Turn { party: loaded_2(p2, &from_0), sent: vec![], results: vec![] }
        }
        HelperTask::Preprocess { reads, updates } => prepare_2(p2, operation, *reads, *updates, inbox),
        HelperTask::Reads { queries } => reads_turn_2(p2, operation, *queries, inbox),
        HelperTask::Updates { queries } => updates_turn_2(p2, *queries, inbox),
        HelperTask::Put { swap } => put_turn_2(p2, operation, *swap, inbox),
    }
}
