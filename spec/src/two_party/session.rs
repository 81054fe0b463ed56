//! A whole session of two parties: the parties' functions put together, with every message in bytes.
//!
//! Nothing is computed here but by a function of one party, from what that party has and what the other sent it. Whoever wants to
//! compare an implementation gives both the same random words ([`crate::two_party::tape`]) and the same OTs, and takes the same steps.
//!
//! The random OT is ideal: what it yields is an argument ([`Ots`]), and the messages that make it are not here, which are kinds 2 and 4
//! and the end of kind 1 ([`payload`]). The PIR is the plain one.
//!
//! A step takes the session and returns it changed, together with the messages. The items that a step needs must have been
//! prepared; a session that runs out of them yields fewer results than queries.

use crate::core::block::Block;
use crate::core::bytes::{blocks_bytes, words_bytes};
use crate::core::distributed_gen::Operands;
use crate::core::prg::{AesPrg, Prg};
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::two_party::masks::{AesPrf, Prf, aes_prf};
use crate::two_party::ot::received_all;
use crate::two_party::party::{Party, contribution, loaded, session_prg, started};
use crate::two_party::party_online::updates as updates_party;
use crate::two_party::party_online::{
    Query, after_reads, read_answers, read_results, read_shifts, update_messages, write_query,
};
use crate::two_party::party_preprocessing::{
    Growing, batch_openings, batch_operands, batch_sums, begun, choices, grown_batch, made_reads, prepared,
};
use crate::two_party::payload;

/// A message: `kind` as in [`payload`], the parties as 0, 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Kind, 1 to 11.
    pub kind: u8,
    /// Sender
    pub from: u8,
    /// Receiver
    pub to: u8,
    /// Number of the step.
    pub operation: u64,
    /// Of kinds 6 and 7 the level, else 0.
    pub round: u32,
    /// What follows the header.
    pub payload: Vec<u8>,
}

/// Both parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session<W, P, F> {
    /// P0
    pub p0: Party<W, P, F>,
    /// P1
    pub p1: Party<W, P, F>,
    /// Number of the next step.
    pub operation: u64,
}

/// What a step yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<W, P, F> {
    /// The session after it.
    pub session: Session<W, P, F>,
    /// All messages; those from one party to the other in the order in which they are sent.
    pub sent: Vec<Sent>,
    /// P0's and P1's shares of each result.
    pub results: Vec<(W, W)>,
}

/// A party's random words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// What it contributes to K and makes items from.
    pub making: Vec<u64>,
    /// What its operations draw.
    pub blinds: Vec<u64>,
}

/// The ideal random OTs of a batch: the blocks that it gives the senders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ots {
    /// Those that P0 sends
    pub from_0: Vec<(Block, Block)>,
    /// Those that P1 sends
    pub from_1: Vec<(Block, Block)>,
}

/// A message each way, P0's first.
pub fn both(operation: u64, kind: u8, round: usize, from_0: Vec<u8>, from_1: Vec<u8>) -> Vec<Sent> {
    vec![
        Sent { kind, from: 0, to: 1, operation, round: round as u32, payload: from_0 },
        Sent { kind, from: 1, to: 0, operation, round: round as u32, payload: from_1 },
    ]
}

/// The parties before their first step, under any PRG and PRF.
pub fn started_session<W: Ring, P: Clone, F: Clone>(
    log_size: usize,
    prg: &P,
    prf: &F,
    words_0: &Words,
    words_1: &Words,
) -> Session<W, P, F> {
    Session {
        p0: started(Primary::P0, log_size, prg.clone(), prf.clone(), &words_0.making, &words_0.blinds),
        p1: started(Primary::P1, log_size, prg.clone(), prf.clone(), &words_1.making, &words_1.blinds),
        operation: 1,
    }
}

/// Step 0: the parties agree on K.
pub fn connect<W: Ring>(log_size: usize, words_0: &Words, words_1: &Words) -> Step<W, AesPrg, AesPrf> {
    let contribution_0 = contribution(&words_0.making);
    let contribution_1 = contribution(&words_1.making);
    let hello_0 = payload::hello(contribution_0, log_size);
    let hello_1 = payload::hello(contribution_1, log_size);
    let prg = session_prg(contribution_0, contribution_1);
    Step {
        session: started_session(log_size, &prg, &aes_prf(), words_0, words_1),
        sent: [both(0, 1, 0, hello_0, hello_1), both(0, 3, 0, vec![], vec![])].concat(),
        results: vec![],
    }
}

