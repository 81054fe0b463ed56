//! The memory: a cache that is searched whole, and tables behind it, each larger, each rebuilt when those before are full.
//!
//! An address is looked for in the cache and then in every table; from where it is found on, tables are asked for nothing. What
//! was found is written to the cache. When that is full, it and the tables that have been built as often as they may are put
//! together into the next table.

use rand_chacha::ChaCha20Rng;

use super::shape::{STASH, Shape};
use super::table::{Element, Table};

/// An element in the cache.
struct Cached {
    element: Element,
    /// It came from this table's stash: there it is to be looked for, though it was found.
    from: Option<usize>,
}

/// What a rebuild put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rebuild {
    /// Which table.
    pub(super) level: usize,
    /// Elements that were extracted.
    pub(super) extracted: usize,
    /// How often the table has been built since it was last empty, this time included.
    pub(super) built: usize,
}

/// The memory.
pub(super) struct Hierarchy {
    shape: Shape,
    cache: Vec<Cached>,
    tables: Vec<Option<Table>>,
    /// How often each table was built since it was last empty.
    built: Vec<usize>,
    random: ChaCha20Rng,
}

impl Hierarchy {
    /// A memory of these words, all in the last table; or of zeros, with no table yet.
    pub(super) fn new(shape: Shape, words: Option<&[u64]>, random: ChaCha20Rng) -> Self {
        let mut memory = Self {
            shape,
            cache: Vec::new(),
            tables: (0..shape.levels).map(|_| None).collect(),
            built: vec![0; shape.levels as usize],
            random,
        };
        if let Some(words) = words {
            let element = |(address, word): (u64, &u64)| Element { address: Some(address), word: *word };
            memory.build(shape.last(), (0..).zip(words).map(element).collect());
        } else {
            // As if there were a stash.
            memory.cache_stash(0, vec![Element::DUMMY; STASH]);
        }
        memory
    }

    /// Elements in the cache.
    pub(super) fn cached(&self) -> usize {
        self.cache.len()
    }

    /// Tables that there are.
    pub(super) fn alive(&self) -> usize {
        self.tables.iter().flatten().count()
    }

    /// Rebuilds, if the cache is full.
    pub(super) fn make_room(&mut self) -> Option<Rebuild> {
        if self.cache.len() < self.shape.cache() {
            return None;
        }
        let last = self.shape.last();
        let level = (0..last).find(|level| self.built[*level] + 1 < self.shape.growth()).unwrap_or(last);
        let mut elements: Vec<Element> = self.cache.drain(..).map(|cached| cached.element).collect();
        for table in self.tables[..=level].iter_mut().filter_map(Option::take) {
            elements.extend(table.extract());
        }
        let extracted = elements.len();
        if level == last {
            elements.retain(|element| element.address.is_some());
            elements.resize(self.shape.elements(last, 1), Element::DUMMY);
        }
        self.built[..level].fill(0);
        self.build(level, elements);
        Some(Rebuild { level, extracted, built: self.built[level] })
    }

    /// Answers the word at an address, and puts there what `change` makes of it.
    pub(super) fn access(&mut self, address: u64, change: impl FnOnce(u64) -> u64) -> u64 {
        let cached = self.cache.iter_mut().find(|cached| cached.element.address == Some(address));
        let mut from = None;
        let mut found = cached.map(|cached| {
            from = cached.from;
            std::mem::replace(&mut cached.element, Element::DUMMY).word
        });
        for (level, table) in self.tables.iter_mut().enumerate() {
            if let Some(table) = table {
                let wanted = found.is_none() || from == Some(level);
                found = table.query(wanted.then_some(address)).or(found);
            }
        }
        let old = found.unwrap_or(0);
        let element = Element { address: Some(address), word: change(old) };
        self.cache.push(Cached { element, from: None });
        old
    }

    fn build(&mut self, level: usize, elements: Vec<Element>) {
        // The last table is built as a whole, and counts as built once.
        self.built[level] = if level == self.shape.last() { 1 } else { self.built[level] + 1 };
        let log_column = self.shape.log_column(level, self.built[level]);
        let (table, stash) = Table::new(elements, self.shape.dummies(level), log_column, &mut self.random);
        self.tables[level] = Some(table);
        self.cache_stash(level, stash);
    }

    fn cache_stash(&mut self, level: usize, stash: Vec<Element>) {
        self.cache.extend(stash.into_iter().map(|element| Cached { element, from: Some(level) }));
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

    use super::*;

    fn check(log_size: u32, initial: bool, queries: usize) -> Vec<Rebuild> {
        let shape = Shape::chosen(log_size);
        let mut array: Vec<u64> = (0..1 << log_size).map(|n| if initial { 1000 + n } else { 0 }).collect();
        let words = array.clone();
        let mut memory = Hierarchy::new(shape, initial.then_some(&words), ChaCha20Rng::from_seed([1; 32]));
        let mut random = ChaCha20Rng::from_seed([2; 32]);
        let mut rebuilds = Vec::new();
        for _ in 0..queries {
            rebuilds.extend(memory.make_room());
            let (address, word) = (random.next_u64() % (1 << log_size), random.next_u64());
            let place = usize::try_from(address).unwrap();
            let old = memory.access(address, |old| if word % 2 == 0 { word } else { old });
            assert_eq!(old, array[place]);
            if word % 2 == 0 {
                array[place] = word;
            }
        }
        rebuilds
    }

    #[test]
    fn accesses_are_answered_as_an_array_answers_them_through_all_rebuilds() {
        for (log_size, initial) in [(6, true), (7, true), (8, true), (8, false), (10, true)] {
            let shape = Shape::chosen(log_size);
            let rebuilds = check(log_size, initial, 6 * (1 << log_size));
            assert!(rebuilds.iter().any(|rebuild| rebuild.level == shape.last()));
        }
    }

    #[test]
    fn a_table_grows_until_the_next_takes_it_in() {
        let shape = Shape { log_size: 9, levels: 3, log_growth: 2 };
        let mut memory = Hierarchy::new(shape, None, ChaCha20Rng::from_seed([3; 32]));
        let mut order = Vec::new();
        for address in 0..24 * 20 {
            if let Some(rebuild) = memory.make_room() {
                order.push((rebuild.level, rebuild.built, rebuild.extracted));
            }
            memory.access(address % 512, |word| word);
        }
        let sizes = [(0, 1, 32), (0, 2, 64), (0, 3, 96), (1, 1, 128), (0, 1, 32), (0, 2, 64), (0, 3, 96)];
        assert_eq!(order[..7], sizes);
        assert_eq!((order[7], order[15]), ((1, 2, 256), (2, 1, 512)));
    }
}
