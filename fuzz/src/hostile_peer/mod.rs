//! One party among peers that send anything at all.
//!
//! Oracles: [`model`] says from the protocol alone which frame the party must take and which it must refuse; and a twin with
//! the reference's computation, the same randomness, and only the frames that are valid must send the same, hold the same
//! and return the same at every moment. So a refusal has changed nothing: no share, no item, no random choice. That memory
//! stays bounded is libFuzzer's to see: `ci/fuzz` gives it a limit for a single allocation, far below what a header can
//! announce.

mod lean;
pub mod model;
mod paper;
mod two_party;

use arbitrary::Arbitrary;
use duoram_reference::{Batch, Error, Frame, HEADER_LENGTH, Parameters, Role, SessionId, Word};

use self::model::{Call, Model, Played};
use crate::computations::singles;
use crate::party::Player;
use crate::payloads::header;
use crate::wire::Role3;
use crate::words::Words;

/// The name of the session.
pub const SESSION: SessionId = SessionId(*b"a hostile peer..");

/// More would only repeat.
const MOST_ACTIONS: usize = 64;

/// What happens to the party.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Who it is.
    pub role: Role3,
    /// h, among those that are played of the protocol.
    pub log_size: u8,
    /// Its computation: the reference's, or one of the backends.
    pub computation: u8,
    /// Expands to its seed, its inputs, and the content of valid messages.
    pub seed: u64,
    /// One after another.
    pub actions: Vec<Action>,
}

/// A call of the owner, or bytes from a link.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Starts the first step.
    Connect,
    /// Starts a load, of a share with so many words too many or missing.
    Load(i8),
    /// Starts a batch of up to 3 items of each kind.
    Preprocess(u8, u8),
    /// Starts a batch that no payload could hold.
    PreprocessTooMuch(u64, u64),
    /// Starts up to 4 READs.
    Read(u8),
    /// Starts up to 4 UPDATEs.
    Update(u8),
    /// Starts a WRITE.
    Write,
    /// Starts a SWAP.
    Swap,
    /// What is due comes.
    Deliver,
    /// All that is due comes, to the end of the step.
    Finish,
    /// What is due comes with one byte changed.
    Damage {
        /// Which, by the remainder.
        at: u16,
        /// How.
        xor: u8,
    },
    /// What is due comes with so many bytes missing or too many.
    Resize {
        /// How many.
        by: i8,
        /// Whether the header says so.
        announced: bool,
    },
    /// What is due comes from another link.
    Reroute {
        /// Which.
        link: Role3,
        /// Whether the header says so.
        claimed: bool,
    },
    /// Something comes again that came before, by its number from the last.
    Replay(u8),
    /// A header that someone made up, with zeros after it.
    Forge {
        /// The link.
        link: Role3,
        /// The kind.
        kind: u8,
        /// Level or chunk.
        round: u8,
        /// Of the payload that is announced.
        length: u32,
        /// Of the payload that comes.
        bytes: u8,
        /// Step.
        operation: u8,
    },
    /// Bytes.
    Raw(Role3, Vec<u8>),
}

/// Plays one input in a protocol.
pub fn check<P: Played>(input: &Input) {
    let backend = usize::from(input.computation) % (1 + singles().len());
    let computation = backend.checked_sub(1).map(|backend| &singles()[backend]);
    let mut words = Words::new(input.seed);
    let (role, log_size) =
        (P::seat(input.role.into()), P::LOG_SIZES[usize::from(input.log_size) % P::LOG_SIZES.len()]);
    let parameters = Parameters::new(SESSION, log_size).expect("1 to 40");
    let seed = words.seed();
    let mut scene = Scene::<P> {
        role,
        size: 1 << log_size,
        party: P::party(role, parameters, seed, computation),
        twin: P::party(role, parameters, seed, None),
        model: Model::new(role, log_size),
        past: Vec::new(),
        words,
    };
    for action in input.actions.iter().take(MOST_ACTIONS) {
        scene.play(action);
        scene.compare();
    }
}

/// The party, its twin, and what is known of both.
struct Scene<P: Played> {
    role: Role,
    size: usize,
    party: Box<dyn Player<View = P::View>>,
    twin: Box<dyn Player<View = P::View>>,
    model: Model<P>,
    /// What the party has taken.
    past: Vec<Frame>,
    words: Words,
}

