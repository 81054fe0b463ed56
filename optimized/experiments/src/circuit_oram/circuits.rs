//! The two garbled circuits of an eviction, gate by gate, to count them.
//!
//! They compute on shares of labels and of the bits that say whether a place has a block, and on nothing of the contents: that is
//! what makes the protocol cheap `[jarecki-wei, section 3]`. Where "none" must be told apart, it is -1.

use crate::cost::circuit::{Counter, Number, Wire, not, public, resized, secret};

/// Bits that numbers below `count` take.
pub(super) fn bits(count: usize) -> usize {
    count.next_power_of_two().ilog2() as usize
}

/// What is found in a bucket.
struct Found {
    /// Zeros for the levels that its deepest block may go down, ones for the others.
    left: Number,
    /// The place of that block.
    deepest: Number,
    /// A place without a block.
    empty: Number,
    /// Whether there is one.
    has_empty: Wire,
}

/// Goes through a bucket of so many places, on a path of so many levels. A block counts if it may leave fewer than `most` levels
/// below it; `deepest` is the answer if there is none.
fn find(counter: &mut Counter, levels: usize, places: usize, most: usize, deepest: Number) -> Found {
    let index_bits = deepest.len();
    let mut found = Found {
        left: resized(&public(u64::MAX, most), levels),
        deepest,
        empty: public(0, index_bits),
        has_empty: Wire::Public(false),
    };
    for place in 0..places {
        let index = public(place as u64, index_bits);
        let left = resized(&counter.fill_below(&secret(levels - 1)), levels);
        let lower = counter.less(&left, &found.left);
        let better = counter.and(Wire::Secret, lower);
        found.left = counter.choose(&found.left, &left, better);
        found.deepest = counter.choose(&found.deepest, &index, better);
        found.empty = counter.choose(&index, &found.empty, Wire::Secret);
        found.has_empty = counter.choose(&[Wire::Public(true)], &[found.has_empty], Wire::Secret)[0];
    }
    found
}

/// The gates of the circuit that finds, in a root of so many places, the block that may go deepest and an empty place. Whether
/// there is an empty one is not asked.
pub(super) fn root(levels: usize, places: usize) -> u64 {
    let mut counter = Counter::default();
    // A stash without blocks answers a random place.
    let _ = find(&mut counter, levels, places, levels - 1, secret(bits(places)));
    // A gate a place but the first, whose outcome is only whether it is empty.
    counter.ands() - (places as u64 - 1)
}

/// The gates of the circuit that finds which block of each level of a path goes to which level.
pub(super) fn route(levels: usize, width: usize) -> u64 {
    let mut counter = Counter::default();
    let found = deepest(&mut counter, levels, width);
    let chains = targets(&mut counter, levels, width, &found);
    cycle(&mut counter, levels, chains);
    counter.ands()
}

/// Of each level: from where the block comes that may go deepest at or below it, and what is in its bucket.
fn deepest(counter: &mut Counter, levels: usize, width: usize) -> Vec<(Number, Found)> {
    let (level_bits, index_bits) = (bits(levels) + 1, bits(width + 1));
    let none = public(u64::MAX, level_bits);
    let (mut source, mut goal) = (none.clone(), none.clone());
    let mut all = Vec::new();
    for level in 0..levels {
        let number = public(level as u64, level_bits);
        let reaches = not(counter.less(&goal, &number));
        let from = counter.choose(&none, &source, reaches);
        let mut found = find(counter, levels, width, levels - 1 - level, public(0, index_bits));
        found.deepest.push(Wire::Public(false));
        found.empty.push(Wire::Public(false));
        let down: Number = found.left[..levels - 1].iter().copied().map(not).collect();
        let down = counter.ones(&down);
        let deeper = counter.less(&goal, &down);
        goal = counter.choose(&goal, &down, deeper);
        source = counter.choose(&source, &number, deeper);
        all.push((from, found));
    }
    all
}

/// Where chains of blocks begin and end, and where each level's block goes.
struct Chains {
    top_without: Number,
    bottom_without: Number,
    top: Number,
    bottom: Number,
    targets: Vec<Number>,
}

