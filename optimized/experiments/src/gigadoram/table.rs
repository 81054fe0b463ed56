//! A level: a table in which each place is looked at once, and then built anew.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;

use super::cuckoo::{build, places};
use super::shape::STASH;
use crate::cost::aes::Cipher;

/// An element: its address, or none of a dummy, and its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub(super) address: Option<u64>,
    pub(super) word: u64,
}

impl Element {
    pub(super) const DUMMY: Self = Self { address: None, word: 0 };
}

/// A table.
pub(super) struct Table {
    cipher: Cipher,
    log_column: u32,
    tags: Vec<u128>,
    cells: Vec<Option<u32>>,
    elements: Vec<Element>,
    /// Those that were looked at, or are in the cache.
    touched: Vec<bool>,
    dummies: usize,
    queries: usize,
}

/// Dummies have labels of their own, behind all addresses.
const DUMMY_LABELS: u64 = 1 << 48;

impl Table {
    /// Builds a table, with so many dummies of its own. The elements that are left over for the cache, always as many.
    pub(super) fn new(
        elements: Vec<Element>,
        dummies: usize,
        log_column: u32,
        random: &mut ChaCha20Rng,
    ) -> (Self, Vec<Element>) {
        let key = u128::from(random.next_u64()) | u128::from(random.next_u64()) << 64;
        let cipher = Cipher::new(key);
        let label =
            |(number, element): (u64, &Element)| cipher.at(element.address.unwrap_or(DUMMY_LABELS + number));
        let tags: Vec<u128> = (0..).zip(&elements).map(label).collect();
        let (mut cells, mut without) = build(&tags, log_column);
        // Whoever has a place gives it up until the stash is full; which ones, tells nothing.
        for cell in &mut cells {
            if without.len() >= STASH {
                break;
            }
            without.extend(cell.take());
        }
        let mut touched = vec![false; elements.len()];
        let mut stash = Vec::new();
        for element in without {
            touched[element as usize] = true;
            stash.push(elements[element as usize]);
        }
        (Self { cipher, log_column, tags, cells, elements, touched, dummies, queries: 0 }, stash)
    }

    /// Looks for an address, or for nothing.
    pub(super) fn query(&mut self, address: Option<u64>) -> Option<u64> {
        debug_assert!(self.queries < self.dummies, "a table has a dummy for each query");
        self.queries += 1;
        let tag = self.cipher.at(address?);
        let cells = places(tag, self.log_column).map(|place| self.cells[place]);
        let element = cells.into_iter().flatten().find(|element| self.tags[*element as usize] == tag)?;
        let seen = std::mem::replace(&mut self.touched[element as usize], true);
        debug_assert!(!seen, "a place is looked at once");
        Some(self.elements[element as usize].word)
    }

    /// What was never looked at, and dummies in place of the rest.
    pub(super) fn extract(self) -> Vec<Element> {
        let elements = self.elements.into_iter().zip(self.touched);
        elements.map(|(element, touched)| if touched { Element::DUMMY } else { element }).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn what_is_found_is_not_there_any_more() {
        let elements: Vec<_> = (0..256).map(|n| Element { address: Some(n), word: 10 * n }).collect();
        let mut random = ChaCha20Rng::from_seed([1; 32]);
        let (mut table, stash) = Table::new(elements, 500, 9, &mut random);
        assert_eq!(stash.len(), STASH);
        for address in 0..300 {
            let stashed = stash.iter().any(|element| element.address == Some(address));
            let expected = (address < 256 && !stashed).then_some(10 * address);
            if address % 2 == 0 {
                assert_eq!(table.query(Some(address)), expected);
            } else {
                assert_eq!(table.query(None), None);
            }
        }
        let left = table.extract();
        assert_eq!(left.len(), 256);
        let odd = left.iter().filter_map(|element| element.address).all(|address| address % 2 == 1);
        assert!(odd && left.iter().filter(|element| element.address.is_some()).count() >= 128 - STASH);
    }
}
