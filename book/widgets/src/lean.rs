//! An operation of the lean protocol, message by message: the two sharings, the one-hot vector that is moved, the scan.

use duoram_spec::core::block::Block;
use duoram_spec::core::ideal::get;
use duoram_spec::core::lemmas::same_vector;
use duoram_spec::core::ring::{Bit, Ring};
use duoram_spec::core::vector::add;
use duoram_spec::lean::layers::{Purpose, block_bit, flag_bits, unit_flags, values};
use duoram_spec::lean::lemmas::states_agree;
use duoram_spec::lean::memory::{State, opened_alpha, opened_beta, shared};
use duoram_spec::lean::one_hot::{dealt_one_hot, moved_block, moved_share};
use duoram_spec::lean::read::{
    Flags, moved, partial_0, partial_1, partial_2, read_share_0, read_share_1, reconstruct_shift,
    shift_share, unblinding,
};
use duoram_spec::lean::session::{Streams, preprocess, started};
use duoram_spec::lean::tape::{PairStreams, item_stream, seed_0, seed_1};
use duoram_spec::lean::update::{
    Material, Values, apply, final_correction_a, final_correction_b, masked_value_0, masked_value_1,
};
use duoram_spec::lean::write::{final_correction, masked_part_0, masked_part_1, masked_part_2};
use duoram_vectors::Random;

use crate::board::{ALL, Board, Holder, Moved, NOBODY, PRIMARIES};
use crate::inputs::{BadInput, Inputs};
use crate::session::Shown;
use crate::x16::X16;
use Holder::{P0, P1, P2, Reader};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Update,
    Write,
    Swap,
}

impl Kind {
    fn of(inputs: &Inputs) -> Result<Kind, BadInput> {
        match inputs.text("kind") {
            "read" => Ok(Kind::Read),
            "update" => Ok(Kind::Update),
            "write" => Ok(Kind::Write),
            "swap" => Ok(Kind::Swap),
            _ => Err(inputs.refused("kind", "read, update, write or swap")),
        }
    }

    /// Whether it yields shares of a word.
    fn has_result(self) -> bool {
        matches!(self, Kind::Read | Kind::Swap)
    }
}

/// Validates the form and runs the operation.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let n = inputs.one_of("memory", &[4, 8])?;
    let kind = Kind::of(inputs)?;
    let address = inputs.number("address", n as u64 - 1)?;
    let value = inputs.number("value", 15)?;
    let mut run = Run::new(kind, n, address, value, inputs.number("seed", u64::MAX)?);
    run.prepare();
    match kind {
        Kind::Read => run.read(),
        Kind::Update => run.update(),
        Kind::Write | Kind::Swap => run.put(),
    }
    Ok(Shown { n, modulus: 16, steps: run.board.into_steps() })
}

/// What was dealt of DPF a, and what the primaries know of its target.
struct Dealt {
    u_0: Block,
    r_0: u64,
    r_1: u64,
}

/// An operation under way.
struct Run {
    kind: Kind,
    n: usize,
    address: u64,
    value: X16,
    random: Random,
    board: Board,
    state: State<X16>,
    material: Material<X16>,
    index: (u64, u64),
    dealt: Dealt,
    address_shares: (u64, u64),
    value_shares: (X16, X16),
}

