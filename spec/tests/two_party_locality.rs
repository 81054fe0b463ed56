//! Each of two parties alone: fed with nothing but the bytes that the other sent it, it does and says what it does in the session.
//!
//! And what the words of its tapes and the blocks of its OTs are for: each is changed by itself, and what must change does, and
//! nothing else of what is sent.
#![allow(missing_docs)]

use duoram_spec::core::bytes::{blocks_bytes, blocks_of_bytes, words_bytes, words_of_bytes};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::Primary;
use duoram_spec::two_party::masks::{AesPrf, aes_prf};
use duoram_spec::two_party::ot::received_all;
use duoram_spec::two_party::party::{Party, contribution, loaded, session_prg, started};
use duoram_spec::two_party::party_online::{
    Query, after_reads, read_answers, read_results, read_shifts, update_messages, updates, write_query,
};
use duoram_spec::two_party::party_preprocessing::{
    batch_openings, batch_operands, batch_sums, begun, choices, grown_batch, made_reads, prepared,
};
use duoram_spec::two_party::payload;
use duoram_spec::two_party::session::{self, Ots, Sent, Session, Words};
use duoram_spec::two_party::tape::{CONTRIBUTION_WORDS, READ_WORDS, UPDATE_WORDS};
use duoram_vectors::Random;

const LOG_SIZE: usize = 2;
const READS: usize = 2;
const UPDATES: usize = 1;
const ITEMS: usize = READS + UPDATES;

/// All that a session of a load, a batch, a READ and a SWAP is made of: of each party, and of the ideal OT.
#[derive(Clone)]
struct Inputs {
    words: [Words; 2],
    memory: [Vec<u64>; 2],
    ots: Ots,
    address: [u64; 2],
    query: [Query<u64>; 2],
}

fn inputs(seed: u64) -> Inputs {
    let mut r = Random(seed);
    let making = CONTRIBUTION_WORDS + READS * READ_WORDS + UPDATES * UPDATE_WORDS;
    let mut words = || Words { making: r.words(making), blinds: r.words(READS) };
    let words = [words(), words()];
    let memory = [r.words(1 << LOG_SIZE), r.words(1 << LOG_SIZE)];
    let address = [r.word(), r.word()];
    let query = [0; 2].map(|_| Query { address: r.word(), value: r.word() });
    Inputs { words, memory, ots: r.ots(LOG_SIZE, ITEMS), address, query }
}

struct Run {
    session: Session<u64, AesPrg, AesPrf>,
    sent: Vec<Sent>,
    /// P0's and P1's shares of the words that the READ and the SWAP found.
    results: [Vec<u64>; 2],
}

fn run(inputs: &Inputs) -> Run {
    let connected = session::connect(LOG_SIZE, &inputs.words[0], &inputs.words[1]);
    let loaded = session::load(connected.session, &inputs.memory[0], &inputs.memory[1]);
    let prepared = session::preprocess(loaded.session, READS, UPDATES, &inputs.ots);
    let read = session::reads(prepared.session, &[(inputs.address[0], inputs.address[1])]);
    let swapped = session::swap(read.session, (inputs.query[0], inputs.query[1]));
    let found: Vec<(u64, u64)> = [read.results, swapped.results].concat();
    Run {
        session: swapped.session,
        sent: [connected.sent, prepared.sent, read.sent, swapped.sent].concat(),
        results: [found.iter().map(|r| r.0).collect(), found.iter().map(|r| r.1).collect()],
    }
}

/// One party by itself, with what the other says to it at hand.
struct Alone<'a> {
    /// What it is sent, in order.
    inbox: std::vec::IntoIter<&'a Sent>,
    /// Kinds and payloads that it sends.
    said: Vec<(u8, Vec<u8>)>,
}

