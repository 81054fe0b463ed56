//! READ and UPDATE: all values from one call of `read::read` or `update::update` over 64-bit words, then reduced. Reduction
//! mod 4 or 16 is a homomorphism, so the page, which computes over the small ring, must show the same.

use duoram_spec::core::vector::shift;
use duoram_spec::paper::memory::{State, opened};
use duoram_spec::paper::preprocessing::{random_index_shares, unit_vectors, update_material};
use duoram_spec::paper::read::{UnitVectors, read};
use duoram_spec::paper::update::{Update, UpdateMaterial, update};
use serde_json::Value;

use crate::cells::{Cells, PUBLIC, Views, number};
use duoram_vectors::Random;

/// What READ and UPDATE begin with, over 64-bit words.
struct Start {
    n: usize,
    modulus: u64,
    address: u64,
    random: Random,
    state: State<u64>,
    item: duoram_spec::paper::preprocessing::Item<u64>,
    random_index_shares: (u64, u64),
    address_shares: (u64, u64),
}

impl Start {
    fn of(form: &Value) -> Start {
        let n = usize::try_from(number(form, "memory")).unwrap();
        let address = number(form, "address");
        let mut random = Random(number(form, "seed"));
        let prg = random.prg();
        let state = random.state(n);
        let (item, _) = random.item(&prg, n.ilog2() as usize);
        let address_shares = random.shares(address);
        let modulus = if n == 4 { 4 } else { 16 };
        Start {
            n,
            modulus,
            address,
            random_index_shares: random_index_shares(&item),
            random,
            state,
            item,
            address_shares,
        }
    }

    fn reduced(&self, words: &[u64]) -> Vec<u64> {
        words.iter().map(|word| word % self.modulus).collect()
    }

    /// The states, addresses and shares of ri.
    fn cells(&self) -> Cells {
        let n = self.n as u64;
        let mut cells = Cells::default();
        self.set_state(&mut cells, &self.state);
        cells.set("P0.i*_0", self.address_shares.0 % n, "P0");
        cells.set("P1.i*_1", self.address_shares.1 % n, "P1");
        cells.set("P0.ri_0", self.random_index_shares.0, "P0");
        cells.set("P1.ri_1", self.random_index_shares.1, "P1");
        cells.set_all("Reader.D", &self.reduced(&opened(&self.state)), "");
        cells.set("Reader.i*", self.address, "");
        cells.set("Reader.ri", (self.random_index_shares.0 + self.random_index_shares.1) % n, "");
        cells
    }

    fn set_state(&self, cells: &mut Cells, state: &State<u64>) {
        self.set_primary_0(cells, state);
        self.set_primary_1(cells, state);
        self.set_helper(cells, state);
    }

    fn set_primary_0(&self, cells: &mut Cells, state: &State<u64>) {
        cells.set_all("P0.D_0", &self.reduced(&state.p0.memory_share), "P0");
        cells.set_all("P0.zeta_0", &self.reduced(&state.p0.blind), "P0 P2");
        // P1 can add it up: D_1 + zeta_1.
        cells.set_all("P0.D~_1", &self.reduced(&state.p0.blinded), "P0 P1");
    }

    fn set_primary_1(&self, cells: &mut Cells, state: &State<u64>) {
        cells.set_all("P1.D_1", &self.reduced(&state.p1.memory_share), "P1");
        cells.set_all("P1.zeta_1", &self.reduced(&state.p1.blind), "P1 P2");
        cells.set_all("P1.D~_0", &self.reduced(&state.p1.blinded), "P0 P1");
    }

    fn set_helper(&self, cells: &mut Cells, state: &State<u64>) {
        cells.set_all("P2.zeta_0", &self.reduced(&state.p2.blind_0), "P0 P2");
        cells.set_all("P2.zeta_1", &self.reduced(&state.p2.blind_1), "P1 P2");
    }

    /// `t`, `v` or `w` on a primary's card, for k = 1, 2, 3. P2 has P0's second and P1's third.
    fn set_of_primary(&self, cells: &mut Cells, symbol: &str, b: usize, vectors: [&Vec<u64>; 3]) {
        let known = if b == 0 { ["P0", "P0 P2", "P0"] } else { ["P1", "P1", "P1 P2"] };
        for k in 0..3 {
            cells.set_all(&format!("P{b}.{symbol}_{b}^({})", k + 1), &self.reduced(vectors[k]), known[k]);
        }
    }

