//! Messages: what a payload holds, and how it is written and read.

mod payload;
mod shape;
mod wire;

use zeroize::Zeroizing;

pub use self::payload::{
    AndTriple, ConversionOperand, ConversionOperands, Hello, HelperUpdateOpening, LevelOperand,
    ProductTriple, Triples, UpdateOpening,
};
pub use self::shape::Shape;
use self::wire::{Reader, Writer};
use crate::dpf::{Correction, DpfShare};
use crate::frame::Kind;
use crate::{Block, Error, Role, Word};

/// A message. `b` is the sender, if a primary; DPFs, items and queries are in the order of their numbers.
pub enum Message {
    /// All to all: the contribution to K, and h.
    Hello(Hello),
    /// P_b to P_(1-b): a chunk of `D_b + zeta_b`.
    Blinded(Vec<Word>),
    /// P_b to P2: a chunk of `zeta_b`.
    Blind(Zeroizing<Vec<Word>>),
    /// P2 to P_b: the triples of App. A.
    Triples(Triples),
    /// P0 and P1: the operands of one level's AND, and the flag corrections, for each DPF.
    LevelOperands(Vec<LevelOperand>),
    /// P0 and P1: a share of one level's correction word, for each DPF.
    LevelOpening(Vec<Block>),
    /// P0 and P1: the operands of App. D.
    ConversionOperands(ConversionOperands),
    /// P0 and P1: `F'_b`, for each DPF.
    ConversionOpening(Vec<Word>),
    /// P0 (of DPF 2) and P1 (of DPF 3) to P2: a key for each item.
    HelperKeys(Vec<DpfShare>),
    /// P_b to the others: `(i*_b - ri_b) mod n` for each query.
    Shift(Vec<Word>),
    /// P2 to P_b: `gamma_b` for each query.
    Unblinding(Vec<Word>),
    /// P_b to P_(1-b): the shift share and `M_b + F_b` for each query.
    Update(Vec<UpdateOpening>),
    /// P_b to P2: the same without DPF 1.
    HelperUpdate(Vec<HelperUpdateOpening>),
}

