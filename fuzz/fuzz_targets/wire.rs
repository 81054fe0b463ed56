//! `ci/fuzz 60 wire`; see [`duoram_fuzz::wire`].
#![no_main]

use duoram_fuzz::wire::{Input, check};

libfuzzer_sys::fuzz_target!(|input: Input| check(&input));
