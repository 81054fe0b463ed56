//! What an item of the lean protocol is: two DPFs at one random index, as each party has them, and what is drawn for its one
//! operation.

use zeroize::Zeroizing;

use super::layers::depth;
use super::side::{Side, Side0, Side1};
use super::{Compute, LayeredKey, NODE_ROWS, Row};
use crate::Word;
use crate::engine::items::{Numbered, Store};
use crate::engine::saved::{Origin, SavedItem, corrections_length, read_corrections, write_corrections};
use crate::engine::{ItemKind, SavedError};
use crate::wire::codec::{Reader, Writer};
use crate::wire::shape::levels;
use crate::wire::{Bound, Length};

/// A primary's item for one READ.
pub(crate) struct ReadItem<S: Side, K: Send + 'static> {
    /// Its sides of the DPFs.
    pub(super) keys: S::Keys<K>,
    /// `ri_b`.
    pub(super) random_index: Zeroizing<Word>,
    /// rho, which P1 and P2 know.
    pub(super) rho: S::Rho,
}

/// A primary's item for one UPDATE, WRITE or SWAP: that of a READ, and more.
pub(crate) struct UpdateItem<S: Side, K: Send + 'static> {
    pub(super) read: ReadItem<S, K>,
    /// `f^a_b + x`.
    pub(super) update_mask: Row,
    /// `f^a_b` + `y_01` + `y_b2`.
    pub(super) write_mask: Row,
    /// delta, which P0 and P2 know.
    pub(super) delta: S::Delta,
}

/// The helper's item for one READ.
pub(crate) struct HelperReadItem<K> {
    /// Side 0 of a, from P0, and side 1 of b, from P1.
    pub(super) keys: [K; 2],
    pub(super) rho: Row,
}

/// The helper's item for one UPDATE, WRITE or SWAP.
pub(crate) struct HelperUpdateItem<K> {
    pub(super) read: HelperReadItem<K>,
    /// `y_02` + `y_12`.
    pub(super) write_mask: Row,
    pub(super) delta: Row,
}

/// A primary's items.
pub(crate) type PrimaryStore<S, K> = Store<ReadItem<S, K>, UpdateItem<S, K>>;

/// The helper's items.
pub(crate) type HelperStore<K> = Store<HelperReadItem<K>, HelperUpdateItem<K>>;

/// No item has padding: its move to the heap would take along what was on the stack there, and nobody would wipe it. With
/// pointers of 32 bits some have; such parties are only those of the book's pages, which have no secrets.
const _: () = {
    let (key, word, row) = (size_of::<LayeredKey>(), size_of::<Word>(), size_of::<Row>());
    if cfg!(target_pointer_width = "64") {
        assert!(size_of::<Numbered<ReadItem<Side0, LayeredKey>>>() == 2 * key + 2 * word);
        assert!(size_of::<Numbered<ReadItem<Side1, LayeredKey>>>() == key + 2 * word + row);
        assert!(size_of::<Numbered<HelperReadItem<LayeredKey>>>() == 2 * key + word + row);
        assert!(size_of::<Numbered<UpdateItem<Side0, LayeredKey>>>() == 2 * key + 2 * word + 3 * row);
        assert!(size_of::<Numbered<UpdateItem<Side1, LayeredKey>>>() == key + 2 * word + 3 * row);
        assert!(size_of::<Numbered<HelperUpdateItem<LayeredKey>>>() == 2 * key + word + 3 * row);
    }
};

/// A row that not every party knows.
pub(crate) trait Known: Sized + Send + 'static {
    /// One or none.
    const ROWS: usize;

    fn words(&self) -> &[Word];
    fn read(reader: &mut Reader<'_>, row_words: usize) -> Self;
}

impl Known for () {
    const ROWS: usize = 0;

    fn words(&self) -> &[Word] {
        &[]
    }

    fn read(_reader: &mut Reader<'_>, _row_words: usize) {}
}

impl Known for Row {
    const ROWS: usize = 1;

    fn words(&self) -> &[Word] {
        self
    }

