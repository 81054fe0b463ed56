//! See `first`.

pub fn one() -> u64 {
    super::first::one()
}
