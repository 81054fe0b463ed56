//! The owner of the data, with three durable parties ([`crate::node`]) and a memory of its own on disk: killed at any moment
//! and started again with the same memory and operations, it goes on where it was.
//!
//! Rule 5 of `proofs/tla/README.md` asks the owner to keep its shares until the parties have them, and to repeat the same. All of
//! its shares follow from one seed and from what is to be done, so that it keeps the seed, a digest of what is to be done,
//! and which commands have been answered, with the words that came out.

mod ledger;
mod steps;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use duoram_reference::durable::{Answer, Limits};
use duoram_reference::{Operands, Parameters, Role, SessionId, Word};

use self::ledger::{Ledger, digest};
use self::steps::{Step, steps};
use crate::Error;
use crate::budget::Budget;
use crate::local_computation::{Extent, LocalComputation};
use crate::node::{self, Input, Node, Told};
use crate::operation::{Operation, Row};
use crate::protocol::{Rules, Runs};
use crate::seed::Seeds;
use crate::sharing::opened;
use crate::store::{Folder, Owner, Store, StoreKey};

/// Steps that are commanded ahead of the oldest that is not answered: enough that items are made while others are used.
const AHEAD: usize = 64;

/// How much a party keeps. Journals are bounded by the time that it takes to do them again: a READ or two a record.
const LIMITS: Limits =
    Limits { journal: 16 << 20, items: 64, unacknowledged: 64 << 20, ahead: 1 << 30, commands: 2 * AHEAD };

/// Where a run is kept, and what seals it.
pub struct State<'a> {
    /// A folder, with one for each party and for the owner in it.
    pub folder: &'a Path,
    /// From outside of the folder.
    pub key: &'a StoreKey,
}

/// What a run has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Steps of all parties that had been done before this start.
    pub found: u64,
    /// Steps that were done since.
    pub done: u64,
}

/// A step that has been commanded.
struct Open {
    /// The place of the operation among all, if its result is the operation's.
    result_of: Option<usize>,
    /// By party: the number of its command, until that is answered.
    awaited: [Option<u64>; 3],
    /// By party: the number of its command.
    own: [Option<u64>; 3],
    /// The primaries' shares of the result.
    shares: [Option<Row>; 2],
}

impl Open {
    /// What comes out, if it is an operation's.
    fn result<P: Rules>(&self) -> Option<Row> {
        let [Some(share_0), Some(share_1)] = &self.shares else { return None };
        self.result_of.map(|_| opened::<P>([share_0, share_1]))
    }
}

/// Runs operations on a memory with three durable parties, or what is left to do of them. `answer` gets the result of each
/// operation in turn, also of those that were done before, and says whether to go on.
///
/// # Errors
///
/// [`Error::OtherRun`] if the folder holds another run; [`Error::Store`], [`Error::Node`], [`Error::Thread`], [`Error::Stopped`].
pub fn run<P: Runs<C>, C: LocalComputation>(
    extent: Extent,
    computation: &C,
    state: &State<'_>,
    budget: &Budget,
    (memory, operations): (&[Word], &[Operation]),
    answer: &mut dyn FnMut(usize, Option<Row>) -> bool,
) -> Result<Summary, Error> {
    let of = |session| extent.parameters(session).map_err(Error::Parameters);
    let digest = digest::<P>(of(SessionId([0; 16]))?, budget, memory, operations);
    let mut ledger = Ledger::open(state, digest)?;
    let parameters = of(ledger.session)?;
    let (owner, told) = channel();
    let links = [(); 3].map(|()| channel::<Input>());
    let inboxes = [0, 1, 2].map(|place: usize| links[place].0.clone());
    let takes_part = |role: &Role| P::ROLES.contains(role);
    for (role, (_, inputs)) in Role::ALL.into_iter().zip(links).filter(|(role, _)| takes_part(role)) {
        let peers = role.others(P::ROLES).map(|peer| (peer, inboxes[peer.index()].clone())).collect();
        start::<P, C>(role, parameters, computation, state, peers, owner.clone(), inputs)?;
    }
    drop(owner);
    let steps = steps::<P>(*ledger.seed, budget, memory, operations);
    let desk = Desk {
        ledger: &mut ledger,
        row_words: extent.row_words,
        inboxes,
        // Whoever does not take part waits for nothing.
        waits: Role::ALL.map(|role| (!takes_part(&role)).then_some(0)),
        open: BTreeMap::new(),
        next: [0; 3],
        early: BTreeMap::new(),
        results: BTreeMap::new(),
        given: 0,
    };
    desk.serve::<P>(steps, &told, answer)
}

/// Starts a party in a thread of its own, which opens its disk.
fn start<P: Runs<C>, C: LocalComputation>(
    role: Role,
    parameters: Parameters,
    computation: &C,
    state: &State<'_>,
    peers: Vec<(Role, Sender<Input>)>,
    owner: Sender<(Role, Told)>,
    inputs: Receiver<Input>,
) -> Result<(), Error> {
    // Whoever has been here before has a seed of its own.
    let seed = Seeds::from_system()?.parties[role.index()];
    let name = format!("{role}").to_lowercase();
    let store = Store::open(
        Folder::open(&state.folder.join(name))?,
        state.key,
        &Owner::party(parameters.session(), role),
    )?;
    let computation = computation.clone();
    let work = move || {
        let party = P::lasting(role, parameters, seed, computation);
        let party = party.map_err(|source| node::Error::Refused { party: role, source });
        let node = party.and_then(|party| Node::open(party, LIMITS, store, peers, owner.clone()));
        if let Err(error) = node.and_then(|node| node.serve(&inputs)) {
            let _ = owner.send((role, Told::Failed(error)));
        }
    };
    thread::Builder::new().name(role.to_string()).spawn(work).map(drop).map_err(Error::Thread)
}

