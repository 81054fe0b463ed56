//! A whole session of the three parties as a function: every message of every step, in bytes, and the states after it.
//!
//! This is what an implementation is compared with, message by message: give both the same random words
//! ([`crate::paper::tape`]), take the same steps, and compare what each party sends to each other party, in order.
//!
//! A step takes the session and returns it changed, together with the messages. Material that a step needs must have
//! been prepared; a session that runs out of it yields fewer results than queries.

use crate::core::aes::{bytes_of_block, expand_key};
use crate::core::block::Block;
use crate::core::prg::AesPrg;
use crate::core::share::Primary;
use crate::paper::memory::{State, initial, shared};
use crate::paper::payload;
use crate::paper::preprocessing::{
    Dpf, DpfTriples, Item, prepare, random_index_shares, unit_vectors, update_material,
};
use crate::paper::read::{Read, UnitVectors, read};
use crate::paper::tape::{
    PRIMARY_WORDS, Tape, advance, dpf_triples, peek, peek_block, primary_randomness, tape, triple_words,
};
use crate::paper::update::{Update, UpdateMaterial, update};

/// A message: `kind`, `operation` and `round` as in the header, the parties as 0, 1, 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Kind, 1 to 13.
    pub kind: u8,
    /// Sender
    pub from: u8,
    /// Receiver
    pub to: u8,
    /// Number of the step.
    pub operation: u64,
    /// Level or chunk.
    pub round: u32,
    /// What follows the header.
    pub payload: Vec<u8>,
}

/// A READ's material: unit vectors and `(ri_0, ri_1)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreparedRead {
    /// t
    pub units: UnitVectors<u64>,
    /// ri
    pub random_index_shares: (u64, u64),
}

/// An UPDATE's material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreparedUpdate {
    /// t, v and F
    pub material: UpdateMaterial<u64>,
    /// ri
    pub random_index_shares: (u64, u64),
}

/// Everything that the three parties hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// h
    pub log_size: usize,
    /// The PRG under the session's key K.
    pub prg: AesPrg,
    /// P0's random words
    pub tape_0: Tape,
    /// P1's random words
    pub tape_1: Tape,
    /// P2's random words
    pub tape_2: Tape,
    /// The three states.
    pub state: State<u64>,
    /// Material for READs, in the order of use.
    pub reads: Vec<PreparedRead>,
    /// Material for UPDATEs, in the order of use.
    pub updates: Vec<PreparedUpdate>,
    /// Number of the next step.
    pub operation: u64,
}

/// What a step yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The session after it.
    pub session: Session,
    /// All messages; those from one party to another in the order in which they are sent.
    pub sent: Vec<Sent>,
    /// `(read_0, read_1)` of each READ.
    pub results: Vec<(u64, u64)>,
}

/// The number of words of a load's messages.
pub const CHUNK_WORDS: usize = 65_536;

/// Step 0: the parties agree on K, the XOR of what they contribute. `words_b` are P_b's random words.
pub fn connect(log_size: usize, words_0: &[u64], words_1: &[u64], words_2: &[u64]) -> Step {
    let contribution = |words: &[u64]| peek_block(&tape(words), 0);
    let key: Block = contribution(words_0) ^ contribution(words_1) ^ contribution(words_2);
    let sent = |from: u8, to: u8, words: &[u64]| Sent {
        kind: 1,
        from,
        to,
        operation: 0,
        round: 0,
        payload: payload::hello(contribution(words), log_size),
    };
    Step {
        session: Session {
            log_size,
            prg: AesPrg { aes: expand_key(&bytes_of_block(key)) },
            tape_0: advance(&tape(words_0), 2),
            tape_1: advance(&tape(words_1), 2),
            tape_2: advance(&tape(words_2), 2),
            state: initial(1usize.wrapping_shl(log_size as u32)),
            reads: vec![],
            updates: vec![],
            operation: 1,
        },
        sent: vec![
            sent(0, 1, words_0),
            sent(0, 2, words_0),
            sent(1, 0, words_1),
            sent(1, 2, words_1),
            sent(2, 0, words_2),
            sent(2, 1, words_2),
        ],
        results: vec![],
    }
}

