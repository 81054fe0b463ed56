//! Exercises 21: a computation of your own that no frame tells from the reference's; which cases to try; what a
//! comparison with other random words shows.
#![allow(missing_docs)]

use duoram_book_exercises::{header, session};
use duoram_reference::dpf::Forest;
use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::{
    Batch, Block, ChildSums, Compute, Correction, DpfShare, Error, HEADER_LENGTH, HelperMemory,
    HelperReadQuery, HelperUpdateQuery, LeafSums, Plain, ReadQuery, Role, SessionKey, UpdateQuery, Word,
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

/// How many random cases it takes to find, with a chance of one half, a fault that one case in `n` shows.
fn cases_for_even_odds(n: f64) -> u32 {
    let (mut missed, mut cases) = (1.0, 0);
    while missed > 0.5 {
        missed *= 1.0 - 1.0 / n;
        cases += 1;
    }
    cases
}

/// Exercise 21.2.
#[test]
fn small_cases_first() {
    assert_eq!([1, 3, 6, 16].map(|h| cases_for_even_odds(f64::from(1 << h))), [1, 6, 45, 45_426]);
    // All shifts of the depths 1 to 6.
    assert_eq!((1..=6).map(|h| 1 << h).sum::<u32>(), 126);
}

/// A program, from three seeds that follow from one number: all frames, and what the READs open to.
fn program(seed: u8) -> Result<(Vec<Delivery>, Vec<Word>), Error> {
    let mut session = session(6, seed, Plain)?;
    session.load([vec![5; 64], (0..64).collect()])?;
    session.preprocess(Batch { reads: 2, updates: 1 })?;
    session.update([&[(40, 7)], &[(2, 8)]])?;
    let [results_0, results_1] = session.read([&[40, 1], &[2, 1]])?;
    let results = results_0.iter().zip(&results_1).map(|(x, y)| x.wrapping_add(*y)).collect();
    Ok((session.take_log(), results))
}

/// Exercise 21.3.
#[test]
fn without_equal_randomness_only_results_and_lengths_agree() -> Result<(), Error> {
    let ((frames, results), (others, other_results)) = (program(50)?, program(60)?);
    assert_eq!(results, [42 + 5 + 15, 2 + 5]);
    assert_eq!(results, other_results);
    // Kind, parties and length of every frame agree, and of those that have more than a word or two in them no payload does.
    assert_eq!(frames.len(), others.len());
    let mut compared = 0;
    for (d, e) in frames.iter().zip(&others) {
        let (h, i) = (header(d)?, header(e)?);
        assert_eq!((h.kind, h.from, h.to, h.length), (i.kind, i.from, i.to, i.length));
        if h.length > 16 {
            assert_ne!(d.frame.bytes[HEADER_LENGTH..], e.frame.bytes[HEADER_LENGTH..]);
            compared += 1;
        }
    }
    assert!(compared > 30);
    Ok(())
}
