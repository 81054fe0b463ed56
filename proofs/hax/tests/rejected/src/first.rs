//! Two modules that need each other.

pub fn one() -> u64 { //~ modules that need each other: their files could not be ordered
    1
}

pub fn two() -> u64 {
    super::second::one().wrapping_add(1)
}
