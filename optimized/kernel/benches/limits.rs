//! The kernels against the AES units, against each other and against a peer, in one run: `cargo bench -p duoram-kernel`, or with `-- LOG_SIZE..` sizes of one's own.
//!
//! Absolute times on a shared machine say little. Each kernel is timed in turn with a loop of nothing but independent AES calls,
//! and the ratio of each pair is taken: what disturbs one disturbs the other. Printed are medians of ratios, and least CPU times.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // of measured times

mod timing;

use std::hint::black_box;

use duoram_kernel::{Backend, BackendName, Correction, Features, Forest, Kernels, Workers};
use fss_rs::dpf::{Dpf, DpfImpl, PointFn};
use fss_rs::group::Group;
use fss_rs::group::byte::ByteGroup;
use fss_rs::prg::Aes128MatyasMeyerOseasPrg;
use timing::{aes_call, median, nanoseconds};

/// Pairs of measurements.
const PAIRS: usize = 9;
const ROOTS: [u128; 2] =
    [0x0123_4567_89ab_cdef_0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210_fedc_ba98_7654_3210];

/// The least time of some work, and that of `calls` AES calls over it: the median of all pairs.
fn measured(kernels: &Kernels<'_>, calls: f64, mut work: impl FnMut()) -> (f64, f64) {
    work();
    let (mut times, mut fractions) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let before = aes_call(kernels);
        // Some milliseconds of work, however small it is.
        let repeat = (4e6 / (calls * before).max(1.0)).clamp(1.0, 10_000.0).floor();
        let time = nanoseconds(|| (0..repeat as usize).for_each(|_| work())) / repeat;
        fractions.push(calls * f64::midpoint(before, aes_call(kernels)) / time);
        times.push(time);
    }
    (times.into_iter().fold(f64::INFINITY, f64::min), median(fractions))
}

/// Full evaluation of one key in every form; times a leaf of labels, words and bits.
fn evaluation(kernels: &Kernels<'_>, log_size: usize) -> [f64; 3] {
    let leaves = (1_u64 << log_size) as f64;
    let [key, _] = kernels.deal(1, log_size, ROOTS).unwrap();
    let [word_key, _] = kernels.deal_words(1, log_size, 7, ROOTS).unwrap();
    let [bit_key, _] = kernels.deal_bits(1, log_size, ROOTS).unwrap();
    let (mut labels, mut words) = (vec![0; 1 << log_size], vec![0; 1 << log_size]);
    let calls = 2.0 * leaves;
    let rows = [
        (
            "sums",
            measured(kernels, calls, || {
                black_box(kernels.leaf_sum(black_box(&key)));
            }),
        ),
        ("labels", measured(kernels, calls, || kernels.labels_into(black_box(&key), 0, &mut labels))),
        ("words", measured(kernels, calls, || kernels.words_into(black_box(&word_key), 0, &mut words))),
        (
            "bits",
            measured(kernels, 3.0 / 128.0 * leaves, || {
                black_box(kernels.bits(black_box(&bit_key)));
            }),
        ),
    ];
    for (name, (time, fraction)) in rows {
        println!(
            "{:<9} h = {log_size:2}: {name:<6} {:8.4} ns a leaf, {fraction:.2} of the AES limit",
            kernels.backend().name().as_str(),
            time / leaves
        );
    }
    [rows[1].1.0 / leaves, rows[2].1.0 / leaves, rows[3].1.0 / leaves]
}

/// Grows a batch of trees to the end, as preprocessing does.
fn grow(kernels: &Kernels<'_>, forest: &mut Forest, log_size: usize, trees: usize, stored_depth: usize) {
    let roots: Vec<u128> = (1..=trees as u128).map(|i| i * ROOTS[0]).collect();
    kernels.replant(forest, &roots, stored_depth);
    for level in 0..log_size as u128 {
        black_box(kernels.grow(forest));
        let word = ROOTS[1].wrapping_mul(2 * level + 1) & !1;
        kernels
            .correct(forest, &vec![Correction { word, left_flag: level % 2 == 0, right_flag: true }; trees]);
    }
    black_box(kernels.leaf_sums(forest));
}

/// Growth by the stored depth.
fn growth(kernels: &Kernels<'_>, log_size: usize) {
    const TREES: usize = 3;
    let leaves = (1_u64 << log_size) as f64;
    let mut times = vec![Vec::new(); 7];
    // A forest for each, so that memory is used again, as from one batch to the next.
    let mut forests: Vec<_> = (0..=6).map(|above| kernels.plant(&[], log_size - above)).collect();
    for run in 0..=PAIRS {
        for (above, forest) in forests.iter_mut().enumerate() {
            let time = nanoseconds(|| grow(kernels, forest, log_size, TREES, log_size - above));
            if run > 0 {
                times[above].push(time);
            }
        }
    }
    print!("{:<9} h = {log_size:2}: growth, ns a leaf, stored to", kernels.backend().name().as_str());
    for (above, times) in times.iter().enumerate() {
        print!(" h - {above}: {:.2};", median(times.clone()) / leaves / TREES as f64);
    }
    println!();
}

/// Full evaluation by fss-rs 0.6, its AES-based PRG, 128-bit values, into memory allocated beforehand.
fn fss_rs(log_size: usize) -> f64 {
    let keys = [[1; 16], [2; 16], [3; 16], [4; 16]];
    let prg = Aes128MatyasMeyerOseasPrg::<16, 1, 4>::new(&keys.each_ref());
    let dpf = DpfImpl::<3, 16, _>::new_with_filter(prg, log_size);
    let function = PointFn { alpha: [1, 2, 3], beta: ByteGroup([5; 16]) };
    let key = dpf.r#gen(&function, [&[6; 16], &[7; 16]]);
    let mut values = vec![ByteGroup::zero(); 1 << log_size];
    let mut places: Vec<_> = values.iter_mut().collect();
    let mut run = || nanoseconds(|| dpf.full_eval(false, black_box(&key), &mut places));
    let least = (0..PAIRS).map(|_| run()).fold(f64::INFINITY, f64::min);
    least / (1_u64 << log_size) as f64
}

fn main() {
    let workers = Workers::one();
    let sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![16, 20] } else { sizes };
    let mut fastest = Vec::new();
    for backend in Backend::available(&Features::detect()) {
        let kernels = Kernels::new(backend, 0x7069, &workers);
        println!("{:<9} {:.3} ns an AES call", backend.name().as_str(), aes_call(&kernels));
        for &log_size in &sizes {
            // Bit by bit, AES is slow.
            if backend.name() == BackendName::Portable && log_size > 16 {
                continue;
            }
            let times = evaluation(&kernels, log_size);
            if backend.name() == Backend::best(&Features::detect()).name() {
                fastest.push((log_size, times));
            }
            growth(&kernels, log_size);
        }
    }
    for (log_size, [labels, words, bits]) in fastest {
        let peer = fss_rs(log_size);
        println!(
            "fss-rs    h = {log_size:2}: {peer:.3} ns a leaf: {:.1} times our labels, {:.1} our words, {:.0} our bits",
            peer / labels,
            peer / words,
            peer / bits
        );
    }
}
