//! Numbered frames: what has come from a peer in a lane, and what goes to it.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use super::Error;
use crate::engine::Lane;
use crate::wire::{HEADER_LENGTH, MAX_PAYLOAD, Role};

type Bytes = Zeroizing<Vec<u8>>;

/// The frames that a peer sends in one lane.
#[derive(Default)]
pub(super) struct Incoming {
    /// How many the party has taken: the number of the next.
    taken: u64,
    /// The records of those among them that are not on disk, the oldest first.
    unwritten: VecDeque<u64>,
    /// How many the peer was told to be on disk; the first thing on a link says it again.
    told: u64,
    /// Those that came before their turn, from number `taken` on. They are no inputs yet, and not acknowledged: a restart
    /// forgets them, and they come again.
    waiting: VecDeque<Bytes>,
    waiting_bytes: usize,
}

impl Incoming {
    pub(super) fn restored(taken: u64) -> Self {
        Self { taken, told: taken, ..Self::default() }
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// How many are on disk. Rule 3: only these are acknowledged.
    pub(super) fn durable(&self) -> u64 {
        self.taken - self.unwritten.len() as u64
    }

    /// Lets a frame wait for its turn. One that is here already is dropped; one that leaves a gap, or too much, is refused.
    pub(super) fn arrive(
        &mut self,
        (peer, lane): (Role, Lane),
        number: u64,
        bytes: Bytes,
        max: usize,
    ) -> Result<(), Error> {
        let expected = self.taken + self.waiting.len() as u64;
        if number < expected {
            return Ok(());
        }
        if number > expected {
            return Err(Error::FrameGap { peer, lane, expected, got: number });
        }
        let got = self.waiting_bytes.saturating_add(bytes.len());
        if got > max && !(self.waiting.is_empty() && bytes.len() <= HEADER_LENGTH + MAX_PAYLOAD) {
            return Err(Error::TooFarAhead { peer, lane, max, got });
        }
        self.waiting_bytes = got;
        self.waiting.push_back(bytes);
        Ok(())
    }

    /// The frame whose turn it is now.
    pub(super) fn next(&mut self) -> Option<Bytes> {
        let bytes = self.waiting.pop_front()?;
        self.waiting_bytes -= bytes.len();
        Some(bytes)
    }

    /// Forgets what waits: the link is down, or has shown to be of no use.
    pub(super) fn forget_waiting(&mut self) {
        self.waiting.clear();
        self.waiting_bytes = 0;
    }

    /// The next frame was taken, and has become a record.
    pub(super) fn take(&mut self, lsn: u64) {
        self.taken += 1;
        self.unwritten.push_back(lsn);
    }

    /// The disk has all records up to this one.
    pub(super) fn written(&mut self, lsn: u64) {
        while self.unwritten.front().is_some_and(|&record| record <= lsn) {
            self.unwritten.pop_front();
        }
    }

    /// What the peer is to be told now, if it has not been told.
    pub(super) fn acknowledge(&mut self) -> Option<u64> {
        let durable = self.durable();
        (durable > self.told).then(|| {
            self.told = durable;
            durable
        })
    }
}

/// A frame that was made, and may have to be sent again.
pub(super) struct Made {
    pub(super) bytes: Bytes,
    /// The record that must be on disk before it leaves.
    pub(super) cause: u64,
}

/// The frames that go to a peer in one lane.
#[derive(Default)]
pub(super) struct Outgoing {
    /// How many the peer has on its disk: only these are not kept (rule 4). It may be more than were made: a party that crashed
    /// makes again what it has said before.
    acknowledged: u64,
    /// How many were made: the number of the next.
    made: u64,
    /// How many have left on the present link, or need not.
    sent: u64,
    /// Those that are not acknowledged, the last of them number `made - 1`.
    kept: VecDeque<Made>,
    kept_bytes: usize,
}

impl Outgoing {
    pub(super) fn restored(acknowledged: u64, made: u64, frames: Vec<Made>) -> Self {
        let kept_bytes = frames.iter().map(|frame| frame.bytes.len()).sum();
        Self { acknowledged, made, sent: 0, kept: frames.into(), kept_bytes }
    }

    pub(super) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    pub(super) fn made(&self) -> u64 {
        self.made
    }

    pub(super) fn kept(&self) -> &VecDeque<Made> {
        &self.kept
    }

    pub(super) fn kept_bytes(&self) -> usize {
        self.kept_bytes
    }

    /// Gives a frame its number. One that the peer had before a crash is not kept.
    pub(super) fn push(&mut self, bytes: Bytes, cause: u64) {
        self.made += 1;
        if self.made > self.acknowledged {
            self.kept_bytes += bytes.len();
            self.kept.push_back(Made { bytes, cause });
        }
    }

    /// The peer has so many on its disk.
    pub(super) fn acknowledge(&mut self, number: u64) {
        self.acknowledged = self.acknowledged.max(number);
        while self.made - (self.kept.len() as u64) < self.acknowledged
            && let Some(frame) = self.kept.pop_front()
        {
            self.kept_bytes -= frame.bytes.len();
        }
    }

