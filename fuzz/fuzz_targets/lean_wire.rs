//! `ci/fuzz 60 lean_wire`; see [`duoram_fuzz::wire`].
#![no_main]

use duoram_fuzz::wire::{Input, check};
use duoram_reference::lean::Lean;

libfuzzer_sys::fuzz_target!(|input: Input| check::<Lean>(&input));
