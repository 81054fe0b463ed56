//! Envelopes: `u32` length, `u8` type, body. The length counts the type and the body.

use zeroize::Zeroizing;

use crate::WireError;
use crate::bytes::{Counter, Sink, Source};

/// The bytes before the body: length and type.
pub const HEAD_LENGTH: usize = 5;

/// All messages of one direction. A type outside of this crate cannot be one.
pub trait Envelope: Sized + private::Body {}

impl<M: private::Body> Envelope for M {}

pub(crate) mod private {
    use super::{Sink, Source, WireError};

    /// What a message of a type is called, and how long its body may be.
    #[derive(Clone, Copy)]
    pub struct Shape {
        pub(crate) message: &'static str,
        pub(crate) max: usize,
    }

    pub trait Body: Sized {
        /// `None`: there is no such type.
        fn shape(kind: u8) -> Option<Shape>;

        fn kind(&self) -> u8;

        fn write(&self, out: &mut dyn Sink);

        /// The caller has looked at `kind`, and looks at whether anything is left.
        fn read(kind: u8, source: &mut Source<'_>) -> Result<Self, WireError>;
    }
}

/// The first five bytes, checked: a type that is expected, and a length that a message of this type can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    kind: u8,
    body: usize,
}

impl Head {
    /// Checks what is known of a message before its body.
    ///
    /// # Errors
    ///
    /// [`WireError::Empty`], [`WireError::UnknownType`], [`WireError::TooLong`].
    pub fn check<M: Envelope>(head: [u8; HEAD_LENGTH]) -> Result<Self, WireError> {
        let [l0, l1, l2, l3, kind] = head;
        let length = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).unwrap_or(usize::MAX);
        let got = length.checked_sub(1).ok_or(WireError::Empty)?;
        let private::Shape { message, max } = M::shape(kind).ok_or(WireError::UnknownType { got: kind })?;
        if got > max { Err(WireError::TooLong { message, max, got }) } else { Ok(Self { kind, body: got }) }
    }

    /// The length of the body in bytes.
    pub const fn body(&self) -> usize {
        self.body
    }
}

/// The bytes of a message. They may hold secrets.
pub fn encode<M: Envelope>(message: &M) -> Zeroizing<Vec<u8>> {
    let mut body = Counter::default();
    message.write(&mut body);
    let mut bytes = Zeroizing::new(Vec::with_capacity(HEAD_LENGTH + body.0));
    // Messages are made within their bounds, far below 4 GiB; what is not is refused by whoever reads it.
    bytes.u32(u32::try_from(1 + body.0).unwrap_or(u32::MAX));
    bytes.byte(message.kind());
    message.write(&mut bytes);
    bytes
}

/// The message whose head was this, and whose body is `body`.
///
/// # Errors
///
/// Any [`WireError`]: the message is not to be believed in any part.
pub fn decode_body<M: Envelope>(head: Head, body: &[u8]) -> Result<M, WireError> {
    let shape = M::shape(head.kind).ok_or(WireError::UnknownType { got: head.kind })?;
    if body.len() < head.body {
        return Err(WireError::Truncated { message: shape.message, expected: head.body, got: body.len() });
    }
    if body.len() > head.body {
        return Err(WireError::Trailing { message: shape.message, expected: head.body, got: body.len() });
    }
    let mut source = Source::new(shape.message, body);
    let message = M::read(head.kind, &mut source)?;
    source.end()?;
    Ok(message)
}

/// The message that these bytes are: exactly one.
///
/// # Errors
///
/// As [`Head::check`] and [`decode_body`].
pub fn decode<M: Envelope>(bytes: &[u8]) -> Result<M, WireError> {
    let mut source = Source::new("the head of a message", bytes);
    let head = Head::check::<M>(source.array()?)?;
    decode_body(head, source.rest())
}
