//! Random values of the specification's structs and enums, over 64-bit words, and how Rocq writes them.

use crate::random::{Random, Rng, list};
use crate::rocq::{Rocq, structure};
use duoram_spec::core::aes::Aes128;
use duoram_spec::core::dealer::ValueKey;
use duoram_spec::core::distributed_gen::{self, ChildSums, Generation, LevelMessages};
use duoram_spec::core::dpf::{Correction, Key};
use duoram_spec::core::du_atallah::{AndTriple, DotTriple, ProductTriple};
use duoram_spec::core::ideal::Operation;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::Z4;
use duoram_spec::core::share::Primary;
use duoram_spec::paper::compressed::CompressedState;
use duoram_spec::paper::conversion::{self, Conversion};
use duoram_spec::paper::memory::{HelperState, PrimaryState, State};
use duoram_spec::paper::preprocessing::{Dpf, DpfTriples, Item, PrimaryRandomness};
use duoram_spec::paper::read::{Read, UnitVectors};
use duoram_spec::paper::session::{PreparedRead, PreparedUpdate, Sent, Session, Step, UpdateQuery};
use duoram_spec::paper::tape::Tape;
use duoram_spec::paper::update::{
    CorrectionShares, Update, UpdateMaterial, UpdateMessage, UpdateVectors, ValueVectors, WriteMaterial,
};

/// A struct: its path, and its fields in the order of their declaration.
macro_rules! structures {
    ($($path:literal $ty:ty { $($field:ident),* })*) => {
        $(
            impl Rocq for $ty {
                fn rocq(&self) -> String {
                    structure($path, &[$(self.$field.rocq()),*])
                }
            }
        )*
    };
}

/// Structs whose fields may be anything.
macro_rules! random_structures {
    ($($path:literal $ty:ty { $($field:ident),* })*) => {
        structures!($($path $ty { $($field),* })*);
        $(
            impl Random for $ty {
                fn random(rng: &mut Rng) -> Self {
                    Self { $($field: Random::random(rng)),* }
                }
            }
        )*
    };
}

pub(crate) use {random_structures, structures};

structures! {
    "core::aes::Aes128" Aes128 { s_box, round_keys }
    "core::ring::Z4" Z4 { representative }
    "paper::session::Session" Session { log_size, prg, tape_0, tape_1, tape_2, state, reads, updates, operation }
    "paper::tape::Tape" Tape { words, position }
}

