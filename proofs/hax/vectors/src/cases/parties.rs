//! The functions of the paper's parties, on inboxes of any bytes, and the parties put together.

use super::sessions::Few;
use crate::random::Exactly;
use crate::structures_parties::{Inbox, Kind, Number};
use crate::toy::Toy;
use crate::{Vectors, case, given};
use duoram_spec::core::bytes;
use duoram_spec::core::distributed_gen::Operands;
use duoram_spec::core::share::Primary;
use duoram_spec::paper::conversion;
use duoram_spec::paper::memory::{HelperState, PrimaryState};
use duoram_spec::paper::parties::{self, Batch, Parties};
use duoram_spec::paper::party::{self, HelperParty, HelperUpdate, PrimaryParty, PrimaryUpdate};
use duoram_spec::paper::party_online::{self as online, Query};
use duoram_spec::paper::party_preprocessing::{self as preprocessing, Growing, Made};
use duoram_spec::paper::party_turn::{self as turn, Growth, HelperTask, PrimaryTask};
use duoram_spec::paper::preprocessing::HelperKey;
use duoram_spec::paper::update::{self, HelperMessage, UpdateMessage};
use duoram_spec::paper::{memory, payload};

type Words = Vec<u64>;
type Bytes = Vec<u8>;
type Member = PrimaryParty<Toy>;
type Helper = HelperParty<Toy>;

pub fn payloads(v: &mut Vectors) {
    case!(v, 4, "core::bytes::parts", "", |l: Words, w: usize, n: usize| bytes::parts(&l, w, n));
    case!(v, 2, "core::bytes::ring_bytes", "", |words: Words| bytes::ring_bytes(&words));
    case!(v, 2, "core::bytes::ring_of_bytes", " u64", |b: Exactly<u8, 19>| bytes::ring_of_bytes::<u64>(&b.0));
    case!(v, 2, "core::bytes::operands_bytes", "", |m: Vec<Operands>| bytes::operands_bytes(&m));
    case!(v, 2, "core::bytes::operands_of_bytes", "", |b: Exactly<u8, 34>, n: Few| {
        bytes::operands_of_bytes(&b.0, n.0)
    });
    case!(v, 4, "core::bytes::pieces", "", |l: Words, widths: Exactly<usize, 2>| bytes::pieces(
        &l, &widths.0
    ));
    case!(v, 2, "core::bytes::word_of_bytes", "", |b: Bytes| bytes::word_of_bytes(&b));
    case!(v, 2, "core::bytes::word_of_bytes", "", |b: Exactly<u8, 9>| bytes::word_of_bytes(&b.0));
    case!(v, 2, "core::bytes::words_of_bytes", "", |b: Exactly<u8, 19>| bytes::words_of_bytes(&b.0));
    case!(v, 2, "core::bytes::blocks_of_bytes", "", |b: Exactly<u8, 34>| bytes::blocks_of_bytes(&b.0));
    case!(v, 4, "core::bytes::bits_of_bytes", "", |b: Bytes, n: usize| bytes::bits_of_bytes(&b, n));

    case!(v, 2, "paper::payload::hello", "", |c: u128, h: usize| payload::hello(c, h));
    case!(v, 2, "paper::payload::hello_of", "", |b: Exactly<u8, 24>| payload::hello_of(&b.0));
    case!(v, 4, "paper::payload::packed_len", "", |n: usize| payload::packed_len(n));
    case!(v, 2, "paper::payload::rest", "", |b: Bytes, n: usize| payload::rest(&b, n));
    case!(v, 3, "paper::payload::triples_of", "", |b: Exactly<u8, 113>, a: Few, p: Few| {
        payload::triples_of(&b.0, a.0, p.0)
    });
    case!(v, 2, "paper::payload::conversions", "", |o: Vec<conversion::Operands<u64>>, d: Words| {
        payload::conversions(&o, &d)
    });
    case!(v, 2, "paper::payload::conversions_of", "", |b: Exactly<u8, 56>, n: Few| {
        payload::conversions_of(&b.0, n.0)
    });
    case!(v, 2, "paper::payload::keys", "", |k: Vec<HelperKey<u64>>| payload::keys(&k));
    case!(v, 3, "paper::payload::keys_of", "", |b: Exactly<u8, 90>, h: Few, n: Few| {
        payload::keys_of(&b.0, h.0, n.0)
    });
    case!(v, 2, "paper::payload::update_of", "", |b: Exactly<u8, 64>, n: Few| {
        payload::update_of(&b.0, n.0)
    });
    case!(v, 2, "paper::payload::helper_update_of", "", |b: Exactly<u8, 48>, n: Few| {
        payload::helper_update_of(&b.0, n.0)
    });
}

