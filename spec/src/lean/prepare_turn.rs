//! Preparing a batch at one party, as one function: from the party and all that it was sent in the step to the party with its items, and
//! all that it says. [`crate::lean::preprocessing`] has what it does in each round.

use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::lean::delivery::received;
use crate::lean::generation::{Growing, has_level};
use crate::lean::layers::{Layers, Purpose};
use crate::lean::party::{Party0, Party1, Party2};
use crate::lean::payload;
use crate::lean::preprocessing::{
    HelperKey, Round, batch_depth, begin_0, begin_1, deal_2, dealt_to_1, flags_due, keys_0, keys_1,
    moved_shares, next_round, prepared_0, prepared_1, prepared_2, purposes, round_message, round_opening,
    seeds_1, with_offsets, words_due,
};
use crate::lean::session::{Sent, spoken};

/// A party's step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn<T, W> {
    /// The party after it.
    pub party: T,
    /// All that it sends, in order.
    pub sent: Vec<Sent>,
    /// Its share of each result.
    pub results: Vec<W>,
}

/// A primary's DPFs after some rounds, and what it said meanwhile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth<W> {
    /// The DPFs of a batch.
    pub batch: Vec<Growing<W>>,
    /// Its messages.
    pub sent: Vec<Sent>,
}

/// How many of the DPFs have something due.
pub fn count(due: &[bool]) -> usize {
    due.iter().fold(0, |sum: usize, due| sum.wrapping_add(if *due { 1 } else { 0 }))
}

/// When a round's first messages travel; its second ones come next.
pub fn round_time(round: usize) -> usize {
    round.wrapping_mul(2).wrapping_add(1)
}

/// When the keys travel, behind all rounds.
pub fn keys_time(levels: usize) -> usize {
    levels.wrapping_mul(2).wrapping_add(2)
}

/// Which of a primary's DPFs have a level left. The other primary's are the same.
pub fn levels_due<W: Ring>(batch: &[Growing<W>]) -> Vec<bool> {
    batch.iter().map(|growing| has_level(growing)).collect()
}

/// The other primary's first message of a round, whose parts are of the DPFs for which a primary has something itself.
pub fn received_round<W: Ring>(batch: &[Growing<W>], round: usize, from: u8, inbox: &[Sent]) -> Round<W> {
    let time = round_time(round);
    let levels = levels_due(batch);
    let flags: Vec<bool> = batch.iter().map(|growing| flags_due(growing, round)).collect();
    let words: Vec<bool> = batch.iter().map(|growing| words_due(growing, round)).collect();
    let operands = payload::operands_of_bytes(&received(inbox, 6, from, time), count(&levels));
    let flag_shares = payload::blocks_of_bytes(&received(inbox, 8, from, time));
    let word_shares = payload::word_shares_of(&received(inbox, 9, from, time), count(&words));
    Round {
        operands: payload::with_gaps(&operands, &levels),
        flags: payload::with_gaps(&flag_shares, &flags),
        words: payload::with_gaps(&word_shares, &words),
    }
}

/// One round of a batch at a primary.
pub fn round_turn<W: Ring, P: Prg + Layers>(
    number: u8,
    prg: &P,
    operation: u64,
    growth: Growth<W>,
    round: usize,
    inbox: &[Sent],
) -> Growth<W> {
    let other = 1 ^ number;
    let time = round_time(round);
    let first = round_message(prg, &growth.batch, round);
    let theirs = received_round(&growth.batch, round, other, inbox);
    let second = round_opening(prg, &growth.batch, &theirs);
    let openings = payload::blocks_of_bytes(&received(inbox, 7, other, time.wrapping_add(1)));
    let message = |kind: u8, round: usize, payload: Vec<u8>| Sent {
        kind,
        from: number,
        to: other,
        operation,
        round: round as u32,
        payload,
    };
    let sent = spoken(&[
        message(8, time, payload::blocks_bytes(&payload::present(&first.flags))),
        message(6, time, payload::operands_bytes(&payload::present(&first.operands))),
        message(9, time, payload::word_shares(&payload::present(&first.words))),
        message(7, time.wrapping_add(1), payload::blocks_bytes(&payload::present(&second))),
    ]);
    let openings = payload::with_gaps(&openings, &levels_due(&growth.batch));
    Growth { batch: next_round(prg, &growth.batch, &theirs, &openings), sent: [growth.sent, sent].concat() }
}

