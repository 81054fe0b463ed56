//! The states of the three parties of the lean protocol, in the specification's terms.

use duoram_reference::lean::{self, Compute, Lean};
use duoram_reference::{Word, log_size_of};
use duoram_runtime::fast::Fast;
use duoram_runtime::lean as fast;
use duoram_runtime::local_computation::{Footprint, LocalComputation};
use duoram_shards::{Memory, Sharded};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::lemmas::{states_agree, update_adds};
use duoram_spec::lean::memory::{State, State0, State1, State2, opened_alpha};
use duoram_spec::lean::rows::column;

/// What all three parties hold; of rows the words one behind the other.
pub type View = State<XorWord>;

/// A local computation whose memories can be looked at.
pub trait Inspect: LocalComputation + Compute + Footprint<Lean> {
    /// A and H, or A and B.
    fn both_view(memory: &Self::Both) -> [&[Word]; 2];

    /// E.
    fn alpha_view(memory: &Self::Alpha) -> &[Word];
}

impl Inspect for lean::Plain {
    fn both_view(memory: &lean::Both) -> [&[Word]; 2] {
        [&memory.alpha, &memory.beta]
    }

    fn alpha_view(memory: &lean::Alpha) -> &[Word] {
        &memory.alpha
    }
}

impl Inspect for Fast {
    fn both_view(memory: &fast::Both) -> [&[Word]; 2] {
        [memory.alpha(), memory.beta()]
    }

    fn alpha_view(memory: &fast::Alpha) -> &[Word] {
        memory.alpha()
    }
}

/// What all workers of a party hold, put together.
impl Inspect for Sharded {
    fn both_view(memory: &Memory) -> [&[Word]; 2] {
        [memory.vector(0), memory.vector(1)]
    }

    fn alpha_view(memory: &Memory) -> &[Word] {
        memory.vector(0)
    }
}

/// Words as the specification has them.
pub(super) fn ring(words: &[Word]) -> Vec<XorWord> {
    words.iter().map(|&bits| XorWord { bits }).collect()
}

/// Words as everybody has them.
pub(super) fn open(words: &[XorWord]) -> Vec<Word> {
    words.iter().map(|word| word.bits).collect()
}

/// The memory that both sharings are of.
pub(super) fn opened(view: &View) -> Vec<Word> {
    open(&opened_alpha(view))
}

/// Which lemmas fail: that every column of the memory is the one before with the operation's change, and that both sharings are of
/// one memory and A is the same at P0 and P2. The last is an invariant that no single party sees.
pub(super) fn faults(before: &[Word], view: &View, (target, row): (u64, &[Word])) -> Vec<String> {
    let mut faults = Vec::new();
    if !states_agree(view) {
        faults.push("the sharings are of different memories, or A is not the same at P0 and P2".to_owned());
        return faults;
    }
    let (before, rows) = (ring(before), before.len() / row.len().max(1));
    let n = 1 << log_size_of(rows);
    let changed = ring(row).into_iter().enumerate().all(|(c, m)| {
        let of = |vector: &[XorWord]| column(vector, row.len(), rows, c);
        // The memory before, as a state: all of it is P1's.
        let (nothing, memory) = (vec![XorWord { bits: 0 }; rows], of(&before));
        let before = State {
            p0: State0 { alpha: nothing.clone(), beta: memory.clone() },
            p1: State1 { alpha: memory },
            p2: State2 { alpha: nothing.clone(), beta: nothing },
        };
        let after = State {
            p0: State0 { alpha: of(&view.p0.alpha), beta: of(&view.p0.beta) },
            p1: State1 { alpha: of(&view.p1.alpha) },
            p2: State2 { alpha: of(&view.p2.alpha), beta: of(&view.p2.beta) },
        };
        update_adds(&before, &after, n, (target, 0), m)
    });
    if !changed {
        faults.push("the memory is not the one before with the operation's change".to_owned());
    }
    faults
}

/// The first word of a state that is not the specification's.
pub(super) fn difference(expected: &View, got: &View) -> Option<String> {
    [
        ("P0's A", &expected.p0.alpha, &got.p0.alpha),
        ("P0's H", &expected.p0.beta, &got.p0.beta),
        ("P1's E", &expected.p1.alpha, &got.p1.alpha),
        ("P2's A", &expected.p2.alpha, &got.p2.alpha),
        ("P2's B", &expected.p2.beta, &got.p2.beta),
    ]
    .into_iter()
    .find_map(|(name, expected, got)| {
        if expected.len() != got.len() {
            return Some(format!("{name}: expected {} words, got {}", expected.len(), got.len()));
        }
        let word = expected.iter().zip(got).position(|(expected, got)| expected != got)?;
        let (expected, got) = (expected[word].bits, got[word].bits);
        Some(format!("{name}, word {word}: expected {expected:#018x}, got {got:#018x}"))
    })
}