impl Run {
    /// Draws, in this order: the session's key, the pairs' streams, the parties' own words, `D_0`, `D_1`, x and B of the load,
    /// `i*_0`, `M_0`.
    fn new(kind: Kind, n: usize, address: u64, value: u64, seed: u64) -> Run {
        let mut random = Random(seed);
        let log_size = n.trailing_zeros() as usize;
        let prg = random.prg();
        let mut pair = || PairStreams { streams: (0..2).map(|_| random.words(32)).collect() };
        let streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
        let words = [random.words(16), random.words(16), random.words(16)];
        let session = started(log_size, 1 << log_size, &prg, (&words[0], &words[1], &words[2]), &streams);
        let (purpose, reads, updates) =
            if kind == Kind::Read { (Purpose::Read, 1, 0) } else { (Purpose::Update, 0, 1) };
        let session = preprocess::<X16, _>(session, reads, updates).session;
        let p0 = &[session.p0.reads, session.p0.updates].concat()[0];
        let p1 = &[session.p1.reads, session.p1.updates].concat()[0];
        let p2 = &[session.p2.reads, session.p2.updates].concat()[0];
        let t = |key| unit_flags(&prg, key, log_size);
        let v = |key| if kind == Kind::Read { vec![] } else { values(&prg, key, log_size) };
        let material = Material {
            flags: Flags { a_0: t(&p0.key_a), a_1: t(&p1.key_a), b_0: t(&p0.key_b), b_1: t(&p2.key_b) },
            values: Values { a_0: v(&p0.key_a), a_1: v(&p1.key_a), b_0: v(&p0.key_b), b_1: v(&p2.key_b) },
            value_shares: (p0.value_share, p1.value_share),
            delta: p0.delta,
        };
        let with_0 = seed_0::<X16>(&item_stream(&streams.pair_02, 0), log_size, purpose, 0);
        let with_1 = seed_1(&item_stream(&streams.pair_12, 0), log_size, purpose, 0);
        let state = shared(&random.vector(n), &random.vector(n), &random.vector(n), &random.vector(n));
        let i_0 = random.below(n as u64);
        let (value, m_0) = (X16::from_u64(value), random.ring::<X16>());
        Run {
            kind,
            n,
            address,
            value,
            random,
            board: Board::default(),
            state,
            material,
            index: (p0.random_index, p1.random_index),
            dealt: Dealt { u_0: with_0.one_hot, r_0: with_0.mask, r_1: with_1.mask },
            address_shares: (i_0, i_0 ^ address),
            value_shares: (m_0, value.minus(m_0)),
        }
    }

    /// Flags of all ones or none, as bits.
    fn flags(&mut self, holder: Holder, name: &str, words: &[X16], known: &[Holder], moved: Option<Moved>) {
        let bits: Vec<Bit> = words.iter().map(|word| Bit { bit: word.to_u64() != 0 }).collect();
        self.board.moved_vector(holder, name, &bits, known, moved);
    }

    /// The bits of a block that are leaves.
    fn leaves(&mut self, holder: Holder, name: &str, block: Block, known: &[Holder], moved: Option<Moved>) {
        let bits = self.bits(block);
        self.board.moved_vector(holder, name, &bits, known, moved);
    }

    fn bits(&self, block: Block) -> Vec<Bit> {
        (0..self.n as u64).map(|i| Bit { bit: block_bit(block, i) }).collect()
    }

    /// Both sharings. P1 has drawn B with P2, and no longer knows it once an UPDATE has changed it.
    fn lay_state(&mut self, who_knows_b: &[Holder]) {
        let State { p0, p1, p2 } = &self.state;
        self.board.vector(P0, "A", &p0.alpha, &[P0, P2]);
        self.board.vector(P0, "H", &p0.beta, &[P0]);
        self.board.vector(P1, "E", &p1.alpha, &[P1]);
        self.board.vector(P2, "A", &p2.alpha, &[P0, P2]);
        self.board.vector(P2, "B", &p2.beta, who_knows_b);
    }

    /// What each sharing opens to.
    fn lay_sharings(&mut self) {
        self.board.vector(Reader, "A xor E", &opened_alpha(&self.state), NOBODY);
        self.board.vector(Reader, "B xor H", &opened_beta(&self.state), NOBODY);
    }

    /// What the flags of both sides add up to, which nobody but the reader sees.
    fn lay_sums(&mut self, t: &Flags<X16>, moved: Option<Moved>) {
        self.flags(Reader, "t_0^(a) xor t_1^(a)", &add(&t.a_0, &t.a_1), NOBODY, moved);
        self.flags(Reader, "t_0^(b) xor t_1^(b)", &add(&t.b_0, &t.b_1), NOBODY, moved);
    }

    fn lay_flags(&mut self, t: &Flags<X16>, moved: Option<Moved>) {
        self.flags(P0, "t_0^(a)", &t.a_0, &[P0, P2], moved);
        self.flags(P0, "t_0^(b)", &t.b_0, &[P0], moved);
        self.flags(P1, "t_1^(a)", &t.a_1, &[P1], moved);
        self.flags(P2, "t_0^(a)", &t.a_0, &[P0, P2], moved);
        self.flags(P2, "t_1^(b)", &t.b_1, &[P1, P2], moved);
    }

