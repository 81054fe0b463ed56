//! The edge: connections of peers and clients, in tokio, around an engine that knows nothing of it.
//!
//! The edge may lose anything at any time: whatever matters is said again on the next connection. It answers who a caller is, by its
//! key, and bounds what callers cost; what is said it only decodes.
//!
//! | file | what |
//! |---|---|
//! | `settings` | what the edge is told once |
//! | `listener` | answers callers, of whom most may be hostile |
//! | `callers` | those who have not said who they are: few at a time, the oldest dropped first |
//! | `local` | answers a program of the same host, over a Unix socket |
//! | `dialer` | calls the peers of lower numbers, again and again |
//! | `talk` | one connection: hears, speaks, says that it is there, and says goodbye |
//! | `board`, `outgoing` | all connections by number, and what waits to leave on each |
//! | `counts`, `quiet` | what happens, in numbers, and in a log that strangers cannot fill |
//! | `voice` | what the engine says ([`crate::engine::Outside`]) |

mod board;
mod callers;
mod counts;
mod dialer;
mod listener;
#[cfg(unix)]
mod local;
mod outgoing;
mod quiet;
mod settings;
mod talk;
#[cfg(test)]
mod tests;
mod voice;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use duoram_link::{Answerer, LinkError};
use duoram_reference::Role;
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::board::Board;
pub(crate) use self::callers::{Callers, next_caller};
pub use self::counts::{Count, Counts};
use self::quiet::Quiet;
pub use self::settings::{Limits, Local, Peer, Settings, Timeouts};
pub use self::voice::{Published, Voice};
use crate::engine::Input;

/// Inputs that wait for the engine, at the most. Beyond, those who speak wait, each on its own connection.
const MAX_INPUTS: usize = 256;

/// How long a connection may take to end after the last word was said on it.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why the edge does not start.
#[derive(thiserror::Error, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Nobody could call.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// No program of this host could call.
    #[error("cannot listen on {}: {source}", socket.display())]
    Socket {
        /// The socket.
        socket: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The TLS library does not take the configuration.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A peer of a lower number is called, and so has an address.
    #[error("{peer} has no address, and is to be called")]
    NoAddress {
        /// The peer.
        peer: Role,
    },
}

/// What the engine hears, and where the edge and others say it.
pub fn inputs() -> (SyncSender<Input>, Receiver<Input>) {
    sync_channel(MAX_INPUTS)
}

/// What all tasks of the edge share.
struct Shared {
    settings: Settings,
    board: Arc<Board>,
    inbox: SyncSender<Input>,
    counts: Arc<Counts>,
    /// For callers that are noise, and for those with wrong keys.
    quiet: [Quiet; 2],
    tasks: TaskTracker,
    /// No new connections.
    stop: CancellationToken,
}

/// An edge at work, on the runtime that started it.
pub struct Edge {
    shared: Arc<Shared>,
    address: SocketAddr,
}

impl Edge {
    /// Listens, and calls those who are to be called. Returns at once; the engine gets what it says things with.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub async fn start(settings: Settings, inbox: SyncSender<Input>) -> Result<(Self, Voice), Error> {
        let listen = |source| Error::Listen { address: settings.listen, source };
        let listener = TcpListener::bind(settings.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let answerer = Answerer::new(&settings.identity, &settings.pins())?;
        let dialers = dialer::dialers(&settings)?;
        #[cfg(unix)]
        let local = settings.local.clone().map(local::Door::open).transpose()?;
        let counts = Arc::new(Counts::default());
        let board = Arc::new(Board::new(settings.limits, settings.timeouts.heartbeat, counts.clone()));
        let voice = Voice::new(board.clone());
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let shared =
            Arc::new(Shared { settings, board, inbox, counts, quiet: Default::default(), tasks, stop });
        shared.tasks.spawn(listener::run(shared.clone(), listener, answerer));
        #[cfg(unix)]
        if let Some(door) = local {
            shared.tasks.spawn(local::run(shared.clone(), door));
        }
        for (peer, dialer) in dialers {
            shared.tasks.spawn(dialer::run(shared.clone(), peer, dialer));
        }
        Ok((Self { shared, address }, voice))
    }

    /// Where it listens: as in the settings, with a real port if those leave it open.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What has happened at the edge since the start.
    pub fn counts(&self) -> Arc<Counts> {
        self.shared.counts.clone()
    }

    /// Ends all connections, with a goodbye and after what was said before, and waits for that a little.
    pub async fn stop(self) {
        self.shared.stop.cancel();
        self.shared.board.hang_up_all("this party stops");
        self.shared.tasks.close();
        if timeout(2 * LAST_WORDS, self.shared.tasks.wait()).await.is_err() {
            tracing::info!("connections did not end in time, and are dropped");
        }
    }
}
