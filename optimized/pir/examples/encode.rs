//! What a READ costs a party: `cargo run --release -p duoram-pir --example encode -- [LOG_SIZE..]`.
//!
//! Ours by each number of threads, and the same by plain calls of `spiral-rs`, in turn; medians of wall times in milliseconds.
//! "encode" is the table to ring elements; ours is also what the answer contains, where nothing is stored.
#![allow(clippy::cast_possible_truncation)] // positions in vectors

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use duoram_pir::{Backend, BackendName, Spiral, Table, Workers};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use spiral_rs::aligned_memory::AlignedMemory64;
use spiral_rs::arith::recenter_mod;
use spiral_rs::client::Client;
use spiral_rs::params::Params;
use spiral_rs::poly::{PolyMatrix, PolyMatrixRaw};
use spiral_rs::server::process_query;
use spiral_rs::util::params_from_json;

/// How often each is measured.
const RUNS: usize = 5;

/// The median of `RUNS` times, in milliseconds.
fn time<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut times: Vec<_> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn main() {
    let mut sizes: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![16, 20, 22];
    }
    for log_size in sizes {
        measure(log_size);
    }
}

fn measure(log_size: u32) {
    let mut stream = ChaCha20Rng::from_seed([9; 32]);
    let memory: Vec<u64> = (0..1_u64 << log_size).map(|_| stream.next_u64()).collect();
    let keys: Vec<_> = (0..log_size).map(|_| [stream.next_u64().into(), stream.next_u64().into()]).collect();
    let index = stream.next_u64() % memory.len() as u64;
    let table = Table { memory: &memory, turn: 12_345, blind: 6, keys: &keys };
    let plain = Table { keys: &[], ..table };

    let params = theirs(log_size);
    let mut client = Client::init(&params);
    let setup = client.generate_keys();
    let query = client.generate_query((index >> 8) as usize);
    let their_encode = time(|| encode(&params, &memory));
    let database = encode(&params, &memory);
    let one = rayon_pool(1).install(|| time(|| process_query(&params, &setup, &query, database.as_slice())));
    println!(
        "2^{log_size}: spiral-rs (nu {}, {}): encode {their_encode:.1}, answer {one:.1}",
        params.db_dim_1, params.db_dim_2
    );
    drop(database);

    for name in [BackendName::Avx512, BackendName::Avx2, BackendName::Portable] {
        let Ok(backend) = Backend::new(name) else { continue };
        for threads in [1, 2] {
            let spiral =
                Spiral::new(backend, Arc::new(Workers::new(threads).expect("the system gives two threads")));
            let make = time(|| spiral.client(log_size, &[1; 32]));
            let (client, setup) = spiral.client(log_size, &[1; 32]);
            let server = spiral.server(log_size, &setup).expect("our own setup");
            let ask = time(|| spiral.query(&client, index, 0));
            let query = spiral.query(&client, index, 0);
            let encode = time(|| spiral.encode(plain));
            let masks = time(|| spiral.words(table)) - time(|| spiral.words(plain));
            let answer = time(|| spiral.answer(&server, &query, plain));
            let masked = time(|| spiral.answer(&server, &query, table));
            let bytes = spiral.answer(&server, &query, table).expect("our own query");
            let decode = time(|| spiral.decode(&client, index, &bytes));
            println!(
                "  {name}, threads {threads}: encode {encode:.1} ({:.1} times as fast), masks {masks:.1} in one thread, answer \
                 without masks {answer:.1} (encode and answer: {:.1} times as fast), with masks {masked:.1}, query {ask:.2}, decode \
                 {decode:.2}, client and setup {make:.1}; bytes: setup {}, query {}, answer {}",
                their_encode / encode,
                (their_encode + one) / answer,
                setup.len(),
                query.len(),
                bytes.len(),
            );
        }
    }
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the system gives a thread")
}

/// Parameters for `spiral-rs` as one would choose them for it.
fn theirs(log_size: u32) -> Params {
    let items = log_size - 8;
    let first = u32::midpoint(items, 3);
    params_from_json(&format!(
        r#"{{"n": 1, "nu_1": {first}, "nu_2": {}, "p": 256, "q2_bits": 22, "t_gsw": 7, "t_conv": 3, "t_exp_left": 5, "t_exp_right": 8, "instances": 1}}"#,
        items - first
    ))
}

/// The table by plain calls of its functions.
fn encode(params: &Params, memory: &[u64]) -> AlignedMemory64 {
    let (columns, rows) = (1 << params.db_dim_1, 1 << params.db_dim_2);
    let mut database = AlignedMemory64::new(columns * rows * params.poly_len);
    for (i, words) in memory.chunks(256).enumerate() {
        let mut item = PolyMatrixRaw::zero(params, 1, 1);
        for (coefficient, byte) in
            item.as_mut_slice().iter_mut().zip(words.iter().flat_map(|word| word.to_le_bytes()))
        {
            *coefficient = recenter_mod(byte.into(), params.pt_modulus, params.modulus);
        }
        let item = item.ntt();
        let values = item.as_slice();
        let (column, row) = (i / rows, i % rows);
        for z in 0..params.poly_len {
            database[(z * rows + row) * columns + column] = values[z] | values[params.poly_len + z] << 32;
        }
    }
    database
}
