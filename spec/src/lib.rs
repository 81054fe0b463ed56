//! DUORAM as pure functions.
//!
//! This crate says what the protocol computes and nothing else: no state, no input or output, no randomness of its own
//! (random values are arguments), no speed. It is written in the subset of Rust that translates to Rocq, uses total
//! operations only, and depends on nothing. The parties of `duoram-reference` and the kernels of `duoram` are checked
//! against it; the theorems in `proofs/` are about it.
//!
//! # Names
//!
//! The paper is Vadapalli, Henry, Goldberg, *Duoram: A Bandwidth-Efficient Distributed ORAM for 2- and 3-Party
//! Computation*, USENIX Security 2023, cited as `[duoram]`; keys of other sources are in `BIBLIOGRAPHY.md`.
//!
//! | paper | here | what it is |
//! |---|---|---|
//! | Z_2^w | [`ring::Ring`] | words; 64 bits, or 2 in exhaustive tests |
//! | {0,1}^lambda | [`block::Block`] | labels, 128 bits |
//! | i* | `target`, `address` | where to read or write |
//! | ri | `index` | the random target of a prepared DPF |
//! | S | `shift` | i* - ri mod n |
//! | t | `flags`, `units` | flags as bits, and their additive shares |
//! | v | `labels`, `values` | labels of the leaves, and the words in them |
//! | e_i | [`vector::unit_vector`] | standard basis vector |
//! | cw | [`dpf::Correction::word`] | correction word of a level |
//! | cwt_L, cwt_R | [`dpf::Correction::left_flag`], `right_flag` | flag corrections of a level |
//! | F | `final_correction` | final correction word |
//! | pm | `sign` | +1 or -1 |
//! | D_b | `memory_share` | share of the memory |
//! | zeta_b | `blind` | blind of D_b |
//! | D~_b | `blinded` | D_b + zeta_b |
//! | gamma_b | `gamma` | P2's message in READ |
//! | rho | `mask` | P2's random word in READ |
//! | h, n | `log_size`, `n` | depth, and size 2^h |
//! | P0, P1, P2 | [`share::Primary`], helper | the two primaries and the helper |
//!
//! # Where to find what
//!
//! | paper | module |
//! |---|---|
//! | 2.1 DPFs | [`dpf`], [`dealer`], [`prg`], [`aes`] |
//! | 2.2.1, App. A: AND, dot product, triples | [`du_atallah`] |
//! | App. C: generation without a dealer | [`distributed_gen`] |
//! | App. D: share conversion | [`conversion`] |
//! | 4.1: preprocessing | [`preprocessing`] |
//! | Protocol 1: READ | [`read`] |
//! | Protocol 2: UPDATE, REFRESHBLINDS, WRITE | [`update`] |
//! | 5: two parties | [`two_party`] |
//! | not in the paper: a smaller state | [`compressed`] |
//! | Lemmas 1 to 5 | [`lemmas`] |
//! | what an implementation sends, byte by byte | [`tape`], [`payload`], [`session`] |
#![forbid(unsafe_code)]
// The specification prefers one explicit way of writing things, which translates, over the shortest.
#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::bool_to_int_with_if,
    clippy::manual_unwrap_or,
    clippy::type_complexity,
    clippy::unnecessary_fold,
    clippy::needless_range_loop
)]

pub mod aes;
pub mod block;
pub mod compressed;
pub mod conversion;
pub mod dealer;
pub mod distributed_gen;
pub mod dpf;
pub mod du_atallah;
pub mod ideal;
pub mod lemmas;
pub mod memory;
pub mod payload;
pub mod preprocessing;
pub mod prg;
pub mod read;
pub mod ring;
pub mod session;
pub mod share;
pub mod tape;
pub mod two_party;
pub mod update;
pub mod vector;
