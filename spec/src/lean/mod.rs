//! The lean three-party protocol: the same parties as the paper's, XOR-shared words and addresses, two sharings of one
//! memory, and two DPFs an operation whose trees end early.
//!
//! P0 and P1 have shares, P2 helps. No two of them may collude, and P2 must not hear what P0 and P1 send each other: of ri it
//! knows the half. P0 has one share of each sharing ([`memory`]); P1 has the other of the first, P2 of the second. Each of an
//! operation's two DPFs adds in one of them, and no blind is left to refresh.
//!
//! The formulas of [`read`], [`update`] and [`write`](mod@write) are over any [`Ring`](crate::core::ring::Ring), with the signs
//! that a ring needs. Preparing ([`layers`], [`one_hot`], [`dealing`], [`generation`]) yields flags as bits and is right in
//! boolean rings, where `x + x = 0`: [`XorWord`](crate::core::ring::XorWord). [`party`], [`preprocessing`] and [`online`] have a
//! function for each thing that a party does: from its own state, its randomness and what it was sent to its new state and what
//! it sends. [`session`] does nothing but call them and carry messages; [`party_turn`] has all that one party does in a step, from the
//! messages' bytes. [`rows`] and [`row_session`] are the same for addresses that
//! hold several words each.
//!
//! There are n = 2^h addresses. A memory may have fewer words than that, and then no party has more: sums and dot products end where
//! the shorter vector does.
//!
//! Notation of the formulas: `D` is the memory, `i*` the address, `M` the value, `ri` the random index of an item, `e` the
//! unit vector at `i*`; `t^d_c`, `v^d_c` are the flags and values of side c of DPF d, and `x<S>` is
//! [`xor_shift`](crate::core::vector::xor_shift).

pub mod dealing;
pub mod delivery;
pub mod generation;
pub mod layers;
pub mod lemmas;
pub mod memory;
pub mod one_hot;
pub mod online;
pub mod party;
pub mod party_turn;
pub mod payload;
pub mod prepare_turn;
pub mod preprocessing;
pub mod read;
pub mod row_session;
pub mod rows;
pub mod session;
pub mod tape;
pub mod update;
pub mod write;
