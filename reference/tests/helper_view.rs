//! What the helper must not be able to compute from all that it knows: its keys, its blinds, and what it is sent.
//!
//! Each test first computes, as the helper, what an implementation without the countermeasure would give away.

use crate::common::{Masks, SESSION};
use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::message::{HelperKeys, HelperUpdate, Shift, TreeShape};
use duoram_reference::{
    Batch, Compute, DpfShare, HEADER_LENGTH, Header, HelperReadQuery, Kind, LeafSums, Message, Parameters,
    PartyStream, Plain, Role, SessionKey, Word,
};

const LOG_SIZE: u32 = 10;
const ITEMS: usize = 4;
const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];

/// A session with one kind of item, preprocessed; K and the helper's keys `[from P0, from P1]`.
struct View {
    session: LocalSession,
    key: SessionKey,
    keys: [Vec<DpfShare>; 2],
}

/// The payload of the first message of a kind that a party sent to the helper.
fn sent(log: &[Delivery], kind: Kind, from: Role) -> &[u8] {
    let found = |delivery: &&Delivery| {
        let header = Header::decode(from, &delivery.frame.bytes).unwrap();
        (header.kind, header.from, header.to) == (kind.number(), from, Role::P2)
    };
    &log.iter().find(found).unwrap().frame.bytes[HEADER_LENGTH..]
}

fn view(batch: Batch) -> View {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let mut session = LocalSession::new(parameters, SEEDS, Plain).unwrap();
    session.record();
    session.connect().unwrap();
    let contributions = SEEDS.map(|seed| PartyStream::new(seed).block());
    let key = SessionKey::new(contributions.iter().fold(0, |sum, block| sum ^ block).to_le_bytes());
    session.load(Masks::new(1).share(&vec![7; 1 << LOG_SIZE])).unwrap();
    session.preprocess(batch).unwrap();
    let log = session.take_log();
    let keys = [Role::P0, Role::P1].map(|from| {
        let shape = TreeShape { log_size: LOG_SIZE, dpfs: ITEMS };
        HelperKeys::decode(shape, from, sent(&log, HelperKeys::KIND, from))
            .unwrap_or_else(|e| panic!("{e}"))
            .0
    });
    View { session, key, keys }
}

impl View {
    /// The owner's sums over the leaves of a key that the helper has.
    fn sums(&self, owner: Role, item: usize) -> LeafSums {
        let share = &self.keys[owner.index()][item];
        let mut forest = Plain.plant(&self.key, vec![*share.root()], LOG_SIZE);
        for correction in share.corrections() {
            Plain.grow(&mut forest);
            Plain.correct(&mut forest, &[*correction]);
        }
        Plain.leaf_sums(forest)[0]
    }

    /// A share of ri made of the key that the helper has.
    fn random_index(&self, owner: Role, item: usize) -> Word {
        let (share, sums) = (&self.keys[owner.index()][item], self.sums(owner, item));
        let unsigned = share
            .conversion_factor()
            .wrapping_mul(sums.index_flag_sum)
            .wrapping_sub(sums.index_conversion_sum);
        owner.sign().wrapping_mul(unsigned) % (1 << LOG_SIZE)
    }
}

const ADDRESSES: [Word; ITEMS] = [1, 2, 3, 1000];
const VALUES: [Word; ITEMS] = [10, 20, 30, 40];

fn words(payload: &[u8]) -> Vec<Word> {
    payload.as_chunks().0.iter().map(|bytes| Word::from_le_bytes(*bytes)).collect()
}

#[test]
fn the_helper_cannot_read_an_address_share_off_a_shift() {
    let mut view = view(Batch { reads: ITEMS, updates: 0 });
    let shares = Masks::new(2).share(&ADDRESSES);
    view.session.read([&shares[0], &shares[1]]).unwrap();
    let log = view.session.take_log();
    for from in [Role::P0, Role::P1] {
        let shifts = words(sent(&log, Shift::KIND, from));
        let guesses = (0..ITEMS).map(|item| (shifts[item] + view.random_index(from, item)) % (1 << LOG_SIZE));
        let right =
            guesses.zip(&shares[from.index()]).filter(|(guess, share)| *guess == **share % (1 << LOG_SIZE));
        assert_eq!(right.count(), 0);
    }
}

#[test]
fn the_helper_cannot_read_a_value_share_off_an_update() {
    let mut view = view(Batch { reads: 0, updates: ITEMS });
    let (addresses, values) = (Masks::new(3).share(&ADDRESSES), Masks::new(4).share(&VALUES));
    let updates = [0, 1].map(|b: usize| -> Vec<(Word, Word)> {
        addresses[b].iter().copied().zip(values[b].iter().copied()).collect()
    });
    view.session.update([&updates[0], &updates[1]]).unwrap();
    let log = view.session.take_log();
    for (from, position) in [(Role::P0, 1), (Role::P1, 2)] {
        let opened = words(sent(&log, HelperUpdate::KIND, from));
        for item in 0..ITEMS {
            let without_delta = from.sign().wrapping_mul(view.sums(from, item).value_sum).wrapping_neg();
            let guess = opened[3 * item + position].wrapping_sub(without_delta);
            assert_ne!(guess, values[from.index()][item]);
        }
    }
}

/// gamma is masked by rho, the next word of the helper's stream: `[duoram, Protocol 1, line 8]`.
#[test]
fn gamma_is_masked_by_the_helpers_next_word() {
    let mut view = view(Batch { reads: ITEMS, updates: 0 });
    let mut stream = PartyStream::new(SEEDS[2]);
    let dealt_for_each_dpf = LOG_SIZE as usize * 7 + 5;
    for _ in 0..2 + 3 * ITEMS * dealt_for_each_dpf {
        stream.word();
    }
    let shares = Masks::new(2).share(&ADDRESSES);
    view.session.read([&shares[0], &shares[1]]).unwrap();
    let log = view.session.take_log();
    let shifts = [Role::P0, Role::P1].map(|from| words(sent(&log, Shift::KIND, from)));
    let [dpf_2, dpf_3] = view.keys;
    let queries: Vec<_> = (dpf_2.into_iter().zip(dpf_3).enumerate())
        .map(|(item, (dpf_2, dpf_3))| {
            let shift = (shifts[0][item] + shifts[1][item]) % (1 << LOG_SIZE);
            HelperReadQuery { dpf_2, dpf_3, shift }
        })
        .collect();
    let products = Plain.unblinding(&view.key, view.session.helper().memory(), &queries);
    let gammas = [Role::P0, Role::P1].map(|to| {
        let gamma = |delivery: &&Delivery| (delivery.frame.from, delivery.frame.to) == (Role::P2, to);
        words(&log.iter().find(gamma).unwrap().frame.bytes[HEADER_LENGTH..])
    });
    for (item, [product_0, product_1]) in products.into_iter().enumerate() {
        let rho = stream.word();
        assert_eq!(gammas[0][item], rho.wrapping_sub(product_0));
        assert_eq!(gammas[1][item], product_1.wrapping_add(rho).wrapping_neg());
    }
}
