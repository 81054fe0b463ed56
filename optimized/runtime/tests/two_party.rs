//! A session of two parties in threads, by every backend: against a plain array, and by all of them the same words.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::two_party::compute::{Compute, UpdateQuery};
use duoram_reference::two_party::dpf::DpfKey;
use duoram_reference::two_party::{Plain, TwoParty};
use duoram_reference::{Correction, Parameters, Role, SessionId, SessionKey, Word};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::operation::{Operation, demand};
use duoram_runtime::protocol::Runs;
use duoram_runtime::seed::Seeds;
use duoram_runtime::transport::Transport;
use duoram_vectors::randomness::stream;

/// Some of every kind, anywhere.
fn operations(n: u64) -> Vec<Operation> {
    let places = |i: u64| (i.wrapping_mul(0x9e37_79b9) % n, i.wrapping_mul(0x85eb_ca6b) % n);
    (0..3)
        .flat_map(|i: u64| {
            let (address, other) = places(i);
            [
                Operation::Update { address, delta: vec![!i] },
                Operation::Write { address: other, value: vec![i % n] },
                Operation::Swap { address: other, value: vec![!i % n] },
                Operation::Read { address },
                Operation::Chase { address: other, steps: 3 },
            ]
        })
        .collect()
}

/// Runs them, and compares each result with a plain array.
fn session<C: LocalComputation>(computation: &C, log_size: u32)
where
    TwoParty: Runs<C>,
{
    let parameters = Parameters::new(SessionId(*b"of two parties.."), log_size).unwrap();
    let seeds =
        Seeds { client: [7; 32], parties: [[1; 32], [2; 32], [3; 32]], session: parameters.session() };
    let budget = Budget { batch: 20, stock: 100, queries: 2 };
    let mut client = Client::<TwoParty, _>::start(
        parameters,
        &seeds,
        |_| computation.clone(),
        budget,
        Transport::Memory,
        (),
    )
    .unwrap();
    let mut memory: Vec<Word> = (0..parameters.size()).map(|i| i.wrapping_mul(0xc2b2_ae35)).collect();
    client.load(&memory).unwrap();
    let operations = operations(parameters.size());
    client.preprocess(demand::<TwoParty>(&operations), |_| ()).unwrap();
    let place = |address: Word| usize::try_from(address % parameters.size()).unwrap();
    for operation in operations {
        let expected = match &operation {
            Operation::Read { address } => Some(memory[place(*address)]),
            Operation::Update { address, delta } => {
                memory[place(*address)] = memory[place(*address)].wrapping_add(delta[0]);
                None
            }
            Operation::Write { address, value } => {
                memory[place(*address)] = value[0];
                None
            }
            Operation::Swap { address, value } => {
                Some(std::mem::replace(&mut memory[place(*address)], value[0]))
            }
            Operation::Chase { address, steps } => {
                Some((0..*steps).fold(*address, |address, _| memory[place(address)]))
            }
        };
        let got = client.perform(operation.clone()).unwrap();
        assert_eq!(
            got,
            expected.map(|word| vec![word]),
            "{}, h = {log_size}: {operation}",
            computation.name()
        );
    }
}

#[test]
fn every_backend_answers_as_an_array() {
    session(&Plain, 5);
    for backend in Backend::available(&Features::detect()) {
        for (log_size, threads) in [(1, 1), (2, 2), (7, 1), (12, 2)] {
            session(&Fast::new(backend, Workers::new(threads).unwrap(), 1 << 20), log_size);
        }
    }
}

/// A key of random parts, the same whenever it is made.
fn key(log_size: u32, number: u8) -> DpfKey {
    let mut words = stream([number; 32], 2 + 3 * log_size as usize + 1).into_iter();
    let mut word = || words.next().unwrap();
    let mut block = || u128::from(word()) << 64 | u128::from(word());
    let root = block();
    let corrections = (0..log_size).map(|_| {
        let bits = block();
        Correction { word: bits & !1, left_flag: bits >> 70 & 1 == 1, right_flag: bits >> 80 & 1 == 1 }
    });
    let corrections = corrections.collect();
    DpfKey::for_test(root, corrections, Word::from(number) | 1)
}

/// Word for word what the reference makes of the same keys: for all sizes of trees, of both parties, several at once, at any shift.
#[test]
fn an_update_equals_the_reference() {
    let session_key = SessionKey::new([9; 16]);
    for log_size in 1..=13 {
        let size = 1u64 << log_size;
        let shares = stream([8; 32], 1 << log_size);
        let queries = || {
            [(1, 5, 0), (2, Word::MAX, size - 1), (3, 1 << 63, size / 2)].map(
                |(number, final_correction, shift)| UpdateQuery {
                    key: key(log_size, number),
                    final_correction,
                    shift,
                },
            )
        };
        for role in [Role::P0, Role::P1] {
            let mut expected = Plain.memory(shares.clone());
            Plain.update(&session_key, role, &mut expected, &queries());
            assert_ne!(Plain.words(&expected), shares);
            for backend in Backend::available(&Features::detect()) {
                let fast = Fast::new(backend, Workers::new(2).unwrap(), 1 << 20);
                let mut got = Compute::memory(&fast, shares.clone());
                Compute::update(&fast, &session_key, role, &mut got, &queries());
                assert!(
                    Compute::words(&fast, &got) == Plain.words(&expected),
                    "{}, {role}, h = {log_size}",
                    backend.name()
                );
            }
        }
    }
}
