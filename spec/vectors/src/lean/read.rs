//! READ, online.

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::shift;
use duoram_spec::lean::read::{Flags, Read, moved, read};
use serde_json::{Value, json};

use super::{Operation, operation, read_input, ring_word};
use crate::Random;
use crate::json::word;
use crate::topic::{Fault, Topic};

struct Case {
    operation: Operation,
    mask: XorWord,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x1ead);
    [(1, 0), (1, 1), (3, 7), (4, 2), (5, 30)]
        .map(|(log_size, address)| {
            let operation = operation(&mut r, log_size, address, 0);
            (format!("h = {log_size}, address {address}"), Case { operation, mask: r.ring() })
        })
        .into()
}

fn input(case: &Case) -> Value {
    let mut input = read_input(&case.operation);
    input["mask"] = ring_word(case.mask);
    input
}

/// The output of a vector.
pub fn outcome(read: &Read<XorWord>) -> Value {
    json!({
        "shift_0": word(read.shift_0),
        "shift_1": word(read.shift_1),
        "unblinding": ring_word(read.unblinding),
        "read_0": ring_word(read.read_0),
        "read_1": ring_word(read.read_1),
        "opened": ring_word(read.read_0.plus(read.read_1)),
    })
}

fn run(case: &Case, flags: &Flags<XorWord>, mask: XorWord) -> Read<XorWord> {
    let Operation { state, index, address, .. } = &case.operation;
    read(state, flags, case.operation.size(), *index, *address, mask)
}

fn right(case: &Case) -> Read<XorWord> {
    run(case, &case.operation.material.flags, case.mask)
}

fn shift_not_cut(case: &Case) -> Value {
    let Operation { index, address, .. } = &case.operation;
    outcome(&Read { shift_0: address.0 ^ index.0, shift_1: address.1 ^ index.1, ..right(case) })
}

/// The vectors are moved by S cyclically, as in the paper's protocol.
fn moved_cyclically(case: &Case) -> Value {
    let flags = &case.operation.material.flags;
    let Read { shift_0, shift_1, .. } = right(case);
    let s = shift_0 ^ shift_1;
    let cyclic = Flags {
        a_0: shift(&flags.a_0, s),
        a_1: shift(&flags.a_1, s),
        b_0: shift(&flags.b_0, s),
        b_1: shift(&flags.b_1, s),
    };
    // Moved back first, for READ moves them itself.
    outcome(&run(case, &moved(&cyclic, s), case.mask))
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_read",
        about: "READ from the three states and the flags of both DPFs: the shares of the shift, g, and both outputs.",
        paper: "not in the paper; spec/src/lean/read.rs",
        cases: cases(),
        input,
        output: |case| outcome(&right(case)),
    }
    .files(&[
        Fault {
            name: "mask_missing",
            about: "rho is left out on both sides: the result is right, and P0 learns P2's part of it.",
            output: |case| outcome(&run(case, &case.operation.material.flags, XorWord::zero())),
        },
        Fault {
            name: "shift_not_cut",
            about: "The shares of the shift are sent as whole words: the result is right, and what a share of the \
                    address has above its h bits is told.",
            output: shift_not_cut,
        },
        Fault {
            name: "moved_cyclically",
            about: "The flags move by S mod n, as in the paper's protocol, and not by XOR.",
            output: moved_cyclically,
        },
    ])
}
