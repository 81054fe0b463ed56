//! Rows: an address may hold a row of w words instead of one, for any w from 1 on.
//!
//! A memory of m rows is w *columns* of m words, and column c has word c of every row. A session over rows is w sessions of the
//! protocol, one a column, with the same addresses, random indices, trees and flags: one item an operation, whose flags
//! are read once for all columns. So there is no formula here that is not the protocol's, and what is proved of a session is
//! proved of each column. What a column has of its own is: its word of every draw that is a word ([`column_01`], [`column_02`],
//! [`column_12`], [`column_tape_2`]), its words of a node ([`ColumnPrg`]), and its words of a message ([`joined`]).
//!
//! Wherever the protocol has a word there is a row, its words one after another; whatever else it has is there once. With
//! w = 1 every byte is as without rows.

use crate::core::block::{Block, block_of_halves, high_half, low_half};
use crate::core::bytes::word_bytes;
use crate::core::prg::{AesPrg, Prg};
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::lean::layers::{FLAG_TWEAK, Layers, NODE_WORDS, Purpose, WORD_TWEAK, tree_depth};
use crate::lean::party::HELLO_WORDS;
use crate::lean::payload::address_width;
use crate::lean::tape::{seed_words_0, seed_words_1, word};

/// The place of word `column` of row `row` in a list of rows of w words.
pub fn place(row_words: usize, row: usize, column: usize) -> usize {
    row.wrapping_mul(row_words).wrapping_add(column)
}

/// One column of `count` rows. Past the end all is zero.
pub fn column<W: Ring>(rows: &[W], row_words: usize, count: usize, column: usize) -> Vec<W> {
    (0..count).map(|row: usize| at(rows, place(row_words, row, column), W::zero())).collect()
}

/// The rows of columns with `count` words each.
pub fn rows_of<W: Ring>(columns: &[Vec<W>], count: usize) -> Vec<W> {
    (0..count)
        .flat_map(|row: usize| {
            let words: Vec<W> = columns.iter().map(|column| at(column, row, W::zero())).collect();
            words
        })
        .collect()
}

// ---------------------------------------------------------------- draws

/// One column's words of `count` rows that are drawn from an offset on.
pub fn column_draws(words: &[u64], offset: usize, row_words: usize, count: usize, column: usize) -> Vec<u64> {
    (0..count).map(|row: usize| word(words, offset.wrapping_add(place(row_words, row, column)))).collect()
}

/// `count` words that are drawn from an offset on, the same for all columns.
pub fn common_draws(words: &[u64], offset: usize, count: usize) -> Vec<u64> {
    (0..count).map(|i: usize| word(words, offset.wrapping_add(i))).collect()
}

/// An item's stream of P0 and P1: rows `G_a`, `G_b`, `x'`, x, `y_01`.
pub fn column_01(words: &[u64], row_words: usize, column: usize) -> Vec<u64> {
    column_draws(words, 0, row_words, 5, column)
}

/// The words of one DPF in an item's stream of P0 and P2 that are the same for all columns: triples, `u_0`, `r_0`.
pub fn common_words_0(log_size: usize, purpose: Purpose) -> usize {
    tree_depth(log_size, purpose).wrapping_mul(5).wrapping_add(3)
}

/// An item's stream of P0 and P2: for each DPF what is common and, in UPDATE items, the eight rows `U_0` and the row `R'_0`; then
/// the row `y_02`.
pub fn column_02(
    words: &[u64],
    log_size: usize,
    purpose: Purpose,
    row_words: usize,
    column: usize,
) -> Vec<u64> {
    let common = common_words_0(log_size, purpose);
    let rows = seed_words_0(log_size, purpose).wrapping_sub(common);
    let dpf_words = common.wrapping_add(rows.wrapping_mul(row_words));
    let of_dpf = |dpf: usize| {
        let start = dpf.wrapping_mul(dpf_words);
        [
            common_draws(words, start, common),
            column_draws(words, start.wrapping_add(common), row_words, rows, column),
        ]
        .concat()
    };
    let last = column_draws(words, dpf_words.wrapping_mul(2), row_words, 1, column);
    [of_dpf(0), of_dpf(1), last].concat()
}

/// An item's stream of P1 and P2: for each DPF what is common; then the rows rho and `y_12`.
pub fn column_12(
    words: &[u64],
    log_size: usize,
    purpose: Purpose,
    row_words: usize,
    column: usize,
) -> Vec<u64> {
    let common = seed_words_1(log_size, purpose).wrapping_mul(2);
    [common_draws(words, 0, common), column_draws(words, common, row_words, 2, column)].concat()
}

/// P2's own words: those of connect, and then rows, `R'_1` of every DPF of UPDATE items.
pub fn column_tape_2(words: &[u64], row_words: usize, column: usize) -> Vec<u64> {
    [common_draws(words, 0, HELLO_WORDS), column_draws(words, HELLO_WORDS, row_words, words.len(), column)]
        .concat()
}

// ---------------------------------------------------------------- the word layer

/// Word `number` of the `8 w` that a node has: of the block `T_(8 + number div 2)`, the low half first.
pub fn node_word<P: Layers>(prg: &P, label: Block, number: usize) -> u64 {
    let block = prg.output(label, WORD_TWEAK.wrapping_add(number.wrapping_shr(1) as u128));
    if number & 1 == 1 { high_half(block) } else { low_half(block) }
}

/// The block from which a column takes its words of the rows `2 i` and `2 i + 1` of a node.
pub fn column_block<P: Layers>(prg: &P, label: Block, row_words: usize, column: usize, i: usize) -> Block {
    let row = i.wrapping_mul(2);
    block_of_halves(
        node_word(prg, label, place(row_words, row, column)),
        node_word(prg, label, place(row_words, row.wrapping_add(1), column)),
    )
}

