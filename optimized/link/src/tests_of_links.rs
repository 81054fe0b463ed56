//! Who gets in, who does not, and what both ends are told.

use std::time::Duration;

use duoram_reference::HEADER_LENGTH;
use duoram_reference::Lane;
use rustls_pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_rustls::{TlsAcceptor, TlsConnector};
use zeroize::Zeroizing;

use crate::*;

const PATIENCE: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(100);

fn identity() -> Identity {
    Identity::generate().unwrap()
}

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

type Met = (Result<Connection, LinkError>, Result<Connection, LinkError>);

/// Two ends, each with its identity and the keys that it pins: what each gets.
async fn meet(caller: (&Identity, &[Pin]), answerer: (&Identity, &[Pin]), channel: Channel) -> Met {
    let (listener, address) = listener().await;
    let dialer = Dialer::new(caller.0, &address, caller.1, channel, Timeouts::default()).unwrap();
    let answers = Answerer::new(answerer.0, answerer.1).unwrap();
    let answer = async { answers.answer(listener.accept().await.unwrap().0, PATIENCE).await };
    let call = async {
        let mut connection = dialer.connect().await?;
        // A caller learns whether it was let in by what it hears.
        match connection.receiver.receive::<PeerMessage>(SHORT).await {
            Err(LinkError::Timeout { .. }) => Ok(connection),
            Err(error) => Err(error),
            Ok(message) => panic!("{message:?}"),
        }
    };
    tokio::join!(call, answer)
}

#[tokio::test]
async fn those_whose_keys_are_pinned_meet_and_know_each_other() {
    let (a, b, old) = (identity(), identity(), identity());
    for channel in Channel::ALL {
        // Two pins, while a key is replaced: both are good.
        let pins = [old.pin(), b.pin()];
        let (called, answered) = meet((&a, &pins), (&b, &[a.pin()]), channel).await;
        let (mut called, mut answered) = (called.unwrap(), answered.unwrap());
        assert_eq!((called.who, answered.who), (b.pin(), a.pin()));
        assert_eq!((called.channel, answered.channel), (channel, channel));
        // What one says the other hears, large or small, both ways.
        let frame = |byte, length| {
            let bytes = Zeroizing::new(vec![byte; HEADER_LENGTH + length]);
            PeerMessage::Frame(NumberedFrame { lane: Lane::Memory, number: 7, bytes })
        };
        for (there, back) in [(frame(1, 0), PeerMessage::Heartbeat), (frame(2, 3 << 20), frame(3, 70_000))] {
            let (there_bytes, back_bytes) = (encode(&there), encode(&back));
            let (sent, heard, replied, got) = tokio::join!(
                called.sender.send(&there_bytes, PATIENCE),
                answered.receiver.receive::<PeerMessage>(PATIENCE),
                answered.sender.send(&back_bytes, PATIENCE),
                called.receiver.receive::<PeerMessage>(PATIENCE),
            );
            assert!(sent.is_ok() && replied.is_ok());
            assert!(heard.unwrap() == there && got.unwrap() == back);
        }
        called.sender.close(PATIENCE).await.unwrap();
        let over = answered.receiver.receive::<PeerMessage>(PATIENCE).await;
        assert_eq!(over, Err(LinkError::Closed));
    }
}

#[tokio::test]
async fn a_caller_with_another_key_is_refused_and_both_ends_say_so() {
    let (a, b, other) = (identity(), identity(), identity());
    let (called, answered) = meet((&a, &[b.pin()]), (&b, &[other.pin()]), Channel::Peer).await;
    assert_eq!(called.err(), Some(LinkError::KeyNotKnown));
    assert_eq!(answered.err(), Some(LinkError::WrongKey { got: a.pin() }));
}

#[tokio::test]
async fn an_answerer_with_another_key_is_refused_and_both_ends_say_so() {
    let (a, b, other) = (identity(), identity(), identity());
    let (called, answered) = meet((&a, &[other.pin()]), (&b, &[a.pin()]), Channel::Peer).await;
    assert_eq!(called.err(), Some(LinkError::WrongKey { got: b.pin() }));
    assert_eq!(answered.err(), Some(LinkError::KeyNotKnown));
}

/// A certificate is public. Who shows somebody else's has no key to sign the handshake with.
#[tokio::test]
async fn a_stolen_certificate_without_its_key_is_refused() {
    let (a, b, mut thief) = (identity(), identity(), identity());
    let stolen = rustls::sign::CertifiedKey::new(a.certified.cert.clone(), thief.certified.key.clone());
    thief.certified = std::sync::Arc::new(stolen);
    let (_, answered) = meet((&thief, &[b.pin()]), (&b, &[a.pin()]), Channel::Peer).await;
    assert!(matches!(answered.err(), Some(LinkError::Tls(_))));
}

