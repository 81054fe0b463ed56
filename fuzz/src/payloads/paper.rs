//! Which payloads are valid: the table "Messages" of `reference/PROTOCOL.md`, a third time.
//!
//! The reference decodes with one piece of code and the specification encodes with another; this says of any bytes, without
//! either, whether a receiver may take them, and what a valid payload with some random content is.

use duoram_reference::{Role, Word};

/// What is due: the kind of a message, and the numbers that give its payload's length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // of the fields: counts of what their names say
pub enum Shape {
    Hello { log_size: u32 },
    Blinded { words: usize },
    Blind { words: usize },
    Triples { log_size: u32, dpfs: usize },
    LevelOperands { dpfs: usize },
    LevelOpening { dpfs: usize },
    ConversionOperands { dpfs: usize, deltas: usize },
    ConversionOpening { dpfs: usize },
    HelperKeys { log_size: u32, items: usize },
    Shift { log_size: u32, queries: usize },
    Unblinding { queries: usize },
    Update { log_size: u32, queries: usize },
    HelperUpdate { log_size: u32, queries: usize },
}

/// The kind of 'level opening'.
pub const LEVEL_OPENING: u8 = 6;

impl Shape {
    /// The number of the kind.
    pub const fn kind(self) -> u8 {
        match self {
            Self::Hello { .. } => 1,
            Self::Blinded { .. } => 2,
            Self::Blind { .. } => 3,
            Self::Triples { .. } => 4,
            Self::LevelOperands { .. } => 5,
            Self::LevelOpening { .. } => LEVEL_OPENING,
            Self::ConversionOperands { .. } => 7,
            Self::ConversionOpening { .. } => 8,
            Self::HelperKeys { .. } => 9,
            Self::Shift { .. } => 10,
            Self::Unblinding { .. } => 11,
            Self::Update { .. } => 12,
            Self::HelperUpdate { .. } => 13,
        }
    }
}

/// A run of equal fields.
#[derive(Clone, Copy)]
enum Run {
    /// Blocks whose lowest bit has a meaning of its own, if any.
    Blocks(usize, LowestBit),
    /// Words; of each group of so many, the first is a shift share.
    Words(usize, Option<usize>),
    /// Packed bits.
    Bits(usize),
}

#[derive(Clone, Copy)]
enum LowestBit {
    Free,
    Is(u8),
}

/// The runs of a payload from a peer.
fn runs(shape: Shape, from: Role) -> Vec<Run> {
    use LowestBit::{Free, Is};
    use Run::{Bits, Blocks, Words};
    let h = |log_size: u32| log_size as usize;
    match shape {
        Shape::Hello { .. } => vec![Blocks(1, Free), Words(1, None)],
        Shape::Blinded { words } | Shape::Blind { words } => vec![Words(words, None)],
        Shape::Triples { log_size, dpfs } => {
            let levels = dpfs * h(log_size);
            vec![Blocks(2 * levels, Free), Bits(levels), Words(3 * dpfs, None)]
        }
        Shape::LevelOperands { dpfs } => vec![Blocks(dpfs, Free), Bits(3 * dpfs)],
        Shape::LevelOpening { dpfs } => vec![Blocks(dpfs, Free)],
        Shape::ConversionOperands { dpfs, deltas } => vec![Words(3 * dpfs + 2 * deltas, None)],
        Shape::ConversionOpening { dpfs } => vec![Words(dpfs, None)],
        Shape::HelperKeys { log_size, items } => {
            let key = [Blocks(1, Is(from.number())), Blocks(h(log_size), Is(0)), Words(1, None)];
            let mut runs = key.repeat(items);
            runs.push(Bits(2 * items * h(log_size)));
            runs
        }
        Shape::Shift { queries, .. } => vec![Words(queries, Some(1))],
        Shape::Unblinding { queries } => vec![Words(queries, None)],
        Shape::Update { queries, .. } => vec![Words(4 * queries, Some(4))],
        Shape::HelperUpdate { queries, .. } => vec![Words(3 * queries, Some(3))],
    }
}

/// h, where the content depends on it.
fn log_size(shape: Shape) -> Option<u32> {
    match shape {
        Shape::Hello { log_size }
        | Shape::Shift { log_size, .. }
        | Shape::Update { log_size, .. }
        | Shape::HelperUpdate { log_size, .. } => Some(log_size),
        _ => None,
    }
}

fn run_length(run: &Run) -> usize {
    match *run {
        Run::Blocks(count, _) => 16 * count,
        Run::Words(count, _) => 8 * count,
        Run::Bits(count) => count.div_ceil(8),
    }
}

/// The length in bytes.
pub fn length(shape: Shape, from: Role) -> usize {
    runs(shape, from).iter().map(run_length).sum()
}

/// Changes as little as possible of a payload of the right length to make it valid.
pub fn repair(shape: Shape, from: Role, payload: &mut [u8]) {
    let mut rest = payload;
    for run in runs(shape, from) {
        let (bytes, after) = rest.split_at_mut(run_length(&run));
        match run {
            Run::Blocks(_, LowestBit::Is(bit)) => {
                bytes.chunks_exact_mut(16).for_each(|block| block[0] = block[0] & !1 | bit);
            }
            Run::Words(_, Some(group)) => {
                let n = 1 << log_size(shape).expect("shifts are below n");
                for word in bytes.chunks_exact_mut(8).step_by(group) {
                    let share = Word::from_le_bytes(word.try_into().expect("eight bytes"));
                    word.copy_from_slice(&(share % n).to_le_bytes());
                }
            }
            Run::Words(1, None) if matches!(shape, Shape::Hello { .. }) => {
                bytes.copy_from_slice(&Word::from(log_size(shape).expect("of a hello")).to_le_bytes());
            }
            Run::Bits(count) if count % 8 != 0 => {
                if let Some(last) = bytes.last_mut() {
                    *last &= (1 << (count % 8)) - 1;
                }
            }
            Run::Blocks(..) | Run::Words(..) | Run::Bits(_) => {}
        }
        rest = after;
    }
}

/// Whether a receiver may take it: it has the length, and nothing in it needs repair. P2 has no keys to send.
pub fn valid(shape: Shape, from: Role, payload: &[u8]) -> bool {
    if matches!(shape, Shape::HelperKeys { items: 1.., .. }) && from == Role::P2 {
        return false;
    }
    let mut repaired = payload.to_vec();
    payload.len() == length(shape, from) && {
        repair(shape, from, &mut repaired);
        repaired == payload
    }
}

/// The header of a frame, byte by byte as in `reference/PROTOCOL.md`, "Frames".
pub fn header(
    kind: u8,
    [from, to]: [Role; 2],
    round: u32,
    length: usize,
    operation: u64,
    session: [u8; 16],
) -> Vec<u8> {
    let length = u32::try_from(length).expect("a short payload");
    [
        &[0x44, 0x55, 0x4f, 0x01, kind, from.number(), to.number(), 0][..],
        &round.to_le_bytes(),
        &length.to_le_bytes(),
        &operation.to_le_bytes(),
        &session,
    ]
    .concat()
}
