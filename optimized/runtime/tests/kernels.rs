//! Every backend, at every coarse operation, equals the reference's plain computation: one body for all of them.
//!
//! Sizes go from trees smaller than a register over those smaller than a block to several blocks; shifts lie at both ends
//! and around blocks, so that the memory meets leaves at all alignments; threads go from 1 to 4. Under Miri, which is slow,
//! the sizes stay small. With the environment variable `FEW_SIZES` set, a few sizes and shifts of each kind are left, for
//! `ci/mutants`, which runs this once a mutant, and unoptimized.

use duoram_kernel::{Backend, BackendName, Features, LeafSum, Workers};
use duoram_reference::dpf::{conversion_word, flag, value_word};
use duoram_reference::{
    Block, ChildSums, Compute, Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, LeafSums, Plain,
    ReadQuery, Role, SessionKey, UpdateQuery, Word,
};
use duoram_runtime::fast::{Fast, PrimaryMemory, unit_key};
use duoram_spec::paper::compressed::{CompressedState, compress};
use duoram_spec::paper::memory::PrimaryState;
use duoram_vectors::Random;

fn correction(r: &mut Random) -> Correction {
    let bits = r.word();
    Correction { word: r.block() & !1, left_flag: bits & 1 == 1, right_flag: bits & 2 == 2 }
}

/// What a key is made from: keys themselves cannot be copied.
struct Parts {
    root: Block,
    corrections: Vec<Correction>,
    conversion_factor: Word,
}

impl Parts {
    fn random(r: &mut Random, log_size: u32) -> Self {
        let corrections = (0..log_size).map(|_| correction(r)).collect();
        Self { root: r.block(), corrections, conversion_factor: r.word() }
    }

    fn key(&self) -> DpfShare {
        let Self { root, corrections, conversion_factor } = self;
        DpfShare::for_test(*root, corrections.clone(), *conversion_factor)
    }
}

/// All backends that this CPU has. For Miri, those with intrinsics: AES in software has nothing unsafe in it, and would
/// take it a quarter of an hour. Nor is there time for it unoptimized, except on the smallest trees.
fn available(log_size: u32) -> Vec<Backend> {
    let mut available = Backend::available(&Features::detect());
    let portable = !cfg!(miri) && (log_size <= 3 || !few_sizes());
    available.retain(|backend| portable || backend.name() != BackendName::Portable);
    available
}

/// All of them, with some numbers of threads.
fn backends(log_size: u32) -> Vec<(String, Fast)> {
    let threads = match log_size {
        _ if cfg!(miri) => 1..=1,
        ..11 => 1..=1,
        // 24 parts, so that they begin and end within blocks.
        17.. => 3..=3,
        _ if few_sizes() => 2..=2,
        _ => 1..=4,
    };
    let mut fast = Vec::new();
    for backend in available(log_size) {
        for threads in threads.clone() {
            let name = format!("{}, h = {log_size}, {threads} threads", backend.name());
            fast.push((name, Fast::new(backend, Workers::new(threads).unwrap(), 1 << 20)));
        }
    }
    fast
}

fn few_sizes() -> bool {
    std::env::var_os("FEW_SIZES").is_some()
}

fn log_sizes() -> impl Iterator<Item = u32> {
    // Bit by bit, portable AES is slow: of the largest sizes, one. Miri is slower still; with 4 parents all registers fill.
    // The few: less than a register, less than a chunk, one block, several.
    (1..=16).filter(|h| match h {
        _ if cfg!(miri) => [1, 3].contains(h),
        _ if few_sizes() => [1, 3, 11, 13].contains(h),
        _ => *h <= 13 || *h == 16,
    })
}

/// The same, and one that is deep enough for a buffer of the walk to be filled from another one that was itself filled again.
fn log_sizes_and_a_deep_one() -> impl Iterator<Item = u32> {
    log_sizes().chain((!cfg!(miri)).then_some(18))
}

/// Shifts at the ends, and around the blocks and registers of all backends.
fn shifts(log_size: u32) -> Vec<u64> {
    let n = 1_u64 << log_size;
    let around = [1, 2, 4, 8, 16, 512, 1024, 2048].into_iter().flat_map(|b| [b - 1, b, b + 1]);
    let mut shifts: Vec<_> = around.map(|shift| shift % n).chain([n / 2, n - 1]).collect();
    shifts.sort_unstable();
    shifts.dedup();
    let step = match log_size {
        _ if few_sizes() => shifts.len().div_ceil(3),
        17.. => shifts.len().div_ceil(3),
        11.. => 5,
        _ if cfg!(miri) => 5,
        _ => 1,
    };
    shifts.into_iter().step_by(step).collect()
}

fn session_key() -> SessionKey {
    SessionKey::new(*b"a key for tests.")
}

/// What the kernels made of a state.
fn held(memory: &PrimaryMemory) -> CompressedState<Word> {
    CompressedState { combined: memory.combined().to_vec(), blind: memory.blind().to_vec() }
}

