//! `return` and `?` before the end.

pub fn clipped(x: u64) -> u64 {
    if x > 9 {
        return 9;
    }
    let y = x.wrapping_add(1);
    if y == 3 {
        return 0;
    }
    y
}

pub fn both(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    let x = a?;
    let y = b?;
    Some(x.wrapping_add(y))
}

pub fn of_a_match(a: Option<u64>, c: bool) -> u64 {
    let x = match a {
        Some(x) => x,
        None => {
            if c {
                return 1;
            }
            2
        }
    };
    x.wrapping_mul(10)
}

pub fn of_a_closure(l: &[u64]) -> Vec<u64> {
    l.iter()
        .map(|x| {
            if *x == 0 {
                return 7;
            }
            *x
        })
        .collect()
}

pub fn with_mutation(c: bool) -> u64 {
    let mut x = 1u64;
    if c {
        return x;
    }
    x = 2;
    x
}

/// What follows the block means the outer variable.
pub fn of_a_block(c: bool) -> u64 {
    let x = 1u64;
    let y = {
        let x = 2u64;
        let x = x.wrapping_add(1);
        if c {
            return x;
        }
        x.wrapping_mul(2)
    };
    x.wrapping_add(y)
}