/// From the leaf up: the target of each level, and the place of the block that goes there. A level without either gets a block
/// that is none, so that a permutation comes of it.
fn targets(counter: &mut Counter, levels: usize, width: usize, found: &[(Number, Found)]) -> Chains {
    let (level_bits, index_bits) = (bits(levels) + 1, bits(width + 1) + 1);
    let (none, no_place) = (public(u64::MAX, level_bits), public(u64::MAX, index_bits));
    let outside = public(width as u64, index_bits);
    let mut chains = Chains {
        top_without: none.clone(),
        bottom_without: none.clone(),
        top: none.clone(),
        bottom: none.clone(),
        targets: vec![none.clone(); levels],
    };
    let (mut source, mut goal) = (none.clone(), none.clone());
    for level in (0..levels).rev() {
        let number = public(level as u64, level_bits);
        let (from, bucket) = &found[level];
        let mut target = none.clone();
        let mut place = no_place.clone();
        // The block that was looked for is here.
        let here = counter.equal(&number, &source);
        target = counter.choose(&target, &goal, here);
        place = counter.choose(&place, &bucket.deepest, here);
        source = counter.choose(&source, &none, here);
        let ends = counter.equal(from, &none);
        let begins = counter.and(here, ends);
        goal = counter.choose(&goal, &number, begins);
        let goes_on = counter.and(here, not(ends));
        goal = counter.choose(&goal, &none, goes_on);
        // A hole that a chain leaves at its top.
        let (no_goal, no_source) = (counter.equal(&goal, &none), counter.equal(&source, &none));
        let open = counter.and(not(no_goal), no_source);
        let fills = counter.and(not(ends), open);
        target = counter.choose(&target, &goal, fills);
        place = counter.choose(&place, &bucket.empty, fills);
        // A new chain, or the next link of one.
        let no_target = counter.equal(&target, &none);
        let room = counter.and(no_goal, bucket.has_empty);
        let wanted = counter.or(room, not(no_target));
        let links = counter.and(not(ends), wanted);
        source = counter.choose(&source, from, links);
        goal = counter.choose(&goal, &number, links);
        chains.top = counter.choose(&chains.top, &source, links);
        let no_bottom = counter.equal(&chains.bottom, &none);
        let first = counter.and(links, no_bottom);
        chains.bottom = counter.choose(&chains.bottom, &goal, first);
        place = counter.choose(&place, &bucket.empty, first);
        // Neither.
        let without = counter.equal(&place, &no_place);
        counter.choose(&place, &outside, without);
        chains.top_without = counter.choose(&chains.top_without, &number, without);
        let none_yet = counter.equal(&chains.bottom_without, &none);
        let lowest = counter.and(without, none_yet);
        chains.bottom_without = counter.choose(&chains.bottom_without, &number, lowest);
        chains.targets[level] = target;
    }
    chains
}

/// Makes one cycle of all levels, so that the permutation tells nothing.
fn cycle(counter: &mut Counter, levels: usize, chains: Chains) {
    let level_bits = bits(levels) + 1;
    let none = public(u64::MAX, level_bits);
    let mut before = none.clone();
    for (level, mut target) in chains.targets.into_iter().enumerate() {
        let number = public(level as u64, level_bits);
        let no_without = counter.equal(&chains.top_without, &none);
        let is_bottom = counter.equal(&number, &chains.bottom);
        let closes = counter.and(no_without, is_bottom);
        target = counter.choose(&target, &chains.top, closes);
        let joins = counter.and(not(no_without), is_bottom);
        target = counter.choose(&target, &chains.bottom_without, joins);
        let either = counter.or(no_without, is_bottom);
        let no_target = counter.equal(&target, &none);
        let free = counter.and(not(either), no_target);
        let is_top = counter.equal(&number, &chains.top_without);
        let begins = counter.and(free, is_top);
        let no_chain = counter.equal(&chains.top, &none);
        let alone = counter.and(begins, no_chain);
        target = counter.choose(&target, &chains.bottom_without, alone);
        let joined = counter.and(begins, not(no_chain));
        target = counter.choose(&target, &chains.top, joined);
        let next = counter.and(free, not(is_top));
        counter.choose(&target, &before, next);
        before = counter.choose(&before, &number, free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as the authors' program counts, at sizes by hand through its sources.
    #[test]
    fn circuits_have_as_many_gates_as_the_authors_program() {
        assert_eq!([root(5, 32), root(18, 32)], [699, 1947]);
        assert_eq!([route(5, 3), route(18, 3)], [797, 7061]);
    }
}
