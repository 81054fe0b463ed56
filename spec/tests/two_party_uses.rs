//! What two parties draw, say and use up, step by step, with more than one query in a step and more than one item in a batch:
//! said here in words, and compared with no file. `two_party_locality.rs` follows each word of a session of single queries.
#![allow(missing_docs)]

use duoram_spec::core::prg::AesPrg;
use duoram_spec::two_party::masks::AesPrf;
use duoram_spec::two_party::party::Party;
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::session::{
    Ots, Sent, Session, Step, Words, connect, follow, load, preprocess, reads, swap, updates, write,
};
use duoram_vectors::Random;

type TwoParties = Session<u64, AesPrg, AesPrf>;
type OneOfTwo = Party<u64, AesPrg, AesPrf>;
type Done = Step<u64, AesPrg, AesPrf>;

/// h
const LOG_SIZE: usize = 2;

/// Of each kind in a batch.
const ITEMS: usize = 3;

/// The words of an item for a READ: q.
const READ: usize = 1;

/// Of one for an UPDATE: its share of ri, a root of two words, X of all levels.
const UPDATE: usize = 4;

/// All that a session is made of, with words for two batches.
#[derive(Clone)]
struct Inputs {
    words: [Words; 2],
    memory: [Vec<u64>; 2],
    ots: [Ots; 2],
    queries: [(Query<u64>, Query<u64>); 2],
}

fn inputs(seed: u64) -> Inputs {
    let mut r = Random(seed);
    let making = 2 + 2 * ITEMS * (READ + UPDATE);
    let mut words = || Words { making: r.words(making), blinds: r.words(2 * ITEMS) };
    let words = [words(), words()];
    let memory = [r.words(1 << LOG_SIZE), r.words(1 << LOG_SIZE)];
    let ots = [r.ots(LOG_SIZE, 2 * ITEMS), r.ots(LOG_SIZE, 2 * ITEMS)];
    let mut query = || Query { address: r.word(), value: r.word() };
    Inputs { words, memory, ots, queries: [(query(), query()), (query(), query())] }
}

fn connected(inputs: &Inputs) -> Done {
    connect(LOG_SIZE, &inputs.words[0], &inputs.words[1])
}

fn loaded(inputs: &Inputs) -> Done {
    load(connected(inputs).session, &inputs.memory[0], &inputs.memory[1])
}

/// With a first batch.
fn prepared(inputs: &Inputs) -> Done {
    preprocess(loaded(inputs).session, ITEMS, ITEMS, &inputs.ots[0])
}

/// The addresses of both queries.
fn addresses(inputs: &Inputs) -> [(u64, u64); 2] {
    inputs.queries.map(|(query_0, query_1)| (query_0.address, query_1.address))
}

fn parties(session: &TwoParties) -> [&OneOfTwo; 2] {
    [&session.p0, &session.p1]
}

/// Each step that uses items, with how many READ items and UPDATE items it uses.
fn online(inputs: &Inputs, session: &TwoParties) -> Vec<(&'static str, Done, usize, usize)> {
    let session = || session.clone();
    let read = reads(session(), &addresses(inputs));
    let following = follow(session(), &read.results);
    vec![
        ("read", read, 2, 0),
        ("follow", following, 2, 0),
        ("update", updates(session(), &inputs.queries), 0, 2),
        ("write", write(session(), inputs.queries[0]), 1, 1),
        ("swap", swap(session(), inputs.queries[1]), 1, 1),
    ]
}

/// "Each word is drawn once": what is drawn next stands behind all that a step has used.
#[test]
fn a_step_moves_both_tapes_by_what_it_used() {
    let inputs = inputs(1);
    let places = |session: &TwoParties| parties(session).map(|p| (p.making.position, p.blinds.position));
    assert_eq!(places(&connected(&inputs).session), [(2, 0); 2], "the contribution to K");
    assert_eq!(places(&loaded(&inputs).session), [(2, 0); 2]);
    let first = prepared(&inputs).session;
    assert_eq!(places(&first), [(2 + ITEMS * (READ + UPDATE), 0); 2]);
    for (name, step, reads, _) in online(&inputs, &first) {
        assert_eq!(
            places(&step.session),
            [(2 + ITEMS * (READ + UPDATE), reads); 2],
            "{name}: a blind a READ"
        );
    }
    let of_reads = preprocess(first.clone(), 2, 0, &inputs.ots[1]).session;
    assert_eq!(places(&of_reads), [(2 + ITEMS * (READ + UPDATE) + 2 * READ, 0); 2]);
    let of_updates = preprocess(first, 0, 1, &inputs.ots[1]).session;
    assert_eq!(places(&of_updates), [(2 + ITEMS * (READ + UPDATE) + UPDATE, 0); 2]);
}

