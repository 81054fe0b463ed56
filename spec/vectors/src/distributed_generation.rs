//! App. C: every message of every level, and the keys.

use duoram_spec::core::block::{Block, clear_flag, flag, replicate};
use duoram_spec::core::distributed_gen::{
    ChildSums, Generation, Input, LevelMessages, Operands, child_sums, correction_of, distributed_generation,
    level_messages, operands, planted,
};
use duoram_spec::core::dpf::{Correction, Key, address_bits, next_level};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::Primary;
use serde_json::{Value, json};

use crate::Random;
use crate::json::{bits, block, blocks, key, session_key};
use crate::topic::{Fault, Topic};

struct Case {
    prg: AesPrg,
    log_size: usize,
    target: u64,
    /// P0's XOR share of the target.
    share_0: u64,
    roots: (Block, Block),
    triples: (Vec<AndTriple>, Vec<AndTriple>),
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0xc);
    [(1, 0, 1), (1, 1, 0), (2, 2, 1), (3, 0, 5), (3, 6, 3), (4, 15, 6), (4, 10, 7)]
        .map(|(log_size, target, share_0)| {
            let triples = r.dpf_triples::<u64>(log_size);
            let case = Case {
                prg: r.prg(),
                log_size,
                target,
                share_0,
                roots: (r.block(), r.block()),
                triples: (triples.and_0, triples.and_1),
            };
            (format!("h = {log_size}, target {target}"), case)
        })
        .into()
}

/// Both parties' inputs, with any bits for the target.
fn inputs(case: &Case, bits_0: Vec<bool>, bits_1: Vec<bool>) -> (Input, Input) {
    (
        Input { target_bits: bits_0, root: case.roots.0, triples: case.triples.0.clone() },
        Input { target_bits: bits_1, root: case.roots.1, triples: case.triples.1.clone() },
    )
}

fn right_inputs(case: &Case) -> (Input, Input) {
    let bits = |share| address_bits(share, case.log_size);
    inputs(case, bits(case.share_0), bits(case.target ^ case.share_0))
}

fn input(case: &Case) -> Value {
    let (input_0, input_1) = right_inputs(case);
    let party = |input: &Input| {
        let triples = || input.triples.iter();
        json!({
            "target_bits": bits(&input.target_bits),
            "root": block(input.root),
            "triples": {
                "x": bits(&triples().map(|t| flag(t.x)).collect::<Vec<_>>()),
                "y": blocks(&triples().map(|t| t.y).collect::<Vec<_>>()),
                "z": blocks(&triples().map(|t| t.z).collect::<Vec<_>>()),
            },
        })
    };
    json!({
        "session_key": session_key(&case.prg),
        "log_size": case.log_size,
        "target": case.target,
        "p0": party(&input_0),
        "p1": party(&input_1),
    })
}

/// Every message, both keys and all leaves.
pub fn output(outcome: &Generation) -> Value {
    let operands = |operands: &Operands| {
        json!({
            "masked_bit": bits(&[operands.masked_bit]),
            "masked_word": block(operands.masked_word),
            "left_flag": bits(&[operands.left_flag]),
            "right_flag": bits(&[operands.right_flag]),
        })
    };
    let level = |m: &LevelMessages| {
        json!({
            "operands_0": operands(&m.operands_0),
            "operands_1": operands(&m.operands_1),
            "opening_0": block(m.opening_0),
            "opening_1": block(m.opening_1),
        })
    };
    json!({
        "levels": outcome.messages.iter().map(level).collect::<Vec<_>>(),
        "key_0": key(&outcome.key_0),
        "key_1": key(&outcome.key_1),
        "labels_0": blocks(&outcome.labels_0),
        "labels_1": blocks(&outcome.labels_1),
    })
}

fn right(case: &Case) -> Value {
    let (input_0, input_1) = right_inputs(case);
    output(&distributed_generation(&case.prg, &input_0, &input_1))
}

/// P1 takes `target - share_0` for its share: additive sharing.
fn additive_index(case: &Case) -> Value {
    let bits = |share| address_bits(share, case.log_size);
    let (input_0, input_1) = inputs(case, bits(case.share_0), bits(case.target.wrapping_sub(case.share_0)));
    output(&distributed_generation(&case.prg, &input_0, &input_1))
}

fn lowest_bit_first(case: &Case) -> Value {
    let (mut input_0, mut input_1) = right_inputs(case);
    input_0.target_bits.reverse();
    input_1.target_bits.reverse();
    output(&distributed_generation(&case.prg, &input_0, &input_1))
}

