//! What comparators have in common: what stands in for the parts of them that are counted and not done.
//!
//! | module | what it is |
//! |---|---|
//! | [`aes`] | AES calls that are really computed, for masks and for what garbling would take |
//! | [`circuit`] | a circuit whose AND gates are counted, and not evaluated |
//! | [`garbled`] | a garbled circuit between two parties: its messages at their exact lengths, its AES calls |
//! | [`published`] | a number somebody published, beside ours |

pub mod aes;
pub mod circuit;
pub mod garbled;
pub mod published;

use duoram_runtime::resources::available_bytes;

use crate::Error;
use crate::system::Workload;

/// Whether this machine has so many bytes for each word of a workload.
///
/// # Errors
///
/// [`Error::NotEnoughMemory`].
pub(crate) fn check_memory(
    system: &'static str,
    workload: &Workload,
    bytes_per_word: u64,
) -> Result<(), Error> {
    let needed = bytes_per_word.saturating_mul(workload.size());
    match available_bytes() {
        Some(available) if available < needed => {
            Err(Error::NotEnoughMemory { system, log_size: workload.log_size, needed, available })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Kind;

    #[test]
    fn a_memory_that_does_not_fit_is_refused() {
        let workload = |log_size| Workload { log_size, kind: Kind::Read, operations: 1, seed: [0; 32] };
        check_memory("s", &workload(4), 64).unwrap();
        if available_bytes().is_some() {
            let refused = check_memory("s", &workload(40), 1 << 20).unwrap_err();
            assert!(matches!(refused, Error::NotEnoughMemory { log_size: 40, .. }), "{refused}");
        }
    }
}
