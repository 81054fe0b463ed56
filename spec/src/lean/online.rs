//! The parties' functions of READ, UPDATE, WRITE and SWAP: what each computes from its own state and items, and from what the
//! other two sent it in this step.
//!
//! An item is good for one query, with one S: a second S would tell `i* xor i'*`. The items of a kind are used in the order in
//! which they were made, and the functions that end a step return the party without those that it used.

use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::vector::xor_shift;
use crate::lean::layers::{LayeredKey, Layers, Purpose, unit_flags, values};
use crate::lean::memory::{State0, State1, State2};
use crate::lean::party::{Item0, Item1, Item2, Party0, Party1, Party2, size};
use crate::lean::read::{
    partial_0, partial_1, partial_2, read_share_0, read_share_1, reconstruct_shift, shift_share, unblinding,
};
use crate::lean::tape::{item_stream, online_01, online_02, online_12, write_mask_01};
use crate::lean::update::{
    final_correction_a, final_correction_b, masked_value_0, masked_value_1, update_vector, updated_0,
    updated_1, updated_2,
};
use crate::lean::write::{masked_part_0, masked_part_1, masked_part_2};

/// The flags of one side, moved to i*.
pub fn flags_at<W: Ring, P: Prg + Layers>(prg: &P, key: &LayeredKey<W>, log_size: usize, s: u64) -> Vec<W> {
    let flags: Vec<W> = unit_flags(prg, key, log_size);
    xor_shift(&flags, s)
}

/// One side's share of `M e`.
pub fn update_share<W: Ring, P: Prg + Layers>(
    prg: &P,
    key: &LayeredKey<W>,
    log_size: usize,
    correction: W,
    s: u64,
) -> Vec<W> {
    let flags: Vec<W> = unit_flags(prg, key, log_size);
    let words: Vec<W> = values(prg, key, log_size);
    update_vector(&words, &flags, correction, s)
}

/// `s_0` of one item.
pub fn shift_0<W: Ring, P>(p0: &Party0<W, P>, item: &Item0<W>, address_share: u64) -> u64 {
    shift_share(address_share, item.random_index, size(p0.log_size))
}

/// `s_1` of one item.
pub fn shift_1<W: Ring, P>(p1: &Party1<W, P>, item: &Item1<W>, address_share: u64) -> u64 {
    shift_share(address_share, item.random_index, size(p1.log_size))
}

/// P0's part of the word at `ri xor S`.
pub fn part_0<W: Ring, P: Prg + Layers>(p0: &Party0<W, P>, item: &Item0<W>, s: u64) -> W {
    partial_0(
        &p0.state,
        &flags_at(&p0.prg, &item.key_a, p0.log_size, s),
        &flags_at(&p0.prg, &item.key_b, p0.log_size, s),
    )
}

/// P1's part.
pub fn part_1<W: Ring, P: Prg + Layers>(p1: &Party1<W, P>, item: &Item1<W>, s: u64) -> W {
    partial_1(&p1.state, &flags_at(&p1.prg, &item.key_a, p1.log_size, s))
}

/// P2's part.
pub fn part_2<W: Ring, P: Prg + Layers>(p2: &Party2<W, P>, item: &Item2<W>, s: u64) -> W {
    partial_2(
        &p2.state,
        &flags_at(&p2.prg, &item.key_a, p2.log_size, s),
        &flags_at(&p2.prg, &item.key_b, p2.log_size, s),
    )
}

// ---------------------------------------------------------------- READ

/// P0 to P1 and P2: `s_0` of each query.
pub fn read_shifts_0<W: Ring, P>(p0: &Party0<W, P>, addresses: &[u64]) -> Vec<u64> {
    p0.reads.iter().zip(addresses.iter()).map(|(item, address)| shift_0(p0, item, *address)).collect()
}

