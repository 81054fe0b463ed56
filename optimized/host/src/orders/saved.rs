//! What a snapshot has of requests and orders. Written as the durable party writes its own: little-endian words, and before whatever
//! has a length its length.
//!
//! | field | |
//! |---|---|
//! | `DUOO`, version, role | 6 bytes |
//! | orders taken, number of the next order's first command, whether a memory was loaded | |
//! | for each client | name, first, next; for each request number, kind, count, deadline, state |
//! | for each step without all acknowledgements | its last command, its kind, its parts |
//! | for each order that is not all commands yet | its first command, its work |
//! | P0 | acknowledgements of each of the others, orders kept, items left, batches under way |

use std::time::Duration;

use duoram_link::{ClientName, Part, PeerMessage, WorkKind, decode, encode};
use duoram_reference::durable::stored::{Stored, Writer, write_bytes, write_words};
use duoram_reference::{Batch, Operands};
use zeroize::Zeroizing;

use super::answers::Step;
use super::due::{Due, Work};
use super::ledger::{Asked, Ledger, State};
use super::record::{decode_refusal, encode_refusal};
use super::{Fault, Orders, Side};
use crate::engine::ProtocolFacts;
use crate::settings::Settings;

/// The first bytes, and the version.
const MAGIC: [u8; 5] = *b"DUOO\x01";

/// What was stored is not what this party stores, or does not follow from what is before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal or snapshot of this party: expected {what}")]
pub struct NotStored {
    /// What was expected.
    pub(crate) what: &'static str,
}

impl Orders {
    /// Everything, as of all records that were taken.
    pub(crate) fn save(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Writer::default();
        out.bytes(&MAGIC);
        out.byte(self.settings.role.number());
        out.words(&[self.taken, self.next_command, self.loaded.into()]);
        out.word(self.clients.len() as u64);
        for (client, ledger) in &self.clients {
            write_bytes(&mut out, client.as_str().as_bytes());
            out.words(&[ledger.first, ledger.next]);
            let asked = ledger.asked.iter();
            let asked: Vec<_> = asked
                .filter(|(_, asked)| !(asked.state.waits() && self.plants(Fault::ForgetsHeld)))
                .collect();
            out.word(asked.len() as u64);
            for (number, asked) in asked {
                write_asked(&mut out, *number, asked);
            }
        }
        out.word(self.steps.len() as u64);
        for (command, step) in &self.steps {
            out.word(*command);
            out.byte(step.kind.number());
            out.word(step.parts.len() as u64);
            for Part { client, number, count } in &step.parts {
                write_bytes(&mut out, client.as_str().as_bytes());
                out.words(&[*number, *count]);
            }
        }
        out.word(self.due.len() as u64);
        for Due { first, work } in &self.due {
            out.word(*first);
            write_work(&mut out, work);
        }
        if let Side::Giving(giving) = &self.side {
            for follower in &giving.followers {
                out.word(follower.acknowledged);
            }
            out.word(giving.kept.len() as u64);
            for order in &giving.kept {
                write_bytes(&mut out, &encode(&PeerMessage::Order(order.clone())));
            }
            out.words(&giving.stock.left.map(i64::cast_unsigned));
            out.word(giving.stock.making.len() as u64);
            for (command, batch) in &giving.stock.making {
                out.word(*command);
                write_batch(&mut out, *batch);
            }
        }
        out.finish()
    }

    /// What [`Orders::save`] has stored, and the records since. [`Orders::reconcile`] comes next.
    pub(crate) fn restore<'a>(
        settings: Settings,
        facts: ProtocolFacts,
        now: Duration,
        saved: &[u8],
        records: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self, NotStored> {
        let mut orders = Self::new(settings, facts, now);
        orders.read(&mut Stored::new(saved)).ok_or(NotStored { what: "a snapshot of orders" })?;
        for record in records {
            orders.replay(record)?;
        }
        // Nobody is there to be told; and it was, or will ask.
        orders.out = super::Out::default();
        orders.requests = crate::engine::status::kinds();
        Ok(orders)
    }

