//! Mutation that is not of a local variable as a whole.

pub struct Point {
    pub x: u64,
}

pub fn parameter(x: &mut u64) { //~ a mutable reference
    *x = 1;
}

pub fn borrow() -> u64 {
    let mut x = 1u64;
    let y = &mut x; //~ a mutable borrow
    *y = 2;
    x
}

pub fn push(l: &[u64]) -> Vec<u64> {
    let mut out = l.to_vec();
    out.push(1); //~ a call of `alloc::vec::impl__1::push`
    out
}

pub fn field(p: Point) -> u64 {
    let mut q = p;
    q.x = 2; //~ an assignment to a part of a variable
    q.x
}

pub fn element() -> Vec<u64> {
    let mut l = vec![1u64];
    l[0] = 2; //~ an assignment to a part of a variable
    l
}

pub fn captured(l: &[u64]) -> u64 {
    let mut sum = 0u64;
    let doubled: Vec<u64> = l
        .iter()
        .map(|x| {
            sum = sum.wrapping_add(*x); //~ an assignment inside of an expression or a closure
            *x
        })
        .collect();
    sum.wrapping_add(doubled.len() as u64)
}

pub fn in_an_argument(x: u64) -> u64 {
    let mut y = x;
    let z = x.wrapping_add({
        y = 3; //~ an assignment inside of an expression or a closure
        y
    });
    z.wrapping_add(y)
}
