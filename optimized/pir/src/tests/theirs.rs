//! Step by step the same as `spiral-rs`, to the bit: what it computes is written another way, so neither hides the other's
//! mistakes.

use std::sync::LazyLock;

use rand_chacha::rand_core::Rng;
use spiral_rs::aligned_memory::AlignedMemory64;
use spiral_rs::arith::recenter_mod;
use spiral_rs::client::{Client, PublicParameters, Query};
use spiral_rs::params::Params as Theirs;
use spiral_rs::poly::{PolyMatrix, PolyMatrixNTT, PolyMatrixRaw, automorph_alloc, from_ntt_alloc};
use spiral_rs::server;
use spiral_rs::util::params_from_json;

use super::{elements, stream, words};
use crate::Table;
use crate::Workers;
use crate::answer::{first_dimension, fold, shorten};
use crate::backend::{Backend, dispatch};
use crate::element::{AddProduct, CIPHERTEXT, Compose, ELEMENT, Scale, automorphism, permute};
use crate::lanes::{ITEM_WORDS, Lanes};
use crate::ntt::{Forward, Inverse};
use crate::params::{Gadget, Params};
use crate::ring::{N, Residues, zeros};
use crate::server::Server;
use crate::table::Encode;

static THEIRS: LazyLock<Theirs> = LazyLock::new(|| theirs(Params::new(14)));

/// Their parameters for our sizes.
fn theirs(params: Params) -> Theirs {
    params_from_json(&format!(
        r#"{{"n": 1, "nu_1": {}, "nu_2": {}, "p": 256, "q2_bits": 17, "t_gsw": {}, "t_conv": {}, "t_exp_left": {}, "t_exp_right": {}, "instances": 1}}"#,
        params.first,
        params.folds,
        params.gsw.digits,
        params.convert.digits,
        params.expand_first.digits,
        params.expand_folds.digits
    ))
}

/// Our parameters with digits like theirs: counted from 0, and one bit more than needed where their number divides 56.
fn with_their_digits(params: Params) -> Params {
    let digits = |gadget: Gadget| Gadget {
        digits: gadget.digits,
        bits: 56 / gadget.digits as u32 + 1,
        middle: 0,
        center: 0,
    };
    Params {
        expand_first: digits(params.expand_first),
        expand_folds: digits(params.expand_folds),
        convert: digits(params.convert),
        gsw: digits(params.gsw),
        ..params
    }
}

/// A matrix of theirs as ours.
fn ours(matrix: &PolyMatrixNTT<'_>) -> Vec<Residues> {
    let (chunks, _) = matrix.as_slice().as_chunks::<N>();
    chunks.iter().map(|values| values.map(|value| u32::try_from(value).unwrap())).collect()
}

/// An element or a column of ours as theirs.
fn matrix(residues: &[Residues]) -> PolyMatrixNTT<'static> {
    let mut matrix = PolyMatrixNTT::zero(&THEIRS, residues.len() / ELEMENT, 1);
    for (to, from) in matrix.as_mut_slice().iter_mut().zip(residues.as_flattened()) {
        *to = u64::from(*from);
    }
    matrix
}

/// The table's items, encoded by them, item by item.
fn their_items(words: &[u64]) -> Vec<PolyMatrixNTT<'static>> {
    words
        .chunks(ITEM_WORDS)
        .map(|words| {
            let mut item = PolyMatrixRaw::zero(&THEIRS, 1, 1);
            for (coefficient, byte) in
                item.as_mut_slice().iter_mut().zip(words.iter().flat_map(|word| word.to_le_bytes()))
            {
                *coefficient = recenter_mod(byte.into(), THEIRS.pt_modulus, THEIRS.modulus);
            }
            item.ntt()
        })
        .collect()
}

