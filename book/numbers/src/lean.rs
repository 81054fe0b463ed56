//! Chapter 13: a load, a READ, an item's dealt one-hot vector, an UPDATE and a WRITE of the lean protocol, on one memory.
//!
//! Words have 64 bits, as everywhere, and the tables show the lowest four. That is no other example than one over words of four
//! bits: XOR and AND work bit by bit, so the lowest four bits of whatever is computed come from the lowest four bits alone.

use std::fmt::Display;

use duoram_spec::core::block::Block;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::add;
use duoram_spec::lean::layers::{block_bit, flag_bits, unit_flags, values};
use duoram_spec::lean::lemmas::{
    flags_point_at, load_shares, material_points_at, read_reconstructs, states_agree, swap_puts_and_returns,
    update_adds,
};
use duoram_spec::lean::memory::{State, opened_alpha, opened_beta, shared};
use duoram_spec::lean::one_hot::{dealt_one_hot, low_bits, moved_block, moved_share};
use duoram_spec::lean::party::{Item0, Item1, Item2};
use duoram_spec::lean::read::{Flags, moved, partial_0, partial_1, partial_2, read, reconstruct_shift};
use duoram_spec::lean::session::{Session, Streams, preprocess, started};
use duoram_spec::lean::tape::PairStreams;
use duoram_spec::lean::update::{Material, Values, final_correction_a, final_correction_b, update};
use duoram_spec::lean::write::{Masks, final_correction, swap};
use duoram_vectors::Random;

use crate::files::Page;
use crate::notation::SPACE;
use crate::table::Table;

/// Few of the words that mask something are zero in the four bits that are shown.
const SEED: u64 = 30;

/// h; the memory has four words.
const LOG_SIZE: usize = 2;
const N: usize = 1 << LOG_SIZE;

/// The word that is read, changed and overwritten.
const TARGET: u64 = 2;

/// The tables.
pub(crate) fn pages() -> Vec<Page> {
    let mut example = Example::new();
    vec![
        Page::new("lean-load.md", example.load()),
        Page::new("lean-one-hot.md", example.one_hot()),
        Page::new("lean-read.md", example.read()),
        Page::new("lean-update.md", example.update()),
        Page::new("lean-write.md", example.write()),
    ]
}

/// The memory of the examples, and the state after its load.
pub(crate) fn loaded_example() -> (Vec<XorWord>, State<XorWord>) {
    let mut example = Example::new();
    example.load();
    (example.memory, example.state)
}

/// The lowest four bits.
fn word(x: XorWord) -> u64 {
    x.to_u64() & 15
}

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("`({})`", items.join(SPACE))
}

fn vector(x: &[XorWord]) -> String {
    list(x.iter().map(|x| word(*x)))
}

/// Flags are 0 or all ones, and shown as bits.
fn bits(x: &[XorWord]) -> String {
    list(x.iter().map(|x| x.to_u64() & 1))
}

/// The bits of a flag layer that are leaves.
fn leaves(block: Block) -> String {
    list((0..N as u64).map(|i| u8::from(block_bit(block, i))))
}

/// XOR shares of an address, both below N.
fn address(r: &mut Random, target: u64) -> (u64, u64) {
    let share = r.below(N as u64);
    (share, share ^ target)
}

/// A memory of four words, and a prepared item of each kind.
struct Example {
    random: Random,
    memory: Vec<XorWord>,
    state: State<XorWord>,
    session: Session<XorWord, AesPrg>,
}

impl Example {
    fn new() -> Self {
        let mut random = Random(SEED);
        let memory = [3, 1, 12, 7].map(XorWord::from_u64).to_vec();
        let prg = random.prg();
        let mut own = || random.words(32);
        let (words_0, words_1, words_2) = (own(), own(), own());
        let mut pair = || PairStreams { streams: (0..4).map(|_| random.words(64)).collect() };
        let streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
        let connected = started(LOG_SIZE, 1 << LOG_SIZE, &prg, (&words_0, &words_1, &words_2), &streams);
        let session = preprocess(connected, 1, 2).session;
        let state = session_state(&session);
        Self { random, memory, state, session }
    }

