//! What each of two parties sees does not depend on the secrets: exhaustively, over 2-bit words and a memory of two words, as
//! `privacy.rs` says it of the protocol of three.
//!
//! Idealized: the OT (a receiver does not have the other block), the PRF of the masks (each key is asked at one place, and
//! answers itself), and the labels, which are uniform where a party does not know them. The PIR is the plain one: the
//! client sees the whole masked table.
#![allow(missing_docs)]

use crate::exhaustive::{Bits, View, independent_of_secrets, pack};
use duoram_spec::core::block::{Block, block_of_halves, flag, replicate};
use duoram_spec::core::du_atallah::{and_message, and_share};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::sub;
use duoram_spec::two_party::conversion::sum_share;
use duoram_spec::two_party::masks::Prf;
use duoram_spec::two_party::ot::{and_triple_from_ots, received};
use duoram_spec::two_party::party::{Party, ReadItem};
use duoram_spec::two_party::party_online::{read_answers, read_shifts};
use duoram_spec::two_party::party_preprocessing::made_update;
use duoram_spec::two_party::tape::tape;
use duoram_spec::two_party::update::{UpdateItem, message};

const BOTH: [Primary; 2] = [Primary::P0, Primary::P1];

fn other(role: Primary) -> Primary {
    if role == Primary::P0 { Primary::P1 } else { Primary::P0 }
}

/// A difference mod 2, the size of the memory.
fn rest(sum: u64, own: u64) -> u64 {
    sum.wrapping_sub(own) & 1
}

// ---------------------------------------------------------------- READ

/// A function whose value is its key: with h = 1, each key masks one word.
struct KeyItself;

impl Prf for KeyItself {
    fn value(&self, key: Block, _: Block) -> Block {
        key
    }
}

/// How the party that answers goes wrong.
#[derive(Clone, Copy, PartialEq)]
enum ReadFault {
    None,
    /// r is 0.
    NoBlind,
    /// The second READ is answered under the keys of the first.
    KeysTwice,
    /// Both READs are blinded by one word.
    BlindTwice,
}

/// What one party sees of two READs: shifts and answers of the other. Secrets: D, and both addresses.
fn read_view(fault: ReadFault, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let memory = secret.pair();
    let own_share = vec![z4(1), z4(3)];
    let mut views = vec![];
    let mut blinds = vec![];
    let mut pairs = vec![];
    for query in 0..2 {
        let target = secret.take(1);
        // Its key and its share of the address are 1: other ones change names of views and of secrets.
        let (own_index, own_address) = (known.take(1), 1);
        let block = |word: Z4| block_of_halves(0, word.to_u64());
        let (own_key, other_key) = (block(z4(1)), block(unknown.z4()));
        pairs.push(if own_index == 0 { (own_key, other_key) } else { (other_key, own_key) });
        blinds.push(unknown.take(2));
        let repeated = match fault {
            ReadFault::KeysTwice => (pairs[0], blinds[query]),
            ReadFault::BlindTwice => (pairs[query], blinds[0]),
            ReadFault::NoBlind => (pairs[query], 0),
            ReadFault::None => (pairs[query], blinds[query]),
        };
        let answering = Party {
            role: Primary::P0,
            log_size: 1,
            prg: (),
            prf: KeyItself,
            making: tape(&[]),
            blinds: tape(&[repeated.1]),
            memory_share: sub(&memory, &own_share),
            reads: vec![ReadItem { query_index: unknown.take(1), keys: vec![], pairs: vec![repeated.0] }],
            updates: vec![],
        };
        let address = rest(target, own_address);
        let answers = read_answers(&answering, &[address], &[rest(own_address, own_index)]);
        views.extend(read_shifts(&answering, &[address]));
        views.extend(answers[0].iter().map(|word| word.to_u64()));
    }
    pack(&views)
}

fn reads_tell_nothing(fault: ReadFault) -> bool {
    // known, of each READ: q_b; unknown: the other key, r, q; secret: D, two addresses. Both parties do the same.
    independent_of_secrets(2, 10, 6, |k, u, s| read_view(fault, k, u, s))
}

#[test]
fn read_views_do_not_depend_on_the_memory_or_the_addresses() {
    assert!(reads_tell_nothing(ReadFault::None));
}

#[test]
fn read_without_the_blind_is_told_apart() {
    assert!(!reads_tell_nothing(ReadFault::NoBlind));
}

#[test]
fn reads_under_the_same_keys_are_told_apart() {
    assert!(!reads_tell_nothing(ReadFault::KeysTwice));
}

#[test]
fn reads_with_one_blind_are_told_apart() {
    assert!(!reads_tell_nothing(ReadFault::BlindTwice));
}

// ---------------------------------------------------------------- UPDATE

