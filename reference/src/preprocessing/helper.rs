//! The helper's part: it deals the triples, and is given one key of DPF 2 and one of DPF 3 for each item.

use std::ops::Range;

use super::items::{HelperItem, Store};
use crate::dpf::DpfShare;
use crate::endpoint::Expected;
use crate::message::Shape;
use crate::party::Batch;
use crate::{Parameters, Role};

/// The helper's store.
pub(crate) type HelperStore = Store<HelperItem, HelperItem>;

/// The triples are dealt, and the keys are due, P0's first.
pub(crate) struct Keys {
    pub(crate) batch: Batch,
    /// The numbers of the items.
    pub(crate) numbers: Range<u64>,
    /// P0's keys of DPF 2, once they have come.
    pub(crate) dpf_2: Option<Vec<DpfShare>>,
}

impl Keys {
    pub(crate) fn expected(&self, parameters: &Parameters) -> Expected {
        let from = if self.dpf_2.is_none() { Role::P0 } else { Role::P1 };
        let items = self.batch.reads + self.batch.updates;
        Expected { from, round: 0, shape: Shape::HelperKeys { log_size: parameters.log_size(), items } }
    }
}

/// The items, from all keys: READ items first.
pub(crate) fn store(
    batch: Batch,
    numbers: Range<u64>,
    mut dpf_2: Vec<DpfShare>,
    mut dpf_3: Vec<DpfShare>,
) -> HelperStore {
    let mut store = HelperStore::new();
    for (item, ((dpf_2, dpf_3), number)) in dpf_2.iter_mut().zip(&mut dpf_3).zip(numbers).enumerate() {
        let made = HelperItem { number, dpf_2: dpf_2.take(), dpf_3: dpf_3.take() };
        if item < batch.reads {
            store.push_read(made);
        } else {
            store.push_update(made);
        }
    }
    store
}
