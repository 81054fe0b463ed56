//! How much noise answers have, seen with the secret.

use std::sync::Arc;

use rand_chacha::rand_core::Rng;

use super::{stream, words};
use crate::answer::{first_dimension, fold};
use crate::backend::{Backend, dispatch};
use crate::element::{Add, Compose, ELEMENT, Scale};
use crate::lanes::{ITEM_WORDS, Lanes};
use crate::ntt::Inverse;
use crate::params::{PLAINTEXT, Params};
use crate::ring::{N, Q};
use crate::{Spiral, Table, Workers, message};

/// lg of the standard deviation of the noise in the last ciphertext, and of its greatest value over that.
fn noise(log_size: u32, seed: u8) -> (f64, f64) {
    let mut stream = stream(seed);
    let spiral = Spiral::new(Backend::best(), Arc::new(Workers::new(2).unwrap()));
    let (client, setup) = spiral.client(log_size, &[seed; 32]);
    let server = spiral.server(log_size, &setup).unwrap();
    let memory = words(&mut stream, 1 << log_size);
    let index = (stream.next_u64() % (1 << log_size)) as usize;
    let query = message::read(&spiral.query(&client, index as u64, 0), 1).unwrap();
    let expanded = server.expand(spiral.backend, &spiral.workers, query);
    let params = Params::new(log_size);
    let table = Table { memory: &memory, turn: 0, blind: 0, keys: &[] };
    let rows = first_dimension(spiral.backend, &spiral.workers, params, table, &expanded.first);
    let mut ciphertext = fold(spiral.backend, &spiral.workers, params.gsw, rows, &expanded.folds);

    let (first, second) = ciphertext.split_at_mut(ELEMENT);
    let mut phase = [0; N];
    dispatch!(spiral.backend, lanes => {
        lanes.run(Scale { target: first, by: client.secret() });
        lanes.run(Add { target: first, other: second });
        lanes.run(Inverse(first));
        lanes.run(Compose { coefficients: first, numbers: &mut phase });
    });
    let item = &memory[index / ITEM_WORDS * ITEM_WORDS..][..ITEM_WORDS];
    let noise: Vec<f64> = phase
        .iter()
        .zip(item.iter().flat_map(|word| word.to_le_bytes()))
        .map(|(phase, byte)| {
            let message = i128::from(byte) - if byte > 128 { 256 } else { 0 };
            let noise = (i128::from(*phase) - message * i128::from(Q / PLAINTEXT)).rem_euclid(i128::from(Q));
            (if noise > i128::from(Q / 2) { noise - i128::from(Q) } else { noise }) as f64
        })
        .collect();
    let deviation = (noise.iter().map(|noise| noise * noise).sum::<f64>() / N as f64).sqrt();
    let greatest = noise.iter().fold(0.0_f64, |greatest, noise| greatest.max(noise.abs()));
    (deviation.log2(), greatest / deviation)
}

#[test]
fn noise_is_a_twelfth_of_what_would_change_a_byte() {
    // Half a unit is q / 512. At twelve deviations a coefficient is wrong with probability below 2^-105 if noise is Gaussian.
    for log_size in [8, 12, 16, 18] {
        let (deviation, greatest) = noise(log_size, 31);
        println!("2^{log_size}: noise of 2^{deviation:.1}, greatest {greatest:.1} times that");
        assert!(deviation < (Q as f64 / 512.0 / 12.0).log2(), "2^{log_size}: 2^{deviation:.1}");
        assert!(greatest < 6.0, "not Gaussian: {greatest}");
    }
}