    fn set_of_helper(&self, cells: &mut Cells, symbol: &str, second: &[u64], third: &[u64]) {
        cells.set_all(&format!("P2.{symbol}_0^(2)"), &self.reduced(second), "P0 P2");
        cells.set_all(&format!("P2.{symbol}_1^(3)"), &self.reduced(third), "P1 P2");
    }

    /// Three pairs of vectors on all cards.
    fn set_triple(&self, cells: &mut Cells, symbol: &str, vectors: &UnitVectors<u64>) {
        let (p0, p1) = (&vectors.p0, &vectors.p1);
        self.set_of_primary(cells, symbol, 0, [&p0.0, &p0.1, &p0.2]);
        self.set_of_primary(cells, symbol, 1, [&p1.0, &p1.1, &p1.2]);
        self.set_of_helper(cells, symbol, &p0.1, &p1.2);
    }
}

/// A sum of two shares that nobody sees: a word at one place, and 0 elsewhere.
fn set_sums(start: &Start, cells: &mut Cells, symbol: &str, at: u64, words: [u64; 3]) {
    for (k, word) in (1..).zip(words) {
        let sum: Vec<u64> = (0..start.n as u64).map(|j| if j == at { word } else { 0 }).collect();
        cells.set_all(&format!("Reader.{symbol}_0^({k}) + {symbol}_1^({k})"), &start.reduced(&sum), "");
    }
}

/// The steps so far. Each is the one before with more cells.
#[derive(Default)]
pub(crate) struct Steps {
    pub(crate) cells: Cells,
    messages: usize,
    /// Messages on their way in this step.
    flying: usize,
    done: Vec<Cells>,
}

impl Steps {
    #[expect(clippy::needless_pass_by_value, reason = "numbers, texts and borrowed texts, as they come")]
    pub(crate) fn send(
        &mut self,
        from: &str,
        to: &str,
        what: &str,
        value: impl ToString,
        known: &'static str,
    ) {
        let value = value.to_string();
        self.messages += 1;
        let name = format!("message{}", self.messages);
        self.cells.set(format!("{name}.from"), from, PUBLIC);
        self.cells.set(format!("{name}.to"), to, PUBLIC);
        self.cells.set(format!("{name}.value"), &value, known);
        self.cells.set(format!("{name}.what"), what, PUBLIC);
        self.flying += 1;
        let name = format!("flying{}", self.flying);
        self.cells.set(format!("{name}.way"), format!("{from} to {to}"), PUBLIC);
        self.cells.set(format!("{name}.value"), &value, known);
        self.cells.set(format!("{name}.what"), what, PUBLIC);
    }

    pub(crate) fn end(&mut self, line: &str) {
        self.cells.set("step.line", line, PUBLIC);
        self.done.push(self.cells.clone());
        self.cells.remove("flying");
        self.flying = 0;
    }

    /// Only now is it known how many steps there are.
    pub(crate) fn views(mut self) -> Vec<Views> {
        let count = self.done.len();
        for (number, cells) in self.done.iter_mut().enumerate() {
            cells.set("step.number", format!("{} of {count}", number + 1), PUBLIC);
        }
        self.done.iter().map(Cells::views).collect()
    }
}

