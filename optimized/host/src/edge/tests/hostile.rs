//! Callers that are wrong, in key, in what they say, or in number. In each case a right peer still gets through, and soon.

use std::net::Ipv4Addr;

use duoram_link::{Text, ToClient, WireError, encode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::*;

/// How long a right peer may take to get through.
const SOON: Duration = Duration::from_secs(10);

/// A right peer calls, is let in within [`SOON`], and is heard.
async fn a_right_peer_gets_through(p0: &Host, keys: &Keys) {
    let start = Instant::now();
    loop {
        // One that was dropped for others calls again, as a dialer does.
        if let Ok(mut line) = p0.call(keys.of(Role::P1), Channel::Peer).await
            && line.sender.send(&encode(&hello(Role::P1)), LONG).await.is_ok()
            && line.receiver.receive::<PeerMessage>(Duration::from_millis(20)).await
                == Err(LinkError::Timeout { what: "to hear a message", after: Duration::from_millis(20) })
        {
            let number = p0.peer(Role::P1).await;
            while !matches!(p0.next().await, Input::FromPeer(n, PeerMessage::Hello(_)) if n == number) {}
            break;
        }
        assert!(start.elapsed() < SOON, "kept out");
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// Calls from one of this machine's other addresses.
async fn call_from(host: u8, p0: &Host) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 1, host), 0).into()).unwrap();
    socket.connect(p0.edge.address()).await.unwrap()
}

#[tokio::test]
async fn a_stranger_is_refused_and_both_ends_know_why() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    for channel in Channel::ALL {
        let mut line = p0.call(&keys.stranger, channel).await.unwrap();
        assert_eq!(line.receiver.receive::<PeerMessage>(LONG).await, Err(LinkError::KeyNotKnown));
    }
    assert!(p0.inputs.try_recv().is_err());
    a_right_peer_gets_through(&p0, &keys).await;
    p0.counted(Count::Refused, 2).await;
}

/// A party that calls where another one answers: the caller refuses it, and does not stop calling.
#[tokio::test]
async fn somebody_elses_party_is_not_spoken_to() {
    let (keys, others) = (Keys::new(), Keys::new());
    let wrong = Host::start(others.settings(Role::P0, &[])).await;
    let p1 = Host::start(keys.settings(Role::P1, &[(Role::P0, wrong.edge.address())])).await;
    let start = Instant::now();
    while p1.edge.counts().get(Count::Unreached) < 3 && start.elapsed() < LONG {
        sleep(Duration::from_millis(5)).await;
    }
    assert!(p1.edge.counts().get(Count::Unreached) >= 3);
    assert!(p1.inputs.try_recv().is_err() && wrong.inputs.try_recv().is_err());
}

/// A key is good for one thing only.
#[tokio::test]
async fn a_key_on_the_wrong_channel_or_in_the_wrong_direction_is_refused() {
    let keys = Keys::new();
    let p1 = Host::start(keys.settings(Role::P1, &[])).await;
    let cases = [
        (&keys.client, Channel::Peer, "this key is a client's, and calls as a party"),
        (keys.of(Role::P2), Channel::Client, "this key is a party's, and calls as a client"),
        (keys.of(Role::P0), Channel::Peer, "P1 calls P0, not P0 P1"),
    ];
    for (identity, channel, reason) in cases {
        let mut line = p1.call(identity, channel).await.unwrap();
        let text = match channel {
            Channel::Peer => match line.receiver.receive::<PeerMessage>(LONG).await {
                Ok(PeerMessage::Goodbye(text)) => text,
                other => panic!("{other:?}"),
            },
            Channel::Client => match line.receiver.receive::<ToClient>(LONG).await {
                Ok(ToClient::Goodbye(text)) => text,
                other => panic!("{other:?}"),
            },
        };
        assert_eq!(text, Text::new(reason));
    }
    assert!(p1.inputs.try_recv().is_err());
}

