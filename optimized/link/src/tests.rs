//! Every message reads back; whatever else comes is refused, and nothing secret is shown.

use std::fmt::Debug;

use duoram_reference::{Batch, CHUNK_WORDS, HEADER_LENGTH, Lane, MAX_PAYLOAD, Role, SessionId};
use proptest::collection::vec;
use proptest::prelude::*;
use zeroize::Zeroizing;

use crate::*;

fn role() -> impl Strategy<Value = Role> {
    prop::sample::select(Role::ALL.to_vec())
}

fn lane() -> impl Strategy<Value = Lane> {
    prop::sample::select(Lane::ALL.to_vec())
}

fn name() -> impl Strategy<Value = ClientName> {
    "[A-Za-z0-9._-]{1,64}".prop_map(|name| name.parse().unwrap())
}

fn text() -> impl Strategy<Value = Text> {
    ".{0,300}".prop_map(Text::new)
}

fn work() -> impl Strategy<Value = (WorkKind, u64)> {
    prop_oneof![
        (prop::sample::select(vec![WorkKind::Read, WorkKind::Update, WorkKind::Chase]), 1..=MAX_QUERIES),
        (prop::sample::select(vec![WorkKind::Write, WorkKind::Swap]), Just(1)),
        (Just(WorkKind::Load), 1..=1_u64 << 48),
    ]
}

fn refusal() -> impl Strategy<Value = Refusal> {
    (0..12_u8, any::<u32>(), text()).prop_map(|(reason, retry_after_ms, text)| Refusal {
        reason: Reason::from_number(reason).unwrap(),
        retry_after_ms,
        text,
    })
}

fn entry() -> impl Strategy<Value = Entry> {
    let part = || (name(), any::<u64>());
    prop_oneof![
        Just(Entry::Connect),
        Just(Entry::Discard),
        (any::<u32>(), any::<u32>()).prop_map(|(reads, updates)| {
            Entry::Preprocess(Batch { reads: reads as usize, updates: updates as usize })
        }),
        (work(), vec(part(), 1..9)).prop_map(|((kind, count), mut parts)| {
            if !matches!(kind, WorkKind::Read | WorkKind::Update) {
                parts.truncate(1);
            }
            let parts = parts.into_iter().map(|(client, number)| Part { client, number, count }).collect();
            Entry::Step { kind, parts }
        }),
        (name(), any::<u64>(), refusal()).prop_map(|(client, number, refusal)| Entry::Refuse {
            client,
            number,
            refusal
        }),
    ]
}

fn introduction() -> impl Strategy<Value = Introduction> {
    (any::<u8>(), role(), any::<[u8; 16]>(), 1..=1_u64 << 40, 1..=512_u16).prop_map(
        |(protocol, role, session, rows, row_words)| {
            let session = SessionId(session);
            Introduction { version: VERSION, protocol, role, session, rows, row_words }
        },
    )
}

fn from_peer() -> impl Strategy<Value = PeerMessage> {
    prop_oneof![
        (introduction(), any::<[u64; 2]>(), any::<u64>()).prop_map(|(introduction, taken, orders)| {
            PeerMessage::Hello(Hello { introduction, taken, orders })
        }),
        (lane(), any::<u64>(), vec(any::<u8>(), HEADER_LENGTH..200)).prop_map(|(lane, number, bytes)| {
            PeerMessage::Frame(NumberedFrame { lane, number, bytes: Zeroizing::new(bytes) })
        }),
        (lane(), any::<u64>()).prop_map(|(lane, number)| PeerMessage::Acknowledged { lane, number }),
        (any::<u64>(), entry()).prop_map(|(number, entry)| PeerMessage::Order(Order { number, entry })),
        any::<u64>().prop_map(|taken| PeerMessage::Ordered { taken }),
        (name(), any::<u64>(), work()).prop_map(|(client, number, (kind, count))| PeerMessage::Holds {
            client,
            number,
            kind,
            count
        }),
        Just(PeerMessage::Heartbeat),
        text().prop_map(PeerMessage::Goodbye),
    ]
}

