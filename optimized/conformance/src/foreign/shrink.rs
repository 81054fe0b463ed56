//! From a case that fails to the smallest one that can be found: fewer queries, less depth, and plain numbers.

use std::ops::Range;

use super::case::{Case, Key};
use super::lean::{FlagKey, ValueUpdate};
use super::numbers::numbers;
use duoram_spec::lean::layers::{flag_depth, word_depth};

/// Leaves that are computed at most for cases that are tried: of small cases some thousands are, of the largest a few.
const LEAVES: usize = 1 << 20;

/// What trying a case costs beside its leaves, in leaves.
const ATTEMPT: usize = 512;

/// The smallest failing case so far.
struct Search<T, F> {
    case: Case,
    found: T,
    fails: F,
    steps: usize,
    spent: usize,
}

impl<T, E, F: FnMut(&Case) -> Result<Option<T>, E>> Search<T, F> {
    /// Goes on to the first of the candidates that fails; `false` if none does.
    fn step(&mut self, candidates: impl IntoIterator<Item = Case>) -> Result<bool, E> {
        for candidate in candidates {
            if self.spent >= LEAVES {
                return Ok(false);
            }
            self.spent += ATTEMPT + (candidate.count() << candidate.depth());
            if let Some(found) = (self.fails)(&candidate)? {
                (self.case, self.found) = (candidate, found);
                self.steps += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Plainer numbers: all at once, then halves, and so on down to each by itself.
    fn plainer(&mut self) -> Result<(), E> {
        let count = numbers(&mut self.case).len();
        let mut run = count.next_power_of_two();
        while run > 0 && self.spent < LEAVES {
            for start in (0..count).step_by(run) {
                let choices = [false, true].map(|one| with_plainer(&self.case, start..start + run, one));
                self.step(choices.into_iter().flatten())?;
            }
            run /= 2;
        }
        Ok(())
    }
}

/// Makes a case smaller as long as it still fails. Returns it, with what was found on it, and the number of steps that led
/// to it. A search of its own and no library's: the cases are given, in part by hand, and not drawn by a strategy.
///
/// # Errors
///
/// Those of `fails`, which says what is wrong with a case, if anything is.
pub fn shrink<T, E>(
    case: Case,
    found: T,
    fails: impl FnMut(&Case) -> Result<Option<T>, E>,
) -> Result<(Case, T, usize), E> {
    let mut search = Search { case, found, fails, steps: 0, spent: 0 };
    loop {
        let before = search.steps;
        loop {
            let case = search.case.clone();
            if !search.step(smaller_parts(&case))? {
                break;
            }
        }
        search.plainer()?;
        if search.steps == before {
            return Ok((search.case, search.found, search.steps));
        }
    }
}

/// One item alone, all but one, and all smaller depths, the least first.
fn smaller_parts(case: &Case) -> impl Iterator<Item = Case> {
    let mut parts = Vec::new();
    if case.count() > 1 {
        parts.extend((0..case.count()).map(|item| keeping(case, |other| other == item)));
    }
    if case.count() > 2 {
        parts.extend((0..case.count()).map(|item| keeping(case, |other| other != item)));
    }
    let least = case.operation().least_depth();
    parts.into_iter().chain((least..case.depth()).map(move |depth| at_depth(case, depth)))
}

/// The case with some of its trees or queries.
fn keeping(case: &Case, keeps: impl Fn(usize) -> bool) -> Case {
    let mut case = case.clone();
    let mut items = (0..case.count()).map(keeps);
    let mut keep = || items.next().unwrap_or_default();
    match &mut case {
        Case::Grow { trees, parents, .. } | Case::LeanSums { trees, parents, .. } => {
            let width = parents.len() / *trees;
            *parents = parents.chunks(width).filter(|_| keep()).flatten().copied().collect();
            *trees = parents.len() / width;
        }
        Case::Evaluate { keys, .. } => keys.retain(|_| keep()),
        Case::Read(scan) | Case::Update(scan) => scan.queries.retain(|_| keep()),
        Case::LeanFlags { keys, .. } => keys.retain(|_| keep()),
        Case::LeanRead { queries, .. } => queries.retain(|_| keep()),
        Case::LeanUpdate { queries, .. } => queries.retain(|_| keep()),
    }
    case
}

fn at_depth(case: &Case, depth: u32) -> Case {
    let mut case = case.clone();
    let n = 1 << depth;
    let shorten = |key: &mut Key| key.levels.truncate(depth as usize);
    match &mut case {
        Case::Grow { trees, parents, .. } | Case::LeanSums { trees, parents, .. } => {
            let width = parents.len() / *trees;
            *parents = parents.chunks(width).flat_map(|tree| tree[..n].to_vec()).collect();
        }
        Case::Evaluate { keys, .. } => keys.iter_mut().for_each(shorten),
        Case::Read(scan) | Case::Update(scan) => {
            scan.memory.iter_mut().for_each(|vector| vector.truncate(n));
            for query in &mut scan.queries {
                query.keys.iter_mut().for_each(shorten);
                query.shift %= n as u64;
            }
        }
        Case::LeanFlags { depth: height, keys, .. } => {
            *height = depth;
            for FlagKey { key, .. } in keys {
                key.levels.truncate(flag_depth(depth as usize));
            }
        }
        Case::LeanRead { memory, queries } => {
            memory.truncate(n);
            for query in queries {
                query.cut(depth);
            }
        }
        Case::LeanUpdate { memory, queries, .. } => {
            memory.truncate(n);
            for ValueUpdate { key, selection, .. } in queries {
                key.levels.truncate(word_depth(depth as usize));
                selection.cut(depth);
            }
        }
    }
    case
}

/// The case with plainer numbers at these places; `None` if they are plain already.
fn with_plainer(case: &Case, places: Range<usize>, one: bool) -> Option<Case> {
    let mut candidate = case.clone();
    let count = places.len();
    let mut changed = false;
    for number in numbers(&mut candidate).into_iter().skip(places.start).take(count) {
        changed |= number.simplify(one);
    }
    changed.then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::super::case::Operation;
    use super::super::list::cases;
    use super::*;
    use duoram_runtime::seed::Seed;

    /// Fails from depth 3 on, where a shift wraps past the middle and a word of the memory is large.
    fn planted(case: &Case) -> Result<Option<()>, ()> {
        let Case::Update(scan) = case else { return Err(()) };
        let n = scan.memory[0].len() as u64;
        let wraps = scan.queries.iter().any(|query| query.shift > n / 2);
        Ok((n >= 8 && wraps && scan.memory[1].iter().any(|word| *word > 5)).then_some(()))
    }

    #[test]
    fn finds_the_smallest_failing_case() {
        let failing = cases(Operation::Update, Seed([3; 32]), 50);
        let failing: Vec<_> = failing.into_iter().filter(|case| planted(case) == Ok(Some(()))).collect();
        assert!(failing.len() > 20);
        for case in failing.into_iter().step_by(7).take(6) {
            let (smallest, (), steps) = shrink(case, (), planted).unwrap();
            let Case::Update(scan) = &smallest else { panic!() };
            assert_eq!((smallest.depth(), scan.queries.len()), (3, 1));
            assert_eq!(scan.memory[0], [0; 8]);
            assert_eq!(scan.memory[1].iter().filter(|word| **word != 0).count(), 1);
            assert!(steps > 0 && scan.session_key == 0 && scan.queries[0].keys[0].root <= 1);
        }
    }
}
