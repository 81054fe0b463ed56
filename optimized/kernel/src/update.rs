//! UPDATE on the compressed state.
//!
//! The update words are `w[j] = s v[j] + F u[j]` with `u[j] = s (A t[j] - c[j])` (errata: F counts with the *additive*
//! share). Per leaf that is one multiplication, `w = s v + (s F A) t - (s F) c`. Of DPFs 2 and 3, each primary has both
//! and the helper one of each:
//!
//! | party | C | zeta |
//! |---|---|---|
//! | P0 | `+ w^(3) - w^(2)` | `- w^(2)` |
//! | P1 | `+ w^(2) - w^(3)` | `- w^(3)` |
//! | P2 | | `zeta_0 - w_0^(2)`, `zeta_1 - w_1^(3)` |

use alloc::vec::Vec;

use crate::backend::dispatch;
use crate::lanes::Lanes;
use crate::read::whole;
use crate::tree::Consumer;
use crate::window::{Pairs, Scratch, Window};
use crate::workers::ranges;

use crate::{Kernels, Party, UnitKey};

/// A key with its final correction.
#[derive(Clone, Copy)]
pub struct UpdateTree<'a> {
    /// The key.
    pub key: &'a UnitKey,
    /// F, the message included: what both primaries' `M_b + F_b` add up to.
    pub final_correction: u64,
}

/// One UPDATE of a primary.
#[derive(Clone, Copy)]
pub struct Update<'a> {
    /// DPF 2.
    pub second: UpdateTree<'a>,
    /// DPF 3.
    pub third: UpdateTree<'a>,
    /// S: leaf `j` changes memory word `(j + S) mod n`.
    pub shift: usize,
}

/// One UPDATE of the helper.
#[derive(Clone, Copy)]
pub struct HelperUpdate<'a> {
    /// P0's key of DPF 2, for the blind of P0.
    pub second: UpdateTree<'a>,
    /// P1's key of DPF 3, for the blind of P1.
    pub third: UpdateTree<'a>,
    /// S, as in [`Update`].
    pub shift: usize,
}

/// One UPDATE of whoever holds one vector.
#[derive(Clone, Copy)]
pub struct ShareUpdate<'a> {
    /// The DPF.
    pub tree: UpdateTree<'a>,
    /// S, as in [`Update`].
    pub shift: usize,
}

