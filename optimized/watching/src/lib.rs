//! An allocator that looks for secrets in every block that is freed or moved: for the tests `wiped.rs` of the reference and of
//! the runtime, whose whole program it becomes a part of.
//!
//! Copies in registers and on the stack are out of its reach, as they are out of the program's.

#![expect(
    clippy::missing_panics_doc,
    clippy::missing_errors_doc,
    reason = "for tests, which end by the one or the other"
)]

pub mod lean;
pub mod session;
pub mod two_party;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use duoram_reference::Word;

/// What to look for.
static SECRETS: RwLock<Option<HashSet<Word>>> = RwLock::new(None);
/// The length of the longest block since it was asked for.
static LONGEST: AtomicUsize = AtomicUsize::new(0);
/// What was found.
static FOUND: Mutex<Vec<Found>> = Mutex::new(Vec::new());
/// Whether anybody looks.
static ARMED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread is looking already: what looking itself frees is not looked at.
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

/// A secret in a block that was freed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    /// The length of the block.
    pub block: usize,
    /// The place in it.
    pub at: usize,
    /// The secret.
    pub word: Word,
}

fn look(block: &[u8]) {
    if !ARMED.load(Ordering::SeqCst) || LOOKING.replace(true) {
        return;
    }
    if let (Ok(secrets), Ok(mut found)) = (SECRETS.read(), FOUND.lock())
        && let Some(secrets) = &*secrets
    {
        for (at, bytes) in block.windows(size_of::<Word>()).enumerate() {
            let word = bytes.first_chunk().map_or(0, |bytes| Word::from_le_bytes(*bytes));
            if secrets.contains(&word) {
                found.push(Found { block: block.len(), at, word });
            }
        }
    }
    LOOKING.set(false);
}

/// The system's allocator, watched.
pub struct Watching;

// SAFETY: everything is left to the system's allocator. A block is read before it is freed, while it is still ours; it was
// handed out zeroed, so all of its bytes are initialized, and nothing is found that an earlier owner left.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LONGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives a block of this layout back, all of which was initialized when it was handed out.
        unsafe {
            look(std::slice::from_raw_parts(block, layout.size()));
            System.dealloc(block, layout);
        }
    }
    // `realloc` is the default one, which allocates, copies and frees: every move is seen.
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// The secrets in all that is freed while `run` runs.
#[expect(clippy::implicit_hasher, reason = "tests have none of their own")]
pub fn found(secrets: &HashSet<Word>, run: impl FnOnce()) -> Vec<Found> {
    *SECRETS.write().unwrap() = Some(secrets.clone());
    ARMED.store(true, Ordering::SeqCst);
    run();
    ARMED.store(false, Ordering::SeqCst);
    std::mem::take(&mut *FOUND.lock().unwrap())
}

/// The length in bytes of the longest block that is allocated while `run` runs, by any thread.
pub fn longest_block(run: impl FnOnce()) -> usize {
    LONGEST.store(0, Ordering::Relaxed);
    run();
    LONGEST.load(Ordering::Relaxed)
}

/// Nothing was found; else says in which blocks there was what, so that the culprit can be told by its size.
pub fn assert_none(mut found: Vec<Found>, what: &str) {
    found.sort_unstable();
    found.dedup();
    let shown = &found[..found.len().min(20)];
    assert!(found.is_empty(), "{what}: {} secrets in freed memory, such as {shown:x?}", found.len());
}

/// The watch itself: an unwiped vector is found, moved or freed, and a wiped one is not.
#[expect(clippy::implicit_hasher, reason = "tests have none of their own")]
pub fn assert_watching(secrets: &HashSet<Word>) {
    let secret = *secrets.iter().next().unwrap();
    let unwiped = found(secrets, || drop(vec![secret; 3]));
    assert_eq!(unwiped.iter().filter(|found| found.word == secret).count(), 3);
    let moved = found(secrets, || {
        let mut words = Vec::with_capacity(1);
        words.push(secret);
        words.reserve_exact(100);
        zeroize::Zeroize::zeroize(&mut words);
    });
    assert_eq!(moved, [Found { block: 8, at: 0, word: secret }]);
    assert_none(found(secrets, || drop(zeroize::Zeroizing::new(vec![secret; 3]))), "a wiped vector");
}
