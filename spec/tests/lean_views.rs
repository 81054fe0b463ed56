//! What each party sees of a lean operation does not depend on the secrets: exhaustively, over words of one bit and a memory of
//! two, for the load, for preparing, and for READ, UPDATE, WRITE and SWAP.
//!
//! For each party: fix what it holds or draws itself, or has in common with another; run through *all* values of what it does
//! not know, and collect what it receives. For every choice of the secrets (the memory, and the other parties' shares of the
//! address and of M) this must be the same multiset. What is known and only ever added to a message is one constant.
//!
//! P1 is taken to remember its side of DPF b, which it has while the item is made, and with it B.
//!
//! Idealized: what a label that a party does not know yields is uniform, which for the real PRG holds only computationally.
//!
//! The same comparison is then made for protocols with a known fault, and must tell the secrets apart.
#![allow(missing_docs)]

use crate::exhaustive::{Bits, View, independent_of_secrets};
use duoram_spec::core::block::{Block, flag, replicate};
use duoram_spec::core::distributed_gen::{ChildSums, Operands, opening, operands, reconstruct};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share};
use duoram_spec::core::ring::{Bit, Ring};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{sub, unit_vector, zeros};
use duoram_spec::lean::dealing::{Dealt, deal, dealt_0, dealt_1, dealt_z};
use duoram_spec::lean::generation::{
    Growing, Input, begin, flag_share, moved, value_share, with_dealt, with_flag_correction, with_offset,
    with_word_correction, word_share,
};
use duoram_spec::lean::layers::{FLAG_TWEAK, Layers, Purpose, WORD_TWEAK};
use duoram_spec::lean::memory::{State, State0, State1, State2, loaded_alpha_0, masked_share};
use duoram_spec::lean::preprocessing::delta_share;
use duoram_spec::lean::read::{Flags, read, shift_share};
use duoram_spec::lean::tape::{Seed0, Seed1, TripleSeed};
use duoram_spec::lean::update::{Material, Values, masked_value_0, masked_value_1, update};
use duoram_spec::lean::write::{Masks, swap};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Party {
    P0,
    P1,
    P2,
}
use Party::{P0, P1, P2};

/// What is received, a bit each.
fn pack(bits: &[bool]) -> View {
    bits.iter().fold(0, |view, bit| view << 1 | View::from(*bit))
}

fn e(i: u64) -> Vec<Bit> {
    unit_vector(2, usize::try_from(i).unwrap())
}

const ZERO: Bit = Bit { bit: false };
const ONE: Bit = Bit { bit: true };

// ---------------------------------------------------------------- load

/// The load as a party sees it: P0 is sent `D_1 - B`, P1 nothing, P2 `A = D_0 + x`. If it is not `masked`, x and B are zero.
fn load_view(party: Party, masked: bool, mut unknown: Bits, mut secret: Bits) -> View {
    let share = secret.bits();
    let mask = if masked { unknown.bits() } else { zeros(2) };
    let received = match party {
        P0 => masked_share(&share, &mask),
        P1 => vec![],
        P2 => loaded_alpha_0(&share, &mask),
    };
    pack(&received.iter().map(|word| word.bit).collect::<Vec<_>>())
}

/// Unknown: B to P0, x to P2. Secret: the share that the message is of.
fn load_hidden(party: Party, masked: bool) -> bool {
    independent_of_secrets(0, 2, 2, |_, u, s| load_view(party, masked, u, s))
}

#[test]
fn load_views_do_not_depend_on_the_shares_of_the_memory() {
    for party in [P0, P1, P2] {
        assert!(load_hidden(party, true), "{party:?}");
    }
}

#[test]
fn load_without_x_is_told_apart_by_p2_and_without_b_by_p0() {
    assert!(!load_hidden(P0, false) && !load_hidden(P2, false));
}

// ---------------------------------------------------------------- READ, UPDATE, WRITE and SWAP

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Read,
    Update,
    Write,
    Swap,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// rho is zero.
    NoRho,
    /// x of UPDATE is zero.
    NoX,
    /// x of delta is zero.
    NoDeltaX,
    /// G is zero: the dealer knows R.
    NoG,
    /// `y_01`, `y_02` or `y_12` is zero.
    NoY01,
    NoY02,
    NoY12,
}

