//! A client and two parties over real TLS on loopback: results are those of an array, whatever breaks in between, and each request is done
//! once.

use std::time::Duration;

use duoram_client::{Error, Memory, Reason, Refusal, blocking};
use duoram_link::settings::ProtocolName;
use duoram_link::{Identity, LinkError, Rights, Text, WorkKind};
use duoram_reference::{Role, Word};

use duoram_client::fake::{self, Faults, LOG_SIZE};

/// The parties, and the client's folder.
struct Fake {
    parties: fake::Fake,
    folder: tempfile::TempDir,
}

impl Fake {
    async fn start(protocol: ProtocolName, faults: Faults) -> Self {
        Self::of_rows(protocol, 1, faults).await
    }

    async fn of_rows(protocol: ProtocolName, row_words: u16, faults: Faults) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { parties: fake::Fake::start(folder.path(), protocol, row_words, faults).await, folder }
    }
}

impl std::ops::Deref for Fake {
    type Target = fake::Fake;

    fn deref(&self) -> &fake::Fake {
        &self.parties
    }
}

const SIZE: Word = 1 << LOG_SIZE;

#[tokio::test(flavor = "multi_thread")]
async fn results_are_those_of_an_array() {
    for protocol in ProtocolName::ALL {
        let fake = Fake::start(protocol, Faults::default()).await;
        let memory = Memory::open(&fake.config()).await.unwrap();
        assert_eq!(memory.len(), SIZE);
        memory.load((0..SIZE - 1).map(|word| word * 3 % SIZE)).await.unwrap();
        assert_eq!(memory.read(SIZE - 1).await.unwrap(), 0, "what was not given is 0");
        assert_eq!(memory.read(7).await.unwrap(), 21);
        memory.write(7, 1 << 63).await.unwrap();
        assert_eq!(memory.swap(7, 5).await.unwrap(), 1 << 63);
        memory.update(7, 0xc).await.unwrap();
        let updated = if protocol == ProtocolName::Lean { 0x5 ^ 0xc } else { 0x5 + 0xc };
        assert_eq!(memory.read_all(&[7, 8, 7]).await.unwrap(), [updated, 24, updated]);
        assert_eq!(memory.chase(1, 3).await.unwrap(), 27);
        let all: Vec<Word> = (10..SIZE).collect();
        memory.update_all(&all.iter().map(|address| (*address, 0)).collect::<Vec<_>>()).await.unwrap();
        let expected: Vec<_> =
            all.iter().map(|word| if *word == SIZE - 1 { 0 } else { word * 3 % SIZE }).collect();
        assert_eq!(memory.read_all(&all).await.unwrap(), expected, "several requests at once");
        assert_eq!(memory.read_all(&[]).await.unwrap(), []);
    }
}

/// Rows are read and put in whole, also with links that are cut; and a call for words, or for rows of another length, asks for nothing.
#[tokio::test(flavor = "multi_thread")]
async fn rows_are_those_of_an_array_of_rows() {
    let fake = Fake::of_rows(ProtocolName::Lean, 3, Faults { cut: 30, busy: 6, again: 5 }).await;
    let memory = Memory::open(&fake.config()).await.unwrap();
    assert_eq!((memory.len(), memory.row_words()), (SIZE, 3));
    let word = |place: Word| place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let row = |address: Word| (3 * address..3 * address + 3).map(word).collect::<Vec<_>>();
    memory.load((0..3 * SIZE - 4).map(word)).await.unwrap();
    assert_eq!(
        memory.read_rows(&[SIZE - 2, SIZE - 1]).await.unwrap(),
        [vec![word(3 * SIZE - 6), word(3 * SIZE - 5), 0], vec![0; 3]]
    );
    let all: Vec<Word> = (0..200).collect();
    assert_eq!(
        memory.read_rows(&all).await.unwrap(),
        all.iter().map(|place| row(*place)).collect::<Vec<_>>()
    );
    memory.write_row(7, &[8, 1 << 63, 5]).await.unwrap();
    assert_eq!(memory.swap_row(7, &[9, 2, 3]).await.unwrap(), [8, 1 << 63, 5]);
    memory.update_rows(&[(7, [1, 0, 4]), (7, [0, 1, 0])]).await.unwrap();
    assert_eq!(memory.read_rows(&[7]).await.unwrap(), [[8, 3, 7]]);
    // The first word of a row is the next address.
    assert_eq!(memory.chase_row(7, 2).await.unwrap(), row(8));
    assert_eq!(memory.read_rows(&[]).await.unwrap(), Vec::<Vec<Word>>::new());

    let done = fake.world.lock().unwrap().done.len();
    let errors = [
        memory.read(7).await.map(drop),
        memory.read_all(&[7]).await.map(drop),
        memory.update(7, 1).await,
        memory.write(7, 1).await,
        memory.swap(7, 1).await.map(drop),
        memory.chase(7, 1).await.map(drop),
    ];
    for error in errors {
        let text = error.unwrap_err().to_string();
        assert_eq!(text, "expected 3 words at an address (row_words in the parties' settings), got 1");
    }
    for row in [&[1, 2][..], &[1, 2, 3, 4], &[]] {
        let error = memory.write_row(7, row).await;
        assert!(matches!(error, Err(Error::Row { expected: 3, got }) if got == row.len()), "{error:?}");
    }
    assert!(matches!(memory.load(0..=3 * SIZE).await, Err(Error::Words { size }) if size == 3 * SIZE));
    assert_eq!(fake.world.lock().unwrap().done.len(), done, "nothing was asked");
    assert_eq!(memory.read_rows(&[7]).await.unwrap(), [[8, 3, 7]]);
}

