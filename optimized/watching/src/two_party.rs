//! A session of the two-party protocol, and what its parties must not leave behind.

use std::collections::HashSet;

use duoram_reference::two_party::local::{LocalSession, share};
use duoram_reference::two_party::message::OtColumns;
use duoram_reference::two_party::ot::extension::Extent;
use duoram_reference::two_party::{Compute, Memory, Pir, Plain, PlainPir};
use duoram_reference::{Batch, Error, HEADER_LENGTH, Header, Message, Parameters, PartyStream, Role, Word};

use crate::session::{BATCH, SEEDS, SESSION, halves, memory_shares, owners, scrub_stack};

/// The words of a party's streams that it keeps to itself, or tells the other in some other form.
fn drawn(seed: &[u8; 32]) -> Vec<Word> {
    let mut words = Vec::new();
    // Its lane's, of base OTs, of the PIR.
    for number in [0, 2, 3] {
        let mut stream = PartyStream::numbered(seed, number);
        if number == 0 {
            // The contribution to K, which both hear.
            stream.block();
        }
        words.extend((0..2000).map(|_| stream.word()));
    }
    words
}

/// The words of the plain shares that a session holds.
fn shares_held<P: Pir>(session: &LocalSession<Plain, P>) -> impl Iterator<Item = Word> {
    session.primaries().iter().flat_map(|party| {
        let Memory { memory_share, .. } = party.memory();
        memory_share.iter().copied()
    })
}

/// Both keys of every OT of the first batch, in both directions.
fn keys(log_size: u32, session: &mut LocalSession) -> Result<Vec<Word>, Error> {
    session.record();
    session.preprocess(BATCH)?;
    let count = (BATCH.reads + BATCH.updates) * log_size as usize;
    let mut words = Vec::new();
    for delivery in session.take_log() {
        let (from, bytes) = (delivery.frame.from, &delivery.frame.bytes);
        let kind = Header::decode(from, bytes).expect("honest frames are whole").kind;
        if kind == OtColumns::KIND.number() {
            let party = &session.primaries()[usize::from(from == Role::P0)];
            let (_, sender) = party.transfers().expect("the parties have connected");
            let pairs = sender.extend(Extent { stream: 0, first: 0 }, &bytes[HEADER_LENGTH..], count);
            words.extend(pairs.as_flattened().iter().flat_map(|key| halves(*key)));
        }
    }
    assert_eq!(words.len(), 2 * 2 * 2 * count);
    Ok(words)
}

/// Everything that the parties of [`started`] and [`operations`] must not leave behind: the shares of the memory, before and
/// after, of addresses and of values, the seeds, what is drawn from them, and the keys of OTs.
///
/// # Errors
///
/// None for a valid size.
pub fn secrets(log_size: u32) -> Result<HashSet<Word>, Error> {
    let mut secrets: HashSet<Word> = memory_shares(log_size).into_iter().flatten().collect();
    secrets.extend((1000..=1008).map(owners));
    for seed in &SEEDS[..2] {
        secrets.extend(seed.first_chunk().map(|word| Word::from_le_bytes(*word)));
        secrets.extend(drawn(seed));
    }
    let mut session = started(log_size, Plain, PlainPir)?;
    secrets.extend(keys(log_size, &mut session)?);
    let mut session = started(log_size, Plain, PlainPir)?;
    operations(&mut session)?;
    secrets.extend(shares_held(&session));
    // Words that occur by themselves, such as an index of few bits, are no evidence.
    secrets.retain(|word| *word > 1 << 32);
    Ok(secrets)
}

/// A session that has loaded a memory. On the heap, so that what it holds itself is looked at too.
///
/// # Errors
///
/// None for a valid size.
pub fn started<C: Compute + Clone, P: Pir>(
    log_size: u32,
    compute: C,
    pir: P,
) -> Result<Box<LocalSession<C, P>>, Error> {
    scrub_stack();
    let parameters = Parameters::new(SESSION, log_size)?;
    let mut session = Box::new(LocalSession::new(parameters, [SEEDS[0], SEEDS[1]], compute, pir)?);
    session.connect()?;
    session.load(memory_shares(log_size))?;
    Ok(session)
}

/// Every kind of operation; some items are left over.
///
/// # Errors
///
/// None of honest parties.
pub fn operations<C: Compute, P: Pir>(session: &mut LocalSession<C, P>) -> Result<(), Error> {
    session.preprocess(BATCH)?;
    let [a_0, a_1] = share(3, owners(1000));
    let [b_0, b_1] = share(30, owners(1001));
    let shares = session.read([&[a_0, b_0], &[a_1, b_1]])?;
    session.read([&shares[0][..1], &shares[1][..1]])?;
    session.update([&[(a_0, owners(1002))], &[(a_1, owners(1003))]])?;
    session.write([b_0, b_1], [owners(1004), owners(1005)])?;
    session.preprocess(Batch { reads: 2, updates: 2 })?;
    session.swap([b_0, b_1], [owners(1006), owners(1007)])?;
    session.update([&[(a_0, 1)], &[(a_1, 2)]])
}
