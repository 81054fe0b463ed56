//! Two parties, over words mod 2^64, with a toy for the PRG and for the PRF.

use super::sessions::Few;
use crate::random::{Exactly, Memory, Random};
use crate::rocq::Rocq;
use crate::toy::Toy;
use crate::{Vectors, case, given};
use duoram_spec::core::distributed_gen::Operands;
use duoram_spec::core::du_atallah::AndTriple;
use duoram_spec::core::share::Primary;
use duoram_spec::two_party::masks::{self, AesPrf, Prf};
use duoram_spec::two_party::party::{self, Party, ReadItem};
use duoram_spec::two_party::party_online::{self as online, Query};
use duoram_spec::two_party::party_preprocessing::{self as preprocessing, Growing};
use duoram_spec::two_party::session::{self, Batch, Ots, Sent, Session};
use duoram_spec::two_party::tape::{self, Tape};
use duoram_spec::two_party::update::{self, UpdateItem, UpdateMessage};
use duoram_spec::two_party::{conversion, lemmas, ot, payload, write};

type Words = Vec<u64>;
type Bytes = Vec<u8>;
type Bits = Vec<bool>;
type Blocks = Vec<u128>;
type Pair = (u128, u128);
type Member = Party<u64, Toy, Toy>;
type Both = Session<u64, Toy, Toy>;

pub fn formulas(v: &mut Vectors) {
    case!(v, 3, "two_party::ot::received", "", |pair: Pair, choice: bool| ot::received(&pair, choice));
    case!(v, 3, "two_party::ot::received_all", "", |pairs: Vec<Pair>, choices: Bits| {
        ot::received_all(&pairs, &choices)
    });
    case!(v, 3, "two_party::ot::and_triple_from_ots", "", |bit: bool, own: Pair, received: u128| {
        ot::and_triple_from_ots(bit, &own, received)
    });

    let table: Exactly<u8, 256> = Random::random(&mut v.rng);
    let prf = AesPrf { s_box: table.0 };
    let (key, input) = (u128::random(&mut v.rng), u128::random(&mut v.rng));
    given!(v, "two_party::masks::Prf::value for two_party::masks::AesPrf", "", prf.value(key, input); prf, key, input);
    given!(v, "two_party::masks::aes_prf", "", masks::aes_prf(););
    case!(v, 3, "two_party::masks::word_keys", "", |pairs: Vec<Pair>, x: u64| masks::word_keys(&pairs, x));
    case!(v, 3, "two_party::masks::mask", " u64", |prf: Toy, keys: Blocks, x: u64| {
        masks::mask::<u64, _>(&prf, &keys, x)
    });
    case!(v, 3, "two_party::masks::masked_table", "", |prf: Toy, pairs: Vec<Pair>, table: Words| {
        masks::masked_table(&prf, &pairs, &table)
    });
    case!(v, 3, "two_party::masks::unmasked", "", |prf: Toy, keys: Blocks, index: u64, masked: u64| {
        masks::unmasked(&prf, &keys, index, masked)
    });

    case!(v, 3, "two_party::conversion::sum_share", " u64", |party: Primary, labels: Blocks| {
        conversion::sum_share::<u64>(party, &labels)
    });
    case!(v, 6, "two_party::conversion::inverse", "", |a: u64| conversion::inverse(a));
    case!(v, 3, "two_party::conversion::unit_share", "", |party: Primary, labels: Blocks, z: u64| {
        conversion::unit_share(party, &labels, z)
    });
    case!(v, 3, "two_party::conversion::random_index_share", "", |unit: Memory| {
        conversion::random_index_share(&unit.0)
    });

    case!(v, 4, "two_party::update::shift_share", "", |a: u64, ri: u64, n: usize| update::shift_share(
        a, ri, n
    ));
    case!(v, 3, "two_party::update::message", "", |item: UpdateItem<u64>, address: u64, m: u64| {
        update::message(&item, address, m)
    });
    case!(v, 3, "two_party::update::update_words", "", |item: UpdateItem<u64>, f: u64, s: u64| {
        update::update_words(&item, f, s)
    });
    case!(
        v,
        3,
        "two_party::update::updated",
        "",
        |memory: Memory, item: UpdateItem<u64>, own: UpdateMessage<u64>, received: UpdateMessage<u64>| {
            update::updated(&memory.0, &item, &own, &received)
        }
    );
    case!(
        v,
        3,
        "two_party::update::update",
        "",
        |d: (Memory, Memory), items: (UpdateItem<u64>, UpdateItem<u64>), i: (u64, u64), m: (u64, u64)| {
            update::update((&d.0.0, &d.1.0), (&items.0, &items.1), i, m)
        }
    );
    case!(v, 3, "two_party::write::difference", "", |m: u64, read: u64| write::difference(m, read));
    case!(
        v,
        3,
        "two_party::write::write",
        "",
        |d: (Memory, Memory),
         q: (u64, u64),
         r: (u64, u64),
         items: (UpdateItem<u64>, UpdateItem<u64>),
         i: (u64, u64),
         m: (u64, u64)| { write::write((&d.0.0, &d.1.0), q, r, (&items.0, &items.1), i, m) }
    );

    case!(v, 3, "two_party::lemmas::is_triple", "", |a: AndTriple, b: AndTriple| lemmas::is_triple(&a, &b));
    case!(v, 3, "two_party::lemmas::ots_make_a_triple", "", |bits: (bool, bool), a: Pair, b: Pair| {
        lemmas::ots_make_a_triple(bits, &a, &b)
    });
    case!(
        v,
        3,
        "two_party::lemmas::unmasking_recovers",
        "",
        |prf: Toy, pairs: Vec<Pair>, table: Words, index: u64| {
            lemmas::unmasking_recovers(&prf, &pairs, &table, index)
        }
    );
    case!(v, 4, "two_party::lemmas::inverse_inverts", "", |a: u64| lemmas::inverse_inverts(a));
    case!(v, 3, "two_party::lemmas::sum_converts", " u64", |a: Blocks, b: Blocks, target: u64| {
        lemmas::sum_converts::<u64>(&a, &b, target)
    });
    case!(v, 3, "two_party::lemmas::adds", "", |before: Words, after: Words, target: u64, m: u64| {
        lemmas::adds(&before, &after, target, m)
    });
    case!(v, 3, "two_party::lemmas::puts", "", |before: Words, after: Words, target: u64, m: u64| {
        lemmas::puts(&before, &after, target, m)
    });
}