impl Alone<'_> {
    /// Sends a message, and takes the one that comes for it.
    fn exchange(&mut self, kind: u8, payload: Vec<u8>) -> Vec<u8> {
        self.said.push((kind, payload));
        let received = self.inbox.next().unwrap();
        assert_eq!(received.kind, kind);
        received.payload.clone()
    }

    /// The whole session of [`run`]. `sent` and `received` are what it has of the OTs.
    fn run(
        &mut self,
        role: Primary,
        own: &Inputs,
        ot: OtOfParty<'_>,
    ) -> (Party<u64, AesPrg, AesPrf>, Vec<u64>) {
        let me = usize::from(role == Primary::P1);
        let words = &own.words[me];
        let mine = contribution(&words.making);
        let (theirs, log_size) = payload::hello_of(&self.exchange(1, payload::hello(mine, LOG_SIZE)));
        assert_eq!(log_size, LOG_SIZE);
        assert!(self.exchange(3, vec![]).is_empty());
        let prg = session_prg(mine, theirs);
        let party = started(role, LOG_SIZE, prg.clone(), aes_prf(), &words.making, &words.blinds);
        let party = loaded(party, &own.memory[me]);

        let got = (ot)(&choices(&party, READS, UPDATES));
        let sent = if me == 0 { &own.ots.from_0 } else { &own.ots.from_1 };
        let reads = made_reads(&party, READS, sent, &got);
        let mut batch = begun(&party, READS, UPDATES, sent, &got);
        assert!(self.exchange(5, vec![]).is_empty());
        for level in 0..LOG_SIZE {
            let operands = batch_operands(&prg, &batch, level);
            let operands =
                payload::operands_of_bytes(&self.exchange(6, payload::operands_bytes(&operands)), UPDATES);
            let openings = batch_openings(&prg, &batch, level, &operands);
            let openings = blocks_of_bytes(&self.exchange(7, blocks_bytes(&openings)));
            batch = grown_batch(&prg, &batch, level, &operands, &openings);
        }
        let sums: Vec<u64> = batch_sums(role, &batch);
        let sums: Vec<u64> = payload::ring_of_bytes(&self.exchange(8, payload::ring_bytes(&sums)));
        let party = prepared(party, &reads, &batch, &sums);

        let (party, first) = self.read(party, own.address[me]);
        let query = own.query[me];
        let (party, second) = self.read(party, query.address);
        let messages = update_messages(&party, &[write_query(&query, &second)]);
        let others = payload::updates_of(&self.exchange(11, payload::updates(&messages)), 1);
        (updates(party, &messages, &others), [first, second].concat())
    }

    fn read(
        &mut self,
        party: Party<u64, AesPrg, AesPrf>,
        address: u64,
    ) -> (Party<u64, AesPrg, AesPrf>, Vec<u64>) {
        let shifts = words_bytes(&read_shifts(&party, &[address]));
        let shifts = words_of_bytes(&self.exchange(9, shifts));
        let answers = payload::tables(&read_answers(&party, &[address], &shifts));
        let answers = payload::tables_of(&self.exchange(10, answers), 1 << LOG_SIZE, 1);
        let results = read_results(&party, &answers);
        (after_reads(party, 1), results)
    }
}

/// What a party receives in the OTs for its choices.
type OtOfParty<'a> = &'a dyn Fn(&[bool]) -> Vec<u128>;

/// Nothing of the other party is at hand: its inputs are taken away.
#[test]
fn each_party_alone_says_what_it_says_in_the_session() {
    let whole = inputs(11);
    let expected = run(&whole);
    for (me, role) in [(0, Primary::P0), (1, Primary::P1)] {
        let mut own = inputs(0);
        own.words[me] = whole.words[me].clone();
        own.memory[me] = whole.memory[me].clone();
        (own.address[me], own.query[me]) = (whole.address[me], whole.query[me]);
        let others_pairs = if me == 0 {
            own.ots.from_0 = whole.ots.from_0.clone();
            whole.ots.from_1.clone()
        } else {
            own.ots.from_1 = whole.ots.from_1.clone();
            whole.ots.from_0.clone()
        };
        let to_me: Vec<&Sent> = expected.sent.iter().filter(|m| usize::from(m.to) == me).collect();
        let mut alone = Alone { inbox: to_me.into_iter(), said: vec![] };
        let (party, results) = alone.run(role, &own, &|choices| received_all(&others_pairs, choices));
        let said: Vec<(u8, Vec<u8>)> = expected
            .sent
            .iter()
            .filter(|m| usize::from(m.from) == me)
            .map(|m| (m.kind, m.payload.clone()))
            .collect();
        assert_eq!(alone.said, said);
        assert_eq!(alone.inbox.count(), 0);
        assert_eq!(results, expected.results[me]);
        let in_session = if me == 0 { &expected.session.p0 } else { &expected.session.p1 };
        assert_eq!(&party, in_session);
    }
}

/// What differs between two runs: of each message that does its sender, its kind and its round, once.
fn differences(a: &Run, b: &Run) -> Vec<(u8, u8, u32)> {
    assert_eq!(a.sent.len(), b.sent.len());
    let differing = a.sent.iter().zip(&b.sent).filter(|(x, y)| x.payload != y.payload);
    let mut kinds: Vec<_> = differing.map(|(x, _)| (x.from, x.kind, x.round)).collect();
    kinds.dedup();
    kinds
}