impl Message {
    /// The kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Hello(_) => Kind::Hello,
            Self::Blinded(_) => Kind::Blinded,
            Self::Blind(_) => Kind::Blind,
            Self::Triples(_) => Kind::Triples,
            Self::LevelOperands(_) => Kind::LevelOperands,
            Self::LevelOpening(_) => Kind::LevelOpening,
            Self::ConversionOperands(_) => Kind::ConversionOperands,
            Self::ConversionOpening(_) => Kind::ConversionOpening,
            Self::HelperKeys(_) => Kind::HelperKeys,
            Self::Shift(_) => Kind::Shift,
            Self::Unblinding(_) => Kind::Unblinding,
            Self::Update(_) => Kind::Update,
            Self::HelperUpdate(_) => Kind::HelperUpdate,
        }
    }

    /// The payload. Wiped on drop, as most messages hold secrets.
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    /// Appends the payload.
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Hello(hello) => {
                out.block(hello.contribution);
                out.word(hello.log_size);
            }
            Self::Blinded(words)
            | Self::ConversionOpening(words)
            | Self::Shift(words)
            | Self::Unblinding(words) => {
                out.words(words);
            }
            Self::Blind(words) => out.words(words),
            Self::Triples(triples) => {
                for triple in &triples.and {
                    out.blocks(&[triple.y, triple.z]);
                }
                out.bits(triples.and.iter().map(|triple| triple.x).collect());
                for triple in &triples.products {
                    out.words(&[triple.x, triple.y, triple.z]);
                }
            }
            Self::LevelOperands(operands) => {
                for operand in operands {
                    out.block(operand.y);
                }
                let mut bits = Vec::with_capacity(3 * operands.len());
                for operand in operands {
                    bits.extend([operand.x, operand.left_flag, operand.right_flag]);
                }
                out.bits(bits);
            }
            Self::LevelOpening(shares) => out.blocks(shares),
            Self::ConversionOperands(operands) => {
                let ConversionOperands { dpfs, deltas } = operands;
                for operand in dpfs {
                    out.words(&[operand.sign, operand.x, operand.y]);
                }
                for pair in deltas {
                    out.words(pair);
                }
            }
            Self::HelperKeys(keys) => {
                for key in keys {
                    out.block(key.root);
                    for correction in &key.corrections {
                        out.block(correction.word);
                    }
                    out.word(key.conversion_factor);
                }
                let mut flags = Vec::with_capacity(keys.iter().map(|key| 2 * key.corrections.len()).sum());
                for correction in keys.iter().flat_map(|key| &key.corrections) {
                    flags.extend([correction.left_flag, correction.right_flag]);
                }
                out.bits(flags);
            }
            Self::Update(openings) => {
                for opening in openings {
                    out.word(opening.shift);
                    out.words(&opening.masked);
                }
            }
            Self::HelperUpdate(openings) => {
                for opening in openings {
                    out.word(opening.shift);
                    out.words(&opening.masked);
                }
            }
        }
    }

    /// Decodes a payload from the peer `from`, which must have the expected shape. What it returns is valid in all that
    /// can be told without the party's own secrets.
    ///
    /// # Errors
    ///
    /// [`Error::WrongLength`], [`Error::Padding`], [`Error::LogSizeMismatch`], [`Error::InconsistentRoot`],
    /// [`Error::InconsistentCorrection`] (of a helper key), [`Error::ShiftOutOfRange`].
    pub fn decode(shape: Shape, from: Role, payload: &[u8]) -> Result<Self, Error> {
        let (kind, expected) = (shape.kind(), shape.payload_length());
        if payload.len() != expected {
            return Err(Error::WrongLength { from, kind, expected, got: payload.len() });
        }
        let mut reader = Reader::new(from, kind, payload);
        match shape {
            Shape::Hello { log_size } => {
                let hello = Hello { contribution: reader.block(), log_size: reader.word() };
                if hello.log_size == Word::from(log_size) {
                    Ok(Self::Hello(hello))
                } else {
                    Err(Error::LogSizeMismatch { from, expected: log_size, got: hello.log_size })
                }
            }
            Shape::Blinded { words } => Ok(Self::Blinded(reader.words(words))),
            Shape::Blind { words } => Ok(Self::Blind(Zeroizing::new(reader.words(words)))),
            Shape::Triples { log_size, dpfs } => {
                Ok(Self::Triples(read_triples(&mut reader, log_size, dpfs)?))
            }
            Shape::LevelOperands { dpfs } => Ok(Self::LevelOperands(read_level_operands(&mut reader, dpfs)?)),
            Shape::LevelOpening { dpfs } => Ok(Self::LevelOpening(reader.blocks(dpfs))),
            Shape::ConversionOperands { dpfs, deltas } => {
                let mut operand =
                    || ConversionOperand { sign: reader.word(), x: reader.word(), y: reader.word() };
                let dpfs = (0..dpfs).map(|_| operand()).collect();
                let deltas = (0..deltas).map(|_| [reader.word(), reader.word()]).collect();
                Ok(Self::ConversionOperands(ConversionOperands { dpfs, deltas }))
            }
            Shape::ConversionOpening { dpfs } => Ok(Self::ConversionOpening(reader.words(dpfs))),
            Shape::HelperKeys { log_size, items } => {
                let keys = read_helper_keys(&mut reader, log_size, items)?;
                check_helper_keys(from, &keys)?;
                Ok(Self::HelperKeys(keys))
            }
            Shape::Shift { log_size, queries } => {
                let shares = reader.words(queries);
                check_shifts(from, log_size, shares.iter().copied())?;
                Ok(Self::Shift(shares))
            }
            Shape::Unblinding { queries } => Ok(Self::Unblinding(reader.words(queries))),
            Shape::Update { log_size, queries } => {
                let mut opening = || UpdateOpening {
                    shift: reader.word(),
                    masked: [reader.word(), reader.word(), reader.word()],
                };
                let openings: Vec<_> = (0..queries).map(|_| opening()).collect();
                check_shifts(from, log_size, openings.iter().map(|opening| opening.shift))?;
                Ok(Self::Update(openings))
            }
            Shape::HelperUpdate { log_size, queries } => {
                let mut opening =
                    || HelperUpdateOpening { shift: reader.word(), masked: [reader.word(), reader.word()] };
                let openings: Vec<_> = (0..queries).map(|_| opening()).collect();
                check_shifts(from, log_size, openings.iter().map(|opening| opening.shift))?;
                Ok(Self::HelperUpdate(openings))
            }
        }
    }
}

