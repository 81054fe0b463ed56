//! The local computation by the kernels, on the compressed state.
//!
//! Message logic is `duoram-reference`'s; this replaces its plain computation, share for share
//! (`spec/src/paper/compressed.rs` says why that is possible).

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use duoram_reference::{
    Block, ChildSums, Compute, Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, LeafSums, Paper,
    ReadQuery, Role, SessionKey, UpdateQuery, Word,
};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::local_computation::{Extent, Footprint, LocalComputation, key_bytes};
use crate::pages;
use duoram_kernel::{self as kernel, BackendName, Flags, Kernels, Tuning, UnitKey, Workers};

/// The kernels as a [`Compute`].
pub struct Fast {
    pub(crate) backend: kernel::Backend,
    pub(crate) workers: Arc<Workers>,
    tree_bytes: u64,
    /// What this CPU is best at, measured.
    tuning: Tuning,
    pub(crate) spare: Arc<Spare>,
}

/// Memory of what is done with, for what comes next: new pages cost more than what is stored in them.
#[derive(Default)]
pub(crate) struct Spare {
    /// Of the last batch of trees. In a place of its own: where there is none, the unused bytes would take along what was on the
    /// stack.
    trees: Mutex<Option<Box<kernel::Forest>>>,
    /// Wiped.
    flags: Mutex<Vec<Flags>>,
}

/// So many bytes of flags are kept at most: those of 32 keys of `2^20` leaves.
const SPARE_FLAG_BYTES: usize = 4 << 20;

impl Spare {
    /// A place for flags.
    pub(crate) fn flags(&self) -> Flags {
        self.flags.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default()
    }

    /// Wipes flags, and keeps their place if there is not too much of it.
    pub(crate) fn keep_flags(&self, mut flags: Flags) {
        flags.wipe();
        if let Ok(mut spare) = self.flags.lock() {
            let bytes = |flags: &Flags| size_of_val(flags.words());
            if spare.iter().map(bytes).sum::<usize>() + bytes(&flags) <= SPARE_FLAG_BYTES {
                spare.push(flags);
            }
        }
    }
}

impl Clone for Fast {
    fn clone(&self) -> Self {
        let Self { backend, tree_bytes, tuning, .. } = *self;
        Self { backend, workers: Arc::clone(&self.workers), tree_bytes, tuning, spare: Arc::default() }
    }
}

/// What a primary keeps: `C` and `zeta_b`, n words each. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct PrimaryMemory {
    combined: Vec<Word>,
    blind: Vec<Word>,
}

/// What the helper keeps, n words each. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct HelperMemory {
    blind_0: Vec<Word>,
    blind_1: Vec<Word>,
}

impl PrimaryMemory {
    /// `C`, the paper's `D_b + D~_(1-b) + zeta_b`.
    pub fn combined(&self) -> &[Word] {
        &self.combined
    }

    /// `zeta_b`
    pub fn blind(&self) -> &[Word] {
        &self.blind
    }
}

impl HelperMemory {
    /// `zeta_0`
    pub fn blind_0(&self) -> &[Word] {
        &self.blind_0
    }

    /// `zeta_1`
    pub fn blind_1(&self) -> &[Word] {
        &self.blind_1
    }
}

/// Trees in flight, and the key that they grow by. Their memory is kept for others.
pub struct Forest {
    pub(crate) key: SessionKey,
    pub(crate) trees: Box<kernel::Forest>,
    spare: Arc<Spare>,
}

impl Drop for Forest {
    fn drop(&mut self) {
        if let Ok(mut spare) = self.spare.trees.lock() {
            *spare = Some(std::mem::take(&mut self.trees));
        }
    }
}

/// `2^log_size` zeros that are there.
pub(crate) fn resident_zeros(log_size: u32) -> Vec<Word> {
    pages::resident_zeros(1 << log_size)
}

/// A vector that came from elsewhere.
pub(crate) fn whole(words: Vec<Word>) -> Vec<Word> {
    pages::ask_for_large(&words);
    words
}

/// What this CPU is best at with a backend. It is measured once in a process: by the portable backend that takes longer than a small
/// session.
fn tuning(backend: kernel::Backend) -> Tuning {
    static MEASURED: [OnceLock<Tuning>; BackendName::ALL.len()] =
        [const { OnceLock::new() }; BackendName::ALL.len()];
    *MEASURED[backend.name() as usize].get_or_init(|| {
        let start = Instant::now();
        let clock = || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Kernels::new(backend, 0, &Workers::one()).measure_tuning(clock)
    })
}

impl Fast {
    /// `tree_bytes` bounds the labels that a primary stores while trees grow; with less, more is computed again.
    pub fn new(backend: kernel::Backend, workers: Workers, tree_bytes: u64) -> Self {
        let tuning = tuning(backend);
        Self { backend, workers: Arc::new(workers), tree_bytes, tuning, spare: Arc::default() }
    }

