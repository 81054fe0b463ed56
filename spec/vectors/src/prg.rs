//! The PRG, on labels with and without flag.

use duoram_spec::core::aes::encrypt;
use duoram_spec::core::block::Block;
use duoram_spec::core::prg::{AesPrg, Prg};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{block, session_key};
use crate::topic::{Fault, Topic};

struct Case {
    prg: AesPrg,
    label: Block,
}

/// An implementation that forgets `s'`: the flag goes into pi.
struct FlagNotCleared<'a>(&'a AesPrg);

impl Prg for FlagNotCleared<'_> {
    fn left(&self, label: Block) -> Block {
        encrypt(&self.0.aes, label) ^ label
    }
    fn right(&self, label: Block) -> Block {
        encrypt(&self.0.aes, label ^ 1) ^ label ^ 1
    }
}

/// An implementation that forgets the feed-forward: G can be inverted.
struct NoFeedForward<'a>(&'a AesPrg);

impl Prg for NoFeedForward<'_> {
    fn left(&self, label: Block) -> Block {
        encrypt(&self.0.aes, label & !1)
    }
    fn right(&self, label: Block) -> Block {
        encrypt(&self.0.aes, label | 1)
    }
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x096);
    let random = r.block();
    [
        ("label 0", 0),
        ("label 0 with flag", 1),
        ("all bits set", Block::MAX),
        ("only the highest bit set", 1 << 127),
        ("random, flag 0", random & !1),
        ("the same, flag 1", random | 1),
    ]
    .map(|(name, label)| (name.to_owned(), Case { prg: r.prg(), label }))
    .into()
}

/// Both children of a label.
pub fn output(prg: &impl Prg, label: Block) -> Value {
    json!({ "left": block(prg.left(label)), "right": block(prg.right(label)) })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "prg",
        about: "The children of a label, before correction: G_L(s) and G_R(s).",
        paper: "section 2.1.1; reference/PROTOCOL.md, PRG and tree",
        cases: cases(),
        input: |case| json!({ "session_key": session_key(&case.prg), "label": block(case.label) }),
        output: |case| output(&case.prg, case.label),
    }
    .files(&[
        Fault {
            name: "flag_not_cleared",
            about: "The flag of the label goes into the PRG: with flag 1, left and right change places.",
            output: |case| output(&FlagNotCleared(&case.prg), case.label),
        },
        Fault {
            name: "no_feed_forward",
            about: "The input of pi is not added to its output, so that everyone can invert G.",
            output: |case| output(&NoFeedForward(&case.prg), case.label),
        },
    ])
}
