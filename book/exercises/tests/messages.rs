//! Exercises 10 and 11: what is sent, how long it takes, what it shows; and what a primary keeps.
#![allow(missing_docs)]

use duoram_book_exercises::{header, seen, session, words};
use duoram_reference::local::{Delivery, share};
use duoram_reference::{Batch, Error, HEADER_LENGTH, Plain, Role};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::paper::compressed::{compress, opened as opened_compressed, updated_p0, updated_p1};
use duoram_spec::paper::lemmas::lemma_3;
use duoram_spec::paper::memory::{opened, shared};
use duoram_spec::paper::preprocessing::{random_index_shares, update_material};
use duoram_spec::paper::read::{reconstruct_shift, shift_share};
use duoram_spec::paper::update::{apply, message, reconstruct_corrections, update_vectors};
use duoram_vectors::Random;

/// Exercise 10.1.
#[test]
fn words_and_rounds_of_a_write() -> Result<(), Error> {
    for h in [1, 5, 9] {
        let mut session = session(h, 10, Plain)?;
        session.preprocess(Batch { reads: 1, updates: 1 })?;
        session.take_log();
        session.write(share(1, 77), share(5, 78))?;
        let log = session.take_log();
        assert_eq!(log.iter().map(|d| words(d).len()).sum::<usize>(), 6 + 14);
        assert_eq!(log.iter().map(|d| d.depth).max(), Some(3));
    }
    Ok(())
}

/// What the making of READ items takes: messages one after another, and bytes of all frames.
fn making(h: u32, batches: &[usize]) -> Result<(u32, usize), Error> {
    let mut session = session(h, 12, Plain)?;
    batches.iter().try_fold((0, 0), |(messages, bytes), reads| {
        session.preprocess(Batch { reads: *reads, updates: 0 })?;
        let log = session.take_log();
        let longest = log.iter().map(|d| d.depth).max().unwrap_or(0);
        Ok((messages + longest, bytes + log.iter().map(|d| d.frame.bytes.len()).sum::<usize>()))
    })
}

/// Exercise 10.2.
#[test]
fn one_batch_waits_once() -> Result<(), Error> {
    let h = 6;
    let ((one, bytes_of_one), (ten, bytes_of_ten)) = (making(h, &[10])?, making(h, &[1; 10])?);
    assert_eq!((one, ten), (16, 160));
    assert!(bytes_of_one < bytes_of_ten && 2 * bytes_of_one > bytes_of_ten);
    // In microseconds: 30 ms a message, and 100 Mbit/s are 12.5 bytes a microsecond.
    let waiting = |messages: u32| u64::from(messages) * 30_000;
    let sending = |bytes: usize| bytes as u64 * 2 / 25;
    assert_eq!((waiting(one), waiting(ten)), (480_000, 4_800_000));
    assert!(sending(bytes_of_one) < 5_000, "{}", sending(bytes_of_one));
    // Sending takes as long as waiting in a batch of some two thousand items.
    let item = (making(h, &[20])?.1 - bytes_of_one) / 10;
    let items = (waiting(one) * 25 / 2) / item as u64;
    assert!((1900..2300).contains(&items), "{items} items of {item} bytes");
    Ok(())
}

/// What somebody sees who cannot open frames: from whom, to whom, how long.
fn lengths(log: &[Delivery]) -> Vec<(usize, usize, usize)> {
    seen(log.iter().map(|d| (d.frame.from.index(), d.frame.to.index(), d.frame.bytes.len())))
}

/// The step that frames are of, from their lengths alone: what P2 says is of a READ, 8 bytes a query; what P0 says to P1 in an
/// UPDATE has 32.
fn guessed(lengths: &[(usize, usize, usize)]) -> String {
    let payloads = |from: Role, to: Role| -> Vec<usize> {
        let link = lengths.iter().filter(|(f, t, _)| (*f, *t) == (from.index(), to.index()));
        link.map(|(_, _, length)| length - HEADER_LENGTH).collect()
    };
    match (payloads(Role::P2, Role::P0).as_slice(), payloads(Role::P0, Role::P1).as_slice()) {
        ([gammas], [_]) => format!("read {}", gammas / 8),
        ([], [words]) => format!("update {}", words / 32),
        _ => "write".to_owned(),
    }
}

