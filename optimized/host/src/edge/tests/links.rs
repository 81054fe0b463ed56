//! Peers and clients that are right.

use duoram_link::{Text, ToClient, ToParty, encode};
use duoram_reference::{HEADER_LENGTH, Lane};
use zeroize::Zeroizing;

use super::*;
use crate::engine::Outside;

fn frame(number: u64, length: usize) -> PeerMessage {
    let bytes = Zeroizing::new(vec![7; HEADER_LENGTH + length]);
    PeerMessage::Frame(duoram_link::NumberedFrame { lane: Lane::Memory, number, bytes })
}

/// The lower party listens, the higher one calls; messages arrive in order, large and small.
#[tokio::test]
async fn two_parties_meet_talk_and_meet_again() {
    let keys = Keys::new();
    let mut p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let mut p1 = Host::start(keys.settings(Role::P1, &[(Role::P0, p0.edge.address())])).await;
    for round in 0..2 {
        let (at_0, at_1) = (p0.peer(Role::P1).await, p1.peer(Role::P0).await);
        let said: Vec<_> = (0..50).map(|i| frame(i, if i % 10 == 3 { 1 << 20 } else { 100 })).collect();
        p0.voice.to_peer(at_0, hello(Role::P0));
        p1.voice.to_peer(at_1, hello(Role::P1));
        for message in &said {
            p0.voice.to_peer(at_0, message.clone());
        }
        assert!(matches!(p0.next().await, Input::FromPeer(n, m) if n == at_0 && m == hello(Role::P1)));
        assert!(matches!(p1.next().await, Input::FromPeer(n, m) if n == at_1 && m == hello(Role::P0)));
        for expected in &said {
            assert!(matches!(p1.next().await, Input::FromPeer(n, m) if n == at_1 && m == *expected));
        }
        // What is said on a number that is no connection is dropped.
        p0.voice.to_peer(at_0 + 100, hello(Role::P0));
        p0.voice.hang_up(at_0, "for a reason");
        let goodbye = PeerMessage::Goodbye(Text::new("for a reason"));
        assert!(matches!(p1.next().await, Input::FromPeer(n, m) if n == at_1 && m == goodbye));
        assert!(matches!(p1.next().await, Input::Gone(n) if n == at_1), "round {round}");
        assert!(matches!(p0.next().await, Input::Gone(n) if n == at_0), "round {round}");
    }
}

/// A party that was not there when it was called first, or went away, is found when it is back.
#[tokio::test]
async fn a_peer_that_comes_back_is_found() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let address = p0.edge.address();
    let p1 = Host::start(keys.settings(Role::P1, &[(Role::P0, address)])).await;
    let first = p1.peer(Role::P0).await;
    // Who called is up first; the other end says goodbye only on a connection that it has.
    p0.peer(Role::P1).await;
    p0.edge.stop().await;
    assert!(matches!(p1.next().await, Input::FromPeer(n, PeerMessage::Goodbye(_)) if n == first));
    assert!(matches!(p1.next().await, Input::Gone(n) if n == first));
    sleep(Duration::from_millis(100)).await;
    let mut settings = keys.settings(Role::P0, &[]);
    settings.listen = address;
    let p0 = Host::start(settings).await;
    assert!(p1.peer(Role::P0).await > first);
    p0.peer(Role::P1).await;
    assert!(p1.edge.counts().get(Count::Unreached) > 0);
}

