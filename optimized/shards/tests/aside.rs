//! Workers that keep their ranges: what a party has put aside is taken back, of any cut; what is not what the snapshot names is refused,
//! with the file's name; and whenever the party ends, the snapshot that is named has its files, and there are no others.

use std::fs;
use std::path::{Path, PathBuf};

use duoram_reference::{Aside, Compute, NotAside, Role, SessionId, Word, lean};
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_runtime::store::{Folder, Owner, RangeFolders, Store, StoreKey};
use duoram_shards::{Cut, Failure, Memory, Sharded, Threads};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::fast;
use crate::states::Numbers;

fn owner() -> Owner {
    Owner::party(SessionId([1; 16]), Role::P1)
}

fn folders_of(parent: &Path, key: [u8; 32], owner: Owner) -> RangeFolders {
    RangeFolders::new(parent, StoreKey::new(key), owner)
}

fn folders(parent: &Path) -> RangeFolders {
    folders_of(parent, [7; 32], owner())
}

pub(crate) fn workers(parent: &Path, shares: &[u32]) -> Sharded {
    let cut = Cut::new(shares.to_vec(), shares.len()).unwrap();
    Sharded::in_threads(&fast(1), &cut, Some(&folders(parent))).unwrap()
}

pub(crate) fn some_words(seed: u64, log_size: u32) -> Vec<Vec<Word>> {
    let mut numbers = Numbers(seed);
    (0..2).map(|_| numbers.words(1 << log_size)).collect()
}

/// The ranges that are there, of all workers.
fn files(parent: &Path) -> Vec<PathBuf> {
    let inside = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> = inside(parent.to_owned()).flat_map(inside).collect();
    files.retain(|file| file.file_name().unwrap().to_string_lossy().starts_with("range."));
    files.sort();
    files
}

