//! The store: what was written is there after whatever end of the process, and what is damaged is refused.

use duoram_reference::{Role, SessionId};
use duoram_runtime::store::simulated::{JOURNAL, Shared};
use duoram_runtime::store::{Error, Folder, Medium, Owner, Recovered, Store, StoreKey};
use duoram_simulation::medium::{self, Tear};
use duoram_vectors::Random;

const KEY: [u8; 32] = [7; 32];

fn owner(role: Role) -> Owner {
    Owner::party(SessionId([1; 16]), role)
}

fn open<M: Medium>(medium: M) -> Result<(Store<M>, Option<Recovered>), Error> {
    Store::open(medium, &StoreKey::new(KEY), &owner(Role::P0))
}

/// The power was off, and is back.
fn crash(disk: &Shared, tear: Tear, seed: u64) {
    disk.look(|medium| medium.crash(tear, &mut Random(seed)));
    disk.start();
}

/// What record i says: of any length, and nowhere else.
fn record(number: u64) -> Vec<u8> {
    let length = usize::try_from(number * 37 % 200).unwrap();
    [&number.to_le_bytes()[..], &vec![0xd5; length]].concat()
}

/// What the state after record i is.
fn state(number: u64) -> Vec<u8> {
    number.to_le_bytes().repeat(100)
}

fn append<M: Medium>(store: &mut Store<M>, numbers: std::ops::RangeInclusive<u64>) -> Result<(), Error> {
    let records: Vec<_> = numbers.map(record).collect();
    store.append(records.iter().map(Vec::as_slice))
}

/// The state and the records fit each other, and lead to this number.
fn check(recovered: &Recovered) -> u64 {
    let (number, snapshot) = &recovered.snapshot;
    assert_eq!(**snapshot, state(*number));
    for (number, bytes) in (number + 1..).zip(&recovered.records) {
        assert_eq!(**bytes, record(number));
    }
    number + recovered.records.len() as u64
}

#[test]
fn what_was_written_is_there_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let medium = || Folder::open(&folder.path().join("p0")).unwrap();
    let (mut store, nothing) = open(medium()).unwrap();
    assert!(nothing.is_none());
    store.snapshot(&state(0)).unwrap();
    append(&mut store, 1..=3).unwrap();
    drop(store);
    let (mut store, recovered) = open(medium()).unwrap();
    let recovered = recovered.unwrap();
    assert_eq!((recovered.snapshot.0, check(&recovered)), (0, 3));
    append(&mut store, 4..=5).unwrap();
    store.snapshot(&state(5)).unwrap();
    append(&mut store, 6..=6).unwrap();
    drop(store);
    let (store, recovered) = open(medium()).unwrap();
    let recovered = recovered.unwrap();
    assert_eq!((recovered.snapshot.0, check(&recovered)), (5, 6));
    drop(store);
    let names: Vec<_> =
        medium().names().unwrap().into_iter().filter(|name| name.starts_with("snap")).collect();
    assert_eq!(names, ["snapshot.5"]);
}

/// A program of the store: groups of records, and snapshots. Keeps the number of the last record that was said to be on disk.
fn work(disk: &Shared, durable: &mut u64) -> Result<(), Error> {
    let (mut store, recovered) = open(disk.clone())?;
    match recovered {
        None => store.snapshot(&state(0))?,
        Some(recovered) => *durable = check(&recovered).max(*durable),
    }
    while *durable < 9 {
        let group = *durable + 1..=(*durable + 1 + *durable % 3);
        let end = *group.end();
        append(&mut store, group)?;
        *durable = end;
        if end.is_multiple_of(2) {
            store.snapshot(&state(end))?;
        }
    }
    Ok(())
}

