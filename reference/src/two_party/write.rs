//! WRITE and SWAP: a READ, and as soon as it is done an UPDATE by the difference, in one step of three messages
//! (`[duoram, section 3.1.2]`).

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::Compute;
use super::items::{ReadItem, UpdateItem};
use super::pir::Pir;
use super::primary::PrimaryWorld;
use super::read::shifts_due;
use super::update::updates_due;
use crate::Word;
use crate::engine::Step;
use crate::engine::items::Kept;
use crate::engine::results::Results;
use crate::engine::step::{Begun, Next};

/// Overwriting a word.
pub const WRITE: Step = Step::new("write");

/// Overwriting a word, with the old one as the result.
pub const SWAP: Step = Step::new("swap");

/// The UPDATE to come after the READ. Kept in a box: as a part of a state it would be moved, and leave its bytes behind.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Write {
    /// `i*_b`.
    address: Word,
    /// `M_b`, the share of the new value.
    value: Word,
    #[zeroize(skip)] // wipes itself
    item: Option<Kept<UpdateItem>>,
    #[zeroize(skip)]
    swap: bool,
}

/// Takes an item of each kind.
pub(super) fn begin<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    (address, value): (Word, Word),
    swap: bool,
) -> Begun<PrimaryWorld<C, P>> {
    let reads: Vec<Kept<ReadItem>> = world.items.take_reads(1);
    let item = world.items.take_updates(1).pop();
    let numbers = reads.iter().map(|kept| kept.number).chain(item.iter().map(|kept| kept.number)).collect();
    let write = Box::new(Write { address, value, item, swap });
    let step = if swap { SWAP } else { WRITE };
    Begun::new(step, numbers, shifts_due(world, reads, &[address], Some(write)))
}

/// The share of the old word has come: opens the difference (`M_b - read_b`).
pub(super) fn go_on<C: Compute, P: Pir>(
    write: &mut Write,
    words: Zeroizing<Vec<Word>>,
    world: &mut PrimaryWorld<C, P>,
) -> Next<PrimaryWorld<C, P>> {
    let old = words.first().copied().unwrap_or_default();
    let update = Zeroizing::new([(write.address, write.value.wrapping_sub(old))]);
    if write.swap {
        world.results = Results::of(words);
    }
    let items = write.item.take().into_iter().collect();
    Next::state(updates_due(world, items, &*update))
}
