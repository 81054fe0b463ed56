//! `ci/fuzz 60 two_party_hostile_peer`; see [`duoram_fuzz::hostile_peer`].
#![no_main]

use duoram_fuzz::hostile_peer::{Input, check};
use duoram_reference::two_party::TwoParty;

libfuzzer_sys::fuzz_target!(|input: Input| check::<TwoParty>(&input));
