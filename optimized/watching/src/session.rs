//! A session of the paper's protocol, and what its parties must not leave behind.

use std::collections::HashSet;
use std::hint::black_box;

use duoram_reference::engine::local::{self, Parties};
use duoram_reference::local::{LocalSession, share};
use duoram_reference::message::{HelperKeys, TreeShape};
use duoram_reference::{
    Batch, Block, Compute, Error, HEADER_LENGTH, Header, Message, Parameters, PartyStream, Plain, Protocol,
    SessionId, SessionKey, Word,
};

/// The seeds of P0, P1 and P2.
pub const SEEDS: [[u8; 32]; 3] = [[0xa1; 32], [0xb2; 32], [0xc3; 32]];
/// Of the one session that there is.
pub const SESSION: SessionId = SessionId(*b"wiped after use.");
/// What is prepared at first.
pub const BATCH: Batch = Batch { reads: 5, updates: 3 };

/// Words of the owner, which no two are equal.
pub fn owners(number: u64) -> Word {
    (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63
}

/// Both shares of a memory.
pub fn memory_shares(log_size: u32) -> [Vec<Word>; 2] {
    [0, 1].map(|b| (0..1 << log_size).map(|address| share(!address, owners(address))[b]).collect())
}

/// The words of a party's stream that it keeps to itself, or tells one other.
fn drawn(seed: [u8; 32], words: usize) -> Vec<Word> {
    let mut stream = PartyStream::new(seed);
    // The contribution to K, which all three hear.
    stream.block();
    (0..words).map(|_| stream.word()).collect()
}

pub(crate) fn halves(block: Block) -> [Word; 2] {
    [0, 64].map(|bit| Word::try_from(block >> bit & Block::from(Word::MAX)).unwrap())
}

/// What follows from the helper's keys, as both of their owners compute it: the sums of each level, the leaves, and the sums
/// of the leaves.
fn computed(log_size: u32) -> Vec<Word> {
    let mut session = started(log_size, Plain).unwrap();
    session.record();
    session.preprocess(BATCH).unwrap();
    let contributions = SEEDS.map(|seed| PartyStream::new(seed).block());
    let key = SessionKey::new(contributions.iter().fold(0, |sum, block| sum ^ block).to_le_bytes());
    let mut words = Vec::new();
    for delivery in session.take_log() {
        let (from, bytes) = (delivery.frame.from, &delivery.frame.bytes);
        if Header::decode(from, bytes).unwrap().kind != HelperKeys::KIND.number() {
            continue;
        }
        let shape = TreeShape { log_size, dpfs: BATCH.reads + BATCH.updates };
        let Ok(HelperKeys(keys)) = HelperKeys::decode(shape, from, &bytes[HEADER_LENGTH..]) else {
            panic!("expected helper keys from {from}");
        };
        for share in keys {
            words.extend(share.evaluate(&key).iter().flat_map(|label| halves(*label)));
            let mut forest = Plain.plant(&key, vec![*share.root()], log_size);
            for correction in share.corrections() {
                let sums = Plain.grow(&mut forest)[0];
                words.extend([sums.left, sums.right].into_iter().flat_map(halves));
                Plain.correct(&mut forest, &[*correction]);
            }
            let sums = Plain.leaf_sums(forest)[0];
            words.extend([sums.conversion_sum, sums.value_sum]);
            words.extend([sums.index_flag_sum, sums.index_conversion_sum]);
        }
    }
    assert!(words.len() > 2 * (2 << log_size) * BATCH.reads);
    words
}

/// Everything that the parties of `started` and `operations` must not leave behind: the shares of the memory, of addresses
/// and of values, the seeds, what is drawn from them (blinds, shares of random indices, roots, triples, masks), and
/// what is computed from it.
pub fn secrets(log_size: u32) -> HashSet<Word> {
    let mut secrets: HashSet<Word> = memory_shares(log_size).into_iter().flatten().collect();
    secrets.extend((1000..=1004).map(owners));
    for seed in SEEDS {
        secrets.insert(Word::from_le_bytes(*seed.first_chunk().unwrap()));
        secrets.extend(drawn(seed, (1 << log_size) + 10_000));
    }
    secrets.extend(computed(log_size));
    // Words that occur by themselves, such as an index of few bits, are no evidence.
    secrets.retain(|word| *word > 1 << 32);
    secrets
}

/// Overwrites what earlier calls left on the stack. The unused bytes of an enumeration take such remains along when it is
/// moved to the heap, as does padding.
#[expect(clippy::large_stack_arrays, reason = "the stack is what is meant")]
#[inline(never)]
pub fn scrub_stack() {
    black_box(&mut [0_u8; 1 << 16]);
}

/// A session that has loaded a memory. On the heap, so that what it holds itself is looked at too.
pub fn started<C: Compute + Clone>(log_size: u32, compute: C) -> Result<Box<LocalSession<C>>, Error> {
    scrub_stack();
    let mut session = Box::new(LocalSession::new(Parameters::new(SESSION, log_size)?, SEEDS, compute)?);
    session.connect()?;
    session.load(memory_shares(log_size))?;
    Ok(session)
}

/// Every kind of operation; some items are left over.
pub fn operations<C: Compute>(session: &mut LocalSession<C>) -> Result<(), Error> {
    session.preprocess(BATCH)?;
    let [a_0, a_1] = share(3, owners(1000));
    let [b_0, b_1] = share(30, owners(1001));
    let shares = session.read([&[a_0, b_0], &[a_1, b_1]])?;
    session.read([&shares[0][..1], &shares[1][..1]])?;
    session.update([&[(a_0, owners(1002))], &[(a_1, owners(1003))]])?;
    session.write([b_0, b_1], share(8, owners(1004)))?;
    session.preprocess(Batch { reads: 1, updates: 1 })?;
    session.update([&[(a_0, 1)], &[(a_1, 2)]])
}

/// Goes on with preprocessing for so many deliveries, and then whoever awaits a message gets one that it refuses.
pub fn fail_after<P: Parties>(session: &mut local::LocalSession<P>, deliveries: usize) -> Result<(), Error> {
    session.begin();
    for &role in P::Protocol::ROLES {
        let frames = session.party_mut(role).preprocess(BATCH)?;
        session.post(frames);
    }
    for _ in 0..deliveries {
        session.deliver()?;
    }
    let (from, to) = session.next().expect("a message is due");
    session.party_mut(to).receive(from, b"not a frame").map(|_| ())
}
