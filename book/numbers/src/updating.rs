//! Chapters 9 and 11: one UPDATE mod 4, on the paper's state and on the compressed one.

use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::vector::add;
use duoram_spec::paper::compressed::{self, compress};
use duoram_spec::paper::conversion::random_index_share;
use duoram_spec::paper::lemmas::{corrections_fit, lemma_2, lemma_3, lemma_3_compressed, units_point_at};
use duoram_spec::paper::memory::{State, opened};
use duoram_spec::paper::preprocessing::local_correction_shares;
use duoram_spec::paper::read::reconstruct_shift;
use duoram_spec::paper::update::{
    CorrectionShares, Update, UpdateMaterial, UpdateVectors, reconstruct_corrections, rerandomized, update,
    update_vectors,
};

use crate::files::Page;
use crate::material::{N, memory, small_shares, state, state_rows, triple_rows, values};
use crate::notation::{vector, word};
use crate::table::Table;
use duoram_vectors::Random;

/// Few of the words that mask something are zero: a zero would hide what happens.
const SEED: u64 = 1028;

const TARGET: u64 = 1;
const RI: u64 = 2;

/// The tables of both chapters, from one UPDATE.
pub(crate) fn pages() -> Vec<Page> {
    let example = Example::new();
    vec![
        Page::new("update-example.md", example.table()),
        Page::new("compressed-example.md", example.compressed_table()),
    ]
}

/// One UPDATE, and all that goes into it.
struct Example {
    before: State<Z4>,
    material: UpdateMaterial<Z4>,
    /// The shares of F as each primary computes them alone, and what is added to those of F^(2) and F^(3).
    local: CorrectionShares<Z4>,
    deltas: (Z4, Z4),
    index: (u64, u64),
    address: (u64, u64),
    value: (Z4, Z4),
    run: Update<Z4>,
    shift: u64,
    f: (Z4, Z4, Z4),
    w: UpdateVectors<Z4>,
}

impl Example {
    fn new() -> Self {
        let mut r = Random(SEED);
        let m = z4(3);
        let before = state(&mut r);
        let (units, values) = (r.units(N, RI), values(&mut r, RI));
        let local = local_correction_shares(&values);
        let deltas = (r.ring(), r.ring());
        let corrections = rerandomized(&local, deltas.0, deltas.1);
        let material = UpdateMaterial { units, values, corrections };
        assert!(units_point_at(&material.units, N, RI) && corrections_fit(&material, RI));
        let index = (random_index_share(&material.units.p0.0), random_index_share(&material.units.p1.0));
        let address = small_shares(&mut r, TARGET);
        let m_0: Z4 = r.ring();
        let value = (m_0, m.minus(m_0));
        let run = update(&before, &material, index, address, value);
        assert!(lemma_3(&run.state) && lemma_2(&opened(&before), &opened(&run.state), TARGET, m));
        let shift = reconstruct_shift(run.message_0.shift, run.message_1.shift, N);
        let f = reconstruct_corrections(&run.message_0, &run.message_1);
        let w = update_vectors(&material, shift, f);
        Self { before, material, local, deltas, index, address, value, run, shift, f, w }
    }

    fn table(&self) -> String {
        let (material, run) = (&self.material, &self.run);
        let mut table = Table::new(["what", "P0", "P1", "P2"]);
        state_rows(&mut table, &self.before, "");
        triple_rows(&mut table, "t", &material.units.p0, &material.units.p1);
        triple_rows(&mut table, "v", &material.values.p0, &material.values.p1);
        self.correction_rows(&mut table);
        table.row([&"$ri_b = \\sum_i i\\,t_b^{(1)}[i]$", &self.index.0, &self.index.1, &""]);
        table.row([&"$i^*_b$", &self.address.0, &self.address.1, &""]);
        table.row([&"$M_b$", &word(self.value.0), &word(self.value.1), &""]);
        let (sent_0, sent_1) = (&run.message_0, &run.message_1);
        table.row([&"line 5: sends $i^*_b - ri_b$", &sent_0.shift, &sent_1.shift, &"receives both"]);
        let mut masked = |k: u32, sent: [Z4; 2], helper: &str| {
            let what = format!("line 5: sends $M_b + F_b^{{({k})}}$");
            table.row([&what, &word(sent[0]), &word(sent[1]), &helper]);
        };
        masked(1, [sent_0.masked_dpf_1, sent_1.masked_dpf_1], "receives neither");
        masked(2, [sent_0.masked_dpf_2, sent_1.masked_dpf_2], "receives both");
        masked(3, [sent_0.masked_dpf_3, sent_1.masked_dpf_3], "receives both");
        let helper = format!("{}, {} (not the first)", word(self.f.1), word(self.f.2));
        table.row([&"line 6: $F^{(1)}, F^{(2)}, F^{(3)}$", &three(self.f), &three(self.f), &helper]);
        table.row([&"line 7: $S$", &self.shift, &self.shift, &self.shift]);
        triple_rows(&mut table, "w", &self.w.p0, &self.w.p1);
        state_rows(&mut table, &run.state, "'");
        let m = word(self.value.0.plus(self.value.1));
        let start = format!(
            "The memory is $D =$ {}; $M = {m}$ is to be added at $i^* = {TARGET}$; preprocessing has drawn $ri = {RI}$.",
            vector(&memory())
        );
        let end = format!(
            "$D_0' + D_1' =$ {}: the word at {TARGET} is larger by {m} (mod 4), the others are as before. And \
             $D_0' + \\zeta_0' =$ {}, which is what P1 holds as $\\tilde D_0'$.",
            vector(&opened(&run.state)),
            vector(&add(&run.state.p0.memory_share, &run.state.p0.blind))
        );
        format!("{start}\n\n{}", table.above(end))
    }

