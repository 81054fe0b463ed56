//! All systems that are built in.

use duoram_reference::Paper;
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;

use crate::Error;
use crate::circuit_oram::CircuitOram;
use crate::cost::published::Published;
use crate::duoram::Duoram;
use crate::floram::Floram;
use crate::gigadoram::GigaDoram;
use crate::system::System;
use crate::voram::VoramHirb;

/// One of each.
pub fn all() -> Vec<Box<dyn System>> {
    vec![
        Box::new(Duoram::<Paper>::new()),
        Box::new(Duoram::<Lean>::new()),
        Box::new(Duoram::<TwoParty>::new()),
        Box::new(Floram),
        Box::new(CircuitOram::default()),
        Box::new(GigaDoram),
        Box::new(VoramHirb),
    ]
}

/// What others published of the systems that are rebuilt here, beside what these do on the same.
///
/// # Errors
///
/// See [`System::run`].
pub fn published() -> Result<Vec<Published>, Error> {
    let lines =
        [Floram::published(), CircuitOram::published(), GigaDoram::published(), VoramHirb::published()];
    lines.into_iter().collect::<Result<Vec<_>, _>>().map(|lines| lines.concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalogue::{CIRCUIT_ORAM, FLORAM};

    #[test]
    fn systems_have_names_of_their_own_and_those_of_the_catalogue() {
        let names: Vec<_> = all().iter().map(|system| system.name()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!([FLORAM, CIRCUIT_ORAM].iter().all(|name| names.contains(name)));
    }
}
