//! All systems that are built in.

use duoram_reference::Paper;
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;

use crate::duoram::Duoram;
use crate::system::System;

/// One of each.
pub fn all() -> Vec<Box<dyn System>> {
    vec![
        Box::new(Duoram::<Paper>::new()),
        Box::new(Duoram::<Lean>::new()),
        Box::new(Duoram::<TwoParty>::new()),
    ]
}