/// The power goes at every operation that the program makes on the disk, and at some of those of the restart besides, with each
/// tear. Nothing that was said to be on disk is lost; nothing is there in part.
#[test]
fn the_power_may_go_at_every_moment() {
    let disk = Shared::default();
    work(&disk, &mut 0).unwrap();
    let operations = disk.look(|medium| medium.operations());
    assert!(operations > 50, "{operations}");
    for moment in 0..operations {
        for (tear, again) in Tear::ALL.into_iter().zip(1..) {
            let (disk, mut durable) = (Shared::default(), 0);
            disk.look(|medium| medium.set_fuse(Some(moment)));
            // Some moments are after the last word of the program, when the store is closed.
            let _ = work(&disk, &mut durable);
            assert!(disk.is_off());
            crash(&disk, tear, moment);
            disk.look(|medium| medium.set_fuse(Some(moment % 7 * again)));
            let before = durable;
            let _ = work(&disk, &mut durable);
            crash(&disk, tear, moment + 1);
            let (_, recovered) = open(disk.clone()).unwrap();
            let there = recovered.as_ref().map_or(0, check);
            assert!(there >= before, "{there} of {before} records are left, {moment}, {tear:?}");
        }
    }
}

/// The same test would notice a disk that says that it syncs, and does not.
#[test]
fn a_disk_that_lies_is_found_out() {
    let disk = Shared::new(medium::Medium::lying());
    let mut durable = 0;
    work(&disk, &mut durable).unwrap();
    crash(&disk, Tear::Lost, 0);
    assert!(!matches!(open(disk), Ok((_, Some(recovered))) if check(&recovered) >= durable));
}

/// A disk with a snapshot and two groups of records after it, as it is after a crash.
fn some_disk() -> Shared {
    let disk = Shared::default();
    let (mut store, _) = open(disk.clone()).unwrap();
    store.snapshot(&state(0)).unwrap();
    append(&mut store, 1..=2).unwrap();
    append(&mut store, 3..=4).unwrap();
    // Not closed.
    disk.look(|medium| medium.set_fuse(Some(0)));
    drop(store);
    crash(&disk, Tear::Lost, 0);
    disk
}

/// Turns over a bit of a file.
fn damage(disk: &Shared, name: &str, bit: usize) {
    disk.look(|medium| {
        let byte = medium.read(name)[bit / 8] ^ 1 << (bit % 8);
        medium.write(name, bit / 8, &[byte]).unwrap();
    });
}

/// Whichever bit of the snapshot is turned over, it is refused by its name, and so is one that is not there or shorter.
#[test]
fn a_damaged_snapshot_is_refused_by_name() {
    let (disk, name) = (some_disk(), "snapshot.0");
    let refused = || {
        let error = open(disk.clone()).unwrap_err();
        assert_eq!(error.to_string(), "the medium/snapshot.0: the snapshot 0 is damaged or missing");
    };
    let length = 8 * disk.look(|medium| medium.read(name).len());
    for bit in (0..length).step_by(41).chain([length - 1]) {
        damage(&disk, name, bit);
        refused();
        damage(&disk, name, bit);
    }
    assert_eq!(check(&open(disk.clone()).unwrap().1.unwrap()), 4);
    disk.look(|medium| medium.set_length(name, 40)).unwrap();
    refused();
    disk.look(|medium| medium.remove(name)).unwrap();
    refused();
}

/// A bit that is turned over in the journal is not taken for anything: the store is refused, or what is there is as it was
/// before the last group, which is what a group that was never finished looks like.
#[test]
fn a_damaged_journal_is_never_taken_for_a_whole_one() {
    let bytes = some_disk().look(|medium| medium.read(JOURNAL).to_vec());
    let places: Vec<_> = (0..bytes.len()).filter(|&byte| bytes[byte] != 0).collect();
    let (mut refused, mut shorter) = (0, 0);
    for &byte in places.iter().step_by(places.len() / 200) {
        let disk = some_disk();
        damage(&disk, JOURNAL, 8 * byte + byte % 8);
        // Unoptimized, redb panics where it otherwise says that its file is damaged.
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| open(disk))) {
            Ok(Ok((_, Some(recovered)))) => {
                let there = check(&recovered);
                assert!([2, 4].contains(&there), "byte {byte}: {there}");
                shorter += usize::from(there == 2);
            }
            Ok(Ok((_, None))) => panic!("byte {byte}: what is there is taken for nothing"),
            Ok(Err(_)) | Err(_) => refused += 1,
        }
    }
    assert!(refused > 0 && shorter > 0, "{refused} {shorter}");
}

