//! Total operations of unsigned integers, casts, comparisons, literals.

pub fn wrapping(a: u32, b: u32) -> u32 {
    a.wrapping_add(b).wrapping_sub(7).wrapping_mul(b).wrapping_neg()
}

pub fn shifts(a: u8, k: u32) -> u8 {
    a.wrapping_shl(k) ^ a.wrapping_shr(k) ^ a.rotate_left(k)
}

pub fn bits(a: u128, b: u128) -> u128 {
    (a & !b) | (a ^ b)
}

pub fn compare(a: u64, b: u64) -> (bool, bool, bool) {
    (a == b || a != b, a < b && a <= b, a > b && a >= b)
}

pub fn narrow(a: u128) -> u8 {
    a as u8
}

pub fn widen(a: u8) -> usize {
    a as usize
}

pub const LARGEST: u128 = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff;