/// Of each peer and each client there is one connection: the newest. The older one is told.
#[tokio::test]
async fn a_newer_connection_takes_the_place_of_the_older() {
    let keys = Keys::new();
    let mut p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let mut older = p0.call(keys.of(Role::P2), Channel::Peer).await.unwrap();
    let first = p0.peer(Role::P2).await;
    let mut newer = p0.call(keys.of(Role::P2), Channel::Peer).await.unwrap();
    let second = p0.peer(Role::P2).await;
    let (heard, end) = all_of(&mut older, &PeerMessage::Heartbeat).await;
    assert_eq!(end, LinkError::Closed);
    let [PeerMessage::Goodbye(reason)] = &heard[..] else { panic!("{heard:?}") };
    assert!(reason.as_str().contains("newer connection"), "{reason}");
    assert!(matches!(p0.next().await, Input::Gone(n) if n == first));
    p0.voice.to_peer(first, hello(Role::P1));
    p0.voice.to_peer(second, hello(Role::P0));
    assert!(newer.receiver.receive::<PeerMessage>(LONG).await.unwrap() == hello(Role::P0));

    let mut older = p0.call(&keys.client, Channel::Client).await.unwrap();
    assert!(matches!(p0.next().await, Input::Client(_, who) if who == name()));
    let _newer = p0.call(&keys.client, Channel::Client).await.unwrap();
    let (heard, _) = all_of(&mut older, &ToClient::Heartbeat).await;
    assert!(matches!(&heard[..], [ToClient::Goodbye(_)]), "{heard:?}");
}

#[tokio::test]
async fn a_client_is_known_by_its_key() {
    let keys = Keys::new();
    let mut p1 = Host::start(keys.settings(Role::P1, &[])).await;
    let mut line = p1.call(&keys.client, Channel::Client).await.unwrap();
    let Input::Client(number, who) = p1.next().await else { panic!() };
    assert_eq!(who, name());
    p1.voice.to_client(number, ToClient::Accepted { number: 9 });
    assert_eq!(line.receiver.receive::<ToClient>(LONG).await, Ok(ToClient::Accepted { number: 9 }));
    for message in [ToParty::Status, ToParty::Heartbeat, ToParty::Begin { first: 3 }] {
        line.sender.send(&encode(&message), LONG).await.unwrap();
    }
    // Heartbeats are the edge's own.
    for expected in [ToParty::Status, ToParty::Begin { first: 3 }] {
        assert!(matches!(p1.next().await, Input::FromClient(n, m) if n == number && m == expected));
    }
    drop(line);
    assert!(matches!(p1.next().await, Input::Gone(n) if n == number));
}

#[tokio::test]
async fn clients_beyond_the_limit_are_told_so() {
    let keys = Keys::new();
    let second = Identity::generate().unwrap();
    let mut settings = keys.settings(Role::P0, &[]);
    settings.clients.insert("d".parse().unwrap(), vec![second.pin()]);
    settings.limits.clients = 1;
    let p0 = Host::start(settings).await;
    let line = p0.call(&keys.client, Channel::Client).await.unwrap();
    let Input::Client(number, _) = p0.next().await else { panic!() };
    let mut refused = p0.call(&second, Channel::Client).await.unwrap();
    let (heard, _) = all_of(&mut refused, &ToClient::Heartbeat).await;
    assert_eq!(heard, [ToClient::Goodbye(Text::new("at most 1 clients may be connected"))]);
    // When one leaves there is room.
    drop(line);
    assert!(matches!(p0.next().await, Input::Gone(n) if n == number));
    let _line = p0.call(&second, Channel::Client).await.unwrap();
    assert!(matches!(p0.next().await, Input::Client(_, who) if who.as_str() == "d"));
}

fn quick(settings: &mut Settings) {
    settings.timeouts.heartbeat = Duration::from_millis(100);
    settings.timeouts.dead = Duration::from_millis(1500);
}