pub fn messages(v: &mut Vectors) {
    case!(v, 2, "two_party::tape::tape", "", |words: Words| tape::tape(&words));
    case!(v, 3, "two_party::tape::peek", "", |t: Tape, offset: usize| tape::peek(&t, offset));
    case!(v, 3, "two_party::tape::peek_block", "", |t: Tape, offset: usize| tape::peek_block(&t, offset));
    case!(v, 2, "two_party::tape::advance", "", |t: Tape, count: usize| tape::advance(&t, count));
    given!(v, "two_party::tape::CONTRIBUTION_WORDS", "", tape::CONTRIBUTION_WORDS;);
    given!(v, "two_party::tape::READ_WORDS", "", tape::READ_WORDS;);
    given!(v, "two_party::tape::UPDATE_WORDS", "", tape::UPDATE_WORDS;);
    case!(v, 3, "two_party::tape::query_index", "", |t: Tape, offset: usize, n: usize| {
        tape::query_index(&t, offset, n)
    });
    case!(v, 3, "two_party::tape::update_draws", "", |t: Tape, offset: usize, h: usize| {
        tape::update_draws(&t, offset, h)
    });

    case!(v, 2, "two_party::payload::hello", "", |c: u128, h: usize| payload::hello(c, h));
    case!(v, 2, "two_party::payload::hello_of", "", |b: Exactly<u8, 30>| payload::hello_of(&b.0));
    case!(v, 2, "two_party::payload::tables", "", |tables: Vec<Words>| payload::tables(&tables));
    case!(v, 2, "two_party::payload::tables_of", " u64", |b: Exactly<u8, 40>, n: Few, queries: Few| {
        payload::tables_of::<u64>(&b.0, n.0, queries.0)
    });
    case!(v, 2, "two_party::payload::updates", "", |m: Vec<UpdateMessage<u64>>| payload::updates(&m));
    case!(v, 2, "two_party::payload::updates_of", " u64", |b: Exactly<u8, 40>, n: Few| {
        payload::updates_of::<u64>(&b.0, n.0)
    });
}

