//! Variables that shadow one another, and names that mean something in Rocq.

pub fn sequence(x: u64) -> u64 {
    let x = x.wrapping_add(1);
    let x = x.wrapping_mul(x);
    x
}

pub fn inner(x: u64, l: &[u64]) -> u64 {
    let y = l.iter().fold(x, |x, y| x.wrapping_mul(*y));
    x.wrapping_add(y)
}

pub fn reserved(at: u64, map: u64, end: u64, repr: u64) -> u64 {
    let fun = at.wrapping_add(map);
    let in_ = end.wrapping_add(repr);
    fun.wrapping_mul(in_)
}

pub fn of_an_item(shadowing_sequence: u64) -> u64 {
    sequence(shadowing_sequence)
}

pub fn of_a_type<W: Copy>(w: W) -> W {
    #[allow(non_snake_case)]
    let W = w;
    W
}
