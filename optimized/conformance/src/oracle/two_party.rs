//! Requests about the protocol of two parties: the topics `two_party_*` of the test vectors.

use duoram_spec::core::block::Block;
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::session::Ots;
use duoram_vectors::two_party as vectors;
use serde_json::Value;

use super::fields::{Fields, Refusal};
use super::requests::WHOLE;
use super::sessions::{self, Call};

/// The fields of `two_party_update`, which `two_party_write` has too.
pub(super) const UPDATE: [&str; 8] = [
    "labels_0",
    "labels_1",
    "memory_share_0",
    "memory_share_1",
    "address_0",
    "address_1",
    "value_0",
    "value_1",
];

/// What `two_party_write` has besides.
pub(super) const READ: [&str; 4] = ["query_index_0", "query_index_1", "blind_0", "blind_1"];

/// A label is 32 hexadecimal digits.
const LABEL_DIGITS: usize = 32;

/// What the sender of so many OTs has.
pub(super) fn pairs(input: &Fields<'_>, name: &str, count: usize) -> Result<Vec<(Block, Block)>, Refusal> {
    let keys = input.object(name, &["k_0", "k_1"])?;
    Ok(keys.blocks("k_0", count)?.into_iter().zip(keys.blocks("k_1", count)?).collect())
}

/// A field of each party.
fn both<T>(name: &str, read: impl Fn(&str) -> Result<T, Refusal>) -> Result<(T, T), Refusal> {
    Ok((read(&format!("{name}_0"))?, read(&format!("{name}_1"))?))
}

/// The AND triple of two OTs.
pub(super) fn answer_triple(input: &Fields<'_>) -> Result<Value, Refusal> {
    let bit = |name: &str| Ok(input.bits(name, 1)?[0]);
    let sent = |name: &str| Ok(pairs(input, name, 1)?[0]);
    let (sent_0, sent_1) = both("sent", sent)?;
    Ok(vectors::triple::outcome(&vectors::triple::Case { bits: both("bit", bit)?, pairs: [sent_0, sent_1] }))
}

/// A masked table.
pub(super) fn answer_masks(input: &Fields<'_>) -> Result<Value, Refusal> {
    // A word is 16 hexadecimal digits.
    let log_size = input.log_count("table", 16, &WHOLE)?;
    let size = 1 << log_size;
    Ok(vectors::masks::outcome(&vectors::masks::Case {
        pairs: pairs(input, "sent", log_size as usize)?,
        table: input.words("table", size)?,
        index: input.word_below("query_index", size)?,
    }))
}

fn update(input: &Fields<'_>) -> Result<vectors::update::Case, Refusal> {
    let size = 1 << input.log_count("labels_0", LABEL_DIGITS, &WHOLE)?;
    let case = vectors::update::Case {
        labels: both("labels", |name| input.blocks(name, size))?,
        memory: both("memory_share", |name| input.words(name, size))?,
        address: both("address", |name| input.word(name))?,
        value: both("value", |name| input.word(name))?,
    };
    // Of a DPF the flags differ at the target and nowhere else; else there is no inverse.
    let (labels_0, labels_1) = &case.labels;
    let flags = labels_0.iter().zip(labels_1).filter(|(label_0, label_1)| (*label_0 ^ *label_1) & 1 == 1);
    if flags.count() % 2 == 1 {
        Ok(case)
    } else {
        Err(input.refuse(
            "labels_1",
            "labels whose lowest bits differ from those of labels_0 at an odd number of places",
        ))
    }
}

/// An UPDATE from the leaves of its DPF.
pub(super) fn answer_update(input: &Fields<'_>) -> Result<Value, Refusal> {
    Ok(vectors::update::outcome(&update(input)?))
}

/// A WRITE or SWAP.
pub(super) fn answer_write(input: &Fields<'_>) -> Result<Value, Refusal> {
    let update = update(input)?;
    let size = update.memory.0.len();
    Ok(vectors::write::outcome(&vectors::write::Case {
        index: both("query_index", |name| input.word_below(name, size))?,
        blinds: both("blind", |name| input.word(name))?,
        update,
    }))
}

/// The fields of a session.
pub(super) const SESSION: [&str; 4] = ["log_size", "seed_0", "seed_1", "steps"];

/// Every message of a session but those of its OTs, which are given with each batch.
pub(super) fn answer_session(input: &Fields<'_>) -> Result<Value, Refusal> {
    let (log_size, calls) = sessions::two_party(input)?;
    let share = |(address, value): (u64, u64)| Query { address, value };
    let query = |((address_0, address_1), (value_0, value_1))| {
        (share((address_0, value_0)), share((address_1, value_1)))
    };
    let call = |call| match call {
        Call::Load(share_0, share_1) => vectors::session::Call::Load(share_0, share_1),
        Call::Preprocess { reads, updates, sent } => {
            let [from_0, from_1] = sent;
            vectors::session::Call::Preprocess { reads, updates, ots: Ots { from_0, from_1 } }
        }
        Call::Read(addresses) => vectors::session::Call::Read(addresses),
        Call::Follow => vectors::session::Call::Follow,
        Call::Update(queries) => vectors::session::Call::Update(queries.into_iter().map(query).collect()),
        Call::Write(address, value) => vectors::session::Call::Write(query((address, value))),
        Call::Swap(address, value) => vectors::session::Call::Swap(query((address, value))),
    };
    let seeds = [input.seed("seed_0")?, input.seed("seed_1")?];
    let calls = calls.into_iter().map(call).collect();
    Ok(vectors::session::outcome(&vectors::session::Case { log_size, seeds, calls }))
}
