//! What `tests/kernels.rs` does not see: each operation of a backend alone, refusals, and what is only about speed or memory
//! but promised all the same.

use alloc::vec;
use alloc::vec::Vec;
use std::println;

use super::backend::dispatch;
use super::buffer::Buffer;
use super::lanes::{Lanes, MANY, Nothing, Row};
use super::tree::CHUNK;
use super::workers::ranges;
use super::*;

fn backends() -> Vec<Backend> {
    Backend::available(&Features::detect())
}

fn word(index: usize) -> u64 {
    (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn block(index: usize) -> u128 {
    u128::from(word(2 * index)) << 64 | u128::from(word(2 * index + 1))
}

/// A row of so many words or blocks.
fn row<R: Row + Copy>(of: impl Fn(usize) -> R::Item, len: usize) -> R
where
    R::Item: Copy,
{
    let items: Vec<_> = (0..len).map(of).collect();
    R::rows(&items)[0]
}

/// Every operation against its definition, place by place.
fn operations_are_what_they_say<L: Lanes>(lanes: L) {
    let (blocks, words) = (L::WIDTH, 2 * L::WIDTH);
    let a_row: L::WordRow = row(word, words);
    let b_row: L::WordRow = row(|i| word(i + 50), words);
    let (a, b) = (lanes.load_words(&a_row), lanes.load_words(&b_row));
    let each = |got: L::Words, expected: &dyn Fn(u64, u64) -> u64, name: &str| {
        let expected: Vec<u64> =
            a_row.items().iter().zip(b_row.items()).map(|(a, b)| expected(*a, *b)).collect();
        assert_eq!(lanes.to_word_row(got).items(), expected, "{name}");
    };
    each(a, &|a, _| a, "load_words");
    each(lanes.splat_word(7), &|_, _| 7, "splat_word");
    each(lanes.add(a, b), &u64::wrapping_add, "add");
    each(lanes.sub(a, b), &u64::wrapping_sub, "sub");
    each(lanes.and(a, b), &|a, b| a & b, "and");
    each(lanes.xor(a, b), &|a, b| a ^ b, "xor");
    each(lanes.mul(a, b), &u64::wrapping_mul, "mul");
    let seven = lanes.splat_word(7);
    each(
        lanes.add_where_odd(seven, a, b),
        &|a, b| if a & 1 == 1 { b.wrapping_add(7) } else { 7 },
        "add_where_odd",
    );

    let products = a_row.items().iter().zip(b_row.items()).map(|(a, b)| a.wrapping_mul(*b));
    let product = products.fold(0, u64::wrapping_add);
    let once = lanes.add_product(lanes.product(), a, b);
    assert_eq!(lanes.product_sum(lanes.product()), 0, "product");
    assert_eq!(lanes.product_sum(once), product, "add_product");
    assert_eq!(
        lanes.product_sum(lanes.add_product(once, a, b)),
        product.wrapping_mul(2),
        "add_product, again"
    );
    assert_eq!(
        lanes.word_sum(a),
        a_row.items().iter().fold(0, |sum, word| u64::wrapping_add(sum, *word)),
        "word_sum"
    );

    let c_row: L::BlockRow = row(block, blocks);
    let d_row: L::BlockRow = row(|i| block(i + 50), blocks);
    let (c, d) = (lanes.load_blocks(&c_row), lanes.load_blocks(&d_row));
    let each = |got: L::Blocks, expected: &dyn Fn(u128, u128) -> u128, name: &str| {
        let expected: Vec<u128> =
            c_row.items().iter().zip(d_row.items()).map(|(c, d)| expected(*c, *d)).collect();
        assert_eq!(lanes.to_block_row(got).items(), expected, "{name}");
        let mut stored = d_row;
        lanes.store_blocks(&mut stored, got);
        assert_eq!(stored.items(), expected, "store_blocks, {name}");
    };
    each(c, &|c, _| c, "load_blocks");
    each(lanes.splat_block(block(9)), &|_, _| block(9), "splat_block");
    each(lanes.xor_blocks(c, d), &|c, d| c ^ d, "xor_blocks");
    each(lanes.cleared_xor(c, d), &|c, d| (c & !1) ^ d, "cleared_xor");
    let [flags] = lanes.flags([c]);
    let (base, correction) = (lanes.splat_block(block(7)), d);
    each(
        lanes.xor_unless(flags, base, correction),
        &|c, d| block(7) ^ if c & 1 == 1 { 0 } else { d },
        "xor_unless",
    );
    each(
        lanes.xor_where(lanes.pack_flags(c), base, correction),
        &|c, d| block(7) ^ if c & 1 == 1 { d } else { 0 },
        "pack_flags, xor_where",
    );
    assert_eq!(lanes.block_sum(c), c_row.items().iter().fold(0, |sum, block| sum ^ block), "block_sum");

    let halves = |block: &u128| [*block as u64, (*block >> 64) as u64];
    let as_words: Vec<u64> = c_row.items().iter().flat_map(halves).collect();
    assert_eq!(lanes.to_word_row(lanes.words(c)).items(), as_words, "words");
    let [low, high] = lanes.unzip(c, d).map(|words| lanes.to_word_row(words));
    for lane in 0..blocks {
        let (c, d) = (halves(&c_row.items()[lane]), halves(&d_row.items()[lane]));
        assert_eq!(low.items()[2 * lane..2 * lane + 2], [c[0], d[0]], "unzip, low halves");
        assert_eq!(high.items()[2 * lane..2 * lane + 2], [c[1], d[1]], "unzip, high halves");
    }

    // AES-128 (FIPS 197, appendix C.1) in all places, on both sides.
    let schedule = Schedule::new(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);
    let plain = 0xffee_ddcc_bbaa_9988_7766_5544_3322_1100;
    let state = lanes.splat_block(plain ^ schedule.round_key(0));
    let last = lanes.splat_block(schedule.round_key(10));
    let ciphers = lanes.cipher(&lanes.keys(&schedule), [[state]; 2], [[last]; 2], &mut Nothing);
    for cipher in ciphers.as_flattened() {
        each(*cipher, &|_, _| 0x5ac5_b470_80b7_cdd8_3004_7b6a_d8e0_c469, "rounds");
    }

    let mut apart = vec![0; 3 * blocks];
    lanes.store_apart(&mut apart, 1, 3, c);
    for (index, label) in apart.iter().enumerate() {
        let expected = if index % 3 == 1 { c_row.items()[index / 3] } else { 0 };
        assert_eq!(*label, expected, "store_apart, {index}");
    }

    // Lane k has its pair `stride` further than lane k - 1; nothing else is touched.
    let stride = 3;
    let pairs: Vec<[u64; 2]> = (0..stride * blocks).map(|i| [word(2 * i), word(2 * i + 1)]).collect();
    let expected: Vec<u64> = (0..blocks).flat_map(|lane| pairs[1 + lane * stride]).collect();
    let loaded = lanes.load_pairs(&pairs, 1, stride);
    assert_eq!(lanes.to_word_row(loaded).items(), expected, "load_pairs");
    let mut stored = vec![[0; 2]; pairs.len()];
    lanes.store_pairs(&mut stored, 1, stride, loaded);
    for (index, pair) in stored.iter().enumerate() {
        let expected = if index % stride == 1 { pairs[index] } else { [0; 2] };
        assert_eq!(*pair, expected, "store_pairs, {index}");
    }
}

/// The same for what only flags and values need.
fn selecting_operations_are_what_they_say<L: Lanes>(lanes: L) {
    let (blocks, words) = (L::WIDTH, 2 * L::WIDTH);
    let a_row: L::WordRow = row(word, words);
    let b_row: L::WordRow = row(|i| word(i + 50), words);
    let (a, b) = (lanes.load_words(&a_row), lanes.load_words(&b_row));
    let seventh = block(7);
    let everywhere = lanes.to_block_row(lanes.load_everywhere(&seventh));
    assert_eq!(everywhere.items(), vec![block(7); blocks], "load_everywhere");
    let mut stored = b_row;
    lanes.store_words(&mut stored, a);
    assert_eq!(stored.items(), a_row.items(), "store_words");
    let swapped: Vec<u64> = (0..words).map(|i| a_row.items()[i ^ 1]).collect();
    assert_eq!(lanes.to_word_row(lanes.swap_words(a)).items(), swapped, "swap_words");
    for distance in 0..words {
        let exchanged: Vec<u64> = (0..words).map(|i| a_row.items()[i ^ distance]).collect();
        let got = lanes.to_word_row(lanes.exchange(a, lanes.distance(distance)));
        assert_eq!(got.items(), exchanged, "exchange by {distance}");
    }
    // Flags of sixteen sums, eight words of each.
    let rows: Vec<[u64; 8]> = (0..MANY).map(|q| core::array::from_fn(|i| word(200 + 8 * q + i))).collect();
    let mut flags = [[7; MANY]; 8];
    for half in [1, 0] {
        let before = flags;
        lanes.turn(core::array::from_fn(|i| &rows[8 * half + i]), &mut flags, half);
        let other = 8 * (1 - half)..8 * (2 - half);
        for (flags, before) in flags.iter().zip(before) {
            assert_eq!(flags[other.clone()], before[other.clone()], "turn, the half that stays");
        }
    }
    for groups in [1, 2, 8] {
        let many: Vec<u64> = (0..64 * groups).map(word).collect();
        for count in [1, 9, MANY] {
            let mut sums = vec![3; count];
            lanes.select_many(&many, &flags[..groups], &mut sums);
            for (q, sum) in sums.iter().enumerate() {
                let picked = (0..many.len())
                    .filter(|i| rows[q][i / 64] >> (i % 64) & 1 == 1)
                    .fold(3, |sum, i| sum ^ many[i]);
                assert_eq!(*sum, picked, "turn, select_many, {q} of {count}, {groups} words of flags");
            }
        }
    }
    for bits in [0, u64::MAX, word(3)] {
        for row in 0..64 / words {
            let got = lanes.to_word_row(lanes.xor_where_bits(a, lanes.bits(bits), row, b));
            for (i, got) in got.items().iter().enumerate() {
                let picked = if bits >> (row * words + i) & 1 == 1 { b_row.items()[i] } else { 0 };
                assert_eq!(*got, a_row.items()[i] ^ picked, "xor_where_bits, {bits:x}, row {row}, word {i}");
            }
        }
    }
}

#[test]
fn every_operation_of_every_backend() {
    for backend in backends() {
        println!("{}", backend.name());
        dispatch!(backend, lanes => {
            operations_are_what_they_say(lanes);
            operations_are_what_they_say(lanes.single());
            selecting_operations_are_what_they_say(lanes);
            selecting_operations_are_what_they_say(lanes.single());
        });
    }
}

/// All other tests are about the backends that are available: if one were never chosen, they would pass.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_backend_is_available_exactly_if_the_cpu_has_what_it_needs() {
    use std::arch::is_x86_feature_detected as has;
    let vaes = has!("aes") && has!("vaes") && has!("avx2");
    let expected = [
        (
            BackendName::Vaes512,
            vaes && has!("avx512f") && has!("avx512dq") && has!("avx512vbmi") && has!("gfni"),
        ),
        (BackendName::Vaes256, vaes),
        (BackendName::AesNi, has!("aes")),
        (BackendName::Portable, true),
    ];
    let expected: Vec<_> = expected.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
    assert_eq!(backends().into_iter().map(Backend::name).collect::<Vec<_>>(), expected);
    for lacking in ["aes", "vaes", "avx2", "avx512f", "avx512dq", "avx512vbmi", "gfni"] {
        let features = Features::detect().without(lacking);
        let names: Vec<_> = Backend::available(&features).into_iter().map(Backend::name).collect();
        let needed: &[BackendName] = match lacking {
            "aes" => &[BackendName::Vaes512, BackendName::Vaes256, BackendName::AesNi],
            "vaes" | "avx2" => &[BackendName::Vaes512, BackendName::Vaes256],
            _ => &[BackendName::Vaes512],
        };
        let left: Vec<_> = expected.iter().copied().filter(|name| !needed.contains(name)).collect();
        assert_eq!(names, left, "without {lacking}");
    }
}

#[test]
fn a_level_that_fills_no_registers_goes_to_the_backend_with_one_label_a_register() {
    for backend in backends() {
        let narrow = match backend.name() {
            BackendName::Vaes512 | BackendName::Vaes256 => BackendName::AesNi,
            name => name,
        };
        assert_eq!(backend.for_parents(CHUNK).name(), backend.name());
        assert_eq!(backend.for_parents(CHUNK - 1).name(), narrow);
    }
}

#[test]
fn a_buffer_has_its_length_and_starts_at_a_cache_line() {
    for len in [1, 3, 4, 1000] {
        let mut buffer = Buffer::new(len);
        assert_eq!(buffer.labels(), vec![0; len]);
        buffer.labels_mut()[len - 1] = 1;
        assert_eq!(buffer.labels()[len - 1], 1);
        assert!(cfg!(miri) || buffer.labels().as_ptr().addr().is_multiple_of(64), "{len}");
    }
}

#[test]
fn ranges_cover_everything_once_and_differ_by_one_at_most() {
    for (len, parts) in [(0, 1), (1, 1), (7, 3), (8, 4), (5, 8)] {
        let ranges = ranges(len, parts);
        assert_eq!(ranges.len(), parts);
        assert_eq!(ranges.iter().cloned().flatten().collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
        let lengths = || ranges.iter().map(ExactSizeIterator::len);
        assert!(lengths().max().unwrap() - lengths().min().unwrap() <= 1, "{len} in {parts}");
    }
}

#[cfg(feature = "threads")]
#[test]
fn one_thread_has_one_part_and_several_have_more_parts_than_threads() {
    assert_eq!(Workers::new(0).unwrap().threads(), 1);
    let (one, two) = (Workers::one(), Workers::new(2).unwrap());
    assert_eq!(Workers::new(1).unwrap().threads(), 1);
    assert_eq!((one.threads(), two.threads()), (1, 2));
    assert_eq!((one.parts(100), two.parts(100), two.parts(5)), (1, 16, 5));
    assert_eq!(two.map(vec![1, 2, 3], |item| 10 * item), [10, 20, 30]);
    let kernels = Kernels::new(backends()[0], 0, &two);
    assert_eq!(kernels.threads(), 2);
}

#[test]
fn trees_are_stored_as_deep_as_is_useful_and_the_budget_allows() {
    // A label, and half a byte of flags at most.
    assert_eq!((Forest::bytes_per_tree(0), Forest::bytes_per_tree(10)), (16, (16 << 10) + (1 << 9)));
    let (dear, cheap) = (Tuning::new(100.0), Tuning::new(0.0));
    assert_eq!(
        Forest::stored_depth(20, 3, usize::MAX, dear),
        14,
        "never more than 6 levels above the leaves"
    );
    assert_eq!(Forest::stored_depth(20, 3, usize::MAX, cheap), 19, "never the leaves themselves");
    assert_eq!(Forest::stored_depth(3, 3, usize::MAX, dear), 0);
    let enough = 3 * Forest::bytes_per_tree(9);
    assert_eq!(Forest::stored_depth(20, 3, enough, dear), 9, "just enough");
    assert_eq!(Forest::stored_depth(20, 3, enough - 1, dear), 8, "a byte too little");
    assert_eq!(Forest::stored_depth(20, 3, 0, dear), 0, "the root is always there");
}

/// Calls a leaf by the formula, and the level that a cost of a label leads to.
#[test]
fn the_dearer_memory_is_the_less_is_stored() {
    let above = |cost| Tuning::new(cost).levels_above();
    assert_eq!([0.0, 3.9, 4.1, 5.9, 6.1, 7.9, 8.1].map(above), [1, 1, 2, 2, 3, 3, 4]);
    assert_eq!(above(1e9), 6);
    assert_eq!(Tuning::default().levels_above(), 6);
}

#[test]
fn the_yardsticks_count_what_they_do() {
    let workers = Workers::one();
    for backend in backends() {
        let kernels = Kernels::new(backend, 1, &workers);
        assert_eq!(kernels.run_aes_limit(2), 1024, "512 labels, twice");
        assert_eq!(kernels.run_memory_limit(&[&[1; 64], &[1; 32]]), 768);
    }
}

fn key(log_size: usize) -> UnitKey {
    UnitKey::new(Key::new(2, vec![Correction::default(); log_size]), 1)
}

/// What the documentation says to panic does: it is a mistake of the caller's that would give wrong shares.
fn panics(what: &str, call: impl Fn(&Kernels<'_>) + std::panic::RefUnwindSafe) {
    let caught = std::panic::catch_unwind(|| call(&Kernels::detect(1)));
    assert!(caught.is_err(), "{what} was accepted");
}

#[test]
fn lengths_that_differ_are_refused() {
    let (small, large) = (key(2), key(3));
    let update = |second, third| {
        let tree = |key| UpdateTree { key, final_correction: 1 };
        Update { second: tree(second), third: tree(third), shift: 0 }
    };
    panics("READ: a first key of another size", |kernels| {
        let query = ReadQuery { key: &large, refresh_key: &small, shift: 0 };
        kernels.read(Party::P0, &[0; 4], &[0; 4], &[query]);
    });
    panics("READ: a second key of another size", |kernels| {
        let query = ReadQuery { key: &small, refresh_key: &large, shift: 0 };
        kernels.read(Party::P0, &[0; 4], &[0; 4], &[query]);
    });
    panics("READ: a blind of another length", |kernels| {
        let query = ReadQuery { key: &small, refresh_key: &small, shift: 0 };
        kernels.read(Party::P0, &[0; 4], &[0; 8], &[query]);
    });
    panics("UPDATE: a key of another size", |kernels| {
        kernels.update(Party::P0, &mut [0; 4], &mut [0; 4], &[update(&small, &large)]);
    });
    panics("UPDATE: a blind of another length", |kernels| {
        kernels.update(Party::P0, &mut [0; 4], &mut [0; 8], &[update(&small, &small)]);
    });
    let workers = Workers::one();
    let kernels = Kernels::new(backends()[0], 1, &workers);
    assert!(kernels.read(Party::P0, &[0; 4], &[0; 8], &[]).is_empty(), "nothing asked, nothing compared");
    kernels.update(Party::P0, &mut [0; 4], &mut [0; 4], &[]);
}

#[test]
fn a_level_is_grown_and_corrected_in_turn() {
    let correction = [Correction::default()];
    panics("growing twice", |kernels| {
        let mut forest = kernels.plant(&[2], 0);
        kernels.grow(&mut forest);
        kernels.grow(&mut forest);
    });
    panics("correcting what has not grown", |kernels| {
        kernels.correct(&mut kernels.plant(&[2], 0), &correction);
    });
    panics("too few corrections", |kernels| {
        let mut forest = kernels.plant(&[2], 0);
        kernels.grow(&mut forest);
        kernels.correct(&mut forest, &[]);
    });
    panics("leaves of a level that is not corrected", |kernels| {
        let mut forest = kernels.plant(&[2], 0);
        kernels.grow(&mut forest);
        kernels.leaf_sums(&forest);
    });
    panics("leaves of a root", |kernels| {
        kernels.leaf_sums(&kernels.plant(&[2], 0));
    });
}
