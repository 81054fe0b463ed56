//! The local computation of a party, as a few coarse operations, but for that of the PIR ([`super::pir`]).
//!
//! Message logic is written once, in this crate; a faster implementation replaces [`Compute`] only.

use zeroize::Zeroizing;

use super::ot::Seed;
use super::ot::base::{self, BaseSender, Chosen, Point, Scalars};
use super::{ChildSums, Correction, DpfKey, LeafSums};
use crate::engine::SessionKey;
use crate::wire::{Role, SessionId};
use crate::{Block, Word};

/// What a party applies one UPDATE from. Owns the key: it is used once.
pub struct UpdateQuery {
    /// Its key.
    pub key: DpfKey,
    /// The reconstructed final correction word F.
    pub final_correction: Word,
    /// The shift S, below n.
    pub shift: u64,
}

/// The local computation of a party.
///
/// [`super::Plain`] is the plain one and the measure of any other. An implementation chooses how it represents trees; it wipes
/// memories and trees when they are dropped, and neither branches on a secret nor uses one as an address. Shifts, final
/// corrections, inverses and the session's key are not secret here.
pub trait Compute {
    /// `D_b`.
    type Memory;
    /// DPF trees in flight. A party that owns one may be moved to another thread.
    type Forest: Send + 'static;

    /// `D_b`, n words.
    fn memory(&self, memory_share: Vec<Word>) -> Self::Memory;

    /// `D_b`, to be saved and for the PIR: what [`Compute::memory`] has been given.
    fn words<'a>(&self, memory: &'a Self::Memory) -> &'a [Word];

    /// Trees of height `log_size`, one a root, of which only the roots have grown (`[duoram, appendix C]`).
    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Self::Forest;

    /// Grows every tree by one level, and returns the XOR of the uncorrected left and right children of each
    /// (`[duoram, appendix C, steps 1 and 2]`).
    fn grow(&self, forest: &mut Self::Forest) -> Vec<ChildSums>;

    /// Corrects the level just grown, one correction a tree (`[duoram, appendix C, steps 5 and 6]`).
    fn correct(&self, forest: &mut Self::Forest, corrections: &[Correction]);

    /// The sums over the leaves of every tree, all of whose levels have been grown and corrected.
    fn leaf_sums(&self, forest: Self::Forest) -> Vec<LeafSums>;

    /// Applies each query: `D_b[x] += s_b (v[x - S] + F z^-1 c[x - S])`, for the leaves of its key.
    fn update(&self, key: &SessionKey, role: Role, memory: &mut Self::Memory, queries: &[UpdateQuery]);

    /// The receiver's part of the base OTs ([`base::choose`]). With [`Compute::seeds`] nearly all that connect computes, and a
    /// function of its arguments: who runs many sessions on the same randomness, as simulations do, may remember it.
    fn choose(
        &self,
        scalars: &Scalars,
        session: SessionId,
        receiver: Role,
        sender_point: &Point,
        bits: Block,
    ) -> Chosen {
        base::choose(scalars, session, receiver, sender_point, bits)
    }

    /// The sender's part of the base OTs ([`BaseSender::seeds`]).
    fn seeds(
        &self,
        sender: &BaseSender,
        session: SessionId,
        receiver: Role,
        choices: &[Point],
    ) -> Zeroizing<Vec<[Seed; 2]>> {
        sender.seeds(session, receiver, choices)
    }
}