pub(crate) fn read_steps(form: &Value) -> Vec<Views> {
    let mut start = Start::of(form);
    let rho = start.random.word();
    let units = unit_vectors(&start.item);
    let outcome = read(&start.state, &units, start.random_index_shares, start.address_shares, rho);
    let word = |x: u64| x % start.modulus;

    let mut steps = Steps { cells: start.cells(), ..Steps::default() };
    start.set_triple(&mut steps.cells, "t", &units);
    steps.end("Before");
    let ri = (start.random_index_shares.0 + start.random_index_shares.1) % start.n as u64;
    set_sums(&start, &mut steps.cells, "t", ri, [1; 3]);
    steps.end("What nobody sees: the sums");

    for (from, to, what, value, line) in [
        ("P0", "P1, P2", "i*_0 - ri_0", outcome.shift_0, "Protocol 1, line 5: P0 sends"),
        ("P1", "P0, P2", "i*_1 - ri_1", outcome.shift_1, "Protocol 1, line 5: P1 sends"),
    ] {
        steps.send(from, to, what, value, PUBLIC);
        steps.end(line);
    }

    let s = (outcome.shift_0 + outcome.shift_1) % start.n as u64;
    for party in ["P0", "P1", "P2"] {
        steps.cells.set(format!("{party}.S"), s, PUBLIC);
    }
    steps.end("Protocol 1, line 6");

    let (p0, p1) = (&units.p0, &units.p1);
    let moved = UnitVectors {
        p0: (shift(&p0.0, s), shift(&p0.1, s), shift(&p0.2, s)),
        p1: (shift(&p1.0, s), shift(&p1.1, s), shift(&p1.2, s)),
    };
    start.set_triple(&mut steps.cells, "t", &moved);
    set_sums(&start, &mut steps.cells, "t", start.address, [1; 3]);
    steps.end("Protocol 1, line 7");

    steps.cells.set("P2.rho", word(rho), "P2");
    steps.cells.set("P2.gamma_0", word(outcome.gamma_0), "P0 P2");
    steps.cells.set("P0.gamma_0", word(outcome.gamma_0), "P0 P2");
    steps.send("P2", "P0", "gamma_0", word(outcome.gamma_0), "P0 P2");
    steps.end("Protocol 1, line 8: P2 answers P0");
    steps.cells.set("P2.gamma_1", word(outcome.gamma_1), "P1 P2");
    steps.cells.set("P1.gamma_1", word(outcome.gamma_1), "P1 P2");
    steps.send("P2", "P1", "gamma_1", word(outcome.gamma_1), "P1 P2");
    steps.end("Protocol 1, line 8: P2 answers P1");

    steps.cells.set("P0.read_0", word(outcome.read_0), "P0");
    steps.end("Protocol 1, line 9");
    steps.cells.set("P1.read_1", word(outcome.read_1), "P1");
    steps.end("Protocol 1, line 10");

    // Lemma 1 says what the sum must be.
    let ideal = word(opened(&start.state)[usize::try_from(start.address).unwrap()]);
    steps.cells.set("Reader.read_0 + read_1", ideal, "");
    steps.cells.set("Reader.D[i*]", ideal, "");
    steps.cells.set("Reader.equal", "yes", "");
    steps.end("After");
    steps.views()
}

pub(crate) fn update_steps(form: &Value) -> Vec<Views> {
    let mut start = Start::of(form);
    let value = number(form, "value");
    let (delta_2, delta_3) = (start.random.word(), start.random.word());
    let material = update_material(&start.item, delta_2, delta_3);
    let m_0 = start.random.word();
    let value_shares = (m_0, value.wrapping_sub(m_0));
    let outcome =
        update(&start.state, &material, start.random_index_shares, start.address_shares, value_shares);
    let word = |x: u64| x % start.modulus;

    let mut steps = Steps { cells: start.cells(), ..Steps::default() };
    start.set_triple(&mut steps.cells, "t", &material.units);
    let values = &material.values;
    start.set_triple(&mut steps.cells, "v", &UnitVectors { p0: values.p0.clone(), p1: values.p1.clone() });
    for (b, known, shares, m) in [
        (0, "P0", material.corrections.p0, value_shares.0),
        (1, "P1", material.corrections.p1, value_shares.1),
    ] {
        for (k, share) in [(1, shares.0), (2, shares.1), (3, shares.2)] {
            steps.cells.set(format!("P{b}.F_{b}^({k})"), word(share), known);
        }
        steps.cells.set(format!("P{b}.M_{b}"), word(m), known);
    }
    steps.cells.set("Reader.M", value, "");
    steps.end("Before");
    let ri = (start.random_index_shares.0 + start.random_index_shares.1) % start.n as u64;
    set_sums(&start, &mut steps.cells, "t", ri, [1; 3]);
    // F is what cancels the value at ri.
    let (f_0, f_1) = (material.corrections.p0, material.corrections.p1);
    let cancelled =
        [(f_0.0, f_1.0), (f_0.1, f_1.1), (f_0.2, f_1.2)].map(|(a, b)| a.wrapping_add(b).wrapping_neg());
    set_sums(&start, &mut steps.cells, "v", ri, cancelled);
    steps.end("What nobody sees: the sums");

    for (b, from, other, message) in
        [(0, "P0", "P1", &outcome.message_0), (1, "P1", "P0", &outcome.message_1)]
    {
        let what = |k: u8| format!("M_{b} + F_{b}^({k})");
        let both = format!("{other}, P2");
        steps.send(from, &both, &format!("i*_{b} - ri_{b}"), message.shift, PUBLIC);
        steps.send(from, other, &what(1), word(message.masked_dpf_1), "P0 P1");
        steps.send(from, &both, &what(2), word(message.masked_dpf_2), PUBLIC);
        steps.send(from, &both, &what(3), word(message.masked_dpf_3), PUBLIC);
        steps.end(&format!("Protocol 2, line 5: {from} sends"));
    }

    let sum = |a: u64, b: u64| a.wrapping_add(b);
    let f = (
        sum(outcome.message_0.masked_dpf_1, outcome.message_1.masked_dpf_1),
        sum(outcome.message_0.masked_dpf_2, outcome.message_1.masked_dpf_2),
        sum(outcome.message_0.masked_dpf_3, outcome.message_1.masked_dpf_3),
    );
    for party in ["P0", "P1"] {
        steps.cells.set(format!("{party}.F^(1)"), word(f.0), "P0 P1");
    }
    for party in ["P0", "P1", "P2"] {
        steps.cells.set(format!("{party}.F^(2)"), word(f.1), PUBLIC);
        steps.cells.set(format!("{party}.F^(3)"), word(f.2), PUBLIC);
    }
    steps.end("Protocol 2, line 6");

    let s = (outcome.message_0.shift + outcome.message_1.shift) % start.n as u64;
    for party in ["P0", "P1", "P2"] {
        steps.cells.set(format!("{party}.S"), s, PUBLIC);
    }
    steps.end("Protocol 2, line 7");
    set_after(&start, &mut steps, &material, value, f, &outcome);

    // Lemma 2 says what the memory must be, Lemma 3 that the blinds fit.
    let mut ideal = opened(&start.state);
    let place = usize::try_from(start.address).unwrap();
    ideal[place] = ideal[place].wrapping_add(value);
    let ideal = start.reduced(&ideal);
    steps.cells.set_all("Reader.D_0 + D_1", &ideal, "");
    steps.cells.set_all("Reader.ideal", &ideal, "");
    steps.cells.set("Reader.equal", "yes", "");
    steps.cells.set_all("Reader.D~_0 - (D_0 + zeta_0)", &vec![0; start.n], "");
    steps.cells.set_all("Reader.D~_1 - (D_1 + zeta_1)", &vec![0; start.n], "");
    steps.cells.set("Reader.blinds fit", "yes", "");
    steps.end("After");
    steps.views()
}

