//! Lanes in bytes: what [`super::Lasting`] saves and restores. `PROTOCOL.md`, part three, has the layout.
//!
//! Numbers are little-endian, as in payloads. Nothing is taken from the bytes before the lengths that they speak of have been
//! checked against what there is, and nothing of the party changes before all of them have been read.

use std::mem;

use zeroize::Zeroizing;

use super::items::{Kept, Numbered, Store};
use super::results::Results;
use super::step::{Engine, World};
use super::tree::Correction;
use super::{
    Aside, Error, Lane, NotAside, Parameters, PartyStream, SavedError, SavedMemory, SessionKey, sizes,
};
use crate::Word;
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Role, SessionId};

/// What a saved lane starts with: "DUS" and the version of the layout.
const MAGIC: [u8; 4] = *b"DUS\x01";

/// What one starts with that is not of one word at each address: what follows the header begins with m and w.
const MAGIC_OF_ROWS: [u8; 4] = *b"DUS\x02";

/// Magic, protocol, role, lane, h, session, length of what follows.
const HEADER: usize = 32;

/// The name of a memory that was put aside.
const ASIDE: usize = 16;

/// What is said to be read: a saved lane is no message, but is read like one.
const SAVED: Kind = Kind::new(0, "saved lane");

/// More results, vectors or items there are not: whatever says so was never written.
const MOST: u64 = 1 << 32;

/// So many steps or items are never counted, and from there on counting would not overflow.
const NEVER: u64 = 1 << 62;

/// An item in bytes.
///
/// A saved item is a second one, which is what keys cannot be cloned for: used twice, it tells the difference of two addresses.
/// So this is within reach of [`Engine::save`] only, and whoever has its bytes answers for it that a party is never restored
/// from what another has gone on from, or that has not all of its inputs since.
pub(crate) trait SavedItem<C>: Sized {
    /// The number of its bytes, at a party that computes with this.
    fn length(compute: &C, log_size: u32, row_words: usize) -> Length;

    /// Writes it, after what a party computes with.
    fn write(&self, compute: &C, out: &mut Writer);

    /// What [`SavedItem::write`] has written.
    fn read(reader: &mut Reader<'_>, origin: &Origin<'_, C>) -> Result<Self, SavedError>;
}

/// What the party has that items are read for.
pub(crate) struct Origin<'a, C> {
    pub(crate) compute: &'a C,
    pub(crate) key: &'a SessionKey,
    pub(crate) log_size: u32,
    pub(crate) row_words: usize,
}

/// What a party has beside the core, to be saved.
pub(crate) trait Saving: World {
    type Compute;
    type Read: SavedItem<Self::Compute>;
    type Update: SavedItem<Self::Compute>;

    fn compute(&self) -> &Self::Compute;
    fn items(&self) -> &Store<Self::Read, Self::Update>;
    fn items_mut(&mut self) -> &mut Store<Self::Read, Self::Update>;
    fn results(&self) -> &Results;
    fn results_mut(&mut self) -> &mut Results;

    /// How many vectors of m w words its memory consists of.
    fn vectors(&self) -> usize;

    /// Its memory, to be saved. What is put aside is on disk then, under a name that is new.
    fn memory(&self) -> SavedMemory<'_>;

    /// Its memory, of as many vectors as [`Saving::vectors`] says.
    fn set_vectors(&mut self, vectors: Vec<Vec<Word>>);

    /// Its memory, which was put aside. An error has changed nothing.
    fn set_aside(&mut self, aside: Aside) -> Result<(), NotAside>;

    /// The words of what it has in common with its peers, beside the session's key.
    fn seeds(&self) -> Zeroizing<Vec<Word>> {
        Zeroizing::default()
    }

    /// As many as [`Saving::seeds`] gives, of a party that has connected or has not. An error has changed nothing.
    fn set_seeds(&mut self, _connected: bool, _seeds: &[Word]) -> Result<(), SavedError> {
        Ok(())
    }
}

/// How many there are of what the memory lane has: no vectors, but a name, of a memory that was put aside.
struct Counts {
    results: u64,
    /// Their words: those of all at a primary, none at the helper.
    shares: u64,
    vectors: u64,
    reads: u64,
    updates: u64,
}

impl Counts {
    const LENGTH: Length = Length::words(5);

