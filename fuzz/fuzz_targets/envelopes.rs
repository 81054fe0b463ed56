//! `ci/fuzz 60 envelopes`; see [`duoram_fuzz::envelopes`].
#![no_main]

use duoram_fuzz::envelopes::check;

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));
