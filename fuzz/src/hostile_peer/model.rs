//! What a party awaits, from `reference/PROTOCOL.md` alone: which frame it must take, and which calls it must refuse.

use std::collections::VecDeque;

use duoram_reference::{Batch, Error, Frame, HEADER_LENGTH, ItemKind, Role, Step, step};

use crate::payloads::{LEVEL_OPENING, Shape, header, length, repair, valid};
use crate::words::Words;

use super::SESSION;

/// A message that is due.
#[derive(Clone, Copy)]
struct Due {
    from: Role,
    round: u32,
    shape: Shape,
    operation: u64,
    step: Step,
}

/// A call that starts a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Call {
    Connect,
    /// With a share of so many words.
    Load(usize),
    Preprocess(Batch),
    Read(usize),
    Update(usize),
    Write,
}

/// A party as its peers see it.
pub(super) struct Model {
    role: Role,
    log_size: u32,
    /// The number of the next step, 0 before the connection.
    operation: u64,
    due: VecDeque<Due>,
    prepared: Batch,
    /// What the batch under way will add.
    coming: Batch,
    /// The lowest bits of the shares of correction words that the party has sent last.
    opening: Vec<u8>,
}

impl Model {
    pub(super) fn new(role: Role, log_size: u32) -> Self {
        let (prepared, coming) = (Batch::default(), Batch::default());
        Self { role, log_size, operation: 0, due: VecDeque::new(), prepared, coming, opening: Vec::new() }
    }

    pub(super) fn awaits(&self) -> Option<Role> {
        self.due.front().map(|due| due.from)
    }

    pub(super) fn prepared(&self) -> Batch {
        self.prepared
    }

    /// Why the call must be refused, if it must.
    fn refusal(&self, call: Call) -> Option<Error> {
        if let Some(due) = self.due.front() {
            return Some(Error::Busy { step: due.step });
        }
        if matches!(call, Call::Connect) {
            return (self.operation > 0).then_some(Error::AlreadyConnected);
        }
        if self.operation == 0 {
            return Some(Error::NotConnected);
        }
        let Batch { reads, updates } = self.prepared;
        let left = |kind, needed, left| {
            (needed > left).then_some(Error::PreprocessingExhausted { kind, needed, left })
        };
        match call {
            Call::Connect => None,
            Call::Load(_) if self.operation > 1 => Some(Error::NotFresh { steps: self.operation - 1 }),
            Call::Load(got) => {
                let expected = 1_u64 << self.log_size;
                let got = got as u64;
                // The helper has no share that could be too short.
                (self.role != Role::P2 && got != expected).then_some(Error::MemoryLength { expected, got })
            }
            Call::Preprocess(Batch { reads, updates }) => match reads.saturating_add(updates) {
                0 => Some(Error::EmptyStep),
                got => {
                    let max = self.most_items();
                    (got > max).then_some(Error::BatchTooLarge { max, got })
                }
            },
            Call::Read(0) | Call::Update(0) => Some(Error::EmptyStep),
            Call::Read(count) => left(ItemKind::Read, count, reads),
            Call::Update(count) => left(ItemKind::Update, count, updates),
            Call::Write => left(ItemKind::Read, 1, reads).or_else(|| left(ItemKind::Update, 1, updates)),
        }
    }

    /// As many items as have triples that fit 64 MiB: in bits, two blocks and a bit a level and three words more, for each
    /// of three DPFs.
    fn most_items(&self) -> usize {
        (64 << 23) / (3 * (self.log_size as usize * 257 + 192))
    }

    /// The call is made: what is due then, or why it must be refused.
    pub(super) fn start(&mut self, call: Call) -> Result<(), Error> {
        if let Some(error) = self.refusal(call) {
            return Err(error);
        }
        match call {
            Call::Connect => {
                let shape = Shape::Hello { log_size: self.log_size };
                for from in self.role.peers() {
                    self.await_message(from, 0, shape, step::CONNECT);
                }
            }
            Call::Load(_) => {
                let words = 1 << self.log_size;
                self.primaries(step::LOAD, Shape::Blinded { words }, Shape::Blind { words });
            }
            Call::Preprocess(batch) => {
                self.coming = batch;
                self.preprocess(batch);
            }
            Call::Read(count) => self.read(count),
            Call::Update(count) => self.update(count, 0),
            Call::Write => {
                self.read(1);
                self.prepared.updates += 1; // taken when the READ is done
                self.update(1, 1);
            }
        }
        Ok(())
    }

    fn await_message(&mut self, from: Role, round: u32, shape: Shape, step: Step) {
        self.due.push_back(Due { from, round, shape, operation: self.operation, step });
    }

