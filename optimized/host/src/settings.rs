//! What the engine is told once, at its start.

use std::collections::BTreeMap;

use duoram_link::{ClientName, Rights};
use duoram_reference::durable::Limits;
use duoram_reference::{Batch, Parameters, Role};

/// When items are made, and how many: READs and UPDATEs apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StockMarks {
    /// Below this many, items are made.
    pub low: Batch,
    /// Until there are this many. A request that needs more is refused.
    pub high: Batch,
    /// As many at a time.
    pub batch: Batch,
}

/// What a party is, and what it allows.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who this is.
    pub role: Role,
    /// Session and size, alike at all parties.
    pub parameters: Parameters,
    /// Who may ask for what: at P0 and P1 the same.
    pub clients: BTreeMap<ClientName, Rights>,
    /// The requests that a client may have unanswered or unacknowledged.
    pub window: usize,
    /// P0's.
    pub stock: StockMarks,
    /// What is kept, and how much there is to do again after a crash.
    pub limits: Limits,
}
