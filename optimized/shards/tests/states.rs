//! What workers hold after UPDATEs, and what they answer from it, word by word: by keys and shifts that are anything.

use duoram_reference::lean::{self, LayeredKey};
use duoram_reference::{
    Block, Compute, Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, Plain, ReadQuery, Role,
    SessionKey, UpdateQuery, Word,
};
use duoram_shards::Sharded;

/// Numbers that look random, and are the same every time.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    fn word(&mut self) -> Word {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.word()).collect()
    }

    fn block(&mut self) -> Block {
        Block::from(self.word()) << 64 | Block::from(self.word())
    }

    fn corrections(&mut self, levels: u32) -> Vec<Correction> {
        let mut correction = || {
            let bits = self.word();
            Correction { word: self.block() & !1, left_flag: bits & 1 == 1, right_flag: bits & 2 == 2 }
        };
        (0..levels).map(|_| correction()).collect()
    }

    pub(crate) fn key(&mut self, log_size: u32) -> DpfShare {
        DpfShare::for_test(self.block(), self.corrections(log_size), self.word())
    }

    /// Of flags, and of values of so many words, if that says a number.
    pub(crate) fn layered(&mut self, log_size: u32, values: Option<usize>) -> LayeredKey {
        let levels = log_size.saturating_sub(if values.is_some() { 3 } else { 7 });
        let correction = self.words(lean::NODE_ROWS * values.unwrap_or_default());
        LayeredKey::for_test(self.block(), self.corrections(levels), self.block(), correction)
    }
}

pub(crate) fn key() -> SessionKey {
    SessionKey::new(*b"a key for tests.")
}

/// Around units and blocks of all kinds, and a size that has more than one of the largest blocks.
pub(crate) const SIZES: [u32; 9] = [1, 2, 3, 6, 7, 8, 10, 13, 17];

fn shifts(numbers: &mut Numbers, log_size: u32) -> Vec<u64> {
    let n = 1 << log_size;
    let any = numbers.word() % n;
    if log_size > 10 { vec![any] } else { vec![0, 1, n / 2, n - 1, any] }
}

#[test]
fn of_the_paper() {
    paper_states(&crate::sharded());
}

pub(crate) fn paper_states(workers: &[(String, Sharded)]) {
    let mut numbers = Numbers(1);
    for log_size in SIZES {
        let n = 1 << log_size;
        let vectors = [(); 3].map(|()| numbers.words(n));
        for shift in shifts(&mut numbers, log_size) {
            let dpfs = [(); 3].map(|()| numbers.key(log_size));
            let final_corrections = [(); 3].map(|()| numbers.word());
            let copies = || dpfs.each_ref().map(DpfShare::copy_for_test);
            let read = || {
                let [first, second, _] = copies();
                [ReadQuery { read: first, refresh: second, shift }]
            };
            let unblinding = || {
                let [_, dpf_2, dpf_3] = copies();
                [HelperReadQuery { dpf_2, dpf_3, shift }]
            };
            let update = || [UpdateQuery { dpfs: copies(), final_corrections, shift }];
            let update_blinds = || {
                let ([_, dpf_2, dpf_3], [_, f_2, f_3]) = (copies(), final_corrections);
                [HelperUpdateQuery { dpf_2, dpf_3, final_correction_2: f_2, final_correction_3: f_3, shift }]
            };
            for role in [Role::P0, Role::P1] {
                let [share, blind, blinded] = vectors.clone();
                let mut plain = Plain.primary_memory(share, blind, blinded);
                Plain.update(&key(), role, &mut plain, &update());
                let answer = Plain.read(&key(), role, &plain, &read());
                let sum = |i| {
                    let (share, blinded): (Word, Word) = (plain.memory_share[i], plain.blinded[i]);
                    share.wrapping_add(blinded).wrapping_add(plain.blind[i])
                };
                let combined: Vec<Word> = (0..n).map(sum).collect();
                for (name, sharded) in workers {
                    let [share, blind, blinded] = vectors.clone();
                    let mut memory = sharded.primary_memory(share, blind, blinded);
                    sharded.update(&key(), role, &mut memory, &update());
                    assert_eq!(
                        sharded.read(&key(), role, &memory, &read()),
                        answer,
                        "{name}, h = {log_size}, {role}"
                    );
                    assert!(memory.vector(0) == combined, "{name}, h = {log_size}, {role}: C");
                    assert!(memory.vector(1) == plain.blind, "{name}, h = {log_size}, {role}: the blind");
                }
            }
            let [blind_0, blind_1, _] = vectors.clone();
            let mut plain = Plain.helper_memory(blind_0, blind_1);
            Plain.update_blinds(&key(), &mut plain, &update_blinds());
            let answer = Plain.unblinding(&key(), &plain, &unblinding());
            for (name, sharded) in workers {
                let [blind_0, blind_1, _] = vectors.clone();
                let mut memory = sharded.helper_memory(blind_0, blind_1);
                sharded.update_blinds(&key(), &mut memory, &update_blinds());
                assert_eq!(
                    sharded.unblinding(&key(), &memory, &unblinding()),
                    answer,
                    "{name}, h = {log_size}"
                );
                assert!(memory.vector(0) == plain.blind_0 && memory.vector(1) == plain.blind_1, "{name}");
            }
        }
    }
}

