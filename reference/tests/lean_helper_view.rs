//! The lean protocol: what the helper must not be able to compute from all that it knows, and what it could if it heard what P0
//! and P1 say to each other.
//!
//! Each test first computes, as the helper, what an implementation without the countermeasure would give away.

use crate::common::lean::{share, zip};
use crate::common::{Masks, SESSION};
use duoram_reference::lean::Plain;
use duoram_reference::lean::local::LocalSession;
use duoram_reference::lean::message::{
    BatchShape, Deal, HelperKeys, IndexOffset, Shift, Unblinding, Update, Write,
};
use duoram_reference::local::Delivery;
use duoram_reference::{
    Batch, Block, HEADER_LENGTH, Header, Kind, Message, Parameters, PartyStream, Role, SessionKey, Word,
};

/// All of ri chooses a flag on the one node: an index offset tells everything or nothing.
const LOG_SIZE: u32 = 7;
/// The levels of UPDATE items.
const LEVELS: usize = 4;
const ITEMS: usize = 4;
const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];
const ADDRESSES: [Word; ITEMS] = [1, 2, 3, 100];
const VALUES: [Word; ITEMS] = [10, 20, 30, 40];

/// The payload of the first message of a kind from one party to another.
fn sent(log: &[Delivery], kind: Kind, from: Role, to: Role) -> &[u8] {
    let found = |delivery: &&Delivery| {
        let header = Header::decode(delivery.frame.from, &delivery.frame.bytes).unwrap();
        (header.kind, header.from, header.to) == (kind.number(), from, to)
    };
    &log.iter().find(found).unwrap().frame.bytes[HEADER_LENGTH..]
}

fn words(payload: &[u8]) -> Vec<Word> {
    payload.as_chunks().0.iter().map(|bytes| Word::from_le_bytes(*bytes)).collect()
}

/// A session with one kind of item, preprocessed, and what was said.
fn prepared(batch: Batch) -> (LocalSession, Vec<Delivery>) {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let mut session = LocalSession::new(parameters, SEEDS, Plain);
    session.record();
    session.connect().unwrap();
    session.load(share(&mut Masks::new(1), &[7; 1 << LOG_SIZE])).unwrap();
    session.preprocess(batch).unwrap();
    let log = session.take_log();
    (session, log)
}

/// The stream that the helper shares with a primary for an item: `PROTOCOL.md`, part two, "Randomness".
fn stream(with: Role, item: u64) -> PartyStream {
    let contribution = |from: Role, to: Role| {
        let mut stream = PartyStream::new(SEEDS[from.index()]);
        let _of_key: Block = stream.block();
        let mut words = [(); 8].map(|()| stream.word()).to_vec();
        words.split_off(4 * usize::from(from.peers()[1] == to)).into_iter().take(4)
    };
    let pairs = contribution(with, Role::P2).zip(contribution(Role::P2, with));
    let seed: Vec<u8> = pairs.flat_map(|(own, theirs)| (own ^ theirs).to_le_bytes()).collect();
    PartyStream::numbered(&seed.try_into().unwrap(), item + 1)
}

fn skip(stream: &mut PartyStream, count: usize) {
    (0..count).for_each(|_| _ = stream.word());
}

/// What the helper knows of an item: r of DPF a; of UPDATE items R'_0 of DPF a; rho; of UPDATE items `y_02 + y_12`.
struct Known {
    r: Word,
    value_0: Word,
    rho: Word,
    write_mask: Word,
}

fn known(item: u64, update: bool) -> Known {
    let levels = if update { LEVELS } else { 0 };
    let (mut with_0, mut with_1) = (stream(Role::P0, item), stream(Role::P1, item));
    // Levels, u_0, r_0, and of UPDATE items U_0 and R'_0, of a and of b.
    skip(&mut with_0, 5 * levels + 2);
    let r_0 = with_0.word();
    let mut value_0 = 0;
    if update {
        skip(&mut with_0, 8);
        value_0 = with_0.word();
        skip(&mut with_0, 5 * levels + 2 + 1 + 9);
    }
    // Levels and r_1, of a and of b.
    skip(&mut with_1, 3 * levels);
    let r_1 = with_1.word();
    skip(&mut with_1, 3 * levels + 1);
    let rho = with_1.word();
    let write_mask = with_0.word() ^ with_1.word();
    Known { r: (r_0 ^ r_1) % (1 << LOG_SIZE), value_0, rho, write_mask }
}

