//! The protocol of two parties, as the audit tools see it.
//!
//! In the specification the OT is ideal and the PIR plain, and what a party's OTs have given it is shown to nobody, not even here. So
//! of the messages those are compared that neither makes: sums, shifts and updates. States and shares of results depend on neither, and
//! are compared share by share. All messages are compared by the reference's own tests (`reference/tests/two_party_against_spec.rs`).

mod follower;
mod watched;

use duoram_reference::two_party::TwoParty;
use duoram_reference::{Role, Word};
use duoram_spec::core::ideal;

pub use self::follower::Follower;
use self::watched::Inspect;
pub use self::watched::{Slots, Watched};
use crate::audit::{Audited, Audits, first_word};

/// `D_0` and `D_1`.
pub type View = [Vec<Word>; 2];

impl Audited for TwoParty {
    const LEMMAS: &'static str = "shares of the ideal memory";

    type View = View;
    type Slots = Slots;
    type Follower = Follower;

    fn is_specified(kind: u8) -> bool {
        matches!(kind, 8 | 9 | 11)
    }

    fn view(slots: &Slots) -> Option<View> {
        slots.view()
    }

    fn opened([share_0, share_1]: &View) -> Vec<Word> {
        share_0.iter().zip(share_1).map(|(word_0, word_1)| word_0.wrapping_add(*word_1)).collect()
    }

    fn faults(before: &[Word], view: &View, (target, m): (u64, &[Word])) -> Vec<String> {
        if Self::opened(view) == Self::ideal_update(before, target, first_word(m)) {
            return Vec::new();
        }
        vec!["the memory is not the one before with the operation's change".to_owned()]
    }

    fn difference(expected: &View, got: &View) -> Option<String> {
        (expected != got).then(|| "the shares differ".to_owned())
    }

    fn ideal_update(memory: &[Word], address: u64, delta: Word) -> Vec<Word> {
        ideal::step(memory, &ideal::Operation::Update { address, delta }).0
    }
}

impl<C: Inspect> Audits<C> for TwoParty {
    type Watched = Watched<C>;

    fn watched(computation: C, role: Role, slots: Slots) -> Watched<C> {
        Watched::new(computation, role, slots)
    }
}
