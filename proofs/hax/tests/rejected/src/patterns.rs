//! Patterns.

pub fn literal(x: u64) -> u64 {
    match x {
        3 => 1, //~ a literal in a pattern
        _ => 0,
    }
}

pub fn alternative(x: Option<bool>) -> u64 {
    match x {
        None | Some(true) => 1, //~ an alternative in a pattern
        Some(false) => 0,
    }
}

pub fn guard(x: Option<u64>) -> u64 {
    match x {
        Some(y) if y < 3 => 1, //~ a match guard
        _ => 0,
    }
}

pub fn slice(l: &[u64]) -> u64 {
    match l {
        [x, ..] => *x, //~ hax cannot import this: Unimplemented { issue_id: Some(804), details: Some("Pat:Array or Pat:Slice") }
        [] => 0,
    }
}

pub fn named(x: Option<u64>) -> Option<u64> {
    match x {
        y @ Some(_) => y, //~ a pattern with @
        None => None,
    }
}
