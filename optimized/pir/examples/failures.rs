//! How often an answer is decoded wrongly: `cargo run --release -p duoram-pir --example failures -- QUERIES [LOG_SIZE..]`.
//!
//! A query expands to one item of 2,048 coefficients, and all of its words are decoded and compared.
#![allow(clippy::cast_possible_truncation)] // a position in a vector

use std::sync::Arc;

use duoram_pir::{Backend, Spiral, Table, Workers};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u32>().ok());
    let queries = arguments.next().unwrap_or(20);
    let mut sizes: Vec<_> = arguments.collect();
    if sizes.is_empty() {
        sizes = vec![8, 12, 16, 20];
    }
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let spiral =
        Spiral::new(Backend::best(), Arc::new(Workers::new(threads).expect("the system gives its threads")));
    println!("{} threads, backend {}", spiral.threads(), spiral.backend().name());
    for log_size in sizes {
        let mut stream = ChaCha20Rng::from_seed([log_size as u8; 32]);
        let mut seed = [0; 32];
        stream.fill_bytes(&mut seed);
        let memory: Vec<u64> = (0..1_u64 << log_size).map(|_| stream.next_u64()).collect();
        let (client, setup) = spiral.client(log_size, &seed);
        let server = spiral.server(log_size, &setup).expect("our own setup");
        let mut wrong = 0;
        let mut words = 0_u64;
        for number in 0..queries {
            let turn = stream.next_u64();
            let index = stream.next_u64() % memory.len() as u64;
            let query = spiral.query(&client, index, number.into());
            let table = Table { memory: &memory, turn, blind: 0, keys: &[] };
            let answer = spiral.answer(&server, &query, table).expect("our own query");
            let item = index & !255;
            for index in item..(item + 256).min(memory.len() as u64) {
                let word = memory[(index.wrapping_add(turn) % memory.len() as u64) as usize];
                wrong += u32::from(spiral.decode(&client, index, &answer) != word);
                words += 1;
            }
        }
        println!("2^{log_size}: {wrong} of {words} words of {queries} answers wrong");
    }
}
