//! A peer from crates.io: full evaluation by fss-rs 0.6, one thread, its AES-based PRG, 128-bit values.

use std::hint::black_box;

use fss_rs::dpf::{Dpf, DpfImpl, PointFn};
use fss_rs::group::Group;
use fss_rs::group::byte::ByteGroup;
use fss_rs::prg::Aes128MatyasMeyerOseasPrg;

use crate::least;

/// Nanoseconds a leaf for a domain of `2^log_size`, which has at most 24 bits. Its output vector is allocated beforehand.
pub(crate) fn fss_rs_ns_per_leaf(log_size: u32) -> f64 {
    let keys = [[1; 16], [2; 16], [3; 16], [4; 16]];
    let prg = Aes128MatyasMeyerOseasPrg::<16, 1, 4>::new(&keys.each_ref());
    let dpf = DpfImpl::<3, 16, _>::new_with_filter(prg, log_size as usize);
    let function = PointFn { alpha: [1, 2, 3], beta: ByteGroup([5; 16]) };
    let key = dpf.r#gen(&function, [&[6; 16], &[7; 16]]);
    let mut values = vec![ByteGroup::zero(); 1 << log_size];
    let mut places: Vec<_> = values.iter_mut().collect();
    let time = least(5, || dpf.full_eval(false, black_box(&key), &mut places));
    black_box(&places);
    time / f64::from(1_u32 << log_size)
}
