//! What an item is.

use zeroize::Zeroizing;

use super::DpfKey;
use super::pir::Pir;
use super::primary::Tools;
use crate::engine::SavedError;
use crate::engine::items::Numbered;
use crate::engine::saved::{Origin, SavedItem, corrections_length, read_corrections, write_corrections};
use crate::wire::Length;
use crate::wire::codec::{Reader, Writer};
use crate::wire::shape::levels;
use crate::{Block, Word};

/// For one READ: a query that this party has sent, and one that has come. Keys of a table are used once: see
/// [`super::masks`].
pub(crate) struct ReadItem {
    /// `q_b`, the index of this party's query.
    pub(super) index: Zeroizing<Word>,
    /// The keys that the bits of `q_b` choose, the highest bit's first.
    pub(super) received: Zeroizing<Vec<Block>>,
    /// The keys of the table that this party will answer from, for each bit.
    pub(super) sent: Zeroizing<Vec<[Block; 2]>>,
    /// The other party's query.
    pub(super) query: Vec<u8>,
}

/// For one UPDATE.
pub(crate) struct UpdateItem {
    pub(super) key: DpfKey,
    /// `ri_b`, the additive share mod n.
    pub(super) random_index: Zeroizing<Word>,
    /// `F_b`: the share for the value zero.
    pub(super) final_correction: Zeroizing<Word>,
}

/// No item has padding: its move to the heap would take along what was on the stack there, and nobody would wipe it. With
/// pointers of 32 bits some have; such parties are only those of the book's pages, which have no secrets.
const _: () = {
    let (vector, key, word) = (size_of::<Vec<u8>>(), size_of::<DpfKey>(), size_of::<Word>());
    if cfg!(target_pointer_width = "64") {
        assert!(size_of::<Numbered<ReadItem>>() == 3 * vector + 2 * word);
        assert!(size_of::<Numbered<UpdateItem>>() == key + 3 * word);
    }
};

impl<C, P: Pir> SavedItem<Tools<C, P>> for ReadItem {
    fn length(tools: &Tools<C, P>, log_size: u32, _row_words: usize) -> Length {
        let keys = Length::blocks(3 * levels(log_size));
        Length::words(1).and(keys).and(Length::of_bytes(tools.pir.query_length(log_size)))
    }

    fn write(&self, _tools: &Tools<C, P>, out: &mut Writer) {
        out.word(*self.index);
        out.blocks(&self.received);
        out.blocks(self.sent.as_flattened());
        out.bytes(&self.query);
    }

    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, Tools<C, P>>) -> Result<Self, SavedError> {
        let (levels, length) = (levels(origin.log_size), origin.compute.pir.query_length(origin.log_size));
        let index = Zeroizing::new(reader.word());
        let received = Zeroizing::new(reader.blocks(levels));
        let mut sent = Zeroizing::new(Vec::with_capacity(levels));
        sent.extend((0..levels).map(|_| [reader.block(), reader.block()]));
        Ok(Self { index, received, sent, query: reader.bytes(length).to_vec() })
    }
}

impl<C, P: Pir> SavedItem<Tools<C, P>> for UpdateItem {
    fn length(_tools: &Tools<C, P>, log_size: u32, _row_words: usize) -> Length {
        Length::blocks(1).and(corrections_length(levels(log_size))).and(Length::words(3))
    }

    fn write(&self, _tools: &Tools<C, P>, out: &mut Writer) {
        out.block(*self.key.root());
        write_corrections(out, self.key.corrections());
        out.words(&[self.key.inverse(), *self.random_index, *self.final_correction]);
    }

    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, Tools<C, P>>) -> Result<Self, SavedError> {
        let root = reader.block();
        let corrections = read_corrections(reader, levels(origin.log_size))?;
        let key = DpfKey::new(root, corrections, reader.word());
        let random_index = Zeroizing::new(reader.word());
        Ok(Self { key, random_index, final_correction: Zeroizing::new(reader.word()) })
    }
}