    /// The start, and what is done before the address is known.
    fn prepare(&mut self) {
        let (i_0, i_1) = self.address_shares;
        let (m_0, m_1) = self.value_shares;
        self.lay_state(&[P1, P2]);
        self.board.vector(Reader, "D", &opened_alpha(&self.state), NOBODY);
        self.lay_sharings();
        self.board.scalar(P0, "i*_0", i_0, &[P0]);
        self.board.scalar(P1, "i*_1", i_1, &[P1]);
        self.board.scalar(Reader, "i*", self.address, NOBODY);
        if self.kind != Kind::Read {
            self.board.scalar(P0, "M_0", m_0.to_u64(), &[P0]);
            self.board.scalar(P1, "M_1", m_1.to_u64(), &[P1]);
            self.board.scalar(Reader, "M", self.value.to_u64(), NOBODY);
        }
        self.board.step(
            "Two sharings of one memory",
            "The memory is `A` XOR `E`, and it is `B` XOR `H`. P0 has one share of each sharing, P1 the other of the first, P2 \
             that of the second, and the same `A` as P0.",
        );

        let width = flag_bits(self.n.trailing_zeros() as usize);
        let Dealt { u_0, r_0, r_1 } = self.dealt;
        let u_1 = dealt_one_hot(u_0, r_0, r_1);
        let (ri_0, ri_1) = self.index;
        self.leaves(P0, "u_0", u_0, &[P0, P2], None);
        self.leaves(P1, "u_1", u_1, &[P1, P2], None);
        self.leaves(P2, "u_0", u_0, &[P0, P2], None);
        self.leaves(P2, "u_1", u_1, &[P1, P2], None);
        self.board.scalar(P0, "r_0", r_0, &[P0, P2]);
        self.board.scalar(P1, "r_1", r_1, &[P1, P2]);
        self.board.scalar(P2, "r", r_0 ^ r_1, &[P2]);
        self.leaves(P2, "u_0 xor u_1", u_0 ^ u_1, &[P2], None);
        self.board.scalar(P0, "ri_0", ri_0, &[P0]);
        self.board.scalar(P1, "ri_1", ri_1, &[P1]);
        let sent: Vec<String> = self.bits(u_1).iter().map(|bit| u8::from(bit.bit).to_string()).collect();
        self.board.send((P2, &[P1]), "u_1", sent.join(" ").as_str(), &[P1, P2]);
        self.board.step(
            "Preparing: P2 deals",
            "P2 deals shares of a vector with its 1 at a random place `r`, of which P0 and P1 have a half each. `u_0`, `r_0` and \
             `r_1` come from streams that two parties have in common. (Of 128 bits, those are shown that are flags of the \
             memory.)",
        );

        let (e_0, e_1) = (moved_share(ri_0, r_0, width), moved_share(ri_1, r_1, width));
        self.board.send((P0, &[P1]), "ri_0 xor r_0", e_0, PRIMARIES);
        self.board.step(
            "Preparing: P0 opens its half",
            "P0 tells P1 the distance between its halves of `ri` and of `r`. P2 must not hear it: it knows `r_0`.",
        );
        let e = e_0 ^ e_1;
        self.board.send((P1, &[P0]), "ri_1 xor r_1", e_1, PRIMARIES);
        self.board.scalar(P0, "e", e, PRIMARIES);
        self.board.scalar(P1, "e", e, PRIMARIES);
        self.board.step("Preparing: P1 opens its half", "Both primaries add up `e`, which is `r` XOR `ri`.");

        let moved = Some(Moved::Xored(e));
        self.leaves(P0, "o_0", moved_block(u_0, e), &[P0], moved);
        self.leaves(P1, "o_1", moved_block(u_1, e), &[P1], moved);
        self.leaves(Reader, "o_0 xor o_1", moved_block(u_0, e) ^ moved_block(u_1, e), NOBODY, moved);
        self.board.scalar(Reader, "ri", ri_0 ^ ri_1, NOBODY);
        self.board.step(
            "Preparing: the vector is moved",
            "Each moves its share by `e`. The sum now has its 1 at `ri`. P2 dealt the vector, and does not know where it is.",
        );

        let flags = self.material.flags.clone();
        self.lay_flags(&flags, None);
        for (holder, name) in [
            (P0, "u_0"),
            (P1, "u_1"),
            (P2, "u_0"),
            (P2, "u_1"),
            (P2, "u_0 xor u_1"),
            (P0, "o_0"),
            (P1, "o_1"),
            (Reader, "o_0 xor o_1"),
        ] {
            self.board.remove(holder, name);
        }
        self.lay_sums(&flags, None);
        if self.kind != Kind::Read {
            self.lay_values();
        }
        self.board.step(
            "Preparing: the trees",
            "With shares of that vector the primaries have corrected the last layers of two DPFs, a and b. The flags `t` of both \
             sides of each have their 1 at `ri`. P2 is sent side 0 of a and side 1 of b; P1 forgets the latter. (For UPDATE, \
             WRITE and SWAP there are values `v` too, and shares `f` of the one at `ri` of a.)",
        );
    }