/// Both ends of a handshake with the configurations as they are, changed by the test.
async fn shake(
    change: impl FnOnce(&mut rustls::ClientConfig),
) -> (std::io::Result<tokio_rustls::server::TlsStream<Socket>>, Identity) {
    let (a, b) = (identity(), identity());
    let (listener, address) = listener().await;
    let mut config = pinned::calling(&a, &[b.pin()], Channel::Peer).unwrap();
    change(&mut config);
    let connector = TlsConnector::from(std::sync::Arc::new(config));
    let acceptor = TlsAcceptor::from(std::sync::Arc::new(pinned::answering(&b, &[a.pin()]).unwrap()));
    let call = async {
        let stream = TcpStream::connect(&address).await.unwrap();
        connector.connect(ServerName::try_from("localhost").unwrap(), stream).await
    };
    let answer = async { acceptor.accept(Socket::new(listener.accept().await.unwrap().0)).await };
    let (_called, answered) = tokio::join!(call, answer);
    (answered, a)
}

#[tokio::test]
async fn the_key_exchange_is_post_quantum_and_nothing_is_resumed() {
    let (answered, _) = shake(|_| {}).await;
    let stream = answered.unwrap();
    let state = stream.get_ref().1;
    let group = state.negotiated_key_exchange_group().unwrap();
    assert_eq!(group.name(), rustls::NamedGroup::X25519MLKEM768);
    assert_eq!(state.protocol_version(), Some(rustls::ProtocolVersion::TLSv1_3));
    assert_eq!(state.handshake_kind(), Some(rustls::HandshakeKind::Full));
    let config = pinned::answering(&identity(), &[]).unwrap();
    assert_eq!((config.send_tls13_tickets, config.max_early_data_size), (0, 0));
    assert!(!config.session_storage.can_cache());
}

#[tokio::test]
async fn without_our_alpn_nobody_gets_in() {
    let (answered, _) = shake(|config| config.alpn_protocols = vec![b"h2".to_vec()]).await;
    assert_eq!(LinkError::from(answered.err().unwrap()), LinkError::WrongChannel);
    // A caller that offers none is let through by TLS.
    let (answered, _) = shake(|config| config.alpn_protocols.clear()).await;
    let stream = answered.unwrap();
    let address = "127.0.0.1:1".parse().unwrap();
    let refused = Connection::of(tokio_rustls::TlsStream::Server(stream), address);
    assert_eq!(refused.err(), Some(LinkError::WrongChannel));
}

/// A caller that shows no certificate.
#[derive(Debug)]
struct Nobody;

impl rustls::client::ResolvesClientCert for Nobody {
    fn resolve(
        &self,
        _: &[&[u8]],
        _: &[rustls::SignatureScheme],
    ) -> Option<std::sync::Arc<rustls::sign::CertifiedKey>> {
        None
    }

