//! The owner's own memory.

use std::collections::BTreeMap;

use duoram_reference::{Parameters, SessionId, Word};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::State;
use crate::Error;
use crate::budget::Budget;
use crate::operation::{Operation, Row};
use crate::protocol::Rules;
use crate::seed::Seeds;
use crate::store::{Folder, Owner, Recovered, Store};

/// The owner's own memory.
pub(super) struct Ledger {
    store: Store<Folder>,
    /// Not secret.
    pub(super) session: SessionId,
    /// Of all shares.
    pub(super) seed: Zeroizing<[u8; 32]>,
    /// What came out of the steps that are answered, by their numbers.
    pub(super) answered: BTreeMap<u64, Option<Row>>,
}

impl Ledger {
    /// What the owner knows, or a new start.
    pub(super) fn open(state: &State<'_>, digest: [u8; 32]) -> Result<Self, Error> {
        let folder = state.folder.join("owner");
        let (mut store, recovered) = Store::open(Folder::open(&folder)?, state.key, &Owner::named("owner"))?;
        let Some(Recovered { snapshot: (_, first), records }) = recovered else {
            let seeds = Seeds::from_system()?;
            store.snapshot(&Zeroizing::new([&seeds.session.0[..], &digest, &seeds.client].concat()))?;
            let (session, seed) = (seeds.session, Zeroizing::new(seeds.client));
            return Ok(Self { store, session, seed, answered: BTreeMap::new() });
        };
        let unknown = || Error::OtherRun { folder: state.folder.to_owned() };
        let (session, rest) = first.split_first_chunk().ok_or_else(unknown)?;
        let (stored, seed) = rest.split_first_chunk::<32>().ok_or_else(unknown)?;
        if *stored != digest {
            return Err(unknown());
        }
        let seed = Zeroizing::new(*seed.first_chunk().ok_or_else(unknown)?);
        let answered =
            records.iter().map(|record| entry(record)).collect::<Option<_>>().ok_or_else(unknown)?;
        Ok(Self { store, session: SessionId(*session), seed, answered })
    }

    /// Steps are answered; that is on disk when this returns.
    pub(super) fn enter(&mut self, steps: &[(u64, Option<Row>)]) -> Result<(), Error> {
        let record = |(number, result): &(u64, Option<Row>)| {
            let words = result.iter().flatten().copied();
            let words = Zeroizing::new(words.map(Word::to_le_bytes).collect::<Vec<_>>());
            Zeroizing::new([&number.to_le_bytes()[..], words.as_flattened()].concat())
        };
        let records: Vec<_> = steps.iter().map(record).collect();
        if !records.is_empty() {
            self.store.append(records.iter().map(|record| &record[..]))?;
            self.answered.extend(steps.iter().cloned());
        }
        Ok(())
    }
}

/// What [`Ledger::enter`] has written.
fn entry(record: &[u8]) -> Option<(u64, Option<Row>)> {
    let (number, result) = record.split_first_chunk()?;
    let (words, []) = result.as_chunks() else { return None };
    let row: Row = words.iter().copied().map(Word::from_le_bytes).collect();
    Some((u64::from_le_bytes(*number), Some(row).filter(|row| !row.is_empty())))
}

/// Tells a run from others: protocol, size, how the work is cut, memory and operations. The words of a row are in the memory's length.
pub(super) fn digest<P: Rules>(
    parameters: Parameters,
    budget: &Budget,
    memory: &[Word],
    operations: &[Operation],
) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(format!("{} {} {budget:?} {operations:?} ", P::NAME, parameters.log_size()));
    for word in memory {
        digest.update(word.to_le_bytes());
    }
    digest.finalize().into()
}
