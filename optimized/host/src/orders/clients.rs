//! What clients say: requests, that they have an answer, that they begin anew.

use duoram_link::{
    Answer, ClientName, MAX_SHARES, Outcome, Reason, Refusal, Request, Rights, ToClient, WorkKind,
};
use duoram_reference::Role;

use super::ledger::{Asked, State, Verdict, refusal};
use super::{Fault, Orders, Record, Said, Side};

/// The number that no client begins at.
const MAX_FIRST: u64 = 1 << 62;

impl Orders {
    /// A client is there: it is told every answer that it has not acknowledged.
    pub(crate) fn connected(&mut self, client: &ClientName) {
        let Some(ledger) = self.clients.get(client) else { return };
        let answers = ledger.asked.keys().filter_map(|number| ledger.told(*number));
        let answers = answers.filter(|told| matches!(told, ToClient::Answer(_)));
        self.out.later.extend(answers.map(|told| Said::Client(client.clone(), told)));
    }

    /// A request, or a piece of one.
    pub(crate) fn request(&mut self, client: &ClientName, request: Request) {
        let number = request.number;
        if self.stopping || self.settings.role == Role::P2 {
            let reason = if self.stopping { Reason::Busy } else { Reason::NotAllowed };
            let text = if self.stopping { "this party is about to stop" } else { "P2 takes no requests" };
            let retry_after_ms = if self.stopping { 1_000 } else { 0 };
            self.tell(client, number, Outcome::Refused(Refusal { retry_after_ms, ..refusal(reason, text) }));
            return;
        }
        let ledger = self.clients.entry(client.clone()).or_default();
        match ledger.verdict(&request, self.settings.window) {
            Verdict::New => self.take_new(client, request),
            Verdict::Repeated if self.plants(Fault::NumberTwice) => self.do_again(client, request),
            Verdict::Repeated => {
                let told = self.clients.get(client).and_then(|ledger| ledger.told(number));
                self.out.later.extend(told.map(|told| Said::Client(client.clone(), told)));
            }
            Verdict::Ignored => {}
            Verdict::Refused(refusal) => self.tell(client, number, Outcome::Refused(refusal)),
        }
    }

    /// What leaves no trace.
    fn tell(&mut self, client: &ClientName, number: u64, outcome: Outcome) {
        let answer = ToClient::Answer(Answer { number, outcome });
        self.out.now.push(Said::Client(client.clone(), answer));
    }

    fn take_new(&mut self, client: &ClientName, request: Request) {
        let (number, kind, count) = (request.number, request.kind, request.count);
        let never = if request.piece == 0 { self.never(client, &request) } else { None };
        if let Some(refusal) = never {
            self.out
                .records
                .push(Record::Refused(client.clone(), number, (kind, count), refusal.clone()).encode());
            self.refuse_request(client, number, (kind, count), &refusal);
        } else {
            self.out.records.push(Record::Asked(client.clone(), request.clone()).encode());
            if !self.take_request(client, request) {
                return;
            }
        }
        let Some(ledger) = self.clients.get(client) else { return };
        let told = ledger.told(number).map(|told| Said::Client(client.clone(), told));
        let holds = if self.settings.role == Role::P1 { ledger.holds(client, number) } else { None };
        self.out.later.extend(told.into_iter().chain(holds));
        self.look_at(client, number);
    }

    /// Why such a request of this client can never be done.
    fn never(&self, client: &ClientName, request: &Request) -> Option<Refusal> {
        let (kind, count) = (request.kind, request.count);
        let rights = self.settings.clients.get(client).copied().unwrap_or(Rights::NONE);
        if !rights.allow(kind) {
            return Some(refusal(Reason::NotAllowed, format!("{client} has no right to {kind}")));
        }
        let parameters = &self.settings.parameters;
        let (words, row_words) = (parameters.words() as u64, parameters.row_words() as u64);
        if kind == WorkKind::Load && count != words {
            let text = format!("a memory of {words} words expected, got {count}");
            return Some(refusal(Reason::TooLarge, text));
        }
        if let Err(error) = request.check_shares(row_words) {
            let text = format!("{row_words} words are at an address: {error}");
            return Some(refusal(Reason::Failed, text));
        }
        let (most, results) = (MAX_SHARES as u64, kind.results(count, row_words));
        if results > most {
            let text = format!("an answer of at most {most} words expected, got {kind} of {results}");
            return Some(refusal(Reason::TooLarge, text));
        }
        match &self.side {
            Side::Giving(giving) if !giving.stock.ever(self.cost(kind, count)) => {
                let text = format!("{kind} of {count} needs more items than are ever in stock");
                Some(refusal(Reason::TooLarge, text))
            }
            _ => None,
        }
    }