    fn lay_values(&mut self) {
        let Material { values: v, value_shares: (f_0, f_1), delta, .. } = &self.material;
        self.board.vector(P0, "v_0^(a)", &v.a_0, &[P0, P2]);
        self.board.vector(P0, "v_0^(b)", &v.b_0, &[P0]);
        self.board.vector(P1, "v_1^(a)", &v.a_1, &[P1]);
        self.board.vector(P2, "v_0^(a)", &v.a_0, &[P0, P2]);
        self.board.vector(P2, "v_1^(b)", &v.b_1, &[P1, P2]);
        self.board.scalar(P0, "f_0", f_0.to_u64(), &[P0]);
        self.board.scalar(P1, "f_1", f_1.to_u64(), &[P1, P2]);
        self.board.scalar(P0, "delta", delta.to_u64(), &[P0, P2]);
        self.board.scalar(P2, "delta", delta.to_u64(), &[P0, P2]);
    }

    /// `s_0` and `s_1`.
    fn shifts(&self) -> (u64, u64) {
        let ((i_0, i_1), (ri_0, ri_1)) = (self.address_shares, self.index);
        (shift_share(i_0, ri_0, self.n), shift_share(i_1, ri_1, self.n))
    }

    /// READ's and WRITE's first message, and what all do with it.
    fn open_shift(&mut self) -> Flags<X16> {
        let (s_0, s_1) = self.shifts();
        self.board.send((P0, &[P1, P2]), "s_0", s_0, ALL);
        self.board.step(
            "Message 1: P0 sends",
            "P0 sends `s_0`, its share of the address XOR its share of `ri`, to both others.",
        );
        self.board.send((P1, &[P0, P2]), "s_1", s_1, ALL);
        self.board.step("Message 1: P1 sends", "P1 does the same. Neither waits for the other.");
        self.lay_shift(reconstruct_shift(s_0, s_1))
    }

    fn lay_shift(&mut self, s: u64) -> Flags<X16> {
        for party in [P0, P1, P2] {
            self.board.scalar(party, "S", s, ALL);
        }
        let t = moved(&self.material.flags, s);
        let moved = Some(Moved::Xored(s));
        self.lay_flags(&t, moved);
        self.lay_sums(&t, moved);
        self.board.step(
            "The flags are moved",
            "All know `S`, the distance between the address and `ri`, and move their flags: what was at j is now at j XOR `S`. \
             The 1 is at `i*`.",
        );
        t
    }

    /// Each party's sum over the words that its flags choose, at the places up to one.
    fn parts(&self, t: &Flags<X16>, last: usize) -> [X16; 3] {
        let until = |flags: &[X16]| -> Vec<X16> {
            flags.iter().enumerate().map(|(j, flag)| if j > last { X16::zero() } else { *flag }).collect()
        };
        [
            partial_0(&self.state.p0, &until(&t.a_0), &until(&t.b_0)),
            partial_1(&self.state.p1, &until(&t.a_1)),
            partial_2(&self.state.p2, &until(&t.a_0), &until(&t.b_1)),
        ]
    }

