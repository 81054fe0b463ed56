//! What READ and UPDATE begin with: the form, three states, one prepared item, an address in two shares.

use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::core::share::additive_shares;
use duoram_spec::core::vector::add;
use duoram_spec::paper::memory::{State, opened, shared};
use duoram_spec::paper::preprocessing::{Item, prepare, random_index_shares};
use duoram_spec::paper::read::UnitVectors;
use serde::Serialize;

use crate::board::{Board, Holder, Moved, NOBODY, Step};
use crate::inputs::{BadInput, Inputs};
use crate::z16::Z16;
use Holder::{P0, P1, P2, Reader};
use duoram_vectors::Random;

/// All steps of an operation, with the size that they are about.
#[derive(Serialize)]
pub(crate) struct Shown {
    pub(crate) n: usize,
    pub(crate) modulus: u64,
    pub(crate) steps: Vec<Step>,
}

/// The ring that goes with a size: words mod 4 for 4 addresses as in the chapter's table, mod 16 for 8.
pub(crate) enum Memory {
    Four,
    Eight,
}

impl Memory {
    pub(crate) fn of(inputs: &Inputs) -> Result<Memory, BadInput> {
        Ok(if inputs.one_of("memory", &[4, 8])? == 4 { Memory::Four } else { Memory::Eight })
    }
    pub(crate) fn n(&self) -> usize {
        match self {
            Memory::Four => 4,
            Memory::Eight => 8,
        }
    }
    pub(crate) fn modulus(&self) -> u64 {
        match self {
            Memory::Four => 4,
            Memory::Eight => 16,
        }
    }
    /// Runs an operation over the ring of this memory.
    pub(crate) fn run(&self, operation: &impl Operation) -> Shown {
        let steps = match self {
            Memory::Four => operation.steps::<Z4>(self.n()),
            Memory::Eight => operation.steps::<Z16>(self.n()),
        };
        Shown { n: self.n(), modulus: self.modulus(), steps }
    }
}

/// READ or UPDATE, over any ring.
pub(crate) trait Operation {
    fn steps<W: Ring>(&self, n: usize) -> Vec<Step>;
}

/// What the parties hold when the operation begins.
pub(crate) struct Start<W> {
    pub(crate) random: Random,
    pub(crate) state: State<W>,
    pub(crate) item: Item<W>,
    pub(crate) random_index_shares: (u64, u64),
    pub(crate) address_shares: (u64, u64),
}

/// Draws everything from the seed, in this order: the session's key, `D_0`, `D_1`, the blinds, the material, `i*_0`.
pub(crate) fn start<W: Ring>(seed: u64, n: usize, address: u64) -> Start<W> {
    let mut random = Random(seed);
    let prg = random.prg();
    let state: State<W> = shared(&random.vector(n), &random.vector(n), &random.vector(n), &random.vector(n));
    let log_size = n.trailing_zeros() as usize;
    let (p0, p1) = (random.primary(), random.primary());
    let triples = (random.dpf_triples(log_size), random.dpf_triples(log_size), random.dpf_triples(log_size));
    let item = prepare(&prg, log_size, &p0, &p1, (&triples.0, &triples.1, &triples.2));
    let address_shares = additive_shares(address, random.word());
    Start { random_index_shares: random_index_shares(&item), random, state, item, address_shares }
}

/// Lays the states, the address and the shares of ri on the table.
pub(crate) fn lay_start<W: Ring>(board: &mut Board, start: &Start<W>, address: u64) {
    let State { p0, p1, p2 } = &start.state;
    let n = p0.memory_share.len() as u64;
    let ((i_0, i_1), (ri_0, ri_1)) = (start.address_shares, start.random_index_shares);
    board.vector(P0, "D_0", &p0.memory_share, &[P0]);
    board.vector(P0, "zeta_0", &p0.blind, &[P0, P2]);
    board.vector(P0, "D~_1", &p0.blinded, &[P0, P1]);
    board.vector(P1, "D_1", &p1.memory_share, &[P1]);
    board.vector(P1, "zeta_1", &p1.blind, &[P1, P2]);
    board.vector(P1, "D~_0", &p1.blinded, &[P0, P1]);
    board.vector(P2, "zeta_0", &p2.blind_0, &[P0, P2]);
    board.vector(P2, "zeta_1", &p2.blind_1, &[P1, P2]);
    // Shares of addresses are 64-bit words; taken mod n they are shares mod n, and can be read.
    board.scalar(P0, "i*_0", i_0 % n, &[P0]);
    board.scalar(P0, "ri_0", ri_0, &[P0]);
    board.scalar(P1, "i*_1", i_1 % n, &[P1]);
    board.scalar(P1, "ri_1", ri_1, &[P1]);
    board.vector(Reader, "D", &opened(&start.state), NOBODY);
    board.scalar(Reader, "i*", address, NOBODY);
    board.scalar(Reader, "ri", (ri_0 + ri_1) % n, NOBODY);
}

/// The cards that three pairs of vectors lie on, and each vector's name but for its symbol. P2 has P0's second and P1's third.
const TRIPLE: [(Holder, &str, &[Holder]); 8] = [
    (P0, "0^(1)", &[P0]),
    (P0, "0^(2)", &[P0, P2]),
    (P0, "0^(3)", &[P0]),
    (P1, "1^(1)", &[P1]),
    (P1, "1^(2)", &[P1]),
    (P1, "1^(3)", &[P1, P2]),
    (P2, "0^(2)", &[P0, P2]),
    (P2, "1^(3)", &[P1, P2]),
];

/// Lays three pairs of vectors on the cards of some parties: `t`, `v` or `w`.
pub(crate) fn lay_triple<W: Ring>(
    board: &mut Board,
    symbol: &str,
    vectors: &UnitVectors<W>,
    holders: &[Holder],
    moved: Option<Moved>,
) {
    let (p0, p1) = (&vectors.p0, &vectors.p1);
    let words = [&p0.0, &p0.1, &p0.2, &p1.0, &p1.1, &p1.2, &p0.1, &p1.2];
    for ((holder, name, known), words) in TRIPLE.iter().zip(words) {
        if holders.contains(holder) {
            board.moved_vector(*holder, &format!("{symbol}_{name}"), words, known, moved);
        }
    }
}

/// A party has used its vectors up.
pub(crate) fn remove_triple(board: &mut Board, symbol: &str, holder: Holder) {
    for (_, name, _) in TRIPLE.iter().filter(|(of, ..)| *of == holder) {
        board.remove(holder, &format!("{symbol}_{name}"));
    }
}

/// The name of a sum of two shares, that of DPF k.
fn sum_name(symbol: &str, k: usize) -> String {
    format!("{symbol}_0^({k}) + {symbol}_1^({k})")
}

/// What three pairs of vectors add up to, which nobody but the reader sees.
pub(crate) fn lay_sums<W: Ring>(
    board: &mut Board,
    symbol: &str,
    vectors: &UnitVectors<W>,
    moved: Option<Moved>,
) {
    let (p0, p1) = (&vectors.p0, &vectors.p1);
    for (k, (share_0, share_1)) in (1..).zip([(&p0.0, &p1.0), (&p0.1, &p1.1), (&p0.2, &p1.2)]) {
        board.moved_vector(Reader, &sum_name(symbol, k), &add(share_0, share_1), NOBODY, moved);
    }
}

/// Takes these sums off the table.
pub(crate) fn remove_sums(board: &mut Board, symbol: &str) {
    for k in 1..=3 {
        board.remove(Reader, &sum_name(symbol, k));
    }
}
