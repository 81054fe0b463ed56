//! What the repository says about its proofs: the Rocq sources, the list of theorems, and the status that `ci/prove` writes.

pub(crate) mod assumptions;
pub(crate) mod sources;
pub(crate) mod status;
pub(crate) mod theorems;
