//! Rows of w words, in a memory of as many words whatever a row has of them: READ with the flags kept against reading the vector once, UPDATE
//! against the greater of its AES calls and of reading and writing the vector once.

use std::hint::black_box;

use duoram_kernel::{BitKey, Kernels, RowKey, RowUpdate, Selection};

use crate::timing::{aes_call, nanoseconds};
use crate::{MANY, ROOT, key, measured};

/// One word for comparison, less than a register, registers that begin in every column, many.
const ROW_WORDS: [usize; 6] = [1, 2, 3, 8, 64, 512];
fn print(kernels: &Kernels<'_>, row_words: usize, log_size: usize, what: &str, (fraction, time): (f64, f64)) {
    let words = (row_words << log_size) as f64;
    let backend = kernels.backend().name();
    println!(
        "{:<9} 2^{log_size} rows of {row_words:3} words: {what:<34} {fraction:.3}, {:.4} ns a word",
        backend.as_str(),
        time / words
    );
}

/// READs and UPDATEs of all kinds of rows.
pub(crate) fn bench(kernels: &Kernels<'_>, log_words: usize) {
    for row_words in ROW_WORDS {
        rows(kernels, row_words, log_words);
    }
}

fn rows(kernels: &Kernels<'_>, row_words: usize, log_words: usize) {
    let log_size = log_words - row_words.ilog2() as usize;
    let mut memory: Vec<u64> = (0..(row_words as u64) << log_size).collect();
    let (bits, shift) =
        (BitKey::new(log_size, key(ROOT, log_size - 7), ROOT), 0x9e37_79b9 & ((1 << log_size) - 1));
    let flags = kernels.flags(&bits);
    let side = [&flags];
    for queries in [1, MANY] {
        let selections = vec![Selection { flags: &side, shift }; queries];
        let limit = || nanoseconds(|| _ = black_box(kernels.run_memory_limit(&[&memory])));
        let result = measured(limit, || drop(black_box(kernels.scan_rows(&memory, row_words, &selections))));
        print(kernels, row_words, log_size, &format!("READ, k = {queries}, of reading once"), result);
    }
    let correction = vec![7; row_words];
    let values = RowKey::new(log_size, key(ROOT, log_size - 3), vec![0x89ab_cdef; 8 * row_words]);
    // A tree of an eighth of the rows, and a block for two words of each of them.
    let calls = (0.25 + 0.5 * row_words as f64) * (1_u64 << log_size) as f64;
    let memory = std::cell::RefCell::new(&mut memory[..]);
    let limit = || {
        let aes = calls * aes_call(kernels);
        aes.max(nanoseconds(|| _ = black_box(kernels.run_rewrite_limit(&mut [&mut memory.borrow_mut()]))))
    };
    let update = RowUpdate { key: &values, flags: &flags, correction: &correction, shift };
    let result = measured(limit, || kernels.update_rows(&mut memory.borrow_mut(), &[update]));
    print(kernels, row_words, log_size, "UPDATE, of the greater limit", result);
}
