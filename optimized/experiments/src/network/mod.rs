//! A network that is calculated: no sleeping, and as many computers as there are parties.
//!
//! As the paper's experiments shape it (artifact appendix, A.1: `tc qdisc add dev eth0 root netem delay X rate Y`), a party has one
//! *egress*, which all its peers share: a message leaves when what the party sent before has left, takes its length over the
//! rate, and arrives one delay after its last byte has left. Not calculated: TCP's slow start, and losses.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use duoram_runtime::resources::thread_cpu_time;

/// What this project's frames have before their payload.
const FRAME_HEADER: u64 = duoram_reference::HEADER_LENGTH as u64;

/// Ethernet 14, IPv4 20, TCP with timestamps 32.
const PACKET_HEADERS: u64 = 66;

/// What a packet carries of a frame: an Ethernet of 1500 bytes without the headers of IP and TCP.
const PACKET_BYTES: u64 = 1448;

/// How a link behaves: one way, and the same from every party to every other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    /// From when the last byte leaves to when it arrives.
    pub delay: Duration,
    /// What a party's egress lets out, to all its peers together. Infinite for no limit.
    pub bits_per_second: f64,
    /// Whether headers take time and count: the frame's, and those of each packet.
    pub headers: bool,
}

impl Link {
    /// The paper's standard network: 30 ms, 100 Mbit/s.
    pub const fn wide_area() -> Self {
        Self { delay: Duration::from_millis(30), bits_per_second: 100e6, headers: false }
    }

    /// The paper's network of one data centre: 30 us, 100 Gbit/s.
    pub const fn colocated() -> Self {
        Self { delay: Duration::from_micros(30), bits_per_second: 100e9, headers: false }
    }

    /// Computation alone.
    pub const fn none() -> Self {
        Self { delay: Duration::ZERO, bits_per_second: f64::INFINITY, headers: false }
    }

    /// What a message of so many payload bytes puts on the wire.
    pub const fn bytes_on_wire(&self, payload: u64) -> u64 {
        if !self.headers {
            return payload;
        }
        let frame = payload.saturating_add(FRAME_HEADER);
        frame.saturating_add(frame.div_ceil(PACKET_BYTES).saturating_mul(PACKET_HEADERS))
    }

    /// How long so many bytes take to leave.
    fn transmission(&self, bytes: u64) -> Duration {
        #[allow(clippy::cast_precision_loss, reason = "a message has far fewer than 2^53 bytes")]
        let seconds = 8.0 * bytes as f64 / self.bits_per_second;
        // A rate of zero, or of no number, lets nothing through.
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

/// A message was awaited that nobody has sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("party {to} waits for a message of party {from}: expected one on its way, got none")]
pub struct NothingSent {
    /// Who waits.
    pub to: usize,
    /// For whom.
    pub from: usize,
}

/// A message on its way.
#[derive(Clone, Copy)]
struct Message {
    arrival: Duration,
    /// How many messages had to come one after the other, this one counted, for this one to be sent.
    depth: u64,
    /// Which mark it was sent after: in another phase it counts for nothing.
    epoch: u64,
}

/// What a party is, as the network sees it.
#[derive(Clone, Default)]
struct Node {
    clock: Duration,
    /// When the egress is free.
    free: Duration,
    /// The depth of the deepest message that it has received since the last mark.
    depth: u64,
    cpu: Duration,
    bytes: u64,
    messages: u64,
}

/// Something that a party did: whatever the links are like, it does the same in the same order.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Event {
    Compute { party: usize, time: Duration },
    Send { from: usize, to: usize, bytes: u64 },
    Receive { to: usize, from: usize },
}

/// What all parties did between two marks, so that it can be timed over other links without being done again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    events: Vec<Event>,
}

/// Parties' clocks, each one's egress (one rate for all its peers together), and messages on their way. Parties have numbers
/// from 0.
///
/// # Panics
///
/// Every method, of a party that there is not.
pub struct Network {
    link: Link,
    nodes: Vec<Node>,
    /// By sender and receiver: links keep the order.
    under_way: Vec<Vec<VecDeque<Message>>>,
    /// The latest clock at the last mark.
    since: Duration,
    epoch: u64,
    longest: u64,
    record: Record,
}

/// What happened between two marks.
#[derive(Clone, PartialEq, Debug)]
pub struct Spent {
    /// By the clock that is latest.
    pub seconds: f64,
    /// What each party computed, in seconds.
    pub cpu: Vec<f64>,
    /// What each party sent.
    pub bytes: Vec<u64>,
    /// How many messages each party sent.
    pub messages: Vec<u64>,
    /// The longest chain of messages that had to wait for one another (section 6.1: the latency is paid so often).
    pub sequential: u64,
    /// All of it.
    pub record: Record,
}

impl Network {
    /// Parties whose clocks stand at zero.
    pub fn new(parties: usize, link: Link) -> Self {
        Self {
            link,
            nodes: vec![Node::default(); parties],
            under_way: vec![vec![VecDeque::new(); parties]; parties],
            since: Duration::ZERO,
            epoch: 0,
            longest: 0,
            record: Record::default(),
        }
    }

    /// How the links behave.
    pub const fn link(&self) -> Link {
        self.link
    }