/// The chunks of one vector, as messages.
pub fn chunks(operation: u64, kind: u8, from: u8, to: u8, words: &[u64]) -> Vec<Sent> {
    let count = words.len().wrapping_add(CHUNK_WORDS - 1).wrapping_shr(16);
    (0..count)
        .map(|chunk: usize| {
            let part: Vec<u64> =
                words.iter().skip(chunk.wrapping_mul(CHUNK_WORDS)).take(CHUNK_WORDS).copied().collect();
            Sent { kind, from, to, operation, round: chunk as u32, payload: payload::words_bytes(&part) }
        })
        .collect()
}

/// A load: the primaries have shares of a memory, draw blinds, and exchange blinded shares.
pub fn load(session: Session, memory_share_0: &[u64], memory_share_1: &[u64]) -> Step {
    let n = memory_share_0.len();
    let blind_0: Vec<u64> = (0..n).map(|i: usize| peek(&session.tape_0, i)).collect();
    let blind_1: Vec<u64> = (0..n).map(|i: usize| peek(&session.tape_1, i)).collect();
    let state = shared(memory_share_0, memory_share_1, &blind_0, &blind_1);
    let operation = session.operation;
    let sent = [
        chunks(operation, 2, 0, 1, &state.p1.blinded),
        chunks(operation, 3, 0, 2, &blind_0),
        chunks(operation, 2, 1, 0, &state.p0.blinded),
        chunks(operation, 3, 1, 2, &blind_1),
    ]
    .concat();
    let tape_0 = advance(&session.tape_0, n);
    let tape_1 = advance(&session.tape_1, n);
    Step {
        session: Session { state, tape_0, tape_1, operation: operation.wrapping_add(1), ..session },
        sent,
        results: vec![],
    }
}

/// P0's words for item `j` of a batch: UPDATE items take two more, `delta^(2)` and `delta^(3)`.
pub fn item_offset_0(j: usize, reads: usize) -> usize {
    let updates_before = if j < reads { 0 } else { j.wrapping_sub(reads) };
    j.wrapping_mul(PRIMARY_WORDS).wrapping_add(updates_before.wrapping_mul(2))
}

/// Item `j` of a batch: its three DPFs with the triples that went into them.
pub fn prepare_item(session: &Session, j: usize, reads: usize) -> (Item<u64>, Vec<DpfTriples<u64>>) {
    let triples = |k: usize| {
        let number = j.wrapping_mul(3).wrapping_add(k);
        dpf_triples(
            &advance(&session.tape_2, number.wrapping_mul(triple_words(session.log_size))),
            session.log_size,
        )
    };
    let (triples_1, triples_2, triples_3) = (triples(0), triples(1), triples(2));
    let item = prepare(
        &session.prg,
        session.log_size,
        &primary_randomness(&advance(&session.tape_0, item_offset_0(j, reads))),
        &primary_randomness(&advance(&session.tape_1, j.wrapping_mul(PRIMARY_WORDS))),
        (&triples_1, &triples_2, &triples_3),
    );
    (item, vec![triples_1, triples_2, triples_3])
}

/// `delta^(2)`, `delta^(3)` of item `j`, an UPDATE item.
pub fn item_deltas(session: &Session, j: usize, reads: usize) -> (u64, u64) {
    let start = item_offset_0(j, reads).wrapping_add(PRIMARY_WORDS);
    (peek(&session.tape_0, start), peek(&session.tape_0, start.wrapping_add(1)))
}

