//! What P0 and P1 do not have alike: their parts of the memory and of an item, and what they compute from them.

use zeroize::Zeroizing;

use super::items::{Known, ReadItem, UpdateItem};
use super::load::{Loading0, Loading1};
use super::{Compute, ReadQuery, Row, UpdateQuery, sum};
use crate::Word;
use crate::engine::saved::exactly;
use crate::engine::{Aside, NotAside, Parameters, SavedMemory, SessionKey};
use crate::wire::Role;

/// What P0 and P1 do not have alike.
pub(crate) trait Side: Sized + Send + 'static {
    /// Who this is.
    const ROLE: Role;
    /// The other primary.
    const OTHER: Role;
    /// Its parts of the sharings of the memory.
    type Memory<C: Compute>;
    /// Its keys of an item.
    type Keys<K: Send + 'static>: AsRef<[K]> + TryFrom<Vec<K>> + Send + 'static;
    /// How many that are.
    const KEYS: usize;
    /// Of P1, rho; P0 does not know it.
    type Rho: Known;
    /// Of P0, delta; P1 does not know it.
    type Delta: Known;
    /// Its load under way.
    type Loading<C: Compute>;

    /// Of a memory of zeros.
    fn zero_memory<C: Compute>(compute: &C, parameters: &Parameters) -> Self::Memory<C>;

    /// How many vectors its memory consists of.
    const VECTORS: usize;

    /// Its memory, to be saved.
    fn saved<'a, C: Compute>(compute: &C, memory: &'a Self::Memory<C>) -> SavedMemory<'a>;

    /// The memory of its vectors.
    fn memory<C: Compute>(compute: &C, vectors: Vec<Vec<Word>>, row_words: usize) -> Self::Memory<C>;

    /// The memory that was put aside.
    fn aside<C: Compute>(
        compute: &C,
        aside: Aside,
        parameters: &Parameters,
    ) -> Result<Self::Memory<C>, NotAside>;

    /// Its parts of READs at shifts.
    fn read<C: Compute>(
        compute: &C,
        key: &SessionKey,
        memory: &Self::Memory<C>,
        queries: &[(&ReadItem<Self, C::Kept>, u64)],
    ) -> Vec<Word>;

    /// Applies UPDATEs of opened `F_a` at shifts.
    fn update<C: Compute>(
        compute: &C,
        key: &SessionKey,
        memory: &mut Self::Memory<C>,
        queries: &[OpenedUpdate<'_, Self, C::Kept>],
    );
}

/// The item of an UPDATE, `F_a`, and the shift.
pub(crate) type OpenedUpdate<'a, S, K> = (&'a UpdateItem<S, K>, &'a [Word], u64);

/// P0: has A and H, side 0 of a and of b.
pub(crate) struct Side0;

/// P1: has E, side 1 of a.
pub(crate) struct Side1;

impl Side for Side0 {
    const ROLE: Role = Role::P0;
    const OTHER: Role = Role::P1;
    type Memory<C: Compute> = C::Both;
    type Keys<K: Send + 'static> = [K; 2];
    const KEYS: usize = 2;
    type Rho = ();
    type Delta = Row;
    type Loading<C: Compute> = Loading0<C::Both>;

    fn zero_memory<C: Compute>(compute: &C, parameters: &Parameters) -> C::Both {
        compute.zero_both(parameters.rows(), parameters.row_words())
    }

    const VECTORS: usize = 2;

    fn saved<'a, C: Compute>(compute: &C, memory: &'a C::Both) -> SavedMemory<'a> {
        SavedMemory::of(compute.put_aside_both(memory), || compute.both_words(memory).to_vec())
    }

    fn memory<C: Compute>(compute: &C, vectors: Vec<Vec<Word>>, row_words: usize) -> C::Both {
        let [alpha, beta] = exactly(vectors).map(Zeroizing::new);
        compute.both(&alpha, &beta, row_words)
    }

    fn aside<C: Compute>(compute: &C, aside: Aside, parameters: &Parameters) -> Result<C::Both, NotAside> {
        compute.take_aside_both(aside, parameters.rows(), parameters.row_words())
    }

    fn read<C: Compute>(
        compute: &C,
        key: &SessionKey,
        memory: &C::Both,
        queries: &[(&ReadItem<Self, C::Kept>, u64)],
    ) -> Vec<Word> {
        let queries: Vec<_> =
            queries.iter().map(|&(item, shift)| ReadQuery { keys: &item.keys, shift }).collect();
        compute.read_0(key, memory, &queries)
    }

    fn update<C: Compute>(
        compute: &C,
        key: &SessionKey,
        memory: &mut C::Both,
        queries: &[OpenedUpdate<'_, Self, C::Kept>],
    ) {
        // F_b = F_a + delta
        let f_bs: Vec<Row> = queries.iter().map(|(item, f_a, _)| sum(f_a, &[&item.delta])).collect();
        let queries: Vec<_> = queries
            .iter()
            .zip(&f_bs)
            .map(|(&(item, f_a, shift), f_b)| UpdateQuery {
                keys: &item.read.keys,
                final_corrections: [f_a, f_b],
                shift,
            })
            .collect();
        compute.update_both(key, memory, &queries);
    }
}

impl Side for Side1 {
    const ROLE: Role = Role::P1;
    const OTHER: Role = Role::P0;
    type Memory<C: Compute> = C::Alpha;
    type Keys<K: Send + 'static> = [K; 1];
    const KEYS: usize = 1;
    type Rho = Row;
    type Delta = ();
    type Loading<C: Compute> = Loading1<C::Alpha>;

    fn zero_memory<C: Compute>(compute: &C, parameters: &Parameters) -> C::Alpha {
        compute.zero_alpha(parameters.rows(), parameters.row_words())
    }

    const VECTORS: usize = 1;

    fn saved<'a, C: Compute>(compute: &C, memory: &'a C::Alpha) -> SavedMemory<'a> {
        SavedMemory::of(compute.put_aside_alpha(memory), || vec![compute.alpha_words(memory)])
    }

    fn memory<C: Compute>(compute: &C, vectors: Vec<Vec<Word>>, row_words: usize) -> C::Alpha {
        let [alpha] = exactly(vectors).map(Zeroizing::new);
        compute.alpha(&alpha, row_words)
    }

    fn aside<C: Compute>(compute: &C, aside: Aside, parameters: &Parameters) -> Result<C::Alpha, NotAside> {
        compute.take_aside_alpha(aside, parameters.rows(), parameters.row_words())
    }

    fn read<C: Compute>(
        compute: &C,
        key: &SessionKey,
        memory: &C::Alpha,
        queries: &[(&ReadItem<Self, C::Kept>, u64)],
    ) -> Vec<Word> {
        let queries: Vec<_> =
            queries.iter().map(|&(item, shift)| ReadQuery { keys: &item.keys, shift }).collect();
        compute.read_1(key, memory, &queries)
    }

    fn update<C: Compute>(
        compute: &C,
        key: &SessionKey,
        memory: &mut C::Alpha,
        queries: &[OpenedUpdate<'_, Self, C::Kept>],
    ) {
        let queries: Vec<_> = queries
            .iter()
            .map(|&(item, f_a, shift)| UpdateQuery { keys: &item.read.keys, final_corrections: [f_a], shift })
            .collect();
        compute.update_alpha(key, memory, &queries);
    }
}