#[test]
fn of_the_lean_protocol() {
    lean_states(&crate::sharded(), 1, &SIZES);
}

/// Rows of all cuts, where they are shorter and longer than what a vector register has; of one worker as of several.
#[test]
fn of_the_lean_protocol_with_rows() {
    let workers = crate::sharded();
    for row_words in [2, 3] {
        lean_states(&workers, row_words, &[1, 2, 3, 6, 7, 8, 10, 13]);
    }
    lean_states(&workers, 64, &[1, 3, 7, 8, 10]);
}

/// Rows that are cut into more than one of the largest blocks.
#[test]
fn of_the_lean_protocol_with_rows_of_many_blocks() {
    lean_states(&crate::sharded()[3..5], 3, &[17]);
}

pub(crate) fn lean_states(workers: &[(String, Sharded)], row_words: usize, sizes: &[u32]) {
    use lean::Compute as _;
    let mut numbers = Numbers(2);
    for &log_size in sizes {
        let [alpha, beta] = [(); 2].map(|()| numbers.words(row_words << log_size));
        let shifts = shifts(&mut numbers, log_size);
        let keys: Vec<_> = shifts
            .iter()
            .map(|_| {
                let updates = [(); 2].map(|()| numbers.layered(log_size, Some(row_words)));
                let reads = [(); 2].map(|()| numbers.layered(log_size, None));
                (updates, reads, [(); 2].map(|()| numbers.words(row_words)))
            })
            .collect();
        let items = || keys.iter().zip(&shifts);
        // All at once, of both keys and of one.
        let reads: Vec<_> = items().map(|((_, keys, _), &shift)| lean::ReadQuery { keys, shift }).collect();
        let first_reads: Vec<_> = items()
            .map(|((_, [first, _], _), &shift)| lean::ReadQuery { keys: std::array::from_ref(first), shift })
            .collect();
        let updates: Vec<_> = items()
            .map(|((keys, _, corrections), &shift)| lean::UpdateQuery {
                keys,
                final_corrections: corrections.each_ref().map(Vec::as_slice),
                shift,
            })
            .collect();
        let first_updates: Vec<_> = items()
            .map(|(([first, _], _, [correction, _]), &shift)| lean::UpdateQuery {
                keys: std::array::from_ref(first),
                final_corrections: [correction],
                shift,
            })
            .collect();
        let plain = lean::Plain;
        let (mut both, mut one) = (plain.both(&alpha, &beta, row_words), plain.alpha(&alpha, row_words));
        plain.update_both(&key(), &mut both, &updates);
        plain.update_alpha(&key(), &mut one, &first_updates);
        let expected = [
            plain.read_0(&key(), &both, &reads),
            plain.read_1(&key(), &one, &first_reads),
            plain.read_2(&key(), &both, &reads),
        ];
        for (name, sharded) in workers {
            let (mut b, mut a) = (sharded.both(&alpha, &beta, row_words), sharded.alpha(&alpha, row_words));
            sharded.update_both(&key(), &mut b, &updates);
            sharded.update_alpha(&key(), &mut a, &first_updates);
            let got = [
                sharded.read_0(&key(), &b, &reads),
                sharded.read_1(&key(), &a, &first_reads),
                sharded.read_2(&key(), &b, &reads),
            ];
            assert_eq!(got, expected, "{name}, h = {log_size}, rows of {row_words}");
            assert!(b.vector(0) == both.alpha && b.vector(1) == both.beta, "{name}, h = {log_size}");
            assert!(a.vector(0) == one.alpha, "{name}, h = {log_size}");
        }
    }
}

/// A memory that comes in pieces is the same, wherever these begin and end: within a row, and on both sides of where ranges do.
#[test]
fn pieces_of_a_load_may_begin_and_end_within_a_row() {
    use lean::Compute as _;
    let (mut numbers, rows, row_words) = (Numbers(5), 500, 3);
    let [alpha, beta] = [(); 2].map(|()| numbers.words(rows * row_words));
    for (name, sharded) in crate::sharded() {
        for piece in [1 << 5, 7, 500, 1000] {
            let mut memory = sharded.zero_both(rows, row_words);
            let mut from = 0;
            for (alpha, beta) in alpha.chunks(piece).zip(beta.chunks(piece)) {
                sharded.add_both(&mut memory, from, [alpha, beta]);
                from += alpha.len();
            }
            assert!(sharded.both_words(&memory) == [&alpha[..], &beta[..]], "{name}, pieces of {piece}");
        }
    }
}

/// What is saved is what is put back.
#[test]
fn words_come_back_as_they_were_and_an_update_changes_them() {
    let (mut numbers, log_size) = (Numbers(3), 9);
    for (name, sharded) in crate::sharded() {
        let vectors = [(); 2].map(|()| numbers.words(1 << log_size));
        let mut memory = sharded.primary_from_words(vectors.to_vec());
        assert_eq!(sharded.primary_words(&memory), [&vectors[0][..], &vectors[1][..]], "{name}");
        let dpfs = [(); 3].map(|()| numbers.key(log_size));
        let update = UpdateQuery { dpfs, final_corrections: [5; 3], shift: 77 };
        sharded.update(&key(), Role::P0, &mut memory, &[update]);
        assert!(sharded.primary_words(&memory)[0] != vectors[0], "{name}");
    }
}
