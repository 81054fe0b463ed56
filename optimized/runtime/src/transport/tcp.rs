//! Links over TCP on the loopback interface.
//!
//! Neither encrypted nor authenticated: they show the protocol on real sockets within one machine. Parties on different
//! machines need TLS around them.

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
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let (mut answered, _) = listener.accept()?;
        answered.set_read_timeout(Some(PATIENCE))?;
        let mut bytes = [0; GREETING_LENGTH];
        if answered.read_exact(&mut bytes).is_ok() && bytes == *greeting {
            answered.set_read_timeout(None)?;
            return Ok((answered, called));
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "the peer did not say who it is"))
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
}
