//! Private lookup from two servers, the whole of it: each server gets a key, neither learns which word is asked for, and the
//! client adds up what they answer.
#![allow(clippy::cast_possible_truncation)] // of small numbers, and of words taken from blocks

use duoram_kernel::Kernels;

fn main() {
    let table: Vec<u64> = (0..1 << 16).map(|i| 1_000_000 + i).collect();
    let kernels = Kernels::detect(0x7069);
    println!("backend: {}", kernels.backend().name());

    // The client. The roots must come from a cryptographic generator of random numbers.
    let (wanted, roots) = (4711, [0x9e37_79b9_7f4a_7c15, 0xf39c_c060_5ced_c834]);
    let words = kernels.deal_words(wanted, 16, 1, roots).expect("4711 is below 2^16");
    let bits = kernels.deal_bits(wanted, 16, roots.map(|root| root ^ 1 << 100)).expect("4711 is below 2^16");

    // Each server: a dot product with its shares of the unit vector mod 2^64; or an XOR of the words that its bits select.
    let dot = words.map(|key| {
        kernels
            .words(&key)
            .iter()
            .zip(&table)
            .fold(0, |sum: u64, (u, d)| sum.wrapping_add(u.wrapping_mul(*d)))
    });
    let selected = bits.map(|key| {
        let bits = kernels.bits(&key);
        let mask = |i: usize| (bits[i / 128] >> (i % 128) as u32 & 1).wrapping_neg() as u64;
        table.iter().enumerate().fold(0, |sum, (i, word)| sum ^ word & mask(i))
    });

    // The client again.
    assert_eq!(dot[0].wrapping_add(dot[1]), 1_004_711);
    assert_eq!(selected[0] ^ selected[1], 1_004_711);
    println!("word {wanted} is {}", selected[0] ^ selected[1]);
}
