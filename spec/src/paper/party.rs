//! What each party does, one function a thing: from its own state, its own random words and what it was sent in this step (its
//! inbox) to its new state, what it sends, and its results. Nothing here sees two parties; [`crate::paper::parties`] hands their
//! messages over, and `proofs/rocq/paper/Locality.v` proves that this is the session of [`crate::paper::session`].
//!
//! Here are the parties, connect and load; preparing is in [`crate::paper::party_preprocessing`], the operations are in
//! [`crate::paper::party_online`]. P0 and P1 do the same but for a few lines, which ask for their role.

use crate::core::aes::{bytes_of_block, expand_key};
use crate::core::block::Block;
use crate::core::bytes::words_of_bytes;
use crate::core::prg::AesPrg;
use crate::core::share::Primary;
use crate::paper::memory::{HelperState, PrimaryState, State, blinded_share, initial};
use crate::paper::payload;
use crate::paper::session::{Sent, chunks};
use crate::paper::tape::{Tape, advance, peek, peek_block, tape};

/// A primary's part of a READ's material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrimaryRead {
    /// `t_b^(1)`, `t_b^(2)`, `t_b^(3)`
    pub units: (Vec<u64>, Vec<u64>, Vec<u64>),
    /// `ri_b`
    pub random_index_share: u64,
}

/// A primary's part of an UPDATE's material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrimaryUpdate {
    /// `t_b^(1)`, `t_b^(2)`, `t_b^(3)`
    pub units: (Vec<u64>, Vec<u64>, Vec<u64>),
    /// `v_b^(1)`, `v_b^(2)`, `v_b^(3)`
    pub values: (Vec<u64>, Vec<u64>, Vec<u64>),
    /// `F_b^(1)`, `F_b^(2)`, `F_b^(3)`, rerandomized
    pub corrections: (u64, u64, u64),
    /// `ri_b`
    pub random_index_share: u64,
}

/// P2's part of a READ's material, from the keys that it was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperRead {
    /// `t_0^(2)`
    pub unit_0_dpf_2: Vec<u64>,
    /// `t_1^(3)`
    pub unit_1_dpf_3: Vec<u64>,
}

/// P2's part of an UPDATE's material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperUpdate {
    /// `t_0^(2)`
    pub unit_0_dpf_2: Vec<u64>,
    /// `t_1^(3)`
    pub unit_1_dpf_3: Vec<u64>,
    /// `v_0^(2)`
    pub values_0_dpf_2: Vec<u64>,
    /// `v_1^(3)`
    pub values_1_dpf_3: Vec<u64>,
}

/// P0 or P1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrimaryParty<P> {
    /// Which of them.
    pub role: Primary,
    /// h
    pub log_size: usize,
    /// The PRG under the session's key.
    pub prg: P,
    /// Its random words.
    pub tape: Tape,
    /// Its share of the memory, its blind, and the other's blinded share.
    pub state: PrimaryState<u64>,
    /// Material for READs, in the order of use.
    pub reads: Vec<PrimaryRead>,
    /// Material for UPDATEs.
    pub updates: Vec<PrimaryUpdate>,
    /// Number of the next step.
    pub operation: u64,
}

/// P2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperParty<P> {
    /// h
    pub log_size: usize,
    /// The PRG under the session's key.
    pub prg: P,
    /// Its random words.
    pub tape: Tape,
    /// Both blinds.
    pub state: HelperState<u64>,
    /// Material for READs, in the order of use.
    pub reads: Vec<HelperRead>,
    /// Material for UPDATEs.
    pub updates: Vec<HelperUpdate>,
    /// Number of the next step.
    pub operation: u64,
}

/// P2's number in messages.
pub const HELPER: u8 = 2;

/// A primary's number in messages.
pub fn number(role: Primary) -> u8 {
    match role {
        Primary::P0 => 0,
        Primary::P1 => 1,
    }
}

/// The other primary's number.
pub fn other(role: Primary) -> u8 {
    match role {
        Primary::P0 => 1,
        Primary::P1 => 0,
    }
}

/// The size of the memory.
pub fn size(log_size: usize) -> usize {
    1usize.wrapping_shl(log_size as u32)
}

// ---------------------------------------------------------------- what was received

/// Of the messages of a step those to one party: all that it sees of them.
pub fn inbox(sent: &[Sent], to: u8) -> Vec<Sent> {
    sent.iter().flat_map(|message| if message.to == to { vec![message.clone()] } else { vec![] }).collect()
}

/// From an inbox, the payload of the message of a kind, a round and a sender; nothing, if there is none.
pub fn received(inbox: &[Sent], kind: u8, from: u8, round: usize) -> Vec<u8> {
    inbox
        .iter()
        .flat_map(|message| {
            let due = message.kind == kind && message.from == from && message.round == round as u32;
            if due { message.payload.clone() } else { vec![] }
        })
        .collect()
}

