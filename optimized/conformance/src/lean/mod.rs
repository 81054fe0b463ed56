//! The lean protocol, as the audit tools see it.

mod follower;
pub mod view;
mod watched;

use duoram_reference::lean::Lean;
use duoram_reference::{Role, Word};
use duoram_spec::core::ideal;
use duoram_spec::core::ring::XorWord;

pub use self::follower::Follower;
use self::view::{Inspect, View, open, ring};
pub use self::watched::{Slots, Watched};
use crate::audit::{Audited, Audits};

impl Audited for Lean {
    const LEMMAS: &'static str = "both sharings of the ideal memory";

    type View = View;
    type Slots = Slots;
    type Follower = Follower;

    fn view(slots: &Slots) -> Option<View> {
        slots.view()
    }

    fn opened(view: &View) -> Vec<Word> {
        view::opened(view)
    }

    fn faults(before: &[Word], view: &View, change: (u64, &[Word])) -> Vec<String> {
        view::faults(before, view, change)
    }

    fn difference(expected: &View, got: &View) -> Option<String> {
        view::difference(expected, got)
    }

    fn ideal_update(memory: &[Word], address: u64, delta: Word) -> Vec<Word> {
        let update = ideal::Operation::Update { address, delta: XorWord { bits: delta } };
        open(&ideal::step(&ring(memory), &update).0)
    }
}

impl<C: Inspect> Audits<C> for Lean {
    type Watched = Watched<C>;

    fn watched(computation: C, role: Role, slots: Slots) -> Watched<C> {
        Watched::new(computation, role, slots)
    }
}