    fn load(&mut self) -> String {
        let r = &mut self.random;
        let share_0: Vec<XorWord> = r.vector(N);
        let share_1 = add(&share_0, &self.memory);
        let (x, b): (Vec<XorWord>, Vec<XorWord>) = (r.vector(N), r.vector(N));
        self.state = shared(&share_0, &share_1, &x, &b);
        assert!(load_shares(&self.state, &share_0, &share_1));
        let mut table = Table::new(["what", "P0", "P1", "P2"]);
        table.row([&"$D_b$", &vector(&share_0), &vector(&share_1), &""]);
        table.row([&"$x$, from P0's and P1's stream", &vector(&x), &vector(&x), &""]);
        table.row([&"B, from P1's and P2's stream", &"", &vector(&b), &vector(&b)]);
        table.row([&"P0 sends $A = D_0 \\oplus x$ to P2", &"sends", &"", &vector(&self.state.p2.alpha)]);
        table.row([&"P1 sends $D_1 \\oplus B$ to P0", &vector(&add(&share_1, &b)), &"sends", &""]);
        state_rows(&mut table, &self.state, "");
        format!("The memory is $D =$ {}.\n\n{}", vector(&self.memory), table.above(self.opened("")))
    }

    /// What both sharings open to.
    fn opened(&self, prime: &str) -> String {
        assert!(states_agree(&self.state));
        format!(
            "$A{prime} \\oplus E{prime} =$ {}, and $B{prime} \\oplus H{prime} =$ {}: the same memory twice.",
            vector(&opened_alpha(&self.state)),
            vector(&opened_beta(&self.state))
        )
    }

    /// The one-hot vector of DPF a of an item, as dealt and as moved.
    fn one_hot(&mut self) -> String {
        let r = &mut self.random;
        let width = flag_bits(LOG_SIZE);
        let (u_0, r_0, r_1) = (r.block(), r.below(N as u64), r.below(N as u64));
        let (ri_0, ri_1) = address(r, 1);
        let u_1 = dealt_one_hot(u_0, r_0, r_1);
        let (sent_0, sent_1) = (moved_share(ri_0, r_0, width), moved_share(ri_1, r_1, width));
        let e = sent_0 ^ sent_1;
        let (o_0, o_1) = (moved_block(u_0, e), moved_block(u_1, e));
        let (r, ri) = (r_0 ^ r_1, ri_0 ^ ri_1);
        assert_eq!((o_0 ^ o_1, e), (1 << low_bits(ri, width), r ^ ri));
        let mut table = Table::new(["what", "P0", "P1", "P2"]);
        table.row([&"$r_b$, of kf bits", &r_0, &r_1, &format!("{r_0}, {r_1}: $r = {r}$")]);
        table.row([&"$u_0$, from P0's and P2's stream", &leaves(u_0), &"", &leaves(u_0)]);
        table.row([&"P2 sends $u_1$ to P1", &"", &leaves(u_1), &"sends"]);
        table.row([&"$ri_b$", &ri_0, &ri_1, &""]);
        table.row([&"sends $ri_b \\oplus r_b$ to the other", &sent_0, &sent_1, &"must not hear it"]);
        table.row([&"$e$", &e, &e, &""]);
        table.row([&"$o_b[j] = u_b[j \\oplus e]$", &leaves(o_0), &leaves(o_1), &""]);
        let end = format!(
            "$u_0 \\oplus u_1 =$ {} has its 1 at $r = {r}$, and $o_0 \\oplus o_1 =$ {} has it at $ri = {ri}$. P2 knows $r$; with \
             $e = {e}$ it would have $ri = r \\oplus e$.",
            leaves(u_0 ^ u_1),
            leaves(o_0 ^ o_1)
        );
        table.above(end)
    }

    /// The flags of an item's keys, each where it is held.
    fn flags(&self, item: (&Item0<XorWord>, &Item1<XorWord>, &Item2<XorWord>)) -> Flags<XorWord> {
        let (p0, p1, p2) = item;
        let t = |key| unit_flags(&self.session.p0.prg, key, LOG_SIZE);
        Flags { a_0: t(&p0.key_a), a_1: t(&p1.key_a), b_0: t(&p0.key_b), b_1: t(&p2.key_b) }
    }

    /// An UPDATE item, and the shares of its ri.
    fn material(&self, number: usize) -> (Material<XorWord>, (u64, u64)) {
        let (p0, p1, p2) = (
            &self.session.p0.updates[number],
            &self.session.p1.updates[number],
            &self.session.p2.updates[number],
        );
        let v = |key| values(&self.session.p0.prg, key, LOG_SIZE);
        let material = Material {
            flags: self.flags((p0, p1, p2)),
            values: Values { a_0: v(&p0.key_a), a_1: v(&p1.key_a), b_0: v(&p0.key_b), b_1: v(&p2.key_b) },
            value_shares: (p0.value_share, p1.value_share),
            delta: p0.delta,
        };
        let index = (p0.random_index, p1.random_index);
        let ri = index.0 ^ index.1;
        assert!(material_points_at(&material, N, ri) && ri != TARGET, "a shift of 0 would show nothing");
        (material, index)
    }

