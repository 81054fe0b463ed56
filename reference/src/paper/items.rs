//! What an item of the paper's protocol is: three DPFs at one random index, as a primary or the helper has them.

use zeroize::Zeroizing;

use super::DpfShare;
use crate::Word;
use crate::engine::SavedError;
use crate::engine::items::{Numbered, Store};
use crate::engine::saved::{Origin, SavedItem, corrections_length, read_corrections, write_corrections};
use crate::wire::Length;
use crate::wire::codec::{Reader, Writer};
use crate::wire::shape::levels;

/// A primary's item for one READ: no value words and no final correction (`[duoram, section 4.1.1]`).
pub(crate) struct ReadItem {
    /// Its key of DPF 1.
    pub(super) read: DpfShare,
    /// DPF 3 of P0, DPF 2 of P1; the other one is the helper's.
    pub(super) refresh: DpfShare,
    /// `ri_b`, the additive share mod n.
    pub(super) random_index: Zeroizing<Word>,
}

/// A primary's item for one UPDATE.
pub(crate) struct UpdateItem {
    /// Its keys of DPF 1, 2, 3.
    pub(super) dpfs: [DpfShare; 3],
    /// `ri_b`, the additive share mod n.
    pub(super) random_index: Zeroizing<Word>,
    /// `F_b^(k)`: the shares for the value zero.
    pub(super) final_corrections: Zeroizing<[Word; 3]>,
}

/// The helper's item for one READ or UPDATE.
pub(crate) struct HelperItem {
    /// P0's key of DPF 2.
    pub(super) dpf_2: DpfShare,
    /// P1's key of DPF 3.
    pub(super) dpf_3: DpfShare,
}

/// A primary's items.
pub(crate) type PrimaryStore = Store<ReadItem, UpdateItem>;

/// The helper's items.
pub(crate) type HelperStore = Store<HelperItem, HelperItem>;

/// No item has padding: its move to the heap would take along what was on the stack there, and nobody would wipe it. With
/// pointers of 32 bits some have; such parties are only those of the book's pages, which have no secrets.
const _: () = {
    let (key, word) = (size_of::<DpfShare>(), size_of::<Word>());
    if cfg!(target_pointer_width = "64") {
        assert!(size_of::<Numbered<ReadItem>>() == 2 * key + 2 * word);
        assert!(size_of::<Numbered<UpdateItem>>() == 3 * key + 5 * word);
        assert!(size_of::<Numbered<HelperItem>>() == 2 * key + word);
    }
};

/// Root, corrections, conversion factor.
fn key_length(log_size: u32) -> Length {
    Length::blocks(1).and(corrections_length(levels(log_size))).and(Length::words(1))
}

fn write_key(out: &mut Writer, key: &DpfShare) {
    out.block(*key.root());
    write_corrections(out, key.corrections());
    out.word(key.conversion_factor());
}

fn read_key(reader: &mut Reader<'_>, log_size: u32) -> Result<DpfShare, SavedError> {
    let root = reader.block();
    let corrections = read_corrections(reader, levels(log_size))?;
    Ok(DpfShare::new(root, corrections, reader.word()))
}

impl<C> SavedItem<C> for ReadItem {
    fn length(_compute: &C, log_size: u32, _row_words: usize) -> Length {
        key_length(log_size).times(2).and(Length::words(1))
    }

    fn write(&self, _compute: &C, out: &mut Writer) {
        write_key(out, &self.read);
        write_key(out, &self.refresh);
        out.word(*self.random_index);
    }

    fn read(reader: &mut Reader<'_>, &Origin { log_size, .. }: &Origin<'_, C>) -> Result<Self, SavedError> {
        let (read, refresh) = (read_key(reader, log_size)?, read_key(reader, log_size)?);
        Ok(Self { read, refresh, random_index: Zeroizing::new(reader.word()) })
    }
}

impl<C> SavedItem<C> for UpdateItem {
    fn length(_compute: &C, log_size: u32, _row_words: usize) -> Length {
        key_length(log_size).times(3).and(Length::words(4))
    }

    fn write(&self, _compute: &C, out: &mut Writer) {
        self.dpfs.iter().for_each(|key| write_key(out, key));
        out.word(*self.random_index);
        out.words(&*self.final_corrections);
    }

    fn read(reader: &mut Reader<'_>, &Origin { log_size, .. }: &Origin<'_, C>) -> Result<Self, SavedError> {
        let mut key = || read_key(reader, log_size);
        let dpfs = [key()?, key()?, key()?];
        let random_index = Zeroizing::new(reader.word());
        Ok(Self { dpfs, random_index, final_corrections: Zeroizing::new([(); 3].map(|()| reader.word())) })
    }
}

impl<C> SavedItem<C> for HelperItem {
    fn length(_compute: &C, log_size: u32, _row_words: usize) -> Length {
        key_length(log_size).times(2)
    }

    fn write(&self, _compute: &C, out: &mut Writer) {
        write_key(out, &self.dpf_2);
        write_key(out, &self.dpf_3);
    }

    fn read(reader: &mut Reader<'_>, &Origin { log_size, .. }: &Origin<'_, C>) -> Result<Self, SavedError> {
        Ok(Self { dpf_2: read_key(reader, log_size)?, dpf_3: read_key(reader, log_size)? })
    }
}
