//! Evaluation against the specification: every backend, all depths from 1 to 17, whole trees, ranges that begin and end
//! anywhere, points, and with the feature `threads` one to three threads.
#![allow(missing_docs)]
#![allow(clippy::cast_possible_truncation)] // words are taken from blocks by casts

use duoram_kernel::{
    Backend, BackendName, BitKey, Correction, Features, Kernels, Key, Party, WordKey, Workers,
};
use duoram_spec::core::aes::{encrypt, expand_key};
use duoram_spec::core::dpf::{self, eval, eval_full};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::Primary;
use duoram_spec::core::{block, dealer};

const PRG_KEY: u128 = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;

fn prg() -> AesPrg {
    AesPrg { aes: expand_key(&PRG_KEY.to_le_bytes()) }
}

/// A generator of numbers without structure: multiplication by a constant.
struct Random(u128);

impl Random {
    fn block(&mut self) -> u128 {
        self.0 = self.0.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
        self.0.rotate_left(41) ^ self.0 >> 64
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.block() % end as u128).unwrap()
    }

    /// A key with arbitrary contents, as both sides know it. Half of its nodes have their flag set.
    fn key(&mut self, log_size: usize) -> dpf::Key {
        let mut correction = || {
            let flags = self.block();
            dpf::Correction { word: self.block() & !1, left_flag: flags & 1 == 1, right_flag: flags & 2 == 2 }
        };
        let corrections = (0..log_size).map(|_| correction()).collect();
        dpf::Key { root: self.block(), corrections }
    }
}

fn ours(key: &dpf::Key) -> Key {
    let correction =
        |c: &dpf::Correction| Correction { word: c.word, left_flag: c.left_flag, right_flag: c.right_flag };
    Key::new(key.root, key.corrections.iter().map(correction).collect())
}

fn all_workers() -> Vec<Workers> {
    #[cfg(feature = "threads")]
    return (1..=3).map(|threads| Workers::new(threads).unwrap()).collect();
    #[cfg(not(feature = "threads"))]
    return vec![Workers::one()];
}

fn backends() -> Vec<Backend> {
    let mut backends = Backend::available(&Features::detect());
    // Software AES has nothing unsafe in it, and takes Miri too long.
    backends.retain(|backend| !cfg!(miri) || backend.name() != BackendName::Portable);
    backends
}

fn log_sizes() -> impl Iterator<Item = usize> {
    (1..=17).filter(|h| !cfg!(miri) || [1, 3, 8, 10].contains(h))
}

