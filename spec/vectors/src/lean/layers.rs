//! The output layers of one node.

use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::layers::{
    FLAG_TWEAK, Layers, WORD_TWEAK, flag_bits, flag_block, node_flags, node_values, node_words, word_bits,
};
use serde_json::{Value, json};

use super::ring_words;
use crate::Random;
use crate::json::{bits, block, session_key};
use crate::topic::{Fault, Topic};

/// A node.
pub struct Case {
    /// Under K.
    pub prg: AesPrg,
    /// h
    pub log_size: usize,
    /// s
    pub label: Block,
    /// `CWf`
    pub flag_correction: Block,
    /// `CWw`, 8 words
    pub word_correction: Vec<XorWord>,
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, &case.prg)
}

/// An implementation whose word layer begins at the flag layer's tweak: two of its words are the flags.
struct Overlapping<'a>(&'a AesPrg);

impl Layers for Overlapping<'_> {
    fn output(&self, label: Block, tweak: Block) -> Block {
        let moved = if tweak < WORD_TWEAK { tweak } else { tweak ^ WORD_TWEAK ^ FLAG_TWEAK };
        self.0.output(label, moved)
    }
}

/// An implementation that forgets `s'`: the flag goes into pi.
struct FlagNotCleared<'a>(&'a AesPrg);

impl Layers for FlagNotCleared<'_> {
    fn output(&self, label: Block, tweak: Block) -> Block {
        self.0.output(label, tweak ^ u128::from(flag(label)))
    }
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x1a4e5);
    let random = r.block();
    [
        ("h = 1, label 0", 1, 0),
        ("h = 2, random, flag 1", 2, random | 1),
        ("h = 5, the same", 5, random | 1),
        ("h = 20, the same, flag 0", 20, random & !1),
        ("h = 20, the same, flag 1", 20, random | 1),
        ("h = 20, all bits set", 20, Block::MAX),
    ]
    .map(|(name, log_size, label)| {
        let (prg, flag_correction, word_correction) = (r.prg(), r.block(), r.vector(8));
        (name.to_owned(), Case { prg, log_size, label, flag_correction, word_correction })
    })
    .into()
}

fn output(case: &Case, prg: &impl Layers) -> Value {
    let words: Vec<XorWord> = node_words(prg, case.label);
    let flags = node_flags(prg, case.label, case.flag_correction, flag_bits(case.log_size));
    let values = node_values(prg, case.label, &case.word_correction, word_bits(case.log_size));
    json!({
        "flag_block": block(flag_block(prg, case.label)),
        "node_words": ring_words(&words),
        "flags": bits(&flags),
        "values": ring_words(&values),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_layers",
        about: "The output layers of one node: X(s) and Y(s), and with their corrections the leaves' flags and values.",
        paper: "not in the paper; spec/src/lean/layers.rs",
        cases: cases(),
        input: |case| {
            json!({
                "session_key": session_key(&case.prg),
                "log_size": case.log_size,
                "label": block(case.label),
                "flag_correction": block(case.flag_correction),
                "word_correction": ring_words(&case.word_correction),
            })
        },
        output: outcome,
    }
    .files(&[
        Fault {
            name: "tweaks_overlap",
            about: "The word layer's tweaks begin at 2, where the flag layer's is: two words of a node are its flags.",
            output: |case| output(case, &Overlapping(&case.prg)),
        },
        Fault {
            name: "flag_not_cleared",
            about: "The label's flag goes into the layers: nodes that differ in nothing else do not cancel.",
            output: |case| output(case, &FlagNotCleared(&case.prg)),
        },
    ])
}
