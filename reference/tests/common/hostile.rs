//! Everything that can be wrong with a frame, whichever the protocol is.

use duoram_reference::engine::local::{LocalSession, Parties};
use duoram_reference::message::READ_ITEMS;
use duoram_reference::{
    Bound, Error, Frame, HEADER_LENGTH, Header, Kind, MAX_PAYLOAD, Misbehaviour, Protocol, Role, SessionId,
};

use super::SESSION;

pub(crate) fn content(
    from: Role,
    kind: Kind,
    rule: &'static str,
    at: &[(&'static str, usize)],
    expected: Bound,
    got: u64,
) -> Misbehaviour {
    Misbehaviour::Content { from, kind, rule, at: at.to_vec(), expected, got }
}

/// The party refuses the frame, and awaits and owns what it did before.
pub(crate) fn refuse<P: Parties>(
    session: &mut LocalSession<P>,
    to: Role,
    from: Role,
    bytes: &[u8],
    name: &str,
) -> Misbehaviour {
    let party = session.party_mut(to);
    let before = (party.awaits(), party.prepared());
    let result = party.receive(from, bytes);
    assert_eq!((party.awaits(), party.prepared()), before, "{name}");
    match result {
        Ok(_) => panic!("{to} accepted a frame of {from} that is {name}"),
        Err(Error::Peer(misbehaviour)) => misbehaviour,
        Err(error) => panic!("the peer's mistake, not the caller's: {error}"),
    }
}

pub(crate) fn with(frame: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    change(&mut bytes);
    bytes
}

/// Another payload, with the length that belongs to it.
pub(crate) fn with_payload(frame: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut payload = frame[HEADER_LENGTH..].to_vec();
    change(&mut payload);
    let length = u32::try_from(payload.len()).unwrap();
    let mut bytes = [&frame[..HEADER_LENGTH], &payload].concat();
    bytes[12..16].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// What is particular to a protocol, and to the run that is attacked.
pub(crate) trait Attacked: Parties + Sized {
    /// The number of READ items of the one batch.
    const READS: usize;

    /// Of a message of a kind and round, the last byte of its packed bits, and the number of bits in it: not all eight.
    fn packed_bits(kind: Kind, round: u32) -> Option<(usize, usize)>;

    /// What is wrong with the content.
    fn attack_content(session: &mut LocalSession<Self>, frame: &Frame, kind: Kind);
}

/// Everything that is wrong with a changed copy of the frame that is due.
pub(crate) fn attack_frame<P: Attacked>(session: &mut LocalSession<P>, frame: &Frame) {
    let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
    let header = Header::decode(from, good).unwrap();
    let kind = P::Protocol::kind(header.kind).unwrap();
    let whole = good.len();

    for got in [0, 1, HEADER_LENGTH - 1] {
        let error = refuse(session, to, from, &good[..got], "shorter than a header");
        assert_eq!(error, Misbehaviour::Truncated { from, expected: HEADER_LENGTH, got });
    }
    for got in [HEADER_LENGTH, whole - 1] {
        let error = refuse(session, to, from, &good[..got], "truncated");
        assert_eq!(error, Misbehaviour::Truncated { from, expected: whole, got });
    }
    let error = refuse(session, to, from, &with(good, |bytes| bytes.push(0)), "extended");
    assert_eq!(error, Misbehaviour::Oversized { from, expected: whole, got: whole + 1 });
    let payload = whole - HEADER_LENGTH;
    let shorter = with_payload(good, |payload| payload.truncate(payload.len() - 1));
    let longer = with_payload(good, |payload| payload.extend([0; 8]));
    for (bytes, got) in [(shorter, payload - 1), (longer, payload + 8), (with_payload(good, Vec::clear), 0)] {
        let error = refuse(session, to, from, &bytes, "of a wrong length");
        assert_eq!(error, Misbehaviour::WrongLength { from, kind, expected: payload, got });
    }
    let huge = with(good, |bytes| bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes()));
    let error = refuse(session, to, from, &huge, "huge");
    assert_eq!(error, Misbehaviour::PayloadTooLarge { from, max: MAX_PAYLOAD, got: u32::MAX as usize });

    let mut byte =
        |at: usize, value: u8, name| refuse(session, to, from, &with(good, |b| b[at] = value), name);
    for at in 0..3 {
        assert!(matches!(byte(at, 0, "no frame of ours"), Misbehaviour::BadMagic { .. }));
    }
    let expected = P::Protocol::VERSION;
    for got in (0..=u8::MAX).filter(|got| *got != expected) {
        assert_eq!(byte(3, got, "of another version"), Misbehaviour::WrongVersion { from, expected, got });
    }
    let kinds = u8::try_from(P::Protocol::KINDS.len()).unwrap();
    for got in [0, kinds + 1, 255] {
        assert_eq!(byte(4, got, "of an unknown kind"), Misbehaviour::UnknownKind { from, got });
    }
    for got in [3, 255] {
        assert_eq!(byte(5, got, "from nobody"), Misbehaviour::UnknownRole { from, got });
        assert_eq!(byte(6, got, "to nobody"), Misbehaviour::UnknownRole { from, got });
    }
    for got in Role::ALL {
        if got != from {
            assert_eq!(
                byte(5, got.number(), "from another"),
                Misbehaviour::WrongSender { expected: from, got }
            );
        }
        if got != to {
            assert_eq!(
                byte(6, got.number(), "to another"),
                Misbehaviour::WrongReceiver { from, expected: to, got }
            );
        }
    }
    assert_eq!(byte(7, 1, "not reserved"), Misbehaviour::Reserved { from, got: 1 });
    for (at, value) in good.iter().enumerate().take(HEADER_LENGTH).skip(24) {
        let error = byte(at, value ^ 1, "of another session");
        assert!(
            matches!(error, Misbehaviour::WrongSession { expected, .. } if SessionId(expected) == SESSION)
        );
    }

    attack_place(session, frame, kind, &header);
    attack_bits(session, frame, kind, header.round);
    P::attack_content(session, frame, kind);

    // The same frame from the other link, with either header.
    for other in to.peers().into_iter().chain([to]).filter(|other| *other != from) {
        let error = refuse(session, to, other, good, "from the wrong link");
        assert_eq!(error, Misbehaviour::WrongSender { expected: other, got: from });
        let forged = with(good, |bytes| bytes[5] = other.number());
        let error = refuse(session, to, other, &forged, "from the peer that is not awaited");
        assert!(matches!(error, Misbehaviour::UnexpectedMessage { .. }), "{error}");
    }
}

/// The header of another message than the one that is due.
fn attack_place<P: Attacked>(session: &mut LocalSession<P>, frame: &Frame, kind: Kind, header: &Header) {
    let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
    let mut headers = Vec::new();
    for kind in P::Protocol::KINDS {
        headers.push(Header { kind: kind.number(), ..*header });
    }
    for round in [header.round + 1, header.round.wrapping_sub(1), u32::MAX] {
        let other = Header { round, ..*header };
        if kind.place(1) == 0 {
            let bytes = with(good, |bytes| bytes[..HEADER_LENGTH].copy_from_slice(&other.encode()));
            let error = refuse(session, to, from, &bytes, "of another split of the batch");
            assert_eq!(error, content(from, kind, READ_ITEMS, &[], Bound::Is(P::READS as u64), round.into()));
        } else {
            headers.push(other);
        }
    }
    for operation in [header.operation + 1, header.operation.wrapping_sub(1), u64::MAX] {
        headers.push(Header { operation, ..*header });
    }
    for other in headers.into_iter().filter(|other| *other != *header) {
        let bytes = with(good, |bytes| bytes[..HEADER_LENGTH].copy_from_slice(&other.encode()));
        let error = refuse(session, to, from, &bytes, "not the one that is due");
        let Misbehaviour::UnexpectedMessage { expected: Some(expected), got } = error else {
            panic!("{error}")
        };
        assert_eq!(
            (expected.from, expected.kind, expected.operation, expected.round),
            (from, kind, header.operation, header.round)
        );
        assert_eq!(
            (got.from, got.kind.number(), got.operation, got.round),
            (from, other.kind, other.operation, other.round)
        );
    }
}

/// Unused bits that are set.
fn attack_bits<P: Attacked>(session: &mut LocalSession<P>, frame: &Frame, kind: Kind, round: u32) {
    let Some((last, used)) = P::packed_bits(kind, round) else { return };
    for bit in used..8 {
        let padded = with(&frame.bytes, |bytes| bytes[HEADER_LENGTH + last] |= 1 << bit);
        let error = refuse(session, frame.to, frame.from, &padded, "padded with a one");
        assert!(matches!(error, Misbehaviour::Padding { kind: got, .. } if got == kind), "{error}");
    }
}

/// All frames of the past, and those of the future that are on the way, to everyone, on their own links.
pub(crate) fn attack_order<P: Parties>(session: &mut LocalSession<P>, past: &[Frame], due: Option<&Frame>) {
    let mut others: Vec<Frame> = past.to_vec();
    for from in Role::ALL {
        for to in from.peers() {
            others.extend(session.pending(from, to).cloned());
        }
    }
    for frame in others.iter().filter(|frame| Some(*frame) != due) {
        // Frames that are due elsewhere: another party has its turn later, but would rightly take them now.
        let party = session.party(frame.to);
        let first = session.pending(frame.from, frame.to).next() == Some(frame);
        if first && party.awaits() == Some(frame.from) {
            continue;
        }
        let error = refuse(session, frame.to, frame.from, &frame.bytes, "a duplicate or out of order");
        assert!(matches!(error, Misbehaviour::UnexpectedMessage { .. }), "{error}");
    }
}
