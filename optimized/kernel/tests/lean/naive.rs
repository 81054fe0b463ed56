//! The lean protocol's trees, flags and values as PROTOCOL.md, part two, has them: one AES call after the other.

use duoram_kernel::{BitKey, Correction, Key, ValueKey};
use duoram_spec::core::aes::{Aes128, encrypt, expand_key};

pub(crate) const PRG_KEY: u128 = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;

/// A generator of numbers without structure: multiplication by a constant.
pub(crate) struct Random(pub(crate) u128);

impl Random {
    pub(crate) fn block(&mut self) -> u128 {
        self.0 = self.0.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
        self.0.rotate_left(41) ^ self.0 >> 64
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.block() as u64
    }

    pub(crate) fn words(&mut self, len: usize) -> Vec<u64> {
        (0..len).map(|_| self.word()).collect()
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.block() % end as u128).unwrap()
    }

    pub(crate) fn correction(&mut self) -> Correction {
        let flags = self.block();
        Correction { word: self.block() & !1, left_flag: flags & 1 == 1, right_flag: flags & 2 == 2 }
    }
}

/// pi
pub(crate) struct Pi(Aes128);

impl Pi {
    pub(crate) fn new() -> Self {
        Self(expand_key(&PRG_KEY.to_le_bytes()))
    }

    /// `T_c(s) = pi(s' xor c) xor s' xor c`
    pub(crate) fn t(&self, c: u128, s: u128) -> u128 {
        let x = (s & !1) ^ c;
        encrypt(&self.0, x) ^ x
    }

    /// The level below some nodes.
    pub(crate) fn level(&self, nodes: &[u128], correction: &Correction) -> Vec<u128> {
        let Correction { word, left_flag, right_flag } = *correction;
        let child = |node: &u128, c: u128, flag: bool| {
            self.t(c, *node) ^ if node & 1 == 1 { word ^ u128::from(flag) } else { 0 }
        };
        nodes.iter().flat_map(|node| [child(node, 0, left_flag), child(node, 1, right_flag)]).collect()
    }

    /// `Y(s)`
    pub(crate) fn y(&self, s: u128) -> [u64; 8] {
        self.rows(s, 1).try_into().unwrap()
    }

    /// `Y(s)` for rows of w words: `T_8(s)` to `T_(7 + 4 w)(s)`.
    pub(crate) fn rows(&self, s: u128, row_words: usize) -> Vec<u64> {
        let blocks = (8..8 + 4 * row_words as u128).map(|c| self.t(c, s));
        blocks.flat_map(|block| [block as u64, (block >> 64) as u64]).collect()
    }
}

/// One side of a DPF of an UPDATE item.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) log_size: usize,
    pub(crate) root: u128,
    /// `h - kw` levels, of which the flags hang on the first `h - kf`.
    pub(crate) corrections: Vec<Correction>,
    pub(crate) cwf: u128,
    pub(crate) cww: [u64; 8],
}

impl Side {
    /// Arbitrary contents: half of the nodes have their flag set.
    pub(crate) fn random(random: &mut Random, log_size: usize) -> Self {
        let corrections = (0..log_size.max(3) - 3).map(|_| random.correction()).collect();
        let (root, cwf) = (random.block(), random.block());
        Self { log_size, root, corrections, cwf, cww: std::array::from_fn(|_| random.word()) }
    }

    pub(crate) fn bit_key(&self) -> BitKey {
        let levels = self.log_size.max(7) - 7;
        BitKey::new(self.log_size, Key::new(self.root, self.corrections[..levels].to_vec()), self.cwf)
    }

    /// That of the nodes which values hang on.
    pub(crate) fn node_key(&self) -> Key {
        Key::new(self.root, self.corrections.clone())
    }

    pub(crate) fn value_key(&self) -> ValueKey {
        ValueKey::new(self.log_size, self.node_key(), self.cww)
    }

    pub(crate) fn nodes(&self, depth: usize) -> Vec<u128> {
        let pi = Pi::new();
        self.corrections[..depth].iter().fold(vec![self.root], |nodes, c| pi.level(&nodes, c))
    }

    /// t
    pub(crate) fn flags(&self) -> Vec<bool> {
        let (pi, kf) = (Pi::new(), self.log_size.min(7));
        let block = |s: &u128| pi.t(2, *s) ^ if s & 1 == 1 { self.cwf } else { 0 };
        let blocks: Vec<u128> = self.nodes(self.log_size - kf).iter().map(block).collect();
        (0..1 << self.log_size).map(|i| blocks[i >> kf] >> (i % (1 << kf)) & 1 == 1).collect()
    }

    /// v
    pub(crate) fn values(&self) -> Vec<u64> {
        let (pi, kw) = (Pi::new(), self.log_size.min(3));
        let corrected = |s: &u128| {
            let y = pi.y(*s);
            std::array::from_fn(|j| y[j] ^ if s & 1 == 1 { self.cww[j] } else { 0 })
        };
        let lines: Vec<[u64; 8]> = self.nodes(self.log_size - kw).iter().map(corrected).collect();
        (0..1 << self.log_size).map(|i| lines[i >> kw][i % (1 << kw)]).collect()
    }
}
