//! What an item of the lean protocol is: two DPFs at one random index, as each party has them, and what is drawn for its one
//! operation.

use zeroize::Zeroizing;

use super::LayeredKey;
use super::primary::{Side, Side0, Side1};
use crate::Word;
use crate::engine::items::{Numbered, Store};

/// A primary's item for one READ.
pub(super) struct ReadItem<S: Side, K: Send + 'static> {
    /// Its sides of the DPFs.
    pub(super) keys: S::Keys<K>,
    /// `ri_b`.
    pub(super) random_index: Zeroizing<Word>,
    /// rho, which P1 and P2 know.
    pub(super) rho: S::Rho,
}

/// A primary's item for one UPDATE, WRITE or SWAP: that of a READ, and more.
pub(super) struct UpdateItem<S: Side, K: Send + 'static> {
    pub(super) read: ReadItem<S, K>,
    /// `f^a_b + x`.
    pub(super) update_mask: Zeroizing<Word>,
    /// `f^a_b` + `y_01` + `y_b2`.
    pub(super) write_mask: Zeroizing<Word>,
    /// delta, which P0 and P2 know.
    pub(super) delta: S::Delta,
}

/// The helper's item for one READ.
pub(super) struct HelperReadItem<K> {
    /// Side 0 of a, from P0, and side 1 of b, from P1.
    pub(super) keys: [K; 2],
    pub(super) rho: Zeroizing<Word>,
}

/// The helper's item for one UPDATE, WRITE or SWAP.
pub(super) struct HelperUpdateItem<K> {
    pub(super) read: HelperReadItem<K>,
    /// `y_02` + `y_12`.
    pub(super) write_mask: Zeroizing<Word>,
    pub(super) delta: Zeroizing<Word>,
}

/// A primary's items.
pub(super) type PrimaryStore<S, K> = Store<ReadItem<S, K>, UpdateItem<S, K>>;

/// The helper's items.
pub(super) type HelperStore<K> = Store<HelperReadItem<K>, HelperUpdateItem<K>>;

/// No item has padding: its move to the heap would take along what was on the stack there, and nobody would wipe it.
const _: () = {
    let (key, word) = (size_of::<LayeredKey>(), size_of::<Word>());
    assert!(size_of::<Numbered<ReadItem<Side0, LayeredKey>>>() == 2 * key + 2 * word);
    assert!(size_of::<Numbered<ReadItem<Side1, LayeredKey>>>() == key + 3 * word);
    assert!(size_of::<Numbered<HelperReadItem<LayeredKey>>>() == 2 * key + 2 * word);
    assert!(size_of::<Numbered<UpdateItem<Side0, LayeredKey>>>() == 2 * key + 5 * word);
    assert!(size_of::<Numbered<UpdateItem<Side1, LayeredKey>>>() == key + 5 * word);
    assert!(size_of::<Numbered<HelperUpdateItem<LayeredKey>>>() == 2 * key + 4 * word);
};