/// One operation with ideal preparing, as one party sees it; for the operations with values the shares of delta too, which the
/// item's preparing ended with.
fn view(
    party: Party,
    kind: Kind,
    fault: Fault,
    mut known: Bits,
    mut unknown: Bits,
    mut secret: Bits,
) -> View {
    let but = |at: Fault, value: Bit| if fault == at { ZERO } else { value };
    let memory = secret.bits();
    // Shares of the address and of M: the party's own is known.
    let (address, value) = match party {
        P0 => ((known.take(1), secret.take(1)), (ONE, secret.bit())),
        P1 => ((secret.take(1), known.take(1)), (secret.bit(), ONE)),
        P2 => ((secret.take(1), secret.take(1)), (secret.bit(), secret.bit())),
    };
    let index = match party {
        P0 => (known.take(1), unknown.take(1)),
        P1 => (unknown.take(1), known.take(1)),
        P2 => (unknown.take(1), unknown.take(1)),
    };
    let unit = e(index.0 ^ index.1);
    let (state, flags) = {
        let (one, two) = (known.bits(), known.bits());
        let (side_a, side_b) = (known.bits(), known.bits());
        let (other_a, other_b) = (sub(&unit, &side_a), sub(&unit, &side_b));
        // alpha and beta of P0, of P1 (which remembers B), of P2
        let (a, h) = match party {
            P0 => (one, two),
            P1 => (sub(&memory, &one), sub(&memory, &two)),
            P2 => (one, sub(&memory, &two)),
        };
        let state = State {
            p0: State0 { alpha: a.clone(), beta: h.clone() },
            p1: State1 { alpha: sub(&memory, &a) },
            p2: State2 { alpha: a, beta: sub(&memory, &h) },
        };
        let flags = match party {
            P0 => Flags { a_0: side_a, a_1: other_a, b_0: side_b, b_1: other_b },
            P1 => Flags { a_0: other_a, a_1: side_a, b_0: other_b, b_1: side_b },
            P2 => Flags { a_0: side_a, a_1: other_a, b_0: other_b, b_1: side_b },
        };
        (state, flags)
    };
    // A pair's words are known to both, unknown to the third; a constant where no message to the party hangs on them.
    let mut common = |owners: [Party; 2]| if owners.contains(&party) { ONE } else { unknown.bit() };
    let rho = but(Fault::NoRho, common([P1, P2]));
    let y_12 = but(Fault::NoY12, common([P1, P2]));
    let y_02 = but(Fault::NoY02, common([P0, P2]));
    let (dealt_a_0, dealt_b_0) = (common([P0, P2]), common([P0, P2]));
    let (dealt_a_1, dealt_b_1) = (common([P1, P2]), common([P1, P2]));
    let online_01 = common([P0, P1]);
    let delta_x = but(Fault::NoDeltaX, common([P0, P1]));
    let (g_a, g_b) = (but(Fault::NoG, common([P0, P1])), but(Fault::NoG, common([P0, P1])));
    let (f_a, f_b) = ((dealt_a_0.plus(g_a), dealt_a_1), (dealt_b_0.plus(g_b), dealt_b_1));
    let q_0 = delta_share(Primary::P0, f_a.0, f_b.0, delta_x);
    let q_1 = delta_share(Primary::P1, f_a.1, f_b.1, delta_x);
    let none = zeros(2);
    let material = Material {
        flags,
        values: Values { a_0: none.clone(), a_1: none.clone(), b_0: none.clone(), b_1: none },
        value_shares: f_a,
        delta: q_0.plus(q_1),
    };
    let shift = |s: u64| s == 1;
    let words = |words: &[Bit]| words.iter().map(|word| word.bit).collect::<Vec<_>>();
    let deltas = match party {
        P0 => words(&[q_1]),
        P1 => vec![],
        P2 => words(&[q_0, q_1]),
    };
    let received = match kind {
        Kind::Read => {
            let run = read(&state, &material.flags, 2, index, address, rho);
            match party {
                P0 => vec![shift(run.shift_1), run.unblinding.bit],
                P1 => vec![shift(run.shift_0)],
                P2 => vec![shift(run.shift_0), shift(run.shift_1)],
            }
        }
        Kind::Update => {
            let run = update(&state, &material, 2, index, address, value, but(Fault::NoX, online_01));
            let ((s_0, m_0), (s_1, m_1)) = (run.message_0, run.message_1);
            let seen = match party {
                P0 => vec![shift(s_1), m_1.bit],
                P1 => vec![shift(s_0), m_0.bit],
                P2 => vec![shift(s_0), shift(s_1), m_0.bit, m_1.bit],
            };
            [seen, deltas].concat()
        }
        Kind::Write | Kind::Swap => {
            let masks = Masks { y_01: but(Fault::NoY01, online_01), y_02, y_12 };
            let run = swap(&state, &material, 2, index, address, value, masks, rho);
            let (s_0, s_1) = (shift(run.shift_0), shift(run.shift_1));
            let seen = match (party, kind) {
                (P0, Kind::Swap) => vec![s_1, run.part_1.bit, run.part_2.bit, run.unblinding.bit],
                (P0, _) => vec![s_1, run.part_1.bit, run.part_2.bit],
                (P1, _) => vec![s_0, run.part_0.bit, run.part_2.bit],
                (P2, _) => vec![s_0, s_1, run.part_0.bit, run.part_1.bit],
            };
            [seen, deltas].concat()
        }
    };
    pack(&received)
}

