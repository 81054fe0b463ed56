//! Three parties that survive, of the reference: the type `Durable` with its records and snapshots, run in one thread. Any of them
//! may lose its power after any input. What is on a disk is what it has asked to be put there, and nothing else.

use std::collections::VecDeque;

use duoram_reference::durable::{Answer, Durable, Effect, Error, Limits};
use duoram_reference::{Batch, Command, Lane, Lasting, Parameters, Party as _, Plain, Role, paper};
use zeroize::Zeroizing;

use super::Disks;

pub(super) type Bytes = Zeroizing<Vec<u8>>;
type Party = Durable<Box<dyn Lasting>>;

/// So much that no snapshot is made but those that are asked for, and nothing waits.
const LIMITS: Limits =
    Limits { journal: 1 << 20, items: 64, unacknowledged: 1 << 20, ahead: 1 << 20, commands: 64 };

/// A record and its number.
pub(super) type Numbered = (u64, Bytes);

/// A command, made anew each time that it is given: the client keeps what it is made of (rule 5). If it may have forgotten that, and has
/// no answer, it can only ask anew, with other shares: the argument is how often it had to.
type Kept = Box<dyn Fn(usize) -> Command>;

/// The last command that the client has given a party.
struct Given {
    number: u64,
    command: Kept,
    /// How often it was forgotten.
    anew: usize,
    /// Whether the party has said that it is on its disk.
    accepted: bool,
}

/// What a party is given.
enum Input {
    Command(u64, Command),
    Frame(Role, Lane, u64, Bytes),
    Acknowledged(Role, Lane, u64),
    Sync,
    Fetched(u64),
    LinkUp(Role),
}

/// What happened.
pub(super) enum Cause {
    /// A party gets the client's command.
    Command(Role),
    /// A party gets a frame of a peer.
    Frame(Role, Role, Bytes),
    /// A party hears that a peer has so many of its frames of a lane on disk.
    Acknowledged(Role, Role, Lane, u64),
    /// A party's disk has all that was appended, or says so.
    Synced(Role, Disks),
    /// A party hears that the client has its answer.
    Fetched(Role),
    /// A party loses its power, with so many records not on disk, and these frames on their way to it and from it.
    Failed(Role, Vec<u64>, Vec<(Role, Role, Bytes)>),
    /// A party starts again, and does so many records again; whether the client had forgotten its command, and asks anew.
    Restarted(Role, usize, bool),
    /// The link between two comes up again.
    Linked(Role, Role),
    /// A party refuses a link, as it or its peer has lost what had been on a disk: [`Error::SelfForgot`], [`Error::PeerForgot`].
    FoundOut(Role, Error),
}

/// One thing that happened, and what parties did then.
pub(super) struct Event {
    pub(super) cause: Cause,
    pub(super) effects: Vec<(Role, Effect)>,
}

/// A party and its disk.
pub(super) struct Host {
    /// None while it has no power.
    party: Option<Party>,
    /// What stands for all records up to one.
    pub(super) snapshot: Option<Numbered>,
    /// The records after it.
    pub(super) disk: Vec<Numbered>,
    /// Those after it that the disk says that it has, and does not.
    pub(super) cached: Vec<Numbered>,
    /// Appended, and not on disk yet.
    pub(super) unwritten: Vec<Numbered>,
    given: Option<Given>,
}

impl Host {
    fn is_up(&self) -> bool {
        self.party.is_some()
    }

    /// The items that the party has left; none without power.
    pub(super) fn left(&self) -> Option<Batch> {
        self.party.as_ref().map(|party| party.party().prepared())
    }
}

/// All three, and a client that keeps a command until it is accepted, and fetches every answer.
pub(super) struct Hosts {
    parameters: Parameters,
    pub(super) disks: Disks,
    pub(super) each: [Host; 3],
    queue: VecDeque<(Role, Input)>,
    /// Those without power, in the order in which they have lost it.
    down: VecDeque<Role>,
    /// The last answer of each that the client has.
    pub(super) answers: [Option<Answer>; 3],
}

impl Hosts {
    /// Three that have done nothing yet.
    pub(super) fn new(parameters: Parameters) -> Result<Self, Error> {
        let host = |role| -> Result<Host, Error> {
            let (party, _) = started(parameters, role, None, &[])?;
            let (disk, cached, unwritten) = (vec![], vec![], vec![]);
            Ok(Host { party: Some(party), snapshot: None, disk, cached, unwritten, given: None })
        };
        let mut all = Self {
            parameters,
            disks: Disks::Keep,
            each: [host(Role::P0)?, host(Role::P1)?, host(Role::P2)?],
            queue: VecDeque::new(),
            down: VecDeque::new(),
            answers: [const { None }; 3],
        };
        for [a, b] in [[Role::P0, Role::P1], [Role::P0, Role::P2], [Role::P1, Role::P2]] {
            all.connect(a, b).map_err(|(_, error)| error)?;
        }
        Ok(all)
    }