/// Their database of these items.
fn their_database(params: Params, items: &[PolyMatrixNTT<'_>]) -> AlignedMemory64 {
    let (columns, rows) = (params.columns(), params.rows());
    let mut database = AlignedMemory64::new(columns * rows * N);
    for (i, item) in items.iter().enumerate() {
        let (column, row) = (i / rows, i % rows);
        for z in 0..N {
            let values = item.as_slice();
            database[(z * rows + row) * columns + column] = values[z] | values[N + z] << 32;
        }
    }
    database
}

#[test]
fn transforms_are_theirs() {
    let mut stream = stream(21);
    for _ in 0..4 {
        let element = elements(&mut stream, 1);
        let coefficients = from_ntt_alloc(&matrix(&element));
        for backend in Backend::available() {
            let mut residues = element.clone();
            let mut numbers = [0; N];
            dispatch!(backend, lanes => {
                lanes.run(Inverse(&mut residues));
                lanes.run(Compose { coefficients: &residues, numbers: &mut numbers });
                lanes.run(Forward(&mut residues));
            });
            assert_eq!(numbers[..], coefficients.as_slice()[..], "{}", backend.name());
            assert!(residues == element, "{}", backend.name());
        }
    }
}

#[test]
fn products_are_theirs() {
    let mut stream = stream(22);
    for columns in [1, 2, 14] {
        let (left, right) = (elements(&mut stream, 2 * columns), elements(&mut stream, columns));
        let target = elements(&mut stream, 2);
        let mut their_left = PolyMatrixNTT::zero(&THEIRS, 2, columns);
        their_left.as_mut_slice().copy_from_slice(
            &left.as_flattened().iter().map(|residue| u64::from(*residue)).collect::<Vec<_>>(),
        );
        let product = &(&their_left * &matrix(&right)) + &matrix(&target);
        for backend in Backend::available() {
            let mut target = target.clone();
            dispatch!(backend, lanes => {
                lanes.run(AddProduct { target: &mut target, matrix: &left, vector: &right });
            });
            assert!(target == ours(&product), "{}", backend.name());
        }
    }
}

#[test]
fn sums_of_the_greatest_products_are_reduced() {
    // All residues p - 1, as many products as a kernel adds before it reduces.
    for backend in Backend::available() {
        let columns = 128;
        let mut greatest = zeros(2 * columns * ELEMENT);
        for (residues, prime) in greatest.iter_mut().zip(crate::ring::PRIMES.into_iter().cycle()) {
            residues.fill(prime - 1);
        }
        let mut target = greatest[..CIPHERTEXT].to_vec();
        let vector = greatest[..columns * ELEMENT].to_vec();
        dispatch!(backend, lanes => {
            lanes.run(AddProduct { target: &mut target, matrix: &greatest, vector: &vector });
        });
        // 128 times (-1)(-1), and -1.
        assert!(target.as_flattened().iter().all(|residue| *residue == 127), "{}", backend.name());
    }
}

#[test]
fn automorphisms_are_theirs() {
    let element = elements(&mut stream(23), 1);
    let coefficients = from_ntt_alloc(&matrix(&element));
    for power in [3, N / 4 + 1, N + 1] {
        let mut image = zeros(ELEMENT);
        for (from, to) in element.iter().zip(&mut image) {
            permute(&automorphism(power), from, to);
        }
        assert!(image == ours(&automorph_alloc(&coefficients, power).ntt()), "{power}");
    }
}

#[test]
fn encoded_tables_are_theirs_word_for_word_for_every_backend_and_size() {
    let mut stream = stream(24);
    for log_size in [1, 5, 8, 10, 12] {
        let mut memory = words(&mut stream, 1 << log_size);
        memory[0] = 0x8081_7f00_01ff_fe80; // the digits' edges
        let items = their_items(&memory);
        let table = Table { memory: &memory, turn: 0, blind: 0, keys: &[] };
        for backend in Backend::available() {
            let mut encoded = zeros(ELEMENT * items.len());
            dispatch!(backend, lanes => {
                lanes.run(Encode { table, first: 0, elements: &mut encoded });
            });
            for (i, (encoded, item)) in encoded.chunks(ELEMENT).zip(&items).enumerate() {
                assert!(encoded == ours(item), "item {i} of 2^{log_size} by {}", backend.name());
            }
        }
    }
}

#[test]
fn the_first_dimension_is_theirs() {
    let mut stream = stream(25);
    // Tables that fill the dimensions, and ones that do not; and more columns than products are added at once.
    let wide = Params { first: 8, folds: 1, ..Params::new(14) };
    for (params, size) in
        [(Params::new(12), 1 << 12), (Params::new(12), 1 << 9), (Params::new(14), 1 << 14), (wide, 1 << 17)]
    {
        let theirs = theirs(params);
        let first = elements(&mut stream, 2 * params.columns());
        let reoriented: Vec<u64> = (0..N)
            .flat_map(|z| {
                first
                    .chunks(ELEMENT)
                    .map(move |element| u64::from(element[0][z]) | u64::from(element[1][z]) << 32)
            })
            .collect();
        let memory = words(&mut stream, size);
        let database = their_database(params, &their_items(&memory));
        let mut expected: Vec<_> = (0..params.rows()).map(|_| PolyMatrixNTT::zero(&theirs, 2, 1)).collect();
        server::multiply_reg_by_database(
            &mut expected,
            database.as_slice(),
            &reoriented,
            &theirs,
            params.columns(),
            params.rows(),
        );
        let expected: Vec<_> = expected.iter().map(ours).collect();
        let table = Table { memory: &memory, turn: 0, blind: 0, keys: &[] };
        for backend in Backend::available() {
            for threads in [1, 2] {
                let workers = Workers::new(threads).unwrap();
                let ciphertexts = first_dimension(backend, &workers, params, table, &first);
                assert!(ciphertexts == expected, "{}, {threads} threads", backend.name());
            }
        }
    }
}

/// Their keys in our server.
fn our_server(backend: Backend, params: Params, keys: &PublicParameters<'_>) -> Server {
    let all =
        |keys: &Option<Vec<PolyMatrixNTT<'_>>>| keys.as_ref().unwrap().iter().map(ours).collect::<Vec<_>>();
    let first = all(&keys.v_expansion_left).split_off(1); // round 0 has the others' key
    let conversion = all(&keys.v_conversion).remove(0);
    Server::new(backend, params, first, all(&keys.v_expansion_right), conversion)
}

#[test]
fn answers_are_theirs_byte_for_byte() {
    let mut stream = stream(26);
    for log_size in [12, 15, 16] {
        let params = with_their_digits(Params::new(log_size));
        let theirs = theirs(params);
        let mut client = Client::init(&theirs);
        let keys = client.generate_keys();
        let index = (stream.next_u64() % (1 << log_size)) as usize;
        let query = client.generate_query(index / ITEM_WORDS);

        let (first, folds) = server::expand_query(&theirs, &keys, &query);
        let memory = words(&mut stream, 1 << log_size);
        let database = their_database(params, &their_items(&memory));
        let expected = answer(&theirs, database.as_slice(), first.as_slice(), &folds);

        let table = Table { memory: &memory, turn: 0, blind: 0, keys: &[] };
        let ciphertext = ours(&query_ciphertext(&query));
        for backend in Backend::available() {
            let workers = Workers::new(2).unwrap();
            let expanded = our_server(backend, params, &keys).expand(backend, &workers, ciphertext.clone());
            let name = backend.name();
            for (j, ciphertext) in expanded.first.chunks(CIPHERTEXT).enumerate() {
                for (row, element) in ciphertext.chunks(ELEMENT).enumerate() {
                    for z in 0..N {
                        let theirs = first[z * 2 * params.columns() + 2 * j + row];
                        let ours = u64::from(element[0][z]) | u64::from(element[1][z]) << 32;
                        assert_eq!(ours, theirs, "{name}: column {j}");
                    }
                }
            }
            for (bit, folds) in folds.iter().enumerate() {
                assert!(expanded.folds[bit] == ours(folds), "{name}: bit {bit}");
            }
            let rows = first_dimension(backend, &workers, params, table, &expanded.first);
            let folded = fold(backend, &workers, params.gsw, rows, &expanded.folds);
            assert!(shorten(backend, folded) == expected, "{name}: answer");
        }
    }
}

fn query_ciphertext<'a>(query: &Query<'a>) -> PolyMatrixNTT<'a> {
    query.ct.as_ref().unwrap().ntt()
}