/// Exercise 10.3.
#[test]
fn lengths_tell_the_program() -> Result<(), Error> {
    let mut session = session(3, 13, Plain)?;
    let mut r = Random(13);
    session.preprocess(Batch { reads: 70, updates: 70 })?;
    session.take_log();
    for _ in 0..20 {
        let count = 1 + usize::try_from(r.below(3)).unwrap_or(0);
        let mut pairs =
            |count: usize| -> Vec<[u64; 2]> { (0..count).map(|_| share(r.below(8), r.word())).collect() };
        let (addresses, values) = (pairs(count), pairs(count));
        let of = |b: usize| -> Vec<u64> { addresses.iter().map(|shares| shares[b]).collect() };
        let changes = |b: usize| -> Vec<(u64, u64)> {
            addresses.iter().zip(&values).map(|(address, value)| (address[b], value[b])).collect()
        };
        let done = match r.below(3) {
            0 => session.read([&of(0), &of(1)]).map(|_| format!("read {count}"))?,
            1 => session.update([&changes(0), &changes(1)]).map(|()| format!("update {count}"))?,
            _ => session.write(addresses[0], values[0]).map(|()| "write".to_owned())?,
        };
        assert_eq!(guessed(&lengths(&session.take_log())), done);
    }
    // A READ and an UPDATE without a pause between them are like a WRITE to the byte, ...
    session.read([&[1], &[2]])?;
    session.update([&[(3, 4)], &[(5, 6)]])?;
    let apart = session.take_log();
    session.write([1, 2], [3, 4])?;
    let together = session.take_log();
    assert_eq!(lengths(&apart), lengths(&together));
    // ... and even in the clear only the numbers of their steps go on.
    let headers = |log: &[Delivery], earlier: u64| -> Result<Vec<_>, Error> {
        let of = |d| header(d).map(|h| (h.kind, h.from.index(), h.to.index(), h.operation - earlier));
        log.iter().map(of).collect::<Result<Vec<_>, _>>().map(seen)
    };
    assert_eq!(headers(&apart, 0)?, headers(&together, 2)?);
    Ok(())
}

/// Exercise 11.1.
#[test]
fn bytes_that_a_primary_keeps() {
    let state = Random(111).state::<u64>(16);
    let compressed = compress(&state.p0);
    let papers = state.p0.memory_share.len() + state.p0.blind.len() + state.p0.blinded.len();
    let two = compressed.combined.len() + compressed.blind.len();
    assert_eq!((papers, two), (3 * 16, 2 * 16));
    // In 16 GiB: the largest power of two of words, for either state.
    let largest = |words: usize| (0..40).rev().find(|h| (8 * words as u64 / 16) << h <= 16 << 30);
    assert_eq!((largest(papers), largest(two)), (Some(29), Some(30)));
}

/// Exercise 11.2.
#[test]
fn the_common_vector_tells_nothing_new() {
    // A memory of one word mod 4: all D_0, zeta_0, zeta_1.
    let cases = |d: u64| {
        (0..64).map(move |case: u64| {
            let (d_0, zeta_0, zeta_1) = (z4(case), z4(case >> 2), z4(case >> 4));
            shared(&[d_0], &[z4(d).minus(d_0)], &[zeta_0], &[zeta_1])
        })
    };
    let word = |vector: &[Z4]| vector[0].to_u64();
    // P0's compressed state, for each secret word; and the paper's.
    let views = |d| seen(cases(d).map(|s| compress(&s.p0)).map(|c| (word(&c.combined), word(&c.blind))));
    let papers =
        |d| seen(cases(d).map(|s| (word(&s.p0.memory_share), word(&s.p0.blind), word(&s.p0.blinded))));
    for d in 1..4 {
        assert_eq!((views(d), papers(d)), (views(0), papers(0)));
    }
    // Four states of the paper become one: how D_0 + D~_1 is split is forgotten.
    let mut different = views(2);
    different.dedup();
    assert_eq!((papers(2).len(), different.len()), (64, 16));
    // P0 and P1 have one C; whoever has both blinds opens it.
    for s in cases(3) {
        let (c_0, c_1) = (compress(&s.p0), compress(&s.p1));
        assert_eq!((c_0.combined == c_1.combined, word(&opened_compressed(&c_0, &s.p2))), (true, 3));
    }
}

/// Exercise 11.3.
#[test]
fn two_vectors_are_enough() {
    let mut r = Random(11);
    let (prg, h, n) = (r.prg(), 3, 8);
    let (item, _) = r.item(&prg, h);
    let material = update_material(&item, r.word(), r.word());
    let state = r.state(n);
    let (ri_0, ri_1) = random_index_shares(&item);
    let (address, value) = (r.shares(6), r.shares(99));
    let message_0 = message(shift_share(address.0, ri_0, n), value.0, material.corrections.p0);
    let message_1 = message(shift_share(address.1, ri_1, n), value.1, material.corrections.p1);
    let s = reconstruct_shift(message_0.shift, message_1.shift, n);
    let vectors = update_vectors(&material, s, reconstruct_corrections(&message_0, &message_1));
    let after = apply(&state, &vectors);
    // DPF 1 is not used.
    let c_0 = updated_p0(&compress(&state.p0), &vectors.p0.1, &vectors.p0.2);
    let c_1 = updated_p1(&compress(&state.p1), &vectors.p1.1, &vectors.p1.2);
    assert_eq!((&c_0, &c_1), (&compress(&after.p0), &compress(&after.p1)));
    assert_eq!(c_0.combined, c_1.combined, "both primaries hold the same C");
    assert_eq!(opened_compressed(&c_0, &after.p2), opened(&after));
    // Only if the blinds fit: with a word of D~_1 changed, the two C differ.
    let mut torn = state.clone();
    torn.p0.blinded[0] = torn.p0.blinded[0].wrapping_add(1);
    assert!(!lemma_3(&torn));
    assert_ne!(compress(&torn.p0).combined, compress(&torn.p1).combined);
}
