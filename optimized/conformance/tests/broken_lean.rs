//! Parties of the lean protocol whose local computation is wrong in one place, and what the checker says of them.

use duoram_conformance::check::cases::{self, Candidate, Case};
use duoram_conformance::lean::view::Inspect;
use duoram_reference::lean::{Alpha, Both, Compute, LayeredKey, Lean, Plain, ReadQuery, UpdateQuery};
use duoram_reference::{Block, ChildSums, Correction, SessionKey, Word};
use duoram_runtime::local_computation::{Extent, Footprint, LocalComputation};
use duoram_runtime::protocol::Runs as _;
use duoram_runtime::seed::Seed;

const SEED: Seed = Seed([3; 32]);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// P0 leaves DPF b out of what it selects of A.
    OneSide,
    /// S is taken for zero.
    NotMoved,
    /// P2's B is not updated: the sharings are of different memories.
    BetaStale,
    /// P1 takes its values without the flags' part.
    NoFinalCorrection,
    /// The flag layer's sums are of the trees in another order.
    LayersSwapped,
    /// The value layer's words are in another order.
    WordsTurned,
    /// P1 puts each word of a row into the column before. Words it puts where they belong.
    ColumnsTurned,
    /// P2 leaves the last word of a row out of what it selects, if it is not the only one.
    LastColumnMissing,
    /// P1 has a word at every address, where there may be fewer.
    WordEverywhere,
}

#[derive(Clone)]
struct Broken(Fault);

type Forest = <Plain as Compute>::Forest;

impl Compute for Broken {
    type Both = Both;
    type Alpha = Alpha;
    type Forest = Forest;
    type Kept = LayeredKey;

    fn zero_both(&self, rows: usize, row_words: usize) -> Both {
        Plain.zero_both(rows, row_words)
    }

    fn zero_alpha(&self, rows: usize, row_words: usize) -> Alpha {
        let all = rows.next_power_of_two();
        Plain.zero_alpha(if self.0 == Fault::WordEverywhere { all } else { rows }, row_words)
    }

    fn add_both(&self, memory: &mut Both, from: usize, words: [&[Word]; 2]) {
        Plain.add_both(memory, from, words);
    }

    fn add_alpha(&self, memory: &mut Alpha, from: usize, words: &[Word]) {
        Plain.add_alpha(memory, from, words);
    }

    fn both_words<'a>(&self, memory: &'a Both) -> [&'a [Word]; 2] {
        Plain.both_words(memory)
    }

    fn alpha_words<'a>(&self, memory: &'a Alpha) -> &'a [Word] {
        Plain.alpha_words(memory)
    }

    fn kept_key<'a>(&self, kept: &'a LayeredKey) -> &'a LayeredKey {
        Plain.kept_key(kept)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> Forest {
        Plain.plant(key, roots, height)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        Plain.grow(forest)
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        Plain.correct(forest, corrections);
    }

    fn flag_sums(&self, forest: &mut Forest, complete: usize) -> Vec<Block> {
        let mut sums = Plain.flag_sums(forest, complete);
        if self.0 == Fault::LayersSwapped {
            sums.reverse();
        }
        sums
    }

    fn value_sums(&self, forest: &mut Forest, row_words: usize) -> Vec<Vec<Word>> {
        let mut sums = Plain.value_sums(forest, row_words);
        if self.0 == Fault::WordsTurned {
            for words in &mut sums {
                words.rotate_left(1);
            }
        }
        sums
    }

    fn keep(&self, _key: &SessionKey, _log_size: u32, keys: Vec<LayeredKey>) -> Vec<LayeredKey> {
        keys
    }

    fn read_0(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, LayeredKey, 2>]) -> Vec<Word> {
        if self.0 == Fault::OneSide {
            // A and H by the flags of a alone: as if H had been added to A at P1.
            let sum: Vec<_> = memory.alpha.iter().zip(&memory.beta).map(|(a, h)| a ^ h).collect();
            let queries: Vec<_> = queries
                .iter()
                .map(|query| ReadQuery { keys: query.keys[..1].try_into().unwrap(), shift: query.shift })
                .collect();
            return Plain.read_1(key, &Plain.alpha(&sum, memory.row_words), &queries);
        }
        Plain.read_0(key, memory, queries)
    }

    fn read_1(
        &self,
        key: &SessionKey,
        memory: &Alpha,
        queries: &[ReadQuery<'_, LayeredKey, 1>],
    ) -> Vec<Word> {
        let shift = |shift| if self.0 == Fault::NotMoved { 0 } else { shift };
        let queries: Vec<_> =
            queries.iter().map(|query| ReadQuery { keys: query.keys, shift: shift(query.shift) }).collect();
        Plain.read_1(key, memory, &queries)
    }

    fn read_2(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, LayeredKey, 2>]) -> Vec<Word> {
        let mut rows = Plain.read_2(key, memory, queries);
        if self.0 == Fault::LastColumnMissing && memory.row_words > 1 {
            rows.chunks_exact_mut(memory.row_words).for_each(|row| row[memory.row_words - 1] = 0);
        }
        rows
    }

    fn update_both(&self, key: &SessionKey, memory: &mut Both, queries: &[UpdateQuery<'_, LayeredKey, 2>]) {
        let before = memory.beta.clone();
        Plain.update_both(key, memory, queries);
        if self.0 == Fault::BetaStale {
            memory.beta = before;
        }
    }

    fn update_alpha(&self, key: &SessionKey, memory: &mut Alpha, queries: &[UpdateQuery<'_, LayeredKey, 1>]) {
        let corrections: Vec<Vec<Word>> = queries
            .iter()
            .map(|query| {
                let [correction] = query.final_corrections;
                let mut correction = correction.to_vec();
                match self.0 {
                    Fault::NoFinalCorrection => correction.fill(0),
                    Fault::ColumnsTurned => correction.rotate_left(1),
                    _ => {}
                }
                correction
            })
            .collect();
        let queries: Vec<_> = queries
            .iter()
            .zip(&corrections)
            .map(|(query, correction)| UpdateQuery {
                keys: query.keys,
                final_corrections: [correction],
                shift: query.shift,
            })
            .collect();
        Plain.update_alpha(key, memory, &queries);
    }
}

impl LocalComputation for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Footprint<Lean> for Broken {
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        Lean::footprint(&Plain).state_bytes(extent)
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        Lean::footprint(&Plain).item_bytes(extent)
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        Lean::footprint(&Plain).kept_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        Lean::footprint(&Plain).session_bytes(extent, items)
    }
}

