//! Blocks: the 128-bit labels of the DPF trees.

/// A label, or a correction word: 128 bits, bit 0 the lowest (the lowest bit of the first byte).
pub type Block = u128;

/// The flag t of a node: the lowest bit of its corrected label (App. C calls it lsb).
pub fn flag(label: Block) -> bool {
    label & 1 == 1
}

/// The label without its flag: what the PRG takes.
pub fn clear_flag(label: Block) -> Block {
    label & !1
}

/// A bit as a block: at position 0.
pub fn bit_block(bit: bool) -> Block {
    if bit { 1 } else { 0 }
}

/// A bit at all 128 positions, so that AND with it keeps or drops a block.
pub fn replicate(bit: bool) -> Block {
    if bit { !0 } else { 0 }
}

/// `label` with the flag `bit`.
pub fn with_flag(label: Block, bit: bool) -> Block {
    clear_flag(label) ^ bit_block(bit)
}

/// Bits 64 to 127.
pub fn high_half(label: Block) -> u64 {
    (label.wrapping_shr(64) & 0xffff_ffff_ffff_ffff) as u64
}

/// Bits 0 to 63.
pub fn low_half(label: Block) -> u64 {
    (label & 0xffff_ffff_ffff_ffff) as u64
}

/// The block with these halves.
pub fn block_of_halves(low: u64, high: u64) -> Block {
    (low as u128) ^ (high as u128).wrapping_shl(64)
}

/// XOR of all blocks of a vector (App. C, step 2).
pub fn xor_sum(blocks: &[Block]) -> Block {
    blocks.iter().fold(0, |sum, block| sum ^ *block)
}
