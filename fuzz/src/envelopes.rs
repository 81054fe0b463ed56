//! What hosts say to each other: never a panic, nothing allocated for what does not come, and one way to say each thing.
//!
//! The oracle is a second reader of `optimized/link/WIRE.md`, below, which knows lengths and ranges, and no type of the first. What it accepts must be
//! accepted, and encode to the same bytes; all else must be refused.

use std::fmt::Debug;

use duoram_link::{Envelope, Head, PeerMessage, ToClient, ToParty, decode, encode};

/// The first byte says who speaks to whom, the second a type; the rest is its body. And the same bytes as they are, so that
/// lengths are fuzzed too.
pub fn check(data: &[u8]) {
    let [direction, rest @ ..] = data else { return };
    match direction % 3 {
        0 => speak::<PeerMessage>(rest, from_peer),
        1 => speak::<ToParty>(rest, to_party),
        _ => speak::<ToClient>(rest, to_client),
    }
}

fn speak<M: Envelope + PartialEq + Debug>(bytes: &[u8], is_one: fn(u8, &mut Body<'_>) -> Option<()>) {
    let [kind, body @ ..] = bytes else { return };
    let length = u32::try_from(1 + body.len()).expect("inputs are small");
    let envelope = [&length.to_le_bytes(), bytes].concat();
    let mut rest = Body(body);
    let expected = is_one(*kind, &mut rest).is_some() && rest.0.is_empty();
    match decode::<M>(&envelope) {
        Ok(message) => {
            assert!(expected, "should have been refused: {message:?}");
            assert_eq!(encode(&message)[..], envelope);
        }
        Err(error) => assert!(!expected, "should have been accepted: {error}"),
    }
    raw::<M>(bytes);
}

/// A length that is a lie is refused, or is that of the body.
fn raw<M: Envelope + PartialEq + Debug>(bytes: &[u8]) {
    if let Some(head) = bytes.first_chunk()
        && let Ok(head) = Head::check::<M>(*head)
    {
        assert_eq!(
            u32::try_from(head.body()).map(|body| (1 + body).to_le_bytes()).as_ref(),
            Ok(&[0, 1, 2, 3].map(|i| bytes[i]))
        );
    }
    if let Ok(message) = decode::<M>(bytes) {
        assert_eq!(encode(&message)[..], *bytes);
    }
}

/// The table of `WIRE.md`: a number of so many bytes, in these bounds, or `None`.
struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, bytes: usize, least: u64, most: u64) -> Option<u64> {
        let number = self.bytes(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        (least..=most).contains(&number).then_some(number)
    }

    fn any(&mut self, bytes: usize) -> Option<()> {
        self.bytes(bytes).map(|_| ())
    }

    fn rest(&mut self, most: usize) -> Option<&'a [u8]> {
        self.bytes(self.0.len()).filter(|rest| rest.len() <= most)
    }

    fn text(&mut self) -> Option<()> {
        let text = std::str::from_utf8(self.rest(200)?).ok()?;
        text.chars().all(|char| !matches!(char, '\0'..='\x1f' | '\x7f'..='\u{9f}')).then_some(())
    }

    fn refusal(&mut self) -> Option<()> {
        self.number(1, 0, 11)?;
        self.any(4)?;
        self.text()
    }

    fn client(&mut self) -> Option<()> {
        let length = self.number(1, 1, 64)?;
        let name = self.bytes(usize::try_from(length).ok()?)?;
        let allowed = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
        name.iter().all(|byte| allowed.contains(byte)).then_some(())
    }

    /// Kind and count.
    fn work(&mut self) -> Option<(u64, u64)> {
        let kind = self.number(1, 0, 5)?;
        Some((kind, self.count(1, kind)?))
    }

    fn count(&mut self, least: u64, kind: u64) -> Option<u64> {
        self.number(8, least, [4096, 4096, 1, 1, 4096, 1 << 48][usize::try_from(kind).ok()?])
    }

    /// Magic, version, protocol, role, session, m, w.
    fn who(&mut self, magic: [u8; 4]) -> Option<()> {
        (self.bytes(4)? == magic).then_some(())?;
        self.number(2, 3, 3)?;
        self.any(1)?;
        self.number(1, 0, 2)?;
        self.any(16)?;
        self.number(8, 1, 1 << 40)?;
        self.number(2, 1, 512).map(|_| ())
    }
}

fn from_peer(kind: u8, body: &mut Body<'_>) -> Option<()> {
    match kind {
        1 => {
            body.who(*b"DUOH")?;
            body.any(24)
        }
        2 => {
            body.number(1, 0, 1)?;
            body.any(8 + 40)?;
            body.rest(64 << 20).map(|_| ())
        }
        3 => {
            body.number(1, 0, 1)?;
            body.any(8)
        }
        4 => {
            body.any(8)?;
            order(body)
        }
        5 => body.any(8),
        6 => {
            body.client()?;
            body.any(8)?;
            let kind = body.number(1, 0, 5)?;
            body.count(0, kind).map(|_| ())
        }
        7 => Some(()),
        8 => body.text(),
        _ => None,
    }
}

fn order(body: &mut Body<'_>) -> Option<()> {
    match body.number(1, 0, 4)? {
        1 => body.any(4 + 4),
        2 => {
            let kind = body.number(1, 0, 5)?;
            let parts = body.number(4, 1, if kind < 2 { 2048 } else { 1 })?;
            (0..parts).try_for_each(|_| {
                body.client()?;
                body.any(8)?;
                body.count(1, kind).map(|_| ())
            })
        }
        3 => {
            body.client()?;
            body.any(8)?;
            body.refusal()
        }
        _ => Some(()),
    }
}

fn to_party(kind: u8, body: &mut Body<'_>) -> Option<()> {
    match kind {
        7 | 35 => Some(()),
        8 => body.text(),
        32 | 34 => body.any(8),
        33 => {
            body.any(8)?;
            let (kind, count) = body.work()?;
            body.any(4)?;
            let piece = body.number(4, 0, if kind == 5 { (count - 1) >> 16 } else { 0 })?;
            if matches!(kind, 1..=3) {
                // For each query an address, and a row of 1 to 512 words.
                let bytes = body.rest(8 << 16)?.len() as u64;
                let is_of_rows =
                    bytes.is_multiple_of(8 * count) && (2..=513).contains(&(bytes / (8 * count)));
                return is_of_rows.then_some(());
            }
            let words = [count, 0, 0, 0, 1, (count - (piece << 16)).min(1 << 16)];
            body.any(8 * usize::try_from(words[usize::try_from(kind).ok()?]).ok()?)
        }
        _ => None,
    }
}

fn to_client(kind: u8, body: &mut Body<'_>) -> Option<()> {
    match kind {
        7 => Some(()),
        8 => body.text(),
        64 => {
            body.who(*b"DUOW")?;
            body.any(8)?;
            body.number(1, 0, 7)?;
            body.number(1, 0, 1)?;
            body.number(1, 0, 1).map(|_| ())
        }
        65 => body.any(8),
        66 => {
            body.any(8)?;
            match body.number(1, 0, 1)? {
                0 => body.rest(8 << 16)?.len().is_multiple_of(8).then_some(()),
                _ => body.refusal(),
            }
        }
        67 => std::str::from_utf8(body.rest(1 << 16)?).ok().map(|_| ()),
        _ => None,
    }
}
