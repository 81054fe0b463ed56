//! Links of unbounded queues within the process.

use std::sync::mpsc::{Receiver, Sender, channel};

use zeroize::Zeroizing;

use super::Link;

/// One end.
pub struct QueueLink {
    outgoing: Sender<Zeroizing<Vec<u8>>>,
    incoming: Receiver<Zeroizing<Vec<u8>>>,
}

/// Both ends of a link.
pub fn pair() -> (QueueLink, QueueLink) {
    let (to_high, from_low) = channel();
    let (to_low, from_high) = channel();
    (QueueLink { outgoing: to_high, incoming: from_high }, QueueLink { outgoing: to_low, incoming: from_low })
}

impl Link for QueueLink {
    fn send(&mut self, frame: Zeroizing<Vec<u8>>) -> Result<(), String> {
        self.outgoing.send(frame).map_err(|_| "closed by the peer".to_owned())
    }

    fn receive(&mut self) -> Result<Zeroizing<Vec<u8>>, String> {
        self.incoming.recv().map_err(|_| "closed by the peer".to_owned())
    }
}
