//! What each party sees does not depend on the secrets: exhaustively, over 2-bit words and a memory of two words.
//!
//! For READ, UPDATE and App. D, and for each party: fix what the party holds itself, run through *all* values of what it
//! does not know, and collect what it receives. For every choice of the secrets this must be the same multiset.
//!
//! Idealized: labels that a party does not know are uniform, which for the real PRG holds only computationally.
//!
//! The same comparison is then made for implementations with a known fault, and must tell the secrets apart.
#![allow(missing_docs)]

use crate::exhaustive::{Bits, View, independent_of_secrets, pack};
use duoram_spec::core::block::{Block, block_of_halves, flag};
use duoram_spec::core::dealer::final_correction_share;
use duoram_spec::core::dpf::value_words;
use duoram_spec::core::du_atallah::product_triples;
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{sub, unit_vector};
use duoram_spec::paper::conversion::{Input, conversion, conversion_correction_share};
use duoram_spec::paper::memory::shared;
use duoram_spec::paper::read::{UnitVectors, read, shift_share};
use duoram_spec::paper::update::{CorrectionShares, message, rerandomized};

fn e(i: u64) -> Vec<Z4> {
    unit_vector(2, usize::try_from(i).unwrap())
}

// ---------------------------------------------------------------- READ

/// Whose view of a READ.
#[derive(Clone, Copy, PartialEq)]
enum Reader {
    P0,
    P1,
    P2,
}

/// A READ with ideal preprocessing, as one party sees it.
///
/// The vectors that a party holds and that no message to it depends on (t^(1), and one of t^(2), t^(3)) are fixed; all else
/// is tried.
fn read_view(party: Reader, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let (memory, target) = (secret.pair(), secret.take(1));
    let ri = unknown.take(1);
    let fixed = vec![z4(1), z4(3)];
    let (own_index, own_address) = (known.take(1), known.take(1));
    let other = |own: u64, sum: u64| sum.wrapping_sub(own) & 1;
    let (ri_shares, i_shares) = match party {
        Reader::P0 => ((own_index, other(own_index, ri)), (own_address, other(own_address, target))),
        Reader::P1 => ((other(own_index, ri), own_index), (other(own_address, target), own_address)),
        Reader::P2 => {
            let (r, i) = (unknown.take(1), unknown.take(1));
            ((r, other(r, ri)), (i, other(i, target)))
        }
    };
    let own_unit = known.pair();
    let other_unit = sub(&e(ri), &own_unit);
    let rest = (fixed.clone(), sub(&e(ri), &fixed));
    let units = match party {
        // gamma_0 depends on t_1^(3) only.
        Reader::P0 => {
            UnitVectors { p0: (rest.0.clone(), rest.0, own_unit), p1: (rest.1.clone(), rest.1, other_unit) }
        }
        // gamma_1 depends on t_0^(2) only.
        Reader::P1 => {
            UnitVectors { p0: (rest.0.clone(), other_unit, rest.0), p1: (rest.1.clone(), own_unit, rest.1) }
        }
        // P2 holds t_0^(2) and t_1^(3).
        Reader::P2 => UnitVectors {
            p0: (rest.0.clone(), own_unit.clone(), other_unit),
            p1: (rest.1, sub(&e(ri), &own_unit), own_unit),
        },
    };
    let own_blind = known.pair();
    let other_blind = if party == Reader::P2 { fixed.clone() } else { unknown.pair() };
    let mask = if party == Reader::P2 { z4(0) } else { unknown.z4() };
    let (d_0, d_1, zeta_0, zeta_1) = match party {
        Reader::P1 => (sub(&memory, &fixed), fixed, other_blind, own_blind),
        _ => (fixed.clone(), sub(&memory, &fixed), own_blind, other_blind),
    };
    let state = shared(&d_0, &d_1, &zeta_0, &zeta_1);
    let run = read(&state, &units, ri_shares, i_shares, mask);
    let words = |v: &[Z4]| pack(&[v[0].to_u64(), v[1].to_u64()]);
    match party {
        Reader::P0 => pack(&[run.shift_1, run.gamma_0.to_u64()]) << 4 | words(&state.p0.blinded),
        Reader::P1 => pack(&[run.shift_0, run.gamma_1.to_u64()]) << 4 | words(&state.p1.blinded),
        Reader::P2 => pack(&[run.shift_0, run.shift_1]),
    }
}