/// App. C with other messages of a level, or another way to put them together.
fn changed(
    case: &Case,
    messages: impl Fn(&[Block], &[Block], (bool, bool), (AndTriple, AndTriple)) -> LevelMessages,
    correction: impl Fn(&LevelMessages) -> Correction,
) -> Generation {
    let (input_0, input_1) = right_inputs(case);
    let (root_0, root_1) = (planted(Primary::P0, input_0.root), planted(Primary::P1, input_1.root));
    let key = |root| Key { root, corrections: vec![] };
    let mut done = Generation {
        key_0: key(root_0),
        key_1: key(root_1),
        labels_0: vec![root_0],
        labels_1: vec![root_1],
        messages: vec![],
    };
    for level in 0..case.log_size {
        let sent = messages(
            &done.labels_0,
            &done.labels_1,
            (input_0.target_bits[level], input_1.target_bits[level]),
            (input_0.triples[level], input_1.triples[level]),
        );
        let correction = correction(&sent);
        done.key_0.corrections.push(correction);
        done.key_1.corrections.push(correction);
        done.labels_0 = next_level(&case.prg, &done.labels_0, &correction);
        done.labels_1 = next_level(&case.prg, &done.labels_1, &correction);
        done.messages.push(sent);
    }
    done
}

/// cwt_L is the XOR of both shares, without the `xor 1` of App. C, step 4.
fn negation_missing(case: &Case) -> Value {
    let correction = |sent: &LevelMessages| {
        let right = correction_of(sent);
        Correction { left_flag: !right.left_flag, ..right }
    };
    let messages = |level_0: &[Block], level_1: &[Block], bits, triples| {
        level_messages(&case.prg, level_0, level_1, bits, triples)
    };
    output(&changed(case, messages, correction))
}

/// Step 3 to the letter: the AND is of whole labels, and so `cw` is opened with its lowest bit. It is cleared after
/// that, so that the keys are right and only the openings tell.
fn cw_lowest_bit(case: &Case) -> Value {
    let messages =
        |level_0: &[Block], level_1: &[Block], bits: (bool, bool), triples: (AndTriple, AndTriple)| {
            let (sums_0, sums_1) = (child_sums(&case.prg, level_0), child_sums(&case.prg, level_1));
            let sent = |bit, sums: &ChildSums, triple: &AndTriple| Operands {
                masked_word: and_message(replicate(bit), sums.left ^ sums.right, triple).1,
                ..operands(bit, sums, triple)
            };
            let opened = |bit, sums: &ChildSums, triple: &AndTriple, received: &Operands| {
                let message = (replicate(received.masked_bit), received.masked_word);
                and_share(replicate(bit), sums.left ^ sums.right, triple, message) ^ sums.right
            };
            let operands_0 = sent(bits.0, &sums_0, &triples.0);
            let operands_1 = sent(bits.1, &sums_1, &triples.1);
            let opening_0 = opened(bits.0, &sums_0, &triples.0, &operands_1);
            let opening_1 = opened(bits.1, &sums_1, &triples.1, &operands_0);
            LevelMessages { operands_0, operands_1, opening_0, opening_1 }
        };
    let correction = |sent: &LevelMessages| {
        let opened = correction_of(sent);
        Correction { word: clear_flag(opened.word), ..opened }
    };
    output(&changed(case, messages, correction))
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "distributed_generation",
        about: "A DPF made by two parties who know XOR shares of its target: both messages of each level, \
                the keys, and all labels of both trees.",
        paper: "appendix C (errata 10 and 11; the lowest bit is cleared before the AND)",
        cases: cases(),
        input,
        output: right,
    }
    .files(&[
        Fault {
            name: "additive_index",
            about: "P1 takes the additive share target - share_0 mod n, not the XOR share: the DPF has \
                    another target.",
            output: additive_index,
        },
        Fault {
            name: "lowest_bit_first",
            about: "The bits of the target are taken least significant first.",
            output: lowest_bit_first,
        },
        Fault {
            name: "negation_missing",
            about: "cwt_L is the XOR of both shares without the 1.",
            output: negation_missing,
        },
        Fault {
            name: "cw_lowest_bit",
            about: "The lowest bit of L_b and R_b is not cleared before the AND, so that the opened cw has \
                    it and tells the bit of the target. It is cleared when cw is applied: keys and labels \
                    are right, the messages are not.",
            output: cw_lowest_bit,
        },
    ])
}
