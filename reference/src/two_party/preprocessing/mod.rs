//! Preprocessing: for a READ item a random index with a query and OTs in each direction, for an UPDATE item a DPF at a random
//! index that nobody knows (`[duoram, section 4.1]`, appendix C), with triples from OTs.
//!
//! A party awaits the other's columns ([`columns`]), then queries ([`queries`]), then for each level two messages ([`levels`]),
//! then the sums ([`sums`]); what is of no item is not sent.

pub(super) mod columns;
mod drawn;
pub(super) mod levels;
mod material;
pub(super) mod queries;
pub(super) mod sums;

use self::columns::OtColumns;
pub(super) use self::columns::begin;
use self::levels::LevelOperands;
use super::StringsShape;
use super::pir::Pir;
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::{Batch, Error, Parameters, Step};
use crate::wire::shape::levels as count_levels;
use crate::wire::{MAX_PAYLOAD, Message};

/// Making items.
pub const PREPROCESS: Step = Step::new("preprocess");

/// Whether each of the batch's messages fits a payload: the columns, the queries, and the operands of a level.
pub(super) fn check_batch<P: Pir>(batch: Batch, pir: &P, parameters: &Parameters) -> Result<(), Error> {
    let log_size = parameters.log_size();
    let transfers = batch.items().saturating_mul(count_levels(log_size));
    let queries = StringsShape { count: batch.reads, bytes: pir.query_length(log_size) };
    let lengths = [
        OtColumns::length(transfers),
        queries.length(),
        // No message of a level or of the sums is longer.
        LevelOperands::length(batch.updates),
    ];
    match batch.items() {
        0 => Err(Error::EmptyStep),
        got if lengths.iter().any(|length| length.bytes() > MAX_PAYLOAD) => {
            Err(Error::BatchTooLarge { max: max_items(pir, log_size), got })
        }
        _ => Ok(()),
    }
}

/// So many items of any kinds fit.
fn max_items<P: Pir>(pir: &P, log_size: u32) -> usize {
    // A byte of each column has the bits of eight OTs; the operands of eight DPFs have eight blocks and three bytes.
    let columns = 8 * (MAX_PAYLOAD / 128) / count_levels(log_size);
    let operands = 8 * (MAX_PAYLOAD / (8 * 16 + 3));
    columns.min(operands).min(MAX_PAYLOAD / pir.query_length(log_size).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::two_party::pir::PlainPir;
    use crate::wire::SessionId;

    #[test]
    fn the_largest_batch_is_the_largest_that_fits() {
        for log_size in 1..=40 {
            let parameters = Parameters::new(SessionId([0; 16]), log_size).unwrap();
            let check = |reads, updates| check_batch(Batch { reads, updates }, &PlainPir, &parameters);
            let max = max_items(&PlainPir, log_size);
            assert_eq!((check(max, 0), check(0, max)), (Ok(()), Ok(())), "{log_size}");
            assert_eq!(check(1, max + 8), Err(Error::BatchTooLarge { max, got: max + 9 }), "{log_size}");
            assert_eq!(check(0, 0), Err(Error::EmptyStep));
            assert!(matches!(check(usize::MAX, usize::MAX), Err(Error::BatchTooLarge { .. })));
        }
    }
}
