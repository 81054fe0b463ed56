//! What hangs on the parents of a block: their children, or an output layer.
//!
//! | layer | blocks a parent | where they come |
//! |---|---|---|
//! | [`Children`], [`Plain`] | 2 | lane `k` of unit `u`: at `2 (u + units k)` and the next |
//! | [`Output`] | 1 | the same |

use crate::lanes::{Lanes, Meanwhile};
use crate::prg::{Prg, Step};
use crate::tree::load_rows;

/// A last hashing of the parents. It is done in units of two registers, which are neighbours in what comes out.
pub(crate) trait Layer<P: Prg>: Copy + Send + Sync {
    /// Blocks that come out for each parent: 1 or 2. A row of parents makes half as many units.
    const OUTPUTS: usize;
    /// The constants in registers.
    type Constants<L: Lanes>: Copy;

    /// Puts them there. Must be `#[inline(always)]`.
    fn constants<L: Lanes>(self, lanes: L, prg: P) -> Self::Constants<L>;

    /// `N` units from `unit` on: their first registers, and their second ones. Must be `#[inline(always)]`.
    fn hash<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        constants: &Self::Constants<L>,
        rows: &[L::BlockRow],
        unit: usize,
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2];
}

/// A layer of two blocks for each parent: a unit is a row, and gives its left and right blocks.
pub(crate) trait TwoBlocks: Copy + Send + Sync {
    /// The constants in registers.
    type Registers<P: Prg, L: Lanes>: Copy;

    /// Puts them there. Must be `#[inline(always)]`.
    fn registers<P: Prg, L: Lanes>(self, lanes: L, prg: P) -> Self::Registers<P, L>;

    /// The blocks of `N` registers of parents. Must be `#[inline(always)]`.
    fn of<P: Prg, L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        registers: &Self::Registers<P, L>,
        parents: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2];
}

/// The next level, with its correction.
#[derive(Clone, Copy)]
pub(crate) struct Children(pub(crate) Step);

/// `T_c` and `T_(c + 1)` for an even c, without a correction: children for 0.
#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) u128);

impl TwoBlocks for Children {
    type Registers<P: Prg, L: Lanes> = P::Level<L>;

    #[inline(always)]
    fn registers<P: Prg, L: Lanes>(self, lanes: L, prg: P) -> P::Level<L> {
        prg.level(lanes, self.0)
    }

    #[inline(always)]
    fn of<P: Prg, L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        level: &P::Level<L>,
        parents: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        P::children(lanes, level, parents, meanwhile)
    }
}

impl TwoBlocks for Plain {
    type Registers<P: Prg, L: Lanes> = P::Plain<L>;

    #[inline(always)]
    fn registers<P: Prg, L: Lanes>(self, lanes: L, prg: P) -> P::Plain<L> {
        prg.plain(lanes, self.0)
    }

    #[inline(always)]
    fn of<P: Prg, L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        plain: &P::Plain<L>,
        parents: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        P::plain_pairs(lanes, plain, parents, meanwhile)
    }
}

impl<P: Prg, Y: TwoBlocks> Layer<P> for Y {
    const OUTPUTS: usize = 2;
    type Constants<L: Lanes> = Y::Registers<P, L>;

    #[inline(always)]
    fn constants<L: Lanes>(self, lanes: L, prg: P) -> Y::Registers<P, L> {
        self.registers(lanes, prg)
    }

    #[inline(always)]
    fn hash<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        registers: &Y::Registers<P, L>,
        rows: &[L::BlockRow],
        unit: usize,
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        Y::of::<P, L, M, N>(lanes, registers, load_rows::<L, N>(lanes, rows, unit), meanwhile)
    }
}

/// An output layer of one block for each parent: a unit is two rows.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) tweak: u128,
    /// XORed to the output of parents whose flag is set.
    pub(crate) correction: u128,
}

impl<P: Prg> Layer<P> for Output {
    const OUTPUTS: usize = 1;
    type Constants<L: Lanes> = P::Output<L>;

    #[inline(always)]
    fn constants<L: Lanes>(self, lanes: L, prg: P) -> P::Output<L> {
        prg.output(lanes, self.tweak, self.correction)
    }

    #[inline(always)]
    fn hash<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        output: &P::Output<L>,
        rows: &[L::BlockRow],
        unit: usize,
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        let mut labels = [[lanes.splat_block(0); N]; 2];
        for i in 0..N {
            for half in 0..2 {
                labels[half][i] = lanes.load_blocks(&rows[2 * (unit + i) + half]);
            }
        }
        P::outputs(lanes, output, labels, meanwhile)
    }
}
