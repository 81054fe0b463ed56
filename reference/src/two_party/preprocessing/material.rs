//! What a batch has been made of so far.

use std::mem;

use zeroize::Zeroizing;

use super::drawn::Drawn;
use crate::Block;
use crate::engine::items::Store;
use crate::engine::level::AndTriple;
use crate::two_party::items::{ReadItem, UpdateItem};
use crate::two_party::triples::and_triple;

/// Of each OT the keys, h an item and READ items' first; and what else READ items are made of.
pub(super) struct Material {
    pub(super) drawn: Drawn,
    /// Those that the own choices choose.
    pub(super) received: Zeroizing<Vec<Block>>,
    /// Both of each OT that this party sends.
    pub(super) sent: Zeroizing<Vec<[Block; 2]>>,
    /// The other party's, for each READ item.
    pub(super) queries: Vec<Vec<u8>>,
}

impl Material {
    /// The number of DPFs.
    pub(super) fn dpfs(&self) -> usize {
        self.drawn.roots.len()
    }

    /// The triple of a level of a DPF.
    pub(super) fn triple(&self, dpf: usize, level: u32) -> AndTriple {
        let item = self.drawn.batch.reads + dpf;
        let transfer = item * self.levels() + level as usize;
        and_triple(self.drawn.triple_bit(dpf, level), self.received[transfer], self.sent[transfer])
    }

    /// Puts the READ items into the store.
    pub(super) fn put_reads(&mut self, items: &mut Store<ReadItem, UpdateItem>) {
        let levels = self.levels();
        let keys = self.received.chunks_exact(levels).zip(self.sent.chunks_exact(levels));
        let queries = mem::take(&mut self.queries);
        for ((&index, query), (received, sent)) in self.drawn.indices.iter().zip(queries).zip(keys) {
            items.put_read(ReadItem {
                index: Zeroizing::new(index),
                received: Zeroizing::new(received.to_vec()),
                sent: Zeroizing::new(sent.to_vec()),
                query,
            });
        }
    }

    /// h
    fn levels(&self) -> usize {
        self.drawn.log_size as usize
    }
}
