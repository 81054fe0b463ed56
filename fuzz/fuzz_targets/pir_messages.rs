//! `ci/fuzz 60 pir_messages`; see [`duoram_fuzz::pir_messages`].
#![no_main]

use duoram_fuzz::pir_messages::{Input, check};

libfuzzer_sys::fuzz_target!(|input: Input| check(&input));