impl<P: Played> Scene<P> {
    fn play(&mut self, action: &Action) {
        let small = |number: u8| usize::from(number % 4);
        match action {
            Action::Connect => self.call(Call::Connect),
            Action::Load(misfit) => {
                self.call(Call::Load(self.size.saturating_add_signed(isize::from(*misfit))));
            }
            Action::Preprocess(reads, updates) => {
                let batch = Batch { reads: small(*reads), updates: small(*updates) };
                self.call(Call::Preprocess(batch));
            }
            Action::PreprocessTooMuch(reads, updates) => {
                let huge = |number: u64| usize::try_from(number | 1 << 32).unwrap_or(usize::MAX);
                self.call(Call::Preprocess(Batch { reads: huge(*reads), updates: huge(*updates) }));
            }
            Action::Read(count) => self.call(Call::Read(usize::from(count % 5))),
            Action::Update(count) => self.call(Call::Update(usize::from(count % 5))),
            Action::Write => self.call(Call::Write),
            Action::Swap => self.call(Call::Swap),
            Action::Deliver => self.deliver(|_| {}),
            Action::Finish => {
                while self.model.awaits().is_some() {
                    self.deliver(|_| {});
                }
            }
            Action::Damage { at, xor } => self.deliver(|frame| {
                let at = usize::from(*at) % frame.bytes.len();
                frame.bytes[at] ^= xor;
            }),
            Action::Resize { by, announced } => self.deliver(|frame| {
                let length = frame.bytes.len().saturating_add_signed(isize::from(*by));
                frame.bytes.resize(length, 0);
                if let (true, Some(payload)) = (announced, length.checked_sub(HEADER_LENGTH)) {
                    let announced = u32::try_from(payload).expect("short");
                    frame.bytes[12..16].copy_from_slice(&announced.to_le_bytes());
                }
            }),
            Action::Reroute { link, claimed } => self.deliver(|frame| {
                frame.from = (*link).into();
                if *claimed {
                    frame.bytes[5] = frame.from.number();
                }
            }),
            Action::Replay(which) => {
                let from_last = usize::from(*which) % self.past.len().max(1);
                let again = self.past.iter().rev().nth(from_last).cloned();
                if let Some(frame) = again {
                    self.receive(frame);
                }
            }
            Action::Forge { link, kind, round, length, bytes, operation } => {
                let (from, to) = ((*link).into(), self.role);
                let (round, operation) = (u32::from(*round), u64::from(*operation));
                let mut frame =
                    header::<P::Shape>(*kind, [from, to], round, *length as usize, operation, SESSION.0);
                frame.resize(HEADER_LENGTH + usize::from(*bytes), 0);
                self.receive(Frame { from, to, bytes: frame.into() });
            }
            Action::Raw(link, bytes) => {
                self.receive(Frame { from: (*link).into(), to: self.role, bytes: bytes.clone().into() });
            }
        }
    }

    /// Makes a call at the party, and at the twin if it is not refused.
    fn call(&mut self, call: Call) {
        let (address, value) = (self.words.words(4), self.words.words(4));
        let share = match call {
            // A share that is too long need not be much too long.
            Call::Load(words) => self.words.words(words),
            _ => Vec::new(),
        };
        let expected = self.model.start(call);
        let got = make(&mut *self.party, call, &share, &address, &value);
        match (expected, got) {
            (Ok(()), Ok(frames)) => {
                let twins = make(&mut *self.twin, call, &share, &address, &value);
                assert_eq!(Ok(&frames), twins.as_ref(), "{call:?}");
            }
            (expected, got) => assert_eq!(expected.err(), got.err(), "{call:?}"),
        }
    }

    /// What is due, changed; nothing if nothing is due.
    fn deliver(&mut self, change: impl FnOnce(&mut Frame)) {
        if let Some(mut frame) = self.model.frame(&mut self.words) {
            change(&mut frame);
            self.receive(frame);
        }
    }

    fn receive(&mut self, frame: Frame) {
        let must = self.model.takes(frame.from, &frame.bytes);
        match self.party.common().receive(frame.from, &frame.bytes) {
            Ok(sent) => {
                assert!(must, "should have been refused: {frame:?}");
                self.model.taken(&sent);
                let twins = self.twin.common().receive(frame.from, &frame.bytes);
                assert_eq!(Ok(sent), twins, "frames");
                assert_eq!(self.party.take_results(), self.twin.take_results(), "results");
                self.past.push(frame);
            }
            Err(error) => {
                assert!(!must, "should have been taken: {error}");
                assert!(!error.to_string().is_empty());
                let Error::Peer(misbehaviour) = error else { panic!("no fault of a frame: {error}") };
                assert_eq!(misbehaviour.peer(), frame.from, "the fault of another: {misbehaviour}");
            }
        }
    }

    fn compare(&mut self) {
        let (party, twin) = (self.party.common(), self.twin.common());
        let seen = (party.awaits(), party.prepared());
        assert_eq!(seen, (twin.awaits(), twin.prepared()), "the twin");
        assert_eq!(party.items(), twin.items(), "the twin's items");
        assert_eq!(seen, (self.model.awaits(), self.model.prepared()), "the model");
        assert!(P::same(&self.twin.view(), &self.party.view()), "another state");
    }
}

/// One call at one party.
fn make<V>(
    party: &mut dyn Player<View = V>,
    call: Call,
    share: &[Word],
    address: &[Word],
    value: &[Word],
) -> Result<Vec<Frame>, Error> {
    match call {
        Call::Connect => party.common().connect(),
        Call::Load(_) => party.load(share),
        Call::Preprocess(batch) => party.common().preprocess(batch),
        Call::Read(count) => party.read(&address[..count]),
        Call::Update(count) => {
            let updates: Vec<_> = address.iter().copied().zip(value.iter().copied()).collect();
            party.update(&updates[..count])
        }
        Call::Write => party.write(address[0], value[0]),
        Call::Swap => party.swap(address[0], value[0]),
    }
}
