//! `ci/fuzz 60 hostile_peer`; see [`duoram_fuzz::hostile_peer`].
#![no_main]

use duoram_fuzz::hostile_peer::{Input, check};
use duoram_reference::Paper;

libfuzzer_sys::fuzz_target!(|input: Input| check::<Paper>(&input));
