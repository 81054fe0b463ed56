//! Engines with real disks and the kernels, in threads: a memory in several pieces, a graceful stop, and what a peer is refused for.
#![allow(missing_docs)]

use std::path::Path;
use std::time::Duration;

use duoram_host::engine::{Error, Input, Outside, Status};
use duoram_host::loopback::{Caller, Loopback, Told};
use duoram_host::serve::serve;
use duoram_host::settings::{Settings, StockMarks};
use duoram_kernel::{Backend, Features, Workers};
use duoram_link::{Hello, Introduction, PeerMessage, Rights, ToClient, VERSION, WorkKind};
use duoram_reference::durable::Limits;
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Batch, Paper, Parameters, Protocol, Role, SessionId, Word};
use duoram_runtime::fast::Fast;
use duoram_runtime::protocol::Runs;
use duoram_runtime::store::StoreKey;

const KEY: [u8; 32] = [3; 32];
const SESSION: SessionId = SessionId(*b"served by three.");

fn settings<P: Protocol>(log_size: u32) -> Vec<Settings> {
    settings_of_rows::<P>(log_size, 1)
}

fn settings_of_rows<P: Protocol>(log_size: u32, row_words: usize) -> Vec<Settings> {
    let all = Rights::READ.and(Rights::UPDATE).and(Rights::LOAD);
    let of = |count| Batch { reads: count, updates: count };
    let party = |role| Settings {
        role,
        parameters: Parameters::new(SESSION, log_size).unwrap().with_row_words(row_words).unwrap(),
        clients: [("c".parse().unwrap(), all)].into(),
        window: 64,
        stock: StockMarks { low: of(4), high: of(12), batch: of(6) },
        limits: Limits {
            journal: 16 << 20,
            items: 64,
            unacknowledged: 64 << 20,
            ahead: 1 << 28,
            commands: 1 << 14,
        },
    };
    P::ROLES.iter().copied().map(party).collect()
}

fn fast() -> Fast {
    let backend = Backend::available(&Features::detect()).remove(0);
    Fast::new(backend, Workers::new(1).unwrap(), 1 << 24)
}

/// Loads two pieces, changes something, stops; and finds it again.
fn a_memory_of_two_pieces<P: Runs<Fast>>() {
    let (folder, log_size, fast) = (tempfile::tempdir().unwrap(), 17, fast());
    let memory: Vec<Word> = (0..1_u64 << log_size).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let start = || Loopback::start::<P, Fast>(settings::<P>(log_size), &fast, folder.path(), KEY);
    let client = "c".parse().unwrap();
    let addresses = [0, 1, 65_535, 65_536, 131_071];
    let expected = addresses.map(|address: Word| memory[usize::try_from(address).unwrap()]);

    let parties = start();
    let mut caller = Caller::<P>::connect(&parties, 10, &client);
    caller.ask(&parties, WorkKind::Load, 1 << log_size, &memory);
    caller.ask(&parties, WorkKind::Read, 5, &addresses);
    caller.ask(&parties, WorkKind::Write, 1, &[65_536, 7]);
    assert_eq!(caller.wait(&parties).result, Ok(vec![]));
    assert_eq!(caller.wait(&parties).result, Ok(expected.to_vec()));
    assert_eq!(caller.wait(&parties).result, Ok(vec![]));
    for ended in parties.stop() {
        ended.unwrap();
    }

    let parties = start();
    let mut caller = Caller::<P>::connect(&parties, 11, &client);
    caller.ask(&parties, WorkKind::Swap, 1, &[65_536, 8]);
    caller.ask(&parties, WorkKind::Chase, 3, &[65_536]);
    assert_eq!(caller.wait(&parties).result, Ok(vec![7]));
    let place = |address: Word| memory[usize::try_from(address % (1 << log_size)).unwrap()];
    assert_eq!(caller.wait(&parties).result, Ok(vec![place(place(8))]));
    for ended in parties.stop() {
        ended.unwrap();
    }
}

#[test]
fn a_memory_of_two_pieces_is_loaded_and_survives_a_stop_under_lean() {
    a_memory_of_two_pieces::<Lean>();
}

#[test]
fn a_memory_of_two_pieces_is_loaded_and_survives_a_stop_under_paper() {
    a_memory_of_two_pieces::<Paper>();
}

/// With SPIRAL.
#[test]
fn a_memory_of_two_pieces_is_loaded_and_survives_a_stop_under_two_party() {
    a_memory_of_two_pieces::<TwoParty>();
}

