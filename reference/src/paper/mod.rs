//! The paper's protocol (`[duoram]`), with the errata applied; `PROTOCOL.md` fixes every byte.
//!
//! A file a step, or for preprocessing a folder: the messages of the step, with how they are written and read, and the
//! states that await them, at the primaries and at the helper.
//!
//! | file | step | messages |
//! |---|---|---|
//! | `connect` | agreeing on K | hello |
//! | `load` | blinding a memory | blinded, blind |
//! | `preprocessing` | App. A, C, D | triples; level operands, level opening; conversion operands, conversion opening; helper keys |
//! | `read` | Protocol 1, online | shift, unblinding |
//! | `update` | Protocol 2, online | update, helper update |
//!
//! A new message is a type in its step's file that implements [`Message`], a line in [`Paper`]'s list, and a [`State`] that
//! awaits it. [`Primary`] and [`Helper`] hold what lasts from step to step, and begin steps. What is computed locally is
//! behind [`Compute`].
//!
//! [`State`]: crate::engine

pub mod compute;
mod connect;
pub mod dpf;
mod helper;
mod items;
mod load;
pub mod local;
mod plain;
mod preprocessing;
mod primary;
mod read;
mod update;

pub use self::compute::{Compute, HelperReadQuery, HelperUpdateQuery, ReadQuery, UpdateQuery};
pub use self::dpf::{ChildSums, Correction, DpfShare, LeafSums};
pub use self::helper::Helper;
pub use self::plain::{HelperMemory, Plain, PrimaryMemory};
pub use self::primary::Primary;
use crate::Word;
use crate::engine::queries::QueryShape;
use crate::engine::step::Core;
use crate::engine::{Lasting, Parameters, Protocol};
use crate::wire::{Kind, Message, Role};

/// The messages, and what their payloads are made of. For tests only: whoever can read a key from bytes can have it twice.
#[cfg(any(test, feature = "test-util"))]
pub mod message {
    pub use super::connect::{Hello, LOG_SIZE};
    pub use super::load::{Blind, Blinded};
    pub use super::preprocessing::TreeShape;
    pub use super::preprocessing::conversion::{
        ConversionOpening, ConversionOperand, ConversionOperands, ConversionShape,
    };
    pub use super::preprocessing::keys::HelperKeys;
    pub use super::preprocessing::levels::{LevelOpening, LevelOperands};
    pub use super::preprocessing::triples::{ProductTriple, Triples};
    pub use super::read::{Shift, Unblinding};
    pub use super::update::{HelperUpdate, HelperUpdateOpening, Update, UpdateOpening};
    pub use crate::engine::items::READ_ITEMS;
    pub use crate::engine::level::{AndTriple, CORRECTION_BIT, LevelOperand, OPENED_BIT, ROOT_BIT};
    pub use crate::engine::queries::{QueryShape, SHIFT};
}

/// The names of the steps.
pub mod step {
    pub use super::connect::CONNECT;
    pub use super::load::LOAD;
    pub use super::preprocessing::PREPROCESS;
    pub use super::read::READ;
    pub use super::update::UPDATE;
}

/// The party of a role, with two lanes. The 32 bytes seed all of its random choices and must never be used again.
pub fn lasting<C: Compute + 'static>(
    role: Role,
    parameters: Parameters,
    seed: [u8; 32],
    compute: C,
) -> Box<dyn Lasting> {
    let core = Core::lasting::<Paper>(role, parameters, seed);
    match role {
        Role::P0 => Box::new(Primary::facing(Role::P1, core, compute)),
        Role::P1 => Box::new(Primary::facing(Role::P0, core, compute)),
        Role::P2 => Box::new(Helper::lasting(parameters, seed, compute)),
    }
}

/// The paper's protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paper;

impl Protocol for Paper {
    const VERSION: u8 = 1;
    const KINDS: &'static [Kind] = &[
        connect::Hello::KIND,
        load::Blinded::KIND,
        load::Blind::KIND,
        preprocessing::triples::Triples::KIND,
        preprocessing::levels::LevelOperands::KIND,
        preprocessing::levels::LevelOpening::KIND,
        preprocessing::conversion::ConversionOperands::KIND,
        preprocessing::conversion::ConversionOpening::KIND,
        preprocessing::keys::HelperKeys::KIND,
        read::Shift::KIND,
        read::Unblinding::KIND,
        update::Update::KIND,
        update::HelperUpdate::KIND,
    ];

    /// They add up to the word (`[duoram, section 2.2]`).
    fn share(word: Word, random: Word) -> [Word; 2] {
        [random, word.wrapping_sub(random)]
    }

    fn open([share_0, share_1]: [Word; 2]) -> Word {
        share_0.wrapping_add(share_1)
    }
}

/// `S` for each query (`[duoram, Protocol 1, line 6]`, Protocol 2, line 7).
fn shifts<'a>(
    parameters: &'a Parameters,
    shares_0: impl Iterator<Item = Word> + 'a,
    shares_1: impl Iterator<Item = Word> + 'a,
) -> impl Iterator<Item = u64> + 'a {
    shares_0.zip(shares_1).map(|(share_0, share_1)| parameters.reduce(share_0.wrapping_add(share_1)))
}

#[cfg(test)]
mod tests;
