//! The table of one query, as what it is made of, and its items as ring elements.

use duoram_reference::two_party::Table;

use crate::element::ELEMENT;
use crate::lanes::{ITEM_WORDS, Lanes, Work};
use crate::ntt;
use crate::params::PLAINTEXT;
use crate::ring::{N, Residues};

/// The masks' keys, expanded.
pub(crate) fn masks<L: Lanes>(lanes: L, keys: &[[u128; 2]]) -> Vec<L::Keys> {
    (0..keys.len() as u32).rev().zip(keys).map(|(place, pair)| lanes.keys(*pair, place)).collect()
}

/// The words of item `item`; 0 beyond the table's end.
#[inline(always)]
pub(crate) fn item_words<L: Lanes>(
    lanes: L,
    table: &Table<'_>,
    masks: &[L::Keys],
    item: usize,
    words: &mut [u64; ITEM_WORDS],
) {
    let n = table.memory.len();
    let first = item * ITEM_WORDS;
    words.fill(0);
    if first >= n {
        return;
    }
    let count = ITEM_WORDS.min(n - first);
    let start = first.wrapping_add(table.turn as usize) & (n - 1);
    let (head, tail) = words[..count].split_at_mut(count.min(n - start));
    head.copy_from_slice(&table.memory[start..start + head.len()]);
    tail.copy_from_slice(&table.memory[..tail.len()]);
    for word in &mut words[..count] {
        *word = word.wrapping_add(table.blind);
    }
    lanes.mask(masks, first as u64, words);
    words[count..].fill(0);
}

/// All words.
pub(crate) fn words<L: Lanes>(lanes: L, table: Table<'_>) -> Vec<u64> {
    let masks = masks(lanes, table.keys);
    let mut words = vec![[0; ITEM_WORDS]; table.memory.len().div_ceil(ITEM_WORDS)];
    for (item, words) in words.iter_mut().enumerate() {
        item_words(lanes, &table, &masks, item, words);
    }
    let mut words = words.into_flattened();
    words.truncate(table.memory.len());
    words
}

/// Words as an element: byte i, counted from -127 to 128, is coefficient i.
#[inline(always)]
pub(crate) fn encode<L: Lanes>(lanes: L, words: &[u64; ITEM_WORDS], element: &mut [Residues]) {
    let mut bytes = [0; N];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    for (residues, tables) in element.iter_mut().zip(lanes.tables()) {
        let wrap = lanes.splat(tables.prime - PLAINTEXT as u32);
        let carry = lanes.splat(127);
        let one = lanes.splat(1);
        for at in (0..N).step_by(L::WIDTH) {
            let byte = lanes.load_bytes(&bytes, at);
            // Bit 8 of byte + 127: above 128. A byte's lane is below 2^9, so that the wide shift lets nothing in.
            let above = lanes.and(lanes.shift_right_wide(lanes.add(byte, carry), 8), one);
            lanes.store(residues, at, lanes.add(byte, lanes.and(lanes.sub(lanes.splat(0), above), wrap)));
        }
        ntt::forward(lanes, tables, residues);
    }
}

/// Items that are encoded by one [`Encode`].
pub(crate) const PART: usize = 64;

/// Kernel: items from `first` on as elements, one after another.
pub(crate) struct Encode<'a> {
    pub(crate) table: Table<'a>,
    pub(crate) first: usize,
    pub(crate) elements: &'a mut [Residues],
}

impl Work for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let masks = masks(lanes, self.table.keys);
        let mut words = [0; ITEM_WORDS];
        for (item, element) in (self.first..).zip(self.elements.chunks_exact_mut(ELEMENT)) {
            item_words(lanes, &self.table, &masks, item, &mut words);
            encode(lanes, &words, element);
        }
    }
}
