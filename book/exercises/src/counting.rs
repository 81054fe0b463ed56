//! A PRG that counts.

use std::cell::Cell;

use duoram_spec::core::block::Block;
use duoram_spec::core::prg::Prg;
use duoram_spec::lean::layers::Layers;

/// A PRG that counts its calls; each is one AES.
pub struct Counting<P> {
    prg: P,
    calls: Cell<u64>,
}

impl<P> Counting<P> {
    /// That of `prg`, with no call yet.
    pub fn new(prg: P) -> Self {
        Self { prg, calls: Cell::new(0) }
    }

    /// The calls since the last time that this was asked.
    pub fn calls(&self) -> u64 {
        self.calls.take()
    }

    fn count(&self) {
        self.calls.set(self.calls.get() + 1);
    }
}

impl<P: Prg> Prg for Counting<P> {
    fn left(&self, label: Block) -> Block {
        self.count();
        self.prg.left(label)
    }
    fn right(&self, label: Block) -> Block {
        self.count();
        self.prg.right(label)
    }
}

impl<P: Layers> Layers for Counting<P> {
    fn output(&self, label: Block, tweak: Block) -> Block {
        self.count();
        self.prg.output(label, tweak)
    }
}
