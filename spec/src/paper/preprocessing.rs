//! Preprocessing: from the two primaries' randomness and P2's triples to the material of one operation
//! `[duoram, section 4.1; Protocols 1 and 2, lines 1 to 4]`.

use crate::core::block::Block;
use crate::core::dealer::final_correction_share;
use crate::core::distributed_gen::{Generation, Input, distributed_generation};
use crate::core::dpf::{Key, address_bits, value_words};
use crate::core::du_atallah::{AndTriple, ProductTriple};
use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::paper::conversion::{Conversion, conversion, random_index_share, unit_share};
use crate::paper::read::UnitVectors;
use crate::paper::update::{CorrectionShares, UpdateMaterial, ValueVectors, rerandomized};

/// What one primary draws for one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrimaryRandomness<W> {
    /// Its XOR share of ri; the lowest h bits are used. Not its additive share, [`random_index_shares`] (`ERRATA.md`, 10).
    pub random_index_xor: u64,
    /// Roots of DPF 1, 2, 3; the flag bit is overwritten.
    pub roots: (Block, Block, Block),
    /// Blinds `r_b` of App. D, for DPF 1, 2, 3.
    pub blinds: (W, W, W),
}

/// P2's triples for one DPF: an AND triple a level, and a multiplication triple, for both primaries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DpfTriples<W> {
    /// P0's AND triples; each `x` is a replicated bit.
    pub and_0: Vec<AndTriple>,
    /// P1's AND triples
    pub and_1: Vec<AndTriple>,
    /// P0's multiplication triple
    pub product_0: ProductTriple<W>,
    /// P1's multiplication triple
    pub product_1: ProductTriple<W>,
}

/// One DPF after App. C and App. D, with every message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dpf<W> {
    /// App. C
    pub generation: Generation,
    /// App. D
    pub conversion: Conversion<W>,
}

/// What a primary gives P2 for one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperKey<W> {
    /// Its key.
    pub key: Key,
    /// The conversion factor A.
    pub factor: W,
}

/// The three DPFs of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item<W> {
    /// DPF 1: P2 knows neither of its keys.
    pub dpf_1: Dpf<W>,
    /// DPF 2: P2 gets P0's key.
    pub dpf_2: Dpf<W>,
    /// DPF 3: P2 gets P1's key.
    pub dpf_3: Dpf<W>,
}

/// App. C and then App. D for one DPF.
pub fn prepare_dpf<W: Ring, P: Prg>(
    prg: &P,
    target_bits: (&[bool], &[bool]),
    roots: (Block, Block),
    blinds: (W, W),
    triples: &DpfTriples<W>,
) -> Dpf<W> {
    let (bits_0, bits_1) = target_bits;
    let (root_0, root_1) = roots;
    let (blind_0, blind_1) = blinds;
    let generation = distributed_generation(
        prg,
        &Input { target_bits: bits_0.to_vec(), root: root_0, triples: triples.and_0.clone() },
        &Input { target_bits: bits_1.to_vec(), root: root_1, triples: triples.and_1.clone() },
    );
    let conversion = conversion(
        &crate::paper::conversion::Input {
            labels: generation.labels_0.clone(),
            blind: blind_0,
            triple: triples.product_0,
        },
        &crate::paper::conversion::Input {
            labels: generation.labels_1.clone(),
            blind: blind_1,
            triple: triples.product_1,
        },
    );
    Dpf { generation, conversion }
}

