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
//! A suffix `_0`, `_1` means a party, P0 or P1. The three DPFs of an operation are `dpf_1`, `dpf_2`, `dpf_3`, or, of one
//! primary in READ, `read` and `refresh` (DPF 1, and the one whose key P2 does not have).
//!
//! | paper | here | module | what it is |
//! |---|---|---|---|
//! | Z_2^w | [`Ring`](core::ring::Ring) | [`core::ring`] | words; 64 bits, or 2 in exhaustive tests |
//! | {0,1}^lambda | [`Block`](core::block::Block) | [`core::block`] | labels, 128 bits |
//! | h, n | `log_size`, `n` | everywhere | depth, and size 2^h |
//! | P0, P1, P2 | [`Primary`](core::share::Primary), helper | [`core::share`] | the two primaries and the helper |
//! | D | `memory` | [`core::ideal`] | the array of words |
//! | i* | `target`, `address` | [`paper::read`] | where to read or write |
//! | G | [`Prg`](core::prg::Prg) | [`core::prg`] | the PRG of a tree: a left and a right child |
//! | k_b | [`Key`](core::dpf::Key) | [`core::dpf`] | a DPF key |
//! | cw | [`word`](core::dpf::Correction::word) of a [`Correction`](core::dpf::Correction) | [`core::dpf`] | correction word of a level |
//! | cwt_L, cwt_R | `left_flag`, `right_flag` of a [`Correction`](core::dpf::Correction) | [`core::dpf`] | flag corrections of a level |
//! | L_b, R_b | [`ChildSums`](core::distributed_gen::ChildSums) | [`core::distributed_gen`] | XOR of all left, of all right children of a level |
//! | t | `flags` | [`core::dpf`] | flags of the leaves, as bits |
//! | v | `labels`, `values` | [`core::dpf`] | labels of the leaves, and the words in them |
//! | e_i | [`unit_vector`](core::vector::unit_vector) | [`core::vector`] | standard basis vector |
//! | X, Y, Z, T | `x`, `y`, `z` of a triple, `t` | [`core::du_atallah`] | triples of Du and Atallah |
//! | F | `final_correction`, `corrections` | [`core::dealer`], [`paper::update`] | final correction word, and its shares F_b |
//! | M | `value`, `m` | [`paper::update`] | what is added, or written |
//! | M_b + F_b^(k) | `masked_dpf_1`, `masked_dpf_2`, `masked_dpf_3` | [`paper::update`] | what line 5 of UPDATE sends |
//! | pm | `sign` | [`paper::conversion`] | +1 or -1 |
//! | v of App. D | `conversion_words` | [`core::dpf`] | a second word of each leaf |
//! | r_b of App. D | `blind` of an [`Input`](paper::conversion::Input) | [`paper::conversion`] | blind of the sign |
//! | F of App. D | `correction` | [`paper::conversion`] | the final correction of the conversion words |
//! | F' of App. D | `opening`, `opened_correction` | [`paper::conversion`] | F pm + r, share and opened |
//! | (pm + r) - F' | `factor` | [`paper::conversion`] | what P2 is sent of App. D (A in `reference/PROTOCOL.md`) |
//! | t^(k) | `units` | [`paper::read`] | additive shares of e_ri |
//! | ri | `random_index_xor` | [`paper::preprocessing`] | a primary's XOR share of the random target of the DPFs |
//! | ri_b | `random_index_shares` | [`paper::preprocessing`] | additive shares of it, mod n |
//! | S | `shift` | [`paper::read`] | i* - ri mod n |
//! | D_b | `memory_share` | [`paper::memory`] | share of the memory |
//! | zeta_b | `blind` | [`paper::memory`] | blind of D_b |
//! | D~_b | `blinded` | [`paper::memory`] | D_b + zeta_b |
//! | gamma_b | `gamma` | [`paper::read`] | P2's message in READ |
//! | rho | `mask` | [`paper::read`] | P2's random word in READ |
//! | not in the paper | `delta_dpf_2`, `delta_dpf_3` | [`paper::update`] | what makes shares of F fresh |
//! | not in the paper: C | `combined` | [`paper::compressed`] | D_b + D~_(1-b) + zeta_b |
//!
//! The lean protocol, which is not in the paper, has symbols of its own; what it shares with the paper keeps its name.
//!
//! | lean | here | module | what it is |
//! |---|---|---|---|
//! | words under XOR | [`XorWord`](core::ring::XorWord) | [`core::ring`] | the boolean ring that words are of |
//! | A, E; H, B | `alpha`, `beta` | [`lean::memory`] | the two sharings of the memory |
//! | ri_b | `random_index` | [`lean::party`] | XOR share of the target of an item |
//! | s_b, S | `shift` | [`lean::read`] | i* xor ri |
//! | `x<S>` | [`xor_shift`](core::vector::xor_shift) | [`core::vector`] | the word at j moves to j xor S |
//! | kf, kw | [`flag_bits`](lean::layers::flag_bits), [`word_bits`](lean::layers::word_bits) | [`lean::layers`] | how many levels early the trees end |
//! | T_c | [`output`](lean::layers::Layers::output) | [`lean::layers`] | the outputs of a node beside its children |
//! | X, CWf; Y, CWw | `flag_block`, `flag_correction`; `node_words`, `word_correction` | [`lean::layers`] | output layers and their corrections |
//! | u_b, r_b, e, o_b | `one_hot`, `mask`, `offset`, `moved_block` | [`lean::one_hot`] | dealt one-hot shares, their place, and how they move |
//! | R', G, R | `value_share` of a deal, `common`, none | [`lean::one_hot`] | what masks M: dealt, the primaries', and their sum |
//! | f_b | `value_share` | [`lean::generation`] | share of R |
//! | q_b, delta | `delta_share`, `delta` | [`lean::preprocessing`] | `R_a - R_b`, for P0 and P2 |
//! | m_b, F | `masked`, `correction` | [`lean::update`] | masked shares of M, and the final correction |
//! | p_b | `partial`, `part` | [`lean::read`], [`lean::write`](mod@lean::write) | a party's part of the word at i* |
//! | g, rho | `unblinding`, `mask` | [`lean::read`] | P2's message in READ |
//! | k01, k02, k12 | [`PairStreams`](lean::tape::PairStreams) | [`lean::tape`] | what two parties draw in common |
//! | w | `row_words` | [`lean::rows`], [`lean::row_session`] | the words of a row, where an address holds more than one |
//!
//! The protocol of two parties keeps the paper's names too; ri and F are those of its one DPF.
//!
//! | two parties | here | module | what it is |
//! |---|---|---|---|
//! | ri_b of section 5, q_b | `query_indices`, `query_index` | [`two_party::read`], [`two_party::party`] | the index of a party's own PIR query |
//! | r_b of section 5 | `blinds` | [`two_party::read`] | what hides the word from the other party |
//! | s_b | `shift` | [`two_party::update`] | `i*_b - q_b` of a READ, `i*_b - ri_b` of an UPDATE, mod n |
//! | D'_b | [`blinded_rotation`](two_party::read::blinded_rotation) | [`two_party::read`] | the table that a party answers from |
//! | K^0, K^1; K^x | `pair`, `received` | [`two_party::ot`] | the blocks of a random OT, and what the receiver gets |
//! | t_b, T | none | [`two_party::ot`] | K^0 of the OT that P_b sends, and `t_0 xor t_1`: T of App. A |
//! | K_j | `pairs`, `keys` | [`two_party::masks`] | the keys of level j: both at the server, one at the client |
//! | PRF | [`Prf`](two_party::masks::Prf) | [`two_party::masks`] | what masks are made of |
//! | w_b, z | `sum_share`, `opened_sum` | [`two_party::conversion`] | the sum of the signed conversion words, its share and opened |
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
//! | 5: two parties | [`two_party`]: READ in [`two_party::read`] |
//! | App. A, "using oblivious transfer" | [`two_party::ot`] |
//! | 5: the transform of a PIR to a symmetric one | [`two_party::masks`] |
//! | not in the paper: two parties' conversion without a product | [`two_party::conversion`] |
//! | 5: UPDATE and WRITE of two parties | [`two_party::update`], [`two_party::write`](mod@two_party::write) |
//! | each of two parties by itself, and both put together | [`two_party::party`], [`two_party::party_preprocessing`], [`two_party::party_online`], [`two_party::session`] |
//! | what they send, byte by byte | [`two_party::tape`], [`two_party::payload`] |
//! | not in the paper: a smaller state | [`paper::compressed`] |
//! | sharing, vectors | [`core::share`], [`core::vector`] |
//! | the memory that all of it must behave like | [`core::ideal`] |
//! | 3: the states of the parties | [`paper::memory`] |
//! | Lemmas 1, 2, 3 and 5; Lemma 4 | [`paper::lemmas`], [`core::lemmas`]; [`two_party::lemmas`] |
//! | what an implementation sends, byte by byte | [`paper::tape`], [`paper::payload`], [`paper::session`] |
//! | what each party does by itself, and what it is sent | [`paper::party`], [`paper::party_preprocessing`], [`paper::party_online`], [`paper::party_turn`] |
//! | the three parties put together, message by message | [`paper::parties`] |
//! | not in the paper: the lean protocol | [`lean`] |
#![forbid(unsafe_code)]
// The specification prefers one explicit way of writing things, which translates, over the shortest.
#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::bool_to_int_with_if,
    clippy::len_zero,
    clippy::manual_map,
    clippy::manual_unwrap_or,
    clippy::type_complexity,
    clippy::unnecessary_fold,
    clippy::needless_range_loop
)]

pub mod core;
pub mod lean;
pub mod paper;
pub mod two_party;
