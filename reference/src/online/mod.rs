//! The online phase: Protocols 1 and 2.

pub(crate) mod read;
pub(crate) mod update;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::frame::MAX_PAYLOAD;
use crate::message::Shape;
use crate::{Error, Parameters, Word};

/// The UPDATE to come after the READ of a WRITE (`[duoram, section 3.1.2]`). Kept in a box: as a part of a phase it would be
/// moved, and leave its bytes behind.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Write {
    /// `i*_b`.
    pub(crate) address: Word,
    /// `M_b`, the share of the new value.
    pub(crate) value: Word,
}

/// The shifts `S` (`[duoram, Protocol 1, line 6]`, Protocol 2, line 7).
pub(crate) fn shifts<'a>(
    parameters: &'a Parameters,
    shares_0: impl Iterator<Item = Word> + 'a,
    shares_1: impl Iterator<Item = Word> + 'a,
) -> impl Iterator<Item = u64> + 'a {
    shares_0.zip(shares_1).map(|(share_0, share_1)| parameters.reduce(share_0.wrapping_add(share_1)))
}

/// Whether a READ step takes so many queries.
pub(crate) fn check_reads(count: usize) -> Result<(), Error> {
    check(count, &Shape::Shift { log_size: 0, queries: 1 })
}

/// Whether an UPDATE step takes so many queries.
pub(crate) fn check_updates(count: usize) -> Result<(), Error> {
    check(count, &Shape::Update { log_size: 0, queries: 1 })
}

fn check(count: usize, one: &Shape) -> Result<(), Error> {
    let max = MAX_PAYLOAD / one.payload_length();
    match count {
        0 => Err(Error::EmptyStep),
        got if got > max => Err(Error::BatchTooLarge { max, got }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_fit_a_payload() {
        assert_eq!(check_reads(0), Err(Error::EmptyStep));
        assert_eq!(check_reads(1 << 23), Ok(()));
        assert_eq!(
            check_reads((1 << 23) + 1),
            Err(Error::BatchTooLarge { max: 1 << 23, got: (1 << 23) + 1 })
        );
        assert_eq!(check_updates(1 << 21), Ok(()));
        assert!(check_updates(usize::MAX).is_err());
    }
}
