//! The lemmas of the lean protocol as boolean functions: what the tests evaluate and what the proofs show to be true.
