//! P0: which orders there are, and to whom they are told.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use duoram_link::{
    ClientName, Entry, MAX_PARTS, MAX_QUERIES, MAX_SHARES, Order, Part, PeerMessage, Reason, Refusal,
    WorkKind,
};
use duoram_reference::{Batch, Role};

use super::ledger::{State, refusal};
use super::stock::{Stock, covers};
use super::{Error, Orders, Record, Said, Side};
use crate::settings::StockMarks;

/// Steps on the memory that are ordered ahead of their answers: what comes meanwhile is for one step.
const IN_FLIGHT: usize = 2;

/// The requests of one client that P1 may hold ahead of P0.
const MAX_AHEAD: usize = 1 << 12;

/// One of those that are told orders.
pub(super) struct Follower {
    role: Role,
    /// The orders that it has on disk, as far as was heard.
    pub(super) acknowledged: u64,
    /// The orders that it was told on its present link, if that is up.
    told: Option<u64>,
}

/// What P0 alone knows.
pub(super) struct Giving {
    /// Orders that not all others have on disk; the last is the last that was given.
    pub(super) kept: VecDeque<Order>,
    /// All others, in order.
    pub(super) followers: Vec<Follower>,
    /// What P1 holds that is not ordered.
    theirs: BTreeMap<ClientName, BTreeMap<u64, (WorkKind, u64)>>,
    /// What both hold, in the order in which that was known.
    ready: VecDeque<(ClientName, u64)>,
    deadlines: BTreeSet<(Duration, ClientName, u64)>,
    pub(super) stock: Stock,
    /// What the first that is ready waits for.
    wanted: Batch,
}

impl Giving {
    pub(super) fn new(others: impl Iterator<Item = Role>, marks: StockMarks) -> Self {
        Self {
            kept: VecDeque::new(),
            followers: others.map(|role| Follower { role, acknowledged: 0, told: None }).collect(),
            theirs: BTreeMap::new(),
            ready: VecDeque::new(),
            deadlines: BTreeSet::new(),
            stock: Stock::new(marks),
            wanted: Batch::default(),
        }
    }

    fn follower(&mut self, peer: Role) -> Option<&mut Follower> {
        self.followers.iter_mut().find(|follower| follower.role == peer)
    }

    /// What is not on disk here was never told.
    pub(super) fn peer_up(&mut self, peer: Role, orders: u64, on_disk: u64) -> Result<(), Error> {
        let Some(follower) = self.follower(peer) else { return Ok(()) };
        let acknowledged = follower.acknowledged;
        if orders < acknowledged {
            return Err(Error::PeerForgot { peer, expected: acknowledged, got: orders });
        }
        if orders > on_disk {
            return Err(Error::SelfForgot { peer, given: on_disk, got: orders });
        }
        follower.told = Some(orders);
        follower.acknowledged = orders;
        if peer == Role::P1 {
            // It tells all of it again.
            self.theirs.clear();
            self.ready.clear();
        }
        self.drop_acknowledged();
        Ok(())
    }

    pub(super) fn peer_down(&mut self, peer: Role) {
        if let Some(follower) = self.follower(peer) {
            follower.told = None;
        }
    }

    /// Whether what is ordered reaches everybody now.
    fn all_are_there(&self) -> bool {
        self.followers.iter().all(|follower| follower.told.is_some())
    }

    /// Tells each of the others whose link is up what it was not told.
    pub(super) fn tell(&mut self, on_disk: u64, taken: u64, out: &mut Vec<Said>) {
        let first = taken - self.kept.len() as u64;
        for Follower { role, told, .. } in &mut self.followers {
            let Some(told) = told else { continue };
            // What was dropped is acknowledged.
            for number in (*told).max(first)..on_disk {
                let order = usize::try_from(number - first).ok().and_then(|place| self.kept.get(place));
                out.extend(order.map(|order| Said::Peer(*role, PeerMessage::Order(order.clone()))));
            }
            *told = on_disk.max(*told);
        }
    }

    /// Drops the orders that all others have on disk.
    fn drop_acknowledged(&mut self) {
        let all_have = self.followers.iter().map(|follower| follower.acknowledged).min().unwrap_or(u64::MAX);
        while self.kept.pop_front_if(|order| order.number < all_have).is_some() {}
    }

    pub(super) fn forget_theirs(&mut self, client: &ClientName, number: u64) {
        if let Some(theirs) = self.theirs.get_mut(client) {
            theirs.remove(&number);
        }
    }
}

impl Orders {
    /// A peer has so many orders on its disk.
    pub(crate) fn ordered(&mut self, peer: Role, taken: u64) -> Result<(), Error> {
        let given = self.on_disk;
        let not_so = Error::NotFrom { expected: "a follower of P0", from: peer };
        let Side::Giving(giving) = &mut self.side else { return Err(not_so) };
        let Some(follower) = giving.follower(peer) else { return Err(not_so) };
        if taken > given {
            return Err(Error::NotGiven { peer, given, got: taken });
        }
        follower.acknowledged = follower.acknowledged.max(taken);
        giving.drop_acknowledged();
        Ok(())
    }

