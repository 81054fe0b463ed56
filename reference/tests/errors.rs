//! Errors as their readers see them: each names the peer, what was expected and what came; and names are those of the
//! protocol's description.
#![allow(missing_docs)]

use duoram_reference::lean::{self, Lean};
use duoram_reference::message::{
    CORRECTION_BIT, Hello, HelperKeys, LOG_SIZE, LevelOpening, OPENED_BIT, READ_ITEMS, ROOT_BIT, SHIFT,
    Shift, Triples, Update,
};
use duoram_reference::{
    Bound, Error, Header, ItemKind, Kind, MAX_PAYLOAD, Message, MessageId, Misbehaviour, Paper, Protocol,
    Role, SessionId, Step, step,
};

const FROM: Role = Role::P2;

/// The names of the kinds in the table of messages below a heading of the protocol's description.
fn table(heading: &str) -> Vec<(u8, &'static str)> {
    let (_, messages) = include_str!("../PROTOCOL.md").split_once(heading).unwrap();
    let row = |line: &'static str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.parse().ok()?, cells.next()?))
    };
    messages.lines().take_while(|line| !line.starts_with("## ")).filter_map(row).collect()
}

#[test]
fn kinds_of_messages_are_called_as_in_the_protocols_table() {
    let named = |kinds: &[Kind]| kinds.iter().map(|kind| (kind.number(), kind.name())).collect::<Vec<_>>();
    assert_eq!(table("\n## Messages\n"), named(Paper::KINDS));
    assert_eq!(table("\n## Frames and messages\n"), named(Lean::KINDS));
}

#[test]
fn steps_of_both_protocols_have_the_same_names_and_lean_has_two_more() {
    let of_paper = [step::CONNECT, step::LOAD, step::PREPROCESS, step::READ, step::UPDATE];
    let of_lean =
        [lean::step::CONNECT, lean::step::LOAD, lean::step::PREPROCESS, lean::step::READ, lean::step::UPDATE];
    assert_eq!(of_paper, of_lean);
    assert_eq!([lean::step::WRITE, lean::step::SWAP].map(Step::name), ["write", "swap"]);
}

#[test]
fn a_callers_error_says_what_was_wanted_and_what_there_is() {
    let busy = |step| Error::Busy { step }.to_string();
    assert_eq!(
        [step::CONNECT, step::LOAD, step::PREPROCESS, step::READ, step::UPDATE].map(busy),
        ["connect", "load", "preprocess", "read", "update"]
            .map(|name| format!("busy: the step '{name}' is not done"))
    );
    for (kind, name) in [(ItemKind::Read, "READ"), (ItemKind::Update, "UPDATE")] {
        let error = Error::PreprocessingExhausted { kind, needed: 3, left: 1 };
        assert_eq!(error.to_string(), format!("3 preprocessed {name} items needed, 1 left"));
    }
    assert_eq!(
        Error::LogSizeOutOfRange { max: 40, got: 41 }.to_string(),
        "lg n must be from 1 to 40, got 41"
    );
    assert_eq!(Error::NotPrimary { got: Role::P2 }.to_string(), "a primary is P0 or P1, not P2");
    let error = Error::MemoryLength { expected: 8, got: 7 };
    assert_eq!(error.to_string(), "a share of the memory has 8 words, got 7");
    let error = Error::BatchTooLarge { max: 5, got: 6 };
    assert_eq!(error.to_string(), "at most 5 items fit into one step, got 6");
}

#[test]
fn an_unexpected_message_is_named_and_so_is_the_one_that_was_due() {
    let got = MessageId { from: Role::P0, kind: HelperKeys::KIND, operation: 7, round: 0 };
    let due = MessageId { from: Role::P1, kind: Shift::KIND, operation: 8, round: 2 };
    let text = |expected| Misbehaviour::UnexpectedMessage { expected, got }.to_string();
    let named = "unexpected 'helper keys' of P0 (operation 7, round 0), expected ";
    assert_eq!(text(Some(due)), format!("{named}'shift' of P1 (operation 8, round 2)"));
    assert_eq!(text(None), format!("{named}nothing"));
}

