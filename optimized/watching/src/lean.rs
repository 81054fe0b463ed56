//! A session of the lean protocol, and what its parties must not leave behind.

use std::collections::HashSet;

use duoram_reference::lean::layers::{node_flags, node_values};
use duoram_reference::lean::local::{LocalSession, share};
use duoram_reference::lean::message::{Alpha, BatchShape, Beta, Deal, HelperKeys, IndexOffset};
use duoram_reference::lean::{Compute, Plain};
use duoram_reference::{
    Batch, Block, Error, HEADER_LENGTH, Header, Message, Parameters, PartyStream, Role, SessionKey, Word,
};
use zeroize::Zeroizing;

use crate::session::{BATCH, SEEDS, SESSION, halves, owners, scrub_stack};

/// Both shares of a memory of `2^log_size` rows.
pub fn memory_shares(log_size: u32, row_words: usize) -> [Vec<Word>; 2] {
    let words = (row_words as Word) << log_size;
    [0, 1].map(|b| (0..words).map(|address| share(!address, owners(address))[b]).collect())
}

/// What a party draws when it connects: its contributions to K and to the seeds that it shares with the other two, in order.
fn contributions(role: Role) -> (Block, [[Word; 4]; 2]) {
    let mut stream = PartyStream::new(SEEDS[role.index()]);
    (stream.block(), [(); 2].map(|()| [(); 4].map(|()| stream.word())))
}

/// The seed of a pair of parties, as words.
fn pair_seed(one: Role, other: Role) -> [Word; 4] {
    let of = |from: Role, to| contributions(from).1[usize::from(from.peers()[1] == to)];
    let (own, theirs) = (of(one, other), of(other, one));
    std::array::from_fn(|word| own[word] ^ theirs[word])
}

/// What is drawn from the seeds of the pairs: the load's masks, and for each item more than any takes.
fn drawn_alike(log_size: u32, row_words: usize, items: u64) -> Vec<Word> {
    let mut words = Vec::new();
    for (one, other) in [(Role::P0, Role::P1), (Role::P0, Role::P2), (Role::P1, Role::P2)] {
        let seed = pair_seed(one, other);
        words.extend(seed);
        let bytes: Vec<u8> = seed.into_iter().flat_map(Word::to_le_bytes).collect();
        let bytes: [u8; 32] = bytes.try_into().expect("four words are 32 bytes");
        let lengths = std::iter::once(row_words << log_size).chain((0..items).map(|_| 500 * row_words));
        for (number, length) in (0..).zip(lengths) {
            let mut stream = PartyStream::numbered(&bytes, number);
            words.extend((0..length).map(|_| stream.word()));
        }
    }
    words
}

/// The words of a payload that only its sender and its receiver may have.
fn payload(bytes: &[u8]) -> impl Iterator<Item = Word> {
    bytes[HEADER_LENGTH..].as_chunks().0.iter().map(|word| Word::from_le_bytes(*word))
}

/// What follows from the helper's keys, as both of their owners compute it: labels, sums of levels, flags, values.
fn computed_of_keys(parameters: &Parameters, key: &SessionKey, from: Role, bytes: &[u8]) -> Vec<Word> {
    let (log_size, row_words) = (parameters.log_size(), parameters.row_words());
    let shape = BatchShape { log_size, row_words, batch: BATCH };
    let Ok(HelperKeys { keys, .. }) = HelperKeys::decode(shape, from, &bytes[HEADER_LENGTH..]) else {
        panic!("expected helper keys from {from}");
    };
    let mut words = Vec::new();
    for share in keys {
        words.extend(share.flags(key, log_size).iter().flat_map(|flags| halves(*flags)));
        words.extend(share.values(key, log_size).iter());
        let mut forest = Plain.plant(key, vec![*share.root()], log_size);
        for correction in share.corrections() {
            let sums = Plain.grow(&mut forest)[0];
            words.extend([sums.left, sums.right].into_iter().flat_map(halves));
            Plain.correct(&mut forest, &[*correction]);
            for label in forest.labels().flatten() {
                words.extend(halves(*label).into_iter().chain(halves(node_flags(key, *label))));
                words.extend((0..row_words).flat_map(|part| node_values(key, *label, part)));
            }
        }
    }
    words
}

