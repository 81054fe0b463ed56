//! Answers a program on the same host, over a Unix socket: one that is itself multi-party and holds shares, which it neither puts together
//! nor sends anywhere else.
//!
//! What is said is what any client says ([`duoram_link::ToParty`]). Who may call is for the system to say: the user that the party runs as, and
//! nobody else.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use duoram_link::{Receiver, Sender};
use tokio::net::{UnixListener, UnixStream};

use super::callers::next_caller;
use super::settings::Local;
use super::talk::Ends;
use super::{Count, Error, Shared, talk};

/// The socket, there until this is dropped.
pub(super) struct Door {
    listener: UnixListener,
    local: Local,
    /// Whose the socket is: the user that the party runs as.
    user: u32,
}

impl Door {
    /// Makes the socket. One that a crash has left behind is removed; one that somebody listens on is not.
    pub(super) fn open(local: Local) -> Result<Self, Error> {
        let open = || {
            remove_stale(&local.socket)?;
            let listener = UnixListener::bind(&local.socket)?;
            fs::set_permissions(&local.socket, fs::Permissions::from_mode(0o600))?;
            Ok((listener, fs::metadata(&local.socket)?.uid()))
        };
        match open() {
            Ok((listener, user)) => Ok(Self { listener, local, user }),
            Err(source) => Err(Error::Socket { socket: local.socket, source }),
        }
    }

    /// Nothing but the mode of the socket keeps others out, and it is not there from the first moment; so each caller is looked at.
    fn is_own(&self, stream: &UnixStream) -> bool {
        stream.peer_cred().is_ok_and(|caller| caller.uid() == self.user)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.local.socket) {
            tracing::info!(socket = %self.local.socket.display(), %error, "the socket stays behind");
        }
    }
}

fn remove_stale(socket: &Path) -> io::Result<()> {
    let is_socket = fs::symlink_metadata(socket).is_ok_and(|file| file.file_type().is_socket());
    let is_stale = || {
        let called = std::os::unix::net::UnixStream::connect(socket);
        called.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    };
    if is_socket && is_stale() { fs::remove_file(socket) } else { Ok(()) }
}

pub(super) async fn run(shared: Arc<Shared>, door: Door) {
    loop {
        let (stream, _) = tokio::select! {
            called = next_caller(|| door.listener.accept()) => called,
            () = shared.stop.cancelled() => return,
        };
        if !door.is_own(&stream) {
            shared.counts.add(Count::Refused);
            tracing::warn!(socket = %door.local.socket.display(), "refused: another user");
            continue;
        }
        shared.counts.add(Count::Called);
        let (receiver, sender) = stream.into_split();
        let (receiver, sender) = (Receiver::new(receiver), Sender::new(sender));
        let ends = Ends { from: door.local.socket.display().to_string(), receiver, sender };
        let (shared, client) = (shared.clone(), door.local.client.clone());
        shared.tasks.clone().spawn(async move { talk::with_client(&shared, ends, client).await });
    }
}