/// Bits of what is known (own shares of i* and ri, two vectors of the state, two of flags), of what is not (the other's share
/// of ri and the words of the pair that it is not in), and of the secrets (the memory, the others' shares of i* and M).
fn hidden(party: Party, kind: Kind, fault: Fault) -> bool {
    let (known, unknown, secrets) = match party {
        P0 => (10, 5, 4),
        P1 => (10, 4, 4),
        P2 => (8, 6, 6),
    };
    independent_of_secrets(known, unknown, secrets, |k, u, s| view(party, kind, fault, k, u, s))
}

#[test]
fn read_views_do_not_depend_on_memory_or_address() {
    for party in [P0, P1, P2] {
        assert!(hidden(party, Kind::Read, Fault::None), "{party:?}");
    }
}

#[test]
fn update_views_do_not_depend_on_memory_address_or_value() {
    for party in [P0, P1, P2] {
        assert!(hidden(party, Kind::Update, Fault::None), "{party:?}");
    }
}

#[test]
fn write_and_swap_views_do_not_depend_on_memory_address_or_value() {
    for party in [P0, P1, P2] {
        assert!(hidden(party, Kind::Swap, Fault::None), "{party:?}");
    }
    // P1 and P2 see the same of both.
    assert!(hidden(P0, Kind::Write, Fault::None));
}

#[test]
fn read_and_swap_without_rho_are_told_apart_by_p0() {
    assert!(!hidden(P0, Kind::Read, Fault::NoRho));
    assert!(!hidden(P0, Kind::Swap, Fault::NoRho));
}

#[test]
fn update_without_x_is_told_apart_by_p2() {
    assert!(!hidden(P2, Kind::Update, Fault::NoX));
}

#[test]
fn values_known_to_the_dealer_are_told_apart_by_p2() {
    assert!(!hidden(P2, Kind::Update, Fault::NoG));
    assert!(!hidden(P2, Kind::Write, Fault::NoG));
}

#[test]
fn write_without_the_words_of_a_pair_is_told_apart_by_the_third_party() {
    assert!(!hidden(P2, Kind::Write, Fault::NoY01), "y_01 hides the primaries' parts from P2");
    assert!(!hidden(P1, Kind::Write, Fault::NoY02), "y_02 hides P0's and P2's parts from P1");
    assert!(!hidden(P0, Kind::Write, Fault::NoY12), "y_12 hides P1's and P2's parts from P0");
}

/// x of delta hides nothing: P2 dealt `q_1` but for x, and has delta, so it can compute both shares without it; P0 knows x.
#[test]
fn delta_without_x_is_not_told_apart() {
    assert!(hidden(P0, Kind::Update, Fault::NoDeltaX));
    assert!(hidden(P2, Kind::Update, Fault::NoDeltaX));
}