/// "Preprocessed items are used once": what a step uses is gone, the oldest first, and what it does not use stays.
#[test]
fn a_step_leaves_the_items_that_it_did_not_use() {
    let inputs = inputs(2);
    let first = prepared(&inputs).session;
    let both = preprocess(first.clone(), ITEMS, ITEMS, &inputs.ots[1]).session;
    for (party, before) in parties(&both).into_iter().zip(parties(&first)) {
        assert_eq!((party.reads.len(), party.updates.len()), (2 * ITEMS, 2 * ITEMS));
        assert_eq!(
            (&party.reads[..ITEMS], &party.updates[..ITEMS]),
            (&before.reads[..], &before.updates[..])
        );
    }
    for (name, step, reads, updates) in online(&inputs, &both) {
        for (party, before) in parties(&step.session).into_iter().zip(parties(&both)) {
            assert_eq!(party.reads, before.reads[reads..], "{name}");
            assert_eq!(party.updates, before.updates[updates..], "{name}");
        }
    }
}

/// The answers of a party to the READs of one step, a table each.
fn answers(sent: &[Sent], from: u8) -> Vec<Vec<u8>> {
    let message = sent.iter().find(|m| (m.kind, m.from) == (10, from)).unwrap();
    message.payload.chunks(8 << LOG_SIZE).map(<[u8]>::to_vec).collect()
}

/// Which of two lists' entries differ.
fn differing<T: PartialEq>(a: &[T], b: &[T]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    (0..a.len()).filter(|place| a[*place] != b[*place]).collect()
}

/// Step 2 of section 5: r_b is drawn for each READ, and all 64 bits of it count; of one step as of two.
#[test]
fn each_read_of_a_step_has_a_blind_of_its_own() {
    let whole = inputs(3);
    let run = |inputs: &Inputs| reads(prepared(inputs).session, &addresses(inputs)).sent;
    let before = run(&whole);
    for (party, from) in [(0, 0), (1, 1)] {
        for read in 0..2 {
            for bit in 0..64 {
                let mut changed = whole.clone();
                changed.words[party].blinds[read] ^= 1 << bit;
                let after = run(&changed);
                assert_eq!(differing(&answers(&before, from), &answers(&after, from)), [read], "bit {bit}");
                assert_eq!(answers(&before, 1 - from), answers(&after, 1 - from));
            }
        }
    }
}

/// Both keys of each level of a READ item mask words of one table, whole: half of its words are under the one, half under the other.
#[test]
fn each_key_masks_half_of_one_table() {
    let whole = inputs(4);
    let run = |inputs: &Inputs| reads(prepared(inputs).session, &addresses(inputs)).sent;
    let before = run(&whole);
    for number in 0..2 * LOG_SIZE {
        for (second, bit) in [false, true].into_iter().flat_map(|second| [3, 77].map(|bit| (second, bit))) {
            let mut changed = whole.clone();
            let pair = &mut changed.ots[0].from_0[number];
            *(if second { &mut pair.1 } else { &mut pair.0 }) ^= 1 << bit;
            let (before, after) = (answers(&before, 0), answers(&run(&changed), 0));
            let (read, level) = (number / LOG_SIZE, number % LOG_SIZE);
            assert_eq!(differing(&before, &after), [read]);
            let words = |table: &[u8]| table.chunks(8).map(<[u8]>::to_vec).collect::<Vec<_>>();
            let under: Vec<usize> =
                (0..1 << LOG_SIZE).filter(|x| (x >> (LOG_SIZE - 1 - level) & 1 == 1) == second).collect();
            assert_eq!(differing(&words(&before[read]), &words(&after[read])), under);
        }
    }
}

/// A key masks each word of its half by another word: what the keys of the lowest level differ by under one key of the highest is not
/// what they differ by under the other.
#[test]
fn words_under_one_key_have_other_masks() {
    let mut inputs = inputs(9);
    inputs.memory = [vec![5; 1 << LOG_SIZE], vec![7; 1 << LOG_SIZE]];
    let sent = reads(prepared(&inputs).session, &addresses(&inputs)).sent;
    for table in [0, 1].into_iter().flat_map(|from| answers(&sent, from)) {
        let words: Vec<u64> = table.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
        assert_ne!(words[0].wrapping_sub(words[1]), words[2].wrapping_sub(words[3]));
    }
}

