//! What parties say to each other.

use std::fmt;

use duoram_reference::{Batch, HEADER_LENGTH, Lane, MAX_PAYLOAD};
use zeroize::Zeroizing;

use crate::bytes::{Sink, Source};
use crate::envelope::private::{Body, Shape};
use crate::{ClientName, Introduction, MAX_NAME, MAX_TEXT, Refusal, Text, WireError, WorkKind};

/// The most requests that become one step.
pub const MAX_PARTS: usize = 1 << 11;

const MAGIC: [u8; 4] = *b"DUOH";

/// The longest order in bytes: a step of the most parts.
const MAX_ORDER: usize = 8 + 1 + 1 + 4 + MAX_PARTS * (1 + MAX_NAME + 8 + 8);

/// A message from one party to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeerMessage {
    /// The first, both ways; nothing else comes before it.
    Hello(Hello),
    /// A frame of the reference.
    Frame(NumberedFrame),
    /// So many frames of a lane are on the sender's disk.
    Acknowledged {
        /// The lane.
        lane: Lane,
        /// How many: all frames of lower numbers.
        number: u64,
    },
    /// P0: what comes next.
    Order(Order),
    /// P1, P2: so many orders are on the sender's disk.
    Ordered {
        /// How many: all orders of lower numbers.
        taken: u64,
    },
    /// P1: this request, all of it, is on the sender's disk, and waits for an order.
    Holds {
        /// Whose.
        client: ClientName,
        /// The client's number of it.
        number: u64,
        /// What.
        kind: WorkKind,
        /// As in the request; 0: P1 does not allow it, and waits for the order to refuse it.
        count: u64,
    },
    /// The sender is there.
    Heartbeat,
    /// The last: why the sender hangs up.
    Goodbye(Text),
}

/// Who a party is and what it has. Whatever differs from what the other end expects is refused with a [`PeerMessage::Goodbye`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The sender, and what it takes part in.
    pub introduction: Introduction,
    /// How many of the receiver's frames are on the sender's disk, by lane.
    pub taken: [u64; 2],
    /// How many orders are on the sender's disk.
    pub orders: u64,
}

impl Hello {
    fn write(&self, out: &mut dyn Sink) {
        out.put(&MAGIC);
        self.introduction.write(out);
        for taken in self.taken {
            out.u64(taken);
        }
        out.u64(self.orders);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        source.magic(MAGIC)?;
        let introduction = Introduction::read(source)?;
        let taken = [source.u64()?, source.u64()?];
        Ok(Self { introduction, taken, orders: source.u64()? })
    }
}

fn read_lane(source: &mut Source<'_>) -> Result<Lane, WireError> {
    let number = source.byte()?;
    let lane = Lane::ALL.into_iter().find(|lane| lane.number() == number);
    source.field("lane", "0 or 1", number, lane)
}

/// A frame of the reference, unchanged, and its number in its lane.
#[derive(Clone, PartialEq, Eq)]
pub struct NumberedFrame {
    /// The lane.
    pub lane: Lane,
    /// The frame's number there.
    pub number: u64,
    /// Header and payload. Secret.
    pub bytes: Zeroizing<Vec<u8>>,
}

impl NumberedFrame {
    fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let (lane, number) = (read_lane(source)?, source.u64()?);
        let header = source.take(HEADER_LENGTH)?;
        let payload = source.rest();
        let mut bytes = Zeroizing::new(Vec::with_capacity(header.len() + payload.len()));
        bytes.put(header);
        bytes.put(payload);
        Ok(Self { lane, number, bytes })
    }
}

/// Without the bytes, which are secret.
impl fmt::Debug for NumberedFrame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "NumberedFrame({}, {}, {} bytes)", self.lane, self.number, self.bytes.len())
    }
}

/// What all parties do next, by P0's word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The order's number, from 0, without gaps.
    pub number: u64,
    /// What.
    pub entry: Entry,
}

/// What is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Agree on the session's key: order 0.
    Connect,
    /// Make items.
    Preprocess(Batch),
    /// A step on the memory for one or more requests of one kind.
    Step {
        /// READ and UPDATE may have many parts, all others have one.
        kind: WorkKind,
        /// The requests, in the order of their queries in the step. At least one, at most [`MAX_PARTS`].
        parts: Vec<Part>,
    },
    /// A request is refused.
    Refuse {
        /// Whose.
        client: ClientName,
        /// The client's number of it.
        number: u64,
        /// Why.
        refusal: Refusal,
    },
    /// Forget all items.
    Discard,
}

/// A request's part of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Whose.
    pub client: ClientName,
    /// The client's number of the request.
    pub number: u64,
    /// As in the request.
    pub count: u64,
}

