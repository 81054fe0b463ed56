//! All connections, by number, and what waits to leave on each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use super::outgoing::{Leavers, Outgoing, Over, queue};
use super::{Count, Counts, Limits};
use crate::engine::Connection;
use crate::who::Who;

/// A connection that is there.
struct Present {
    who: Who,
    outgoing: Outgoing,
    /// Ends it without a word.
    cut: CancellationToken,
}

/// A place on the board, for who serves the connection.
pub(super) struct Place {
    pub(super) number: Connection,
    pub(super) leavers: Leavers,
    pub(super) cut: CancellationToken,
}

#[derive(Default)]
struct All {
    last: Connection,
    present: BTreeMap<Connection, Present>,
}

/// All connections of those who are known by their keys. The engine's thread and the edge's tasks look here, each for a moment.
pub(super) struct Board {
    all: Mutex<All>,
    limits: Limits,
    heartbeat: Duration,
    counts: Arc<Counts>,
}

impl Board {
    pub(super) fn new(limits: Limits, heartbeat: Duration, counts: Arc<Counts>) -> Self {
        Self { all: Mutex::default(), limits, heartbeat, counts }
    }

    /// Whoever panicked while it looked here has left nothing half done.
    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection, and a number that no other has. It takes the place of an older one of the same peer or client, which may be
    /// half dead, so that one key has one connection, whether the engine has the time to hear of it or not. `None`: there are too
    /// many clients.
    pub(super) fn enter(&self, who: &Who) -> Option<Place> {
        let mut all = self.all();
        let older: Vec<Connection> = all.of(who).collect();
        for number in older {
            all.end(number, "a newer connection has taken the place of this one");
        }
        let over = match who {
            Who::Peer(_) => Over::WhileItMoves(self.heartbeat),
            Who::Client(_) if all.clients() >= self.limits.clients => return None,
            Who::Client(_) => Over::IsTooMuch,
        };
        let (outgoing, leavers) = queue(self.limits.outbound_bytes, over);
        let cut = CancellationToken::new();
        all.last += 1;
        let number = all.last;
        all.present.insert(number, Present { who: who.clone(), outgoing, cut: cut.clone() });
        Some(Place { number, leavers, cut })
    }

    /// It is gone.
    pub(super) fn leave(&self, number: Connection) {
        self.all().present.remove(&number);
    }

    /// A message for a connection. On one that is gone it is dropped; one on which too much waits is cut.
    pub(super) fn put(&self, number: Connection, bytes: Zeroizing<Vec<u8>>) {
        let mut all = self.all();
        let Some(present) = all.present.get_mut(&number) else { return };
        if let Err(overflow) = present.outgoing.put(bytes) {
            let (who, limit, got) = (&present.who, overflow.limit, overflow.got);
            tracing::warn!(%who, limit, got, "dropped: what is to leave does not");
            self.counts.add(Count::Overflowed);
            present.cut.cancel();
            all.present.remove(&number);
        }
    }

    /// Goodbye, after what was said before.
    pub(super) fn hang_up(&self, number: Connection, reason: &str) {
        self.all().end(number, reason);
    }

    /// Goodbye to all.
    pub(super) fn hang_up_all(&self, reason: &str) {
        let mut all = self.all();
        let numbers: Vec<Connection> = all.present.keys().copied().collect();
        for number in numbers {
            all.end(number, reason);
        }
    }
}

impl All {
    fn of<'a>(&'a self, who: &'a Who) -> impl Iterator<Item = Connection> + 'a {
        self.present.iter().filter(move |(_, present)| present.who == *who).map(|(number, _)| *number)
    }

    fn clients(&self) -> usize {
        self.present.values().filter(|present| matches!(present.who, Who::Client(_))).count()
    }

    fn end(&mut self, number: Connection, reason: &str) {
        if let Some(present) = self.present.remove(&number) {
            tracing::info!(who = %present.who, reason, "hanging up");
            present.outgoing.end(reason);
        }
    }
}