/// Loads two pieces, of which the first ends within a row, changes rows, stops, and finds them again; but not as rows of another length.
#[test]
fn a_memory_of_rows_is_loaded_and_survives_a_stop_as_what_it_is() {
    let (folder, log_size, fast) = (tempfile::tempdir().unwrap(), 15, fast());
    let memory: Vec<Word> = (0..3 << log_size).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let row = |address: usize| memory[3 * address..3 * address + 3].to_vec();
    let start = || {
        let settings = settings_of_rows::<Lean>(log_size, 3);
        Loopback::start::<Lean, Fast>(settings, &fast, folder.path(), KEY)
    };
    let client = "c".parse().unwrap();
    // Word 65,536, where the second piece begins, is in row 21,845.
    let addresses = [0, 21_844, 21_845, 21_846, 32_767];
    let expected = addresses.map(|address: Word| row(usize::try_from(address).unwrap())).concat();

    let parties = start();
    let mut caller = Caller::<Lean>::connect(&parties, 10, &client);
    caller.ask(&parties, WorkKind::Load, 3 << log_size, &memory);
    caller.ask(&parties, WorkKind::Read, 5, &addresses);
    caller.ask(&parties, WorkKind::Write, 1, &[21_845, 7, 8, 9]);
    caller.ask(&parties, WorkKind::Update, 2, &[21_845, 1, 1, 0, 0, 0, 0, 1]);
    assert_eq!(caller.wait(&parties).result, Ok(vec![]));
    assert_eq!(caller.wait(&parties).result, Ok(expected));
    for _ in 0..2 {
        assert_eq!(caller.wait(&parties).result, Ok(vec![]));
    }
    for ended in parties.stop() {
        ended.unwrap();
    }

    let other = settings_of_rows::<Lean>(log_size, 2).swap_remove(1);
    let (mouth, _said) = std::sync::mpsc::channel();
    let (_say, inputs) = std::sync::mpsc::channel();
    let (of_p1, key) = (folder.path().join("P1"), StoreKey::new(KEY));
    let refused = serve::<Lean, Fast>(other, fast.clone(), (&of_p1, &key), Mouth(mouth), &inputs);
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("saved with 3 words a row, this has 2"), "{refused}");

    let parties = start();
    let mut caller = Caller::<Lean>::connect(&parties, 11, &client);
    caller.ask(&parties, WorkKind::Swap, 1, &[21_845, 21_846, 5, 6]);
    caller.ask(&parties, WorkKind::Chase, 2, &[21_845]);
    caller.ask(&parties, WorkKind::Read, 1, &[0]);
    assert_eq!(caller.wait(&parties).result, Ok(vec![6, 9, 9]));
    assert_eq!(caller.wait(&parties).result, Ok(row(21_846)));
    assert_eq!(caller.wait(&parties).result, Ok(vec![memory[0], memory[1], memory[2] ^ 1]));
    for ended in parties.stop() {
        ended.unwrap();
    }
}

/// Keeps what is said.
struct Mouth(std::sync::mpsc::Sender<String>);

impl Outside for Mouth {
    fn to_peer(&mut self, _: u64, message: PeerMessage) {
        let _ = self.0.send(format!("{message:?}"));
    }

    fn to_client(&mut self, _: u64, message: ToClient) {
        let _ = self.0.send(format!("{message:?}"));
    }

    fn hang_up(&mut self, _: u64, reason: &str) {
        let _ = self.0.send(reason.to_owned());
    }

    fn publish(&mut self, _: &Status) {}
}

/// A third has no place among two: neither as a party of the protocol, nor as a peer.
#[test]
fn two_parties_have_no_third() {
    let folder = tempfile::tempdir().unwrap();
    let (say, inputs) = std::sync::mpsc::channel();
    let (mouth, said) = std::sync::mpsc::channel();
    let key = StoreKey::new(KEY);
    let mut settings = settings::<TwoParty>(3);
    let p2 = Settings { role: Role::P2, ..settings[1].clone() };
    let refused = serve::<TwoParty, Fast>(
        p2,
        fast(),
        (&folder.path().join("p2"), &key),
        Mouth(mouth.clone()),
        &std::sync::mpsc::channel().1,
    );
    assert!(matches!(refused, Err(Error::Party(_))), "{refused:?}");
    say.send(Input::Peer(1, Role::P2)).unwrap();
    say.send(Input::Stop).unwrap();
    let p1 = settings.swap_remove(1);
    let folder = folder.path().join("p1");
    serve::<TwoParty, Fast>(p1, fast(), (&folder, &key), Mouth(mouth), &inputs).unwrap();
    assert_eq!(said.iter().collect::<Vec<_>>(), ["P2 is no peer of this party"]);
}

