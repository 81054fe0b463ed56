//! Option, `if let`, `let else`.

pub fn or(x: Option<u64>, default: u64) -> u64 {
    match x {
        Some(value) => value,
        None => default,
    }
}

pub fn keep(x: Option<u64>, wanted: bool) -> Option<u64> {
    if let Some(value) = x { if wanted { Some(value) } else { None } } else { None }
}

pub fn of(l: &[u64], i: usize) -> u64 {
    let Some(value) = l.get(i) else { return 0 };
    *value
}
