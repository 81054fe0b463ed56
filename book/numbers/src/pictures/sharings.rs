//! The two sharings of the lean protocol, in the state of chapter 13.

use duoram_spec::core::ring::{Ring, XorWord};

use super::canvas::{Anchor, CELL, Canvas};
use crate::lean::loaded_example;

const LEFT: f64 = 84.0;
const COLUMN: f64 = 176.0;
const ROW: f64 = 100.0;

/// Who holds a vector, its name, its words, the side of the row's DPF that changes it, and how it is filled.
type Held<'a> = (usize, &'a str, &'a [XorWord], &'a str, &'a [&'a str]);

/// The picture.
pub(super) fn picture() -> String {
    let (memory, state) = loaded_example();
    let mut canvas = Canvas::new(
        LEFT + 4.0 * COLUMN,
        "The two sharings of one memory in the lean protocol",
        "A row for each sharing. In alpha P0 and P2 hold the same vector A and P1 holds E; A and E give the memory. In beta P0 \
         holds H and P2 holds B; H and B give the same memory. Each DPF changes one row.",
    );
    let x = |column: usize| LEFT + COLUMN * column as f64;
    for (party, name) in ["P0", "P1", "P2"].into_iter().enumerate() {
        canvas.party(party, [x(party) + CELL * 2.0, 12.0], name);
    }
    canvas.text(Anchor::Middle, "bold", [x(3) + CELL * 2.0, 31.0], "nobody");
    // Of A the same at both.
    let rows: [(&str, &str, &[Held<'_>]); 2] = [
        (
            "alpha",
            "a",
            &[
                (0, "A", &state.p0.alpha, "side 0", &["tint0"]),
                (1, "E", &state.p1.alpha, "side 1", &["tint1"]),
                (2, "A", &state.p2.alpha, "side 0", &["tint0"]),
            ],
        ),
        (
            "beta",
            "b",
            &[
                (0, "H", &state.p0.beta, "side 0", &["tint0", "hatch"]),
                (2, "B", &state.p2.beta, "side 1", &["tint2", "dots"]),
            ],
        ),
    ];
    for (row, (sharing, dpf, held)) in rows.iter().enumerate() {
        let y = 62.0 + ROW * row as f64;
        canvas.text(Anchor::Start, "bold", [12.0, y + 19.0], sharing);
        for (party, name, words, side, classes) in *held {
            let data = format!("data-sharing=\"{sharing}\" data-party=\"P{party}\" data-vector=\"{name}\"");
            canvas.cells(classes, [x(*party), y], &shown(words), &data);
            canvas.text(Anchor::Start, "math", [x(*party) + CELL * 4.0 + 7.0, y + 19.0], name);
            canvas.text(Anchor::Start, "", [x(*party), y + CELL + 18.0], &format!("DPF {dpf}, {side}"));
        }
        let data = format!("data-sharing=\"{sharing}\" data-party=\"nobody\" data-vector=\"D\"");
        canvas.cells(&["open"], [x(3), y], &shown(&memory), &data);
        let sum = if row == 0 { "D = A ⊕ E" } else { "D = H ⊕ B" };
        canvas.text(Anchor::Start, "math", [x(3), y + CELL + 18.0], sum);
    }
    canvas.text(Anchor::Middle, "", [x(1) + CELL * 2.0, 62.0 + ROW + 19.0], "nothing");
    canvas.finish(62.0 + 2.0 * ROW - 40.0)
}

/// The lowest four bits, as in the chapter's tables.
fn shown(vector: &[XorWord]) -> Vec<String> {
    vector.iter().map(|word| (word.to_u64() & 15).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::canvas::drawn;
    use super::*;

    /// The words that are drawn for a party in a sharing; none if it has none.
    fn held(sharing: &str, party: &str) -> Vec<u64> {
        let at = |cell: &std::collections::BTreeMap<String, String>| {
            cell.get("data-sharing").is_some_and(|s| s == sharing) && cell["data-party"] == party
        };
        drawn(&picture(), "rect")
            .into_iter()
            .filter(at)
            .map(|cell| cell["data-word"].parse().unwrap())
            .collect()
    }

    fn xor(a: &[u64], b: &[u64]) -> Vec<u64> {
        a.iter().zip(b).map(|(a, b)| a ^ b).collect()
    }

    #[test]
    fn each_row_gives_the_memory_and_it_is_the_same_memory_twice() {
        let memory = held("alpha", "nobody");
        assert_eq!(memory.len(), 4);
        assert_eq!(held("beta", "nobody"), memory);
        assert_eq!(xor(&held("alpha", "P0"), &held("alpha", "P1")), memory);
        assert_eq!(xor(&held("beta", "P0"), &held("beta", "P2")), memory);
    }

    #[test]
    fn p0_and_p2_hold_the_same_vector_and_nobody_holds_both_halves_of_a_row() {
        assert_eq!(held("alpha", "P0"), held("alpha", "P2"));
        assert_ne!(held("alpha", "P0"), held("alpha", "P1"));
        assert!(held("beta", "P1").is_empty());
        for party in ["P0", "P1", "P2"] {
            for sharing in ["alpha", "beta"] {
                assert!(held(sharing, party).len() <= 4, "{party} has more than one vector of {sharing}");
            }
        }
    }
}
