//! Tapes, payloads, and the steps of a session.

use crate::{Vectors, case, given};
use duoram_spec::core::distributed_gen::LevelMessages;
use duoram_spec::core::du_atallah::{AndTriple, ProductTriple};
use duoram_spec::core::share::Primary;
use duoram_spec::paper::memory::State;
use duoram_spec::paper::payload;
use duoram_spec::paper::preprocessing::{Dpf, DpfTriples, Item};
use duoram_spec::paper::session::{self, Session, UpdateQuery};
use duoram_spec::paper::tape::{self, Tape};
use duoram_spec::paper::update::UpdateMessage;

use crate::random::{Exactly, Random, Rng};
use crate::rocq::Rocq;

/// A count of 0 or 1.
pub(super) struct Few(pub(super) usize);

impl Random for Few {
    fn random(rng: &mut Rng) -> Few {
        Few(rng.below(2) as usize)
    }
}

impl Rocq for Few {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

pub fn payload(v: &mut Vectors) {
    case!(v, 3, "core::bytes::word_bytes", "", |w: u64| payload::word_bytes(w));
    case!(v, 3, "core::bytes::words_bytes", "", |w: Vec<u64>| payload::words_bytes(&w));
    case!(v, 3, "core::bytes::blocks_bytes", "", |b: Vec<u128>| payload::blocks_bytes(&b));
    case!(v, 3, "core::bytes::packed_bits", "", |b: Vec<bool>| payload::packed_bits(&b));
    case!(v, 2, "core::bytes::packed_bits", "", |b: Exactly<bool, 19>| payload::packed_bits(&b.0));
    case!(v, 2, "paper::payload::triples", "", |a: Vec<AndTriple>, p: Vec<ProductTriple<u64>>| {
        payload::triples(&a, &p)
    });
    case!(v, 3, "paper::payload::level_operands", "", |p: Primary, m: Vec<LevelMessages>| {
        payload::level_operands(p, &m)
    });
    case!(v, 3, "paper::payload::level_opening", "", |p: Primary, m: Vec<LevelMessages>| {
        payload::level_opening(p, &m)
    });
    case!(
        v,
        3,
        "paper::payload::conversion_operands",
        "",
        |p: Primary, d: Exactly<Dpf<u64>, 2>, w: Vec<u64>| { payload::conversion_operands(p, &d.0, &w) }
    );
    case!(v, 3, "paper::payload::conversion_opening", "", |p: Primary, d: Exactly<Dpf<u64>, 2>| {
        payload::conversion_opening(p, &d.0)
    });
    case!(v, 3, "paper::payload::helper_keys", "", |p: Primary, d: Exactly<Dpf<u64>, 2>| {
        payload::helper_keys(p, &d.0)
    });
    case!(v, 2, "paper::payload::update", "", |m: Vec<UpdateMessage<u64>>| payload::update(&m));
    case!(v, 2, "paper::payload::helper_update", "", |m: Vec<UpdateMessage<u64>>| payload::helper_update(&m));
}

pub fn session(v: &mut Vectors) {
    given!(v, "paper::tape::PRIMARY_WORDS", "", tape::PRIMARY_WORDS;);
    case!(v, 2, "paper::tape::tape", "", |w: Vec<u64>| tape::tape(&w));
    case!(v, 4, "paper::tape::peek", "", |t: Tape, i: usize| tape::peek(&t, i));
    case!(v, 4, "paper::tape::peek_block", "", |t: Tape, i: usize| tape::peek_block(&t, i));
    case!(v, 2, "paper::tape::advance", "", |t: Tape, i: usize| tape::advance(&t, i));
    case!(v, 2, "paper::tape::primary_randomness", "", |t: Tape| tape::primary_randomness(&t));
    case!(v, 3, "paper::tape::dpf_triples", "", |t: Tape, h: usize| tape::dpf_triples(&t, h));
    case!(v, 3, "paper::tape::triple_words", "", |h: usize| tape::triple_words(h));

    given!(v, "paper::session::CHUNK_WORDS", "", session::CHUNK_WORDS;);
    case!(v, 1, "paper::session::connect", "", |h: Few, a: Vec<u64>, b: Vec<u64>, c: Vec<u64>| {
        session::connect(h.0, &a, &b, &c)
    });
    case!(v, 3, "paper::session::chunks", "", |o: u64, k: u8, f: u8, t: u8, w: Vec<u64>| {
        session::chunks(o, k, f, t, &w)
    });
    case!(v, 2, "paper::session::load", "", |s: Session, a: Exactly<u64, 2>, b: Exactly<u64, 2>| {
        session::load(s.clone(), &a.0, &b.0)
    });
    case!(v, 4, "paper::session::item_offset_0", "", |j: usize, r: usize| session::item_offset_0(j, r));
    case!(v, 2, "paper::session::prepare_item", "", |s: Session, j: Few, r: Few| session::prepare_item(
        &s, j.0, r.0
    ));
    case!(v, 2, "paper::session::item_deltas", "", |s: Session, j: Few, r: Few| session::item_deltas(
        &s, j.0, r.0
    ));
    case!(
        v,
        2,
        "paper::session::batch_messages",
        "",
        |s: Session, i: Exactly<Item<u64>, 1>, t: Exactly<DpfTriples<u64>, 3>, d: Vec<u64>| {
            session::batch_messages(&s, &i.0, &t.0, &d)
        }
    );
    case!(v, 2, "paper::session::preprocess", "", |s: Session, r: Few, u: Few| {
        session::preprocess(s.clone(), r.0, u.0)
    });
    case!(v, 2, "paper::session::after", "", |s: Session, m: State<u64>, r: Few, u: Few, n: usize| {
        session::after(s.clone(), m.clone(), r.0, u.0, n)
    });
    case!(v, 2, "paper::session::reads", "", |s: Session, a: Vec<(u64, u64)>| session::reads(s.clone(), &a));
    case!(v, 2, "paper::session::updates", "", |s: Session, q: Vec<UpdateQuery>| session::updates(
        s.clone(),
        &q
    ));
    case!(v, 2, "paper::session::write", "", |s: Session, q: UpdateQuery| session::write(s.clone(), q));
}
