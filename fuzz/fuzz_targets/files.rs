//! `ci/fuzz 60 files`; see [`duoram_fuzz::files`].
#![no_main]

use duoram_fuzz::files::check;

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));
