//! Exercises 20: what P2 is sent, what of it moves, and what it could compute.
#![allow(missing_docs)]

use duoram_book_exercises::{header, session, words};
use duoram_reference::local::{Delivery, share};
use duoram_reference::{Batch, Error, HEADER_LENGTH, Plain, Role};
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

/// Kind and payload bytes of each frame that P2 is sent, in order.
fn sent_to_p2(log: &[Delivery]) -> Result<Vec<(u8, usize)>, Error> {
    let frames = log.iter().filter(|d| d.frame.to == Role::P2);
    frames.map(|d| Ok((header(d)?.kind, d.frame.bytes.len() - HEADER_LENGTH))).collect()
}

/// Exercise 20.2.
#[test]
fn all_that_p2_is_sent() -> Result<(), Error> {
    for h in [2, 5, 8] {
        let (n, levels) = (1 << h, usize::try_from(h).unwrap_or(0));
        let mut session = session(h, 20, Plain)?;
        session.load([vec![1; n], vec![2; n]])?;
        assert_eq!(sent_to_p2(&session.take_log())?, [(3, 8 * n); 2]);
        session.preprocess(Batch { reads: 1, updates: 1 })?;
        // Of each item a root, a factor, and for each level a word and two bits.
        let keys = 2 * (16 + 8 + 16 * levels) + (4 * levels).div_ceil(8);
        assert_eq!(sent_to_p2(&session.take_log())?, [(9, keys); 2]);
        session.read([&[1], &[2]])?;
        assert_eq!(sent_to_p2(&session.take_log())?, [(10, 8); 2]);
        session.update([&[(1, 10)], &[(2, 20)]])?;
        assert_eq!(sent_to_p2(&session.take_log())?, [(13, 24); 2]);
    }
    Ok(())
}

/// The frames to P2 of a READ and an UPDATE at an address, always from the same seeds; `mask` is P1's share of both inputs.
fn run_as_seen_by_p2(address: u64, value: u64, mask: u64) -> Result<Vec<Delivery>, Error> {
    let mut session = session(5, 21, Plain)?;
    session.load([vec![3; 32], vec![4; 32]])?;
    session.preprocess(Batch { reads: 1, updates: 1 })?;
    let ([i_0, i_1], [m_0, m_1]) = (share(address, mask), share(value, mask));
    session.read([&[i_0], &[i_1]])?;
    session.update([&[(i_0, m_0)], &[(i_1, m_1)]])?;
    Ok(session.take_log().into_iter().filter(|d| d.frame.to == Role::P2).collect())
}

/// Sender and kind of the frames that are not the same in both runs.
fn moved(run: &[Delivery], other: &[Delivery]) -> Result<Vec<(Role, u8)>, Error> {
    assert_eq!(run.len(), other.len());
    let pairs = run.iter().zip(other).filter(|(d, e)| d.frame.bytes != e.frame.bytes);
    pairs.map(|(d, _)| Ok((d.frame.from, header(d)?.kind))).collect()
}

/// The words of both primaries' frames of a kind, added up: place by place, the shift mod 32.
fn opened(run: &[Delivery], kind: u8) -> Result<Vec<u64>, Error> {
    let mut sums = vec![0u64; 3];
    for delivery in run {
        if header(delivery)?.kind == kind {
            sums.iter_mut().zip(words(delivery)).for_each(|(sum, word)| *sum = sum.wrapping_add(word));
        }
    }
    sums[0] %= 32;
    Ok(sums)
}

/// Exercise 20.3.
#[test]
fn only_what_is_masked_moves_at_p2() -> Result<(), Error> {
    let run = run_as_seen_by_p2(3, 100, 77)?;
    // Another address, another value, and the same shares at P1.
    let other = run_as_seen_by_p2(8, 142, 77)?;
    assert_eq!(moved(&run, &other)?, [(Role::P0, 10), (Role::P0, 13)]);
    let (before, after) = (opened(&run, 13)?, opened(&other, 13)?);
    assert_eq!((after[0] + 32 - before[0]) % 32, 8 - 3);
    assert!((1..3).all(|k| after[k].wrapping_sub(before[k]) == 142 - 100));
    // The same address and value, in other shares.
    let reshared = run_as_seen_by_p2(3, 100, 12_345)?;
    let masked = [(Role::P0, 10), (Role::P1, 10), (Role::P0, 13), (Role::P1, 13)];
    assert!(moved(&run, &reshared)?.iter().all(|frame| masked.contains(frame)));
    assert_eq!(moved(&run, &reshared)?.len(), 4);
    assert!([10, 13].iter().all(|kind| opened(&run, *kind).ok() == opened(&reshared, *kind).ok()));
    Ok(())
}
