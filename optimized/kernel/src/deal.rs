//! Keys by a dealer who knows the target `[bgi16]`: for users without a protocol that makes keys.
//!
//! The dealer's randomness is its two roots. They must be uniform, secret, and fresh for each pair of keys.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::evaluate::BIT_TWEAK;
use crate::key::BIT_LEVELS;
use crate::lanes::{Lanes, Nothing, Row, Work};
use crate::layer::Output;
use crate::prg::Prg;
use crate::{BitKey, Block, Correction, Kernels, Key, Party, WordKey};

/// A target that is not below `2^log_size`, or a size that no tree of the kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideDomain {
    /// The target.
    pub target: u64,
    /// h
    pub log_size: usize,
}

impl fmt::Display for OutsideDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, log_size } = self;
        write!(
            f,
            "expected a target below 2^h and h from 1 to 63 (for bits, from 0), got {target} and h = {log_size}"
        )
    }
}

impl core::error::Error for OutsideDomain {}

impl Kernels<'_> {
    /// Keys whose leaves are labels: equal but at the target, where the flags differ. Of the roots, 127 bits are used.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let roots = [0x5eed_0000_0000_0000_0000_0000_0000_0001, 0x5eed_0000_0000_0000_0000_0000_0000_0002]; // from a CSPRNG
    /// let [key_0, key_1] = Kernels::detect(17).deal(3, 10, roots).unwrap();
    /// assert_eq!(key_0.log_size(), 10);
    /// assert_eq!(key_0.corrections(), key_1.corrections());
    /// ```
    ///
    /// # Errors
    /// If the target is not below `2^log_size`, or `log_size` is not from 1 to 63.
    pub fn deal(&self, target: u64, log_size: usize, roots: [Block; 2]) -> Result<[Key; 2], OutsideDomain> {
        Self::domain(target, log_size, 1)?;
        Ok(self.keys(target, log_size, roots).0)
    }

    /// Keys whose leaves are words: additive shares of `value` at the target.
    ///
    /// # Errors
    /// If the target is not below `2^log_size`, or `log_size` is not from 1 to 63.
    pub fn deal_words(
        &self,
        target: u64,
        log_size: usize,
        value: u64,
        roots: [Block; 2],
    ) -> Result<[WordKey; 2], OutsideDomain> {
        Self::domain(target, log_size, 1)?;
        let ([key_0, key_1], leaves) = self.keys(target, log_size, roots);
        let [word_0, word_1] = [0, 1].map(|party: usize| (leaves[party] >> 64) as u64);
        let difference = value.wrapping_sub(word_0).wrapping_add(word_1);
        // `s_b` of the party whose flag is set: -1 if it is P1's.
        let negative = (leaves[1] as u64 & 1).wrapping_neg();
        let correction = (difference ^ negative).wrapping_sub(negative);
        Ok([WordKey::new(Party::P0, key_0, correction), WordKey::new(Party::P1, key_1, correction)])
    }

    /// Keys whose leaves are bits: XOR shares of 1 at the target.
    ///
    /// # Errors
    /// If the target is not below `2^log_size`, or `log_size` is above 63.
    pub fn deal_bits(
        &self,
        target: u64,
        log_size: usize,
        roots: [Block; 2],
    ) -> Result<[BitKey; 2], OutsideDomain> {
        Self::domain(target, log_size, 0)?;
        let depth = log_size.saturating_sub(BIT_LEVELS);
        let (keys, nodes) = self.keys(target >> BIT_LEVELS, depth, roots);
        let layer = Output { tweak: BIT_TWEAK, correction: 0 };
        let mut outputs = Zeroizing::new(*nodes);
        dispatch!(self.backend, lanes => lanes.single().run(Pair { prg: self.prg(), nodes: &mut outputs, layer }));
        let correction = outputs[0] ^ outputs[1] ^ 1 << (target % (1 << BIT_LEVELS));
        Ok(keys.map(|key| BitKey::new(log_size, key, correction)))
    }

    fn domain(target: u64, log_size: usize, least: usize) -> Result<(), OutsideDomain> {
        if (least..64).contains(&log_size) && target >> log_size == 0 {
            Ok(())
        } else {
            Err(OutsideDomain { target, log_size })
        }
    }

    /// GEN without a final correction: keys, and the two labels at the target.
    fn keys(&self, target: u64, depth: usize, roots: [Block; 2]) -> ([Key; 2], Zeroizing<[Block; 2]>) {
        let roots = Zeroizing::new([roots[0] & !1, roots[1] | 1]);
        let mut nodes = Zeroizing::new(*roots);
        let mut corrections = Vec::with_capacity(depth);
        for level in (0..depth).rev() {
            let right = target >> level & 1 == 1;
            let mut children = Zeroizing::new([0; 4]);
            children[..2].copy_from_slice(&*nodes);
            let work = Children { prg: self.prg(), labels: &mut children };
            dispatch!(self.backend, lanes => lanes.single().run(work));
            let [left_0, left_1, right_0, right_1] = *children;
            let sums = [left_0 ^ left_1, right_0 ^ right_1];
            // The dealer knows the target: its own branches on it are its own affair, but cost nothing to avoid.
            let keep = u128::from(right).wrapping_neg();
            let correction = Correction {
                word: (sums[1] ^ keep & (sums[0] ^ sums[1])) & !1,
                left_flag: (sums[0] & 1 == 1) ^ !right,
                right_flag: (sums[1] & 1 == 1) ^ right,
            };
            let [left, correct_right] = correction.sides();
            for party in 0..2 {
                let (l, r) = (children[party], children[2 + party]);
                let flag = (nodes[party] & 1).wrapping_neg();
                nodes[party] = l ^ keep & (l ^ r) ^ flag & (left ^ keep & (left ^ correct_right));
            }
            corrections.push(correction);
        }
        ([Key::new(roots[0], corrections.clone()), Key::new(roots[1], corrections)], nodes)
    }
}

/// Kernel: of two labels, the left children and the right ones, uncorrected.
struct Children<'a, P> {
    prg: P,
    labels: &'a mut [Block; 4],
}

impl<L: Lanes, P: Prg> Work<L> for Children<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let plain = self.prg.plain(lanes, 0);
        let rows = L::BlockRow::rows_mut(self.labels);
        let parents = [lanes.load_blocks(&rows[0]), lanes.load_blocks(&rows[1])];
        let children = P::plain_pairs(lanes, &plain, parents, &mut Nothing);
        for i in 0..4 {
            lanes.store_blocks(&mut rows[i], children[i / 2][i % 2]);
        }
    }
}

/// Kernel: what a layer has on two nodes, instead of them.
struct Pair<'a, P> {
    prg: P,
    nodes: &'a mut [Block; 2],
    layer: Output,
}

impl<L: Lanes, P: Prg> Work<L> for Pair<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let rows = L::BlockRow::rows_mut(self.nodes);
        let nodes = [[lanes.load_blocks(&rows[0])], [lanes.load_blocks(&rows[1])]];
        let output = self.prg.output(lanes, self.layer.tweak, self.layer.correction);
        let [[first], [second]] = P::outputs(lanes, &output, nodes, &mut Nothing);
        lanes.store_blocks(&mut rows[0], first);
        lanes.store_blocks(&mut rows[1], second);
    }
}
