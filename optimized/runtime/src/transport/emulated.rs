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

    /// When a frame arrives that is sent now: it leaves when the egress is `free`, which moves to when its last byte has left.
    fn arrival(&self, free: &mut Instant, now: Instant, frame: &[u8]) -> Instant {
        *free = (*free).max(now) + self.transmission(frame);
        *free + self.delay
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
        let mut free = self.egress.lock().unwrap_or_else(PoisonError::into_inner);
        let arrival = self.emulation.arrival(&mut free, Instant::now(), &frame);
        drop(free);
        self.outgoing.send((arrival, frame)).map_err(|_| "closed by the peer".to_owned())
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

    /// A byte takes a millisecond to leave, and 20 to arrive.
    const SLOW: Emulation = Emulation { delay: Duration::from_millis(20), bits_per_second: Some(8000) };

    /// When frames of so many bytes arrive that are sent at so many milliseconds, by one egress. Exactly: nothing sleeps.
    fn arrivals(emulation: Emulation, sent: &[(u64, usize)]) -> Vec<u128> {
        let start = Instant::now();
        let mut free = start;
        let arrival = |&(at, payload): &(u64, usize)| {
            let now = start + Duration::from_millis(at);
            emulation.arrival(&mut free, now, &frame(payload)).duration_since(start).as_millis()
        };
        sent.iter().map(arrival).collect()
    }

    #[test]
    fn a_frame_arrives_a_delay_after_its_last_byte_left() {
        assert_eq!(arrivals(SLOW, &[(0, 5)]), [25]);
        assert_eq!(arrivals(Emulation { bits_per_second: None, ..SLOW }, &[(0, 5)]), [20], "without a limit");
        assert_eq!(arrivals(Emulation { delay: Duration::ZERO, ..SLOW }, &[(0, 5)]), [5], "without a delay");
    }

    #[test]
    fn frames_wait_for_those_before_them_but_the_delay_is_paid_once() {
        assert_eq!(arrivals(SLOW, &[(0, 5), (0, 3), (2, 1)]), [25, 28, 29]);
    }

    #[test]
    fn an_egress_that_was_idle_has_saved_nothing_up() {
        assert_eq!(arrivals(SLOW, &[(0, 5), (50, 5), (51, 5)]), [25, 75, 80]);
    }

    #[test]
    fn headers_are_not_slowed_down() {
        assert_eq!(arrivals(SLOW, &[(0, 0), (0, 0)]), [20, 20]);
    }

    #[test]
    fn a_party_has_one_egress_and_each_party_its_own() {
        let egresses = egresses();
        let (mut links, mut times) = (Vec::new(), Vec::new());
        for [low, high] in [[0, 1], [0, 2], [1, 2]] {
            links.push(((low, high), SLOW.pair([&egresses[low], &egresses[high]])));
        }
        let free = |party: usize| *egresses[party].lock().unwrap();
        for ((low, high), (at_low, at_high)) in &mut links {
            for (end, party) in [(at_low as &mut dyn Link, *low), (at_high as &mut dyn Link, *high)] {
                let before = [0, 1, 2].map(free);
                end.send(frame(1000)).unwrap();
                let moved = [0, 1, 2].map(|other| free(other) > before[other]);
                assert_eq!(moved, [0, 1, 2].map(|other| other == party), "a frame of party {party}");
                times.push((party, before[party], free(party)));
            }
        }
        // A second of bytes each: what a party sends second waits for the first, whoever it is sent to.
        for party in 0..3 {
            let own: Vec<_> = times.iter().filter(|(other, ..)| *other == party).collect();
            assert_eq!(own.len(), 2);
            assert_eq!(own[1].2 - own[0].2, Duration::from_secs(1), "party {party}");
        }
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
