//! What an item of the paper's protocol is: three DPFs at one random index, as a primary or the helper has them.

use zeroize::Zeroizing;

use super::DpfShare;
use crate::Word;
use crate::engine::items::{Numbered, Store};

/// A primary's item for one READ: no value words and no final correction (`[duoram, section 4.1.1]`).
pub(super) struct ReadItem {
    /// Its key of DPF 1.
    pub(super) read: DpfShare,
    /// DPF 3 of P0, DPF 2 of P1; the other one is the helper's.
    pub(super) refresh: DpfShare,
    /// `ri_b`, the additive share mod n.
    pub(super) random_index: Zeroizing<Word>,
}

/// A primary's item for one UPDATE.
pub(super) struct UpdateItem {
    /// Its keys of DPF 1, 2, 3.
    pub(super) dpfs: [DpfShare; 3],
    /// `ri_b`, the additive share mod n.
    pub(super) random_index: Zeroizing<Word>,
    /// `F_b^(k)`: the shares for the value zero.
    pub(super) final_corrections: Zeroizing<[Word; 3]>,
}

/// The helper's item for one READ or UPDATE.
pub(super) struct HelperItem {
    /// P0's key of DPF 2.
    pub(super) dpf_2: DpfShare,
    /// P1's key of DPF 3.
    pub(super) dpf_3: DpfShare,
}

/// A primary's items.
pub(super) type PrimaryStore = Store<ReadItem, UpdateItem>;

/// The helper's items.
pub(super) type HelperStore = Store<HelperItem, HelperItem>;

/// No item has padding: its move to the heap would take along what was on the stack there, and nobody would wipe it.
const _: () = {
    let (key, word) = (size_of::<DpfShare>(), size_of::<Word>());
    assert!(size_of::<Numbered<ReadItem>>() == 2 * key + 2 * word);
    assert!(size_of::<Numbered<UpdateItem>>() == 3 * key + 5 * word);
    assert!(size_of::<Numbered<HelperItem>>() == 2 * key + word);
};
