//! A level of trees that two parties grow together (`[duoram, appendix C]`): what they say of it and what they make of it,
//! one triple and two messages a level, and the rules that keys keep.

use zeroize::Zeroize;

use super::tree::{ChildSums, Correction, mask};
use crate::Block;
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Misbehaviour, Role};

/// The rule that an opened correction word has a clear lowest bit.
pub const OPENED_BIT: &str = "the lowest bit of an opened correction word";

/// The rule that the lowest bit of a root is the number of the primary whose key it is.
pub const ROOT_BIT: &str = "the lowest bit of a root";

/// The rule that a correction word has a clear lowest bit.
pub const CORRECTION_BIT: &str = "the lowest bit of a correction word";

/// One party's AND triple of a bit with a block (`[duoram, Definition 4]`; erratum 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct AndTriple {
    /// `X_b`.
    pub x: bool,
    /// `Y_b`.
    pub y: Block,
    /// `Z_b`.
    pub z: Block,
}

/// What is opened of one DPF's level before its correction word (`[duoram, appendix C, steps 3 and 4]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelOperand {
    /// `x_b xor X_b`, of the bit of ri.
    pub masked_bit: bool,
    /// `y_b xor Y_b`, of the sums of the children.
    pub masked_word: Block,
    /// The share of `cwt_L`.
    pub left_flag: bool,
    /// The share of `cwt_R`.
    pub right_flag: bool,
}

/// `x_b xor X_b`, `y_b xor Y_b` and the shares of the flag corrections, of this level's bit `x_b` of ri.
pub(crate) fn operand(sums: &ChildSums, x: bool, triple: &AndTriple) -> LevelOperand {
    LevelOperand {
        masked_bit: x ^ triple.x,
        masked_word: y(sums) ^ triple.y,
        left_flag: lowest_bit(sums.left) ^ x,
        right_flag: lowest_bit(sums.right) ^ x,
    }
}

/// The share of the correction word, and the opened flag corrections: the AND with the other party's operands
/// (`[duoram, section 2.2.1]` and appendix C, steps 3 and 4, with one AND: erratum 11).
pub(crate) fn opening(sums: &ChildSums, x: bool, triple: &AndTriple, theirs: &LevelOperand) -> Correction {
    let z = mask(x) & (y(sums) ^ theirs.masked_word) ^ triple.y & mask(theirs.masked_bit) ^ triple.z;
    Correction {
        // cw = (i and (L xor R)) xor R
        word: z ^ clear_lowest_bit(sums.right),
        left_flag: lowest_bit(sums.left) ^ x ^ theirs.left_flag ^ true,
        right_flag: lowest_bit(sums.right) ^ x ^ theirs.right_flag,
    }
}

/// Whether the opened correction words of a level have clear lowest bits, as all are made to.
// Not inlined: optimized/constant-time knows this one branch on what is opened by the function's name.
#[inline(never)]
pub(crate) fn check_opening(
    kind: Kind,
    from: Role,
    level: u32,
    own: &[Correction],
    theirs: &[Block],
) -> Result<(), Misbehaviour> {
    let odd = |(own, theirs): (&Correction, &Block)| lowest_bit(own.word ^ theirs);
    match own.iter().zip(theirs).position(odd) {
        Some(dpf) => Err(Misbehaviour::Content {
            from,
            kind,
            rule: OPENED_BIT,
            at: vec![("DPF", dpf), ("level", level as usize)],
            expected: Bound::Is(0),
            got: 1,
        }),
        None => Ok(()),
    }
}

/// Lowest bits of a key carry meaning: of its root, whose it is; of a correction word, nothing.
pub(crate) fn check_key(
    reader: &Reader<'_>,
    number: usize,
    root: Block,
    corrections: &[Correction],
) -> Result<(), Misbehaviour> {
    let owner = u64::from(reader.from().number());
    let bit = u64::from(lowest_bit(root));
    if bit != owner {
        return Err(reader.content(ROOT_BIT, &[("key", number)], Bound::Is(owner), bit));
    }
    match corrections.iter().position(|correction| lowest_bit(correction.word)) {
        Some(level) => {
            let at = [("key", number), ("level", level)];
            Err(reader.content(CORRECTION_BIT, &at, Bound::Is(0), 1))
        }
        None => Ok(()),
    }
}

/// The length of the operands of so many DPFs.
pub(crate) const fn operands_length(dpfs: usize) -> Length {
    Length::blocks(dpfs).and(Length::bits(dpfs.saturating_mul(3)))
}

/// The blocks of all, then the bits of all.
pub(crate) fn write_operands(out: &mut Writer, operands: &[LevelOperand]) {
    for operand in operands {
        out.block(operand.masked_word);
    }
    let mut bits = Vec::with_capacity(3 * operands.len());
    for operand in operands {
        bits.extend([operand.masked_bit, operand.left_flag, operand.right_flag]);
    }
    out.bits(bits);
}

/// What [`write_operands`] has written.
pub(crate) fn read_operands(reader: &mut Reader<'_>, dpfs: usize) -> Result<Vec<LevelOperand>, Misbehaviour> {
    let blocks = reader.blocks(dpfs);
    let bits = reader.bits(3 * dpfs)?;
    let operand = |(&masked_word, bits): (&Block, &[bool])| LevelOperand {
        masked_bit: bits[0],
        masked_word,
        left_flag: bits[1],
        right_flag: bits[2],
    };
    Ok(blocks.iter().zip(bits.chunks_exact(3)).map(operand).collect())
}

/// `y_b = L'_b xor R'_b`: the lowest bits are cleared *before* the AND. In an opened cw, the lowest bit would be cwt_R or
/// cwt_L, depending on the bit of ri, and so tell that bit whenever the two differ.
fn y(sums: &ChildSums) -> Block {
    clear_lowest_bit(sums.left ^ sums.right)
}

fn clear_lowest_bit(block: Block) -> Block {
    block & !1
}

fn lowest_bit(block: Block) -> bool {
    block & 1 == 1
}
