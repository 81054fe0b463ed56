//! Two things in one journal: the durable party, and the orders around it.
//!
//! | in the store | is |
//! |---|---|
//! | a record | `0`, and a record of the durable party, whose numbers follow each other; or `1`, and one of orders |
//! | a snapshot | orders with their length before them, the party's last record, and the party with its length before it |
//!
//! Neither needs the other to be done again: orders follow from their own records, and so does the party from its own. What they must
//! agree about, how many commands there were, is looked at when both are back.

use duoram_reference::durable::stored::{Stored, Writer, write_bytes};
use zeroize::Zeroizing;

use crate::orders::NotStored;

/// Whose a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// The durable party's.
    Party,
    /// Of requests and orders.
    Orders,
}

/// A record as the store has it.
pub(super) fn record(of: Of, record: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(1 + record.len()));
    bytes.push(of as u8);
    bytes.extend_from_slice(record);
    bytes
}

/// A record of the store.
pub(crate) fn open_record(bytes: &[u8]) -> Result<(Of, &[u8]), NotStored> {
    match bytes.split_first() {
        Some((0, record)) => Ok((Of::Party, record)),
        Some((1, record)) => Ok((Of::Orders, record)),
        _ => Err(NotStored { what: "a record of the party or of orders" }),
    }
}

/// A snapshot as the store has it.
pub(super) fn snapshot(orders: &[u8], lsn: u64, state: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut out = Writer::with_room(orders.len() + state.len() + 3 * size_of::<u64>());
    write_bytes(&mut out, orders);
    out.word(lsn);
    write_bytes(&mut out, state);
    out.finish()
}

/// A snapshot of the store.
pub(crate) struct Snapshot {
    pub(super) orders: Zeroizing<Vec<u8>>,
    pub(crate) lsn: u64,
    pub(crate) state: Zeroizing<Vec<u8>>,
}

/// A snapshot of the store.
pub(crate) fn open_snapshot(bytes: &[u8]) -> Result<Snapshot, NotStored> {
    let mut stored = Stored::new(bytes);
    let mut open = || Some(Snapshot { orders: stored.bytes()?, lsn: stored.word()?, state: stored.bytes()? });
    let snapshot = open();
    snapshot.filter(|_| stored.end().is_some()).ok_or(NotStored { what: "a snapshot of a host" })
}