    fn write(&self, out: &mut Writer) {
        out.words(&[self.results, self.shares, self.vectors, self.reads, self.updates]);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, SavedError> {
        let mut count = |what| below(MOST, what, reader.word());
        Ok(Self {
            results: count("the number of results")?,
            shares: count("the number of shares")?,
            vectors: count("the number of vectors")?,
            reads: count("the number of READ items")?,
            updates: count("the number of UPDATE items")?,
        })
    }

    /// Whether a party of this world has so many: a share of each result or, at the helper, none.
    fn check<W: Saving>(&self, world: &W) -> Result<(), SavedError> {
        let vectors = if self.is_aside() { 0 } else { world.vectors() as u64 };
        let row_words = world.core().parameters().row_words() as u64;
        let shares = if world.core().role() == Role::P2 { 0 } else { self.results.saturating_mul(row_words) };
        let check = |what, expected, got| {
            let error = SavedError::Content { what, expected: Bound::Is(expected), got };
            if got == expected { Ok(()) } else { Err(error) }
        };
        check("the number of vectors", vectors, self.vectors)?;
        check("the number of shares", shares, self.shares)
    }

    fn is_aside(&self) -> bool {
        self.vectors == 0
    }

    /// The length of what they are the numbers of.
    fn length<W: Saving>(&self, world: &W) -> Length {
        let (compute, parameters) = (world.compute(), world.core().parameters());
        let (log_size, row_words) = (parameters.log_size(), parameters.row_words());
        let number = Length::words(1);
        let memory = if self.is_aside() {
            Length::of_bytes(ASIDE)
        } else {
            Length::words(parameters.words()).times(count(self.vectors))
        };
        Length::words(count(self.shares))
            .and(memory)
            .and(number.and(W::Read::length(compute, log_size, row_words)).times(count(self.reads)))
            .and(number.and(W::Update::length(compute, log_size, row_words)).times(count(self.updates)))
    }
}

/// A number that must be below a bound.
fn below(bound: u64, what: &'static str, got: u64) -> Result<u64, SavedError> {
    let expected = Bound::Below(bound);
    if got < bound { Ok(got) } else { Err(SavedError::Content { what, expected, got }) }
}

/// What an item's number is called.
const NUMBER: &str = "the number of an item";

/// A number of things as one of those in memory.
fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// What both lanes have: number of the next step; seed and place of the stream; K; number of items made.
const COMMON: Length = Length::words(6).and(Length::blocks(2));

/// Before that, with rows or with addresses that have none: m and w, as in the first message.
const ROW_LENGTH: Length = Length::words(1);

/// With one word at each address the layout is that of protocols that have no rows.
const fn has_rows(parameters: &Parameters) -> bool {
    parameters.row_words() > 1 || !parameters.has_all_rows()
}

fn magic(parameters: &Parameters) -> [u8; 4] {
    if has_rows(parameters) { MAGIC_OF_ROWS } else { MAGIC }
}

fn row_length(parameters: &Parameters) -> Length {
    if has_rows(parameters) { ROW_LENGTH } else { Length::default() }
}

impl<W: Saving> Engine<W> {
    /// See [`super::Lasting::save`].
    pub(crate) fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.lasting()?;
        self.idle(lane)?;
        let world = &self.world;
        let (core, items) = (world.core(), world.items());
        let parameters = *core.parameters();
        let results = world.results();
        let (reads, updates) = items.all();
        // It may be large, and putting it aside takes its time: only if it is asked for. So may the seeds be.
        let (seeds, memory) = match lane {
            Lane::Making => (world.seeds(), None),
            Lane::Memory => (Zeroizing::default(), Some(world.memory())),
        };
        let counts = Counts {
            results: results.count as u64,
            shares: results.shares.len() as u64,
            vectors: memory.as_ref().map_or(0, |memory| memory.vectors().len() as u64),
            reads: reads.len() as u64,
            updates: updates.len() as u64,
        };
        let own = match &memory {
            None => Length::words(seeds.len()),
            Some(_) => Counts::LENGTH.and(counts.length(world)),
        };
        let length = row_length(&parameters).and(COMMON).and(own).bytes();
        let mut out = Writer::with_room(HEADER + length);
        out.bytes(&magic(&parameters));
        out.bytes(&[core.endpoint.version, core.role().number(), lane.number()]);
        out.byte(u8::try_from(parameters.log_size()).unwrap_or(u8::MAX));
        out.bytes(&parameters.session().0);
        out.word(length as u64);