/// A load of shares of another memory: no message.
pub fn load<W: Ring, P, F>(
    session: Session<W, P, F>,
    memory_share_0: &[W],
    memory_share_1: &[W],
) -> Step<W, P, F> {
    Step {
        session: Session {
            p0: loaded(session.p0, memory_share_0),
            p1: loaded(session.p1, memory_share_1),
            operation: session.operation.wrapping_add(1),
        },
        sent: vec![],
        results: vec![],
    }
}

/// A batch under way: both parties' DPFs, and what was sent.
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
pub fn batch_level<W, P: Prg, F>(session: &Session<W, P, F>, batch: Batch, level: usize) -> Batch {
    let (prg_0, prg_1) = (&session.p0.prg, &session.p1.prg);
    let operands_0: Vec<Operands> = batch_operands(prg_0, &batch.batch_0, level);
    let operands_1: Vec<Operands> = batch_operands(prg_1, &batch.batch_1, level);
    let openings_0 = batch_openings(prg_0, &batch.batch_0, level, &operands_1);
    let openings_1 = batch_openings(prg_1, &batch.batch_1, level, &operands_0);
    let first = both(
        session.operation,
        6,
        level,
        payload::operands_bytes(&operands_0),
        payload::operands_bytes(&operands_1),
    );
    let second = both(session.operation, 7, level, blocks_bytes(&openings_0), blocks_bytes(&openings_1));
    Batch {
        batch_0: grown_batch(prg_0, &batch.batch_0, level, &operands_1, &openings_1),
        batch_1: grown_batch(prg_1, &batch.batch_1, level, &operands_0, &openings_0),
        sent: [batch.sent, first, second].concat(),
    }
}

/// The messages, if there are items that they are about.
pub fn of_items(items: usize, messages: Vec<Sent>) -> Vec<Sent> {
    if items == 0 { vec![] } else { messages }
}

/// Preprocessing of `reads` READ items and then `updates` UPDATE items, in one batch. `ots` has h OTs for each item and direction.
pub fn preprocess<W: Ring, P: Prg, F>(
    session: Session<W, P, F>,
    reads: usize,
    updates: usize,
    ots: &Ots,
) -> Step<W, P, F> {
    let operation = session.operation;
    let received_0 = received_all(&ots.from_1, &choices(&session.p0, reads, updates));
    let received_1 = received_all(&ots.from_0, &choices(&session.p1, reads, updates));
    let reads_0 = made_reads(&session.p0, reads, &ots.from_0, &received_0);
    let reads_1 = made_reads(&session.p1, reads, &ots.from_1, &received_1);
    let start = Batch {
        batch_0: begun(&session.p0, reads, updates, &ots.from_0, &received_0),
        batch_1: begun(&session.p1, reads, updates, &ots.from_1, &received_1),
        sent: vec![],
    };
    let made =
        (0..session.p0.log_size).fold(start, |batch, level: usize| batch_level(&session, batch, level));
    let sums_0: Vec<W> = batch_sums(session.p0.role, &made.batch_0);
    let sums_1: Vec<W> = batch_sums(session.p1.role, &made.batch_1);
    let sums = both(operation, 8, 0, payload::ring_bytes(&sums_0), payload::ring_bytes(&sums_1));
    let sent = [
        of_items(reads, both(operation, 5, 0, vec![], vec![])),
        of_items(updates, [made.sent, sums].concat()),
    ]
    .concat();
    Step {
        session: Session {
            p0: prepared(session.p0, &reads_0, &made.batch_0, &sums_1),
            p1: prepared(session.p1, &reads_1, &made.batch_1, &sums_0),
            operation: operation.wrapping_add(1),
        },
        sent,
        results: vec![],
    }
}