/// P1 to P0 and P2: `s_1` of each query.
pub fn read_shifts_1<W: Ring, P>(p1: &Party1<W, P>, addresses: &[u64]) -> Vec<u64> {
    p1.reads.iter().zip(addresses.iter()).map(|(item, address)| shift_1(p1, item, *address)).collect()
}

/// P2 to P0: g of each query.
pub fn reads_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    shifts_0: &[u64],
    shifts_1: &[u64],
) -> (Party2<W, P>, Vec<W>) {
    let shifts = shifts_0.iter().zip(shifts_1.iter());
    let sent: Vec<W> = p2
        .reads
        .iter()
        .zip(shifts)
        .map(|(item, (from_0, from_1))| {
            let words = item_stream(&p2.stream_12, item.number);
            let mask = online_12(&words, p2.log_size, Purpose::Read, 0);
            unblinding(part_2(&p2, item, reconstruct_shift(*from_0, *from_1)), mask)
        })
        .collect();
    let reads: Vec<Item2<W>> = p2.reads.iter().skip(shifts_0.len()).cloned().collect();
    (Party2 { reads, ..p2 }, sent)
}

/// P0's results, from P1's shift shares and P2's g.
pub fn reads_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    addresses: &[u64],
    shifts_1: &[u64],
    unblindings: &[W],
) -> (Party0<W, P>, Vec<W>) {
    let received = addresses.iter().zip(shifts_1.iter().zip(unblindings.iter()));
    let results: Vec<W> = p0
        .reads
        .iter()
        .zip(received)
        .map(|(item, (address, (from_1, g)))| {
            let s = reconstruct_shift(shift_0(&p0, item, *address), *from_1);
            read_share_0(part_0(&p0, item, s), *g)
        })
        .collect();
    let reads: Vec<Item0<W>> = p0.reads.iter().skip(addresses.len()).cloned().collect();
    (Party0 { reads, ..p0 }, results)
}

/// P1's results, from P0's shift shares.
pub fn reads_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    addresses: &[u64],
    shifts_0: &[u64],
) -> (Party1<W, P>, Vec<W>) {
    let received = addresses.iter().zip(shifts_0.iter());
    let results: Vec<W> = p1
        .reads
        .iter()
        .zip(received)
        .map(|(item, (address, from_0))| {
            let s = reconstruct_shift(shift_1(&p1, item, *address), *from_0);
            let words = item_stream(&p1.stream_12, item.number);
            read_share_1(part_1(&p1, item, s), online_12(&words, p1.log_size, Purpose::Read, 0))
        })
        .collect();
    let reads: Vec<Item1<W>> = p1.reads.iter().skip(addresses.len()).cloned().collect();
    (Party1 { reads, ..p1 }, results)
}

// ---------------------------------------------------------------- UPDATE

/// A primary's shares of one query: of the address, and of M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query<W> {
    /// `i*_b`
    pub address: u64,
    /// `M_b`
    pub value: W,
}

/// P_b to the other two, for one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateMessage<W> {
    /// `s_b`
    pub shift: u64,
    /// `m_b`
    pub masked: W,
}

/// P0's message of each query.
pub fn update_messages_0<W: Ring, P>(p0: &Party0<W, P>, queries: &[Query<W>]) -> Vec<UpdateMessage<W>> {
    p0.updates
        .iter()
        .zip(queries.iter())
        .map(|(item, query)| {
            let x = online_01(&item_stream(&p0.stream_01, item.number));
            UpdateMessage {
                shift: shift_0(p0, item, query.address),
                masked: masked_value_0(query.value, item.value_share, x),
            }
        })
        .collect()
}

/// P1's message of each query.
pub fn update_messages_1<W: Ring, P>(p1: &Party1<W, P>, queries: &[Query<W>]) -> Vec<UpdateMessage<W>> {
    p1.updates
        .iter()
        .zip(queries.iter())
        .map(|(item, query)| {
            let x = online_01(&item_stream(&p1.stream_01, item.number));
            UpdateMessage {
                shift: shift_1(p1, item, query.address),
                masked: masked_value_1(query.value, item.value_share, x),
            }
        })
        .collect()
}

