//! The PRG, written in the operations of a backend. The tree takes it as a parameter.

use crate::Correction;
use crate::lanes::{Lanes, Meanwhile, Nothing, Row};
use crate::schedule::Schedule;

/// A length-doubling PRG with output layers. Constants are put into registers once a level, hence the associated types.
/// All that takes lanes must be `#[inline(always)]`.
pub(crate) trait Prg: Copy + Send + Sync {
    /// The constants of one level.
    type Level<L: Lanes>: Copy;
    /// The constants of two blocks a label without correction.
    type Plain<L: Lanes>: Copy;
    /// The constants of an output layer.
    type Output<L: Lanes>: Copy;
    /// The constants of an output layer of four blocks a label.
    type Fan<L: Lanes>: Copy;

    /// What every correction is XORed with, for the sake of the flag that the feed-forward leaves ([`Step`]).
    const LEFT_OVER: u128;

    /// The constants of the level below, with its correction.
    fn level<L: Lanes>(self, lanes: L, step: Step) -> Self::Level<L>;

    /// Left and right children of `N` registers of parents.
    fn children<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        level: &Self::Level<L>,
        parents: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2];

    /// The constants of two blocks a label without correction: `T_c` and `T_(c + 1)`, for an even tweak c.
    fn plain<L: Lanes>(self, lanes: L, tweak: u128) -> Self::Plain<L>;

    /// Both blocks of `N` registers of labels. What [`Self::children`] needs to select a correction by a flag is saved.
    fn plain_pairs<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        plain: &Self::Plain<L>,
        labels: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2];

    /// For each label the child on one side: the right one where the lowest bit of `lefts` is 0.
    fn child<L: Lanes, const N: usize>(
        lanes: L,
        level: &Self::Level<L>,
        parents: [[L::Blocks; N]; 2],
        lefts: [[L::Blocks; N]; 2],
    ) -> [[L::Blocks; N]; 2];

    /// The constants of the output layer with this tweak, and the correction of outputs where a node's flag is set.
    fn output<L: Lanes>(self, lanes: L, tweak: u128, correction: u128) -> Self::Output<L>;

    /// One block of output for each label.
    fn outputs<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        output: &Self::Output<L>,
        labels: [[L::Blocks; N]; 2],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2];

    /// The constants of the output layer with these four tweaks, and the correction of each of its blocks.
    fn fan<L: Lanes>(self, lanes: L, tweaks: [u128; 4], corrections: [u128; 4]) -> Self::Fan<L>;

    /// A register of such blocks before the rounds: the label comes in all lanes of as many registers as its four blocks fill
    /// (`4 / WIDTH`), of which this is number `part`.
    fn fan_state<L: Lanes>(lanes: L, fan: &Self::Fan<L>, part: usize, label: L::Blocks) -> L::Blocks;

    /// The key of its last round. The blocks are XORed with `added`.
    fn fan_last<L: Lanes>(
        lanes: L,
        fan: &Self::Fan<L>,
        part: usize,
        label: L::Blocks,
        added: L::Blocks,
    ) -> L::Blocks;

    /// State and key of blocks whose tweaks and corrections come with them, of a fan for tweaks 0 and corrections [`Self::LEFT_OVER`]. The
    /// corrections are XORed with that, too.
    fn tabled_out<L: Lanes>(
        lanes: L,
        fan: &Self::Fan<L>,
        label: L::Blocks,
        tweaks: L::Blocks,
        corrections: L::Blocks,
    ) -> [L::Blocks; 2];

    /// All rounds of such registers but the last one.
    fn fan_rounds<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        fan: &Self::Fan<L>,
        states: [[L::Blocks; N]; 2],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2];
}

