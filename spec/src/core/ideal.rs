//! The ideal functionality: a plain array, which the three parties together must be indistinguishable from.

use crate::core::ring::Ring;
use crate::core::vector::at;

/// One operation, in the clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation<W> {
    /// Returns `D[address]`.
    Read {
        /// i*
        address: u64,
    },
    /// Adds to `D[address]`.
    Update {
        /// i*
        address: u64,
        /// M
        delta: W,
    },
    /// Sets `D[address]`.
    Write {
        /// i*
        address: u64,
        /// M
        value: W,
    },
}

/// The array with `value` at `address`.
pub fn set<W: Ring>(memory: &[W], address: u64, value: W) -> Vec<W> {
    (0..memory.len())
        .map(|i: usize| if i as u64 == address { value } else { at(memory, i, W::zero()) })
        .collect()
}

/// The word at `address`, which must be below the length.
pub fn get<W: Ring>(memory: &[W], address: u64) -> W {
    at(memory, address as usize, W::zero())
}

/// One operation: the array after it, and what it returns.
pub fn step<W: Ring>(memory: &[W], operation: &Operation<W>) -> (Vec<W>, Option<W>) {
    match operation {
        Operation::Read { address } => (memory.to_vec(), Some(get(memory, *address))),
        Operation::Update { address, delta } => {
            (set(memory, *address, get(memory, *address).plus(*delta)), None)
        }
        Operation::Write { address, value } => (set(memory, *address, *value), None),
    }
}
