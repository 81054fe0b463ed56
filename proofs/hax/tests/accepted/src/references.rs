//! References, dereferences, boxes, slices and clones are erased.

pub fn through(x: &u64) -> u64 {
    *x
}

pub fn twice(x: &u64, l: &[u64]) -> (Box<u64>, Vec<u64>, usize) {
    let y = &x;
    (Box::new(**y), l.to_vec().clone(), l.len())
}

pub fn call(x: u64) -> u64 {
    through(&x)
}