/// The messages of a batch. `dpfs` are all DPFs in the order of their numbers.
pub fn batch_messages(
    session: &Session,
    items: &[Item<u64>],
    triples: &[DpfTriples<u64>],
    deltas: &[u64],
) -> Vec<Sent> {
    let operation = session.operation;
    let message = |kind: u8, from: u8, to: u8, round: usize, payload: Vec<u8>| Sent {
        kind,
        from,
        to,
        operation,
        round: round as u32,
        payload,
    };
    let dpfs: Vec<Dpf<u64>> = items
        .iter()
        .flat_map(|item| vec![item.dpf_1.clone(), item.dpf_2.clone(), item.dpf_3.clone()])
        .collect();
    let second: Vec<Dpf<u64>> = items.iter().map(|item| item.dpf_2.clone()).collect();
    let third: Vec<Dpf<u64>> = items.iter().map(|item| item.dpf_3.clone()).collect();
    let and_0: Vec<_> = triples.iter().flat_map(|t| t.and_0.clone()).collect();
    let and_1: Vec<_> = triples.iter().flat_map(|t| t.and_1.clone()).collect();
    let product_0: Vec<_> = triples.iter().map(|t| t.product_0).collect();
    let product_1: Vec<_> = triples.iter().map(|t| t.product_1).collect();
    let dealt = vec![
        message(4, 2, 0, 0, payload::triples(&and_0, &product_0)),
        message(4, 2, 1, 0, payload::triples(&and_1, &product_1)),
    ];
    let levels: Vec<Sent> = (0..session.log_size)
        .flat_map(|level: usize| {
            let of_level: Vec<_> = dpfs
                .iter()
                .flat_map(|dpf| {
                    let at_level: Vec<_> =
                        dpf.generation.messages.iter().skip(level).take(1).copied().collect();
                    at_level
                })
                .collect();
            vec![
                message(5, 0, 1, level, payload::level_operands(Primary::P0, &of_level)),
                message(5, 1, 0, level, payload::level_operands(Primary::P1, &of_level)),
                message(6, 0, 1, level, payload::level_opening(Primary::P0, &of_level)),
                message(6, 1, 0, level, payload::level_opening(Primary::P1, &of_level)),
            ]
        })
        .collect();
    let conversion = vec![
        message(7, 0, 1, 0, payload::conversion_operands(Primary::P0, &dpfs, deltas)),
        message(7, 1, 0, 0, payload::conversion_operands(Primary::P1, &dpfs, &[])),
        message(8, 0, 1, 0, payload::conversion_opening(Primary::P0, &dpfs)),
        message(8, 1, 0, 0, payload::conversion_opening(Primary::P1, &dpfs)),
    ];
    let keys = vec![
        message(9, 0, 2, 0, payload::helper_keys(Primary::P0, &second)),
        message(9, 1, 2, 0, payload::helper_keys(Primary::P1, &third)),
    ];
    [dealt, levels, conversion, keys].concat()
}

/// Preprocessing of `reads` READ items and then `updates` UPDATE items, in one batch.
pub fn preprocess(session: Session, reads: usize, updates: usize) -> Step {
    let count = reads.wrapping_add(updates);
    let prepared: Vec<(Item<u64>, Vec<DpfTriples<u64>>)> =
        (0..count).map(|j: usize| prepare_item(&session, j, reads)).collect();
    let items: Vec<Item<u64>> = prepared.iter().map(|(item, _)| item.clone()).collect();
    let triples: Vec<DpfTriples<u64>> = prepared.iter().flat_map(|(_, triples)| triples.clone()).collect();
    let pairs: Vec<(u64, u64)> = (reads..count).map(|j: usize| item_deltas(&session, j, reads)).collect();
    let deltas: Vec<u64> =
        pairs.iter().flat_map(|(delta_dpf_2, delta_dpf_3)| vec![*delta_dpf_2, *delta_dpf_3]).collect();
    let sent = batch_messages(&session, &items, &triples, &deltas);
    let new_reads: Vec<PreparedRead> = items
        .iter()
        .take(reads)
        .map(|item| PreparedRead {
            units: unit_vectors(item),
            random_index_shares: random_index_shares(item),
        })
        .collect();
    let new_updates: Vec<PreparedUpdate> = items
        .iter()
        .skip(reads)
        .zip(pairs.iter())
        .map(|(item, (delta_dpf_2, delta_dpf_3))| PreparedUpdate {
            material: update_material(item, *delta_dpf_2, *delta_dpf_3),
            random_index_shares: random_index_shares(item),
        })
        .collect();
    let tape_0 = advance(&session.tape_0, item_offset_0(count, reads));
    let tape_1 = advance(&session.tape_1, count.wrapping_mul(PRIMARY_WORDS));
    let tape_2 = advance(&session.tape_2, count.wrapping_mul(3).wrapping_mul(triple_words(session.log_size)));
    Step {
        session: Session {
            tape_0,
            tape_1,
            tape_2,
            reads: [session.reads, new_reads].concat(),
            updates: [session.updates, new_updates].concat(),
            operation: session.operation.wrapping_add(1),
            ..session
        },
        sent,
        results: vec![],
    }
}

