//! A whole session: the parties' functions put together, with every message in bytes.
//!
//! Nothing is computed here but by a function of one party, from what that party has and what the other two sent it. Whoever
//! wants to compare an implementation gives both the same random words ([`crate::lean::tape`]) and takes the same steps.
//!
//! A step takes the session and returns it changed, together with the messages. The items that a step needs must have been
//! prepared; a session that runs out of them yields fewer results than queries, and a WRITE then changes nothing.

use crate::core::aes::{bytes_of_block, expand_key};
use crate::core::bytes::word_bytes;
use crate::core::prg::{AesPrg, Prg};
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::lean::generation::Growing;
use crate::lean::layers::Layers;
use crate::lean::memory::State;
use crate::lean::online::{
    Query, UpdateMessage, read_shifts_0, read_shifts_1, reads_0, reads_1, reads_2, swap_result_0,
    swap_result_1, swap_unblinding, update_messages_0, update_messages_1, updates_0, updates_1, updates_2,
    used_0, used_1, used_2, write_part_0, write_part_1, write_part_2, write_shifts_0, write_shifts_1,
};
use crate::lean::party::{
    Hello, Party0, Party1, Party2, connected_0, connected_1, connected_2, hello, load_0, load_1, loaded_0,
    loaded_2, session_key,
};
use crate::lean::payload;
use crate::lean::preprocessing::{
    batch_depth, begin_0, begin_1, deal_2, dealt_to_1, keys_0, keys_1, moved_shares, next_round, prepared_0,
    prepared_1, prepared_2, purposes, round_message, round_opening, seeds_1, with_offsets,
};
use crate::lean::read::reconstruct_shift;
use crate::lean::tape::PairStreams;
use crate::lean::write::final_correction;

/// A message: `kind` as in [`payload`], the parties as 0, 1, 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Kind, 1 to 15.
    pub kind: u8,
    /// Sender
    pub from: u8,
    /// Receiver
    pub to: u8,
    /// Number of the step.
    pub operation: u64,
    /// In a load the chunk; else how many messages of the step must have been taken one after another before this one is
    /// sent. A step's highest round and one more are its sequential messages.
    pub round: u32,
    /// What follows the header.
    pub payload: Vec<u8>,
}

/// The three parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session<W, P> {
    /// P0
    pub p0: Party0<W, P>,
    /// P1
    pub p1: Party1<W, P>,
    /// P2
    pub p2: Party2<W, P>,
    /// Number of the next step.
    pub operation: u64,
}

/// What a step yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<W, P> {
    /// The session after it.
    pub session: Session<W, P>,
    /// All messages; those from one party to another in the order in which they are sent.
    pub sent: Vec<Sent>,
    /// P0's and P1's shares of each result.
    pub results: Vec<(W, W)>,
}

/// The number of words of a load's messages.
pub const CHUNK_WORDS: usize = 65_536;

/// The three states.
pub fn state<W: Ring, P>(session: &Session<W, P>) -> State<W> {
    State { p0: session.p0.state.clone(), p1: session.p1.state.clone(), p2: session.p2.state.clone() }
}

/// The streams of the three pairs, each of the pair's seed ([`pair_seed`](crate::lean::party::pair_seed)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Streams {
    /// P0's and P1's
    pub pair_01: PairStreams,
    /// P0's and P2's
    pub pair_02: PairStreams,
    /// P1's and P2's
    pub pair_12: PairStreams,
}

/// The parties before their first step, under any PRG, with a memory of m zeros. `tapes` are the parties' random words.
pub fn started<W: Ring, P: Clone>(
    log_size: usize,
    words: usize,
    prg: &P,
    tapes: (&[u64], &[u64], &[u64]),
    streams: &Streams,
) -> Session<W, P> {
    let (tape_0, tape_1, tape_2) = tapes;
    let (pair_01, pair_02, pair_12) =
        (streams.pair_01.clone(), streams.pair_02.clone(), streams.pair_12.clone());
    Session {
        p0: connected_0(log_size, words, prg.clone(), tape_0, pair_01.clone(), pair_02.clone()),
        p1: connected_1(log_size, words, prg.clone(), tape_1, pair_01, pair_12.clone()),
        p2: connected_2(log_size, words, prg.clone(), tape_2, pair_02, pair_12),
        operation: 1,
    }
}