pub fn parties(v: &mut Vectors) {
    case!(v, 2, "paper::memory::blinded_share", "", |d: Words, b: Words| memory::blinded_share(&d, &b));
    given!(v, "paper::party::HELPER", "", party::HELPER;);
    given!(v, "paper::party::CONTRIBUTION_WORDS", "", party::CONTRIBUTION_WORDS;);
    case!(v, 2, "paper::party::number", "", |r: Primary| party::number(r));
    case!(v, 2, "paper::party::other", "", |r: Primary| party::other(r));
    case!(v, 2, "paper::party::size", "", |h: usize| party::size(h));
    case!(v, 2, "paper::party::inbox", "", |m: Inbox<1, 2>, to: Number| party::inbox(&m.0, to.0));
    case!(v, 2, "paper::party::received", "", |m: Inbox<5, 6>, _k: Kind<5>, f: Number, l: Few| {
        party::received(&m.0, 5, f.0, l.0)
    });
    case!(v, 2, "paper::party::received_chunks", "", |m: Inbox<2, 2>, _k: Kind<2>, f: Number| {
        party::received_chunks(&m.0, 2, f.0)
    });
    case!(v, 2, "paper::party::contribution", "", |w: Words| party::contribution(&w));
    case!(v, 2, "paper::party::say_hello", "", |n: Number, h: usize, w: Words| {
        party::say_hello(n.0, h, &w)
    });
    case!(v, 1, "paper::party::session_prg", "", |n: Number, w: Words, m: Inbox<1, 2>| {
        party::session_prg(n.0, &w, &m.0)
    });
    case!(v, 2, "paper::party::started_primary", "", |r: Primary, h: Few, p: Toy, w: Words| {
        party::started_primary(r, h.0, p, &w)
    });
    case!(v, 2, "paper::party::started_helper", "", |h: Few, p: Toy, w: Words| {
        party::started_helper(h.0, p, &w)
    });
    case!(v, 1, "paper::party::connected_primary", "", |r: Primary, h: Few, w: Words, m: Inbox<1, 2>| {
        party::connected_primary(r, h.0, &w, &m.0)
    });
    case!(v, 1, "paper::party::connected_helper", "", |h: Few, w: Words, m: Inbox<1, 2>| {
        party::connected_helper(h.0, &w, &m.0)
    });
    case!(v, 2, "paper::party::load", "", |p: Member, d: Words| party::load(p.clone(), &d));
    case!(v, 2, "paper::party::loaded_primary", "", |p: Member, m: Inbox<2, 2>| {
        party::loaded_primary(p.clone(), &m.0)
    });
    case!(v, 2, "paper::party::loaded_helper", "", |p: Helper, m: Inbox<3, 3>| {
        party::loaded_helper(p.clone(), &m.0)
    });
}

pub fn online(v: &mut Vectors) {
    case!(v, 2, "paper::party_online::say", "", |o: u64, k: u8, f: u8, t: u8, b: Bytes| {
        online::say(o, k, f, t, b.clone())
    });
    case!(v, 2, "paper::party_online::read_shifts", "", |p: Member, a: Words| online::read_shifts(&p, &a));
    case!(v, 2, "paper::party_online::say_shifts", "", |p: Member, a: Words| online::say_shifts(&p, &a));
    case!(v, 2, "paper::party_online::reads_helper", "", |p: Helper, n: usize, m: Inbox<10, 10>| {
        online::reads_helper(p.clone(), n, &m.0)
    });
    case!(v, 2, "paper::party_online::reads_primary", "", |p: Member, a: Words, m: Inbox<10, 11>| {
        online::reads_primary(p.clone(), &a, &m.0)
    });
    case!(v, 2, "paper::party_online::update_messages", "", |p: Member, q: Vec<Query>| {
        online::update_messages(&p, &q)
    });
    case!(v, 2, "paper::party_online::say_updates", "", |p: Member, q: Vec<Query>| {
        online::say_updates(&p, &q)
    });
    case!(
        v,
        2,
        "paper::party_online::updated_primary",
        "",
        |r: Primary, s: PrimaryState<u64>, i: PrimaryUpdate, shift: u64, f: (u64, u64, u64)| {
            online::updated_primary(r, &s, &i, shift, f)
        }
    );
    case!(v, 2, "paper::party_online::updates_primary", "", |p: Member, q: Vec<Query>, m: Inbox<12, 12>| {
        online::updates_primary(p.clone(), &q, &m.0)
    });
    case!(
        v,
        2,
        "paper::party_online::updated_helper",
        "",
        |s: HelperState<u64>, i: HelperUpdate, shift: u64, f: (u64, u64)| {
            online::updated_helper(&s, &i, shift, f)
        }
    );
    case!(v, 2, "paper::party_online::updates_helper", "", |p: Helper, n: usize, m: Inbox<13, 13>| {
        online::updates_helper(p.clone(), n, &m.0)
    });
    case!(v, 2, "paper::party_online::write_query", "", |q: Query, r: Words| online::write_query(&q, &r));
    case!(v, 2, "paper::update::helper_message", "", |m: UpdateMessage<u64>| update::helper_message(&m));
    case!(
        v,
        2,
        "paper::update::reconstruct_helper_corrections",
        "",
        |a: HelperMessage<u64>, b: HelperMessage<u64>| update::reconstruct_helper_corrections(&a, &b)
    );
    case!(v, 4, "paper::update::rerandomized_share", "", |r: Primary, s: (u64, u64, u64), a: u64, b: u64| {
        update::rerandomized_share(r, s, a, b)
    });
}