    fn correction_rows(&self, table: &mut Table<4>) {
        let known = format!(
            "can compute {} (P0's $F^{{(2)}}$) and {} (P1's $F^{{(3)}}$)",
            word(self.local.p0.1),
            word(self.local.p1.2)
        );
        let alone = "$F_b^{(1)}, F_b^{(2)}, F_b^{(3)}$, computed alone";
        table.row([&alone, &three(self.local.p0), &three(self.local.p1), &known]);
        let fresh = format!(
            "the same, with $\\delta_2 = {}$, $\\delta_3 = {}$",
            word(self.deltas.0),
            word(self.deltas.1)
        );
        let corrections = &self.material.corrections;
        table.row([&fresh, &three(corrections.p0), &three(corrections.p1), &""]);
    }

    fn compressed_table(&self) -> String {
        let (before, after, w) = (&self.before, &self.run.state, &self.w);
        let (c_0, c_1) = (compress(&before.p0), compress(&before.p1));
        let d_0 = compressed::updated_p0(&c_0, &w.p0.1, &w.p0.2);
        let d_1 = compressed::updated_p1(&c_1, &w.p1.1, &w.p1.2);
        assert!(d_0 == compress(&after.p0) && d_1 == compress(&after.p1));
        assert!(lemma_3_compressed(&c_0, &c_1, &before.p2) && lemma_3_compressed(&d_0, &d_1, &after.p2));
        assert_eq!(compressed::opened(&d_0, &after.p2), opened(after));
        let mut table = Table::new(["what", "P0", "P1"]);
        let mut row = |what: &str, x: &[Z4], y: &[Z4]| table.row([&what, &vector(x), &vector(y)]);
        row("before: $D_b$", &before.p0.memory_share, &before.p1.memory_share);
        row("$\\tilde D_{1-b}$", &before.p0.blinded, &before.p1.blinded);
        row("$\\zeta_b$", &before.p0.blind, &before.p1.blind);
        row("$C = D_b + \\tilde D_{1-b} + \\zeta_b$", &c_0.combined, &c_1.combined);
        row("$w_b^{(2)}$", &w.p0.1, &w.p1.1);
        row("$w_b^{(3)}$", &w.p0.2, &w.p1.2);
        row("$C' = C \\pm (w_b^{(3)} - w_b^{(2)})$, plus for P0", &d_0.combined, &d_1.combined);
        let from_the_papers = [&after.p0, &after.p1].map(|state| compress(state).combined);
        let what = "after, from the paper's state: $D_b' + \\tilde D_{1-b}' + \\zeta_b'$";
        row(what, &from_the_papers[0], &from_the_papers[1]);
        row("$\\zeta_b'$", &d_0.blind, &d_1.blind);
        table.above(format!(
            "Both primaries have the same $C$ before and the same $C'$ after. $C' - \\zeta_0' - \\zeta_1' =$ {}, the memory \
             after the UPDATE.",
            vector(&compressed::opened(&d_0, &after.p2))
        ))
    }
}

fn three(x: (Z4, Z4, Z4)) -> String {
    format!("{}, {}, {}", word(x.0), word(x.1), word(x.2))
}
