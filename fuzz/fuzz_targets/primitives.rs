//! `ci/fuzz 60 primitives`; see [`duoram_fuzz::primitives`].
#![no_main]

use duoram_fuzz::primitives::{Input, check};

libfuzzer_sys::fuzz_target!(|input: Input| check(&input));
