//! Keys, queries and calls that are equal but for one number, and such that have only one in common: for kernels that
//! keep something, and look at a part only of what it depends on.

use duoram_reference::Block;

use super::case::{Case, Key};
use super::numbers::numbers;

/// Words of each memory that are changed.
const MEMORY_WORDS: usize = 2;

/// From a case of two items: the case with all keys and all items equal, and between calls of that
/// one, calls with a single number changed.
pub(super) fn twins(case: &Case) -> Vec<Case> {
    let mut base = case.clone();
    match &mut base {
        Case::Grow { parents, .. } | Case::LeanSums { parents, .. } => {
            let first = parents[0];
            parents.fill(first);
        }
        Case::Evaluate { keys, .. } => {
            let first = keys[0].clone();
            keys.fill(first);
        }
        Case::Read(scan) | Case::Update(scan) => {
            for query in &mut scan.queries {
                // The flags of the roots are their owners'.
                let flag = query.keys[1].root & 1;
                query.keys[1] = Key { root: query.keys[0].root & !1 | flag, ..query.keys[0].clone() };
            }
            let first = scan.queries[0].clone();
            scan.queries.fill(first);
        }
        Case::LeanFlags { keys, .. } => {
            let first = keys[0].clone();
            keys.fill(first);
        }
        Case::LeanRead { queries, .. } => {
            let first = queries[0].clone();
            queries.fill(first);
        }
        Case::LeanUpdate { queries, .. } => {
            let first = queries[0].clone();
            queries.fill(first);
        }
    }
    let mut cases = vec![base.clone()];
    for place in places(&mut base) {
        for upper in [false, true] {
            let mut twin = base.clone();
            let number = numbers(&mut twin).into_iter().nth(place);
            if number.is_some_and(|number| number.change(upper)) {
                cases.extend([twin, base.clone()]);
            }
        }
    }
    cases
}

/// Which numbers are changed: all, but of parents and of memories, whose words are treated alike, a few.
fn places(case: &mut Case) -> Vec<usize> {
    let few = |count: usize| if count > 2 * MEMORY_WORDS { MEMORY_WORDS } else { count };
    let count = numbers(case).len();
    let alike = match case {
        Case::Grow { parents, .. } | Case::LeanSums { parents, .. } => parents.len(),
        Case::Evaluate { .. } | Case::LeanFlags { .. } => 0,
        Case::Read(scan) | Case::Update(scan) => 2 * scan.memory[0].len(),
        Case::LeanRead { memory, .. } | Case::LeanUpdate { memory, .. } => memory.len(),
    };
    let others = count - alike;
    (0..others + few(alike)).chain(count - few(alike)..count).collect()
}

/// What two keys may have in common.
#[derive(Clone, Copy)]
enum Part {
    Root { upper: bool },
    Factor,
    Words { upper: bool },
    Levels,
}

/// Draws cases of two items, whose keys are made to share one part: the two keys of an item, or those of both.
pub(super) fn likenesses(mut draw: impl FnMut() -> Case) -> Vec<Case> {
    let parts = [
        Part::Root { upper: false },
        Part::Root { upper: true },
        Part::Factor,
        Part::Words { upper: false },
        Part::Words { upper: true },
        Part::Levels,
    ];
    let mut cases = Vec::new();
    for (part, within) in parts.into_iter().flat_map(|part| [(part, false), (part, true)]) {
        let mut case = draw();
        match &mut case {
            Case::Grow { parents, .. } | Case::LeanSums { parents, .. } => {
                if let Part::Root { upper } = part {
                    let half = half(upper);
                    let first = parents[0];
                    for parent in parents.iter_mut() {
                        *parent = *parent & !half | first & half;
                    }
                }
            }
            Case::Evaluate { keys, .. } => share_all(part, keys),
            Case::LeanFlags { keys, .. } => share_all(part, keys.iter_mut().map(|key| &mut key.key)),
            Case::LeanUpdate { queries, .. } => {
                share_all(part, queries.iter_mut().map(|query| &mut query.key));
            }
            // Without a key.
            Case::LeanRead { .. } => {}
            Case::Read(scan) | Case::Update(scan) => {
                let first = scan.queries[0].keys[0].clone();
                let keys = scan.queries.iter_mut().flat_map(|query| &mut query.keys);
                // Of an item both keys, or of both items the first.
                let (skip, step) = if within { (1, 3) } else { (2, 2) };
                keys.skip(skip).step_by(step).for_each(|key| share(part, &first, key));
            }
        }
        cases.push(case);
    }
    cases
}

/// Half of a block, but for the flag.
fn half(upper: bool) -> Block {
    if upper { Block::from(u64::MAX) << 64 } else { Block::from(u64::MAX) & !1 }
}

/// Of all keys with the first.
fn share_all<'a>(part: Part, keys: impl IntoIterator<Item = &'a mut Key>) {
    let mut keys = keys.into_iter();
    if let Some(first) = keys.next() {
        keys.for_each(|key| share(part, first, key));
    }
}

fn share(part: Part, from: &Key, to: &mut Key) {
    match part {
        Part::Root { upper } => to.root = to.root & !half(upper) | from.root & half(upper),
        Part::Factor => to.conversion_factor = from.conversion_factor,
        Part::Words { upper } => {
            for (to, from) in to.levels.iter_mut().zip(&from.levels) {
                to.word = to.word & !half(upper) | from.word & half(upper);
            }
        }
        Part::Levels => to.levels.clone_from(&from.levels),
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::Operation;
    use super::super::list::cases;
    use duoram_runtime::seed::Seed;

    /// How many numbers two cases of the same sizes differ in.
    fn differences(a: &super::Case, b: &super::Case) -> usize {
        let (mut a, mut b) = (a.clone(), b.clone());
        let pairs = super::numbers(&mut a).into_iter().zip(super::numbers(&mut b));
        pairs.filter(|(a, b)| a != b).count()
    }

    #[test]
    fn neighbours_differ_in_one_number() {
        for operation in Operation::ALL {
            let list = cases(operation, Seed([1; 32]), 0);
            let base = list.into_iter().find(|case| (case.depth(), case.count()) == (2, 2)).unwrap();
            let twins = super::twins(&base);
            assert!(twins.len() > 20);
            for pair in twins.windows(2) {
                assert_eq!(differences(&pair[0], &pair[1]), 1, "{operation}");
            }
        }
    }
}
