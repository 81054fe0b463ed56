//! Messages, byte by byte.

use duoram_reference::{HEADER_LENGTH, Protocol, Role, SessionId};

use crate::audit::{Audited, Sent};
use duoram_runtime::event::{Action, Event};

/// Where a frame says of which kind it is.
const KIND: usize = 4;

/// The whole frame of a message of the specification, from the table in `reference/PROTOCOL.md`. Not with the reference's
/// own code, which is among what is checked.
fn frame<P: Protocol>(sent: &Sent, session: SessionId) -> Vec<u8> {
    let length = u32::try_from(sent.payload.len()).unwrap_or(u32::MAX);
    [
        &b"DUO"[..],
        &[P::VERSION, sent.kind, sent.from, sent.to, 0],
        &sent.round.to_le_bytes(),
        &length.to_le_bytes(),
        &sent.operation.to_le_bytes(),
        &session.0,
        &sent.payload,
    ]
    .concat()
}

/// Compares what was sent on each link, in order, with what should have been. Returns how many messages were compared,
/// and the first difference of each link.
pub fn compare<P: Audited>(expected: &[Sent], events: &[Event], session: SessionId) -> (u64, Vec<String>) {
    let mut compared = 0;
    let mut differences = Vec::new();
    for (from, to) in Role::ALL.into_iter().flat_map(|from| from.peers().map(|to| (from, to))) {
        let specified = |sent: &&Sent| P::is_specified(sent.kind);
        let expected: Vec<&Sent> = expected
            .iter()
            .filter(|sent| (sent.from, sent.to) == (from.number(), to.number()))
            .filter(specified)
            .collect();
        let got: Vec<&[u8]> = events
            .iter()
            .filter(|event| event.action == Action::Send && event.party == from && event.peer == Some(to))
            .filter_map(|event| event.frame.as_deref())
            .filter(|frame| frame.get(KIND).is_some_and(|kind| P::is_specified(*kind)))
            .collect();
        compared += expected.len().min(got.len()) as u64;
        let different = expected.iter().zip(&got).find_map(|(sent, got)| {
            first_difference(&frame::<P>(sent, session), got)
                .map(|difference| format!("{}: {difference}", describe::<P>(sent, from, to)))
        });
        let counts = (expected.len() != got.len())
            .then(|| format!("from {from} to {to}: expected {} messages, got {}", expected.len(), got.len()));
        differences.extend(different.or(counts));
    }
    (compared, differences)
}

fn describe<P: Protocol>(sent: &Sent, from: Role, to: Role) -> String {
    let kind = P::kind(sent.kind).map_or_else(|| sent.kind.to_string(), |kind| kind.to_string());
    format!("message '{kind}' from {from} to {to} (step {}, round {})", sent.operation, sent.round)
}

fn first_difference(expected: &[u8], got: &[u8]) -> Option<String> {
    let byte = expected.iter().zip(got).position(|(expected, got)| expected != got);
    match byte {
        Some(byte) => {
            let place = match byte.checked_sub(HEADER_LENGTH) {
                Some(byte) => format!("byte {byte} of the payload"),
                None => format!("byte {byte} of the header"),
            };
            Some(format!("{place} must be {:#04x}, got {:#04x}", expected[byte], got[byte]))
        }
        None if expected.len() == got.len() => None,
        None => Some(format!("{} bytes expected, got {}", expected.len(), got.len())),
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::Paper;

    use super::*;

    #[test]
    fn the_first_differing_byte_is_named() {
        let expected = vec![7; 60];
        assert_eq!(first_difference(&expected, &expected), None);
        assert_eq!(
            first_difference(&expected, &expected[..50]),
            Some("60 bytes expected, got 50".to_owned())
        );
        let mut got = expected.clone();
        got[45] = 8;
        assert_eq!(
            first_difference(&expected, &got),
            Some("byte 5 of the payload must be 0x07, got 0x08".to_owned())
        );
        got[5] = 0;
        assert_eq!(
            first_difference(&expected, &got),
            Some("byte 5 of the header must be 0x07, got 0x00".to_owned())
        );
    }

    #[test]
    fn a_missing_message_is_a_difference() {
        let sent = Sent { kind: 10, from: 0, to: 2, operation: 3, round: 0, payload: vec![] };
        let (compared, differences) = compare::<Paper>(&[sent], &[], SessionId([0; 16]));
        assert_eq!(compared, 0);
        assert_eq!(differences, ["from P0 to P2: expected 1 messages, got 0"]);
    }
}
