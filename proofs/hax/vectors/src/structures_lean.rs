//! Random values of the lean protocol's structs, and how Rocq writes them.

use crate::random::{Random, Rng, list};
use crate::rocq::{Rocq, structure, variant};
use crate::structures::{random_structures, structures};
use duoram_spec::core::ring::{Bit, XorWord};
use duoram_spec::lean::dealing::{Deal, Dealt};
use duoram_spec::lean::generation::{Growing, Input};
use duoram_spec::lean::layers::{LayeredKey, Purpose};
use duoram_spec::lean::memory::{State, State0, State1, State2};
use duoram_spec::lean::online::{Query, UpdateMessage};
use duoram_spec::lean::party::{Hello, Item0, Item1, Item2, Party0, Party1, Party2};
use duoram_spec::lean::party_turn::{HelperTask, PrimaryTask};
use duoram_spec::lean::prepare_turn::{Growth, Turn};
use duoram_spec::lean::preprocessing::{HelperKey, Round};
use duoram_spec::lean::read::{Flags, Read};
use duoram_spec::lean::session::{Batch, Sent, Session, Step, Streams};
use duoram_spec::lean::tape::{PairStreams, PrimaryRandomness, Seed0, Seed1, TripleSeed};
use duoram_spec::lean::update::{Material, Update, Values};
use duoram_spec::lean::write::{Masks, Swap};

structures! {
    "lean::party::Item2" Item2<u64> { number, key_a, key_b, delta }
    "lean::party::Item1" Item1<u64> { number, random_index, key_a, value_share }
    "lean::party::Item0" Item0<u64> { number, random_index, key_a, key_b, value_share, delta }
    "core::ring::XorWord" XorWord { bits }
    "core::ring::Bit" Bit { bit }
    "lean::tape::PairStreams" PairStreams { streams }
    "lean::generation::Growing" Growing<u64> { log_size, purpose, random_index, mask, common, dealt, offset, key, labels }
}

random_structures! {
    "lean::memory::State0" State0<u64> { alpha, beta }
    "lean::memory::State1" State1<u64> { alpha }
    "lean::memory::State2" State2<u64> { alpha, beta }
    "lean::memory::State" State<u64> { p0, p1, p2 }
    "lean::read::Flags" Flags<u64> { a_0, a_1, b_0, b_1 }
    "lean::read::Read" Read<u64> { shift_0, shift_1, unblinding, read_0, read_1 }
    "lean::update::Values" Values<u64> { a_0, a_1, b_0, b_1 }
    "lean::update::Material" Material<u64> { flags, values, value_shares, delta }
    "lean::update::Update" Update<u64> { message_0, message_1, state }
    "lean::write::Masks" Masks<u64> { y_01, y_02, y_12 }
    "lean::write::Swap" Swap<u64> { shift_0, shift_1, part_0, part_1, part_2, unblinding, read_0, read_1, state }
    "lean::layers::LayeredKey" LayeredKey<u64> { tree, flag_correction, word_correction }
    "lean::tape::PrimaryRandomness" PrimaryRandomness { random_index, root_a, root_b }
    "lean::tape::TripleSeed" TripleSeed { x, y, z }
    "lean::tape::Seed0" Seed0<u64> { triples, one_hot, mask, value_share, value_one_hot }
    "lean::tape::Seed1" Seed1 { triples, mask }
    "lean::dealing::Deal" Deal<u64> { z, one_hot, value_one_hot, value_share }
    "lean::dealing::Dealt" Dealt<u64> { triples, one_hot, value_one_hot, value_share }
    "lean::generation::Input" Input<u64> { log_size, purpose, random_index, root, mask, common }
    "lean::party::Hello" Hello { contribution, words, seed }
    "lean::preprocessing::Round" Round<u64> { operands, flags, words }
    "lean::preprocessing::HelperKey" HelperKey<u64> { purpose, key, delta_share }
    "lean::online::Query" Query<u64> { address, value }
    "lean::online::UpdateMessage" UpdateMessage<u64> { shift, masked }
    "lean::session::Sent" Sent { kind, from, to, operation, round, payload }
    "lean::session::Streams" Streams { pair_01, pair_02, pair_12 }
    "lean::session::Batch" Batch<u64> { batch_0, batch_1, sent }
}

