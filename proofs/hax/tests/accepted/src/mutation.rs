//! Assignments to local variables, in blocks and branches.

pub fn branches(c: bool, x: u64) -> u64 {
    let mut y = x;
    let mut z = 1u64;
    if c {
        y = y.wrapping_add(1);
    } else {
        z = y;
        y = 0;
    }
    y.wrapping_mul(z)
}

pub fn in_a_block(x: u64) -> u64 {
    let mut y = 2u64;
    let z = {
        y = y.wrapping_add(x);
        y.wrapping_mul(3)
    };
    z.wrapping_add(y)
}

pub fn matched(x: Option<u64>) -> u64 {
    let mut y = 1u64;
    match x {
        Some(z) => y = z,
        None => (),
    }
    y ^= 5;
    y
}

pub fn in_a_closure(l: &[u64]) -> Vec<u64> {
    l.iter()
        .map(|x| {
            let mut y = *x;
            y = y.wrapping_mul(y);
            y
        })
        .collect()
}
