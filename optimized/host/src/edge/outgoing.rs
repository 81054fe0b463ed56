//! What waits to leave on a connection, with its bytes counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use duoram_link::Text;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::Instant;
use zeroize::Zeroizing;

/// Something that is to leave.
pub(super) enum Leaving {
    /// A message. May hold secrets.
    Message(Zeroizing<Vec<u8>>),
    /// Goodbye, and nothing after it.
    Goodbye(Text),
}

/// Whether what is over the limit may wait as long as anything moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// No: a client could have us keep what it never fetches.
    IsTooMuch,
    /// As long as something has left, or nothing was to leave, within this time.
    WhileItMoves(Duration),
}

/// The end at which things are put in. The queue has no bound of its own, for who puts in must not wait; it is refused by the bytes.
pub(super) struct Outgoing {
    queue: UnboundedSender<Leaving>,
    waiting: Arc<AtomicUsize>,
    moved: watch::Receiver<Instant>,
    /// When it was last empty.
    empty: Instant,
    limit: usize,
    over: Over,
}

/// The end at which things leave.
pub(super) struct Leavers {
    queue: UnboundedReceiver<Leaving>,
    waiting: Arc<AtomicUsize>,
    moved: watch::Sender<Instant>,
}

/// More waits than may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Overflow {
    pub(super) limit: usize,
    pub(super) got: usize,
}

pub(super) fn queue(limit: usize, over: Over) -> (Outgoing, Leavers) {
    let (put, take) = unbounded_channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let now = Instant::now();
    let (moves, moved) = watch::channel(now);
    let outgoing = Outgoing { queue: put, waiting: waiting.clone(), moved, empty: now, limit, over };
    (outgoing, Leavers { queue: take, waiting, moved: moves })
}

impl Outgoing {
    /// Puts in a message. A single one always has room. That nobody takes it any more is no error: the connection is about to be gone.
    pub(super) fn put(&mut self, bytes: Zeroizing<Vec<u8>>) -> Result<(), Overflow> {
        let before = self.waiting.fetch_add(bytes.len(), Ordering::Relaxed);
        let got = before + bytes.len();
        if before == 0 {
            self.empty = Instant::now();
        }
        let too_much = match self.over {
            Over::IsTooMuch => true,
            Over::WhileItMoves(within) => self.empty.max(*self.moved.borrow()).elapsed() > within,
        };
        if before > 0 && got > self.limit && too_much {
            return Err(Overflow { limit: self.limit, got });
        }
        let _ = self.queue.send(Leaving::Message(bytes));
        Ok(())
    }

    /// Nothing is put in after this.
    pub(super) fn end(self, reason: &str) {
        let _ = self.queue.send(Leaving::Goodbye(Text::new(reason)));
    }
}

impl Leavers {
    /// The next, when there is one; `None` if the connection is to end without a word.
    pub(super) async fn next(&mut self) -> Option<Leaving> {
        self.queue.recv().await
    }

    /// The next, if there is one.
    pub(super) fn ready(&mut self) -> Option<Leaving> {
        self.queue.try_recv().ok()
    }

    /// Something has left.
    pub(super) fn moved(&self) {
        let _ = self.moved.send_replace(Instant::now());
    }

    /// A message waits here no longer.
    pub(super) fn taken(&self, bytes: usize) {
        self.waiting.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: usize) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(vec![0; length])
    }

    #[test]
    fn what_is_over_the_limit_is_refused_unless_it_is_alone() {
        let (mut outgoing, mut leavers) = queue(100, Over::IsTooMuch);
        assert_eq!(outgoing.put(message(300)), Ok(()));
        assert_eq!(outgoing.put(message(1)), Err(Overflow { limit: 100, got: 301 }));
        let (mut outgoing_2, _leavers) = queue(100, Over::IsTooMuch);
        assert_eq!([60, 40].map(|length| outgoing_2.put(message(length))), [Ok(()); 2]);
        assert!(outgoing_2.put(message(1)).is_err());
        let Some(Leaving::Message(bytes)) = leavers.ready() else { panic!() };
        assert_eq!(bytes.len(), 300);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peers_burst_gets_through_while_it_moves() {
        let (mut outgoing, leavers) = queue(100, Over::WhileItMoves(Duration::from_secs(5)));
        // A link may have been idle for long.
        tokio::time::advance(Duration::from_mins(1)).await;
        assert_eq!([60, 60].map(|length| outgoing.put(message(length))), [Ok(()); 2]);
        for _ in 0..9 {
            assert_eq!(outgoing.put(message(99)), Ok(()));
            tokio::time::advance(Duration::from_secs(4)).await;
            leavers.moved();
        }
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(outgoing.put(message(9)), Err(Overflow { limit: 100, got: 1020 }));
    }
}
