//! For tests: the parties of a protocol, of which two hold a memory in the clear, and talk to clients as real ones do: over TLS, each with its own state of requests. They cut
//! links, are busy, and say answers again, as often as they are told.

#![allow(clippy::missing_panics_doc, clippy::indexing_slicing, reason = "a test that panics has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use duoram_link::settings::ProtocolName;
use duoram_link::{
    Answer, Answerer, Identity, Introduction, Outcome, Pin, Reason, Refusal, Request, Rights, Text, ToClient,
    ToParty, VERSION, Welcome, WorkKind, encode,
};
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Paper, Protocol, Role, SessionId, Word};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::Config;

/// The memory has so many words or rows, as a power of two.
pub const LOG_SIZE: u32 = 8;
const PATIENCE: Duration = Duration::from_secs(10);

/// How often, as one in so many messages; 0: never.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    /// The link is cut.
    pub cut: u32,
    /// A request that is new is refused: busy.
    pub busy: u32,
    /// All answers are said again.
    pub again: u32,
}

/// What a primary knows of the client.
#[derive(Default)]
struct Side {
    next: u64,
    held: BTreeMap<u64, Vec<Request>>,
    answers: BTreeMap<u64, Outcome>,
}

impl Side {
    fn holds(&self, number: u64) -> bool {
        self.held.get(&number).is_some_and(|pieces| pieces.len() as u64 == pieces[0].pieces())
    }
}

/// Both primaries.
pub struct World {
    memory: Vec<Word>,
    /// How often each request was done.
    pub done: BTreeMap<u64, usize>,
    /// Links that were made.
    pub links: usize,
    /// Requests that are refused when their turn comes, by kind.
    pub refuse: Option<(WorkKind, Refusal)>,
    /// The client's.
    pub rights: Rights,
    /// What a party says of itself.
    pub welcome: Welcome,
    faults: Faults,
    sides: [Side; 2],
    random: ChaCha20Rng,
    share: fn(Word, Word) -> [Word; 2],
    open: fn([Word; 2]) -> Word,
}

impl World {
    /// Answers that the client has not acknowledged, at both.
    pub fn unacknowledged(&self) -> usize {
        self.sides.iter().map(|side| side.answers.len()).sum()
    }

    fn happens(&mut self, one_in: u32) -> bool {
        one_in > 0 && self.random.next_u32().is_multiple_of(one_in)
    }

    fn heard(&mut self, place: usize, message: ToParty) -> Option<ToClient> {
        match message {
            ToParty::Begin { first } => {
                self.sides[place].next = self.sides[place].next.max(first);
                for side in &mut self.sides {
                    side.answers.retain(|number, _| *number >= first);
                    side.held.retain(|number, _| *number >= first);
                }
                None
            }
            ToParty::Acknowledge { number } => {
                self.sides[place].answers.remove(&number);
                None
            }
            ToParty::Request(request) => self.requested(place, request),
            ToParty::Status => Some(ToClient::StatusReport(format!("{{\"party\":{place}}}"))),
            ToParty::Heartbeat | ToParty::Goodbye(_) => None,
        }
    }

    fn requested(&mut self, place: usize, request: Request) -> Option<ToClient> {
        let Request { number, piece, .. } = request;
        let refuse = |reason, retry_after_ms| {
            let refusal = Refusal { reason, retry_after_ms, text: Text::new("a test") };
            Some(ToClient::Answer(Answer { number, outcome: Outcome::Refused(refusal) }))
        };
        if let Some(outcome) = self.sides[place].answers.get(&number) {
            return Some(ToClient::Answer(Answer { number, outcome: outcome.clone() }));
        }
        let next = self.sides[place].next;
        if number > next {
            return refuse(Reason::Gap, 0);
        }
        if number < next {
            return if self.sides[place].holds(number) {
                Some(ToClient::Accepted { number })
            } else {
                refuse(Reason::Acknowledged, 0)
            };
        }
        if piece == 0 && self.happens(self.faults.busy) {
            return refuse(Reason::Busy, 5);
        }
        let side = &mut self.sides[place];
        let pieces = side.held.entry(number).or_default();
        match pieces.get(piece as usize) {
            Some(before) => assert!(*before == request, "request {number} is not the same again"),
            None if pieces.len() == piece as usize => pieces.push(request),
            None => return refuse(Reason::Gap, 0),
        }
        if !side.holds(number) {
            return None;
        }
        side.next += 1;
        self.work();
        Some(ToClient::Accepted { number })
    }

