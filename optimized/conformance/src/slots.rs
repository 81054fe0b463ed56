//! Where parties that are watched write down what they hold.

use std::sync::{Arc, Mutex, PoisonError};

/// Copies of what the three parties of a protocol hold, which the checker shares with them.
#[derive(Default)]
pub struct Slots<T>(Arc<Mutex<T>>);

// Not derived: what is copied need not be.
impl<T> Clone for Slots<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Slots<T> {
    /// Looks at the copies, or changes them. A party that panics while it writes leaves the copy before.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&mut T) -> R) -> R {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
