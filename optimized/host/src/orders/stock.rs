//! P0's account of items: how many there are, how many are being made, and when to make more.

use std::collections::BTreeMap;
use std::time::Duration;

use duoram_reference::Batch;

use crate::settings::StockMarks;

/// READ items, or UPDATE items.
const KINDS: usize = 2;

fn counts(batch: Batch) -> [usize; KINDS] {
    [batch.reads, batch.updates]
}

fn batch_of(kind: usize, count: usize) -> Batch {
    if kind == 0 { Batch { reads: count, updates: 0 } } else { Batch { reads: 0, updates: count } }
}

/// The account. What was ordered counts: items of a batch from when it is answered, those of a step until it is ordered.
pub(super) struct Stock {
    marks: StockMarks,
    /// Below zero while orders are done again that used what a batch has made: that it is done comes after them.
    pub(super) left: [i64; KINDS],
    /// Batches under way, by their command.
    pub(super) making: BTreeMap<u64, Batch>,
    /// Whether items of a kind are being made until the high mark.
    filling: [bool; KINDS],
    /// When the last batch was ordered or done.
    since: Duration,
    /// How long an item takes; none was made yet.
    an_item_takes: Option<Duration>,
}

impl Stock {
    pub(super) fn new(marks: StockMarks) -> Self {
        Self {
            marks,
            left: [0; KINDS],
            making: BTreeMap::new(),
            filling: [false; KINDS],
            since: Duration::ZERO,
            an_item_takes: None,
        }
    }

    /// Whether a request of this cost can ever be served.
    pub(super) fn ever(&self, cost: Batch) -> bool {
        covers(self.marks.high, cost)
    }

    /// The batch to make now: one at a time. `wanted`: what a request waits for.
    pub(super) fn next(&mut self, wanted: Batch) -> Option<Batch> {
        if !self.making.is_empty() {
            return None;
        }
        let [left, low, high, batch, wanted] =
            [self.left(), self.marks.low, self.marks.high, self.marks.batch, wanted].map(counts);
        for kind in 0..KINDS {
            let is_low = left[kind] < low[kind].max(wanted[kind]);
            self.filling[kind] = left[kind] < high[kind] && (is_low || self.filling[kind]);
        }
        // The one that somebody waits for, or that is nearer to its end.
        let urgent = |kind: &usize| (left[*kind] >= wanted[*kind], left[*kind]);
        let kind = (0..KINDS).filter(|kind| self.filling[*kind] && batch[*kind] > 0).min_by_key(urgent)?;
        Some(batch_of(kind, batch[kind].min(high[kind] - left[kind])))
    }

    /// A batch was ordered.
    pub(super) fn begin(&mut self, command: u64, batch: Batch, now: Duration) {
        self.making.insert(command, batch);
        self.since = now;
    }

    /// A batch is done, or was refused.
    pub(super) fn end(&mut self, command: u64, made: bool, now: Duration) {
        let Some(batch) = self.making.remove(&command) else { return };
        if made {
            self.put(batch);
            let items = u32::try_from(batch.reads + batch.updates).unwrap_or(u32::MAX).max(1);
            let each = now.saturating_sub(self.since) / items;
            self.an_item_takes = Some(self.an_item_takes.map_or(each, |before| (before * 3 + each) / 4));
        }
        self.since = now;
    }

    /// What is left.
    pub(super) fn left(&self) -> Batch {
        let [reads, updates] = self.left.map(|left| usize::try_from(left).unwrap_or(0));
        Batch { reads, updates }
    }

    /// Nothing is under way, and the party has this.
    pub(super) fn found(&mut self, batch: Batch) {
        self.left = [0; KINDS];
        self.put(batch);
    }

    fn put(&mut self, batch: Batch) {
        for (left, count) in self.left.iter_mut().zip(counts(batch)) {
            *left += i64::try_from(count).unwrap_or(0);
        }
    }

    /// Items are for a step.
    pub(super) fn use_up(&mut self, cost: Batch) {
        for (left, count) in self.left.iter_mut().zip(counts(cost)) {
            *left -= i64::try_from(count).unwrap_or(0);
        }
    }

