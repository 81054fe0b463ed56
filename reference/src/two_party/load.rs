//! Load: each party takes its own share of a memory that is not zero. Nothing is sent.

use std::mem;

use zeroize::Zeroizing;

use super::Compute;
use super::pir::Pir;
use super::primary::PrimaryWorld;
use crate::Word;
use crate::engine::step::{Begun, Next};
use crate::engine::{Step, leaves};

/// Taking a share of a memory that is not zero.
pub const LOAD: Step = Step::new("load");

/// Begins with the first words. Room is made at once: a vector that grows would leave copies behind.
pub(super) fn begin<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    words: &[Word],
) -> Begun<PrimaryWorld<C, P>> {
    let size = leaves(world.core.parameters().log_size());
    world.loading = Some(Box::new(Zeroizing::new(Vec::with_capacity(size))));
    Begun::without_items(LOAD, give(world, words))
}

/// Takes the next words; the last ones make the memory.
pub(super) fn give<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    words: &[Word],
) -> Next<PrimaryWorld<C, P>> {
    let Some(mut loading) = world.loading.take() else { return Next::Done };
    loading.extend_from_slice(words);
    if loading.len() < leaves(world.core.parameters().log_size()) {
        world.loading = Some(loading);
        return Next::Pause;
    }
    world.memory = world.tools.compute.memory(mem::take(&mut *loading));
    Next::Done
}