impl<T: Rocq> Rocq for Turn<T, u64> {
    fn rocq(&self) -> String {
        structure("lean::prepare_turn::Turn", &[self.party.rocq(), self.sent.rocq(), self.results.rocq()])
    }
}

impl Rocq for Growth<u64> {
    fn rocq(&self) -> String {
        structure("lean::prepare_turn::Growth", &[self.batch.rocq(), self.sent.rocq()])
    }
}

impl Rocq for PrimaryTask<u64> {
    fn rocq(&self) -> String {
        let task = |name: &str, fields: &[String]| {
            variant(&format!("lean::party_turn::PrimaryTask::{name}"), fields)
        };
        match self {
            Self::Load { memory_share } => task("Load", &[memory_share.rocq()]),
            Self::Preprocess { reads, updates } => task("Preprocess", &[reads.rocq(), updates.rocq()]),
            Self::Reads { addresses } => task("Reads", &[addresses.rocq()]),
            Self::Updates { queries } => task("Updates", &[queries.rocq()]),
            Self::Put { query, swap } => task("Put", &[query.rocq(), swap.rocq()]),
        }
    }
}

impl Rocq for HelperTask {
    fn rocq(&self) -> String {
        let task =
            |name: &str, fields: &[String]| variant(&format!("lean::party_turn::HelperTask::{name}"), fields);
        match self {
            Self::Load => task("Load", &[]),
            Self::Preprocess { reads, updates } => task("Preprocess", &[reads.rocq(), updates.rocq()]),
            Self::Reads { queries } => task("Reads", &[queries.rocq()]),
            Self::Updates { queries } => task("Updates", &[queries.rocq()]),
            Self::Put { swap } => task("Put", &[swap.rocq()]),
        }
    }
}

impl<P: Rocq> Rocq for Party0<u64, P> {
    fn rocq(&self) -> String {
        structure(
            "lean::party::Party0",
            &[
                self.log_size.rocq(),
                self.prg.rocq(),
                self.tape.rocq(),
                self.drawn.rocq(),
                self.stream_01.rocq(),
                self.stream_02.rocq(),
                self.state.rocq(),
                self.reads.rocq(),
                self.updates.rocq(),
                self.items.rocq(),
            ],
        )
    }
}

impl<P: Rocq> Rocq for Party1<u64, P> {
    fn rocq(&self) -> String {
        structure(
            "lean::party::Party1",
            &[
                self.log_size.rocq(),
                self.prg.rocq(),
                self.tape.rocq(),
                self.drawn.rocq(),
                self.stream_01.rocq(),
                self.stream_12.rocq(),
                self.state.rocq(),
                self.reads.rocq(),
                self.updates.rocq(),
                self.items.rocq(),
            ],
        )
    }
}

impl<P: Rocq> Rocq for Party2<u64, P> {
    fn rocq(&self) -> String {
        structure(
            "lean::party::Party2",
            &[
                self.log_size.rocq(),
                self.prg.rocq(),
                self.tape.rocq(),
                self.drawn.rocq(),
                self.stream_02.rocq(),
                self.stream_12.rocq(),
                self.state.rocq(),
                self.reads.rocq(),
                self.updates.rocq(),
                self.items.rocq(),
            ],
        )
    }
}

impl<P: Rocq> Rocq for Session<u64, P> {
    fn rocq(&self) -> String {
        structure(
            "lean::session::Session",
            &[self.p0.rocq(), self.p1.rocq(), self.p2.rocq(), self.operation.rocq()],
        )
    }
}

impl<P: Rocq> Rocq for Step<u64, P> {
    fn rocq(&self) -> String {
        structure("lean::session::Step", &[self.session.rocq(), self.sent.rocq(), self.results.rocq()])
    }
}

/// Of the first two items: there are words for one.
impl Random for Item0<u64> {
    fn random(rng: &mut Rng) -> Item0<u64> {
        Item0 {
            number: rng.below(2) as usize,
            random_index: Random::random(rng),
            key_a: Random::random(rng),
            key_b: Random::random(rng),
            value_share: Random::random(rng),
            delta: Random::random(rng),
        }
    }
}

