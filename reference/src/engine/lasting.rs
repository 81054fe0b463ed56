//! Parties that can be stored: two lanes of steps, and state in and out between them.

use zeroize::Zeroizing;

use super::saved::Saving;
use super::step::{Engine, World};
use super::{Command, Error, Lane, Party, UnderWay};
use crate::Word;
use crate::wire::{Frame, Role};

/// A party of two lanes whose state can be put away and brought back.
///
/// A lane is stored between its steps only, so that no step under way ever is: what came since is done again. Restoring is
/// exact: whatever a restored party says is what the stored one would have said, its randomness included.
///
/// All types of parties are this. One that was made by their `new` has one lane, which is both: it takes commands, but is
/// neither saved nor restored ([`Error::OneLane`]). One that was made by `lasting` has two.
pub trait Lasting: Party {
    /// The parties of its protocol, itself among them.
    fn roles(&self) -> &'static [Role];

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
    /// Those of the calls on the party, and [`Error::Operands`]; nothing has changed then.
    fn begin(&mut self, command: &Command) -> Result<Vec<Frame>, Error>;

    /// This primary's shares of the results of the last step that had any; none at the helper.
    fn results(&self) -> &[Word];

    /// What a lane holds. Of the making lane: key, place in its stream, seeds, number of its next step. Of the memory lane: the
    /// same but for the seeds, the memory, the last results, and the items that are left. Its layout is in `PROTOCOL.md`, part
    /// three.
    ///
    /// These bytes are all secrets of the party, a second time: keys of items among them, which can be had twice in no other
    /// way, since without that no restart would have them. They are for whoever keeps the party on a disk. A party that is
    /// restored from them uses the same items and the same randomness as the one that they are of: of the two only one may go
    /// on, with all the inputs that the other has had since, in their order. Nothing here can check that.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`]: a step of the lane is under way. [`Error::OneLane`].
    fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error>;

    /// Puts back what [`Lasting::save`] has given, into a lane that has done nothing yet, of a party of the same protocol, role
    /// and parameters, whatever its seed was. The lanes come in any order, and were saved with no batch put in between.
    ///
    /// That the bytes are what was written is for a checksum to know; here they are known to be a saved lane's of this party.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`], [`Error::Started`], [`Error::OneLane`]; nothing has changed then.
    fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error>;
}

/// A party as an engine and the steps of its memory lane, with operands as commands have them.
pub(crate) trait Steps: Party {
    type World: Saving;

    fn engine(&self) -> &Engine<Self::World>;
    fn engine_mut(&mut self) -> &mut Engine<Self::World>;

    /// The next words of the share of the memory.
    fn give(&mut self, words: &[Word]) -> Result<Vec<Frame>, Error>;

    /// READ, so many at once.
    fn read_step(&mut self, count: usize, addresses: &[Word]) -> Result<Vec<Frame>, Error>;

    /// UPDATE, so many at once: as many words as [`Command::Update`] has.
    fn update_step(&mut self, count: usize, operands: &[Word]) -> Result<Vec<Frame>, Error>;

    /// WRITE or SWAP: the address and the value, none at the helper.
    fn write_step(&mut self, operands: &[Word], swap: bool) -> Result<Vec<Frame>, Error>;
}

impl<P: Steps> Lasting for P {
    fn roles(&self) -> &'static [Role] {
        self.engine().world.core().endpoint.roles
    }

    fn lane(&self, frame: &[u8]) -> Option<Lane> {
        self.engine().lane_of(frame)
    }

    fn awaits_in(&self, lane: Lane) -> Option<Role> {
        self.engine().awaits_in(lane)
    }

    fn under_way_in(&self, lane: Lane) -> Option<&UnderWay> {
        self.engine().under_way_in(lane)
    }

    fn begin(&mut self, command: &Command) -> Result<Vec<Frame>, Error> {
        let row_words = self.engine().world.core().parameters().row_words();
        command.check(self.role(), row_words)?;
        match command {
            Command::Connect => self.connect(),
            Command::Preprocess(batch) => self.preprocess(*batch),
            Command::Load(words) => self.give(words),
            Command::Read { count, addresses } => self.read_step(*count, addresses),
            Command::Follow => {
                let results = self.engine().world.results();
                let (count, addresses) = (results.count, results.first_words(row_words));
                self.read_step(count, &addresses)
            }
            Command::Update { count, pairs } => self.update_step(*count, pairs),
            Command::Write(operands) => self.write_step(operands, false),
            Command::Swap(operands) => self.write_step(operands, true),
            Command::Discard => self.engine_mut().discard().map(|()| Vec::new()),
        }
    }

    fn results(&self) -> &[Word] {
        &self.engine().world.results().shares
    }

    fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.engine().save(lane)
    }

    fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error> {
        self.engine_mut().restore(lane, saved)
    }
}

/// Operands of protocols that have a word at an address: an address and a value each.
pub(crate) fn pairs(operands: &[Word]) -> Zeroizing<Vec<(Word, Word)>> {
    Zeroizing::new(operands.as_chunks().0.iter().map(|&[address, value]| (address, value)).collect())
}

/// The one of a step that has one.
pub(crate) fn pair(operands: &[Word]) -> (Word, Word) {
    operands.first_chunk().map_or((0, 0), |&[address, value]| (address, value))
}

impl<W: Saving> Engine<W> {
    /// Forgets the items that are left. Which those are is the same at all parties only if both lanes are idle.
    fn discard(&mut self) -> Result<(), Error> {
        self.ready(Lane::Memory)?;
        self.idle(Lane::Making)?;
        self.world.items_mut().clear();
        Ok(())
    }
}
