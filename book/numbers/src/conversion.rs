//! Chapter 7: from flags to additive shares of the unit vector, and of the index.

use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::{address_bits, conversion_words, eval_full, leaf_flags, signed_flags};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{add, mod_size, scale, unit_vector};
use duoram_spec::paper::conversion::{
    Conversion, conversion_correction_share, random_index_share, sign_share, unit_share,
};
use duoram_spec::paper::preprocessing::{
    DpfTriples, prepare, prepare_dpf, random_index_shares, unit_vectors,
};
use duoram_spec::paper::read::shift_share;

use crate::files::Page;
use crate::notation::{bits, vector, word};
use crate::table::Table;
use duoram_vectors::Random;

const PRIMARIES: [Primary; 2] = [Primary::P0, Primary::P1];

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    let example = (1..1000).map(Example::new).find(Example::is_telling).expect("one in a few is");
    vec![
        Page::new("conversion-sign.md", conversion_sign()),
        Page::new("conversion-example.md", example.table()),
        Page::new("index-shares.md", index_shares_example()),
        Page::new("index-dpf-leak.md", index_leak()),
    ]
}

fn conversion_sign() -> String {
    let (cases, log_size) = (1000, 3);
    let mut r = Random(1);
    let (mut plus, mut minus) = (0, 0);
    for _ in 0..cases {
        let prg = r.prg();
        let (key_0, key_1) = generate(&prg, r.below(1 << log_size), log_size, r.block(), r.block());
        let share = |party, key| sign_share::<u64>(party, &eval_full(&prg, key));
        match share(Primary::P0, &key_0).plus(share(Primary::P1, &key_1)) {
            1 => plus += 1,
            u64::MAX => minus += 1,
            other => panic!("pm is +1 or -1, not {other}"),
        }
    }
    assert!((cases / 3..2 * cases / 3).contains(&plus), "half of the time, about");
    let mut table = Table::new(["$pm$", "DPFs"]);
    table.row([&"$+1$", &plus]);
    table.row([&"$-1$", &minus]);
    table.under(format!("{cases} DPFs of depth {log_size} with random targets:"))
}

/// One conversion mod 4.
struct Example {
    ri: u64,
    labels: [Vec<u128>; 2],
    blinds: [Z4; 2],
    triples: DpfTriples<Z4>,
    outcome: Conversion<Z4>,
}

impl Example {
    fn new(seed: u64) -> Self {
        let mut r = Random(seed);
        let (prg, log_size, ri) = (r.prg(), 2, r.below(4));
        let share = r.below(4);
        let (bits_0, bits_1) = (address_bits(share, log_size), address_bits(ri ^ share, log_size));
        let (roots, blinds) = ((r.block(), r.block()), [r.ring(), r.ring()]);
        let triples = r.dpf_triples(log_size);
        let dpf = prepare_dpf(&prg, (&bits_0, &bits_1), roots, (blinds[0], blinds[1]), &triples);
        let labels = [dpf.generation.labels_0, dpf.generation.labels_1];
        Self { ri, labels, blinds, triples, outcome: dpf.conversion }
    }

    /// The signed sum over both parties.
    fn sum(&self, share: impl Fn(Primary, &[u128]) -> Z4) -> Z4 {
        share(Primary::P0, &self.labels[0]).plus(share(Primary::P1, &self.labels[1]))
    }

    /// The sign matters, and neither the factor nor an opened number is zero.
    fn is_telling(&self) -> bool {
        let opened = [self.outcome.opened_sign, self.outcome.opened_correction, self.outcome.factor];
        self.sum(sign_share) == z4(3) && opened.iter().all(|word| *word != Z4::zero())
    }

