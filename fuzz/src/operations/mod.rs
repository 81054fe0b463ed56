//! Sequences of steps through two sessions, one with the reference's computation and one with a backend's.
//!
//! Oracles: the specification's ideal memory for every opened result and for the opened state; the other session, frame by
//! frame and share for share; the lemmas about states; and for steps that must be refused, the number of items that are left.

mod session;

use arbitrary::Arbitrary;
use duoram_reference::local::Delivery;
use duoram_reference::{Batch, Error, ItemKind, Parameters, SessionId, Word};
use duoram_spec::core::ideal;

pub use self::session::{Operated, Session};
use crate::computations::singles;
use crate::words::Words;

/// One input in eight: SPIRAL takes a hundred times as long as the rest.
pub const OTHER: u8 = 7 << 5;

/// More would only repeat.
const MOST_STEPS: usize = 12;

/// A session.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// h, from 1; and what is beyond, the addresses that have no word, where the protocol has such.
    pub log_size: u8,
    /// The backend; from [`OTHER`] on in the protocol's other session, if it has one.
    pub computation: u8,
    /// Whether a memory is loaded.
    pub load: bool,
    /// Expands to seeds, memory and masks.
    pub seed: u64,
    /// What is done.
    pub steps: Vec<Step>,
}

/// A step. Addresses are taken mod n.
#[derive(Arbitrary, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Up to 3 READ items and 3 UPDATE items.
    Preprocess {
        /// For READs.
        reads: u8,
        /// For UPDATEs.
        updates: u8,
    },
    /// Independent READs, at most 4.
    Reads(Vec<Word>),
    /// Dependent READs, at most 4.
    Chase {
        /// Where it starts.
        address: Word,
        /// How many.
        steps: u8,
    },
    /// UPDATEs, at most 4.
    Updates(Vec<(Word, Word)>),
    /// Overwrites a word.
    Write(Word, Word),
    /// The same, with the old word as the result.
    Swap(Word, Word),
}

/// Runs a session of a protocol twice.
pub fn check<P: Operated>(input: &Input) {
    let mut worlds = Worlds::<P>::new(input);
    for step in input.steps.iter().take(MOST_STEPS) {
        worlds.take(step);
        worlds.compare();
    }
}

/// The two sessions and the memory that both stand for.
struct Worlds<P: Operated> {
    plain: Box<dyn Session<View = P::View>>,
    fast: Box<dyn Session<View = P::View>>,
    /// Whether `fast` agrees in the messages of every kind.
    same: bool,
    memory: Vec<Word>,
    /// n
    addresses: Word,
    left: Batch,
    words: Words,
}