pub fn preparing(v: &mut Vectors) {
    case!(v, 2, "paper::party_preprocessing::batch_triples", "", |p: Helper, n: Few| {
        preprocessing::batch_triples(&p, n.0)
    });
    case!(v, 2, "paper::party_preprocessing::deal", "", |p: Helper, n: Few| {
        preprocessing::deal(p.clone(), n.0)
    });
    case!(v, 4, "paper::party_preprocessing::item_offset", "", |r: Primary, j: usize, n: usize| {
        preprocessing::item_offset(r, j, n)
    });
    case!(v, 2, "paper::party_preprocessing::batch_draws", "", |p: Member, r: Few, u: Few| {
        preprocessing::batch_draws(&p, r.0, u.0)
    });
    case!(v, 2, "paper::party_preprocessing::drawn_deltas", "", |p: Member, r: Few, u: Few| {
        preprocessing::drawn_deltas(&p, r.0, u.0)
    });
    case!(v, 2, "paper::party_preprocessing::begin", "", |p: Member, r: Few, u: Few, m: Inbox<4, 4>| {
        preprocessing::begin(&p, r.0, u.0, &m.0)
    });
    case!(v, 2, "paper::party_preprocessing::level_bit", "", |g: Growing, l: usize| {
        preprocessing::level_bit(&g, l)
    });
    case!(v, 2, "paper::party_preprocessing::level_triple", "", |g: Growing, l: usize| {
        preprocessing::level_triple(&g, l)
    });
    case!(v, 2, "paper::party_preprocessing::level_operands", "", |p: Toy, g: Growing, l: usize| {
        preprocessing::level_operands(&p, &g, l)
    });
    case!(
        v,
        2,
        "paper::party_preprocessing::level_opening",
        "",
        |p: Toy, g: Growing, l: usize, r: Operands| preprocessing::level_opening(&p, &g, l, &r)
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::grown",
        "",
        |p: Toy, g: Growing, l: usize, r: Operands, o: u128| preprocessing::grown(&p, &g, l, &r, o)
    );
    case!(v, 2, "paper::party_preprocessing::say_at_level", "", |p: Member, k: u8, l: usize, b: Bytes| {
        preprocessing::say_at_level(&p, k, l, b.clone())
    });
    case!(v, 2, "paper::party_preprocessing::say_operands", "", |p: Member, b: Vec<Growing>, l: usize| {
        preprocessing::say_operands(&p, &b, l)
    });
    case!(
        v,
        2,
        "paper::party_preprocessing::received_operands",
        "",
        |p: Member, b: Vec<Growing>, l: Few, m: Inbox<5, 6>| {
            preprocessing::received_operands(&p, &b, l.0, &m.0)
        }
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::say_openings",
        "",
        |p: Member, b: Vec<Growing>, l: Few, m: Inbox<5, 6>| preprocessing::say_openings(&p, &b, l.0, &m.0)
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::grown_batch",
        "",
        |p: Member, b: Vec<Growing>, l: Few, m: Inbox<5, 6>| preprocessing::grown_batch(&p, &b, l.0, &m.0)
    );
    case!(v, 1, "paper::party_preprocessing::conversion_input", "", |g: Growing| {
        preprocessing::conversion_input(&g)
    });
    case!(v, 2, "paper::party_preprocessing::conversion_operands", "", |r: Primary, b: Vec<Growing>| {
        preprocessing::conversion_operands(r, &b)
    });
    case!(
        v,
        2,
        "paper::party_preprocessing::say_conversion",
        "",
        |p: Member, b: Vec<Growing>, r: Few, u: Few| preprocessing::say_conversion(&p, &b, r.0, u.0)
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::received_conversion",
        "",
        |p: Member, b: Vec<Growing>, m: Inbox<7, 8>| preprocessing::received_conversion(&p, &b, &m.0)
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::conversion_openings",
        "",
        |p: Member, b: Vec<Growing>, m: Inbox<7, 8>| preprocessing::conversion_openings(&p, &b, &m.0)
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::say_conversion_openings",
        "",
        |p: Member, b: Vec<Growing>, m: Inbox<7, 8>| preprocessing::say_conversion_openings(&p, &b, &m.0)
    );
    case!(v, 2, "paper::party_preprocessing::made", "", |p: Member, b: Vec<Growing>, m: Inbox<7, 8>| {
        preprocessing::made(&p, &b, &m.0)
    });
    case!(v, 2, "paper::party_preprocessing::by_item", "", |m: Exactly<Made, 4>, n: Few| {
        preprocessing::by_item(&m.0, n.0)
    });
    case!(v, 2, "paper::party_preprocessing::say_keys", "", |p: Member, i: Vec<(Made, Made, Made)>| {
        preprocessing::say_keys(&p, &i)
    });
    case!(
        v,
        2,
        "paper::party_preprocessing::batch_deltas",
        "",
        |p: Member, b: Vec<Growing>, r: Few, u: Few, m: Inbox<7, 8>| {
            preprocessing::batch_deltas(&p, &b, r.0, u.0, &m.0)
        }
    );
    case!(v, 2, "paper::party_preprocessing::prepared_read", "", |r: Primary, i: (Made, Made, Made)| {
        preprocessing::prepared_read(r, &i)
    });
    case!(
        v,
        2,
        "paper::party_preprocessing::prepared_update",
        "",
        |r: Primary, i: (Made, Made, Made), d: Words| preprocessing::prepared_update(r, &i, &d)
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::prepared_primary",
        "",
        |p: Member, i: Exactly<(Made, Made, Made), 2>, d: Words, r: Few| {
            preprocessing::prepared_primary(p.clone(), &i.0, &d, r.0)
        }
    );
    case!(
        v,
        2,
        "paper::party_preprocessing::prepared_helper",
        "",
        |p: Helper, r: Few, u: Few, m: Inbox<9, 9>| {
            preprocessing::prepared_helper(p.clone(), r.0, u.0, &m.0)
        }
    );
}

