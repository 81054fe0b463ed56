//! Answers those who call, finds out who they are, and lets nobody wait for those who do not say it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use duoram_link::{Answerer, Channel, Connection as Line, LinkError, TlsReader, TlsWriter};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::callers::{Callers, next_caller};
use super::talk::{Ends, WithClient, WithPeer};
use super::{Count, Shared, talk};
use crate::who::Who;

type Waiting = Arc<Mutex<Callers<CancellationToken>>>;

pub(super) async fn run(shared: Arc<Shared>, listener: TcpListener, answerer: Answerer) {
    let limits = shared.settings.limits;
    let waiting: Waiting = Arc::new(Mutex::new(Callers::new(limits.callers, limits.callers_each)));
    loop {
        let (stream, address) = tokio::select! {
            called = next_caller(|| listener.accept()) => called,
            () = shared.stop.cancelled() => return,
        };
        answer(&shared, &waiting, stream, address, answerer.clone());
    }
}

/// In a task of its own, so that nobody waits for anybody.
fn answer(
    shared: &Arc<Shared>,
    waiting: &Waiting,
    stream: TcpStream,
    address: SocketAddr,
    answerer: Answerer,
) {
    shared.counts.add(Count::Called);
    let (shared, waiting, drop_it) = (shared.clone(), waiting.clone(), CancellationToken::new());
    let number = {
        let mut callers = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, oldest) = callers.enter(address.ip(), drop_it.clone());
        if let Some(oldest) = oldest {
            shared.counts.add(Count::Dropped);
            oldest.cancel();
        }
        number
    };
    shared.tasks.clone().spawn(async move {
        let answered = tokio::select! {
            answered = answerer.answer(stream, shared.settings.timeouts.handshake) => Some(answered),
            () = drop_it.cancelled() => None,
            () = shared.stop.cancelled() => None,
        };
        waiting.lock().unwrap_or_else(PoisonError::into_inner).leave(number);
        match answered {
            Some(Ok(line)) => receive(&shared, line).await,
            Some(Err(error)) => refused(&shared, address, &error),
            None => tracing::debug!(%address, "dropped before it said who it is"),
        }
    });
}

/// Over TCP and TLS.
impl From<Line> for Ends<TlsReader, TlsWriter> {
    fn from(line: Line) -> Self {
        Self { from: line.address.to_string(), receiver: line.receiver, sender: line.sender }
    }
}

/// Somebody whose key is pinned.
async fn receive(shared: &Shared, line: Line) {
    let own = shared.settings.role;
    let (channel, address) = (line.channel, line.address);
    let reason = match (channel, shared.settings.who(line.who)) {
        (Channel::Peer, Some(Who::Peer(role))) if role > own => {
            talk::with_peer(shared, line.into(), role).await;
            return;
        }
        (Channel::Client, Some(Who::Client(name))) => {
            talk::with_client(shared, line.into(), name).await;
            return;
        }
        (Channel::Peer, Some(Who::Peer(role))) => format!("{own} calls {role}, not {role} {own}"),
        (Channel::Peer, _) => "this key is a client's, and calls as a party".to_owned(),
        (Channel::Client, _) => "this key is a party's, and calls as a client".to_owned(),
    };
    shared.counts.add(Count::Refused);
    tracing::warn!(%address, reason, "refused");
    match channel {
        Channel::Peer => talk::refuse::<WithPeer>(line.into(), &reason).await,
        Channel::Client => talk::refuse::<WithClient>(line.into(), &reason).await,
    }
}

/// A wrong key is somebody's configuration, and to be seen. Anything else may be anybody's noise, and must not hide it.
fn refused(shared: &Shared, address: SocketAddr, error: &LinkError) {
    shared.counts.add(Count::Refused);
    let is_known =
        matches!(error, LinkError::WrongKey { .. } | LinkError::KeyNotKnown | LinkError::WrongChannel);
    match (is_known, shared.quiet[usize::from(is_known)].line()) {
        (true, Some(left_out)) => tracing::warn!(%address, %error, left_out, "refused"),
        (false, Some(left_out)) => tracing::info!(%address, %error, left_out, "refused"),
        (_, None) => {}
    }
}