/// Whoever is in says what is no message: is told what was expected, and is out. Nothing of it comes to the engine.
#[tokio::test]
async fn garbage_after_the_handshake_is_refused_in_words() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let mut other_version = encode(&hello(Role::P1)).to_vec();
    other_version[9] = 1;
    let oversized = [0xff, 0xff, 0xff, 0xff, 2];
    let cases = [
        (&b"\xff\xff\xff\xff\xff and so on"[..], WireError::UnknownType { got: 0xff }),
        (&oversized, WireError::TooLong { message: "Frame", max: 67_108_913, got: 0xffff_fffe }),
        (&other_version, WireError::Field { message: "Hello", field: "version", expected: "3", got: 1 }),
        (&[0, 0, 0, 0, 1], WireError::Empty),
    ];
    for (said, expected) in cases {
        let mut line = p0.call(keys.of(Role::P1), Channel::Peer).await.unwrap();
        line.sender.send(said, LONG).await.unwrap();
        let (heard, end) = all_of(&mut line, &PeerMessage::Heartbeat).await;
        assert_eq!(heard, [PeerMessage::Goodbye(Text::new(&expected))]);
        assert_eq!(end, LinkError::Closed);
        let number = p0.peer(Role::P1).await;
        assert!(matches!(p0.next().await, Input::Gone(n) if n == number));
    }
    p0.counted(Count::Garbled, 4).await;
    a_right_peer_gets_through(&p0, &keys).await;
}

#[tokio::test]
async fn garbage_before_the_handshake_keeps_nobody_out() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let noise: Vec<u8> = (0..9000_u32).map(|i| u8::try_from(i * 37 % 253).unwrap()).collect();
    for said in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 3000], &noise, &[22, 3, 1, 0xff, 0xff]] {
        for host in 1..20 {
            let mut stream = call_from(host, &p0).await;
            // It may hang up in the middle.
            let _ = stream.write_all(said).await;
            let heard = stream.read(&mut [0; 9]).await;
            assert!(heard.is_err() || heard.is_ok_and(|got| got == 0 || got == 7));
        }
    }
    a_right_peer_gets_through(&p0, &keys).await;
    p0.counted(Count::Refused, 4 * 19).await;
}

/// A byte now and then, from more callers than there is room for, for as long as they like.
#[tokio::test]
async fn callers_that_drip_keep_nobody_out() {
    let keys = Keys::new();
    let mut settings = keys.settings(Role::P0, &[]);
    settings.timeouts.handshake = Duration::from_secs(1);
    let p0 = Host::start(settings).await;
    let mut drips = Vec::new();
    for host in 1..100 {
        let mut stream = call_from(host, &p0).await;
        drips.push(tokio::spawn(async move {
            // The head of a handshake that would go on for 16 KiB.
            for byte in [22, 3, 1, 0x3f, 0xff].into_iter().chain(std::iter::repeat(1)) {
                if stream.write_all(&[byte]).await.is_err() {
                    return;
                }
                sleep(Duration::from_millis(50)).await;
            }
        }));
    }
    a_right_peer_gets_through(&p0, &keys).await;
    // All of them are out when their time is over.
    for drip in drips {
        tokio::time::timeout(LONG, drip).await.expect("is still in").unwrap();
    }
}

/// The file descriptors that this process may have.
fn descriptors() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    line.and_then(|line| line.split_whitespace().nth(3)).and_then(|most| most.parse().ok()).unwrap_or(256)
}

/// 10,000 that connect and say nothing, or as many as the limit of file descriptors allows.
#[tokio::test]
async fn idle_callers_in_number_keep_nobody_out() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let idle = 10_000.min(descriptors().saturating_sub(400));
    println!("{idle} idle callers");
    let mut held = Vec::with_capacity(idle);
    for index in 0..idle {
        held.push(call_from(u8::try_from(index % 250).unwrap() + 1, &p0).await);
        if index % 2_500 == 2_499 {
            a_right_peer_gets_through(&p0, &keys).await;
        }
    }
    a_right_peer_gets_through(&p0, &keys).await;
    // All but a few were hung up on: those wait out their time.
    let counts = p0.edge.counts();
    let limit = p0.edge.shared.settings.limits.callers;
    assert!(counts.get(Count::Dropped) + limit as u64 >= idle as u64);
    let start = Instant::now();
    let mut open = held.len();
    while open > limit && start.elapsed() < LONG {
        open = 0;
        for stream in &mut held {
            let read = tokio::time::timeout(Duration::from_micros(100), stream.read(&mut [0])).await;
            open += usize::from(read.is_err());
        }
    }
    assert!(open <= limit, "{open}");
}

/// As many from one address as there may be in all do not even cost those from others their place.
#[tokio::test]
async fn one_address_has_a_share_only() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let mut first = call_from(1, &p0).await;
    let mut held = Vec::new();
    for _ in 0..200 {
        held.push(call_from(2, &p0).await);
    }
    a_right_peer_gets_through(&p0, &keys).await;
    let waits = tokio::time::timeout(Duration::from_millis(50), first.read(&mut [0])).await;
    assert!(waits.is_err(), "the caller from another address was dropped");
}
