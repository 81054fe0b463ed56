//! The protocol of two parties, as the audit tools see it.
//!
//! Results and states are compared with the ideal memory; messages are not. In the specification the OT is ideal and the PIR plain, and
//! what a party's OTs have given it is shown to nobody, not even here: the reference's own tests compare message by message
//! (`reference/tests/two_party_against_spec.rs`).

mod watched;

use std::convert::Infallible;

use duoram_reference::two_party::TwoParty;
use duoram_reference::{Batch, Parameters, Role, Word};
use duoram_runtime::observer::Inputs;
use duoram_runtime::operation::Operation;
use duoram_runtime::seed::Seeds;
use duoram_spec::core::ideal;

use self::watched::Inspect;
pub use self::watched::{Slots, Watched};
use crate::audit::{self, Audited, Audits, Expected};

/// `D_0` and `D_1`.
pub type View = [Vec<Word>; 2];

impl Audited for TwoParty {
    const LEMMAS: &'static str = "shares of the ideal memory";

    type View = View;
    type Slots = Slots;
    type Follower = Nobody;

    fn view(slots: &Slots) -> Option<View> {
        slots.view()
    }

    fn opened([share_0, share_1]: &View) -> Vec<Word> {
        share_0.iter().zip(share_1).map(|(word_0, word_1)| word_0.wrapping_add(*word_1)).collect()
    }

    fn faults(before: &[Word], view: &View, (target, m): (u64, Word)) -> Vec<String> {
        if Self::opened(view) == Self::ideal_update(before, target, m) {
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

/// There is nobody to follow: see the module.
pub struct Nobody(Infallible);

impl audit::Follower for Nobody {
    type View = View;

    fn new(_parameters: Parameters, _seeds: &Seeds, _loads: bool, _demand: Batch) -> Option<Self> {
        None
    }

    fn bytes(_log_size: usize, _demand: Batch) -> u64 {
        0
    }

    fn view(&self) -> Option<View> {
        match self.0 {}
    }

    fn connect(&mut self) -> Expected {
        match self.0 {}
    }

    fn load(&mut self, _share_0: &[Word], _share_1: &[Word]) -> Expected {
        match self.0 {}
    }

    fn preprocess(&mut self, _batch: &Batch) -> Expected {
        match self.0 {}
    }

    fn perform(&mut self, _operation: &Operation, _inputs: Option<&Inputs>) -> Expected {
        match self.0 {}
    }
}