/// P0's state with `F_a`'s point function added, moved by S.
pub fn applied_0<W: Ring, P: Prg + Layers>(
    p0: &Party0<W, P>,
    item: &Item0<W>,
    s: u64,
    correction: W,
) -> State0<W> {
    let correction_b = final_correction_b(correction, item.delta);
    updated_0(
        &p0.state,
        &update_share(&p0.prg, &item.key_a, p0.log_size, correction, s),
        &update_share(&p0.prg, &item.key_b, p0.log_size, correction_b, s),
    )
}

/// P1's state with it.
pub fn applied_1<W: Ring, P: Prg + Layers>(
    p1: &Party1<W, P>,
    item: &Item1<W>,
    s: u64,
    correction: W,
) -> State1<W> {
    updated_1(&p1.state, &update_share(&p1.prg, &item.key_a, p1.log_size, correction, s))
}

/// P2's state with it.
pub fn applied_2<W: Ring, P: Prg + Layers>(
    p2: &Party2<W, P>,
    item: &Item2<W>,
    s: u64,
    correction: W,
) -> State2<W> {
    let correction_b = final_correction_b(correction, item.delta);
    updated_2(
        &p2.state,
        &update_share(&p2.prg, &item.key_a, p2.log_size, correction, s),
        &update_share(&p2.prg, &item.key_b, p2.log_size, correction_b, s),
    )
}

/// P0 after one query, whose item is the oldest; without one nothing changes.
pub fn used_0<W: Ring, P: Prg + Layers>(p0: Party0<W, P>, s: u64, correction: W) -> Party0<W, P> {
    let state = match p0.updates.first() {
        Some(item) => applied_0(&p0, item, s, correction),
        None => p0.state.clone(),
    };
    let updates: Vec<Item0<W>> = p0.updates.iter().skip(1).cloned().collect();
    Party0 { state, updates, ..p0 }
}

/// P1 after one query.
pub fn used_1<W: Ring, P: Prg + Layers>(p1: Party1<W, P>, s: u64, correction: W) -> Party1<W, P> {
    let state = match p1.updates.first() {
        Some(item) => applied_1(&p1, item, s, correction),
        None => p1.state.clone(),
    };
    let updates: Vec<Item1<W>> = p1.updates.iter().skip(1).cloned().collect();
    Party1 { state, updates, ..p1 }
}

/// P2 after one query.
pub fn used_2<W: Ring, P: Prg + Layers>(p2: Party2<W, P>, s: u64, correction: W) -> Party2<W, P> {
    let state = match p2.updates.first() {
        Some(item) => applied_2(&p2, item, s, correction),
        None => p2.state.clone(),
    };
    let updates: Vec<Item2<W>> = p2.updates.iter().skip(1).cloned().collect();
    Party2 { state, updates, ..p2 }
}

/// What the messages of one query are of: S and `F_a`.
pub fn opened<W: Ring>(one: &UpdateMessage<W>, other: &UpdateMessage<W>) -> (u64, W) {
    (reconstruct_shift(one.shift, other.shift), final_correction_a(one.masked, other.masked))
}

/// P0 applies the queries one after another, from its own messages and P1's.
pub fn updates_0<W: Ring, P: Prg + Layers>(
    p0: Party0<W, P>,
    own: &[UpdateMessage<W>],
    received: &[UpdateMessage<W>],
) -> Party0<W, P> {
    own.iter().zip(received.iter()).fold(p0, |p0, (one, other)| {
        let (s, correction) = opened(one, other);
        used_0(p0, s, correction)
    })
}

/// P1 applies them, from its own messages and P0's.
pub fn updates_1<W: Ring, P: Prg + Layers>(
    p1: Party1<W, P>,
    own: &[UpdateMessage<W>],
    received: &[UpdateMessage<W>],
) -> Party1<W, P> {
    own.iter().zip(received.iter()).fold(p1, |p1, (one, other)| {
        let (s, correction) = opened(one, other);
        used_1(p1, s, correction)
    })
}