    /// Takes what became a record; whether all of a request is here now.
    pub(super) fn take_request(&mut self, client: &ClientName, request: Request) -> bool {
        let (number, now) = (request.number, self.now);
        let complete = self.clients.entry(client.clone()).or_default().take(request, now);
        self.watch_deadline(client, number);
        complete
    }

    /// A request that is refused as it came. It has its number, so that the next one has the next: at P0 also its answer, at P1
    /// that is P0's to give.
    pub(super) fn refuse_request(
        &mut self,
        client: &ClientName,
        number: u64,
        (kind, count): (WorkKind, u64),
        refusal: &Refusal,
    ) {
        let ledger = self.clients.entry(client.clone()).or_default();
        ledger.next = ledger.next.max(number + 1);
        let state =
            if self.settings.role == Role::P0 { State::Refused(refusal.clone()) } else { State::Unfit };
        ledger.asked.insert(number, Asked { kind, count, deadline_ms: 0, since: self.now, state });
        self.count(client, number);
    }

    /// A client has an answer. One that there is not is no harm: it was acknowledged before.
    pub(crate) fn acknowledge(&mut self, client: &ClientName, number: u64) {
        let Some(ledger) = self.clients.get(client) else { return };
        if ledger.asked.get(&number).is_some_and(|asked| asked.state.is_answered()) {
            self.out.records.push(Record::Acknowledged(client.clone(), number).encode());
            self.forget_answer(client, number);
        }
    }

    pub(super) fn forget_answer(&mut self, client: &ClientName, number: u64) {
        let asked = self.clients.get_mut(client).and_then(|ledger| ledger.asked.remove(&number));
        if let Some(State::Ordered { command, .. }) = asked.map(|asked| asked.state) {
            self.release(command);
        }
    }

    /// A client goes on from a number, and has forgotten what was before. From [`MAX_FIRST`] on, which nobody gets to by asking, it
    /// is not heard: there would be no number after the last.
    pub(crate) fn begin(&mut self, client: &ClientName, first: u64) {
        if self.settings.role == Role::P2 || first >= MAX_FIRST {
            return;
        }
        let ledger = self.clients.entry(client.clone()).or_default();
        let is_news =
            first > ledger.first && (first > ledger.next || ledger.asked.range(..first).next().is_some());
        if is_news {
            self.out.records.push(Record::Begun(client.clone(), first).encode());
            self.begin_at(client, first);
        }
        self.withdraw_theirs(client, first);
    }

    /// Answers of lower numbers are dropped; so is what waits at P0, and at P1 if P0 does not know of it. What P0 may have ordered waits
    /// for its order; steps that were ordered go on.
    pub(super) fn begin_at(&mut self, client: &ClientName, first: u64) {
        let drops_held = self.settings.role == Role::P0 || self.plants(Fault::BeginDropsHeld);
        let ledger = self.clients.entry(client.clone()).or_default();
        ledger.first = ledger.first.max(first);
        ledger.next = ledger.next.max(first);
        let dropped = ledger.asked.extract_if(..first, |_, asked| match asked.state {
            State::Held(_) | State::Unfit => drops_held,
            State::Coming { .. } | State::Ordered { .. } | State::Refused(_) => true,
        });
        let dropped: Vec<_> = dropped.collect();
        for (_, asked) in dropped {
            if let State::Ordered { command, .. } = asked.state {
                self.release(command);
            }
        }
    }

    /// Kind and count of a request that is here again are as before.
    fn do_again(&mut self, client: &ClientName, request: Request) {
        if let Some(ledger) = self.clients.get_mut(client) {
            ledger.asked.remove(&request.number);
            ledger.next = request.number;
        }
        self.take_new(client, request);
    }
}
