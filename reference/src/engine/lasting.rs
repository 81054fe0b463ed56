//! Parties that can be stored: two lanes of steps, and state in and out between them.

use zeroize::Zeroizing;

use super::{Command, Error, Party, UnderWay};
use crate::Word;
use crate::wire::{Frame, Role};

/// What goes on at the same time in one party. Steps of one lane are taken one after another; the two lanes share nothing but
/// the key, and the items, which the one makes and the other uses in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Lane {
    /// Load, READ, UPDATE, WRITE, SWAP: whatever touches the memory.
    Memory,
    /// Connect and preprocessing.
    Making,
}

impl Lane {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Memory, Self::Making];
}

/// A party of two lanes whose state can be put away and brought back.
///
/// A lane is stored between its steps only, so that no step under way ever is: what came since is done again. Restoring is
/// exact: whatever a restored party says is what the stored one would have said, its randomness included.
pub trait Lasting: Party {
    /// The lane that a frame belongs to, by its kind. `None`: no kind of this protocol.
    fn lane(&self, frame: &[u8]) -> Option<Lane>;

    /// The peer whose message comes next in a lane.
    fn awaits_in(&self, lane: Lane) -> Option<Role>;

    /// The step under way in a lane.
    fn under_way_in(&self, lane: Lane) -> Option<&UnderWay>;

    /// Begins what the command says; a piece of a load goes on with it.
    ///
    /// # Errors
    ///
    /// Those of the calls on the party; nothing has changed then.
    fn begin(&mut self, command: &Command) -> Result<Vec<Frame>, Error>;

    /// This primary's shares of the results of the last READ or SWAP; none at the helper.
    fn results(&self) -> &[Word];

    /// What a lane holds. Of the making lane: key, place in its stream, seeds, number of its next step. Of the memory lane: the
    /// same, the memory, the last results, and the items that are left.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`]: a step of the lane is under way.
    fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error>;

    /// Puts back what [`Lasting::save`] has given, into a party of the same role and parameters that has done nothing yet.
    ///
    /// # Errors
    ///
    /// What was stored belongs to another role, size, protocol or session, or is no such thing; nothing has changed then.
    fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error>;
}
