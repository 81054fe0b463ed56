//! Control flow.

pub fn while_loop(n: u64) -> u64 {
    let mut i = 0u64;
    while i < n { //~ a loop that is not a `for`
        i = i.wrapping_add(1);
    }
    i
}

pub fn endless() -> u64 {
    loop { //~ a loop that is not a `for`
        break 1;
    }
}

pub fn breaks(l: &[u64]) -> u64 {
    let mut last = 0u64;
    for x in l {
        if *x == 3 {
            break; //~ `break` or `continue`
        }
        last = *x;
    }
    last
}

pub fn continues(l: &[u64]) -> u64 {
    let mut last = 0u64;
    for x in l {
        if *x == 3 {
            continue; //~ `break` or `continue`
        }
        last = *x;
    }
    last
}

pub fn returns(l: &[u64]) -> u64 {
    for x in l {
        if *x == 3 {
            return 7; //~ `return` inside of an expression or a loop
        }
    }
    0
}

pub fn question_in_an_expression(a: Option<u64>) -> Option<u64> {
    Some(a?.wrapping_add(1)) //~ `?` inside of an expression or a loop: bind it with `let`
}

pub fn question_of_a_result(a: Result<u64, u64>) -> Result<u64, u64> { //~ `core::result::Result` of another crate
    let x = a?;
    Ok(x)
}

pub fn recursive(n: u64) -> u64 { //~ recursion: this item needs itself
    if n == 0 { 0 } else { recursive(n.wrapping_sub(1)) }
}