/// The owner at work: what it has commanded, and what has come back.
struct Desk<'a> {
    ledger: &'a mut Ledger,
    row_words: usize,
    inboxes: [Sender<Input>; 3],
    /// The number of the command that each party waits for first, once it has said so.
    waits: [Option<u64>; 3],
    /// What was commanded and is not answered, by the step's number.
    open: BTreeMap<u64, Open>,
    /// The number of each party's next command.
    next: [u64; 3],
    /// Answers to commands that have not come up again since the start: by party and number.
    early: BTreeMap<(usize, u64), Operands>,
    /// What came out of operations, and was not given yet.
    results: BTreeMap<usize, Option<Row>>,
    /// The operation whose result is given next.
    given: usize,
}

impl Desk<'_> {
    fn serve<P: Rules>(
        mut self,
        steps: impl Iterator<Item = Step>,
        told: &Receiver<(Role, Told)>,
        answer: &mut dyn FnMut(usize, Option<Row>) -> bool,
    ) -> Result<Summary, Error> {
        while self.waits.contains(&None) {
            let (role, first) = hear(told)?;
            self.take(role, first)?;
        }
        let (mut steps, mut summary) = ((0..).zip(steps).peekable(), Summary { found: 0, done: 0 });
        loop {
            while let Some((number, step)) = steps.next_if(|_| self.open.len() < AHEAD) {
                summary.found += u64::from(self.command(number, step)?);
            }
            // Some may have been answered before this start, and not entered.
            let closed = self.close::<P>()?;
            summary.done += closed;
            while let Some(result) = self.results.remove(&self.given) {
                self.given += 1;
                if !answer(self.given - 1, result) {
                    return Ok(summary);
                }
            }
            if closed > 0 {
                continue;
            }
            if self.open.is_empty() && steps.peek().is_none() {
                return Ok(summary);
            }
            let (role, first) = hear(told)?;
            self.take(role, first)?;
            for (role, more) in told.try_iter() {
                self.take(role, more)?;
            }
        }
    }

    /// Tells the parties a step, if they have not been told; whether it had been answered before.
    fn command(&mut self, number: u64, Step { commands, result_of }: Step) -> Result<bool, Error> {
        let before = self.ledger.answered.get(&number).cloned();
        let mut awaited = [None; 3];
        for (place, command) in commands.into_iter().enumerate() {
            let Some(command) = command else { continue };
            let own = self.next[place];
            self.next[place] += 1;
            awaited[place] = Some(own);
            if Some(own) < self.waits[place] {
                continue;
            }
            if before.is_some() {
                return Err(Error::Forgot { party: Role::ALL[place] });
            }
            let _ = self.inboxes[place].send(Input::Command(own, command));
        }
        let known = before.is_some();
        if let Some(result) = before {
            self.results.extend(result_of.map(|operation| (operation, result)));
        } else {
            self.open.insert(number, Open { result_of, awaited, own: awaited, shares: [None, None] });
        }
        for (place, own) in awaited.into_iter().enumerate() {
            let early = own.and_then(|own| self.early.remove(&(place, own)).map(|shares| (own, shares)));
            if let Some((own, shares)) = early {
                self.answered(place, own, shares);
            }
        }
        Ok(known)
    }

    fn take(&mut self, role: Role, told: Told) -> Result<(), Error> {
        match told {
            Told::Failed(error) => return Err(error.into()),
            Told::Answer(_, Answer::Refused(reason)) => return Err(Error::Answer { party: role, reason }),
            Told::Answer(own, Answer::Done(shares)) => self.answered(role.index(), own, shares),
            Told::Waits(number) => self.waits[role.index()] = Some(number),
            Told::Accepted(_) => {}
        }
        Ok(())
    }

    /// A party has answered its command `own`.
    fn answered(&mut self, place: usize, own: u64, shares: Operands) {
        if own >= self.next[place] {
            self.early.insert((place, own), shares);
        } else if let Some(open) = self.open.values_mut().find(|open| open.awaited[place] == Some(own)) {
            open.awaited[place] = None;
            if let Some(share) = open.shares.get_mut(place) {
                *share = shares.rchunks_exact(self.row_words).next().map(<[Word]>::to_vec);
            }
        } else {
            // It is in the ledger, and the party ended before it heard that.
            let _ = self.inboxes[place].send(Input::Fetched(own));
        }
    }

    /// Enters what all parties have answered, lets them forget it, and opens results. How many steps that were.
    fn close<P: Rules>(&mut self) -> Result<u64, Error> {
        let closed: Vec<_> = self.open.extract_if(.., |_, open| open.awaited == [None; 3]).collect();
        let entries = closed.iter().map(|(number, open)| (*number, open.result::<P>())).collect::<Vec<_>>();
        self.ledger.enter(&entries)?;
        for ((_, result), (_, open)) in entries.iter().zip(&closed) {
            self.results.extend(open.result_of.map(|operation| (operation, result.clone())));
            for (inbox, own) in self.inboxes.iter().zip(open.own) {
                let _ = own.map(|own| inbox.send(Input::Fetched(own)));
            }
        }
        Ok(closed.len() as u64)
    }
}

/// Every party holds an end of this as long as it is there.
fn hear(told: &Receiver<(Role, Told)>) -> Result<(Role, Told), Error> {
    told.recv().map_err(|_| Error::Stopped { party: Role::P0 })
}