#[test]
fn read_views_do_not_depend_on_the_memory_or_the_address() {
    // known: ri_b, i*_b, t_b, zeta_b; unknown: ri, zeta_(1-b), rho; secret: D, i*
    assert!(independent_of_secrets(10, 7, 5, |k, u, s| read_view(Reader::P0, k, u, s)), "P0");
    assert!(independent_of_secrets(10, 7, 5, |k, u, s| read_view(Reader::P1, k, u, s)), "P1");
    assert!(independent_of_secrets(10, 3, 5, |k, u, s| read_view(Reader::P2, k, u, s)), "P2");
}

#[test]
fn read_with_the_mask_left_out_is_told_apart() {
    // rho = 0: gamma_0 gives <zeta_0, t_1^(3)>, and with t_0^(3) the position of ri.
    let without_mask = |k: Bits, u: Bits, s: Bits| read_view(Reader::P0, k, Bits(u.0 & 0x1f), s);
    assert!(!independent_of_secrets(10, 7, 5, without_mask));
}

/// Two READs with one DPF: the difference of the two shifts is the difference of the two addresses.
#[test]
fn read_with_one_dpf_twice_is_told_apart() {
    let twice = |_: Bits, mut u: Bits, mut s: Bits| {
        let (ri_0, ri_1) = (u.take(1), u.take(1));
        let mut send = |target: u64| {
            let i_0 = u.take(1);
            let i_1 = target.wrapping_sub(i_0) & 1;
            [shift_share(i_0, ri_0, 2), shift_share(i_1, ri_1, 2)]
        };
        pack(&[send(s.take(1)), send(s.take(1))].concat())
    };
    assert!(!independent_of_secrets(0, 4, 2, twice));
}

/// Two bits of address and index for a memory of two words, not reduced: the shift tells something about i*_b.
#[test]
fn read_with_unreduced_shift_shares_is_told_apart() {
    let sent = |_: Bits, mut u: Bits, mut s: Bits| {
        let ri_0 = u.take(1);
        pack(&[s.take(2).wrapping_sub(ri_0)])
    };
    assert!(!independent_of_secrets(0, 1, 2, sent));
    let reduced = |_: Bits, mut u: Bits, mut s: Bits| pack(&[shift_share(s.take(2), u.take(1), 2)]);
    assert!(independent_of_secrets(0, 1, 2, reduced));
}

// ---------------------------------------------------------------- UPDATE

/// A label of 4 bits: 2 of value, 1 of conversion word, and the flag.
fn label(value: u64, conversion: u64, flag: u64) -> Block {
    block_of_halves(conversion << 1 | flag, value)
}

/// The other party's leaves: equal off ri; at ri another value and conversion word, and the other flag.
fn other_leaves(own: &[Block], ri: u64, value: u64, conversion: u64) -> Vec<Block> {
    let at = usize::try_from(ri).unwrap();
    let mut leaves = own.to_vec();
    leaves[at] = label(value, conversion, u64::from(!flag(own[at])));
    leaves
}

fn correction<W: Ring>(party: Primary, leaves: &[Block]) -> W {
    final_correction_share(&value_words::<W>(party, leaves))
}

/// Which words of Protocol 2, line 5, are compared, and with which fault.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// P2 receives shares of F that it can compute itself.
    NoFreshShares,
}

/// A primary's view of an UPDATE: what the other sends it. Secrets: i*, M.
fn update_view_of_primary(party: Primary, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let (target, m) = (secret.take(1), secret.z4());
    let ri = unknown.take(1);
    let own_m = known.z4();
    let delta = (z4(1), z4(2));
    let mut opened: [(Z4, Z4); 3] = [(z4(0), z4(0)); 3];
    for pair in &mut opened {
        let own = [label(known.take(2), 0, 1), label(known.take(2), 1, 0)];
        let others = other_leaves(&own, ri, unknown.take(2), 0);
        let (leaves_0, leaves_1) = match party {
            Primary::P0 => (own.to_vec(), others),
            Primary::P1 => (others, own.to_vec()),
        };
        *pair = (correction(Primary::P0, &leaves_0), correction(Primary::P1, &leaves_1));
    }
    let shares = rerandomized(
        &CorrectionShares {
            p0: (opened[0].0, opened[1].0, opened[2].0),
            p1: (opened[0].1, opened[1].1, opened[2].1),
        },
        delta.0,
        delta.1,
    );
    let (own_index, own_address) = (1, 0);
    let sent_shift = shift_share(target.wrapping_sub(own_address), ri.wrapping_sub(own_index), 2);
    let others_m = m.minus(own_m);
    let sent = match party {
        Primary::P0 => message(sent_shift, others_m, shares.p1),
        Primary::P1 => message(sent_shift, others_m, shares.p0),
    };
    pack(&[sent.shift, sent.masked_dpf_1.to_u64(), sent.masked_dpf_2.to_u64(), sent.masked_dpf_3.to_u64()])
}

