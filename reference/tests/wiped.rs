//! Secrets are wiped before their memory goes back to the allocator. `secrets.rs` shows the same type by type.

mod common;

use std::collections::HashSet;

use common::lasting::{Session, Which, Wish};
use duoram_reference::engine::local::{LocalSession, Parties};
use duoram_reference::two_party::PlainPir;
use duoram_reference::{Error, Lane, Misbehaviour, Plain, Word, lean as lean_protocol};
use duoram_watching::session::{fail_after, operations, scrub_stack, secrets, started};
use duoram_watching::{assert_none, assert_watching, found, lean, two_party};

const LOG_SIZE: u32 = 5;
/// The messages of preprocessing: triples and keys to each of two parties, and between these 2 h + 2 in each direction.
const MESSAGES: usize = 4 + 2 * (2 * LOG_SIZE as usize + 2);

/// A depth at which the trees of READ items have a level, and those of UPDATE items more.
const LEAN_LOG_SIZE: u32 = 8;
/// The deal; in each direction index offsets, two messages for each of five levels, two layers and the keys; differences.
const LEAN_MESSAGES: usize = 1 + 2 * (1 + 2 * 5 + 2 + 1) + 3;

/// In each direction columns and queries, two messages a level, and sums.
const TWO_PARTY_MESSAGES: usize = 2 * (2 + 2 * LOG_SIZE as usize + 1);

/// One test: the allocator is the whole program's.
#[test]
fn freed_memory_holds_no_secrets() {
    let of_paper = secrets(LOG_SIZE);
    assert_watching(&of_paper);
    let whole = found(&of_paper, || operations(&mut started(LOG_SIZE, Plain).unwrap()).unwrap());
    assert_none(whole, "a session, dropped with some items unused");
    stop_after_each(&of_paper, MESSAGES, || started(LOG_SIZE, Plain).unwrap());

    for row_words in [1, 3] {
        let of_lean = lean::secrets(LEAN_LOG_SIZE, row_words);
        let start = || lean::started(LEAN_LOG_SIZE, row_words, lean_protocol::Plain).unwrap();
        let whole = found(&of_lean, || lean::operations(&mut start(), row_words).unwrap());
        assert_none(whole, "a lean session, dropped with some items unused");
        stop_after_each(&of_lean, LEAN_MESSAGES, start);
    }

    let of_two = two_party::secrets(LOG_SIZE).unwrap();
    let start = || two_party::started(LOG_SIZE, duoram_reference::two_party::Plain, PlainPir).unwrap();
    let whole = found(&of_two, || two_party::operations(&mut start()).unwrap());
    assert_none(whole, "a session of two parties, dropped with some items unused");
    stop_after_each(&of_two, TWO_PARTY_MESSAGES, start);

    Which::ALL.into_iter().for_each(save_and_restore);
}

/// Parties are saved, and others restored from that, once from what is refused at its end.
fn save_and_restore(which: Which) {
    let mut session = Session::new(which, LOG_SIZE, 9);
    session.wish(&Wish::Load(1, vec![5]));
    session.wish(&Wish::Batch(4, 3));
    session.wish(&Wish::Read(vec![1, 2]));
    session.finish();
    for &role in which.roles() {
        let party = &session.parties[role.index()];
        let secrets: HashSet<Word> =
            Lane::ALL.into_iter().flat_map(|lane| secrets_of(&party.save(lane).unwrap())).collect();
        assert!(secrets.len() > 500);
        assert_watching(&secrets);
        let freed = found(&secrets, || {
            // A new party takes along what was on the stack where it was made.
            let another = || {
                scrub_stack();
                which.party(role, LOG_SIZE, [0; 32])
            };
            let [memory, making] = Lane::ALL.map(|lane| party.save(lane).unwrap());
            let mut other = another();
            other.restore(Lane::Making, &making).unwrap();
            // The flags of the last key's last correction, somewhere before the end.
            let refused = (1..200).any(|back| {
                let mut bytes = memory.clone();
                let at = bytes.len() - back;
                bytes[at] |= 4;
                another().restore(Lane::Memory, &bytes).is_err()
            });
            assert!(refused);
            other.restore(Lane::Memory, &memory).unwrap();
        });
        assert_none(freed, &format!("{which:?}: {role}, saved and restored"));
    }
}

/// The words at every place of a saved lane from its contents on, and those of the seed. Words that are mostly zeros, such as
/// numbers, are no evidence.
fn secrets_of(saved: &[u8]) -> impl Iterator<Item = Word> + use<> {
    let words =
        |bytes: &[u8]| bytes.windows(8).map(|word| word.try_into().unwrap()).collect::<Vec<[u8; 8]>>();
    let all = [words(&saved[40..72]), words(&saved[112..])].concat();
    all.into_iter().filter(|word| word.iter().all(|byte| *byte != 0)).map(Word::from_le_bytes)
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
