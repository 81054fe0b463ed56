//! The two-party protocol (`[duoram, section 5]`): P0 and P1 without a helper, additive shares as in the paper's protocol.
//! `PROTOCOL.md`, part two parties, fixes every byte and has every formula.
//!
//! A READ gets a word of the other party's share by private information retrieval from a masked table; an UPDATE uses a DPF that
//! both made. What a dealer was for comes from oblivious transfer.
//!
//! A file a step, or for preprocessing a folder: the messages of the step, with how they are written and read, and the
//! states that await them. Both parties take the same steps.
//!
//! | file | step | messages |
//! |---|---|---|
//! | `connect` | agreeing on K, base OTs, keys of the PIR | hello, base choices, pir keys |
//! | `load` | taking a share of a memory | |
//! | `preprocessing` | making queries and DPFs | ot columns, queries; level operands, level opening; sums |
//! | `read` | READ | shifts, answers |
//! | `update` | UPDATE | updates |
//! | `write` | WRITE and SWAP | those of READ, and of UPDATE |
//!
//! What is computed locally is behind [`Compute`] and [`Pir`].
//!
//! ```
//! use duoram_reference::two_party::local::{LocalSession, share};
//! use duoram_reference::two_party::{Plain, PlainPir};
//! use duoram_reference::{Batch, Parameters, SessionId};
//!
//! # fn main() -> Result<(), duoram_reference::Error> {
//! let parameters = Parameters::new(SessionId(*b"an example, once"), 3)?;
//! let mut session = LocalSession::new(parameters, [[1; 32], [2; 32]], Plain, PlainPir)?;
//! session.connect()?;
//! session.preprocess(Batch { reads: 3, updates: 2 })?;
//!
//! // Puts 6 at address 5, of which P0 knows one share and P1 the other, and then 7, with the old word as the result.
//! session.write(share(5, 2718), share(6, 3141))?;
//! let [old_0, old_1] = session.swap(share(5, 1618), share(7, 5772))?;
//! assert_eq!(old_0[0].wrapping_add(old_1[0]), 6);
//!
//! let [address_0, address_1] = share(5, 1414);
//! let [read_0, read_1] = session.read([&[address_0], &[address_1]])?;
//! assert_eq!(read_0[0].wrapping_add(read_1[0]), 7);
//! # Ok(())
//! # }
//! ```

mod channels;
pub mod compute;
mod connect;
pub mod dpf;
mod items;
mod load;
pub mod local;
mod masks;
pub mod ot;
pub mod pir;
mod plain;
mod preprocessing;
mod primary;
mod read;
mod triples;
mod update;
mod write;

pub use self::compute::{Compute, UpdateQuery};
pub use self::dpf::{ChildSums, Correction, DpfKey, LeafSums};
pub use self::pir::{Pir, PlainPir, Table};
pub use self::plain::{Memory, Plain};
pub use self::primary::Primary;
use crate::Word;
use crate::engine::Protocol;
use crate::wire::codec::Reader;
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// The messages, and what their payloads are made of. For tests only.
#[cfg(any(test, feature = "test-util"))]
pub mod message {
    pub use super::StringsShape;
    pub use super::connect::{BaseChoices, Hello, LOG_SIZE, POINT, PirKeys};
    pub use super::preprocessing::columns::OtColumns;
    pub use super::preprocessing::levels::{LevelOpening, LevelOperands};
    pub use super::preprocessing::queries::Queries;
    pub use super::preprocessing::sums::{SUM_BIT, Sums};
    pub use super::read::{Answers, Shifts};
    pub use super::update::{UpdateOpening, Updates};
    pub use crate::engine::items::READ_ITEMS;
    pub use crate::engine::level::{LevelOperand, OPENED_BIT};
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

/// The two-party protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoParty;

impl Protocol for TwoParty {
    const VERSION: u8 = 3;
    const KINDS: &'static [Kind] = &[
        connect::Hello::KIND,
        connect::BaseChoices::KIND,
        connect::PirKeys::KIND,
        preprocessing::columns::OtColumns::KIND,
        preprocessing::queries::Queries::KIND,
        preprocessing::levels::LevelOperands::KIND,
        preprocessing::levels::LevelOpening::KIND,
        preprocessing::sums::Sums::KIND,
        read::Shifts::KIND,
        read::Answers::KIND,
        update::Updates::KIND,
    ];
    const ROLES: &'static [Role] = &[Role::P0, Role::P1];

    /// They add up to the word (`[duoram, section 2.2]`).
    fn share(word: Word, random: Word) -> [Word; 2] {
        [random, word.wrapping_sub(random)]
    }

    fn open([share_0, share_1]: [Word; 2]) -> Word {
        share_0.wrapping_add(share_1)
    }
}

/// What a message of the PIR is known by: so many strings of so many bytes each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StringsShape {
    /// The number of strings.
    pub count: usize,
    /// The bytes of each.
    pub bytes: usize,
}

impl StringsShape {
    fn length(self) -> Length {
        Length::of_bytes(self.bytes).times(self.count)
    }

    fn read(self, reader: &mut Reader<'_>) -> Vec<Vec<u8>> {
        (0..self.count).map(|_| reader.bytes(self.bytes).to_vec()).collect()
    }
}

/// Whether the PIR takes each of the strings of a message.
fn check_each(
    kind: Kind,
    from: Role,
    strings: &[Vec<u8>],
    check: impl Fn(&[u8]) -> Result<(), &'static str>,
) -> Result<(), Misbehaviour> {
    for (number, string) in strings.iter().enumerate() {
        let refuse = |rule| Misbehaviour::Invalid { from, kind, rule, at: vec![("query", number)] };
        check(string).map_err(refuse)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
