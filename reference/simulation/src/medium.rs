//! A medium that does what media do when the power fails: files whose last writes are there in part, in pages, or not at all.
//!
//! Nothing is certain of a file before it is synced, and nothing of a name before the folder is. Until then a crash may keep any
//! part: that is the [`Tear`].

use std::collections::BTreeMap;

use duoram_vectors::Random;

use crate::choice::below;

/// The bytes that are written or lost together.
const PAGE: usize = 64;

/// The power has failed: nothing is done any more until the party is started again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PowerCut;

/// What becomes of writes that were not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tear {
    /// They are lost.
    Lost,
    /// They are there.
    Kept,
    /// They are there up to some byte.
    Cut,
    /// Of each page, at random: there, lost or, where the file has only just grown, full of zeros. What was synced and is written
    /// anew has the old content or the new one.
    Pages,
}

impl Tear {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Lost, Self::Kept, Self::Cut, Self::Pages];
}

#[derive(Clone, Default)]
struct File {
    /// What a program reads.
    bytes: Vec<u8>,
    /// What was there at the last sync.
    synced: Vec<u8>,
    /// Where it was written since, and how much.
    writes: Vec<(usize, usize)>,
    /// Whether it was made shorter since, which is kept or lost as a whole.
    shortened: Option<usize>,
}

impl File {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[at..end].copy_from_slice(bytes);
        self.writes.push((at, bytes.len()));
    }

    fn set_length(&mut self, length: usize) {
        if length < self.bytes.len() {
            self.shortened = Some(self.shortened.map_or(length, |shorter| shorter.min(length)));
            self.writes.retain_mut(|(at, written)| {
                *written = (*written).min(length.saturating_sub(*at));
                *written > 0
            });
        }
        self.bytes.resize(length, 0);
    }

    fn sync(&mut self) {
        if self.shortened.take().is_some() {
            self.synced.clone_from(&self.bytes);
            self.writes.clear();
            return;
        }
        // Not all of it: a file is large, and synced after every few bytes.
        self.synced.resize(self.bytes.len(), 0);
        for (at, length) in self.writes.drain(..) {
            self.synced[at..at + length].copy_from_slice(&self.bytes[at..at + length]);
        }
    }

    fn crash(&mut self, tear: Tear, random: &mut Random) {
        let mut left = self.synced.clone();
        if let Some(length) = self.shortened
            && tear != Tear::Lost
        {
            left.truncate(length);
        }
        let total: usize = self.writes.iter().map(|(_, length)| length).sum();
        let mut budget = match tear {
            Tear::Lost => 0,
            Tear::Kept | Tear::Pages => total,
            Tear::Cut => below(random, total + 1),
        };
        for (at, length) in self.writes.drain(..) {
            let length = length.min(budget);
            budget -= length;
            let mut at = at;
            let end = at + length;
            while at < end {
                let page = end.min(at - at % PAGE + PAGE);
                let fate = if tear == Tear::Pages { random.below(3) } else { 0 };
                if fate < 2 {
                    if left.len() < page {
                        left.resize(page, 0);
                    }
                    let whole = fate == 0;
                    let grown = self.synced.len();
                    let from = if whole { at } else { grown.clamp(at, page) };
                    left[from..page].fill(0);
                    if whole {
                        left[from..page].copy_from_slice(&self.bytes[from..page]);
                    }
                }
                at = page;
            }
        }
        self.synced.clone_from(&left);
        self.bytes = left;
        self.shortened = None;
    }
}

/// A change of the folder.
enum Naming {
    Create(String, usize),
    Rename(String, String),
    Remove(String),
}

type Names = BTreeMap<String, usize>;

