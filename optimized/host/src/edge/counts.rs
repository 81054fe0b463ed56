//! What happens at the edge, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// Something that happens at the edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Somebody called.
    Called,
    /// A caller made room for another before it had said who it is.
    Dropped,
    /// A caller was refused: no TLS, a wrong key, too slow.
    Refused,
    /// A peer's or client's message was none.
    Garbled,
    /// A connection was dropped, for what was to leave on it did not.
    Overflowed,
    /// A peer could not be reached.
    Unreached,
}

impl Count {
    /// All, with what they are called in metrics.
    pub const ALL: [(Self, &str); 6] = [
        (Self::Called, "called"),
        (Self::Dropped, "dropped"),
        (Self::Refused, "refused"),
        (Self::Garbled, "garbled"),
        (Self::Overflowed, "overflowed"),
        (Self::Unreached, "unreached"),
    ];
}

/// How often each has happened since the start.
#[derive(Default, Debug)]
pub struct Counts([AtomicU64; Count::ALL.len()]);

impl Counts {
    /// How often.
    pub fn get(&self, count: Count) -> u64 {
        self.0[count as usize].load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, count: Count) {
        self.0[count as usize].fetch_add(1, Ordering::Relaxed);
    }
}