/// A request of words, whose shares are words from `first` on. Of a LOAD the last piece, which has whatever is left.
fn request(number: u64, work: (WorkKind, u64), deadline_ms: u32, first: u64) -> Request {
    request_of_rows(number, work, deadline_ms, first, 1)
}

/// The same with so many words at an address, and as many queries as there is room for.
fn request_of_rows(
    number: u64,
    (kind, count): (WorkKind, u64),
    deadline_ms: u32,
    first: u64,
    row_words: u64,
) -> Request {
    let count = if kind == WorkKind::Update { count.min(MAX_SHARES as u64 / (1 + row_words)) } else { count };
    let of_load = Request { number, kind, count, deadline_ms, piece: 0, shares: Zeroizing::default() };
    let piece = u32::try_from(of_load.pieces() - 1).unwrap();
    let words = match kind {
        WorkKind::Read => count,
        WorkKind::Update => (1 + row_words) * count,
        WorkKind::Write | WorkKind::Swap => 1 + row_words,
        WorkKind::Chase => 1,
        WorkKind::Load => count - u64::from(piece) * CHUNK_WORDS as u64,
    };
    let shares = Zeroizing::new((0..words).map(|word| first.wrapping_add(word)).collect());
    Request { piece, shares, ..of_load }
}

fn to_party() -> impl Strategy<Value = ToParty> {
    prop_oneof![
        any::<u64>().prop_map(|first| ToParty::Begin { first }),
        (any::<u64>(), work(), any::<u32>(), any::<u64>(), prop_oneof![Just(1), 2..=512_u64]).prop_map(
            |(number, work, deadline_ms, first, row_words)| {
                ToParty::Request(request_of_rows(number, work, deadline_ms, first, row_words))
            }
        ),
        any::<u64>().prop_map(|number| ToParty::Acknowledge { number }),
        Just(ToParty::Status),
        Just(ToParty::Heartbeat),
        text().prop_map(ToParty::Goodbye),
    ]
}

fn to_client() -> impl Strategy<Value = ToClient> {
    let outcome = prop_oneof![
        vec(any::<u64>(), 0..100).prop_map(|words| Outcome::Done(Zeroizing::new(words))),
        refusal().prop_map(Outcome::Refused),
    ];
    prop_oneof![
        (introduction(), any::<u64>(), 0..8_u8, any::<[bool; 2]>()).prop_map(
            |(introduction, next, rights, peers_up)| {
                let rights = Rights::from_number(rights).unwrap();
                ToClient::Welcome(Welcome { introduction, next, rights, peers_up })
            }
        ),
        any::<u64>().prop_map(|number| ToClient::Accepted { number }),
        (any::<u64>(), outcome).prop_map(|(number, outcome)| ToClient::Answer(Answer { number, outcome })),
        ".{0,300}".prop_map(ToClient::StatusReport),
        Just(ToClient::Heartbeat),
        text().prop_map(ToClient::Goodbye),
    ]
}

/// Messages that end with whatever is left may be cut short and still be one; no other may. In a request that puts something in, that is a
/// row: how long it has to be is known only by who has the memory.
fn may_end_early(bytes: &[u8]) -> bool {
    const KIND: usize = HEAD_LENGTH + 8;
    match bytes[4] {
        2 | 4 | 8 | 66 | 67 => true,
        33 => [WorkKind::Update, WorkKind::Write, WorkKind::Swap]
            .iter()
            .any(|kind| kind.number() == bytes[KIND]),
        _ => false,
    }
}

/// The same bytes with another body, and a head that says so.
fn resized(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(HEAD_LENGTH + length, 7);
    bytes[..4].copy_from_slice(&u32::try_from(1 + length).unwrap().to_le_bytes());
    bytes
}