/// Lines 8 to 10: `w[i] = v[i - S] + F t[i - S]`, written out, and the states that `update` returned.
fn set_after(
    start: &Start,
    steps: &mut Steps,
    material: &UpdateMaterial<u64>,
    value: u64,
    f: (u64, u64, u64),
    outcome: &Update<u64>,
) {
    let s = outcome.message_0.shift + outcome.message_1.shift;
    let used_up = |cells: &mut Cells, party: &str| {
        cells.remove(&format!("{party}.t_"));
        cells.remove(&format!("{party}.v_"));
    };
    let w = |v: &[u64], t: &[u64], f: u64| -> Vec<u64> {
        shift(v, s).iter().zip(shift(t, s)).map(|(v, t)| v.wrapping_add(f.wrapping_mul(t))).collect()
    };
    let (t_0, t_1) = (&material.units.p0, &material.units.p1);
    let (v_0, v_1) = (&material.values.p0, &material.values.p1);
    let w_0 = [w(&v_0.0, &t_0.0, f.0), w(&v_0.1, &t_0.1, f.1), w(&v_0.2, &t_0.2, f.2)];
    let w_1 = [w(&v_1.0, &t_1.0, f.0), w(&v_1.1, &t_1.1, f.1), w(&v_1.2, &t_1.2, f.2)];
    used_up(&mut steps.cells, "P0");
    start.set_of_primary(&mut steps.cells, "w", 0, [&w_0[0], &w_0[1], &w_0[2]]);
    start.set_primary_0(&mut steps.cells, &outcome.state);
    steps.end("Protocol 2, line 8");
    used_up(&mut steps.cells, "P1");
    used_up(&mut steps.cells, "Reader");
    set_sums(start, &mut steps.cells, "w", start.address, [value; 3]);
    start.set_of_primary(&mut steps.cells, "w", 1, [&w_1[0], &w_1[1], &w_1[2]]);
    start.set_primary_1(&mut steps.cells, &outcome.state);
    steps.end("Protocol 2, line 9");
    used_up(&mut steps.cells, "P2");
    start.set_of_helper(&mut steps.cells, "w", &w_0[1], &w_1[2]);
    start.set_helper(&mut steps.cells, &outcome.state);
    steps.end("Protocol 2, line 10");
}
