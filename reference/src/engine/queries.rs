//! What the messages of online steps are known by, and the rule for what they open.

use super::Error;
use crate::Word;
use crate::wire::codec::Reader;
use crate::wire::{Bound, MAX_PAYLOAD, Message, Misbehaviour};

/// What a message of an online step is known by: it holds something for each query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryShape {
    /// h: a shift share is below 2^h.
    pub log_size: u32,
    /// k, the number of queries of the step.
    pub queries: usize,
}

/// The rule that a shift share is reduced mod n before it is sent.
pub const SHIFT: &str = "a shift share";

/// Whether all shift shares are below n, as they are made to be.
pub(crate) fn check_shifts(
    reader: &Reader<'_>,
    shape: QueryShape,
    shares: impl Iterator<Item = Word>,
) -> Result<(), Misbehaviour> {
    let size = 1_u64.checked_shl(shape.log_size).unwrap_or(u64::MAX);
    match shares.enumerate().find(|&(_, share)| share >= size) {
        Some((query, got)) => Err(reader.content(SHIFT, &[("query", query)], Bound::Below(size), got)),
        None => Ok(()),
    }
}

/// Whether a step takes so many queries: its longest message, M, must fit a payload.
pub(crate) fn check_queries<M: Message<Shape = QueryShape>>(
    log_size: u32,
    count: usize,
) -> Result<(), Error> {
    check_count(M::length(QueryShape { log_size, queries: 1 }).bytes(), count)
}

/// Whether a step takes so many queries, of which its longest message has so many bytes each.
pub(crate) fn check_count(bytes: usize, count: usize) -> Result<(), Error> {
    let max = MAX_PAYLOAD / bytes.max(1);
    match count {
        0 => Err(Error::EmptyStep),
        got if got > max => Err(Error::BatchTooLarge { max, got }),
        _ => Ok(()),
    }
}
