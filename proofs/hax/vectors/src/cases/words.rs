//! Words, vectors, blocks, sharing, and the Du-Atallah protocols.

use crate::random::Memory;
use crate::{Vectors, case, given};
use duoram_spec::core::block;
use duoram_spec::core::du_atallah::{self, AndTriple, DotTriple, ProductTriple};
use duoram_spec::core::ring::{self, Bit, Ring, XorWord, Z4};
use duoram_spec::core::share::{self, Primary};
use duoram_spec::core::vector;

pub fn words(v: &mut Vectors) {
    rings(v);
    vectors(v);
    blocks(v);
    sharing(v);
    triples(v);
}

fn rings(v: &mut Vectors) {
    given!(v, "core::ring::Ring::zero for u64", "", <u64 as Ring>::zero(););
    given!(v, "core::ring::Ring::one for u64", "", <u64 as Ring>::one(););
    case!(v, 4, "core::ring::Ring::plus for u64", "", |a: u64, b: u64| a.plus(b));
    case!(v, 4, "core::ring::Ring::minus for u64", "", |a: u64, b: u64| a.minus(b));
    case!(v, 4, "core::ring::Ring::times for u64", "", |a: u64, b: u64| a.times(b));
    case!(v, 4, "core::ring::Ring::negated for u64", "", |a: u64| a.negated());
    case!(v, 2, "core::ring::Ring::from_u64 for u64", "", |x: u64| <u64 as Ring>::from_u64(x));
    case!(v, 2, "core::ring::Ring::to_u64 for u64", "", |x: u64| Ring::to_u64(x));
    case!(v, 4, "core::ring::Ring::value_word for u64", "", |l: u128| <u64 as Ring>::value_word(l));
    case!(v, 4, "core::ring::Ring::conversion_word for u64", "", |l: u128| <u64 as Ring>::conversion_word(l));
    given!(v, "core::ring::Ring::zero for core::ring::Z4", "", Z4::zero(););
    given!(v, "core::ring::Ring::one for core::ring::Z4", "", Z4::one(););
    case!(v, 8, "core::ring::Ring::plus for core::ring::Z4", "", |a: Z4, b: Z4| a.plus(b));
    case!(v, 8, "core::ring::Ring::minus for core::ring::Z4", "", |a: Z4, b: Z4| a.minus(b));
    case!(v, 8, "core::ring::Ring::times for core::ring::Z4", "", |a: Z4, b: Z4| a.times(b));
    case!(v, 4, "core::ring::Ring::negated for core::ring::Z4", "", |a: Z4| a.negated());
    case!(v, 4, "core::ring::Ring::from_u64 for core::ring::Z4", "", |x: u64| Z4::from_u64(x));
    case!(v, 4, "core::ring::Ring::to_u64 for core::ring::Z4", "", |x: Z4| x.to_u64());
    case!(v, 4, "core::ring::Ring::value_word for core::ring::Z4", "", |l: u128| Z4::value_word(l));
    case!(v, 4, "core::ring::Ring::conversion_word for core::ring::Z4", "", |l: u128| Z4::conversion_word(l));
    case!(v, 4, "core::ring::z4", "", |x: u64| ring::z4(x));

    given!(v, "core::ring::Ring::zero for core::ring::XorWord", "", XorWord::zero(););
    given!(v, "core::ring::Ring::one for core::ring::XorWord", "", XorWord::one(););
    case!(v, 4, "core::ring::Ring::plus for core::ring::XorWord", "", |a: XorWord, b: XorWord| a.plus(b));
    case!(v, 4, "core::ring::Ring::minus for core::ring::XorWord", "", |a: XorWord, b: XorWord| a.minus(b));
    case!(v, 4, "core::ring::Ring::times for core::ring::XorWord", "", |a: XorWord, b: XorWord| a.times(b));
    case!(v, 2, "core::ring::Ring::negated for core::ring::XorWord", "", |a: XorWord| a.negated());
    case!(v, 3, "core::ring::Ring::from_u64 for core::ring::XorWord", "", |x: u64| XorWord::from_u64(x));
    case!(v, 3, "core::ring::Ring::to_u64 for core::ring::XorWord", "", |x: XorWord| x.to_u64());
    case!(v, 3, "core::ring::Ring::value_word for core::ring::XorWord", "", |l: u128| XorWord::value_word(l));
    case!(v, 3, "core::ring::Ring::conversion_word for core::ring::XorWord", "", |l: u128| {
        XorWord::conversion_word(l)
    });

    given!(v, "core::ring::Ring::zero for core::ring::Bit", "", Bit::zero(););
    given!(v, "core::ring::Ring::one for core::ring::Bit", "", Bit::one(););
    case!(v, 4, "core::ring::Ring::plus for core::ring::Bit", "", |a: Bit, b: Bit| a.plus(b));
    case!(v, 4, "core::ring::Ring::minus for core::ring::Bit", "", |a: Bit, b: Bit| a.minus(b));
    case!(v, 4, "core::ring::Ring::times for core::ring::Bit", "", |a: Bit, b: Bit| a.times(b));
    case!(v, 2, "core::ring::Ring::negated for core::ring::Bit", "", |a: Bit| a.negated());
    case!(v, 3, "core::ring::Ring::from_u64 for core::ring::Bit", "", |x: u64| Bit::from_u64(x));
    case!(v, 3, "core::ring::Ring::to_u64 for core::ring::Bit", "", |x: Bit| x.to_u64());
    case!(v, 3, "core::ring::Ring::value_word for core::ring::Bit", "", |l: u128| Bit::value_word(l));
    case!(v, 3, "core::ring::Ring::conversion_word for core::ring::Bit", "", |l: u128| Bit::conversion_word(
        l
    ));
}