fn name_of(Aside(name): Aside) -> String {
    name.iter().fold(String::new(), |name, byte| format!("{name}{byte:02x}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The paper's memory of two vectors, and the lean one of P1, by workers that are others than those that put it there.
    #[test]
    fn what_is_put_aside_is_taken_back(
        shares in proptest::collection::vec(0..9_u32, 1..6),
        log_size in 1..13_u32,
        row_words in 1..5_usize,
        seed: u64,
    ) {
        prop_assume!(shares.iter().any(|share| *share > 0));
        let parent = tempfile::tempdir().unwrap();
        let vectors = some_words(seed, log_size);
        let party = workers(parent.path(), &shares);
        let memory = party.primary_from_words(vectors.clone());
        let aside = party.put_aside_primary(&memory).unwrap();
        drop((memory, party));

        let party = workers(parent.path(), &shares);
        let memory = party.take_aside_primary(aside, log_size).unwrap();
        prop_assert_eq!(party.primary_words(&memory), [&vectors[0][..], &vectors[1][..]]);
        let rows = Numbers(!seed).words(row_words << log_size);
        let one = lean::Compute::alpha(&party, &rows, row_words);
        let aside = lean::Compute::put_aside_alpha(&party, &one).unwrap();
        drop((memory, one, party));

        let party = workers(parent.path(), &shares);
        let other = row_words % 4 + 1;
        let NotAside(refused) = lean::Compute::take_aside_alpha(&party, aside, 1 << log_size, other).err().unwrap();
        let expected = format!("of {}{}, of worker 0", 1 << log_size, if other == 1 { String::new() } else { format!(" rows of {other} words") });
        prop_assert!(refused.contains(&expected), "{}", refused);
        let one = lean::Compute::take_aside_alpha(&party, aside, 1 << log_size, row_words).unwrap();
        prop_assert_eq!(lean::Compute::alpha_words(&party, &one), &rows[..]);
        prop_assert_eq!(files(parent.path()).len(), shares.len(), "those of the first are gone");
    }
}

/// A party whose memory of 2^10 words three workers have put aside, of whose shares one is nothing.
struct Kept {
    parent: TempDir,
    vectors: Vec<Vec<Word>>,
    aside: Aside,
}

pub(crate) const SHARES: [u32; 3] = [5, 0, 2];

impl Kept {
    fn new() -> Self {
        let (parent, vectors) = (tempfile::tempdir().unwrap(), some_words(1, 10));
        let party = workers(parent.path(), &SHARES);
        let memory = party.primary_from_words(vectors.clone());
        let aside = party.put_aside_primary(&memory).unwrap();
        Self { parent, vectors, aside }
    }

    fn file(&self, worker: usize) -> PathBuf {
        self.parent.path().join(format!("{worker}/range.{worker}.{}", name_of(self.aside)))
    }

    /// What is said when it is taken back.
    fn refused(&self, party: &Sharded) -> String {
        let NotAside(what) = party.take_aside_primary(self.aside, 10).err().unwrap();
        what
    }

    /// And that it is there when all is as it should be.
    fn is_there(&self) {
        let party = workers(self.parent.path(), &SHARES);
        let memory = party.take_aside_primary(self.aside, 10).unwrap();
        assert!(party.primary_words(&memory) == [&self.vectors[0][..], &self.vectors[1][..]]);
    }
}

#[test]
fn what_is_not_there_as_it_was_is_refused_by_the_name_of_the_worker_and_its_file() {
    let kept = Kept::new();
    let (path, file) = (kept.parent.path(), kept.file(2));
    let three = || workers(path, &SHARES);
    let (name, bytes) = (file.display(), fs::read(&file).unwrap());
    let cut = "words 731..1024 of 1024, of worker 2 of 3";
    fs::remove_file(&file).unwrap();
    let missing = format!("worker 2: {name}: the file of a range: expected {cut}, got no such file");
    assert_eq!(kept.refused(&three()), missing);
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let (length, short) = (bytes.len(), bytes.len() - 1);
    let torn = format!("worker 2: {name}: its length: expected {length} bytes, got {short}");
    assert_eq!(kept.refused(&three()), torn);
    let mut damaged = bytes.clone();
    damaged[length - 1] ^= 1;
    fs::write(&file, &damaged).unwrap();
    let damaged = format!("worker 2: {name}: piece 2 of its words is damaged or missing");
    assert_eq!(kept.refused(&three()), damaged);
    // Another generation's, by its name this one's.
    let party = three();
    let memory = party.primary_from_words(some_words(2, 10));
    let other = party.put_aside_primary(&memory).unwrap();
    drop((memory, party));
    fs::rename(path.join(format!("2/range.2.{}", name_of(other))), &file).unwrap();
    let said = kept.refused(&three());
    assert!(said.starts_with(&format!("worker 2: {name}: the name of the memory: expected [")), "{said}");
    fs::write(&file, &bytes).unwrap();
    // Two at once: both are told.
    fs::write(kept.file(0), b"DUOR").unwrap();
    fs::remove_file(&file).unwrap();
    let said = kept.refused(&three());
    assert!(said.starts_with("worker 0: ") && said.ends_with(&format!("; {missing}")), "{said}");
}

#[test]
fn other_workers_or_ranges_are_refused() {
    let kept = Kept::new();
    for (shares, words) in [
        (
            &[5, 0, 3][..],
            "words 0..640 of 1024, of worker 0 of 3, got words 0..731 of 1024, of worker 0 of 3",
        ),
        (&[5, 2], "words 0..731 of 1024, of worker 0 of 2, got words 0..731 of 1024, of worker 0 of 3"),
        (&[1], "words 0..1024 of 1024, of worker 0 of 1, got words 0..731 of 1024, of worker 0 of 3"),
    ] {
        let said = kept.refused(&workers(kept.parent.path(), shares));
        assert!(said.contains(&format!("whose range it is: expected {words}")), "{said}");
    }
    // Without folders there is nothing that could be taken.
    let party = Sharded::in_threads(&fast(1), &Cut::even(3), None).unwrap();
    assert_eq!(kept.refused(&party), "expected workers that have folders, got some that have not");
    assert!(Compute::put_aside_primary(&party, &party.primary_from_words(some_words(1, 4))).is_none());
    kept.is_there();
}

#[test]
fn another_key_or_party_is_refused() {
    let kept = Kept::new();
    let path = kept.parent.path();
    let cut = Cut::new(SHARES.to_vec(), 3).unwrap();
    let with = |folders| Sharded::in_threads(&fast(1), &cut, Some(&folders)).unwrap();
    let said = kept.refused(&with(folders_of(path, [8; 32], owner())));
    let expected = format!("worker 0: {}: sealed with another key", kept.file(0).display());
    assert!(said.starts_with(&expected), "{said}");
    let said = kept.refused(&with(folders_of(path, [7; 32], Owner::party(SessionId([1; 16]), Role::P2))));
    assert!(said.contains("whose it is: expected duoram party P2 [01"), "{said}");
    // One that has not the same as the others is seen before anything is written.
    let other = folders_of(path, [8; 32], owner());
    let threads = |folders| Threads::start(3, &fast(1), folders).unwrap();
    let of = |threads: Threads| Sharded::new(Box::new(threads), fast(1), &cut, Some(&folders(path))).err();
    let told = of(threads(Some(&other))).unwrap();
    let Failure::Folders { what } = told else { panic!("{told}") };
    let one = |worker| format!("worker {worker}: {}: sealed with another key", path.join(worker).display());
    assert!(what.starts_with(&one("1")) && what.contains(&one("2")), "{what}");
    let told = of(threads(None)).unwrap().to_string();
    let nowhere = "it has no folder for its range";
    assert_eq!(told, format!("worker 1: {nowhere}; worker 2: {nowhere}"));
    kept.is_there();
}

/// What a party does with its store: what it puts aside is named by the snapshot that is made then.
struct Party {
    store: Store<Folder>,
    sharded: Sharded,
}

impl Party {
    /// With what its last snapshot says.
    fn open(parent: &Path) -> (Self, Option<Aside>) {
        let sharded = workers(&parent.join("w"), &SHARES);
        let folder = Folder::open(&parent.join("p")).unwrap();
        let (store, recovered) = Store::open(folder, &StoreKey::new([7; 32]), &owner()).unwrap();
        let store = store.with(sharded.beside());
        let aside = recovered.map(|recovered| Aside(recovered.snapshot.1[..].try_into().unwrap()));
        (Self { store, sharded }, aside)
    }

    fn put(&self, seed: u64) -> (Memory, Aside) {
        let memory = self.sharded.primary_from_words(some_words(seed, 10));
        let aside = self.sharded.put_aside_primary(&memory).unwrap();
        (memory, aside)
    }

    fn holds(&self, aside: Aside, seed: u64) -> Memory {
        let memory = self.sharded.take_aside_primary(aside, 10).unwrap();
        let vectors = some_words(seed, 10);
        assert!(self.sharded.primary_words(&memory) == [&vectors[0][..], &vectors[1][..]], "other words");
        memory
    }
}

#[test]
fn files_are_those_of_the_snapshot_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ranges) = (folder.path(), folder.path().join("w"));
    let names = |count: usize, of: &[Aside]| {
        let files = files(&ranges);
        assert_eq!(files.len(), count, "{files:?}");
        let is_of = |file: &PathBuf, aside: &Aside| file.to_string_lossy().ends_with(&name_of(*aside));
        assert!(files.iter().all(|file| of.iter().any(|aside| is_of(file, aside))), "{files:?}");
    };
    let (mut party, nothing) = Party::open(path);
    assert!(nothing.is_none());
    let (memory, first) = party.put(1);
    party.store.snapshot(&first.0).unwrap();
    names(3, &[first]);

    // The same memory has not to be written again; one that has changed has.
    assert_eq!(party.sharded.put_aside_primary(&memory), Some(first));
    party.store.snapshot(&first.0).unwrap();
    names(3, &[first]);
    // Two are put aside before the first of them is named.
    let ((_, second), (_, third)) = (party.put(2), party.put(3));
    names(9, &[first, second, third]);
    party.store.snapshot(&second.0).unwrap();
    names(6, &[second, third]);
    // And it ends before the second is: between what the workers have written and the party's record.
    drop((memory, party));
    let (party, named) = Party::open(path);
    assert_eq!(named, Some(second));
    names(6, &[second, third]);
    drop(party.holds(second, 2));
    names(3, &[second]);
    drop(party);
    // The record is there, and what was before it is not removed yet: as if it had ended in between.
    let (mut party, _) = Party::open(path);
    let memory = party.holds(second, 2);
    let kept: Vec<_> = files(&ranges).into_iter().map(|file| (fs::read(&file).unwrap(), file)).collect();
    let (_, fourth) = party.put(4);
    party.store.snapshot(&fourth.0).unwrap();
    drop((memory, party));
    for (bytes, file) in &kept {
        fs::write(file, bytes).unwrap();
    }
    names(6, &[second, fourth]);
    let (party, named) = Party::open(path);
    party.holds(named.unwrap(), 4);
    names(3, &[fourth]);
}