/// Lines 1 to 4 of both protocols: three DPFs with one target, ri mod n, the XOR of both `random_index_xor`.
pub fn prepare<W: Ring, P: Prg>(
    prg: &P,
    log_size: usize,
    p0: &PrimaryRandomness<W>,
    p1: &PrimaryRandomness<W>,
    triples: (&DpfTriples<W>, &DpfTriples<W>, &DpfTriples<W>),
) -> Item<W> {
    let bits_0 = address_bits(p0.random_index_xor, log_size);
    let bits_1 = address_bits(p1.random_index_xor, log_size);
    let (triples_dpf_1, triples_dpf_2, triples_dpf_3) = triples;
    let (root_0_dpf_1, root_0_dpf_2, root_0_dpf_3) = p0.roots;
    let (root_1_dpf_1, root_1_dpf_2, root_1_dpf_3) = p1.roots;
    let (blind_0_dpf_1, blind_0_dpf_2, blind_0_dpf_3) = p0.blinds;
    let (blind_1_dpf_1, blind_1_dpf_2, blind_1_dpf_3) = p1.blinds;
    let bits = (bits_0.as_slice(), bits_1.as_slice());
    Item {
        dpf_1: prepare_dpf(
            prg,
            bits,
            (root_0_dpf_1, root_1_dpf_1),
            (blind_0_dpf_1, blind_1_dpf_1),
            triples_dpf_1,
        ),
        dpf_2: prepare_dpf(
            prg,
            bits,
            (root_0_dpf_2, root_1_dpf_2),
            (blind_0_dpf_2, blind_1_dpf_2),
            triples_dpf_2,
        ),
        dpf_3: prepare_dpf(
            prg,
            bits,
            (root_0_dpf_3, root_1_dpf_3),
            (blind_0_dpf_3, blind_1_dpf_3),
            triples_dpf_3,
        ),
    }
}

/// P0's share of the unit vector of one DPF.
pub fn unit_share_0<W: Ring>(dpf: &Dpf<W>) -> Vec<W> {
    unit_share(Primary::P0, &dpf.generation.labels_0, dpf.conversion.factor)
}

/// P1's share of the unit vector of one DPF.
pub fn unit_share_1<W: Ring>(dpf: &Dpf<W>) -> Vec<W> {
    unit_share(Primary::P1, &dpf.generation.labels_1, dpf.conversion.factor)
}

/// t, for all three DPFs.
pub fn unit_vectors<W: Ring>(item: &Item<W>) -> UnitVectors<W> {
    UnitVectors {
        p0: (unit_share_0(&item.dpf_1), unit_share_0(&item.dpf_2), unit_share_0(&item.dpf_3)),
        p1: (unit_share_1(&item.dpf_1), unit_share_1(&item.dpf_2), unit_share_1(&item.dpf_3)),
    }
}

/// `(ri_0, ri_1)`, from DPF 1.
pub fn random_index_shares<W: Ring>(item: &Item<W>) -> (u64, u64) {
    (random_index_share(&unit_share_0(&item.dpf_1)), random_index_share(&unit_share_1(&item.dpf_1)))
}

/// P0's signed value words of one DPF.
pub fn value_words_0<W: Ring>(dpf: &Dpf<W>) -> Vec<W> {
    value_words(Primary::P0, &dpf.generation.labels_0)
}

/// P1's signed value words of one DPF.
pub fn value_words_1<W: Ring>(dpf: &Dpf<W>) -> Vec<W> {
    value_words(Primary::P1, &dpf.generation.labels_1)
}

/// v, for all three DPFs.
pub fn value_vectors<W: Ring>(item: &Item<W>) -> ValueVectors<W> {
    ValueVectors {
        p0: (value_words_0(&item.dpf_1), value_words_0(&item.dpf_2), value_words_0(&item.dpf_3)),
        p1: (value_words_1(&item.dpf_1), value_words_1(&item.dpf_2), value_words_1(&item.dpf_3)),
    }
}

/// `F_b^(k) = - sum_i v_b^(k)[i]`, as each primary computes it alone.
pub fn local_correction_shares<W: Ring>(values: &ValueVectors<W>) -> CorrectionShares<W> {
    let (v_0_dpf_1, v_0_dpf_2, v_0_dpf_3) = &values.p0;
    let (v_1_dpf_1, v_1_dpf_2, v_1_dpf_3) = &values.p1;
    CorrectionShares {
        p0: (
            final_correction_share(v_0_dpf_1),
            final_correction_share(v_0_dpf_2),
            final_correction_share(v_0_dpf_3),
        ),
        p1: (
            final_correction_share(v_1_dpf_1),
            final_correction_share(v_1_dpf_2),
            final_correction_share(v_1_dpf_3),
        ),
    }
}

/// All that an UPDATE needs; `delta_dpf_2` and `delta_dpf_3` are P0's, sent to P1.
pub fn update_material<W: Ring>(item: &Item<W>, delta_dpf_2: W, delta_dpf_3: W) -> UpdateMaterial<W> {
    let values = value_vectors(item);
    let corrections = rerandomized(&local_correction_shares(&values), delta_dpf_2, delta_dpf_3);
    UpdateMaterial { units: unit_vectors(item), values, corrections }
}
