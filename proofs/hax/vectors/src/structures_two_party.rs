//! Random values of what two parties hold and send, and how Rocq writes them.

use crate::random::{Random, Rng, list};
use crate::rocq::{Rocq, structure};
use crate::structures::{random_structures, structures};
use duoram_spec::two_party::masks::AesPrf;
use duoram_spec::two_party::party::{Party, ReadItem};
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::party_preprocessing::Growing;
use duoram_spec::two_party::session::{Batch, Ots, Sent, Session, Step, Words};
use duoram_spec::two_party::tape::{Tape, UpdateDraws};
use duoram_spec::two_party::update::{Update, UpdateItem, UpdateMessage};

structures! {
    "two_party::tape::Tape" Tape { words, position }
    "two_party::masks::AesPrf" AesPrf { s_box }
}

random_structures! {
    "two_party::party::ReadItem" ReadItem { query_index, keys, pairs }
    "two_party::party_online::Query" Query<u64> { address, value }
    "two_party::party_preprocessing::Growing" Growing { target_bits, triples, labels }
    "two_party::session::Batch" Batch { batch_0, batch_1, sent }
    "two_party::session::Ots" Ots { from_0, from_1 }
    "two_party::session::Sent" Sent { kind, from, to, operation, round, payload }
    "two_party::session::Words" Words { making, blinds }
    "two_party::tape::UpdateDraws" UpdateDraws { target_bits, root, triple_bits }
    "two_party::update::Update" Update<u64> { message_0, message_1, memory_share_0, memory_share_1 }
    "two_party::update::UpdateItem" UpdateItem<u64> { unit, values, correction, random_index_share }
    "two_party::update::UpdateMessage" UpdateMessage<u64> { shift, masked }
}

impl<P: Rocq, F: Rocq> Rocq for Party<u64, P, F> {
    fn rocq(&self) -> String {
        structure(
            "two_party::party::Party",
            &[
                self.role.rocq(),
                self.log_size.rocq(),
                self.prg.rocq(),
                self.prf.rocq(),
                self.making.rocq(),
                self.blinds.rocq(),
                self.memory_share.rocq(),
                self.reads.rocq(),
                self.updates.rocq(),
            ],
        )
    }
}

impl<P: Rocq, F: Rocq> Rocq for Session<u64, P, F> {
    fn rocq(&self) -> String {
        structure("two_party::session::Session", &[self.p0.rocq(), self.p1.rocq(), self.operation.rocq()])
    }
}

impl<P: Rocq, F: Rocq> Rocq for Step<u64, P, F> {
    fn rocq(&self) -> String {
        structure("two_party::session::Step", &[self.session.rocq(), self.sent.rocq(), self.results.rocq()])
    }
}

impl Random for Tape {
    fn random(rng: &mut Rng) -> Tape {
        Tape { words: list(rng, 12), position: rng.below(4) as usize }
    }
}

/// Height 1 or 2, and two items of each kind.
impl<P: Random, F: Random> Random for Party<u64, P, F> {
    fn random(rng: &mut Rng) -> Self {
        let log_size = 1 + rng.below(2) as usize;
        Self {
            role: Random::random(rng),
            log_size,
            prg: Random::random(rng),
            prf: Random::random(rng),
            making: Random::random(rng),
            blinds: Random::random(rng),
            memory_share: list(rng, 1 << log_size),
            reads: list(rng, 2),
            updates: list(rng, 2),
        }
    }
}

impl<P: Random, F: Random> Random for Session<u64, P, F> {
    fn random(rng: &mut Rng) -> Self {
        let p0: Party<u64, P, F> = Random::random(rng);
        let p1: Party<u64, P, F> = Random::random(rng);
        let memory_share = list(rng, 1 << p0.log_size);
        Self { p1: Party { log_size: p0.log_size, memory_share, ..p1 }, p0, operation: Random::random(rng) }
    }
}
