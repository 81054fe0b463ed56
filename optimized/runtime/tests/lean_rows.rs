//! Lean parties whose addresses hold rows, by every backend: what they send and answer is what the plain computation's parties do.

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::lean::local::LocalSession;
use duoram_reference::lean::{self, Compute};
use duoram_reference::{Batch, Parameters, SessionId, Word};
use duoram_runtime::fast::Fast;

/// Less than a register, registers that begin in every column, a word of flags, the most that there is.
const ROW_WORDS: [usize; 6] = [1, 2, 3, 8, 65, 512];

/// Words without structure: of an operation, for a place.
fn word(operation: u64, place: u64) -> Word {
    (operation << 32 | place).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xc2b2_ae35)
}

fn words(operation: u64, count: usize) -> Vec<Word> {
    (0..count as u64).map(|place| word(operation, place)).collect()
}

fn shares(operation: u64, words: &[Word]) -> [Vec<Word>; 2] {
    let masks: Vec<Word> = (0..words.len() as u64).map(|place| word(operation + 77, place)).collect();
    [words.iter().zip(&masks).map(|(word, mask)| word ^ mask).collect(), masks]
}

fn opened([share_0, share_1]: &[Vec<Word>; 2]) -> Vec<Word> {
    share_0.iter().zip(share_1).map(|(a, b)| a ^ b).collect()
}

/// All frames of a session with operations of every kind, each result compared with an array of rows.
fn frames<C: Compute + Clone>(computation: C, log_size: u32, row_words: usize) -> Vec<Vec<u8>> {
    let parameters = Parameters::new(SessionId(*b"rows of words..."), log_size).unwrap();
    let parameters = parameters.with_row_words(row_words).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], computation);
    session.record();
    session.connect().unwrap();
    let mut memory = words(1, parameters.words());
    session.load(shares(2, &memory)).unwrap();
    let rows = memory.len() / row_words;
    let place = |address: Word| {
        let row = usize::try_from(address % rows as u64).unwrap();
        row * row_words..(row + 1) * row_words
    };
    session.preprocess(Batch { reads: 4, updates: 6 }).unwrap();
    for round in 0..2_u64 {
        let address = word(3, round);
        // Two at once.
        let updates: Vec<Word> =
            (0..2).flat_map(|i| [vec![address + i], words(4 + i, row_words)].concat()).collect();
        for update in updates.chunks(1 + row_words) {
            memory[place(update[0])].iter_mut().zip(&update[1..]).for_each(|(word, more)| *word ^= more);
        }
        let [of_0, of_1] = shares(6, &updates);
        session.update_rows(2, [&of_0, &of_1]).unwrap();
        let addresses = [address, address ^ 1];
        let [of_0, of_1] = shares(7, &addresses);
        let got = opened(&session.read([&of_0, &of_1]).unwrap());
        let expected: Vec<Word> =
            addresses.iter().flat_map(|address| memory[place(*address)].to_vec()).collect();
        assert!(got == expected, "h = {log_size}, w = {row_words}");
        let row = words(8, row_words);
        let ([a_0, a_1], [of_0, of_1]) = (shares(9, &[address + 5]), shares(10, &row));
        let got = opened(&session.swap_row([a_0[0], a_1[0]], [&of_0, &of_1]).unwrap());
        assert!(got == memory[place(address + 5)], "h = {log_size}, w = {row_words}");
        memory[place(address + 5)].copy_from_slice(&row);
    }
    session.take_log().into_iter().map(|delivery| delivery.frame.bytes.to_vec()).collect()
}

#[test]
fn every_backend_reads_and_updates_rows_as_the_reference_does() {
    for log_size in [1, 2, 3, 6, 7, 9] {
        for row_words in ROW_WORDS.into_iter().filter(|w| w << log_size <= 1 << 13) {
            let expected = frames(lean::Plain, log_size, row_words);
            assert!(expected.len() > 20);
            for backend in Backend::available(&Features::detect()) {
                for threads in [1, 2] {
                    let fast = Fast::new(backend, Workers::new(threads).unwrap(), 1 << 20);
                    let got = frames(fast, log_size, row_words);
                    assert!(
                        got == expected,
                        "{}, {threads} threads, h = {log_size}, w = {row_words}",
                        backend.name()
                    );
                }
            }
        }
    }
}