fn apply(names: &mut Names, naming: &Naming) {
    match naming {
        Naming::Create(name, file) => _ = names.insert(name.clone(), *file),
        Naming::Rename(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
        Naming::Remove(name) => _ = names.remove(name),
    }
}

/// One folder of files.
#[derive(Default)]
pub struct Medium {
    files: Vec<File>,
    names: Names,
    synced_names: Names,
    namings: Vec<Naming>,
    /// How many operations there were.
    operations: u64,
    /// In how many operations the power fails.
    fuse: Option<u64>,
    /// Whether it says that it has synced, and has not.
    lying: bool,
}

impl Medium {
    /// One that lies about syncing.
    pub fn lying() -> Self {
        Self { lying: true, ..Self::default() }
    }

    /// How many operations there were that a crash could have hit.
    pub const fn operations(&self) -> u64 {
        self.operations
    }

    /// Lets the power fail at an operation, counted from 0 for the next; or not.
    pub const fn set_fuse(&mut self, operations: Option<u64>) {
        self.fuse = operations;
    }

    /// Counts an operation; whether the power fails at it.
    fn spend(&mut self) -> bool {
        self.operations += 1;
        match &mut self.fuse {
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }

    fn end(fails: bool) -> Result<(), PowerCut> {
        if fails { Err(PowerCut) } else { Ok(()) }
    }

    /// Makes an empty file, in place of one of that name.
    ///
    /// # Errors
    ///
    /// [`PowerCut`], as of all operations: what was being done may then have been done or not.
    pub fn create(&mut self, name: &str) -> Result<(), PowerCut> {
        self.files.push(File::default());
        self.name(Naming::Create(name.to_owned(), self.files.len() - 1))
    }

    /// Gives a file another name, at once.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), PowerCut> {
        self.name(Naming::Rename(from.to_owned(), to.to_owned()))
    }

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    pub fn remove(&mut self, name: &str) -> Result<(), PowerCut> {
        self.name(Naming::Remove(name.to_owned()))
    }

    fn name(&mut self, naming: Naming) -> Result<(), PowerCut> {
        let fails = self.spend();
        apply(&mut self.names, &naming);
        self.namings.push(naming);
        Self::end(fails)
    }

    /// Writes into a file, beyond its end too.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    pub fn write(&mut self, name: &str, at: usize, bytes: &[u8]) -> Result<(), PowerCut> {
        let fails = self.spend();
        if let Some(file) = self.names.get(name) {
            self.files[*file].write(at, bytes);
        }
        Self::end(fails)
    }

    /// Makes a file shorter, or longer by zeros.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    pub fn set_length(&mut self, name: &str, length: usize) -> Result<(), PowerCut> {
        let fails = self.spend();
        if let Some(file) = self.names.get(name) {
            self.files[*file].set_length(length);
        }
        Self::end(fails)
    }

    /// Makes a file's content certain.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    pub fn sync(&mut self, name: &str) -> Result<(), PowerCut> {
        let fails = self.spend();
        if let (Some(file), false) = (self.names.get(name), fails || self.lying) {
            self.files[*file].sync();
        }
        Self::end(fails)
    }

    /// Makes the names certain.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    pub fn sync_folder(&mut self) -> Result<(), PowerCut> {
        let fails = self.spend();
        if !fails {
            self.synced_names.clone_from(&self.names);
            self.namings.clear();
        }
        Self::end(fails)
    }

    /// The names of the files, in order.
    pub fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }

    /// A file's content; nothing of one that there is not.
    pub fn read(&self, name: &str) -> &[u8] {
        self.names.get(name).map_or(&[], |file| &self.files[*file].bytes)
    }

    /// The power was off. Of what was not synced there is what the tear leaves; of the names, those up to some change.
    pub fn crash(&mut self, tear: Tear, random: &mut Random) {
        self.fuse = None;
        for file in &mut self.files {
            file.crash(tear, random);
        }
        let kept = match tear {
            Tear::Lost => 0,
            Tear::Kept => self.namings.len(),
            Tear::Cut | Tear::Pages => below(random, self.namings.len() + 1),
        };
        self.names.clone_from(&self.synced_names);
        for naming in self.namings.drain(..).take(kept) {
            apply(&mut self.names, &naming);
        }
        self.synced_names.clone_from(&self.names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file may hold after a crash: a synced part and 200 bytes that were not.
    fn after(tear: Tear, seed: u64) -> Vec<u8> {
        let mut medium = Medium::default();
        medium.create("a").unwrap();
        medium.write("a", 0, &[1; 100]).unwrap();
        medium.sync("a").unwrap();
        medium.sync_folder().unwrap();
        medium.write("a", 100, &[2; 200]).unwrap();
        assert_eq!(medium.read("a").len(), 300);
        medium.crash(tear, &mut Random(seed));
        medium.read("a").to_vec()
    }

    #[test]
    fn what_was_synced_is_there_and_the_rest_as_the_tear_says() {
        let whole = [vec![1; 100], vec![2; 200]].concat();
        assert_eq!(after(Tear::Lost, 1), whole[..100]);
        assert_eq!(after(Tear::Kept, 1), whole);
        let cut: Vec<_> = (0..20).map(|seed| after(Tear::Cut, seed)).collect();
        assert!(cut.iter().all(|bytes| bytes.len() >= 100 && whole.starts_with(bytes)));
        assert!(cut.iter().any(|bytes| bytes.len() > 100 && bytes.len() < 300));
        let pages: Vec<_> = (0..20).map(|seed| after(Tear::Pages, seed)).collect();
        assert!(pages.iter().all(|bytes| bytes.starts_with(&whole[..100])));
        let holed = |bytes: &Vec<u8>| bytes[100..].contains(&0) && bytes.ends_with(&[2]);
        assert!(pages.iter().any(holed), "a page is missing before one that is there");
    }

    #[test]
    fn names_are_certain_once_the_folder_is_synced() {
        for (synced, expected) in [(false, "old"), (true, "new")] {
            let mut medium = Medium::default();
            for (name, bytes) in [("file", b"old"), ("file.tmp", b"new")] {
                medium.create(name).unwrap();
                medium.write(name, 0, bytes).unwrap();
                medium.sync(name).unwrap();
            }
            medium.sync_folder().unwrap();
            medium.rename("file.tmp", "file").unwrap();
            assert_eq!(medium.read("file"), b"new");
            if synced {
                medium.sync_folder().unwrap();
            }
            medium.crash(Tear::Lost, &mut Random(1));
            assert_eq!(medium.read("file"), expected.as_bytes());
        }
    }

    #[test]
    fn a_file_that_was_made_shorter_is_so_or_not() {
        for (tear, expected) in [(Tear::Lost, &[1; 100][..]), (Tear::Kept, &[1, 1, 2])] {
            let mut medium = Medium::default();
            medium.create("a").unwrap();
            medium.write("a", 0, &[1; 100]).unwrap();
            medium.sync("a").unwrap();
            medium.sync_folder().unwrap();
            medium.write("a", 50, &[3; 100]).unwrap();
            medium.set_length("a", 2).unwrap();
            medium.write("a", 2, &[2]).unwrap();
            medium.crash(tear, &mut Random(1));
            assert_eq!(medium.read("a"), expected);
        }
    }

    #[test]
    fn the_power_fails_when_it_is_told_to() {
        let mut medium = Medium::default();
        medium.set_fuse(Some(1));
        assert_eq!(medium.create("a"), Ok(()));
        assert_eq!(medium.write("a", 0, &[1]), Err(PowerCut));
        assert_eq!(medium.operations(), 2);
    }
}