impl Kernels<'_> {
    /// Adds `w` of each UPDATE to a vector, with one pass over it.
    ///
    /// # Panics
    /// If the lengths of memory and keys differ.
    pub fn update_share(&self, party: Party, share: &mut [u64], updates: &[ShareUpdate<'_>]) {
        let terms: Vec<_> =
            updates.iter().map(|update| Term::new(update.tree, party, update.shift, Target::Plus)).collect();
        whole(share, terms.iter().map(|term| term.key));
        self.apply(0, share, &mut [], &terms);
    }

    /// Applies UPDATEs to a primary's state, with one pass over memory.
    ///
    /// # Panics
    /// If the lengths of memory and keys differ.
    pub fn update(&self, party: Party, compressed: &mut [u64], blind: &mut [u64], updates: &[Update<'_>]) {
        whole(compressed, updates.iter().map(|update| update.second.key));
        self.update_part(party, 0, compressed, blind, updates);
    }

    /// The same for the part of a primary's state that starts at word `start`.
    ///
    /// # Panics
    /// If the lengths of both parts differ, or the keys have no leaves for them.
    pub fn update_part(
        &self,
        party: Party,
        start: usize,
        compressed: &mut [u64],
        blind: &mut [u64],
        updates: &[Update<'_>],
    ) {
        let mut terms = Vec::with_capacity(2 * updates.len());
        for update in updates {
            let (blinding, other) = match party {
                Party::P0 => (update.second, update.third),
                Party::P1 => (update.third, update.second),
            };
            terms.push(Term::new(other, party, update.shift, Target::Plus));
            terms.push(Term::new(blinding, party, update.shift, Target::MinusBoth));
        }
        assert!(blind.len() == compressed.len(), "one length for both parts of the state");
        self.apply(start, compressed, blind, &terms);
    }

    /// Applies UPDATEs to the helper's blinds, with one pass over each.
    ///
    /// # Panics
    /// If the lengths of memory and keys differ.
    pub fn helper_update(&self, blind_0: &mut [u64], blind_1: &mut [u64], updates: &[HelperUpdate<'_>]) {
        whole(blind_0, updates.iter().map(|update| update.second.key));
        whole(blind_1, updates.iter().map(|update| update.third.key));
        self.helper_update_part(0, blind_0, blind_1, updates);
    }

    /// The same for the parts of both blinds that start at word `start`.
    ///
    /// # Panics
    /// If the keys have no leaves for them.
    pub fn helper_update_part(
        &self,
        start: usize,
        blind_0: &mut [u64],
        blind_1: &mut [u64],
        updates: &[HelperUpdate<'_>],
    ) {
        let mut terms_0 = Vec::with_capacity(updates.len());
        let mut terms_1 = Vec::with_capacity(updates.len());
        for update in updates {
            terms_0.push(Term::new(update.second, Party::P0, update.shift, Target::Minus));
            terms_1.push(Term::new(update.third, Party::P1, update.shift, Target::Minus));
        }
        self.apply(start, blind_0, &mut [], &terms_0);
        self.apply(start, blind_1, &mut [], &terms_1);
    }

    fn apply(&self, start: usize, memory: &mut [u64], blind: &mut [u64], terms: &[Term<'_>]) {
        let Some(first) = terms.first() else { return };
        let leaves = first.key.key.leaves();
        for term in terms {
            assert!(term.key.key.leaves() == leaves, "one length for memory and keys");
        }
        let end = start.checked_add(memory.len());
        assert!(end.is_some_and(|end| end <= leaves), "one length for memory and keys");
        if !memory.is_empty() {
            dispatch!(self.backend.for_parents(leaves / 2), lanes => run(lanes, self, start, memory, blind, terms));
        }
    }
}

/// Where a tree's update words go.
#[derive(Clone, Copy)]
enum Target {
    /// Added to the memory.
    Plus,
    /// Subtracted from the memory.
    Minus,
    /// Subtracted from the memory and from the blind.
    MinusBoth,
}

/// One tree of one UPDATE: `+- w = sign v + for_flag t - for_conversion c`.
struct Term<'a> {
    key: &'a UnitKey,
    shift: usize,
    both: bool,
    /// 1 or -1.
    sign: u64,
    for_flag: u64,
    for_conversion: u64,
}

impl<'a> Term<'a> {
    fn new(tree: UpdateTree<'a>, party: Party, shift: usize, target: Target) -> Self {
        let sign = match target {
            Target::Plus => party.sign(),
            Target::Minus | Target::MinusBoth => party.sign().wrapping_neg(),
        };
        let for_conversion = sign.wrapping_mul(tree.final_correction);
        Self {
            key: tree.key,
            shift,
            both: matches!(target, Target::MinusBoth),
            sign,
            for_flag: for_conversion.wrapping_mul(tree.key.conversion_factor),
            for_conversion,
        }
    }
}

/// Of a state that starts at a word of this number.
fn run<L: Lanes>(
    lanes: L,
    kernels: &Kernels<'_>,
    start: usize,
    memory: &mut [u64],
    blind: &mut [u64],
    terms: &[Term<'_>],
) {
    // Every part applies all terms to a range of memory of its own.
    let words = memory.len();
    let mut parts = Vec::new();
    let (mut memory, mut blind) = (memory, blind);
    for range in ranges(words, kernels.workers.parts(words.div_ceil(1 << 12))) {
        let (memory_part, memory_rest) = memory.split_at_mut(range.len());
        let (blind_part, blind_rest) = blind.split_at_mut(range.len().min(blind.len()));
        parts.push((start + range.start..start + range.end, memory_part, blind_part));
        (memory, blind) = (memory_rest, blind_rest);
    }
    kernels.workers.map(parts, |(range, memory, blind)| {
        let mut windows = Vec::with_capacity(terms.len());
        for term in terms {
            windows.push(Window::new(lanes, kernels, &term.key.key, &range, term.shift));
        }
        let (mut memory_scratch, mut blind_scratch) = (Scratch::default(), Scratch::default());
        let steps = windows.iter().map(Window::steps).max().unwrap_or(0);
        for step in 0..steps {
            for (window, term) in windows.iter_mut().zip(terms) {
                if step >= window.steps() {
                    continue;
                }
                let words = UpdateWords::new(lanes, term);
                let memory_words = window.words_mut(step, memory, &mut memory_scratch);
                if term.both {
                    let blind_words = window.words_mut(step, blind, &mut blind_scratch);
                    window.consume(step, Both { words, memory: memory_words, blind: blind_words });
                    window.put_back(step, blind, &blind_scratch);
                } else {
                    window.consume(step, One { words, memory: memory_words });
                }
                window.put_back(step, memory, &memory_scratch);
            }
        }
    });
}

/// A term's constants in registers.
#[derive(Clone, Copy)]
struct UpdateWords<L: Lanes> {
    /// All ones for the sign -1: `-v = (v ^ ones) - ones`.
    negative: L::Words,
    for_flag: L::Words,
    for_conversion: L::Words,
}

impl<L: Lanes> UpdateWords<L> {
    fn new(lanes: L, term: &Term<'_>) -> Self {
        Self {
            negative: lanes.splat_word(if term.sign == 1 { 0 } else { u64::MAX }),
            for_flag: lanes.splat_word(term.for_flag),
            for_conversion: lanes.splat_word(term.for_conversion),
        }
    }

    /// The term for a row of leaves.
    #[inline(always)]
    fn row(&self, lanes: L, left: L::Blocks, right: L::Blocks) -> L::Words {
        let [conversions, values] = lanes.unzip(left, right);
        let signed = lanes.sub(lanes.xor(values, self.negative), self.negative);
        let flagged = lanes.add_where_odd(signed, conversions, self.for_flag);
        lanes.sub(flagged, lanes.mul(conversions, self.for_conversion))
    }
}

/// Consumer: adds to one array.
struct One<'m, L: Lanes> {
    words: UpdateWords<L>,
    memory: Pairs<'m, &'m mut [[u64; 2]]>,
}

impl<L: Lanes> Consumer<L> for One<'_, L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, row: usize, left: L::Blocks, right: L::Blocks) {
        let change = self.words.row(lanes, left, right);
        add_to(lanes, &mut self.memory, row, change);
    }
}

/// Consumer: adds to two arrays.
struct Both<'m, L: Lanes> {
    words: UpdateWords<L>,
    memory: Pairs<'m, &'m mut [[u64; 2]]>,
    blind: Pairs<'m, &'m mut [[u64; 2]]>,
}

impl<L: Lanes> Consumer<L> for Both<'_, L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, row: usize, left: L::Blocks, right: L::Blocks) {
        let change = self.words.row(lanes, left, right);
        add_to(lanes, &mut self.memory, row, change);
        add_to(lanes, &mut self.blind, row, change);
    }
}

#[inline(always)]
fn add_to<L: Lanes>(lanes: L, pairs: &mut Pairs<'_, &mut [[u64; 2]]>, row: usize, change: L::Words) {
    pairs.prefetch(lanes, row);
    let stride = pairs.stride::<L>();
    let words = lanes.load_pairs(pairs.block, row, stride);
    lanes.store_pairs(pairs.block, row, stride, lanes.add(words, change));
}