/// From an inbox, the vector that one party sent in chunks of a kind.
pub fn received_chunks(inbox: &[Sent], kind: u8, from: u8) -> Vec<u64> {
    inbox
        .iter()
        .flat_map(|message| {
            let due = message.kind == kind && message.from == from;
            if due { words_of_bytes(&message.payload) } else { vec![] }
        })
        .collect()
}

// ---------------------------------------------------------------- connect

/// What a party contributes to K: its first two random words.
pub fn contribution(words: &[u64]) -> Block {
    peek_block(&tape(words), 0)
}

/// How many words [`contribution`] reads.
pub const CONTRIBUTION_WORDS: usize = 2;

/// What a party says to both others, in the order of their numbers.
pub fn say_hello(number: u8, log_size: usize, words: &[u64]) -> Vec<Sent> {
    (0..3)
        .flat_map(|to: u8| {
            let payload = payload::hello(contribution(words), log_size);
            let hello = Sent { kind: 1, from: number, to, operation: 0, round: 0, payload };
            if to == number { vec![] } else { vec![hello] }
        })
        .collect()
}

/// The PRG under K, the XOR of a party's own contribution and of those that it received.
pub fn session_prg(number: u8, words: &[u64], inbox: &[Sent]) -> AesPrg {
    let key: Block = (0..3).fold(contribution(words), |key, from: u8| {
        let (received, _) = payload::hello_of(&received(inbox, 1, from, 0));
        if from == number { key } else { key ^ received }
    });
    AesPrg { aes: expand_key(&bytes_of_block(key)) }
}

/// P0 or P1 after the connect, with a memory of zeros, under any PRG.
pub fn started_primary<P>(role: Primary, log_size: usize, prg: P, words: &[u64]) -> PrimaryParty<P> {
    let zeros: State<u64> = initial(size(log_size));
    PrimaryParty {
        role,
        log_size,
        prg,
        tape: advance(&tape(words), CONTRIBUTION_WORDS),
        state: zeros.p0,
        reads: vec![],
        updates: vec![],
        operation: 1,
    }
}

/// P2 after the connect, under any PRG.
pub fn started_helper<P>(log_size: usize, prg: P, words: &[u64]) -> HelperParty<P> {
    let zeros: State<u64> = initial(size(log_size));
    HelperParty {
        log_size,
        prg,
        tape: advance(&tape(words), CONTRIBUTION_WORDS),
        state: zeros.p2,
        reads: vec![],
        updates: vec![],
        operation: 1,
    }
}

/// P0 or P1, with what the others said.
pub fn connected_primary(
    role: Primary,
    log_size: usize,
    words: &[u64],
    inbox: &[Sent],
) -> PrimaryParty<AesPrg> {
    started_primary(role, log_size, session_prg(number(role), words, inbox), words)
}

/// P2, with what the others said.
pub fn connected_helper(log_size: usize, words: &[u64], inbox: &[Sent]) -> HelperParty<AesPrg> {
    started_helper(log_size, session_prg(HELPER, words, inbox), words)
}

// ---------------------------------------------------------------- load

/// A primary draws its blind, and sends the blinded share to the other and the blind to P2.
pub fn load<P>(party: PrimaryParty<P>, memory_share: &[u64]) -> (PrimaryParty<P>, Vec<Sent>) {
    let n = memory_share.len();
    let blind: Vec<u64> = (0..n).map(|i: usize| peek(&party.tape, i)).collect();
    let own = number(party.role);
    let blinded = blinded_share(memory_share, &blind);
    let sent = [
        chunks(party.operation, 2, own, other(party.role), &blinded),
        chunks(party.operation, 3, own, HELPER, &blind),
    ]
    .concat();
    let tape = advance(&party.tape, n);
    let state =
        PrimaryState { memory_share: memory_share.to_vec(), blind, blinded: party.state.blinded.clone() };
    (PrimaryParty { tape, state, ..party }, sent)
}

/// A primary with the other's blinded share.
pub fn loaded_primary<P>(party: PrimaryParty<P>, inbox: &[Sent]) -> PrimaryParty<P> {
    let state = PrimaryState {
        memory_share: party.state.memory_share.clone(),
        blind: party.state.blind.clone(),
        blinded: received_chunks(inbox, 2, other(party.role)),
    };
    PrimaryParty { state, operation: party.operation.wrapping_add(1), ..party }
}

/// P2 with both blinds.
pub fn loaded_helper<P>(party: HelperParty<P>, inbox: &[Sent]) -> HelperParty<P> {
    let state = HelperState { blind_0: received_chunks(inbox, 3, 0), blind_1: received_chunks(inbox, 3, 1) };
    HelperParty { state, operation: party.operation.wrapping_add(1), ..party }
}
