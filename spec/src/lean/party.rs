//! What each party does, one function a thing: from its own state, its own randomness and what it was sent to its new state
//! and what it sends. Nothing here sees two parties; [`crate::lean::session`] puts them together.
//!
//! Here are the parties themselves, connect and load; preparing is in [`crate::lean::preprocessing`], the operations are in
//! [`crate::lean::online`].

use crate::core::block::Block;
use crate::core::ring::Ring;
use crate::core::vector::zeros;
use crate::lean::layers::LayeredKey;
use crate::lean::memory::{
    State0, State1, State2, loaded_alpha_0, loaded_alpha_1, loaded_beta_0, masked_share,
};
use crate::lean::tape::{PairStreams, block, ring_words, stream, word};

/// P0's part of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item0<W> {
    /// Its place among all items of the session, from 0: the number of its streams.
    pub number: usize,
    /// `ri_0`
    pub random_index: u64,
    /// Side 0 of DPF a
    pub key_a: LayeredKey<W>,
    /// Side 0 of DPF b
    pub key_b: LayeredKey<W>,
    /// `f^a_0`; 0 in READ items
    pub value_share: W,
    /// delta; 0 in READ items
    pub delta: W,
}

/// P1's part of an item: side 1 of DPF b is P2's once it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item1<W> {
    /// Its place among all items of the session.
    pub number: usize,
    /// `ri_1`
    pub random_index: u64,
    /// Side 1 of DPF a
    pub key_a: LayeredKey<W>,
    /// `f^a_1`; 0 in READ items
    pub value_share: W,
}

/// P2's part of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item2<W> {
    /// Its place among all items of the session.
    pub number: usize,
    /// Side 0 of DPF a, from P0
    pub key_a: LayeredKey<W>,
    /// Side 1 of DPF b, from P1
    pub key_b: LayeredKey<W>,
    /// delta; 0 in READ items
    pub delta: W,
}

/// P0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party0<W, P> {
    /// h
    pub log_size: usize,
    /// The PRG under the session's key.
    pub prg: P,
    /// Its random words.
    pub tape: Vec<u64>,
    /// How many of them are used.
    pub drawn: usize,
    /// What it has with P1.
    pub stream_01: PairStreams,
    /// What it has with P2.
    pub stream_02: PairStreams,
    /// A and H
    pub state: State0<W>,
    /// Items for READs, in the order of use.
    pub reads: Vec<Item0<W>>,
    /// Items for UPDATEs, WRITEs and SWAPs.
    pub updates: Vec<Item0<W>>,
    /// The number of the next item to be made.
    pub items: usize,
}

/// P1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party1<W, P> {
    /// h
    pub log_size: usize,
    /// The PRG under the session's key.
    pub prg: P,
    /// Its random words.
    pub tape: Vec<u64>,
    /// How many of them are used.
    pub drawn: usize,
    /// What it has with P0.
    pub stream_01: PairStreams,
    /// What it has with P2.
    pub stream_12: PairStreams,
    /// E
    pub state: State1<W>,
    /// Items for READs, in the order of use.
    pub reads: Vec<Item1<W>>,
    /// Items for UPDATEs, WRITEs and SWAPs.
    pub updates: Vec<Item1<W>>,
    /// The number of the next item to be made.
    pub items: usize,
}

/// P2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party2<W, P> {
    /// h
    pub log_size: usize,
    /// The PRG under the session's key.
    pub prg: P,
    /// Its random words.
    pub tape: Vec<u64>,
    /// How many of them are used.
    pub drawn: usize,
    /// What it has with P0.
    pub stream_02: PairStreams,
    /// What it has with P1.
    pub stream_12: PairStreams,
    /// A and B
    pub state: State2<W>,
    /// Items for READs, in the order of use.
    pub reads: Vec<Item2<W>>,
    /// Items for UPDATEs, WRITEs and SWAPs.
    pub updates: Vec<Item2<W>>,
    /// The number of the next item to be made.
    pub items: usize,
}

// ---------------------------------------------------------------- connect

/// What a party says when it connects: to each other party the contribution to the session's key and how many words the memory has, and
/// its contribution to the seed that it will have in common with that party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    /// K is the XOR of all three.
    pub contribution: Block,
    /// m; h is the smallest, from 1 on, of which `2^h >= m`.
    pub words: u64,
    /// The pair's seed is the XOR of both: 4 words.
    pub seed: Vec<u64>,
}

/// How many words [`hello`] reads, for both other parties: 2 of key, 4 of seed for each.
pub const HELLO_WORDS: usize = 10;

