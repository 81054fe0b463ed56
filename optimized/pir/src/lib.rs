#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
// `lanes` says why kernels must be inlined. They are loops over short arrays of registers by index, for the same reason,
// and residues are taken from wider numbers by casts.
#![allow(clippy::inline_always, clippy::needless_range_loop, clippy::wildcard_imports)]
#![allow(clippy::cast_possible_truncation)]

mod answer;
mod backend;
mod client;
mod element;
mod field;
mod lanes;
mod message;
mod ntt;
mod params;
mod party;
mod ring;
mod sample;
mod server;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use backend::{Backend, BackendName, Unavailable};
pub use client::Client;
pub use duoram_kernel::Workers;
pub use duoram_reference::two_party::Table;
pub use message::Refused;
pub use server::Server;

use backend::dispatch;
use lanes::Lanes;
use params::{ANSWER_BYTES, Params};

/// SPIRAL on a backend and a number of threads. Clones share the threads.
#[derive(Clone)]
pub struct Spiral {
    backend: Backend,
    workers: Arc<Workers>,
}

impl Spiral {
    /// On these threads, which others may use as well.
    pub fn new(backend: Backend, workers: Arc<Workers>) -> Self {
        Self { backend, workers }
    }

    /// Which backend.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// Bytes of what a client of tables of `2^log_size` words sends once.
    pub fn setup_length(&self, log_size: u32) -> usize {
        Params::new(log_size).setup_bytes()
    }

    /// Bytes of a query.
    pub fn query_length(&self, _log_size: u32) -> usize {
        Params::query_bytes()
    }

    /// Bytes of an answer.
    pub fn answer_length(&self, _log_size: u32) -> usize {
        ANSWER_BYTES
    }

    /// A client for tables of `2^log_size` words, and what it sends once. The seed is all that is random: the same seed makes the
    /// same client on every machine. It must come from a cryptographic generator and be used for one server only.
    pub fn client(&self, log_size: u32, seed: &[u8; 32]) -> (Client, Vec<u8>) {
        let client = Client::new(self.backend, Params::new(log_size), seed);
        let setup = client.setup(self.backend);
        (client, setup)
    }

    /// The server for a client that sent `setup`.
    ///
    /// # Errors
    /// If its length or a number in it is wrong. Nothing else can be: any other message is the setup of some client, though
    /// perhaps of one that cannot decode.
    pub fn server(&self, log_size: u32, setup: &[u8]) -> Result<Server, Refused> {
        Server::read(self.backend, Params::new(log_size), setup)
    }

    /// A query for the word at `index`, which is below the table's size. `number` is different for each query of a client: it
    /// says where in the seed's stream the query's noise is, and a query with the noise of another one tells the server how
    /// the two differ.
    pub fn query(&self, client: &Client, index: u64, number: u64) -> Vec<u8> {
        client.query(self.backend, index, number)
    }

    /// A query as a server checks it when it comes.
    ///
    /// # Errors
    /// As for [`Self::server`].
    pub fn check_query(&self, query: &[u8]) -> Result<(), Refused> {
        message::read(query, 1).map(drop)
    }

    /// The answer to a query.
    ///
    /// # Errors
    /// As for [`Self::check_query`].
    pub fn answer(&self, server: &Server, query: &[u8], table: Table<'_>) -> Result<Vec<u8>, Refused> {
        let query = message::read(query, 1)?;
        let expanded = server.expand(self.backend, &self.workers, query);
        Ok(answer::answer(self.backend, &self.workers, server.params, &expanded, table))
    }

    /// The items of a table as the ring elements that the first dimension is multiplied with, each as its values modulo one
    /// prime and the other. Answering needs no such thing: it is what an answer would cost with the items kept.
    pub fn encode(&self, table: Table<'_>) -> Vec<[u32; ring::N]> {
        let mut elements = ring::zeros(element::ELEMENT * table.memory.len().div_ceil(lanes::ITEM_WORDS));
        let parts = elements.chunks_mut(element::ELEMENT * table::PART).enumerate().collect();
        dispatch!(self.backend, lanes => self.workers.map(parts, |(part, elements): (usize, &mut [_])| {
            lanes.run(table::Encode { table, first: part * table::PART, elements });
        }));
        elements
    }

    /// All words of a table as the client of each would get them: masked.
    pub fn words(&self, table: Table<'_>) -> Vec<u64> {
        dispatch!(self.backend, lanes => table::words(lanes, table))
    }

    /// An answer as a client checks it when it comes.
    ///
    /// # Errors
    /// If its length or a number in it is wrong.
    pub fn check_answer(&self, answer: &[u8]) -> Result<(), Refused> {
        client::check_answer(answer)
    }

    /// The word at `index`, masked as it is in the table, from the answer to the query for it. Never an error: whether it were one
    /// could tell the server something of the index. An answer that was not checked gives some word.
    pub fn decode(&self, client: &Client, index: u64, answer: &[u8]) -> u64 {
        client.decode(self.backend, index, answer)
    }
}
