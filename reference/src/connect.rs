//! The handshake: K is the XOR of a contribution of each party, so it is random if one of them is.

use crate::endpoint::Expected;
use crate::message::{Hello, Message, Shape};
use crate::random::PartyStream;
use crate::{Block, Parameters, Role, SessionKey, Word};

/// Between the own hello and the last of the peers'.
pub(crate) struct Handshake {
    /// The XOR of the contributions so far.
    sum: Block,
    /// The peers whose hello is due, the next one first.
    due: Vec<Role>,
}

impl Handshake {
    /// Draws the own contribution.
    pub(crate) fn start(role: Role, stream: &mut PartyStream) -> Self {
        Self { sum: stream.block(), due: role.peers().to_vec() }
    }

    /// The own hello, as long as no other has come.
    pub(crate) fn hello(&self, parameters: &Parameters) -> Message {
        Message::Hello(Hello { contribution: self.sum, log_size: Word::from(parameters.log_size()) })
    }

    pub(crate) fn expected(&self, parameters: &Parameters) -> Option<Expected> {
        let shape = Shape::Hello { log_size: parameters.log_size() };
        self.due.first().map(|&from| Expected { from, round: 0, shape })
    }

    /// Adds the contribution of the peer that was due; the key, once it was the last.
    pub(crate) fn receive(&mut self, hello: Hello) -> Option<SessionKey> {
        self.sum ^= hello.contribution;
        self.due.remove(0);
        self.due.is_empty().then(|| SessionKey::new(self.sum.to_le_bytes()))
    }
}
