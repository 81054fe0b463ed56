//! A party, and what it does to connect and to load. What ends in nothing else is in [`crate::two_party::party_preprocessing`] and
//! [`crate::two_party::party_online`].
//!
//! Each function is of one party alone: from its own state, its own random words, its own results of OTs, and what the other
//! sent it, to its new state and what it sends. Nothing here sees two parties; [`crate::two_party::session`] puts them together.

use crate::core::aes::{bytes_of_block, expand_key};
use crate::core::block::Block;
use crate::core::prg::AesPrg;
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::zeros;
use crate::two_party::tape::{CONTRIBUTION_WORDS, Tape, advance, peek_block, tape};
use crate::two_party::update::UpdateItem;

/// P_b's part of a READ item: of its own query, and of the other's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadItem {
    /// q_b, below n.
    pub query_index: u64,
    /// The keys that it received, `K_j^(bit j of q_b)`.
    pub keys: Vec<Block>,
    /// The keys that it sent, both of each level: under these it masks what the other's query reads.
    pub pairs: Vec<(Block, Block)>,
}

/// P0 or P1, over words W, with a PRG and a PRF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party<W, P, F> {
    /// Which of them.
    pub role: Primary,
    /// h
    pub log_size: usize,
    /// The PRG under the session's key.
    pub prg: P,
    /// What masks are made of.
    pub prf: F,
    /// The words that items are made from.
    pub making: Tape,
    /// The words that operations draw: the blinds of READs.
    pub blinds: Tape,
    /// D_b
    pub memory_share: Vec<W>,
    /// Items for READs, in the order of use.
    pub reads: Vec<ReadItem>,
    /// Items for UPDATEs.
    pub updates: Vec<UpdateItem<W>>,
}

/// The size of the memory.
pub fn size(log_size: usize) -> usize {
    1usize.wrapping_shl(log_size as u32)
}

/// What a party contributes to K: the first two words that it makes things from.
pub fn contribution(making: &[u64]) -> Block {
    peek_block(&tape(making), 0)
}

/// The PRG under K, the XOR of the own and the received contribution.
pub fn session_prg(own: Block, received: Block) -> AesPrg {
    AesPrg { aes: expand_key(&bytes_of_block(own ^ received)) }
}

/// A party after the connect, with a memory of zeros, under any PRG and PRF.
pub fn started<W: Ring, P, F>(
    role: Primary,
    log_size: usize,
    prg: P,
    prf: F,
    making: &[u64],
    blinds: &[u64],
) -> Party<W, P, F> {
    Party {
        role,
        log_size,
        prg,
        prf,
        making: advance(&tape(making), CONTRIBUTION_WORDS),
        blinds: tape(blinds),
        memory_share: zeros(size(log_size)),
        reads: vec![],
        updates: vec![],
    }
}

/// A load, which sends nothing: the party takes its share of another memory, of n words.
pub fn loaded<W: Ring, P, F>(party: Party<W, P, F>, memory_share: &[W]) -> Party<W, P, F> {
    Party { memory_share: memory_share.to_vec(), ..party }
}
