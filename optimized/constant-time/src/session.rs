//! Three parties in one process, with all their secrets marked.
//!
//! Marked are the memory's shares, the seeds (hence every random value: blinds, roots, triples, masks, the contributions to
//! the session's key), the shares of addresses and of values, and by that all that is computed from them, what goes over the
//! links included: what a message says is no secret of its sender's from its receiver, but both compute on it, and a third
//! may be watching. Declared public is only what follows, where the protocol opens it:
//!
//! | what | where | why |
//! |---|---|---|
//! | shift shares `(i*_b - ri_b) mod n` | when their message is received | opened to all three parties; a receiver refuses one that is not below n |
//! | the lowest bit of each correction word that the helper receives | when the keys are received | always 0: the primaries clear it before the AND, and the helper refuses a 1 |
//! | shifts `S` | when the local computation is called ([`crate::watched`]) | the sum of the above |
//!
//! One more is declared by `memcheck.supp`, since it is made inside the reference. The results are opened by the owner of the
//! data, which is this module.

use std::collections::HashMap;
use std::slice::from_mut;

use duoram_reference::local::{LocalSession, share};
use duoram_reference::message::{HelperKeys, HelperUpdate, Shift, Update};
use duoram_reference::{
    Batch, Compute, Error, Frame, HEADER_LENGTH, Header, Message, Paper, Parameters, Protocol, Role,
    SessionId, Word,
};
use duoram_vectors::Random;

use crate::marks::{public, public_lowest_bit, secret};
use crate::watched::Watched;

const WORD: usize = 8;
const BLOCK: usize = 16;

/// Three parties, and the memory that they share in the clear.
pub(crate) struct Session<C: Compute> {
    parties: LocalSession<Watched<C>>,
    log_size: u32,
    expected: HashMap<Word, Word>,
    masks: Random,
    frames: usize,
}

/// Declares public what this frame opens, as it reaches its receiver.
fn open(frame: &Frame, log_size: usize) {
    let Ok(header) = Header::decode(frame.from, &frame.bytes) else { return };
    let payload = &frame.bytes[HEADER_LENGTH..];
    // A query's words; its shift share is the first.
    let shifts = |words: usize| payload.chunks(words * WORD).for_each(|query| public(&query[..WORD]));
    match Paper::kind(header.kind) {
        Some(Shift::KIND) => shifts(1),
        Some(Update::KIND) => shifts(4),
        Some(HelperUpdate::KIND) => shifts(3),
        Some(HelperKeys::KIND) => {
            // For each item a root, h correction words, a conversion factor; at the end the packed flag corrections.
            let key = BLOCK + log_size * BLOCK + WORD;
            let flags_per_key = 2 * log_size;
            let items =
                (1..).find(|n| n * key + (n * flags_per_key).div_ceil(8) >= payload.len()).unwrap_or(0);
            for key in payload.chunks(key).take(items) {
                key[BLOCK..][..log_size * BLOCK].chunks(BLOCK).for_each(|word| public_lowest_bit(&word[0]));
            }
        }
        _ => {}
    }
}

impl<C: Compute + Clone> Session<C> {
    /// Three parties that are connected and have loaded a memory.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn start(log_size: u32, compute: Watched<C>) -> Result<Self, Error> {
        let parameters = Parameters::new(SessionId(*b"constant time?!?"), log_size)?;
        let mut seeds = [[1; 32], [2; 32], [3; 32]];
        secret(&mut seeds);
        let mut session = Self {
            parties: LocalSession::new(parameters, seeds, compute)?,
            log_size,
            expected: HashMap::new(),
            masks: Random(4),
            frames: 0,
        };
        session.parties.begin();
        for role in Role::ALL {
            let frames = session.parties.party_mut(role).connect()?;
            session.parties.post(frames);
        }
        session.run()?;
        let mut shares = [Vec::new(), Vec::new()];
        for address in 0..parameters.size() {
            let word = session.masks.word();
            session.expected.insert(address, word);
            let [share_0, share_1] = share(word, session.masks.word());
            shares[0].push(share_0);
            shares[1].push(share_1);
        }
        shares.iter_mut().for_each(|share| secret(share));
        session.parties.begin();
        for (b, share) in shares.into_iter().enumerate() {
            let frames = session.parties.primaries_mut()[b].load(share)?;
            session.parties.post(frames);
        }
        session.parties.helper_mut().load()?;
        session.run()?;
        Ok(session)
    }
}