/// What a party says to another; `second` is the other one with the higher number.
pub fn hello(tape: &[u64], words: usize, second: bool) -> Hello {
    let start: usize = if second { 6 } else { 2 };
    Hello {
        contribution: block(tape, 0),
        words: words as u64,
        seed: (0..4).map(|i: usize| word(tape, start.wrapping_add(i))).collect(),
    }
}

/// The seed of a pair's streams.
pub fn pair_seed(one: &Hello, other: &Hello) -> Vec<u64> {
    one.seed.iter().zip(other.seed.iter()).map(|(x, y)| *x ^ *y).collect()
}

/// K
pub fn session_key(contributions: &[Block]) -> Block {
    contributions.iter().fold(0, |sum: Block, contribution| sum ^ *contribution)
}

/// n, the number of addresses.
pub fn size(log_size: usize) -> usize {
    1usize.wrapping_shl(log_size as u32)
}

/// P0 after the connect, with a memory of m zeros, at most as many as there are addresses. The streams are those of the pairs' seeds.
pub fn connected_0<W: Ring, P>(
    log_size: usize,
    words: usize,
    prg: P,
    tape: &[u64],
    stream_01: PairStreams,
    stream_02: PairStreams,
) -> Party0<W, P> {
    Party0 {
        log_size,
        prg,
        tape: tape.to_vec(),
        drawn: HELLO_WORDS,
        stream_01,
        stream_02,
        state: State0 { alpha: zeros(words), beta: zeros(words) },
        reads: vec![],
        updates: vec![],
        items: 0,
    }
}

/// P1 after the connect.
pub fn connected_1<W: Ring, P>(
    log_size: usize,
    words: usize,
    prg: P,
    tape: &[u64],
    stream_01: PairStreams,
    stream_12: PairStreams,
) -> Party1<W, P> {
    Party1 {
        log_size,
        prg,
        tape: tape.to_vec(),
        drawn: HELLO_WORDS,
        stream_01,
        stream_12,
        state: State1 { alpha: zeros(words) },
        reads: vec![],
        updates: vec![],
        items: 0,
    }
}

/// P2 after the connect.
pub fn connected_2<W: Ring, P>(
    log_size: usize,
    words: usize,
    prg: P,
    tape: &[u64],
    stream_02: PairStreams,
    stream_12: PairStreams,
) -> Party2<W, P> {
    Party2 {
        log_size,
        prg,
        tape: tape.to_vec(),
        drawn: HELLO_WORDS,
        stream_02,
        stream_12,
        state: State2 { alpha: zeros(words), beta: zeros(words) },
        reads: vec![],
        updates: vec![],
        items: 0,
    }
}

// ---------------------------------------------------------------- load

/// P0 sends P2 A, and keeps it.
pub fn load_0<W: Ring, P>(p0: Party0<W, P>, memory_share: &[W]) -> (Party0<W, P>, Vec<W>) {
    let x: Vec<W> = ring_words(&stream(&p0.stream_01, 0), 0, memory_share.len());
    let alpha = loaded_alpha_0(memory_share, &x);
    let state = State0 { alpha: alpha.clone(), beta: p0.state.beta.clone() };
    (Party0 { state, ..p0 }, alpha)
}

/// P0 receives `D_1 - B` from P1.
pub fn loaded_0<W: Ring, P>(p0: Party0<W, P>, memory_share: &[W], received: &[W]) -> Party0<W, P> {
    let state = State0 { alpha: p0.state.alpha.clone(), beta: loaded_beta_0(memory_share, received) };
    Party0 { state, ..p0 }
}

/// P1 keeps E, and sends P0 `D_1 - B`.
pub fn load_1<W: Ring, P>(p1: Party1<W, P>, memory_share: &[W]) -> (Party1<W, P>, Vec<W>) {
    let n = memory_share.len();
    let x: Vec<W> = ring_words(&stream(&p1.stream_01, 0), 0, n);
    let b: Vec<W> = ring_words(&stream(&p1.stream_12, 0), 0, n);
    let state = State1 { alpha: loaded_alpha_1(memory_share, &x) };
    (Party1 { state, ..p1 }, masked_share(memory_share, &b))
}

/// P2 receives A from P0, and takes B from its stream with P1.
pub fn loaded_2<W: Ring, P>(p2: Party2<W, P>, received: &[W]) -> Party2<W, P> {
    let beta: Vec<W> = ring_words(&stream(&p2.stream_12, 0), 0, received.len());
    Party2 { state: State2 { alpha: received.to_vec(), beta }, ..p2 }
}
