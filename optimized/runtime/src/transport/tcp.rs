//! Links over TCP on the loopback interface.
//!
//! Neither encrypted nor authenticated: they show the protocol on real sockets within one machine. Parties on different
//! machines need TLS around them.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use duoram_reference::{HEADER_LENGTH, Header, Role, SessionId};
use zeroize::Zeroizing;

use super::Link;
use crate::Error;

/// What a connection starts with: `DUO`, the version, the two parties' numbers, the session.
const GREETING_LENGTH: usize = 22;

/// How long to wait for a connection that says who it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to rest when nobody calls.
const PAUSE: Duration = Duration::from_millis(1);

/// How many callers are listened to at the same time.
const MOST_CALLERS: usize = 64;

/// One end. A thread of its own writes, so that two parties that send large messages to each other at the same time do
/// not wait for each other forever.
pub struct TcpLink {
    peer: Role,
    reader: TcpStream,
    outgoing: Sender<Zeroizing<Vec<u8>>>,
}

impl TcpLink {
    fn new(stream: TcpStream, peer: Role) -> Result<Self, Error> {
        stream.set_nodelay(true).map_err(Error::Connect)?;
        let mut writer = stream.try_clone().map_err(Error::Connect)?;
        let (outgoing, frames) = channel::<Zeroizing<Vec<u8>>>();
        thread::Builder::new()
            .name(format!("to {peer}"))
            .spawn(move || {
                // If writing fails the peer is gone; the party learns of it when it next sends or receives.
                if frames.iter().try_for_each(|frame| writer.write_all(&frame)).is_ok() {
                    let _ = writer.shutdown(Shutdown::Write);
                }
            })
            .map_err(Error::Thread)?;
        Ok(Self { peer, reader: stream, outgoing })
    }
}

impl Link for TcpLink {
    fn send(&mut self, frame: Zeroizing<Vec<u8>>) -> Result<(), String> {
        self.outgoing.send(frame).map_err(|_| "closed by the peer".to_owned())
    }

    /// The header is checked before its length is believed, so a peer cannot make us allocate more than one payload.
    fn receive(&mut self) -> Result<Zeroizing<Vec<u8>>, String> {
        let mut frame = Zeroizing::new(vec![0; HEADER_LENGTH]);
        self.reader.read_exact(&mut frame).map_err(|error| reason(&error))?;
        let header = Header::decode(self.peer, &frame).map_err(|error| error.to_string())?;
        let length = usize::try_from(header.length).map_err(|error| error.to_string())?;
        frame.resize(HEADER_LENGTH + length, 0);
        self.reader.read_exact(&mut frame[HEADER_LENGTH..]).map_err(|error| reason(&error))?;
        Ok(frame)
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "closed by the peer".to_owned(),
        _ => error.to_string(),
    }
}

fn greeting(session: SessionId, [low, high]: [usize; 2]) -> [u8; GREETING_LENGTH] {
    let mut bytes = [0; GREETING_LENGTH];
    bytes[..4].copy_from_slice(b"DUO\x01");
    bytes[4] = Role::ALL[high].number();
    bytes[5] = Role::ALL[low].number();
    bytes[6..].copy_from_slice(&session.0);
    bytes
}

/// Connects two parties, given by their indices: the second calls, and the first answers whoever says that it is the
/// second in this session. Any other caller on this machine is hung up on.
///
/// # Errors
///
/// [`Error::Connect`], [`Error::Thread`].
pub fn pair(session: SessionId, ends: [usize; 2]) -> Result<(TcpLink, TcpLink), Error> {
    let [low, high] = ends.map(|end| Role::ALL[end]);
    let (answered, called) = connect(&greeting(session, ends)).map_err(Error::Connect)?;
    Ok((TcpLink::new(answered, high)?, TcpLink::new(called, low)?))
}

fn connect(greeting: &[u8; GREETING_LENGTH]) -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut called = TcpStream::connect(listener.local_addr()?)?;
    called.write_all(greeting)?;
    Ok((answer(&listener, greeting, PATIENCE)?, called))
}

/// Someone who called and has not yet said who it is.
struct Caller {
    stream: TcpStream,
    said: Vec<u8>,
}

/// What has become of a caller.
enum Heard {
    Right,
    Wrong,
    NotYet,
}

