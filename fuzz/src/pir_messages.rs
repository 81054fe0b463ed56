//! What SPIRAL's client and server send each other: setup, query, answer, honest and changed.
//!
//! Oracles: a second reader of the format says whether a message is refused, and why; an honest one is never, and gives the word
//! that the reference's plain table has there; what a changed one gives is the same by every backend, whatever it is.

use std::sync::{Arc, OnceLock};

use arbitrary::Arbitrary;
use duoram_pir::{Backend, Client, Refused, Server, Spiral, Table, Workers};
use duoram_reference::Word;

use crate::words::Words;

/// A table of a part of an item, one of an item, one of two, and the least that fills all of its places.
const LOG_SIZES: [u32; 4] = [1, 8, 9, 12];

/// More would only repeat.
const MOST_CHANGES: usize = 8;

/// A message.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The backend; the next one is to agree.
    pub backend: u8,
    /// h, among [`LOG_SIZES`].
    pub log_size: u8,
    /// Expands to the table, its masks, and the query's number.
    pub seed: u64,
    /// By the remainder, which word is asked for.
    pub index: Word,
    /// Which message is changed.
    pub message: Which,
    /// One after another.
    pub changes: Vec<Change>,
}

/// One of the three messages.
#[derive(Arbitrary, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Which {
    Setup,
    Query,
    Answer,
}

/// What happens to a message. Places are taken by the remainder.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Another byte.
    Byte {
        /// Which.
        at: u32,
        /// How.
        xor: u8,
    },
    /// A number so far above its modulus.
    Number {
        /// Which.
        at: u32,
        /// How far.
        above: i8,
    },
    /// So many bytes are missing or too many.
    Resize(i16),
    /// Something else.
    Raw(Vec<u8>),
}

/// How numbers lie in a message: the lowest bits first, without gaps, behind some bytes of any value.
#[derive(Clone, Copy)]
struct Layout {
    /// The whole message.
    length: usize,
    /// The bytes before the first number.
    before: usize,
    /// Numbers that have a modulus.
    count: usize,
    /// The bits of each.
    bits: usize,
    /// Of even and of odd ones.
    moduli: [u64; 2],
}

impl Which {
    /// As `optimized/pir/README.md` has it: 2048 pairs of residues an element, 51 elements in the setup of tables up to 2^12 words;
    /// of an answer's two halves the numbers of the second may be any.
    fn layout(self) -> Layout {
        let elements = |count: usize| Layout {
            length: 32 + count * 7 * 2048,
            before: 32,
            count: count * 2 * 2048,
            bits: 28,
            moduli: [268_369_921, 249_561_089],
        };
        match self {
            Self::Setup => elements(51),
            Self::Query => elements(1),
            Self::Answer => {
                Layout { length: 2048 * 27 / 8, before: 0, count: 2048, bits: 17, moduli: [65_537; 2] }
            }
        }
    }
}

impl Layout {
    /// The first byte of a number, and how many bits of that are the number's before.
    fn place(self, number: usize) -> (usize, usize) {
        let bit = 8 * self.before + self.bits * number;
        (bit / 8, bit % 8)
    }

    /// The five bytes that a number is among, of which there may be fewer.
    fn window(self, bytes: &[u8], number: usize) -> u64 {
        let mut window = [0; 8];
        let rest = bytes.get(self.place(number).0..).unwrap_or_default();
        window.iter_mut().zip(rest).take(5).for_each(|(to, from)| *to = *from);
        u64::from_le_bytes(window)
    }

    fn refusal(self, bytes: &[u8]) -> Option<Refused> {
        if bytes.len() != self.length {
            return Some(Refused::Length { expected: self.length, got: bytes.len() });
        }
        let mask = (1 << self.bits) - 1;
        let value = |number| self.window(bytes, number) >> self.place(number).1 & mask;
        let index = (0..self.count).find(|&number| value(number) >= self.moduli[number % 2])?;
        Some(Refused::NotReduced { index })
    }

