//! What a client asks for.

use std::fmt;

use duoram_reference::{CHUNK_WORDS, MAX_ROW_WORDS, MAX_WORDS, Operands};

use crate::WireError;
use crate::bytes::{Sink, Source};

/// The most queries of one request: addresses of a READ or an UPDATE, steps of a CHASE.
pub const MAX_QUERIES: u64 = 1 << 12;

/// The most words of one request or piece, and of one answer: with long rows there are fewer than [`MAX_QUERIES`] to it.
pub const MAX_SHARES: usize = CHUNK_WORDS;

/// A kind of request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WorkKind {
    /// READ at k addresses at once.
    Read,
    /// Add to what is at k addresses at once.
    Update,
    /// WRITE at one address.
    Write,
    /// WRITE at one address and get what was there.
    Swap,
    /// READ at an address, then at the address that was read there (of a row, its first word), and so on: k READs, of which what the
    /// last one has read is the answer.
    Chase,
    /// Load the memory: all its words, in pieces.
    Load,
}

impl WorkKind {
    /// All, by number.
    pub const ALL: [Self; 6] = [Self::Read, Self::Update, Self::Write, Self::Swap, Self::Chase, Self::Load];

    /// The byte that stands for it: its place in [`Self::ALL`].
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The kind that a byte stands for.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// In one word, for metrics and `--json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Update => "update",
            Self::Write => "write",
            Self::Swap => "swap",
            Self::Chase => "chase",
            Self::Load => "load",
        }
    }

    /// The greatest count of a request of this kind.
    const fn most(self) -> u64 {
        match self {
            Self::Read | Self::Update | Self::Chase => MAX_QUERIES,
            Self::Write | Self::Swap => 1,
            Self::Load => MAX_WORDS,
        }
    }

    /// How many pieces such a request is sent in: of a LOAD 2^16 words each, the last what is left; else 1.
    pub const fn pieces(self, count: u64) -> u64 {
        match self {
            Self::Load => count.div_ceil(CHUNK_WORDS as u64),
            _ => 1,
        }
    }

    /// How many words of shares such a request has in one of its pieces, of a memory with so many words at an address.
    pub const fn shares(self, count: u64, piece: u32, row_words: u64) -> u64 {
        match self {
            Self::Read => count,
            Self::Update | Self::Write | Self::Swap => count.saturating_mul(1 + row_words),
            Self::Chase => 1,
            Self::Load => {
                let left = count.saturating_sub(piece as u64 * CHUNK_WORDS as u64);
                if left < CHUNK_WORDS as u64 { left } else { CHUNK_WORDS as u64 }
            }
        }
    }

    /// How many words of shares the answer to such a request has, of a memory with so many words at an address.
    pub const fn results(self, count: u64, row_words: u64) -> u64 {
        match self {
            Self::Read => count.saturating_mul(row_words),
            Self::Swap | Self::Chase => row_words,
            Self::Update | Self::Write | Self::Load => 0,
        }
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let number = source.byte()?;
        source.field("kind", "0 to 5", number, Self::from_number(number))
    }

    /// Reads a count that a request of this kind can have.
    pub(crate) fn read_count(self, source: &mut Source<'_>) -> Result<u64, WireError> {
        let count = self.read_count_or_none(source)?;
        source.field("count", "1 to the most of its kind", count, (count > 0).then_some(count))
    }

    /// The same, or 0.
    pub(crate) fn read_count_or_none(self, source: &mut Source<'_>) -> Result<u64, WireError> {
        let count = source.u64()?;
        source.field("count", "0 to the most of its kind", count, (count <= self.most()).then_some(count))
    }
}

impl fmt::Display for WorkKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a client may ask for: a set of READ (and CHASE), UPDATE (and WRITE and SWAP), and LOAD.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rights(u8);

impl Rights {
    /// Nothing but the status.
    pub const NONE: Self = Self(0);
    /// READ and CHASE.
    pub const READ: Self = Self(1);
    /// UPDATE, WRITE and SWAP.
    pub const UPDATE: Self = Self(2);
    /// LOAD.
    pub const LOAD: Self = Self(4);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a request of this kind is among them.
    pub const fn allow(self, kind: WorkKind) -> bool {
        let needed = match kind {
            WorkKind::Read | WorkKind::Chase => Self::READ,
            WorkKind::Update | WorkKind::Write | WorkKind::Swap => Self::UPDATE,
            WorkKind::Load => Self::LOAD,
        };
        self.0 & needed.0 != 0
    }

    /// The byte that stands for the set.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The set that a byte stands for.
    pub const fn from_number(number: u8) -> Option<Self> {
        if number < 8 { Some(Self(number)) } else { None }
    }
}

/// A request, or one piece of it, with the shares of one primary. The same request goes to both, each with its own shares.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The client's number of it: one more than that of the request before.
    pub number: u64,
    /// What.
    pub kind: WorkKind,
    /// READ, UPDATE: addresses; CHASE: READs; LOAD: words of the whole memory; else 1.
    pub count: u64,
    /// How long it may wait for its turn, in milliseconds from when it arrives; 0: for ever. No clocks are compared.
    pub deadline_ms: u32,
    /// Which piece of a LOAD, from 0; else 0.
    pub piece: u32,
    /// READ, CHASE: addresses (CHASE: one); UPDATE, WRITE, SWAP: each address with the word or row behind it; LOAD: the words of this piece,
    /// which may begin and end within a row.
    pub shares: Operands,
}

impl Request {
    /// How many pieces the request has.
    pub const fn pieces(&self) -> u64 {
        self.kind.pieces(self.count)
    }

    /// Whether there are as many shares in this piece as a memory needs that has so many words at an address.
    ///
    /// # Errors
    ///
    /// [`WireError::Shares`].
    pub fn check_shares(&self, row_words: u64) -> Result<(), WireError> {
        let expected = self.kind.shares(self.count, self.piece, row_words);
        let got = self.shares.len() as u64;
        if got == expected { Ok(()) } else { Err(WireError::Shares { expected, got }) }
    }

    pub(crate) fn write(&self, out: &mut dyn Sink) {
        out.u64(self.number);
        out.byte(self.kind.number());
        out.u64(self.count);
        out.u32(self.deadline_ms);
        out.u32(self.piece);
        out.words(&self.shares);
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let number = source.u64()?;
        let kind = WorkKind::read(source)?;
        let count = kind.read_count(source)?;
        let (deadline_ms, piece) = (source.u32()?, source.u32()?);
        let request = Self { number, kind, count, deadline_ms, piece, shares: Operands::default() };
        let fits = (u64::from(piece) < request.pieces()).then_some(());
        source.field("piece", "less than the pieces of the request", piece, fits)?;
        let request = Self { shares: source.words()?, ..request };
        // How long the memory's rows are is not known here: as long as these shares say, if rows can be.
        let row_words = (request.shares.len() as u64 / count).clamp(2, 1 + MAX_ROW_WORDS as u64) - 1;
        request.check_shares(row_words).map(|()| request)
    }
}

/// Without the shares, which are secret.
impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, kind, count, deadline_ms, piece, shares } = self;
        write!(
            formatter,
            "Request({number}, {kind} of {count}, {deadline_ms} ms, piece {piece}, {} shares)",
            shares.len()
        )
    }
}