impl Inspect for Broken {
    fn both_view(memory: &Both) -> [&[Word]; 2] {
        [&memory.alpha, &memory.beta]
    }

    fn alpha_view(memory: &Alpha) -> &[Word] {
        &memory.alpha
    }
}

/// What a check of 20 sessions says.
fn mismatches(fault: Fault) -> Vec<String> {
    let broken = Broken(fault);
    let report = cases::run(20, SEED, &[Candidate::new::<Lean, _>(&broken)], |_| ());
    report.failures.iter().flat_map(|failure| &failure.mismatches).map(ToString::to_string).collect()
}

#[test]
fn the_wrapper_itself_is_right() {
    assert_eq!(mismatches(Fault::None), Vec::<String>::new());
}

#[test]
fn every_fault_is_found_for_what_it_is() {
    for (fault, what) in [
        (Fault::OneSide, "expected the result"),
        (Fault::NotMoved, "expected the result"),
        (Fault::BetaStale, "the sharings are of different memories"),
        (Fault::NoFinalCorrection, "P1's E, word "),
        (Fault::LayersSwapped, "message 'flag layer' from P"),
        (Fault::WordsTurned, "message 'value layer' from P"),
        (Fault::ColumnsTurned, "P1's E, word "),
        (Fault::LastColumnMissing, "expected the result"),
        (Fault::WordEverywhere, "P1's E: expected "),
    ] {
        let found = mismatches(fault);
        assert!(found.iter().any(|mismatch| mismatch.contains(what)), "{fault:?}: {found:#?}");
    }
}

/// What is wrong where addresses have no words is found there alone.
#[test]
fn cases_of_whole_memories_do_not_see_what_is_wrong_with_fewer_words() {
    let broken = Broken(Fault::WordEverywhere);
    let count = |fewer| {
        let cases = (0..20).map(|byte| Case::new(Seed([byte; 32]), 1, fewer));
        cases.map(|case| case.run::<Lean, _>(&broken).1).sum::<u64>()
    };
    assert_eq!(count(false), 0);
    assert!(count(true) > 0);
}

/// What is wrong with rows alone is found over rows alone.
#[test]
fn cases_over_words_do_not_see_what_is_wrong_with_rows() {
    for fault in [Fault::ColumnsTurned, Fault::LastColumnMissing] {
        let broken = Broken(fault);
        let count = |most| {
            let cases = (0..20).map(|byte| Case::new(Seed([byte; 32]), most, false));
            cases.map(|case| case.run::<Lean, _>(&broken).1).sum::<u64>()
        };
        assert_eq!(count(1), 0, "{fault:?}");
        assert!(count(8) > 0, "{fault:?}");
    }
}