/// Whoever begins anew has not the party's state, for a reason that is not known here: its disk may not be there. It removes nothing.
#[test]
fn who_begins_anew_removes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, [state, away]) = (folder.path(), ["p", "away"].map(|name| folder.path().join(name)));
    // It ends before its first snapshot is named, and begins anew.
    let (party, nothing) = Party::open(path);
    assert!(nothing.is_none());
    drop((party.put(1), party));
    let (mut party, nothing) = Party::open(path);
    assert!(nothing.is_none());
    let (memory, first) = party.put(2);
    party.store.snapshot(&first.0).unwrap();
    drop((memory, party));
    // Its state is not there.
    fs::rename(&state, &away).unwrap();
    let (mut party, nothing) = Party::open(path);
    assert!(nothing.is_none());
    for seed in [3, 4] {
        let (_, aside) = party.put(seed);
        party.store.snapshot(&aside.0).unwrap();
    }
    drop(party);
    let (party, named) = Party::open(path);
    drop((party.holds(named.unwrap(), 4), party));
    assert_eq!(files(&path.join("w")).len(), 9);
    // It is there again.
    fs::remove_dir_all(&state).unwrap();
    fs::rename(&away, &state).unwrap();
    let (party, named) = Party::open(path);
    assert_eq!(named, Some(first));
    party.holds(first, 2);
}