    /// Nothing is ever for a party without power: what was on its way to it is lost.
    fn party(&mut self, role: Role) -> Result<&mut Party, Error> {
        self.each[role.index()].party.as_mut().ok_or(Error::LinkDown { peer: role })
    }

    /// The client gives a party its next command.
    pub(super) fn command(
        &mut self,
        role: Role,
        command: impl Fn(usize) -> Command + 'static,
    ) -> Result<(), Error> {
        let number = self.party(role)?.next_command();
        self.queue.push_back((role, Input::Command(number, command(0))));
        let command = Box::new(command);
        self.each[role.index()].given = Some(Given { number, command, anew: 0, accepted: false });
        Ok(())
    }

    /// Whether all have power, and the client's next command has the same number at each.
    pub(super) fn know_as_many(&self) -> bool {
        let next = |host: &Host| host.party.as_ref().map(Party::next_command);
        let [first, ..] = &self.each;
        next(first).is_some() && self.each.iter().all(|host| next(host) == next(first))
    }

    /// Everybody puts away all at once; the journal begins anew.
    pub(super) fn snapshot(&mut self) -> Result<(), Error> {
        for role in Role::ALL {
            let effects = self.party(role)?.snapshot()?;
            self.carry_out(role, &effects);
        }
        self.finish()
    }

