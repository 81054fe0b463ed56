//! The local computation of two parties by the kernels, and which PIR they use.

use std::sync::Arc;

use duoram_pir::{Backend, BackendName, Spiral};
use duoram_reference::two_party::{
    self, ChildSums, Compute, Correction, DpfKey, LeafSums, Pir, PlainPir, TwoParty, UpdateQuery,
};
use duoram_reference::{Block, Role, SessionKey, Word};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::fast::{Fast, Forest, correction, index, party};
use crate::local_computation::{Extent, Footprint, LocalComputation, key_bytes};
use duoram_kernel as kernel;

/// A local computation of two parties, with the PIR that goes with it.
pub trait Retrieving: Compute {
    /// The PIR.
    type Pir: Pir;

    /// Whoever makes queries and answers them.
    fn pir(&self) -> Self::Pir;
}

/// The reference's: linear, and comparable with the specification byte by byte.
impl Retrieving for two_party::Plain {
    type Pir = PlainPir;

    fn pir(&self) -> PlainPir {
        PlainPir
    }
}

impl Retrieving for Fast {
    type Pir = Spiral;

    fn pir(&self) -> Spiral {
        Spiral::new(backend(self.backend.name()), Arc::clone(&self.workers))
    }
}

/// SPIRAL's backend with the registers that these kernels use.
fn backend(kernels: kernel::BackendName) -> Backend {
    let name = match kernels {
        kernel::BackendName::Portable => BackendName::Portable,
        kernel::BackendName::AesNi | kernel::BackendName::Vaes256 => BackendName::Avx2,
        kernel::BackendName::Vaes512 => BackendName::Avx512,
    };
    // A CPU may have AES and not what SPIRAL needs.
    Backend::new(name).unwrap_or_else(|_| Backend::best())
}

/// What a party keeps: `D_b`, n words. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Share {
    words: Vec<Word>,
}

impl Share {
    /// `D_b`.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

/// A key as the kernels take it; wiped like the one it is made from. Its flags count for nothing: what points at the target is its
/// conversion words.
fn unit_key(key: &DpfKey) -> kernel::UnitKey {
    let corrections = key.corrections().iter().map(correction).collect();
    kernel::UnitKey::new(kernel::Key::new(*key.root(), corrections), 0)
}

impl Compute for Fast {
    type Memory = Share;
    type Forest = Forest;

    fn memory(&self, memory_share: Vec<Word>) -> Share {
        Share { words: memory_share }
    }

    fn words<'a>(&self, memory: &'a Share) -> &'a [Word] {
        &memory.words
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Forest {
        let stored_depth = self.stored_depth(log_size, roots.len());
        self.planted(key, roots, stored_depth)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        self.grown(forest)
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        self.corrected(forest, corrections);
    }

    fn leaf_sums(&self, forest: Forest) -> Vec<LeafSums> {
        let sums = self.summed(&forest);
        let sums = sums.iter().map(|sums| LeafSums {
            conversion_sum: sums.leaves.conversion_sum,
            index_conversion_sum: sums.index_conversion_sum,
            value_sum: sums.leaves.value_sum,
        });
        sums.collect()
    }

    /// The kernels take the conversion words off, which here are added.
    fn update(&self, key: &SessionKey, role: Role, memory: &mut Share, queries: &[UpdateQuery]) {
        let keys: Vec<_> = queries.iter().map(|query| unit_key(&query.key)).collect();
        let updates = keys.iter().zip(queries).map(|(key, query)| kernel::ShareUpdate {
            tree: kernel::UpdateTree {
                key,
                final_correction: query.final_correction.wrapping_mul(query.key.inverse()).wrapping_neg(),
            },
            shift: index(query.shift),
        });
        let updates: Vec<_> = updates.collect();
        self.kernels(key).update_share(party(role), &mut memory.words, &updates);
    }
}

/// What a party has of one READ item: the keys of its masks, a query that it made and one that it was sent.
fn read_item_bytes(pir: &impl Pir, log_size: u32) -> u64 {
    key_bytes(2, log_size) + pir.query_length(log_size) as u64
}

impl LocalComputation for two_party::Plain {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Footprint<TwoParty> for two_party::Plain {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        [extent.vector_bytes(1), extent.vector_bytes(1), 0]
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        // 16 bytes a label, of n leaves and of the n/2 nodes above them.
        24 << extent.log_size
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        read_item_bytes(&PlainPir, extent.log_size)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        // Each party: its share, its trees, at most 48 bytes a word while a key is evaluated, and a masked table that is made and sent.
        ((2 * (8 + 48 + 24)) << extent.log_size) + 2 * items * Footprint::<TwoParty>::item_bytes(self, extent)
    }
}

impl Footprint<TwoParty> for Fast {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        [extent.vector_bytes(1), extent.vector_bytes(1), 0]
    }

    fn item_bytes(&self, _extent: Extent) -> u64 {
        // Whatever does not fit is computed again, so a batch is never cut for the sake of its labels.
        0
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        read_item_bytes(&self.pir(), extent.log_size)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        let trees = usize::try_from(items).unwrap_or(usize::MAX);
        let depth = self.stored_depth(extent.log_size, trees);
        let stored = kernel::Forest::bytes_per_tree(depth).saturating_mul(trees) as u64;
        // Of each party the share, its trees, and what a query expands to: 2^(nu_1) ciphertexts of 32 KiB, where n = 2^(2 nu_1 + 6).
        let expanded = (32 << 10) << (extent.log_size.saturating_sub(6) / 2);
        2 * (extent.vector_bytes(1) + stored + expanded)
    }
}