/// What P1 says when P0 says this to it on a new link.
fn said(folder: &Path, messages: Vec<PeerMessage>) -> Vec<String> {
    let (say, inputs) = std::sync::mpsc::channel();
    let (mouth, said) = std::sync::mpsc::channel();
    say.send(Input::Peer(1, Role::P0)).unwrap();
    for message in messages {
        say.send(Input::FromPeer(1, message)).unwrap();
    }
    say.send(Input::Stop).unwrap();
    let settings = settings::<Lean>(3).swap_remove(1);
    serve::<Lean, Fast>(settings, fast(), (folder, &StoreKey::new(KEY)), Mouth(mouth), &inputs).unwrap();
    said.iter().collect()
}

fn hello() -> Hello {
    let (protocol, role, rows) = (Lean::VERSION, Role::P0, 8);
    let introduction =
        Introduction { version: VERSION, protocol, role, session: SESSION, rows, row_words: 1 };
    Hello { introduction, taken: [0; 2], orders: 0 }
}

/// Whatever is wrong takes the link down, in words that say what was expected, and the party goes on.
#[test]
fn what_is_wrong_with_a_peer_takes_its_link_down_and_nothing_else() {
    use duoram_link::{ClientName, Entry, Order, Part};
    let folder = tempfile::tempdir().unwrap();
    let client: ClientName = "c".parse().unwrap();
    let order = |number, entry| PeerMessage::Order(Order { number, entry });
    let part = Part { client: client.clone(), number: 0, count: 1 };
    let up = || PeerMessage::Hello(hello());
    let other = |introduction| PeerMessage::Hello(Hello { introduction, ..hello() });
    let other_session = SessionId([0xab; 16]);
    for (messages, expected) in [
        (vec![PeerMessage::Ordered { taken: 0 }], "a hello is expected first"),
        (
            vec![other(Introduction { protocol: Paper::VERSION, ..hello().introduction })],
            "expected protocol lean, got paper",
        ),
        (vec![other(Introduction { role: Role::P2, ..hello().introduction })], "expected role P0, got P2"),
        (vec![other(Introduction { rows: 7, ..hello().introduction })], "expected rows 8, got 7"),
        (vec![other(Introduction { row_words: 2, ..hello().introduction })], "expected row_words 1, got 2"),
        (
            vec![other(Introduction { session: other_session, ..hello().introduction })],
            "expected session 7365727665642062792074687265652e",
        ),
        (
            vec![PeerMessage::Hello(Hello { taken: [0, 5], ..hello() })],
            "this party has forgotten: P0 has 5 frames of the making lane, and 0 were made",
        ),
        (vec![up(), up()], "a second hello"),
        (vec![up(), order(3, Entry::Connect)], "order 0 expected, got 3"),
        (
            vec![up(), order(0, Entry::Step { kind: WorkKind::Read, parts: vec![part] })],
            "order 0: a step for request 0 of c, which is not held with that kind and count",
        ),
        (
            vec![up(), PeerMessage::Holds { client, number: 0, kind: WorkKind::Read, count: 1 }],
            "P0: a message that only P1 sends to this party",
        ),
        (vec![up(), PeerMessage::Ordered { taken: 1 }], "P0: a message that only a follower of P0 sends"),
        (
            vec![up(), PeerMessage::Acknowledged { lane: duoram_reference::Lane::Memory, number: 1 }],
            "P0, the memory lane: 0 frames were made, got an acknowledgement of 1",
        ),
    ] {
        let said = said(folder.path(), messages);
        let expected = expected.replace(' ', "");
        let is_said = said.iter().any(|said| said.replace(' ', "").starts_with(&expected));
        assert!(is_said, "{expected}: {said:?}");
    }
}

#[test]
fn two_processes_cannot_serve_one_state() {
    let folder = tempfile::tempdir().unwrap();
    let (_say, inputs) = std::sync::mpsc::channel();
    let held = duoram_runtime::store::Folder::open(folder.path()).unwrap();
    let settings = settings::<Lean>(3).swap_remove(0);
    let (mouth, _said) = std::sync::mpsc::channel();
    let key = StoreKey::new(KEY);
    let refused = serve::<Lean, Fast>(settings, fast(), (folder.path(), &key), Mouth(mouth), &inputs);
    assert!(matches!(refused, Err(Error::Store(_))), "{refused:?}");
    drop(held);
}

/// A second connection of a client ends the first, which is told why.
#[test]
fn a_second_connection_of_a_client_ends_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let parties = Loopback::start::<Lean, Fast>(settings::<Lean>(3), &fast(), folder.path(), KEY);
    let client = "c".parse().unwrap();
    parties.connect(10, &client);
    parties.connect(11, &client);
    let is_hung_up =
        |told: &Told| matches!(told, Told::HungUp(10, reason) if reason.contains("newer connection"));
    let mut heard = std::iter::from_fn(|| parties.told.recv_timeout(Duration::from_secs(20)).ok());
    assert!(heard.any(|(_, told)| is_hung_up(&told)));
    parties.stop();
}
