//! What is logged, at the most verbose level: no word of what is said.

use duoram_link::{Answer, NumberedFrame, Outcome, Request, ToClient, ToParty, WorkKind, encode};
use duoram_reference::{HEADER_LENGTH, Lane};
use tracing::level_filters::LevelFilter;
use zeroize::Zeroizing;

use super::*;
use crate::engine::Outside;
use crate::log::Log;

/// A word that occurs nowhere else; all of its bytes differ.
const SECRET: u64 = 0x9d1c_5ab7_e36f_2884;

/// The word as it might be written: raw, in digits of both bases, in a list of bytes; little-endian and big-endian.
fn ways_to_write() -> Vec<Vec<u8>> {
    let mut ways = vec![SECRET.to_string().into_bytes()];
    for bytes in [SECRET.to_le_bytes(), SECRET.to_be_bytes()] {
        let hex = format!("{:016x}", u64::from_be_bytes(bytes));
        let list: Vec<String> = bytes[..4].iter().map(u8::to_string).collect();
        ways.push(bytes.to_vec());
        ways.push(hex.to_uppercase().into_bytes());
        ways.push(hex.into_bytes());
        ways.push(list.join(", ").into_bytes());
    }
    ways
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn no_word_of_what_is_said_is_in_the_log_at_any_level() {
    let log = Log::default();
    // All tasks of this test run on this thread.
    let _guard = tracing::subscriber::set_default(log.subscriber(LevelFilter::TRACE));

    let words = |count| Zeroizing::new(vec![SECRET; count]);
    let secret_bytes = Zeroizing::new(SECRET.to_le_bytes().repeat(HEADER_LENGTH));
    let frame = |number| {
        PeerMessage::Frame(NumberedFrame { lane: Lane::Making, number, bytes: secret_bytes.clone() })
    };
    let keys = Keys::new();
    let mut settings = keys.settings(Role::P0, &[]);
    settings.limits.outbound_bytes = 1 << 12;
    let mut p0 = Host::start(settings).await;
    let mut p1 = Host::start(keys.settings(Role::P1, &[(Role::P0, p0.edge.address())])).await;
    let (at_0, at_1) = (p0.peer(Role::P1).await, p1.peer(Role::P0).await);
    p0.voice.to_peer(at_0, frame(0));
    p1.voice.to_peer(at_1, frame(0));
    assert!(matches!(p0.next().await, Input::FromPeer(_, PeerMessage::Frame(_))));
    assert!(matches!(p1.next().await, Input::FromPeer(_, PeerMessage::Frame(_))));
    p0.voice.hang_up(at_0, "for a reason");

    // A client asks and is answered; then says what is no message, and is made of secrets too.
    let mut client = p0.call(&keys.client, Channel::Client).await.unwrap();
    let request =
        Request { number: 0, kind: WorkKind::Update, count: 2, deadline_ms: 0, piece: 0, shares: words(4) };
    let bytes = encode(&ToParty::Request(request));
    client.sender.send(&bytes, LONG).await.unwrap();
    let number = loop {
        if let Input::FromClient(number, ToParty::Request(_)) = p0.next().await {
            break number;
        }
    };
    let answer = |count| ToClient::Answer(Answer { number: 0, outcome: Outcome::Done(words(count)) });
    p0.voice.to_client(number, answer(4));
    let mut garbled = bytes.to_vec();
    garbled[13] = 0xff;
    client.sender.send(&garbled, LONG).await.unwrap();
    let (heard, _) = all_of(&mut client, &ToClient::Heartbeat).await;
    assert!(matches!(&heard[..], [ToClient::Answer(_), ToClient::Goodbye(_)]), "{heard:?}");

    // One that is dropped for what it does not fetch, and one that is refused.
    let _client = p0.call(&keys.client, Channel::Client).await.unwrap();
    let number = loop {
        if let Input::Client(number, _) = p0.next().await {
            break number;
        }
    };
    (0..9).for_each(|_| p0.voice.to_client(number, answer(300)));
    let mut stranger = p0.call(&keys.stranger, Channel::Client).await.unwrap();
    assert_eq!(stranger.receiver.receive::<ToClient>(LONG).await, Err(LinkError::KeyNotKnown));
    p0.counted(Count::Refused, 1).await;
    p0.edge.stop().await;
    p1.edge.stop().await;

    let log = log.bytes();
    for expected in
        ["connected", "said goodbye", "dropped: what is to leave does not", "refused", "kind: 0 to 5"]
    {
        assert!(
            contains(&log, expected.as_bytes()),
            "{expected} is not in\n{}",
            String::from_utf8_lossy(&log)
        );
    }
    for way in ways_to_write() {
        assert!(!contains(&log, &way), "{}", String::from_utf8_lossy(&log));
    }
}
