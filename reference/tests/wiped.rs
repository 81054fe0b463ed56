//! Secrets are wiped before their memory goes back to the allocator. `secrets.rs` shows the same type by type.

use duoram_reference::{Error, Misbehaviour, Plain};
use duoram_watching::session::{fail_after, operations, secrets, started};
use duoram_watching::{assert_none, assert_watching, found};

const LOG_SIZE: u32 = 5;
/// The messages of preprocessing: triples and keys to each of two parties, and between these 2 h + 2 in each direction.
const MESSAGES: usize = 4 + 2 * (2 * LOG_SIZE as usize + 2);

/// One test: the allocator is the whole program's.
#[test]
fn freed_memory_holds_no_secrets() {
    let secrets = secrets(LOG_SIZE);
    assert_watching(&secrets);
    let whole = found(&secrets, || operations(&mut started(LOG_SIZE, Plain).unwrap()).unwrap());
    assert_none(whole, "a session, dropped with some items unused");
    for deliveries in 0..MESSAGES {
        let stopped = found(&secrets, || {
            let mut session = started(LOG_SIZE, Plain).unwrap();
            let error = fail_after(&mut session, deliveries).unwrap_err();
            assert!(matches!(error, Error::Peer(Misbehaviour::Truncated { .. })), "{error}");
        });
        assert_none(stopped, &format!("a session that an error ends after {deliveries} deliveries"));
    }
}