/// Two READs as P0 sees them, each with an item of its own; with one rho for both if it is `stale`.
fn two_reads(stale: bool, known: Bits, unknown: Bits, secret: Bits) -> View {
    // view() takes ri_1 and then rho first of what is unknown.
    let (mut first, mut later) = (unknown, unknown);
    let (ri_1, rho) = (first.take(1), first.take(1));
    later.take(2);
    let (next_ri_1, next_rho) = (later.take(1), later.take(1));
    let second = Bits(next_ri_1 | if stale { rho } else { next_rho } << 1);
    let one = view(P0, Kind::Read, Fault::None, known, Bits(ri_1 | rho << 1), secret);
    one << 2 | view(P0, Kind::Read, Fault::None, known, second, secret)
}

#[test]
fn a_stale_rho_is_told_apart_by_p0() {
    assert!(independent_of_secrets(10, 4, 4, |k, u, s| two_reads(false, k, u, s)));
    assert!(!independent_of_secrets(10, 4, 4, |k, u, s| two_reads(true, k, u, s)));
}

/// One item for two addresses: the two S differ as the addresses do.
#[test]
fn an_item_with_two_shifts_is_told_apart() {
    let sent = |twice: bool, mut u: Bits, mut s: Bits| {
        let (ri_0, ri_1) = (u.take(1), u.take(1));
        let (later_0, later_1) = if twice { (ri_0, ri_1) } else { (u.take(1), u.take(1)) };
        let shares = [
            shift_share(s.take(1), ri_0, 2),
            shift_share(s.take(1), ri_1, 2),
            shift_share(s.take(1), later_0, 2),
            shift_share(s.take(1), later_1, 2),
        ];
        pack(&shares.map(|share| share == 1))
    };
    assert!(independent_of_secrets(0, 4, 4, |_, u, s| sent(false, u, s)));
    assert!(!independent_of_secrets(0, 4, 4, |_, u, s| sent(true, u, s)));
}

// ---------------------------------------------------------------- preparing

/// The layers of two roots, P0's and P1's: the values are given.
struct Roots {
    x: (Block, Block),
    y: (Block, Block),
}

const ROOT_0: Block = 2;
const ROOT_1: Block = 5;

impl Layers for Roots {
    fn output(&self, label: Block, tweak: Block) -> Block {
        let (x, y) = if label == ROOT_1 { (self.x.1, self.y.1) } else { (self.x.0, self.y.0) };
        match tweak {
            FLAG_TWEAK => x,
            // Two words of a bit: one of the low half, one of the high.
            WORD_TWEAK => y & 1 | (y >> 1) << 64,
            _ => 0,
        }
    }
}

