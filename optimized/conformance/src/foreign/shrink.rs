//! From a case that fails to the smallest one that can be found: fewer queries, less depth, and plain numbers.

use duoram_reference::{Block, Word};

use super::case::{Case, Key, Scan};

/// Cases that are tried at most.
const ATTEMPTS: usize = 3000;

/// The smallest failing case so far.
struct Search<T, F> {
    case: Case,
    found: T,
    fails: F,
    steps: usize,
    attempts: usize,
}

impl<T, E, F: FnMut(&Case) -> Result<Option<T>, E>> Search<T, F> {
    /// Goes on to the first of the candidates that fails; `false` if none does.
    fn step(&mut self, candidates: Vec<Case>) -> Result<bool, E> {
        for candidate in candidates {
            if self.attempts == ATTEMPTS {
                return Ok(false);
            }
            self.attempts += 1;
            if let Some(found) = (self.fails)(&candidate)? {
                (self.case, self.found) = (candidate, found);
                self.steps += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Makes a case smaller as long as it still fails. Returns it, with what was found on it, and the number of steps that led
/// to it.
///
/// # Errors
///
/// Those of `fails`, which says what is wrong with a case, if anything is.
pub fn shrink<T, E>(
    case: Case,
    found: T,
    fails: impl FnMut(&Case) -> Result<Option<T>, E>,
) -> Result<(Case, T, usize), E> {
    let mut search = Search { case, found, fails, steps: 0, attempts: 0 };
    loop {
        let before = search.steps;
        while search.step(smaller_parts(&search.case))? {}
        let mut place = 0;
        while let Some(candidates) = with_plainer_number(&search.case, place) {
            search.step(candidates)?;
            place += 1;
        }
        if search.steps == before {
            return Ok((search.case, search.found, search.steps));
        }
    }
}

/// One item alone, all but one, and all smaller depths, the least first.
fn smaller_parts(case: &Case) -> Vec<Case> {
    let mut parts = Vec::new();
    if case.count() > 1 {
        parts.extend((0..case.count()).map(|item| keeping(case, |other| other == item)));
    }
    if case.count() > 2 {
        parts.extend((0..case.count()).map(|item| keeping(case, |other| other != item)));
    }
    let least = u32::from(!matches!(case, Case::Grow { .. }));
    parts.extend((least..case.depth()).map(|depth| at_depth(case, depth)));
    parts
}

/// The case with some of its trees or queries.
fn keeping(case: &Case, keeps: impl Fn(usize) -> bool) -> Case {
    let mut case = case.clone();
    let mut items = (0..case.count()).map(keeps);
    let mut keep = || items.next().unwrap_or_default();
    match &mut case {
        Case::Grow { trees, parents, .. } => {
            let width = parents.len() / *trees;
            *parents = parents.chunks(width).filter(|_| keep()).flatten().copied().collect();
            *trees = parents.len() / width;
        }
        Case::Evaluate { keys, .. } => keys.retain(|_| keep()),
        Case::Read(scan) | Case::Update(scan) => scan.queries.retain(|_| keep()),
    }
    case
}

fn at_depth(case: &Case, depth: u32) -> Case {
    let mut case = case.clone();
    let n = 1 << depth;
    let shorten = |key: &mut Key| key.levels.truncate(depth as usize);
    match &mut case {
        Case::Grow { trees, parents, .. } => {
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
    }
    case
}

/// A number in a case, and what plainer values it may have.
enum Number<'a> {
    Block(&'a mut Block),
    /// Keeps its flag.
    Label(&'a mut Block),
    Word(&'a mut Word),
    Bit(&'a mut bool),
}

impl Number<'_> {
    /// Sets the plainer value of this number, if there is one.
    fn simplify(self, choice: u64) -> bool {
        match self {
            Self::Block(block) => choice == 0 && std::mem::take(block) != 0,
            Self::Label(label) => choice == 0 && std::mem::replace(label, *label & 1) > 1,
            Self::Word(word) => std::mem::replace(word, choice) > choice,
            Self::Bit(bit) => choice == 0 && std::mem::take(bit),
        }
    }
}

fn numbers(case: &mut Case) -> Vec<Number<'_>> {
    let mut numbers = Vec::new();
    match case {
        Case::Grow { session_key, parents, .. } => {
            numbers.push(Number::Block(session_key));
            numbers.extend(parents.iter_mut().map(Number::Label));
        }
        Case::Evaluate { session_key, keys } => {
            numbers.push(Number::Block(session_key));
            for key in keys {
                key_numbers(key, &mut numbers);
            }
        }
        Case::Read(Scan { session_key, memory, queries, .. })
        | Case::Update(Scan { session_key, memory, queries, .. }) => {
            numbers.push(Number::Block(session_key));
            numbers.extend(memory.iter_mut().flatten().map(Number::Word));
            for query in queries {
                numbers.push(Number::Word(&mut query.shift));
                numbers.extend(query.final_corrections.iter_mut().map(Number::Word));
                for key in &mut query.keys {
                    key_numbers(key, &mut numbers);
                }
            }
        }
    }
    numbers
}

fn key_numbers<'a>(key: &'a mut Key, numbers: &mut Vec<Number<'a>>) {
    numbers.push(Number::Label(&mut key.root));
    numbers.push(Number::Word(&mut key.conversion_factor));
    for level in &mut key.levels {
        numbers.push(Number::Block(&mut level.word));
        numbers.extend([&mut level.left_flag, &mut level.right_flag].map(Number::Bit));
    }
}

/// The case with each plainer value of its number at this place; `None` past the last number.
fn with_plainer_number(case: &Case, place: usize) -> Option<Vec<Case>> {
    let mut candidates = Vec::new();
    for choice in [0, 1] {
        let mut candidate = case.clone();
        if numbers(&mut candidate).into_iter().nth(place)?.simplify(choice) {
            candidates.push(candidate);
        }
    }
    Some(candidates)
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
