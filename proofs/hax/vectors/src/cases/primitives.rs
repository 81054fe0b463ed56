//! AES, DPFs, their generation, and share conversion.

use crate::random::Exactly;
use crate::toy::Toy;
use crate::{Vectors, case, given};
use duoram_spec::core::aes::{self, Aes128};
use duoram_spec::core::dealer::{self, ValueKey};
use duoram_spec::core::distributed_gen::{self, ChildSums, Generation, LevelMessages};
use duoram_spec::core::dpf::{self, Correction, Key};
use duoram_spec::core::du_atallah::AndTriple;
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::Primary;
use duoram_spec::paper::conversion::{self, Operands};

type State = Exactly<u8, 16>;

pub fn aes(v: &mut Vectors) {
    case!(v, 4, "core::aes::xtime", "", |a: u8| aes::xtime(a));
    case!(v, 4, "core::aes::gf_mul", "", |a: u8, b: u8| aes::gf_mul(a, b));
    case!(v, 2, "core::aes::gf_inverse", "", |a: u8| aes::gf_inverse(a));
    case!(v, 3, "core::aes::s_box", "", |a: u8| aes::s_box(a));
    case!(v, 4, "core::aes::sub_byte", "", |table: Exactly<u8, 256>, a: u8| aes::sub_byte(&table.0, a));
    case!(v, 4, "core::aes::round_constant", "", |i: usize| aes::round_constant(i));
    case!(v, 2, "core::aes::next_round_key", "", |table: Exactly<u8, 256>, key: State, c: u8| {
        aes::next_round_key(&table.0, &key.0, c)
    });
    case!(v, 1, "core::aes::expand_key", "", |key: State| aes::expand_key(&key.0));
    given!(v, "core::aes::s_box_table", "", aes::s_box_table(););
    case!(v, 1, "core::aes::expand_key_with", "", |table: Exactly<u8, 256>, key: State| {
        aes::expand_key_with(&table.0, &key.0)
    });
    case!(v, 2, "core::aes::add_round_key", "", |s: State, k: State| aes::add_round_key(&s.0, &k.0));
    case!(v, 2, "core::aes::sub_bytes", "", |t: Exactly<u8, 256>, s: State| aes::sub_bytes(&t.0, &s.0));
    case!(v, 2, "core::aes::shift_rows", "", |s: State| aes::shift_rows(&s.0));
    case!(v, 2, "core::aes::mix_columns", "", |s: State| aes::mix_columns(&s.0));
    case!(v, 2, "core::aes::cipher", "", |a: Aes128, s: State| aes::cipher(&a, &s.0));
    case!(v, 2, "core::aes::round_key", "", |a: Aes128, i: usize| aes::round_key(&a, i));
    case!(v, 2, "core::aes::bytes_of_block", "", |b: u128| aes::bytes_of_block(b));
    case!(v, 2, "core::aes::block_of_bytes", "", |s: State| aes::block_of_bytes(&s.0));
    case!(v, 2, "core::aes::encrypt", "", |a: Aes128, b: u128| aes::encrypt(&a, b));
    case!(v, 2, "core::prg::Prg::left for core::prg::AesPrg", "", |p: AesPrg, l: u128| p.left(l));
    case!(v, 2, "core::prg::Prg::right for core::prg::AesPrg", "", |p: AesPrg, l: u128| p.right(l));
}

pub fn dpf(v: &mut Vectors) {
    case!(v, 6, "core::dpf::address_bits", "", |a: u64, h: usize| dpf::address_bits(a, h));
    case!(v, 4, "core::dpf::left_child", "", |p: Toy, l: u128, c: Correction| dpf::left_child(&p, l, &c));
    case!(v, 4, "core::dpf::right_child", "", |p: Toy, l: u128, c: Correction| dpf::right_child(&p, l, &c));
    case!(v, 4, "core::dpf::child", "", |p: Toy, l: u128, c: Correction, b: bool| dpf::child(&p, l, &c, b));
    case!(v, 4, "core::dpf::eval", "", |p: Toy, k: Key, a: u64| dpf::eval(&p, &k, a));
    case!(v, 4, "core::dpf::next_level", "", |p: Toy, l: Vec<u128>, c: Correction| dpf::next_level(
        &p, &l, &c
    ));
    case!(v, 4, "core::dpf::eval_full", "", |p: Toy, k: Key| dpf::eval_full(&p, &k));
    case!(v, 4, "core::dpf::leaf_flags", "", |l: Vec<u128>| dpf::leaf_flags(&l));
    case!(v, 4, "core::dpf::signed_flags", " u64", |p: Primary, l: Vec<u128>| dpf::signed_flags::<u64>(
        p, &l
    ));
    case!(v, 4, "core::dpf::value_words", " u64", |p: Primary, l: Vec<u128>| dpf::value_words::<u64>(p, &l));
    case!(v, 4, "core::dpf::conversion_words", " u64", |p: Primary, l: Vec<u128>| {
        dpf::conversion_words::<u64>(p, &l)
    });
    case!(v, 6, "core::dpf::leaf", "", |l: Vec<u128>, a: u64| dpf::leaf(&l, a));
    case!(v, 4, "core::dealer::level_correction", "", |p: Toy, a: u128, b: u128, bit: bool| {
        dealer::level_correction(&p, a, b, bit)
    });
    case!(v, 4, "core::dealer::generate", "", |p: Toy, t: u64, h: usize, a: u128, b: u128| {
        dealer::generate(&p, t, h, a, b)
    });
    case!(v, 4, "core::dealer::final_correction", "", |a: u128, b: u128, m: u64| {
        dealer::final_correction(a, b, m)
    });
    case!(v, 4, "core::dealer::generate_value", "", |p: Toy, t: u64, h: usize, m: u64, a: u128, b: u128| {
        dealer::generate_value(&p, t, h, m, a, b)
    });
    case!(v, 4, "core::dealer::leaf_value", "", |p: Primary, l: u128, f: u64| dealer::leaf_value(p, l, f));
    case!(v, 4, "core::dealer::eval_value", "", |p: Toy, b: Primary, k: ValueKey<u64>, a: u64| {
        dealer::eval_value(&p, b, &k, a)
    });
    case!(v, 4, "core::dealer::final_correction_share", "", |w: Vec<u64>| dealer::final_correction_share(&w));
    case!(v, 4, "core::dealer::deferred_final_correction", " u64", |a: Vec<u128>, b: Vec<u128>, t: u64| {
        dealer::deferred_final_correction::<u64>(&a, &b, t)
    });
}