fn vectors(v: &mut Vectors) {
    case!(v, 6, "core::vector::at", "", |l: Vec<u64>, i: usize, d: u64| vector::at(&l, i, d));
    case!(v, 4, "core::vector::add", "", |a: Vec<u64>, b: Vec<u64>| vector::add(&a, &b));
    case!(v, 4, "core::vector::add", "", |a: Vec<Z4>, b: Vec<Z4>| vector::add(&a, &b));
    case!(v, 4, "core::vector::sub", "", |a: Vec<u64>, b: Vec<u64>| vector::sub(&a, &b));
    case!(v, 4, "core::vector::scale", "", |k: u64, a: Vec<u64>| vector::scale(k, &a));
    case!(v, 4, "core::vector::sum", "", |a: Vec<u64>| vector::sum(&a));
    case!(v, 4, "core::vector::dot", "", |a: Vec<u64>, b: Vec<u64>| vector::dot(&a, &b));
    case!(v, 4, "core::vector::dot", "", |a: Vec<Z4>, b: Vec<Z4>| vector::dot(&a, &b));
    case!(v, 3, "core::vector::zeros", " u64", |n: usize| vector::zeros::<u64>(n));
    case!(v, 6, "core::vector::unit_vector", " u64", |n: usize, i: usize| vector::unit_vector::<u64>(n, i));
    case!(v, 3, "core::vector::unit_vector", " ring_Z4", |n: usize, i: usize| vector::unit_vector::<Z4>(
        n, i
    ));
    case!(v, 3, "core::vector::indices", " u64", |n: usize| vector::indices::<u64>(n));
    case!(v, 3, "core::vector::indices", " ring_Z4", |n: usize| vector::indices::<Z4>(n));
    case!(v, 6, "core::vector::every", "", |bits: Vec<bool>| vector::every(&bits));
    case!(v, 6, "core::vector::mod_size", "", |x: u64, n: usize| vector::mod_size(x, n));
    case!(v, 6, "core::vector::shift", "", |t: Memory, s: u64| vector::shift(&t.0, s));
    case!(v, 4, "core::vector::shift", "", |t: Vec<u64>, s: u64| vector::shift(&t, s));
    case!(v, 4, "core::vector::xor_shift", "", |t: Memory, s: u64| vector::xor_shift(&t.0, s));
    case!(v, 4, "core::vector::xor_shift", "", |t: Vec<u64>, s: u64| vector::xor_shift(&t, s));
}