impl Caller {
    /// Reads what is there, at most a greeting, and does not wait for more.
    fn listen(&mut self, greeting: &[u8; GREETING_LENGTH]) -> Heard {
        let mut bytes = [0; GREETING_LENGTH];
        let missing = &mut bytes[self.said.len()..];
        match self.stream.read(missing) {
            Ok(0) => return Heard::Wrong,
            Ok(got) => self.said.extend(&missing[..got]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => return Heard::Wrong,
        }
        match self.said.len() {
            _ if !greeting.starts_with(&self.said) => Heard::Wrong,
            GREETING_LENGTH => Heard::Right,
            _ => Heard::NotYet,
        }
    }
}

/// The first caller that says this greeting. All are listened to at the same time and none is waited for, so whoever is
/// silent or slow holds up nobody; and after `patience` in all it is over.
fn answer(
    listener: &TcpListener,
    greeting: &[u8; GREETING_LENGTH],
    patience: Duration,
) -> io::Result<TcpStream> {
    listener.set_nonblocking(true)?;
    let start = Instant::now();
    let mut callers: VecDeque<Caller> = VecDeque::new();
    while start.elapsed() < patience {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(true)?;
                // The one that has been silent for longest makes room.
                if callers.len() == MOST_CALLERS {
                    callers.pop_front();
                }
                callers.push_back(Caller { stream, said: Vec::new() });
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            // The caller hung up before it was answered.
            Err(error) if is_the_callers(&error) => {}
            Err(error) => return Err(error),
        }
        for mut caller in std::mem::take(&mut callers) {
            match caller.listen(greeting) {
                Heard::Right => {
                    caller.stream.set_nonblocking(false)?;
                    return Ok(caller.stream);
                }
                Heard::NotYet => callers.push_back(caller),
                Heard::Wrong => {}
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "the peer did not say who it is"))
}

/// Whether an error of `accept` is about that one caller.
fn is_the_callers(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: SessionId = SessionId([5; 16]);

    #[test]
    fn large_frames_cross_without_waiting_for_each_other() {
        let (mut low, mut high) = pair(SESSION, [0, 1]).unwrap();
        let length = 20 << 20;
        let frame = |from, to| {
            let header =
                Header { version: 1, kind: 2, from, to, round: 0, length, operation: 0, session: SESSION };
            let mut frame = header.encode().to_vec();
            frame.resize(HEADER_LENGTH + length as usize, 9);
            Zeroizing::new(frame)
        };
        low.send(frame(Role::P0, Role::P1)).unwrap();
        high.send(frame(Role::P1, Role::P0)).unwrap();
        assert_eq!(low.receive(), Ok(frame(Role::P1, Role::P0)));
        assert_eq!(high.receive(), Ok(frame(Role::P0, Role::P1)));
    }

    #[test]
    fn a_length_that_is_too_large_is_refused_before_anything_is_allocated() {
        let (mut low, mut high) = pair(SESSION, [0, 2]).unwrap();
        let mut header = [0_u8; HEADER_LENGTH];
        header[..7].copy_from_slice(&[0x44, 0x55, 0x4f, 1, 2, 2, 0]);
        header[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        high.send(header.to_vec().into()).unwrap();
        assert!(low.receive().unwrap_err().contains("too large"));
        high.send(vec![0; HEADER_LENGTH].into()).unwrap();
        assert!(low.receive().unwrap_err().contains("DUO"));
    }

    #[test]
    fn a_closed_link_is_an_error() {
        let (low, mut high) = pair(SESSION, [1, 2]).unwrap();
        drop(low);
        assert_eq!(high.receive(), Err("closed by the peer".to_owned()));
    }

    fn bound() -> TcpListener {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()
    }

    fn call(listener: &TcpListener, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stream.write_all(bytes).unwrap();
        stream
    }

    #[test]
    fn silent_and_wrong_callers_do_not_stand_in_the_peers_way() {
        let (listener, greeting) = (bound(), greeting(SESSION, [0, 1]));
        let mut wrong = greeting;
        wrong[21] ^= 1;
        // Silent, half said, wrong at the end, wrong from the start, gone: all of them before the peer.
        let callers = [&[][..], &greeting[..9], &wrong, b"GET / HTTP/1.1\r\n\r\n and so on"];
        let _held: Vec<_> = callers.map(|bytes| call(&listener, bytes)).into();
        drop(call(&listener, &[]));
        let mut peer = call(&listener, &greeting);
        let start = Instant::now();
        let mut answered = answer(&listener, &greeting, PATIENCE).unwrap();
        assert!(start.elapsed() < PATIENCE / 4, "{:?}", start.elapsed());
        // It is the peer, and what comes after the greeting is still there.
        peer.write_all(b"frame").unwrap();
        let mut bytes = [0; 5];
        answered.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"frame");
    }

    #[test]
    fn a_drip_of_bytes_holds_nobody_beyond_the_deadline() {
        let (listener, greeting) = (bound(), greeting(SESSION, [0, 1]));
        let mut dripping = call(&listener, &[]);
        let drip = thread::spawn(move || {
            for byte in greeting[..20].iter().cycle() {
                if dripping.write_all(&[*byte]).is_err() {
                    return;
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
        let start = Instant::now();
        let error = answer(&listener, &greeting, Duration::from_millis(200)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        drop(listener);
        drip.join().unwrap();
    }

    #[test]
    fn many_silent_callers_make_room_for_the_peer() {
        let (listener, greeting) = (bound(), greeting(SESSION, [0, 1]));
        let _held: Vec<_> = (0..MOST_CALLERS + 9).map(|_| call(&listener, &[])).collect();
        let _peer = call(&listener, &greeting);
        assert!(answer(&listener, &greeting, PATIENCE).is_ok());
    }
}