pub fn generation(v: &mut Vectors) {
    use distributed_gen::{Input, Operands};
    case!(v, 4, "core::distributed_gen::planted", "", |b: Primary, r: u128| distributed_gen::planted(b, r));
    case!(v, 4, "core::distributed_gen::child_sums", "", |p: Toy, l: Vec<u128>| distributed_gen::child_sums(
        &p, &l
    ));
    case!(v, 4, "core::distributed_gen::second_operand", "", |s: ChildSums| distributed_gen::second_operand(
        &s
    ));
    case!(v, 4, "core::distributed_gen::operands", "", |b: bool, s: ChildSums, t: AndTriple| {
        distributed_gen::operands(b, &s, &t)
    });
    case!(v, 4, "core::distributed_gen::opening", "", |b: bool, s: ChildSums, t: AndTriple, o: Operands| {
        distributed_gen::opening(b, &s, &t, &o)
    });
    case!(v, 4, "core::distributed_gen::reconstruct", "", |a: Operands, b: Operands, x: u128, y: u128| {
        distributed_gen::reconstruct(&a, &b, x, y)
    });
    case!(
        v,
        4,
        "core::distributed_gen::level_messages",
        "",
        |p: Toy, a: Vec<u128>, b: Vec<u128>, bits: (bool, bool), t: (AndTriple, AndTriple)| {
            distributed_gen::level_messages(&p, &a, &b, bits, t)
        }
    );
    case!(v, 4, "core::distributed_gen::correction_of", "", |m: LevelMessages| {
        distributed_gen::correction_of(&m)
    });
    case!(
        v,
        4,
        "core::distributed_gen::grow",
        "",
        |p: Toy, g: Generation, bits: (bool, bool), t: (AndTriple, AndTriple)| {
            distributed_gen::grow(&p, g.clone(), bits, t)
        }
    );
    case!(v, 6, "core::distributed_gen::distributed_generation", "", |p: Toy, a: Input, b: Input| {
        distributed_gen::distributed_generation(&p, &a, &b)
    });
}

pub fn conversion(v: &mut Vectors) {
    use conversion::Input;
    case!(v, 4, "paper::conversion::sign_share", " u64", |p: Primary, l: Vec<u128>| {
        conversion::sign_share::<u64>(p, &l)
    });
    case!(v, 4, "paper::conversion::conversion_correction_share", " u64", |p: Primary, l: Vec<u128>| {
        conversion::conversion_correction_share::<u64>(p, &l)
    });
    case!(v, 4, "paper::conversion::operands", "", |p: Primary, i: Input<u64>| conversion::operands(p, &i));
    case!(v, 4, "paper::conversion::opening", "", |p: Primary, i: Input<u64>, o: Operands<u64>| {
        conversion::opening(p, &i, &o)
    });
    case!(v, 4, "paper::conversion::convert", "", |p: Primary, l: Vec<u128>, s: u64, c: u64| {
        conversion::convert(p, &l, s, c)
    });
    case!(v, 4, "paper::conversion::conversion_factor", "", |s: u64, c: u64| conversion::conversion_factor(
        s, c
    ));
    case!(v, 4, "paper::conversion::unit_share", "", |p: Primary, l: Vec<u128>, f: u64| {
        conversion::unit_share(p, &l, f)
    });
    case!(v, 4, "paper::conversion::conversion", "", |a: Input<u64>, b: Input<u64>| conversion::conversion(
        &a, &b
    ));
    case!(v, 4, "paper::conversion::random_index_share", "", |u: Vec<u64>| conversion::random_index_share(
        &u
    ));
    case!(v, 4, "paper::conversion::opened_unit_vector", "", |a: Vec<u128>, b: Vec<u128>, s: u64, c: u64| {
        conversion::opened_unit_vector(&a, &b, s, c)
    });
}