/// One DPF of an UPDATE item at h = 1, where the trees are their roots, prepared by the parties' functions, and the messages of
/// UPDATE which it is then used for. `overheard`: P2 hears what P0 and P1 send each other.
fn item_view(
    party: Party,
    overheard: bool,
    no_g: bool,
    mut known: Bits,
    mut unknown: Bits,
    mut secret: Bits,
) -> View {
    let ((i_0, i_1), (m_0, m_1)) = match party {
        P0 => ((0, secret.take(1)), (ONE, secret.bit())),
        P1 => ((secret.take(1), 0), (secret.bit(), ONE)),
        P2 => ((secret.take(1), secret.take(1)), (secret.bit(), secret.bit())),
    };
    let mut draw = |owners: &[Party], count: u32| {
        if owners.contains(&party) { known.take(count) } else { unknown.take(count) }
    };
    let (ri_0, ri_1) = (draw(&[P0], 1), draw(&[P1], 1));
    let (r_0, r_1) = (draw(&[P0, P2], 1), draw(&[P1, P2], 1));
    let u_0 = Block::from(draw(&[P0, P2], 2));
    let big_u_0 = draw(&[P0, P2], 2);
    // R'_1 is P2's, and P1 is sent it.
    let (dealt_0_value, dealt_1_value) = (draw(&[P0, P2], 1), draw(&[P2], 1));
    let (g, x) = (draw(&[P0, P1], 1), draw(&[P0, P1], 1));
    let of = |bit: u64| Bit::from_u64(bit);
    let g = if no_g { ZERO } else { of(g) };
    // What the other side's root yields; of its own a party's is a constant, and P2 gets the root of P0's side of DPF a.
    let others = (Block::from(draw(&[], 2)), Block::from(draw(&[], 2)));
    let roots = match party {
        P1 => Roots { x: (others.0, 3), y: (others.1, 1) },
        P0 | P2 => Roots { x: (1, others.0), y: (2, others.1) },
    };
    let mut value_one_hot = zeros(8);
    (value_one_hot[0], value_one_hot[1]) = (of(big_u_0), of(big_u_0 >> 1));
    let seed_0 =
        Seed0 { triples: vec![], one_hot: u_0, mask: r_0, value_share: of(dealt_0_value), value_one_hot };
    let seed_1 = Seed1 { triples: vec![], mask: r_1 };
    let dealt = deal(&seed_0, &seed_1, Purpose::Update, of(dealt_1_value));
    let nothing = Dealt { triples: vec![], one_hot: 0, value_one_hot: vec![], value_share: ZERO };
    let start = |side, random_index, root, mask, dealt| {
        let input = Input { log_size: 1, purpose: Purpose::Update, random_index, root, mask, common: g };
        begin(side, &input, dealt)
    };
    let at_0: Growing<Bit> = start(Primary::P0, ri_0, ROOT_0, r_0, dealt_0(&seed_0));
    let at_1: Growing<Bit> = start(Primary::P1, ri_1, ROOT_1, r_1, nothing);
    let at_1 = with_dealt(at_1, dealt_1(&seed_1, &dealt));
    let (moved_0, moved_1) = (moved(&at_0), moved(&at_1));
    let (at_0, at_1) = (with_offset(at_0, moved_1), with_offset(at_1, moved_0));
    let (flags_0, flags_1) = (flag_share(&roots, &at_0), flag_share(&roots, &at_1));
    let (words_0, words_1) = (word_share(&roots, &at_0), word_share(&roots, &at_1));
    let key = with_word_correction(&roots, with_flag_correction(&roots, at_0.clone(), flags_1), &words_1).key;
    let sent_0 = masked_value_0(m_0, value_share(Primary::P0, &at_0), of(x));
    let sent_1 = masked_value_1(m_1, value_share(Primary::P1, &at_1), of(x));
    let (shift_0, shift_1) = (shift_share(i_0, ri_0, 2) == 1, shift_share(i_1, ri_1, 2) == 1);
    let two = |block: Block| vec![block & 1 == 1, block >> 1 & 1 == 1];
    let words = |words: &[Bit]| words.iter().map(|word| word.bit).collect::<Vec<_>>();
    let received = match party {
        P0 => [two(flags_1), words(&words_1), vec![moved_1 == 1, shift_1, sent_1.bit]].concat(),
        P1 => [
            [two(dealt.one_hot), words(&dealt.value_one_hot), vec![dealt.value_share.bit]].concat(),
            [two(flags_0), words(&words_0), vec![moved_0 == 1, shift_0, sent_0.bit]].concat(),
        ]
        .concat(),
        P2 => {
            let heard = if overheard { vec![moved_0 == 1, moved_1 == 1] } else { vec![] };
            let sent = vec![shift_0, shift_1, sent_0.bit, sent_1.bit];
            [two(key.flag_correction), words(&key.word_correction), sent, heard].concat()
        }
    };
    pack(&received)
}

/// known: own ri, r, G, x, and of P0 and P2 u_0, U_0, R'_0; unknown: all others, and what the other root yields.
fn item_hidden(party: Party, overheard: bool, no_g: bool) -> bool {
    let (known, unknown, secrets) = match party {
        P0 => (9, 7, 2),
        P1 => (4, 12, 2),
        P2 => (8, 8, 4),
    };
    independent_of_secrets(known, unknown, secrets, |k, u, s| item_view(party, overheard, no_g, k, u, s))
}

#[test]
fn views_of_a_dealt_item_and_its_use_do_not_depend_on_address_or_value() {
    for party in [P0, P1, P2] {
        assert!(item_hidden(party, false, false), "{party:?}");
    }
}

/// e from the moved shares and r give P2 ri, and with S the address: why it must not hear the primaries.
#[test]
fn p2_that_hears_p0_and_p1_tells_the_addresses_apart() {
    assert!(!item_hidden(P2, true, false));
}

#[test]
fn an_item_whose_value_the_dealer_knows_tells_p2_the_value() {
    assert!(!item_hidden(P2, false, true));
}