impl<P: Operated> Worlds<P> {
    fn new(input: &Input) -> Self {
        let mut words = Words::new(input.seed);
        let log_size = 1 + u32::from(input.log_size % P::MAX_LOG_SIZE);
        let missing = usize::from(input.log_size / P::MAX_LOG_SIZE) % (1 << (log_size - 1));
        let rows = (1 << log_size) - if P::ROWS { missing } else { 0 };
        let parameters = Parameters::new(SessionId(*b"two computations"), log_size).expect("1 to 40");
        let parameters = parameters.with_rows(rows).expect("more than half");
        let seeds = [(); 3].map(|()| words.seed());
        let fast = &singles()[usize::from(input.computation) % singles().len()];
        let other = (input.computation >= OTHER).then(|| P::other(parameters, seeds, fast)).flatten();
        let same = other.is_none();
        let mut worlds = Self {
            plain: P::session(parameters, seeds, None),
            fast: other.unwrap_or_else(|| P::session(parameters, seeds, Some(fast))),
            same,
            memory: vec![0; rows],
            addresses: parameters.size(),
            left: Batch::default(),
            words,
        };
        worlds.plain.record();
        worlds.fast.record();
        worlds.plain.connect().expect("connect");
        worlds.fast.connect().expect("connect");
        if input.load {
            worlds.memory = worlds.words.words(rows);
            let memory = worlds.memory.clone();
            let shares = worlds.share(&memory);
            worlds.plain.load(shares.clone()).expect("load");
            worlds.fast.load(shares).expect("load");
        }
        worlds.compare();
        worlds
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Preprocess { reads, updates } => {
                let batch = Batch { reads: usize::from(reads % 4), updates: usize::from(updates % 4) };
                let (plain, fast) = (self.plain.preprocess(batch), self.fast.preprocess(batch));
                let expected = if batch == Batch::default() { Err(Error::EmptyStep) } else { Ok(()) };
                assert_eq!((&plain, &fast), (&expected, &expected), "{batch:?}");
                self.left.reads += batch.reads;
                self.left.updates += batch.updates;
            }
            Step::Reads(addresses) => {
                let addresses = &addresses[..addresses.len().min(4)];
                let shares = self.share(addresses);
                if let Some(results) = self.read(&shares, addresses.len()) {
                    let expected: Vec<Word> = addresses.iter().map(|&address| self.ideal(address)).collect();
                    assert_eq!(opened::<P>(&results), expected, "READ");
                }
            }
            Step::Chase { address, steps } => {
                let (mut shares, mut address) = (self.share(&[*address]), *address);
                for _ in 0..steps % 5 {
                    let Some(next) = self.read(&shares, 1) else { break };
                    shares = next;
                    address = self.ideal(address);
                    assert_eq!(opened::<P>(&shares), [address], "dependent READ");
                }
            }
            Step::Updates(updates) => self.update(&updates[..updates.len().min(4)]),
            Step::Write(address, value) => self.put(*address, *value, false),
            Step::Swap(address, value) => self.put(*address, *value, true),
        }
    }

    /// The word at an address mod n.
    fn ideal(&self, address: Word) -> Word {
        let address = address % self.addresses;
        ideal::step(&self.memory, &ideal::Operation::Read { address }).1.expect("a READ returns")
    }

    fn share(&mut self, words: &[Word]) -> [Vec<Word>; 2] {
        let shares: Vec<[Word; 2]> = words.iter().map(|&word| P::share(word, self.words.word())).collect();
        [0, 1].map(|b| shares.iter().map(|share| share[b]).collect())
    }

    /// What a step must be refused for, if anything.
    fn refusal(&self, step: usize, needed: Batch) -> Option<Error> {
        let exhausted = |kind, needed, left| {
            (needed > left).then_some(Error::PreprocessingExhausted { kind, needed, left })
        };
        (step == 0)
            .then_some(Error::EmptyStep)
            .or_else(|| exhausted(ItemKind::Read, needed.reads, self.left.reads))
            .or_else(|| exhausted(ItemKind::Update, needed.updates, self.left.updates))
    }

    /// Shares of the results, unless it must be refused.
    fn read(&mut self, [shares_0, shares_1]: &[Vec<Word>; 2], count: usize) -> Option<[Vec<Word>; 2]> {
        let plain = self.plain.read([shares_0, shares_1]);
        let fast = self.fast.read([shares_0, shares_1]);
        assert_eq!(plain, fast, "shares of READs");
        let refusal = self.refusal(count, Batch { reads: count, updates: 0 });
        assert_eq!(plain.clone().err(), refusal);
        let results = plain.ok()?;
        self.left.reads -= count;
        Some(results)
    }

    fn update(&mut self, updates: &[(Word, Word)]) {
        let (addresses, deltas): (Vec<Word>, Vec<Word>) = updates.iter().copied().unzip();
        let (addresses, deltas) = (self.share(&addresses), self.share(&deltas));
        let queries = |b: usize| -> Vec<(Word, Word)> {
            addresses[b].iter().copied().zip(deltas[b].iter().copied()).collect()
        };
        let (queries_0, queries_1) = (queries(0), queries(1));
        let plain = self.plain.update([&queries_0, &queries_1]);
        let fast = self.fast.update([&queries_0, &queries_1]);
        let refusal = self.refusal(updates.len(), Batch { reads: 0, updates: updates.len() });
        assert_eq!((plain.clone().err(), fast.err()), (refusal.clone(), refusal));
        if plain.is_ok() {
            self.left.updates -= updates.len();
            for &(address, delta) in updates {
                let address = address % self.addresses;
                self.memory = P::ideal_update(&self.memory, address, delta);
            }
        }
    }

    /// A WRITE or a SWAP. Whatever result it has is the old word.
    fn put(&mut self, address: Word, value: Word, swap: bool) {
        let [shares_0, shares_1] = self.share(&[address, value]);
        let (addresses, values) = ([shares_0[0], shares_1[0]], [shares_0[1], shares_1[1]]);
        let put = |session: &mut dyn Session<View = P::View>| {
            if swap { session.swap(addresses, values) } else { session.write(addresses, values) }
        };
        let (plain, fast) = (put(&mut *self.plain), put(&mut *self.fast));
        assert_eq!(plain, fast, "shares of the old word");
        assert_eq!(plain.clone().err(), self.refusal(1, P::WRITE));
        let Ok(results) = plain else { return };
        self.left.reads -= P::WRITE.reads;
        self.left.updates -= P::WRITE.updates;
        let old = opened::<P>(&results);
        assert!(!swap || old.len() == 1, "a SWAP has a result");
        assert!(old.iter().all(|&old| old == self.ideal(address)), "the old word");
        let address = address % self.addresses;
        self.memory = ideal::step(&self.memory, &ideal::Operation::Write { address, value }).0;
    }

    /// After each step: the frames, the items that are left, and the states.
    fn compare(&mut self) {
        let agreed = |mut log: Vec<Delivery>| {
            log.retain(|delivery| self.same || P::agreed(delivery.frame.bytes[4]));
            log
        };
        assert_eq!(agreed(self.plain.take_log()), agreed(self.fast.take_log()), "frames");
        for &role in P::ROLES {
            assert_eq!(self.plain.party(role).prepared(), self.left, "{role}");
            assert_eq!(self.fast.party(role).prepared(), self.left, "{role}");
            assert_eq!((self.plain.party(role).awaits(), self.fast.party(role).awaits()), (None, None));
        }
        let (plain, fast) = (self.plain.view(), self.fast.view());
        assert_eq!(P::opened(&plain), self.memory, "the memory");
        // Nothing has been put in since.
        let faults = P::faults(&self.memory, &plain, (0, &[0]));
        assert!(faults.is_empty(), "{faults:?}");
        if let Some(difference) = P::difference(&plain, &fast) {
            panic!("{difference}");
        }
    }
}

/// The words that shares stand for.
fn opened<P: Operated>([shares_0, shares_1]: &[Vec<Word>; 2]) -> Vec<Word> {
    shares_0.iter().zip(shares_1).map(|(share_0, share_1)| P::open([*share_0, *share_1])).collect()
}
