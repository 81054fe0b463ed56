//! WRITE and SWAP with two parties: a READ, then an UPDATE by what is to be added for the new word to be there.

use crate::core::ring::Ring;
use crate::two_party::read::read;
use crate::two_party::update::{Update, UpdateItem, update};

/// A party's share of what the UPDATE of a WRITE adds: `M_b - read_b`.
pub fn difference<W: Ring>(m: W, read_share: W) -> W {
    m.minus(read_share)
}

/// WRITE by both parties, over an ideal symmetric PIR: puts `M_0 + M_1` at `i*_0 + i*_1`. With it the shares of the word that was
/// there, which are SWAP's result, and which WRITE forgets.
pub fn write<W: Ring>(
    memory_shares: (&[W], &[W]),
    query_indices: (u64, u64),
    blinds: (W, W),
    items: (&UpdateItem<W>, &UpdateItem<W>),
    address_shares: (u64, u64),
    value_shares: (W, W),
) -> (Update<W>, (W, W)) {
    let (m_0, m_1) = value_shares;
    let (read_0, read_1) = read(memory_shares, address_shares, query_indices, blinds);
    let differences = (difference(m_0, read_0), difference(m_1, read_1));
    (update(memory_shares, items, address_shares, differences), (read_0, read_1))
}