/// One level of a DPF over blocks of two bits, the lowest the flag, as a party sees it; the other party's children are uniform.
/// Secrets: the other primary's bit of ri, and for P2 both. `cleared`: the lowest bits are cleared before the AND.
fn level_view(party: Party, cleared: bool, mut known: Bits, mut unknown: Bits, mut secret: Bits) -> View {
    let sums =
        |bits: &mut Bits| ChildSums { left: Block::from(bits.take(2)), right: Block::from(bits.take(2)) };
    let seed =
        |bits: &mut Bits| TripleSeed { x: replicate(bits.bool()) & 3, y: Block::from(bits.take(2)), z: 0 };
    let (bit_0, bit_1, sums_0, sums_1, mut seed_0, seed_1) = match party {
        P0 => {
            let own = (known.bool(), sums(&mut known), seed(&mut known));
            (own.0, secret.bool(), own.1, sums(&mut unknown), own.2, seed(&mut unknown))
        }
        P1 => {
            let own = (known.bool(), sums(&mut known), seed(&mut known));
            (secret.bool(), own.0, sums(&mut unknown), own.1, seed(&mut unknown), own.2)
        }
        P2 => {
            let (own, seeds) = (sums(&mut known), (seed(&mut known), seed(&mut known)));
            (secret.bool(), secret.bool(), own, sums(&mut unknown), seeds.0, seeds.1)
        }
    };
    seed_0.z = Block::from(if party == P1 { unknown.take(2) } else { known.take(2) });
    let triple_0 = AndTriple { x: seed_0.x, y: seed_0.y, z: seed_0.z };
    let triple_1 = AndTriple { x: seed_1.x, y: seed_1.y, z: dealt_z(&seed_0, &seed_1) };
    let say = |bit: bool, sums: &ChildSums, triple: &AndTriple| {
        if cleared {
            operands(bit, sums, triple)
        } else {
            let (masked_x, masked_word) = and_message(replicate(bit), sums.left ^ sums.right, triple);
            Operands { masked_bit: flag(masked_x), masked_word, ..operands(bit, sums, triple) }
        }
    };
    let open = |bit: bool, sums: &ChildSums, triple: &AndTriple, received: &Operands| {
        if cleared {
            opening(bit, sums, triple, received)
        } else {
            let message = (replicate(received.masked_bit), received.masked_word);
            and_share(replicate(bit), sums.left ^ sums.right, triple, message) ^ sums.right
        }
    };
    let (said_0, said_1) = (say(bit_0, &sums_0, &triple_0), say(bit_1, &sums_1, &triple_1));
    let opened_0 = open(bit_0, &sums_0, &triple_0, &said_1);
    let opened_1 = open(bit_1, &sums_1, &triple_1, &said_0);
    let two = |block: Block| [block & 1 == 1, block >> 1 & 1 == 1];
    let received = |said: &Operands, opened: Block| {
        let bits = [said.masked_bit, said.left_flag, said.right_flag];
        [&two(said.masked_word)[..], &bits, &two(opened)].concat()
    };
    let seen = match party {
        P0 => received(&said_1, opened_1),
        P1 => [received(&said_0, opened_0), two(triple_1.z).to_vec()].concat(),
        P2 => {
            let made = reconstruct(&said_0, &said_1, opened_0, opened_1);
            [&two(made.word)[..], &[made.left_flag, made.right_flag]].concat()
        }
    };
    pack(&seen)
}

/// known: own bit, children and seed of the triple; unknown: the other's children and seed, for P1 `Z_0` too.
fn level_hidden(party: Party, cleared: bool) -> bool {
    let (known, unknown, secrets) = match party {
        P0 => (10, 7, 1),
        P1 => (8, 9, 1),
        P2 => (12, 4, 2),
    };
    independent_of_secrets(known, unknown, secrets, |k, u, s| level_view(party, cleared, k, u, s))
}

#[test]
fn views_of_a_level_do_not_depend_on_the_bits_of_ri() {
    for party in [P0, P1, P2] {
        assert!(level_hidden(party, true), "{party:?}");
    }
}

#[test]
fn a_level_whose_lowest_bits_are_not_cleared_is_told_apart_by_all() {
    for party in [P0, P1, P2] {
        assert!(!level_hidden(party, false), "{party:?}");
    }
}