/// P2 applies them, from P0's messages and P1's.
pub fn updates_2<W: Ring, P: Prg + Layers>(
    p2: Party2<W, P>,
    from_0: &[UpdateMessage<W>],
    from_1: &[UpdateMessage<W>],
) -> Party2<W, P> {
    from_0.iter().zip(from_1.iter()).fold(p2, |p2, (one, other)| {
        let (s, correction) = opened(one, other);
        used_2(p2, s, correction)
    })
}

// ---------------------------------------------------------------- WRITE and SWAP

/// P0 to P1 and P2, first message: `s_0`, one if there is an item.
pub fn write_shifts_0<W: Ring, P>(p0: &Party0<W, P>, query: &Query<W>) -> Vec<u64> {
    p0.updates.iter().take(1).map(|item| shift_0(p0, item, query.address)).collect()
}

/// P1 to P0 and P2, first message: `s_1`.
pub fn write_shifts_1<W: Ring, P>(p1: &Party1<W, P>, query: &Query<W>) -> Vec<u64> {
    p1.updates.iter().take(1).map(|item| shift_1(p1, item, query.address)).collect()
}

/// P0 to P1 and P2, second message, from S.
pub fn write_part_0<W: Ring, P: Prg + Layers>(
    p0: &Party0<W, P>,
    item: &Item0<W>,
    s: u64,
    query: &Query<W>,
) -> W {
    let y_01 = write_mask_01(&item_stream(&p0.stream_01, item.number));
    let y_02 = online_02(&item_stream(&p0.stream_02, item.number), p0.log_size);
    masked_part_0(query.value, part_0(p0, item, s), item.value_share, y_01, y_02)
}

/// P1 to P0 and P2, second message.
pub fn write_part_1<W: Ring, P: Prg + Layers>(
    p1: &Party1<W, P>,
    item: &Item1<W>,
    s: u64,
    query: &Query<W>,
) -> W {
    let y_01 = write_mask_01(&item_stream(&p1.stream_01, item.number));
    let y_12 = online_12(&item_stream(&p1.stream_12, item.number), p1.log_size, Purpose::Update, 1);
    masked_part_1(query.value, part_1(p1, item, s), item.value_share, y_01, y_12)
}

/// P2 to P0 and P1, second message.
pub fn write_part_2<W: Ring, P: Prg + Layers>(p2: &Party2<W, P>, item: &Item2<W>, s: u64) -> W {
    let y_02 = online_02(&item_stream(&p2.stream_02, item.number), p2.log_size);
    let y_12 = online_12(&item_stream(&p2.stream_12, item.number), p2.log_size, Purpose::Update, 1);
    masked_part_2(part_2(p2, item, s), y_02, y_12)
}

/// SWAP, P2 to P0 with the second message: g.
pub fn swap_unblinding<W: Ring, P: Prg + Layers>(p2: &Party2<W, P>, item: &Item2<W>, s: u64) -> W {
    let words = item_stream(&p2.stream_12, item.number);
    unblinding(part_2(p2, item, s), online_12(&words, p2.log_size, Purpose::Update, 0))
}

/// SWAP: P0's share of the word that was there.
pub fn swap_result_0<W: Ring, P: Prg + Layers>(p0: &Party0<W, P>, item: &Item0<W>, s: u64, g: W) -> W {
    read_share_0(part_0(p0, item, s), g)
}

/// SWAP: P1's share.
pub fn swap_result_1<W: Ring, P: Prg + Layers>(p1: &Party1<W, P>, item: &Item1<W>, s: u64) -> W {
    let words = item_stream(&p1.stream_12, item.number);
    read_share_1(part_1(p1, item, s), online_12(&words, p1.log_size, Purpose::Update, 0))
}
