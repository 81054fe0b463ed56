//! Parties, clients, and the links between them, and what may happen to them.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::time::Duration;

use duoram_host::engine::{Connection, Engine, Input, Outside, Status};
use duoram_host::orders::Fault;
use duoram_host::settings::{Settings, StockMarks};
use duoram_link::{PeerMessage, Reason, Rights, ToClient, ToParty, WorkKind, decode, encode};
use duoram_reference::durable::Limits;
use duoram_reference::{Batch, Lasting, Parameters, Role, SessionId};
use duoram_runtime::store::simulated::Shared;
use duoram_runtime::store::{Owner, Store, StoreKey};
use duoram_simulation::medium::{Medium, Tear};
use duoram_vectors::Random;

use super::customer::{Came, Customer};
use super::ideal::{Ideal, Wish};
use super::protocol::Protocol;

const SESSION: SessionId = SessionId(*b"hosts are joined");

/// The things that happen before the world becomes quiet.
const TURNS: u64 = 2_000;

/// The things that may happen until all is done then.
const PATIENCE: u64 = 40_000;

/// What happened in runs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Coverage {
    pub(crate) crashes: u64,
    pub(crate) torn: u64,
    pub(crate) links_lost: u64,
    pub(crate) clients_crashed: u64,
    pub(crate) orders: u64,
    pub(crate) joined: u64,
    pub(crate) answers: u64,
    pub(crate) refusals: BTreeMap<&'static str, u64>,
}

impl Coverage {
    pub(crate) fn add(&mut self, other: &Self) {
        self.crashes += other.crashes;
        self.torn += other.torn;
        self.links_lost += other.links_lost;
        self.clients_crashed += other.clients_crashed;
        self.orders += other.orders;
        self.joined += other.joined;
        self.answers += other.answers;
        for (reason, count) in &other.refusals {
            *self.refusals.entry(reason).or_default() += count;
        }
    }
}

/// What a party says, until the world takes it.
#[derive(Default)]
struct Mouth(Vec<(Connection, Said)>);

enum Said {
    Peer(PeerMessage),
    Client(ToClient),
    HangUp(String),
}

impl Outside for Mouth {
    fn to_peer(&mut self, connection: Connection, message: PeerMessage) {
        self.0.push((connection, Said::Peer(message)));
    }

    fn to_client(&mut self, connection: Connection, message: ToClient) {
        self.0.push((connection, Said::Client(message)));
    }

    fn hang_up(&mut self, connection: Connection, reason: &str) {
        self.0.push((connection, Said::HangUp(reason.to_owned())));
    }

    fn publish(&mut self, status: &Status) {
        // Whatever it is, it can be shown.
        assert!(serde_json::to_string(status).is_ok());
    }
}

type Host = Engine<Box<dyn Lasting>, Shared, Mouth>;

struct Party {
    medium: Shared,
    engine: Option<Host>,
}

/// One of the two ends of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Party(usize),
    Client(usize),
}

/// A link, and what is on its way: the bytes of messages, towards each end.
struct Link {
    ends: [End; 2],
    /// By which the parties know it; none while it is down.
    connection: Option<Connection>,
    towards: [VecDeque<Vec<u8>>; 2],
}

/// Everything.
pub(crate) struct Cluster {
    random: Random,
    now: Duration,
    protocol: Protocol,
    log_size: u32,
    fault: Option<Fault>,
    /// Of each party, and it, by its place among the protocol's.
    settings: Vec<Settings>,
    parties: Vec<Party>,
    customers: Vec<Customer>,
    links: Vec<Link>,
    connections: Connection,
    ideal: Ideal,
    came: Vec<(usize, Came)>,
    coverage: Coverage,
}

