//! AES-128 against NIST's known answers, on every backend.

use alloc::vec::Vec;

use crate::backend::{Backend, Features, dispatch};
use crate::lanes::{Lanes, Nothing, Row};
use crate::schedule::Schedule;

/// All places of all registers, `2 N` of which are in flight.
fn ciphers<L: Lanes, const N: usize>(lanes: L, key: u128, plain: u128) -> Vec<u128> {
    let schedule = Schedule::new(key);
    let states = [[lanes.splat_block(plain ^ schedule.round_key(0)); N]; 2];
    let last = [[lanes.splat_block(schedule.round_key(10)); N]; 2];
    let states = lanes.cipher(&lanes.keys(&schedule), states, last, &mut Nothing);
    states.as_flattened().iter().flat_map(|state| lanes.to_block_row(*state).items().to_vec()).collect()
}

#[test]
fn aes_gives_the_known_answers() {
    for answer in duoram_vectors::aes_answers() {
        let [key, plain, cipher] = [answer.key, answer.plain, answer.cipher].map(u128::from_le_bytes);
        for backend in Backend::available(&Features::detect()) {
            dispatch!(backend, lanes => {
                for got in [ciphers::<_, 1>(lanes, key, plain), ciphers::<_, 4>(lanes, key, plain)] {
                    assert!(got.iter().all(|got| *got == cipher), "{answer:02x?}, {}", backend.name());
                }
            });
        }
    }
}
