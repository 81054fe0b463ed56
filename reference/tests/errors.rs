//! Errors as their readers see them: each names the peer, what was expected and what came; and names are those of the
//! protocol's description.
#![allow(missing_docs)]

use duoram_reference::{Error, Header, ItemKind, Kind, MAX_PAYLOAD, MessageId, Role, SessionId, Step};

const FROM: Role = Role::P2;

#[test]
fn kinds_of_messages_are_called_as_in_the_protocols_table() {
    let (_, messages) = include_str!("../PROTOCOL.md").split_once("\n## Messages\n").unwrap();
    let table: Vec<(u8, &str)> = messages
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((cells.next()?.parse().ok()?, cells.next()?))
        })
        .collect();
    assert_eq!(table.len(), 13);
    for (number, name) in table {
        assert_eq!(Kind::from_number(number).unwrap().to_string(), name);
    }
}

#[test]
fn a_callers_error_says_what_was_wanted_and_what_there_is() {
    let busy = |step| Error::Busy { step }.to_string();
    assert_eq!(
        [Step::Connect, Step::Load, Step::Preprocess, Step::Read, Step::Update].map(busy),
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
    let got = MessageId { from: Role::P0, kind: Kind::HelperKeys, operation: 7, round: 0 };
    let due = MessageId { from: Role::P1, kind: Kind::Shift, operation: 8, round: 2 };
    let text = |expected| Error::UnexpectedMessage { expected, got }.to_string();
    let named = "unexpected 'helper keys' of P0 (operation 7, round 0), expected ";
    assert_eq!(text(Some(due)), format!("{named}'shift' of P1 (operation 8, round 2)"));
    assert_eq!(text(None), format!("{named}nothing"));
}

/// A peer's error names the peer, and both the expected and the actual value.
#[test]
fn a_peers_error_names_the_peer_the_expected_and_the_actual_value() {
    let from = FROM;
    let kind = Kind::Update;
    for (error, expected, got) in [
        (Error::Truncated { from, expected: 61, got: 60 }, "61 bytes", "got 60"),
        (Error::Oversized { from, expected: 61, got: 62 }, "61 bytes", "got 62"),
        (Error::PayloadTooLarge { from, max: 61, got: 62 }, "at most 61", "got 62"),
        (Error::BadMagic { from, got: [1, 2, 255] }, "\"DUO\"", "[01, 02, ff]"),
        (Error::WrongVersion { from, expected: 61, got: 62 }, "expected 61", "version 62"),
        (Error::UnknownKind { from, got: 62 }, "unknown kind", "62"),
        (Error::UnknownRole { from, got: 62 }, "unknown party", "62"),
        (Error::Reserved { from, got: 62 }, "must be 0", "got 62"),
        (Error::WrongSession { from, expected: [0xaa; 16], got: [0xbb; 16] }, "expected [aa, ", "[bb, "),
        (Error::WrongSender { expected: from, got: Role::P1 }, "from P2", "from P1"),
        (Error::WrongReceiver { from, expected: Role::P0, got: Role::P1 }, "expected P0", "for P1"),
        (Error::WrongLength { from, kind, expected: 61, got: 62 }, "61 bytes", "got 62"),
        (Error::Padding { from, kind, got: 5 }, "must be 0", "0b00000101"),
        (Error::LogSizeMismatch { from, expected: 6, got: 7 }, "expected 6", "lg n = 7"),
        (Error::InconsistentCorrection { from, dpf: 61, level: 62 }, "DPF 61, level 62", "got 1"),
        (Error::InconsistentRoot { from, item: 61, expected: 0, got: 1 }, "key 61", "must be 0, got 1"),
        (Error::ShiftOutOfRange { from, query: 61, size: 8, got: 9 }, "below 8", "got 9"),
    ] {
        let text = error.to_string();
        for part in ["P2", expected, got] {
            assert!(text.contains(part), "{text}: expected it to contain {part}");
        }
    }
}

#[test]
fn a_payload_may_be_as_large_as_the_limit_and_no_larger() {
    let header = |length| Header {
        kind: Kind::Blinded,
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
    let error = Error::PayloadTooLarge { from: FROM, max: MAX_PAYLOAD, got: MAX_PAYLOAD + 1 };
    assert_eq!(decoded(MAX_PAYLOAD + 1), Err(error));
}
