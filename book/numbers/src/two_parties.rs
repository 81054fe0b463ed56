//! Chapter 12: one READ of two parties mod 4, the masks of its table, and a unit vector by the inverse of a sum.

use duoram_spec::core::block::Block;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::{address_bits, conversion_words, eval_full};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::mod_size;
use duoram_spec::two_party::conversion::{inverse, random_index_share, sum_share, unit_share};
use duoram_spec::two_party::lemmas::{lemma_4, sum_converts};
use duoram_spec::two_party::masks::{AesPrf, Prf, aes_prf, mask, masked_table, unmasked, word_keys};
use duoram_spec::two_party::read::{blinded_rotation, read};

use crate::files::Page;
use crate::material::{N, memory, small_shares};
use crate::notation::{bit, bits, vector, word};
use crate::table::Table;
use duoram_vectors::Random;

/// Few of the words that mask something are zero: a zero would hide what happens.
const SEED: u64 = 152;

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    let converted = (1..1000).map(Converted::new).find(Converted::is_telling).expect("one in a few is");
    vec![
        Page::new("two-party-example.md", example()),
        Page::new("two-party-masks.md", masks_example()),
        Page::new("two-party-unit.md", converted.table()),
    ]
}

fn example() -> String {
    let mut r = Random(SEED);
    let target = 2;
    let (d_0, d_1) = r.vector_shares(&memory());
    let address = small_shares(&mut r, target);
    let queries = (r.below(N as u64), r.below(N as u64));
    let blinds: (Z4, Z4) = (r.ring(), r.ring());
    assert!(lemma_4((&d_0, &d_1), address, queries, blinds));
    let (read_0, read_1) = read((&d_0, &d_1), address, queries, blinds);
    let shifts = [(address.0, queries.0), (address.1, queries.1)]
        .map(|(address, query)| mod_size(address.wrapping_sub(query), N));
    let rotated_0 = blinded_rotation(&d_0, address.0, shifts[1], blinds.0);
    let rotated_1 = blinded_rotation(&d_1, address.1, shifts[0], blinds.1);
    let mut table = Table::new(["what", "P0", "P1"]);
    table.row([&"$D_b$", &vector(&d_0), &vector(&d_1)]);
    table.row([&"$i^*_b$", &address.0, &address.1]);
    table.row([&"$q_b$, asked for in the prepared query", &queries.0, &queries.1]);
    table.row([&"$r_b$", &word(blinds.0), &word(blinds.1)]);
    table.row([&"step 1: sends $i^*_b - q_b$", &shifts[0], &shifts[1]]);
    table.row([&"step 2: $D_b'$", &vector(&rotated_0), &vector(&rotated_1)]);
    let answers = [read_0.plus(blinds.0), read_1.plus(blinds.1)].map(word);
    table.row([&"step 3: $c_b$, word $q_b$ of the other's vector", &answers[0], &answers[1]]);
    table.row([&"step 4: $\\mathrm{read}_b = c_b - r_b$", &word(read_0), &word(read_1)]);
    let start = format!("The memory is $D =$ {}, the address $i^* = {target}$.", vector(&memory()));
    let end = format!(
        "$\\mathrm{{read}}_0 + \\mathrm{{read}}_1 = {} + {} = {} \\pmod 4$, and that is $D[{target}]$.",
        word(read_0),
        word(read_1),
        word(read_0.plus(read_1))
    );
    format!("{start}\n\n{}", table.above(end))
}

/// What each of h levels adds to the mask of word x.
fn parts(prf: &AesPrf, pairs: &[(Block, Block)], x: u64) -> Vec<Z4> {
    word_keys(pairs, x).iter().map(|key| Z4::value_word(prf.value(*key, x.into()))).collect()
}

