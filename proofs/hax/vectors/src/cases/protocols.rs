//! Preprocessing, READ, UPDATE, WRITE, the compressed states, two parties, the ideal memory.

use crate::random::Memory;
use crate::toy::Toy;
use crate::{Vectors, case};
use duoram_spec::core::ideal::{self, Operation};
use duoram_spec::paper::compressed::{self, CompressedState};
use duoram_spec::paper::memory::{self, HelperState, PrimaryState, State};
use duoram_spec::paper::preprocessing::{self, Dpf, DpfTriples, Item, PrimaryRandomness};
use duoram_spec::paper::read::{self, UnitVectors};
use duoram_spec::paper::update::{
    self, CorrectionShares, UpdateMaterial, UpdateMessage, UpdateVectors, ValueVectors, WriteMaterial,
};
use duoram_spec::two_party;

type Words = Vec<u64>;
type Bits = Vec<bool>;

pub fn preprocessing(v: &mut Vectors) {
    case!(
        v,
        3,
        "paper::preprocessing::prepare_dpf",
        "",
        |p: Toy, bits: (Bits, Bits), roots: (u128, u128), blinds: (u64, u64), t: DpfTriples<u64>| {
            preprocessing::prepare_dpf(&p, (&bits.0, &bits.1), roots, blinds, &t)
        }
    );
    case!(v, 3, "paper::preprocessing::prepare", "", |p: Toy,
                                                      h: usize,
                                                      a: PrimaryRandomness<u64>,
                                                      b: PrimaryRandomness<u64>,
                                                      t: (
        DpfTriples<u64>,
        DpfTriples<u64>,
        DpfTriples<u64>
    )| {
        preprocessing::prepare(&p, h, &a, &b, (&t.0, &t.1, &t.2))
    });
    case!(v, 3, "paper::preprocessing::unit_share_0", "", |d: Dpf<u64>| preprocessing::unit_share_0(&d));
    case!(v, 3, "paper::preprocessing::unit_share_1", "", |d: Dpf<u64>| preprocessing::unit_share_1(&d));
    case!(v, 3, "paper::preprocessing::unit_vectors", "", |i: Item<u64>| preprocessing::unit_vectors(&i));
    case!(v, 3, "paper::preprocessing::random_index_shares", "", |i: Item<u64>| {
        preprocessing::random_index_shares(&i)
    });
    case!(v, 3, "paper::preprocessing::value_words_0", "", |d: Dpf<u64>| preprocessing::value_words_0(&d));
    case!(v, 3, "paper::preprocessing::value_words_1", "", |d: Dpf<u64>| preprocessing::value_words_1(&d));
    case!(v, 3, "paper::preprocessing::value_vectors", "", |i: Item<u64>| preprocessing::value_vectors(&i));
    case!(v, 3, "paper::preprocessing::local_correction_shares", "", |l: ValueVectors<u64>| {
        preprocessing::local_correction_shares(&l)
    });
    case!(v, 3, "paper::preprocessing::update_material", "", |i: Item<u64>, a: u64, b: u64| {
        preprocessing::update_material(&i, a, b)
    });
}