    /// When there may be enough, in milliseconds: by how fast items were made.
    pub(super) fn retry_after_ms(&self, cost: Batch) -> u32 {
        let left = self.left();
        let missing = cost.reads.saturating_sub(left.reads) + cost.updates.saturating_sub(left.updates);
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        let each = self.an_item_takes.unwrap_or(Duration::from_millis(100));
        let ms = each.saturating_mul(missing).as_millis().clamp(100, 60_000);
        u32::try_from(ms).unwrap_or(60_000)
    }

    /// All that is being made.
    pub(super) fn in_the_making(&self) -> Batch {
        let add = |sum: Batch, batch: &Batch| Batch {
            reads: sum.reads + batch.reads,
            updates: sum.updates + batch.updates,
        };
        self.making.values().fold(Batch::default(), add)
    }
}

/// Whether there are enough.
pub(super) const fn covers(left: Batch, cost: Batch) -> bool {
    left.reads >= cost.reads && left.updates >= cost.updates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stock() -> Stock {
        Stock::new(StockMarks {
            low: Batch { reads: 4, updates: 2 },
            high: Batch { reads: 10, updates: 3 },
            batch: Batch { reads: 4, updates: 4 },
        })
    }

    /// What is ordered, each batch done before the next, until nothing is.
    fn fill(stock: &mut Stock, wanted: Batch) -> Vec<(usize, usize)> {
        let mut batches = Vec::new();
        while let Some(batch) = stock.next(wanted) {
            let command = batches.len() as u64;
            stock.begin(command, batch, Duration::ZERO);
            assert!(stock.next(wanted).is_none(), "one at a time");
            stock.end(command, true, Duration::from_secs(1));
            batches.push((batch.reads, batch.updates));
        }
        batches
    }

    #[test]
    fn items_are_made_below_the_low_mark_until_the_high_one() {
        let mut stock = stock();
        let none = Batch::default();
        let mut batches = fill(&mut stock, none);
        batches.sort_unstable();
        assert_eq!(batches, [(0, 3), (2, 0), (4, 0), (4, 0)], "never both kinds at once");
        assert_eq!(stock.left, [10, 3]);
        stock.use_up(Batch { reads: 6, updates: 1 });
        assert!(fill(&mut stock, none).is_empty(), "not below the low mark");
        stock.use_up(Batch { reads: 1, updates: 0 });
        assert_eq!(fill(&mut stock, none), [(4, 0), (3, 0)]);
    }

    /// A request that needs more than the low mark is not left waiting.
    #[test]
    fn what_a_request_waits_for_is_made() {
        let mut stock = stock();
        fill(&mut stock, Batch::default());
        stock.use_up(Batch { reads: 5, updates: 0 });
        assert_eq!(fill(&mut stock, Batch { reads: 8, updates: 0 }), [(4, 0), (1, 0)]);
        assert!(stock.ever(Batch { reads: 10, updates: 3 }) && !stock.ever(Batch { reads: 11, updates: 0 }));
    }

    #[test]
    fn when_to_come_back_follows_from_the_speed_of_making() {
        let mut stock = stock();
        fill(&mut stock, Batch::default());
        stock.found(Batch::default());
        let ms = stock.retry_after_ms(Batch { reads: 4, updates: 0 });
        assert!((900..=1500).contains(&ms), "{ms}");
        assert_eq!(stock.retry_after_ms(Batch { reads: 1 << 40, updates: 0 }), 60_000);
    }

    #[test]
    fn a_batch_that_was_refused_makes_nothing() {
        let mut stock = stock();
        let batch = stock.next(Batch::default()).unwrap();
        stock.begin(7, batch, Duration::ZERO);
        assert_ne!(stock.in_the_making(), Batch::default());
        stock.end(7, false, Duration::ZERO);
        assert_eq!((stock.left, stock.in_the_making()), ([0; 2], Batch::default()));
    }

    /// After a restart a step is ordered again before the batch is known to be done that it used.
    #[test]
    fn what_was_used_before_it_is_known_to_be_made_is_not_there() {
        let mut stock = stock();
        let reads = |reads| Batch { reads, updates: 0 };
        stock.begin(0, reads(4), Duration::ZERO);
        stock.use_up(reads(3));
        assert_eq!(stock.left(), reads(0));
        stock.end(0, true, Duration::ZERO);
        assert_eq!(stock.left(), reads(1));
    }
}