#[test]
fn another_key_party_or_session_is_refused() {
    let disk = Shared::default();
    let (mut store, _) = open(disk.clone()).unwrap();
    store.snapshot(&state(0)).unwrap();
    drop(store);
    let refused = |key, owner: &Owner| {
        let error = Store::open(disk.clone(), &StoreKey::new(key), owner).unwrap_err();
        assert!(matches!(error, Error::WrongKey { .. }), "{error}");
    };
    refused([8; 32], &owner(Role::P0));
    refused(KEY, &owner(Role::P1));
    refused(KEY, &Owner::party(SessionId([2; 16]), Role::P0));
    open(disk.clone()).unwrap();
}

/// Nothing that was written is on the disk in a form that can be read.
#[test]
fn no_byte_of_a_record_is_on_the_disk() {
    let disk = Shared::default();
    let (mut store, _) = open(disk.clone()).unwrap();
    let secret = *b"known words, 16.";
    store.snapshot(&secret).unwrap();
    store.append([&secret[..]]).unwrap();
    let everything: Vec<u8> =
        disk.look(|medium| medium.names().iter().flat_map(|name| medium.read(name).to_vec()).collect());
    assert!(everything.len() > 4096);
    assert!(!everything.windows(8).any(|window| window == &secret[..8] || window == &secret[8..]));
}

#[test]
fn two_processes_cannot_have_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let held = Folder::open(folder.path()).unwrap();
    let error = Folder::open(folder.path()).unwrap_err();
    let holder = std::process::id();
    let expected = format!("expected a folder that nobody uses, but process {holder} has it");
    assert!(error.to_string().ends_with(&expected), "{error}");
    drop(held);
    Folder::open(folder.path()).unwrap();
}

/// A failed write is not tried again: what is on disk is found out by a restart.
#[test]
fn after_an_error_nothing_is_written_any_more() {
    let disk = Shared::default();
    let (mut store, _) = open(disk.clone()).unwrap();
    store.snapshot(&state(0)).unwrap();
    disk.look(|medium| medium.set_fuse(Some(1)));
    assert!(matches!(append(&mut store, 1..=2), Err(Error::Journal { .. })));
    for _ in 0..2 {
        assert!(matches!(append(&mut store, 1..=1), Err(Error::Failed { .. })));
        assert!(matches!(store.snapshot(&state(0)), Err(Error::Failed { .. })));
    }
}

/// Whoever is killed while it makes a key leaves none: else what is started again finds a key that is not whole.
#[test]
fn a_key_file_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..100 {
        let path = folder.path().join(round.to_string());
        std::thread::scope(|scope| {
            scope.spawn(|| StoreKey::create(&path).unwrap());
            let text = loop {
                if let Ok(text) = std::fs::read_to_string(&path) {
                    break text;
                }
            };
            assert_eq!(text.len(), 65, "{text:?}");
        });
    }
}

#[test]
fn a_key_is_read_from_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.key");
    let disk = Shared::default();
    let (mut store, _) =
        Store::open(disk.clone(), &StoreKey::create(&path).unwrap(), &owner(Role::P2)).unwrap();
    store.snapshot(&state(0)).unwrap();
    drop(store);
    Store::open(disk, &StoreKey::read(&path).unwrap(), &owner(Role::P2)).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(StoreKey::create(&path).is_err(), "no key is overwritten");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
    for (text, got) in
        [("", 0), ("12", 2), (&"0".repeat(63), 63), (&"g".repeat(64), 64), (&"0".repeat(66), 66)]
    {
        std::fs::write(&path, text).unwrap();
        let Err(error) = StoreKey::read(&path) else { panic!("{text}") };
        assert_eq!(error.to_string(), format!("expected 64 hexadecimal digits, got {got} characters"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let made = folder.path().join("made.key");
        StoreKey::create(&made).unwrap();
        assert_eq!(std::fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
