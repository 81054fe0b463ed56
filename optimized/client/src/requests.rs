//! Requests by verb: their words are counted and cut here, and nothing is known of what they mean.

use std::sync::Arc;

use duoram_link::{MAX_QUERIES, WorkKind};
use duoram_reference::Word;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::Error;
use crate::link::{Caller, Shared};
use crate::outbox::Outbox;
use crate::work::Work;

/// The queries of one request, of as many as are asked for together: few enough that the parties have items for them in any case, and
/// that rows of any length have room in one; they join what waits into one step anyway.
const QUERIES: usize = 64;

type Answer = oneshot::Receiver<Result<Vec<Word>, Error>>;

/// Somebody who asks N parties, each on a link of its own, for as long as this or a clone of it is there.
#[derive(Clone)]
pub(crate) struct Requests<const N: usize> {
    shared: Arc<Shared<N>>,
    _links: Arc<JoinSet<()>>,
}

impl<const N: usize> Requests<N> {
    /// Calls the parties, within a tokio runtime, and waits until all are there; the number that none of them has had a request of
    /// yet. No request has a number before [`Outbox::begin`].
    pub(crate) async fn open(outbox: Outbox<N>, callers: [Caller; N]) -> Result<(Self, u64), Error> {
        let shared = Arc::new(Shared::new(outbox));
        let mut links = JoinSet::new();
        for (place, caller) in callers.into_iter().enumerate() {
            let shared = Arc::clone(&shared);
            links.spawn(async move { shared.keep(place, caller).await });
        }
        let next = loop {
            let turned = shared.turned.notified();
            let (failed, next) = {
                let outbox = shared.outbox();
                (outbox.failed().cloned(), outbox.expected_next())
            };
            match (failed, next) {
                (Some(error), _) => return Err(error),
                (None, Some(next)) => break next,
                (None, None) => turned.await,
            }
        };
        Ok((Self { shared, _links: Arc::new(links) }, next))
    }

    /// Looks at the outbox, or changes it; whoever waits for that is woken.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Outbox<N>) -> T) -> T {
        let done = act(&mut self.shared.outbox());
        self.shared.wake();
        done
    }

    /// What the parties have at an address: a word, or a row of so many.
    pub(crate) fn row_words(&self) -> usize {
        self.shared.outbox().introduction(0).map_or(1, |party| party.row_words.into())
    }

    /// That so many words are at an address.
    pub(crate) fn check_row(&self, got: usize) -> Result<(), Error> {
        let expected = self.row_words();
        if got == expected { Ok(()) } else { Err(Error::Row { expected, got }) }
    }

    /// The words at some addresses, one row behind the other.
    pub(crate) async fn read_all(&self, addresses: &[Word]) -> Result<Vec<Word>, Error> {
        let requests = addresses.chunks(QUERIES).map(|some| (some.len(), some.to_vec()));
        self.ask_all(WorkKind::Read, requests).await
    }

    /// Rows by their addresses.
    pub(crate) async fn read_rows(&self, addresses: &[Word]) -> Result<Vec<Vec<Word>>, Error> {
        let row_words = self.row_words();
        Ok(self.read_all(addresses).await?.chunks(row_words).map(<[Word]>::to_vec).collect())
    }

    /// Addresses, and a row for each.
    pub(crate) async fn update_rows<R: AsRef<[Word]>>(&self, updates: &[(Word, R)]) -> Result<(), Error> {
        updates.iter().try_for_each(|(_, row)| self.check_row(row.as_ref().len()))?;
        let flat =
            |some: &[(Word, R)]| some.iter().flat_map(|(address, row)| put(*address, row.as_ref())).collect();
        let requests = updates.chunks(QUERIES).map(|some| (some.len(), flat(some)));
        self.ask_all(WorkKind::Update, requests).await.map(drop)
    }

    pub(crate) async fn write_row(&self, address: Word, row: &[Word]) -> Result<(), Error> {
        self.check_row(row.len())?;
        answer(self.ask(WorkKind::Write, 1, put(address, row))?).await.map(drop)
    }

    pub(crate) async fn swap_row(&self, address: Word, row: &[Word]) -> Result<Vec<Word>, Error> {
        self.check_row(row.len())?;
        answer(self.ask(WorkKind::Swap, 1, put(address, row))?).await
    }

    pub(crate) async fn chase_row(&self, address: Word, steps: u64) -> Result<Vec<Word>, Error> {
        if !(1..=MAX_QUERIES).contains(&steps) {
            return Err(Error::Steps { most: MAX_QUERIES, got: steps });
        }
        answer(self.ask(WorkKind::Chase, steps, vec![address])?).await
    }

    /// All words of the memory.
    pub(crate) async fn load(&self, words: Vec<Word>) -> Result<(), Error> {
        answer(self.ask(WorkKind::Load, words.len() as u64, words)?).await.map(drop)
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
        self.with(|outbox| {
            if let Some(party) = outbox.refusing(kind) {
                return Err(Error::NotAllowed { party, kind });
            }
            outbox.ask(work, waiter);
            Ok(answer)
        })
    }
}

/// An address and the row that is put in there, as requests have them.
fn put(address: Word, row: &[Word]) -> Vec<Word> {
    [&[address], row].concat()
}

async fn answer(answer: Answer) -> Result<Vec<Word>, Error> {
    answer.await.unwrap_or(Err(Error::Closed))
}

/// The one of an answer, of which the outbox has seen that it has one.
pub(crate) fn only<T>(all: Result<Vec<T>, Error>) -> Result<T, Error> {
    all?.into_iter().next().ok_or(Error::Closed)
}