/// The session after a step that used up `reads` and `updates` items and `masks` words of P2.
pub fn after(session: Session, state: State<u64>, reads: usize, updates: usize, masks: usize) -> Session {
    let tape_2 = advance(&session.tape_2, masks);
    Session {
        state,
        tape_2,
        reads: session.reads.iter().skip(reads).cloned().collect(),
        updates: session.updates.iter().skip(updates).cloned().collect(),
        operation: session.operation.wrapping_add(1),
        ..session
    }
}

/// k independent READs: `(i*_0, i*_1)` of each.
pub fn reads(session: Session, addresses: &[(u64, u64)]) -> Step {
    let outcomes: Vec<Read<u64>> = addresses
        .iter()
        .zip(session.reads.iter())
        .enumerate()
        .map(|(query, (address, item))| {
            read(
                &session.state,
                &item.units,
                item.random_index_shares,
                *address,
                peek(&session.tape_2, query),
            )
        })
        .collect();
    let operation = session.operation;
    let message = |kind: u8, from: u8, to: u8, words: &[u64]| Sent {
        kind,
        from,
        to,
        operation,
        round: 0,
        payload: payload::words_bytes(words),
    };
    let shifts_0: Vec<u64> = outcomes.iter().map(|o| o.shift_0).collect();
    let shifts_1: Vec<u64> = outcomes.iter().map(|o| o.shift_1).collect();
    let gammas_0: Vec<u64> = outcomes.iter().map(|o| o.gamma_0).collect();
    let gammas_1: Vec<u64> = outcomes.iter().map(|o| o.gamma_1).collect();
    let sent = vec![
        message(10, 0, 1, &shifts_0),
        message(10, 0, 2, &shifts_0),
        message(10, 1, 0, &shifts_1),
        message(10, 1, 2, &shifts_1),
        message(11, 2, 0, &gammas_0),
        message(11, 2, 1, &gammas_1),
    ];
    let results = outcomes.iter().map(|o| (o.read_0, o.read_1)).collect();
    let state = session.state.clone();
    Step { session: after(session, state, addresses.len(), 0, addresses.len()), sent, results }
}

/// An UPDATE's query: shares of the address and of M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateQuery {
    /// `(i*_0, i*_1)`
    pub address: (u64, u64),
    /// `(M_0, M_1)`
    pub value: (u64, u64),
}

/// k UPDATEs in one message.
pub fn updates(session: Session, queries: &[UpdateQuery]) -> Step {
    let start: (State<u64>, Vec<Update<u64>>) = (session.state.clone(), vec![]);
    let (state, outcomes) =
        queries.iter().zip(session.updates.iter()).fold(start, |(state, done), (query, item)| {
            let outcome =
                update(&state, &item.material, item.random_index_shares, query.address, query.value);
            (outcome.state.clone(), [done, vec![outcome]].concat())
        });
    let messages_0: Vec<_> = outcomes.iter().map(|o| o.message_0).collect();
    let messages_1: Vec<_> = outcomes.iter().map(|o| o.message_1).collect();
    let operation = session.operation;
    let message =
        |kind: u8, from: u8, to: u8, payload: Vec<u8>| Sent { kind, from, to, operation, round: 0, payload };
    let sent = vec![
        message(12, 0, 1, payload::update(&messages_0)),
        message(13, 0, 2, payload::helper_update(&messages_0)),
        message(12, 1, 0, payload::update(&messages_1)),
        message(13, 1, 2, payload::helper_update(&messages_1)),
    ];
    Step { session: after(session, state, 0, queries.len(), 0), sent, results: vec![] }
}

/// A WRITE: a READ step, then an UPDATE step by `M_b - read_b`. The result is the word that was there before.
pub fn write(session: Session, query: UpdateQuery) -> Step {
    let first = reads(session, &[query.address]);
    let (m_0, m_1) = query.value;
    let (read_0, read_1) = match first.results.first() {
        Some(shares) => *shares,
        None => (0, 0),
    };
    let difference = (m_0.wrapping_sub(read_0), m_1.wrapping_sub(read_1));
    let second = updates(first.session, &[UpdateQuery { address: query.address, value: difference }]);
    Step { session: second.session, sent: [first.sent, second.sent].concat(), results: first.results }
}