/// Everything that the parties of [`started`] and [`operations`] must not leave behind: the shares of the memory and all parts
/// of both sharings, the shares of addresses and of values, the seeds, what is drawn from them, what is dealt, and what is
/// computed from it.
pub fn secrets(log_size: u32, row_words: usize) -> HashSet<Word> {
    let mut secrets: HashSet<Word> = memory_shares(log_size, row_words).into_iter().flatten().collect();
    secrets.extend((1000..1000 + 7 * (row_words as Word)).map(owners));
    for seed in SEEDS {
        secrets.insert(Word::from_le_bytes(*seed.first_chunk().expect("a seed has 32 bytes")));
        let mut stream = PartyStream::new(seed);
        // The contribution to K, which all three hear.
        stream.block();
        secrets.extend((0..1000 * row_words).map(|_| stream.word()));
    }
    secrets.extend(drawn_alike(log_size, row_words, 12));

    let key = Role::ALL.map(|role| contributions(role).0).iter().fold(0, |sum, block| sum ^ block);
    let key = SessionKey::new(key.to_le_bytes());
    let parameters = parameters(log_size, row_words).expect("a test's size is valid");
    let mut session = LocalSession::new(parameters, SEEDS, Plain);
    session.record();
    session.connect().expect("honest parties connect");
    session.load(memory_shares(log_size, row_words)).expect("honest parties load");
    session.preprocess(BATCH).expect("honest parties prepare");
    let (p0, p1, p2) = session.parties();
    let vectors = [&p0.memory().alpha, &p0.memory().beta, &p1.memory().alpha, &p2.memory().beta];
    secrets.extend(vectors.into_iter().flatten());
    for delivery in session.take_log() {
        let (from, bytes) = (delivery.frame.from, &delivery.frame.bytes);
        let kind = Header::decode(from, bytes).expect("honest frames are whole").kind;
        if kind == HelperKeys::KIND.number() {
            secrets.extend(computed_of_keys(&parameters, &key, from, bytes));
        }
        if [Alpha::KIND, Beta::KIND, Deal::KIND, IndexOffset::KIND].iter().any(|of| of.number() == kind) {
            secrets.extend(payload(bytes));
        }
    }
    // Words that occur by themselves, such as an index of few bits, are no evidence.
    secrets.retain(|word| *word > 1 << 32);
    secrets
}

fn parameters(log_size: u32, row_words: usize) -> Result<Parameters, Error> {
    Parameters::new(SESSION, log_size)?.with_row_words(row_words)
}

/// A session that has loaded a memory. On the heap, so that what it holds itself is looked at too.
pub fn started<C: Compute + Clone>(
    log_size: u32,
    row_words: usize,
    compute: C,
) -> Result<Box<LocalSession<C>>, Error> {
    scrub_stack();
    let mut session = Box::new(LocalSession::new(parameters(log_size, row_words)?, SEEDS, compute));
    session.connect()?;
    session.load(memory_shares(log_size, row_words))?;
    Ok(session)
}

/// Every kind of operation; some items are left over.
pub fn operations<C: Compute>(session: &mut LocalSession<C>, row_words: usize) -> Result<(), Error> {
    session.preprocess(BATCH)?;
    let [a_0, a_1] = share(3, owners(1000));
    let [b_0, b_1] = share(30, owners(1001));
    let shares = session.read([&[a_0, b_0], &[a_1, b_1]])?;
    session.read([&shares[0][..1], &shares[1][..1]])?;
    // Rows are drawn by the owner one after another, who wipes them as well.
    let row = |number: Word| {
        let words = row_words as Word;
        Zeroizing::new((0..words).map(|word| owners(1002 + number * words + word)).collect::<Vec<_>>())
    };
    let at = |address: Word, row: &[Word]| Zeroizing::new([&[address][..], row].concat());
    session.update_rows(1, [&at(a_0, &row(0)), &at(a_1, &row(1))])?;
    session.write_row([b_0, b_1], [&row(2), &row(3)])?;
    session.swap_row([b_0, b_1], [&row(3), &row(4)])?;
    session.preprocess(Batch { reads: 1, updates: 1 })?;
    session.update_rows(1, [&at(a_0, &vec![1; row_words]), &at(a_1, &vec![2; row_words])])
}