fn masks_example() -> String {
    let (prf, table, index) = (aes_prf(), [z4(1), z4(2), z4(0), z4(1)], 2);
    let pairs_of = |seed: u64| {
        let mut r = Random(seed);
        vec![(r.block(), r.block()), (r.block(), r.block())]
    };
    let is_telling = |pairs: &Vec<(Block, Block)>| {
        (0..N as u64).all(|x| mask::<Z4, _>(&prf, &word_keys(pairs, x), x) != Z4::zero())
    };
    let pairs = (1..1000).map(pairs_of).find(is_telling).expect("one in a few is");
    let masked = masked_table(&prf, &pairs, &table);
    let mut rows = Table::new(["$x$", "word", "keys", "their parts", "mask", "masked", "P0 has"]);
    for (x, (of_table, of_masked)) in (0..N as u64).zip(table.iter().zip(&masked)) {
        let digits = address_bits(x, 2);
        let keys = format!("$K_0^{}, K_1^{}$", bit(digits[0]), bit(digits[1]));
        let [first, second] = parts(&prf, &pairs, x)[..] else { unreachable!("two levels") };
        let chosen = address_bits(index, 2);
        let missing: Vec<String> = (0..2)
            .filter(|&level| digits[level] != chosen[level])
            .map(|level| format!("$K_{level}^{}$", bit(digits[level])))
            .collect();
        let has = if missing.is_empty() {
            let opened = unmasked(&prf, &word_keys(&pairs, index), x, *of_masked);
            assert_eq!(opened, *of_table);
            format!("both: {} - {} = {}", word(*of_masked), word(of_masked.minus(opened)), word(opened))
        } else {
            format!("not {}", missing.join(", "))
        };
        let sum: Z4 = mask(&prf, &word_keys(&pairs, x), x);
        rows.row([
            &x,
            &word(*of_table),
            &keys,
            &format!("{}, {}", word(first), word(second)),
            &word(sum),
            &word(*of_masked),
            &has,
        ]);
    }
    rows.under(format!("P0 asks for $q_0 = {index}$, bits {}:", bits(&address_bits(index, 2))))
}

/// Leaves of a DPF, and their unit vector mod 4.
struct Converted {
    ri: u64,
    leaves: [Vec<Block>; 2],
}

const PRIMARIES: [Primary; 2] = [Primary::P0, Primary::P1];

impl Converted {
    fn new(seed: u64) -> Self {
        let mut r = Random(seed);
        let (prg, ri) = (r.prg(), r.below(N as u64));
        let (key_0, key_1) = generate(&prg, ri, 2, r.block(), r.block());
        Self { ri, leaves: [eval_full(&prg, &key_0), eval_full(&prg, &key_1)] }
    }

    /// Each party's of what it computes from its leaves.
    fn of<T>(&self, compute: impl Fn(Primary, &[Block]) -> T) -> [T; 2] {
        [compute(PRIMARIES[0], &self.leaves[0]), compute(PRIMARIES[1], &self.leaves[1])]
    }

    fn z(&self) -> Z4 {
        let [w_0, w_1] = self.of(sum_share::<Z4>);
        w_0.plus(w_1)
    }

    /// An inverse other than 1, and few zeros.
    fn is_telling(&self) -> bool {
        let [words, _] = self.of(conversion_words::<Z4>);
        self.z() == z4(3) && words.iter().all(|word| *word != Z4::zero())
    }

    fn table(&self) -> String {
        let [leaves_0, leaves_1] = &self.leaves;
        assert!(sum_converts::<Z4>(leaves_0, leaves_1, self.ri));
        let z = self.z();
        let words = self.of(conversion_words::<Z4>);
        let sums = self.of(sum_share::<Z4>);
        let units = self.of(|party, labels| unit_share(party, labels, z));
        let indices = units.each_ref().map(|unit| random_index_share(unit));
        let mut table = Table::new(["what", "P0", "P1"]);
        table.row([&"signed conversion words", &vector(&words[0]), &vector(&words[1])]);
        table.row([&"$w_b$, their sum, sent", &word(sums[0]), &word(sums[1])]);
        let z_and_inverse = format!("{}, {}", word(z), word(inverse(z)));
        table.row([&"$z = w_0 + w_1$, and $z^{-1}$", &z_and_inverse, &z_and_inverse]);
        table.row([&"$e_b$, the words times $z^{-1}$", &vector(&units[0]), &vector(&units[1])]);
        table.row([&"$ri_b = \\sum_x x\\,e_b[x]$", &indices[0], &indices[1]]);
        let end = format!(
            "The $e_b$ add up to a 1 at {} and zeros elsewhere, the $ri_b$ to {} mod 4.",
            self.ri, self.ri
        );
        format!("A DPF of four leaves, mod 4, with $ri = {}$:\n\n{}", self.ri, table.above(end))
    }
}
