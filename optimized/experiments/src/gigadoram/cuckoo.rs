//! A cuckoo hash table of two columns, built as well as can be: every element that has a place at all gets one.
//!
//! Places are the nodes of a graph and elements its edges, between the two places where each may lie. In a connected part, as
//! many elements have places as it has nodes: those of a spanning tree, each at its lower end, and one more, for which the tree
//! is hung up at one of that one's ends.

/// Where an element may lie, of places numbered through both columns.
pub(super) fn places(tag: u128, log_column: u32) -> [usize; 2] {
    let column = 1_usize << log_column;
    #[allow(clippy::cast_possible_truncation, reason = "the lowest bits are what is wanted")]
    let [first, second] = [tag >> 64, tag >> 96].map(|bits| bits as usize & (column - 1));
    [first, second | column]
}

/// The table: an element's number, or none; and the elements without a place.
pub(super) fn build(tags: &[u128], log_column: u32) -> (Vec<Option<u32>>, Vec<u32>) {
    let nodes = 2 << log_column;
    let mut neighbours = vec![Vec::new(); nodes];
    for (element, tag) in (0_u32..).zip(tags) {
        let [first, second] = places(*tag, log_column);
        neighbours[first].push((element, second));
        neighbours[second].push((element, first));
    }
    let mut table = vec![None; nodes];
    let mut without = Vec::new();
    let mut seen = vec![false; nodes];
    let mut used = vec![false; tags.len()];
    // The node that a node hangs on.
    let mut above = vec![None; nodes];
    for root in 0..nodes {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut waiting = vec![root];
        let mut extra = None;
        while let Some(node) = waiting.pop() {
            for &(element, other) in &neighbours[node] {
                if std::mem::replace(&mut used[element as usize], true) {
                    continue;
                }
                if !std::mem::replace(&mut seen[other], true) {
                    table[other] = Some(element);
                    above[other] = Some(node);
                    waiting.push(other);
                } else if extra.is_none() {
                    extra = Some((element, other));
                } else {
                    without.push(element);
                }
            }
        }
        // Hangs the tree up at the extra element's end: what lay on the way to the root moves a place up.
        if let Some((element, end)) = extra {
            let (mut node, mut carried) = (end, Some(element));
            loop {
                std::mem::swap(&mut table[node], &mut carried);
                match above[node] {
                    Some(next) => node = next,
                    None => break,
                }
            }
        }
    }
    (table, without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::aes::Cipher;

    fn tags(count: u64) -> Vec<u128> {
        let cipher = Cipher::new(7);
        (0..count).map(|number| cipher.at(number)).collect()
    }

    #[test]
    fn an_element_lies_at_one_of_its_places_or_is_without() {
        let tags = tags(1000);
        let (table, without) = build(&tags, 10);
        let mut found = vec![0; tags.len()];
        for element in table.iter().flatten().chain(&without) {
            found[*element as usize] += 1;
        }
        assert!(found.iter().all(|count| *count == 1));
        for (place, element) in table.iter().enumerate() {
            if let Some(element) = element {
                assert!(places(tags[*element as usize], 10).contains(&place));
            }
        }
        assert!(without.len() <= super::super::shape::STASH, "{}", without.len());
    }

    /// Four elements at the same two places: two lie, two do not.
    #[test]
    fn as_many_lie_as_there_are_places() {
        let (table, without) = build(&[0; 4], 3);
        assert_eq!((table.iter().flatten().count(), without.len()), (2, 2));
        assert!(table[0].is_some() && table[8].is_some());
    }

    /// A chain that closes at its far end: everything moves by one place.
    #[test]
    fn a_tree_is_hung_up_at_the_end_of_the_extra_element() {
        let tag = |first: u128, second: u128| first << 64 | second << 96;
        let tags = [tag(0, 0), tag(1, 0), tag(1, 1), tag(2, 1), tag(2, 1)];
        let (table, without) = build(&tags, 2);
        assert!(without.is_empty());
        for (number, tag) in (0..).zip(tags) {
            assert!(places(tag, 2).iter().any(|place| table[*place] == Some(number)), "{number}");
        }
    }
}