/// Every backend with every number of threads.
fn each(mut body: impl FnMut(&Kernels<'_>, &str)) {
    for workers in all_workers() {
        for backend in backends() {
            let kernels = Kernels::new(backend, PRG_KEY, &workers);
            body(&kernels, &format!("{}, {} threads", kernels.backend().name(), kernels.threads()));
        }
    }
}

/// The ends, and some from anywhere to anywhere; at odd places nearly always.
fn ranges(random: &mut Random, leaves: usize) -> Vec<(usize, usize)> {
    let mut ranges = vec![(0, leaves), (0, 0), (leaves, leaves), (leaves - 1, leaves), (leaves / 2, leaves)];
    for _ in 0..6 {
        let (a, b) = (random.below(leaves + 1), random.below(leaves + 1));
        ranges.push((a.min(b), a.max(b)));
    }
    ranges
}

#[test]
fn labels_are_the_specifications() {
    let mut random = Random(1);
    for log_size in log_sizes() {
        let key = random.key(log_size);
        let expected = eval_full(&prg(), &key);
        let ranges = ranges(&mut random, expected.len());
        each(|kernels, name| {
            let key = ours(&key);
            assert!(*kernels.labels(&key) == expected, "h = {log_size}, {name}");
            for &(from, to) in &ranges {
                let mut labels = vec![0; to - from];
                kernels.labels_into(&key, from, &mut labels);
                assert!(labels == expected[from..to], "h = {log_size}, {from}..{to}, {name}");
            }
        });
    }
}

#[test]
fn words_are_the_specifications() {
    let mut random = Random(2);
    for log_size in log_sizes() {
        let (key, correction) = (random.key(log_size), random.block() as u64);
        let labels = eval_full(&prg(), &key);
        let ranges = ranges(&mut random, labels.len());
        for (party, primary) in [(Party::P0, Primary::P0), (Party::P1, Primary::P1)] {
            let expected: Vec<u64> =
                labels.iter().map(|label| dealer::leaf_value(primary, *label, correction)).collect();
            each(|kernels, name| {
                let key = WordKey::new(party, ours(&key), correction);
                assert!(*kernels.words(&key) == expected, "{party:?}, h = {log_size}, {name}");
                for &(from, to) in &ranges {
                    let mut words = vec![0; to - from];
                    kernels.words_into(&key, from, &mut words);
                    assert!(words == expected[from..to], "{party:?}, h = {log_size}, {from}..{to}, {name}");
                }
            });
        }
    }
}

/// The layer of bits, as its formula has it: `T_2(s) xor t CWf`.
fn specified_bits(key: &dpf::Key, correction: u128) -> Vec<u128> {
    let aes = prg().aes;
    let bits = |label: &u128| {
        let input = block::clear_flag(*label) ^ 2;
        encrypt(&aes, input) ^ input ^ (block::replicate(block::flag(*label)) & correction)
    };
    eval_full(&prg(), key).iter().map(bits).collect()
}

#[test]
fn bits_are_the_layer_of_the_specifications_nodes() {
    let mut random = Random(3);
    for log_size in 0..=17 {
        let (nodes, correction) = (random.key(log_size.max(7) - 7), random.block());
        let blocks = specified_bits(&nodes, correction);
        let expected: Vec<bool> = (0..1 << log_size).map(|i| blocks[i / 128] >> (i % 128) & 1 == 1).collect();
        let ranges = ranges(&mut random, expected.len());
        each(|kernels, name| {
            let key = BitKey::new(log_size, ours(&nodes), correction);
            for &(from, to) in &ranges {
                let bits = kernels.bits_range(&key, from..to);
                assert_eq!(bits.len(), (to - from).div_ceil(128));
                let got = (0..bits.len() * 128).map(|i| bits[i / 128] >> (i % 128) & 1 == 1);
                let padded = expected[from..to].iter().copied().chain([false; 127]);
                assert!(got.zip(padded).all(|(a, b)| a == b), "h = {log_size}, {from}..{to}, {name}");
            }
            assert_eq!(kernels.bits(&key), kernels.bits_range(&key, 0..1 << log_size));
        });
    }
}

#[test]
fn points_are_leaves() {
    let mut random = Random(4);
    for log_size in [1, 2, 7, 8, 11, 40, 63] {
        let (key, nodes) = (random.key(log_size), random.key(log_size.max(7) - 7));
        let (word_correction, bit_correction) = (random.block() as u64, random.block());
        // More and less than are in flight.
        for count in [0, 1, 15, 33] {
            let mut points: Vec<u64> =
                (0..count).map(|_| random.block() as u64 & ((1 << log_size) - 1)).collect();
            if let Some(point) = points.first_mut() {
                *point = (1 << log_size) - 1;
            }
            let labels: Vec<u128> = points.iter().map(|point| eval(&prg(), &key, *point)).collect();
            let words: Vec<u64> =
                labels.iter().map(|l| dealer::leaf_value(Primary::P1, *l, word_correction)).collect();
            let bit = |point: &u64| {
                let label = eval(&prg(), &nodes, point >> 7);
                let bits = specified_bits(&dpf::Key { root: label, corrections: vec![] }, bit_correction);
                bits[0] >> (point % 128) & 1 == 1
            };
            let bits: Vec<bool> = points.iter().map(bit).collect();
            each(|kernels, name| {
                assert_eq!(*kernels.labels_at(&ours(&key), &points), labels, "h = {log_size}, {name}");
                let word_key = WordKey::new(Party::P1, ours(&key), word_correction);
                assert_eq!(*kernels.words_at(&word_key, &points), words, "h = {log_size}, {name}");
                let bit_key = BitKey::new(log_size, ours(&nodes), bit_correction);
                assert_eq!(*kernels.bits_at(&bit_key, &points), bits, "h = {log_size}, {name}");
            });
        }
    }
}

#[test]
fn a_dealers_keys_are_the_specifications_and_share_the_point_function() {
    let mut random = Random(5);
    for log_size in 1..=12 {
        for _ in 0..if cfg!(miri) { 1 } else { 4 } {
            let target = random.below(1 << log_size);
            let (roots, value) = ([random.block(), random.block()], random.block() as u64);
            let (spec_0, spec_1) =
                dealer::generate_value::<u64, _>(&prg(), target as u64, log_size, value, roots[0], roots[1]);
            each(|kernels, name| {
                let keys = kernels.deal_words(target as u64, log_size, value, roots).unwrap();
                for (key, spec) in keys.iter().zip([&spec_0, &spec_1]) {
                    assert_eq!(key.key().root(), spec.key.root, "{name}");
                    assert!(key.key().corrections() == ours(&spec.key).corrections(), "{name}");
                    assert_eq!(key.final_correction(), spec.final_correction, "{name}");
                }
                let [words_0, words_1] = keys.each_ref().map(|key| kernels.words(key));
                let bits = kernels.deal_bits(target as u64, log_size, roots).unwrap();
                let [bits_0, bits_1] = bits.each_ref().map(|key| kernels.bits(key));
                for leaf in 0..1 << log_size {
                    let at_target = leaf == target;
                    let sum = words_0[leaf].wrapping_add(words_1[leaf]);
                    assert_eq!(sum, if at_target { value } else { 0 }, "{name}");
                    let bit = (bits_0[leaf / 128] ^ bits_1[leaf / 128]) >> (leaf % 128) & 1;
                    assert_eq!(bit == 1, at_target, "{name}");
                }
            });
        }
    }
}

#[test]
fn what_is_outside_of_the_domain_is_refused() {
    let kernels = Kernels::detect(PRG_KEY);
    for (target, log_size) in [(8, 3), (0, 0), (0, 64), (u64::MAX, 63)] {
        let error = kernels.deal(target, log_size, [1, 2]).err().unwrap();
        assert_eq!((error.target, error.log_size), (target, log_size));
        assert!(kernels.deal_words(target, log_size, 1, [1, 2]).is_err());
    }
    assert!(kernels.deal_bits(1, 0, [1, 2]).is_err());
    assert!(kernels.deal_bits(0, 0, [1, 2]).is_ok(), "one leaf, one bit");
    assert!(kernels.deal_bits(0, 64, [1, 2]).is_err());

    let [key, _] = kernels.deal(1, 3, [1, 2]).unwrap();
    let refused = |call: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err();
    assert!(refused(&|| kernels.labels_into(&key, 1, &mut [0; 8])));
    assert!(refused(&|| kernels.labels_into(&key, 9, &mut [])));
    assert!(refused(&|| drop(kernels.labels_at(&key, &[8]))));
    let [bits, _] = kernels.deal_bits(1, 3, [1, 2]).unwrap();
    assert!(refused(&|| drop(kernels.bits_range(&bits, 1..9))));
    assert!(refused(&|| drop(kernels.bits_at(&bits, &[8]))));
}
