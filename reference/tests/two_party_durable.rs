//! The two-party protocol with crashes: two durable parties, their disks and the link between them, in one thread under one seed.
//! Whatever is lost, all results are an ideal RAM's.

use std::collections::{BTreeMap, VecDeque};

use crate::common::{Masks, SESSION};
use duoram_reference::durable::{Answer, Durable, Effect, Error, Limits};
use duoram_reference::two_party::{Plain, PlainPir, Primary};
use duoram_reference::{Batch, Command, Lane, Parameters, Role, Word};
use zeroize::Zeroizing;

const LOG_SIZE: u32 = 3;
const ROLES: [Role; 2] = [Role::P0, Role::P1];

/// What is on the link.
enum Sent {
    Frame(Lane, u64, Zeroizing<Vec<u8>>),
    Acknowledged(Lane, u64),
}

/// A party, its disk, and what it has told its client.
struct Host {
    party: Durable<Primary>,
    /// By number; those above `durable` are in memory only.
    journal: BTreeMap<u64, Zeroizing<Vec<u8>>>,
    durable: u64,
    snapshot: Option<(u64, Zeroizing<Vec<u8>>)>,
    answers: BTreeMap<u64, Answer>,
}

fn fresh(b: usize) -> Primary {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    Primary::lasting(ROLES[b], parameters, [b.to_le_bytes()[0] + 1; 32], Plain, PlainPir).unwrap()
}

struct Cluster {
    limits: Limits,
    hosts: [Host; 2],
    /// To P0, to P1.
    queues: [VecDeque<Sent>; 2],
    up: bool,
    random: Masks,
    crashes: usize,
    snapshots: usize,
}

impl Cluster {
    fn new(seed: u64) -> Self {
        let mut random = Masks::new(seed);
        let journal = [500, 5_000, 1 << 30][usize::try_from(random.word() % 3).unwrap()];
        let limits =
            Limits { journal, items: 1000, unacknowledged: 1 << 20, ahead: 1 << 20, commands: 1 << 10 };
        let host = |b| Host {
            party: Durable::new(fresh(b), limits).unwrap(),
            journal: BTreeMap::new(),
            durable: 0,
            snapshot: None,
            answers: BTreeMap::new(),
        };
        let (hosts, queues) = ([host(0), host(1)], Default::default());
        Self { limits, hosts, queues, up: false, random, crashes: 0, snapshots: 0 }
    }

    fn do_all(&mut self, b: usize, effects: Vec<Effect>) {
        for effect in effects {
            let host = &mut self.hosts[b];
            match effect {
                Effect::Append { lsn, record } => _ = host.journal.insert(lsn, record),
                Effect::Send { peer, lane, number, frame } => {
                    assert_eq!(peer, ROLES[1 - b], "nobody speaks to a helper");
                    self.queues[1 - b].push_back(Sent::Frame(lane, number, frame));
                }
                Effect::Acknowledge { lane, number, .. } => {
                    self.queues[1 - b].push_back(Sent::Acknowledged(lane, number));
                }
                Effect::Accepted(_) => {}
                Effect::Result { number, answer } => {
                    assert!(matches!(answer, Answer::Done(_)), "{number}: {answer:?}");
                    let before = host.answers.insert(number, answer.clone());
                    assert!(before.is_none_or(|before| before == answer), "{number} is answered in two ways");
                }
                Effect::Snapshot { lsn, state } => {
                    self.snapshots += 1;
                    host.snapshot = Some((lsn, state));
                    host.journal = host.journal.split_off(&(lsn + 1));
                    host.durable = host.durable.max(lsn);
                    let effects = host.party.written(lsn).unwrap();
                    self.do_all(b, effects);
                }
                Effect::Refused { error, .. } => panic!("{error}"),
            }
        }
    }

    /// Some of what is in memory is written.
    fn write(&mut self, b: usize) {
        let host = &mut self.hosts[b];
        let Some((&last, _)) = host.journal.last_key_value() else { return };
        let unwritten = last.saturating_sub(host.durable);
        if unwritten > 0 {
            host.durable += 1 + self.random.word() % unwritten;
            let effects = host.party.written(host.durable).unwrap();
            self.do_all(b, effects);
        }
    }

    fn link(&mut self) {
        let hellos = [0, 1].map(|b| self.hosts[b].party.hello(ROLES[1 - b]).unwrap());
        self.up = true;
        for b in [0, 1] {
            let effects = self.hosts[b].party.link_up(ROLES[1 - b], hellos[1 - b]).unwrap();
            self.do_all(b, effects);
        }
    }

    fn cut(&mut self) {
        self.up = false;
        self.queues = Default::default();
        for b in [0, 1] {
            self.hosts[b].party.link_down(ROLES[1 - b]).unwrap();
        }
    }

    /// What is not on disk is gone, and the party is made again.
    fn crash(&mut self, b: usize) {
        self.cut();
        self.crashes += 1;
        let host = &mut self.hosts[b];
        _ = host.journal.split_off(&(host.durable + 1));
        let snapshot = host.snapshot.as_ref().map(|(lsn, state)| (*lsn, &state[..]));
        let records = host.journal.iter().map(|(lsn, record)| (*lsn, &record[..]));
        let (party, effects) = Durable::restore(fresh(b), self.limits, snapshot, records).unwrap();
        host.party = party;
        self.do_all(b, effects);
    }

