//! A client of parties in one process: it shares what it asks for, and opens what comes.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use duoram_link::{Answer, ClientName, Outcome, Refusal, Request, ToClient, ToParty, Welcome, WorkKind};
use duoram_reference::{CHUNK_WORDS, Operands, Protocol, Role, Word};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{Loopback, Told};
use crate::engine::Connection;

/// What came of a request.
#[derive(Debug)]
pub struct Came {
    /// Its number.
    pub number: u64,
    /// The words, or why not.
    pub result: Result<Vec<Word>, Refusal>,
    /// From when it was asked.
    pub took: Duration,
}

/// A client of the protocol P.
pub struct Caller<P> {
    connection: Connection,
    next: u64,
    open: BTreeMap<u64, (Instant, [Option<Outcome>; 2])>,
    random: ChaCha20Rng,
    protocol: PhantomData<P>,
}

impl<P: Protocol> Caller<P> {
    /// Connects, and waits until both parties have said which number they expect, which must be the same.
    ///
    /// # Panics
    ///
    /// If they do not.
    pub fn connect(parties: &Loopback, connection: Connection, client: &ClientName) -> Self {
        parties.connect(connection, client);
        let mut next = Vec::new();
        while next.len() < 2 {
            if let Ok((_, Told::Client(_, ToClient::Welcome(Welcome { next: number, .. })))) =
                parties.told.recv()
            {
                next.push(number);
            }
        }
        assert_eq!(next[0], next[1], "P0 and P1 expect other numbers");
        let random = ChaCha20Rng::seed_from_u64(connection);
        Self { connection, next: next[0], open: BTreeMap::new(), random, protocol: PhantomData }
    }

    /// The requests without both answers.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Asks for something: addresses, pairs or the words of a memory.
    pub fn ask(&mut self, parties: &Loopback, kind: WorkKind, count: u64, words: &[Word]) -> u64 {
        let number = self.next;
        self.next += 1;
        self.open.insert(number, (Instant::now(), [None, None]));
        for (piece, words) in (0..).zip(words.chunks(CHUNK_WORDS)) {
            let shared = words.iter().map(|word| P::share(*word, self.random.next_u64()));
            let (zero, one): (Vec<_>, Vec<_>) = shared.map(<(Word, Word)>::from).unzip();
            for (party, shares) in [(Role::P0, zero), (Role::P1, one)] {
                let shares = Operands::new(shares);
                let request = Request { number, kind, count, deadline_ms: 0, piece, shares };
                parties.say(self.connection, party, ToParty::Request(request));
            }
        }
        number
    }

    /// What a party says, if it says it to this client: what came of a request, when both have answered.
    ///
    /// # Panics
    ///
    /// If the two do not answer alike.
    pub fn hear(&mut self, parties: &Loopback, party: Role, told: Told) -> Option<Came> {
        let Told::Client(connection, ToClient::Answer(Answer { number, outcome })) = told else {
            return None;
        };
        if connection != self.connection {
            return None;
        }
        parties.say(connection, party, ToParty::Acknowledge { number });
        let (since, answers) = self.open.get_mut(&number)?;
        answers[party.index()] = Some(outcome);
        let [Some(zero), Some(one)] = answers else { return None };
        let result = match (zero, one) {
            (Outcome::Done(zero), Outcome::Done(one)) => {
                Ok(zero.iter().zip(one.iter()).map(|(zero, one)| P::open([*zero, *one])).collect())
            }
            (Outcome::Refused(refusal), Outcome::Refused(_)) => Err(refusal.clone()),
            (zero, one) => panic!("{zero:?} and {one:?}"),
        };
        let took = since.elapsed();
        self.open.remove(&number);
        Some(Came { number, result, took })
    }

    /// Waits for what came of one request.
    ///
    /// # Panics
    ///
    /// If it is none of this client's.
    pub fn wait(&mut self, parties: &Loopback) -> Came {
        assert!(self.open() > 0, "nothing was asked");
        loop {
            if let Ok((party, told)) = parties.told.recv()
                && let Some(came) = self.hear(parties, party, told)
            {
                return came;
            }
        }
    }
}
