//! Who holds what: the vectors of the three parties in the paper's protocol, in the state of chapter 8's READ.

use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::paper::lemmas::lemma_3;
use duoram_vectors::Random;

use super::canvas::{Anchor, CELL, Canvas};
use crate::material::{N, memory, state};
use crate::reading;

const LEFT: f64 = 24.0;
const COLUMN: f64 = 244.0;
const ROW: f64 = 62.0;

/// A vector that a party holds.
struct Held<'a> {
    name: &'static str,
    /// What it is, in words.
    what: &'static str,
    words: &'a [Z4],
    /// A share of P0's is in P0's colour, wherever it is; a blind is hatched; a blinded copy is both.
    classes: &'static [&'static str],
}

/// The picture.
pub(super) fn picture() -> String {
    let state = state(&mut Random(reading::SEED));
    assert!(lemma_3(&state), "blinds and blinded copies fit");
    let (p0, p1, p2) = (&state.p0, &state.p1, &state.p2);
    let held = |name, what, words, classes| Held { name, what, words, classes };
    let columns = [
        [
            held("D_0", "its share of the memory", &p0.memory_share[..], &["tint0"][..]),
            held("ζ_0", "its blind", &p0.blind, &["open", "hatch"]),
            held("D̃_1 = D_1 + ζ_1", "P1's share, blinded", &p0.blinded, &["tint1", "dots"]),
        ]
        .into_iter()
        .collect::<Vec<Held<'_>>>(),
        vec![
            held("D_1", "its share of the memory", &p1.memory_share, &["tint1"]),
            held("ζ_1", "its blind", &p1.blind, &["open", "dots"]),
            held("D̃_0 = D_0 + ζ_0", "P0's share, blinded", &p1.blinded, &["tint0", "hatch"]),
        ],
        vec![
            held("ζ_0", "P0's blind", &p2.blind_0, &["open", "hatch"]),
            held("ζ_1", "P1's blind", &p2.blind_1, &["open", "dots"]),
        ],
    ];
    let mut canvas = Canvas::new(
        LEFT + 3.0 * COLUMN - 20.0,
        "Who holds what",
        "P0 holds its share of the memory, its blind, and P1's share with P1's blind added. P1 holds the same the other way \
         round. P2 holds both blinds and no share. The memory itself, the sum of both shares, is with nobody.",
    );
    for (party, (column, name)) in columns.iter().zip(["P0", "P1", "P2"]).enumerate() {
        let x = LEFT + COLUMN * party as f64;
        canvas.rect(
            &format!("open p{party}"),
            [x - 12.0, 26.0, COLUMN - 16.0, 3.0 * ROW + 42.0],
            "rx=\"6\" stroke-width=\"1.5\"",
        );
        canvas.party(party, [x + COLUMN / 2.0 - 20.0, 12.0], name);
        for (row, held) in column.iter().enumerate() {
            let y = 58.0 + ROW * row as f64;
            canvas.text(Anchor::Start, "", [x, y + 12.0], held.what);
            let data = format!(
                "data-party=\"{name}\" data-vector=\"{}\"",
                held.name.split(' ').next().unwrap_or_default()
            );
            canvas.cells(held.classes, [x, y + 20.0], &words(held.words), &data);
            canvas.text(
                Anchor::Start,
                "math",
                [x + CELL * N as f64 + 8.0, y + 39.0],
                held.name.split(" = ").next().unwrap_or_default(),
            );
        }
    }
    let (y, middle) = (58.0 + 3.0 * ROW + 36.0, LEFT + COLUMN * 1.5 + 30.0);
    canvas.text(Anchor::End, "", [middle - CELL * 2.0 - 10.0, y + 19.0], "nobody holds the memory");
    canvas.cells(
        &["open"],
        [middle - CELL * 2.0, y],
        &words(&memory()),
        "data-party=\"nobody\" data-vector=\"D\"",
    );
    canvas.text(Anchor::Start, "math", [middle + CELL * 2.0 + 8.0, y + 19.0], "D = D_0 + D_1");
    canvas.finish(y + 46.0)
}

fn words(vector: &[Z4]) -> Vec<String> {
    vector.iter().map(|word| word.to_u64().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::canvas::drawn;
    use super::*;

    /// The words that are drawn, by party and vector.
    fn held() -> BTreeMap<(String, String), Vec<u64>> {
        let mut all: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for cell in drawn(&picture(), "rect").into_iter().filter(|cell| cell.contains_key("data-vector")) {
            let place = (cell["data-party"].clone(), cell["data-vector"].clone());
            all.entry(place).or_default().push(cell["data-word"].parse().unwrap());
        }
        all
    }

    fn of(party: &str, vector: &str) -> Vec<u64> {
        held()[&(party.to_owned(), vector.to_owned())].clone()
    }

    fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
        a.iter().zip(b).map(|(a, b)| (a + b) % 4).collect()
    }

    #[test]
    fn the_two_shares_add_up_to_the_memory_that_nobody_holds() {
        assert_eq!(sum(&of("P0", "D_0"), &of("P1", "D_1")), of("nobody", "D"));
    }

    #[test]
    fn a_blinded_copy_is_the_others_share_with_the_others_blind() {
        assert_eq!(sum(&of("P1", "D_1"), &of("P1", "ζ_1")), of("P0", "D̃_1"));
        assert_eq!(sum(&of("P0", "D_0"), &of("P0", "ζ_0")), of("P1", "D̃_0"));
    }

    #[test]
    fn the_helper_holds_both_blinds_and_no_share_and_no_party_holds_both_of_anything_that_adds_up() {
        assert_eq!((of("P2", "ζ_0"), of("P2", "ζ_1")), (of("P0", "ζ_0"), of("P1", "ζ_1")));
        let holds = |party: &str, vector: &str| held().contains_key(&(party.to_owned(), vector.to_owned()));
        for party in ["P0", "P1", "P2"] {
            assert!(!(holds(party, "D_0") && holds(party, "D_1")), "{party} has the memory");
            assert!(!(holds(party, "D̃_0") && holds(party, "ζ_0")), "{party} takes the blind off");
            assert!(!(holds(party, "D̃_1") && holds(party, "ζ_1")), "{party} takes the blind off");
        }
        assert!(!holds("P2", "D_0") && !holds("P2", "D_1"));
    }
}
