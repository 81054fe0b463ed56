//! What two parties compute with, watched: the local computation as of three ([`crate::watched`]), and the PIR.

use std::hint::black_box;
use std::slice::from_ref;

use duoram_pir::Spiral;
use duoram_reference::two_party::{
    ChildSums, Compute, Correction, LeafSums, Pir, PlainPir, Table, UpdateQuery,
};
use duoram_reference::{Block, Role, SessionKey, Word};
use duoram_runtime::two_party::Retrieving;

use crate::marks::public;
use crate::watched::{Watched, declare};

impl<C: Compute> Compute for Watched<C> {
    type Memory = C::Memory;
    type Forest = C::Forest;

    fn memory(&self, memory_share: Vec<Word>) -> C::Memory {
        self.compute.memory(memory_share)
    }

    fn words<'a>(&self, memory: &'a C::Memory) -> &'a [Word] {
        self.compute.words(memory)
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> C::Forest {
        self.compute.plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut C::Forest) -> Vec<ChildSums> {
        let sums = self.compute.grow(forest);
        if let Some(leak) = self.leak {
            leak.in_growth(&sums);
        }
        sums
    }

    fn correct(&self, forest: &mut C::Forest, corrections: &[Correction]) {
        self.compute.correct(forest, corrections);
    }

    fn leaf_sums(&self, forest: C::Forest) -> Vec<LeafSums> {
        self.compute.leaf_sums(forest)
    }

    #[inline(never)]
    fn update(&self, key: &SessionKey, role: Role, memory: &mut C::Memory, queries: &[UpdateQuery]) {
        declare(queries.iter().map(|query| &query.shift));
        if let Some(leak) = self.leak {
            queries.iter().for_each(|query| leak.in_flags(&query.key.evaluate(key)));
        }
        self.compute.update(key, role, memory, queries);
    }
}

impl<C: Retrieving<Pir: Opened>> Retrieving for Watched<C> {
    type Pir = WatchedPir<C::Pir>;

    fn pir(&self) -> WatchedPir<C::Pir> {
        WatchedPir(self.compute.pir())
    }
}

/// A PIR of whose messages something is public.
pub(crate) trait Opened: Pir {
    /// Declares public what the receiver of a message refuses it by.
    fn open(message: &[u8]);
}

/// A masked table is as long as it must be, and any words do.
impl Opened for PlainPir {
    fn open(_message: &[u8]) {}
}

/// Ciphertexts, and the seeds of their first halves: a number that is not below its modulus is refused. What they hide stays
/// hidden, since the keys do: whatever is computed with the client's secret is secret again.
impl Opened for Spiral {
    fn open(message: &[u8]) {
        public(message);
    }
}

/// A PIR whose public inputs are declared so.
#[derive(Clone)]
pub(crate) struct WatchedPir<P>(P);

impl<P: Opened> Pir for WatchedPir<P> {
    type Client = P::Client;
    type Server = P::Server;

    fn setup_length(&self, log_size: u32) -> usize {
        self.0.setup_length(log_size)
    }

    fn query_length(&self, log_size: u32) -> usize {
        self.0.query_length(log_size)
    }

    fn answer_length(&self, log_size: u32) -> usize {
        self.0.answer_length(log_size)
    }

    fn client(&self, log_size: u32, seed: &[u8; 32]) -> (P::Client, Vec<u8>) {
        self.0.client(log_size, seed)
    }

    #[inline(never)]
    fn server(&self, log_size: u32, setup: &[u8]) -> Result<P::Server, &'static str> {
        P::open(setup);
        self.0.server(log_size, setup)
    }

    fn query(&self, client: &P::Client, index: u64, number: u64) -> Vec<u8> {
        self.0.query(client, index, number)
    }

    #[inline(never)]
    fn check_query(&self, log_size: u32, query: &[u8]) -> Result<(), &'static str> {
        P::open(query);
        self.0.check_query(log_size, query)
    }

    /// The turn `i* - q_b` is public here and nowhere else: the table begins there, so it is an address at its server. To whoever
    /// does not know `q_b` it is uniformly random. Who knows it, P_b, must not watch: `SECURITY.md`, "Two parties".
    #[inline(never)]
    fn answer(&self, server: &P::Server, query: &[u8], table: Table<'_>) -> Vec<u8> {
        let turn = table.turn;
        public(from_ref(&turn));
        self.0.answer(server, query, Table { turn: *black_box(&turn), ..table })
    }

    #[inline(never)]
    fn check_answer(&self, log_size: u32, answer: &[u8]) -> Result<(), &'static str> {
        P::open(answer);
        self.0.check_answer(log_size, answer)
    }

    fn decode(&self, client: &P::Client, index: u64, answer: &[u8]) -> Word {
        self.0.decode(client, index, answer)
    }
}
