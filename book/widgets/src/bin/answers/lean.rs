//! The lean protocol: all values from one call of `read`, `update` or `swap` over 64-bit words, then the lowest four bits.
//! Taking them is a homomorphism of words under XOR and AND. What the parties add up is found backwards, from what they send.

use duoram_spec::core::block::Block;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::{Purpose, unit_flags, values};
use duoram_spec::lean::memory::{State, opened_alpha, shared};
use duoram_spec::lean::read::{Flags, read};
use duoram_spec::lean::session::{Streams, preprocess, started};
use duoram_spec::lean::tape::{PairStreams, item_stream, seed_0, seed_1};
use duoram_spec::lean::update::{Material, Values, update};
use duoram_spec::lean::write::{Masks, swap};
use duoram_vectors::Random;
use serde_json::Value;

use crate::cells::{Cells, PUBLIC, Views, number, text};
use crate::operations::Steps;

/// What an operation begins with.
struct Start {
    n: usize,
    kind: String,
    address: u64,
    value: XorWord,
    random: Random,
    state: State<XorWord>,
    material: Material<XorWord>,
    index: (u64, u64),
    address_shares: (u64, u64),
    value_shares: (XorWord, XorWord),
    u_0: Block,
    r: (u64, u64),
}

fn low(words: &[XorWord]) -> Vec<u64> {
    words.iter().map(|word| word.bits & 15).collect()
}

impl Start {
    fn of(form: &Value) -> Start {
        let n = usize::try_from(number(form, "memory")).unwrap();
        let kind = text(form, "kind").to_owned();
        let h = n.ilog2() as usize;
        let mut random = Random(number(form, "seed"));
        let prg = random.prg();
        let mut pair = || PairStreams { streams: vec![random.words(32), random.words(32)] };
        let streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
        let own: Vec<Vec<u64>> = (0..3).map(|_| random.words(16)).collect();
        let connected = started(h, 1 << h, &prg, (&own[0], &own[1], &own[2]), &streams);
        let is_read = kind == "read";
        let session = preprocess::<XorWord, _>(connected, is_read.into(), (!is_read).into()).session;
        let purpose = if is_read { Purpose::Read } else { Purpose::Update };
        let (p0, p1, p2) = if is_read {
            (&session.p0.reads[0], &session.p1.reads[0], &session.p2.reads[0])
        } else {
            (&session.p0.updates[0], &session.p1.updates[0], &session.p2.updates[0])
        };
        let t = |key| unit_flags(&prg, key, h);
        let v = |key| if is_read { vec![] } else { values(&prg, key, h) };
        let material = Material {
            flags: Flags { a_0: t(&p0.key_a), a_1: t(&p1.key_a), b_0: t(&p0.key_b), b_1: t(&p2.key_b) },
            values: Values { a_0: v(&p0.key_a), a_1: v(&p1.key_a), b_0: v(&p0.key_b), b_1: v(&p2.key_b) },
            value_shares: (p0.value_share, p1.value_share),
            delta: p0.delta,
        };
        let of_0 = seed_0::<XorWord>(&item_stream(&streams.pair_02, 0), h, purpose, 0);
        let of_1 = seed_1(&item_stream(&streams.pair_12, 0), h, purpose, 0);
        let state = shared(&random.vector(n), &random.vector(n), &random.vector(n), &random.vector(n));
        let address = number(form, "address");
        let i_0 = random.below(n as u64);
        let value = XorWord { bits: number(form, "value") };
        let m_0: XorWord = random.ring();
        Start {
            n,
            kind,
            address,
            value,
            random,
            state,
            material,
            index: (p0.random_index, p1.random_index),
            address_shares: (i_0, i_0 ^ address),
            value_shares: (m_0, m_0.plus(value)),
            u_0: of_0.one_hot,
            r: (of_0.mask, of_1.mask),
        }
    }

    fn shift(&self) -> u64 {
        self.address ^ self.index.0 ^ self.index.1
    }

    fn place(&self) -> usize {
        usize::try_from(self.address).unwrap()
    }

    fn set_state(cells: &mut Cells, state: &State<XorWord>, who_knows_b: &'static str) {
        cells.set_all("P0.A", &low(&state.p0.alpha), "P0 P2");
        cells.set_all("P2.A", &low(&state.p2.alpha), "P0 P2");
        cells.set_all("P1.E", &low(&state.p1.alpha), "P1");
        cells.set_all("P0.H", &low(&state.p0.beta), "P0");
        cells.set_all("P2.B", &low(&state.p2.beta), who_knows_b);
    }

