//! UPDATE with two parties, online: one message each way.
//!
//! Protocol 2 of the paper without what P2 needs: one DPF, nothing blinded, and F in the open, for nobody else holds a key.

use crate::core::ring::Ring;
use crate::core::vector::{add, mod_size, scale, shift};

/// P_b's part of an UPDATE item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateItem<W> {
    /// Its share of e_ri.
    pub unit: Vec<W>,
    /// v_b: its signed value words.
    pub values: Vec<W>,
    /// F_b, its share of the final correction.
    pub correction: W,
    /// ri_b, below n.
    pub random_index_share: u64,
}

/// What P_b sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateMessage<W> {
    /// `i*_b - ri_b` mod n
    pub shift: u64,
    /// `M_b + F_b`
    pub masked: W,
}

/// `i*_b - ri_b`, reduced mod n before it is sent: unreduced, it would narrow down the address.
pub fn shift_share(address_share: u64, random_index_share: u64, n: usize) -> u64 {
    mod_size(address_share.wrapping_sub(random_index_share), n)
}

/// P_b's message, from its shares of the address and of M.
pub fn message<W: Ring>(item: &UpdateItem<W>, address: u64, m: W) -> UpdateMessage<W> {
    UpdateMessage {
        shift: shift_share(address, item.random_index_share, item.unit.len()),
        masked: m.plus(item.correction),
    }
}

/// `v_b[x - S] + F e_b[x - S]`, P_b's share of `M e_i*`.
pub fn update_words<W: Ring>(item: &UpdateItem<W>, final_correction: W, s: u64) -> Vec<W> {
    add(&shift(&item.values, s), &scale(final_correction, &shift(&item.unit, s)))
}

/// P_b's memory after the UPDATE, from both messages.
pub fn updated<W: Ring>(
    memory_share: &[W],
    item: &UpdateItem<W>,
    own: &UpdateMessage<W>,
    received: &UpdateMessage<W>,
) -> Vec<W> {
    let s = mod_size(own.shift.wrapping_add(received.shift), memory_share.len());
    add(memory_share, &update_words(item, own.masked.plus(received.masked), s))
}

/// The messages and the outcome of an UPDATE.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update<W> {
    /// P0 to P1
    pub message_0: UpdateMessage<W>,
    /// P1 to P0
    pub message_1: UpdateMessage<W>,
    /// D_0 after it
    pub memory_share_0: Vec<W>,
    /// D_1 after it
    pub memory_share_1: Vec<W>,
}

/// UPDATE by both parties: adds `M_0 + M_1` at `i*_0 + i*_1`. The size is a power of two.
pub fn update<W: Ring>(
    memory_shares: (&[W], &[W]),
    items: (&UpdateItem<W>, &UpdateItem<W>),
    address_shares: (u64, u64),
    value_shares: (W, W),
) -> Update<W> {
    let (d_0, d_1) = memory_shares;
    let (item_0, item_1) = items;
    let (i_0, i_1) = address_shares;
    let (m_0, m_1) = value_shares;
    let message_0 = message(item_0, i_0, m_0);
    let message_1 = message(item_1, i_1, m_1);
    Update {
        message_0,
        message_1,
        memory_share_0: updated(d_0, item_0, &message_0, &message_1),
        memory_share_1: updated(d_1, item_1, &message_1, &message_0),
    }
}