    fn read(&mut self) -> String {
        let (p0, p1) = (&self.session.p0.reads[0], &self.session.p1.reads[0]);
        let flags = self.flags((p0, p1, &self.session.p2.reads[0]));
        let index = (p0.random_index, p1.random_index);
        let ri = index.0 ^ index.1;
        let i = address(&mut self.random, TARGET);
        let rho: XorWord = self.random.ring();
        assert!(flags_point_at(&flags, N, ri) && ri != TARGET, "a shift of 0 would show nothing");
        let run = read(&self.state, &flags, N, index, i, rho);
        assert!(read_reconstructs(&self.state, N, i, &run));
        let s = reconstruct_shift(run.shift_0, run.shift_1);
        let t = moved(&flags, s);
        let parts = [
            partial_0(&self.state.p0, &t.a_0, &t.b_0),
            partial_1(&self.state.p1, &t.a_1),
            partial_2(&self.state.p2, &t.a_0, &t.b_1),
        ];
        let mut table = Table::new(["what", "P0", "P1", "P2"]);
        state_rows(&mut table, &self.state, "");
        flag_rows(&mut table, &flags, "");
        query_rows(&mut table, index, i);
        table.row([
            &"message 1: sends $s_b = i^*_b \\oplus ri_b$",
            &run.shift_0,
            &run.shift_1,
            &"receives both",
        ]);
        table.row([&"$S = s_0 \\oplus s_1$", &s, &s, &s]);
        flag_rows(&mut table, &t, "\\langle S\\rangle");
        table.row([&"$p_0, p_1, p_2$", &word(parts[0]), &word(parts[1]), &word(parts[2])]);
        table.row([&"$\\rho$, from P1's and P2's stream", &"", &word(rho), &word(rho)]);
        table.row([&"message 2: P2 sends $g = p_2 \\oplus \\rho$", &word(run.unblinding), &"", &"sends"]);
        table.row([&"$\\mathrm{read}_b$", &word(run.read_0), &word(run.read_1), &""]);
        let start = format!(
            "The address is $i^* = {TARGET}$, and the item's random index is $ri = {ri}$, so $S = {s}$."
        );
        let (d, sum) = (word(self.memory[2]), word(run.read_0.plus(run.read_1)));
        assert_eq!(d, sum);
        let end = format!(
            "$p_0 \\oplus p_1 \\oplus p_2 = {} \\oplus {} \\oplus {} = {}$, and $\\mathrm{{read}}_0 \\oplus \\mathrm{{read}}_1 = \
             {} \\oplus {} = {sum}$: both are $D[{TARGET}]$.",
            word(parts[0]),
            word(parts[1]),
            word(parts[2]),
            word(parts[0].plus(parts[1]).plus(parts[2])),
            word(run.read_0),
            word(run.read_1)
        );
        format!("{start}\n\n{}", table.above(end))
    }

    fn update(&mut self) -> String {
        let (material, index) = self.material(0);
        let i = address(&mut self.random, TARGET);
        let (m_0, x): (XorWord, XorWord) = (self.random.ring(), self.random.ring());
        let m = XorWord::from_u64(5);
        let value = (m_0, m_0.plus(m));
        let run = update(&self.state, &material, N, index, i, value, x);
        assert!(update_adds(&self.state, &run.state, N, i, m));
        let ((s_0, masked_0), (s_1, masked_1)) = (run.message_0, run.message_1);
        let f_a = final_correction_a(masked_0, masked_1);
        let f_b = final_correction_b(f_a, material.delta);
        let (f_0, f_1) = material.value_shares;
        let v = &material.values;
        let mut table = Table::new(["what", "P0", "P1", "P2"]);
        flag_rows(&mut table, &material.flags, "");
        table.row([&"$v^a_c$", &vector(&v.a_0), &vector(&v.a_1), &vector(&v.a_0)]);
        table.row([&"$v^b_c$", &vector(&v.b_0), &"", &vector(&v.b_1)]);
        table.row([&"$f^a_b$, shares of $R_a$", &word(f_0), &word(f_1), &dealt_by_p2(f_1)]);
        table.row([&"$\\delta = R_a \\oplus R_b$", &word(material.delta), &"", &word(material.delta)]);
        query_rows(&mut table, index, i);
        table.row([&"$M_b$", &word(value.0), &word(value.1), &""]);
        table.row([&"$x$, from P0's and P1's stream", &word(x), &word(x), &""]);
        table.row([&"sends $s_b$", &s_0, &s_1, &"receives both"]);
        table.row([
            &"sends $m_b = M_b \\oplus f^a_b \\oplus x$",
            &word(masked_0),
            &word(masked_1),
            &"receives both",
        ]);
        table.row([&"$F_a = m_0 \\oplus m_1$", &word(f_a), &word(f_a), &word(f_a)]);
        table.row([&"$F_b = F_a \\oplus \\delta$", &word(f_b), &"", &word(f_b)]);
        state_rows(&mut table, &run.state, "'");
        self.state = run.state;
        let start = format!("$M = {}$ is to be XORed in at $i^* = {TARGET}$.", word(m));
        format!("{start}\n\n{}", table.above(self.opened("'")))
    }

