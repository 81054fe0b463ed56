//! What one party does with what it is told, step by step; how three of them go on together is for the simulation.

use std::time::Duration;

use duoram_link::{
    Answer, ClientName, Entry, Order, Outcome, Part, PeerMessage, Reason, Request, Rights, ToClient,
    WorkKind, decode,
};
use duoram_reference::durable::{self, Limits};
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Batch, CHUNK_WORDS, Command, Operands, Parameters, Role, SessionId};

use super::record::Record;
use super::{Error, Orders, Said, Side, scheduled};
use crate::engine::ProtocolFacts;
use crate::serve::facts;
use crate::settings::{Settings, StockMarks};

const FACTS: ProtocolFacts = facts::<Lean>();

const FACTS_OF_TWO: ProtocolFacts = facts::<TwoParty>();

/// More than a piece.
const LOG_SIZE: u32 = 17;

fn client() -> ClientName {
    "c".parse().unwrap()
}

fn settings(role: Role) -> Settings {
    let of = |count| Batch { reads: count, updates: count };
    Settings {
        role,
        parameters: Parameters::new(SessionId([0; 16]), LOG_SIZE).unwrap(),
        clients: [(client(), Rights::READ.and(Rights::LOAD))].into(),
        window: 2,
        stock: StockMarks { low: of(4), high: of(8), batch: of(4) },
        limits: Limits { journal: 1, items: 1, unacknowledged: 1, ahead: 1, commands: 1 },
    }
}

fn orders(role: Role) -> Orders {
    Orders::new(settings(role), FACTS, Duration::ZERO)
}

fn request(number: u64, kind: WorkKind, count: u64, piece: u32, words: usize) -> Request {
    Request { number, kind, count, deadline_ms: 0, piece, shares: Operands::new(vec![5; words]) }
}

fn read(number: u64) -> Request {
    request(number, WorkKind::Read, 1, 0, 1)
}

/// What is said in all, as if all were on disk.
fn said(orders: &mut Orders) -> Vec<Said> {
    let mut said = orders.take_said();
    said.extend(orders.written());
    said
}

/// What the client is told: numbers that are accepted, or refused and why.
fn told(orders: &mut Orders) -> Vec<(u64, Option<Reason>)> {
    let of = |said| match said {
        Said::Client(_, ToClient::Accepted { number }) => Some((number, None)),
        Said::Client(_, ToClient::Answer(Answer { number, outcome: Outcome::Refused(refusal) })) => {
            Some((number, Some(refusal.reason)))
        }
        _ => None,
    };
    said(orders).into_iter().filter_map(of).collect()
}

/// Nothing is told before it is on disk, and what leaves no trace is told at once.
#[test]
fn a_request_is_accepted_when_it_is_on_disk() {
    let mut orders = orders(Role::P1);
    orders.request(&client(), read(0));
    assert!(orders.take_said().is_empty() && orders.wait_for_disk());
    assert_eq!(orders.take_records().len(), 1);
    let said = orders.written();
    assert!(matches!(
        said[..],
        [
            Said::Client(_, ToClient::Accepted { number: 0 }),
            Said::Peer(Role::P0, PeerMessage::Holds { number: 0, count: 1, .. }),
        ]
    ));
    orders.request(&client(), read(0));
    assert_eq!(told(&mut orders), [(0, None)], "again");
    orders.request(&client(), read(2));
    orders.request(&client(), request(0, WorkKind::Chase, 1, 0, 1));
    assert_eq!(told(&mut orders), [(2, Some(Reason::Gap)), (0, Some(Reason::Changed))]);
    orders.request(&client(), read(1));
    orders.request(&client(), read(2));
    assert_eq!(told(&mut orders), [(2, Some(Reason::Busy)), (1, None)]);
    assert_eq!(orders.take_records().len(), 1, "what is refused leaves no trace");
}

/// What a client has no right to has a number all the same, and P0 is told, so that it does not wait.
#[test]
fn what_is_not_allowed_at_p1_is_refused_by_order() {
    let mut orders = orders(Role::P1);
    orders.request(&client(), request(0, WorkKind::Swap, 1, 0, 2));
    let said = said(&mut orders);
    let is_unfit =
        |said: &Said| matches!(said, Said::Peer(_, PeerMessage::Holds { number: 0, count: 0, .. }));
    assert!(said.iter().any(is_unfit));
    let part = Part { client: client(), number: 0, count: 1 };
    let step = Entry::Step { kind: WorkKind::Swap, parts: vec![part] };
    let order = duoram_link::Order { number: 0, entry: step };
    assert!(matches!(orders.order(Role::P0, order), Err(Error::NotHeld { order: 0, number: 0, .. })));
    assert_eq!(orders.next_of(&client()), 1);
}