    /// The scan, place by place: what each adds there, and its sum so far.
    fn scan(&mut self, t: &Flags<X16>) -> [X16; 3] {
        let mut parts = [X16::zero(); 3];
        for j in 0..self.n {
            let before = std::mem::replace(&mut parts, self.parts(t, j));
            for (b, holder) in [P0, P1, P2].into_iter().enumerate() {
                self.board.scalar(
                    holder,
                    &format!("term_{b}"),
                    parts[b].minus(before[b]).to_u64(),
                    &[holder],
                );
                self.board.scalar(holder, &format!("p_{b}"), parts[b].to_u64(), &[holder]);
            }
            self.board.scalar(P0, "j", j, ALL);
            self.board.scalar(P1, "j", j, ALL);
            self.board.scalar(P2, "j", j, ALL);
            let sum = parts[0].plus(parts[1]).plus(parts[2]);
            self.board.scalar(Reader, "p_0 xor p_1 xor p_2", sum.to_u64(), NOBODY);
            self.board.at(j);
            self.board.step(
                "The scan",
                "Each walks its vectors once, place by place. P0 adds the word of `A` if its flags of a and b differ, and that of `H` if \
                 its flag of a is set; P1 that of `E`; P2 that of `A` by its flag of b, and that of `B` by its flag of a. The sum of all \
                 three stays 0 until `i*`, and is the word from there on.",
            );
        }
        parts
    }

    /// P2's g, under a word that P1 has too.
    fn lay_unblinding(&mut self, part: X16) -> (X16, X16) {
        let rho: X16 = self.random.ring();
        let g = unblinding(part, rho);
        self.board.scalar(P1, "rho", rho.to_u64(), &[P1, P2]);
        self.board.scalar(P2, "rho", rho.to_u64(), &[P1, P2]);
        self.board.send((P2, &[P0]), "g", g.to_u64(), &[P0, P2]);
        (g, rho)
    }

    /// The shares of a result, and what they are of.
    fn lay_result(&mut self, parts: [X16; 3], (g, rho): (X16, X16), before: &[X16]) {
        let (read_0, read_1) = (read_share_0(parts[0], g), read_share_1(parts[1], rho));
        let (word, ideal) = (read_0.plus(read_1).to_u64(), get(before, self.address).to_u64());
        self.board.scalar(P0, "read_0", read_0.to_u64(), &[P0]);
        self.board.scalar(P1, "read_1", read_1.to_u64(), &[P1]);
        self.board.scalar(Reader, "read_0 xor read_1", word, NOBODY);
        self.board.scalar(Reader, "D[i*]", ideal, NOBODY);
        self.board.scalar(Reader, "equal", if word == ideal { "yes" } else { "no" }, NOBODY);
    }

    fn read(&mut self) {
        let t = self.open_shift();
        let parts = self.scan(&t);
        let masked = self.lay_unblinding(parts[2]);
        self.board
            .step("Message 2: P2 sends", "P2 sends P0 its part under `rho`, which it has drawn with P1.");
        let memory = opened_alpha(&self.state);
        self.lay_result(parts, masked, &memory);
        self.board.step(
            "After",
            "P0 adds `g` to its part, P1 adds `rho` to its own. No party opens the result. The reader may: it is the word at `i*`.",
        );
    }

    fn update(&mut self) {
        let (s_0, s_1) = self.shifts();
        let ((m_0, m_1), (f_0, f_1)) = (self.value_shares, self.material.value_shares);
        let x: X16 = self.random.ring();
        for party in [P0, P1] {
            self.board.scalar(party, "x", x.to_u64(), PRIMARIES);
        }
        let (masked_0, masked_1) = (masked_value_0(m_0, f_0, x), masked_value_1(m_1, f_1, x));
        self.board.send((P0, &[P1, P2]), "s_0", s_0, ALL);
        self.board.send((P0, &[P1, P2]), "m_0", masked_0.to_u64(), ALL);
        self.board.step(
            "Message 1: P0 sends",
            "P0 sends `s_0`, and its share of `M` under its share `f_0` and the word `x`, which it has drawn with P1.",
        );
        self.board.send((P1, &[P0, P2]), "s_1", s_1, ALL);
        self.board.send((P1, &[P0, P2]), "m_1", masked_1.to_u64(), ALL);
        self.board.step(
            "Message 1: P1 sends",
            "P1 does the same. P2 has dealt `f_1`; without `x` it would read `M_1` off this message.",
        );
        let s = reconstruct_shift(s_0, s_1);
        self.lay_shift(s);
        self.change(s, final_correction_a(masked_0, masked_1));
    }