/// P2's view of an UPDATE. It knows P0's leaves of DPF 2 and P1's of DPF 3. Secrets: i*, M, and P0's share of M.
fn update_view_of_helper(fault: Fault, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let (target, m, m_0) = (secret.take(1), secret.z4(), secret.z4());
    let (ri, ri_0, i_0) = (unknown.take(1), unknown.take(1), unknown.take(1));
    let leaves_0_2 = [label(known.take(2), 0, 1), label(known.take(2), 1, 0)];
    let leaves_1_3 = [label(known.take(2), 1, 1), label(known.take(2), 0, 0)];
    let leaves_1_2 = other_leaves(&leaves_0_2, ri, unknown.take(2), 0);
    let leaves_0_3 = other_leaves(&leaves_1_3, ri, unknown.take(2), 0);
    let local = CorrectionShares {
        p0: (z4(0), correction(Primary::P0, &leaves_0_2), correction(Primary::P0, &leaves_0_3)),
        p1: (z4(0), correction(Primary::P1, &leaves_1_2), correction(Primary::P1, &leaves_1_3)),
    };
    let delta = (unknown.z4(), unknown.z4());
    let shares = if fault == Fault::NoFreshShares { local } else { rerandomized(&local, delta.0, delta.1) };
    let from_0 = message(shift_share(i_0, ri_0, 2), m_0, shares.p0);
    let (i_1, ri_1) = (target.wrapping_sub(i_0), ri.wrapping_sub(ri_0));
    let from_1 = message(shift_share(i_1, ri_1, 2), m.minus(m_0), shares.p1);
    pack(&[
        from_0.shift,
        from_0.masked_dpf_2.to_u64(),
        from_0.masked_dpf_3.to_u64(),
        from_1.shift,
        from_1.masked_dpf_2.to_u64(),
        from_1.masked_dpf_3.to_u64(),
    ])
}

#[test]
fn update_views_of_the_primaries_do_not_depend_on_address_or_value() {
    // known: M_b, six value words; unknown: ri, three value words; secret: i*, M
    assert!(independent_of_secrets(14, 7, 3, |k, u, s| update_view_of_primary(Primary::P0, k, u, s)), "P0");
    assert!(independent_of_secrets(14, 7, 3, |k, u, s| update_view_of_primary(Primary::P1, k, u, s)), "P1");
}

#[test]
fn update_view_of_p2_does_not_depend_on_address_value_or_its_shares() {
    // known: four value words; unknown: ri, ri_0, i*_0, two value words, delta; secret: i*, M, M_0
    assert!(independent_of_secrets(8, 11, 5, |k, u, s| update_view_of_helper(Fault::None, k, u, s)));
}

#[test]
fn update_without_fresh_shares_of_f_is_told_apart_by_p2() {
    assert!(!independent_of_secrets(8, 11, 5, |k, u, s| update_view_of_helper(
        Fault::NoFreshShares,
        k,
        u,
        s
    )));
}

/// 2-bit words whose value word is taken from the bottom of the label: with the flag in it.
#[derive(Clone, Copy)]
struct FlagInWord(Z4);

impl Ring for FlagInWord {
    fn zero() -> Self {
        FlagInWord(Z4::zero())
    }
    fn one() -> Self {
        FlagInWord(Z4::one())
    }
    fn plus(self, other: Self) -> Self {
        FlagInWord(self.0.plus(other.0))
    }
    fn minus(self, other: Self) -> Self {
        FlagInWord(self.0.minus(other.0))
    }
    fn times(self, other: Self) -> Self {
        FlagInWord(self.0.times(other.0))
    }
    fn negated(self) -> Self {
        FlagInWord(self.0.negated())
    }
    fn from_u64(x: u64) -> Self {
        FlagInWord(z4(x))
    }
    fn to_u64(self) -> u64 {
        self.0.to_u64()
    }
    fn value_word(label: Block) -> Self {
        FlagInWord(Z4::conversion_word(label))
    }
    fn conversion_word(label: Block) -> Self {
        FlagInWord(Z4::conversion_word(label))
    }
}

/// One word `M_1 + F_1`, as P0 sees it, with complete labels; sent `times` times with different M.
fn opened_word<W: Ring>(times: u32, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let own: Vec<Block> = (0..2).map(|_| label(known.take(2), known.take(1), known.take(1))).collect();
    let others = other_leaves(&own, unknown.take(1), unknown.take(2), unknown.take(1));
    let f_1: W = correction(Primary::P1, &others);
    let views: Vec<u64> = (0..times)
        .map(|_| message(0, W::from_u64(secret.take(2)), (f_1, f_1, f_1)).masked_dpf_1.to_u64())
        .collect();
    pack(&views)
}