pub fn parties(v: &mut Vectors) {
    case!(v, 2, "two_party::party::size", "", |h: Few| party::size(h.0));
    case!(v, 2, "two_party::party::contribution", "", |making: Words| party::contribution(&making));
    case!(v, 1, "two_party::party::session_prg", "", |own: u128, received: u128| {
        party::session_prg(own, received)
    });
    case!(
        v,
        2,
        "two_party::party::started",
        " u64",
        |role: Primary, h: Few, prg: Toy, prf: Toy, making: Words, blinds: Words| {
            party::started::<u64, _, _>(role, h.0, prg.clone(), prf.clone(), &making, &blinds)
        }
    );
    case!(v, 2, "two_party::party::loaded", "", |p: Member, d: Words| party::loaded(p.clone(), &d));

    case!(v, 2, "two_party::party_preprocessing::drawn_indices", "", |p: Member, reads: Few| {
        preprocessing::drawn_indices(&p, reads.0)
    });
    case!(
        v,
        2,
        "two_party::party_preprocessing::drawn_updates",
        "",
        |p: Member, reads: Few, updates: Few| { preprocessing::drawn_updates(&p, reads.0, updates.0) }
    );
    case!(v, 3, "two_party::party_preprocessing::choices", "", |p: Member, reads: Few, updates: Few| {
        preprocessing::choices(&p, reads.0, updates.0)
    });
    case!(
        v,
        3,
        "two_party::party_preprocessing::made_reads",
        "",
        |p: Member, reads: Few, pairs: Exactly<Pair, 4>, received: Exactly<u128, 4>| {
            preprocessing::made_reads(&p, reads.0, &pairs.0, &received.0)
        }
    );
    case!(
        v,
        3,
        "two_party::party_preprocessing::level_triples",
        "",
        |bits: Bits, pairs: Vec<Pair>, received: Blocks| {
            preprocessing::level_triples(&bits, &pairs, &received)
        }
    );
    case!(
        v,
        3,
        "two_party::party_preprocessing::begun",
        "",
        |p: Member, reads: Few, updates: Few, pairs: Exactly<Pair, 4>, received: Exactly<u128, 4>| {
            preprocessing::begun(&p, reads.0, updates.0, &pairs.0, &received.0)
        }
    );
    case!(v, 2, "two_party::party_preprocessing::level_bit", "", |g: Growing, level: usize| {
        preprocessing::level_bit(&g, level)
    });
    case!(v, 2, "two_party::party_preprocessing::level_triple", "", |g: Growing, level: usize| {
        preprocessing::level_triple(&g, level)
    });
    case!(
        v,
        2,
        "two_party::party_preprocessing::level_operands",
        "",
        |prg: Toy, g: Growing, level: usize| { preprocessing::level_operands(&prg, &g, level) }
    );
    case!(
        v,
        2,
        "two_party::party_preprocessing::level_opening",
        "",
        |prg: Toy, g: Growing, level: usize, received: Operands| {
            preprocessing::level_opening(&prg, &g, level, &received)
        }
    );
    case!(
        v,
        2,
        "two_party::party_preprocessing::grown",
        "",
        |prg: Toy, g: Growing, level: usize, received: Operands, opening: u128| {
            preprocessing::grown(&prg, &g, level, &received, opening)
        }
    );
    case!(
        v,
        2,
        "two_party::party_preprocessing::batch_operands",
        "",
        |prg: Toy, b: Vec<Growing>, level: usize| { preprocessing::batch_operands(&prg, &b, level) }
    );
    case!(
        v,
        2,
        "two_party::party_preprocessing::batch_openings",
        "",
        |prg: Toy, b: Vec<Growing>, level: usize, received: Vec<Operands>| {
            preprocessing::batch_openings(&prg, &b, level, &received)
        }
    );
    case!(
        v,
        2,
        "two_party::party_preprocessing::grown_batch",
        "",
        |prg: Toy, b: Vec<Growing>, level: usize, received: Vec<Operands>, openings: Blocks| {
            preprocessing::grown_batch(&prg, &b, level, &received, &openings)
        }
    );
    case!(v, 2, "two_party::party_preprocessing::batch_sums", " u64", |role: Primary, b: Vec<Growing>| {
        preprocessing::batch_sums::<u64>(role, &b)
    });
    case!(
        v,
        2,
        "two_party::party_preprocessing::made_update",
        "",
        |role: Primary, labels: Exactly<u128, 4>, sum: u64| {
            preprocessing::made_update(role, &labels.0, sum)
        }
    );
    case!(
        v,
        2,
        "two_party::party_preprocessing::prepared",
        "",
        |p: Member, reads: Vec<ReadItem>, b: Vec<Growing>, sums: Words| {
            preprocessing::prepared(p.clone(), &reads, &b, &sums)
        }
    );

    case!(v, 2, "two_party::party_online::read_shifts", "", |p: Member, a: Words| online::read_shifts(
        &p, &a
    ));
    case!(v, 2, "two_party::party_online::read_blind", "", |p: Member, query: usize| {
        online::read_blind(&p, query)
    });
    case!(v, 2, "two_party::party_online::read_answers", "", |p: Member, a: Words, shifts: Words| {
        online::read_answers(&p, &a, &shifts)
    });
    case!(v, 2, "two_party::party_online::read_results", "", |p: Member, answers: Vec<Words>| {
        online::read_results(&p, &answers)
    });
    case!(v, 2, "two_party::party_online::after_reads", "", |p: Member, queries: Few| {
        online::after_reads(p.clone(), queries.0)
    });
    case!(v, 2, "two_party::party_online::update_messages", "", |p: Member, q: Vec<Query<u64>>| {
        online::update_messages(&p, &q)
    });
    case!(
        v,
        2,
        "two_party::party_online::updates",
        "",
        |p: Member, own: Vec<UpdateMessage<u64>>, received: Vec<UpdateMessage<u64>>| {
            online::updates(p.clone(), &own, &received)
        }
    );
    case!(v, 2, "two_party::party_online::write_query", "", |q: Query<u64>, results: Words| {
        online::write_query(&q, &results)
    });
}