    fn table(&self) -> String {
        let n = self.labels[0].len();
        let target = usize::try_from(self.ri).expect("below 4");
        let unit: Vec<Z4> = unit_vector(n, target);
        let each = |of: &dyn Fn(Primary, &[u128]) -> Vec<Z4>| {
            [0, 1].map(|b: usize| of(PRIMARIES[b], &self.labels[b]))
        };
        let each_word =
            |of: &dyn Fn(Primary, &[u128]) -> Z4| [0, 1].map(|b: usize| of(PRIMARIES[b], &self.labels[b]));
        let (pm, f) = (self.sum(sign_share), self.sum(conversion_correction_share));
        let outcome = &self.outcome;
        let products = [self.triples.product_0, self.triples.product_1];
        let operands = [outcome.operands_0, outcome.operands_1];
        let flags = self.labels.each_ref().map(|labels| leaf_flags(labels));
        let signed = each(&|party, labels| signed_flags(party, labels));
        let words = each(&|party, labels| conversion_words(party, labels));
        let units = each(&|party, labels| unit_share(party, labels, outcome.factor));
        assert_eq!(add(&signed[0], &signed[1]), scale(pm, &unit), "the sign is all that is wrong");
        assert_eq!(add(&words[0], &words[1]), scale(f.negated(), &unit));
        assert_eq!(add(&units[0], &units[1]), unit);
        assert_eq!(outcome.factor, Z4::one().minus(f).times(pm));
        assert!(outcome.factor == z4(2) && units == words, "an accident that the reader is told of");

        let mut table = Table::new(["what", "$P_0$", "$P_1$", "together"]);
        let differ: Vec<bool> =
            flags[0].iter().zip(&flags[1]).map(|(flag_0, flag_1)| flag_0 ^ flag_1).collect();
        table.row([&"flags", &bits(&flags[0]), &bits(&flags[1]), &format!("XOR {}", bits(&differ))]);
        let mut vectors = |what: &str, of: &[Vec<Z4>; 2], means: &str| {
            let sum = format!("{}{means}", vector(&add(&of[0], &of[1])));
            table.row([&what, &vector(&of[0]), &vector(&of[1]), &sum]);
        };
        vectors("signed flags $\\hat t_b$", &signed, ", $pm \\cdot e_{ri}$");
        vectors("signed conversion words $c_b$", &words, ", $-F \\cdot e_{ri}$");
        let mut shares = |what: &str, of: [Z4; 2], means: &str| {
            let sum =
                if means.is_empty() { String::new() } else { format!("{means}{}$", word(of[0].plus(of[1]))) };
            table.row([&what, &word(of[0]), &word(of[1]), &sum]);
        };
        shares("$pm_b$", each_word(&sign_share), "$pm = -1 = ");
        shares("$F_b$", each_word(&conversion_correction_share), "$F = ");
        shares("blind $r_b$", self.blinds, "$r = ");
        shares("triple: $X_b$", products.map(|triple| triple.x), "");
        shares("triple: $Y_b$", products.map(|triple| triple.y), "");
        shares("triple: $Z_b$", products.map(|triple| triple.z), "");
        shares("sends $pm_b + r_b$", operands.map(|sent| sent.blinded_sign), "$pm + r = ");
        shares("sends $F_b + X_b$", operands.map(|sent| sent.masked_correction), "");
        shares("sends $pm_b + Y_b$", operands.map(|sent| sent.masked_sign), "");
        shares("sends $F'_b$", [outcome.opening_0, outcome.opening_1], "$F' = ");
        let factor = format!("$A = (pm + r) - F' = {}$", word(outcome.factor));
        table.row([&"conversion factor", &word(outcome.factor), &word(outcome.factor), &factor]);
        let what = "$t_b = A \\hat t_b - c_b$";
        let sum = format!("{}, $e_{{ri}}$", vector(&unit));
        table.row([&what, &vector(&units[0]), &vector(&units[1]), &sum]);
        let accident = "That $t_b$ equals $c_b$ is an accident of so small a ring: the lowest bit of $c_b[i]$ is the flag, so \
                        that $2\\,\\hat t_b = 2\\,c_b$ mod 4, and $A = 2$.";
        let start = format!("$n = {n}$, $ri = {}$; vectors have a word for each leaf:", self.ri);
        format!("{start}\n\n{}", table.above(accident))
    }
}

fn index_shares_example() -> String {
    let mut r = Random(2);
    let (prg, log_size) = (r.prg(), 3);
    let n = 1_usize << log_size;
    let (p0, p1) = (r.primary::<u64>(), r.primary());
    let triples = [r.dpf_triples(log_size), r.dpf_triples(log_size), r.dpf_triples(log_size)];
    let item = prepare(&prg, log_size, &p0, &p1, (&triples[0], &triples[1], &triples[2]));
    let xor = [p0.random_index_xor, p1.random_index_xor].map(|index| mod_size(index, n));
    let ri = xor[0] ^ xor[1];
    let units = unit_vectors(&item);
    let (ri_0, ri_1) = random_index_shares(&item);
    assert_eq!(mod_size(ri_0.plus(ri_1), n), ri);
    assert_eq!(
        (random_index_share(&units.p0.0), random_index_share(&units.p1.0)),
        (ri_0, ri_1),
        "they are made from DPF 1"
    );
    let mut table = Table::new(["what", "$P_0$", "$P_1$", "together"]);
    table.row([&"XOR share of $ri$", &xor[0], &xor[1], &format!("XOR: {ri}")]);
    for (i, (t_0, t_1)) in units.p0.0.iter().zip(&units.p1.0).enumerate() {
        let sum = t_0.plus(*t_1);
        assert_eq!(sum, u64::from(i as u64 == ri));
        table.row([&format!("$t_b[{i}]$ of DPF 1"), t_0, t_1, &format!("sum: {sum}")]);
    }
    let what = format!("$ri_b$, the sum of $i\\,t_b[i]$ mod {n}");
    table.row([&what, &ri_0, &ri_1, &format!("sum mod {n}: {ri}")]);
    table.under(format!("$n = {n}$, words of 64 bits:"))
}

fn index_leak() -> String {
    let (cases, log_size, n) = (400, 6, 64);
    let mut r = Random(3);
    let (mut from_dpf_2, mut from_dpf_1) = (0, 0);
    for _ in 0..cases {
        let prg = r.prg();
        let (item, _) = r.item::<u64>(&prg, log_size);
        let units = unit_vectors(&item);
        let i_0 = r.below(64);
        // P2 can compute P0's vector of DPF 2, and so what the index share would be if it were made from it.
        let guess = random_index_share(&units.p0.1);
        let recovers =
            |random_index_share| mod_size(shift_share(i_0, random_index_share, n).plus(guess), n) == i_0;
        from_dpf_2 += u32::from(recovers(random_index_share(&units.p0.1)));
        from_dpf_1 += u32::from(recovers(random_index_shares(&item).0));
    }
    assert_eq!(from_dpf_2, cases);
    assert!(from_dpf_1 < cases / 16, "no more often than by chance, one in 64");
    let mut table = Table::new(["$ri_0$ is made from", "$P_2$ recovers $i^*_0$"]);
    table.row([&"DPF 2", &format!("{from_dpf_2} times, always")]);
    table.row([&"DPF 1", &format!("{from_dpf_1} times, by chance: one of {n} values")]);
    table.under(format!("{cases} cases, $n = {n}$:"))
}