/// Of the first two items: there are words for one.
impl Random for Item1<u64> {
    fn random(rng: &mut Rng) -> Item1<u64> {
        Item1 {
            number: rng.below(2) as usize,
            random_index: Random::random(rng),
            key_a: Random::random(rng),
            value_share: Random::random(rng),
        }
    }
}

/// Of the first two items: there are words for one.
impl Random for Item2<u64> {
    fn random(rng: &mut Rng) -> Item2<u64> {
        Item2 {
            number: rng.below(2) as usize,
            key_a: Random::random(rng),
            key_b: Random::random(rng),
            delta: Random::random(rng),
        }
    }
}

impl Random for XorWord {
    fn random(rng: &mut Rng) -> XorWord {
        XorWord { bits: Random::random(rng) }
    }
}

impl Random for Bit {
    fn random(rng: &mut Rng) -> Bit {
        Bit { bit: Random::random(rng) }
    }
}

impl Random for Purpose {
    fn random(rng: &mut Rng) -> Purpose {
        if rng.below(2) == 0 { Purpose::Read } else { Purpose::Update }
    }
}

impl Rocq for Purpose {
    fn rocq(&self) -> String {
        format!("lean_layers_Purpose_{self:?}")
    }
}

/// Streams for a load and one item, the words of an UPDATE item of height 4.
impl Random for PairStreams {
    fn random(rng: &mut Rng) -> PairStreams {
        PairStreams { streams: (0..2).map(|_| list(rng, 36)).collect() }
    }
}

/// Heights of 0 to 5, of which 4 and 5 have levels in UPDATE items.
impl Random for Growing<u64> {
    fn random(rng: &mut Rng) -> Growing<u64> {
        Growing {
            log_size: rng.below(6) as usize,
            purpose: Random::random(rng),
            random_index: Random::random(rng),
            mask: Random::random(rng),
            common: Random::random(rng),
            dealt: Random::random(rng),
            offset: Random::random(rng),
            key: Random::random(rng),
            labels: Random::random(rng),
        }
    }
}

impl<P: Random> Random for Party0<u64, P> {
    fn random(rng: &mut Rng) -> Self {
        Self {
            log_size: height(rng),
            prg: Random::random(rng),
            tape: list(rng, 24),
            drawn: rng.below(4) as usize,
            stream_01: Random::random(rng),
            stream_02: Random::random(rng),
            state: Random::random(rng),
            reads: list(rng, 2),
            updates: list(rng, 2),
            items: rng.below(2) as usize,
        }
    }
}

impl<P: Random> Random for Party1<u64, P> {
    fn random(rng: &mut Rng) -> Self {
        Self {
            log_size: height(rng),
            prg: Random::random(rng),
            tape: list(rng, 24),
            drawn: rng.below(4) as usize,
            stream_01: Random::random(rng),
            stream_12: Random::random(rng),
            state: Random::random(rng),
            reads: list(rng, 2),
            updates: list(rng, 2),
            items: rng.below(2) as usize,
        }
    }
}

impl<P: Random> Random for Party2<u64, P> {
    fn random(rng: &mut Rng) -> Self {
        Self {
            log_size: height(rng),
            prg: Random::random(rng),
            tape: list(rng, 24),
            drawn: rng.below(4) as usize,
            stream_02: Random::random(rng),
            stream_12: Random::random(rng),
            state: Random::random(rng),
            reads: list(rng, 2),
            updates: list(rng, 2),
            items: rng.below(2) as usize,
        }
    }
}

impl<P: Random> Random for Session<u64, P> {
    fn random(rng: &mut Rng) -> Self {
        let log_size = height(rng);
        let (p0, p1, p2) = (Random::random(rng), Random::random(rng), Random::random(rng));
        Self {
            p0: Party0 { log_size, ..p0 },
            p1: Party1 { log_size, ..p1 },
            p2: Party2 { log_size, ..p2 },
            operation: Random::random(rng),
        }
    }
}

/// With and without levels.
fn height(rng: &mut Rng) -> usize {
    if rng.below(2) == 0 { 1 } else { 4 }
}
