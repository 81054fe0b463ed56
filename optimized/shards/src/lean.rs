//! The lean protocol's local computation, by all workers.

use duoram_reference::lean::{Compute, LayeredKey, ReadQuery, UpdateQuery};
use duoram_reference::{Aside, Block, ChildSums, Correction, NotAside, SessionKey, Word};

use crate::Forest;
use crate::layered::write_key;
use crate::operation as op;
use crate::sharded::{Memory, Sharded};
use crate::trees::LEAN;

/// A READ of the party of this number.
fn read<const N: usize>(
    sharded: &Sharded,
    key: &SessionKey,
    role: u8,
    memory: &Memory,
    queries: &[ReadQuery<'_, LayeredKey, N>],
) -> Vec<Word> {
    let mut request = memory.request(op::LEAN_READ);
    request.key(key).byte(role).count(queries.len());
    for query in queries {
        query.keys.iter().for_each(|key| write_key(&mut request, key));
        request.word(query.shift);
    }
    sharded.ask(request).to_vec()
}

fn update<const N: usize>(
    sharded: &Sharded,
    key: &SessionKey,
    memory: &mut Memory,
    queries: &[UpdateQuery<'_, LayeredKey, N>],
) {
    memory.changed();
    let mut request = memory.request(op::LEAN_UPDATE);
    request.key(key).count(queries.len());
    for query in queries {
        query.keys.iter().for_each(|key| write_key(&mut request, key));
        query.final_corrections.iter().flat_map(|row| *row).for_each(|word| _ = request.word(*word));
        request.word(query.shift);
    }
    sharded.ask(request);
}

impl Compute for Sharded {
    type Both = Memory;
    type Alpha = Memory;
    type Forest = Forest;
    /// Keys as they are: what of their flags a worker needs depends on the shift.
    type Kept = LayeredKey;

    fn zero_both(&self, rows: usize, row_words: usize) -> Memory {
        self.zero((rows, row_words), 2)
    }

    fn zero_alpha(&self, rows: usize, row_words: usize) -> Memory {
        self.zero((rows, row_words), 1)
    }

    fn add_both(&self, memory: &mut Memory, from: usize, words: [&[Word]; 2]) {
        self.add(memory, from, &words);
    }

    fn add_alpha(&self, memory: &mut Memory, from: usize, words: &[Word]) {
        self.add(memory, from, &[words]);
    }

    fn both_words<'a>(&self, memory: &'a Memory) -> [&'a [Word]; 2] {
        [memory.vector(0), memory.vector(1)]
    }

    fn alpha_words<'a>(&self, memory: &'a Memory) -> &'a [Word] {
        memory.vector(0)
    }

    fn put_aside_both(&self, memory: &Memory) -> Option<Aside> {
        self.put_aside(memory)
    }

    fn take_aside_both(&self, aside: Aside, rows: usize, row_words: usize) -> Result<Memory, NotAside> {
        self.take_aside(aside, (rows, row_words), 2)
    }

    fn put_aside_alpha(&self, memory: &Memory) -> Option<Aside> {
        self.put_aside(memory)
    }

    fn take_aside_alpha(&self, aside: Aside, rows: usize, row_words: usize) -> Result<Memory, NotAside> {
        self.take_aside(aside, (rows, row_words), 1)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> Forest {
        Forest::plant(self, key, roots, height, LEAN)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        forest.grow()
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        forest.correct(corrections);
    }

    fn flag_sums(&self, forest: &mut Forest, complete: usize) -> Vec<Block> {
        forest.flag_sums(complete)
    }

    fn value_sums(&self, forest: &mut Forest, row_words: usize) -> Vec<Vec<Word>> {
        forest.value_sums(row_words)
    }

    fn keep(&self, _key: &SessionKey, _log_size: u32, keys: Vec<LayeredKey>) -> Vec<LayeredKey> {
        keys
    }

    fn kept_key<'a>(&self, kept: &'a LayeredKey) -> &'a LayeredKey {
        kept
    }

    fn read_0(
        &self,
        key: &SessionKey,
        memory: &Memory,
        queries: &[ReadQuery<'_, LayeredKey, 2>],
    ) -> Vec<Word> {
        read(self, key, 0, memory, queries)
    }

    fn read_1(
        &self,
        key: &SessionKey,
        memory: &Memory,
        queries: &[ReadQuery<'_, LayeredKey, 1>],
    ) -> Vec<Word> {
        read(self, key, 1, memory, queries)
    }

    fn read_2(
        &self,
        key: &SessionKey,
        memory: &Memory,
        queries: &[ReadQuery<'_, LayeredKey, 2>],
    ) -> Vec<Word> {
        read(self, key, 2, memory, queries)
    }

    fn update_both(&self, key: &SessionKey, memory: &mut Memory, queries: &[UpdateQuery<'_, LayeredKey, 2>]) {
        update(self, key, memory, queries);
    }

    fn update_alpha(
        &self,
        key: &SessionKey,
        memory: &mut Memory,
        queries: &[UpdateQuery<'_, LayeredKey, 1>],
    ) {
        update(self, key, memory, queries);
    }
}