    /// Everything that happens until nothing does.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        while self.step()?.is_some() {}
        Ok(())
    }

    /// What happens next; none if nothing does. Power comes back when the others have gone as far as they can.
    pub(super) fn step(&mut self) -> Result<Option<Event>, Error> {
        let Some((role, input)) = self.queue.pop_front() else {
            return self.down.pop_front().map(|role| self.restart(role)).transpose();
        };
        let (cause, effects) = match input {
            Input::Command(number, command) => {
                (Cause::Command(role), self.party(role)?.command(number, command)?)
            }
            Input::Frame(from, lane, number, bytes) => {
                (Cause::Frame(role, from, bytes.clone()), self.party(role)?.frame(from, lane, number, bytes)?)
            }
            Input::Acknowledged(from, lane, number) => (
                Cause::Acknowledged(role, from, lane, number),
                self.party(role)?.acknowledged(from, lane, number)?,
            ),
            Input::Fetched(number) => (Cause::Fetched(role), self.party(role)?.fetched(number)?),
            Input::Sync => {
                let host = &mut self.each[role.index()];
                let last = host.unwritten.last().map_or(0, |(number, _)| *number);
                let there = match self.disks {
                    Disks::Keep => &mut host.disk,
                    Disks::Cache => &mut host.cached,
                };
                there.append(&mut host.unwritten);
                (Cause::Synced(role, self.disks), self.party(role)?.written(last)?)
            }
            Input::LinkUp(peer) => {
                let (cause, effects) = match self.connect(role, peer) {
                    Ok(effects) => (Cause::Linked(role, peer), effects),
                    Err((who, error @ (Error::SelfForgot { .. } | Error::PeerForgot { .. }))) => {
                        (Cause::FoundOut(who, error), vec![])
                    }
                    Err((_, error)) => return Err(error),
                };
                return Ok(Some(Event { cause, effects }));
            }
        };
        self.carry_out(role, &effects);
        Ok(Some(Event { cause, effects: of(role, effects) }))
    }

    /// The power fails at one party: what it knows, what is not on its disk, and what is on the way to it or from it, is lost.
    /// None if it has no power.
    pub(super) fn fail(&mut self, role: Role) -> Result<Option<Event>, Error> {
        let host = &mut self.each[role.index()];
        if host.party.take().is_none() {
            return Ok(None);
        }
        let unwritten =
            host.cached.drain(..).chain(host.unwritten.drain(..)).map(|(number, _)| number).collect();
        let mut lost = Vec::new();
        self.queue.retain(|(to, input)| {
            let from = match input {
                Input::Frame(from, ..) | Input::Acknowledged(from, ..) | Input::LinkUp(from) => Some(*from),
                Input::Command(..) | Input::Sync | Input::Fetched(_) => None,
            };
            let kept = *to != role && from != Some(role);
            if let (Input::Frame(from, .., bytes), false) = (input, kept) {
                lost.push((*from, *to, bytes.clone()));
            }
            kept
        });
        for peer in role.peers() {
            if let Ok(party) = self.party(peer) {
                party.link_down(role)?;
            }
        }
        self.down.push_back(role);
        Ok(Some(Event { cause: Cause::Failed(role, unwritten, lost), effects: vec![] }))
    }

    /// It is made again from its disk, and from nothing else. The client gives it its command again if it was not accepted; one that was,
    /// and is lost, it can only replace, if it has no answer. The party's links to all that have power come up first.
    fn restart(&mut self, role: Role) -> Result<Event, Error> {
        let host = &mut self.each[role.index()];
        let (party, effects) = started(self.parameters, role, host.snapshot.as_ref(), &host.disk)?;
        let again = host.disk.len();
        let next = party.next_command();
        let (mut repeated, mut is_anew) = (None, false);
        if let Some(given) = host.given.as_mut().filter(|given| given.number >= next)
            && !(given.accepted && self.answers[role.index()].is_some())
        {
            is_anew = std::mem::take(&mut given.accepted);
            given.anew += usize::from(is_anew);
            repeated = Some(Input::Command(given.number, (given.command)(given.anew)));
        }
        host.party = Some(party);
        for peer in role.peers() {
            if self.each[peer.index()].is_up() {
                self.queue.push_back((role, Input::LinkUp(peer)));
            }
        }
        self.carry_out(role, &effects);
        self.queue.extend(repeated.map(|command| (role, command)));
        Ok(Event { cause: Cause::Restarted(role, again, is_anew), effects: of(role, effects) })
    }

    /// A link comes up: both say what they have on disk, and again what the other has not. Or one of them refuses it.
    fn connect(&mut self, a: Role, b: Role) -> Result<Vec<(Role, Effect)>, (Role, Error)> {
        let mut hello = |party: Role, peer: Role| self.party(party).and_then(|party| party.hello(peer));
        let of_a = hello(a, b).map_err(|error| (a, error))?;
        let of_b = hello(b, a).map_err(|error| (b, error))?;
        let mut all = Vec::new();
        for (party, peer, taken) in [(a, b, of_b), (b, a, of_a)] {
            let effects = self.party(party).and_then(|one| one.link_up(peer, taken));
            let effects = effects.map_err(|error| (party, error))?;
            self.carry_out(party, &effects);
            all.extend(of(party, effects));
        }
        Ok(all)
    }

    fn carry_out(&mut self, role: Role, effects: &[Effect]) {
        for effect in effects {
            let host = &mut self.each[role.index()];
            let next = match effect {
                Effect::Append { lsn, record } => {
                    host.unwritten.push((*lsn, record.clone()));
                    // One sync for all that is appended until then.
                    if host.unwritten.len() > 1 {
                        continue;
                    }
                    (role, Input::Sync)
                }
                Effect::Snapshot { lsn, state } => {
                    host.snapshot = Some((*lsn, state.clone()));
                    host.disk.retain(|(number, _)| number > lsn);
                    continue;
                }
                Effect::Send { peer, lane, number, frame } => {
                    (*peer, Input::Frame(role, *lane, *number, frame.clone()))
                }
                Effect::Acknowledge { peer, lane, number } => {
                    (*peer, Input::Acknowledged(role, *lane, *number))
                }
                Effect::Result { number, answer } => {
                    self.answers[role.index()] = Some(answer.clone());
                    (role, Input::Fetched(*number))
                }
                Effect::Accepted(number) => {
                    if let Some(given) = host.given.as_mut().filter(|given| given.number == *number) {
                        given.accepted = true;
                    }
                    continue;
                }
                Effect::Refused { .. } => continue,
            };
            self.queue.push_back(next);
        }
    }
}

fn of(role: Role, effects: Vec<Effect>) -> Vec<(Role, Effect)> {
    effects.into_iter().map(|effect| (role, effect)).collect()
}

/// A party as it is on its disk. Its seed is always the same, as on a disk.
fn started(
    parameters: Parameters,
    role: Role,
    snapshot: Option<&Numbered>,
    disk: &[Numbered],
) -> Result<(Party, Vec<Effect>), Error> {
    let party = paper::lasting(role, parameters, [role.number() + 1; 32], Plain);
    let snapshot = snapshot.map(|(lsn, state)| (*lsn, &state[..]));
    Durable::restore(party, LIMITS, snapshot, disk.iter().map(|(lsn, record)| (*lsn, &record[..])))
}
