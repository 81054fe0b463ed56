//! The memory as its owner sees it.

use std::sync::Arc;

use duoram_link::Identity;
use duoram_reference::{Role, Word};

use crate::Error;
use crate::link::{self, Caller, dialer};
use crate::outbox::Outbox;
use crate::requests::{Requests, only};
use crate::settings::Config;

/// What each party says of itself, in JSON, or why it says nothing; in order of role.
pub type Statuses = Vec<(Role, Result<String, Error>)>;

/// An oblivious memory on two or three hosts.
///
/// It can be cloned and used from many tasks at once; what they ask for is done in some order, each request once. A call waits until P0
/// and P1 have answered, however often links break in between; dropping the call does not undo it. With the last clone its links
/// end.
#[derive(Clone)]
pub struct Memory {
    config: Arc<Config>,
    identity: Identity,
    requests: Requests<2>,
}

impl Memory {
    /// Opens a memory, within a tokio runtime: waits until P0 and P1 are both there. Whatever a process of the same name has asked for
    /// before, and has not got, is withdrawn if it was not done.
    ///
    /// # Errors
    ///
    /// [`Error::Identity`]; [`Error::Link`] with a wrong key on either side; [`Error::Differs`].
    pub async fn open(config: &Config) -> Result<Self, Error> {
        let identity = Identity::read(&config.key)?;
        let caller = |(role, party)| Ok::<_, Error>(Caller::Host(role, dialer(&identity, role, party)?));
        let [p0, p1] = config.primaries();
        let callers = [caller(p0)?, caller(p1)?];
        let (requests, next) = Requests::open(Outbox::of_words(config), callers).await?;
        requests.with(|outbox| outbox.begin(next));
        Ok(Self { config: Arc::new(config.clone()), identity, requests })
    }

    /// The addresses of the memory: its words, or its rows.
    #[allow(clippy::len_without_is_empty, reason = "there are no memories without words")]
    pub fn len(&self) -> u64 {
        self.config.addresses()
    }

    /// The words at an address: 1 or, where it holds a row, so many. With more than one, words are read and put in by the calls for rows
    /// only, and the others return [`Error::Row`].
    pub fn row_words(&self) -> usize {
        self.config.row_words
    }

    /// The word at an address.
    ///
    /// # Errors
    ///
    /// [`Error::Address`], [`Error::Row`], [`Error::NotAllowed`], [`Error::Refused`]; and whatever ends a memory, such as
    /// [`Error::Superseded`].
    pub async fn read(&self, address: Word) -> Result<Word, Error> {
        only(self.read_all(&[address]).await)
    }

    /// The words at some addresses, which may be the same.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn read_all(&self, addresses: &[Word]) -> Result<Vec<Word>, Error> {
        addresses.iter().try_for_each(|address| self.check(*address))?;
        self.requests.check_row(1)?;
        self.requests.read_all(addresses).await
    }

    /// The rows at some addresses, which may be the same.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn read_rows(&self, addresses: &[Word]) -> Result<Vec<Vec<Word>>, Error> {
        addresses.iter().try_for_each(|address| self.check(*address))?;
        self.requests.read_rows(addresses).await
    }

    /// Adds to the word at an address, in the sense of the protocol: mod 2^64 in the paper's, XOR in the lean one.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn update(&self, address: Word, delta: Word) -> Result<(), Error> {
        self.update_all(&[(address, delta)]).await
    }

    /// Adds to the words at some addresses, which may be the same. If it fails, some may have been added to: 64 at a time are one
    /// request.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn update_all(&self, updates: &[(Word, Word)]) -> Result<(), Error> {
        let updates: Vec<_> = updates.iter().map(|(address, delta)| (*address, [*delta])).collect();
        self.update_rows(&updates).await
    }

    /// Adds to the rows at some addresses, word by word, as [`Self::update_all`] does.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn update_rows<R: AsRef<[Word]>>(&self, updates: &[(Word, R)]) -> Result<(), Error> {
        updates.iter().try_for_each(|(address, _)| self.check(*address))?;
        self.requests.update_rows(updates).await
    }

    /// Sets the word at an address.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn write(&self, address: Word, value: Word) -> Result<(), Error> {
        self.write_row(address, &[value]).await
    }

    /// Sets the row at an address.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn write_row(&self, address: Word, row: &[Word]) -> Result<(), Error> {
        self.check(address)?;
        self.requests.write_row(address, row).await
    }

    /// Sets the word at an address, and opens what it was.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn swap(&self, address: Word, value: Word) -> Result<Word, Error> {
        only(self.swap_row(address, &[value]).await)
    }

    /// Sets the row at an address, and opens what it was.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn swap_row(&self, address: Word, row: &[Word]) -> Result<Vec<Word>, Error> {
        self.check(address)?;
        self.requests.swap_row(address, row).await
    }

    /// Reads at an address, then at the word that was read there (mod the size of the memory), and so on, `steps` times; opens the last
    /// word, and nothing in between.
    ///
    /// # Errors
    ///
    /// [`Error::Steps`]; and as [`Self::read`].
    pub async fn chase(&self, address: Word, steps: u64) -> Result<Word, Error> {
        self.requests.check_row(1)?;
        only(self.chase_row(address, steps).await)
    }

    /// The same over rows, of each of which the first word is the next address; opens the last row.
    ///
    /// # Errors
    ///
    /// As [`Self::chase`].
    pub async fn chase_row(&self, address: Word, steps: u64) -> Result<Vec<Word>, Error> {
        self.check(address)?;
        self.requests.chase_row(address, steps).await
    }

    /// Loads the whole memory, rows one behind the other; words that are not given are 0.
    ///
    /// # Errors
    ///
    /// [`Error::Words`]; and as [`Self::read`].
    pub async fn load(&self, words: impl IntoIterator<Item = Word>) -> Result<(), Error> {
        let size = self.len() * self.row_words() as u64;
        let too_many = Error::Words { size };
        let length = usize::try_from(size).map_err(|_| too_many.clone())?;
        let mut words = words.into_iter();
        let mut memory = Vec::with_capacity(length);
        memory.extend(words.by_ref().take(length));
        if words.next().is_some() {
            return Err(too_many);
        }
        memory.resize(length, 0);
        self.requests.load(memory).await
    }

    /// What each party says of itself. Each is asked on a link of its own, and P0 and P1 end this memory's present one for that;
    /// it is made again, and requests under way go on.
    pub async fn status(&self) -> Statuses {
        statuses(&self.config, &self.identity).await
    }

    fn check(&self, address: Word) -> Result<(), Error> {
        let size = self.len();
        if address < size { Ok(()) } else { Err(Error::Address { size, got: address }) }
    }
}

/// All at the same time; nothing of a role that takes no part.
async fn statuses(config: &Config, identity: &Identity) -> Statuses {
    let ask = async |role| Some((role, link::status(config, identity, role, config.party(role)?).await));
    let (p0, p1, p2) = tokio::join!(ask(Role::P0), ask(Role::P1), ask(Role::P2));
    [p0, p1, p2].into_iter().flatten().collect()
}

/// What each party says of itself; also if some of them are not there. A memory that is open under the same name has to make its
/// links again.
///
/// # Errors
///
/// [`Error::Identity`].
pub async fn status(config: &Config) -> Result<Statuses, Error> {
    let identity = Identity::read(&config.key)?;
    Ok(statuses(config, &identity).await)
}