/// What a word of P0's making stream is for, by the first message that it changes: P0 sends it, and before it nobody anything else.
#[test]
fn each_word_that_things_are_made_from_is_used_where_it_should_be() {
    let whole = inputs(12);
    let before = run(&whole);
    let first_use = |word: usize, bit: u32| {
        let mut changed = whole.clone();
        changed.words[0].making[word] ^= 1 << bit;
        differences(&before, &run(&changed)).first().copied()
    };
    let used = |word: usize| first_use(word, 0);
    // The contribution to K, both halves.
    assert_eq!((used(0), used(1)), (Some((0, 1, 0)), Some((0, 1, 0))));
    // q of both READ items: h bits each, first of all in the shift.
    assert_eq!((used(2), used(3)), (Some((0, 9, 0)), Some((0, 9, 0))));
    assert_eq!((first_use(2, 1), first_use(2, 2)), (Some((0, 9, 0)), None));
    // The UPDATE item's share of ri, its bits one a level, from the upper one down.
    assert_eq!((first_use(4, 1), first_use(4, 0), first_use(4, 2)), (Some((0, 6, 0)), Some((0, 6, 1)), None));
    // The root but for its flag.
    assert_eq!((first_use(5, 0), first_use(5, 1), used(6)), (None, Some((0, 6, 0)), Some((0, 6, 0))));
    // X of each level's triple.
    assert_eq!((first_use(7, 1), first_use(7, 0), first_use(7, 2)), (Some((0, 6, 0)), Some((0, 6, 1)), None));
    assert_eq!(whole.words[0].making.len(), 8);
}

/// The blinds: each of one READ's answer, by P0, and of both shares of its result alone.
#[test]
fn each_blind_is_of_one_read() {
    let whole = inputs(13);
    let before = run(&whole);
    for read in 0..READS {
        let mut changed = whole.clone();
        changed.words[0].blinds[read] = changed.words[0].blinds[read].wrapping_add(1 << 40);
        let after = run(&changed);
        let answers = |run: &Run| -> Vec<Vec<u8>> {
            run.sent.iter().filter(|m| (m.kind, m.from) == (10, 0)).map(|m| m.payload.clone()).collect()
        };
        for query in 0..READS {
            assert_eq!(answers(&before)[query] != answers(&after)[query], query == read);
            for party in 0..2 {
                assert_eq!(before.results[party][query] != after.results[party][query], query == read);
            }
        }
        // The second READ is the SWAP's: what its UPDATE opens is made of the result.
        let changes = differences(&before, &after);
        assert_eq!(
            changes,
            if read == 0 { vec![(0, 10, 0)] } else { vec![(0, 10, 0), (0, 11, 0), (1, 11, 0)] }
        );
    }
}

/// Each block of the OTs that P0 sends serves one level of one item: of the READ items as a key of masks, of the UPDATE item in the
/// triple of its level.
#[test]
fn each_ot_is_of_one_level_of_one_item() {
    let whole = inputs(14);
    let before = run(&whole);
    for number in 0..LOG_SIZE * ITEMS {
        for second in [false, true] {
            let mut changed = whole.clone();
            let pair = &mut changed.ots.from_0[number];
            *(if second { &mut pair.1 } else { &mut pair.0 }) ^= 1 << 77;
            let after = run(&changed);
            let item = number / LOG_SIZE;
            let changed_answers: Vec<usize> = {
                let of = |run: &Run| -> Vec<Vec<u8>> {
                    run.sent
                        .iter()
                        .filter(|m| (m.kind, m.from) == (10, 0))
                        .map(|m| m.payload.clone())
                        .collect()
                };
                (0..READS).filter(|query| of(&before)[*query] != of(&after)[*query]).collect()
            };
            if item < READS {
                assert_eq!(changed_answers, [item]);
                assert_eq!(differences(&before, &after), [(0, 10, 0)]);
            } else {
                assert!(changed_answers.is_empty());
                let level = u32::try_from(number % LOG_SIZE).unwrap();
                assert_eq!(differences(&before, &after)[0], (0, 6, level));
            }
            assert_eq!(before.results, after.results);
            let opened = |run: &Run, x: usize| {
                run.session.p0.memory_share[x].wrapping_add(run.session.p1.memory_share[x])
            };
            assert!((0..1 << LOG_SIZE).all(|x| opened(&before, x) == opened(&after, x)));
        }
    }
}
