//! What orders become: commands of the party, one after another.

use duoram_link::{Entry, Order, WorkKind};
use duoram_reference::{Batch, CHUNK_WORDS, Command, Operands, Role};

use super::NotStored;
use super::record::Record;

/// An order that has not become all of its commands.
pub(super) struct Due {
    /// The number of its first command.
    pub(super) first: u64,
    pub(super) work: Work,
}

/// What all commands of an order do together.
pub(super) enum Work {
    /// Agree on a key.
    Connect,
    /// Make items.
    Preprocess(Batch),
    /// Forget all items.
    Discard,
    /// A step on the memory.
    Step {
        /// What.
        kind: WorkKind,
        /// Queries of all parts; of a LOAD: words.
        count: u64,
        /// This primary's, of all parts, one after another.
        shares: Operands,
    },
}

impl Work {
    /// How many commands it is, at a party of this role: at least one.
    pub(super) fn commands(&self, role: Role) -> u64 {
        match self {
            Self::Step { kind: WorkKind::Chase, count, .. } => *count,
            // A command for each piece.
            Self::Step { kind: WorkKind::Load, count, .. } if role != Role::P2 => {
                WorkKind::Load.pieces(*count)
            }
            _ => 1,
        }
    }

    /// The command at a place among them.
    pub(super) fn command(&self, place: u64) -> Command {
        let (kind, count, shares) = match self {
            Self::Connect => return Command::Connect,
            Self::Preprocess(batch) => return Command::Preprocess(*batch),
            Self::Discard => return Command::Discard,
            Self::Step { kind, count, shares } => (kind, count, shares),
        };
        // What an order can have is far below 2^32.
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        match kind {
            WorkKind::Read => Command::Read { count, addresses: shares.clone() },
            WorkKind::Update => Command::Update { count, pairs: shares.clone() },
            WorkKind::Write => Command::Write(shares.clone()),
            WorkKind::Swap => Command::Swap(shares.clone()),
            WorkKind::Chase if place == 0 => Command::Read { count: 1, addresses: shares.clone() },
            WorkKind::Chase => Command::Follow,
            WorkKind::Load => {
                let piece =
                    usize::try_from(place).ok().and_then(|place| shares.chunks(CHUNK_WORDS).nth(place));
                Command::Load(Operands::new(piece.unwrap_or_default().to_vec()))
            }
        }
    }
}

/// What a record of the journal makes a party do that has no shares: nothing, if it is not an order, or one of a refusal.
pub(crate) fn scheduled(record: &[u8]) -> Result<Vec<Command>, NotStored> {
    let record = Record::decode(record).ok_or(NotStored { what: "a record of orders" })?;
    let Record::Ordered(Order { entry, .. }) = record else { return Ok(Vec::new()) };
    let work = match entry {
        Entry::Connect => Work::Connect,
        Entry::Discard => Work::Discard,
        Entry::Preprocess(batch) => Work::Preprocess(batch),
        Entry::Step { kind, parts } => {
            let count = parts.iter().map(|part| part.count).sum();
            Work::Step { kind, count, shares: Operands::default() }
        }
        Entry::Refuse { .. } => return Ok(Vec::new()),
    };
    Ok((0..work.commands(Role::P2)).map(|place| work.command(place)).collect())
}