    /// Both sharings are of this memory.
    fn set_sharings(cells: &mut Cells, memory: &[u64]) {
        cells.set_all("Reader.A xor E", memory, "");
        cells.set_all("Reader.B xor H", memory, "");
    }

    /// 1 at one place, 0 elsewhere.
    fn one_at(&self, place: u64) -> Vec<u64> {
        (0..self.n as u64).map(|j| u64::from(j == place)).collect()
    }

    /// Flags, moved by s, as bits.
    fn set_flags(&self, cells: &mut Cells, s: u64) {
        let t = &self.material.flags;
        let at = |words: &[XorWord]| -> Vec<u64> {
            (0..self.n as u64).map(|j| words[usize::try_from(j ^ s).unwrap()].bits & 1).collect()
        };
        cells.set_all("P0.t_0^(a)", &at(&t.a_0), "P0 P2");
        cells.set_all("P2.t_0^(a)", &at(&t.a_0), "P0 P2");
        cells.set_all("P0.t_0^(b)", &at(&t.b_0), "P0");
        cells.set_all("P1.t_1^(a)", &at(&t.a_1), "P1");
        cells.set_all("P2.t_1^(b)", &at(&t.b_1), "P1 P2");
        let hot = self.one_at(self.index.0 ^ self.index.1 ^ s);
        cells.set_all("Reader.t_0^(a) xor t_1^(a)", &hot, "");
        cells.set_all("Reader.t_0^(b) xor t_1^(b)", &hot, "");
    }

    /// Up to the trees.
    fn prepared(&self) -> Steps {
        let mut steps = Steps::default();
        let cells = &mut steps.cells;
        Self::set_state(cells, &self.state, "P1 P2");
        cells.set_all("Reader.D", &low(&opened_alpha(&self.state)), "");
        Self::set_sharings(cells, &low(&opened_alpha(&self.state)));
        cells.set("P0.i*_0", self.address_shares.0, "P0");
        cells.set("P1.i*_1", self.address_shares.1, "P1");
        cells.set("Reader.i*", self.address, "");
        if self.kind != "read" {
            cells.set("P0.M_0", self.value_shares.0.bits & 15, "P0");
            cells.set("P1.M_1", self.value_shares.1.bits & 15, "P1");
            cells.set("Reader.M", self.value.bits, "");
        }
        steps.end("Two sharings of one memory");

        let (r, ri) = (self.r.0 ^ self.r.1, self.index.0 ^ self.index.1);
        let bits = |block: Block, hot: u64, by: u64| -> Vec<u64> {
            (0..self.n as u64).map(|j| u64::from(block >> (j ^ by) & 1 == 1) ^ u64::from(j == hot)).collect()
        };
        let none = u64::MAX;
        let (u_0, u_1) = (bits(self.u_0, none, 0), bits(self.u_0, r, 0));
        for (name, words, known) in [
            ("P0.u_0", &u_0, "P0 P2"),
            ("P2.u_0", &u_0, "P0 P2"),
            ("P1.u_1", &u_1, "P1 P2"),
            ("P2.u_1", &u_1, "P1 P2"),
        ] {
            steps.cells.set_all(name, words, known);
        }
        steps.cells.set("P0.r_0", self.r.0, "P0 P2");
        steps.cells.set("P1.r_1", self.r.1, "P1 P2");
        steps.cells.set("P2.r", r, "P2");
        steps.cells.set_all("P2.u_0 xor u_1", &self.one_at(r), "P2");
        steps.cells.set("P0.ri_0", self.index.0, "P0");
        steps.cells.set("P1.ri_1", self.index.1, "P1");
        let sent: Vec<String> = u_1.iter().map(u64::to_string).collect();
        steps.send("P2", "P1", "u_1", sent.join(" "), "P1 P2");
        steps.end("Preparing: P2 deals");

        steps.send("P0", "P1", "ri_0 xor r_0", self.index.0 ^ self.r.0, "P0 P1");
        steps.end("Preparing: P0 opens its half");
        steps.send("P1", "P0", "ri_1 xor r_1", self.index.1 ^ self.r.1, "P0 P1");
        steps.cells.set("P0.e", r ^ ri, "P0 P1");
        steps.cells.set("P1.e", r ^ ri, "P0 P1");
        steps.end("Preparing: P1 opens its half");

        // The share of P0 moved, and what makes it one-hot at ri.
        steps.cells.set_all("P0.o_0", &bits(self.u_0, none, r ^ ri), "P0");
        steps.cells.set_all("P1.o_1", &bits(self.u_0, ri, r ^ ri), "P1");
        steps.cells.set_all("Reader.o_0 xor o_1", &self.one_at(ri), "");
        steps.cells.set("Reader.ri", ri, "");
        steps.end("Preparing: the vector is moved");

        for used in ["P0.u_", "P1.u_", "P2.u_", "P0.o_", "P1.o_", "Reader.o_"] {
            steps.cells.remove(used);
        }
        self.set_flags(&mut steps.cells, 0);
        if self.kind != "read" {
            let (v, cells) = (&self.material.values, &mut steps.cells);
            cells.set_all("P0.v_0^(a)", &low(&v.a_0), "P0 P2");
            cells.set_all("P2.v_0^(a)", &low(&v.a_0), "P0 P2");
            cells.set_all("P0.v_0^(b)", &low(&v.b_0), "P0");
            cells.set_all("P1.v_1^(a)", &low(&v.a_1), "P1");
            cells.set_all("P2.v_1^(b)", &low(&v.b_1), "P1 P2");
            cells.set("P0.f_0", self.material.value_shares.0.bits & 15, "P0");
            cells.set("P1.f_1", self.material.value_shares.1.bits & 15, "P1 P2");
            for party in ["P0", "P2"] {
                cells.set(format!("{party}.delta"), self.material.delta.bits & 15, "P0 P2");
            }
        }
        steps.end("Preparing: the trees");
        steps
    }

