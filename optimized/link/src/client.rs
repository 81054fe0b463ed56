//! What a client and a party say to each other.

use std::fmt;

use duoram_reference::{Operands, Word};

use crate::bytes::{Sink, Source};
use crate::envelope::private::{Body, Shape};
use crate::{Introduction, MAX_SHARES, MAX_TEXT, Refusal, Request, Rights, Text, WireError};

/// The longest status report in bytes.
pub const MAX_STATUS: usize = 1 << 16;

const MAGIC: [u8; 4] = *b"DUOW";

const WORD: usize = size_of::<Word>();

/// The longest request in bytes: a piece of a LOAD, or the most rows.
const MAX_REQUEST: usize = 8 + 1 + 8 + 4 + 4 + MAX_SHARES * WORD;

/// The longest answer in bytes: that to a READ of the most rows.
const MAX_ANSWER: usize = 8 + 1 + MAX_SHARES * WORD;

/// A message from a client to a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToParty {
    /// The client goes on from this number: it has forgotten the requests and answers of lower numbers.
    Begin {
        /// The number of its next request.
        first: u64,
    },
    /// A request, or a piece of one.
    Request(Request),
    /// The client has the answer to this request, and only to this.
    Acknowledge {
        /// Its number.
        number: u64,
    },
    /// Asks for a [`ToClient::StatusReport`].
    Status,
    /// The sender is there.
    Heartbeat,
    /// The last: why the sender hangs up.
    Goodbye(Text),
}

/// A message from a party to a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToClient {
    /// The first; nothing comes before it. Whatever differs from what the client expects is refused with a [`ToParty::Goodbye`].
    Welcome(Welcome),
    /// This request, all of it, is on the party's disk: the client may forget its shares.
    Accepted {
        /// Its number.
        number: u64,
    },
    /// What became of a request. It is kept and said again until it is acknowledged.
    Answer(Answer),
    /// The party's status, in JSON.
    StatusReport(String),
    /// The sender is there.
    Heartbeat,
    /// The last: why the sender hangs up.
    Goodbye(Text),
}

/// Who a party is, and what it knows of the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Welcome {
    /// The party, and what it takes part in.
    pub introduction: Introduction,
    /// The number that the party expects of the client's next new request.
    pub next: u64,
    /// What the client may ask for.
    pub rights: Rights,
    /// Whether the links to the two other roles are up, in the order of [`peers`](duoram_reference::Role::peers). To one that takes no
    /// part in the protocol there is none.
    pub peers_up: [bool; 2],
}

impl Welcome {
    fn write(&self, out: &mut dyn Sink) {
        out.put(&MAGIC);
        self.introduction.write(out);
        out.u64(self.next);
        out.byte(self.rights.number());
        for up in self.peers_up {
            out.byte(u8::from(up));
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        source.magic(MAGIC)?;
        let (introduction, next) = (Introduction::read(source)?, source.u64()?);
        let rights = source.byte()?;
        let rights = source.field("rights", "0 to 7", rights, Rights::from_number(rights))?;
        let mut up = || {
            let byte = source.byte()?;
            source.field("peers_up", "0 or 1", byte, (byte < 2).then_some(byte == 1))
        };
        let peers_up = [up()?, up()?];
        Ok(Self { introduction, next, rights, peers_up })
    }
}

/// The answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The request's number.
    pub number: u64,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a request.
#[derive(Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is done: this primary's share of each word of the results, [`crate::WorkKind::results`] of them.
    Done(Operands),
    /// It was not, and will not be.
    Refused(Refusal),
}

/// Without the shares, which are secret.
impl fmt::Debug for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(shares) => write!(formatter, "Done({} shares)", shares.len()),
            Self::Refused(refusal) => write!(formatter, "Refused({refusal:?})"),
        }
    }
}

impl Answer {
    fn write(&self, out: &mut dyn Sink) {
        out.u64(self.number);
        match &self.outcome {
            Outcome::Done(shares) => {
                out.byte(0);
                out.words(shares);
            }
            Outcome::Refused(refusal) => {
                out.byte(1);
                refusal.write(out);
            }
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let number = source.u64()?;
        let outcome = match source.byte()? {
            0 => Outcome::Done(source.words()?),
            1 => Outcome::Refused(Refusal::read(source)?),
            got => return source.field("outcome", "0 or 1", got, None),
        };
        Ok(Self { number, outcome })
    }
}

impl Body for ToParty {
    fn shape(kind: u8) -> Option<Shape> {
        let (message, max) = match kind {
            7 => ("Heartbeat", 0),
            8 => ("Goodbye", MAX_TEXT),
            32 => ("Begin", 8),
            33 => ("Request", MAX_REQUEST),
            34 => ("Acknowledge", 8),
            35 => ("Status", 0),
            _ => return None,
        };
        Some(Shape { message, max })
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Heartbeat => 7,
            Self::Goodbye(_) => 8,
            Self::Begin { .. } => 32,
            Self::Request(_) => 33,
            Self::Acknowledge { .. } => 34,
            Self::Status => 35,
        }
    }

    fn write(&self, out: &mut dyn Sink) {
        match self {
            Self::Heartbeat | Self::Status => {}
            Self::Goodbye(text) => text.write(out),
            Self::Begin { first: number } | Self::Acknowledge { number } => out.u64(*number),
            Self::Request(request) => request.write(out),
        }
    }

    fn read(kind: u8, source: &mut Source<'_>) -> Result<Self, WireError> {
        Ok(match kind {
            7 => Self::Heartbeat,
            8 => Self::Goodbye(Text::read(source)?),
            32 => Self::Begin { first: source.u64()? },
            33 => Self::Request(Request::read(source)?),
            34 => Self::Acknowledge { number: source.u64()? },
            35 => Self::Status,
            got => return Err(WireError::UnknownType { got }),
        })
    }
}

impl Body for ToClient {
    fn shape(kind: u8) -> Option<Shape> {
        let (message, max) = match kind {
            7 => ("Heartbeat", 0),
            8 => ("Goodbye", MAX_TEXT),
            64 => ("Welcome", 45),
            65 => ("Accepted", 8),
            66 => ("Answer", MAX_ANSWER),
            67 => ("StatusReport", MAX_STATUS),
            _ => return None,
        };
        Some(Shape { message, max })
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Heartbeat => 7,
            Self::Goodbye(_) => 8,
            Self::Welcome(_) => 64,
            Self::Accepted { .. } => 65,
            Self::Answer(_) => 66,
            Self::StatusReport(_) => 67,
        }
    }

    fn write(&self, out: &mut dyn Sink) {
        match self {
            Self::Heartbeat => {}
            Self::Goodbye(text) => text.write(out),
            Self::Welcome(welcome) => welcome.write(out),
            Self::Accepted { number } => out.u64(*number),
            Self::Answer(answer) => answer.write(out),
            Self::StatusReport(json) => out.put(json.as_bytes()),
        }
    }

    fn read(kind: u8, source: &mut Source<'_>) -> Result<Self, WireError> {
        Ok(match kind {
            7 => Self::Heartbeat,
            8 => Self::Goodbye(Text::read(source)?),
            64 => Self::Welcome(Welcome::read(source)?),
            65 => Self::Accepted { number: source.u64()? },
            66 => Self::Answer(Answer::read(source)?),
            67 => match std::str::from_utf8(source.rest()) {
                Ok(json) => Self::StatusReport(json.to_owned()),
                Err(_) => return Err(source.characters("json", "UTF-8")),
            },
            got => return Err(WireError::UnknownType { got }),
        })
    }
}