/// A random state of the paper's, and its compression.
fn states(r: &mut Random, n: usize) -> (PrimaryState<Word>, CompressedState<Word>) {
    let state = PrimaryState { memory_share: r.words(n), blind: r.words(n), blinded: r.words(n) };
    let compressed = compress(&state);
    (state, compressed)
}

fn memory<C: Compute>(compute: &C, state: &PrimaryState<Word>) -> C::PrimaryMemory {
    compute.primary_memory(state.memory_share.clone(), state.blind.clone(), state.blinded.clone())
}

#[test]
fn read_equals_the_reference() {
    let (mut r, key) = (Random(1), session_key());
    for log_size in log_sizes_and_a_deep_one() {
        let (state, _) = states(&mut r, 1 << log_size);
        let parts: Vec<_> = shifts(log_size)
            .into_iter()
            .map(|shift| (Parts::random(&mut r, log_size), Parts::random(&mut r, log_size), shift))
            .collect();
        let queries = || -> Vec<_> {
            let query = |(first, second, shift): &(Parts, Parts, u64)| ReadQuery {
                read: first.key(),
                refresh: second.key(),
                shift: *shift,
            };
            parts.iter().map(query).collect()
        };
        for role in [Role::P0, Role::P1] {
            let expected = Plain.read(&key, role, &memory(&Plain, &state), &queries());
            for (name, fast) in backends(log_size) {
                let memory = memory(&fast, &state);
                // All in one pass, and one alone.
                assert_eq!(fast.read(&key, role, &memory, &queries()), expected, "{role}, {name}");
                assert_eq!(fast.read(&key, role, &memory, &queries()[..1]), expected[..1], "{role}, {name}");
            }
        }
    }
}

#[test]
fn unblinding_equals_the_reference() {
    let (mut r, key) = (Random(2), session_key());
    for log_size in log_sizes() {
        let (blind_0, blind_1) = (r.words(1 << log_size), r.words(1 << log_size));
        let shifts = shifts(log_size);
        let parts: Vec<_> = shifts
            .iter()
            .map(|_| (Parts::random(&mut r, log_size), Parts::random(&mut r, log_size)))
            .collect();
        let queries = || -> Vec<_> {
            let query = |((second, third), shift): (&(Parts, Parts), &u64)| HelperReadQuery {
                dpf_2: second.key(),
                dpf_3: third.key(),
                shift: *shift,
            };
            parts.iter().zip(&shifts).map(query).collect()
        };
        let plain = Plain.helper_memory(blind_0.clone(), blind_1.clone());
        let expected = Plain.unblinding(&key, &plain, &queries());
        for (name, fast) in backends(log_size) {
            let memory = fast.helper_memory(blind_0.clone(), blind_1.clone());
            assert_eq!(fast.unblinding(&key, &memory, &queries()), expected, "{name}");
        }
    }
}

#[test]
fn update_leads_to_the_compression_of_the_references_state() {
    let (mut r, key) = (Random(3), session_key());
    for log_size in log_sizes() {
        let (state, _) = states(&mut r, 1 << log_size);
        let shifts = shifts(log_size);
        let parts: Vec<_> =
            shifts.iter().map(|_| [(); 3].map(|()| (Parts::random(&mut r, log_size), r.word()))).collect();
        let queries = || -> Vec<_> {
            let query = |(trees, shift): (&[(Parts, Word); 3], &u64)| UpdateQuery {
                dpfs: trees.each_ref().map(|(parts, _)| parts.key()),
                final_corrections: trees.each_ref().map(|(_, f)| *f),
                shift: *shift,
            };
            parts.iter().zip(&shifts).map(query).collect()
        };
        for role in [Role::P0, Role::P1] {
            let mut plain = memory(&Plain, &state);
            Plain.update(&key, role, &mut plain, &queries());
            let expected = compress(&PrimaryState {
                memory_share: plain.memory_share.clone(),
                blind: plain.blind.clone(),
                blinded: plain.blinded.clone(),
            });
            for (name, fast) in backends(log_size) {
                let mut together = memory(&fast, &state);
                fast.update(&key, role, &mut together, &queries());
                assert!(held(&together) == expected, "{role}, {name}");
                let mut alone = memory(&fast, &state);
                for query in queries() {
                    fast.update(&key, role, &mut alone, &[query]);
                }
                assert!(held(&alone) == expected, "{role}, {name}, one at a time");
            }
        }
    }
}

