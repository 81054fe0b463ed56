//! Ranges of memories that are put aside: what was put is taken back, what is another's or damaged is refused by its file's name, and with
//! the power gone at any moment the snapshot that is named has all of its files.

use std::ops::Range;

use duoram_reference::{Aside, Role, SessionId, Word};
use duoram_runtime::store::simulated::Shared;
use duoram_runtime::store::{
    Beside, Error, Medium, Owner, RangeFolders, RangeOf, Ranges, Store, StoreKey, draw,
};
use duoram_simulation::medium::Tear;
use duoram_vectors::Random;

const KEY: [u8; 32] = [7; 32];

fn owner(role: Role) -> Owner {
    Owner::party(SessionId([1; 16]), role)
}

fn ranges(disk: &Shared) -> Ranges<Shared> {
    Ranges::new(disk.clone(), &StoreKey::new(KEY), &owner(Role::P0))
}

fn range_of(aside: u8, worker: usize, rows: Range<usize>) -> RangeOf {
    RangeOf { aside: Aside([aside; 16]), worker, workers: 3, all_rows: 1 << 17, row_words: 1, rows }
}

/// The words of a range in a vector, of a generation.
fn words(of: &RangeOf, vector: usize) -> Vec<Word> {
    let seed = u64::from(of.aside.0[15]) << 8 | vector as u64;
    let words = of.rows.start * of.row_words..of.rows.end * of.row_words;
    words.map(|word| Random(seed ^ (word as u64) << 20).word()).collect()
}

