//! `ci/fuzz 60 lean_operations`; see [`duoram_fuzz::operations`].
#![no_main]

use duoram_fuzz::operations::{Input, check};
use duoram_reference::lean::Lean;

libfuzzer_sys::fuzz_target!(|input: Input| check::<Lean>(&input));
