//! Three durable parties in one thread, whose disks are lists of records: for looking at what is where when the power fails.

use std::collections::VecDeque;

use duoram_reference::durable::{Durable, Effect, Error, Limits};
use duoram_reference::{Command, Header, Lane, Lasting, Paper, Parameters, Plain, Protocol, Role, paper};

type Bytes = zeroize::Zeroizing<Vec<u8>>;

/// So much that no snapshot is made and nothing waits.
const LIMITS: Limits =
    Limits { journal: 1 << 20, items: 64, unacknowledged: 1 << 20, ahead: 1 << 20, commands: 64 };

/// What is on a disk: record 1 and those after it.
pub type Image = Vec<Vec<u8>>;

/// What a party is given.
enum Input {
    Command(u64, Command),
    Frame(Role, Lane, u64, Bytes),
    Acknowledged(Role, Lane, u64),
    Sync,
    Fetched(u64),
}

impl Input {
    /// In words.
    fn name(&self, appended: u64) -> String {
        match self {
            Self::Command(number, _) => format!("command {number}"),
            Self::Frame(from, _, _, bytes) => format!("{from}'s `{}`", kind(*from, bytes)),
            Self::Acknowledged(from, _, number) => format!("{from} has {number} on disk"),
            Self::Sync => format!("the disk has record {appended}"),
            Self::Fetched(number) => format!("the client has answer {number}"),
        }
    }
}

/// The name of a frame's kind.
pub fn kind(from: Role, frame: &[u8]) -> &'static str {
    let header = Header::decode(from, frame).ok();
    header.and_then(|header| Paper::kind(header.kind)).map_or("none", |kind| kind.name())
}

/// A party and its disk.
struct Host {
    party: Durable<Box<dyn Lasting>>,
    disk: Image,
    /// Appended, and not on disk.
    unwritten: Image,
    /// The number of the client's next command.
    next: u64,
}

/// One input of one party.
pub struct Event {
    /// Whose.
    pub party: Role,
    /// What it was given, in words.
    pub input: String,
    /// What it did then.
    pub effects: Vec<Effect>,
}

/// The three, and a client that fetches every answer.
pub struct Trio {
    hosts: [Host; 3],
    queue: VecDeque<(Role, Input)>,
}

impl Trio {
    /// Three that have done nothing yet, of the paper's protocol.
    ///
    /// # Errors
    ///
    /// None.
    pub fn new(parameters: Parameters) -> Result<Self, Error> {
        Ok(Self::restored(parameters, [(); 3].map(|()| Image::new()))?.0)
    }

    /// The power is back: the three as they are on these disks, and what each did when it started and when its links came up.
    ///
    /// # Errors
    ///
    /// [`Error::PeerForgot`], [`Error::SelfForgot`]: a disk is older than what was said of it.
    pub fn restored(parameters: Parameters, disks: [Image; 3]) -> Result<(Self, Vec<Event>), Error> {
        let [disk_0, disk_1, disk_2] = disks;
        let (host_0, event_0) = started(parameters, Role::P0, disk_0)?;
        let (host_1, event_1) = started(parameters, Role::P1, disk_1)?;
        let (host_2, event_2) = started(parameters, Role::P2, disk_2)?;
        let mut trio = Self { hosts: [host_0, host_1, host_2], queue: VecDeque::new() };
        let mut events = vec![event_0, event_1, event_2];
        for Event { party, effects, .. } in &events {
            trio.carry_out(*party, effects);
        }
        for [a, b] in [[Role::P0, Role::P1], [Role::P0, Role::P2], [Role::P1, Role::P2]] {
            let of_a = trio.hosts[a.index()].party.hello(b)?;
            let of_b = trio.hosts[b.index()].party.hello(a)?;
            for (party, peer, taken) in [(a, b, of_b), (b, a, of_a)] {
                let effects = trio.hosts[party.index()].party.link_up(peer, taken)?;
                trio.carry_out(party, &effects);
                events.push(Event { party, input: format!("the link to {peer}"), effects });
            }
        }
        Ok((trio, events))
    }

    /// The client gives a party its next command.
    pub fn command(&mut self, party: Role, command: Command) {
        let next = &mut self.hosts[party.index()].next;
        let number = *next;
        *next += 1;
        self.queue.push_back((party, Input::Command(number, command)));
    }

    /// The number of a party's next command: after a restart, the first that is not on its disk.
    pub fn next_command(&self, party: Role) -> u64 {
        self.hosts[party.index()].next
    }

    /// What happens next; none if nothing does.
    ///
    /// # Errors
    ///
    /// None, of parties that have not lost anything.
    pub fn step(&mut self) -> Result<Option<Event>, Error> {
        let Some((party, input)) = self.queue.pop_front() else { return Ok(None) };
        let host = &mut self.hosts[party.index()];
        let appended = (host.disk.len() + host.unwritten.len()) as u64;
        let name = input.name(appended);
        let effects = match input {
            Input::Command(number, command) => host.party.command(number, command),
            Input::Frame(from, lane, number, bytes) => host.party.frame(from, lane, number, bytes),
            Input::Acknowledged(from, lane, number) => host.party.acknowledged(from, lane, number),
            Input::Fetched(number) => host.party.fetched(number),
            Input::Sync => {
                host.disk.append(&mut host.unwritten);
                host.party.written(appended)
            }
        }?;
        self.carry_out(party, &effects);
        Ok(Some(Event { party, input: name, effects }))
    }

    /// Everything that happens until nothing does.
    ///
    /// # Errors
    ///
    /// As [`Trio::step`].
    pub fn finish(&mut self) -> Result<Vec<Event>, Error> {
        std::iter::from_fn(|| self.step().transpose()).collect()
    }

    /// What is on the disks.
    pub fn disks(&self) -> [Image; 3] {
        self.hosts.each_ref().map(|host| host.disk.clone())
    }

    fn carry_out(&mut self, party: Role, effects: &[Effect]) {
        for effect in effects {
            let next = match effect {
                Effect::Append { record, .. } => {
                    let unwritten = &mut self.hosts[party.index()].unwritten;
                    unwritten.push(record.to_vec());
                    // One sync for all that is appended until then.
                    if unwritten.len() > 1 {
                        continue;
                    }
                    (party, Input::Sync)
                }
                Effect::Send { peer, lane, number, frame } => {
                    (*peer, Input::Frame(party, *lane, *number, frame.clone()))
                }
                Effect::Acknowledge { peer, lane, number } => {
                    (*peer, Input::Acknowledged(party, *lane, *number))
                }
                Effect::Result { number, .. } => (party, Input::Fetched(*number)),
                Effect::Accepted(_) | Effect::Snapshot { .. } | Effect::Refused { .. } => continue,
            };
            self.queue.push_back(next);
        }
    }
}

/// A party as it is on its disk. Its seed is always the same, as on a disk.
fn started(parameters: Parameters, role: Role, disk: Image) -> Result<(Host, Event), Error> {
    let party = paper::lasting(role, parameters, [role.number() + 1; 32], Plain);
    let records = (1..).zip(disk.iter().map(|record| &record[..]));
    let (party, effects) = Durable::restore(party, LIMITS, None, records)?;
    let input = format!("the disk has record {}", disk.len());
    let next = party.next_command();
    let host = Host { party, disk, unwritten: Image::new(), next };
    Ok((host, Event { party: role, input, effects }))
}