    fn read(reader: &mut Reader<'_>, row_words: usize) -> Self {
        Self::new(reader.words(row_words))
    }
}

/// The words of a key's CWw.
const fn correction_words(kind: ItemKind, row_words: usize) -> usize {
    match kind {
        ItemKind::Read => 0,
        ItemKind::Update => NODE_ROWS * row_words,
    }
}

/// Root, corrections, those of the flags and of the values.
fn key_length(kind: ItemKind, log_size: u32, row_words: usize) -> Length {
    let values = correction_words(kind, row_words);
    Length::blocks(2).and(corrections_length(levels(depth(kind, log_size)))).and(Length::words(values))
}

fn write_keys<C: Compute>(out: &mut Writer, compute: &C, keys: &[C::Kept]) {
    for key in keys.iter().map(|kept| compute.kept_key(kept)) {
        out.block(*key.root());
        write_corrections(out, key.corrections());
        out.block(key.flag_correction());
        out.words(key.value_correction().unwrap_or_default());
    }
}

fn read_key(
    reader: &mut Reader<'_>,
    kind: ItemKind,
    log_size: u32,
    row_words: usize,
) -> Result<LayeredKey, SavedError> {
    let root = reader.block();
    let corrections = read_corrections(reader, levels(depth(kind, log_size)))?;
    let flag_correction = reader.block();
    let value_correction = reader.words(correction_words(kind, row_words));
    Ok(LayeredKey::new(root, corrections, flag_correction, value_correction))
}

impl<C: Compute> Origin<'_, C> {
    /// As many keys of an item as its party has.
    fn keys<T: TryFrom<Vec<C::Kept>>>(
        &self,
        reader: &mut Reader<'_>,
        kind: ItemKind,
        count: usize,
    ) -> Result<T, SavedError> {
        let mut key = || read_key(reader, kind, self.log_size, self.row_words);
        let keys = (0..count).map(|_| key()).collect::<Result<Vec<_>, _>>()?;
        let kept = self.compute.keep(self.key, self.log_size, keys);
        let (expected, got) = (Bound::Is(count as u64), kept.len() as u64);
        T::try_from(kept).map_err(|_| SavedError::Content { what: "the number of keys", expected, got })
    }

    /// The part of an item that all kinds have.
    fn primary<S: Side>(
        &self,
        reader: &mut Reader<'_>,
        kind: ItemKind,
    ) -> Result<ReadItem<S, C::Kept>, SavedError> {
        let keys = self.keys(reader, kind, S::KEYS)?;
        let random_index = Zeroizing::new(reader.word());
        Ok(ReadItem { keys, random_index, rho: S::Rho::read(reader, self.row_words) })
    }

    /// The same of the helper.
    fn helper(&self, reader: &mut Reader<'_>, kind: ItemKind) -> Result<HelperReadItem<C::Kept>, SavedError> {
        Ok(HelperReadItem { keys: self.keys(reader, kind, 2)?, rho: Row::read(reader, self.row_words) })
    }
}

/// Of the part that all kinds of a primary's items have.
fn primary_length<S: Side>(kind: ItemKind, log_size: u32, row_words: usize) -> Length {
    let own = Length::words(1 + S::Rho::ROWS * row_words);
    key_length(kind, log_size, row_words).times(S::KEYS).and(own)
}

impl<S: Side, C: Compute> SavedItem<C> for ReadItem<S, C::Kept> {
    fn length(_compute: &C, log_size: u32, row_words: usize) -> Length {
        primary_length::<S>(ItemKind::Read, log_size, row_words)
    }

    fn write(&self, compute: &C, out: &mut Writer) {
        write_keys(out, compute, self.keys.as_ref());
        out.word(*self.random_index);
        out.words(self.rho.words());
    }

    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, C>) -> Result<Self, SavedError> {
        origin.primary(reader, ItemKind::Read)
    }
}

impl<S: Side, C: Compute> SavedItem<C> for UpdateItem<S, C::Kept> {
    fn length(_compute: &C, log_size: u32, row_words: usize) -> Length {
        let own = Length::words((2 + S::Delta::ROWS) * row_words);
        primary_length::<S>(ItemKind::Update, log_size, row_words).and(own)
    }

    fn write(&self, compute: &C, out: &mut Writer) {
        SavedItem::write(&self.read, compute, out);
        out.words(&self.update_mask);
        out.words(&self.write_mask);
        out.words(self.delta.words());
    }

    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, C>) -> Result<Self, SavedError> {
        let read = origin.primary(reader, ItemKind::Update)?;
        let [update_mask, write_mask] = [(); 2].map(|()| Row::read(reader, origin.row_words));
        Ok(Self { read, update_mask, write_mask, delta: S::Delta::read(reader, origin.row_words) })
    }
}

impl<C: Compute> SavedItem<C> for HelperReadItem<C::Kept> {
    fn length(_compute: &C, log_size: u32, row_words: usize) -> Length {
        key_length(ItemKind::Read, log_size, row_words).times(2).and(Length::words(row_words))
    }

    fn write(&self, compute: &C, out: &mut Writer) {
        write_keys(out, compute, &self.keys);
        out.words(&self.rho);
    }

    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, C>) -> Result<Self, SavedError> {
        origin.helper(reader, ItemKind::Read)
    }
}

impl<C: Compute> SavedItem<C> for HelperUpdateItem<C::Kept> {
    fn length(_compute: &C, log_size: u32, row_words: usize) -> Length {
        key_length(ItemKind::Update, log_size, row_words).times(2).and(Length::words(3 * row_words))
    }

    fn write(&self, compute: &C, out: &mut Writer) {
        SavedItem::write(&self.read, compute, out);
        out.words(&self.write_mask);
        out.words(&self.delta);
    }

    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, C>) -> Result<Self, SavedError> {
        let read = origin.helper(reader, ItemKind::Update)?;
        let [write_mask, delta] = [(); 2].map(|()| Row::read(reader, origin.row_words));
        Ok(Self { read, write_mask, delta })
    }
}