    fn has_certs(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn without_a_certificate_nobody_gets_in() {
    let nobody = std::sync::Arc::new(Nobody);
    let (answered, _) = shake(|config| config.client_auth_cert_resolver = nobody).await;
    assert!(answered.unwrap_err().to_string().contains("no certificates"));
}

/// A ClientHello of TLS 1.2, as old programs send it: no `supported_versions`.
fn hello_of_1_2() -> Vec<u8> {
    let mut body = vec![3, 3];
    body.extend([7; 32]);
    // No session; two ECDHE suites with AES-GCM; no compression.
    body.extend([0, 0, 4, 0xc0, 0x2b, 0xc0, 0x2f, 1, 0]);
    // supported_groups: X25519; ec_point_formats; signature_algorithms: ecdsa_secp256r1_sha256.
    let extensions: [u8; 22] = [0, 10, 0, 4, 0, 2, 0, 29, 0, 11, 0, 2, 1, 0, 0, 13, 0, 4, 0, 2, 4, 3];
    body.extend([0, 22]);
    body.extend(extensions);
    let length = u8::try_from(body.len()).unwrap();
    [&[22, 3, 1, 0, length + 4, 1, 0, 0, length][..], &body].concat()
}

/// What an answerer says to a caller who says this first, and what the caller hears.
async fn answer_to(said: &[u8]) -> (LinkError, Vec<u8>) {
    let (b, a) = (identity(), identity());
    let (listener, address) = listener().await;
    let answers = Answerer::new(&b, &[a.pin()]).unwrap();
    let answer = async {
        answers.answer(listener.accept().await.unwrap().0, Duration::from_millis(500)).await.err().unwrap()
    };
    let call = async {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(said).await.unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).await.unwrap();
        heard
    };
    tokio::join!(answer, call)
}

#[tokio::test]
async fn tls_1_2_is_refused() {
    let (error, heard) = answer_to(&hello_of_1_2()).await;
    // The alert protocol_version, fatal.
    assert_eq!(heard, [21, 3, 3, 0, 2, 2, 70]);
    let LinkError::Tls(text) = error else { panic!("{error:?}") };
    assert!(text.contains("Tls12NotOffered") || text.contains("SupportedVersions"), "{text}");
}

#[tokio::test]
async fn garbage_before_the_handshake_is_refused_and_answered() {
    let noise: Vec<u8> = (0..5000_u32).map(|i| u8::try_from(i * 31 % 251).unwrap()).collect();
    for garbage in [&b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"[..], &[0; 100], &noise, b"SSH-2.0-x\r\n"] {
        let (error, heard) = answer_to(garbage).await;
        assert!(matches!(error, LinkError::Tls(_)), "{error:?}");
        assert_eq!(heard.first(), Some(&21), "an alert");
    }
    // A head that promises more than ever comes.
    let (error, _) = answer_to(&[22, 3, 1, 2, 0, 1, 0, 1, 252]).await;
    assert!(matches!(error, LinkError::Timeout { .. }), "{error:?}");
}

/// The answerer does not wait for one that is silent or slow, however many bytes come.
#[tokio::test]
async fn a_slow_handshake_is_over_when_its_time_is() {
    let (listener, address) = listener().await;
    let answers = Answerer::new(&identity(), &[]).unwrap();
    let drip = tokio::spawn(async move {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        for byte in hello_of_1_2() {
            if stream.write_all(&[byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let start = Instant::now();
    let error = answers.answer(listener.accept().await.unwrap().0, SHORT).await.err();
    assert!(matches!(error, Some(LinkError::Timeout { .. })), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    drip.abort();
}

#[tokio::test]
async fn a_head_that_says_too_much_is_refused_before_anything_is_allocated() {
    let too_long = [0xff, 0xff, 0xff, 0xff, 2];
    let mut receiver = Receiver::new(&too_long[..]);
    let error = receiver.receive::<PeerMessage>(PATIENCE).await.unwrap_err();
    assert!(matches!(error, LinkError::Wire(WireError::TooLong { got, .. }) if got == u32::MAX as usize - 1));
    // To a client's link a frame is nothing, whatever its length.
    let mut receiver = Receiver::new(&too_long[..]);
    let error = receiver.receive::<ToParty>(PATIENCE).await.unwrap_err();
    assert_eq!(error, LinkError::Wire(WireError::UnknownType { got: 2 }));
}

/// Time stands still but for what is waited for.
#[tokio::test(start_paused = true)]
async fn a_message_that_drips_is_given_up() {
    let (near, mut far) = tokio::io::duplex(64);
    let bytes = encode(&PeerMessage::Goodbye(Text::new("a text that takes its time")));
    let drip = tokio::spawn(async move {
        for byte in bytes.iter() {
            far.write_all(&[*byte]).await.unwrap_or_default();
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    let error = Receiver::new(near).receive::<PeerMessage>(PATIENCE).await.unwrap_err();
    assert!(matches!(error, LinkError::Timeout { after: PATIENCE, .. }), "{error:?}");
    drip.abort();
}

/// And so is one who does not read what is said to it.
#[tokio::test(start_paused = true)]
async fn a_listener_that_does_not_listen_is_given_up() {
    let (near, _far) = tokio::io::duplex(64);
    let error = Sender::new(near).send(&[0; 100], PATIENCE).await.unwrap_err();
    assert!(matches!(error, LinkError::Timeout { after: PATIENCE, .. }), "{error:?}");
}

#[tokio::test]
async fn a_link_that_ends_in_a_message_is_closed() {
    let bytes = encode(&PeerMessage::Ordered { taken: 3 });
    for length in 0..bytes.len() {
        let error = Receiver::new(&bytes[..length]).receive::<PeerMessage>(PATIENCE).await.unwrap_err();
        assert_eq!(error, LinkError::Closed);
    }
}

#[tokio::test]
async fn nobody_there_is_said_with_the_address() {
    let (gone, address) = listener().await;
    drop(gone);
    let dialer = Dialer::new(&identity(), &address, &[], Channel::Peer, Timeouts::default()).unwrap();
    let error = dialer.connect().await.err().unwrap();
    assert!(error.to_string().starts_with(&address), "{error}");
}
