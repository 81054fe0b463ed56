//! The levels of a GigaDORAM: how many, how large, and when each is built.

/// Places that a table may leave over for elements without a place in it.
pub(super) const STASH: usize = 8;

/// How a memory is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// lg n
    pub log_size: u32,
    /// Tables; before them comes the cache.
    pub levels: u32,
    /// lg of how many times a table is larger than the one before.
    pub log_growth: u32,
}

impl Shape {
    /// As the authors choose it for their figure 5, and for 2^16 in the example of their artifact; of smaller memories, two
    /// levels.
    pub fn chosen(log_size: u32) -> Self {
        let (levels, log_growth) = match log_size {
            0..12 => (2, log_size.saturating_sub(5).clamp(1, 4)),
            12 => (2, 4),
            13 => (2, 5),
            14 | 15 => (2, 6),
            16 | 17 => (3, 4),
            18 => (4, 3),
            19 => (3, 5),
            20 | 21 => (4, 4),
            22 | 23 => (4, 5),
            24 | 25 => (5, 4),
            26 | 27 => (4, 6),
            28 => (5, 5),
            29 => (6, 4),
            _ => (4, 7),
        };
        Self { log_size, levels, log_growth }
    }

    /// Places in the cache.
    pub(super) const fn cache(&self) -> usize {
        1 << (self.log_size - (self.levels - 1) * self.log_growth)
    }

    /// Queries from one rebuild to the next: what is left of the cache by a table's stash.
    pub(super) const fn epoch(&self) -> usize {
        self.cache() - STASH
    }

    /// How often a table is built, larger each time, before the next one takes all in.
    pub(super) const fn growth(&self) -> usize {
        1 << self.log_growth
    }

    /// The last table.
    pub(super) const fn last(&self) -> usize {
        self.levels as usize - 1
    }

    /// Elements of a table that was built so many times.
    pub(super) const fn elements(&self, level: usize, built: usize) -> usize {
        (self.cache() << (self.log_growth as usize * level)) * built
    }

    /// Its dummies: one for each query until it is built anew.
    pub(super) const fn dummies(&self, level: usize) -> usize {
        self.epoch() << (self.log_growth as usize * level)
    }

    /// lg of the places in each of its two columns: 1.2 times its elements at least, rounded to a power of two above.
    pub(super) fn log_column(&self, level: usize, built: usize) -> u32 {
        let elements = self.cache().ilog2() + self.log_growth * u32::try_from(level).unwrap_or(u32::MAX);
        elements + (built + built / 5).ilog2() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_from_the_cache_to_the_memory() {
        for log_size in 6..=31 {
            let shape = Shape::chosen(log_size);
            assert!(shape.cache() > STASH, "{shape:?}");
            assert_eq!(shape.elements(shape.last(), 1), 1 << log_size);
        }
        let shape = Shape::chosen(16);
        assert_eq!((shape.cache(), shape.epoch(), shape.growth()), (256, 248, 16));
        assert_eq!((shape.elements(1, 3), shape.dummies(1)), (3 * 4096, 248 * 16));
    }

    #[test]
    fn columns_have_more_places_than_there_are_elements() {
        let shape = Shape::chosen(16);
        assert_eq!([1, 2, 3, 4, 5].map(|built| shape.log_column(0, built)), [9, 10, 10, 11, 11]);
    }
}
