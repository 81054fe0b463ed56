//! What an operator may know of a party. Nothing in here is secret: numbers, kinds, times.

use duoram_link::WorkKind;
use std::time::Duration;

use duoram_reference::{Batch, KEY_LABELS, Lane, Lasting, Role, key_labels};
use duoram_runtime::store::Medium;
use serde::Serialize;

use super::{Engine, Outside, Wear};

/// The upper bounds of the latency histogram, in microseconds; the last class has none.
pub const LATENCY_BOUNDS: [u64; 16] = [
    100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
    2_000_000, 5_000_000, 10_000_000,
];

/// READ items and UPDATE items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Items {
    /// Of READs.
    pub reads: usize,
    /// Of UPDATEs.
    pub updates: usize,
}

impl From<Batch> for Items {
    fn from(batch: Batch) -> Self {
        Self { reads: batch.reads, updates: batch.updates }
    }
}

/// The link to a peer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LinkStatus {
    /// `P0`, `P1` or `P2`.
    pub peer: String,
    /// Whether it is up.
    pub up: bool,
    /// How often it has come up since the start.
    pub connects: u64,
    /// Bytes of frames that the peer has not on its disk.
    pub unacknowledged_bytes: usize,
    /// Why it last went down by this party's will.
    pub refused: Option<String>,
}

/// What became of the requests of a kind.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct KindStatus {
    /// `read`, `update` and so on.
    pub kind: &'static str,
    /// Requests that were done.
    pub done: u64,
    /// Requests that were refused.
    pub refused: u64,
    /// Queries of those that were done.
    pub queries: u64,
    /// The sum of microseconds from a request to its answer, of those done.
    pub microseconds: u64,
    /// How many of them took at most [`LATENCY_BOUNDS`], class by class, and longer. Since the start.
    pub latency: [u64; LATENCY_BOUNDS.len() + 1],
}

impl KindStatus {
    /// Counts a request that has its answer, which may be a refusal.
    pub(crate) fn count(&mut self, queries: u64, microseconds: u64, is_done: bool) {
        if !is_done {
            self.refused += 1;
            return;
        }
        self.done += 1;
        self.queries += queries;
        self.microseconds += microseconds;
        self.latency[LATENCY_BOUNDS.partition_point(|bound| *bound < microseconds)] += 1;
    }
}

/// A party, as its operator sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Status {
    /// `P0`, `P1` or `P2`.
    pub role: String,
    /// Loaded, all links up and, at P0, items of both kinds in stock.
    pub ready: bool,
    /// What `ready` misses, in words.
    pub waits_for: Vec<&'static str>,
    /// Whether the memory was loaded.
    pub loaded: bool,
    /// Items that the party has.
    pub stock: Items,
    /// Items that are being made: P0 only.
    pub making: Items,
    /// Items that were made since the session began, used or not.
    pub items_made: u64,
    /// The labels that the session's key has served for them, at most ([`key_labels`]).
    pub key_labels: u64,
    /// The labels that it should serve at most ([`KEY_LABELS`]): beyond it the session is to be replaced by a new one.
    pub key_labels_limit: u64,
    /// Whether it has served so many, or soon will.
    pub key_wear: Wear,
    /// Links to the peers.
    pub links: Vec<LinkStatus>,
    /// The clients that are connected.
    pub clients: usize,
    /// Requests that wait for their turn.
    pub waiting: usize,
    /// Orders that were given or taken.
    pub orders: u64,
    /// Requests by kind.
    pub requests: Vec<KindStatus>,
    /// Bytes of records since the last snapshot.
    pub journal_bytes: usize,
    /// Milliseconds since the last snapshot, or since the start.
    pub snapshot_age_ms: u64,
    /// Groups of records that were written, since the start.
    pub syncs: u64,
    /// The sum of microseconds that this took.
    pub sync_microseconds: u64,
    /// Milliseconds since the start.
    pub uptime_ms: u64,
    /// Whether a step of the memory lane is under way, and of the making lane.
    pub under_way: [bool; Lane::ALL.len()],
}

/// A line for each kind.
pub(crate) fn kinds() -> Vec<KindStatus> {
    WorkKind::ALL.iter().map(|kind| KindStatus { kind: kind.name(), ..KindStatus::default() }).collect()
}

impl<P: Lasting, M: Medium, O: Outside> Engine<P, M, O> {
    /// The present state.
    pub fn status(&self) -> Status {
        let (durable, orders) = (self.kept.durable(), &self.around.orders);
        let (settings, stock) = (orders.settings(), durable.party().prepared());
        let items_made = durable.party().made();
        let key_labels = {
            let parameters = &settings.parameters;
            key_labels(parameters.log_size(), parameters.row_words(), items_made)
        };
        let high = settings.stock.high;
        let is_empty = settings.role == Role::P0
            && (high.reads > 0 && stock.reads == 0 || high.updates > 0 && stock.updates == 0);
        let peers = || settings.role.others(self.facts.roles);
        let misses = [
            (!orders.is_loaded(), "a memory"),
            (peers().any(|peer| !self.around.is_up(peer)), "a link"),
            (is_empty, "items"),
            (self.stopping, "the end"),
        ];
        let waits_for: Vec<_> = misses.iter().filter(|(misses, _)| *misses).map(|(_, what)| *what).collect();
        let now = orders.now();
        Status {
            role: settings.role.to_string(),
            ready: waits_for.is_empty(),
            waits_for,
            loaded: orders.is_loaded(),
            stock: stock.into(),
            making: orders.in_the_making().into(),
            items_made,
            key_labels,
            key_labels_limit: KEY_LABELS,
            key_wear: Wear::of(key_labels),
            links: peers()
                .map(|peer| self.around.link_status(peer, durable.unacknowledged(peer).unwrap_or_default()))
                .collect(),
            clients: self.around.clients(),
            waiting: orders.waiting(),
            orders: orders.orders(),
            requests: orders.requests().to_vec(),
            journal_bytes: self.kept.journal(),
            snapshot_age_ms: milliseconds(now.saturating_sub(self.snapshot.0)),
            syncs: self.syncs,
            sync_microseconds: u64::try_from(self.sync_time.as_micros()).unwrap_or(u64::MAX),
            uptime_ms: milliseconds(now),
            under_way: Lane::ALL.map(|lane| durable.party().under_way_in(lane).is_some()),
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