/// A client may say anything: no number has none after it.
#[test]
fn no_number_of_a_client_overflows() {
    for role in Role::ALL {
        let mut orders = orders(role);
        orders.begin(&client(), u64::MAX);
        orders.request(&client(), read(u64::MAX));
        orders.acknowledge(&client(), u64::MAX);
        orders.begin(&client(), (1 << 62) - 1);
        orders.request(&client(), read((1 << 62) - 1));
        let next = if role == Role::P2 { 0 } else { 1 << 62 };
        assert_eq!(orders.next_of(&client()), next);
    }
}

/// A LOAD comes in pieces, in order, each once; it is accepted as a whole, and a second one of the client has to wait: each takes the
/// room of a memory.
#[test]
fn a_load_is_held_when_all_of_it_is_there() {
    let mut orders = orders(Role::P0);
    let load = |number, piece| request(number, WorkKind::Load, 1 << LOG_SIZE, piece, CHUNK_WORDS);
    orders.request(&client(), load(0, 1));
    assert_eq!(told(&mut orders), [(0, Some(Reason::Gap))]);
    orders.request(&client(), load(0, 0));
    orders.request(&client(), load(0, 0));
    orders.request(&client(), load(1, 0));
    assert_eq!(told(&mut orders), [(1, Some(Reason::Busy))]);
    orders.request(&client(), load(0, 1));
    assert_eq!(told(&mut orders), [(0, None)]);
    assert_eq!(orders.take_records().len(), 2);
    orders.request(&client(), request(1, WorkKind::Load, 1 << 16, 0, CHUNK_WORDS));
    assert_eq!(told(&mut orders), [(1, Some(Reason::Busy))]);
}

/// P0 with both links up and what its party has answered so far.
fn p0() -> Orders {
    let mut orders = orders(Role::P0);
    for peer in [Role::P1, Role::P2] {
        orders.peer_up(peer, 0).unwrap();
    }
    orders
}

/// What P1 has, and the request at P0.
fn ask(orders: &mut Orders, request: Request) {
    orders.holds(Role::P1, client(), request.number, (request.kind, request.count)).unwrap();
    orders.request(&client(), request);
}

/// All commands so far are done, without results.
fn do_all(orders: &mut Orders) -> Vec<Command> {
    let mut commands = Vec::new();
    while let Some((number, command)) = orders.next_due() {
        orders.commanded();
        orders.answered(number, &durable::Answer::Done(Operands::default()));
        commands.push(command);
    }
    commands
}

fn entries(orders: &mut Orders) -> Vec<Entry> {
    let order = |bytes: &[u8]| match decode(&bytes[1..]) {
        Ok(PeerMessage::Order(order)) => Some(order.entry),
        _ => None,
    };
    orders.take_records().iter().filter_map(|bytes| order(bytes)).collect()
}

/// The stock is made, a LOAD is as many commands as it has pieces, a READ before it is refused, and a second LOAD.
#[test]
fn p0_orders_what_both_hold_and_there_are_items_for() {
    let mut orders = p0();
    ask(&mut orders, read(0));
    orders.decide();
    let refused =
        |entry: &Entry, reason| matches!(entry, Entry::Refuse { refusal, .. } if refusal.reason == reason);
    let first = entries(&mut orders);
    assert!(matches!(first[..], [Entry::Connect, Entry::Refuse { .. }, Entry::Preprocess(_)]), "{first:?}");
    assert!(refused(&first[1], Reason::NotLoaded));
    orders.acknowledge(&client(), 0);
    for piece in 0..2 {
        orders.request(&client(), request(1, WorkKind::Load, 1 << LOG_SIZE, piece, CHUNK_WORDS));
    }
    orders.decide();
    assert!(entries(&mut orders).is_empty(), "P1 does not hold it");
    orders.holds(Role::P1, client(), 1, (WorkKind::Load, 1 << LOG_SIZE)).unwrap();
    orders.decide();
    assert!(matches!(entries(&mut orders)[..], [Entry::Step { kind: WorkKind::Load, .. }]));
    let loads = do_all(&mut orders).iter().filter(|command| matches!(command, Command::Load(_))).count();
    assert_eq!(loads, 2);
    orders.acknowledge(&client(), 1);
    // Two READs wait for one step.
    orders.peer_down(Role::P2);
    ask(&mut orders, read(2));
    ask(&mut orders, read(3));
    orders.decide();
    assert!(entries(&mut orders).is_empty(), "what is ordered is done, and P2 is not there");
    let given = orders.orders();
    orders.peer_up(Role::P2, given).unwrap();
    orders.decide();
    let steps = entries(&mut orders);
    let is_step =
        |entry: &Entry| matches!(entry, Entry::Step { kind: WorkKind::Read, parts } if parts.len() == 2);
    assert!(steps.iter().any(is_step), "{steps:?}");
}