impl Cluster {
    pub(crate) fn new(seed: u64, fault: Option<Fault>) -> Self {
        let mut random = Random(seed);
        let protocol = Protocol::all()[usize::try_from(random.below(3)).unwrap()];
        let roles = protocol.roles();
        let log_size = 3 + u32::try_from(random.below(3)).unwrap();
        let rights = Rights::READ.and(Rights::UPDATE);
        let rights = [rights.and(Rights::LOAD), rights, if random.bit() { Rights::READ } else { rights }];
        let customers: Vec<_> = (0..2 + usize::from(random.bit()))
            .map(|place| {
                Customer::new(format!("c{place}").parse().unwrap(), rights[place], protocol, log_size)
            })
            .collect();
        let parameters = Parameters::new(SESSION, log_size).unwrap();
        let low = 2 + usize::try_from(random.below(6)).unwrap();
        let high = low + 8 + usize::try_from(random.below(8)).unwrap();
        let of = |count| Batch { reads: count, updates: count };
        let stock = StockMarks { low: of(low), high: of(high), batch: of(5) };
        let limits = Limits {
            journal: 4_000 + usize::try_from(random.below(20_000)).unwrap(),
            items: 20,
            unacknowledged: 1 << 16,
            ahead: 1 << 20,
            commands: 1 << 10,
        };
        let clients = customers.iter().map(|customer| (customer.name.clone(), customer.rights)).collect();
        let window = 3 + usize::try_from(random.below(4)).unwrap();
        let of_party = |role: &Role| Settings {
            role: *role,
            parameters,
            clients: Clone::clone(&clients),
            window,
            stock,
            limits,
        };
        let between = |ends| Link { ends, connection: None, towards: Default::default() };
        let pairs = (0..roles.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let mut links: Vec<_> = pairs.map(|(a, b)| between([End::Party(a), End::Party(b)])).collect();
        for customer in 0..customers.len() {
            links.extend([0, 1].map(|party| between([End::Party(party), End::Client(customer)])));
        }
        Self {
            now: Duration::ZERO,
            fault,
            settings: roles.iter().map(of_party).collect(),
            parties: roles
                .iter()
                .map(|_| Party { medium: Shared::new(Medium::default()), engine: None })
                .collect(),
            customers,
            links,
            connections: 0,
            ideal: Ideal::new(protocol, 1 << log_size),
            came: Vec::new(),
            coverage: Coverage::default(),
            random,
            protocol,
            log_size,
        }
    }

    /// A run: what is asked for while things go wrong, and then to its end.
    pub(crate) fn run(mut self) -> Result<Coverage, String> {
        for _ in 0..TURNS {
            self.turn(true)?;
        }
        // What an odd fuse has left would go off in what is meant to be quiet.
        for party in &self.parties {
            party.medium.look(|medium| medium.set_fuse(None));
        }
        let mut turns = 0;
        while !self.is_done() {
            self.turn(false)?;
            turns += 1;
            if turns > PATIENCE {
                return Err(self.describe());
            }
        }
        self.read_all()?;
        self.check()
    }

    /// Something happens.
    fn turn(&mut self, wild: bool) -> Result<(), String> {
        match self.random.below(if wild { 1_000 } else { 600 }) {
            0..=399 | 570..=599 | 993..=996 => self.deliver(),
            400..=449 => {
                let link = self.below(self.links.len());
                self.connect(link)
            }
            450..=499 => {
                let party = self.below(self.parties.len());
                self.start(party)
            }
            500..=549 => {
                let time = Duration::from_millis(1 + self.random.below(30));
                self.pass(time)
            }
            550..=569 => {
                for link in &self.links {
                    // Whoever has not been heard yet need not repeat anything.
                    if let ([End::Party(party), End::Client(customer)], true) =
                        (link.ends, link.towards.iter().all(VecDeque::is_empty))
                    {
                        self.customers[customer].try_again(party);
                    }
                }
                self.speak_all();
                Ok(())
            }
            600..=979 => self.ask(),
            980..=981 => {
                let party = self.below(self.parties.len());
                self.crash(party)
            }
            982..=984 => {
                // In the middle of whatever it writes next.
                let (party, fuse) = (self.below(self.parties.len()), self.random.below(30));
                self.parties[party].medium.look(|medium| medium.set_fuse(Some(fuse)));
                Ok(())
            }
            985..=990 => {
                let link = self.below(self.links.len());
                self.coverage.links_lost += u64::from(self.links[link].connection.is_some());
                self.hang_up(link)
            }
            991..=992 => self.crash_client(),
            _ => self.pass(Duration::from_secs(1)),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.random.below(bound as u64)).unwrap()
    }

    /// A party starts, from what is on its disk.
    fn start(&mut self, party: usize) -> Result<(), String> {
        if self.parties[party].engine.is_some() {
            return Ok(());
        }
        let role = self.settings[party].role;
        let medium = self.parties[party].medium.clone();
        medium.start();
        let settings = self.settings[party].clone();
        // Whoever was here before has a seed of its own.
        let seed = [self.random.word().to_le_bytes()[0]; 32];
        let fresh =
            (self.protocol.party)(role, settings.parameters, seed).map_err(|error| error.to_string())?;
        let owner = Owner::party(SESSION, role);
        let opened = Store::open(medium.clone(), &StoreKey::new([7; 32]), &owner);
        let opened = opened.map_err(duoram_host::engine::Error::from).and_then(|store| {
            Engine::open(fresh, self.protocol.facts, settings, store, Mouth::default(), self.now)
        });
        match opened {
            Ok(mut engine) => {
                engine.plant(self.fault);
                self.parties[party].engine = Some(engine);
                self.settle(party)
            }
            Err(_) if medium.is_off() => self.crash(party),
            Err(error) => Err(format!("{role} cannot start: {error}")),
        }
    }

    /// A party's power is cut.
    fn crash(&mut self, party: usize) -> Result<(), String> {
        let was_off = self.parties[party].medium.is_off();
        if self.parties[party].engine.take().is_some() || was_off {
            self.coverage.crashes += 1;
            self.coverage.torn += u64::from(was_off);
        }
        let tear = Tear::ALL[self.below(Tear::ALL.len())];
        let random = &mut self.random;
        self.parties[party].medium.look(|medium| {
            medium.set_fuse(None);
            medium.crash(tear, random);
        });
        for link in 0..self.links.len() {
            if self.links[link].ends.contains(&End::Party(party)) {
                self.last_words(link, party)?;
                self.hang_up(link)?;
            }
        }
        Ok(())
    }

    fn crash_client(&mut self) -> Result<(), String> {
        let customer = self.below(self.customers.len());
        self.coverage.clients_crashed += 1;
        self.customers[customer].crash();
        for link in 0..self.links.len() {
            if self.links[link].ends[1] == End::Client(customer) {
                self.hang_up(link)?;
            }
        }
        Ok(())
    }

    /// A link comes up, if both its ends are there.
    fn connect(&mut self, link: usize) -> Result<(), String> {
        let ends = self.links[link].ends;
        let is_there = |end| !matches!(end, End::Party(party) if self.parties[party].engine.is_none());
        if self.links[link].connection.is_some() || !ends.into_iter().all(is_there) {
            return Ok(());
        }
        self.connections += 1;
        let connection = self.connections;
        self.links[link].connection = Some(connection);
        match ends {
            [End::Party(one), End::Party(two)] => {
                self.take(one, vec![Input::Peer(connection, self.settings[two].role)])?;
                self.take(two, vec![Input::Peer(connection, self.settings[one].role)])
            }
            [End::Party(party), End::Client(customer)] => {
                let name = self.customers[customer].name.clone();
                self.take(party, vec![Input::Client(connection, name)])
            }
            _ => Err("no such link".to_owned()),
        }
    }

    /// A link goes down, and what was on its way is lost.
    fn hang_up(&mut self, link: usize) -> Result<(), String> {
        let Link { ends, connection, towards } = &mut self.links[link];
        towards.iter_mut().for_each(VecDeque::clear);
        let (ends, Some(connection)) = (*ends, connection.take()) else { return Ok(()) };
        for end in ends {
            match end {
                End::Party(party) => self.take(party, vec![Input::Gone(connection)])?,
                End::Client(customer) => {
                    if let End::Party(party) = ends[0] {
                        self.customers[customer].link_down(party);
                    }
                }
            }
        }
        Ok(())
    }

    /// Some of what is on its way arrives.
    fn deliver(&mut self) -> Result<(), String> {
        let full = |link: &Link, way: usize| !link.towards[way].is_empty();
        let ways: Vec<_> = (0..self.links.len()).flat_map(|link| [(link, 0), (link, 1)]).collect();
        let ways: Vec<_> = ways.into_iter().filter(|(link, way)| full(&self.links[*link], *way)).collect();
        if ways.is_empty() {
            return Ok(());
        }
        let (link, way) = ways[self.below(ways.len())];
        let end = self.links[link].ends[way];
        match end {
            End::Party(party) => {
                // From several links at once, as a group.
                let count = 1 + self.below(4);
                let mut inputs = self.receive(link, way, count)?;
                for (other, way) in ways {
                    let is_other = other != link && self.links[other].ends[way] == end;
                    if is_other && self.random.bit() {
                        inputs.extend(self.receive(other, way, count)?);
                    }
                }
                self.take(party, inputs)
            }
            End::Client(customer) => {
                self.tell(link, customer)?;
                self.speak_all();
                Ok(())
            }
        }
    }

    /// A client hears one message.
    fn tell(&mut self, link: usize, customer: usize) -> Result<(), String> {
        let Some(bytes) = self.links[link].towards[1].pop_front() else { return Ok(()) };
        let End::Party(party) = self.links[link].ends[0] else { return Ok(()) };
        let message = decode::<ToClient>(&bytes).map_err(|error| error.to_string())?;
        let name = &self.customers[customer].name;
        let heard = format!("{name} hears {message:?} of P{party}");
        let (said, came) =
            self.customers[customer].hear(party, message).map_err(|wrong| format!("{heard}: {wrong}"))?;
        for message in said {
            self.links[link].towards[0].push_back(encode(&message).to_vec());
        }
        self.came.extend(came.into_iter().map(|came| (customer, came)));
        Ok(())
    }

    /// What a party has said before it crashed arrives, or some of it.
    fn last_words(&mut self, link: usize, party: usize) -> Result<(), String> {
        let Some(own) = self.links[link].ends.iter().position(|end| *end == End::Party(party)) else {
            return Ok(());
        };
        let way = 1 - own;
        let mut count = self.below(self.links[link].towards[way].len() + 1);
        while count > 0 && self.links[link].connection.is_some() {
            count -= 1;
            match self.links[link].ends[way] {
                End::Party(other) => {
                    let inputs = self.receive(link, way, 1)?;
                    self.take(other, inputs)?;
                }
                End::Client(customer) => self.tell(link, customer)?,
            }
        }
        Ok(())
    }

    /// One or more messages of a link to a party.
    fn receive(&mut self, link: usize, way: usize, count: usize) -> Result<Vec<Input>, String> {
        let Link { connection: Some(connection), ends, towards } = &mut self.links[link] else {
            return Ok(Vec::new());
        };
        let (connection, from) = (*connection, ends[1 - way]);
        let count = count.min(towards[way].len());
        let messages = towards[way].drain(..count).map(|bytes| match from {
            End::Party(_) => decode(&bytes).map(|message| Input::FromPeer(connection, message)),
            End::Client(_) => decode(&bytes).map(|message| Input::FromClient(connection, message)),
        });
        messages.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    /// A party takes inputs, as a group.
    fn take(&mut self, party: usize, inputs: Vec<Input>) -> Result<(), String> {
        let now = self.now;
        let Some(engine) = &mut self.parties[party].engine else { return Ok(()) };
        for input in inputs {
            if let Err(error) = engine.take(input, now) {
                return self.failed(party, &error);
            }
        }
        self.settle(party)
    }

    /// A party writes and says what follows.
    fn settle(&mut self, party: usize) -> Result<(), String> {
        let now = self.now;
        let Some(engine) = &mut self.parties[party].engine else { return Ok(()) };
        let settled = engine.settle(now);
        // Whatever it has said before the power went has left.
        let said = std::mem::take(&mut engine.outside_mut().0);
        for (connection, said) in said {
            self.post(party, connection, said)?;
        }
        settled.or_else(|error| self.failed(party, &error))
    }

    /// Only the disk ends a party.
    fn failed(&mut self, party: usize, error: &duoram_host::engine::Error) -> Result<(), String> {
        if self.parties[party].medium.is_off() {
            return self.crash(party);
        }
        Err(format!("P{party} failed: {error}"))
    }

    /// What a party says is put on its way.
    fn post(&mut self, party: usize, connection: Connection, said: Said) -> Result<(), String> {
        let Some(link) = self.links.iter().position(|link| link.connection == Some(connection)) else {
            return Ok(());
        };
        let way = usize::from(self.links[link].ends[0] == End::Party(party));
        let bytes = match said {
            Said::Peer(message) => {
                if let PeerMessage::Order(order) = &message {
                    self.ideal.hear(order)?;
                }
                encode(&message)
            }
            Said::Client(message) => encode(&message),
            Said::HangUp(reason) => {
                let ends = self.links[link].ends;
                return Err(format!("P{party} has hung up on {ends:?}: {reason}"));
            }
        };
        self.links[link].towards[way].push_back(bytes.to_vec());
        Ok(())
    }

    /// Time passes.
    fn pass(&mut self, time: Duration) -> Result<(), String> {
        self.now += time;
        for party in 0..self.parties.len() {
            self.settle(party)?;
        }
        Ok(())
    }

    /// Every client says what it has to say.
    fn speak_all(&mut self) {
        for link in &mut self.links {
            let [End::Party(party), End::Client(customer)] = link.ends else { continue };
            if link.connection.is_some() {
                let said: Vec<ToParty> = self.customers[customer].speak(party);
                link.towards[0].extend(said.iter().map(|message| encode(message).to_vec()));
            }
        }
    }

    /// A client asks for something.
    fn ask(&mut self) -> Result<(), String> {
        let customer = self.below(self.customers.len());
        if !self.customers[customer].is_ready()
            || self.customers[customer].open() > 8
            || self.random.below(6) > 0
        {
            return self.deliver();
        }
        let mut wish = self.customers[customer].wish(&mut self.random);
        let is_first = self.ideal.wishes.keys().all(|(name, _)| *name != self.customers[0].name);
        if customer == 0 && (is_first || self.random.below(60) == 0) {
            let words = (0..1_u64 << self.log_size).map(|_| self.random.word()).collect();
            wish = Wish { kind: WorkKind::Load, count: 1 << self.log_size, words };
        }
        // What is too early is refused: now and then.
        if customer != 0 && !self.ideal.is_loaded() && self.random.below(20) > 0 {
            return self.deliver();
        }
        let odd = wish.kind == WorkKind::Read && self.random.below(20) == 0;
        let deadline = if self.random.below(4) == 0 { 1 + self.random.below(200) } else { 0 };
        let deadline = u32::try_from(deadline).unwrap();
        let number = self.customers[customer].ask(&wish, odd, deadline, &mut self.random);
        let of = (self.customers[customer].name.clone(), number);
        if let Some(before) = self.ideal.wishes.insert(of.clone(), wish) {
            // Nobody has heard of the one before.
            if self.came.iter().any(|(other, came)| *other == customer && came.number == number) {
                return Err(format!("{of:?} is used twice: {before:?}"));
            }
        }
        self.speak_all();
        Ok(())
    }

    /// Whether nothing is left to be done.
    fn is_done(&self) -> bool {
        let is_idle = |party: &Party| {
            party.engine.as_ref().is_some_and(|engine| {
                let status = engine.status();
                engine.is_idle() && status.waiting == 0 && status.links.iter().all(|link| link.up)
            })
        };
        self.parties.iter().all(is_idle)
            && self.customers.iter().all(|customer| customer.is_ready() && customer.is_done())
            && self.links.iter().all(|link| link.towards.iter().all(VecDeque::is_empty))
    }

    /// The whole memory is read: nothing is in it that no answer has shown.
    fn read_all(&mut self) -> Result<(), String> {
        for first in (0..1 << self.log_size).step_by(8) {
            let wish = Wish { kind: WorkKind::Read, count: 8, words: (first..first + 8).collect() };
            let number = self.customers[1].ask(&wish, false, 0, &mut self.random);
            self.ideal.wishes.insert((self.customers[1].name.clone(), number), wish);
        }
        self.speak_all();
        for _ in 0..PATIENCE {
            self.turn(false)?;
            if self.is_done() {
                return Ok(());
            }
        }
        Err(self.describe())
    }

    /// All know alike how much the session's key has served, whoever has crashed.
    fn check_key(&self) -> Result<(), String> {
        let statuses = self.parties.iter().filter_map(|party| Some(party.engine.as_ref()?.status()));
        let served: Vec<_> = statuses.map(|status| (status.items_made, status.key_labels)).collect();
        let made = served[0].0;
        let expected = (made, 3 * u64::from(self.log_size) * made);
        if served.iter().any(|served| *served != expected) || made == 0 {
            return Err(format!("items made and labels: expected {expected:?} of all, got {served:?}"));
        }
        Ok(())
    }

    /// Every answer is that of the array.
    fn check(mut self) -> Result<Coverage, String> {
        self.check_key()?;
        let mut results = self.ideal.results()?;
        for (customer, came) in &self.came {
            let of = (self.customers[*customer].name.clone(), came.number);
            match (&came.outcome, results.remove(&of)) {
                (Ok(words), Some(expected)) if *words == expected => self.coverage.answers += 1,
                (Err(reason), None) => {
                    let late = matches!(reason, Reason::Expired | Reason::StockEmpty);
                    if late && !came.has_deadline
                        || *reason == Reason::Failed && of.0 != self.customers[0].name
                    {
                        return Err(format!("request {of:?} was refused: {}", reason.name()));
                    }
                    *self.coverage.refusals.entry(reason.name()).or_default() += 1;
                }
                (outcome, expected) => {
                    let wish = &self.ideal.wishes[&of];
                    return Err(format!("{of:?}, {wish:?}: expected {expected:?}, got {outcome:?}"));
                }
            }
        }
        self.coverage.orders = self.ideal.orders.len() as u64;
        self.coverage.joined = self.ideal.joined();
        self.coverage.refusals.insert("withdrawn", self.ideal.withdrawn());
        let busy = self.customers.iter().map(|customer| customer.busy).sum();
        self.coverage.refusals.insert("busy", busy);
        Ok(self.coverage)
    }

    /// Why it does not come to an end.
    fn describe(&self) -> String {
        let mut words = "it does not end".to_owned();
        for party in &self.parties {
            let status = party.engine.as_ref().map(|engine| (engine.is_idle(), engine.status()));
            let _ = write!(words, "\n{status:?}");
        }
        for customer in &self.customers {
            let _ = write!(words, "\n{}", customer.describe());
        }
        for link in &self.links {
            let [zero, one] = link.towards.each_ref().map(VecDeque::len);
            let _ = write!(words, "\n{:?} {:?} {zero} {one}", link.ends, link.connection);
        }
        words
    }
}