    /// Does what both hold, in order.
    fn work(&mut self) {
        let numbers: BTreeSet<u64> = self.sides[0].held.keys().copied().collect();
        for number in numbers {
            if self.sides.iter().all(|side| side.holds(number)) {
                let [pieces_0, pieces_1] =
                    [0, 1].map(|place: usize| self.sides[place].held.remove(&number).unwrap());
                *self.done.entry(number).or_default() += 1;
                let outcomes = self.act(&pieces_0, &pieces_1);
                for (side, outcome) in self.sides.iter_mut().zip(outcomes) {
                    side.answers.insert(number, outcome);
                }
            }
        }
    }

    /// What is at an address.
    fn row(&mut self, address: Word) -> &mut [Word] {
        let row_words = usize::from(self.welcome.introduction.row_words);
        let first = usize::try_from(address).unwrap() * row_words;
        &mut self.memory[first..first + row_words]
    }

    fn act(&mut self, pieces_0: &[Request], pieces_1: &[Request]) -> [Outcome; 2] {
        let words = |pieces: &[Request]| pieces.iter().flat_map(|piece| piece.shares.to_vec()).collect();
        let (shares_0, shares_1): (Vec<Word>, Vec<Word>) = (words(pieces_0), words(pieces_1));
        let words: Vec<Word> = shares_0
            .iter()
            .zip(&shares_1)
            .map(|(share_0, share_1)| (self.open)([*share_0, *share_1]))
            .collect();
        let kind = pieces_0[0].kind;
        if let Some((_, refusal)) = self.refuse.as_ref().filter(|(refused, _)| *refused == kind) {
            return [0, 1].map(|_| Outcome::Refused(refusal.clone()));
        }
        let mut results = Vec::new();
        match kind {
            WorkKind::Read => words.iter().for_each(|address| results.extend_from_slice(self.row(*address))),
            WorkKind::Update => {
                let open = self.open;
                for query in words.chunks(1 + usize::from(self.welcome.introduction.row_words)) {
                    for (word, delta) in self.row(query[0]).iter_mut().zip(&query[1..]) {
                        *word = open([*word, *delta]);
                    }
                }
            }
            WorkKind::Write => self.row(words[0]).copy_from_slice(&words[1..]),
            WorkKind::Swap => {
                let row = self.row(words[0]);
                results.extend_from_slice(row);
                row.copy_from_slice(&words[1..]);
            }
            WorkKind::Chase => {
                let mut place = words[0];
                for _ in 0..pieces_0[0].count {
                    results = self.row(place % (1 << LOG_SIZE)).to_vec();
                    place = results[0];
                }
            }
            WorkKind::Load => self.memory = words,
        }
        let shares: Vec<_> =
            results.into_iter().map(|word| (self.share)(word, self.random.next_u64())).collect();
        [0, 1].map(|place| Outcome::Done(shares.iter().map(|pair| pair[place]).collect::<Vec<_>>().into()))
    }
}

/// The parties, at work as long as this is there.
pub struct Fake {
    /// What they hold.
    pub world: Arc<Mutex<World>>,
    folder: PathBuf,
    /// Where they are.
    pub addresses: Vec<String>,
    /// Their keys.
    pub pins: Vec<Pin>,
    protocol: ProtocolName,
    row_words: u16,
}

