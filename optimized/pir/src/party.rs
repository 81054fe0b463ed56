//! What the parties of the two-party protocol are generic over.

use duoram_reference::Word;
use duoram_reference::two_party::{Pir, Table};

use crate::{Client, Refused, Server, Spiral};

impl Pir for Spiral {
    type Client = Client;
    type Server = Server;

    fn setup_length(&self, log_size: u32) -> usize {
        self.setup_length(log_size)
    }

    fn query_length(&self, log_size: u32) -> usize {
        self.query_length(log_size)
    }

    fn answer_length(&self, log_size: u32) -> usize {
        self.answer_length(log_size)
    }

    fn client(&self, log_size: u32, seed: &[u8; 32]) -> (Client, Vec<u8>) {
        self.client(log_size, seed)
    }

    fn server(&self, log_size: u32, setup: &[u8]) -> Result<Server, &'static str> {
        self.server(log_size, setup).map_err(Refused::rule)
    }

    fn query(&self, client: &Client, index: u64, number: u64) -> Vec<u8> {
        self.query(client, index, number)
    }

    fn check_query(&self, _log_size: u32, query: &[u8]) -> Result<(), &'static str> {
        self.check_query(query).map_err(Refused::rule)
    }

    fn answer(&self, server: &Server, query: &[u8], table: Table<'_>) -> Vec<u8> {
        // It has been checked, so there is an answer.
        self.answer(server, query, table).unwrap_or_default()
    }

    fn check_answer(&self, _log_size: u32, answer: &[u8]) -> Result<(), &'static str> {
        self.check_answer(answer).map_err(Refused::rule)
    }

    fn decode(&self, client: &Client, index: u64, answer: &[u8]) -> Word {
        self.decode(client, index, answer)
    }
}
