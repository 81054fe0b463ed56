//! `for` over a list or a range, with variables that it changes.

pub fn total(l: &[u64]) -> u64 {
    let mut sum = 0u64;
    for x in l {
        sum = sum.wrapping_add(*x);
    }
    sum
}

pub fn pairs(n: usize) -> (usize, bool) {
    let mut count = 0usize;
    let mut odd = false;
    for i in 0..n {
        for _ in 0..i {
            count = count.wrapping_add(1);
        }
        odd = !odd;
    }
    (count, odd)
}

pub fn weighted(a: &[(u64, u64)]) -> u64 {
    let mut sum = 0u64;
    for (x, y) in a {
        let term = x.wrapping_mul(*y);
        if *x == *y {
            sum = sum.wrapping_add(term);
        } else {
            sum = sum.wrapping_sub(1);
        }
    }
    sum
}