    fn end_shift(&self, steps: &mut Steps) {
        for party in ["P0", "P1", "P2"] {
            steps.cells.set(format!("{party}.S"), self.shift(), PUBLIC);
        }
        self.set_flags(&mut steps.cells, self.shift());
        steps.end("The flags are moved");
    }

    fn send_shifts(&self, steps: &mut Steps) {
        for (from, to, what, share, index) in [
            ("P0", "P1, P2", "s_0", self.address_shares.0, self.index.0),
            ("P1", "P0, P2", "s_1", self.address_shares.1, self.index.1),
        ] {
            steps.send(from, to, what, share ^ index, PUBLIC);
            steps.end(&format!("Message 1: {from} sends"));
        }
        self.end_shift(steps);
    }

    fn set_result(&self, steps: &mut Steps, (read_0, read_1): (XorWord, XorWord)) {
        let ideal = opened_alpha(&self.state)[self.place()].bits & 15;
        steps.cells.set("P0.read_0", read_0.bits & 15, "P0");
        steps.cells.set("P1.read_1", read_1.bits & 15, "P1");
        steps.cells.set("Reader.read_0 xor read_1", ideal, "");
        steps.cells.set("Reader.D[i*]", ideal, "");
        steps.cells.set("Reader.equal", "yes", "");
    }

    /// The scan by the words of the state and the flags' bits, written out; and its end from the results: `read_0 xor g`,
    /// `read_1 xor rho`, `g xor rho`.
    fn end_scan(&self, steps: &mut Steps, (read_0, read_1): (XorWord, XorWord), g: XorWord, rho: XorWord) {
        let (t, s) = (&self.material.flags, self.shift());
        let mut sums = [0; 3];
        for j in 0..self.n {
            let from = j ^ usize::try_from(s).unwrap();
            let if_set = |flag: u64, word: XorWord| if flag & 1 == 1 { word.bits & 15 } else { 0 };
            let (p0, p1, p2) = (&self.state.p0, &self.state.p1, &self.state.p2);
            let (a_0, b_0, b_1) = (t.a_0[from].bits, t.b_0[from].bits, t.b_1[from].bits);
            let terms = [
                if_set(a_0 ^ b_0, p0.alpha[j]) ^ if_set(a_0, p0.beta[j]),
                if_set(t.a_1[from].bits, p1.alpha[j]),
                if_set(b_1, p2.alpha[j]) ^ if_set(a_0, p2.beta[j]),
            ];
            for (b, party) in ["P0", "P1", "P2"].into_iter().enumerate() {
                sums[b] ^= terms[b];
                steps.cells.set(format!("{party}.j"), j, PUBLIC);
                steps.cells.set(format!("{party}.term_{b}"), terms[b], party);
                steps.cells.set(format!("{party}.p_{b}"), sums[b], party);
            }
            let word = opened_alpha(&self.state)[self.place()].bits & 15;
            steps.cells.set("Reader.p_0 xor p_1 xor p_2", if j < self.place() { 0 } else { word }, "");
            steps.end("The scan");
        }
        assert_eq!(sums, [read_0.plus(g), read_1.plus(rho), g.plus(rho)].map(|part| part.bits & 15));
    }

    fn send_unblinding(steps: &mut Steps, g: XorWord, rho: XorWord) {
        steps.cells.set("P1.rho", rho.bits & 15, "P1 P2");
        steps.cells.set("P2.rho", rho.bits & 15, "P1 P2");
        steps.send("P2", "P0", "g", g.bits & 15, "P0 P2");
    }

