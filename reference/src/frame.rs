//! Frames: 40 bytes of header, then the payload. All numbers are little-endian.

use std::fmt;

use zeroize::Zeroizing;

use crate::{Error, Role, SessionId};

/// The length of a header in bytes.
pub const HEADER_LENGTH: usize = 40;

/// The largest payload in bytes: 64 MiB. A transport can refuse more on sight.
pub const MAX_PAYLOAD: usize = 64 << 20;

/// The first three bytes of every frame.
const MAGIC: [u8; 3] = *b"DUO";

/// The fourth byte of every frame.
const VERSION: u8 = 1;

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

/// The kinds of message (`PROTOCOL.md`, Messages).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Contribution to K, and h.
    Hello = 1,
    /// A chunk of a blinded share of the memory.
    Blinded = 2,
    /// A chunk of a blind.
    Blind = 3,
    /// The triples of a batch.
    Triples = 4,
    /// The operands of one level's ANDs.
    LevelOperands = 5,
    /// Shares of one level's correction words.
    LevelOpening = 6,
    /// The operands of App. D.
    ConversionOperands = 7,
    /// Shares of `F'`.
    ConversionOpening = 8,
    /// The helper's keys of a batch.
    HelperKeys = 9,
    /// Shift shares of a READ step.
    Shift = 10,
    /// gamma of a READ step.
    Unblinding = 11,
    /// Openings of an UPDATE step between the primaries.
    Update = 12,
    /// Openings of an UPDATE step for the helper.
    HelperUpdate = 13,
}

impl Kind {
    /// All kinds, by number.
    pub const ALL: [Self; 13] = [
        Self::Hello,
        Self::Blinded,
        Self::Blind,
        Self::Triples,
        Self::LevelOperands,
        Self::LevelOpening,
        Self::ConversionOperands,
        Self::ConversionOpening,
        Self::HelperKeys,
        Self::Shift,
        Self::Unblinding,
        Self::Update,
        Self::HelperUpdate,
    ];

    /// The kind's number on the wire.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The kind of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Hello => "hello",
            Self::Blinded => "blinded",
            Self::Blind => "blind",
            Self::Triples => "triples",
            Self::LevelOperands => "level operands",
            Self::LevelOpening => "level opening",
            Self::ConversionOperands => "conversion operands",
            Self::ConversionOpening => "conversion opening",
            Self::HelperKeys => "helper keys",
            Self::Shift => "shift",
            Self::Unblinding => "unblinding",
            Self::Update => "update",
            Self::HelperUpdate => "helper update",
        })
    }
}

/// A frame's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The kind of message.
    pub kind: Kind,
    /// The sender.
    pub from: Role,
    /// The receiver.
    pub to: Role,
    /// The level (App. C), the chunk (load), else 0.
    pub round: u32,
    /// The length of the payload in bytes, at most [`MAX_PAYLOAD`].
    pub length: u32,
    /// The number of the step in the session, from 0.
    pub operation: u64,
    /// The session.
    pub session: SessionId,
}

impl Header {
    /// The header's 40 bytes.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        bytes[..3].copy_from_slice(&MAGIC);
        bytes[3] = VERSION;
        bytes[4] = self.kind.number();
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
    /// Checks what can be checked without knowing the session: that the fields name something that exists.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`], [`Error::BadMagic`], [`Error::WrongVersion`], [`Error::UnknownKind`],
    /// [`Error::UnknownRole`], [`Error::Reserved`], [`Error::PayloadTooLarge`].
    pub fn decode(from: Role, bytes: &[u8]) -> Result<Self, Error> {
        let Some(header) = bytes.first_chunk::<HEADER_LENGTH>() else {
            return Err(Error::Truncated { from, expected: HEADER_LENGTH, got: bytes.len() });
        };
        let [m0, m1, m2, version, kind, sender, receiver, reserved, fields @ ..] = *header;
        if [m0, m1, m2] != MAGIC {
            return Err(Error::BadMagic { from, got: [m0, m1, m2] });
        }
        if version != VERSION {
            return Err(Error::WrongVersion { from, expected: VERSION, got: version });
        }
        let kind = Kind::from_number(kind).ok_or(Error::UnknownKind { from, got: kind })?;
        let role = |number| Role::from_number(number).ok_or(Error::UnknownRole { from, got: number });
        let (sender, receiver) = (role(sender)?, role(receiver)?);
        if reserved != 0 {
            return Err(Error::Reserved { from, got: reserved });
        }
        let [r0, r1, r2, r3, l0, l1, l2, l3, o0, o1, o2, o3, o4, o5, o6, o7, session @ ..] = fields;
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        let got = usize::try_from(length).unwrap_or(usize::MAX);
        if got > MAX_PAYLOAD {
            return Err(Error::PayloadTooLarge { from, max: MAX_PAYLOAD, got });
        }
        Ok(Self {
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
            kind: Kind::LevelOpening,
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

    #[test]
    fn kinds_are_numbered_from_1_to_13() {
        for number in 0..=u8::MAX {
            let kind = Kind::from_number(number);
            assert_eq!(kind.is_some(), (1..=13).contains(&number));
            assert_eq!(kind.map_or(number, Kind::number), number);
        }
    }

    proptest! {
        #[test]
        fn whatever_decodes_encodes_to_the_same_bytes(mut bytes: [[u8; 20]; 2], well_formed: bool) {
            if well_formed {
                bytes[0][..4].copy_from_slice(b"DUO\x01");
                bytes[0][4] = bytes[0][4] % 13 + 1;
                bytes[0][5] %= 3;
                bytes[0][6] %= 3;
                bytes[0][7] = 0;
                bytes[0][15] = 0;
            }
            let bytes = bytes.concat();
            match Header::decode(Role::P0, &bytes) {
                Ok(header) => prop_assert_eq!(&header.encode()[..], &bytes),
                Err(Error::PayloadTooLarge { .. }) => {}
                Err(error) => prop_assert!(!well_formed, "{}", error),
            }
        }
    }
}