    fn deliver(&mut self, b: usize) {
        let (peer, party) = (ROLES[1 - b], &mut self.hosts[b].party);
        let effects = match self.queues[b].pop_front() {
            Some(Sent::Frame(lane, number, bytes)) => party.frame(peer, lane, number, bytes).unwrap(),
            Some(Sent::Acknowledged(lane, number)) => party.acknowledged(peer, lane, number).unwrap(),
            None => return,
        };
        self.do_all(b, effects);
    }
}

/// Commands for P0 and for P1, and for the number of each that has results what they open to.
type Program = (Vec<[Box<dyn Fn() -> Command>; 2]>, BTreeMap<u64, Vec<Word>>);

fn program(masks: &mut Masks) -> Program {
    let mut memory: Vec<Word> = (0..1 << LOG_SIZE).map(|_| masks.word()).collect();
    let (mut commands, mut expected): Program = Default::default();
    let mut both = |words: &[Word], masks: &mut Masks, make: fn(Zeroizing<Vec<Word>>) -> Command| {
        let boxed = |share: Vec<Word>| -> Box<dyn Fn() -> Command> {
            Box::new(move || make(Zeroizing::new(share.clone())))
        };
        commands.push(masks.share(words).map(boxed));
        commands.len() as u64 - 1
    };
    both(&[], masks, |_| Command::Connect);
    both(&memory.clone(), masks, Command::Load);
    for _ in 0..3 {
        both(&[], masks, |_| Command::Preprocess(Batch { reads: 4, updates: 3 }));
        let [i, j, m] = [masks.word(), masks.word(), masks.word()];
        let at = |address: Word| usize::try_from(address % (1 << LOG_SIZE)).unwrap();
        let read = both(&[i], masks, |addresses| Command::Read { count: 1, addresses });
        expected.insert(read, vec![memory[at(i)]]);
        let follow = both(&[], masks, |_| Command::Follow);
        expected.insert(follow, vec![memory[at(memory[at(i)])]]);
        both(&[j, m], masks, |pairs| Command::Update { count: 1, pairs });
        memory[at(j)] = memory[at(j)].wrapping_add(m);
        both(&[i, j], masks, Command::Write);
        memory[at(i)] = j;
        let swap = both(&[i, m], masks, Command::Swap);
        expected.insert(swap, vec![memory[at(i)]]);
        memory[at(i)] = m;
    }
    let all: Vec<Word> = memory;
    both(&[], masks, |_| Command::Preprocess(Batch { reads: 8, updates: 0 }));
    let addresses: Vec<Word> = (0..1 << LOG_SIZE).collect();
    let last = both(&addresses, masks, |addresses| Command::Read { count: 8, addresses });
    expected.insert(last, all);
    (commands, expected)
}

/// Runs the program, with a crash in about one of `rarely` moments; how many there were, and how many snapshots.
fn run(seed: u64, rarely: u64) -> (usize, usize) {
    let (commands, expected) = program(&mut Masks::new(seed));
    let mut cluster = Cluster::new(seed);
    let done = |cluster: &Cluster| {
        cluster.hosts.iter().all(|host| host.answers.len() == commands.len() && host.party.is_idle())
    };
    for _ in 0..200_000 {
        if done(&cluster) {
            break;
        }
        let b = usize::from(cluster.random.word() % 2 == 1);
        match cluster.random.word() % 8 {
            _ if cluster.random.word().is_multiple_of(rarely) => cluster.crash(b),
            _ if !cluster.up => cluster.link(),
            0 | 1 => {
                let number = cluster.hosts[b].party.next_command();
                if let Some(of) = commands.get(usize::try_from(number).unwrap()) {
                    let effects = cluster.hosts[b].party.command(number, of[b]()).unwrap();
                    cluster.do_all(b, effects);
                }
            }
            2 | 3 => cluster.write(b),
            _ => cluster.deliver(b),
        }
    }
    assert!(done(&cluster), "seed {seed}: all is done at some time");
    for (number, words) in expected {
        let [of_0, of_1] = [0, 1].map(|b| match &cluster.hosts[b].answers[&number] {
            Answer::Done(shares) => shares.to_vec(),
            Answer::Refused(reason) => panic!("{reason}"),
        });
        let opened: Vec<Word> = of_0.iter().zip(&of_1).map(|(a, b)| a.wrapping_add(*b)).collect();
        assert_eq!(opened, words, "seed {seed}, command {number}");
    }
    (cluster.crashes, cluster.snapshots)
}

#[test]
fn results_are_an_ideal_rams_whatever_crashes() {
    let (mut crashes, mut snapshots) = (0, 0);
    for seed in 0..18 {
        let (some, more) = run(seed, [40, 80, 200][usize::try_from(seed % 3).unwrap()]);
        (crashes, snapshots) = (crashes + some, snapshots + more);
    }
    assert!(crashes > 100 && snapshots > 40, "{crashes} crashes, {snapshots} snapshots");
}

/// A durable party has one peer: there is no link to a helper.
#[test]
fn there_is_no_link_to_a_helper() {
    let mut party = Cluster::new(1).hosts.map(|host| host.party);
    for durable in &mut party {
        assert_eq!(durable.hello(Role::P2), Err(Error::NotAPeer { got: Role::P2 }));
        assert!(matches!(durable.link_up(Role::P2, [0; 2]), Err(Error::NotAPeer { .. })));
    }
}
