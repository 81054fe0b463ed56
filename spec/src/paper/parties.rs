//! The three parties put together, each message handed over in bytes to the party that it is for, and to nobody else.
//!
//! Nothing is computed here but by a function of one party ([`crate::paper::party`]), from what that party has and what is in its
//! inbox. The result is the session of [`crate::paper::session`]: states, messages and results
//! (`proofs/rocq/paper/Locality.v`).

use crate::core::prg::{AesPrg, Prg};
use crate::core::share::Primary;
use crate::paper::party::{
    HELPER, HelperParty, PrimaryParty, connected_helper, connected_primary, inbox, load as load_primary,
    loaded_helper, loaded_primary, say_hello,
};
use crate::paper::party_online::{
    Query, reads_helper, reads_primary, say_shifts, say_updates, updates_helper, updates_primary, write_query,
};
use crate::paper::party_preprocessing::{
    Growing, batch_deltas, begin, by_item, deal, grown_batch, made, prepared_helper, prepared_primary,
    say_conversion, say_conversion_openings, say_keys, say_openings, say_operands,
};
use crate::paper::session::Sent;

/// The three parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parties<P> {
    /// P0
    pub p0: PrimaryParty<P>,
    /// P1
    pub p1: PrimaryParty<P>,
    /// P2
    pub p2: HelperParty<P>,
}

/// What a step yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartiesStep<P> {
    /// The parties after it.
    pub parties: Parties<P>,
    /// All messages; those from one party to another in the order in which they are sent.
    pub sent: Vec<Sent>,
    /// P0's share of each result.
    pub results_0: Vec<u64>,
    /// P1's share of each result.
    pub results_1: Vec<u64>,
}

/// Step 0.
pub fn connect(log_size: usize, words_0: &[u64], words_1: &[u64], words_2: &[u64]) -> PartiesStep<AesPrg> {
    let sent =
        [say_hello(0, log_size, words_0), say_hello(1, log_size, words_1), say_hello(2, log_size, words_2)]
            .concat();
    PartiesStep {
        parties: Parties {
            p0: connected_primary(Primary::P0, log_size, words_0, &inbox(&sent, 0)),
            p1: connected_primary(Primary::P1, log_size, words_1, &inbox(&sent, 1)),
            p2: connected_helper(log_size, words_2, &inbox(&sent, HELPER)),
        },
        sent,
        results_0: vec![],
        results_1: vec![],
    }
}

/// A load, of a share at each primary.
pub fn load<P>(parties: Parties<P>, memory_share_0: &[u64], memory_share_1: &[u64]) -> PartiesStep<P> {
    let (p0, sent_0) = load_primary(parties.p0, memory_share_0);
    let (p1, sent_1) = load_primary(parties.p1, memory_share_1);
    let sent = [sent_0, sent_1].concat();
    PartiesStep {
        parties: Parties {
            p0: loaded_primary(p0, &inbox(&sent, 0)),
            p1: loaded_primary(p1, &inbox(&sent, 1)),
            p2: loaded_helper(parties.p2, &inbox(&sent, HELPER)),
        },
        sent,
        results_0: vec![],
        results_1: vec![],
    }
}

/// A batch under way: both primaries' DPFs, and what was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// P0's
    pub batch_0: Vec<Growing>,
    /// P1's
    pub batch_1: Vec<Growing>,
    /// The messages
    pub sent: Vec<Sent>,
}

/// One level of all DPFs of a batch.
pub fn batch_level<P: Prg>(parties: &Parties<P>, batch: Batch, level: usize) -> Batch {
    let first =
        [say_operands(&parties.p0, &batch.batch_0, level), say_operands(&parties.p1, &batch.batch_1, level)]
            .concat();
    let second = [
        say_openings(&parties.p0, &batch.batch_0, level, &inbox(&first, 0)),
        say_openings(&parties.p1, &batch.batch_1, level, &inbox(&first, 1)),
    ]
    .concat();
    let both = [first, second].concat();
    Batch {
        batch_0: grown_batch(&parties.p0, &batch.batch_0, level, &inbox(&both, 0)),
        batch_1: grown_batch(&parties.p1, &batch.batch_1, level, &inbox(&both, 1)),
        sent: [batch.sent, both].concat(),
    }
}

