//! `ci/fuzz 60 two_party_wire`; see [`duoram_fuzz::wire`].
#![no_main]

use duoram_fuzz::wire::{Input, check};
use duoram_reference::two_party::TwoParty;

libfuzzer_sys::fuzz_target!(|input: Input| check::<TwoParty>(&input));