/// P0 with links that are up, and so many words at each of 8 addresses.
fn of_rows(row_words: usize) -> Orders {
    let mut settings = settings(Role::P0);
    settings.parameters = Parameters::new(SessionId([0; 16]), 3).unwrap().with_row_words(row_words).unwrap();
    settings.clients = [(client(), Rights::READ.and(Rights::UPDATE).and(Rights::LOAD))].into();
    settings.window = 64;
    settings.stock.high = Batch { reads: 1000, updates: 1000 };
    let mut orders = Orders::new(settings, FACTS, Duration::ZERO);
    for peer in [Role::P1, Role::P2] {
        orders.peer_up(peer, 0).unwrap();
    }
    orders
}

/// A LOAD has all words of all rows, what is put in has a row behind each address, and an answer is cut into rows.
#[test]
fn rows_are_counted_in_words() {
    let mut orders = of_rows(3);
    orders.decide();
    do_all(&mut orders);
    // As if an address held a word: of each kind, one after another.
    for (number, kind, count, words, reason) in [
        (0, WorkKind::Load, 8, 8, Reason::TooLarge),
        (1, WorkKind::Update, 2, 4, Reason::Failed),
        (2, WorkKind::Write, 1, 2, Reason::Failed),
        (3, WorkKind::Swap, 1, 5, Reason::Failed),
    ] {
        orders.request(&client(), request(number, kind, count, 0, words));
        assert_eq!(told(&mut orders), [(number, Some(reason))], "{kind}");
    }
    ask(&mut orders, request(4, WorkKind::Load, 24, 0, 24));
    orders.decide();
    let is_load = |command: &Command| matches!(command, Command::Load(words) if words.len() == 24);
    assert!(do_all(&mut orders).iter().any(is_load));
    ask(&mut orders, request(5, WorkKind::Update, 2, 0, 8));
    orders.decide();
    let is_update =
        |command: &Command| matches!(command, Command::Update { count: 2, pairs } if pairs.len() == 8);
    assert!(do_all(&mut orders).iter().any(is_update));

    ask(&mut orders, read(6));
    ask(&mut orders, read(7));
    orders.decide();
    let (number, command) = orders.next_due().unwrap();
    assert!(matches!(command, Command::Read { count: 2, .. }));
    said(&mut orders);
    orders.commanded();
    orders.answered(number, &durable::Answer::Done(Operands::new((1..=6).collect())));
    let answer = |said| match said {
        Said::Client(_, ToClient::Answer(Answer { number, outcome: Outcome::Done(shares) })) => {
            Some((number, shares.to_vec()))
        }
        _ => None,
    };
    let answers: Vec<_> = said(&mut orders).into_iter().filter_map(answer).collect();
    assert_eq!(answers, [(6, vec![1, 2, 3]), (7, vec![4, 5, 6])]);
}

/// As many long rows as an answer has room for, and not one more.
#[test]
fn an_answer_has_room_for_its_rows() {
    let mut orders = of_rows(512);
    orders.request(&client(), request(0, WorkKind::Read, 128, 0, 128));
    orders.request(&client(), request(1, WorkKind::Read, 129, 0, 129));
    assert_eq!(told(&mut orders), [(0, None), (1, Some(Reason::TooLarge))]);
}

/// A deadline is P0's: what waits longer is refused by order, whether P1 has it or not.
#[test]
fn what_waits_too_long_is_refused_by_order() {
    let mut orders = p0();
    orders.decide();
    entries(&mut orders);
    orders.request(&client(), Request { deadline_ms: 10, ..read(0) });
    orders.set_now(Duration::from_millis(9));
    orders.decide();
    assert_eq!(orders.next_deadline(), Some(Duration::from_millis(10)));
    assert!(entries(&mut orders).iter().all(|entry| !matches!(entry, Entry::Refuse { .. })));
    orders.set_now(Duration::from_millis(10));
    orders.decide();
    let is_expired =
        |entry: &Entry| matches!(entry, Entry::Refuse { refusal, .. } if refusal.reason == Reason::Expired);
    assert!(entries(&mut orders).iter().any(is_expired));
    // It comes to P1 later.
    orders.holds(Role::P1, client(), 0, (WorkKind::Read, 1)).unwrap();
    assert!(entries(&mut orders).iter().any(is_expired));
}

