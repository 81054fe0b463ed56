//! A lasting party behind a pointer: whoever drives parties need not know of which protocol or role they are.

use zeroize::Zeroizing;

use super::{Batch, Command, Error, Lane, Lasting, Party, UnderWay};
use crate::Word;
use crate::wire::{Frame, Role};

impl Party for Box<dyn Lasting> {
    fn role(&self) -> Role {
        (**self).role()
    }

    fn awaits(&self) -> Option<Role> {
        (**self).awaits()
    }

    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        (**self).receive(from, frame)
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        (**self).connect()
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        (**self).preprocess(batch)
    }

    fn prepared(&self) -> Batch {
        (**self).prepared()
    }

    fn made(&self) -> u64 {
        (**self).made()
    }

    fn under_way(&self) -> Option<&UnderWay> {
        (**self).under_way()
    }
}

impl Lasting for Box<dyn Lasting> {
    fn roles(&self) -> &'static [Role] {
        (**self).roles()
    }

    fn lane(&self, frame: &[u8]) -> Option<Lane> {
        (**self).lane(frame)
    }

    fn awaits_in(&self, lane: Lane) -> Option<Role> {
        (**self).awaits_in(lane)
    }

    fn under_way_in(&self, lane: Lane) -> Option<&UnderWay> {
        (**self).under_way_in(lane)
    }

    fn begin(&mut self, command: &Command) -> Result<Vec<Frame>, Error> {
        (**self).begin(command)
    }

    fn results(&self) -> &[Word] {
        (**self).results()
    }

    fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error> {
        (**self).save(lane)
    }

    fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error> {
        (**self).restore(lane, saved)
    }
}