#[test]
fn update_of_the_helper_equals_the_reference() {
    let (mut r, key) = (Random(4), session_key());
    for log_size in log_sizes() {
        let (blind_0, blind_1) = (r.words(1 << log_size), r.words(1 << log_size));
        let shifts = shifts(log_size);
        let parts: Vec<_> = shifts
            .iter()
            .map(|_| (Parts::random(&mut r, log_size), Parts::random(&mut r, log_size), r.word(), r.word()))
            .collect();
        let queries = || -> Vec<_> {
            let query =
                |((second, third, f_2, f_3), shift): (&(Parts, Parts, Word, Word), &u64)| HelperUpdateQuery {
                    dpf_2: second.key(),
                    dpf_3: third.key(),
                    final_correction_2: *f_2,
                    final_correction_3: *f_3,
                    shift: *shift,
                };
            parts.iter().zip(&shifts).map(query).collect()
        };
        let mut plain = Plain.helper_memory(blind_0.clone(), blind_1.clone());
        Plain.update_blinds(&key, &mut plain, &queries());
        for (name, fast) in backends(log_size) {
            let mut memory = fast.helper_memory(blind_0.clone(), blind_1.clone());
            fast.update_blinds(&key, &mut memory, &queries());
            assert!(memory.blind_0() == plain.blind_0 && memory.blind_1() == plain.blind_1, "{name}");
        }
    }
}

/// Grows trees to the end: the sums of each level, and of the leaves.
fn grown<C: Compute>(
    compute: &C,
    roots: &[Block],
    corrections: &[Vec<Correction>],
) -> (Vec<Vec<ChildSums>>, Vec<LeafSums>) {
    let log_size = u32::try_from(corrections.len()).unwrap();
    let mut forest = compute.plant(&session_key(), roots.to_vec(), log_size);
    let mut sums = Vec::new();
    for level in corrections {
        sums.push(compute.grow(&mut forest));
        compute.correct(&mut forest, level);
    }
    (sums, compute.leaf_sums(forest))
}

#[test]
fn growing_a_forest_equals_the_reference_whatever_is_stored() {
    let mut r = Random(5);
    for log_size in log_sizes() {
        let roots: Vec<_> = (0..3).map(|_| r.block()).collect();
        let corrections: Vec<Vec<_>> =
            (0..log_size).map(|_| roots.iter().map(|_| correction(&mut r)).collect()).collect();
        let expected = grown(&Plain, &roots, &corrections);
        for backend in available(log_size) {
            // From nothing but the roots to more than there is to store.
            let stored = match () {
                () if cfg!(miri) => vec![3 << 6],
                () if few_sizes() => vec![0, 3 << 10],
                () => vec![0, 3 << 6, 3 << 10, 3 << 14, 1 << 30],
            };
            for tree_bytes in stored {
                let fast = Fast::new(backend, Workers::new(1).unwrap(), tree_bytes);
                let name = format!("{}, h = {log_size}, {tree_bytes} bytes", backend.name());
                assert!(grown(&fast, &roots, &corrections) == expected, "{name}");
            }
            if log_size > 10 {
                let fast = Fast::new(backend, Workers::new(3).unwrap(), 1 << 14);
                assert!(grown(&fast, &roots, &corrections) == expected, "{}, threads", backend.name());
            }
        }
    }
}

#[test]
fn leaf_sum_is_the_sum_of_the_evaluated_leaves() {
    let (mut r, key) = (Random(6), session_key());
    for log_size in log_sizes_and_a_deep_one() {
        let parts = Parts::random(&mut r, log_size);
        let labels = parts.key().evaluate(&key);
        let mut sum = LeafSum::default();
        for label in labels.iter() {
            sum.flag_count += flag(*label);
            sum.conversion_sum = sum.conversion_sum.wrapping_add(conversion_word(*label));
            sum.value_sum = sum.value_sum.wrapping_add(value_word(*label));
        }
        for (name, fast) in backends(log_size) {
            assert_eq!(fast.kernels(&key).leaf_sum(unit_key(&parts.key()).key()), sum, "{name}");
        }
    }
}

/// A CPU that lacks a feature lacks what needs it, says so by name, and never runs it.
#[test]
fn a_backend_exists_only_with_all_of_its_features() {
    let all = Features::detect();
    let tested: Vec<_> = available(1).iter().map(|backend| backend.name().as_str()).collect();
    println!("tested: {}", tested.join(", "));
    let needs = [
        (BackendName::AesNi, &["aes"][..]),
        (BackendName::Vaes256, &["aes", "vaes", "avx2"][..]),
        (BackendName::Vaes512, &["aes", "vaes", "avx2", "avx512f", "avx512dq", "avx512vbmi", "gfni"][..]),
    ];
    for (name, features) in needs {
        assert_eq!(name.to_string(), name.as_str());
        if Backend::new(name, &all).is_err() {
            println!("{name}: not tested, this CPU lacks it");
            continue;
        }
        for feature in features {
            let without = all.clone().without(feature);
            let error = Backend::new(name, &without).unwrap_err();
            assert_eq!(error.missing, *feature, "{name}");
            let text = error.to_string();
            assert!(text.contains(name.as_str()) && text.contains(feature), "{text}");
            assert!(Backend::available(&without).iter().all(|backend| backend.name() != name));
        }
    }
    assert!(Backend::new(BackendName::Portable, &all.without("aes")).is_ok());
}
