//! The parties in one process, with all their secrets marked.
//!
//! Marked are the memory's shares, the seeds (hence every random value: blinds, roots, triples, masks, scalars, choices of OTs, a PIR's
//! secret and noise, the contributions to the session's key), the shares of addresses and of values, and by that all that is computed from them, what goes over the
//! links included: what a message says is no secret of its sender's from its receiver, but both compute on it, and a third
//! may be watching. Declared public is only what follows, where the protocol opens it:
//!
//! | what | where | why |
//! |---|---|---|
//! | shift shares, `(i*_b - ri_b) mod n` or, of the lean protocol, `i*_b xor ri_b` | when their message is received ([`crate::opened`]) | opened to all three parties; a receiver refuses one that is not below n |
//! | the lowest bit of each correction word that the helper receives | when the keys are received ([`crate::opened`]) | always 0: the primaries clear it before the AND, and the helper refuses a 1 |
//! | shifts `S` | when the local computation is called ([`crate::watched`]) | made of the shift shares |
//! | points of base OTs | when their message is received ([`crate::opened`]) | one that is no canonical encoding is refused; uniformly random, whatever is chosen |
//! | messages of SPIRAL | when they are checked ([`crate::watched_two`]) | numbers that are not reduced are refused; ciphertexts, under a key that stays secret |
//! | the turn of a READ's table | when the PIR answers ([`crate::watched_two`]) | an address by design: `SECURITY.md` says who must not watch |
//!
//! Three more are declared by `memcheck.supp`, since they are made inside the reference and the PIR. The results are opened by the owner of the
//! data, which is this module.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::slice::from_mut;

use duoram_reference::{Batch, Error, Frame, Party, Role, SessionId, Word};
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::operation::Row;
use duoram_runtime::protocol::{HelperParty, PrimaryParty, Runs, Started};
use duoram_vectors::Random;

use crate::marks::{public, secret};
use crate::opened::{Opens, open};
use crate::watched::Watched;

/// The parties of the protocol P, the frames between them, and the memory that they share in the clear.
pub(crate) struct Session<P> {
    primaries: [Box<dyn PrimaryParty>; 2],
    /// Where there is one.
    helper: Option<Box<dyn HelperParty>>,
    /// What is not delivered yet.
    pending: Vec<Frame>,
    extent: Extent,
    expected: HashMap<Word, Row>,
    masks: Random,
    frames: usize,
    protocol: PhantomData<P>,
}

impl<P: Opens> Session<P> {
    /// Parties that are connected and have loaded a memory.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn start<C: LocalComputation>(extent: Extent, compute: &Watched<C>) -> Result<Self, Error>
    where
        P: Runs<Watched<C>>,
    {
        let parameters = extent.parameters(SessionId(*b"constant time?!?"))?;
        let mut seeds = [[1; 32], [2; 32], [3; 32]];
        secret(&mut seeds);
        let mut session = Self {
            primaries: [
                P::primary(Role::P0, parameters, seeds[0], compute.clone())?,
                P::primary(Role::P1, parameters, seeds[1], compute.clone())?,
            ],
            helper: P::helper(parameters, seeds[2], compute.clone()),
            pending: Vec::new(),
            extent,
            expected: HashMap::new(),
            masks: Random(4),
            frames: 0,
            protocol: PhantomData,
        };
        session.step(|_, primary| primary.connect(), |helper| helper.connect())?;
        let mut shares = [Vec::new(), Vec::new()];
        for address in 0..parameters.size() {
            let row: Row = (0..extent.row_words).map(|_| session.masks.word()).collect();
            for word in &row {
                let random = session.masks.word();
                shares.iter_mut().zip(P::share(*word, random)).for_each(|(shares, share)| shares.push(share));
            }
            session.expected.insert(address, row);
        }
        shares.iter_mut().for_each(|share| secret(share));
        session.step(|b, primary| primary.load(shares[b].clone()), |helper| helper.load())?;
        Ok(session)
    }

    /// Starts a step at all parties, and delivers all frames, each after what it opens has been declared public.
    fn step(
        &mut self,
        primary: impl Fn(usize, &mut dyn PrimaryParty) -> Started,
        helper: impl FnOnce(&mut dyn HelperParty) -> Started,
    ) -> Result<(), Error> {
        for (b, party) in self.primaries.iter_mut().enumerate() {
            self.pending.extend(primary(b, &mut **party)?);
        }
        if let Some(party) = &mut self.helper {
            self.pending.extend(helper(&mut **party)?);
        }
        while let Some(next) = self.next() {
            let Frame { from, to, bytes } = self.pending.remove(next);
            open::<P>(from, &bytes, self.extent);
            if let Some(party) = self.party_mut(to) {
                let answers = party.receive(from, &bytes)?;
                self.pending.extend(answers);
            }
            self.frames += 1;
        }
        Ok(())
    }

    /// Who has this role, if anybody.
    fn party(&self, role: Role) -> Option<&dyn Party> {
        match self.primaries.get(role.index()) {
            Some(primary) => Some(&**primary),
            None => self.helper.as_deref().map(|helper| helper as &dyn Party),
        }
    }

