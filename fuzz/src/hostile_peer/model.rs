//! What a party awaits, from `reference/PROTOCOL.md` alone: which frame it must take, and which calls it must refuse.

use std::collections::VecDeque;

use duoram_reference::{Batch, Error, Frame, HEADER_LENGTH, ItemKind, Parameters, Role, Step};
use duoram_runtime::fast::Fast;

use crate::party::Player;
use crate::payloads::{Opened, Shape, header, length, repair, valid};
use crate::words::Words;

use super::SESSION;

/// A message that is due.
#[derive(Clone, Copy)]
pub struct Due<S> {
    /// Its sender.
    pub from: Role,
    /// The header's field of this name.
    pub round: u32,
    /// Its payload.
    pub shape: S,
    /// The step that it is of.
    pub step: Step,
    /// How many steps are to be done first, of those that a call starts.
    pub later: u64,
}

/// A call that starts a step.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Call {
    Connect,
    /// With a share of so many words.
    Load(usize),
    Preprocess(Batch),
    Read(usize),
    Update(usize),
    Write,
    Swap,
}

/// A protocol: what its parties await, and the parties themselves.
pub trait Played {
    /// What its messages look like.
    type Shape: Shape;
    /// What a party holds.
    type View;

    /// The role that is played for one of three.
    fn seat(role: Role) -> Role {
        role
    }

    /// The h that are played.
    const LOG_SIZES: &'static [u32];

    /// A party before the first step, with a backend's computation, or the reference's.
    fn party(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        computation: Option<&Fast>,
    ) -> Box<dyn Player<View = Self::View>>;

    /// Whether what the reference's computation holds is what another one does.
    fn same(reference: &Self::View, got: &Self::View) -> bool;

    /// Of a batch that is too large for a payload, how many items would fit.
    fn too_large(log_size: u32, batch: Batch) -> Option<usize>;

    /// The items that each step of an operation takes.
    fn takes(call: Call) -> Vec<Batch>;

    /// The messages that a party awaits after a call that is not refused.
    fn due(role: Role, log_size: u32, call: Call) -> Vec<Due<Self::Shape>>;
}

/// The other primary.
pub(super) fn other(role: Role) -> Role {
    if role == Role::P0 { Role::P1 } else { Role::P0 }
}

/// Of a message that each primary sends to the other one and to the helper: from whom a party awaits it.
pub(super) fn primaries(role: Role) -> Vec<Role> {
    if role == Role::P2 { vec![Role::P0, Role::P1] } else { vec![other(role)] }
}

/// Whether the shares of a kind are opened, and how.
fn opened<S: Shape>(kind: u8) -> Option<Opened> {
    S::OPENED.iter().find(|opened| opened.kind == kind).copied()
}

/// A party as its peers see it.
pub(super) struct Model<P: Played> {
    role: Role,
    log_size: u32,
    /// The number of the next step, 0 before the connection.
    operation: u64,
    /// With the number of the step.
    due: VecDeque<(u64, Due<P::Shape>)>,
    prepared: Batch,
    /// What the batch under way will add.
    coming: Batch,
    /// What the steps under way will take, the next one last.
    takes: Vec<Batch>,
    /// Of the last shares that the party has sent to be opened: what the lowest bits of the other's must be.
    fitting: Vec<u8>,
}

impl<P: Played> Model<P> {
    pub(super) fn new(role: Role, log_size: u32) -> Self {
        let (prepared, coming) = (Batch::default(), Batch::default());
        let (due, takes) = (VecDeque::new(), Vec::new());
        Self { role, log_size, operation: 0, due, prepared, coming, takes, fitting: Vec::new() }
    }

    pub(super) fn awaits(&self) -> Option<Role> {
        self.due.front().map(|(_, due)| due.from)
    }

    pub(super) fn prepared(&self) -> Batch {
        self.prepared
    }