    /// Down to which level so many trees are stored.
    pub(crate) fn stored_depth(&self, log_size: u32, trees: usize) -> usize {
        let budget = usize::try_from(self.tree_bytes).unwrap_or(usize::MAX);
        kernel::Forest::stored_depth(log_size as usize, trees, budget, self.tuning)
    }

    /// Down to which level so many trees of this height are stored, where storing them whole is best.
    pub(crate) fn whole_depth(&self, height: u32, trees: usize) -> usize {
        let budget = usize::try_from(self.tree_bytes).unwrap_or(usize::MAX);
        // Labels that cost nothing are stored wherever there is room.
        kernel::Forest::stored_depth(height as usize + 1, trees, budget, Tuning::new(0.0))
    }

    /// Trees of these roots, stored down to a depth.
    pub(crate) fn planted(&self, key: &SessionKey, mut roots: Vec<Block>, stored_depth: usize) -> Forest {
        let spare = self.spare.trees.lock().ok().and_then(|mut spare| spare.take());
        let mut trees = spare.unwrap_or_default();
        self.kernels(key).replant(&mut trees, &roots, stored_depth);
        pages::ask_for_large(trees.memory());
        roots.zeroize();
        Forest { key: SessionKey::new(*key.bytes()), trees, spare: Arc::clone(&self.spare) }
    }

    pub(crate) fn grown(&self, forest: &mut Forest) -> Vec<ChildSums> {
        let sums = Zeroizing::new(self.kernels(&forest.key).grow(&mut forest.trees));
        sums.iter().map(|&[left, right]| ChildSums { left, right }).collect()
    }

    pub(crate) fn corrected(&self, forest: &mut Forest, corrections: &[Correction]) {
        let corrections = Zeroizing::new(corrections.iter().map(correction).collect::<Vec<_>>());
        self.kernels(&forest.key).correct(&mut forest.trees, &corrections);
    }

    /// The sums over the leaves of trees that have grown.
    pub(crate) fn summed(&self, forest: &Forest) -> Zeroizing<Vec<kernel::LeafSums>> {
        Zeroizing::new(self.kernels(&forest.key).leaf_sums(&forest.trees))
    }

    /// The kernels under a session's key.
    pub fn kernels(&self, key: &SessionKey) -> Kernels<'_> {
        Kernels::new(self.backend, Block::from_le_bytes(*key.bytes()), &self.workers)
    }
}

pub(crate) fn correction(correction: &Correction) -> kernel::Correction {
    let Correction { word, left_flag, right_flag } = *correction;
    kernel::Correction { word, left_flag, right_flag }
}

/// A key as the kernels take it; wiped like the one it is made from.
pub fn unit_key(share: &DpfShare) -> UnitKey {
    let corrections = share.corrections().iter().map(correction).collect();
    UnitKey::new(kernel::Key::new(*share.root(), corrections), share.conversion_factor())
}

/// Whose keys the kernels evaluate: the helper has no sign of its own.
pub(crate) fn party(role: Role) -> kernel::Party {
    match role {
        Role::P0 | Role::P2 => kernel::Party::P0,
        Role::P1 => kernel::Party::P1,
    }
}

/// Shifts are below n, and n is the length of a vector.
pub(crate) fn index(shift: u64) -> usize {
    usize::try_from(shift).unwrap_or_default()
}

impl Compute for Fast {
    type PrimaryMemory = PrimaryMemory;
    type HelperMemory = HelperMemory;
    type Forest = Forest;

    fn zero_primary_memory(&self, log_size: u32) -> PrimaryMemory {
        PrimaryMemory { combined: resident_zeros(log_size), blind: resident_zeros(log_size) }
    }

    fn zero_helper_memory(&self, log_size: u32) -> HelperMemory {
        HelperMemory { blind_0: resident_zeros(log_size), blind_1: resident_zeros(log_size) }
    }

    fn primary_memory(
        &self,
        memory_share: Vec<Word>,
        blind: Vec<Word>,
        mut blinded: Vec<Word>,
    ) -> PrimaryMemory {
        let mut combined = memory_share;
        for ((sum, blinded), blind) in combined.iter_mut().zip(&blinded).zip(&blind) {
            *sum = sum.wrapping_add(*blinded).wrapping_add(*blind);
        }
        blinded.zeroize();
        PrimaryMemory { combined: whole(combined), blind: whole(blind) }
    }

    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> HelperMemory {
        HelperMemory { blind_0: whole(blind_0), blind_1: whole(blind_1) }
    }

