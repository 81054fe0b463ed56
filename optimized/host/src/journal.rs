//! What a party has left in its folder: all that it took, in order. For whoever shows afterwards what a run was, as `ci/crash` does.
//!
//! Until its first snapshot after that of its beginning a party's folder has everything. Each record is an input, secrets among them.

use std::path::Path;

use duoram_reference::Command;
use duoram_runtime::store::{Folder, Owner, Recovered, Store, StoreKey};
use zeroize::Zeroizing;

use crate::engine::Error;
use crate::engine::composite::{self, Of};
use crate::orders::{self, NotStored};

/// What a party has taken since its last snapshot.
pub struct Journal {
    /// The number of the party's last record that the snapshot covers: 0, if the journal has all of them.
    pub lsn: u64,
    /// The party as it was then ([`duoram_reference::durable`]).
    pub state: Zeroizing<Vec<u8>>,
    /// The party's records since.
    pub records: Vec<Zeroizing<Vec<u8>>>,
    /// What all parties are to do, by the orders given or taken since: the commands of a party that has no shares.
    pub schedule: Vec<Command>,
}

/// Reads the folder of a party that has ended, however it did.
///
/// # Errors
///
/// Those of the disk, and of what is no journal of such a party.
pub fn read(folder: &Path, key: &StoreKey, owner: &Owner) -> Result<Journal, Error> {
    let (_, recovered) = Store::open(Folder::open(folder)?, key, owner)?;
    let Recovered { snapshot: (_, snapshot), records: all } =
        recovered.ok_or(NotStored { what: "a party that has begun" })?;
    let snapshot = composite::open_snapshot(&snapshot)?;
    let (mut records, mut schedule) = (Vec::new(), Vec::new());
    for record in &all {
        match composite::open_record(record)? {
            (Of::Party, record) => records.push(Zeroizing::new(record.to_vec())),
            (Of::Orders, record) => schedule.extend(orders::scheduled(record)?),
        }
    }
    Ok(Journal { lsn: snapshot.lsn, state: snapshot.state, records, schedule })
}