/// From labels to two blocks each: children, or two blocks of an output layer, and their correction, as the kernels use it:
/// `cw ^ cwt ^ 1` for each side.
///
/// The feed-forward wants `s'`, the label with its flag cleared. The kernels XOR `s` itself, and the flag that is thus
/// left over is cancelled by the correction, which is added exactly where the flag is set: hence the `^ 1`.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The even tweak of the left block; that of the right one is the next.
    tweak: u128,
    left: u128,
    right: u128,
}

impl Step {
    /// No correction: children as the PRG gives them, where the kind of layer must be the same with a correction and without.
    pub(crate) const UNCORRECTED: Self = Self::output(0, 0);

    /// `T_c` with a correction and `T_(c + 1)` without, for an even c.
    pub(crate) const fn output(tweak: u128, correction: u128) -> Self {
        Self { tweak, left: correction ^ 1, right: 1 }
    }

    pub(crate) fn new(correction: &Correction) -> Self {
        let [left, right] = correction.sides();
        Self { tweak: 0, left: left ^ 1, right: right ^ 1 }
    }
}

/// The permutation's constants in registers.
#[derive(Clone, Copy)]
pub(crate) struct Hash<L: Lanes> {
    whitening: L::Blocks,
    rounds: L::Keys,
    last: L::Blocks,
}

impl<L: Lanes> Hash<L> {
    #[inline(always)]
    pub(crate) fn new(lanes: L, schedule: &Schedule) -> Self {
        Self {
            whitening: lanes.splat_block(schedule.round_key(0)),
            rounds: lanes.keys(schedule),
            last: lanes.splat_block(schedule.round_key(10)),
        }
    }

    /// pi(x) ^ x of plain blocks: what the limit of the AES units is measured with.
    #[inline(always)]
    pub(crate) fn compress<const N: usize>(
        &self,
        lanes: L,
        blocks: [[L::Blocks; N]; 2],
    ) -> [[L::Blocks; N]; 2] {
        let (mut states, mut last) = (blocks, blocks);
        for side in 0..2 {
            for i in 0..N {
                states[side][i] = lanes.xor_blocks(blocks[side][i], self.whitening);
                last[side][i] = lanes.xor_blocks(blocks[side][i], self.last);
            }
        }
        lanes.cipher(&self.rounds, states, last, &mut Nothing)
    }
}

/// Matyas-Meyer-Oseas with a fixed key (PROTOCOL.md, "PRG and tree"): with `s'` the label without its flag and pi AES-128
/// under the session's key, `T_c(s) = pi(s' ^ c) ^ s' ^ c`. Children are `T_0` and `T_1`, an output layer is any other tweak.
#[derive(Clone, Copy)]
pub(crate) struct Mmo<'a>(pub(crate) &'a Schedule);

/// All constants of a level in registers.
#[derive(Clone, Copy)]
pub(crate) struct MmoLevel<L: Lanes> {
    hash: Hash<L>,
    whitening: L::Blocks,
    one: L::Blocks,
    /// Last round key and correction of each side, and the correction alone, which is taken away again where the flag is
    /// not set.
    last: [L::Blocks; 2],
    corrections: [L::Blocks; 2],
}

/// The constants of two blocks a label without correction in registers; those of the second block differ by `one`.
#[derive(Clone, Copy)]
pub(crate) struct MmoPlain<L: Lanes> {
    hash: Hash<L>,
    whitening: L::Blocks,
    last: L::Blocks,
    one: L::Blocks,
}

/// All constants of an output layer in registers.
#[derive(Clone, Copy)]
pub(crate) struct MmoOutput<L: Lanes> {
    hash: Hash<L>,
    whitening: L::Blocks,
    last: L::Blocks,
    correction: L::Blocks,
}

/// All constants of an output layer of four blocks in registers: those of register i of a label's blocks at i, and nothing
/// behind `4 / WIDTH`.
#[derive(Clone, Copy)]
pub(crate) struct MmoFan<L: Lanes> {
    hash: Hash<L>,
    whitening: [L::Blocks; 4],
    last: [L::Blocks; 4],
    correction: [L::Blocks; 4],
}