/// k READs as a part of a step: all from the same memory.
pub fn read_part<W: Ring, P, F: Prf>(session: Session<W, P, F>, addresses: &[(u64, u64)]) -> Step<W, P, F> {
    let operation = session.operation;
    let addresses_0: Vec<u64> = addresses.iter().map(|(share, _)| *share).collect();
    let addresses_1: Vec<u64> = addresses.iter().map(|(_, share)| *share).collect();
    let shifts_0 = read_shifts(&session.p0, &addresses_0);
    let shifts_1 = read_shifts(&session.p1, &addresses_1);
    let answers_0: Vec<Vec<W>> = read_answers(&session.p0, &addresses_0, &shifts_1);
    let answers_1: Vec<Vec<W>> = read_answers(&session.p1, &addresses_1, &shifts_0);
    let results_0: Vec<W> = read_results(&session.p0, &answers_1);
    let results_1: Vec<W> = read_results(&session.p1, &answers_0);
    Step {
        session: Session {
            p0: after_reads(session.p0, addresses.len()),
            p1: after_reads(session.p1, addresses.len()),
            operation,
        },
        sent: [
            both(operation, 9, 0, words_bytes(&shifts_0), words_bytes(&shifts_1)),
            both(operation, 10, 0, payload::tables(&answers_0), payload::tables(&answers_1)),
        ]
        .concat(),
        results: results_0.iter().zip(results_1.iter()).map(|(r_0, r_1)| (*r_0, *r_1)).collect(),
    }
}

/// k UPDATEs as a part of a step, applied one after another.
pub fn update_part<W: Ring, P, F>(
    session: Session<W, P, F>,
    queries: &[(Query<W>, Query<W>)],
) -> Step<W, P, F> {
    let operation = session.operation;
    let queries_0: Vec<Query<W>> = queries.iter().map(|(query, _)| *query).collect();
    let queries_1: Vec<Query<W>> = queries.iter().map(|(_, query)| *query).collect();
    let sent_0 = update_messages(&session.p0, &queries_0);
    let sent_1 = update_messages(&session.p1, &queries_1);
    Step {
        session: Session {
            p0: updates_party(session.p0, &sent_0, &sent_1),
            p1: updates_party(session.p1, &sent_1, &sent_0),
            operation,
        },
        sent: both(operation, 11, 0, payload::updates(&sent_0), payload::updates(&sent_1)),
        results: vec![],
    }
}

/// The session, at its next step.
pub fn next_step<W, P, F>(session: Session<W, P, F>) -> Session<W, P, F> {
    Session { operation: session.operation.wrapping_add(1), ..session }
}

/// k READs in one step, from shares of their addresses.
pub fn reads<W: Ring, P, F: Prf>(session: Session<W, P, F>, addresses: &[(u64, u64)]) -> Step<W, P, F> {
    let part = read_part(session, addresses);
    Step { session: next_step(part.session), sent: part.sent, results: part.results }
}

/// READs of the words that results point at, mod n: nobody opens anything in between.
pub fn follow<W: Ring, P, F: Prf>(session: Session<W, P, F>, results: &[(W, W)]) -> Step<W, P, F> {
    let addresses: Vec<(u64, u64)> =
        results.iter().map(|(share_0, share_1)| (share_0.to_u64(), share_1.to_u64())).collect();
    reads(session, &addresses)
}

/// k UPDATEs in one message, from the shares of their queries.
pub fn updates<W: Ring, P, F>(session: Session<W, P, F>, queries: &[(Query<W>, Query<W>)]) -> Step<W, P, F> {
    let part = update_part(session, queries);
    Step { session: next_step(part.session), sent: part.sent, results: part.results }
}

/// A SWAP: puts M at i*, and yields shares of the word that was there. One step: a READ, then an UPDATE by `M_b - read_b`.
pub fn swap<W: Ring, P, F: Prf>(session: Session<W, P, F>, query: (Query<W>, Query<W>)) -> Step<W, P, F> {
    let (query_0, query_1) = query;
    let first = read_part(session, &[(query_0.address, query_1.address)]);
    let results_0: Vec<W> = first.results.iter().map(|(result, _)| *result).collect();
    let results_1: Vec<W> = first.results.iter().map(|(_, result)| *result).collect();
    let queries = (write_query(&query_0, &results_0), write_query(&query_1, &results_1));
    let second = update_part(first.session, &[queries]);
    Step {
        session: next_step(second.session),
        sent: [first.sent, second.sent].concat(),
        results: first.results,
    }
}

/// A WRITE: a SWAP whose result the parties forget.
pub fn write<W: Ring, P, F: Prf>(session: Session<W, P, F>, query: (Query<W>, Query<W>)) -> Step<W, P, F> {
    let step = swap(session, query);
    Step { session: step.session, sent: step.sent, results: vec![] }
}
