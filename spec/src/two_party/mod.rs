//! Section 5 of the paper: two parties without a third, semi-honest.
//!
//! P0 and P1 hold additive shares of the memory, and nothing else: no blinds, no helper. What P2 deals in the protocol of three
//! comes from oblivious transfer here ([`ot`]), a READ is two PIRs, one each way ([`read`](mod@read), [`masks`]), an UPDATE one DPF
//! ([`update`](mod@update), [`conversion`]).
//!
//! Two things are ideal, that is, functions of what both parties bring: the random OT ([`ot::received`]), and, in [`read`](mod@read)
//! and its lemma, the symmetric PIR. The session ([`session`]) is of any PIR's messages under masks, with the plain one in its place,
//! whose answer is the whole masked table.

pub mod conversion;
pub mod lemmas;
pub mod masks;
pub mod ot;
pub mod party;
pub mod party_online;
pub mod party_preprocessing;
pub mod payload;
pub mod read;
pub mod session;
pub mod tape;
pub mod update;
pub mod write;
