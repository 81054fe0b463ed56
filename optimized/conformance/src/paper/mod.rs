//! The paper's protocol, as the audit tools see it.

mod follower;
pub mod view;
mod watched;

use duoram_reference::{Paper, Role, Word};
use duoram_runtime::local_computation::LocalComputation;
use duoram_spec::core::ideal;

pub use self::follower::Follower;
use self::view::{Inspect, View};
pub use self::watched::{Slots, Watched};
use crate::audit::{Audited, Audits, first_word};

impl Audited for Paper {
    const LEMMAS: &'static str = "Lemmas 2 and 3";

    type View = View;
    type Slots = Slots;
    type Follower = Follower;

    fn view(slots: &Slots) -> Option<View> {
        slots.view()
    }

    fn opened(view: &View) -> Vec<Word> {
        view.opened()
    }

    /// Lemmas 2 and 3.
    fn faults(before: &[Word], view: &View, (target, m): (u64, &[Word])) -> Vec<String> {
        view::faults(before, view, (target, first_word(m)))
    }

    fn difference(expected: &View, got: &View) -> Option<String> {
        view::difference(expected, got)
    }

    fn ideal_update(memory: &[Word], address: u64, delta: Word) -> Vec<Word> {
        ideal::step(memory, &ideal::Operation::Update { address, delta }).0
    }
}

impl<C: Inspect + LocalComputation> Audits<C> for Paper {
    type Watched = Watched<C>;

    fn watched(computation: C, role: Role, slots: Slots) -> Watched<C> {
        Watched::new(computation, role, slots)
    }
}