    /// P1 has a request on its disk.
    pub(crate) fn holds(
        &mut self,
        from: Role,
        client: ClientName,
        number: u64,
        work: (WorkKind, u64),
    ) -> Result<(), Error> {
        let (Side::Giving(giving), Role::P1) = (&mut self.side, from) else {
            return Err(Error::NotFrom { expected: "P1", from });
        };
        let ledger = self.clients.get(&client);
        let asked = ledger.and_then(|ledger| ledger.asked.get(&number));
        let refusal = match asked.map(|asked| &asked.state) {
            // Its order is on the way.
            Some(State::Ordered { .. }) => return Ok(()),
            Some(State::Refused(refusal)) => refusal.clone(),
            None if ledger.is_some_and(|ledger| number < ledger.next) => {
                refusal(Reason::Withdrawn, "P0 does not wait for this request any more")
            }
            None if !self.settings.clients.contains_key(&client) => {
                refusal(Reason::NotAllowed, "P0 knows no such client")
            }
            Some(State::Held(_) | State::Coming { .. } | State::Unfit) | None => {
                let theirs = giving.theirs.entry(client.clone()).or_default();
                if theirs.len() >= MAX_AHEAD {
                    return Err(Error::TooManyHeld { client, max: MAX_AHEAD });
                }
                if theirs.insert(number, work).is_none() {
                    self.look_at(&client, number);
                }
                return Ok(());
            }
        };
        self.order_anew(Entry::Refuse { client, number, refusal });
        Ok(())
    }

    /// A request may be held by both now.
    pub(super) fn look_at(&mut self, client: &ClientName, number: u64) {
        let Side::Giving(giving) = &mut self.side else { return };
        let asked = self.clients.get(client).and_then(|ledger| ledger.asked.get(&number));
        let theirs = giving.theirs.get(client).and_then(|theirs| theirs.get(&number));
        let (Some(asked), Some(&(kind, count))) = (asked, theirs) else { return };
        let refusal = match &asked.state {
            State::Held(_) if (asked.kind, asked.count) == (kind, count) => {
                giving.ready.push_back((client.clone(), number));
                return;
            }
            State::Held(_) if count == 0 => {
                refusal(Reason::NotAllowed, format!("P1 does not allow {client} this {kind}"))
            }
            State::Held(_) => {
                let text = format!("P0 got {} of {}, P1 got {kind} of {count}", asked.kind, asked.count);
                refusal(Reason::Different, text)
            }
            State::Refused(refusal) => refusal.clone(),
            State::Coming { .. } | State::Unfit | State::Ordered { .. } => return,
        };
        self.order_anew(Entry::Refuse { client: client.clone(), number, refusal });
    }

    /// P1 is to forget what it holds of a client below a number.
    pub(super) fn withdraw_theirs(&mut self, client: &ClientName, first: u64) {
        let Side::Giving(giving) = &mut self.side else { return };
        let Some(theirs) = giving.theirs.get(client) else { return };
        let held =
            |number: &u64| self.clients.get(client).is_some_and(|ledger| ledger.held(*number).is_some());
        let withdrawn: Vec<_> =
            theirs.range(..first).map(|(number, _)| *number).filter(|n| !held(n)).collect();
        for number in withdrawn {
            let refusal = refusal(Reason::Withdrawn, "the client has begun anew");
            self.order_anew(Entry::Refuse { client: client.clone(), number, refusal });
        }
    }

    /// A request with a deadline is looked at again when that is over.
    pub(super) fn watch_deadline(&mut self, client: &ClientName, number: u64) {
        let Side::Giving(giving) = &mut self.side else { return };
        let asked = self.clients.get(client).and_then(|ledger| ledger.asked.get(&number));
        if let Some(asked) = asked.filter(|asked| asked.deadline_ms > 0 && asked.state.waits()) {
            let until = asked.since + Duration::from_millis(asked.deadline_ms.into());
            giving.deadlines.insert((until, client.clone(), number));
        }
    }

    /// Gives the next order.
    fn order_anew(&mut self, entry: Entry) {
        let order = Order { number: self.taken, entry };
        self.out.records.push(Record::Ordered(order.clone()).encode());
        self.apply_order(order);
    }

    /// Gives whatever orders are due now.
    pub(crate) fn decide(&mut self) {
        if self.stopping || !matches!(self.side, Side::Giving(_)) {
            return;
        }
        if self.taken == 0 {
            self.order_anew(Entry::Connect);
        }
        self.refuse_late();
        let Side::Giving(giving) = &self.side else { return };
        // What is ordered is done: nothing that cannot be done now.
        if !giving.all_are_there() {
            return;
        }
        while self.steps.values().filter(|step| !step.answered).count() < IN_FLIGHT
            && let Some(entry) = self.next_step()
        {
            self.order_anew(entry);
        }
        if let Side::Giving(giving) = &mut self.side
            && let Some(batch) = giving.stock.next(giving.wanted)
        {
            self.order_anew(Entry::Preprocess(batch));
        }
    }