#[test]
fn update_is_told_apart_if_the_flag_is_in_the_value_word() {
    assert!(independent_of_secrets(8, 4, 2, |k, u, s| opened_word::<Z4>(1, k, u, s)));
    assert!(!independent_of_secrets(8, 4, 2, |k, u, s| opened_word::<FlagInWord>(1, k, u, s)));
}

#[test]
fn update_with_one_dpf_twice_is_told_apart() {
    assert!(!independent_of_secrets(8, 4, 4, |k, u, s| opened_word::<Z4>(2, k, u, s)));
}

// ---------------------------------------------------------------- App. D

/// A primary's view of the conversion; with `reuse`, a word M masked by the same F is sent too. Secrets: ri, and M.
fn conversion_view_of_primary(
    party: Primary,
    reuse: bool,
    mut known: Bits,
    mut unknown: Bits,
    mut secret: Bits,
) -> View {
    let (ri, m) = (secret.take(1), secret.z4());
    let own: Vec<Block> = (0..2).map(|_| label(0, known.take(1), known.take(1))).collect();
    let others = other_leaves(&own, ri, 0, unknown.take(1));
    let own_blind = known.z4();
    let (own_x, own_y, own_z) = (known.z4(), known.z4(), known.z4());
    let (other_blind, other_x, other_y) = (unknown.z4(), unknown.z4(), unknown.z4());
    // The dealer's T is what makes the known Z come out.
    let input = |labels: &[Block], blind, triple| Input { labels: labels.to_vec(), blind, triple };
    let run = match party {
        Primary::P0 => {
            let t = own_z.minus(own_x.times(other_y));
            let (triple_0, triple_1) = product_triples(own_x, other_x, own_y, other_y, t);
            conversion(&input(&own, own_blind, triple_0), &input(&others, other_blind, triple_1))
        }
        Primary::P1 => {
            let t = own_x.times(other_y).minus(own_z);
            let (triple_0, triple_1) = product_triples(other_x, own_x, other_y, own_y, t);
            conversion(&input(&others, other_blind, triple_0), &input(&own, own_blind, triple_1))
        }
    };
    let (received, opening, sender) = match party {
        Primary::P0 => (run.operands_1, run.opening_1, Primary::P1),
        Primary::P1 => (run.operands_0, run.opening_0, Primary::P0),
    };
    let same_f = conversion_correction_share::<Z4>(sender, &others).plus(m).to_u64();
    pack(&[
        received.blinded_sign.to_u64(),
        received.masked_correction.to_u64(),
        received.masked_sign.to_u64(),
        opening.to_u64(),
        if reuse { same_f } else { 0 },
    ])
}

/// P2's view of the conversion of a DPF of which it has P0's key: the factor.
fn conversion_view_of_helper(mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let ri = secret.take(1);
    let own: Vec<Block> = (0..2).map(|_| label(0, known.take(1), known.take(1))).collect();
    let others = other_leaves(&own, ri, 0, unknown.take(1));
    let (triple_0, triple_1) = product_triples(unknown.z4(), z4(1), z4(2), z4(3), z4(0));
    let blinds = (unknown.z4(), unknown.z4());
    let run = conversion(
        &Input { labels: own, blind: blinds.0, triple: triple_0 },
        &Input { labels: others, blind: blinds.1, triple: triple_1 },
    );
    pack(&[run.factor.to_u64()])
}

#[test]
fn conversion_views_do_not_depend_on_the_target() {
    // known: two leaves, r_b, X_b, Y_b, Z_b; unknown: the leaf at ri, r, X, Y of the other; secret: ri (M is not sent)
    for party in [Primary::P0, Primary::P1] {
        assert!(independent_of_secrets(12, 7, 1, |k, u, s| conversion_view_of_primary(
            party, false, k, u, s
        )));
    }
    assert!(independent_of_secrets(4, 7, 1, conversion_view_of_helper), "P2");
}

#[test]
fn conversion_is_told_apart_if_its_f_is_opened_with_m_too() {
    for party in [Primary::P0, Primary::P1] {
        assert!(!independent_of_secrets(12, 7, 3, |k, u, s| conversion_view_of_primary(
            party, true, k, u, s
        )));
    }
}

/// Without the blinds r_b the sign would be sent in the clear, and with it half of the address.
#[test]
fn conversion_without_blinds_is_told_apart() {
    let without =
        |k: Bits, u: Bits, s: Bits| conversion_view_of_primary(Primary::P0, false, k, Bits(u.0 & !0b110), s);
    assert!(!independent_of_secrets(12, 7, 1, without));
}
