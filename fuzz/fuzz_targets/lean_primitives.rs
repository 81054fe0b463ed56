//! `ci/fuzz 60 lean_primitives`; see [`duoram_fuzz::primitives::lean`].
#![no_main]

use duoram_fuzz::primitives::lean::{Input, check};

libfuzzer_sys::fuzz_target!(|input: Input| check(&input));