/// Links are cut at any message, either way; parties are busy, and say answers again. Three tasks ask at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn each_request_is_done_once_whatever_breaks() {
    let paper = broken(ProtocolName::Paper, 40);
    let (lean, two_party) = (broken(ProtocolName::Lean, 12), broken(ProtocolName::TwoParty, 20));
    tokio::join!(paper, lean, two_party);
}

/// Three tasks of one client, of whose messages one in `cut` cuts its link.
async fn broken(protocol: ProtocolName, cut: u32) {
    let fake = Fake::start(protocol, Faults { cut, busy: 6, again: 5 }).await;
    let memory = Memory::open(&fake.config()).await.unwrap();
    memory.load(0..SIZE).await.unwrap();
    let tasks: Vec<_> = (0..3)
        .map(|task| {
            let memory = memory.clone();
            tokio::spawn(async move {
                for round in 0..30 {
                    let address = 80 * task + round;
                    assert_eq!(memory.swap(address, round).await.unwrap(), address);
                    memory.update(address, 1 << 40).await.unwrap();
                    assert_eq!(memory.read(address).await.unwrap(), round + (1 << 40));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let acknowledged = async {
        while fake.world.lock().unwrap().unacknowledged() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), acknowledged).await.expect("all is acknowledged");
    let world = fake.world.lock().unwrap();
    assert_eq!(world.done.len(), 1 + 3 * 30 * 3);
    assert!(world.done.values().all(|times| *times == 1), "{:?}", world.done);
    assert!(world.links > 10, "there were faults: {} links", world.links);
}

/// A second process begins behind what the first has asked, and answers that nobody fetched are dropped.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_process_goes_on_where_the_numbers_are() {
    let fake = Fake::start(ProtocolName::Lean, Faults::default()).await;
    for round in 0..3 {
        let memory = Memory::open(&fake.config()).await.unwrap();
        assert_eq!(memory.swap(0, round + 1).await.unwrap(), round);
    }
    assert_eq!(fake.world.lock().unwrap().done.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_with_one_key_are_found_out() {
    let fake = Fake::start(ProtocolName::Lean, Faults { cut: 30, ..Faults::default() }).await;
    let [first, second] =
        [Memory::open(&fake.config()).await.unwrap(), Memory::open(&fake.config()).await.unwrap()];
    let mut error = None;
    for _ in 0..200 {
        second.write(1, 1).await.unwrap();
        // The first finds out when a link of its is made again.
        let answer = tokio::time::timeout(Duration::from_millis(50), first.read(1)).await;
        if let Ok(Err(found)) = answer {
            error = Some(found);
            break;
        }
    }
    assert!(matches!(error, Some(Error::Superseded { .. } | Error::Refused(_))), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_says_when_to_try_again() {
    let fake = Fake::start(ProtocolName::Paper, Faults::default()).await;
    let memory = Memory::open(&fake.config()).await.unwrap();
    let refusal =
        Refusal { reason: Reason::StockEmpty, retry_after_ms: 1500, text: Text::new("0 of 1 items") };
    fake.world.lock().unwrap().refuse = Some((WorkKind::Read, refusal));
    let error = memory.read(1).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_millis(1500)));
    assert_eq!(error.to_string(), "refused: stock-empty: 0 of 1 items (again in 1500 ms)");
    memory.write(1, 2).await.unwrap();
    fake.world.lock().unwrap().refuse = None;
    assert_eq!(memory.read(1).await.unwrap(), 2, "and it goes on");

    let text = memory.read(SIZE).await.unwrap_err().to_string();
    assert_eq!(text, "expected an address below 256 (the words or rows of the memory), got 256");
    assert!(matches!(memory.chase(0, 5000).await, Err(Error::Steps { most: 4096, got: 5000 })));
    assert!(matches!(memory.load(0..=SIZE).await, Err(Error::Words { size: SIZE })));
    assert_eq!(fake.world.lock().unwrap().done.len(), 3, "nothing was asked");

    fake.world.lock().unwrap().rights = Rights::READ;
    let memory = Memory::open(&fake.config()).await.unwrap();
    memory.read(1).await.unwrap();
    let text = memory.write(1, 1).await.unwrap_err().to_string();
    assert_eq!(text, "P0 does not allow this client to write: see rights in its settings");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_not_the_one_is_refused() {
    let fake = Fake::start(ProtocolName::Paper, Faults::default()).await;
    let opened = async |what: &str, instead: &str| {
        Memory::open(&fake.config_with(what, instead))
            .await
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let other = Identity::generate().unwrap().pin().to_string();
    let Some(Error::Link { party: Role::P1, source: LinkError::WrongKey { got } }) =
        Memory::open(&fake.config_with(&fake.pins[1].to_string(), &other)).await.err()
    else {
        panic!("another key")
    };
    assert_eq!(got, fake.pins[1]);
    Identity::create(&fake.folder.path().join("other.key")).unwrap();
    assert!(opened("client.key", "other.key").await.contains("does not know this end's key"));
    assert!(opened("client.key", "no.key").await.contains("no.key: "));
    let differs = opened("protocol = \"paper\"", "protocol = \"lean\"").await;
    assert!(differs.ends_with("expected protocol lean, got paper"), "{differs}");
    let differs = opened("log_size = 8", "log_size = 9").await;
    assert!(differs.ends_with("expected rows 512, got 256"), "{differs}");
    let differs = opened("0707", "0708").await;
    assert!(differs.contains("expected session 07080707"), "{differs}");
    // P0's address is P1's: its key is not P0's.
    let differs = opened(&fake.addresses[0], &fake.addresses[1]).await;
    assert!(differs.starts_with("P0: the other end has the key"), "{differs}");
    fake.world.lock().unwrap().welcome.introduction.version = 1;
    let differs = opened("", "").await;
    assert!(differs.contains("version: 3 expected, got 1"), "{differs}");

    let fake = Fake::of_rows(ProtocolName::Lean, 3, Faults::default()).await;
    let other = fake.config_with("row_words = 3", "row_words = 2");
    let differs = Memory::open(&other).await.err().unwrap().to_string();
    assert!(differs.ends_with(": expected row_words 2, got 3"), "{differs}");
}

/// The twin for programs without a runtime, and each party's status.
#[test]
fn the_blocking_twin_does_the_same() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fake = runtime.block_on(Fake::start(ProtocolName::Lean, Faults { cut: 50, ..Faults::default() }));
    let memory = blocking::Memory::open(&fake.config()).unwrap();
    memory.load([3, 1, 2]).unwrap();
    let other = memory.clone();
    std::thread::spawn(move || other.write(3, 9)).join().unwrap().unwrap();
    assert_eq!(memory.read_all(&[0, 1, 2, 3]).unwrap(), [3, 1, 2, 9]);
    assert_eq!((memory.swap(0, 1).unwrap(), memory.chase(0, 2).unwrap()), (3, 1));
    memory.update(0, 1).unwrap();
    assert_eq!((memory.read(0).unwrap(), memory.len()), (0, SIZE));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_party_says_how_it_is() {
    for protocol in ProtocolName::ALL {
        // Links that are cut at any message, as by another of the same client, are made again.
        let fake = Fake::start(protocol, Faults { cut: 10, ..Faults::default() }).await;
        let memory = Memory::open(&fake.config()).await.unwrap();
        for statuses in [memory.status().await, duoram_client::status(&fake.config()).await.unwrap()] {
            let statuses: Vec<_> = statuses.into_iter().map(|(role, said)| (role, said.unwrap())).collect();
            let expected = |role: &Role| (*role, format!("{{\"party\":{}}}", role.index()));
            assert_eq!(statuses, protocol.roles().iter().map(expected).collect::<Vec<_>>());
        }
        memory.write(0, 1).await.unwrap();
        let last = *protocol.roles().last().unwrap();
        let dead = fake.config_with(&fake.addresses[last.index()], "127.0.0.1:1");
        for (role, said) in duoram_client::status(&dead).await.unwrap() {
            match said {
                Ok(_) => assert_ne!(role, last),
                Err(Error::Link { party, .. }) => assert_eq!((party, role), (last, last)),
                Err(error) => panic!("{error}"),
            }
        }
    }
}
