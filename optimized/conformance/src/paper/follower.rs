//! The specification's session, taken through the same steps on the same random words.

use duoram_reference::{Batch, Parameters, SessionId, Word};
use duoram_spec::paper::session::{self, Step, UpdateQuery};
use duoram_spec::paper::tape::{PRIMARY_WORDS, triple_words};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use duoram_runtime::local_computation::Extent;
use duoram_runtime::observer::Inputs;
use duoram_runtime::seed::Seeds;

use super::view::View;
use crate::audit::{self, Expected, Sent, first_word};

/// The specification's session.
pub struct Follower {
    id: SessionId,
    log_size: usize,
    /// The parties' random words, until they are handed to the session.
    words: [Vec<Word>; 3],
    session: Option<session::Session>,
}

impl audit::Follower for Follower {
    type View = View;

    fn new(parameters: Parameters, seeds: &Seeds, loads: bool, demand: Batch) -> Self {
        let log_size = parameters.log_size() as usize;
        let items = demand.reads + demand.updates;
        let blinds = if loads { 1 << log_size } else { 0 };
        let counts = [
            2 + blinds + items * PRIMARY_WORDS + 2 * demand.updates,
            2 + blinds + items * PRIMARY_WORDS,
            2 + 3 * items * triple_words(log_size) + demand.reads,
        ];
        let mut parties = seeds.parties.into_iter().zip(counts);
        let words = std::array::from_fn(|_| {
            let (seed, count) = parties.next().unwrap_or_default();
            let mut stream = ChaCha20Rng::from_seed(seed);
            (0..count).map(|_| stream.next_u64()).collect()
        });
        Self { id: parameters.session(), log_size, words, session: None }
    }

    /// Its words, and a copy while they are handed on.
    fn bytes(extent: Extent, demand: Batch) -> u64 {
        let log_size = extent.log_size as usize;
        let items = (demand.reads + demand.updates) as u64;
        let words = items.saturating_mul((2 * PRIMARY_WORDS + 3 * triple_words(log_size) + 3) as u64);
        words.saturating_mul(2 * size_of::<Word>() as u64)
    }

    fn view(&self) -> Option<View> {
        self.session.as_ref().map(|session| session.state.clone().into())
    }

    fn connect(&mut self) -> Expected {
        let [words_0, words_1, words_2] = std::mem::take(&mut self.words);
        let step = session::connect(self.log_size, &words_0, &words_1, &words_2);
        self.take(step)
    }

    fn load(&mut self, share_0: &[Word], share_1: &[Word]) -> Expected {
        self.step(|session| session::load(session, share_0, share_1))
    }

    fn preprocess(&mut self, batch: &Batch) -> Expected {
        let mut expected = self.step(|session| session::preprocess(session, batch.reads, batch.updates));
        // What the specification's messages do not say, and their headers do (`reference/PROTOCOL.md`, "Frames").
        let reads = u32::try_from(batch.reads).unwrap_or(u32::MAX);
        expected
            .sent
            .iter_mut()
            .filter(|sent| matches!(sent.kind, 4 | 7..=9))
            .for_each(|sent| sent.round = reads);
        expected
    }

    fn nothing(&self) -> Expected {
        Expected { session: self.id, sent: vec![], results: vec![] }
    }

    fn read(&mut self, address: [Word; 2]) -> Expected {
        self.step(|session| session::reads(session, &[address.into()]))
    }

    fn update(&mut self, inputs: &Inputs) -> Expected {
        self.step(|session| session::updates(session, &[query(inputs)]))
    }

    fn write(&mut self, inputs: &Inputs) -> Expected {
        self.step(|session| session::write(session, query(inputs)))
    }

    /// A WRITE, which reads the old word.
    fn swap(&mut self, inputs: &Inputs) -> Expected {
        self.write(inputs)
    }
}

fn query(Inputs { address, value }: &Inputs) -> UpdateQuery {
    let [value_0, value_1] = value;
    UpdateQuery { address: (*address).into(), value: (first_word(value_0), first_word(value_1)) }
}

impl Follower {
    fn step(&mut self, take: impl FnOnce(session::Session) -> Step) -> Expected {
        match self.session.take() {
            Some(session) => self.take(take(session)),
            None => audit::Follower::nothing(self),
        }
    }

    fn take(&mut self, Step { session, sent: sents, results }: Step) -> Expected {
        self.session = Some(session);
        let sent = |session::Sent { kind, from, to, operation, round, payload }| Sent {
            kind,
            from,
            to,
            operation,
            round,
            payload,
        };
        let results = results.into_iter().map(|(share_0, share_1)| [vec![share_0], vec![share_1]]).collect();
        Expected { session: self.id, sent: sents.into_iter().map(sent).collect(), results }
    }
}