    /// The states that were returned, and the memory that they must be of.
    fn end_change(&self, steps: &mut Steps, after: &State<XorWord>, f_a: XorWord) {
        for party in ["P0", "P1", "P2"] {
            steps.cells.set(format!("{party}.F_a"), f_a.bits & 15, PUBLIC);
        }
        for party in ["P0", "P2"] {
            steps.cells.set(format!("{party}.F_b"), (f_a.bits ^ self.material.delta.bits) & 15, "P0 P2");
        }
        Self::set_state(&mut steps.cells, after, "P2");
        steps.end("Every vector changes");
        let mut ideal = low(&opened_alpha(&self.state));
        let place = &mut ideal[self.place()];
        *place = if self.kind == "update" { *place ^ self.value.bits } else { self.value.bits };
        Self::set_sharings(&mut steps.cells, &ideal);
        steps.cells.set_all("Reader.ideal", &ideal, "");
        steps.cells.set_all("Reader.A of P0 xor A of P2", &vec![0; self.n], "");
        steps.cells.set("Reader.sharings agree", "yes", "");
        steps.end("After");
    }
}

pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let start = Start::of(form);
    match start.kind.as_str() {
        "read" => read_steps(start),
        "update" => update_steps(start),
        _ => swap_steps(start),
    }
}

fn read_steps(mut start: Start) -> Vec<Views> {
    let rho: XorWord = start.random.ring();
    let run = read(&start.state, &start.material.flags, start.n, start.index, start.address_shares, rho);
    let mut steps = start.prepared();
    start.send_shifts(&mut steps);
    start.end_scan(&mut steps, (run.read_0, run.read_1), run.unblinding, rho);
    Start::send_unblinding(&mut steps, run.unblinding, rho);
    steps.end("Message 2: P2 sends");
    start.set_result(&mut steps, (run.read_0, run.read_1));
    steps.end("After");
    steps.views()
}

fn update_steps(mut start: Start) -> Vec<Views> {
    let x: XorWord = start.random.ring();
    let run = update(
        &start.state,
        &start.material,
        start.n,
        start.index,
        start.address_shares,
        start.value_shares,
        x,
    );
    let mut steps = start.prepared();
    steps.cells.set("P0.x", x.bits & 15, "P0 P1");
    steps.cells.set("P1.x", x.bits & 15, "P0 P1");
    for (from, to, b, (s, m)) in [("P0", "P1, P2", 0, run.message_0), ("P1", "P0, P2", 1, run.message_1)] {
        steps.send(from, to, &format!("s_{b}"), s, PUBLIC);
        steps.send(from, to, &format!("m_{b}"), m.bits & 15, PUBLIC);
        steps.end(&format!("Message 1: {from} sends"));
    }
    start.end_shift(&mut steps);
    start.end_change(&mut steps, &run.state, run.message_0.1.plus(run.message_1.1));
    steps.views()
}

/// WRITE is SWAP without its result.
fn swap_steps(mut start: Start) -> Vec<Views> {
    let r = &mut start.random;
    let masks: Masks<XorWord> = Masks { y_01: r.ring(), y_02: r.ring(), y_12: r.ring() };
    let rho: XorWord = r.ring();
    let run = swap(
        &start.state,
        &start.material,
        start.n,
        start.index,
        start.address_shares,
        start.value_shares,
        masks,
        rho,
    );
    let mut steps = start.prepared();
    start.send_shifts(&mut steps);
    start.end_scan(&mut steps, (run.read_0, run.read_1), run.unblinding, rho);
    for (name, y, pair, known) in [
        ("y_01", masks.y_01, ["P0", "P1"], "P0 P1"),
        ("y_02", masks.y_02, ["P0", "P2"], "P0 P2"),
        ("y_12", masks.y_12, ["P1", "P2"], "P1 P2"),
    ] {
        for party in pair {
            steps.cells.set(format!("{party}.{name}"), y.bits & 15, known);
        }
    }
    for (b, from, to, part) in
        [(0, "P0", "P1, P2", run.part_0), (1, "P1", "P0, P2", run.part_1), (2, "P2", "P0, P1", run.part_2)]
    {
        steps.send(from, to, &format!("part_{b}"), part.bits & 15, PUBLIC);
        if b == 2 && start.kind == "swap" {
            Start::send_unblinding(&mut steps, run.unblinding, rho);
        }
        steps.end(&format!("Message 2: {from} sends"));
    }
    if start.kind == "swap" {
        start.set_result(&mut steps, (run.read_0, run.read_1));
    }
    start.end_change(&mut steps, &run.state, run.part_0.plus(run.part_1).plus(run.part_2));
    steps.views()
}
