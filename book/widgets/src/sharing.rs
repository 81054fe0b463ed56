//! The sharing playground: two secrets, their shares, their sum, and what a changed share does.

use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::core::share::{additive_open, additive_shares, xor_open, xor_shares};
use serde::Serialize;

use crate::board::Holder;
use crate::inputs::{BadInput, Inputs};
use Holder::{P0, P1};
use duoram_vectors::Random;

/// A value, and which party has it before anything is opened.
#[derive(Serialize)]
struct Cell {
    name: &'static str,
    value: String,
    known: Vec<Holder>,
}

/// A secret with its shares and what they open to.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    cells: Vec<Cell>,
}

/// The table; the random words, for the form; and, for the small ring, the words that fit each secret.
#[derive(Serialize)]
pub(crate) struct Shown {
    r: String,
    s: String,
    rows: Vec<Row>,
    fits: Option<Fits>,
}

/// For each secret 0, 1, 2, 3: the one random word that gives P0, or P1, the share that it holds.
#[derive(Serialize)]
struct Fits {
    p0: Vec<String>,
    p1: Vec<String>,
}

/// How words are shared, typed and shown.
#[derive(Clone, Copy)]
enum Kind {
    Additive64,
    Additive4,
    Xor8,
}

use Kind::{Additive4, Additive64, Xor8};

impl Kind {
    fn of(inputs: &Inputs) -> Result<Kind, BadInput> {
        match inputs.text("kind") {
            "additive-64" => Ok(Additive64),
            "additive-4" => Ok(Additive4),
            "xor-8" => Ok(Xor8),
            _ => Err(inputs.refused("kind", "additive-64, additive-4 or xor-8")),
        }
    }

    fn word(self, inputs: &Inputs, field: &str) -> Result<u64, BadInput> {
        match self {
            Additive64 => inputs.number(field, u64::MAX),
            Additive4 => inputs.number(field, 3),
            Xor8 => {
                let text = inputs.text(field);
                let bits = (1..=8).contains(&text.len()) && text.bytes().all(|c| c == b'0' || c == b'1');
                if !bits {
                    return Err(inputs.refused(field, "1 to 8 binary digits"));
                }
                Ok(text.bytes().fold(0, |word, c| 2 * word + u64::from(c == b'1')))
            }
        }
    }

    /// What was typed, or if nothing was, the word drawn.
    fn word_or(self, inputs: &Inputs, field: &str, otherwise: u64) -> Result<u64, BadInput> {
        if inputs.text(field).is_empty() { Ok(otherwise) } else { self.word(inputs, field) }
    }

    fn drawn(self, random: &mut Random) -> u64 {
        match self {
            Additive64 => random.word(),
            Additive4 => Z4::from_u64(random.word()).to_u64(),
            Xor8 => random.word() & 0xff,
        }
    }

    fn text(self, word: u64) -> String {
        match self {
            Additive64 | Additive4 => word.to_string(),
            Xor8 => format!("{word:08b}"),
        }
    }

    fn shares(self, x: u64, r: u64) -> (u64, u64) {
        match self {
            Additive64 => additive_shares(x, r),
            Additive4 => {
                let (x_0, x_1) = additive_shares(Z4::from_u64(x), Z4::from_u64(r));
                (x_0.to_u64(), x_1.to_u64())
            }
            Xor8 => {
                let (x_0, x_1) = xor_shares(x.into(), r.into());
                // Of two words below 2^8 the XOR is one too.
                ((x_0 & 0xff) as u64, (x_1 & 0xff) as u64)
            }
        }
    }

    /// What two shares open to. It also adds two secrets, or two shares that one party holds.
    fn open(self, x_0: u64, x_1: u64) -> u64 {
        match self {
            Additive64 => additive_open(x_0, x_1),
            Additive4 => additive_open(Z4::from_u64(x_0), Z4::from_u64(x_1)).to_u64(),
            Xor8 => (xor_open(x_0.into(), x_1.into()) & 0xff) as u64,
        }
    }

    /// One row: who knows which of its words is the same in all rows.
    fn row(self, name: &'static str, secret: u64, (x_0, x_1): (u64, u64)) -> Row {
        let cell =
            |name, word, known: &[Holder]| Cell { name, value: self.text(word), known: known.to_vec() };
        Row {
            name,
            cells: vec![
                cell("secret", secret, &[]),
                cell("share_0", x_0, &[P0]),
                cell("share_1", x_1, &[P1]),
                cell("opened", self.open(x_0, x_1), &[]),
            ],
        }
    }

    fn fits(self, (x_0, x_1): (u64, u64)) -> Option<Fits> {
        let word = |secret: u64, fits: &dyn Fn((u64, u64)) -> bool| {
            let words = (0..4).filter(|r| fits(self.shares(secret, *r)));
            words.map(|r| self.text(r)).collect::<Vec<_>>().join(" ")
        };
        matches!(self, Additive4).then(|| Fits {
            p0: (0..4).map(|secret| word(secret, &|shares| shares.0 == x_0)).collect(),
            p1: (0..4).map(|secret| word(secret, &|shares| shares.1 == x_1)).collect(),
        })
    }
}

/// Validates the form and shares both secrets. Drawn from the seed: the random word of x, then that of y.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let kind = Kind::of(inputs)?;
    let mut random = Random(inputs.number("seed", u64::MAX)?);
    let (r, s) = (kind.drawn(&mut random), kind.drawn(&mut random));
    let (x, y) = (kind.word(inputs, "x")?, kind.word(inputs, "y")?);
    let (r, s) = (kind.word_or(inputs, "r", r)?, kind.word_or(inputs, "s", s)?);

    let of_x = kind.shares(x, r);
    let of_y = kind.shares(y, s);
    let changed = (kind.word_or(inputs, "change_0", of_x.0)?, kind.word_or(inputs, "change_1", of_x.1)?);
    let of_sum = (kind.open(of_x.0, of_y.0), kind.open(of_x.1, of_y.1));
    Ok(Shown {
        r: kind.text(r),
        s: kind.text(s),
        rows: vec![
            kind.row("x", x, of_x),
            kind.row("y", y, of_y),
            kind.row("sum", kind.open(x, y), of_sum),
            kind.row("changed", x, changed),
        ],
        fits: kind.fits(of_x),
    })
}