fn reads_back<M: Envelope + PartialEq + Debug>(message: &M) -> Result<(), TestCaseError> {
    let bytes = encode(message);
    prop_assert_eq!(&decode::<M>(&bytes).unwrap(), message);
    // The buffer never grew, and so left nothing behind.
    prop_assert_eq!(bytes.capacity(), bytes.len());
    let body = bytes.len() - HEAD_LENGTH;
    // Cut off, with the head as it was; and one byte too many.
    for length in [0, 1, HEAD_LENGTH.min(bytes.len() - 1), bytes.len() - 1] {
        let truncated = matches!(decode::<M>(&bytes[..length]), Err(WireError::Truncated { .. }));
        prop_assert!(truncated, "{} bytes of {:?}", length, message);
    }
    let longer = [&bytes[..], &[0]].concat();
    let refused = matches!(decode::<M>(&longer), Err(WireError::Trailing { .. }));
    prop_assert!(refused, "{:?}", message);
    // Cut off or longer, with a head that says so.
    if !may_end_early(&bytes) {
        for length in [body / 2, body.saturating_sub(1), body + 1, body + 8] {
            prop_assert!(length == body || decode::<M>(&resized(&bytes, length)).is_err());
        }
    }
    Ok(())
}

/// Whatever decodes, encodes to the same bytes: there is one way to say it.
fn is_the_only_way<M: Envelope + PartialEq + Debug>(bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(message) = decode::<M>(bytes) {
        prop_assert_eq!(&encode(&message)[..], bytes);
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_peers_say_reads_back(message in from_peer()) {
        reads_back(&message)?;
    }

    #[test]
    fn what_clients_say_reads_back(message in to_party()) {
        reads_back(&message)?;
    }

    #[test]
    fn what_clients_hear_reads_back(message in to_client()) {
        reads_back(&message)?;
    }

    /// Messages with one byte changed, so that most of them still make sense, and bytes without any.
    #[test]
    fn bytes_are_refused_or_mean_one_thing(message in from_peer(), at: prop::sample::Index, to: u8, noise in vec(any::<u8>(), 0..60)) {
        let mut bytes = encode(&message).to_vec();
        let place = at.index(bytes.len());
        bytes[place] = to;
        for bytes in [bytes, resized(&noise, noise.len().saturating_sub(HEAD_LENGTH))] {
            is_the_only_way::<PeerMessage>(&bytes)?;
            is_the_only_way::<ToParty>(&bytes)?;
            is_the_only_way::<ToClient>(&bytes)?;
        }
    }

    #[test]
    fn texts_are_cut_where_a_character_ends(text in ".{0,300}") {
        let cut = Text::new(&text);
        let readable: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        prop_assert!(readable.starts_with(cut.as_str()));
        // As much as fits: the next character would not have.
        let next = readable[cut.as_str().len()..].chars().next().map_or(MAX_TEXT, char::len_utf8);
        prop_assert!((MAX_TEXT + 1 - next..=MAX_TEXT).contains(&cut.as_str().len()) || cut.as_str() == readable);
    }
}

fn head<M: Envelope>(length: u32, kind: u8) -> Result<Head, WireError> {
    let mut bytes = [0; HEAD_LENGTH];
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes[4] = kind;
    Head::check::<M>(bytes)
}

/// Each type has a length of its own that it may not exceed, and there are no others.
#[test]
fn lengths_are_refused_by_the_head_alone() {
    let peer = [58, 9 + HEADER_LENGTH + MAX_PAYLOAD, 9, 8 + 6 + 2048 * 81, 8, 82, 0, 200];
    for (kind, max) in (1..).zip(peer) {
        let most = u32::try_from(max).unwrap() + 1;
        assert_eq!(head::<PeerMessage>(most, kind).map(|head| head.body()), Ok(max));
        for length in [most + 1, u32::MAX] {
            let error = head::<PeerMessage>(length, kind).unwrap_err();
            assert!(matches!(error, WireError::TooLong { max: m, .. } if m == max), "{error}");
        }
    }
    assert_eq!(head::<PeerMessage>(1, 9), Err(WireError::UnknownType { got: 9 }));
    assert_eq!(head::<PeerMessage>(0, 1), Err(WireError::Empty));
    for (kind, max) in [(32, 8), (33, 25 + (8 << 16)), (34, 8), (35, 0), (7, 0), (8, 200)] {
        assert!(head::<ToParty>(max + 1, kind).is_ok() && head::<ToParty>(max + 2, kind).is_err(), "{kind}");
    }
    for (kind, max) in [(64, 45), (65, 8), (66, 9 + (8 << 16)), (67, 1 << 16), (7, 0), (8, 200)] {
        assert!(
            head::<ToClient>(max + 1, kind).is_ok() && head::<ToClient>(max + 2, kind).is_err(),
            "{kind}"
        );
    }
    // What goes one way is refused the other way.
    assert!(head::<ToParty>(9, 65).is_err() && head::<ToClient>(9, 32).is_err());
    assert!(head::<PeerMessage>(1, 35).is_err() && head::<ToParty>(50, 1).is_err());
}

/// The largest message of each type that has shares or frames can be said.
#[test]
fn the_largest_messages_fit() {
    let name: ClientName = "n".repeat(MAX_NAME).parse().unwrap();
    let part = Part { client: name, number: u64::MAX, count: MAX_QUERIES };
    let entry = Entry::Step { kind: WorkKind::Read, parts: vec![part; MAX_PARTS] };
    let bytes = Zeroizing::new(vec![1; HEADER_LENGTH + MAX_PAYLOAD]);
    let frame = NumberedFrame { lane: Lane::Making, number: u64::MAX, bytes };
    for message in [PeerMessage::Order(Order { number: u64::MAX, entry }), PeerMessage::Frame(frame)] {
        assert!(decode::<PeerMessage>(&encode(&message)).unwrap() == message);
    }
    let load = request(0, (WorkKind::Load, CHUNK_WORDS as u64), 0, 0);
    let update = request_of_rows(0, (WorkKind::Update, MAX_QUERIES), 0, 0, 512);
    assert_eq!((update.count, update.shares.len()), (127, 127 * 513));
    for message in [load, update].map(ToParty::Request) {
        assert!(decode::<ToParty>(&encode(&message)).unwrap() == message);
    }
    let outcome = Outcome::Done(Zeroizing::new(vec![1; MAX_SHARES]));
    let message = ToClient::Answer(Answer { number: 0, outcome });
    assert!(decode::<ToClient>(&encode(&message)).unwrap() == message);
}

/// The fields, one by one, where `WIRE.md` has them.
#[test]
fn every_field_is_where_the_table_says() {
    let session = SessionId(*b"0123456789abcdef");
    let introduction = Introduction {
        version: VERSION,
        protocol: 0x81,
        role: Role::P2,
        session,
        rows: 0x0a_0908_0706,
        row_words: 0x0103,
    };
    let hello = Hello { introduction, taken: [0x0102_0304_0506_0708, 9], orders: 0x0a0b };
    let expected = [
        &[59, 0, 0, 0, 1][..],
        b"DUOH\x03\x00\x81\x02",
        b"0123456789abcdef",
        &[
            6, 7, 8, 9, 10, 0, 0, 0, 3, 1, 8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0x0b, 0x0a, 0, 0,
            0, 0, 0, 0,
        ],
    ]
    .concat();
    assert_eq!(encode(&PeerMessage::Hello(hello))[..], expected);

    let order = |entry| encode(&PeerMessage::Order(Order { number: 3, entry })).to_vec();
    let part = Part { client: "ab".parse().unwrap(), number: 5, count: 6 };
    let step = Entry::Step { kind: WorkKind::Update, parts: vec![part] };
    let expected = [
        &[34, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0][..],
        b"\x02ab\x05\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0",
    ]
    .concat();
    assert_eq!(order(step), expected);
    let batch = Entry::Preprocess(Batch { reads: 2, updates: 1 });
    assert_eq!(order(batch), [18, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0]);
    let refusal = Refusal { reason: Reason::Expired, retry_after_ms: 0x0102, text: Text::new("late") };
    let refuse = Entry::Refuse { client: "c".parse().unwrap(), number: 4, refusal: refusal.clone() };
    let expected = [
        &[29, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0, 0, 3][..],
        b"\x01c\x04\0\0\0\0\0\0\0",
        b"\x02\x02\x01\0\0late",
    ]
    .concat();
    assert_eq!(order(refuse), expected);

    let shares = Zeroizing::new(vec![0x0807_0605_0403_0201, 0xff]);
    let write = Request { number: 7, kind: WorkKind::Write, count: 1, deadline_ms: 1000, piece: 0, shares };
    let expected = [
        &[42, 0, 0, 0, 33, 7, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0xe8, 3, 0, 0, 0, 0, 0, 0][..],
        &[1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0, 0, 0, 0, 0, 0, 0],
    ]
    .concat();
    assert_eq!(encode(&ToParty::Request(write))[..], expected);

    let welcome = Welcome {
        introduction: Introduction { role: Role::P1, rows: 16, row_words: 1, ..introduction },
        next: 6,
        rights: Rights::READ.and(Rights::LOAD),
        peers_up: [false, true],
    };
    let expected = [
        &[46, 0, 0, 0, 64][..],
        b"DUOW\x03\x00\x81\x01",
        b"0123456789abcdef",
        &[16, 0, 0, 0, 0, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1],
    ]
    .concat();
    assert_eq!(encode(&ToClient::Welcome(welcome))[..], expected);
    let answer = Answer { number: 8, outcome: Outcome::Refused(refusal) };
    let expected = [&[19, 0, 0, 0, 66, 8, 0, 0, 0, 0, 0, 0, 0, 1][..], b"\x02\x02\x01\0\0late"].concat();
    assert_eq!(encode(&ToClient::Answer(answer))[..], expected);
}

/// Each with what it expected and what it got.
#[test]
fn wrong_fields_are_refused_by_name() {
    let introduction = Introduction {
        version: VERSION,
        protocol: 2,
        role: Role::P0,
        session: SessionId([0; 16]),
        rows: 8,
        row_words: 5,
    };
    let hello = PeerMessage::Hello(Hello { introduction, taken: [0; 2], orders: 0 });
    let wrong = |place: usize, byte| {
        let mut bytes = encode(&hello).to_vec();
        bytes[HEAD_LENGTH + place] = byte;
        decode::<PeerMessage>(&bytes).unwrap_err().to_string()
    };
    assert_eq!(wrong(0, b'X'), "Hello: the bytes [44, 55, 4f, 48] expected first, got [58, 55, 4f, 48]");
    assert_eq!(wrong(4, 1), "Hello, version: 3 expected, got 1");
    assert_eq!(wrong(7, 3), "Hello, role: 0, 1 or 2 expected, got 3");
    assert_eq!(wrong(24, 0), "Hello, rows: 1 to 2^40 expected, got 0");
    assert_eq!(wrong(29, 1), "Hello, rows: 1 to 2^40 expected, got 1099511627784");
    assert_eq!(wrong(32, 0), "Hello, row_words: 1 to 512 expected, got 0");
    assert_eq!(wrong(33, 2), "Hello, row_words: 1 to 512 expected, got 517");

    let read = |count, words: usize| {
        let shares = Zeroizing::new(vec![1; words]);
        Request { number: 0, kind: WorkKind::Read, count, deadline_ms: 0, piece: 0, shares }
    };
    let refused = |request| decode::<ToParty>(&encode(&ToParty::Request(request))).unwrap_err();
    assert_eq!(refused(read(2, 3)), WireError::Shares { expected: 2, got: 3 });
    let words = 1 << 12;
    assert!(refused(read(MAX_QUERIES + 1, words)).to_string().contains("got 4097"));
    assert!(refused(read(0, 0)).to_string().contains("got 0"));
    let piece = Request { piece: 1, ..read(1, 1) };
    assert!(refused(piece).to_string().contains("piece"));
    let load = |count, piece, words: usize| {
        let shares = Zeroizing::new(vec![1; words]);
        Request { number: 0, kind: WorkKind::Load, count, deadline_ms: 0, piece, shares }
    };
    assert_eq!(refused(load(CHUNK_WORDS as u64 + 5, 1, 4)), WireError::Shares { expected: 5, got: 4 });
    assert_eq!(
        refused(load(CHUNK_WORDS as u64 + 5, 0, 4)),
        WireError::Shares { expected: CHUNK_WORDS as u64, got: 4 }
    );

    // Of whole rows, of which none has no word or more than 512.
    let update = |count, words: usize| {
        let shares = Zeroizing::new(vec![1; words]);
        Request { number: 0, kind: WorkKind::Update, count, deadline_ms: 0, piece: 0, shares }
    };
    assert_eq!(refused(update(3, 11)), WireError::Shares { expected: 9, got: 11 });
    assert_eq!(refused(update(3, 3)), WireError::Shares { expected: 6, got: 3 });
    assert_eq!(refused(update(2, 2 * 514)), WireError::Shares { expected: 2 * 513, got: 2 * 514 });
    assert_eq!(update(3, 12).check_shares(3), Ok(()));
    assert_eq!(update(3, 12).check_shares(1), Err(WireError::Shares { expected: 6, got: 12 }));

    // P1 holds nothing of what it does not allow; and nobody holds more than a request may have.
    let holds = |kind, count| {
        let message = PeerMessage::Holds { client: "c".parse().unwrap(), number: 0, kind, count };
        decode::<PeerMessage>(&encode(&message)).is_ok()
    };
    assert!(holds(WorkKind::Write, 0) && holds(WorkKind::Write, 1) && !holds(WorkKind::Write, 2));
    assert!(holds(WorkKind::Load, 1 << 48) && !holds(WorkKind::Load, (1 << 48) + 1));

    let part = Part { client: "c".parse().unwrap(), number: 0, count: 1 };
    let step = |kind, parts| Order { number: 0, entry: Entry::Step { kind, parts } };
    for order in [
        step(WorkKind::Read, vec![]),
        step(WorkKind::Write, vec![part.clone(); 2]),
        step(WorkKind::Chase, vec![part; 2]),
    ] {
        assert!(decode::<PeerMessage>(&encode(&PeerMessage::Order(order))).is_err());
    }
    for name in ["", "a b", "../x", "n\u{e4}me", &"n".repeat(65)] {
        assert!(name.parse::<ClientName>().is_err(), "{name}");
    }
}

/// At any level of detail: neither in decimal nor in hexadecimal digits.
#[test]
fn debug_shows_no_shares_and_no_frames() {
    const SECRET: u64 = 0x5ec2_e75e_c2e7_5ec2;
    let shares = || Zeroizing::new(vec![SECRET; 2]);
    let bytes = Zeroizing::new(SECRET.to_le_bytes().repeat(8));
    let shown = [
        format!("{:#?}", ToParty::Request(request(1, (WorkKind::Update, 1), 0, SECRET))),
        format!("{:#?}", ToClient::Answer(Answer { number: 1, outcome: Outcome::Done(shares()) })),
        format!("{:#?}", PeerMessage::Frame(NumberedFrame { lane: Lane::Memory, number: 1, bytes })),
    ];
    let [low, high, ..] = SECRET.to_le_bytes();
    for shown in shown {
        for secret in [format!("{SECRET}"), format!("{SECRET:x}"), format!("{low}"), format!("{high}")] {
            assert!(!shown.to_lowercase().contains(&secret), "{shown}");
        }
        assert!(shown.contains("shares") || shown.contains("bytes"), "{shown}");
    }
}

/// Neither is who speaks of words to be taken for one who speaks of rows.
#[cfg(feature = "links")]
#[test]
fn an_introduction_of_other_rows_is_another() {
    let (session, version, protocol, role) = (SessionId([0; 16]), VERSION, 2, Role::P0);
    let of = |rows, row_words| Introduction { version, protocol, role, session, rows, row_words };
    assert_eq!(of(8, 3).check(&of(8, 3)), Ok(()));
    let difference = |got| of(8, 3).check(&got).unwrap_err().to_string();
    assert_eq!(difference(of(8, 2)), "expected row_words 3, got 2");
    assert_eq!(difference(of(7, 3)), "expected rows 8, got 7");
}

#[test]
fn rights_allow_what_they_name() {
    let allowed = |rights: Rights| WorkKind::ALL.map(|kind| rights.allow(kind));
    assert_eq!(allowed(Rights::NONE), [false; 6]);
    assert_eq!(allowed(Rights::READ), [true, false, false, false, true, false]);
    assert_eq!(allowed(Rights::UPDATE), [false, true, true, true, false, false]);
    assert_eq!(allowed(Rights::LOAD), [false, false, false, false, false, true]);
    assert_eq!(allowed(Rights::READ.and(Rights::UPDATE).and(Rights::LOAD)), [true; 6]);
}