fn put<M: Medium>(ranges: &Ranges<M>, of: &RangeOf, vectors: usize) -> Result<(), Error> {
    let vectors: Vec<_> = (0..vectors).map(|vector| words(of, vector)).collect();
    ranges.put(of, &vectors.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

fn get<M: Medium>(ranges: &Ranges<M>, of: &RangeOf, vectors: usize) -> Result<Vec<Vec<Word>>, Error> {
    let mut got = vec![vec![0; of.rows.len() * of.row_words]; vectors];
    ranges.get(of, &mut got.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>())?;
    Ok(got)
}

fn is_there<M: Medium>(ranges: &Ranges<M>, of: &RangeOf, vectors: usize) {
    let got = get(ranges, of, vectors).unwrap();
    assert!((0..vectors).all(|vector| got[vector] == words(of, vector)), "{of:?}: other words");
}

/// Of any length: none, one, and on both sides of the pieces that are sealed together.
#[test]
fn what_was_put_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let folders = RangeFolders::new(folder.path(), StoreKey::new(KEY), owner(Role::P0));
    let mut random = Random(3);
    let piece = 1 << 14;
    let lengths = [0, 1, 2, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 7];
    for (length, worker) in lengths.into_iter().zip(0..) {
        let start = usize::try_from(random.below(1 << 16)).unwrap();
        for (vectors, row_words) in [(1, 1), (2, 1), (2, 3)] {
            let of = RangeOf { row_words, ..range_of(5, worker, start..start + length) };
            put(&folders.open(worker).unwrap(), &of, vectors).unwrap();
            is_there(&folders.open(worker).unwrap(), &of, vectors);
        }
    }
}

#[test]
fn names_are_drawn_once_and_those_of_a_party_begin_alike() {
    let [one, other] = [draw(None).unwrap(), draw(None).unwrap()];
    let next = draw(Some(one)).unwrap();
    assert!(one != next && one.0[..8] == next.0[..8] && one.0[8..] != next.0[8..]);
    assert_ne!(one.0[..8], other.0[..8]);
}

/// Of another beginning: of another party whose folder this was given by mistake, or of the same one from before its state was lost.
#[test]
fn only_what_begins_alike_is_removed() {
    let disk = Shared::default();
    let own = ranges(&disk);
    let names: [_; 4] = [(1, 1), (1, 2), (1, 3), (2, 1)].map(|(beginning, rest)| {
        let mut name = [rest; 16];
        name[..8].fill(beginning);
        Aside(name)
    });
    let of = |aside: usize, worker| RangeOf { aside: names[aside], ..range_of(0, worker, 0..9) };
    for worker in [1, 11] {
        (0..4).for_each(|aside| put(&own, &of(aside, worker), 1).unwrap());
    }
    disk.look(|medium| medium.create("range.1.0101010101010101.new")).unwrap();
    own.keep_only(1, &[names[1], names[2]]).unwrap();
    let mut left = disk.names().unwrap();
    left.sort();
    let name = |worker: usize, aside: usize| {
        names[aside].0.iter().fold(format!("range.{worker}."), |name, byte| format!("{name}{byte:02x}"))
    };
    let mut expected: Vec<_> = (0..4).map(|aside| name(11, aside)).collect();
    expected.extend((1..4).map(|aside| name(1, aside)));
    expected.sort();
    assert_eq!(left, expected);
    own.keep_only(1, &[]).unwrap();
    assert_eq!(disk.names().unwrap().len(), 7);
}

/// By the file's name, what was expected, and what is there.
#[test]
fn what_is_anothers_is_refused() {
    let disk = Shared::default();
    let (there, own) = (range_of(5, 1, 100..300), ranges(&disk));
    put(&own, &there, 2).unwrap();
    let name = "range.1.05050505050505050505050505050505";
    let refused = |ranges: &Ranges<Shared>, of: RangeOf, vectors: usize, expected: &str| {
        let error = get(ranges, &of, vectors).unwrap_err().to_string();
        assert_eq!(error, format!("the medium/{expected}"));
    };
    let cut = "words 100..300 of 131072, of worker 1 of 3";
    refused(
        &own,
        range_of(6, 1, 100..300),
        2,
        &format!(
            "range.1.06060606060606060606060606060606: the file of a range: expected {cut}, got no such file"
        ),
    );
    let other_cut = |of: RangeOf, expected: &str| {
        let text = format!("{name}: whose range it is: expected {expected}, got {cut}");
        refused(&own, of, 2, &text);
    };
    other_cut(RangeOf { workers: 4, ..there.clone() }, "words 100..300 of 131072, of worker 1 of 4");
    other_cut(range_of(5, 1, 100..301), "words 100..301 of 131072, of worker 1 of 3");
    other_cut(range_of(5, 1, 99..300), "words 99..300 of 131072, of worker 1 of 3");
    other_cut(RangeOf { all_rows: 1 << 16, ..there.clone() }, "words 100..300 of 65536, of worker 1 of 3");
    let of_rows = RangeOf { row_words: 3, ..there.clone() };
    other_cut(of_rows, "rows 100..300 of 131072 rows of 3 words, of worker 1 of 3");
    refused(&own, there.clone(), 1, &format!("{name}: its vectors: expected 1, got 2"));

    // Another generation's file under this name, and another worker's.
    let rename = |from: &str, to: &str| disk.look(|medium| medium.rename(from, to)).unwrap();
    put(&own, &range_of(6, 1, 100..300), 2).unwrap();
    let (five, six) = (format!("{:02x?}", [5; 16]), format!("{:02x?}", [6; 16]));
    rename("range.1.06060606060606060606060606060606", name);
    refused(&own, there.clone(), 2, &format!("{name}: the name of the memory: expected {five}, got {six}"));
    put(&own, &range_of(5, 2, 100..300), 2).unwrap();
    rename("range.2.05050505050505050505050505050505", name);
    refused(
        &own,
        there.clone(),
        2,
        &format!("{name}: whose range it is: expected {cut}, got words 100..300 of 131072, of worker 2 of 3"),
    );

    put(&own, &there, 2).unwrap();
    let with = |key, owner: &Owner| Ranges::new(disk.clone(), &StoreKey::new(key), owner);
    let sealed = format!("{name}: sealed with another key, or for another party or session");
    refused(&with([8; 32], &owner(Role::P0)), there.clone(), 2, &sealed);
    let whose = |role: &str, byte: u8| format!("duoram party {role} {:02x?}", [byte; 16]);
    let foreign = |owner: &Owner, expected: &str| {
        let text = format!("{name}: whose it is: expected {expected}, got {}", whose("P0", 1));
        refused(&with(KEY, owner), there.clone(), 2, &text);
    };
    foreign(&owner(Role::P1), &whose("P1", 1));
    foreign(&Owner::party(SessionId([2; 16]), Role::P0), &whose("P0", 2));
    is_there(&own, &there, 2);
}

/// Of every length but its own, and whichever bit of it is turned over, a file is refused, and nothing panics.
#[test]
fn what_is_torn_or_damaged_is_refused() {
    let disk = Shared::default();
    let (there, own, name) =
        (range_of(5, 1, 100..300), ranges(&disk), "range.1.05050505050505050505050505050505");
    put(&own, &there, 2).unwrap();
    let whole = disk.look(|medium| medium.read(name).to_vec());
    let refused = |bytes: &[u8]| {
        disk.look(|medium| medium.set_length(name, 0).and_then(|()| medium.write(name, 0, bytes))).unwrap();
        let error = get(&own, &there, 2).unwrap_err().to_string();
        assert!(error.starts_with("the medium/range.1.0505"), "{error}");
        error
    };
    for length in 0..whole.len() {
        assert!(refused(&whole[..length]).contains("its length: expected"), "{length}");
    }
    let longer = refused(&[&whole[..], &[0]].concat());
    let expected = format!("its length: expected {} bytes, got {}", whole.len(), whole.len() + 1);
    assert!(longer.ends_with(&expected), "{longer}");
    for bit in 0..8 * whole.len() {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        refused(&bytes);
    }

    // A piece of the file of another generation in its place: all of it was sealed by the same key for the same party.
    put(&own, &range_of(6, 1, 100..300), 2).unwrap();
    let other = disk.look(|medium| medium.read("range.1.06060606060606060606060606060606").to_vec());
    let last = whole.len() - (200 * 8 + 40);
    let spliced = refused(&[&whole[..last], &other[last..]].concat());
    assert!(spliced.ends_with("piece 2 of its words is damaged or missing"), "{spliced}");
    // Its own pieces, in another order.
    let first = last - (200 * 8 + 40);
    let swapped = refused(&[&whole[..first], &whole[last..], &whole[first..last]].concat());
    assert!(swapped.ends_with("piece 1 of its words is damaged or missing"), "{swapped}");
    disk.look(|medium| medium.write(name, 0, &whole)).unwrap();
    is_there(&own, &there, 2);
}

/// Nothing that was put there is on the disk in a form that can be read.
#[test]
fn no_word_is_on_the_disk() {
    let disk = Shared::default();
    let of = range_of(5, 1, 0..100);
    put(&ranges(&disk), &of, 1).unwrap();
    let bytes = disk.look(|medium| medium.read("range.1.05050505050505050505050505050505").to_vec());
    let secret = words(&of, 0);
    assert!(secret.iter().all(|word| !bytes.windows(8).any(|window| window == word.to_le_bytes())));
}

/// A party that has two workers, who have put aside the memory of each generation before there is a snapshot of it. Gives the generation
/// that is named in the end, if there is one.
fn generations(disk: &Shared, until: u8) -> Result<u8, Error> {
    let own = ranges(disk);
    let of = |generation: u8| {
        let mut aside = [generation; 16];
        aside[..8].fill(9);
        [(0, 0..50), (2, 50..131)]
            .map(|(worker, words)| RangeOf { aside: Aside(aside), ..range_of(0, worker, words) })
    };
    let (mut store, recovered) = Store::open(disk.clone(), &StoreKey::new(KEY), &owner(Role::P0))?;
    let mut named = 0;
    if let Some(recovered) = recovered {
        named = recovered.snapshot.1[0];
        for of in of(named) {
            is_there_or_off(disk, &own, &of)?;
            own.keep_only(of.worker, &[of.aside])?;
        }
        // Nothing is left of what was not named.
        let mut names = disk.names().map_err(|source| Error::Medium { place: String::new(), source })?;
        names.retain(|name| name.starts_with("range."));
        assert_eq!(names.len(), 2, "{names:?}");
    }
    while named < until {
        let next = named + 1;
        for of in of(next) {
            put(&own, &of, 2)?;
        }
        if named > 0 {
            store.append([&[next][..]])?;
        }
        store.snapshot(&[next])?;
        for of in of(next) {
            own.keep_only(of.worker, &[of.aside])?;
        }
        named = next;
    }
    Ok(named)
}

/// That it is there; an error only if the power is off.
fn is_there_or_off(disk: &Shared, own: &Ranges<Shared>, of: &RangeOf) -> Result<(), Error> {
    match get(own, of, 2) {
        Err(error) if disk.is_off() => Err(error),
        got => {
            let got = got.unwrap();
            assert!((0..2).all(|vector| got[vector] == words(of, vector)), "{of:?}: other words");
            Ok(())
        }
    }
}

/// The power goes at every operation on the disk, between the workers' files and the snapshot too, with each tear; and again in what
/// follows. The memory is always one that was put aside whole, and no older than the last that was named.
#[test]
fn the_power_may_go_between_workers_and_party() {
    let disk = Shared::default();
    assert_eq!(generations(&disk, 4).unwrap(), 4);
    let operations = disk.look(|medium| medium.operations());
    assert!(operations > 80, "{operations}");
    for moment in 0..operations {
        for (tear, again) in Tear::ALL.into_iter().zip(1..) {
            let disk = Shared::default();
            let crash = |seed| {
                disk.look(|medium| medium.crash(tear, &mut Random(seed)));
                disk.start();
            };
            disk.look(|medium| medium.set_fuse(Some(moment)));
            let _ = generations(&disk, 4);
            crash(moment);
            disk.look(|medium| medium.set_fuse(Some(moment % 7 * again)));
            let _ = generations(&disk, 4);
            crash(moment + 1);
            disk.look(|medium| medium.set_fuse(None));
            assert_eq!(generations(&disk, 4).unwrap(), 4, "{moment}, {tear:?}");
        }
    }
}

/// Workers of whom one cannot write.
#[derive(Debug)]
struct Full;

impl Beside for Full {
    fn written(&mut self) -> Result<(), Error> {
        Err(Error::Beside { what: "worker 2: no space".to_owned() })
    }

    fn named(&mut self) -> Result<(), Error> {
        panic!("nothing is named")
    }
}

/// No snapshot is made that a worker has not all of; the one before it is there.
#[test]
fn a_snapshot_waits_for_all() {
    let disk = Shared::default();
    let open = || Store::open(disk.clone(), &StoreKey::new(KEY), &owner(Role::P0)).unwrap();
    let (mut store, _) = open();
    store.snapshot(&[1]).unwrap();
    let mut store = store.with(Some(Box::new(Full)));
    store.append([&[9][..]]).unwrap();
    assert_eq!(store.snapshot(&[2]).unwrap_err().to_string(), "worker 2: no space");
    assert!(matches!(store.append([&[9][..]]), Err(Error::Failed { .. })));
    drop(store);
    let recovered = open().1.unwrap();
    assert_eq!((recovered.snapshot.0, &recovered.snapshot.1[..], recovered.records.len()), (0, &[1][..], 1));
}

/// The power goes in the moment in which the workers are asked, or told.
#[derive(Debug)]
struct Ends {
    disk: Shared,
    asked: bool,
}

impl Ends {
    fn when(&self, asked: bool) {
        if self.asked == asked {
            self.disk.look(|medium| medium.set_fuse(Some(0)));
        }
    }
}

impl Beside for Ends {
    fn written(&mut self) -> Result<(), Error> {
        self.when(true);
        Ok(())
    }

    fn named(&mut self) -> Result<(), Error> {
        self.when(false);
        Ok(())
    }
}

/// When workers are asked whether theirs is there, the snapshot before is the one that is named; when they are told that they may remove what
/// belongs to that, it is the new one, on disk.
#[test]
fn workers_are_asked_before_and_told_after() {
    for (asked, expected) in [(true, 1), (false, 2)] {
        for tear in Tear::ALL {
            let disk = Shared::default();
            let open = || Store::open(disk.clone(), &StoreKey::new(KEY), &owner(Role::P0)).unwrap();
            let (mut store, _) = open();
            store.snapshot(&[1]).unwrap();
            let mut store = store.with(Some(Box::new(Ends { disk: disk.clone(), asked })));
            assert_eq!(store.snapshot(&[2]).is_err(), asked);
            drop(store);
            disk.look(|medium| {
                medium.crash(tear, &mut Random(1));
                medium.set_fuse(None);
            });
            disk.start();
            let recovered = open().1.unwrap();
            assert_eq!(&recovered.snapshot.1[..], &[expected], "{tear:?}");
        }
    }
}
