//! AES-128 against NIST's known answers, on every backend.

use alloc::vec::Vec;

use crate::backend::{Backend, Features, dispatch};
use crate::lanes::{Lanes, Nothing, Row};
use crate::schedule::Schedule;

/// Hex digits, byte 0 first, to a block with byte 0 the lowest.
fn block(digits: &str) -> u128 {
    u128::from_str_radix(digits, 16).unwrap().swap_bytes()
}

/// All places of all registers, `2 N` of which are in flight.
fn ciphers<L: Lanes, const N: usize>(lanes: L, key: u128, plain: u128) -> Vec<u128> {
    let schedule = Schedule::new(key);
    let states = [[lanes.splat_block(plain ^ schedule.round_key(0)); N]; 2];
    let last = [[lanes.splat_block(schedule.round_key(10)); N]; 2];
    let states = lanes.rounds(&lanes.keys(&schedule), states, last, &mut Nothing);
    states.as_flattened().iter().flat_map(|state| lanes.to_block_row(*state).items().to_vec()).collect()
}

#[test]
fn aes_gives_the_known_answers() {
    let mut sets = Vec::new();
    for line in include_str!("../tests/data/nist_aes128.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [set, key, plain, cipher] = fields[..] else { panic!("four fields: {line}") };
        if !sets.contains(&set) {
            sets.push(set);
        }
        for backend in Backend::available(&Features::detect()) {
            dispatch!(backend, lanes => {
                for got in [
                    ciphers::<_, 1>(lanes, block(key), block(plain)),
                    ciphers::<_, 4>(lanes, block(key), block(plain)),
                ] {
                    assert!(got.iter().all(|got| *got == block(cipher)), "{line}, {}", backend.name());
                }
            });
        }
    }
    assert_eq!(sets, ["fips197", "sp800-38a", "gfsbox", "keysbox", "vartxt", "varkey"]);
}