/// The PRG of one column: children and flags are those of all columns, a node's words its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnPrg {
    /// That of the session.
    pub prg: AesPrg,
    /// w
    pub row_words: usize,
    /// c, below w
    pub column: usize,
}

impl Prg for ColumnPrg {
    fn left(&self, label: Block) -> Block {
        self.prg.left(label)
    }
    fn right(&self, label: Block) -> Block {
        self.prg.right(label)
    }
}

impl Layers for ColumnPrg {
    fn output(&self, label: Block, tweak: Block) -> Block {
        if tweak == FLAG_TWEAK {
            self.prg.output(label, tweak)
        } else {
            let i = tweak.wrapping_sub(WORD_TWEAK) as usize;
            column_block(&self.prg, label, self.row_words, self.column, i)
        }
    }
}

// ---------------------------------------------------------------- messages

/// Where words are in a message: `prefix` bytes without any, then `count` times `common` bytes without any and `words` words,
/// then the rest, without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bytes
    pub prefix: usize,
    /// Repetitions
    pub count: usize,
    /// Bytes
    pub common: usize,
    /// Words of a column; of a row message, rows
    pub words: usize,
}

/// `count` bytes from an offset on.
pub fn bytes_at(bytes: &[u8], offset: usize, count: usize) -> Vec<u8> {
    bytes.iter().skip(offset).take(count).copied().collect()
}

/// The same word of each column, one after another: a row.
pub fn row_bytes(payloads: &[Vec<u8>], offset: usize) -> Vec<u8> {
    payloads.iter().flat_map(|payload| bytes_at(payload, offset, 8)).collect()
}

/// What the columns' messages are as one: what they have in common once, and a row for each word.
pub fn joined(layout: &Layout, payloads: &[Vec<u8>]) -> Vec<u8> {
    let first: Vec<u8> = match payloads.first() {
        Some(payload) => payload.clone(),
        None => vec![],
    };
    let part = layout.common.wrapping_add(layout.words.wrapping_mul(8));
    let parts: Vec<u8> = (0..layout.count)
        .flat_map(|i: usize| {
            let start = layout.prefix.wrapping_add(i.wrapping_mul(part));
            let words = start.wrapping_add(layout.common);
            let rows: Vec<u8> = (0..layout.words)
                .flat_map(|j: usize| row_bytes(payloads, words.wrapping_add(j.wrapping_mul(8))))
                .collect();
            [bytes_at(&first, start, layout.common), rows].concat()
        })
        .collect();
    let end = layout.prefix.wrapping_add(layout.count.wrapping_mul(part));
    [bytes_at(&first, 0, layout.prefix), parts, bytes_at(&first, end, first.len())].concat()
}

/// No words: kinds 5 to 8, and 12.
pub fn no_words() -> Layout {
    Layout { prefix: 0, count: 0, common: 0, words: 0 }
}

/// `count` words and nothing else: kinds 9, 11, 13 and 15.
pub fn only_words(count: usize) -> Layout {
    Layout { prefix: 0, count, common: 0, words: 1 }
}

/// Kind 4: for each DPF of an UPDATE item the nine words `U_1` and `R'_1`, behind `Z_1` of all levels and `u_1` of all DPFs.
pub fn deal_layout(log_size: usize, reads: usize, updates: usize) -> Layout {
    let blocks = |purpose: Purpose| tree_depth(log_size, purpose).wrapping_add(1);
    let of_reads = blocks(Purpose::Read).wrapping_mul(reads);
    let of_updates = blocks(Purpose::Update).wrapping_mul(updates);
    Layout {
        prefix: of_reads.wrapping_add(of_updates).wrapping_mul(32),
        count: updates.wrapping_mul(2),
        common: 0,
        words: 1 + NODE_WORDS,
    }
}

/// Kind 10: of each UPDATE item the eight words `CWw`, behind root, cw and `CWf`.
pub fn keys_layout(log_size: usize, reads: usize, updates: usize) -> Layout {
    let bytes = |purpose: Purpose| tree_depth(log_size, purpose).wrapping_add(2).wrapping_mul(16);
    Layout {
        prefix: bytes(Purpose::Read).wrapping_mul(reads),
        count: updates,
        common: bytes(Purpose::Update),
        words: NODE_WORDS,
    }
}

/// Kind 14: `m_b` of each query, behind the addresses.
pub fn update_layout(log_size: usize, queries: usize) -> Layout {
    Layout { prefix: address_width(log_size).wrapping_mul(queries), count: queries, common: 0, words: 1 }
}

/// The layout of a message of preprocessing.
pub fn batch_layout(kind: u8, log_size: usize, reads: usize, updates: usize) -> Layout {
    if kind == 4 {
        deal_layout(log_size, reads, updates)
    } else if kind == 9 {
        only_words(updates.wrapping_mul(2 * NODE_WORDS))
    } else if kind == 10 {
        keys_layout(log_size, reads, updates)
    } else if kind == 11 {
        only_words(updates)
    } else {
        no_words()
    }
}

/// The layout of a message of an operation.
pub fn online_layout(kind: u8, log_size: usize, queries: usize) -> Layout {
    if kind == 12 {
        no_words()
    } else if kind == 14 {
        update_layout(log_size, queries)
    } else {
        only_words(queries)
    }
}

/// Kind 1 ends in `m + 2^48 (w - 1)`, with m rows: parties that differ in m or in w refuse each other.
pub fn size_bytes(rows: usize, row_words: usize) -> Vec<u8> {
    let wide = row_words.wrapping_sub(1) as u64;
    word_bytes((rows as u64).wrapping_add(wide.wrapping_shl(48)))
}