impl Order {
    fn write(&self, out: &mut dyn Sink) {
        out.u64(self.number);
        match &self.entry {
            Entry::Connect => out.byte(0),
            Entry::Preprocess(batch) => {
                out.byte(1);
                // A batch fits a payload: far below 2^32.
                let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
                out.u32(count(batch.reads));
                out.u32(count(batch.updates));
            }
            Entry::Step { kind, parts } => {
                out.byte(2);
                out.byte(kind.number());
                out.u32(u32::try_from(parts.len()).unwrap_or(u32::MAX));
                for part in parts {
                    part.client.write(out);
                    out.u64(part.number);
                    out.u64(part.count);
                }
            }
            Entry::Refuse { client, number, refusal } => {
                out.byte(3);
                client.write(out);
                out.u64(*number);
                refusal.write(out);
            }
            Entry::Discard => out.byte(4),
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let number = source.u64()?;
        let entry = match source.byte()? {
            0 => Entry::Connect,
            1 => {
                let mut count = || source.u32().map(|count| usize::try_from(count).unwrap_or(usize::MAX));
                Entry::Preprocess(Batch { reads: count()?, updates: count()? })
            }
            2 => Self::read_step(source)?,
            3 => {
                let client = ClientName::read(source)?;
                Entry::Refuse { client, number: source.u64()?, refusal: Refusal::read(source)? }
            }
            4 => Entry::Discard,
            got => return source.field("entry", "0 to 4", got, None),
        };
        Ok(Self { number, entry })
    }

    fn read_step(source: &mut Source<'_>) -> Result<Entry, WireError> {
        let kind = WorkKind::read(source)?;
        let most = if matches!(kind, WorkKind::Read | WorkKind::Update) { MAX_PARTS } else { 1 };
        let count = source.u32()?;
        let fits = usize::try_from(count).ok().filter(|count| (1..=most).contains(count));
        let count = source.field("parts", "1, of READ and UPDATE to 2048", count, fits)?;
        // A part has at least 18 bytes, so what is reserved is bounded by what came as well as by the most parts.
        let mut parts = Vec::with_capacity(count);
        for _ in 0..count {
            let (client, number) = (ClientName::read(source)?, source.u64()?);
            parts.push(Part { client, number, count: kind.read_count(source)? });
        }
        Ok(Entry::Step { kind, parts })
    }
}

impl Body for PeerMessage {
    fn shape(kind: u8) -> Option<Shape> {
        let (message, max) = match kind {
            1 => ("Hello", 58),
            2 => ("Frame", 1 + 8 + HEADER_LENGTH + MAX_PAYLOAD),
            3 => ("Acknowledged", 9),
            4 => ("Order", MAX_ORDER),
            5 => ("Ordered", 8),
            6 => ("Holds", 1 + MAX_NAME + 8 + 1 + 8),
            7 => ("Heartbeat", 0),
            8 => ("Goodbye", MAX_TEXT),
            _ => return None,
        };
        Some(Shape { message, max })
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Hello(_) => 1,
            Self::Frame(_) => 2,
            Self::Acknowledged { .. } => 3,
            Self::Order(_) => 4,
            Self::Ordered { .. } => 5,
            Self::Holds { .. } => 6,
            Self::Heartbeat => 7,
            Self::Goodbye(_) => 8,
        }
    }

    fn write(&self, out: &mut dyn Sink) {
        match self {
            Self::Hello(hello) => hello.write(out),
            Self::Frame(NumberedFrame { lane, number, bytes }) => {
                out.byte(lane.number());
                out.u64(*number);
                out.put(bytes);
            }
            Self::Acknowledged { lane, number } => {
                out.byte(lane.number());
                out.u64(*number);
            }
            Self::Order(order) => order.write(out),
            Self::Ordered { taken } => out.u64(*taken),
            Self::Holds { client, number, kind, count } => {
                client.write(out);
                out.u64(*number);
                out.byte(kind.number());
                out.u64(*count);
            }
            Self::Heartbeat => {}
            Self::Goodbye(text) => text.write(out),
        }
    }

    fn read(kind: u8, source: &mut Source<'_>) -> Result<Self, WireError> {
        Ok(match kind {
            1 => Self::Hello(Hello::read(source)?),
            2 => Self::Frame(NumberedFrame::read(source)?),
            3 => Self::Acknowledged { lane: read_lane(source)?, number: source.u64()? },
            4 => Self::Order(Order::read(source)?),
            5 => Self::Ordered { taken: source.u64()? },
            6 => {
                let (client, number) = (ClientName::read(source)?, source.u64()?);
                let kind = WorkKind::read(source)?;
                Self::Holds { client, number, kind, count: kind.read_count_or_none(source)? }
            }
            7 => Self::Heartbeat,
            8 => Self::Goodbye(Text::read(source)?),
            got => return Err(WireError::UnknownType { got }),
        })
    }
}
