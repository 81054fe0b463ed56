//! The memory as a program sees it that is itself multi-party: its processes beside P0 and P1 hold shares, and get shares.

use std::path::Path;

use duoram_link::Introduction;
use duoram_reference::{Role, Word};

use crate::Error;
use crate::link::Caller;
use crate::outbox::Outbox;
use crate::requests::{Requests, only};

/// How long a request may wait for its turn, in milliseconds.
const DEADLINE_MS: u32 = 30_000;

/// One half of an oblivious memory: asked with shares, over the Unix socket of a party on the same host (the section `local` of its settings),
/// for shares of the results. The half at the other primary is asked for the same things in the same order, each with its own shares.
///
/// How words and addresses are shared is the protocol's: added mod 2^64 in the paper's, XORed in the lean one. A request is done when both
/// halves have asked for it, and once; so a program whose halves may end apart from each other has to agree on where to go on:
///
/// 1. both halves open, and tell each other their [`Shares::next`];
/// 2. both [begin](Shares::begin) with the greater one. What either has asked for before that, and the other has not, is withdrawn.
///
/// It can be cloned; but the order of requests is the order of calls, and must be the same at both.
#[derive(Clone)]
pub struct Shares {
    introduction: Introduction,
    next: u64,
    requests: Requests<1>,
}

impl Shares {
    /// Calls a party, within a tokio runtime, and waits until it is there. Requests wait until [`Shares::begin`].
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] if the party goes before it has said who it is.
    pub async fn open(socket: &Path) -> Result<Self, Error> {
        let callers = [Caller::Socket(socket.to_owned())];
        let (requests, next) = Requests::open(Outbox::of_shares(DEADLINE_MS), callers).await?;
        let introduction = requests.with(|outbox| outbox.introduction(0).copied()).ok_or(Error::Closed)?;
        Ok(Self { introduction, next, requests })
    }

    /// Which primary this is.
    pub const fn role(&self) -> Role {
        self.introduction.role
    }

    /// The addresses of the memory: its words, or its rows.
    #[allow(clippy::len_without_is_empty, reason = "there are no memories without words")]
    pub const fn len(&self) -> u64 {
        self.introduction.rows
    }

    /// The words at an address, as [`crate::Memory::row_words`].
    pub fn row_words(&self) -> usize {
        self.introduction.row_words.into()
    }

    /// The number of the first request that this party has not had.
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// Requests have numbers from `first` on: the greater one of both halves' [`Shares::next`]. Only the first call says anything.
    pub fn begin(&self, first: u64) {
        self.requests.with(|outbox| outbox.begin(first));
    }

    /// Shares of the words at addresses, of which these are the shares.
    ///
    /// # Errors
    ///
    /// [`Error::Row`], [`Error::NotAllowed`], [`Error::Refused`]; and whatever ends it, such as [`Error::Superseded`].
    pub async fn read_all(&self, addresses: &[Word]) -> Result<Vec<Word>, Error> {
        self.requests.check_row(1)?;
        self.requests.read_all(addresses).await
    }

    /// Shares of the rows at addresses, of which these are the shares.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn read_rows(&self, addresses: &[Word]) -> Result<Vec<Vec<Word>>, Error> {
        self.requests.read_rows(addresses).await
    }

    /// Adds to words, from shares of the addresses and of what is added.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn update_all(&self, updates: &[(Word, Word)]) -> Result<(), Error> {
        let updates: Vec<_> = updates.iter().map(|(address, delta)| (*address, [*delta])).collect();
        self.update_rows(&updates).await
    }

    /// Adds to rows, from shares of the addresses and of what is added.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn update_rows<R: AsRef<[Word]>>(&self, updates: &[(Word, R)]) -> Result<(), Error> {
        self.requests.update_rows(updates).await
    }

    /// Sets a word, from shares of its address and of the new word.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn write(&self, address: Word, value: Word) -> Result<(), Error> {
        self.write_row(address, &[value]).await
    }

    /// Sets a row, from shares of its address and of the new row.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn write_row(&self, address: Word, row: &[Word]) -> Result<(), Error> {
        self.requests.write_row(address, row).await
    }

    /// Sets a word, from shares of its address and of the new word; a share of what it was.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn swap(&self, address: Word, value: Word) -> Result<Word, Error> {
        only(self.swap_row(address, &[value]).await)
    }

    /// Sets a row, from shares of its address and of the new row; a share of what it was.
    ///
    /// # Errors
    ///
    /// As [`Self::read_all`].
    pub async fn swap_row(&self, address: Word, row: &[Word]) -> Result<Vec<Word>, Error> {
        self.requests.swap_row(address, row).await
    }

    /// Reads at an address, then at the word that was read there, and so on, `steps` times; a share of the last word.
    ///
    /// # Errors
    ///
    /// [`Error::Steps`]; and as [`Self::read_all`].
    pub async fn chase(&self, address: Word, steps: u64) -> Result<Word, Error> {
        self.requests.check_row(1)?;
        only(self.chase_row(address, steps).await)
    }

    /// The same over rows, of each of which the first word is the next address; a share of the last row.
    ///
    /// # Errors
    ///
    /// As [`Self::chase`].
    pub async fn chase_row(&self, address: Word, steps: u64) -> Result<Vec<Word>, Error> {
        self.requests.chase_row(address, steps).await
    }

    /// Loads the whole memory, from shares of all its words, rows one behind the other.
    ///
    /// # Errors
    ///
    /// [`Error::Shares`]; and as [`Self::read_all`].
    pub async fn load(&self, memory_share: Vec<Word>) -> Result<(), Error> {
        let (expected, got) = (self.len() * self.row_words() as u64, memory_share.len() as u64);
        if got != expected {
            return Err(Error::Shares { expected, got });
        }
        self.requests.load(memory_share).await
    }
}
