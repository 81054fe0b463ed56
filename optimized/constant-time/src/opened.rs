//! What each protocol's frames open, declared public as they reach their receiver.

use duoram_reference::lean::{self, Lean};
use duoram_reference::message::{HelperKeys, HelperUpdate, Shift, Update};
use duoram_reference::two_party::{self, TwoParty};
use duoram_reference::{HEADER_LENGTH, Header, Message, Paper, Protocol, Role};
use duoram_runtime::local_computation::Extent;
use duoram_runtime::protocol::Rules;

use crate::marks::{public, public_bits};

const WORD: usize = 8;
const BLOCK: usize = 16;

/// A protocol whose secrets can be followed.
pub(crate) trait Opens: Rules {
    /// Declares public what a payload opens.
    fn declare(header: &Header, payload: &[u8], extent: Extent);
}

/// Declares public what a frame opens.
pub(crate) fn open<P: Opens>(from: Role, frame: &[u8], extent: Extent) {
    if let Ok(header) = Header::decode(from, frame) {
        P::declare(&header, &frame[HEADER_LENGTH..], extent);
    }
}

/// The lowest bit of each of some correction words is always 0.
fn lowest_bits(correction_words: &[u8]) {
    correction_words.chunks(BLOCK).for_each(|word| public_bits(&word[0], 1));
}

impl Opens for Paper {
    fn declare(header: &Header, payload: &[u8], extent: Extent) {
        let log_size = extent.log_size as usize;
        // A query's words; its shift share is the first.
        let shifts = |words: usize| payload.chunks(words * WORD).for_each(|query| public(&query[..WORD]));
        match Self::kind(header.kind) {
            Some(Shift::KIND) => shifts(1),
            Some(Update::KIND) => shifts(4),
            Some(HelperUpdate::KIND) => shifts(3),
            Some(HelperKeys::KIND) => {
                // For each item a root, h correction words, a conversion factor; at the end the packed flag corrections.
                let key = BLOCK + log_size * BLOCK + WORD;
                let flags_per_key = 2 * log_size;
                let items =
                    (1..).find(|n| n * key + (n * flags_per_key).div_ceil(8) >= payload.len()).unwrap_or(0);
                for key in payload.chunks(key).take(items) {
                    lowest_bits(&key[BLOCK..][..log_size * BLOCK]);
                }
            }
            _ => {}
        }
    }
}

impl Opens for Lean {
    fn declare(header: &Header, payload: &[u8], extent: Extent) {
        use lean::message::{HelperKeys, Shift, Update};
        let (log_size, row_words) = (extent.log_size as usize, extent.row_words);
        let address = log_size.div_ceil(8);
        match Self::kind(header.kind) {
            Some(Shift::KIND) => public(payload),
            // For each query a shift share; then for each query a row.
            Some(Update::KIND) => public(&payload[..payload.len() / (address + WORD * row_words) * address]),
            Some(HelperKeys::KIND) => {
                // For each item a root, d correction words, CWf and, of an UPDATE item, CWw; READ items, whose number is in
                // the header, are first. At the end the packed flag corrections.
                let [reads_levels, updates_levels] = [7, 3].map(|bits| log_size.saturating_sub(bits));
                let length = |levels: usize, words: usize| BLOCK + levels * BLOCK + BLOCK + words * WORD;
                let [read, update] = [length(reads_levels, 0), length(updates_levels, 8 * row_words)];
                let (of_reads, of_updates) =
                    payload.split_at((header.round as usize * read).min(payload.len()));
                of_reads
                    .chunks_exact(read)
                    .for_each(|key| lowest_bits(&key[BLOCK..][..reads_levels * BLOCK]));
                // The packed bits are shorter than a key.
                let of_updates = of_updates.chunks_exact(update);
                of_updates.for_each(|key| lowest_bits(&key[BLOCK..][..updates_levels * BLOCK]));
            }
            _ => {}
        }
    }
}

impl Opens for TwoParty {
    fn declare(header: &Header, payload: &[u8], _extent: Extent) {
        use two_party::message::{BaseChoices, Hello, Shifts, Updates};
        match Self::kind(header.kind) {
            // After the contribution to K, and h, which was never secret.
            Some(Hello::KIND) => public(&payload[BLOCK + WORD..]),
            Some(BaseChoices::KIND | Shifts::KIND) => public(payload),
            // A query's shift share, and a word.
            Some(Updates::KIND) => payload.chunks(2 * WORD).for_each(|query| public(&query[..WORD])),
            _ => {}
        }
    }
}