/// All rounds of a batch at a primary.
pub fn rounds_turn<W: Ring, P: Prg + Layers>(
    number: u8,
    prg: &P,
    operation: u64,
    start: Growth<W>,
    levels: usize,
    inbox: &[Sent],
) -> Growth<W> {
    (0..levels.wrapping_add(1))
        .fold(start, |growth, round: usize| round_turn(number, prg, operation, growth, round, inbox))
}

/// Preparing at P0.
pub fn prepare_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    operation: u64,
    reads: usize,
    updates: usize,
    inbox: &[Sent],
) -> Turn<Party0<W, P>, W> {
    let message = |kind: u8, to: u8, round: usize, payload: Vec<u8>| Sent {
        kind,
        from: 0,
        to,
        operation,
        round: round as u32,
        payload,
    };
    let levels = batch_depth(p0.log_size, updates);
    let last = keys_time(levels);
    let begun = begin_0(&p0, reads, updates);
    let offsets = payload::moved_shares_of(&received(inbox, 5, 1, 0));
    let start = Growth {
        batch: with_offsets(&begun, &offsets),
        sent: vec![message(5, 1, 0, payload::moved_shares(&moved_shares(&begun)))],
    };
    let grown = rounds_turn(0, &p0.prg, operation, start, levels, inbox);
    let keys = keys_0(&p0, &grown.batch);
    let shares: Vec<W> = payload::delta_shares_of(&received(inbox, 11, 1, last), &purposes(reads, updates));
    let said = spoken(&[
        message(10, 2, last, payload::keys(&keys)),
        message(11, 2, last, payload::delta_shares(&keys)),
    ]);
    Turn {
        party: prepared_0(p0, &grown.batch, &keys, &shares, reads),
        sent: [grown.sent, said].concat(),
        results: vec![],
    }
}

/// Preparing at P1.
pub fn prepare_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    operation: u64,
    reads: usize,
    updates: usize,
    inbox: &[Sent],
) -> Turn<Party1<W, P>, W> {
    let message = |kind: u8, to: u8, round: usize, payload: Vec<u8>| Sent {
        kind,
        from: 1,
        to,
        operation,
        round: round as u32,
        payload,
    };
    let levels = batch_depth(p1.log_size, updates);
    let last = keys_time(levels);
    let begun = begin_1(&p1, reads, updates);
    let deals = payload::deals_of(&received(inbox, 4, 2, 0), p1.log_size, &purposes(reads, updates));
    let dealt = dealt_to_1(&begun, &seeds_1(&p1, reads, updates), &deals);
    let offsets = payload::moved_shares_of(&received(inbox, 5, 0, 0));
    let start = Growth {
        batch: with_offsets(&dealt, &offsets),
        sent: vec![message(5, 0, 0, payload::moved_shares(&moved_shares(&begun)))],
    };
    let grown = rounds_turn(1, &p1.prg, operation, start, levels, inbox);
    let keys = keys_1(&p1, &grown.batch);
    let said = spoken(&[
        message(10, 2, last, payload::keys(&keys)),
        message(11, 0, last, payload::delta_shares(&keys)),
        message(11, 2, last, payload::delta_shares(&keys)),
    ]);
    Turn { party: prepared_1(p1, &grown.batch, reads), sent: [grown.sent, said].concat(), results: vec![] }
}

/// What P2 was sent by one primary for each item.
pub fn received_keys<W: Ring>(
    log_size: usize,
    purposes: &[Purpose],
    last: usize,
    from: u8,
    inbox: &[Sent],
) -> Vec<HelperKey<W>> {
    let keys = payload::keys_of(&received(inbox, 10, from, last), log_size, purposes);
    let shares: Vec<W> = payload::delta_shares_of(&received(inbox, 11, from, last), purposes);
    purposes
        .iter()
        .zip(keys.iter().zip(shares.iter()))
        .map(|(purpose, (key, share))| HelperKey { purpose: *purpose, key: key.clone(), delta_share: *share })
        .collect()
}

/// Preparing at P2.
pub fn prepare_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    operation: u64,
    reads: usize,
    updates: usize,
    inbox: &[Sent],
) -> Turn<Party2<W, P>, W> {
    let purposes = purposes(reads, updates);
    let dealt = payload::deals(&purposes, &deal_2(&p2, reads, updates));
    let last = keys_time(batch_depth(p2.log_size, updates));
    let from_0 = received_keys(p2.log_size, &purposes, last, 0, inbox);
    let from_1 = received_keys(p2.log_size, &purposes, last, 1, inbox);
    Turn {
        party: prepared_2(p2, &from_0, &from_1, reads),
        sent: vec![Sent { kind: 4, from: 2, to: 1, operation, round: 0, payload: dealt }],
        results: vec![],
    }
}
