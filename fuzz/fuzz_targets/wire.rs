//! `ci/fuzz 60 wire`; see [`duoram_fuzz::wire`].
#![no_main]

use duoram_fuzz::wire::{Input, check};
use duoram_reference::Paper;

libfuzzer_sys::fuzz_target!(|input: Input| check::<Paper>(&input));
