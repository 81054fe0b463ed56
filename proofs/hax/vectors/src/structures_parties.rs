//! Random values of what the paper's parties hold and are sent, and how Rocq writes them.

use crate::random::{Random, Rng, list};
use crate::rocq::{Rocq, structure, variant};
use crate::structures::{random_structures, structures};
use duoram_spec::core::share::Primary;
use duoram_spec::paper::parties::{Batch, Parties, PartiesStep};
use duoram_spec::paper::party::{
    HelperParty, HelperRead, HelperUpdate, PrimaryParty, PrimaryRead, PrimaryUpdate,
};
use duoram_spec::paper::party_online::Query;
use duoram_spec::paper::party_preprocessing::{Draws, Growing, Made};
use duoram_spec::paper::party_turn::{Growth, HelperTask, HelperTurn, PrimaryTask, PrimaryTurn};
use duoram_spec::paper::preprocessing::HelperKey;
use duoram_spec::paper::session::Sent;
use duoram_spec::paper::update::HelperMessage;

random_structures! {
    "paper::party::PrimaryRead" PrimaryRead { units, random_index_share }
    "paper::party::PrimaryUpdate" PrimaryUpdate { units, values, corrections, random_index_share }
    "paper::party::HelperRead" HelperRead { unit_0_dpf_2, unit_1_dpf_3 }
    "paper::party::HelperUpdate" HelperUpdate { unit_0_dpf_2, unit_1_dpf_3, values_0_dpf_2, values_1_dpf_3 }
    "paper::party_online::Query" Query { address, value }
    "paper::party_preprocessing::Draws" Draws { target_bits, root, blind }
    "paper::party_preprocessing::Growing" Growing { draws, triples, product, key, labels }
    "paper::party_preprocessing::Made" Made { key, labels, factor }
    "paper::party_turn::Growth" Growth { batch, sent }
    "paper::parties::Batch" Batch { batch_0, batch_1, sent }
    "paper::preprocessing::HelperKey" HelperKey<u64> { key, factor }
    "paper::update::HelperMessage" HelperMessage<u64> { shift, masked_dpf_2, masked_dpf_3 }
}

impl<P: Rocq> Rocq for PrimaryParty<P> {
    fn rocq(&self) -> String {
        structure(
            "paper::party::PrimaryParty",
            &[
                self.role.rocq(),
                self.log_size.rocq(),
                self.prg.rocq(),
                self.tape.rocq(),
                self.state.rocq(),
                self.reads.rocq(),
                self.updates.rocq(),
                self.operation.rocq(),
            ],
        )
    }
}

impl<P: Rocq> Rocq for HelperParty<P> {
    fn rocq(&self) -> String {
        structure(
            "paper::party::HelperParty",
            &[
                self.log_size.rocq(),
                self.prg.rocq(),
                self.tape.rocq(),
                self.state.rocq(),
                self.reads.rocq(),
                self.updates.rocq(),
                self.operation.rocq(),
            ],
        )
    }
}

impl<P: Rocq> Rocq for Parties<P> {
    fn rocq(&self) -> String {
        structure("paper::parties::Parties", &[self.p0.rocq(), self.p1.rocq(), self.p2.rocq()])
    }
}

impl<P: Rocq> Rocq for PartiesStep<P> {
    fn rocq(&self) -> String {
        structure(
            "paper::parties::PartiesStep",
            &[self.parties.rocq(), self.sent.rocq(), self.results_0.rocq(), self.results_1.rocq()],
        )
    }
}

impl<P: Rocq> Rocq for PrimaryTurn<P> {
    fn rocq(&self) -> String {
        structure(
            "paper::party_turn::PrimaryTurn",
            &[self.party.rocq(), self.sent.rocq(), self.results.rocq()],
        )
    }
}

impl<P: Rocq> Rocq for HelperTurn<P> {
    fn rocq(&self) -> String {
        structure("paper::party_turn::HelperTurn", &[self.party.rocq(), self.sent.rocq()])
    }
}

impl Rocq for PrimaryTask {
    fn rocq(&self) -> String {
        let task = |name: &str, fields: &[String]| {
            variant(&format!("paper::party_turn::PrimaryTask::{name}"), fields)
        };
        match self {
            Self::Load { memory_share } => task("Load", &[memory_share.rocq()]),
            Self::Preprocess { reads, updates } => task("Preprocess", &[reads.rocq(), updates.rocq()]),
            Self::Reads { addresses } => task("Reads", &[addresses.rocq()]),
            Self::Updates { queries } => task("Updates", &[queries.rocq()]),
            Self::Write { query } => task("Write", &[query.rocq()]),
        }
    }
}

