//! `ci/fuzz 60 conversion`; see [`duoram_fuzz::conversion`].
#![no_main]

use duoram_fuzz::conversion::{Input, check};

libfuzzer_sys::fuzz_target!(|input: Input| check(&input));