/// Its own messages apart, the helper sees shifts; with the index offsets, which P0 and P1 send to each other only, they would
/// tell it every address.
#[test]
fn the_helper_would_learn_every_address_from_what_p0_and_p1_say_to_each_other() {
    let (mut session, preparing) = prepared(Batch { reads: ITEMS, updates: 0 });
    let offsets = [(Role::P0, Role::P1), (Role::P1, Role::P0)]
        .map(|(from, to)| sent(&preparing, IndexOffset::KIND, from, to));
    let shares = share(&mut Masks::new(2), &ADDRESSES);
    session.read([&shares[0], &shares[1]]).unwrap();
    let log = session.take_log();
    let shifts = [Role::P0, Role::P1].map(|from| sent(&log, Shift::KIND, from, Role::P2));
    let guesses = |heard: bool| {
        (0..ITEMS).map(move |item| {
            let e = if heard { offsets[0][2 * item] ^ offsets[1][2 * item] } else { 0 };
            let ri = known(item as u64, false).r ^ Word::from(e);
            Word::from(shifts[0][item] ^ shifts[1][item]) ^ ri
        })
    };
    assert!(guesses(true).eq(ADDRESSES), "whoever hears both knows ri");
    assert_eq!(guesses(false).zip(ADDRESSES).filter(|(guess, address)| guess == address).count(), 0);
    for delivery in &preparing {
        let header = Header::decode(delivery.frame.from, &delivery.frame.bytes).unwrap();
        let of_opening = IndexOffset::KIND.number() == header.kind;
        assert!(!of_opening || header.to != Role::P2, "no index offset is for the helper");
    }
}

/// `m_1` is masked by x, for the helper has dealt `f^a_1`; and `F_a` by `G_a`, for it has dealt the rest of `R_a`.
#[test]
fn the_helper_cannot_read_a_value_off_an_update() {
    let (mut session, preparing) = prepared(Batch { reads: 0, updates: ITEMS });
    let shape = BatchShape { log_size: LOG_SIZE, row_words: 1, batch: Batch { reads: 0, updates: ITEMS } };
    let payload = sent(&preparing, Deal::KIND, Role::P2, Role::P1);
    let Ok(deal) = Deal::decode(shape, Role::P2, payload) else { panic!("a deal") };
    let (addresses, values) = (share(&mut Masks::new(3), &ADDRESSES), share(&mut Masks::new(4), &VALUES));
    let [of_0, of_1] = zip(&addresses, &values);
    session.update([&of_0, &of_1]).unwrap();
    let log = session.take_log();
    let masked = [Role::P0, Role::P1].map(|from| {
        let payload = sent(&log, Update::KIND, from, Role::P2);
        // One byte for each address.
        words(&payload[ITEMS..])
    });
    for item in 0..ITEMS {
        let (value_0, value_1) = (known(item as u64, true).value_0, deal.value_shares[2 * item][0]);
        assert_ne!(masked[0][item] ^ value_0, values[0][item], "M_0");
        assert_ne!(masked[1][item] ^ value_1, values[1][item], "M_1");
        assert_ne!(masked[0][item] ^ masked[1][item] ^ value_0 ^ value_1, VALUES[item], "M");
    }
}

/// A and B of P2.
type Vectors = [Vec<Word>; 2];

/// The helper's part of a READ at a shift, from its keys of a and b: `<t^b_1<S>, A> + <t^a_0<S>, B>`.
fn part([alpha, beta]: &Vectors, flags: [Block; 2], shift: usize) -> Word {
    let [t_a, t_b] = flags.map(|flags| move |i: usize| flags >> (i ^ shift) & 1 == 1);
    let words = |t: &dyn Fn(usize) -> bool, vector: &[Word]| {
        vector.iter().enumerate().filter(|(i, _)| t(*i)).fold(0, |sum, (_, word)| sum ^ word)
    };
    words(&t_b, alpha) ^ words(&t_a, beta)
}

/// g and the helper's part of a WRITE are its part of a READ, each under words that nobody takes for anything else.
#[test]
fn what_the_helper_sends_is_masked_by_words_of_the_items_streams() {
    let batch = Batch { reads: 1, updates: 2 };
    let (mut session, preparing) = prepared(batch);
    let contributions = SEEDS.map(|seed| PartyStream::new(seed).block());
    let key = SessionKey::new(contributions.iter().fold(0, |sum, block| sum ^ block).to_le_bytes());
    let keys = [Role::P0, Role::P1].map(|from| {
        let payload = sent(&preparing, HelperKeys::KIND, from, Role::P2);
        let decoded =
            HelperKeys::decode(BatchShape { log_size: LOG_SIZE, row_words: 1, batch }, from, payload);
        decoded.unwrap_or_else(|error| panic!("{error}")).keys
    });
    for (item, swap) in [(0, None), (1, Some(false)), (2, Some(true))] {
        let (_, _, helper) = session.parties();
        let vectors = [helper.memory().alpha.clone(), helper.memory().beta.clone()];
        match swap {
            None => _ = session.read([&[5], &[9]]).unwrap(),
            Some(false) => session.write([5, 9], [1, 2]).unwrap(),
            Some(true) => _ = session.swap([5, 9], [1, 2]).unwrap(),
        }
        let log = session.take_log();
        let shift = [Role::P0, Role::P1]
            .map(|from| usize::from(sent(&log, Shift::KIND, from, Role::P2)[0]))
            .iter()
            .fold(0, |sum, share| sum ^ share);
        let part = part(&vectors, keys.each_ref().map(|of| of[item].flags(&key, LOG_SIZE)[0]), shift);
        let known = known(item as u64, swap.is_some());
        if swap != Some(false) {
            assert_eq!(words(sent(&log, Unblinding::KIND, Role::P2, Role::P0)), [part ^ known.rho]);
        }
        if swap.is_some() {
            for to in Role::P2.peers() {
                assert_eq!(words(sent(&log, Write::KIND, Role::P2, to)), [part ^ known.write_mask]);
            }
        }
    }
}