        if has_rows(&parameters) {
            out.word(parameters.size_word());
        }
        out.word(self.steps(lane));
        out.bytes(&*core.stream_of(lane).seed());
        out.block(core.stream_of(lane).position());
        out.bytes(core.key.bytes());
        out.word(items.made());
        match &memory {
            None => out.words(&seeds),
            Some(memory) => {
                counts.write(&mut out);
                out.words(&results.shares);
                match memory {
                    SavedMemory::Vectors(vectors) => vectors.iter().for_each(|vector| out.words(vector)),
                    SavedMemory::Aside(Aside(name)) => out.bytes(name),
                }
                for item in reads {
                    write_item(item, world.compute(), &mut out);
                }
                for item in updates {
                    write_item(item, world.compute(), &mut out);
                }
            }
        }
        Ok(out.finish())
    }

    /// See [`super::Lasting::restore`].
    pub(crate) fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error> {
        self.lasting()?;
        if self.at_work(lane) {
            return Err(Error::Started { lane });
        }
        let parameters = *self.world.core().parameters();
        let body = self.body(lane, saved)?;
        let mut reader = Reader::new(self.world.core().role(), SAVED, body);
        let operation = below(NEVER, "the number of the next step", reader.word())?;
        let seed = Zeroizing::new(reader.array());
        let stream = PartyStream::at(&seed, lane.number().into(), reader.block());
        let key = SessionKey::new(reader.array());
        let made = below(NEVER, "the number of items made", reader.word())?;
        self.check_other(lane, &key, made)?;
        match lane {
            Lane::Making => {
                let seeds = self.world.seeds().len();
                check_length(COMMON.and(Length::words(seeds)), body, saved)?;
                self.world.set_seeds(operation > 0, &Zeroizing::new(reader.words(seeds)))?;
                self.world.items_mut().restore_made(made);
            }
            Lane::Memory => {
                let counts = Counts::read(&mut reader)?;
                check_length(COMMON.and(Counts::LENGTH).and(counts.length(&self.world)), body, saved)?;
                counts.check(&self.world)?;
                let shares = Zeroizing::new(reader.words(count(counts.shares)));
                let aside = counts.is_aside().then(|| Aside(reader.array()));
                let vectors = (0..counts.vectors).map(|_| reader.words(parameters.words()));
                let mut vectors = Zeroizing::new(vectors.collect::<Vec<_>>());
                let compute = self.world.compute();
                let (log_size, row_words) = (parameters.log_size(), parameters.row_words());
                let origin = Origin { compute, key: &key, log_size, row_words };
                let reads = read_items(&mut reader, counts.reads, made, &origin)?;
                let updates = read_items(&mut reader, counts.updates, made, &origin)?;
                match aside {
                    None => self.world.set_vectors(mem::take(&mut *vectors)),
                    Some(aside) => self.world.set_aside(aside).map_err(SavedError::Aside)?,
                }
                *self.world.results_mut() = Results { count: count(counts.results), shares };
                self.world.items_mut().restore(made, reads, updates);
            }
        }
        let core = self.world.core_mut();
        core.key = key;
        core.restore(lane, operation, stream);
        Ok(())
    }

    /// Whether a lane has done, does, or has been put back to anything.
    fn at_work(&self, lane: Lane) -> bool {
        self.idle(lane).is_err() || self.steps(lane) > 0 || self.world.core().restored(lane)
    }