pub fn sessions(v: &mut Vectors) {
    case!(v, 1, "two_party::session::both", "", |operation: u64,
                                                 kind: u8,
                                                 round: usize,
                                                 a: Bytes,
                                                 b: Bytes| {
        session::both(operation, kind, round, a.clone(), b.clone())
    });
    case!(
        v,
        1,
        "two_party::session::started_session",
        " u64",
        |h: Few, prg: Toy, prf: Toy, a: session::Words, b: session::Words| {
            session::started_session::<u64, _, _>(h.0, &prg, &prf, &a, &b)
        }
    );
    case!(v, 1, "two_party::session::connect", " u64", |h: Few, a: session::Words, b: session::Words| {
        session::connect::<u64>(h.0, &a, &b)
    });
    case!(v, 1, "two_party::session::load", "", |s: Both, a: Words, b: Words| session::load(
        s.clone(),
        &a,
        &b
    ));
    case!(v, 1, "two_party::session::batch_level", "", |s: Both, b: Batch, level: usize| {
        session::batch_level(&s, b.clone(), level)
    });
    case!(v, 2, "two_party::session::of_items", "", |items: Few, messages: Vec<Sent>| {
        session::of_items(items.0, messages.clone())
    });
    case!(v, 3, "two_party::session::preprocess", "", |s: Both, reads: Few, updates: Few, ots: FullOts| {
        session::preprocess(s.clone(), reads.0, updates.0, &ots.0)
    });
    case!(v, 2, "two_party::session::read_part", "", |s: Both, a: Vec<(u64, u64)>| {
        session::read_part(s.clone(), &a)
    });
    case!(v, 2, "two_party::session::update_part", "", |s: Both, q: Vec<(Query<u64>, Query<u64>)>| {
        session::update_part(s.clone(), &q)
    });
    case!(v, 1, "two_party::session::next_step", "", |s: Both| session::next_step(s.clone()));
    case!(v, 1, "two_party::session::reads", "", |s: Both, a: Vec<(u64, u64)>| session::reads(s.clone(), &a));
    case!(v, 1, "two_party::session::follow", "", |s: Both, r: Vec<(u64, u64)>| session::follow(
        s.clone(),
        &r
    ));
    case!(v, 1, "two_party::session::updates", "", |s: Both, q: Vec<(Query<u64>, Query<u64>)>| {
        session::updates(s.clone(), &q)
    });
    case!(v, 1, "two_party::session::swap", "", |s: Both, q: (Query<u64>, Query<u64>)| {
        session::swap(s.clone(), q)
    });
    case!(v, 1, "two_party::session::write", "", |s: Both, q: (Query<u64>, Query<u64>)| {
        session::write(s.clone(), q)
    });
}

/// OTs for two items of trees of up to two levels.
struct FullOts(Ots);

impl Random for FullOts {
    fn random(rng: &mut crate::Rng) -> FullOts {
        FullOts(Ots { from_0: crate::random::list(rng, 4), from_1: crate::random::list(rng, 4) })
    }
}

impl Rocq for FullOts {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}