    /// The same, to be told something.
    fn party_mut(&mut self, role: Role) -> Option<&mut dyn Party> {
        match self.primaries.get_mut(role.index()) {
            Some(primary) => Some(&mut **primary),
            None => self.helper.as_deref_mut().map(|helper| helper as &mut dyn Party),
        }
    }

    /// The oldest frame that its receiver awaits.
    fn next(&self) -> Option<usize> {
        let awaited = |frame: &Frame| self.party(frame.to).and_then(Party::awaits);
        self.pending.iter().position(|frame| awaited(frame) == Some(frame.from))
    }

    /// Marked shares of a word.
    fn share(&mut self, word: Word) -> [Word; 2] {
        let mut shares = P::share(word, self.masks.word());
        secret(&mut shares);
        shares
    }

    /// Marked shares of an address and of the row that is put in there, as operands have them.
    fn operands(&mut self, address: Word, row: &[Word]) -> [Vec<Word>; 2] {
        let mut operands = [Vec::new(), Vec::new()];
        for word in [&[address], row].concat() {
            let shares = self.share(word);
            operands.iter_mut().zip(shares).for_each(|(operands, share)| operands.push(share));
        }
        operands
    }

    /// A row whose words differ, made of one of them.
    pub(crate) fn row(&self, first: Word) -> Row {
        (0..self.extent.row_words as u64).map(|word| first ^ word << 32).collect()
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
        self.step(|_, primary| primary.preprocess(batch), |helper| helper.preprocess(batch))
    }

    /// The shares of the results of the step before: of the words of each row.
    fn results(&mut self) -> Vec<Vec<[Word; 2]>> {
        let [results_0, results_1] = self.primaries.each_mut().map(|primary| primary.take_results());
        let words: Vec<[Word; 2]> = results_0.into_iter().zip(results_1).map(Into::into).collect();
        words.chunks(self.extent.row_words).map(<[_]>::to_vec).collect()
    }

    /// READs at shares of addresses, in one step.
    fn read_shared(&mut self, addresses: &[[Word; 2]]) -> Result<Vec<Vec<[Word; 2]>>, Error> {
        let shares = |b: usize| addresses.iter().map(|address| address[b]).collect::<Vec<_>>();
        self.step(|b, primary| primary.read(&shares(b)), |helper| helper.read(addresses.len()))?;
        Ok(self.results())
    }

    /// Opens a row, and compares it with the one in the clear.
    fn check(expected: &[Word], shares: &[[Word; 2]], what: &str) {
        assert_eq!(shares.len(), expected.len(), "{what}");
        for (shares, expected) in shares.iter().zip(expected) {
            let mut opened = P::open(*shares);
            public(from_mut(&mut opened));
            assert_eq!(std::hint::black_box(&opened), expected, "{what}");
        }
    }

    /// Independent READs in one step; their results are checked.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn read(&mut self, addresses: &[Word]) -> Result<(), Error> {
        let shares: Vec<_> = addresses.iter().map(|address| self.share(*address)).collect();
        let results = self.read_shared(&shares)?;
        for (address, result) in addresses.iter().zip(results) {
            Self::check(&self.expected[address], &result, "a READ");
        }
        Ok(())
    }

    /// Dependent READs: the shares of each result's first word, taken mod n, are those of the next address. The last one is checked.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn chase(&mut self, mut address: Word, steps: usize) -> Result<(), Error> {
        let mut shares = vec![self.share(address)];
        let mut expected = Vec::new();
        for _ in 0..steps {
            let first = shares[0];
            shares = self.read_shared(&[first])?.swap_remove(0);
            expected = self.expected[&(address % (1 << self.extent.log_size))].clone();
            address = expected[0];
        }
        Self::check(&expected, &shares, "the last of dependent READs");
        Ok(())
    }

    /// UPDATEs in one step.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn update(&mut self, updates: &[(Word, Row)]) -> Result<(), Error> {
        let mut shares = [Vec::new(), Vec::new()];
        for (address, changes) in updates {
            let operands = self.operands(*address, changes);
            shares.iter_mut().zip(operands).for_each(|(shares, operands)| shares.extend(operands));
            let row = self.expected.entry(*address).or_default();
            row.iter_mut().zip(changes).for_each(|(word, change)| *word = P::open([*word, *change]));
        }
        self.step(|b, primary| primary.update(&shares[b]), |helper| helper.update(updates.len()))
    }

    /// A WRITE.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn write(&mut self, address: Word, value: Row) -> Result<(), Error> {
        let operands = self.operands(address, &value);
        self.expected.insert(address, value);
        self.step(|b, primary| primary.write(&operands[b]), |helper| helper.write())
    }

    /// A SWAP; what was there is checked.
    ///
    /// # Errors
    ///
    /// A party's.
    pub(crate) fn swap(&mut self, address: Word, value: Row) -> Result<(), Error> {
        let operands = self.operands(address, &value);
        self.step(|b, primary| primary.swap(&operands[b]), |helper| helper.swap())?;
        let old = self.expected.insert(address, value).unwrap_or_default();
        let results = self.results();
        Self::check(&old, &results[results.len() - 1], "what a SWAP has found");
        Ok(())
    }
}