    /// What follows the header of a lane that this party has saved.
    fn body<'a>(&self, lane: Lane, saved: &'a [u8]) -> Result<&'a [u8], SavedError> {
        let core = self.world.core();
        let Some((header, body)) = saved.split_first_chunk::<HEADER>() else {
            return Err(SavedError::Length { expected: HEADER, got: saved.len() });
        };
        let mut reader = Reader::new(core.role(), SAVED, header);
        let got = reader.array();
        if got != MAGIC && got != MAGIC_OF_ROWS {
            return Err(SavedError::Magic { expected: magic(core.parameters()), got });
        }
        let rows = got == MAGIC_OF_ROWS;
        let (expected, got) = (core.endpoint.version, reader.byte());
        if got != expected {
            return Err(SavedError::Protocol { expected, got });
        }
        let (expected, got) = (core.role(), reader.byte());
        if got != expected.number() {
            return Err(SavedError::Role { expected, got });
        }
        let (expected, got) = (lane, reader.byte());
        if got != expected.number() {
            return Err(SavedError::Lane { expected, got });
        }
        let (expected, got) = (core.parameters().log_size(), reader.byte().into());
        if got != expected {
            return Err(SavedError::LogSize { expected, got });
        }
        let (expected, got) = (core.parameters().session(), SessionId(reader.array()));
        if got != expected {
            return Err(SavedError::Session { expected, got });
        }
        let (expected, got) = (HEADER.saturating_add(count(reader.word())), saved.len());
        if got != expected {
            return Err(SavedError::Length { expected, got });
        }
        let (of_rows, body) = body.split_at(if rows { ROW_LENGTH.bytes().min(body.len()) } else { 0 });
        let all = core.parameters().size();
        let [got_rows, got_words] =
            if rows { sizes(Reader::new(core.role(), SAVED, of_rows).word()) } else { [all, 1] };
        let (expected_rows, expected_words) = (core.parameters().rows(), core.parameters().row_words());
        if got_words != expected_words as u64 {
            Err(SavedError::RowWords { expected: expected_words, got: got_words })
        } else if got_rows != expected_rows as u64 {
            Err(SavedError::Rows { expected: expected_rows, got: got_rows })
        } else if rows != has_rows(core.parameters()) {
            Err(SavedError::Magic { expected: magic(core.parameters()), got: MAGIC_OF_ROWS })
        } else {
            Ok(body)
        }
    }

    /// Whether what one lane says fits the other, if that is at work already.
    fn check_other(&self, lane: Lane, key: &SessionKey, got: u64) -> Result<(), SavedError> {
        let expected = self.world.items().made();
        let alike = got == expected && key.bytes() == self.world.core().key.bytes();
        if alike || !self.at_work(lane.other()) { Ok(()) } else { Err(SavedError::Apart { expected, got }) }
    }

    fn lasting(&self) -> Result<(), Error> {
        if self.world.core().endpoint.operations.are_two() { Ok(()) } else { Err(Error::OneLane) }
    }
}

/// Whether what follows the header is as long as its counts call for.
fn check_length(length: Length, body: &[u8], saved: &[u8]) -> Result<(), SavedError> {
    let front = saved.len() - body.len();
    let (expected, got) = (front.saturating_add(length.bytes()), saved.len());
    if got == expected { Ok(()) } else { Err(SavedError::Length { expected, got }) }
}

fn write_item<T: SavedItem<C>, C>(kept: &Numbered<T>, compute: &C, out: &mut Writer) {
    out.word(kept.number);
    kept.item.write(compute, out);
}

/// Items of one kind, the oldest first.
fn read_items<T: SavedItem<C>, C>(
    reader: &mut Reader<'_>,
    count: u64,
    made: u64,
    origin: &Origin<'_, C>,
) -> Result<Vec<Kept<T>>, SavedError> {
    let mut next = 0;
    let mut item = |_| {
        let number = reader.word();
        if number < next {
            return Err(SavedError::Content { what: NUMBER, expected: Bound::Is(next), got: number });
        }
        next = below(made, NUMBER, number)? + 1;
        let item = T::read(reader, origin)?;
        Ok(Box::new(Numbered { number, item }))
    };
    (0..count).map(&mut item).collect()
}

/// As many vectors as have been counted.
pub(crate) fn exactly<const N: usize>(vectors: Vec<Vec<Word>>) -> [Vec<Word>; N] {
    let mut vectors = vectors.into_iter();
    [(); N].map(|()| vectors.next().unwrap_or_default())
}

/// The corrections of so many levels.
pub(crate) const fn corrections_length(levels: usize) -> Length {
    Length::blocks(levels).and(Length::of_bytes(levels))
}

/// Of each, the word, and a byte that has the flags, the left one lowest.
pub(crate) fn write_corrections(out: &mut Writer, corrections: &[Correction]) {
    for correction in corrections {
        out.block(correction.word);
        out.byte(u8::from(correction.left_flag) | u8::from(correction.right_flag) << 1);
    }
}

/// What [`write_corrections`] has written.
pub(crate) fn read_corrections(
    reader: &mut Reader<'_>,
    levels: usize,
) -> Result<Vec<Correction>, SavedError> {
    // Room at once: a vector that grows would leave copies behind.
    let mut corrections = Zeroizing::new(Vec::with_capacity(levels));
    for _ in 0..levels {
        let (word, flags) = (reader.block(), reader.byte());
        below(4, "the flags of a correction", flags.into())?;
        corrections.push(Correction { word, left_flag: flags & 1 == 1, right_flag: flags & 2 == 2 });
    }
    Ok(mem::take(&mut *corrections))
}