/// Preprocessing of `reads` READ items and then `updates` UPDATE items, in one batch.
pub fn preprocess<P: Prg>(parties: Parties<P>, reads: usize, updates: usize) -> PartiesStep<P> {
    let items = reads.wrapping_add(updates);
    let log_size = parties.p0.log_size;
    let (p2, dealt) = deal(parties.p2, items);
    let dealing = Parties { p0: parties.p0, p1: parties.p1, p2 };
    let start = Batch {
        batch_0: begin(&dealing.p0, reads, updates, &inbox(&dealt, 0)),
        batch_1: begin(&dealing.p1, reads, updates, &inbox(&dealt, 1)),
        sent: dealt,
    };
    let grown = (0..log_size).fold(start, |batch, level: usize| batch_level(&dealing, batch, level));
    let operands = [
        say_conversion(&dealing.p0, &grown.batch_0, reads, updates),
        say_conversion(&dealing.p1, &grown.batch_1, reads, updates),
    ]
    .concat();
    let openings = [
        say_conversion_openings(&dealing.p0, &grown.batch_0, &inbox(&operands, 0)),
        say_conversion_openings(&dealing.p1, &grown.batch_1, &inbox(&operands, 1)),
    ]
    .concat();
    let converted = [operands, openings].concat();
    let (to_0, to_1) = (inbox(&converted, 0), inbox(&converted, 1));
    let items_0 = by_item(&made(&dealing.p0, &grown.batch_0, &to_0), items);
    let items_1 = by_item(&made(&dealing.p1, &grown.batch_1, &to_1), items);
    let deltas_0 = batch_deltas(&dealing.p0, &grown.batch_0, reads, updates, &to_0);
    let deltas_1 = batch_deltas(&dealing.p1, &grown.batch_1, reads, updates, &to_1);
    let keys = [say_keys(&dealing.p0, &items_0), say_keys(&dealing.p1, &items_1)].concat();
    PartiesStep {
        parties: Parties {
            p0: prepared_primary(dealing.p0, &items_0, &deltas_0, reads),
            p1: prepared_primary(dealing.p1, &items_1, &deltas_1, reads),
            p2: prepared_helper(dealing.p2, reads, updates, &inbox(&keys, HELPER)),
        },
        sent: [grown.sent, converted, keys].concat(),
        results_0: vec![],
        results_1: vec![],
    }
}

/// k independent READs, of a share of each address at each primary.
pub fn reads<P>(parties: Parties<P>, addresses_0: &[u64], addresses_1: &[u64]) -> PartiesStep<P> {
    let shifts = [say_shifts(&parties.p0, addresses_0), say_shifts(&parties.p1, addresses_1)].concat();
    let (p2, unblindings) = reads_helper(parties.p2, addresses_0.len(), &inbox(&shifts, HELPER));
    let sent = [shifts, unblindings].concat();
    let (p0, results_0) = reads_primary(parties.p0, addresses_0, &inbox(&sent, 0));
    let (p1, results_1) = reads_primary(parties.p1, addresses_1, &inbox(&sent, 1));
    PartiesStep { parties: Parties { p0, p1, p2 }, sent, results_0, results_1 }
}

/// k UPDATEs in one message.
pub fn updates<P>(parties: Parties<P>, queries_0: &[Query], queries_1: &[Query]) -> PartiesStep<P> {
    let sent = [say_updates(&parties.p0, queries_0), say_updates(&parties.p1, queries_1)].concat();
    PartiesStep {
        parties: Parties {
            p0: updates_primary(parties.p0, queries_0, &inbox(&sent, 0)),
            p1: updates_primary(parties.p1, queries_1, &inbox(&sent, 1)),
            p2: updates_helper(parties.p2, queries_0.len(), &inbox(&sent, HELPER)),
        },
        sent,
        results_0: vec![],
        results_1: vec![],
    }
}

/// A WRITE: a READ step, then an UPDATE step, of which each primary takes its own result off its own share of M.
pub fn write<P>(parties: Parties<P>, query_0: &Query, query_1: &Query) -> PartiesStep<P> {
    let first = reads(parties, &[query_0.address], &[query_1.address]);
    let second = updates(
        first.parties,
        &[write_query(query_0, &first.results_0)],
        &[write_query(query_1, &first.results_1)],
    );
    PartiesStep {
        parties: second.parties,
        sent: [first.sent, second.sent].concat(),
        results_0: first.results_0,
        results_1: first.results_1,
    }
}
