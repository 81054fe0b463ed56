//! The computations that are compared: every backend that this CPU has, with one thread and with several.

use std::sync::OnceLock;

use duoram_kernel::{Backend, BackendName, Features, Workers};
use duoram_runtime::fast::Fast;

/// Labels that a primary stores while trees grow, where the input does not choose: less than a tree of 2^12 leaves wants.
const TREE_BYTES: u64 = 1 << 10;

/// The backends of this CPU, fastest first.
pub fn backends() -> &'static [Backend] {
    static BACKENDS: OnceLock<Vec<Backend>> = OnceLock::new();
    BACKENDS.get_or_init(|| Backend::available(&Features::detect()))
}

/// Those for large trees: blocks of leaves are the same code in all, and AES in software is slow. So not the portable one,
/// unless there is no other.
pub fn vector_backends() -> &'static [Backend] {
    match backends() {
        [others @ .., last] if last.name() == BackendName::Portable && !others.is_empty() => others,
        all => all,
    }
}

/// One thread, and so many bytes of labels.
pub fn single(backend: Backend, tree_bytes: u64) -> Fast {
    Fast::new(backend, Workers::new(1).expect("no thread is started"), tree_bytes)
}

/// Each backend with one thread.
pub fn singles() -> &'static [Fast] {
    static SINGLES: OnceLock<Vec<Fast>> = OnceLock::new();
    SINGLES.get_or_init(|| backends().iter().map(|&backend| single(backend, TREE_BYTES)).collect())
}

/// Each of [`vector_backends`] with three threads, started once.
pub fn threaded() -> &'static [Fast] {
    static THREADED: OnceLock<Vec<Fast>> = OnceLock::new();
    THREADED.get_or_init(|| {
        let fast = |&backend| Fast::new(backend, Workers::new(3).expect("threads"), TREE_BYTES);
        vector_backends().iter().map(fast).collect()
    })
}
