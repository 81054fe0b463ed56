//! Secrets are wiped before their memory goes back to the allocator. `secrets.rs` shows the same type by type.

use std::collections::HashSet;

use duoram_reference::engine::local::{LocalSession, Parties};
use duoram_reference::{Error, Misbehaviour, Plain, Word, lean as lean_protocol};
use duoram_watching::session::{fail_after, operations, secrets, started};
use duoram_watching::{assert_none, assert_watching, found, lean};

const LOG_SIZE: u32 = 5;
/// The messages of preprocessing: triples and keys to each of two parties, and between these 2 h + 2 in each direction.
const MESSAGES: usize = 4 + 2 * (2 * LOG_SIZE as usize + 2);

/// A depth at which the trees of READ items have a level, and those of UPDATE items more.
const LEAN_LOG_SIZE: u32 = 8;
/// The deal; in each direction index offsets, two messages for each of five levels, two layers and the keys; differences.
const LEAN_MESSAGES: usize = 1 + 2 * (1 + 2 * 5 + 2 + 1) + 3;

/// One test: the allocator is the whole program's.
#[test]
fn freed_memory_holds_no_secrets() {
    let of_paper = secrets(LOG_SIZE);
    assert_watching(&of_paper);
    let whole = found(&of_paper, || operations(&mut started(LOG_SIZE, Plain).unwrap()).unwrap());
    assert_none(whole, "a session, dropped with some items unused");
    stop_after_each(&of_paper, MESSAGES, || started(LOG_SIZE, Plain).unwrap());

    let of_lean = lean::secrets(LEAN_LOG_SIZE);
    let start = || lean::started(LEAN_LOG_SIZE, lean_protocol::Plain).unwrap();
    let whole = found(&of_lean, || lean::operations(&mut start()).unwrap());
    assert_none(whole, "a lean session, dropped with some items unused");
    stop_after_each(&of_lean, LEAN_MESSAGES, start);
}

/// Sessions that an error ends at every message of preprocessing.
fn stop_after_each<P: Parties>(
    secrets: &HashSet<Word>,
    messages: usize,
    start: impl Fn() -> Box<LocalSession<P>>,
) {
    for deliveries in 0..messages {
        let stopped = found(secrets, || {
            let error = fail_after(&mut start(), deliveries).unwrap_err();
            assert!(matches!(error, Error::Peer(Misbehaviour::Truncated { .. })), "{error}");
        });
        assert_none(stopped, &format!("a session that an error ends after {deliveries} deliveries"));
    }
}