    fn put(&mut self) {
        let t = self.open_shift();
        let parts = self.scan(&t);
        let ((m_0, m_1), (f_0, f_1)) = (self.value_shares, self.material.value_shares);
        let (y_01, y_02, y_12): (X16, X16, X16) =
            (self.random.ring(), self.random.ring(), self.random.ring());
        for (name, y, pair) in [("y_01", y_01, [P0, P1]), ("y_02", y_02, [P0, P2]), ("y_12", y_12, [P1, P2])]
        {
            for party in pair {
                self.board.scalar(party, name, y.to_u64(), &pair);
            }
        }
        let sent = [
            masked_part_0(m_0, parts[0], f_0, y_01, y_02),
            masked_part_1(m_1, parts[1], f_1, y_01, y_12),
            masked_part_2(parts[2], y_02, y_12),
        ];
        self.board.send((P0, &[P1, P2]), "part_0", sent[0].to_u64(), ALL);
        self.board.step(
            "Message 2: P0 sends",
            "P0 sends its share of `M`, its part of the old word and its share `f_0`, under words that it has drawn with each of the \
             others.",
        );
        self.board.send((P1, &[P0, P2]), "part_1", sent[1].to_u64(), ALL);
        self.board.step("Message 2: P1 sends", "P1 does the same with its own.");
        self.board.send((P2, &[P0, P1]), "part_2", sent[2].to_u64(), ALL);
        let masked = self.kind.has_result().then(|| self.lay_unblinding(parts[2]));
        self.board.step(
            "Message 2: P2 sends",
            "P2 sends its part of the old word. All masks cancel in the sum. (In a SWAP it sends P0 the word `g` too.)",
        );
        if let Some(masked) = masked {
            let memory = opened_alpha(&self.state);
            self.lay_result(parts, masked, &memory);
        }
        let (s_0, s_1) = self.shifts();
        self.change(reconstruct_shift(s_0, s_1), final_correction(sent[0], sent[1], sent[2]));
    }

    /// The final corrections, the new states, and what they open to.
    fn change(&mut self, s: u64, f_a: X16) {
        let f_b = final_correction_b(f_a, self.material.delta);
        for party in [P0, P1, P2] {
            self.board.scalar(party, "F_a", f_a.to_u64(), ALL);
        }
        for party in [P0, P2] {
            self.board.scalar(party, "F_b", f_b.to_u64(), &[P0, P2]);
        }
        let mut ideal = opened_alpha(&self.state);
        let place = &mut ideal[usize::try_from(self.address).unwrap_or_default()];
        *place = if self.kind == Kind::Update { place.plus(self.value) } else { self.value };
        self.state = apply(&self.state, &self.material, s, f_a);
        self.lay_state(&[P2]);
        self.board.step(
            "Every vector changes",
            "All add up `F_a`; P0 and P2, who know `delta`, also `F_b`. Each makes `v` XOR `F t`, moves it by `S`, and adds it to its \
             vector: that of a to `A` or `E`, that of b to `H` or `B`.",
        );
        let (alpha, beta) = (opened_alpha(&self.state), opened_beta(&self.state));
        let holds = same_vector(&alpha, &ideal) && same_vector(&beta, &ideal);
        self.lay_sharings();
        self.board.vector(Reader, "ideal", &ideal, NOBODY);
        self.board.vector(
            Reader,
            "A of P0 xor A of P2",
            &add(&self.state.p0.alpha, &self.state.p2.alpha),
            NOBODY,
        );
        let verdict = if holds && states_agree(&self.state) { "yes" } else { "no" };
        self.board.scalar(Reader, "sharings agree", verdict, NOBODY);
        self.board.step(
            "After",
            "Both sharings are of the memory as it should be, and P0's `A` is P2's. Nothing is left to refresh.",
        );
    }
}
