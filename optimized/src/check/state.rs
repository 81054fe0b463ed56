//! The states of the three parties after an operation.

use duoram_reference::Word;
use duoram_spec::lemmas::{lemma_2, lemma_3};
use duoram_spec::memory::{State, opened};

/// Which of Lemmas 2 and 3 fail. `before` is what the states opened to before the operation, `change` where it added
/// what; a READ adds zero.
pub fn faults(before: &[Word], state: &State<Word>, (target, m): (u64, Word)) -> Vec<String> {
    let mut faults = Vec::new();
    if !lemma_2(before, &opened(state), target, m) {
        faults.push("Lemma 2: the memory is not the one before with the operation's change".to_owned());
    }
    if !lemma_3(state) {
        faults.push("Lemma 3: shares, blinds and blinded shares do not belong together".to_owned());
    }
    faults
}

/// The first share that is not the specification's.
pub fn difference(expected: &State<Word>, got: &State<Word>) -> Option<String> {
    let vectors = |state: &State<Word>| {
        let State { p0, p1, p2 } = state.clone();
        [
            ("P0's memory share", p0.memory_share),
            ("P0's blind", p0.blind),
            ("P0's blinded share of P1", p0.blinded),
            ("P1's memory share", p1.memory_share),
            ("P1's blind", p1.blind),
            ("P1's blinded share of P0", p1.blinded),
            ("P2's blind of P0", p2.blind_0),
            ("P2's blind of P1", p2.blind_1),
        ]
    };
    vectors(expected).into_iter().zip(vectors(got)).find_map(|((name, expected), (_, got))| {
        if expected.len() != got.len() {
            return Some(format!("{name}: expected {} words, got {}", expected.len(), got.len()));
        }
        let word = expected.iter().zip(&got).position(|(expected, got)| expected != got)?;
        Some(format!("{name}, word {word}: expected {:#018x}, got {:#018x}", expected[word], got[word]))
    })
}