/// Each READ item has a q of its own, and each UPDATE item ri and root of its own: a change of one changes that item's, at both parties
/// where both know of it, and no other item's.
#[test]
fn each_item_of_a_batch_is_of_words_of_its_own() {
    let whole = inputs(5);
    let before = prepared(&whole).session;
    for party in 0..2 {
        let items = |session: &TwoParties| {
            let own = parties(session)[party];
            let indices: Vec<u64> = own.reads.iter().map(|item| item.query_index).collect();
            (indices, own.updates.clone())
        };
        let changes = |word: usize, bit: u32| {
            let mut changed = whole.clone();
            changed.words[party].making[word] ^= 1 << bit;
            let ((reads, updates), (new_reads, new_updates)) =
                (items(&before), items(&prepared(&changed).session));
            (differing(&reads, &new_reads), differing(&updates, &new_updates))
        };
        for item in 0..ITEMS {
            for bit in 0..2 {
                assert_eq!(changes(2 + item, bit), (vec![item], vec![]), "q, the lowest h bits of a word");
            }
            let start = 2 + ITEMS * READ + item * UPDATE;
            for bit in 0..2 {
                assert_eq!(changes(start, bit), (vec![], vec![item]), "ri, the lowest h bits of a word");
            }
            for (word, bit) in [(1, 1), (1, 63), (2, 0), (2, 63)] {
                assert_eq!(changes(start + word, bit), (vec![], vec![item]), "the root, but for its flag");
            }
            assert_eq!(changes(start + 3, 0), (vec![], vec![]), "X is gone with the triple");
        }
    }
}

/// X of each level of each triple is drawn: a change of it changes what its level says, and of the next levels nothing.
#[test]
fn each_level_of_each_dpf_has_a_triple_bit_of_its_own() {
    let whole = inputs(6);
    let before = prepared(&whole).sent;
    for item in 0..ITEMS {
        for level in 0..LOG_SIZE {
            let mut changed = whole.clone();
            changed.words[0].making[2 + ITEMS * READ + item * UPDATE + 3] ^= 1 << (LOG_SIZE - 1 - level);
            let after = prepared(&changed).sent;
            let said: Vec<_> = differing(&before, &after).into_iter().map(|place| &before[place]).collect();
            assert!(!said.is_empty());
            let level = u32::try_from(level).unwrap();
            assert!(said.iter().all(|m| [6, 7].contains(&m.kind) && m.round == level), "{item}, {level}");
        }
    }
}

/// Which kinds P0 says, and P1 after it: one of each to the other, and nothing else.
fn kinds(sent: &[Sent]) -> Vec<u8> {
    let of = |from: u8| {
        sent.iter().filter(|m| m.from == from && m.to == 1 - from).map(|m| m.kind).collect::<Vec<_>>()
    };
    assert_eq!(of(0), of(1));
    assert_eq!(2 * of(0).len(), sent.len());
    of(0)
}

/// The table of messages: a result, a share or an address is sent by nobody.
#[test]
fn each_step_says_what_it_should_and_nothing_else() {
    let inputs = inputs(7);
    assert_eq!(kinds(&connected(&inputs).sent), [1, 3]);
    assert!(kinds(&loaded(&inputs).sent).is_empty(), "a party's share of the memory is its own");
    let first = prepared(&inputs);
    assert_eq!(kinds(&first.sent), [5, 6, 7, 6, 7, 8]);
    for (name, step, reads, updates) in online(&inputs, &first.session) {
        let expected = [vec![9, 10], vec![11]];
        let expected = [(&expected[0], reads), (&expected[1], updates)];
        let expected: Vec<u8> = expected
            .iter()
            .filter(|(_, items)| *items > 0)
            .flat_map(|(kinds, _)| kinds.iter().copied())
            .collect();
        assert_eq!(kinds(&step.sent), expected, "{name}");
        for message in &step.sent {
            let words = match message.kind {
                9 => reads,
                10 => reads << LOG_SIZE,
                _ => 2 * updates,
            };
            assert_eq!(message.payload.len(), 8 * words, "{name}, kind {}", message.kind);
        }
    }
}

/// Shifts are taken mod n: of a share of an address nothing above its h bits is in any message.
#[test]
fn what_is_above_an_address_is_said_to_nobody() {
    let whole = inputs(8);
    let before = prepared(&whole).session;
    let mut changed = whole.clone();
    for (query_0, query_1) in &mut changed.queries {
        query_0.address ^= 0b1011 << LOG_SIZE;
        query_1.address ^= 1 << 63;
    }
    for ((name, step, ..), (_, other, ..)) in online(&whole, &before).iter().zip(online(&changed, &before)) {
        assert_eq!(step.sent, other.sent, "{name}");
    }
}
