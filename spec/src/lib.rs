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
//! | Z_2^w | [`core::ring::Ring`] | words; 64 bits, or 2 in exhaustive tests |
//! | {0,1}^lambda | [`core::block::Block`] | labels, 128 bits |
//! | i* | `target`, `address` | where to read or write |
//! | ri | `index` | the random target of a prepared DPF |
//! | S | `shift` | i* - ri mod n |
//! | t | `flags`, `units` | flags as bits, and their additive shares |
//! | v | `labels`, `values` | labels of the leaves, and the words in them |
//! | e_i | [`core::vector::unit_vector`] | standard basis vector |
//! | cw | [`core::dpf::Correction::word`] | correction word of a level |
//! | cwt_L, cwt_R | [`core::dpf::Correction::left_flag`], `right_flag` | flag corrections of a level |
//! | F | `final_correction` | final correction word |
//! | pm | `sign` | +1 or -1 |
//! | D_b | `memory_share` | share of the memory |
//! | zeta_b | `blind` | blind of D_b |
//! | D~_b | `blinded` | D_b + zeta_b |
//! | gamma_b | `gamma` | P2's message in READ |
//! | rho | `mask` | P2's random word in READ |
//! | h, n | `log_size`, `n` | depth, and size 2^h |
//! | P0, P1, P2 | [`core::share::Primary`], helper | the two primaries and the helper |
//!
//! # Where to find what
//!
//! | paper | module |
//! |---|---|
//! | 2.1 DPFs | [`core::dpf`], [`core::dealer`], [`core::prg`], [`core::aes`] |
//! | 2.2.1, App. A: AND, dot product, triples | [`core::du_atallah`] |
//! | App. C: generation without a dealer | [`core::distributed_gen`] |
//! | App. D: share conversion | [`paper::conversion`] |
//! | 4.1: preprocessing | [`paper::preprocessing`] |
//! | Protocol 1: READ | [`paper::read`] |
//! | Protocol 2: UPDATE, REFRESHBLINDS, WRITE | [`paper::update`] |
//! | 5: two parties | [`two_party`] |
//! | not in the paper: a smaller state | [`paper::compressed`] |
//! | Lemmas 1 to 5 | [`paper::lemmas`] |
//! | what an implementation sends, byte by byte | [`paper::tape`], [`paper::payload`], [`paper::session`] |
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

pub mod core;
pub mod paper;
pub mod two_party;
