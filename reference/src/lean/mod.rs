//! The lean protocol: XOR-shared words and addresses, two sharings of one memory, two DPFs an item whose trees end early.
//! `PROTOCOL.md`, part two, fixes every byte and has every formula; `+` is XOR here too.
//!
//! A file a step, or for preprocessing a folder: the messages of the step, with how they are written and read, and the
//! states that await them, at the primaries and at the helper.
//!
//! | file | step | messages |
//! |---|---|---|
//! | `connect` | agreeing on K and the pairs' seeds | hello |
//! | `load` | sharing a memory | alpha, beta |
//! | `preprocessing` | making DPFs | deal; index offset; level operands, level opening; flag layer, value layer; helper keys; difference |
//! | `read` | READ | shift, unblinding |
//! | `update` | UPDATE | update |
//! | `write` | WRITE and SWAP | write, and those of READ |
//!
//! P0 and P1 hold different things and take the same steps: what they do alike is written over a `Side`. What is
//! computed locally is behind [`Compute`].
//!
//! ```
//! use duoram_reference::lean::Plain;
//! use duoram_reference::lean::local::{LocalSession, share};
//! use duoram_reference::{Batch, Parameters, SessionId};
//!
//! # fn main() -> Result<(), duoram_reference::Error> {
//! let parameters = Parameters::new(SessionId(*b"an example, once"), 3)?;
//! let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain);
//! session.connect()?;
//! session.preprocess(Batch { reads: 1, updates: 2 })?;
//!
//! // Puts 6 at address 5, of which P0 knows one share and P1 the other, and then 7, with the old word as the result.
//! session.write(share(5, 2718), share(6, 3141))?;
//! let [old_0, old_1] = session.swap(share(5, 1618), share(7, 5772))?;
//! assert_eq!(old_0[0] ^ old_1[0], 6);
//!
//! let [address_0, address_1] = share(5, 1414);
//! let [read_0, read_1] = session.read([&[address_0], &[address_1]])?;
//! assert_eq!(read_0[0] ^ read_1[0], 7);
//! # Ok(())
//! # }
//! ```
//!
//! A memory may have fewer words than there are addresses ([`Parameters::with_rows`]): nobody stores what is not there.
//!
//! An address may hold a row of w words instead of one word ([`Parameters::with_row_words`]): one item and one scan an operation, and
//! w words wherever there is a word here. The calls that take values of w words are those named so
//! ([`Primary::update_rows`], [`Primary::write_row`], [`Primary::swap_row`]).

pub mod compute;
mod connect;
pub mod dpf;
mod helper;
mod items;
pub mod layers;
mod load;
pub mod local;
mod one_hot;
mod pairs;
mod plain;
mod preprocessing;
mod primary;
mod read;
mod side;
mod update;
mod write;

pub use self::compute::{Compute, ReadQuery, UpdateQuery};
pub use self::dpf::LayeredKey;
pub use self::helper::Helper;
pub use self::layers::NODE_ROWS;
pub use self::plain::{Alpha, Both, Plain};
pub use self::primary::{Primary, Primary0, Primary1};
use zeroize::Zeroizing;

use crate::Word;
use crate::engine::step::World;
use crate::engine::{Lasting, Parameters, Protocol};
use crate::wire::{Kind, Message, Role};

/// The messages, and what their payloads are made of. For tests only: whoever can read a key from bytes can have it twice.
#[cfg(any(test, feature = "test-util"))]
pub mod message {
    pub use super::connect::{Hello, HelloShape, ROW_WORDS, ROWS};
    pub use super::load::{Alpha, Beta};
    pub use super::preprocessing::BatchShape;
    pub use super::preprocessing::dealing::Deal;
    pub use super::preprocessing::difference::Difference;
    pub use super::preprocessing::keys::HelperKeys;
    pub use super::preprocessing::layers::{FlagLayer, ValueLayer};
    pub use super::preprocessing::levels::{LevelOpening, LevelOperands};
    pub use super::preprocessing::start::{IndexOffset, OFFSET};
    pub use super::read::{Shift, Unblinding};
    pub use super::update::{Update, UpdateShape};
    pub use super::write::Write;
    pub use crate::engine::items::READ_ITEMS;
    pub use crate::engine::level::{CORRECTION_BIT, LevelOperand, OPENED_BIT, ROOT_BIT};
    pub use crate::engine::queries::{QueryShape, SHIFT};
}

/// The names of the steps.
pub mod step {
    pub use super::connect::CONNECT;
    pub use super::load::LOAD;
    pub use super::preprocessing::PREPROCESS;
    pub use super::read::READ;
    pub use super::update::UPDATE;
    pub use super::write::{SWAP, WRITE};
}

/// The party of a role, with two lanes. The 32 bytes seed all of its random choices and must never be used again.
pub fn lasting<C: Compute + 'static>(
    role: Role,
    parameters: Parameters,
    seed: [u8; 32],
    compute: C,
) -> Box<dyn Lasting> {
    match role {
        Role::P0 => Box::new(Primary0::lasting(parameters, seed, compute)),
        Role::P1 => Box::new(Primary1::lasting(parameters, seed, compute)),
        Role::P2 => Box::new(Helper::lasting(parameters, seed, compute)),
    }
}

/// The lean protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lean;

impl Protocol for Lean {
    const VERSION: u8 = 2;
    const ROWS: bool = true;
    const KINDS: &'static [Kind] = &[
        connect::Hello::KIND,
        load::Alpha::KIND,
        load::Beta::KIND,
        preprocessing::dealing::Deal::KIND,
        preprocessing::start::IndexOffset::KIND,
        preprocessing::levels::LevelOperands::KIND,
        preprocessing::levels::LevelOpening::KIND,
        preprocessing::layers::FlagLayer::KIND,
        preprocessing::layers::ValueLayer::KIND,
        preprocessing::keys::HelperKeys::KIND,
        preprocessing::difference::Difference::KIND,
        read::Shift::KIND,
        read::Unblinding::KIND,
        update::Update::KIND,
        write::Write::KIND,
    ];

    /// Their XOR is the word.
    fn share(word: Word, random: Word) -> [Word; 2] {
        [random, word ^ random]
    }

    fn open([share_0, share_1]: [Word; 2]) -> Word {
        share_0 ^ share_1
    }
}

/// What every party of this protocol has beside the core.
trait LeanWorld: World {
    fn pairs_mut(&mut self) -> &mut pairs::Pairs;
}

/// A word of the memory, a share or a mask of one: with rows, w words. In a place of its own, so that a move leaves nothing behind.
type Row = Zeroizing<Vec<Word>>;

/// Adds, which is XOR, word by word.
fn add(words: &mut [Word], change: &[Word]) {
    words.iter_mut().zip(change).for_each(|(word, c)| *word ^= c);
}

/// The row of a number among rows.
fn row(rows: &[Word], row_words: usize, number: usize) -> Row {
    Zeroizing::new(rows[number * row_words..][..row_words].to_vec())
}

/// The sum of a row and others as long.
fn sum(first: &[Word], others: &[&[Word]]) -> Row {
    let mut sum = Zeroizing::new(first.to_vec());
    for other in others {
        add(&mut sum, other);
    }
    sum
}

/// `a = ceil(h / 8)`, the bytes of an address.
const fn address_bytes(log_size: u32) -> usize {
    log_size.div_ceil(8) as usize
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
