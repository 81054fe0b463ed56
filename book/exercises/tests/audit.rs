//! Exercise 20: what P2 could compute.
#![allow(missing_docs)]

use duoram_spec::core::dealer::final_correction_share;
use duoram_spec::paper::memory::shared;
use duoram_spec::paper::preprocessing::{
    local_correction_shares, update_material, value_vectors, value_words_0, value_words_1,
};
use duoram_spec::paper::update::{CorrectionShares, message, rerandomized};
use duoram_vectors::Random;

/// Exercise 20.1.
#[test]
fn what_p2_would_compute() {
    let mut r = Random(17);
    let prg = r.prg();
    let (item, _) = r.item(&prg, 3);
    let (m_0, m_1) = r.shares(123_456);
    // From the two keys that it holds.
    let f_0_2 = final_correction_share(&value_words_0::<u64>(&item.dpf_2));
    let f_1_3 = final_correction_share(&value_words_1::<u64>(&item.dpf_3));
    let printed = update_material(&item, 0, 0).corrections;
    assert_eq!(printed, local_correction_shares(&value_vectors::<u64>(&item)));
    let guess = |corrections: CorrectionShares<u64>| {
        let (to_p2_0, to_p2_1) = (message(0, m_0, corrections.p0), message(0, m_1, corrections.p1));
        to_p2_0.masked_dpf_2.wrapping_sub(f_0_2).wrapping_add(to_p2_1.masked_dpf_3.wrapping_sub(f_1_3))
    };
    assert_eq!(guess(printed), 123_456);
    let (delta_2, delta_3) = (r.word(), r.word());
    let off = delta_2.wrapping_sub(delta_3);
    assert_eq!(guess(rerandomized(&printed, delta_2, delta_3)), 123_456u64.wrapping_add(off));
    // A memory that is loaded needs blinds too: without them P0 is sent P1's share.
    let (d_0, d_1, zero) = (r.words(4), r.words(4), vec![0; 4]);
    assert_eq!(shared::<u64>(&d_0, &d_1, &zero, &zero).p0.blinded, d_1);
}
