//! The store that real parties have, under the simulation of parties, their disks and their links: thousands of crashes, at
//! any of its own operations too.

use duoram_reference::{Role, SessionId};
use duoram_runtime::store::simulated::Shared;
use duoram_runtime::store::{Owner, Store, StoreKey};
use duoram_simulation::coverage::{Coverage, Place};
use duoram_simulation::disk::{Disk, Recovered};
use duoram_simulation::medium::{Medium, PowerCut};
use duoram_simulation::run::simulate_on;

/// The seeds of this test: a store of redb does some forty operations for each of the plain one.
const SEEDS: u64 = 60;

/// A store on a simulated medium.
struct Stored {
    medium: Shared,
    store: Option<Store<Shared>>,
    /// Records that are not on disk yet.
    unwritten: Vec<Vec<u8>>,
}

impl Stored {
    fn new(medium: Medium) -> Self {
        Self { medium: Shared::new(medium), store: None, unwritten: Vec::new() }
    }

    fn write(&mut self) -> Result<(), PowerCut> {
        let records = std::mem::take(&mut self.unwritten);
        match &mut self.store {
            Some(store) if !records.is_empty() => {
                store.append(records.iter().map(Vec::as_slice)).map_err(|_| PowerCut)
            }
            _ => Ok(()),
        }
    }
}

impl Disk for Stored {
    fn append(&mut self, _lsn: u64, record: &[u8]) -> Result<(), PowerCut> {
        self.unwritten.push(record.to_vec());
        Ok(())
    }

    fn sync(&mut self) -> Result<(), PowerCut> {
        self.write()
    }

    fn snapshot(&mut self, _lsn: u64, state: &[u8]) -> Result<(), PowerCut> {
        self.write()?;
        self.store.as_mut().map_or(Ok(()), |store| store.snapshot(state)).map_err(|_| PowerCut)
    }

    fn recover(&mut self) -> Result<Recovered, PowerCut> {
        // Whoever held it has ended, and with it what it had in memory.
        self.store = None;
        self.unwritten.clear();
        self.medium.start();
        let owner = Owner::party(SessionId([0; 16]), Role::P0);
        let opened = Store::open(self.medium.clone(), &StoreKey::new([1; 32]), &owner);
        // Of a disk that only ever loses power, nothing is ever damaged.
        let (mut store, recovered) = opened.map_err(|error| {
            assert!(self.medium.is_off(), "{error}");
            PowerCut
        })?;
        let mut left = Recovered::default();
        match recovered {
            // The simulation's parties begin without a snapshot, the store does not: nothing at all stands for that.
            None => store.snapshot(&[]).map_err(|_| PowerCut)?,
            Some(recovered) => {
                let (number, state) = recovered.snapshot;
                left.snapshot = (!state.is_empty()).then(|| (number, state.to_vec()));
                left.records =
                    (number + 1..).zip(recovered.records.iter().map(|record| record.to_vec())).collect();
            }
        }
        self.store = Some(store);
        Ok(left)
    }

    fn on_medium<T>(&mut self, look: impl FnOnce(&mut Medium) -> T) -> T {
        self.medium.look(look)
    }
}

/// Nothing is lost and nothing is used twice, of each protocol.
#[test]
fn no_seed_fails_over_the_real_store() {
    let mut coverage = Coverage::default();
    for seed in 0..SEEDS {
        let outcome = simulate_on(seed, None, || Stored::new(Medium::default()));
        coverage.add(&outcome.unwrap_or_else(|failure| panic!("seed {seed}: {failure}")).coverage);
    }
    for place in [Place::Sync, Place::Snapshotting, Place::Start] {
        assert!(
            coverage.steps().into_iter().any(|step| coverage.at(place, step) > 0),
            "{place:?}\n{coverage}"
        );
    }
}

/// The same test notices a disk that says that it syncs, and does not.
#[test]
fn a_lying_disk_under_the_real_store_is_found_out() {
    let fails = |seed| {
        let run = || simulate_on(seed, None, || Stored::new(Medium::lying()));
        std::panic::catch_unwind(run).is_ok_and(|outcome| outcome.is_err())
    };
    assert!((0..SEEDS).any(fails));
}