/// Step 0: the parties agree on m, the words of the memory, on K and on the pairs' seeds. `tapes` are the parties' random words, `streams`
/// those of the seeds.
pub fn connect<W: Ring>(
    log_size: usize,
    words: usize,
    tapes: (&[u64], &[u64], &[u64]),
    streams: &Streams,
) -> Step<W, AesPrg> {
    let (tape_0, tape_1, tape_2) = tapes;
    let say = |from: u8, to: u8, hello: &Hello| Sent {
        kind: 1,
        from,
        to,
        operation: 0,
        round: 0,
        payload: payload::hello(hello),
    };
    let hello_0 = (hello(tape_0, words, false), hello(tape_0, words, true));
    let hello_1 = (hello(tape_1, words, false), hello(tape_1, words, true));
    let hello_2 = (hello(tape_2, words, false), hello(tape_2, words, true));
    let (to_1_of_0, to_2_of_0) = hello_0;
    let (to_0_of_1, to_2_of_1) = hello_1;
    let (to_0_of_2, to_1_of_2) = hello_2;
    let key = session_key(&[to_1_of_0.contribution, to_0_of_1.contribution, to_0_of_2.contribution]);
    let prg = AesPrg { aes: expand_key(&bytes_of_block(key)) };
    Step {
        session: started(log_size, words, &prg, tapes, streams),
        sent: vec![
            say(0, 1, &to_1_of_0),
            say(0, 2, &to_2_of_0),
            say(1, 0, &to_0_of_1),
            say(1, 2, &to_2_of_1),
            say(2, 0, &to_0_of_2),
            say(2, 1, &to_1_of_2),
        ],
        results: vec![],
    }
}

/// The chunks of one vector, as messages.
pub fn chunks<W: Ring>(operation: u64, kind: u8, from: u8, to: u8, words: &[W]) -> Vec<Sent> {
    let count = words.len().wrapping_add(CHUNK_WORDS - 1).wrapping_shr(16);
    (0..count)
        .map(|chunk: usize| {
            let part: Vec<W> =
                words.iter().skip(chunk.wrapping_mul(CHUNK_WORDS)).take(CHUNK_WORDS).copied().collect();
            Sent { kind, from, to, operation, round: chunk as u32, payload: payload::ring_bytes(&part) }
        })
        .collect()
}

/// A load: the primaries have shares of a memory, of a word for each address or of fewer: a word that is not there is 0 and stays so,
/// and nobody stores it. At most one in a session: its masks are stream 0 from its beginning, and a second load would mask another
/// memory by the same words. The schedule is the caller's; a party of the reference refuses a second load, and one that is not
/// of m words.
pub fn load<W: Ring, P>(session: Session<W, P>, memory_share_0: &[W], memory_share_1: &[W]) -> Step<W, P> {
    let operation = session.operation;
    let (p0, to_2) = load_0(session.p0, memory_share_0);
    let (p1, to_0) = load_1(session.p1, memory_share_1);
    let p0 = loaded_0(p0, memory_share_0, &to_0);
    let p2 = loaded_2(session.p2, &to_2);
    Step {
        session: Session { p0, p1, p2, operation: operation.wrapping_add(1) },
        sent: [chunks(operation, 2, 0, 2, &to_2), chunks(operation, 3, 1, 0, &to_0)].concat(),
        results: vec![],
    }
}

/// A batch under way: both primaries' DPFs, and what was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch<W> {
    /// P0's
    pub batch_0: Vec<Growing<W>>,
    /// P1's
    pub batch_1: Vec<Growing<W>>,
    /// The messages
    pub sent: Vec<Sent>,
}

/// The messages whose payload is not empty: who has nothing to say says nothing.
pub fn spoken(messages: &[Sent]) -> Vec<Sent> {
    messages
        .iter()
        .flat_map(|message| match message.payload.first() {
            Some(_) => vec![message.clone()],
            None => vec![],
        })
        .collect()
}

/// One round of a batch: level `round` of the trees, and the layers at this depth.
pub fn batch_round<W: Ring, P: Prg + Layers>(
    session: &Session<W, P>,
    batch: Batch<W>,
    round: usize,
) -> Batch<W> {
    let first_0 = round_message(&session.p0.prg, &batch.batch_0, round);
    let first_1 = round_message(&session.p1.prg, &batch.batch_1, round);
    let second_0 = round_opening(&session.p0.prg, &batch.batch_0, &first_1);
    let second_1 = round_opening(&session.p1.prg, &batch.batch_1, &first_0);
    let time = round.wrapping_mul(2).wrapping_add(1);
    let message = |kind: u8, from: u8, round: usize, payload: Vec<u8>| Sent {
        kind,
        from,
        to: 1 ^ from,
        operation: session.operation,
        round: round as u32,
        payload,
    };
    let sent = spoken(&[
        message(8, 0, time, payload::blocks_bytes(&payload::present(&first_0.flags))),
        message(6, 0, time, payload::operands_bytes(&payload::present(&first_0.operands))),
        message(9, 0, time, payload::word_shares(&payload::present(&first_0.words))),
        message(8, 1, time, payload::blocks_bytes(&payload::present(&first_1.flags))),
        message(6, 1, time, payload::operands_bytes(&payload::present(&first_1.operands))),
        message(9, 1, time, payload::word_shares(&payload::present(&first_1.words))),
        message(7, 0, time.wrapping_add(1), payload::blocks_bytes(&payload::present(&second_0))),
        message(7, 1, time.wrapping_add(1), payload::blocks_bytes(&payload::present(&second_1))),
    ]);
    Batch {
        batch_0: next_round(&session.p0.prg, &batch.batch_0, &first_1, &second_1),
        batch_1: next_round(&session.p1.prg, &batch.batch_1, &first_0, &second_0),
        sent: [batch.sent, sent].concat(),
    }
}

