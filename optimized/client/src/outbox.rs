//! What a client has asked for and has not got: numbers, shares, and what the N parties have said so far that it asks: P0 and P1 or,
//! if it holds shares itself, one of them.
//!
//! No input or output, and no clock: what a party says goes in ([`Outbox::heard`]), and what is to be said comes out
//! ([`Outbox::next`]). A request is done once, however often links break: it is said again, the same bytes under the same number, on each
//! new link to a party that has not said that it is on its disk; and an answer is acknowledged as often as it comes.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use duoram_link::{Answer, Introduction, Outcome, Reason, ToClient, ToParty, VERSION, Welcome, WorkKind};
use duoram_reference::{Role, Word};
use tokio::sync::oneshot;

use crate::Error;
use crate::settings::Config;
use crate::work::{Sharing, Work};

/// The requests that have a number and no answer, at the most: what parties allow if their settings do not say otherwise. One that
/// allows fewer says that it is busy.
const WINDOW: usize = 64;

/// How long a party that is busy is left alone at least.
const LEAST_PAUSE: Duration = Duration::from_millis(20);

/// Who is told what came out.
pub(crate) type Waiter = oneshot::Sender<Result<Vec<Word>, Error>>;

/// What is to be done for a link.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// This is to be said.
    Say(ToParty),
    /// Nothing, before something is asked or heard.
    Wait,
    /// Nothing, before that or this moment.
    WaitUntil(Instant),
}

/// A request under way.
struct Entry<const N: usize> {
    work: Work,
    waiter: Waiter,
    /// By party: all of it is on its disk.
    accepted: [bool; N],
    /// By party.
    outcome: [Option<Outcome>; N],
}

/// The link to a party.
#[derive(Default)]
struct Link {
    /// What the party said first; `None` while there is no link.
    welcome: Option<Welcome>,
    /// Whether it was told where this client begins.
    begun: bool,
    /// The request that is said next, and which piece of it.
    cursor: u64,
    piece: u32,
    /// Answers that have come.
    acknowledge: VecDeque<u64>,
    /// The party is busy until then.
    not_before: Option<Instant>,
}

/// See the module.
pub(crate) struct Outbox<const N: usize> {
    /// What each party is to say of itself; of one that was not known before, what it said first.
    expected: [Option<Introduction>; N],
    /// How long a request may wait for its turn, in milliseconds.
    deadline_ms: u32,
    sharing: Sharing<N>,
    /// The number of the next request, once it is known.
    next: Option<u64>,
    /// Asked for, without a number yet.
    waiting: VecDeque<(Work, Waiter)>,
    entries: BTreeMap<u64, Entry<N>>,
    links: [Link; N],
    /// Why there is no going on.
    failed: Option<Error>,
}

impl Outbox<2> {
    /// Of the owner of words: requests go to P0 and P1, and have numbers once both have said which they expect.
    pub(crate) fn of_words(config: &Config) -> Self {
        let expected = [Role::P0, Role::P1].map(|party| Some(introduction(config, party)));
        Self::new(expected, config.deadline_ms, Sharing::of(config.protocol))
    }
}

impl Outbox<1> {
    /// Of a holder of shares: requests go to one party, and have numbers once their holder says from which on.
    pub(crate) fn of_shares(deadline_ms: u32) -> Self {
        Self::new([None], deadline_ms, Sharing::NONE)
    }
}

impl<const N: usize> Outbox<N> {
    /// Of a process that knows nothing of what this client has asked before.
    fn new(expected: [Option<Introduction>; N], deadline_ms: u32, sharing: Sharing<N>) -> Self {
        Self {
            expected,
            deadline_ms,
            sharing,
            next: None,
            waiting: VecDeque::new(),
            entries: BTreeMap::new(),
            links: [(); N].map(|()| Link::default()),
            failed: None,
        }
    }

    /// Who the party at a place is, and of which memory; of one that was not known before, once it has said so.
    pub(crate) const fn introduction(&self, place: usize) -> Option<&Introduction> {
        self.expected[place].as_ref()
    }

    /// What a party said first on its present link.
    pub(crate) const fn welcome(&self, place: usize) -> Option<&Welcome> {
        self.links[place].welcome.as_ref()
    }

    /// The parties that do not allow this client a kind of request, as they said on their present links.
    pub(crate) fn refusing(&self, kind: WorkKind) -> Option<Role> {
        let welcomes = self.links.iter().filter_map(|link| link.welcome.as_ref());
        let mut refusing = welcomes.filter(|welcome| !welcome.rights.allow(kind));
        refusing.next().map(|welcome| welcome.introduction.role)
    }