impl Rocq for HelperTask {
    fn rocq(&self) -> String {
        let task = |name: &str, fields: &[String]| {
            variant(&format!("paper::party_turn::HelperTask::{name}"), fields)
        };
        match self {
            Self::Load => task("Load", &[]),
            Self::Preprocess { reads, updates } => task("Preprocess", &[reads.rocq(), updates.rocq()]),
            Self::Reads { queries } => task("Reads", &[queries.rocq()]),
            Self::Updates { queries } => task("Updates", &[queries.rocq()]),
            Self::Write => task("Write", &[]),
        }
    }
}

/// At most one item of a kind.
impl Random for PrimaryTask {
    fn random(rng: &mut Rng) -> Self {
        match rng.below(5) {
            0 => Self::Load { memory_share: Random::random(rng) },
            1 => Self::Preprocess { reads: rng.below(2) as usize, updates: rng.below(2) as usize },
            2 => Self::Reads { addresses: Random::random(rng) },
            3 => Self::Updates { queries: Random::random(rng) },
            _ => Self::Write { query: Random::random(rng) },
        }
    }
}

impl Random for HelperTask {
    fn random(rng: &mut Rng) -> Self {
        match rng.below(5) {
            0 => Self::Load,
            1 => Self::Preprocess { reads: rng.below(2) as usize, updates: rng.below(2) as usize },
            2 => Self::Reads { queries: Random::random(rng) },
            3 => Self::Updates { queries: Random::random(rng) },
            _ => Self::Write,
        }
    }
}

/// Heights of 0 to 2.
impl<P: Random> Random for PrimaryParty<P> {
    fn random(rng: &mut Rng) -> Self {
        Self {
            role: Random::random(rng),
            log_size: rng.below(3) as usize,
            prg: Random::random(rng),
            tape: Random::random(rng),
            state: Random::random(rng),
            reads: list(rng, 2),
            updates: list(rng, 2),
            operation: Random::random(rng),
        }
    }
}

impl<P: Random> Random for HelperParty<P> {
    fn random(rng: &mut Rng) -> Self {
        Self {
            log_size: rng.below(3) as usize,
            prg: Random::random(rng),
            tape: Random::random(rng),
            state: Random::random(rng),
            reads: list(rng, 2),
            updates: list(rng, 2),
            operation: Random::random(rng),
        }
    }
}

/// Parties of one memory, and of one count of steps.
impl<P: Random> Random for Parties<P> {
    fn random(rng: &mut Rng) -> Self {
        let p0 = PrimaryParty { role: Primary::P0, ..Random::random(rng) };
        let (p1, p2): (PrimaryParty<P>, HelperParty<P>) = (Random::random(rng), Random::random(rng));
        let (log_size, operation) = (p0.log_size, p0.operation);
        Self {
            p0,
            p1: PrimaryParty { role: Primary::P1, log_size, operation, ..p1 },
            p2: HelperParty { log_size, operation, ..p2 },
        }
    }
}

/// A party's number.
#[derive(Clone, Copy)]
pub struct Number(pub u8);

impl Random for Number {
    fn random(rng: &mut Rng) -> Number {
        Number(rng.below(3) as u8)
    }
}

impl Rocq for Number {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

/// One byte.
#[derive(Clone, Copy)]
pub struct Kind<const K: u8>;

impl<const K: u8> Random for Kind<K> {
    fn random(_: &mut Rng) -> Self {
        Self
    }
}

impl<const K: u8> Rocq for Kind<K> {
    fn rocq(&self) -> String {
        K.rocq()
    }
}

/// A message of a kind from each party, and one of any kind. Their payloads are any bytes, at times too few.
#[derive(Clone)]
pub struct Inbox<const A: u8, const B: u8>(pub Vec<Sent>);

impl<const A: u8, const B: u8> Random for Inbox<A, B> {
    fn random(rng: &mut Rng) -> Self {
        let mut messages: Vec<Sent> = [(A, 0), (A, 1), (A, 2), (B, 0), (B, 1), (B, 2)]
            .into_iter()
            .map(|(kind, from)| {
                let bytes = rng.below(120) as usize;
                Sent { kind, from, round: 0, payload: list(rng, bytes), ..Random::random(rng) }
            })
            .collect();
        messages.push(Random::random(rng));
        Self(messages)
    }
}

impl<const A: u8, const B: u8> Rocq for Inbox<A, B> {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}