    /// C and `zeta_b`.
    fn primary_words<'a>(&self, memory: &'a PrimaryMemory) -> Vec<&'a [Word]> {
        vec![&memory.combined, &memory.blind]
    }

    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> PrimaryMemory {
        let mut vectors = vectors.into_iter();
        let [combined, blind] = [(); 2].map(|()| vectors.next().unwrap_or_default());
        PrimaryMemory { combined: whole(combined), blind: whole(blind) }
    }

    fn helper_words<'a>(&self, memory: &'a HelperMemory) -> [&'a [Word]; 2] {
        [&memory.blind_0, &memory.blind_1]
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
            flag_count: sums.leaves.flag_count,
            conversion_sum: sums.leaves.conversion_sum,
            value_sum: sums.leaves.value_sum,
            index_flag_sum: sums.index_flag_sum,
            index_conversion_sum: sums.index_conversion_sum,
        });
        sums.collect()
    }

    fn read(&self, key: &SessionKey, role: Role, memory: &PrimaryMemory, queries: &[ReadQuery]) -> Vec<Word> {
        let keys: Vec<_> = queries.iter().map(|query| [&query.read, &query.refresh].map(unit_key)).collect();
        let kernel_queries: Vec<_> = keys
            .iter()
            .zip(queries)
            .map(|([key, refresh_key], query)| kernel::ReadQuery {
                key,
                refresh_key,
                shift: index(query.shift),
            })
            .collect();
        self.kernels(key).read(party(role), &memory.combined, &memory.blind, &kernel_queries)
    }

    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]> {
        let keys: Vec<_> = queries.iter().map(|query| [&query.dpf_2, &query.dpf_3].map(unit_key)).collect();
        let kernel_queries: Vec<_> = keys
            .iter()
            .zip(queries)
            .map(|([key_p0, key_p1], query)| kernel::UnblindingQuery {
                key_p0,
                key_p1,
                shift: index(query.shift),
            })
            .collect();
        let products = self.kernels(key).unblinding(&memory.blind_0, &memory.blind_1, &kernel_queries);
        Zeroizing::new(products).iter().map(|&(first, second)| [first, second]).collect()
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut PrimaryMemory, queries: &[UpdateQuery]) {
        let keys: Vec<_> =
            queries.iter().map(|query| [&query.dpfs[1], &query.dpfs[2]].map(unit_key)).collect();
        let updates: Vec<_> = keys
            .iter()
            .zip(queries)
            .map(|([second, third], query)| {
                let [_, final_correction_2, final_correction_3] = query.final_corrections;
                kernel::Update {
                    second: kernel::UpdateTree { key: second, final_correction: final_correction_2 },
                    third: kernel::UpdateTree { key: third, final_correction: final_correction_3 },
                    shift: index(query.shift),
                }
            })
            .collect();
        self.kernels(key).update(party(role), &mut memory.combined, &mut memory.blind, &updates);
    }

    fn update_blinds(&self, key: &SessionKey, memory: &mut HelperMemory, queries: &[HelperUpdateQuery]) {
        let keys: Vec<_> = queries.iter().map(|query| [&query.dpf_2, &query.dpf_3].map(unit_key)).collect();
        let updates: Vec<_> = keys
            .iter()
            .zip(queries)
            .map(|([second, third], query)| kernel::HelperUpdate {
                second: kernel::UpdateTree { key: second, final_correction: query.final_correction_2 },
                third: kernel::UpdateTree { key: third, final_correction: query.final_correction_3 },
                shift: index(query.shift),
            })
            .collect();
        self.kernels(key).helper_update(&mut memory.blind_0, &mut memory.blind_1, &updates);
    }
}

impl LocalComputation for Fast {
    fn name(&self) -> &'static str {
        self.backend.name().as_str()
    }

    fn threads(&self) -> usize {
        self.workers.threads()
    }
}

impl Footprint<Paper> for Fast {
    /// Two vectors each: `C` and `zeta_b`; `zeta_0` and `zeta_1`.
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        [extent.vector_bytes(2); 3]
    }

    fn item_bytes(&self, _extent: Extent) -> u64 {
        // Whatever does not fit is computed again, so a batch is never cut for the sake of its labels.
        0
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        key_bytes(3, extent.log_size)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        let trees = usize::try_from(items.saturating_mul(3)).unwrap_or(usize::MAX);
        let depth = self.stored_depth(extent.log_size, trees);
        let stored = kernel::Forest::bytes_per_tree(depth).saturating_mul(trees) as u64;
        ((3 * 16_u64) << extent.log_size).saturating_add(2 * stored)
    }
}

#[cfg(test)]
mod tests {
    use duoram_kernel::Features;

    use super::*;

    /// Two measurements would differ, were it by a nanosecond.
    #[test]
    fn a_process_measures_a_backend_once() {
        for backend in kernel::Backend::available(&Features::detect()) {
            let cost = || Fast::new(backend, Workers::one(), 0).tuning.label_cost();
            let first = cost();
            assert!((0..20).all(|_| cost().to_bits() == first.to_bits()), "{}", backend.name());
        }
    }
}
