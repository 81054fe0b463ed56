//! The states of the three parties after an operation, in the specification's terms.

use duoram_reference::{Compute, HelperMemory, Paper, Plain, PrimaryMemory, Word};
use duoram_runtime::fast::{self, Fast};
use duoram_runtime::local_computation::{Footprint, LocalComputation};
use duoram_shards::{Memory, Sharded};
use duoram_spec::paper::compressed::{self, CompressedState, compress};
use duoram_spec::paper::lemmas::{lemma_2, lemma_3, lemma_3_compressed};
use duoram_spec::paper::memory::{HelperState, PrimaryState, State, opened};

/// A primary's memory, in the specification's terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrimaryView {
    /// The three vectors of the paper.
    Paper(PrimaryState<Word>),
    /// The two of the compressed state.
    Compressed(CompressedState<Word>),
}

/// A local computation whose memories can be looked at.
pub trait Inspect: LocalComputation + Compute + Footprint<Paper> {
    /// A primary's memory.
    fn primary_view(memory: &Self::PrimaryMemory) -> PrimaryView;

    /// The helper's blinds as the paper has them.
    fn helper_view(memory: &Self::HelperMemory) -> HelperState<Word>;
}

impl Inspect for Plain {
    fn primary_view(memory: &PrimaryMemory) -> PrimaryView {
        PrimaryView::Paper(PrimaryState {
            memory_share: memory.memory_share.clone(),
            blind: memory.blind.clone(),
            blinded: memory.blinded.clone(),
        })
    }

    fn helper_view(memory: &HelperMemory) -> HelperState<Word> {
        HelperState { blind_0: memory.blind_0.clone(), blind_1: memory.blind_1.clone() }
    }
}

impl Inspect for Fast {
    fn primary_view(memory: &fast::PrimaryMemory) -> PrimaryView {
        PrimaryView::Compressed(CompressedState {
            combined: memory.combined().to_vec(),
            blind: memory.blind().to_vec(),
        })
    }

    fn helper_view(memory: &fast::HelperMemory) -> HelperState<Word> {
        HelperState { blind_0: memory.blind_0().to_vec(), blind_1: memory.blind_1().to_vec() }
    }
}

/// What all workers of a party hold, put together.
impl Inspect for Sharded {
    fn primary_view(memory: &Memory) -> PrimaryView {
        PrimaryView::Compressed(CompressedState {
            combined: memory.vector(0).to_vec(),
            blind: memory.vector(1).to_vec(),
        })
    }

    fn helper_view(memory: &Memory) -> HelperState<Word> {
        HelperState { blind_0: memory.vector(0).to_vec(), blind_1: memory.vector(1).to_vec() }
    }
}

/// What all three parties hold. Both primaries keep the same kind of state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// P0
    pub p0: PrimaryView,
    /// P1
    pub p1: PrimaryView,
    /// P2
    pub p2: HelperState<Word>,
}

impl View {
    /// The memory that the states stand for.
    pub fn opened(&self) -> Vec<Word> {
        match &self.p0 {
            PrimaryView::Paper(_) => self.paper().map(|state| opened(&state)).unwrap_or_default(),
            PrimaryView::Compressed(p0) => compressed::opened(p0, &self.p2),
        }
    }

    /// The states put together, if they are the paper's.
    fn paper(&self) -> Option<State<Word>> {
        match (&self.p0, &self.p1) {
            (PrimaryView::Paper(p0), PrimaryView::Paper(p1)) => {
                Some(State { p0: p0.clone(), p1: p1.clone(), p2: self.p2.clone() })
            }
            _ => None,
        }
    }

    /// Lemma 3, in the form that fits the kind of state.
    fn belongs_together(&self) -> bool {
        match (&self.p0, &self.p1) {
            (PrimaryView::Paper(_), PrimaryView::Paper(_)) => {
                self.paper().is_some_and(|state| lemma_3(&state))
            }
            (PrimaryView::Compressed(p0), PrimaryView::Compressed(p1)) => {
                lemma_3_compressed(p0, p1, &self.p2)
            }
            _ => false,
        }
    }
}

/// Which of Lemmas 2 and 3 fail. `before` is what the states opened to before the operation, `change` where it added
/// what; a READ adds zero.
pub fn faults(before: &[Word], view: &View, (target, m): (u64, Word)) -> Vec<String> {
    let mut faults = Vec::new();
    if !lemma_2(before, &view.opened(), target, m) {
        faults.push("Lemma 2: the memory is not the one before with the operation's change".to_owned());
    }
    if !view.belongs_together() {
        faults.push("Lemma 3: shares, blinds and blinded shares do not belong together".to_owned());
    }
    faults
}

impl From<State<Word>> for View {
    /// The specification's own states.
    fn from(State { p0, p1, p2 }: State<Word>) -> Self {
        Self { p0: PrimaryView::Paper(p0), p1: PrimaryView::Paper(p1), p2 }
    }
}

/// The first share that is not the specification's. A compressed state is compared with the compression of the paper's.
pub fn difference(expected: &View, got: &View) -> Option<String> {
    primary_difference("P0", &expected.p0, &got.p0)
        .or_else(|| primary_difference("P1", &expected.p1, &got.p1))
        .or_else(|| vector_difference("P2's blind of P0", &expected.p2.blind_0, &got.p2.blind_0))
        .or_else(|| vector_difference("P2's blind of P1", &expected.p2.blind_1, &got.p2.blind_1))
}

fn primary_difference(party: &str, expected: &PrimaryView, got: &PrimaryView) -> Option<String> {
    let name = |vector: &str| format!("{party}'s {vector}");
    match (expected, got) {
        (PrimaryView::Paper(expected), PrimaryView::Paper(got)) => {
            vector_difference(&name("memory share"), &expected.memory_share, &got.memory_share)
                .or_else(|| vector_difference(&name("blind"), &expected.blind, &got.blind))
                .or_else(|| vector_difference(&name("blinded share"), &expected.blinded, &got.blinded))
        }
        (PrimaryView::Paper(paper), got) => {
            primary_difference(party, &PrimaryView::Compressed(compress(paper)), got)
        }
        (PrimaryView::Compressed(_), PrimaryView::Paper(_)) => {
            Some(name("state: expected the compressed one, got the paper's"))
        }
        (PrimaryView::Compressed(expected), PrimaryView::Compressed(got)) => {
            vector_difference(&name("combined vector C"), &expected.combined, &got.combined)
                .or_else(|| vector_difference(&name("blind"), &expected.blind, &got.blind))
        }
    }
}

fn vector_difference(name: &str, expected: &[Word], got: &[Word]) -> Option<String> {
    if expected.len() != got.len() {
        return Some(format!("{name}: expected {} words, got {}", expected.len(), got.len()));
    }
    let word = expected.iter().zip(got).position(|(expected, got)| expected != got)?;
    Some(format!("{name}, word {word}: expected {:#018x}, got {:#018x}", expected[word], got[word]))
}
