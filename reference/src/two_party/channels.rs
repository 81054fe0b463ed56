//! What two parties have from connect on: the base of all OTs in both directions, and both ends of the PIR.

use zeroize::Zeroizing;

use super::ot::{Receiver, Seed, Sender};
use super::pir::Pir;
use crate::Word;
use crate::engine::{PartyStream, SavedError};
use crate::wire::{Bound, Role};

/// The stream of a party's seed that OTs draw from; those before it are the lanes'.
const TRANSFERS: u64 = 2;

/// The stream that the seed of the PIR client comes from.
const PIR: u64 = 3;

/// What a party draws for connect beside its contribution to K. In places of their own: states are moved.
pub(super) struct Private {
    /// For the base OTs: a, Delta, and `b_i` of each.
    pub(super) transfers: Box<PartyStream>,
    /// The seed of the PIR client.
    pub(super) pir: Box<Zeroizing<Seed>>,
}

impl Private {
    pub(super) fn of(seed: &Seed) -> Self {
        let mut stream = PartyStream::numbered(seed, PIR);
        let mut pir = Box::new(Zeroizing::new(Seed::default()));
        pir.as_chunks_mut().0.iter_mut().for_each(|bytes| *bytes = stream.word().to_le_bytes());
        Self { transfers: Box::new(PartyStream::numbered(seed, TRANSFERS)), pir }
    }
}

/// What connect has made.
pub(crate) struct Channels<P: Pir> {
    /// Of the OTs that this party receives.
    pub(super) receiver: Receiver,
    /// Of those that it sends.
    pub(super) sender: Sender,
    /// Of the queries that this party makes.
    pub(super) client: Box<P::Client>,
    pub(super) pir_seed: Box<Zeroizing<Seed>>,
    /// Of those that it answers.
    pub(super) server: P::Server,
    /// What the server was made from.
    pub(super) setup: Vec<u8>,
}

impl<P: Pir> Channels<P> {
    /// The words that they are saved as: Delta and the seeds of the sender, the receiver's seeds, the seed of the PIR client,
    /// and what the other party's client has sent.
    pub(super) fn count(pir: &P, log_size: u32) -> usize {
        Sender::WORDS + Receiver::WORDS + size_of::<Seed>() / 8 + pir.setup_length(log_size).div_ceil(8)
    }

    /// As many as [`Channels::count`] says.
    pub(super) fn words(&self, pir: &P, log_size: u32) -> Zeroizing<Vec<Word>> {
        let mut words = Zeroizing::new(Vec::with_capacity(Self::count(pir, log_size)));
        self.sender.write(&mut words);
        self.receiver.write(&mut words);
        for bytes in [&self.pir_seed[..], &self.setup] {
            words.extend(bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                Word::from_le_bytes(word)
            }));
        }
        words
    }

    /// What [`Channels::words`] has given.
    pub(super) fn read(
        pir: &P,
        log_size: u32,
        role: Role,
        other: Role,
        words: &[Word],
    ) -> Result<Self, SavedError> {
        let (sender, rest) = words.split_at(words.len().min(Sender::WORDS));
        let (receiver, rest) = rest.split_at(rest.len().min(Receiver::WORDS));
        let (seed, setup) = rest.split_at(rest.len().min(size_of::<Seed>() / 8));
        let mut pir_seed = Box::new(Zeroizing::new(Seed::default()));
        pir_seed.as_chunks_mut().0.iter_mut().zip(seed).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
        let mut setup: Vec<u8> = setup.iter().flat_map(|word| word.to_le_bytes()).collect();
        setup.truncate(pir.setup_length(log_size));
        let refused = |what| SavedError::Content { what, expected: Bound::Is(1), got: 0 };
        Ok(Self {
            receiver: Receiver::read(role, receiver),
            sender: Sender::read(other, sender),
            client: Box::new(pir.client(log_size, &pir_seed).0),
            pir_seed,
            server: pir.server(log_size, &setup).map_err(refused)?,
            setup,
        })
    }
}