random_structures! {
    "paper::compressed::CompressedState" CompressedState<u64> { combined, blind }
    "paper::conversion::Input" conversion::Input<u64> { labels, blind, triple }
    "paper::conversion::Operands" conversion::Operands<u64> { blinded_sign, masked_correction, masked_sign }
    "paper::conversion::Conversion" Conversion<u64> {
        operands_0, operands_1, opening_0, opening_1, opened_sign, opened_correction, factor
    }
    "core::dealer::ValueKey" ValueKey<u64> { key, final_correction }
    "core::distributed_gen::Input" distributed_gen::Input { target_bits, root, triples }
    "core::distributed_gen::Operands" distributed_gen::Operands { masked_bit, masked_word, left_flag, right_flag }
    "core::distributed_gen::ChildSums" ChildSums { left, right }
    "core::distributed_gen::LevelMessages" LevelMessages { operands_0, operands_1, opening_0, opening_1 }
    "core::distributed_gen::Generation" Generation { key_0, key_1, labels_0, labels_1, messages }
    "core::dpf::Correction" Correction { word, left_flag, right_flag }
    "core::dpf::Key" Key { root, corrections }
    "core::du_atallah::AndTriple" AndTriple { x, y, z }
    "core::du_atallah::DotTriple" DotTriple<u64> { x, y, z }
    "core::du_atallah::ProductTriple" ProductTriple<u64> { x, y, z }
    "paper::memory::PrimaryState" PrimaryState<u64> { memory_share, blind, blinded }
    "paper::memory::HelperState" HelperState<u64> { blind_0, blind_1 }
    "paper::memory::State" State<u64> { p0, p1, p2 }
    "paper::preprocessing::PrimaryRandomness" PrimaryRandomness<u64> { random_index_xor, roots, blinds }
    "paper::preprocessing::DpfTriples" DpfTriples<u64> { and_0, and_1, product_0, product_1 }
    "paper::preprocessing::Dpf" Dpf<u64> { generation, conversion }
    "paper::preprocessing::Item" Item<u64> { dpf_1, dpf_2, dpf_3 }
    "core::prg::AesPrg" AesPrg { aes }
    "paper::read::UnitVectors" UnitVectors<u64> { p0, p1 }
    "paper::read::Read" Read<u64> { shift_0, shift_1, gamma_0, gamma_1, read_0, read_1 }
    "paper::session::Sent" Sent { kind, from, to, operation, round, payload }
    "paper::session::PreparedRead" PreparedRead { units, random_index_shares }
    "paper::session::PreparedUpdate" PreparedUpdate { material, random_index_shares }
    "paper::session::Step" Step { session, sent, results }
    "paper::session::UpdateQuery" UpdateQuery { address, value }
    "paper::update::ValueVectors" ValueVectors<u64> { p0, p1 }
    "paper::update::CorrectionShares" CorrectionShares<u64> { p0, p1 }
    "paper::update::UpdateMaterial" UpdateMaterial<u64> { units, values, corrections }
    "paper::update::UpdateMessage" UpdateMessage<u64> { shift, masked_dpf_1, masked_dpf_2, masked_dpf_3 }
    "paper::update::UpdateVectors" UpdateVectors<u64> { p0, p1 }
    "paper::update::Update" Update<u64> { message_0, message_1, state }
    "paper::update::WriteMaterial" WriteMaterial<u64> { units, read_random_index_shares, update, update_random_index_shares }
}

/// Any key of the right form: 256 and 11 times 16 bytes.
impl Random for Aes128 {
    fn random(rng: &mut Rng) -> Aes128 {
        Aes128 { s_box: list(rng, 256), round_keys: (0..11).map(|_| list(rng, 16)).collect() }
    }
}

/// Reduced, as all values that the specification makes.
impl Random for Z4 {
    fn random(rng: &mut Rng) -> Z4 {
        Z4 { representative: rng.below(4) }
    }
}

/// Enough words for two items of height 1, some of them used up.
impl Random for Tape {
    fn random(rng: &mut Rng) -> Tape {
        Tape { words: list(rng, 40), position: rng.below(4) as usize }
    }
}

/// Height 0 or 1: the trees are computed with AES.
impl Random for Session {
    fn random(rng: &mut Rng) -> Session {
        Session {
            log_size: rng.below(2) as usize,
            prg: Random::random(rng),
            tape_0: Random::random(rng),
            tape_1: Random::random(rng),
            tape_2: Random::random(rng),
            state: Random::random(rng),
            reads: list(rng, 2),
            updates: list(rng, 2),
            operation: Random::random(rng),
        }
    }
}

impl Random for Primary {
    fn random(rng: &mut Rng) -> Primary {
        if rng.below(2) == 0 { Primary::P0 } else { Primary::P1 }
    }
}

impl Rocq for Primary {
    fn rocq(&self) -> String {
        format!("share_Primary_{self:?}")
    }
}

impl Random for Operation<u64> {
    fn random(rng: &mut Rng) -> Operation<u64> {
        let address = rng.below(4);
        match rng.below(3) {
            0 => Operation::Read { address },
            1 => Operation::Update { address, delta: Random::random(rng) },
            _ => Operation::Write { address, value: Random::random(rng) },
        }
    }
}

impl Rocq for Operation<u64> {
    fn rocq(&self) -> String {
        match self {
            Operation::Read { address } => format!("(ideal_Operation_Read {})", address.rocq()),
            Operation::Update { address, delta } => {
                format!("(ideal_Operation_Update {} {})", address.rocq(), delta.rocq())
            }
            Operation::Write { address, value } => {
                format!("(ideal_Operation_Write {} {})", address.rocq(), value.rocq())
            }
        }
    }
}