    /// The number that no party of these has had a request of yet, if all have said which they expect next.
    pub(crate) fn expected_next(&self) -> Option<u64> {
        let next = self.links.iter().map(|link| link.welcome.map(|welcome| welcome.next));
        next.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// Requests have numbers from this one on, or from the one that has been said before.
    pub(crate) fn begin(&mut self, first: u64) {
        self.next.get_or_insert(first);
        self.number();
    }

    /// Why there is no going on, if so.
    pub(crate) const fn failed(&self) -> Option<&Error> {
        self.failed.as_ref()
    }

    /// Something is to be done.
    pub(crate) fn ask(&mut self, work: Work, waiter: Waiter) {
        if let Some(error) = &self.failed {
            let _ = waiter.send(Err(error.clone()));
            return;
        }
        self.waiting.push_back((work, waiter));
        self.number();
    }

    /// Gives numbers to what waits for them.
    fn number(&mut self) {
        let Some(next) = &mut self.next else { return };
        while self.entries.len() < WINDOW
            && let Some((work, waiter)) = self.waiting.pop_front()
        {
            let entry = Entry { work, waiter, accepted: [false; N], outcome: [const { None }; N] };
            self.entries.insert(*next, entry);
            *next += 1;
        }
    }

    /// A link is gone.
    pub(crate) fn down(&mut self, place: usize) {
        self.links[place] = Link::default();
    }

    /// There is no going on: whoever waits is told, and so is who asks.
    pub(crate) fn fail(&mut self, error: &Error) {
        let failed = self.failed.get_or_insert_with(|| error.clone());
        let waiting = self.waiting.drain(..).map(|(_, waiter)| waiter);
        let entries = std::mem::take(&mut self.entries).into_values().map(|entry| entry.waiter);
        for waiter in waiting.chain(entries) {
            let _ = waiter.send(Err(failed.clone()));
        }
    }

    /// What is to be said to a party now.
    pub(crate) fn next(&mut self, place: usize, now: Instant) -> Next {
        let link = &mut self.links[place];
        let (Some(_), Some(next)) = (link.welcome, self.next) else { return Next::Wait };
        if !link.begun {
            // What is below was answered, and its answer has come.
            let first = self.entries.first_key_value().map_or(next, |(first, _)| *first);
            (link.begun, link.cursor, link.piece) = (true, first, 0);
            return Next::Say(ToParty::Begin { first });
        }
        if let Some(number) = link.acknowledge.pop_front() {
            return Next::Say(ToParty::Acknowledge { number });
        }
        let unsaid = |entry: &Entry<N>| !entry.accepted[place] && entry.outcome[place].is_none();
        let unsaid = self.entries.range(link.cursor..).find(|(_, entry)| unsaid(entry));
        let Some((&number, entry)) = unsaid else { return Next::Wait };
        if let Some(moment) = link.not_before.filter(|moment| *moment > now) {
            return Next::WaitUntil(moment);
        }
        link.not_before = None;
        let piece = if number == link.cursor { link.piece } else { 0 };
        let last = u64::from(piece) + 1 == entry.work.pieces();
        (link.cursor, link.piece) = if last { (number + 1, 0) } else { (number, piece + 1) };
        let request = entry.work.piece(self.sharing, place, number, self.deadline_ms, piece);
        Next::Say(ToParty::Request(request))
    }

    /// A party has said something, other than its status. An error means that this link is of no more use, and if [`Self::failed`]
    /// says so, that the memory is not either.
    pub(crate) fn heard(&mut self, place: usize, message: ToClient, now: Instant) -> Result<(), String> {
        match message {
            ToClient::Welcome(welcome) => self.welcomed(place, welcome),
            ToClient::Accepted { number } => {
                if let Some(entry) = self.entries.get_mut(&number) {
                    entry.accepted[place] = true;
                    if entry.accepted == [true; N] {
                        entry.work.forget();
                    }
                }
                self.known(number)
            }
            ToClient::Answer(answer) => self.answered(place, answer, now),
            ToClient::Goodbye(reason) => Err(format!("the party hangs up: {reason}")),
            ToClient::Heartbeat | ToClient::StatusReport(_) => Ok(()),
        }
    }

    fn welcomed(&mut self, place: usize, welcome: Welcome) -> Result<(), String> {
        let party = welcome.introduction.role;
        let expected = self.expected[place].get_or_insert(welcome.introduction);
        if let Err(error) = check_welcome(expected, &welcome) {
            self.fail(&error);
            return Err(error.to_string());
        }
        if let Some(expected) = self.next.filter(|next| welcome.next > *next) {
            let error = Error::Superseded { party, expected, got: welcome.next };
            self.fail(&error);
            return Err(error.to_string());
        }
        self.links[place] = Link { welcome: Some(welcome), ..Link::default() };
        Ok(())
    }

    /// A number that was not given yet is a fault of the party's.
    fn known(&self, number: u64) -> Result<(), String> {
        match self.next {
            Some(next) if number < next => Ok(()),
            // What this process has not asked, another may have, before it.
            None => Ok(()),
            Some(next) => Err(format!("expected a number below {next}, got {number}")),
        }
    }

    fn answered(&mut self, place: usize, answer: Answer, now: Instant) -> Result<(), String> {
        let Answer { number, outcome } = answer;
        self.known(number)?;
        let row_words = self.expected[place].map_or(1, |party| party.row_words.into());
        let link = &mut self.links[place];
        let Some(entry) = self.entries.get_mut(&number) else {
            // It had come before, and the party does not know that.
            link.acknowledge.push_back(number);
            return Ok(());
        };
        match &outcome {
            // It has not taken the request, and expects it again, before all later ones.
            Outcome::Refused(refusal) if matches!(refusal.reason, Reason::Busy | Reason::Gap) => {
                if number < link.cursor || (number == link.cursor && link.piece > 0) {
                    (link.cursor, link.piece) = (number, 0);
                }
                let pause = Duration::from_millis(refusal.retry_after_ms.into()).max(LEAST_PAUSE);
                link.not_before = Some(now + pause);
                return Ok(());
            }
            Outcome::Done(shares) => {
                let Work { kind, count, .. } = entry.work;
                let (expected, got) = (kind.results(count, row_words), shares.len() as u64);
                if expected != got {
                    return Err(format!("expected {expected} words in answer {number}, got {got}"));
                }
            }
            Outcome::Refused(_) => {}
        }
        entry.outcome[place] = Some(outcome);
        if entry.outcome.iter().all(Option::is_some) {
            self.close(number);
        }
        Ok(())
    }

    /// All parties have answered.
    fn close(&mut self, number: u64) {
        let Some(entry) = self.entries.remove(&number) else { return };
        for link in &mut self.links {
            // A link that is down will bring the answer again.
            if link.welcome.is_some() {
                link.acknowledge.push_back(number);
            }
        }
        let outcomes: Vec<Outcome> = entry.outcome.into_iter().flatten().collect();
        let _ = entry.waiter.send(self.result(number, &outcomes));
        self.number();
    }

    /// What all outcomes of a request come to, which are in the order of the parties.
    fn result(&self, number: u64, outcomes: &[Outcome]) -> Result<Vec<Word>, Error> {
        let done = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Done(shares) => Some(shares.as_slice()),
            Outcome::Refused(_) => None,
        });
        let done: Vec<&[Word]> = done.collect();
        if let Ok(shares) = <[&[Word]; N]>::try_from(done.as_slice()) {
            return Ok(self.sharing.open(shares));
        }
        match outcomes.first() {
            // The reasons may differ: one says why, and the other that it was told so.
            Some(Outcome::Refused(refusal)) if done.is_empty() => Err(Error::Refused(refusal.clone())),
            _ => {
                let says = outcomes.iter().map(|outcome| match outcome {
                    Outcome::Done(_) => "done".to_owned(),
                    Outcome::Refused(refusal) => refusal.to_string(),
                });
                Err(Error::Disagree { number, says: says.collect() })
            }
        }
    }
}

/// What the settings say of a party.
pub(crate) fn introduction(config: &Config, party: Role) -> Introduction {
    Introduction {
        version: VERSION,
        protocol: config.protocol.version(),
        role: party,
        session: config.session,
        rows: config.addresses(),
        // At most 512.
        row_words: u16::try_from(config.row_words).unwrap_or(u16::MAX),
    }
}

/// Whether a party is the one that is expected.
pub(crate) fn check_welcome(expected: &Introduction, welcome: &Welcome) -> Result<(), Error> {
    let check = expected.check(&welcome.introduction);
    check.map_err(|difference| Error::Differs { party: expected.role, difference })
}