    fn write(&mut self) -> String {
        let (material, index) = self.material(1);
        let i = address(&mut self.random, TARGET);
        let r = &mut self.random;
        let m = XorWord::from_u64(4);
        let m_0: XorWord = r.ring();
        let value = (m_0, m_0.plus(m));
        let masks = Masks { y_01: r.ring(), y_02: r.ring(), y_12: r.ring() };
        let rho: XorWord = r.ring();
        let run = swap(&self.state, &material, N, index, i, value, masks, rho);
        assert!(swap_puts_and_returns(&self.state, N, i, m, &run));
        let s = reconstruct_shift(run.shift_0, run.shift_1);
        let t = moved(&material.flags, s);
        let parts = [
            partial_0(&self.state.p0, &t.a_0, &t.b_0),
            partial_1(&self.state.p1, &t.a_1),
            partial_2(&self.state.p2, &t.a_0, &t.b_1),
        ];
        let (f_0, f_1) = material.value_shares;
        let f_a = final_correction(run.part_0, run.part_1, run.part_2);
        let mut table = Table::new(["what", "P0", "P1", "P2"]);
        table.row([&"message 1: sends $s_b$", &run.shift_0, &run.shift_1, &"receives both"]);
        table.row([&"$p_0, p_1, p_2$", &word(parts[0]), &word(parts[1]), &word(parts[2])]);
        table.row([&"$M_b$", &word(value.0), &word(value.1), &""]);
        table.row([&"$f^a_b$", &word(f_0), &word(f_1), &""]);
        table.row([&"$y_{01}$", &word(masks.y_01), &word(masks.y_01), &""]);
        table.row([&"$y_{02}$", &word(masks.y_02), &"", &word(masks.y_02)]);
        table.row([&"$y_{12}$", &"", &word(masks.y_12), &word(masks.y_12)]);
        table.row([
            &"message 2: sends its part to both others",
            &word(run.part_0),
            &word(run.part_1),
            &word(run.part_2),
        ]);
        table.row([&"$F_a$, the sum of the three", &word(f_a), &word(f_a), &word(f_a)]);
        state_rows(&mut table, &run.state, "'");
        let old = word(opened_alpha(&self.state)[2]);
        let r_a = f_0.plus(f_1);
        assert_eq!(word(f_a), word(m) ^ old ^ word(r_a));
        self.state = run.state;
        let start = format!(
            "$M = {}$ is to be put at $i^* = {TARGET}$, where ${old}$ is. Nobody knows $R_a = {}$, and \
             $F_a = M \\oplus D[i^*] \\oplus R_a = {} \\oplus {old} \\oplus {} = {}$.",
            word(m),
            word(r_a),
            word(m),
            word(r_a),
            word(f_a)
        );
        format!("{start}\n\n{}", table.above(self.opened("'")))
    }
}

/// P2 dealt P1's share.
fn dealt_by_p2(f_1: XorWord) -> String {
    format!("{} (P1's, which it dealt)", word(f_1))
}

fn session_state(session: &Session<XorWord, AesPrg>) -> State<XorWord> {
    State { p0: session.p0.state.clone(), p1: session.p1.state.clone(), p2: session.p2.state.clone() }
}

fn state_rows(table: &mut Table<4>, state: &State<XorWord>, prime: &str) {
    let State { p0, p1, p2 } = state;
    let alpha = format!("alpha: $A{prime}$, $E{prime}$, $A{prime}$");
    table.row([&alpha, &vector(&p0.alpha), &vector(&p1.alpha), &vector(&p2.alpha)]);
    let beta = format!("beta: $H{prime}$, $B{prime}$");
    table.row([&beta, &vector(&p0.beta), &"", &vector(&p2.beta)]);
}

fn flag_rows(table: &mut Table<4>, flags: &Flags<XorWord>, shift: &str) {
    let a = format!("$t^a_c{shift}$: side 0, side 1, side 0");
    table.row([&a, &bits(&flags.a_0), &bits(&flags.a_1), &bits(&flags.a_0)]);
    let b = format!("$t^b_c{shift}$: side 0, side 1");
    table.row([&b, &bits(&flags.b_0), &"", &bits(&flags.b_1)]);
}

fn query_rows(table: &mut Table<4>, index: (u64, u64), address: (u64, u64)) {
    table.row([&"$ri_b$", &index.0, &index.1, &""]);
    table.row([&"$i^*_b$", &address.0, &address.1, &""]);
}