    fn change(self, bytes: &mut Vec<u8>, change: &Change) {
        match change {
            Change::Byte { at, xor } => {
                let at = *at as usize % bytes.len().max(1);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= xor);
            }
            Change::Number { at, above } => {
                let number = *at as usize % self.count;
                let ((first, shift), mask) = (self.place(number), (1 << self.bits) - 1);
                let value = self.moduli[number % 2].saturating_add_signed(i64::from(*above)) & mask;
                let window = self.window(bytes, number) & !(mask << shift) | value << shift;
                let target = bytes.iter_mut().skip(first).zip(window.to_le_bytes());
                target.take(5).for_each(|(to, from)| *to = from);
            }
            Change::Resize(by) => {
                let length = bytes.len().saturating_add_signed(isize::from(*by));
                bytes.resize(length, 0);
            }
            Change::Raw(raw) => bytes.clone_from(raw),
        }
    }
}

/// A client and a server that know each other: making one takes longer than all else.
struct Honest {
    log_size: u32,
    client: Client,
    setup: Vec<u8>,
    server: Server,
}

fn honest(log_size: u8) -> &'static Honest {
    static SESSIONS: OnceLock<Vec<Honest>> = OnceLock::new();
    let sessions = SESSIONS.get_or_init(|| {
        let session = |log_size| {
            let spiral = &spirals()[0];
            let (client, setup) = spiral.client(log_size, &[7; 32]);
            let server = spiral.server(log_size, &setup).expect("honest");
            Honest { log_size, client, setup, server }
        };
        LOG_SIZES.into_iter().map(session).collect()
    });
    &sessions[usize::from(log_size) % sessions.len()]
}

/// SPIRAL with each backend of this CPU.
fn spirals() -> &'static [Spiral] {
    static SPIRALS: OnceLock<Vec<Spiral>> = OnceLock::new();
    let workers = Arc::new(Workers::one());
    let spiral = |backend| Spiral::new(backend, Arc::clone(&workers));
    SPIRALS.get_or_init(|| Backend::available().into_iter().map(spiral).collect())
}

/// Sends one input.
pub fn check(input: &Input) {
    let backend = usize::from(input.backend);
    let (spiral, other) =
        (&spirals()[backend % spirals().len()], &spirals()[(backend + 1) % spirals().len()]);
    let Honest { log_size, client, setup, server } = honest(input.log_size);
    let mut words = Words::new(input.seed);
    let memory = words.words(1 << log_size);
    let keys: Vec<_> = (0..*log_size).map(|_| [(); 2].map(|()| words.block())).collect();
    let table =
        Table { memory: &memory, turn: words.word() % memory.len() as u64, blind: words.word(), keys: &keys };
    let index = input.index % memory.len() as u64;
    let query = spiral.query(client, index, words.word());
    let right = table.words()[usize::try_from(index).expect("an index of a vector")];

    let layout = input.message.layout();
    let changed = |honest: &[u8]| {
        assert_eq!(layout.refusal(honest), None, "an honest message");
        let mut bytes = honest.to_vec();
        input.changes.iter().take(MOST_CHANGES).for_each(|change| layout.change(&mut bytes, change));
        let refusal = layout.refusal(&bytes);
        (bytes, refusal)
    };
    let answer = match input.message {
        Which::Setup => {
            let (bytes, refusal) = changed(setup);
            let [ours, theirs] = [spiral, other].map(|spiral| {
                let server = spiral.server(*log_size, &bytes);
                server.map(|server| spiral.answer(&server, &query, table).expect("an honest query"))
            });
            assert_eq!((ours.as_ref().err(), &ours), (refusal.as_ref(), &theirs), "setup");
            ours.ok().filter(|_| bytes == *setup)
        }
        Which::Query => {
            let (bytes, refusal) = changed(&query);
            let [ours, theirs] = [spiral, other].map(|spiral| spiral.answer(server, &bytes, table));
            assert_eq!((ours.as_ref().err(), &ours), (refusal.as_ref(), &theirs), "query");
            assert_eq!(spiral.check_query(&bytes).err(), refusal, "query");
            ours.ok().filter(|_| bytes == query)
        }
        Which::Answer => {
            let honest = spiral.answer(server, &query, table).expect("an honest query");
            let (bytes, refusal) = changed(&honest);
            assert_eq!(spiral.check_answer(&bytes).err(), refusal, "answer");
            // Whether it was refused or not.
            let [ours, theirs] = [spiral, other].map(|spiral| spiral.decode(client, index, &bytes));
            assert_eq!(ours, theirs, "decoded");
            Some(honest)
        }
    };
    if let Some(answer) = answer {
        assert_eq!(spiral.check_answer(&answer), Ok(()));
        assert_eq!(spiral.decode(client, index, &answer), right, "the word");
    }
}
