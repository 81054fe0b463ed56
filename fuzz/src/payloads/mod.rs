//! Which payloads are valid: the tables of messages of `reference/PROTOCOL.md`, a third time.
//!
//! The reference decodes with one piece of code and the specification encodes with another; this says of any bytes, without
//! either, whether a receiver may take them, and what a valid payload with some random content is.

pub mod lean;
pub mod paper;
mod ristretto;
pub mod two_party;

use std::fmt::Debug;

use duoram_reference::{Role, Word};

/// What is due: the kind of a message, and the numbers that give its payload's length.
pub trait Shape: Copy + Debug {
    /// The fourth byte of every frame.
    const VERSION: u8;

    /// The number of the kinds of messages.
    const KINDS: u8;

    /// The kinds of which only a primary can know the lowest bits.
    const OPENED: &'static [Opened];

    /// The number of the kind.
    fn kind(self) -> u8;

    /// The runs of a payload from a peer.
    fn runs(self, from: Role) -> Vec<Run>;

    /// Whether this peer has nothing of the kind to send.
    fn nothing_from(self, from: Role) -> bool;
}

/// A kind of message in which two primaries tell each other their shares, of equal length.
#[derive(Clone, Copy)]
pub struct Opened {
    /// The kind.
    pub kind: u8,
    /// The bytes of a share.
    pub bytes: usize,
    /// The lowest bit of what the shares add up to.
    pub bit: u8,
}

/// A run of equal fields.
#[derive(Clone, Copy)]
pub enum Run {
    /// Blocks whose lowest bit has a meaning of its own, if any.
    Blocks(usize, LowestBit),
    /// Numbers of so many bytes each, at most eight.
    Numbers(usize, usize, Value),
    /// Packed bits.
    Bits(usize),
    /// Points of ristretto255 in their canonical encodings, none the identity.
    Points(usize),
}

/// What the lowest bit of a block is.
#[derive(Clone, Copy)]
pub enum LowestBit {
    /// Any.
    Free,
    /// This one.
    Is(u8),
}

/// What a number is.
#[derive(Clone, Copy)]
pub enum Value {
    /// Any.
    Any,
    /// Below this.
    Below(u64),
    /// This one.
    Is(u64),
}

/// Words of any value.
pub(crate) const fn words(count: usize) -> Run {
    Run::Numbers(count, 8, Value::Any)
}

impl Run {
    fn length(self) -> usize {
        match self {
            Self::Blocks(count, _) => 16 * count,
            Self::Numbers(count, bytes, _) => bytes * count,
            Self::Bits(count) => count.div_ceil(8),
            Self::Points(count) => 32 * count,
        }
    }

    /// Changes as little as possible of its bytes to make them valid.
    fn repair(self, bytes: &mut [u8]) {
        match self {
            Self::Blocks(_, LowestBit::Is(bit)) => {
                bytes.chunks_exact_mut(16).for_each(|block| block[0] = block[0] & !1 | bit);
            }
            Self::Numbers(_, width, value) => {
                for number in bytes.chunks_exact_mut(width) {
                    let mut padded = [0; 8];
                    padded[..width].copy_from_slice(number);
                    let got = Word::from_le_bytes(padded);
                    let right = match value {
                        Value::Any => got,
                        Value::Below(limit) => got % limit,
                        Value::Is(right) => right,
                    };
                    number.copy_from_slice(&right.to_le_bytes()[..width]);
                }
            }
            Self::Bits(count) if count % 8 != 0 => {
                if let Some(last) = bytes.last_mut() {
                    *last &= (1 << (count % 8)) - 1;
                }
            }
            Self::Points(_) => bytes.chunks_exact_mut(32).for_each(ristretto::repair),
            Self::Blocks(..) | Self::Bits(_) => {}
        }
    }
}

/// The length in bytes.
pub fn length(shape: impl Shape, from: Role) -> usize {
    shape.runs(from).into_iter().map(Run::length).sum()
}

/// Changes as little as possible of a payload of the right length to make it valid.
pub fn repair(shape: impl Shape, from: Role, payload: &mut [u8]) {
    let mut rest = payload;
    for run in shape.runs(from) {
        let (bytes, after) = rest.split_at_mut(run.length());
        run.repair(bytes);
        rest = after;
    }
}

/// Whether a receiver may take it: it has the length, and nothing in it needs repair.
pub fn valid(shape: impl Shape, from: Role, payload: &[u8]) -> bool {
    let mut repaired = payload.to_vec();
    !shape.nothing_from(from) && payload.len() == length(shape, from) && {
        repair(shape, from, &mut repaired);
        repaired == payload
    }
}

/// The header of a frame, byte by byte as in `reference/PROTOCOL.md`, "Frames".
pub fn header<S: Shape>(
    kind: u8,
    [from, to]: [Role; 2],
    round: u32,
    length: usize,
    operation: u64,
    session: [u8; 16],
) -> Vec<u8> {
    let length = u32::try_from(length).expect("a short payload");
    [
        &[0x44, 0x55, 0x4f, S::VERSION, kind, from.number(), to.number(), 0][..],
        &round.to_le_bytes(),
        &length.to_le_bytes(),
        &operation.to_le_bytes(),
        &session,
    ]
    .concat()
}