pub fn together(v: &mut Vectors) {
    case!(v, 1, "paper::parties::connect", "", |h: Few, a: Words, b: Words, c: Words| {
        parties::connect(h.0, &a, &b, &c)
    });
    case!(v, 2, "paper::parties::load", "", |p: Parties<Toy>, a: Words, b: Words| {
        parties::load(p.clone(), &a, &b)
    });
    case!(v, 2, "paper::parties::batch_level", "", |p: Parties<Toy>, b: Batch, l: Few| {
        parties::batch_level(&p, b.clone(), l.0)
    });
    case!(v, 2, "paper::parties::preprocess", "", |p: Parties<Toy>, r: Few, u: Few| {
        parties::preprocess(p.clone(), r.0, u.0)
    });
    case!(v, 2, "paper::parties::reads", "", |p: Parties<Toy>, a: Words, b: Words| {
        parties::reads(p.clone(), &a, &b)
    });
    case!(v, 2, "paper::parties::updates", "", |p: Parties<Toy>, a: Vec<Query>, b: Vec<Query>| {
        parties::updates(p.clone(), &a, &b)
    });
    case!(v, 2, "paper::parties::write", "", |p: Parties<Toy>, a: Query, b: Query| {
        parties::write(p.clone(), &a, &b)
    });
}

pub fn turns(v: &mut Vectors) {
    case!(v, 2, "paper::party_turn::grow_level", "", |p: Member, g: Growth, l: Few, m: Inbox<5, 6>| {
        turn::grow_level(&p, &g, l.0, &m.0)
    });
    case!(v, 2, "paper::party_turn::preprocess_turn", "", |p: Member, r: Few, u: Few, m: Inbox<4, 7>| {
        turn::preprocess_turn(p.clone(), r.0, u.0, &m.0)
    });
    case!(v, 2, "paper::party_turn::reads_turn", "", |p: Member, a: Words, m: Inbox<10, 11>| {
        turn::reads_turn(p.clone(), &a, &m.0)
    });
    case!(v, 2, "paper::party_turn::updates_turn", "", |p: Member, q: Vec<Query>, m: Inbox<12, 12>| {
        turn::updates_turn(p.clone(), &q, &m.0)
    });
    case!(v, 5, "paper::party_turn::primary_turn", "", |p: Member, t: PrimaryTask, m: Inbox<10, 11>| {
        turn::primary_turn(p.clone(), &t, &m.0)
    });
    case!(v, 5, "paper::party_turn::helper_turn", "", |p: Helper, t: HelperTask, m: Inbox<10, 13>| {
        turn::helper_turn(p.clone(), &t, &m.0)
    });
}

pub fn all(v: &mut Vectors) {
    payloads(v);
    parties(v);
    online(v);
    preparing(v);
    together(v);
    turns(v);
}
