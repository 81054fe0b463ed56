//! App. C: the trees of a batch grow level by level, and two messages a level make its corrections.

use std::mem;
use std::ops::Range;

use zeroize::Zeroizing;

use super::conversion::Conversion;
use super::primary::{Context, Drawn};
use crate::dpf::{ChildSums, Correction, mask};
use crate::message::{LevelOperand, Shape, Triples};
use crate::{Block, Compute, Error, Parameters, Role};

/// A level has grown, its operands are sent, and the other primary's are due.
pub(crate) struct Growth<F> {
    drawn: Drawn,
    triples: Triples,
    forest: F,
    /// `L_b` and `R_b` of this level, for each DPF.
    sums: Zeroizing<Vec<ChildSums>>,
    /// The corrections so far, for each DPF.
    corrections: Vec<Vec<Correction>>,
    level: u32,
}

/// What follows a level.
pub(crate) enum Next<F> {
    /// The level below.
    Level(Growth<F>),
    /// There is none: App. D.
    Leaves(Conversion),
}

impl<F> Growth<F> {
    /// Plants the trees and grows the first level.
    pub(crate) fn plant<C: Compute<Forest = F>>(
        drawn: Drawn,
        triples: Triples,
        context: &Context<'_, C>,
    ) -> Self {
        let log_size = context.parameters.log_size();
        let mut forest = context.compute.plant(context.key, drawn.roots.clone(), log_size);
        let sums = Zeroizing::new(context.compute.grow(&mut forest));
        let corrections = drawn.roots.iter().map(|_| Vec::new()).collect();
        Self { drawn, triples, forest, sums, corrections, level: 0 }
    }

    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    /// The numbers of the items in the making.
    pub(crate) fn numbers(&self) -> Range<u64> {
        self.drawn.numbers.clone()
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape::LevelOperands { dpfs: self.drawn.dpfs() }
    }

    /// For each DPF `x_b xor X_b`, `y_b xor Y_b` and the shares of the flag corrections
    /// (`[duoram, appendix C, steps 3 and 4]`).
    pub(crate) fn operands(&self, parameters: &Parameters) -> Vec<LevelOperand> {
        let operand = |(dpf, sums): (usize, &ChildSums)| {
            let triple = &self.triples.and[self.triple(dpf, parameters)];
            let x = self.drawn.index_bit(dpf, self.level, parameters);
            LevelOperand {
                x: x ^ triple.x,
                y: y(sums) ^ triple.y,
                left_flag: lowest_bit(sums.left) ^ x,
                right_flag: lowest_bit(sums.right) ^ x,
            }
        };
        self.sums.iter().enumerate().map(operand).collect()
    }

    /// The AND with the other primary's operands, and the opened flag corrections
    /// (`[duoram, section 2.2.1]` and appendix C, steps 3 and 4, with one AND: erratum 11).
    pub(crate) fn open(self, theirs: &[LevelOperand], parameters: &Parameters) -> Opening<F> {
        let mut own = Vec::with_capacity(self.sums.len());
        for (dpf, (sums, theirs)) in self.sums.iter().zip(theirs).enumerate() {
            let triple = &self.triples.and[self.triple(dpf, parameters)];
            let x = self.drawn.index_bit(dpf, self.level, parameters);
            let z = mask(x) & (y(sums) ^ theirs.y) ^ triple.y & mask(theirs.x) ^ triple.z;
            own.push(Correction {
                // cw = (i and (L xor R)) xor R
                word: z ^ clear_lowest_bit(sums.right),
                left_flag: lowest_bit(sums.left) ^ x ^ theirs.left_flag ^ true,
                right_flag: lowest_bit(sums.right) ^ x ^ theirs.right_flag,
            });
        }
        Opening { growth: self, own }
    }

    /// The number of this level's triple.
    fn triple(&self, dpf: usize, parameters: &Parameters) -> usize {
        // h and the level are at most 40
        dpf * parameters.log_size() as usize + self.level as usize
    }
}

/// The share of this level's correction words is sent, and the other primary's is due.
pub(crate) struct Opening<F> {
    growth: Growth<F>,
    /// The own shares of the correction words, with the opened flag corrections.
    own: Vec<Correction>,
}

impl<F> Opening<F> {
    pub(crate) fn level(&self) -> u32 {
        self.growth.level
    }

    /// The numbers of the items in the making.
    pub(crate) fn numbers(&self) -> Range<u64> {
        self.growth.numbers()
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape::LevelOpening { dpfs: self.own.len() }
    }

    /// The own shares of cw.
    pub(crate) fn shares(&self) -> Vec<Block> {
        self.own.iter().map(|own| own.word).collect()
    }

    /// Whether the opened correction words have clear lowest bits, as all are made to.
    pub(crate) fn check(&self, from: Role, theirs: &[Block]) -> Result<(), Error> {
        let odd = |(own, theirs): (&Correction, &Block)| lowest_bit(own.word ^ theirs);
        match self.own.iter().zip(theirs).position(odd) {
            Some(dpf) => Err(Error::InconsistentCorrection { from, dpf, level: self.growth.level }),
            None => Ok(()),
        }
    }

    /// Opens and applies the corrections, and grows the next level if there is one
    /// (`[duoram, appendix C, steps 5 and 6]`).
    pub(crate) fn correct<C: Compute<Forest = F>>(
        self,
        theirs: &[Block],
        context: &Context<'_, C>,
    ) -> Next<F> {
        let Self { mut growth, own: mut opened } = self;
        opened.iter_mut().zip(theirs).for_each(|(opened, theirs)| opened.word ^= theirs);
        context.compute.correct(&mut growth.forest, &opened);
        growth.corrections.iter_mut().zip(opened).for_each(|(list, correction)| list.push(correction));
        growth.level += 1;
        if growth.level < context.parameters.log_size() {
            growth.sums = Zeroizing::new(context.compute.grow(&mut growth.forest));
            Next::Level(growth)
        } else {
            let Growth { drawn, mut triples, forest, corrections, .. } = growth;
            let sums = Zeroizing::new(context.compute.leaf_sums(forest));
            let products = Zeroizing::new(mem::take(&mut triples.products));
            Next::Leaves(Conversion { drawn, products, sums, corrections })
        }
    }
}

/// `y_b = L'_b xor R'_b`: the lowest bits are cleared *before* the AND. In an opened cw, the lowest bit would be cwt_R or
/// cwt_L, depending on the bit of ri, and so tell that bit whenever the two differ.
fn y(sums: &ChildSums) -> Block {
    clear_lowest_bit(sums.left ^ sums.right)
}

fn clear_lowest_bit(block: Block) -> Block {
    block & !1
}

fn lowest_bit(block: Block) -> bool {
    block & 1 == 1
}