    /// Of a message that each primary sends to the other one and to the helper.
    fn primaries(&mut self, step: Step, to_primary: Shape, to_helper: Shape) {
        if self.role == Role::P2 {
            self.await_message(Role::P0, 0, to_helper, step);
            self.await_message(Role::P1, 0, to_helper, step);
        } else {
            self.await_message(self.other(), 0, to_primary, step);
        }
    }

    /// The other primary.
    fn other(&self) -> Role {
        if self.role == Role::P0 { Role::P1 } else { Role::P0 }
    }

    fn preprocess(&mut self, Batch { reads, updates }: Batch) {
        let (role, log_size, items, other) = (self.role, self.log_size, reads + updates, self.other());
        let dpfs = 3 * items;
        // The round of messages that are not of one level: how many of the items are for READs.
        let split = u32::try_from(reads).expect("a small batch");
        let mut due = |from, round, shape| self.await_message(from, round, shape, step::PREPROCESS);
        if role == Role::P2 {
            due(Role::P0, split, Shape::HelperKeys { log_size, items });
            due(Role::P1, split, Shape::HelperKeys { log_size, items });
            return;
        }
        due(Role::P2, split, Shape::Triples { log_size, dpfs });
        for level in 0..log_size {
            due(other, level, Shape::LevelOperands { dpfs });
            due(other, level, Shape::LevelOpening { dpfs });
        }
        let deltas = if other == Role::P0 { updates } else { 0 };
        due(other, split, Shape::ConversionOperands { dpfs, deltas });
        due(other, split, Shape::ConversionOpening { dpfs });
    }

    fn read(&mut self, queries: usize) {
        self.prepared.reads -= queries;
        let shift = Shape::Shift { log_size: self.log_size, queries };
        self.primaries(step::READ, shift, shift);
        if self.role != Role::P2 {
            self.await_message(Role::P2, 0, Shape::Unblinding { queries }, step::READ);
        }
    }

    fn update(&mut self, queries: usize, steps_before: u64) {
        self.prepared.updates -= queries;
        let log_size = self.log_size;
        self.operation += steps_before;
        let to_primary = Shape::Update { log_size, queries };
        self.primaries(step::UPDATE, to_primary, Shape::HelperUpdate { log_size, queries });
        self.operation -= steps_before;
    }

    fn header(&self, due: &Due) -> Vec<u8> {
        let links = [due.from, self.role];
        let length = length(due.shape, due.from);
        header(due.shape.kind(), links, due.round, length, due.operation, SESSION.0)
    }

    /// A frame that is due, with random content; what only a primary can know of it fits too.
    pub(super) fn frame(&self, words: &mut Words) -> Option<Frame> {
        let due = self.due.front()?;
        let mut payload: Vec<u8> =
            (0..length(due.shape, due.from)).map(|_| words.word().to_le_bytes()[0]).collect();
        repair(due.shape, due.from, &mut payload);
        if due.shape.kind() == LEVEL_OPENING {
            for (block, bit) in payload.chunks_exact_mut(16).zip(&self.opening) {
                block[0] = block[0] & !1 | bit;
            }
        }
        let bytes = [self.header(due), payload].concat().into();
        Some(Frame { from: due.from, to: self.role, bytes })
    }

    /// Whether the party must take these bytes from this link.
    pub(super) fn takes(&self, link: Role, bytes: &[u8]) -> bool {
        let Some(due) = self.due.front() else { return false };
        let Some((header, payload)) = bytes.split_at_checked(HEADER_LENGTH) else { return false };
        // The opened correction word has a clear lowest bit.
        let fits = due.shape.kind() != LEVEL_OPENING
            || payload.chunks_exact(16).zip(&self.opening).all(|(block, bit)| block[0] & 1 == *bit);
        link == due.from && header == self.header(due) && valid(due.shape, due.from, payload) && fits
    }

    /// The party has taken what was due, and has sent these frames.
    pub(super) fn taken(&mut self, sent: &[Frame]) {
        let Some(done) = self.due.pop_front() else { return };
        for frame in sent.iter().filter(|frame| frame.bytes[4] == LEVEL_OPENING) {
            self.opening = frame.bytes[HEADER_LENGTH..].chunks_exact(16).map(|block| block[0] & 1).collect();
        }
        let next = self.due.front().map(|due| due.operation);
        if next == Some(done.operation) {
            return;
        }
        self.operation = done.operation + 1;
        if next.is_some() {
            // The second half of a WRITE.
            self.prepared.updates -= 1;
        }
        self.prepared.reads += self.coming.reads;
        self.prepared.updates += self.coming.updates;
        self.coming = Batch::default();
    }
}
