//! A whole step of one party as one function: from its own state, its own inputs and all that it was sent in the step to its new
//! state, all that it sends, and its results.
//!
//! The step's messages are not there all at once: what a party says first goes into what it is told next. But each message is
//! made of those that came before it, so that with the whole inbox at hand a party says the same. A party that is told
//! something else, as the tests of the reference do, says what it would say to that.

use crate::core::prg::Prg;
use crate::paper::party::{HelperParty, PrimaryParty, load, loaded_helper, loaded_primary};
use crate::paper::party_online::{
    Query, reads_helper, reads_primary, say_shifts, say_updates, updates_helper, updates_primary, write_query,
};
use crate::paper::party_preprocessing::{
    Growing, batch_deltas, begin, by_item, deal, grown_batch, made, prepared_helper, prepared_primary,
    say_conversion, say_conversion_openings, say_keys, say_openings, say_operands,
};
use crate::paper::session::Sent;

/// What a primary is to do in a step, with its own shares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrimaryTask {
    /// Its share of a memory.
    Load {
        /// `D_b`
        memory_share: Vec<u64>,
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
        queries: Vec<Query>,
    },
    /// A WRITE.
    Write {
        /// Its shares of it
        query: Query,
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
    /// A WRITE.
    Write,
}

/// A primary's step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrimaryTurn<P> {
    /// The party after it.
    pub party: PrimaryParty<P>,
    /// All that it sends, in order.
    pub sent: Vec<Sent>,
    /// Its share of each result.
    pub results: Vec<u64>,
}

/// P2's step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperTurn<P> {
    /// The party after it.
    pub party: HelperParty<P>,
    /// All that it sends, in order.
    pub sent: Vec<Sent>,
}

/// A primary's DPFs after some levels, and what it said meanwhile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The DPFs of a batch.
    pub batch: Vec<Growing>,
    /// Its messages.
    pub sent: Vec<Sent>,
}

/// A level of a primary's batch.
pub fn grow_level<P: Prg>(party: &PrimaryParty<P>, growth: &Growth, level: usize, inbox: &[Sent]) -> Growth {
    Growth {
        batch: grown_batch(party, &growth.batch, level, inbox),
        sent: [
            growth.sent.clone(),
            say_operands(party, &growth.batch, level),
            say_openings(party, &growth.batch, level, inbox),
        ]
        .concat(),
    }
}

/// Preprocessing at a primary.
pub fn preprocess_turn<P: Prg>(
    party: PrimaryParty<P>,
    reads: usize,
    updates: usize,
    inbox: &[Sent],
) -> PrimaryTurn<P> {
    let start = Growth { batch: begin(&party, reads, updates, inbox), sent: vec![] };
    let grown =
        (0..party.log_size).fold(start, |growth, level: usize| grow_level(&party, &growth, level, inbox));
    let items = by_item(&made(&party, &grown.batch, inbox), reads.wrapping_add(updates));
    let deltas = batch_deltas(&party, &grown.batch, reads, updates, inbox);
    let sent = [
        grown.sent,
        say_conversion(&party, &grown.batch, reads, updates),
        say_conversion_openings(&party, &grown.batch, inbox),
        say_keys(&party, &items),
    ]
    .concat();
    PrimaryTurn { party: prepared_primary(party, &items, &deltas, reads), sent, results: vec![] }
}

/// READs at a primary.
pub fn reads_turn<P>(party: PrimaryParty<P>, addresses: &[u64], inbox: &[Sent]) -> PrimaryTurn<P> {
    let sent = say_shifts(&party, addresses);
    let (party, results) = reads_primary(party, addresses, inbox);
    PrimaryTurn { party, sent, results }
}

/// UPDATEs at a primary.
pub fn updates_turn<P>(party: PrimaryParty<P>, queries: &[Query], inbox: &[Sent]) -> PrimaryTurn<P> {
    let sent = say_updates(&party, queries);
    PrimaryTurn { party: updates_primary(party, queries, inbox), sent, results: vec![] }
}

/// A step of a primary.
pub fn primary_turn<P: Prg>(party: PrimaryParty<P>, task: &PrimaryTask, inbox: &[Sent]) -> PrimaryTurn<P> {
    match task {
        PrimaryTask::Load { memory_share } => {
            let (party, sent) = load(party, memory_share);
            PrimaryTurn { party: loaded_primary(party, inbox), sent, results: vec![] }
        }
        PrimaryTask::Preprocess { reads, updates } => preprocess_turn(party, *reads, *updates, inbox),
        PrimaryTask::Reads { addresses } => reads_turn(party, addresses, inbox),
        PrimaryTask::Updates { queries } => updates_turn(party, queries, inbox),
        PrimaryTask::Write { query } => {
            let first = reads_turn(party, &[query.address], inbox);
            let second = updates_turn(first.party, &[write_query(query, &first.results)], inbox);
            PrimaryTurn {
                party: second.party,
                sent: [first.sent, second.sent].concat(),
                results: first.results,
            }
        }
    }
}

/// A step of P2.
pub fn helper_turn<P: Prg>(party: HelperParty<P>, task: &HelperTask, inbox: &[Sent]) -> HelperTurn<P> {
    match task {
        HelperTask::Load => HelperTurn { party: loaded_helper(party, inbox), sent: vec![] },
        HelperTask::Preprocess { reads, updates } => {
            let (party, sent) = deal(party, reads.wrapping_add(*updates));
            HelperTurn { party: prepared_helper(party, *reads, *updates, inbox), sent }
        }
        HelperTask::Reads { queries } => {
            let (party, sent) = reads_helper(party, *queries, inbox);
            HelperTurn { party, sent }
        }
        HelperTask::Updates { queries } => {
            HelperTurn { party: updates_helper(party, *queries, inbox), sent: vec![] }
        }
        HelperTask::Write => {
            let (party, sent) = reads_helper(party, 1, inbox);
            HelperTurn { party: updates_helper(party, 1, inbox), sent }
        }
    }
}
