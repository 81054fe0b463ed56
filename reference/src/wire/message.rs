//! What every message has, in whichever protocol: a kind, and a payload whose length the receiver knows beforehand.

use std::fmt;

use zeroize::Zeroizing;

use super::codec::{Reader, Writer};
use super::{Length, Misbehaviour, Role};

/// A kind of message: its byte in the header, and its name in errors and traces. Kinds belong to a protocol, which lists
/// its own ([`crate::engine::Protocol::KINDS`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Kind {
    number: u8,
    name: &'static str,
    /// What both ends must agree on and the round tells, if it does not tell the message's place.
    agreed: Option<&'static str>,
    /// Whether it is a message of connect or of preprocessing.
    making: bool,
}

impl Kind {
    /// A kind of a protocol. Numbers are unique within it, and not 0.
    pub const fn new(number: u8, name: &'static str) -> Self {
        Self { number, name, agreed: None, making: false }
    }

    /// A kind of which there is one message on a link in a step, so that its round has no place to tell. It tells a number
    /// that both ends must agree on and that shows in no length, `rule` in words.
    pub const fn agreeing(number: u8, name: &'static str, rule: &'static str) -> Self {
        Self { number, name, agreed: Some(rule), making: false }
    }

    /// The same, of a message with which parties connect or make items.
    pub const fn making(self) -> Self {
        Self { making: true, ..self }
    }

    /// Whether parties connect or make items with it.
    pub(crate) const fn is_making(self) -> bool {
        self.making
    }

    /// The kind's byte in the header.
    pub const fn number(self) -> u8 {
        self.number
    }

    /// The kind's name in errors and traces.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// What both ends must agree on, if the round tells that.
    pub(crate) const fn agreed(self) -> Option<&'static str> {
        self.agreed
    }

    /// Which of its step's messages of this kind a message is, from the round in its header.
    pub const fn place(self, round: u32) -> u32 {
        if self.agreed.is_some() { 0 } else { round }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// A message of a protocol.
///
/// It is defined in one place: its kind, what its receiver knows of it before it comes, how long that makes its payload,
/// and how the payload is written and read.
pub trait Message: Sized {
    /// Its kind. No two messages of a protocol share one.
    const KIND: Kind;

    /// What the receiver knows before the message comes: the numbers that give its payload's length, and those that its
    /// content is checked against. No length is ever taken from the message itself.
    type Shape: Copy + Send;

    /// The length of a payload of this shape.
    fn length(shape: Self::Shape) -> Length;

    /// Appends the payload.
    fn write(&self, out: &mut Writer);

    /// Reads a payload of the length that [`Message::length`] says, and checks all that can be told without the party's
    /// own secrets.
    ///
    /// # Errors
    ///
    /// [`Misbehaviour::Padding`], [`Misbehaviour::Content`].
    fn read(reader: &mut Reader<'_>, shape: Self::Shape) -> Result<Self, Misbehaviour>;

    /// The payload. Wiped on drop, as most messages hold secrets.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    /// The message in a payload that came from the peer `from`.
    ///
    /// # Errors
    ///
    /// [`Misbehaviour::WrongLength`], [`Misbehaviour::Padding`], [`Misbehaviour::Content`].
    fn decode(shape: Self::Shape, from: Role, payload: &[u8]) -> Result<Self, Misbehaviour> {
        let expected = Self::length(shape).bytes();
        if payload.len() != expected {
            return Err(Misbehaviour::WrongLength { from, kind: Self::KIND, expected, got: payload.len() });
        }
        Self::read(&mut Reader::new(from, Self::KIND, payload), shape)
    }
}