impl Prg for Mmo<'_> {
    type Level<L: Lanes> = MmoLevel<L>;
    type Plain<L: Lanes> = MmoPlain<L>;
    type Output<L: Lanes> = MmoOutput<L>;
    type Fan<L: Lanes> = MmoFan<L>;

    const LEFT_OVER: u128 = 1;

    #[inline(always)]
    fn level<L: Lanes>(self, lanes: L, step: Step) -> MmoLevel<L> {
        let last = self.0.round_key(10) ^ step.tweak;
        MmoLevel {
            hash: Hash::new(lanes, self.0),
            whitening: lanes.splat_block(self.0.round_key(0) ^ step.tweak),
            one: lanes.splat_block(1),
            last: [lanes.splat_block(last ^ step.left), lanes.splat_block(last ^ 1 ^ step.right)],
            corrections: [lanes.splat_block(step.left), lanes.splat_block(step.right)],
        }
    }

    #[inline(always)]
    fn children<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        level: &MmoLevel<L>,
        parents: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        let flags = lanes.flags(parents);
        let mut states = [parents; 2];
        let mut last = [parents; 2];
        for i in 0..N {
            states[0][i] = lanes.cleared_xor(parents[i], level.whitening);
            states[1][i] = lanes.xor_blocks(states[0][i], level.one);
            for side in 0..2 {
                let base = lanes.xor_blocks(parents[i], level.last[side]);
                last[side][i] = lanes.xor_unless(flags[i], base, level.corrections[side]);
            }
        }
        lanes.cipher(&level.hash.rounds, states, last, meanwhile)
    }

    #[inline(always)]
    fn plain<L: Lanes>(self, lanes: L, tweak: u128) -> MmoPlain<L> {
        MmoPlain {
            hash: Hash::new(lanes, self.0),
            whitening: lanes.splat_block(self.0.round_key(0) ^ tweak),
            last: lanes.splat_block(self.0.round_key(10) ^ tweak),
            one: lanes.splat_block(1),
        }
    }

    #[inline(always)]
    fn plain_pairs<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        plain: &MmoPlain<L>,
        labels: [L::Blocks; N],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        let (mut states, mut last) = ([labels; 2], [labels; 2]);
        for i in 0..N {
            states[0][i] = lanes.cleared_xor(labels[i], plain.whitening);
            last[0][i] = lanes.cleared_xor(labels[i], plain.last);
            states[1][i] = lanes.xor_blocks(states[0][i], plain.one);
            last[1][i] = lanes.xor_blocks(last[0][i], plain.one);
        }
        lanes.cipher(&plain.hash.rounds, states, last, meanwhile)
    }

    #[inline(always)]
    fn child<L: Lanes, const N: usize>(
        lanes: L,
        level: &MmoLevel<L>,
        parents: [[L::Blocks; N]; 2],
        lefts: [[L::Blocks; N]; 2],
    ) -> [[L::Blocks; N]; 2] {
        let last_difference = lanes.xor_blocks(level.last[0], level.last[1]);
        let difference = lanes.xor_blocks(level.corrections[0], level.corrections[1]);
        let (mut states, mut last) = (parents, parents);
        for half in 0..2 {
            let (flags, lefts) = (lanes.flags(parents[half]), lanes.flags(lefts[half]));
            for i in 0..N {
                let whitening = lanes.xor_unless(lefts[i], level.whitening, level.one);
                states[half][i] = lanes.cleared_xor(parents[half][i], whitening);
                let key = lanes.xor_unless(lefts[i], level.last[0], last_difference);
                let correction = lanes.xor_unless(lefts[i], level.corrections[0], difference);
                let base = lanes.xor_blocks(parents[half][i], key);
                last[half][i] = lanes.xor_unless(flags[i], base, correction);
            }
        }
        lanes.cipher(&level.hash.rounds, states, last, &mut Nothing)
    }

    #[inline(always)]
    fn output<L: Lanes>(self, lanes: L, tweak: u128, correction: u128) -> MmoOutput<L> {
        // As in `Step`.
        let correction = correction ^ 1;
        MmoOutput {
            hash: Hash::new(lanes, self.0),
            whitening: lanes.splat_block(self.0.round_key(0) ^ tweak),
            last: lanes.splat_block(self.0.round_key(10) ^ tweak ^ correction),
            correction: lanes.splat_block(correction),
        }
    }

    #[inline(always)]
    fn outputs<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        output: &MmoOutput<L>,
        labels: [[L::Blocks; N]; 2],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        let (mut states, mut last) = (labels, labels);
        for half in 0..2 {
            let flags = lanes.flags(labels[half]);
            for i in 0..N {
                states[half][i] = lanes.cleared_xor(labels[half][i], output.whitening);
                let base = lanes.xor_blocks(labels[half][i], output.last);
                last[half][i] = lanes.xor_unless(flags[i], base, output.correction);
            }
        }
        lanes.cipher(&output.hash.rounds, states, last, meanwhile)
    }

    #[inline(always)]
    fn fan<L: Lanes>(self, lanes: L, tweaks: [u128; 4], corrections: [u128; 4]) -> MmoFan<L> {
        let zero = lanes.splat_block(0);
        let (whitening, last, correction) = ([zero; 4], [zero; 4], [zero; 4]);
        let mut fan = MmoFan { hash: Hash::new(lanes, self.0), whitening, last, correction };
        let mut corrections = corrections;
        for correction in &mut corrections {
            *correction ^= Self::LEFT_OVER;
        }
        let (tweaks, corrections) = (L::BlockRow::rows(&tweaks), L::BlockRow::rows(&corrections));
        for i in 0..4 / L::WIDTH {
            let tweaks = lanes.load_blocks(&tweaks[i]);
            fan.correction[i] = lanes.load_blocks(&corrections[i]);
            fan.whitening[i] = lanes.xor_blocks(fan.hash.whitening, tweaks);
            fan.last[i] = lanes.xor_blocks(lanes.xor_blocks(fan.hash.last, tweaks), fan.correction[i]);
        }
        fan
    }

    #[inline(always)]
    fn fan_state<L: Lanes>(lanes: L, fan: &MmoFan<L>, part: usize, label: L::Blocks) -> L::Blocks {
        lanes.cleared_xor(label, fan.whitening[part])
    }

    #[inline(always)]
    fn fan_last<L: Lanes>(
        lanes: L,
        fan: &MmoFan<L>,
        part: usize,
        label: L::Blocks,
        added: L::Blocks,
    ) -> L::Blocks {
        let [flag] = lanes.flags([label]);
        let base = lanes.xor_blocks(lanes.xor_blocks(label, added), fan.last[part]);
        lanes.xor_unless(flag, base, fan.correction[part])
    }

    #[inline(always)]
    fn tabled_out<L: Lanes>(
        lanes: L,
        fan: &MmoFan<L>,
        label: L::Blocks,
        tweaks: L::Blocks,
        corrections: L::Blocks,
    ) -> [L::Blocks; 2] {
        let [flag] = lanes.flags([label]);
        let state = lanes.cleared_xor(label, lanes.xor_blocks(fan.whitening[0], tweaks));
        let last = lanes.xor_blocks(lanes.xor_blocks(fan.last[0], tweaks), corrections);
        [state, lanes.xor_unless(flag, lanes.xor_blocks(label, last), corrections)]
    }

    #[inline(always)]
    fn fan_rounds<L: Lanes, M: Meanwhile<L>, const N: usize>(
        lanes: L,
        fan: &MmoFan<L>,
        states: [[L::Blocks; N]; 2],
        meanwhile: &mut M,
    ) -> [[L::Blocks; N]; 2] {
        lanes.rounds(&fan.hash.rounds, states, meanwhile)
    }
}
