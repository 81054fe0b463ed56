//! Calls a peer, serves the link until it ends, and calls again.

use std::sync::Arc;

use duoram_link::{Backoff, Channel, Dialer, LinkError};
use duoram_reference::Role;
use tokio::time::sleep;

use super::settings::Settings;
use super::{Count, Error, Shared, talk};

/// Of each two parties the one of the higher number calls.
pub(super) fn dialers(settings: &Settings) -> Result<Vec<(Role, Dialer)>, Error> {
    let timeouts =
        duoram_link::Timeouts { connect: settings.timeouts.connect, handshake: settings.timeouts.handshake };
    let called = settings.peers.iter().filter(|(role, _)| **role < settings.role);
    called
        .map(|(role, peer)| {
            let address = peer.address.as_deref().ok_or(Error::NoAddress { peer: *role })?;
            let dialer = Dialer::new(&settings.identity, address, &peer.pins, Channel::Peer, timeouts)?;
            Ok((*role, dialer))
        })
        .collect()
}

pub(super) async fn run(shared: Arc<Shared>, peer: Role, dialer: Dialer) {
    let timeouts = shared.settings.timeouts;
    let mut backoff = Backoff::new(timeouts.least_pause, timeouts.most_pause);
    let mut told: Option<LinkError> = None;
    while !shared.stop.is_cancelled() {
        let called = tokio::select! {
            called = dialer.connect() => called,
            () = shared.stop.cancelled() => return,
        };
        match called {
            Ok(line) => {
                told = None;
                if talk::with_peer(&shared, line.into(), peer).await {
                    backoff.reset();
                }
            }
            Err(error) => {
                shared.counts.add(Count::Unreached);
                // Once, and again when it is something else.
                if told.as_ref() != Some(&error) {
                    tracing::warn!(%peer, %error, "cannot be reached; will be called again");
                    told = Some(error);
                }
            }
        }
        // Without randomness the pause is the longest.
        let pause = backoff.pause(getrandom::u32().unwrap_or(u32::MAX));
        tokio::select! {
            () = sleep(pause) => {}
            () = shared.stop.cancelled() => return,
        }
    }
}
