//! The memory as its owner sees it.

use std::sync::Arc;

use duoram_link::{Identity, MAX_QUERIES, WorkKind};
use duoram_reference::{Role, Word};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::Error;
use crate::link::{self, Shared, dialer};
use crate::settings::Config;
use crate::work::Work;

/// The queries of one request, of as many as are asked for together: few enough that the parties have items for them in any case, and
/// they join what waits into one step anyway.
const QUERIES: usize = 64;

/// An oblivious memory on three hosts.
///
/// It can be cloned and used from many tasks at once; what they ask for is done in some order, each request once. A call waits until P0
/// and P1 have answered, however often links break in between; dropping the call does not undo it. With the last clone its links
/// end.
#[derive(Clone)]
pub struct Memory {
    config: Arc<Config>,
    identity: Identity,
    shared: Arc<Shared>,
    _links: Arc<JoinSet<()>>,
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
        let shared = Arc::new(Shared::new(config));
        let mut links = JoinSet::new();
        for party in [Role::P0, Role::P1] {
            let (shared, dialer) = (Arc::clone(&shared), dialer(config, &identity, party)?);
            links.spawn(async move { shared.keep(party, dialer).await });
        }
        loop {
            let turned = shared.turned.notified();
            let (failed, open) = {
                let outbox = shared.outbox();
                (outbox.failed().cloned(), outbox.is_open())
            };
            match failed {
                Some(error) => return Err(error),
                None if open => break,
                None => turned.await,
            }
        }
        Ok(Self { config: Arc::new(config.clone()), identity, shared, _links: Arc::new(links) })
    }

    /// The words of the memory.
    #[allow(clippy::len_without_is_empty, reason = "there are no memories without words")]
    pub fn len(&self) -> u64 {
        1 << self.config.log_size
    }

    /// The word at an address.
    ///
    /// # Errors
    ///
    /// [`Error::Address`], [`Error::NotAllowed`], [`Error::Refused`]; and whatever ends a memory, such as [`Error::Superseded`].
    pub async fn read(&self, address: Word) -> Result<Word, Error> {
        let words = self.read_all(&[address]).await?;
        words.first().copied().ok_or(Error::Closed)
    }

    /// The words at some addresses, which may be the same.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn read_all(&self, addresses: &[Word]) -> Result<Vec<Word>, Error> {
        addresses.iter().try_for_each(|address| self.check(*address))?;
        let requests = addresses.chunks(QUERIES).map(|some| (some.len(), some.to_vec()));
        self.ask_all(WorkKind::Read, requests).await
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
        updates.iter().try_for_each(|(address, _)| self.check(*address))?;
        let flat =
            |some: &[(Word, Word)]| some.iter().flat_map(|(address, delta)| [*address, *delta]).collect();
        let requests = updates.chunks(QUERIES).map(|some| (some.len(), flat(some)));
        self.ask_all(WorkKind::Update, requests).await.map(drop)
    }

    /// Sets the word at an address.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn write(&self, address: Word, value: Word) -> Result<(), Error> {
        self.check(address)?;
        self.ask_all(WorkKind::Write, [(1, vec![address, value])]).await.map(drop)
    }

    /// Sets the word at an address, and opens what it was.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub async fn swap(&self, address: Word, value: Word) -> Result<Word, Error> {
        self.check(address)?;
        let words = self.ask_all(WorkKind::Swap, [(1, vec![address, value])]).await?;
        words.first().copied().ok_or(Error::Closed)
    }

    /// Reads at an address, then at the word that was read there (mod the size of the memory), and so on, `steps` times; opens the last
    /// word, and nothing in between.
    ///
    /// # Errors
    ///
    /// [`Error::Steps`]; and as [`Self::read`].
    pub async fn chase(&self, address: Word, steps: u64) -> Result<Word, Error> {
        self.check(address)?;
        if !(1..=MAX_QUERIES).contains(&steps) {
            return Err(Error::Steps { most: MAX_QUERIES, got: steps });
        }
        let words = self.ask(WorkKind::Chase, steps, vec![address])?;
        answer(words).await?.first().copied().ok_or(Error::Closed)
    }

    /// Loads the whole memory; words that are not given are 0.
    ///
    /// # Errors
    ///
    /// [`Error::Words`]; and as [`Self::read`].
    pub async fn load(&self, words: impl IntoIterator<Item = Word>) -> Result<(), Error> {
        let (size, too_many) = (self.len(), Error::Words { size: self.len() });
        let length = usize::try_from(size).map_err(|_| too_many.clone())?;
        let mut words = words.into_iter();
        let mut memory = Vec::with_capacity(length);
        memory.extend(words.by_ref().take(length));
        if words.next().is_some() {
            return Err(too_many);
        }
        memory.resize(length, 0);
        answer(self.ask(WorkKind::Load, size, memory)?).await.map(drop)
    }

    /// What each party says of itself, in JSON. Each is asked on a link of its own, and P0 and P1 end this memory's present one for that;
    /// it is made again, and requests under way go on.
    pub async fn status(&self) -> [Result<String, Error>; 3] {
        statuses(&self.config, &self.identity).await
    }

    fn check(&self, address: Word) -> Result<(), Error> {
        let size = self.len();
        if address < size { Ok(()) } else { Err(Error::Address { size, got: address }) }
    }

    /// Asks for some things at the same time. Their results, in order.
    async fn ask_all(
        &self,
        kind: WorkKind,
        requests: impl IntoIterator<Item = (usize, Vec<Word>)>,
    ) -> Result<Vec<Word>, Error> {
        let asked = requests.into_iter().map(|(count, words)| self.ask(kind, count as u64, words));
        let asked: Vec<_> = asked.collect::<Result<_, _>>()?;
        let mut results = Vec::new();
        for waits in asked {
            results.extend(answer(waits).await?);
        }
        Ok(results)
    }

    fn ask(&self, kind: WorkKind, count: u64, words: Vec<Word>) -> Result<Answer, Error> {
        let work = Work::new(kind, count, words)?;
        let (waiter, answer) = oneshot::channel();
        let mut outbox = self.shared.outbox();
        for party in [Role::P0, Role::P1] {
            if outbox.welcome(party.index()).is_some_and(|welcome| !welcome.rights.allow(kind)) {
                return Err(Error::NotAllowed { party, client: outbox.name().clone(), kind });
            }
        }
        outbox.ask(work, waiter);
        drop(outbox);
        self.shared.wake();
        Ok(answer)
    }
}

type Answer = oneshot::Receiver<Result<Vec<Word>, Error>>;

async fn answer(answer: Answer) -> Result<Vec<Word>, Error> {
    answer.await.unwrap_or(Err(Error::Closed))
}

async fn statuses(config: &Config, identity: &Identity) -> [Result<String, Error>; 3] {
    let [p0, p1, p2] = Role::ALL.map(|party| link::status(config, identity, party));
    let (p0, p1, p2) = tokio::join!(p0, p1, p2);
    [p0, p1, p2]
}

/// What each party says of itself, in JSON; also if some of them are not there. A memory that is open under the same name has to make its
/// links again.
///
/// # Errors
///
/// [`Error::Identity`].
pub async fn status(config: &Config) -> Result<[Result<String, Error>; 3], Error> {
    let identity = Identity::read(&config.key)?;
    Ok(statuses(config, &identity).await)
}