/// The folder of one worker is put back as it was at the snapshot before: none of the two is taken, and nothing is mixed.
#[test]
fn a_folder_of_an_earlier_time_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (mut party, _) = Party::open(path);
    let (_, first) = party.put(1);
    party.store.snapshot(&first.0).unwrap();
    let old = files(&path.join("w")).remove(2);
    let bytes = fs::read(&old).unwrap();
    let (_, second) = party.put(2);
    party.store.snapshot(&second.0).unwrap();
    drop(party);
    let new = files(&path.join("w")).remove(2);
    let kept = fs::read(&new).unwrap();
    fs::remove_file(&new).unwrap();
    let refused = |expected: &str| {
        let (party, named) = Party::open(path);
        let NotAside(said) = party.sharded.take_aside_primary(named.unwrap(), 10).err().unwrap();
        assert!(said.starts_with(&format!("worker 2: {}: {expected}", new.display())), "{said}");
    };
    fs::write(&old, &bytes).unwrap();
    refused("the file of a range: expected words 731..1024 of 1024, of worker 2 of 3, got no such file");
    // And under the new one's name, as it was and with that name within.
    fs::write(&new, &bytes).unwrap();
    refused("the name of the memory: expected [");
    fs::write(&new, [&kept[..21], &bytes[21..]].concat()).unwrap();
    refused("sealed with another key, or for another party or session");
    fs::write(&new, &kept).unwrap();
    let (party, named) = Party::open(path);
    party.holds(named.unwrap(), 2);
}

/// Of two memories that are put aside before there is a snapshot, the first is not whole: there is none of the second either.
#[test]
fn what_could_not_be_written_ends_all_snapshots() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (mut party, _) = Party::open(path);
    let (_, first) = party.put(1);
    party.store.snapshot(&first.0).unwrap();
    let [there, gone] = ["w/0", "w/gone"].map(|name| path.join(name));
    let (_, second) = party.put(2);
    fs::rename(&there, &gone).unwrap();
    drop(party.put(3));
    fs::rename(&gone, &there).unwrap();
    let said = party.store.snapshot(&second.0).unwrap_err().to_string();
    assert!(said.starts_with(&format!("worker 0: {}", there.display())), "{said}");
    drop(party);
    let (party, named) = Party::open(path);
    assert_eq!(named, Some(first));
    party.holds(first, 1);
}

/// A worker that cannot write: no snapshot is made, the party has to end, and started again it has the one before.
#[test]
fn a_range_that_cannot_be_written_is_no_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (mut party, _) = Party::open(path);
    let (_, first) = party.put(1);
    party.store.snapshot(&first.0).unwrap();
    let [there, gone] = ["w/2", "w/gone"].map(|name| path.join(name));
    fs::rename(&there, &gone).unwrap();
    let (_, second) = party.put(2);
    let said = party.store.snapshot(&second.0).unwrap_err().to_string();
    let expected = format!("worker 2: {}", there.display());
    assert!(said.starts_with(&expected) && said.contains("No such file"), "{said}");
    assert!(party.store.snapshot(&second.0).unwrap_err().to_string().contains("an earlier write has failed"));
    drop(party);
    fs::rename(gone, there).unwrap();
    let (party, named) = Party::open(path);
    party.holds(named.unwrap(), 1);
    assert_eq!(files(&path.join("w")).len(), 3);
}