impl Fake {
    /// Starts them, with so many words at an address, within a tokio runtime; the client's key is put into the folder.
    pub async fn start(folder: &Path, protocol: ProtocolName, row_words: u16, faults: Faults) -> Self {
        type Functions = (fn(Word, Word) -> [Word; 2], fn([Word; 2]) -> Word);
        fn functions<P: Protocol>() -> Functions {
            (P::share, P::open)
        }
        let (share, open) = match protocol {
            ProtocolName::Paper => functions::<Paper>(),
            ProtocolName::Lean => functions::<Lean>(),
            ProtocolName::TwoParty => functions::<TwoParty>(),
        };
        let welcome = Welcome {
            introduction: Introduction {
                version: VERSION,
                protocol: protocol.version(),
                role: Role::P0,
                session: SessionId([7; 16]),
                rows: 1 << LOG_SIZE,
                row_words,
            },
            next: 0,
            rights: Rights::NONE,
            peers_up: [true; 2],
        };
        let world = Arc::new(Mutex::new(World {
            memory: vec![0; usize::from(row_words) << LOG_SIZE],
            done: BTreeMap::new(),
            links: 0,
            refuse: None,
            rights: Rights::READ.and(Rights::UPDATE).and(Rights::LOAD),
            welcome,
            faults,
            sides: Default::default(),
            random: ChaCha20Rng::from_seed([9; 32]),
            share,
            open,
        }));
        let client = Identity::create(&folder.join("client.key")).unwrap();
        let (changed, _) = watch::channel(());
        let mut addresses = Vec::new();
        let mut pins = Vec::new();
        for &role in protocol.roles() {
            let identity = Identity::generate().unwrap();
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            addresses.push(listener.local_addr().unwrap().to_string());
            pins.push(identity.pin());
            let answerer = Answerer::new(&identity, &[client.pin()]).unwrap();
            let (world, changed) = (Arc::clone(&world), changed.clone());
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (world, changed, answerer) = (Arc::clone(&world), changed.clone(), answerer.clone());
                    tokio::spawn(async move { serve(role, stream, &answerer, &world, &changed).await });
                }
            });
        }
        Self { world, folder: folder.to_owned(), addresses, pins, protocol, row_words }
    }

    /// The client's settings, with something else put in.
    pub fn config_with(&self, what: &str, instead: &str) -> Config {
        let mut text = format!(
            "protocol = \"{}\"\nsession = \"{}\"\nlog_size = {LOG_SIZE}\nrow_words = {}\nname = \"c\"\nkey = \"client.key\"\n",
            self.protocol,
            "07".repeat(16),
            self.row_words
        );
        for (role, (address, pin)) in self.protocol.roles().iter().zip(self.addresses.iter().zip(&self.pins))
        {
            let _ = write!(text, "[parties.{role}]\naddress = \"{address}\"\npins = [\"{pin}\"]\n");
        }
        assert!(text.contains(what), "{what}");
        let path = self.folder.join("client.toml");
        std::fs::write(&path, text.replacen(what, instead, 1)).unwrap();
        Config::open(&path).unwrap()
    }

    /// The client's settings, also in the folder, as `client.toml`.
    pub fn config(&self) -> Config {
        self.config_with("", "")
    }
}

async fn serve(
    role: Role,
    stream: TcpStream,
    answerer: &Answerer,
    world: &Mutex<World>,
    changed: &watch::Sender<()>,
) {
    let Ok(mut connection) = answerer.answer(stream, PATIENCE).await else { return };
    let place = role.index();
    let mut told = BTreeSet::new();
    let (mut look, welcome) = {
        let mut world = world.lock().unwrap();
        world.links += 1;
        let next = world.sides.get(place).map_or(0, |side| side.next);
        let rights = world.rights;
        let introduction = Introduction { role, ..world.welcome.introduction };
        (changed.subscribe(), Welcome { introduction, next, rights, ..world.welcome })
    };
    let mut say = vec![ToClient::Welcome(welcome)];
    let (heard, mut hear) = mpsc::channel(1);
    let mut receiver = connection.receiver;
    // Ends with this function: a link is cut when both halves are dropped.
    let mut hears = JoinSet::new();
    hears.spawn(async move {
        while let Ok(message) = receiver.receive::<ToParty>(PATIENCE).await {
            if heard.send(message).await.is_err() {
                return;
            }
        }
    });
    let mut begun = false;
    loop {
        for message in say.drain(..) {
            if world
                .lock()
                .map(|mut world| {
                    let cut = world.faults.cut;
                    world.happens(cut)
                })
                .unwrap()
            {
                return;
            }
            if connection.sender.send(&encode(&message), PATIENCE).await.is_err() {
                return;
            }
        }
        let message = tokio::select! {
            message = hear.recv() => match message {
                Some(message) => Some(message),
                None => return,
            },
            _ = look.changed() => None,
        };
        let mut world = world.lock().unwrap();
        let cut = world.faults.cut;
        if world.happens(cut) {
            return;
        }
        if let Some(message) = message {
            begun |= matches!(message, ToParty::Begin { .. });
            say.extend(world.heard(place, message));
        }
        let again = world.faults.again;
        if world.happens(again) {
            told.clear();
        }
        let answers = world.sides.get(place).map(|side| &side.answers).filter(|_| begun);
        for (&number, outcome) in answers.into_iter().flatten() {
            if told.insert(number) {
                say.push(ToClient::Answer(Answer { number, outcome: outcome.clone() }));
            }
        }
        drop(world);
        if !say.is_empty() {
            let _ = changed.send(());
        }
    }
}
