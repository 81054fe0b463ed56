//! Buffers for labels: aligned to a cache line, wiped when dropped.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

/// Labels in a cache line.
pub(crate) const LINE: usize = 4;

/// A fixed number of labels, by default none. Labels of one party's tree are secret from the others, hence the wiping.
#[derive(Default)]
pub(crate) struct Buffer {
    labels: Vec<u128>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// `len` zeros.
    pub(crate) fn new(len: usize) -> Self {
        let labels = vec![0u128; len + LINE - 1];
        // `align_offset` may refuse (Miri does at times); rows need no alignment, they are only faster with it.
        let start = labels.as_ptr().align_offset(16 * LINE).min(LINE - 1);
        Self { labels, start, len }
    }

    pub(crate) fn labels(&self) -> &[u128] {
        &self.labels[self.start..self.start + self.len]
    }

    pub(crate) fn labels_mut(&mut self) -> &mut [u128] {
        &mut self.labels[self.start..self.start + self.len]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.labels.zeroize();
    }
}