/// Preprocessing of `reads` READ items and then `updates` UPDATE items, in one batch.
pub fn preprocess<W: Ring, P: Prg + Layers>(
    session: Session<W, P>,
    reads: usize,
    updates: usize,
) -> Step<W, P> {
    let message = |kind: u8, from: u8, to: u8, round: usize, payload: Vec<u8>| Sent {
        kind,
        from,
        to,
        operation: session.operation,
        round: round as u32,
        payload,
    };
    let dealt = deal_2(&session.p2, reads, updates);
    let begun_0 = begin_0(&session.p0, reads, updates);
    let begun_1 = begin_1(&session.p1, reads, updates);
    let moved_0 = moved_shares(&begun_0);
    let moved_1 = moved_shares(&begun_1);
    let start = Batch {
        batch_0: with_offsets(&begun_0, &moved_1),
        batch_1: with_offsets(&dealt_to_1(&begun_1, &seeds_1(&session.p1, reads, updates), &dealt), &moved_0),
        sent: vec![
            message(4, 2, 1, 0, payload::deals(&purposes(reads, updates), &dealt)),
            message(5, 0, 1, 0, payload::moved_shares(&moved_0)),
            message(5, 1, 0, 0, payload::moved_shares(&moved_1)),
        ],
    };
    let levels = batch_depth(session.p0.log_size, updates);
    let made =
        (0..levels.wrapping_add(1)).fold(start, |batch, round: usize| batch_round(&session, batch, round));
    let from_0 = keys_0(&session.p0, &made.batch_0);
    let from_1 = keys_1(&session.p1, &made.batch_1);
    let last = levels.wrapping_mul(2).wrapping_add(2);
    let keys = spoken(&[
        message(10, 0, 2, last, payload::keys(&from_0)),
        message(10, 1, 2, last, payload::keys(&from_1)),
        message(11, 0, 2, last, payload::delta_shares(&from_0)),
        message(11, 1, 0, last, payload::delta_shares(&from_1)),
        message(11, 1, 2, last, payload::delta_shares(&from_1)),
    ]);
    let delta_shares: Vec<W> = from_1.iter().map(|key| key.delta_share).collect();
    Step {
        session: Session {
            p0: prepared_0(session.p0, &made.batch_0, &from_0, &delta_shares, reads),
            p1: prepared_1(session.p1, &made.batch_1, reads),
            p2: prepared_2(session.p2, &from_0, &from_1, reads),
            operation: session.operation.wrapping_add(1),
        },
        sent: [made.sent, keys].concat(),
        results: vec![],
    }
}

/// k READs in one step, from shares of their addresses: all from the same memory.
pub fn reads<W: Ring, P: Prg + Layers>(session: Session<W, P>, addresses: &[(u64, u64)]) -> Step<W, P> {
    let operation = session.operation;
    let log_size = session.p0.log_size;
    let addresses_0: Vec<u64> = addresses.iter().map(|(share, _)| *share).collect();
    let addresses_1: Vec<u64> = addresses.iter().map(|(_, share)| *share).collect();
    let shifts_0 = read_shifts_0(&session.p0, &addresses_0);
    let shifts_1 = read_shifts_1(&session.p1, &addresses_1);
    let (p2, unblindings) = reads_2(session.p2, &shifts_0, &shifts_1);
    let (p0, results_0) = reads_0(session.p0, &addresses_0, &shifts_1, &unblindings);
    let (p1, results_1) = reads_1(session.p1, &addresses_1, &shifts_0);
    let message = |kind: u8, from: u8, to: u8, round: u32, payload: Vec<u8>| Sent {
        kind,
        from,
        to,
        operation,
        round,
        payload,
    };
    Step {
        session: Session { p0, p1, p2, operation: operation.wrapping_add(1) },
        sent: vec![
            message(12, 0, 1, 0, payload::addresses_bytes(log_size, &shifts_0)),
            message(12, 0, 2, 0, payload::addresses_bytes(log_size, &shifts_0)),
            message(12, 1, 0, 0, payload::addresses_bytes(log_size, &shifts_1)),
            message(12, 1, 2, 0, payload::addresses_bytes(log_size, &shifts_1)),
            message(13, 2, 0, 1, payload::ring_bytes(&unblindings)),
        ],
        results: results_0.iter().zip(results_1.iter()).map(|(r_0, r_1)| (*r_0, *r_1)).collect(),
    }
}