/// A peer's error names the peer, and both the expected and the actual value.
#[test]
fn a_peers_error_names_the_peer_the_expected_and_the_actual_value() {
    let from = FROM;
    let kind = Update::KIND;
    let content = |kind: Kind, rule, at: &[_], expected, got| Misbehaviour::Content {
        from,
        kind,
        rule,
        at: at.to_vec(),
        expected,
        got,
    };
    for (error, expected, got) in [
        (Misbehaviour::Truncated { from, expected: 61, got: 60 }, "61 bytes", "got 60"),
        (Misbehaviour::Oversized { from, expected: 61, got: 62 }, "61 bytes", "got 62"),
        (Misbehaviour::PayloadTooLarge { from, max: 61, got: 62 }, "at most 61", "got 62"),
        (Misbehaviour::BadMagic { from, got: [1, 2, 255] }, "\"DUO\"", "[01, 02, ff]"),
        (Misbehaviour::WrongVersion { from, expected: 61, got: 62 }, "expected 61", "version 62"),
        (Misbehaviour::UnknownKind { from, got: 62 }, "unknown kind", "62"),
        (Misbehaviour::UnknownRole { from, got: 62 }, "unknown party", "62"),
        (Misbehaviour::Reserved { from, got: 62 }, "must be 0", "got 62"),
        (
            Misbehaviour::WrongSession { from, expected: [0xaa; 16], got: [0xbb; 16] },
            "expected [aa, ",
            "[bb, ",
        ),
        (Misbehaviour::WrongSender { expected: from, got: Role::P1 }, "from P2", "from P1"),
        (Misbehaviour::WrongReceiver { from, expected: Role::P0, got: Role::P1 }, "expected P0", "for P1"),
        (Misbehaviour::WrongLength { from, kind, expected: 61, got: 62 }, "61 bytes", "got 62"),
        (Misbehaviour::Padding { from, kind, got: 5 }, "must be 0", "0b00000101"),
        (content(Hello::KIND, LOG_SIZE, &[], Bound::Is(6), 7), "lg n must be 6", "got 7"),
        (
            content(Triples::KIND, READ_ITEMS, &[], Bound::Is(2), 3),
            "READ items in the batch must be 2",
            "got 3",
        ),
        (
            content(LevelOpening::KIND, OPENED_BIT, &[("DPF", 61), ("level", 62)], Bound::Is(0), 1),
            "(DPF 61, level 62) must be 0",
            "got 1",
        ),
        (
            content(HelperKeys::KIND, CORRECTION_BIT, &[("key", 61), ("level", 62)], Bound::Is(0), 1),
            "(key 61, level 62) must be 0",
            "got 1",
        ),
        (content(HelperKeys::KIND, ROOT_BIT, &[("key", 61)], Bound::Is(0), 1), "(key 61) must be 0", "got 1"),
        (
            content(Shift::KIND, SHIFT, &[("query", 61)], Bound::Below(8), 9),
            "(query 61) must be below 8",
            "got 9",
        ),
    ] {
        let text = error.to_string();
        assert_eq!(error.peer(), from);
        assert_eq!(Error::from(error).to_string(), text);
        for part in ["P2", expected, got] {
            assert!(text.contains(part), "{text}: expected it to contain {part}");
        }
    }
}

#[test]
fn a_payload_may_be_as_large_as_the_limit_and_no_larger() {
    let header = |length| Header {
        version: 1,
        kind: 2,
        from: FROM,
        to: Role::P0,
        round: 0,
        length,
        operation: 0,
        session: SessionId([0; 16]),
    };
    let decoded = |length: usize| {
        let header = header(u32::try_from(length).unwrap());
        Header::decode(FROM, &header.encode()).map(|header| header.length)
    };
    assert_eq!(decoded(MAX_PAYLOAD), Ok(64 << 20));
    let error = Misbehaviour::PayloadTooLarge { from: FROM, max: MAX_PAYLOAD, got: MAX_PAYLOAD + 1 };
    assert_eq!(decoded(MAX_PAYLOAD + 1), Err(error));
}