pub fn online(v: &mut Vectors) {
    case!(v, 3, "paper::memory::initial", " u64", |n: usize| memory::initial::<u64>(n));
    case!(v, 4, "paper::memory::shared", "", |a: Words, b: Words, c: Words, d: Words| memory::shared(
        &a, &b, &c, &d
    ));
    case!(v, 4, "paper::memory::opened", "", |s: State<u64>| memory::opened(&s));
    case!(v, 4, "paper::memory::blinding_defect", "", |s: State<u64>| memory::blinding_defect(&s));

    case!(v, 4, "paper::read::shift_share", "", |a: u64, i: u64, n: usize| read::shift_share(a, i, n));
    case!(v, 4, "paper::read::reconstruct_shift", "", |a: u64, b: u64, n: usize| read::reconstruct_shift(
        a, b, n
    ));
    case!(v, 4, "paper::read::shifted", "", |u: UnitVectors<u64>, s: u64| read::shifted(&u, s));
    case!(v, 4, "paper::read::unblinding", "", |a: Words, b: Words, c: Words, d: Words, m: u64| {
        read::unblinding(&a, &b, &c, &d, m)
    });
    case!(v, 4, "paper::read::read_share", "", |a: Words, b: Words, c: Words, d: Words, e: Words, g: u64| {
        read::read_share(&a, &b, &c, &d, &e, g)
    });
    case!(v, 4, "paper::read::answer", "", |s: State<u64>, u: UnitVectors<u64>, m: u64| read::answer(
        &s, &u, m
    ));
    case!(v, 4, "paper::read::read", "", |s: State<u64>,
                                          u: UnitVectors<u64>,
                                          i: (u64, u64),
                                          a: (u64, u64),
                                          m: u64| read::read(
        &s, &u, i, a, m
    ));

    case!(v, 4, "paper::update::rerandomized", "", |c: CorrectionShares<u64>, a: u64, b: u64| {
        update::rerandomized(&c, a, b)
    });
    case!(v, 4, "paper::update::message", "", |s: u64, m: u64, c: (u64, u64, u64)| update::message(s, m, c));
    case!(
        v,
        4,
        "paper::update::reconstruct_corrections",
        "",
        |a: UpdateMessage<u64>, b: UpdateMessage<u64>| { update::reconstruct_corrections(&a, &b) }
    );
    case!(v, 4, "paper::update::update_words", "", |a: Words, u: Words, f: u64, s: u64| {
        update::update_words(&a, &u, f, s)
    });
    case!(v, 4, "paper::update::updated_p0", "", |p: PrimaryState<u64>, a: Words, b: Words, c: Words| {
        update::updated_p0(&p, &a, &b, &c)
    });
    case!(v, 4, "paper::update::updated_p1", "", |p: PrimaryState<u64>, a: Words, b: Words, c: Words| {
        update::updated_p1(&p, &a, &b, &c)
    });
    case!(v, 4, "paper::update::updated_p2", "", |p: HelperState<u64>, a: Words, b: Words| {
        update::updated_p2(&p, &a, &b)
    });
    case!(v, 4, "paper::update::apply", "", |s: State<u64>, u: UpdateVectors<u64>| update::apply(&s, &u));
    case!(v, 4, "paper::update::update_vectors", "", |m: UpdateMaterial<u64>, s: u64, f: (u64, u64, u64)| {
        update::update_vectors(&m, s, f)
    });
    case!(v, 4, "paper::update::update", "", |s: State<u64>,
                                              m: UpdateMaterial<u64>,
                                              i: (u64, u64),
                                              a: (u64, u64),
                                              x: (u64, u64)| {
        update::update(&s, &m, i, a, x)
    });
    case!(v, 4, "paper::update::write", "", |s: State<u64>,
                                             m: WriteMaterial<u64>,
                                             a: (u64, u64),
                                             x: (u64, u64),
                                             r: u64| {
        update::write(&s, &m, a, x, r)
    });

    case!(v, 4, "core::ideal::set", "", |m: Words, a: u64, x: u64| ideal::set(&m, a, x));
    case!(v, 4, "core::ideal::get", "", |m: Words, a: u64| ideal::get(&m, a));
    case!(v, 8, "core::ideal::step", "", |m: Words, o: Operation<u64>| ideal::step(&m, &o));

    case!(v, 4, "two_party::read::ideal_symmetric_pir", "", |d: Words, q: u64| {
        two_party::read::ideal_symmetric_pir(&d, q)
    });
    case!(v, 4, "two_party::read::blinded_rotation", "", |d: Words, a: u64, s: u64, r: u64| {
        two_party::read::blinded_rotation(&d, a, s, r)
    });
    case!(v, 4, "two_party::read::read", "", |d: (Memory, Memory),
                                              a: (u64, u64),
                                              q: (u64, u64),
                                              r: (u64, u64)| {
        two_party::read::read((&d.0.0, &d.1.0), a, q, r)
    });
}

pub fn compressed(v: &mut Vectors) {
    case!(v, 4, "paper::compressed::compress", "", |s: PrimaryState<u64>| compressed::compress(&s));
    case!(
        v,
        4,
        "paper::compressed::read_share",
        "",
        |s: CompressedState<u64>, t: Words, u: Words, g: u64| { compressed::read_share(&s, &t, &u, g) }
    );
    case!(v, 4, "paper::compressed::updated_p0", "", |s: CompressedState<u64>, a: Words, b: Words| {
        compressed::updated_p0(&s, &a, &b)
    });
    case!(v, 4, "paper::compressed::updated_p1", "", |s: CompressedState<u64>, a: Words, b: Words| {
        compressed::updated_p1(&s, &a, &b)
    });
    case!(v, 4, "paper::compressed::opened", "", |s: CompressedState<u64>, h: HelperState<u64>| {
        compressed::opened(&s, &h)
    });
}