/// A label of 4 bits: 2 of value, 1 of conversion word, and the flag.
fn label(value: u64, conversion: u64, flag: u64) -> Block {
    block_of_halves(conversion << 1 | flag, value)
}

/// How an UPDATE's item goes wrong.
#[derive(Clone, Copy, PartialEq)]
enum UpdateFault {
    None,
    /// The sum of the value words is opened too.
    ValueWordsOpened,
    /// One item serves two UPDATEs.
    ItemTwice,
}

/// What one party sees of an UPDATE and of the last message of its item. Secrets: i*, M; and those of a second UPDATE.
fn update_view(
    fault: UpdateFault,
    role: Primary,
    mut known: Bits,
    mut unknown: Bits,
    mut secret: Bits,
) -> View {
    let own: Vec<Block> = (0..2).map(|_| label(known.take(2), known.take(1), known.take(1))).collect();
    let ri = unknown.take(1);
    let at = usize::try_from(ri).unwrap();
    let mut others = own.clone();
    others[at] = label(unknown.take(2), unknown.take(1), u64::from(!flag(own[at])));
    let own_sum: Z4 = sum_share(role, &own);
    let others_sum: Z4 = sum_share(other(role), &others);
    let item: UpdateItem<Z4> = made_update(other(role), &others, own_sum);
    let mut view = vec![others_sum.to_u64()];
    if fault == UpdateFault::ValueWordsOpened {
        view.push(item.correction.to_u64());
    }
    for _ in 0..(if fault == UpdateFault::ItemTwice { 2 } else { 1 }) {
        let (target, m) = (secret.take(1), secret.z4());
        // Its own shares are 1 and 3: they change nothing but names of secrets.
        let sent = message(&item, rest(target, 1), m.minus(z4(3)));
        view.extend([sent.shift, sent.masked.to_u64()]);
    }
    pack(&view)
}

/// known: two leaves; unknown: ri, the other's leaf there; secret: i*, M.
fn updates_tell_nothing(fault: UpdateFault, secrets: u32) -> bool {
    BOTH.iter()
        .all(|role| independent_of_secrets(8, 4, secrets, |k, u, s| update_view(fault, *role, k, u, s)))
}

#[test]
fn update_views_do_not_depend_on_address_or_value() {
    assert!(updates_tell_nothing(UpdateFault::None, 3));
}

#[test]
fn update_is_told_apart_if_value_words_are_opened() {
    assert!(!updates_tell_nothing(UpdateFault::ValueWordsOpened, 3));
}

#[test]
fn update_with_one_item_twice_is_told_apart() {
    assert!(!updates_tell_nothing(UpdateFault::ItemTwice, 6));
}

// ---------------------------------------------------------------- triples

/// What one party sees of ANDs of shared bits and 2-bit words, given what it received in its OTs. The opened results are 0, for
/// the second operands are: so the other's bits may be any, and are the secrets.
fn and_view(bit_twice: bool, ands: usize, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let word = |bits: &mut Bits| Block::from(bits.take(2));
    let mut views = vec![];
    let mut first_bit = None;
    for _ in 0..ands {
        let own_pair = (word(&mut known), word(&mut known));
        let (own_bit, got) = (known.bool(), word(&mut known));
        let (x, y) = (Block::from(known.take(1)), 1);
        let drawn = unknown.bool();
        let others_bit = if bit_twice { *first_bit.get_or_insert(drawn) } else { drawn };
        let not_got = word(&mut unknown);
        let others_pair = if own_bit { (not_got, got) } else { (got, not_got) };
        let own = and_triple_from_ots(own_bit, &own_pair, received(&others_pair, own_bit));
        let others = and_triple_from_ots(others_bit, &others_pair, received(&own_pair, others_bit));
        let others_x = replicate(secret.bool());
        let (masked_x, masked_y) = and_message(others_x, y, &others);
        let share = and_share(others_x, y, &others, and_message(replicate(x == 1), y, &own));
        views.extend([u64::from(flag(masked_x)), low(masked_y), low(share)]);
    }
    pack(&views)
}

fn low(block: Block) -> u64 {
    u64::try_from(block & 3).unwrap()
}

/// known, of each AND: both blocks sent, X, the block received, x; unknown: the other's X and its other block; secret: its bits.
fn ands_tell_nothing(bit_twice: bool, ands: u32) -> bool {
    independent_of_secrets(8 * ands, 3 * ands, ands, |k, u, s| and_view(bit_twice, ands as usize, k, u, s))
}

#[test]
fn the_view_of_an_and_does_not_depend_on_the_other_bit() {
    assert!(ands_tell_nothing(false, 1));
}

#[test]
fn ands_are_told_apart_if_a_bit_masks_twice() {
    assert!(!ands_tell_nothing(true, 2));
}