/// k UPDATEs in one message, from the shares of their queries, applied one after another.
pub fn updates<W: Ring, P: Prg + Layers>(
    session: Session<W, P>,
    queries: &[(Query<W>, Query<W>)],
) -> Step<W, P> {
    let operation = session.operation;
    let log_size = session.p0.log_size;
    let queries_0: Vec<Query<W>> = queries.iter().map(|(query, _)| *query).collect();
    let queries_1: Vec<Query<W>> = queries.iter().map(|(_, query)| *query).collect();
    let sent_0 = update_messages_0(&session.p0, &queries_0);
    let sent_1 = update_messages_1(&session.p1, &queries_1);
    let p0 = updates_0(session.p0, &sent_0, &sent_1);
    let p1 = updates_1(session.p1, &sent_1, &sent_0);
    let p2 = updates_2(session.p2, &sent_0, &sent_1);
    let message = |from: u8, to: u8, messages: &[UpdateMessage<W>]| Sent {
        kind: 14,
        from,
        to,
        operation,
        round: 0,
        payload: payload::updates(log_size, messages),
    };
    Step {
        session: Session { p0, p1, p2, operation: operation.wrapping_add(1) },
        sent: vec![
            message(0, 1, &sent_0),
            message(0, 2, &sent_0),
            message(1, 0, &sent_1),
            message(1, 2, &sent_1),
        ],
        results: vec![],
    }
}

/// A WRITE, or a SWAP, whose result is the word that was there before.
pub fn put<W: Ring, P: Prg + Layers>(
    session: Session<W, P>,
    query: (Query<W>, Query<W>),
    swap: bool,
) -> Step<W, P> {
    let (query_0, query_1) = query;
    let operation = session.operation;
    let log_size = session.p0.log_size;
    let shifts_0 = write_shifts_0(&session.p0, &query_0);
    let shifts_1 = write_shifts_1(&session.p1, &query_1);
    let s = reconstruct_shift(at(&shifts_0, 0, 0), at(&shifts_1, 0, 0));
    let message = |kind: u8, from: u8, to: u8, round: u32, payload: Vec<u8>| Sent {
        kind,
        from,
        to,
        operation,
        round,
        payload,
    };
    match (session.p0.updates.first(), session.p1.updates.first(), session.p2.updates.first()) {
        (Some(item_0), Some(item_1), Some(item_2)) => {
            let part_0 = write_part_0(&session.p0, item_0, s, &query_0);
            let part_1 = write_part_1(&session.p1, item_1, s, &query_1);
            let part_2 = write_part_2(&session.p2, item_2, s);
            let g = swap_unblinding(&session.p2, item_2, s);
            let result = (swap_result_0(&session.p0, item_0, s, g), swap_result_1(&session.p1, item_1, s));
            let correction = final_correction(part_0, part_1, part_2);
            let bytes = |part: W| word_bytes(part.to_u64());
            let unblinding = if swap { vec![message(13, 2, 0, 1, bytes(g))] } else { vec![] };
            let sent = vec![
                message(12, 0, 1, 0, payload::addresses_bytes(log_size, &shifts_0)),
                message(12, 0, 2, 0, payload::addresses_bytes(log_size, &shifts_0)),
                message(12, 1, 0, 0, payload::addresses_bytes(log_size, &shifts_1)),
                message(12, 1, 2, 0, payload::addresses_bytes(log_size, &shifts_1)),
                message(15, 0, 1, 1, bytes(part_0)),
                message(15, 0, 2, 1, bytes(part_0)),
                message(15, 1, 0, 1, bytes(part_1)),
                message(15, 1, 2, 1, bytes(part_1)),
                message(15, 2, 0, 1, bytes(part_2)),
                message(15, 2, 1, 1, bytes(part_2)),
            ];
            Step {
                session: Session {
                    p0: used_0(session.p0, s, correction),
                    p1: used_1(session.p1, s, correction),
                    p2: used_2(session.p2, s, correction),
                    operation: operation.wrapping_add(1),
                },
                sent: [sent, unblinding].concat(),
                results: if swap { vec![result] } else { vec![] },
            }
        }
        _ => Step { session, sent: vec![], results: vec![] },
    }
}

/// A WRITE: puts M at i*.
pub fn write<W: Ring, P: Prg + Layers>(session: Session<W, P>, query: (Query<W>, Query<W>)) -> Step<W, P> {
    put(session, query, false)
}

/// A SWAP: puts M at i*, and yields shares of the word that was there.
pub fn swap<W: Ring, P: Prg + Layers>(session: Session<W, P>, query: (Query<W>, Query<W>)) -> Step<W, P> {
    put(session, query, true)
}
