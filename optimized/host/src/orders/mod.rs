//! Orders: how the requests of many clients become one sequence of commands, the same at all parties.
//!
//! A state machine without a disk, a link or a clock. A client sends a request to P0 and to P1, each with its own shares. Both
//! journal it; P1 tells P0 that it holds it; P0 gives it its place in the sequence of orders, which the others journal too. An
//! order becomes one or more commands of the durable party ([`duoram_reference::durable`]), at each party the same
//! number of them; its answer is cut into the shares of the requests that it was for.
//!
//! | file | |
//! |---|---|
//! | `ledger` | the requests of a client at a primary, from when they come until their answers are acknowledged |
//! | `clients` | what clients say |
//! | `giving` | P0: which orders there are, and to whom they are told |
//! | `following` | P1 and, where it takes part, P2: orders are taken |
//! | `due` | orders become commands |
//! | `answers` | answers become answers to requests |
//! | `stock` | P0: how many items there are, and when to make more |
//! | `record`, `saved` | the journal's bytes, and a snapshot's |
//!
//! Whatever changes what a restart needs is a record. What follows from a record is told when it is on disk (`Orders::written`);
//! what was lost is told again when a link or a client is there again. Four things are not recorded, for they are said again or can be asked:
//! what P1 holds, what peers have acknowledged, answers (the durable party keeps them), and when a request came: after
//! a restart its deadline counts anew.

mod answers;
mod clients;
mod due;
mod error;
mod fault;
mod following;
mod giving;
mod ledger;
mod record;
mod saved;
mod stock;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use duoram_link::{ClientName, Entry, Order, PeerMessage, ToClient, WorkKind};
use duoram_reference::{Batch, Command, Operands, Role};
use zeroize::Zeroizing;

use self::answers::Step;
pub(crate) use self::due::scheduled;
use self::due::{Due, Work};
pub use self::error::Error;
pub use self::fault::Fault;
use self::following::Following;
use self::giving::Giving;
use self::ledger::{Ledger, State};
use self::record::Record;
pub use self::saved::NotStored;
use crate::engine::{KindStatus, ProtocolFacts};
use crate::settings::Settings;

/// Something to be said.
pub(crate) enum Said {
    /// To a peer, if its link is up.
    Peer(Role, PeerMessage),
    /// To a client, if it is connected.
    Client(ClientName, ToClient),
}

/// What is to be done, beside what is due.
#[derive(Default)]
struct Out {
    /// For the journal, in order.
    records: Vec<Zeroizing<Vec<u8>>>,
    /// Commands whose answers are not needed any more.
    fetched: Vec<u64>,
    /// What may be said at once.
    now: Vec<Said>,
    /// What is said when all records so far are on disk.
    later: Vec<Said>,
}

/// What a party is for orders.
enum Side {
    /// P0.
    Giving(Box<Giving>),
    /// P1, P2.
    Following(Following),
}

/// All that a party knows of requests and orders.
pub(crate) struct Orders {
    settings: Settings,
    facts: ProtocolFacts,
    clients: BTreeMap<ClientName, Ledger>,
    /// Orders that were given or taken: the number of the next.
    taken: u64,
    /// Those that are on disk.
    on_disk: u64,
    /// The number of the first command of the next order.
    next_command: u64,
    /// The number of the next command that the party is given.
    fed: u64,
    due: VecDeque<Due>,
    /// By the last command of each.
    steps: BTreeMap<u64, Step>,
    /// A LOAD was ordered.
    loaded: bool,
    side: Side,
    out: Out,
    requests: Vec<KindStatus>,
    now: Duration,
    /// No more requests and orders.
    stopping: bool,
    fault: Option<Fault>,
}

impl Orders {
    /// Nothing was asked yet.
    pub(crate) fn new(settings: Settings, facts: ProtocolFacts, now: Duration) -> Self {
        let side = match settings.role {
            Role::P0 => {
                Side::Giving(Box::new(Giving::new(settings.role.others(facts.roles), settings.stock)))
            }
            _ => Side::Following(Following::default()),
        };
        Self {
            settings,
            facts,
            clients: BTreeMap::new(),
            taken: 0,
            on_disk: 0,
            next_command: 0,
            fed: 0,
            due: VecDeque::new(),
            steps: BTreeMap::new(),
            loaded: false,
            side,
            out: Out::default(),
            requests: crate::engine::status::kinds(),
            now,
            stopping: false,
            fault: None,
        }
    }

    /// What time it is: since the start of the process.
    pub(crate) fn set_now(&mut self, now: Duration) {
        self.now = now;
    }