impl<C: Compute> Session<C> {
    /// Delivers all frames, each after what it opens has been declared public.
    fn run(&mut self) -> Result<(), Error> {
        while let Some((from, to)) = self.parties.next() {
            if let Some(frame) = self.parties.pending(from, to).next() {
                open(frame, self.log_size as usize);
            }
            self.parties.deliver()?;
            self.frames += 1;
        }
        Ok(())
    }

    /// Marked shares of a word.
    fn share(&mut self, word: Word) -> [Word; 2] {
        let mut shares = share(word, self.masks.word());
        secret(&mut shares);
        shares
    }

    /// How many frames were delivered.
    pub(crate) fn frames(&self) -> usize {
        self.frames
    }

    /// Makes items.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn preprocess(&mut self, batch: Batch) -> Result<(), Error> {
        self.parties.begin();
        for role in Role::ALL {
            let frames = self.parties.party_mut(role).preprocess(batch)?;
            self.parties.post(frames);
        }
        self.run()
    }

    /// READs at shares of addresses, in one step.
    fn read_shared(&mut self, addresses: &[[Word; 2]]) -> Result<Vec<[Word; 2]>, Error> {
        self.parties.begin();
        for b in 0..2 {
            let shares: Vec<_> = addresses.iter().map(|address| address[b]).collect();
            let frames = self.parties.primaries_mut()[b].read(&shares)?;
            self.parties.post(frames);
        }
        self.parties.helper_mut().read(addresses.len())?;
        self.run()?;
        let [results_0, results_1] =
            self.parties.primaries_mut().each_mut().map(|party| party.take_results());
        Ok(results_0.into_iter().zip(results_1).map(Into::into).collect())
    }

    /// Opens a word, and compares it with the one in the clear.
    fn check(&self, address: Word, shares: [Word; 2]) {
        let mut opened = shares[0].wrapping_add(shares[1]);
        public(from_mut(&mut opened));
        assert_eq!(std::hint::black_box(&opened), &self.expected[&address], "the word at {address}");
    }

    /// Independent READs in one step; their results are checked.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn read(&mut self, addresses: &[Word]) -> Result<(), Error> {
        let shares: Vec<_> = addresses.iter().map(|address| self.share(*address)).collect();
        let results = self.read_shared(&shares)?;
        addresses.iter().zip(results).for_each(|(address, result)| self.check(*address, result));
        Ok(())
    }

    /// Dependent READs: each result's shares, taken mod n, are those of the next address. The last one is checked.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn chase(&mut self, mut address: Word, steps: usize) -> Result<(), Error> {
        let mut shares = self.share(address);
        for step in 1..=steps {
            shares = self.read_shared(&[shares])?[0];
            if step < steps {
                address = self.expected[&address] % (1 << self.log_size);
            }
        }
        self.check(address, shares);
        Ok(())
    }

    /// UPDATEs in one step.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn update(&mut self, updates: &[(Word, Word)]) -> Result<(), Error> {
        let mut shares = [Vec::new(), Vec::new()];
        for &(address, change) in updates {
            let (addresses, changes) = (self.share(address), self.share(change));
            (0..2).for_each(|b| shares[b].push((addresses[b], changes[b])));
            self.expected.entry(address).and_modify(|word| *word = word.wrapping_add(change));
        }
        self.parties.begin();
        for (b, share) in shares.iter().enumerate() {
            let frames = self.parties.primaries_mut()[b].update(share)?;
            self.parties.post(frames);
        }
        self.parties.helper_mut().update(updates.len())?;
        self.run()
    }

    /// A WRITE.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn write(&mut self, address: Word, value: Word) -> Result<(), Error> {
        let (addresses, values) = (self.share(address), self.share(value));
        self.expected.insert(address, value);
        self.parties.begin();
        for b in 0..2 {
            let frames = self.parties.primaries_mut()[b].write(addresses[b], values[b])?;
            self.parties.post(frames);
        }
        self.parties.helper_mut().write()?;
        self.run()
    }
}
