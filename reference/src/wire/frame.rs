//! Frames: 40 bytes of header, then the payload. All numbers are little-endian.

use std::fmt;

use zeroize::Zeroizing;

use super::{Misbehaviour, Role};

/// The length of a header in bytes.
pub const HEADER_LENGTH: usize = 40;

/// The largest payload in bytes: 64 MiB. A transport can refuse more on sight.
pub const MAX_PAYLOAD: usize = 64 << 20;

/// The first three bytes of every frame.
const MAGIC: [u8; 3] = *b"DUO";

/// Names one run of a protocol, so that a frame of another run is refused. Not a secret, but never to be used twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SessionId(pub [u8; 16]);

/// 32 hexadecimal digits, as settings have it.
impl fmt::Display for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// A message on its way. Its bytes may hold secrets meant for the receiver: they belong on an encrypted link, and are
/// wiped on drop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The sender.
    pub from: Role,
    /// The receiver.
    pub to: Role,
    /// Header and payload.
    pub bytes: Zeroizing<Vec<u8>>,
}

/// A frame's header. Its layout is the same in all protocols; the version tells which one gives a kind its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The protocol and its version ([`crate::engine::Protocol::VERSION`]).
    pub version: u8,
    /// The number of the kind of message.
    pub kind: u8,
    /// The sender.
    pub from: Role,
    /// The receiver.
    pub to: Role,
    /// Which of a step's messages of one kind it is or, as the kind has it, what both ends must agree on.
    pub round: u32,
    /// The length of the payload in bytes, at most [`MAX_PAYLOAD`].
    pub length: u32,
    /// The number of the step in the session, or in its lane, from 0.
    pub operation: u64,
    /// The session.
    pub session: SessionId,
}

impl Header {
    /// The header's 40 bytes.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        bytes[..3].copy_from_slice(&MAGIC);
        bytes[3] = self.version;
        bytes[4] = self.kind;
        bytes[5] = self.from.number();
        bytes[6] = self.to.number();
        bytes[8..12].copy_from_slice(&self.round.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.length.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.operation.to_le_bytes());
        bytes[24..].copy_from_slice(&self.session.0);
        bytes
    }

    /// Decodes the header at the start of `bytes`, which came from the peer `from`.
    ///
    /// Checks what can be checked without knowing the protocol or the session. A transport needs no more than that to
    /// take a frame off a link.
    ///
    /// # Errors
    ///
    /// [`Misbehaviour::Truncated`], [`Misbehaviour::BadMagic`], [`Misbehaviour::UnknownRole`],
    /// [`Misbehaviour::Reserved`], [`Misbehaviour::PayloadTooLarge`].
    pub fn decode(from: Role, bytes: &[u8]) -> Result<Self, Misbehaviour> {
        let Some(header) = bytes.first_chunk::<HEADER_LENGTH>() else {
            return Err(Misbehaviour::Truncated { from, expected: HEADER_LENGTH, got: bytes.len() });
        };
        let [m0, m1, m2, version, kind, sender, receiver, reserved, fields @ ..] = *header;
        if [m0, m1, m2] != MAGIC {
            return Err(Misbehaviour::BadMagic { from, got: [m0, m1, m2] });
        }
        let role = |number| Role::from_number(number).ok_or(Misbehaviour::UnknownRole { from, got: number });
        let (sender, receiver) = (role(sender)?, role(receiver)?);
        if reserved != 0 {
            return Err(Misbehaviour::Reserved { from, got: reserved });
        }
        let [r0, r1, r2, r3, l0, l1, l2, l3, o0, o1, o2, o3, o4, o5, o6, o7, session @ ..] = fields;
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        let got = usize::try_from(length).unwrap_or(usize::MAX);
        if got > MAX_PAYLOAD {
            return Err(Misbehaviour::PayloadTooLarge { from, max: MAX_PAYLOAD, got });
        }
        Ok(Self {
            version,
            kind,
            from: sender,
            to: receiver,
            round: u32::from_le_bytes([r0, r1, r2, r3]),
            length,
            operation: u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]),
            session: SessionId(session),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_field_is_where_the_table_says() {
        let header = Header {
            version: 1,
            kind: 6,
            from: Role::P1,
            to: Role::P0,
            round: 0x0403_0201,
            length: 0x0007_0605,
            operation: 0x1716_1514_1312_1110,
            session: SessionId(*b"0123456789abcdef"),
        };
        let expected = [
            &[0x44, 0x55, 0x4f, 0x01, 6, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0][..],
            &[0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17],
            b"0123456789abcdef",
        ]
        .concat();
        assert_eq!(header.encode()[..], expected);
        assert_eq!(Header::decode(Role::P1, &expected), Ok(header));
    }

    proptest! {
        #[test]
        fn whatever_decodes_encodes_to_the_same_bytes(mut bytes: [[u8; 20]; 2], well_formed: bool) {
            if well_formed {
                bytes[0][..3].copy_from_slice(b"DUO");
                bytes[0][5] %= 3;
                bytes[0][6] %= 3;
                bytes[0][7] = 0;
                bytes[0][15] = 0;
            }
            let bytes = bytes.concat();
            match Header::decode(Role::P0, &bytes) {
                Ok(header) => prop_assert_eq!(&header.encode()[..], &bytes),
                Err(Misbehaviour::PayloadTooLarge { .. }) => {}
                Err(error) => prop_assert!(!well_formed, "{}", error),
            }
        }
    }
}