fn blocks(v: &mut Vectors) {
    case!(v, 4, "core::block::flag", "", |l: u128| block::flag(l));
    case!(v, 4, "core::block::clear_flag", "", |l: u128| block::clear_flag(l));
    case!(v, 4, "core::block::bit_block", "", |b: bool| block::bit_block(b));
    case!(v, 4, "core::block::replicate", "", |b: bool| block::replicate(b));
    case!(v, 4, "core::block::with_flag", "", |l: u128, b: bool| block::with_flag(l, b));
    case!(v, 4, "core::block::high_half", "", |l: u128| block::high_half(l));
    case!(v, 4, "core::block::low_half", "", |l: u128| block::low_half(l));
    case!(v, 4, "core::block::block_of_halves", "", |low: u64, high: u64| block::block_of_halves(low, high));
    case!(v, 4, "core::block::xor_sum", "", |l: Vec<u128>| block::xor_sum(&l));
}

fn sharing(v: &mut Vectors) {
    case!(v, 4, "core::share::signed", "", |p: Primary, x: u64| share::signed(p, x));
    case!(v, 4, "core::share::signed_vector", "", |p: Primary, x: Vec<u64>| share::signed_vector(p, &x));
    case!(v, 4, "core::share::additive_shares", "", |x: u64, r: u64| share::additive_shares(x, r));
    case!(v, 4, "core::share::additive_open", "", |x: u64, r: u64| share::additive_open(x, r));
    case!(v, 4, "core::share::additive_vector_shares", "", |x: Vec<u64>, r: Vec<u64>| {
        share::additive_vector_shares(&x, &r)
    });
    case!(v, 4, "core::share::additive_vector_open", "", |x: Vec<u64>, y: Vec<u64>| {
        share::additive_vector_open(&x, &y)
    });
    case!(v, 4, "core::share::xor_shares", "", |x: u128, r: u128| share::xor_shares(x, r));
    case!(v, 4, "core::share::xor_open", "", |x: u128, y: u128| share::xor_open(x, y));
}

fn triples(v: &mut Vectors) {
    case!(v, 4, "core::du_atallah::and_triples", "", |a: u128, b: u128, c: u128, d: u128, t: u128| {
        du_atallah::and_triples(a, b, c, d, t)
    });
    case!(v, 4, "core::du_atallah::and_message", "", |x: u128, y: u128, t: AndTriple| {
        du_atallah::and_message(x, y, &t)
    });
    case!(v, 4, "core::du_atallah::and_share", "", |x: u128, y: u128, t: AndTriple, m: (u128, u128)| {
        du_atallah::and_share(x, y, &t, m)
    });
    case!(
        v,
        4,
        "core::du_atallah::dot_triples",
        "",
        |a: Vec<u64>, b: Vec<u64>, c: Vec<u64>, d: Vec<u64>, t: u64| {
            du_atallah::dot_triples(&a, &b, &c, &d, t)
        }
    );
    case!(v, 4, "core::du_atallah::dot_message", "", |x: Vec<u64>, y: Vec<u64>, t: DotTriple<u64>| {
        du_atallah::dot_message(&x, &y, &t)
    });
    case!(
        v,
        4,
        "core::du_atallah::dot_share",
        "",
        |x: Vec<u64>, y: Vec<u64>, t: DotTriple<u64>, m: Vec<u64>, n: Vec<u64>| {
            du_atallah::dot_share(&x, &y, &t, &m, &n)
        }
    );
    case!(v, 4, "core::du_atallah::product_triples", "", |a: u64, b: u64, c: u64, d: u64, t: u64| {
        du_atallah::product_triples(a, b, c, d, t)
    });
    case!(
        v,
        4,
        "core::du_atallah::product_share",
        "",
        |x: u64, y: u64, t: ProductTriple<u64>, m: u64, n: u64| { du_atallah::product_share(x, y, &t, m, n) }
    );
}
