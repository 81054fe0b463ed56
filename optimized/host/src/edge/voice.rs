//! What the engine says, on its way out.

use std::sync::Arc;

use duoram_link::{PeerMessage, ToClient, encode};
use tokio::sync::watch;
use tokio::time::Instant;

use super::board::Board;
use crate::engine::{Connection, Outside, Status};

/// A status, and when it was.
#[derive(Clone, Debug)]
pub struct Published {
    /// When.
    pub at: Instant,
    /// What.
    pub status: Status,
}

/// The engine's [`Outside`]: encodes, and puts into the queue of the connection. Never waits.
pub struct Voice {
    board: Arc<Board>,
    status: watch::Sender<Option<Published>>,
}

impl Voice {
    pub(super) fn new(board: Arc<Board>) -> Self {
        Self { board, status: watch::Sender::new(None) }
    }

    /// The last status that was published; none before the first.
    pub fn status(&self) -> watch::Receiver<Option<Published>> {
        self.status.subscribe()
    }
}

impl Outside for Voice {
    fn to_peer(&mut self, connection: Connection, message: PeerMessage) {
        self.board.put(connection, encode(&message));
    }

    fn to_client(&mut self, connection: Connection, message: ToClient) {
        self.board.put(connection, encode(&message));
    }

    fn hang_up(&mut self, connection: Connection, reason: &str) {
        self.board.hang_up(connection, reason);
    }

    fn publish(&mut self, status: &Status) {
        self.status.send_replace(Some(Published { at: Instant::now(), status: status.clone() }));
    }
}