    /// The time of the last input.
    pub(crate) const fn now(&self) -> Duration {
        self.now
    }

    /// From now on no request and no order is taken.
    pub(crate) fn stop(&mut self) {
        self.stopping = true;
    }

    /// Plants a fault.
    #[cfg(feature = "test-util")]
    pub(crate) fn plant(&mut self, fault: Option<Fault>) {
        self.fault = fault;
    }

    fn plants(&self, fault: Fault) -> bool {
        cfg!(feature = "test-util") && self.fault == Some(fault)
    }

    /// The records that have come about, for the journal.
    pub(crate) fn take_records(&mut self) -> Vec<Zeroizing<Vec<u8>>> {
        std::mem::take(&mut self.out.records)
    }

    /// The commands whose answers the party need not keep.
    pub(crate) fn take_fetched(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.out.fetched)
    }

    /// What may be said at once.
    pub(crate) fn take_said(&mut self) -> Vec<Said> {
        let mut said = std::mem::take(&mut self.out.now);
        if self.plants(Fault::AcceptedFirst) {
            said.append(&mut self.out.later);
        }
        if self.plants(Fault::ToldFirst) && matches!(self.side, Side::Giving(_))
            || self.plants(Fault::OrderedFirst) && matches!(self.side, Side::Following(_))
        {
            self.on_disk = self.taken;
            self.tell_of_orders();
            said.extend(self.out.later.extract_if(.., |said| matches!(said, Said::Peer(..))));
        }
        said
    }

    /// All records are on disk. What is to be said now.
    pub(crate) fn written(&mut self) -> Vec<Said> {
        self.on_disk = self.taken;
        self.tell_of_orders();
        std::mem::take(&mut self.out.later)
    }

    /// Whether something may only be said when all records are on disk.
    pub(crate) const fn wait_for_disk(&self) -> bool {
        !self.out.later.is_empty() || self.on_disk < self.taken
    }

    /// The next command for the party.
    pub(crate) fn next_due(&self) -> Option<(u64, Command)> {
        let due = self.due.front()?;
        Some((self.fed, due.work.command(self.fed - due.first)))
    }

    /// The party has it.
    pub(crate) fn commanded(&mut self) {
        self.fed_to(self.fed + 1);
    }

    fn fed_to(&mut self, next: u64) {
        self.fed = next;
        let role = self.settings.role;
        while self.due.pop_front_if(|due| due.first + due.work.commands(role) <= next).is_some() {}
    }

    /// The number that orders know the next command by: the party must not be behind what was due, nor ahead.
    ///
    /// After a restart: the party has these commands, and has answered those for which `answered` says so.
    pub(crate) fn reconcile(
        &mut self,
        next_command: u64,
        answered: impl Fn(u64) -> bool,
    ) -> Result<(), NotStored> {
        let first = self.due.front().map_or(self.next_command, |due| due.first);
        if next_command < first || next_command > self.next_command {
            return Err(NotStored { what: "as many commands as were ordered" });
        }
        self.fed_to(next_command);
        for (command, step) in &mut self.steps {
            step.answered = answered(*command);
        }
        let done = self.steps.extract_if(.., |_, step| step.is_over()).map(|(command, _)| command);
        self.out.fetched.extend(done);
        if let Side::Giving(giving) = &mut self.side {
            let made: Vec<_> =
                giving.stock.making.keys().copied().filter(|command| answered(*command)).collect();
            for command in made {
                giving.stock.end(command, true, self.now);
            }
        }
        self.on_disk = self.taken;
        Ok(())
    }

    /// What a request uses up.
    fn cost(&self, kind: WorkKind, count: u64) -> Batch {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        match kind {
            WorkKind::Read | WorkKind::Chase => Batch { reads: count, updates: 0 },
            WorkKind::Update => Batch { reads: 0, updates: count },
            WorkKind::Write | WorkKind::Swap => self.facts.write,
            WorkKind::Load => Batch::default(),
        }
    }

    /// Does what an order says. It was checked, or made here.
    fn apply_order(&mut self, order: Order) {
        let Order { number, entry } = &order;
        match entry {
            Entry::Connect => _ = self.push_due(Work::Connect),
            Entry::Discard => _ = self.push_due(Work::Discard),
            Entry::Preprocess(batch) => {
                let command = self.push_due(Work::Preprocess(*batch));
                if let Side::Giving(giving) = &mut self.side {
                    giving.stock.begin(command, *batch, self.now);
                }
            }
            Entry::Step { kind, parts } => self.apply_step(*kind, parts),
            Entry::Refuse { client, number, refusal } => self.apply_refusal(client, *number, refusal),
        }
        self.taken = number + 1;
        if let Side::Giving(giving) = &mut self.side {
            giving.kept.push_back(order);
        }
    }

    fn apply_step(&mut self, kind: WorkKind, parts: &[duoram_link::Part]) {
        let count = parts.iter().map(|part| part.count).sum();
        self.loaded |= kind == WorkKind::Load;
        let cost = self.cost(kind, count);
        if let Side::Giving(giving) = &mut self.side {
            giving.stock.use_up(cost);
        }
        let mut shares = Vec::new();
        for part in parts {
            let asked =
                self.clients.get_mut(&part.client).and_then(|ledger| ledger.asked.get_mut(&part.number));
            if let Some(State::Held(words)) = asked.map(|asked| &mut asked.state) {
                shares.push(std::mem::take(words));
            }
        }
        // Of one length from the start: what grows leaves copies behind.
        let mut all = Operands::new(Vec::with_capacity(shares.iter().map(|words| words.len()).sum()));
        for words in &shares {
            all.extend_from_slice(words);
        }
        let command = self.push_due(Work::Step { kind, count, shares: all });
        if self.settings.role == Role::P2 {
            return;
        }
        let mut step = Step::new(kind);
        for part in parts {
            let open = self.clients.get_mut(&part.client).is_some_and(|ledger| {
                if part.number < ledger.first {
                    ledger.asked.remove(&part.number);
                } else if let Some(asked) = ledger.asked.get_mut(&part.number) {
                    asked.state = State::Ordered { command, outcome: None };
                    return true;
                }
                false
            });
            step.push(part, open);
            if let Side::Giving(giving) = &mut self.side {
                giving.forget_theirs(&part.client, part.number);
            }
        }
        self.steps.insert(command, step);
    }

    /// What is not held is refused when it comes: P1 says that it holds it.
    fn apply_refusal(&mut self, client: &ClientName, number: u64, refusal: &duoram_link::Refusal) {
        if let Side::Giving(giving) = &mut self.side {
            giving.forget_theirs(client, number);
        }
        let Some(ledger) = self.clients.get_mut(client) else { return };
        if !ledger.asked.get(&number).is_some_and(|asked| asked.state.waits()) {
            return;
        }
        if number < ledger.first {
            ledger.asked.remove(&number);
        } else if let Some(asked) = ledger.asked.get_mut(&number) {
            asked.state = State::Refused(refusal.clone());
            let told = ledger.told(number);
            self.count(client, number);
            self.out.later.extend(told.map(|told| Said::Client(client.clone(), told)));
        }
    }

    /// The last command of this work.
    fn push_due(&mut self, work: Work) -> u64 {
        let first = self.next_command;
        self.next_command += work.commands(self.settings.role);
        self.due.push_back(Due { first, work });
        self.next_command - 1
    }

    /// Does a record again.
    fn replay(&mut self, bytes: &[u8]) -> Result<(), NotStored> {
        match Record::decode(bytes).ok_or(NotStored { what: "a record of orders" })? {
            Record::Asked(client, request) => {
                self.take_request(&client, request);
            }
            Record::Refused(client, number, work, refusal) => {
                self.refuse_request(&client, number, work, &refusal);
            }
            Record::Acknowledged(client, number) => self.forget_answer(&client, number),
            Record::Begun(client, first) => self.begin_at(&client, first),
            Record::Ordered(order) => {
                if order.number != self.taken || self.check_order(&order).is_err() {
                    return Err(NotStored { what: "an order that follows from what is before it" });
                }
                self.apply_order(order);
            }
        }
        Ok(())
    }

    /// The number of the client's next new request.
    pub(crate) fn next_of(&self, client: &ClientName) -> u64 {
        self.clients.get(client).map_or(0, |ledger| ledger.next)
    }

    pub(crate) const fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) const fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// Orders that are on disk.
    pub(crate) const fn orders(&self) -> u64 {
        self.on_disk
    }

    /// Whether nothing that was ordered is without its answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.due.is_empty() && self.steps.values().all(|step| step.answered)
    }

    /// Requests that wait for their orders.
    pub(crate) fn waiting(&self) -> usize {
        let of = |ledger: &Ledger| ledger.asked.values().filter(|asked| asked.state.waits()).count();
        self.clients.values().map(of).sum()
    }

    pub(crate) fn requests(&self) -> &[KindStatus] {
        &self.requests
    }

    /// The items that are being made by P0's word; elsewhere not known.
    pub(crate) fn in_the_making(&self) -> Batch {
        match &self.side {
            Side::Giving(giving) => giving.stock.in_the_making(),
            Side::Following(_) => Batch::default(),
        }
    }
}