    fn read(&mut self, stored: &mut Stored<'_>) -> Option<()> {
        for expected in MAGIC {
            if stored.byte()? != expected {
                return None;
            }
        }
        if stored.role()? != self.settings.role {
            return None;
        }
        (self.taken, self.next_command, self.loaded) = (stored.word()?, stored.word()?, stored.word()? == 1);
        for _ in 0..stored.count(size_of::<u64>() * 4)? {
            let client = read_client(stored)?;
            let (first, next) = (stored.word()?, stored.word()?);
            let mut ledger = Ledger { next, first, ..Ledger::default() };
            for _ in 0..stored.count(size_of::<u64>() * 2)? {
                let (number, asked) = read_asked(stored, self.now)?;
                ledger.asked.insert(number, asked);
            }
            let numbers: Vec<_> = ledger.asked.keys().copied().collect();
            self.clients.insert(client.clone(), ledger);
            for number in numbers {
                self.watch_deadline(&client, number);
            }
        }
        for _ in 0..stored.count(size_of::<u64>() * 2)? {
            let (command, mut step) = (stored.word()?, Step::new(WorkKind::from_number(stored.byte()?)?));
            for _ in 0..stored.count(size_of::<u64>() * 3)? {
                let part =
                    Part { client: read_client(stored)?, number: stored.word()?, count: stored.word()? };
                let open = self.is_part(&part, command);
                step.push(&part, open);
            }
            self.steps.insert(command, step);
        }
        for _ in 0..stored.count(size_of::<u64>())? {
            self.due.push_back(Due { first: stored.word()?, work: read_work(stored)? });
        }
        if let Side::Giving(giving) = &mut self.side {
            for follower in &mut giving.followers {
                follower.acknowledged = stored.word()?;
            }
            for _ in 0..stored.count(size_of::<u64>())? {
                let Ok(PeerMessage::Order(order)) = decode(&stored.bytes()?) else { return None };
                giving.kept.push_back(order);
            }
            giving.stock.left = [stored.word()?.cast_signed(), stored.word()?.cast_signed()];
            for _ in 0..stored.count(size_of::<u64>() * 3)? {
                let command = stored.word()?;
                giving.stock.making.insert(command, read_batch(stored)?);
            }
        }
        Some(())
    }

    /// Whether the client of this part has not acknowledged its answer.
    fn is_part(&self, part: &Part, command: u64) -> bool {
        let asked = self.clients.get(&part.client).and_then(|ledger| ledger.asked.get(&part.number));
        matches!(asked.map(|asked| &asked.state), Some(State::Ordered { command: own, .. }) if *own == command)
    }
}

fn write_asked(out: &mut Writer, number: u64, asked: &Asked) {
    out.word(number);
    out.byte(asked.kind.number());
    out.words(&[asked.count, asked.deadline_ms.into()]);
    match &asked.state {
        State::Coming { next, words } => {
            out.byte(0);
            out.word(*next);
            write_words(out, words);
        }
        State::Held(words) => {
            out.byte(1);
            write_words(out, words);
        }
        State::Ordered { command, .. } => {
            out.byte(2);
            out.word(*command);
        }
        State::Refused(refusal) => {
            out.byte(3);
            write_bytes(out, &encode_refusal(number, refusal.clone()));
        }
        State::Unfit => out.byte(4),
    }
}

fn read_asked(stored: &mut Stored<'_>, now: Duration) -> Option<(u64, Asked)> {
    let (number, kind) = (stored.word()?, WorkKind::from_number(stored.byte()?)?);
    let (count, deadline_ms) = (stored.word()?, u32::try_from(stored.word()?).ok()?);
    let state = match stored.byte()? {
        0 => {
            let next = stored.word()?;
            let there = stored.words()?;
            let mut words = Operands::new(Vec::with_capacity(usize::try_from(count).ok()?.max(there.len())));
            words.extend_from_slice(&there);
            State::Coming { next, words }
        }
        1 => State::Held(stored.words()?),
        2 => State::Ordered { command: stored.word()?, outcome: None },
        3 => State::Refused(decode_refusal(&stored.bytes()?)?.1),
        4 => State::Unfit,
        _ => return None,
    };
    Some((number, Asked { kind, count, deadline_ms, since: now, state }))
}

fn write_work(out: &mut Writer, work: &Work) {
    match work {
        Work::Connect => out.byte(0),
        Work::Preprocess(batch) => {
            out.byte(1);
            write_batch(out, *batch);
        }
        Work::Discard => out.byte(2),
        Work::Step { kind, count, shares } => {
            out.byte(3);
            out.byte(kind.number());
            out.word(*count);
            write_words(out, shares);
        }
    }
}

fn read_work(stored: &mut Stored<'_>) -> Option<Work> {
    Some(match stored.byte()? {
        0 => Work::Connect,
        1 => Work::Preprocess(read_batch(stored)?),
        2 => Work::Discard,
        3 => Work::Step {
            kind: WorkKind::from_number(stored.byte()?)?,
            count: stored.word()?,
            shares: stored.words()?,
        },
        _ => return None,
    })
}

fn write_batch(out: &mut Writer, batch: Batch) {
    out.words(&[batch.reads as u64, batch.updates as u64]);
}

fn read_batch(stored: &mut Stored<'_>) -> Option<Batch> {
    Some(Batch { reads: stored.size()?, updates: stored.size()? })
}

fn read_client(stored: &mut Stored<'_>) -> Option<ClientName> {
    std::str::from_utf8(&stored.bytes()?).ok()?.parse().ok()
}