/// Their answer, without the packing that matrices of more than one element need.
fn answer<'a>(
    params: &'a Theirs,
    database: &[u64],
    first: &[u64],
    folds: &Vec<PolyMatrixNTT<'a>>,
) -> Vec<u8> {
    let (columns, rows) = (1 << params.db_dim_1, 1 << params.db_dim_2);
    let mut products: Vec<_> = (0..rows).map(|_| PolyMatrixNTT::zero(params, 2, 1)).collect();
    server::multiply_reg_by_database(&mut products, database, first, params, columns, rows);
    let mut ciphertexts: Vec<_> = products.iter().map(PolyMatrixNTT::raw).collect();
    let negated = server::get_v_folding_neg(params, folds);
    server::fold_ciphertexts(params, &mut ciphertexts, folds, &negated);
    ciphertexts.truncate(1);
    server::encode(params, &ciphertexts)
}

#[test]
fn scaling_is_multiplying() {
    let (left, right) = (elements(&mut stream(27), 2), elements(&mut stream(28), 1));
    for backend in Backend::available() {
        let mut scaled = left.clone();
        dispatch!(backend, lanes => lanes.run(Scale { target: &mut scaled, by: &right }));
        for (element, scaled) in left.chunks(ELEMENT).zip(scaled.chunks(ELEMENT)) {
            assert!(ours(&(&matrix(element) * &matrix(&right))) == scaled, "{}", backend.name());
        }
    }
}
