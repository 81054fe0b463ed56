//! Exercise 21: a local computation of your own, over the compressed state, that no frame tells from the reference's.
#![allow(missing_docs)]

use duoram_book_exercises::session;
use duoram_reference::dpf::Forest;
use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::{
    Batch, Block, ChildSums, Compute, Correction, DpfShare, Error, HelperMemory, HelperReadQuery,
    HelperUpdateQuery, LeafSums, Plain, ReadQuery, Role, SessionKey, UpdateQuery, Word,
};
use duoram_vectors::Random;

/// Two vectors instead of three.
struct TwoVectors {
    combined: Vec<Word>,
    blind: Vec<Word>,
}

/// Everything but the primaries' state is the plain computation.
#[derive(Clone, Copy)]
struct Compressed;

/// t at i - S, for a READ.
fn unit(key: &SessionKey, owner: Role, dpf: &DpfShare, shift: u64) -> Vec<Word> {
    let mut t = dpf.unit_vector(owner, &dpf.evaluate(key)).to_vec();
    t.rotate_right(usize::try_from(shift).unwrap_or(0));
    t
}

/// v + F t at i - S, for an UPDATE.
fn point(key: &SessionKey, owner: Role, dpf: &DpfShare, f: Word, shift: u64) -> Vec<Word> {
    let labels = dpf.evaluate(key);
    let (v, t) = (DpfShare::values(owner, &labels), dpf.unit_vector(owner, &labels));
    let mut w: Vec<_> = v.iter().zip(t.iter()).map(|(v, t)| v.wrapping_add(f.wrapping_mul(*t))).collect();
    w.rotate_right(usize::try_from(shift).unwrap_or(0));
    w
}

fn dot(a: &[Word], b: &[Word]) -> Word {
    a.iter().zip(b).fold(0, |sum: Word, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)))
}

impl Compute for Compressed {
    type PrimaryMemory = TwoVectors;
    type HelperMemory = HelperMemory;
    type Forest = Forest;

    fn zero_primary_memory(&self, log_size: u32) -> TwoVectors {
        TwoVectors { combined: vec![0; 1 << log_size], blind: vec![0; 1 << log_size] }
    }
    fn zero_helper_memory(&self, log_size: u32) -> HelperMemory {
        Plain.zero_helper_memory(log_size)
    }
    fn primary_memory(&self, memory_share: Vec<Word>, blind: Vec<Word>, blinded: Vec<Word>) -> TwoVectors {
        let sum = memory_share.iter().zip(&blinded).zip(&blind);
        let combined = sum.map(|((d, b), z)| d.wrapping_add(*b).wrapping_add(*z)).collect();
        TwoVectors { combined, blind }
    }
    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> HelperMemory {
        Plain.helper_memory(blind_0, blind_1)
    }
    fn primary_words<'a>(&self, memory: &'a TwoVectors) -> Vec<&'a [Word]> {
        vec![&memory.combined, &memory.blind]
    }
    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> TwoVectors {
        let mut vectors = vectors.into_iter();
        let [combined, blind] = [(); 2].map(|()| vectors.next().unwrap_or_default());
        TwoVectors { combined, blind }
    }
    fn helper_words<'a>(&self, memory: &'a HelperMemory) -> [&'a [Word]; 2] {
        Plain.helper_words(memory)
    }
    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Forest {
        Plain.plant(key, roots, log_size)
    }
    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        Plain.grow(forest)
    }
    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        Plain.correct(forest, corrections);
    }
    fn leaf_sums(&self, forest: Forest) -> Vec<LeafSums> {
        Plain.leaf_sums(forest)
    }
    fn read(&self, key: &SessionKey, role: Role, memory: &TwoVectors, queries: &[ReadQuery]) -> Vec<Word> {
        let answer = |query: &ReadQuery| {
            let main = dot(&memory.combined, &unit(key, role, &query.read, query.shift));
            main.wrapping_sub(dot(&memory.blind, &unit(key, role, &query.refresh, query.shift)))
        };
        queries.iter().map(answer).collect()
    }
    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]> {
        Plain.unblinding(key, memory, queries)
    }
    fn update(&self, key: &SessionKey, role: Role, memory: &mut TwoVectors, queries: &[UpdateQuery]) {
        for query in queries {
            let w = |k: usize| point(key, role, &query.dpfs[k], query.final_corrections[k], query.shift);
            let (own, other) = if role == Role::P0 { (w(1), w(2)) } else { (w(2), w(1)) };
            for (i, (own, other)) in own.iter().zip(&other).enumerate() {
                memory.combined[i] = memory.combined[i].wrapping_add(*other).wrapping_sub(*own);
                memory.blind[i] = memory.blind[i].wrapping_sub(*own);
            }
        }
    }
    fn update_blinds(&self, key: &SessionKey, memory: &mut HelperMemory, queries: &[HelperUpdateQuery]) {
        Plain.update_blinds(key, memory, queries);
    }
}

/// Every frame of a session with all kinds of steps.
fn frames<C: Compute + Clone>(compute: C) -> Result<Vec<Delivery>, Error> {
    let mut r = Random(18);
    let mut session: LocalSession<C> = session(5, 18, compute)?;
    session.load([r.words(32), r.words(32)])?;
    session.preprocess(Batch { reads: 3, updates: 3 })?;
    let (address, change) = (r.shares(7), r.shares(1000));
    session.update([&[(address.0, change.0)], &[(address.1, change.1)]])?;
    let [first_0, first_1] = session.read([&[address.0], &[address.1]])?;
    // A dependent READ: the address shares are the shares of the result.
    session.read([&first_0, &first_1])?;
    let (address, value) = (r.shares(31), r.shares(5));
    session.write([address.0, address.1], [value.0, value.1])?;
    Ok(session.take_log())
}

/// Exercise 21.1.
#[test]
fn no_frame_tells_the_compressed_state_from_the_papers() -> Result<(), Error> {
    assert_eq!(frames(Compressed)?, frames(Plain)?);
    Ok(())
}