fn read_triples(reader: &mut Reader<'_>, log_size: u32, dpfs: usize) -> Result<Triples, Error> {
    let count = dpfs * shape::levels(log_size);
    let strings = Zeroizing::new(reader.blocks(2 * count));
    let bits = Zeroizing::new(reader.bits(count)?);
    let and = strings
        .chunks_exact(2)
        .zip(bits.iter())
        .map(|(yz, &x)| AndTriple { x, y: yz[0], z: yz[1] })
        .collect();
    let mut product = || ProductTriple { x: reader.word(), y: reader.word(), z: reader.word() };
    Ok(Triples { and, products: (0..dpfs).map(|_| product()).collect() })
}

fn read_level_operands(reader: &mut Reader<'_>, dpfs: usize) -> Result<Vec<LevelOperand>, Error> {
    let blocks = reader.blocks(dpfs);
    let bits = reader.bits(3 * dpfs)?;
    let operand = |(&y, bits): (&Block, &[bool])| LevelOperand {
        x: bits[0],
        y,
        left_flag: bits[1],
        right_flag: bits[2],
    };
    Ok(blocks.iter().zip(bits.chunks_exact(3)).map(operand).collect())
}

fn read_helper_keys(reader: &mut Reader<'_>, log_size: u32, items: usize) -> Result<Vec<DpfShare>, Error> {
    let levels = shape::levels(log_size);
    let mut key = || {
        let root = reader.block();
        let words = reader.blocks(levels);
        let corrections =
            words.into_iter().map(|word| Correction { word, left_flag: false, right_flag: false }).collect();
        DpfShare { root, corrections, conversion_factor: reader.word() }
    };
    let mut keys: Vec<_> = (0..items).map(|_| key()).collect();
    let bits = reader.bits(2 * levels * items)?;
    let corrections = keys.iter_mut().flat_map(|key| &mut key.corrections);
    for (correction, flags) in corrections.zip(bits.chunks_exact(2)) {
        correction.left_flag = flags[0];
        correction.right_flag = flags[1];
    }
    Ok(keys)
}

/// Lowest bits carry meaning: of a root, whose key it is; of a correction word, nothing.
fn check_helper_keys(from: Role, keys: &[DpfShare]) -> Result<(), Error> {
    for (item, key) in keys.iter().enumerate() {
        let expected = from.number();
        let got = u8::from(key.root & 1 == 1);
        if got != expected {
            return Err(Error::InconsistentRoot { from, item, expected, got });
        }
        for (level, correction) in (0..).zip(&key.corrections) {
            if correction.word & 1 == 1 {
                return Err(Error::InconsistentCorrection { from, dpf: item, level });
            }
        }
    }
    Ok(())
}

fn check_shifts(from: Role, log_size: u32, shares: impl Iterator<Item = Word>) -> Result<(), Error> {
    let size = 1_u64.checked_shl(log_size).unwrap_or(u64::MAX);
    for (query, got) in shares.enumerate() {
        if got >= size {
            return Err(Error::ShiftOutOfRange { from, query, size, got });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