    /// The next frame that may leave, with its number: the disk has all records up to `written`.
    pub(super) fn next(&mut self, written: u64) -> Option<(u64, Bytes)> {
        let first = self.made - self.kept.len() as u64;
        let number = self.sent.max(first);
        let frame = self.kept.get(usize::try_from(number - first).ok()?)?;
        (frame.cause <= written).then(|| {
            self.sent = number + 1;
            (number, frame.bytes.clone())
        })
    }

    /// A link came up; the peer has so many. All others leave again, in order and with their numbers (rule 4).
    pub(super) fn link_up(&mut self, taken: u64) {
        self.sent = taken;
    }
}

/// What joins a party and a peer.
#[derive(Default)]
pub(super) struct Link {
    pub(super) up: bool,
    /// By lane.
    pub(super) incoming: [Incoming; 2],
    /// By lane.
    pub(super) outgoing: [Outgoing; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(byte: u8) -> Bytes {
        Zeroizing::new(vec![byte; 3])
    }

    const PLACE: (Role, Lane) = (Role::P1, Lane::Making);

    /// Rule 3: what was taken is not acknowledged before it is on disk, and then once.
    #[test]
    fn frames_are_acknowledged_when_they_are_on_disk() {
        let mut incoming = Incoming::default();
        for (number, lsn) in [(0, 4), (1, 7)] {
            incoming.arrive(PLACE, number, bytes(1), 100).unwrap();
            assert!(incoming.next().is_some());
            incoming.take(lsn);
        }
        incoming.written(3);
        assert_eq!(incoming.acknowledge(), None);
        incoming.written(6);
        assert_eq!((incoming.acknowledge(), incoming.acknowledge()), (Some(1), None));
        incoming.written(7);
        assert_eq!((incoming.taken(), incoming.durable(), incoming.acknowledge()), (2, 2, Some(2)));
    }

    #[test]
    fn frames_that_are_here_are_dropped_and_gaps_and_floods_refused() {
        let mut incoming = Incoming::restored(5);
        incoming.arrive(PLACE, 4, bytes(9), 6).unwrap();
        assert!(incoming.next().is_none());
        incoming.arrive(PLACE, 5, bytes(1), 6).unwrap();
        incoming.arrive(PLACE, 5, bytes(9), 6).unwrap();
        incoming.arrive(PLACE, 6, bytes(2), 6).unwrap();
        let gap = Error::FrameGap { peer: Role::P1, lane: Lane::Making, expected: 7, got: 8 };
        assert_eq!(incoming.arrive(PLACE, 8, bytes(3), 6), Err(gap));
        let flood = Error::TooFarAhead { peer: Role::P1, lane: Lane::Making, max: 6, got: 9 };
        assert_eq!(incoming.arrive(PLACE, 7, bytes(3), 6), Err(flood));
        assert_eq!(
            (incoming.next(), incoming.next(), incoming.next()),
            (Some(bytes(1)), Some(bytes(2)), None)
        );
    }

    /// What leaves, and its numbers.
    fn leaving(outgoing: &mut Outgoing, written: u64) -> Vec<(u64, u8)> {
        std::iter::from_fn(|| outgoing.next(written)).map(|(number, bytes)| (number, bytes[0])).collect()
    }

    /// Rule 1, and rule 4: a frame leaves when its cause is on disk, and again on every new link until it is acknowledged.
    #[test]
    fn frames_leave_when_their_cause_is_written_and_again_until_they_are_acknowledged() {
        let mut outgoing = Outgoing::default();
        outgoing.push(bytes(10), 1);
        outgoing.push(bytes(11), 1);
        outgoing.push(bytes(12), 4);
        assert!(leaving(&mut outgoing, 0).is_empty());
        assert_eq!(leaving(&mut outgoing, 3), [(0, 10), (1, 11)]);
        outgoing.link_up(0);
        assert_eq!(leaving(&mut outgoing, 4), [(0, 10), (1, 11), (2, 12)]);
        outgoing.acknowledge(1);
        assert_eq!((outgoing.kept().len(), outgoing.kept_bytes()), (2, 6));
        outgoing.link_up(1);
        assert_eq!(leaving(&mut outgoing, 4), [(1, 11), (2, 12)]);
        outgoing.acknowledge(3);
        assert_eq!((outgoing.kept().len(), outgoing.kept_bytes()), (0, 0));
    }

    /// After a crash a peer may have what is only about to be made again: that is neither kept nor sent.
    #[test]
    fn frames_that_the_peer_had_before_a_crash_are_not_sent_again() {
        let mut outgoing = Outgoing::default();
        outgoing.push(bytes(10), 0);
        outgoing.acknowledge(2);
        outgoing.link_up(2);
        outgoing.push(bytes(11), 0);
        outgoing.push(bytes(12), 0);
        assert_eq!(leaving(&mut outgoing, 0), [(2, 12)]);
        assert_eq!((outgoing.made(), outgoing.kept().len()), (3, 1));
    }
}
