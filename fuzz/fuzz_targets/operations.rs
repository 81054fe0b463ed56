//! `ci/fuzz 60 operations`; see [`duoram_fuzz::operations`].
#![no_main]

use duoram_fuzz::operations::{Input, check};
use duoram_reference::Paper;

libfuzzer_sys::fuzz_target!(|input: Input| check::<Paper>(&input));