/// A peer that has fewer orders than it had, or more than there are: somebody's disk has forgotten.
#[test]
fn a_disk_that_has_forgotten_orders_is_found_out() {
    let mut p0 = p0();
    p0.decide();
    p0.written();
    p0.ordered(Role::P1, 1).unwrap();
    assert_eq!(p0.ordered(Role::P2, 9), Err(Error::NotGiven { peer: Role::P2, given: p0.orders(), got: 9 }));
    p0.peer_down(Role::P1);
    assert_eq!(p0.peer_up(Role::P1, 0), Err(Error::PeerForgot { peer: Role::P1, expected: 1, got: 0 }));
    assert_eq!(
        p0.peer_up(Role::P1, 9),
        Err(Error::SelfForgot { peer: Role::P1, given: p0.orders(), got: 9 })
    );
    let mut p1 = orders(Role::P1);
    p1.order(Role::P0, duoram_link::Order { number: 0, entry: Entry::Connect }).unwrap();
    assert_eq!(p1.peer_up(Role::P0, 0), Err(Error::PeerForgot { peer: Role::P0, expected: 1, got: 0 }));
}

/// Of two parties the other one is all whom P0 waits for, and for whom it keeps orders; a third is nobody.
#[test]
fn without_a_helper_p0_needs_p1_alone() {
    let mut orders = Orders::new(settings(Role::P0), FACTS_OF_TWO, Duration::ZERO);
    orders.decide();
    assert!(matches!(entries(&mut orders)[..], [Entry::Connect]), "P1 is not there");
    orders.peer_up(Role::P1, 0).unwrap();
    orders.decide();
    assert!(matches!(entries(&mut orders)[..], [Entry::Preprocess(_)]));
    let told: Vec<_> = said(&mut orders)
        .into_iter()
        .map(|said| match said {
            Said::Peer(peer, PeerMessage::Order(order)) => (peer, order.number),
            _ => panic!("orders only"),
        })
        .collect();
    assert_eq!(told, [(Role::P1, 0), (Role::P1, 1)]);
    let kept = |orders: &Orders| match &orders.side {
        Side::Giving(giving) => giving.kept.len(),
        Side::Following(_) => 0,
    };
    assert_eq!(kept(&orders), 2);
    orders.ordered(Role::P1, 1).unwrap();
    assert_eq!(kept(&orders), 1, "the other one has it");
    assert!(matches!(orders.ordered(Role::P2, 1), Err(Error::NotFrom { from: Role::P2, .. })));

    // As a snapshot has it: what P1 had, and nobody else.
    let saved = orders.save();
    let restored = Orders::restore(settings(Role::P0), FACTS_OF_TWO, Duration::ZERO, &saved, []).unwrap();
    assert_eq!(restored.save(), saved);
    let forgot = Err(Error::PeerForgot { peer: Role::P1, expected: 1, got: 0 });
    let mut restored = restored;
    assert_eq!(restored.peer_up(Role::P1, 0), forgot);
}

/// What P2 is told to do: that is all that is public of an order.
#[test]
fn a_journal_has_the_schedule_of_a_party_without_shares() {
    let step = |kind, counts: &[u64]| {
        let parts = counts.iter().map(|count| Part { client: client(), number: 0, count: *count });
        Entry::Step { kind, parts: parts.collect() }
    };
    let told = |command: &Command| match command {
        Command::Connect => "connect".to_owned(),
        Command::Preprocess(Batch { reads, updates }) => format!("preprocess {reads} {updates}"),
        Command::Read { count, addresses } if addresses.is_empty() => format!("read {count}"),
        Command::Follow => "follow".to_owned(),
        Command::Load(words) if words.is_empty() => "load".to_owned(),
        Command::Swap(words) if words.is_empty() => "swap".to_owned(),
        _ => "another".to_owned(),
    };
    for (entry, expected) in [
        (Entry::Connect, &["connect"][..]),
        (Entry::Preprocess(Batch { reads: 1, updates: 2 }), &["preprocess 1 2"]),
        (step(WorkKind::Read, &[2, 3]), &["read 5"]),
        (step(WorkKind::Chase, &[3]), &["read 1", "follow", "follow"]),
        (step(WorkKind::Load, &[1 << LOG_SIZE]), &["load"]),
        (step(WorkKind::Swap, &[1]), &["swap"]),
    ] {
        let record = Record::Ordered(Order { number: 0, entry }).encode();
        let commands = scheduled(&record).unwrap();
        assert_eq!(commands.iter().map(told).collect::<Vec<_>>(), expected);
    }
    assert!(scheduled(&Record::Begun(client(), 4).encode()).unwrap().is_empty());
    assert!(scheduled(b"").is_err());
}
