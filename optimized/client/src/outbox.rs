//! What a client has asked for and has not got: numbers, shares, and what P0 and P1 have said so far.
//!
//! No input or output, and no clock: what a party says goes in ([`Outbox::heard`]), and what is to be said comes out
//! ([`Outbox::next`]). A request is done once, however often links break: it is said again, the same bytes under the same number, on each
//! new link to a party that has not said that it is on its disk; and an answer is acknowledged as often as it comes.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use duoram_link::{Answer, ClientName, Introduction, Outcome, Reason, ToClient, ToParty, VERSION, Welcome};
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
struct Entry {
    work: Work,
    waiter: Waiter,
    /// By party: all of it is on its disk.
    accepted: [bool; 2],
    /// By party.
    outcome: [Option<Outcome>; 2],
}

/// The link to P0 or P1.
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
pub(crate) struct Outbox {
    config: Config,
    sharing: Sharing,
    /// The number of the next request, once both parties have said what they expect.
    next: Option<u64>,
    /// Asked for, without a number yet.
    waiting: VecDeque<(Work, Waiter)>,
    entries: BTreeMap<u64, Entry>,
    links: [Link; 2],
    /// Why there is no going on.
    failed: Option<Error>,
}

impl Outbox {
    /// Of a process that knows nothing of what this client has asked before.
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            config: config.clone(),
            sharing: Sharing::of(config.protocol),
            next: None,
            waiting: VecDeque::new(),
            entries: BTreeMap::new(),
            links: Default::default(),
            failed: None,
        }
    }

    /// The client's name.
    pub(crate) const fn name(&self) -> &ClientName {
        &self.config.name
    }

    /// What a party said first on its present link.
    pub(crate) const fn welcome(&self, place: usize) -> Option<&Welcome> {
        self.links[place].welcome.as_ref()
    }

    /// Whether requests have numbers: both parties have been there.
    pub(crate) const fn is_open(&self) -> bool {
        self.next.is_some()
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
            let entry = Entry { work, waiter, accepted: [false; 2], outcome: [None, None] };
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
        let unsaid = |entry: &Entry| !entry.accepted[place] && entry.outcome[place].is_none();
        let unsaid = self.entries.range(link.cursor..).find(|(_, entry)| unsaid(entry));
        let Some((&number, entry)) = unsaid else { return Next::Wait };
        if let Some(moment) = link.not_before.filter(|moment| *moment > now) {
            return Next::WaitUntil(moment);
        }
        link.not_before = None;
        let piece = if number == link.cursor { link.piece } else { 0 };
        let last = piece + 1 == entry.work.pieces();
        (link.cursor, link.piece) = if last { (number + 1, 0) } else { (number, piece + 1) };
        let request = entry.work.piece(self.sharing, place, number, self.config.deadline_ms, piece);
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
                    if entry.accepted == [true; 2] {
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
        let party = Role::ALL[place];
        if let Err(error) = check_welcome(&self.config, party, &welcome) {
            self.fail(&error);
            return Err(error.to_string());
        }
        if let Some(expected) = self.next.filter(|next| welcome.next > *next) {
            let error = Error::Superseded { party, expected, got: welcome.next };
            self.fail(&error);
            return Err(error.to_string());
        }
        self.links[place] = Link { welcome: Some(welcome), ..Link::default() };
        if let ([Some(first), Some(second)], None) =
            (self.links.each_ref().map(|link| link.welcome.map(|welcome| welcome.next)), self.next)
        {
            self.next = Some(first.max(second));
            self.number();
        }
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
                let (expected, got) = (entry.work.kind.results(entry.work.count), shares.len() as u64);
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

    /// Both parties have answered.
    fn close(&mut self, number: u64) {
        let Some(entry) = self.entries.remove(&number) else { return };
        for link in &mut self.links {
            // A link that is down will bring the answer again.
            if link.welcome.is_some() {
                link.acknowledge.push_back(number);
            }
        }
        let [Some(outcome_0), Some(outcome_1)] = entry.outcome else { return };
        let result = match (outcome_0, outcome_1) {
            (Outcome::Done(shares_0), Outcome::Done(shares_1)) => {
                Ok(self.sharing.open([&shares_0, &shares_1]))
            }
            // The reasons may differ: one says why, and the other that it was told so.
            (Outcome::Refused(refusal), Outcome::Refused(_)) => Err(Error::Refused(refusal)),
            (outcome_0, outcome_1) => {
                let says = [outcome_0, outcome_1].map(|outcome| match outcome {
                    Outcome::Done(_) => "done".to_owned(),
                    Outcome::Refused(refusal) => refusal.to_string(),
                });
                Err(Error::Disagree { number, says })
            }
        };
        let _ = entry.waiter.send(result);
        self.number();
    }
}

/// Whether a party is the one that the settings speak of.
pub(crate) fn check_welcome(config: &Config, party: Role, welcome: &Welcome) -> Result<(), Error> {
    let expected = Introduction {
        version: VERSION,
        protocol: config.protocol.version(),
        role: party,
        session: config.session,
        // At most 40.
        log_size: u8::try_from(config.log_size).unwrap_or(u8::MAX),
    };
    expected.check(&welcome.introduction).map_err(|difference| Error::Differs { party, difference })
}