    /// Does a party's work, and moves its clock by the time that it took: the CPU time of this thread, so that whatever else this
    /// computer does is not counted. Where the system does not tell CPU times, by the monotonic clock.
    pub fn compute<T>(&mut self, party: usize, work: impl FnOnce() -> T) -> T {
        let (start, cpu) = (Instant::now(), thread_cpu_time());
        let result = work();
        let cpu = thread_cpu_time().zip(cpu).map(|(after, before)| after.saturating_sub(before));
        self.compute_for(party, cpu.unwrap_or_else(|| start.elapsed()));
        result
    }

    /// Moves a party's clock by a time that was measured or calculated elsewhere.
    pub fn compute_for(&mut self, party: usize, time: Duration) {
        self.record.events.push(Event::Compute { party, time });
        let node = &mut self.nodes[party];
        node.clock = node.clock.saturating_add(time);
        node.cpu = node.cpu.saturating_add(time);
    }

    /// A message of so many payload bytes: leaves when the egress is free, arrives [`Link::delay`] after its last byte has left. The
    /// sender goes on at once.
    pub fn send(&mut self, from: usize, to: usize, bytes: u64) {
        self.record.events.push(Event::Send { from, to, bytes });
        let bytes = self.link.bytes_on_wire(bytes);
        let node = &mut self.nodes[from];
        node.free = node.free.max(node.clock).saturating_add(self.link.transmission(bytes));
        node.bytes += bytes;
        node.messages += 1;
        let depth = node.depth + 1;
        let arrival = node.free.saturating_add(self.link.delay);
        self.longest = self.longest.max(depth);
        self.under_way[from][to].push_back(Message { arrival, depth, epoch: self.epoch });
    }

    /// The next message of this link: the receiver's clock is its arrival at the earliest.
    ///
    /// # Errors
    ///
    /// [`NothingSent`].
    pub fn receive(&mut self, to: usize, from: usize) -> Result<(), NothingSent> {
        let message = self.under_way[from][to].pop_front().ok_or(NothingSent { to, from })?;
        self.record.events.push(Event::Receive { to, from });
        let node = &mut self.nodes[to];
        node.clock = node.clock.max(message.arrival);
        if message.epoch == self.epoch {
            node.depth = node.depth.max(message.depth);
        }
        Ok(())
    }

    /// When the next message of this link arrives, if one is on its way.
    pub fn arrival(&self, to: usize, from: usize) -> Option<Duration> {
        self.under_way[from][to].front().map(|message| message.arrival)
    }

    /// The party's clock.
    pub fn clock(&self, party: usize) -> Duration {
        self.nodes[party].clock
    }

    /// What happened since the last mark. From here all clocks show what the latest shows, as if the parties had waited for each
    /// other.
    pub fn mark(&mut self) -> Spent {
        let latest = self.nodes.iter().map(|node| node.clock).max().unwrap_or_default();
        let spent = Spent {
            seconds: latest.saturating_sub(self.since).as_secs_f64(),
            cpu: self.nodes.iter().map(|node| node.cpu.as_secs_f64()).collect(),
            bytes: self.nodes.iter().map(|node| node.bytes).collect(),
            messages: self.nodes.iter().map(|node| node.messages).collect(),
            sequential: self.longest,
            record: std::mem::take(&mut self.record),
        };
        for node in &mut self.nodes {
            *node = Node { clock: latest, free: node.free, ..Node::default() };
        }
        (self.since, self.longest) = (latest, 0);
        self.epoch += 1;
        spent
    }
}

impl Spent {
    /// Nothing, of so many parties: of a system that prepares nothing.
    pub fn nothing(parties: usize) -> Self {
        Network::new(parties, Link::none()).mark()
    }

    /// What it would have been over other links, and if computing had taken so many times as long. Messages that were sent before
    /// count as having arrived.
    pub fn over(&self, link: Link, computing: f64) -> Self {
        let mut network = Network::new(self.cpu.len(), link);
        for &event in &self.record.events {
            match event {
                Event::Compute { party, time } => {
                    let time = time.as_secs_f64() * computing;
                    network.compute_for(party, Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX));
                }
                Event::Send { from, to, bytes } => network.send(from, to, bytes),
                Event::Receive { to, from } => {
                    let _ = network.receive(to, from);
                }
            }
        }
        network.mark()
    }

    /// The bytes of whichever party sent the most.
    pub fn most_bytes(&self) -> u64 {
        self.bytes.iter().copied().max().unwrap_or_default()
    }

    /// The bytes of all parties.
    pub fn all_bytes(&self) -> u64 {
        self.bytes.iter().sum()
    }

    /// The messages of all parties.
    pub fn all_messages(&self) -> u64 {
        self.messages.iter().sum()
    }

    /// What all parties computed, in seconds.
    pub fn all_cpu(&self) -> f64 {
        self.cpu.iter().sum()
    }

    /// This, and after it `other`, of as many parties.
    pub fn then(&self, other: &Self) -> Self {
        let sums =
            |one: &[u64], other: &[u64]| one.iter().zip(other).map(|(one, other)| one + other).collect();
        Self {
            seconds: self.seconds + other.seconds,
            cpu: self.cpu.iter().zip(&other.cpu).map(|(one, other)| one + other).collect(),
            bytes: sums(&self.bytes, &other.bytes),
            messages: sums(&self.messages, &other.messages),
            sequential: self.sequential + other.sequential,
            record: Record { events: [&*self.record.events, &*other.record.events].concat() },
        }
    }
}

#[cfg(test)]
mod tests;
