//! `ci/fuzz 60 two_party_operations`; see [`duoram_fuzz::operations`].
#![no_main]

use duoram_fuzz::operations::{Input, check};
use duoram_reference::two_party::TwoParty;

libfuzzer_sys::fuzz_target!(|input: Input| check::<TwoParty>(&input));
