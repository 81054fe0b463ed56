//! Links that are as slow as those of other places: queues within the process, one egress a party, and a delay.
//!
//! As `tc qdisc add dev eth0 root netem delay X rate Y` shapes a container: all peers of a party share what it may send a second, and
//! a frame arrives one delay after its last byte has left. Whoever receives sleeps until then; who sends never waits.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use duoram_reference::HEADER_LENGTH;
use zeroize::Zeroizing;

use super::Link;

/// How slow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Emulation {
    /// From when the last byte leaves to when it arrives.
    pub delay: Duration,
    /// What a party sends a second, of payload and to all its peers together; without a limit if `None`.
    pub bits_per_second: Option<u64>,
}

/// When what a party has sent so far will have left.
pub(super) type Egress = Arc<Mutex<Instant>>;

/// Those of three parties, with nothing on its way.
pub(super) fn egresses() -> [Egress; 3] {
    std::array::from_fn(|_| Arc::new(Mutex::new(Instant::now())))
}

/// A frame, and when it arrives.
type Timed = (Instant, Zeroizing<Vec<u8>>);

/// One end of a link.
struct EmulatedLink {
    emulation: Emulation,
    egress: Egress,
    outgoing: Sender<Timed>,
    incoming: Receiver<Timed>,
}

impl Emulation {
    /// How long a frame takes to leave. Headers are not shaped: what the paper counts is payload.
    fn transmission(&self, frame: &[u8]) -> Duration {
        let bits = 8 * frame.len().saturating_sub(HEADER_LENGTH) as u64;
        let nanos = |rate: u64| u128::from(bits) * 1_000_000_000 / u128::from(rate.max(1));
        self.bits_per_second.map_or(Duration::ZERO, |rate| {
            Duration::from_nanos(u64::try_from(nanos(rate)).unwrap_or(u64::MAX))
        })
    }

    /// Both ends of a link between parties with these egresses.
    pub(super) fn pair(
        self,
        [egress_low, egress_high]: [&Egress; 2],
    ) -> (impl Link + use<>, impl Link + use<>) {
        let ((to_high, from_low), (to_low, from_high)) = (channel(), channel());
        let end = |egress, outgoing, incoming| EmulatedLink {
            emulation: self,
            egress: Arc::clone(egress),
            outgoing,
            incoming,
        };
        (end(egress_low, to_high, from_high), end(egress_high, to_low, from_low))
    }
}

impl Link for EmulatedLink {
    fn send(&mut self, frame: Zeroizing<Vec<u8>>) -> Result<(), String> {
        let left = {
            let mut free = self.egress.lock().unwrap_or_else(PoisonError::into_inner);
            *free = (*free).max(Instant::now()) + self.emulation.transmission(&frame);
            *free
        };
        self.outgoing.send((left + self.emulation.delay, frame)).map_err(|_| "closed by the peer".to_owned())
    }

    fn receive(&mut self) -> Result<Zeroizing<Vec<u8>>, String> {
        let (arrival, frame) = self.incoming.recv().map_err(|_| "closed by the peer".to_owned())?;
        thread::sleep(arrival.saturating_duration_since(Instant::now()));
        Ok(frame)
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::SessionId;

    use super::*;
    use crate::transport::{Links, Transport};

    fn connect(emulation: Emulation) -> [Links; 3] {
        Transport::Emulated(emulation).connect(SessionId([0; 16])).unwrap()
    }

    fn frame(payload: usize) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(vec![7; HEADER_LENGTH + payload])
    }

    fn end(links: &mut [Links; 3], party: usize, peer: usize) -> &mut Box<dyn Link> {
        links[party][peer].as_mut().unwrap()
    }

    #[test]
    fn frames_are_late_in_order_and_whole() {
        let emulation = Emulation { delay: Duration::from_millis(20), bits_per_second: None };
        let mut links = connect(emulation);
        let start = Instant::now();
        for payload in [1, 0, 5] {
            end(&mut links, 0, 2).send(frame(payload)).unwrap();
        }
        assert!(start.elapsed() < Duration::from_millis(20), "who sends does not wait");
        for payload in [1, 0, 5] {
            assert_eq!(end(&mut links, 2, 0).receive(), Ok(frame(payload)));
        }
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn the_peers_of_a_party_share_its_egress() {
        // A byte takes a millisecond.
        let emulation = Emulation { delay: Duration::ZERO, bits_per_second: Some(8000) };
        let mut links = connect(emulation);
        let start = Instant::now();
        end(&mut links, 1, 0).send(frame(30)).unwrap();
        end(&mut links, 1, 2).send(frame(30)).unwrap();
        assert_eq!(end(&mut links, 2, 1).receive(), Ok(frame(30)));
        let after = start.elapsed();
        assert!(after >= Duration::from_millis(60), "{after:?}");
    }

    #[test]
    fn a_link_whose_peer_is_gone_says_so() {
        let mut links = connect(Emulation { delay: Duration::ZERO, bits_per_second: None });
        links[1] = Links::default();
        assert_eq!(end(&mut links, 0, 1).send(frame(1)), Err("closed by the peer".to_owned()));
        assert!(end(&mut links, 0, 1).receive().is_err());
    }
}
