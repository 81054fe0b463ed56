//! The specification's session of two parties, taken through the same steps on the same random words.
//!
//! Its OTs are drawn here. What they yield masks messages and cancels out: keys, states and shares of results are the parties' own.

use duoram_reference::{Batch, Parameters, SessionId, Word};
use duoram_runtime::local_computation::Extent;
use duoram_runtime::observer::Inputs;
use duoram_runtime::seed::Seeds;
use duoram_spec::core::block::Block;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::two_party::masks::AesPrf;
use duoram_spec::two_party::party::Party;
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::session::{self, Ots, Session, Step, Words};
use duoram_spec::two_party::tape::{CONTRIBUTION_WORDS, READ_WORDS, UPDATE_WORDS, tape};
use duoram_vectors::randomness::numbered_stream;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::View;
use crate::audit::{self, Expected, Sent, first_word};

/// A READ's blind.
const BLIND_WORDS: usize = 1;

/// The specification's session.
pub struct Follower {
    id: SessionId,
    log_size: usize,
    /// Of each party: its one stream of words, of which the specification's two are taken as they come, and what is left of it.
    left: [Vec<Word>; 2],
    transfers: ChaCha20Rng,
    session: Option<Session<Word, AesPrg, AesPrf>>,
}

type Taken = Step<Word, AesPrg, AesPrf>;

/// The words that a demand takes of a party's stream.
fn words_of(demand: Batch) -> usize {
    CONTRIBUTION_WORDS + demand.reads * (READ_WORDS + BLIND_WORDS) + demand.updates * UPDATE_WORDS
}

impl audit::Follower for Follower {
    type View = View;

    fn new(parameters: Parameters, seeds: &Seeds, _loads: bool, demand: Batch) -> Self {
        let [seed_0, seed_1, _] = seeds.parties;
        Self {
            id: parameters.session(),
            log_size: parameters.log_size() as usize,
            left: [seed_0, seed_1].map(|seed| numbered_stream(seed, 0, words_of(demand))),
            transfers: ChaCha20Rng::from_seed(seeds.client),
            session: None,
        }
    }

    /// Its words, and a copy at each party.
    fn bytes(_extent: Extent, demand: Batch) -> u64 {
        (4 * words_of(demand) * size_of::<Word>()) as u64
    }

    fn view(&self) -> Option<View> {
        self.session.as_ref().map(|Session { p0, p1, .. }| [p0.memory_share.clone(), p1.memory_share.clone()])
    }

    fn connect(&mut self) -> Expected {
        let [making_0, making_1] = self.left.clone();
        let words = [making_0, making_1].map(|making| Words { making, blinds: vec![] });
        self.step(0, |log_size, _| Some(session::connect(log_size, &words[0], &words[1])))
    }

    fn load(&mut self, share_0: &[Word], share_1: &[Word]) -> Expected {
        self.online(|session| session::load(session, share_0, share_1))
    }

    fn preprocess(&mut self, &Batch { reads, updates }: &Batch) -> Expected {
        let count = self.log_size * (reads + updates);
        let mut block =
            || Block::from(self.transfers.next_u64()) << 64 | Block::from(self.transfers.next_u64());
        let mut pairs = || (0..count).map(|_| (block(), block())).collect::<Vec<_>>();
        let ots = Ots { from_0: pairs(), from_1: pairs() };
        let agreed = u32::try_from(reads).unwrap_or(u32::MAX);
        self.step(agreed, |_, session| {
            session.map(|session| session::preprocess(session, reads, updates, &ots))
        })
    }

    fn nothing(&self) -> Expected {
        Expected { session: self.id, sent: vec![], results: vec![] }
    }

    fn read(&mut self, address: [Word; 2]) -> Expected {
        self.online(|session| session::reads(session, &[address.into()]))
    }

    fn update(&mut self, inputs: &Inputs) -> Expected {
        self.online(|session| session::updates(session, &[queries(inputs)]))
    }

    fn write(&mut self, inputs: &Inputs) -> Expected {
        self.online(|session| session::write(session, queries(inputs)))
    }

    fn swap(&mut self, inputs: &Inputs) -> Expected {
        self.online(|session| session::swap(session, queries(inputs)))
    }
}

/// What P0 gives, and what P1 gives.
fn queries(Inputs { address, value }: &Inputs) -> (Query<Word>, Query<Word>) {
    let query = |party: usize| Query { address: address[party], value: first_word(&value[party]) };
    (query(0), query(1))
}

impl Follower {
    /// A step of a session that is connected, with nothing in its headers.
    fn online(&mut self, take: impl FnOnce(Session<Word, AesPrg, AesPrf>) -> Taken) -> Expected {
        self.step(0, |_, session| session.map(take))
    }

    /// A step on the words that are left; `agreed` is what the header says of a batch.
    fn step(
        &mut self,
        agreed: u32,
        take: impl FnOnce(usize, Option<Session<Word, AesPrg, AesPrf>>) -> Option<Taken>,
    ) -> Expected {
        let nothing = audit::Follower::nothing(self);
        let session = self.session.take().map(|session| {
            let Session { p0, p1, operation } = session;
            let [left_0, left_1] = &self.left;
            Session { p0: at(p0, left_0), p1: at(p1, left_1), operation }
        });
        let Some(Step { session, sent, results }) = take(self.log_size, session) else { return nothing };
        for (left, party) in self.left.iter_mut().zip([&session.p0, &session.p1]) {
            // A step draws of one of the two only.
            let drawn = party.making.position + party.blinds.position;
            left.drain(..drawn.min(left.len()));
        }
        self.session = Some(session);
        let sent = sent.into_iter().map(|session::Sent { kind, from, to, operation, round, payload }| Sent {
            kind,
            from,
            to,
            operation,
            round: if matches!(kind, 4 | 5 | 8) { agreed } else { round },
            payload,
        });
        let results = results.into_iter().map(|(read_0, read_1)| [vec![read_0], vec![read_1]]);
        Expected { sent: sent.collect(), results: results.collect(), ..nothing }
    }
}

/// A party whose next draw, for whatever it is, is the first of these words.
fn at(party: Party<Word, AesPrg, AesPrf>, left: &[Word]) -> Party<Word, AesPrg, AesPrf> {
    Party { making: tape(left), blinds: tape(left), ..party }
}