/// Both ends say that they are there, and so a silent link lives; one that says nothing at all is dead, and is told.
#[tokio::test]
async fn silence_is_broken_by_heartbeats_and_ended_without_them() {
    let keys = Keys::new();
    let mut settings = keys.settings(Role::P0, &[]);
    quick(&mut settings);
    let mut p0 = Host::start(settings).await;
    let mut settings = keys.settings(Role::P1, &[(Role::P0, p0.edge.address())]);
    quick(&mut settings);
    let mut p1 = Host::start(settings).await;
    let (at_0, at_1) = (p0.peer(Role::P1).await, p1.peer(Role::P0).await);
    p0.voice.to_peer(at_0, hello(Role::P0));
    p1.voice.to_peer(at_1, hello(Role::P1));
    let mut silent = p0.call(&keys.client, Channel::Client).await.unwrap();
    // The client is given up; the peers, who have said nothing either, are still connected.
    let mut seen = Vec::new();
    while !matches!(seen.last(), Some(Input::Gone(_))) {
        seen.push(p0.next().await);
    }
    let [Input::FromPeer(_, PeerMessage::Hello(_)), Input::Client(client, _), Input::Gone(gone)] = &seen[..]
    else {
        panic!("{seen:?}")
    };
    assert_eq!(client, gone);
    let (heard, _) = all_of(&mut silent, &ToClient::Heartbeat).await;
    let [ToClient::Goodbye(reason)] = &heard[..] else { panic!("{heard:?}") };
    assert!(reason.as_str().contains("longer than 1500 ms"), "{reason}");
    sleep(Duration::from_millis(1600)).await;
    assert!(p0.inputs.try_recv().is_err());
}

/// A peer's hello has a time of its own.
#[tokio::test]
async fn a_peer_that_says_no_hello_is_given_up_early() {
    let keys = Keys::new();
    let mut settings = keys.settings(Role::P0, &[]);
    settings.timeouts.handshake = Duration::from_millis(1500);
    let p0 = Host::start(settings).await;
    let mut line = p0.call(keys.of(Role::P1), Channel::Peer).await.unwrap();
    let number = p0.peer(Role::P1).await;
    assert!(matches!(p0.next().await, Input::Gone(n) if n == number));
    let (heard, _) = all_of(&mut line, &PeerMessage::Heartbeat).await;
    assert!(matches!(&heard[..], [PeerMessage::Goodbye(_)]), "{heard:?}");
}

/// While the engine is busy nothing is lost, and who speaks to it waits.
#[tokio::test]
async fn what_the_engine_has_no_time_for_waits() {
    let keys = Keys::new();
    let p0 = Host::start(keys.settings(Role::P0, &[])).await;
    let mut line = p0.call(keys.of(Role::P1), Channel::Peer).await.unwrap();
    let all = 3 * super::super::MAX_INPUTS as u64;
    let speak = tokio::spawn(async move {
        line.sender.send(&encode(&hello(Role::P1)), LONG).await.unwrap();
        for taken in 0..all {
            line.sender.send(&encode(&PeerMessage::Ordered { taken }), LONG).await.unwrap();
        }
        line
    });
    let _line = speak.await.unwrap();
    let number = p0.peer(Role::P1).await;
    assert!(matches!(p0.next().await, Input::FromPeer(_, PeerMessage::Hello(_))));
    for expected in 0..all {
        let Input::FromPeer(n, PeerMessage::Ordered { taken }) = p0.next().await else { panic!() };
        assert_eq!((n, taken), (number, expected));
    }
}

/// A client that fetches nothing costs no more than the limit.
#[tokio::test]
async fn a_client_that_does_not_listen_is_dropped() {
    let keys = Keys::new();
    let mut settings = keys.settings(Role::P0, &[]);
    settings.limits.outbound_bytes = 1 << 20;
    let mut p0 = Host::start(settings).await;
    let _line = p0.call(&keys.client, Channel::Client).await.unwrap();
    let Input::Client(number, _) = p0.next().await else { panic!() };
    let mut said = 0;
    while p0.inputs.try_recv().is_err() {
        p0.voice.to_client(number, ToClient::StatusReport("x".repeat(1 << 14)));
        said += 1;
        assert!(said < 10_000, "nothing stops it");
        tokio::task::yield_now().await;
    }
    assert_eq!(p0.edge.counts().get(Count::Overflowed), 1);
    // Its next connection is as any.
    let _line = p0.call(&keys.client, Channel::Client).await.unwrap();
    assert!(matches!(p0.next().await, Input::Client(n, _) if n > number));
}
