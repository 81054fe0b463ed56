//! What a transport needs to drive any party.

use super::{Batch, Error, UnderWay};
use crate::wire::{Frame, Role};

/// A party as a state machine without input or output: frames in, frames out.
///
/// All parties take the same steps in the same order. A step is started by a call at each of the three and goes on
/// through [`Party::receive`] until [`Party::awaits`] says `None`. A party takes frames in one order only, so a transport
/// keeps what has come from each peer and hands over the oldest of the peer that is awaited. Links must keep the order,
/// and must not let a party wait for a peer that waits for it: sending never blocks receiving.
pub trait Party {
    /// Who this is.
    fn role(&self) -> Role;

    /// The peer whose message comes next; `None` when the current step is done. Of a party of two lanes, in the first lane that
    /// awaits one: [`super::Lasting::awaits_in`] tells it of each.
    fn awaits(&self) -> Option<Role>;

    /// Handles one whole frame that came from the peer `from`, and returns the frames to send in reply.
    ///
    /// # Errors
    ///
    /// [`Error::Peer`]: whatever is wrong with the frame ([`crate::wire::Misbehaviour`]). The party is then exactly as it was.
    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error>;

    /// Starts the first step: agreeing on the session's key.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::AlreadyConnected`].
    fn connect(&mut self) -> Result<Vec<Frame>, Error>;

    /// Starts the making of DPFs for a batch of operations; they come on top of what is left.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`].
    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error>;

    /// The preprocessed items that are left.
    fn prepared(&self) -> Batch;

    /// How many items have been made since the session began, used or not: what its key has served ([`super::key_labels`]).
    fn made(&self) -> u64;

    /// The step under way (of two lanes, in the first that has one), with the numbers of the items that it makes or uses; `None` between steps.
    fn under_way(&self) -> Option<&UnderWay>;

    /// The numbers of the items that the step under way makes or uses; none between steps.
    fn items(&self) -> Vec<u64> {
        self.under_way().map_or_else(Vec::new, |under_way| under_way.items.clone())
    }
}