    /// What the party has. When nothing is under way, that is what is left: a step that was refused has used nothing.
    pub(crate) fn found(&mut self, prepared: Batch) {
        let is_idle = self.is_idle();
        if let Side::Giving(giving) = &mut self.side
            && is_idle
            && giving.stock.making.is_empty()
        {
            giving.stock.found(prepared);
        }
    }

    /// When there is something to decide although nothing happens.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        let Side::Giving(giving) = &self.side else { return None };
        giving.deadlines.first().map(|(until, _, _)| *until)
    }

    /// Refuses what has waited until its deadline.
    fn refuse_late(&mut self) {
        loop {
            let now = self.now;
            let Side::Giving(giving) = &mut self.side else { return };
            if giving.deadlines.first().is_none_or(|(until, _, _)| *until > now) {
                return;
            }
            let Some((_, client, number)) = giving.deadlines.pop_first() else { return };
            let asked = self.clients.get(&client).and_then(|ledger| ledger.asked.get(&number));
            let Some(asked) = asked.filter(|asked| asked.state.waits()) else { continue };
            let refusal = self.late(&client, number, (asked.kind, asked.count), asked.deadline_ms);
            self.order_anew(Entry::Refuse { client, number, refusal });
        }
    }

    /// Why a request has waited so long.
    fn late(
        &self,
        client: &ClientName,
        number: u64,
        (kind, count): (WorkKind, u64),
        deadline_ms: u32,
    ) -> Refusal {
        let text = format!("not done within {deadline_ms} ms");
        let expired = refusal(Reason::Expired, text);
        let Side::Giving(giving) = &self.side else { return expired };
        let cost = self.cost(kind, count);
        let is_ready = giving.theirs.get(client).is_some_and(|theirs| theirs.contains_key(&number));
        if !is_ready || covers(giving.stock.left(), cost) {
            return expired;
        }
        let retry_after_ms = giving.stock.retry_after_ms(cost);
        Refusal { reason: Reason::StockEmpty, retry_after_ms, ..expired }
    }

    /// The next step, or a refusal: the first request that both hold and that there are items for, with whatever may join it.
    ///
    /// Requests of one client keep their order. Those of several may pass each other: nobody has been answered yet.
    fn next_step(&mut self) -> Option<Entry> {
        let Side::Giving(giving) = &mut self.side else { return None };
        let clients = &self.clients;
        let held = |client: &ClientName, number| clients.get(client).and_then(|ledger| ledger.held(number));
        giving.ready.retain(|(client, number)| held(client, *number).is_some());
        let (mut chosen, mut kind, mut total): (Vec<Part>, Option<WorkKind>, u64) = (Vec::new(), None, 0);
        let Side::Giving(giving) = &self.side else { return None };
        let (mut left, mut wanted) = (giving.stock.left(), Batch::default());
        // An address and a row of each in one message.
        let row_words = self.settings.parameters.row_words() as u64;
        let most = MAX_QUERIES.min(MAX_SHARES as u64 / (1 + row_words));
        for (client, number) in &giving.ready {
            let Some(asked) = held(client, *number) else { continue };
            let passed = |before| chosen.iter().any(|part| part.number == before && part.client == *client);
            if !clients.get(client).is_some_and(|ledger| ledger.is_next(*number, passed)) {
                continue;
            }
            if kind.is_none()
                && let Some(refusal) = self.untimely(asked.kind)
            {
                return Some(Entry::Refuse { client: client.clone(), number: *number, refusal });
            }
            let joins = match kind {
                None => true,
                Some(kind @ (WorkKind::Read | WorkKind::Update)) => {
                    asked.kind == kind && total + asked.count <= most && chosen.len() < MAX_PARTS
                }
                Some(_) => break,
            };
            if !joins {
                continue;
            }
            let cost = self.cost(asked.kind, asked.count);
            if !covers(left, cost) {
                // Nobody behind it takes what it waits for.
                wanted =
                    Batch { reads: wanted.reads.max(cost.reads), updates: wanted.updates.max(cost.updates) };
                left = Batch {
                    reads: if cost.reads > 0 { 0 } else { left.reads },
                    updates: if cost.updates > 0 { 0 } else { left.updates },
                };
                continue;
            }
            left = Batch { reads: left.reads - cost.reads, updates: left.updates - cost.updates };
            (kind, total) = (Some(asked.kind), total + asked.count);
            chosen.push(Part { client: client.clone(), number: *number, count: asked.count });
        }
        if let Side::Giving(giving) = &mut self.side {
            giving.wanted = wanted;
        }
        Some(Entry::Step { kind: kind?, parts: chosen })
    }

    /// Why a request comes at a wrong time.
    fn untimely(&self, kind: WorkKind) -> Option<Refusal> {
        match (kind, self.loaded) {
            (WorkKind::Load, true) => {
                Some(refusal(Reason::Failed, "a memory is loaded once, before anything else"))
            }
            (WorkKind::Load, false) | (_, true) => None,
            (_, false) => Some(refusal(Reason::NotLoaded, "no memory was loaded")),
        }
    }
}