    /// Why the call must be refused, if it must.
    fn refusal(&self, call: Call) -> Option<Error> {
        if let Some((_, due)) = self.due.front() {
            return Some(Error::Busy { step: due.step });
        }
        if matches!(call, Call::Connect) {
            return (self.operation > 0).then_some(Error::AlreadyConnected);
        }
        if self.operation == 0 {
            return Some(Error::NotConnected);
        }
        match call {
            Call::Load(_) if self.operation > 1 => Some(Error::NotFresh { steps: self.operation - 1 }),
            Call::Load(got) => {
                let expected = 1_u64 << self.log_size;
                let got = got as u64;
                // The helper has no share that could be too short.
                (self.role != Role::P2 && got != expected).then_some(Error::MemoryLength { expected, got })
            }
            Call::Preprocess(Batch { reads: 0, updates: 0 }) | Call::Read(0) | Call::Update(0) => {
                Some(Error::EmptyStep)
            }
            Call::Preprocess(batch) => {
                let got = batch.reads.saturating_add(batch.updates);
                P::too_large(self.log_size, batch).map(|max| Error::BatchTooLarge { max, got })
            }
            Call::Connect | Call::Read(_) | Call::Update(_) | Call::Write | Call::Swap => {
                let needed = P::takes(call).into_iter().fold(Batch::default(), |sum, step| Batch {
                    reads: sum.reads + step.reads,
                    updates: sum.updates + step.updates,
                });
                let Batch { reads, updates } = self.prepared;
                let left = |kind, needed, left| {
                    (needed > left).then_some(Error::PreprocessingExhausted { kind, needed, left })
                };
                left(ItemKind::Read, needed.reads, reads)
                    .or_else(|| left(ItemKind::Update, needed.updates, updates))
            }
        }
    }

    /// The call is made: what is due then, or why it must be refused.
    pub(super) fn start(&mut self, call: Call) -> Result<(), Error> {
        if let Some(error) = self.refusal(call) {
            return Err(error);
        }
        if let Call::Preprocess(batch) = call {
            self.coming = batch;
        }
        let due = P::due(self.role, self.log_size, call);
        self.due.extend(due.into_iter().map(|due| (self.operation + due.later, due)));
        self.takes = P::takes(call);
        self.takes.reverse();
        self.take();
        if self.due.is_empty() {
            // The party only sends.
            self.operation += 1;
        }
        Ok(())
    }

    /// The items of the next step are taken.
    fn take(&mut self) {
        let Batch { reads, updates } = self.takes.pop().unwrap_or_default();
        self.prepared.reads -= reads;
        self.prepared.updates -= updates;
    }

    fn header(&self, operation: u64, due: &Due<P::Shape>) -> Vec<u8> {
        let links = [due.from, self.role];
        let length = length(due.shape, due.from);
        header::<P::Shape>(due.shape.kind(), links, due.round, length, operation, SESSION.0)
    }

    /// A frame that is due, with random content; what only a primary can know of it fits too.
    pub(super) fn frame(&self, words: &mut Words) -> Option<Frame> {
        let (operation, due) = self.due.front()?;
        let mut payload: Vec<u8> =
            (0..length(due.shape, due.from)).map(|_| words.word().to_le_bytes()[0]).collect();
        repair(due.shape, due.from, &mut payload);
        if let Some(Opened { bytes, .. }) = opened::<P::Shape>(due.shape.kind()) {
            for (share, bit) in payload.chunks_exact_mut(bytes).zip(&self.fitting) {
                share[0] = share[0] & !1 | bit;
            }
        }
        let bytes = [self.header(*operation, due), payload].concat().into();
        Some(Frame { from: due.from, to: self.role, bytes })
    }

    /// Whether the party must take these bytes from this link.
    pub(super) fn takes(&self, link: Role, bytes: &[u8]) -> bool {
        let Some((operation, due)) = self.due.front() else { return false };
        let Some((header, payload)) = bytes.split_at_checked(HEADER_LENGTH) else { return false };
        let fits = opened::<P::Shape>(due.shape.kind()).is_none_or(|Opened { bytes, .. }| {
            payload.chunks_exact(bytes).zip(&self.fitting).all(|(share, bit)| share[0] & 1 == *bit)
        });
        let valid = valid(due.shape, due.from, payload);
        link == due.from && header == self.header(*operation, due) && valid && fits
    }

    /// The party has taken what was due, and has sent these frames.
    pub(super) fn taken(&mut self, sent: &[Frame]) {
        let Some((done, _)) = self.due.pop_front() else { return };
        for frame in sent {
            if let Some(Opened { bytes, bit, .. }) = opened::<P::Shape>(frame.bytes[4]) {
                let shares = frame.bytes[HEADER_LENGTH..].chunks_exact(bytes);
                self.fitting = shares.map(|share| share[0] & 1 ^ bit).collect();
            }
        }
        let next = self.due.front().map(|(operation, _)| *operation);
        if next == Some(done) {
            return;
        }
        self.operation = done + 1;
        self.take();
        self.prepared.reads += self.coming.reads;
        self.prepared.updates += self.coming.updates;
        self.coming = Batch::default();
    }
}
